// Accounts, their groups, clients and secrets (R6a, R6b). What signing in leaves behind is in sign-in.ts.
import { type Account, ASSIGNABLE_ROLES, type MemberRole, type Membership } from "../../src/auth/account.ts";
import type {
  AccountClient,
  AccountReader,
  AccountSecret,
  AccountWriter,
  ClientLife,
  Group,
  Identity,
  OpenSession,
} from "../../src/auth/accounts.ts";
import { rowsOf, run, type Session, statement, textList, type Words } from "../engine/dialect.ts";
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

const ACCOUNT_NAMES = ["id", "mail", "eppn", "name", "roles", "active", "created_at", "updated_at"];
const ACCOUNT = ACCOUNT_NAMES.join(", ");

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
/** Columns of a table under names of their own, beside those of others. */
const aliased = (table: string, prefix: string, names: readonly string[]): string =>
  names.map((name) => `${table}.${name} as ${prefix}_${name}`).join(", ");
const SECRET_COLUMNS = aliased("s", "secret", SECRET);
const CLIENT_COLUMNS = aliased("c", "client", CLIENT);
const ACCOUNT_COLUMNS = aliased("a", "account", ACCOUNT_NAMES);
const OF_SECRET = `from account_secret s join account_client c on c.client_id = s.client_id join account a on a.id = c.account_id
    where s.id = $1`;

/** Groups and memberships of the account `a`. The minter's role may not read these. */
const standing = ({ jsonRows }: Words): string => {
  const groups = "select group_id from account_group_member where account_id = a.id order by group_id";
  const communities = `select m.community_id, m.role, y.root_index from community_member m join community y on y.id = m.community_id
    where m.account_id = a.id and y.deleted_at is null order by y.id`;
  return `${jsonRows(["group_id"], groups)} as groups,
    ${jsonRows(["community_id", "role", "root_index"], communities)} as memberships`;
};
/** When the secrets of the client `c` end. */
const lives = ({ jsonRows }: Words): string =>
  `${jsonRows(["expires_at", "revoked_at"], "select expires_at, revoked_at from account_secret where client_id = c.client_id")} as lives`;

const IDENTITY = statement((words) => `select ${ACCOUNT_COLUMNS}, ${standing(words)} from account a where a.id = $1`);
const BY_SECRET = statement(() => `select ${SECRET_COLUMNS}, ${CLIENT_COLUMNS}, ${ACCOUNT_COLUMNS} ${OF_SECRET}`);
const OWNED_SECRET = statement(
  (words) => `select ${SECRET_COLUMNS}, ${CLIENT_COLUMNS}, ${ACCOUNT_COLUMNS}, ${standing(words)} ${OF_SECRET}`,
);
const OWNED_CLIENT = statement(
  (words) => `select ${CLIENT_COLUMNS}, ${ACCOUNT_COLUMNS}, ${standing(words)}
    from account_client c join account a on a.id = c.account_id where c.client_id = $1`,
);
const CLIENT_LIFE = statement(
  (words) => `select ${CLIENT_COLUMNS}, ${lives(words)} from account_client c where c.client_id = $1`,
);
const OPEN_SESSION = statement(
  (
    words,
  ) => `select ${aliased("l", "session", signIn.SESSION_NAMES)}, ${ACCOUNT_COLUMNS}, ${standing(words)}, ${CLIENT_COLUMNS}, ${lives(words)}
    from login_session l join account a on a.id = l.account_id left join account_client c on c.client_id = l.client_id
    where l.hash = $1`,
);
const SECRETS_OF = statement(
  () => `select ${SECRET.join(", ")} from account_secret where client_id = $1 order by created_at, id`,
);
const GROUPS = statement(
  () => `select g.id, g.name, m.account_id from account_group g
    left join account_group_member m on m.group_id = g.id order by g.id, m.account_id`,
);

/** Columns of several tables side by side, each under its table's prefix. */
type Joined = Readonly<Record<string, string | number | null>>;

