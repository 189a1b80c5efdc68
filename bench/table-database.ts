// Puts the names of the bench of the table into a database, as quickly as it takes them; filling is not what is
// measured.
import { CompiledQuery } from "kysely";
import { migrate } from "../db/engine/migrate.ts";
import { openDatabase } from "../db/engine/open.ts";
import type { TableRow } from "../src/resolver/replica.ts";

const PAGE = 10_000;
const EMPTY = [
  "title",
  "type",
  "identifier",
  "format",
  "relation",
  "source",
  "commitment",
  "metadata",
  "who",
  '"when"',
];
const NAAN_BYTES = 5;

function insertText(isSqlite: boolean): string {
  const from = isSqlite ? "json_each(?)" : "json_array_elements($1::json) as page(value)";
  return `insert into ark (ark, naan, shoulder, origin, state, url, ${EMPTY.join(", ")}, created_at, updated_at,
      published_at, first_published_at)
    select value ->> 0, substr(value ->> 0, 1, ${NAAN_BYTES}), '', 'imported', 'published', value ->> 1,
      ${EMPTY.map(() => "''").join(", ")}, value ->> 2, value ->> 2, value ->> 2, value ->> 2 from ${from}`;
}

/** Migrates an empty database and inserts the rows as published imports. */
export async function fillDatabase(url: string, rows: Iterable<TableRow>): Promise<void> {
  const database = await openDatabase({ url });
  const isSqlite = database.dialect === "sqlite";
  const { writer } = database;
  await migrate(database);
  if (isSqlite) await writer.executeQuery(CompiledQuery.raw("pragma synchronous = off"));
  let page: (string | null)[][] = [];
  const flush = async (): Promise<void> => {
    if (page.length > 0) await writer.executeQuery(CompiledQuery.raw(insertText(isSqlite), [JSON.stringify(page)]));
    page = [];
  };
  for (const row of rows) {
    if (page.push([row.key, row.url, row.publishedAt]) === PAGE) await flush();
  }
  await flush();
  if (!isSqlite) await writer.executeQuery(CompiledQuery.raw("analyze ark"));
  await database.close();
}
