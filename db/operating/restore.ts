// A database as a restore fills it (src/operating/backup.ts). Until its one transaction is committed the database has
// no feed epoch and carries a mark instead: services that find it refuse to work on what is half restored.
import { randomBytes } from "node:crypto";
import type { BackupRow, BackupTable } from "../../src/operating/backup/format.ts";
import type { RestoreTarget, RestoreWriter, TargetContents } from "../../src/operating/backup.ts";
import { arkWriter } from "../ark/store.ts";
import { bulkStatement } from "../engine/bulk-statements.ts";
import { rowsOf, run, type Session, type Statement, statement } from "../engine/dialect.ts";
import { migrate, migrationStatus, NEWEST_SCHEMA } from "../engine/migrate.ts";
import { type OpenDatabase, openDatabase } from "../engine/open.ts";
import { dropPlainIndexes, makeIndexes } from "../engine/plain-indexes.ts";
import { sqliteTransactions } from "../engine/sqlite-transactions.ts";
import { columnsOf, countRows, isTable, PRIMARY_KEYS, TABLES, type TableName } from "../engine/tables.ts";
import { EPOCH_KEY, UNFINISHED_KEY } from "../engine/unfinished-restore.ts";

export async function openRestoreTarget(url: string): Promise<RestoreTarget> {
  const database = await openDatabase({ url, poolSize: 2, unhurried: true });
  const session = { dialect: database.dialect, db: database.writer };
  if (database.dialect === "sqlite") await run(session, SORT_IN_FILES);
  const transact = transactionsOf(database);
  return {
    contents: () => contentsOf(database, session),
    async prepare(schema, of) {
      const mark = async (tx: Session): Promise<void> => {
        await run(tx, FORGET, [EPOCH_KEY]);
        await run(tx, FORGET, [UNFINISHED_KEY]);
        await run(tx, REMEMBER, [UNFINISHED_KEY, of]);
      };
      // A resolver that is waiting for the database must not see it empty and whole, not even for a moment.
      const applied = await migrate(database, { upTo: schema, along: mark });
      if (applied.length === 0) await transact(mark);
    },
    transact: (work) =>
      transact(async (tx) => {
        await lockTables(tx);
        const [first] = await filledTables(tx);
        if (first !== undefined) throw new Error(`Somebody has written ${first.rows} rows of ${first.table} meanwhile`);
        await emptyOwn(tx);
        return work(restoreWriter(tx));
      }),
    close: () => database.close(),
  };
}

/** Taken once: what was loaded is not loaded again because of somebody else's deadlock. */
function transactionsOf(database: OpenDatabase): <T>(work: (tx: Session) => Promise<T>) => Promise<T> {
  if (database.dialect === "sqlite") return sqliteTransactions(database.writer);
  return (work) => database.writer.transaction().execute((db) => work({ dialect: "postgres", db }));
}

/** Indexes are sorted by their size, not by what fits into memory. */
const SORT_IN_FILES = { sqlite: "pragma temp_store = file", postgres: "" };
const REMEMBER = statement(() => "insert into service (key, value) values ($1, $2)");
const FORGET = statement(() => "delete from service where key = $1");
const MARK = statement(() => "select value from service where key = $1");

async function contentsOf(database: OpenDatabase, session: Session): Promise<TargetContents> {
  const { applied } = await migrationStatus(database);
  const schema = applied.at(-1)?.version ?? 0;
  if (schema === 0) return { schema, newest: NEWEST_SCHEMA, filled: [], unfinished: null };
  const [mark] = await rowsOf<{ value: string }>(session, MARK, [UNFINISHED_KEY]);
  return { schema, newest: NEWEST_SCHEMA, filled: await filledTables(session), unfinished: mark?.value ?? null };
}

