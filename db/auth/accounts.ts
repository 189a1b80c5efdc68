// Accounts, their groups, clients and secrets (R6a, R6b). And what signing in leaves behind (R33).

import { type Account, ASSIGNABLE_ROLES, type MemberRole, type Membership } from "../../src/auth/account.ts";
import type {
  AccountClient,
  AccountReader,
  AccountSecret,
  AccountWriter,
  ClientLife,
  Group,
  Identity,
  LoginAttempt,
  Session as LoginSession,
  OpenSession,
  SessionWay,
} from "../../src/auth/accounts.ts";
import { mailKey } from "../../src/auth/mail-address.ts";
import type { AccountId } from "../../src/shared/ids.ts";
import { rowsOf, run, type Session, type Statement, statement, textList, type Words } from "../engine/dialect.ts";
import { allRows, flag, oneRow, rowsAs } from "../engine/record.ts";
import type {
  AccountClientTable,
  AccountSecretTable,
  AccountTable,
  LoginAttemptTable,
  LoginSessionTable,
} from "../engine/repository-schema.ts";

/** A role that this program does not know gives nobody anything. */
function rolesOf(text: string): Account["roles"] {
  const roles: unknown = JSON.parse(text);
  return Array.isArray(roles) ? ASSIGNABLE_ROLES.filter((role) => roles.includes(role)) : [];
}

function textsOf(text: string): readonly string[] {
  const parsed: unknown = JSON.parse(text);
  return Array.isArray(parsed) ? parsed.filter((each): each is string => typeof each === "string") : [];
}

const ACCOUNT = rowsAs<AccountTable, Account>({
  id: "id",
  mail: "mail",
  eppn: "eppn",
  name: "name",
  roles: { column: "roles", read: rolesOf, write: JSON.stringify },
  active: flag("active"),
  createdAt: "created_at",
  updatedAt: "updated_at",
});
const CLIENT = rowsAs<AccountClientTable, AccountClient>({
  clientId: "client_id",
  accountId: "account_id",
  kind: "kind",
  name: "name",
  scopes: { column: "scopes", read: textsOf, write: JSON.stringify },
  active: flag("active"),
  createdAt: "created_at",
  expiresAt: "expires_at",
  madeWith: "made_with",
});
const SECRET = rowsAs<Omit<AccountSecretTable, "last_used_on">, AccountSecret>({
  id: "id",
  clientId: "client_id",
  hash: "hash",
  createdAt: "created_at",
  expiresAt: "expires_at",
  revokedAt: "revoked_at",
});
const BY_ID = statement(() => `select ${ACCOUNT.list} from account where id = $1`);
const BY_MAIL = statement(() => `select ${ACCOUNT.list} from account where mail = $1 or mail = $2 order by id`);
const BY_EPPN = statement(() => `select ${ACCOUNT.list} from account where eppn = $1`);
const BY_NAME = statement(
  () => `select ${ACCOUNT.list} from account where name = $1 and active = 1 order by id limit $2`,
);
const BY_IDS = statement(({ dialect }) =>
  dialect === "sqlite"
    ? `select ${ACCOUNT.list} from account where id in (select cast(value as integer) from json_each($1)) order by id`
    : `select ${ACCOUNT.list} from account where id = any($1::text[]::bigint[]) order by id`,
);
const LIST = statement(() => `select ${ACCOUNT.list} from account where id > $1 order by id limit $2`);
const CLIENT_BY_ID = statement(() => `select ${CLIENT.list} from account_client where client_id = $1`);
const CLIENTS_OF = statement(
  () => `select ${CLIENT.list} from account_client where account_id = $1 order by created_at, client_id`,
);
/** Columns of a table under prefixed names, so that they do not clash with those of other tables. */
export const aliased = (table: string, prefix: string, names: readonly string[]): string =>
  names.map((name) => `${table}.${name} as ${prefix}_${name}`).join(", ");
const SECRET_COLUMNS = aliased("s", "secret", SECRET.names);
const CLIENT_COLUMNS = aliased("c", "client", CLIENT.names);
export const ACCOUNT_COLUMNS = aliased("a", "account", ACCOUNT.names);
const OF_SECRET = `from account_secret s join account_client c on c.client_id = s.client_id join account a on a.id = c.account_id
    where s.id = $1`;

