// Published items in indexes, written straight into the tables: what the tests and the bench of the tree need many of,
// and nothing else.
import { CompiledQuery } from "kysely";
import { type OpenDatabase, openDatabase } from "../../db/engine/open.ts";

const AT = "2026-01-02T03:04:05.000Z";

/** A second connection to the database of a test. */
export async function rawDatabase(url: string) {
  const database: OpenDatabase = await openDatabase({ url });
  const sql = async <Row = Record<string, unknown>>(text: string): Promise<readonly Row[]> =>
    (await database.writer.executeQuery<Row>(CompiledQuery.raw(text))).rows;
  // The server writes at the same time, and for longer than the driver waits by itself.
  if (database.dialect === "sqlite") await sql("pragma busy_timeout = 15000");
  return { sql, close: () => database.close() };
}

export type Sql = Awaited<ReturnType<typeof rawDatabase>>["sql"];

/** The account that owns them and the item type they are of; call once for a database. */
export async function prepareItems(sql: Sql): Promise<void> {
  await sql(`insert into account (id, mail, eppn, name, roles, active, created_at, updated_at)
    values (900000, 'owner@example.org', null, 'Owner', '[3]', 1, '${AT}', '${AT}')`);
  await sql(`insert into item_type (id, name_en, name_ja, version, deleted, created_at, updated_at)
    values (900000, 'Test', 'Test', 1, 0, '${AT}', '${AT}')`);
  await sql(
    `insert into item_type_version (item_type_id, version, definition, created_at) values (900000, 1, '{}', '${AT}')`,
  );
}

/**
 * `count` public items with ids from `first` (parents from `first + 10,000,000`), item number n (from 0) in the indexes
 * `placesOf(n)`. Each has one revision.
 */
export async function fileItems(
  sql: Sql,
  first: number,
  count: number,
  placesOf: (n: number) => readonly number[],
): Promise<void> {
  const ROWS = 500;
  for (let from = 0; from < count; from += ROWS) {
    const numbers = Array.from({ length: Math.min(ROWS, count - from) }, (_, i) => from + i);
    const values = (row: (n: number) => string): string => numbers.map(row).join(", ");
    const item = (n: number): number => first + n;
    const parent = (n: number): number => first + 10_000_000 + n;
    await sql(
      `insert into resource (id, kind) values ${values((n) => `(${item(n)}, 'item'), (${parent(n)}, 'parent')`)}`,
    );
    await sql(`insert into item_parent (id, owner_account_id, latest_item_id, created_at)
      values ${values((n) => `(${parent(n)}, 900000, ${item(n)}, '${AT}')`)}`);
    await sql(`insert into file_set (id, created_at) values ${values((n) => `(${item(n)}, '${AT}')`)}`);
    await sql(`insert into item (id, parent_id, version_index, state, revision, item_type_id, item_type_version, title, metadata,
        settings, record_access, open_date, files_access, embargo_until, embargo_reason, file_set_id, created_at, updated_at, published_at)
      values ${values(
        (
          n,
        ) => `(${item(n)}, ${parent(n)}, 1, 'published', 1, 900000, 1, 'Item ${n}', '{"titles":[{"value":"Item ${n}","kind":"main"}]}',
        '{}', 'public', '2026-01-02', 'public', null, '', ${item(n)}, '${AT}', '${AT}', '${AT}')`,
      )}`);
    await sql(`insert into item_revision (item_id, revision, action, at, item_type_id, item_type_version, content, file_set_id)
      values ${values((n) => `(${item(n)}, 1, 'create', '${AT}', 900000, 1, '{}', ${item(n)})`)}`);
    const places = numbers.flatMap((n) => placesOf(n).map((index, at) => `(${index}, ${item(n)}, ${at})`));
    if (places.length > 0)
      await sql(`insert into item_place (index_id, item_id, position) values ${places.join(", ")}`);
  }
}