async function filledTables(session: Session): Promise<TargetContents["filled"]> {
  const filled: { table: string; rows: number }[] = [];
  for (const table of TABLES) {
    if (OWN_TABLES.includes(table)) continue;
    if ((await columnsOf(session, table)).length === 0) continue;
    const rows = await countRows(session, table);
    if (rows > 0) filled.push({ table, rows });
  }
  return filled;
}

/** On SQLite the transaction itself is the lock. */
async function lockTables(session: Session): Promise<void> {
  if (session.dialect === "sqlite") return;
  const text = "lock table naan, ark, ark_change in share row exclusive mode";
  await run(session, { sqlite: "", postgres: text });
}

function restoreWriter(session: Session): RestoreWriter {
  let now: { readonly table: string; readonly load: Loader; readonly indexes: readonly string[] } | null = null;
  const ahead: ReferenceAhead[] = [];
  const tables: string[] = [];
  /** Before the next table: triggers of later tables read earlier ones by their indexes. */
  const finish = async (): Promise<void> => {
    await makeIndexes(session, now?.indexes ?? []);
    now = null;
  };
  return {
    ...arkWriter(session),
    async load(table, rows) {
      if (now?.table !== table.table) {
        await finish();
        const load = await loaderOf(session, table, ahead);
        tables.push(table.table);
        const indexes = table.rows >= SORTED_ROWS ? await dropPlainIndexes(session, table.table) : [];
        now = { table: table.table, load, indexes };
      }
      await now.load(rows);
    },
    async loaded() {
      await finish();
      for (const { refer, key, to } of ahead) await run(session, refer, [key, to]);
      await moveCounters(session);
      // Until its own work in the background came to them, PostgreSQL would take all tables for small ones.
      const analyze = tables.length === 0 ? "" : `analyze ${tables.join(", ")}`;
      if (session.dialect === "postgres" && analyze !== "") await run(session, { sqlite: "", postgres: analyze });
    },
    settle: () => settle(session),
  };
}

type Loader = (rows: readonly BackupRow[]) => Promise<void>;

/**
 * Columns that refer to rows which may come later: in the same table, or in one that backups had after theirs. They are
 * filled in when all rows are there.
 */
const REFERRING_AHEAD: Readonly<Partial<Record<TableName, readonly [key: string, column: string]>>> = {
  account_client: ["client_id", "made_with"],
  login_session: ["hash", "client_id"],
};
type ReferenceAhead = { readonly refer: Statement; readonly key: unknown; readonly to: unknown };

/** Returns rows without such references, which are added to `ahead`. */
function withoutReferences({ table, columns }: BackupTable, ahead: ReferenceAhead[]) {
  const [key, column] = (isTable(table) ? REFERRING_AHEAD[table] : undefined) ?? [];
  const [keyAt, at] = [columns.indexOf(key ?? ""), columns.indexOf(column ?? "")];
  if (keyAt === -1 || at === -1) return (row: BackupRow): BackupRow => row;
  const refer = statement(() => `update ${table} set ${column} = $2 where ${key} = $1`);
  return (row: BackupRow): BackupRow => {
    if (row[at] === null) return row;
    ahead.push({ refer, key: row[keyAt], to: row[at] });
    return row.with(at, null);
  };
}

/** Rows of a table from which on its indexes are made behind them; for fewer that costs more than it saves. */
const SORTED_ROWS = 10_000;
/** Rows in one statement on PostgreSQL: it reads them out of one JSON text. */
const LOAD_ROWS = 500;
/** Keys that belong to the restored database itself. */
const OWN_KEYS: readonly unknown[] = [EPOCH_KEY, UNFINISHED_KEY];

