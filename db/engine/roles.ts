// The roles of a database on PostgreSQL, each with the least it needs: the owner changes tables and registers who may
// do what, the minter makes and changes names, the resolver reads what it resolves, the repository keeps items and
// mints for them. Run again after every migration; what is right already is left alone.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { CompiledQuery, type Kysely } from "kysely";
import type { OpenDatabase } from "./open.ts";
import type { Database } from "./schema.ts";

export const ROLE_NAMES = ["owner", "minter", "resolver", "repository"] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

type RolesNeeds = {
  /**
   * The prefix of the names: `arkstone` makes arkstone_owner, arkstone_minter, arkstone_resolver and
   * arkstone_repository.
   */
  readonly prefix: string;
  /** Set for the roles named, as far as the connected role has the right; the others keep theirs, or have none. */
  readonly passwords: Readonly<Partial<Record<RoleName, string>>>;
};

type RolesOutcome = {
  readonly roles: Readonly<Record<RoleName, string>>;
  readonly created: readonly string[];
  /** Roles whose password was set now. */
  readonly passwords: readonly string[];
  /** What was executed, without passwords, in order. */
  readonly statements: readonly string[];
};

/** The roles that are given rights table by table. */
const WORKERS = ["minter", "resolver", "repository"] as const;
type Rights = Readonly<Record<(typeof WORKERS)[number], readonly string[]>>;

const HOLD = "update (hold_until, hold_reason)";

/**
 * Every table, and who may do what with it. Nobody may remove a row of a name (the tables refuse it to the owner too).
 * Credentials and the registered things are changed by the operator, as the owner; the minter holds names, counts
 * subjects, lengthens blades.
 */
export const TABLE_RIGHTS: Readonly<Record<keyof Database | "rate_window", Rights>> = {
  ark: { minter: ["select", "insert", "update"], resolver: ["select"], repository: ["select", "insert", "update"] },
  receipt: { minter: ["select", "insert", "update"], resolver: [], repository: ["select", "insert", "update"] },
  ark_change: { minter: ["select", "insert"], resolver: ["select"], repository: ["select", "insert"] },
  audit_event: { minter: ["insert"], resolver: [], repository: ["insert"] },
  naan: { minter: ["select", HOLD], resolver: ["select"], repository: ["select"] },
  // Row locks need the right to change some column (A27): here one without meaning.
  organisation: { minter: ["select", "update (id)"], resolver: ["select"], repository: ["select", "update (id)"] },
  shoulder: {
    minter: ["select", HOLD, "update (blade_length)"],
    resolver: ["select"],
    repository: ["select", "update (blade_length)"],
  },
  credential: { minter: ["select"], resolver: [], repository: ["select"] },
  credential_secret: { minter: ["select"], resolver: [], repository: ["select"] },
  unregistered_subject: { minter: ["select", "insert", "update", "delete"], resolver: [], repository: [] },
  rate_window: {
    minter: ["select", "insert", "update", "delete"],
    resolver: [],
    repository: ["select", "insert", "update", "delete"],
  },
  service: { minter: ["select"], resolver: ["select"], repository: ["select"] },
  schema_migration: { minter: ["select"], resolver: ["select"], repository: ["select"] },
  // The repository: the minter reads what the token endpoint needs. Numbers, revisions and the audit are never changed
  // by it; what an operator destroys (`arkstone item erase`) is destroyed as the owner.
  account: { minter: ["select"], resolver: [], repository: ["select", "insert", "update"] },
  login_link: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  login_session: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  account_profile: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  registration: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  account_client: { minter: ["select"], resolver: [], repository: ["select", "insert", "update"] },
  account_secret: { minter: ["select"], resolver: [], repository: ["select", "insert", "update"] },
  oauth_client: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  oauth_grant: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  grant_secret: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  account_group: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  account_group_member: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  community: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  community_member: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  community_logo: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  vocabulary: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  usage_day: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  usage_total: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  usage_month: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  vocabulary_word: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  item_type: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  item_type_version: { minter: [], resolver: [], repository: ["select", "insert"] },
  mapping: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  workflow: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  sword_format: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  sword_client: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  search_setting: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  index_node: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  repository_state: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  resource: { minter: [], resolver: [], repository: ["select", "insert"] },
  item_parent: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  item_share: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  item_grant: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  record_transfer: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  static_page: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  saved_search: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  saved_search_item: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  access_request: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  access_link: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  item_community: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  file_set: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  file_set_entry: {
    minter: [],
    resolver: [],
    repository: ["select", "insert", "delete", "update (md5, sha256)"],
  },
  item: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  item_revision: { minter: [], resolver: [], repository: ["select", "insert"] },
  item_summary: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  item_draft: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  draft_file: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  removed_file: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  draft_revision: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  item_draft_place: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  item_place: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  tombstone: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  duplicate_key: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  item_lock: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  activity: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  activity_step: { minter: [], resolver: [], repository: ["select", "insert"] },
  activity_number: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  deposit_receipt: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  job: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  outgoing: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  notice_setting: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  repository_event: { minter: [], resolver: [], repository: ["select", "insert"] },
  login_attempt: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  // Numbers and UUIDs of authors are never another's: rows stay.
  author: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  author_key: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  author_number: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  author_community: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  author_choice: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  item_author: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  author_propagation: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  // A request that was never submitted goes with its draft.
  request: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  request_event: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  storage_identity: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  item_change: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  file_text: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  // What harvesters have received is kept, deleted or not.
  oai_record: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  oai_record_set: { minter: [], resolver: [], repository: ["select", "insert", "delete"] },
  oai_due: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  oai_state: { minter: [], resolver: [], repository: ["select", "insert", "update"] },
  search_writer: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
  search_collection: { minter: [], resolver: [], repository: ["select", "insert", "update", "delete"] },
};