/** Groups and memberships of the account `a`. The minter's role may not read these. */
export const groupsAndMemberships = ({ jsonRows }: Words): string => {
  const groups = "select group_id from account_group_member where account_id = a.id order by group_id";
  const communities = `select m.community_id, m.role, y.root_index from community_member m join community y on y.id = m.community_id
    where m.account_id = a.id and y.deleted_at is null order by y.id`;
  return `${jsonRows(["group_id"], groups)} as groups,
    ${jsonRows(["community_id", "role", "root_index"], communities)} as memberships`;
};
/** When the secrets of the client `c` end. */
const lives = ({ jsonRows }: Words): string =>
  `${jsonRows(["expires_at", "revoked_at"], "select expires_at, revoked_at from account_secret where client_id = c.client_id")} as lives`;

const IDENTITY = statement(
  (words) => `select ${ACCOUNT_COLUMNS}, ${groupsAndMemberships(words)} from account a where a.id = $1`,
);
const BY_SECRET = statement(() => `select ${SECRET_COLUMNS}, ${CLIENT_COLUMNS}, ${ACCOUNT_COLUMNS} ${OF_SECRET}`);
const OWNED_SECRET = statement(
  (words) =>
    `select ${SECRET_COLUMNS}, ${CLIENT_COLUMNS}, ${ACCOUNT_COLUMNS}, ${groupsAndMemberships(words)} ${OF_SECRET}`,
);
const OWNED_CLIENT = statement(
  (words) => `select ${CLIENT_COLUMNS}, ${ACCOUNT_COLUMNS}, ${groupsAndMemberships(words)}
    from account_client c join account a on a.id = c.account_id where c.client_id = $1`,
);
const CLIENT_LIFE = statement(
  (words) => `select ${CLIENT_COLUMNS}, ${lives(words)} from account_client c where c.client_id = $1`,
);
const WAYS: readonly SessionWay[] = ["token", "link", "oidc"];
/** Also for the lists of src/auth/profiles.ts. */
export const SESSION = rowsAs<LoginSessionTable, LoginSession>({
  hash: "hash",
  accountId: "account_id",
  csrfHash: "csrf",
  createdAt: "created_at",
  expiresAt: "expires_at",
  way: { column: "way", read: (way: string | null) => WAYS.find((each) => each === way) ?? null, write: (way) => way },
  clientId: "client_id",
  lastUsedAt: "last_used_at",
  agent: "agent",
});
const OPEN_SESSION = statement(
  (
    words,
  ) => `select ${aliased("l", "session", SESSION.names)}, ${ACCOUNT_COLUMNS}, ${groupsAndMemberships(words)}, ${CLIENT_COLUMNS}, ${lives(words)},
      n.language as setting_language
    from login_session l join account a on a.id = l.account_id left join account_client c on c.client_id = l.client_id
      left join notice_setting n on n.account_id = l.account_id
    where l.hash = $1`,
);
const SECRETS_OF = statement(
  () => `select ${SECRET.list} from account_secret where client_id = $1 order by created_at, id`,
);
const HAS_GROUP = statement(() => "select id from account_group where id = $1");
const GROUPS = statement(
  () => `select g.id, g.name, m.account_id from account_group g
    left join account_group_member m on m.group_id = g.id order by g.id, m.account_id`,
);

/** Columns of several tables side by side, each under its table's prefix. */
type JoinedRow = Readonly<Record<string, string | number | null>>;

/** One of them. The statement that was run names its columns. */
export function part<T>(
  joined: JoinedRow,
  prefix: string,
  { names, read }: { names: readonly string[]; read: (row: object) => T },
): T {
  return read(Object.fromEntries(names.map((name) => [name, joined[`${prefix}_${name}`]])));
}

const accountOf = (joined: JoinedRow): Account => part(joined, "account", ACCOUNT);
const clientOf = (joined: JoinedRow): AccountClient => part(joined, "client", CLIENT);
const secretOf = (joined: JoinedRow): AccountSecret => part(joined, "secret", SECRET);

