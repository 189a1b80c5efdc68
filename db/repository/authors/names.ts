// Persons by what their names begin with, for the vocabulary `names` (R6a).
import type { Author } from "../../../src/model/agents/author.ts";
import type { AuthorId } from "../../../src/shared/ids.ts";
import { rowsOf, type Session, statement } from "../../engine/dialect.ts";

/**
 * Names are stored in both orders: `full` also has those that begin with a given name. Deleted and merged authors have
 * no keys.
 */
const BEGINNING = statement(
  () => `select author_id as id from (
      select author_id, key from author_key where kind = 'full' and key >= $1 and key < $2 order by key, author_id limit $3
    ) as named group by author_id order by min(key), author_id`,
);
const COUNT = statement(() => "select count(*) as count from author where deleted_at is null and merged_into is null");

export async function idsBeginning(session: Session, key: string, limit: number): Promise<readonly number[]> {
  const rows = await rowsOf<{ id: AuthorId }>(session, BEGINNING, [key, `${key}\u{10ffff}`, limit]);
  return rows.map(({ id }) => Number(id));
}

export async function countAuthors(session: Session): Promise<number> {
  return Number((await rowsOf<{ count: number }>(session, COUNT))[0]?.count ?? 0);
}

/** In the order of the numbers given. */
export function inOrder(authors: readonly Author[], ids: readonly AuthorId[]): readonly Author[] {
  const byId = new Map(authors.map((author) => [author.id, author]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
