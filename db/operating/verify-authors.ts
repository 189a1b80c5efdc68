// Authors as `arkstone verify` reads them: each with what it is found by and its numbers, page by page.

import { type AuthorContent, authorKeys, localNumbers } from "../../src/model/agents/author.ts";
import type { AuthorRow } from "../../src/operating/verify/authors.ts";
import type { AuthorId } from "../../src/shared/ids.ts";
import { rowsOf, type Session, statement } from "../engine/dialect.ts";

const PAGE_ROWS = 1_000;

const AUTHORS = statement(
  (words) => `select a.id, a.content, a.merged_into, a.deleted_at,
      (select count(*) from author s where s.id = a.merged_into) as survivors,
      ${words.jsonRows(["number"], "select n.number from author_number n where n.author_id = a.id")} as numbers
    from author a where a.id > $1 order by a.id limit ${PAGE_ROWS}`,
);
const SENT = {
  sqlite: `select json_extract(value, '$[0]') as kind, json_extract(value, '$[1]') as key, json_extract(value, '$[2]') as author_id
    from json_each($1)`,
  postgres: `select value ->> 0 as kind, value ->> 1 as key, (value ->> 2)::bigint as author_id
    from json_array_elements($1::json)`,
} as const;
const MISSING = statement(
  ({ dialect }) => `select author_id, count(*) as missing from (${SENT[dialect]}) as sent where not exists (
      select 1 from author_key k where k.kind = sent.kind and k.key = sent.key and k.author_id = sent.author_id
    ) group by author_id`,
);
const KEYS = statement(() => "select count(*) as keys from author_key");

type Row = {
  readonly id: AuthorId;
  readonly content: string;
  readonly merged_into: number | null;
  readonly deleted_at: string | null;
  readonly survivors: number;
  readonly numbers: string;
};

export async function* authorPages(session: Session): AsyncGenerator<readonly AuthorRow[]> {
  for (let after = 0; ; ) {
    const rows = await rowsOf<Row>(session, AUTHORS, [after]);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield await checked(session, rows);
    if (rows.length < PAGE_ROWS) return;
    after = last.id;
  }
}

async function checked(session: Session, rows: readonly Row[]): Promise<readonly AuthorRow[]> {
  const read = rows.map((row) => {
    // Written by `insertAuthor` and `saveAuthor` alone.
    const content = JSON.parse(row.content) as AuthorContent;
    const isAlive = row.merged_into === null && row.deleted_at === null;
    return { row, isAlive, keys: isAlive ? authorKeys(content) : [], numbers: localNumbers(content) };
  });
  const sought = read.flatMap(({ row, keys }) => keys.map(({ kind, key }) => [kind, key, row.id]));
  const absent = await rowsOf<{ author_id: number; missing: number }>(session, MISSING, [JSON.stringify(sought)]);
  const missing = new Map(absent.map((each) => [each.author_id, Number(each.missing)]));
  return read.map(({ row, isAlive, keys, numbers }) => ({
    id: row.id,
    isAlive,
    keys: keys.length,
    missing: missing.get(row.id) ?? 0,
    identifiers: numbers,
    mergedInto: row.merged_into,
    survivors: Number(row.survivors),
    numbers: (JSON.parse(row.numbers) as readonly [number][]).flat(),
  }));
}

export async function countAuthorKeys(session: Session): Promise<number> {
  return Number((await rowsOf<{ keys: number }>(session, KEYS))[0]?.keys ?? 0);
}