/** Settings of the roles: a time limit for clients that set none, and no writes for the resolver. */
const ROLE_SETTINGS: Readonly<Record<RoleName, readonly string[]>> = {
  owner: [],
  minter: ["statement_timeout = '60s'", "lock_timeout = '10s'", "idle_in_transaction_session_timeout = '60s'"],
  resolver: ["default_transaction_read_only = on", "statement_timeout = '20s'"],
  repository: ["statement_timeout = '60s'", "lock_timeout = '10s'", "idle_in_transaction_session_timeout = '60s'"],
};

const PREFIX = /^[a-z][a-z0-9_]{0,40}$/;

/** Creates or updates the roles in one transaction, so that those who work notice nothing. */
export async function setRoles(database: OpenDatabase, { prefix, passwords }: RolesNeeds): Promise<RolesOutcome> {
  if (database.dialect !== "postgres") throw new TypeError("Roles exist on PostgreSQL only");
  if (!PREFIX.test(prefix))
    throw new TypeError(`"${prefix}" cannot begin the name of a role: use lower-case letters, digits and _`);
  const roles = {
    owner: `${prefix}_owner`,
    minter: `${prefix}_minter`,
    resolver: `${prefix}_resolver`,
    repository: `${prefix}_repository`,
  };
  return database.writer.transaction().execute(async (db) => {
    const statements: string[] = [];
    const created: string[] = [];
    const given: string[] = [];
    const execute = async (text: string): Promise<void> => {
      await db.executeQuery(CompiledQuery.raw(text));
      statements.push(text);
    };
    // Two operators at once: the second finds the roles made.
    await db.executeQuery(CompiledQuery.raw("select pg_advisory_xact_lock(4812207332)"));
    const connection = await connectionOf(db);
    const tables = await tablesOf(db, connection);
    for (const name of ROLE_NAMES) {
      const role = roles[name];
      const known = await settingsOf(db, role);
      if (known === null) {
        await execute(`create role ${role} login`);
        created.push(role);
      }
      for (const setting of ROLE_SETTINGS[name]) {
        if (!isSet(known ?? [], setting)) await execute(`alter role ${role} set ${setting}`);
      }
      const password = connection.makesRoles || connection.me === role ? passwords[name] : undefined;
      // The server gets, and may log, the verifier only.
      if (password === undefined) continue;
      await db.executeQuery(CompiledQuery.raw(`alter role ${role} password '${verifier(password)}'`));
      given.push(role);
    }
    await giveToOwner(db, connection, roles.owner, execute);
    for (const text of grants(connection, tables, roles)) await execute(text);
    return { roles, created, passwords: given, statements };
  });
}

type Connection = {
  readonly schema: string;
  readonly database: string;
  readonly me: string;
  readonly superuser: boolean;
  readonly makesRoles: boolean;
};

