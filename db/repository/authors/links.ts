// Whom the agents of an item mean (R23): looked up when the item is written, and held so until it is committed.
import type { LinkedAuthors, LinkQuery } from "../../../src/repository/store/authors.ts";
import { rowsOf, run, type Session, type Statement, statement, textList, type Words } from "../../engine/dialect.ts";

/** `what` is the identifier that was sent, `who` the author now: for a merged author, the one it was merged into. */
type Meant = { readonly what: number | string; readonly who: number };

const numbers = (words: Words): string =>
  `(select cast(value as ${words.dialect === "sqlite" ? "integer" : "bigint"}) from ${words.listTable("$1")})`;
const NOW = "join author a on a.id = coalesce(o.merged_into, o.id) and a.deleted_at is null";
const BY_AUTHOR = statement(
  (words) => `select o.id as what, a.id as who from author o ${NOW} where o.id in ${numbers(words)}`,
);
const BY_NUMBER = statement(
  (words) => `select n.number as what, a.id as who from author_number n join author o on o.id = n.author_id ${NOW}
    where n.number in ${numbers(words)}`,
);
/** Keys are those of authors that are neither deleted nor merged. */
const BY_KEY = statement(
  (words) => `select k.key as what, min(k.author_id) as who from author_key k
    where k.kind = 'identifier' and k.key in (select value from ${words.listTable("$1")})
    group by k.key having count(*) = 1`,
);
/**
 * Waits for changes of these authors and blocks later ones. The authors that were found are read once more afterwards.
 */
const HOLD = statement((words) => `select id from author where id in ${numbers(words)} order by id for key share`);

async function meant(session: Session, question: Statement, asked: readonly (number | string)[]) {
  if (asked.length === 0) return [];
  return await rowsOf<Meant>(session, question, [textList(session, asked.map(String))]);
}

async function look(session: Session, sought: LinkQuery): Promise<LinkedAuthors> {
  const byAuthor = await meant(session, BY_AUTHOR, sought.authors);
  const byNumber = await meant(session, BY_NUMBER, sought.numbers);
  const byKey = await meant(session, BY_KEY, sought.keys);
  return {
    authors: new Map(byAuthor.map(({ what, who }) => [Number(what), who])),
    numbers: new Map(byNumber.map(({ what, who }) => [Number(what), who])),
    keys: new Map(byKey.map(({ what, who }) => [String(what), who])),
  };
}

export async function findLinks(session: Session, sought: LinkQuery): Promise<LinkedAuthors> {
  const found = await look(session, sought);
  const who = [...new Set([found.authors, found.numbers, found.keys].flatMap((map) => [...map.values()]))];
  // On SQLite the transaction itself is the lock.
  if (who.length === 0 || session.dialect === "sqlite") return found;
  await run(session, HOLD, [textList(session, who.map(String))]);
  return await look(session, sought);
}
