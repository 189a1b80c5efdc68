// Long reads over one moment of the database, while others go on writing.
import { CompiledQuery } from "kysely";
import { rowsOf, type Session, statement } from "./dialect.ts";
import type { OpenDatabase } from "./open.ts";
import { PRIMARY_KEYS, type TableName } from "./tables.ts";

/** Everything `work` reads is of one moment. On SQLite the connection that reads is taken for as long as it lasts. */
export function inSnapshot<T>(database: OpenDatabase, work: (session: Session) => Promise<T>): Promise<T> {
  const { dialect, reader } = database;
  if (dialect === "postgres") {
    return reader
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute((db) => work({ dialect, db }));
  }
  return reader.connection().execute(async (db) => {
    await db.executeQuery(CompiledQuery.raw("begin"));
    try {
      return await work({ dialect, db });
    } finally {
      await db.executeQuery(CompiledQuery.raw("rollback"));
    }
  });
}

/** Rows of a table by its primary key, a page at a time: memory holds one page. `where` is a fixed condition. */
export async function* pagesOf<Row extends { readonly [column: string]: unknown }>(
  session: Session,
  table: TableName,
  options: { readonly columns?: readonly string[]; readonly where?: string; readonly pageRows: number },
): AsyncGenerator<readonly Row[]> {
  const keys: readonly string[] = PRIMARY_KEYS[table];
  const columns = options.columns?.map((name) => `"${name}"`).join(", ") ?? "*";
  const order = keys.map((key) => `"${key}"`).join(", ");
  const conditions = (behind: string | null) =>
    [options.where, behind].filter((each) => each !== undefined && each !== null).join(" and ") || "true";
  const page = (behind: string | null) =>
    statement(
      () => `select ${columns} from ${table} where ${conditions(behind)} order by ${order} limit ${options.pageRows}`,
    );
  const first = page(null);
  const next = page(`(${order}) > (${keys.map((_, index) => `$${index + 1}`).join(", ")})`);
  let rows = await rowsOf<Row>(session, first);
  for (;;) {
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < options.pageRows) return;
    rows = await rowsOf<Row>(
      session,
      next,
      keys.map((key) => last[key]),
    );
  }
}