async function connectionOf(db: Kysely<Database>): Promise<Connection> {
  const { rows } = await db.executeQuery<Connection>(
    CompiledQuery.raw(`select quote_ident(current_schema()) as schema, quote_ident(current_database()) as database,
      current_user::text as me, rolsuper as superuser, rolsuper or rolcreaterole as "makesRoles"
      from pg_roles where rolname = current_user`),
  );
  const [connection] = rows;
  if (connection === undefined) throw new Error("The database did not report the connected role");
  return connection;
}

/** Those of our tables that this schema has. */
async function tablesOf(db: Kysely<Database>, { schema }: Connection): Promise<readonly string[]> {
  const text =
    "select relname::text as name from pg_class where relnamespace = to_regnamespace($1) and relkind in ('r', 'p')";
  const { rows } = await db.executeQuery<{ name: string }>(CompiledQuery.raw(text, [schema]));
  return Object.keys(TABLE_RIGHTS).filter((table) => rows.some(({ name }) => name === table));
}

/** What `alter role … set` gave it; null where there is no such role. */
async function settingsOf(db: Kysely<Database>, role: string): Promise<readonly string[] | null> {
  const text = "select coalesce(rolconfig, '{}') as settings from pg_roles where rolname = $1";
  const { rows } = await db.executeQuery<{ settings: string[] }>(CompiledQuery.raw(text, [role]));
  return rows[0]?.settings ?? null;
}

function isSet(known: readonly string[], setting: string): boolean {
  return known.includes(setting.replace(" = ", "=").replaceAll("'", ""));
}

/** Tables, and the function their triggers call, that belong to somebody else. */
async function giveToOwner(
  db: Kysely<Database>,
  { schema, me, superuser }: Connection,
  owner: string,
  execute: (text: string) => Promise<void>,
): Promise<void> {
  const tables = Object.keys(TABLE_RIGHTS).map((table) => `'${table}'`);
  const { rows } = await db.executeQuery<{ what: string }>(
    CompiledQuery.raw(
      `select 'table ' || quote_ident(relname) as what from pg_class
        where relnamespace = to_regnamespace($2) and relkind in ('r', 'p') and relname in (${tables.join(", ")})
        and pg_get_userbyid(relowner) <> $1
      union all
      select 'function arkstone_refuse()' from pg_proc
        where pronamespace = to_regnamespace($2) and proname = 'arkstone_refuse' and pg_get_userbyid(proowner) <> $1
      order by 1 desc`,
      [owner, schema],
    ),
  );
  await execute(`grant usage, create on schema ${schema} to ${owner}`);
  if (rows.length === 0) return;
  // Who gives something away must be a member of the role that gets it.
  if (!superuser && me !== owner) await execute(`grant ${owner} to current_user`);
  for (const { what } of rows) await execute(`alter ${what} owner to ${owner}`);
}

function grants(
  { schema, database }: Connection,
  ours: readonly string[],
  roles: Readonly<Record<RoleName, string>>,
): readonly string[] {
  const all = WORKERS.map((name) => roles[name]).join(", ");
  const tables = ours.map((table) => `${schema}.${table}`);
  const rightsOf = Object.entries(TABLE_RIGHTS).filter(([table]) => ours.includes(table));
  return [
    `grant connect on database ${database} to ${roles.owner}, ${all}`,
    `grant usage on schema ${schema} to ${all}`,
    // Afterwards they have exactly the rights of the table, independent of the rights before.
    `revoke all on ${tables.join(", ")} from ${all}`,
    ...rightsOf.flatMap(([table, rights]) =>
      WORKERS.flatMap((name) =>
        rights[name].length === 0 ? [] : [`grant ${rights[name].join(", ")} on ${schema}.${table} to ${roles[name]}`],
      ),
    ),
  ];
}

/**
 * SCRAM-SHA-256 as PostgreSQL stores it (RFC 5803). Of letters, digits and signs of ASCII only: others would have to be
 * prepared first.
 */
function verifier(password: string): string {
  if (!/^[\x20-\x7e]{12,200}$/.test(password)) {
    throw new TypeError("A password of a role has 12 to 200 characters, all of them ASCII");
  }
  const salt = randomBytes(16);
  const iterations = 4096;
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const keyOf = (what: string) => createHmac("sha256", salted).update(what).digest();
  const stored = createHash("sha256").update(keyOf("Client Key")).digest("base64");
  const parts = [iterations, salt.toString("base64")].join(":");
  return `SCRAM-SHA-256$${parts}$${stored}:${keyOf("Server Key").toString("base64")}`;
}
