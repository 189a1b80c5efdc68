// Clients, grants, and the codes and tokens of grants (R6b, R30).
import type {
  Grant,
  GrantedSecret,
  GrantReader,
  GrantSecret,
  GrantWriter,
  OauthClient,
} from "../../../src/repository/store/grants.ts";
import { ACCOUNT_COLUMNS, aliased, groupsAndMemberships, identityOf, joined, part } from "../../auth/accounts.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";
import { allRows, json, oneRow, rowsAs } from "../../engine/record.ts";
import type { GrantSecretTable, OauthClientTable, OauthGrantTable } from "../../engine/repository-schema.ts";

const CLIENT = rowsAs<OauthClientTable, OauthClient>({
  id: "id",
  kind: { column: "kind", read: (cell: OauthClient["kind"]) => cell, write: (kind) => kind },
  name: "name",
  uri: "uri",
  redirectUris: json("redirect_uris"),
  createdAt: "created_at",
  usedAt: "used_at",
});
const GRANT = rowsAs<OauthGrantTable, Grant>({
  id: "id",
  accountId: { column: "account_id", read: Number, write: (id) => id },
  clientId: "client_id",
  clientName: "client_name",
  resource: "resource",
  scopes: json("scopes"),
  madeWith: "made_with",
  createdAt: "created_at",
  lastUsedAt: "last_used_at",
  endedAt: "ended_at",
});
const SECRET = rowsAs<GrantSecretTable, GrantSecret>({
  id: "id",
  grantId: "grant_id",
  kind: { column: "kind", read: (cell: GrantSecret["kind"]) => cell, write: (kind) => kind },
  hash: "hash",
  scopes: json("scopes"),
  createdAt: "created_at",
  expiresAt: "expires_at",
  usedAt: "used_at",
  redirectUri: "redirect_uri",
  challenge: "challenge",
});

const CLIENT_BY_ID = statement(() => `select ${CLIENT.list} from oauth_client where id = $1`);
const OPERATOR_CLIENTS = statement(
  () => `select ${CLIENT.list} from oauth_client where kind = 'account' order by created_at, id`,
);
const FORGET_UNUSED = statement(() => {
  const unused = "kind = 'registered' and used_at is null";
  return `delete from oauth_client where ${unused} and (created_at < $1 or id in (
    select id from oauth_client where ${unused} order by created_at desc, id limit $3 offset $2))`;
});
const FORGET_IDLE = statement(
  () => `delete from oauth_client where kind = 'registered' and used_at < $1
    and not exists (select 1 from oauth_grant g where g.client_id = oauth_client.id)`,
);
const GRANT_BY_ID = statement(() => `select ${GRANT.list} from oauth_grant where id = $1`);
const HELD_GRANT = statement(({ forUpdate }) => `select ${GRANT.list} from oauth_grant where id = $1 ${forUpdate}`);
const GRANTS_OF = statement(
  () => `select ${GRANT.list} from oauth_grant where account_id = $1 and ended_at is null order by created_at, id`,
);
const LIST = statement(
  () => `select ${GRANT.list} from oauth_grant where id > $1 and ended_at is null order by id limit $2`,
);
const LIVING = statement(
  ({ forUpdate }) => `select ${GRANT.list} from oauth_grant
    where account_id = $1 and client_id = $2 and resource = $3 and ended_at is null ${forUpdate}`,
);
const MADE_WITH = statement(
  ({ forUpdate }) => `select ${GRANT.list} from oauth_grant where made_with = $1 and ended_at is null ${forUpdate}`,
);
const SECRET_BY_ID = statement(() => `select ${SECRET.list} from grant_secret where id = $1`);
const GRANTED = statement(
  (
    words,
  ) => `select ${aliased("s", "secret", SECRET.names)}, ${aliased("g", "granted", GRANT.names)}, ${ACCOUNT_COLUMNS},
      ${groupsAndMemberships(words)}
    from grant_secret s join oauth_grant g on g.id = s.grant_id join account a on a.id = g.account_id where s.id = $1`,
);
const USE = statement(() => "update grant_secret set used_at = $2 where id = $1 and used_at is null returning id");
const COUNT = statement(() => "select count(*) as secrets from grant_secret where grant_id = $1");
const FORGET_SECRETS = statement(() => "delete from grant_secret where expires_at < $1");
const LAPSED = statement(
  () => `select ${GRANT.list} from oauth_grant where ended_at is null and not exists (
      select 1 from grant_secret s where s.grant_id = oauth_grant.id and s.used_at is null and s.expires_at > $1)
    order by id limit $2`,
);
const FORGET_SECRETS_OF_ENDED = statement(
  () => "delete from grant_secret where grant_id in (select id from oauth_grant where ended_at < $1)",
);
const FORGET_ENDED = statement(() => "delete from oauth_grant where ended_at < $1");