/** Rows that a statement gave as one text. `Row` is what its columns hold. */
function listed<Row>(joined: JoinedRow, column: string): readonly Row[] {
  return JSON.parse(String(joined[column])) as readonly Row[];
}

export function identityOf(joined: JoinedRow): Identity {
  return {
    account: accountOf(joined),
    groups: listed<[number]>(joined, "groups").map(([id]) => id),
    // The table's check allows no other roles.
    memberships: listed<[string, MemberRole, number | null]>(joined, "memberships").map(
      ([communityId, role, rootIndex]): Membership => ({ communityId, role, rootIndex }),
    ),
  };
}

function lifeOf(joined: JoinedRow): ClientLife {
  const secrets = listed<[string | null, string | null]>(joined, "lives");
  return { client: clientOf(joined), secrets: secrets.map(([expiresAt, revokedAt]) => ({ expiresAt, revokedAt })) };
}

/** What a statement that joins several tables finds, as `read` has it. */
export function joined<T>(
  session: Session,
  question: Statement,
  key: unknown,
  read: (row: JoinedRow) => T,
): Promise<T | null> {
  return oneRow(session, question, [key], read);
}

function openSession(session: Session, hash: string): Promise<OpenSession | null> {
  return joined(session, OPEN_SESSION, hash, (row) => ({
    session: part(row, "session", SESSION),
    ...identityOf(row),
    signedInWith: row.client_client_id === null ? null : lifeOf(row),
    language: row.setting_language === null ? null : String(row.setting_language),
  }));
}

async function readGroups(session: Session): Promise<readonly Group[]> {
  const rows = await rowsOf<{ id: number; name: string; account_id: AccountId | null }>(session, GROUPS);
  const groups = new Map<number, { id: number; name: string; members: AccountId[] }>();
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
    account: (id) => oneRow(session, BY_ID, [id], ACCOUNT.read),
    accounts: (ids) => allRows(session, BY_IDS, [textList(session, ids.map(String))], ACCOUNT.read),
    accountByMail: (mail) => oneRow(session, BY_MAIL, [mailKey(mail), mail.toLowerCase()], ACCOUNT.read),
    accountByEppn: (eppn) => oneRow(session, BY_EPPN, [eppn], ACCOUNT.read),
    accountsNamed: (name, limit) => allRows(session, BY_NAME, [name, limit], ACCOUNT.read),
    listAccounts: (after, limit) => allRows(session, LIST, [after, limit], ACCOUNT.read),
    identity: (accountId) => joined(session, IDENTITY, accountId, identityOf),
    client: (clientId) => oneRow(session, CLIENT_BY_ID, [clientId], CLIENT.read),
    ownedClient: (clientId) =>
      joined(session, OWNED_CLIENT, clientId, (row) => ({ client: clientOf(row), ...identityOf(row) })),
    clientLife: (clientId) => joined(session, CLIENT_LIFE, clientId, lifeOf),
    clientsOf: (accountId) => allRows(session, CLIENTS_OF, [accountId], CLIENT.read),
    secret: (id) =>
      joined(session, BY_SECRET, id, (row) => ({
        secret: secretOf(row),
        client: clientOf(row),
        account: accountOf(row),
      })),
    ownedSecret: (id) =>
      joined(session, OWNED_SECRET, id, (row) => ({
        secret: secretOf(row),
        client: clientOf(row),
        ...identityOf(row),
      })),
    secretsOf: (clientId) => allRows(session, SECRETS_OF, [clientId], SECRET.read),
    session: (hash) => oneRow(session, SESSION_BY_HASH, [hash], SESSION.read),
    openSession: (hash) => openSession(session, hash),
    groups: () => readGroups(session),
    hasGroup: async (id) => (await rowsOf(session, HAS_GROUP, [id])).length > 0,
  };
}

