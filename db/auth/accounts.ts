// Accounts, their groups, clients and secrets (R6a, R6b). What signing in leaves behind is in sign-in.ts.
import { type Account, ASSIGNABLE_ROLES, type MemberRole, type Membership } from "../../src/auth/account.ts";
import type {
  AccountClient,
  AccountReader,
  AccountSecret,
  AccountWriter,
  Group,
  Identity,
} from "../../src/auth/accounts.ts";
import { rowsOf, run, type Session, statement, textList } from "../engine/dialect.ts";
import type { AccountClientTable, AccountSecretTable } from "../engine/repository-schema.ts";
import * as signIn from "./sign-in.ts";

type AccountRow = {
  id: number;
  mail: string | null;
  eppn: string | null;
  name: string;
  roles: string;
  active: number;
  created_at: string;
  updated_at: string;
};

const ACCOUNT = "id, mail, eppn, name, roles, active, created_at, updated_at";

function toAccount(row: AccountRow): Account {
  const roles: unknown = JSON.parse(row.roles);
  return {
    id: Number(row.id),
    mail: row.mail,
    eppn: row.eppn,
    name: row.name,
    // A role that this program does not know gives nobody anything.
    roles: Array.isArray(roles) ? ASSIGNABLE_ROLES.filter((role) => roles.includes(role)) : [],
    active: row.active === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function textsOf(json: string): readonly string[] {
  const parsed: unknown = JSON.parse(json);
  return Array.isArray(parsed) ? parsed.filter((each): each is string => typeof each === "string") : [];
}

function toClient(row: AccountClientTable): AccountClient {
  return {
    clientId: row.client_id,
    accountId: Number(row.account_id),
    kind: row.kind === "personal" ? "personal" : "oauth",
    name: row.name,
    scopes: textsOf(row.scopes),
    active: row.active === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    madeWith: row.made_with,
  };
}

function toSecret(row: Omit<AccountSecretTable, "last_used_on">): AccountSecret {
  return {
    id: row.id,
    clientId: row.client_id,
    hash: row.hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

const CLIENT = ["client_id", "account_id", "kind", "name", "scopes", "active", "created_at", "expires_at", "made_with"];
const BY_ID = statement(() => `select ${ACCOUNT} from account where id = $1`);
const BY_MAIL = statement(() => `select ${ACCOUNT} from account where mail = $1`);
const BY_EPPN = statement(() => `select ${ACCOUNT} from account where eppn = $1`);
const BY_IDS = statement(({ dialect }) =>
  dialect === "sqlite"
    ? `select ${ACCOUNT} from account where id in (select cast(value as integer) from json_each($1)) order by id`
    : `select ${ACCOUNT} from account where id = any($1::text[]::bigint[]) order by id`,
);
const LIST = statement(() => `select ${ACCOUNT} from account where id > $1 order by id limit $2`);
const CLIENT_BY_ID = statement(() => `select ${CLIENT.join(", ")} from account_client where client_id = $1`);
const CLIENTS_OF = statement(
  () => `select ${CLIENT.join(", ")} from account_client where account_id = $1 order by created_at, client_id`,
);
const SECRET = ["id", "client_id", "hash", "created_at", "expires_at", "revoked_at"];
const BY_SECRET = statement(
  () => `select ${SECRET.map((name) => `s.${name} as secret_${name}`).join(", ")}, ${CLIENT.map((name) => `c.${name}`).join(", ")}
    from account_secret s join account_client c on c.client_id = s.client_id where s.id = $1`,
);
const SECRETS_OF = statement(
  () => `select ${SECRET.join(", ")} from account_secret where client_id = $1 order by created_at, id`,
);
const GROUPS_OF = statement(() => "select group_id from account_group_member where account_id = $1 order by group_id");
const MEMBERSHIPS_OF = statement(
  () => `select c.id, c.root_index, m.role from community_member m join community c on c.id = m.community_id
    where m.account_id = $1 and c.deleted_at is null order by c.id`,
);
const GROUPS = statement(
  () => `select g.id, g.name, m.account_id from account_group g
    left join account_group_member m on m.group_id = g.id order by g.id, m.account_id`,
);

type MembershipRow = { id: string; root_index: number | null; role: string };
type SecretRow = AccountClientTable & {
  [Name in keyof AccountSecretTable as `secret_${Name}`]: AccountSecretTable[Name];
};

async function first<Row>(session: Session, question: ReturnType<typeof statement>, parameters: readonly unknown[]) {
  return (await rowsOf<Row>(session, question, parameters))[0] ?? null;
}

async function oneAccount(session: Session, question: ReturnType<typeof statement>, parameter: unknown) {
  const row = await first<AccountRow>(session, question, [parameter]);
  return row === null ? null : toAccount(row);
}

async function readIdentity(session: Session, accountId: number): Promise<Identity | null> {
  const account = await oneAccount(session, BY_ID, accountId);
  if (account === null) return null;
  const groups = await rowsOf<{ group_id: number }>(session, GROUPS_OF, [accountId]);
  const memberships = await rowsOf<MembershipRow>(session, MEMBERSHIPS_OF, [accountId]);
  return {
    account,
    groups: groups.map(({ group_id }) => Number(group_id)),
    memberships: memberships.map(
      (row): Membership => ({
        communityId: row.id,
        // The table's check allows no other values.
        role: row.role as MemberRole,
        rootIndex: row.root_index === null ? null : Number(row.root_index),
      }),
    ),
  };
}

async function readSecret(session: Session, id: string) {
  const row = await first<SecretRow>(session, BY_SECRET, [id]);
  if (row === null) return null;
  const secret = toSecret({
    id: row.secret_id,
    client_id: row.secret_client_id,
    hash: row.secret_hash,
    created_at: row.secret_created_at,
    expires_at: row.secret_expires_at,
    revoked_at: row.secret_revoked_at,
  });
  return { secret, client: toClient(row) };
}

async function readGroups(session: Session): Promise<readonly Group[]> {
  const rows = await rowsOf<{ id: number; name: string; account_id: number | null }>(session, GROUPS);
  const groups = new Map<number, { id: number; name: string; members: number[] }>();
  for (const row of rows) {
    const id = Number(row.id);
    const group = groups.get(id) ?? { id, name: row.name, members: [] };
    if (row.account_id !== null) group.members.push(Number(row.account_id));
    groups.set(id, group);
  }
  return [...groups.values()];
}

export function accountReader(session: Session): AccountReader {
  return {
    account: (id) => oneAccount(session, BY_ID, id),
    accounts: async (ids) =>
      (await rowsOf<AccountRow>(session, BY_IDS, [textList(session, ids.map(String))])).map(toAccount),
    accountByMail: (mail) => oneAccount(session, BY_MAIL, mail.toLowerCase()),
    accountByEppn: (eppn) => oneAccount(session, BY_EPPN, eppn),
    listAccounts: async (after, limit) => (await rowsOf<AccountRow>(session, LIST, [after, limit])).map(toAccount),
    identity: (accountId) => readIdentity(session, accountId),
    client: async (clientId) => {
      const row = await first<AccountClientTable>(session, CLIENT_BY_ID, [clientId]);
      return row === null ? null : toClient(row);
    },
    clientsOf: async (accountId) => (await rowsOf<AccountClientTable>(session, CLIENTS_OF, [accountId])).map(toClient),
    secret: (id) => readSecret(session, id),
    secretsOf: async (clientId) => (await rowsOf<AccountSecretTable>(session, SECRETS_OF, [clientId])).map(toSecret),
    session: (hash) => signIn.readSession(session, hash),
    groups: () => readGroups(session),
  };
}

async function saveAccount({ db }: Session, account: Account): Promise<number | null> {
  const values = {
    mail: account.mail?.toLowerCase() ?? null,
    eppn: account.eppn,
    name: account.name,
    roles: JSON.stringify(account.roles),
    active: account.active ? 1 : 0,
    created_at: account.createdAt,
    updated_at: account.updatedAt,
  };
  // Looked at first: a refused row would end the whole transaction on PostgreSQL. The unique indexes decide between two at once.
  const taken = await db
    .selectFrom("account")
    .select("id")
    .where((or) =>
      or.or([
        ...(values.mail === null ? [] : [or("mail", "=", values.mail)]),
        ...(values.eppn === null ? [] : [or("eppn", "=", values.eppn)]),
      ]),
    )
    .where("id", "!=", account.id)
    .executeTakeFirst();
  if (taken !== undefined && (values.mail !== null || values.eppn !== null)) return null;
  if (account.id === 0) {
    const made = await db
      .insertInto("account")
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    return made === undefined ? null : Number(made.id);
  }
  const saved = await db.updateTable("account").set(values).where("id", "=", account.id).returning("id").execute();
  if (saved.length === 0) throw new RangeError(`Cannot save account ${account.id}: there is none`);
  return account.id;
}

async function saveClient({ db }: Session, client: AccountClient): Promise<void> {
  const values = {
    account_id: client.accountId,
    kind: client.kind,
    name: client.name,
    scopes: JSON.stringify(client.scopes),
    active: client.active ? 1 : 0,
    created_at: client.createdAt,
    expires_at: client.expiresAt,
    made_with: client.madeWith,
  };
  await db
    .insertInto("account_client")
    .values({ client_id: client.clientId, ...values })
    .onConflict((conflict) => conflict.column("client_id").doUpdateSet(values))
    .execute();
}

const REVOKE = statement(
  () => "update account_secret set revoked_at = $2 where id = $1 and (revoked_at is null or revoked_at > $2)",
);

const HOLD_ACCOUNT = statement(() => "select id from account where id = $1 for share");
const HOLD_CLIENT = statement(() => "select client_id from account_client where client_id = $1 for share");

export function accountWriter(session: Session): AccountWriter {
  const { db } = session;
  return {
    ...accountReader(session),
    async hold(accountId, clientId) {
      // On SQLite the transaction itself is the lock.
      if (session.dialect === "sqlite") return;
      await run(session, HOLD_ACCOUNT, [accountId]);
      if (clientId !== null) await run(session, HOLD_CLIENT, [clientId]);
    },
    saveAccount: (account) => saveAccount(session, account),
    saveClient: (client) => saveClient(session, client),
    async insertSecret(secret) {
      await db
        .insertInto("account_secret")
        .values({
          id: secret.id,
          client_id: secret.clientId,
          hash: secret.hash,
          created_at: secret.createdAt,
          expires_at: secret.expiresAt,
          revoked_at: secret.revokedAt,
          last_used_on: null,
        })
        .execute();
    },
    async revokeSecret(id, at) {
      await run(session, REVOKE, [id, at]);
    },
    insertLoginLink: (link, at) => signIn.insertLink(session, link, at),
    useLoginLink: (hash, at) => signIn.useLink(session, hash, at),
    insertSession: (made) => signIn.insertSession(session, made),
    deleteSession: (hash) => signIn.deleteSession(session, hash),
    deleteSessionsWith: (clientId) => signIn.deleteSessionsWith(session, clientId),
    deleteSessionsOf: (accountId) => signIn.deleteSessionsOf(session, accountId),
    forgetEnded: (at) => signIn.forgetEnded(session, at),
    insertLoginAttempt: (attempt) => signIn.insertAttempt(session, attempt),
    takeLoginAttempt: (state, at) => signIn.takeAttempt(session, state, at),
    async insertGroup(name, at) {
      const made = await db
        .insertInto("account_group")
        .values({ name, created_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .executeTakeFirst();
      return made === undefined ? null : Number(made.id);
    },
    async renameGroup(id, name) {
      const taken = await db.selectFrom("account_group").select("id").where("name", "=", name).executeTakeFirst();
      if (taken !== undefined) return Number(taken.id) === id;
      await db.updateTable("account_group").set({ name }).where("id", "=", id).execute();
      return true;
    },
    async setGroupMembers(groupId, accountIds) {
      await db.deleteFrom("account_group_member").where("group_id", "=", groupId).execute();
      const rows = [...new Set(accountIds)].map((accountId) => ({ group_id: groupId, account_id: accountId }));
      if (rows.length > 0) await db.insertInto("account_group_member").values(rows).execute();
    },
  };
}