export function grantReader(session: Session): GrantReader {
  return {
    oauthClient: (id) => oneRow(session, CLIENT_BY_ID, [id], CLIENT.read),
    operatorClients: () => allRows(session, OPERATOR_CLIENTS, [], CLIENT.read),
    grant: (id) => oneRow(session, GRANT_BY_ID, [id], GRANT.read),
    grantsOf: (accountId) => allRows(session, GRANTS_OF, [accountId], GRANT.read),
    listGrants: (after, limit) => allRows(session, LIST, [after, limit], GRANT.read),
    grantedSecret: (id) =>
      joined(
        session,
        GRANTED,
        id,
        (row): GrantedSecret => ({
          secret: part(row, "secret", SECRET),
          grant: part(row, "granted", GRANT),
          ...identityOf(row),
        }),
      ),
  };
}

export function grantWriter(session: Session): GrantWriter {
  const { db } = session;
  return {
    ...grantReader(session),
    async saveOauthClient(client) {
      const { id, ...values } = CLIENT.write(client);
      await db
        .insertInto("oauth_client")
        .values({ id, ...values })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(values))
        .execute();
    },
    async forgetUnusedClients(before, most) {
      await run(session, FORGET_UNUSED, [before, most, Number.MAX_SAFE_INTEGER]);
    },
    async forgetIdleClients(before) {
      await run(session, FORGET_IDLE, [before]);
    },
    async insertGrant(grant) {
      const made = await db
        .insertInto("oauth_grant")
        .values(GRANT.write(grant))
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .executeTakeFirst();
      return made !== undefined;
    },
    livingGrant: ({ accountId, clientId, resource }) =>
      oneRow(session, LIVING, [accountId, clientId, resource], GRANT.read),
    heldGrant: (id) => oneRow(session, HELD_GRANT, [id], GRANT.read),
    async saveGrant(grant) {
      const { id, ...values } = GRANT.write(grant);
      await db.updateTable("oauth_grant").set(values).where("id", "=", id).execute();
    },
    grantsMadeWith: (clientId) => allRows(session, MADE_WITH, [clientId], GRANT.read),
    grantSecret: (id) => oneRow(session, SECRET_BY_ID, [id], SECRET.read),
    async insertGrantSecret(secret) {
      await db.insertInto("grant_secret").values(SECRET.write(secret)).execute();
    },
    useGrantSecret: async (id, at) => (await rowsOf(session, USE, [id, at])).length > 0,
    async countGrantSecrets(grantId) {
      const [row] = await rowsOf<{ secrets: number }>(session, COUNT, [grantId]);
      return Number(row?.secrets ?? 0);
    },
    async forgetGrantSecrets(before) {
      await run(session, FORGET_SECRETS, [before]);
    },
    lapsedGrants: (at, limit) => allRows(session, LAPSED, [at, limit], GRANT.read),
    async forgetGrants(before) {
      await run(session, FORGET_SECRETS_OF_ENDED, [before]);
      await run(session, FORGET_ENDED, [before]);
    },
  };
}
