// A database as a backup reads it (src/operating/backup.ts): every table in one snapshot, page by page.
import type { BackupCell, BackupTable } from "../../src/operating/backup/format.ts";
import type { BackupSource } from "../../src/operating/backup.ts";
import { rowsOf, type Session, statement } from "../engine/dialect.ts";
import { migrationStatus } from "../engine/migrate.ts";
import { MissingDatabase, openDatabase } from "../engine/open.ts";
import { inSnapshot, pagesOf } from "../engine/snapshot.ts";
import { columnsOf, countRows, isTable, TABLES } from "../engine/tables.ts";

/** A row may be a hundred kilobytes long. */
const PAGE_ROWS = 1_000;

const FEED = statement(
  () => `select (select value from service where key = 'feed_epoch') as epoch,
    (select coalesce(max(id), 0) from ark_change) as change`,
);

/** Opens the database for reading and hands `work` one moment of it. Nothing is migrated, nothing is written. */
export async function withBackupSource<T>(url: string, work: (source: BackupSource) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url, readOnly: true, poolSize: 2, unhurried: true });
  try {
    const { applied } = await migrationStatus(database);
    const schema = applied.at(-1)?.version;
    if (schema === undefined) throw new MissingDatabase("The database is empty: there is nothing to back up");
    return await inSnapshot(database, async (session) => work(await sourceOf(session, schema)));
  } finally {
    await database.close();
  }
}

async function sourceOf(session: Session, schema: number): Promise<BackupSource> {
  const [feed] = await rowsOf<{ epoch: string | null; change: number }>(session, FEED);
  if (feed === undefined || feed.epoch === null) {
    throw new Error("The database holds a restore that was cut off: there is nothing to back up");
  }
  const tables: BackupTable[] = [];
  for (const table of TABLES) {
    // Texts of files are read again from the files (R35), which the backup does not hold either.
    if (table === "file_text") continue;
    const columns = await columnsOf(session, table);
    // A schema older than this program may lack a table.
    if (columns.length === 0) continue;
    tables.push({ table, columns: columns.map(({ name }) => name), rows: await countRows(session, table) });
  }
  return {
    schema,
    database: session.dialect,
    feed: { epoch: feed.epoch, change: Number(feed.change) },
    tables,
    async *rows({ table, columns }) {
      if (!isTable(table)) throw new RangeError(`Unknown table ${table}`);
      type Row = { readonly [column: string]: BackupCell };
      for await (const rows of pagesOf<Row>(session, table, { columns, pageRows: PAGE_ROWS })) {
        yield rows.map((row) => columns.map((column) => row[column] ?? null));
      }
    },
  };
}
