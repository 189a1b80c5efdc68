// Indexes that hold no constraint: taken away while many rows come in, and made again from the sorted rows, which reads
// and writes each page of them once.
import { rowsOf, run, type Session } from "./dialect.ts";

const FIND = {
  sqlite: `select name, sql as definition from sqlite_master
    where type = 'index' and tbl_name = ?1 and sql like 'create index %' order by name`,
  postgres: `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = $1::regclass and not indisunique order by 1`,
} as const;

/**
 * Drops the indexes of one table that are not unique. Returns the statements that make them again, in the same
 * transaction: until then a read by them reads the whole table.
 */
export async function dropPlainIndexes(session: Session, table: string): Promise<readonly string[]> {
  const found = await rowsOf<{ name: string; definition: string }>(session, FIND, [table]);
  for (const { name } of found) await runText(session, `drop index ${name}`);
  return found.map(({ definition }) => definition);
}

/** Makes what `dropPlainIndexes` has dropped. */
export async function makeIndexes(session: Session, definitions: readonly string[]): Promise<void> {
  for (const definition of definitions) await runText(session, definition);
}

const runText = (session: Session, text: string): Promise<unknown> => run(session, { sqlite: text, postgres: text });