/** The row of one of them. The statement that was run names these columns. */
function part<Row>(joined: Joined, prefix: string, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, joined[`${prefix}_${name}`]])) as Row;
}

const accountOf = (joined: Joined): Account => toAccount(part(joined, "account", ACCOUNT_NAMES));
const clientOf = (joined: Joined): AccountClient => toClient(part(joined, "client", CLIENT));
const secretOf = (joined: Joined): AccountSecret => toSecret(part(joined, "secret", SECRET));

/** Rows that a statement gave as one text. `Row` is what its columns hold. */
function listed<Row>(joined: Joined, column: string): readonly Row[] {
  return JSON.parse(String(joined[column])) as readonly Row[];
}

function identityOf(joined: Joined): Identity {
  return {
    account: accountOf(joined),
    groups: listed<[number]>(joined, "groups").map(([id]) => id),
    // The table's check allows no other roles.
    memberships: listed<[string, MemberRole, number | null]>(joined, "memberships").map(
      ([communityId, role, rootIndex]): Membership => ({ communityId, role, rootIndex }),
    ),
  };
}

function lifeOf(joined: Joined): ClientLife {
  const secrets = listed<[string | null, string | null]>(joined, "lives");
  return { client: clientOf(joined), secrets: secrets.map(([expiresAt, revokedAt]) => ({ expiresAt, revokedAt })) };
}

async function first<Row>(session: Session, question: ReturnType<typeof statement>, parameters: readonly unknown[]) {
  return (await rowsOf<Row>(session, question, parameters))[0] ?? null;
}

async function oneAccount(session: Session, question: ReturnType<typeof statement>, parameter: unknown) {
  const row = await first<AccountRow>(session, question, [parameter]);
  return row === null ? null : toAccount(row);
}

/** What a statement that joins several tables finds, as `read` has it. */
async function joined<T>(
  session: Session,
  question: ReturnType<typeof statement>,
  key: unknown,
  read: (row: Joined) => T,
) {
  const row = await first<Joined>(session, question, [key]);
  return row === null ? null : read(row);
}

function openSession(session: Session, hash: string): Promise<OpenSession | null> {
  return joined(session, OPEN_SESSION, hash, (row) => ({
    session: signIn.toSession(part(row, "session", signIn.SESSION_NAMES)),
    ...identityOf(row),
    signedInWith: row.client_client_id === null ? null : lifeOf(row),
  }));
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
    identity: (accountId) => joined(session, IDENTITY, accountId, identityOf),
    client: async (clientId) => {
      const row = await first<AccountClientTable>(session, CLIENT_BY_ID, [clientId]);
      return row === null ? null : toClient(row);
    },
    ownedClient: (clientId) =>
      joined(session, OWNED_CLIENT, clientId, (row) => ({ client: clientOf(row), ...identityOf(row) })),
    clientLife: (clientId) => joined(session, CLIENT_LIFE, clientId, lifeOf),
    clientsOf: async (accountId) => (await rowsOf<AccountClientTable>(session, CLIENTS_OF, [accountId])).map(toClient),
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
    secretsOf: async (clientId) => (await rowsOf<AccountSecretTable>(session, SECRETS_OF, [clientId])).map(toSecret),
    session: (hash) => signIn.readSession(session, hash),
    openSession: (hash) => openSession(session, hash),
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

const HOLD = statement(
  () => `with held as (select id from account where id = $1 for share), signed as (
      select client_id from account_client
      where client_id = coalesce($2, (select client_id from login_session where hash = $3)) for share)
    select (select count(*) from held) as accounts, (select count(*) from signed) as clients`,
);

export function accountWriter(session: Session): AccountWriter {
  const { db } = session;
  return {
    ...accountReader(session),
    async hold(accountId, signedInWith) {
      // On SQLite the transaction itself is the lock.
      if (session.dialect === "sqlite") return;
      const by = { clientId: null, session: null, ...signedInWith };
      await run(session, HOLD, [accountId, by.clientId, by.session]);
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