async function loaderOf(session: Session, backup: BackupTable, ahead: ReferenceAhead[]): Promise<Loader> {
  const { table, columns } = backup;
  if (!isTable(table)) throw new Error(`This program knows no table ${table}: use a newer one`);
  const there = new Map((await columnsOf(session, table)).map((column) => [column.name, column]));
  const chosen = columns.map((name) => {
    const column = there.get(name);
    if (column === undefined) throw new Error(`The table ${table} has no column ${name}: use a newer program`);
    return column;
  });
  const insert = bulkStatement(
    chosen,
    ({ names, from }) => `insert into ${table} (${names}) select ${names} from ${from}`,
  );
  const key = columns.indexOf("key");
  const withoutAhead = withoutReferences(backup, ahead);
  return async (rows) => {
    // Another database than the one that was backed up: the storage is not connected until an operator does so (R7c).
    // The feed of the repository is written by the rows that come in, under the epoch that begins with them (R34).
    // What a search index holds now is not what it held when the backup was made.
    if (NOT_RESTORED.includes(table)) return;
    const wanted = table === "service" ? rows.filter((row) => !OWN_KEYS.includes(row[key])) : rows;
    for (let start = 0; start < wanted.length; start += LOAD_ROWS) {
      await insert(
        session,
        wanted.slice(start, start + LOAD_ROWS).map((row) => [...withoutAhead(row)]),
      );
    }
  };
}

const NOT_RESTORED: readonly TableName[] = ["storage_identity", "item_change", "search_collection"];

/** Rows that migrations and services write by themselves are not content. */
const OWN_TABLES: readonly TableName[] = [
  "service",
  "unregistered_subject",
  "repository_state",
  "storage_identity",
  "item_change",
  "search_writer",
  "search_collection",
];
/** Of these the rows stay: followers know the first row of the feed. */
const KEPT_OWN: readonly TableName[] = ["service", "item_change"];

/** Makes room for the rows of the backup. */
async function emptyOwn(session: Session): Promise<void> {
  for (const table of OWN_TABLES) {
    if (KEPT_OWN.includes(table) || (await columnsOf(session, table)).length === 0) continue;
    await run(
      session,
      statement(() => `delete from ${table}`),
    );
  }
}

/**
 * How many numbers of items and of authors are skipped after the highest one (R2a): some may have been assigned after
 * the backup was made, and a number means one item or author for ever.
 */
const NUMBERS_SKIPPED = 1_000_000;
const SKIPPING: readonly TableName[] = ["resource", "author"];
const SKIP_ON_SQLITE = statement(
  () => `update sqlite_sequence set seq = seq + $1 where name in (${SKIPPING.map((table) => `'${table}'`).join(", ")})`,
);

/**
 * Rows went in with their numbers, which the counters of PostgreSQL have not seen; SQLite counts from the highest row.
 * Tables whose numbers come from elsewhere (items: from `resource`; indexes: from the time) have no separate counter.
 */
async function moveCounters(session: Session): Promise<void> {
  if (session.dialect === "sqlite") {
    await run(session, SKIP_ON_SQLITE, [NUMBERS_SKIPPED]);
    return;
  }
  for (const table of TABLES) {
    if (!PRIMARY_KEYS[table].some((column) => column === "id")) continue;
    if ((await columnsOf(session, table)).length === 0) continue;
    const found = { sqlite: "", postgres: `select pg_get_serial_sequence('${table}', 'id') as counter` };
    const [row] = await rowsOf<{ counter: string | null }>(session, found);
    if (row === undefined || row.counter === null) continue;
    const highest = SKIPPING.includes(table) ? `max(id) + ${NUMBERS_SKIPPED}` : "max(id)";
    const text = `select setval('${row.counter}', coalesce(${highest}, 1), max(id) is not null) from ${table}`;
    await run(session, { sqlite: "", postgres: text });
  }
}

async function settle(session: Session): Promise<void> {
  await run(session, FORGET, [UNFINISHED_KEY]);
  await beginEpoch(session);
}

/** Another epoch tells every resolver that what it has read is worthless. */
async function beginEpoch(session: Session): Promise<void> {
  await run(session, FORGET, [EPOCH_KEY]);
  await run(session, REMEMBER, [EPOCH_KEY, randomBytes(16).toString("hex")]);
}