async function saveAccount({ db }: Session, account: Account): Promise<number | null> {
  const { id: _id, ...row } = ACCOUNT.write(account);
  const values = { ...row, mail: account.mail === null ? null : mailKey(account.mail) };
  // Checked first: a refused row would end the whole transaction on PostgreSQL. The unique indexes decide between two
  // at once.
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
  const { client_id, ...values } = CLIENT.write(client);
  await db
    .insertInto("account_client")
    .values({ client_id, ...values })
    .onConflict((conflict) => conflict.column("client_id").doUpdateSet(values))
    .execute();
}

const REVOKE = statement(
  () => "update account_secret set revoked_at = $2 where id = $1 and (revoked_at is null or revoked_at > $2)",
);

const HOLD = statement(
  () => `with held as (select id from account where id = $1 for share), signed as (
      select client_id from account_client
      where client_id = coalesce($2, (select client_id from login_session where hash = $3)) for share), granted as (
      select id from oauth_grant where id = (select grant_id from grant_secret where id = $4) for share)
    select (select count(*) from held) as accounts, (select count(*) from signed) as clients, (select count(*) from granted) as grants`,
);

export function accountWriter(session: Session): AccountWriter {
  const { db } = session;
  return {
    ...accountReader(session),
    ...signInWriter(session),
    async hold(accountId, signedInWith) {
      // On SQLite the transaction itself is the lock.
      if (session.dialect === "sqlite") return;
      const by = { clientId: null, session: null, grantToken: null, ...signedInWith };
      await run(session, HOLD, [accountId, by.clientId, by.session, by.grantToken]);
    },
    saveAccount: (account) => saveAccount(session, account),
    saveClient: (client) => saveClient(session, client),
    async insertSecret(secret) {
      await db
        .insertInto("account_secret")
        .values({ ...SECRET.write(secret), last_used_on: null })
        .execute();
    },
    async revokeSecret(id, at) {
      await run(session, REVOKE, [id, at]);
    },
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

// What signing in leaves behind (R33): one-time links, sessions, and the first half of an OIDC code flow. Secrets are
// kept as hashes only.

const SESSION_BY_HASH = statement(() => `select ${SESSION.list} from login_session where hash = $1`);
const ATTEMPT = rowsAs<LoginAttemptTable, LoginAttempt>({
  state: "state",
  returnTo: "return_to",
  expiresAt: "expires_at",
});
const USE = statement(
  () => `update login_link set used_at = $2 where hash = $1 and used_at is null and expires_at > $2
    returning account_id`,
);
const TAKE = statement(() => `delete from login_attempt where state = $1 returning ${ATTEMPT.list}`);

function signInWriter(session: Session) {
  const { db } = session;
  return {
    async insertSession(made) {
      await db.insertInto("login_session").values(SESSION.write(made)).execute();
    },
    async deleteSession(hash) {
      await db.deleteFrom("login_session").where("hash", "=", hash).execute();
    },
    async deleteSessionsOf(accountId) {
      await db.deleteFrom("login_session").where("account_id", "=", accountId).execute();
    },
    async deleteSessionsWith(clientId) {
      await db.deleteFrom("login_session").where("client_id", "=", clientId).execute();
    },
    async insertLoginLink({ hash, accountId, expiresAt }, at) {
      const link = { hash, account_id: accountId, created_at: at, expires_at: expiresAt, used_at: null };
      await db.insertInto("login_link").values(link).execute();
    },
    /** Only one of two who come at once gets it. */
    useLoginLink: (hash, at) => oneRow(session, USE, [hash, at], (row: { account_id: AccountId }) => row.account_id),
    async insertLoginAttempt(attempt) {
      await db
        .insertInto("login_attempt")
        .values({ ...ATTEMPT.write(attempt), verifier: "", nonce: "" })
        .execute();
    },
    async takeLoginAttempt(state, at) {
      const attempt = await oneRow(session, TAKE, [state], ATTEMPT.read);
      return attempt === null || attempt.expiresAt <= at ? null : attempt;
    },
    async forgetEnded(at) {
      await db.deleteFrom("login_session").where("expires_at", "<=", at).execute();
      await db.deleteFrom("login_link").where("expires_at", "<=", at).execute();
      await db.deleteFrom("login_attempt").where("expires_at", "<=", at).execute();
    },
  } satisfies Partial<AccountWriter>;
}
