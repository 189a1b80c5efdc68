// Authors who share a name or an identifier, and who wrote together (R6a): the queries of the search for duplicates.
import type { AuthorKeyKind } from "../../../src/model/agents/author.ts";
import type { AuthorReader, SharedKey } from "../../../src/repository/store/authors.ts";
import { rowsOf, type Session, statement, textList } from "../../engine/dialect.ts";

// Keys of the page first, in the order of the index; then who has them. A key that too many have is passed over.
const SHARED = statement(
  ({ dialect }) => `select s.key, k.author_id from (
      select key from author_key where kind = $1 and key > $2
      group by key having count(*) > 1 and count(*) <= $4 order by key limit $3
    ) s cross join ${
      dialect === "sqlite"
        ? "author_key k where k.kind = $1 and k.key = s.key"
        : "lateral (select author_id from author_key where kind = $1 and key = s.key offset 0) k"
    } order by s.key, k.author_id`,
);

/** Of items with more authors than this nothing follows for two of them. */
const FEW = 50;
const COAUTHORS = statement(
  (words) => `select m.author_id, o.author_id as other from item_author m
    join item_author o on o.item_id = m.item_id and o.author_id <> m.author_id
    where m.author_id in (select cast(value as ${words.dialect === "sqlite" ? "integer" : "bigint"}) from ${words.listTable("$1")})
      and (select count(*) from (select 1 from item_author c where c.item_id = m.item_id limit ${FEW + 1}) as few) <= ${FEW}
    order by m.author_id, o.author_id limit 100000`,
);

export const likenessReader = (session: Session): Pick<AuthorReader, "sharedKeys" | "coauthors"> => ({
  async sharedKeys(kind: AuthorKeyKind, after, limit, most): Promise<readonly SharedKey[]> {
    const rows = await rowsOf<{ key: string; author_id: number }>(session, SHARED, [kind, after, limit, most]);
    return rows.map(({ key, author_id: authorId }) => ({ key, authorId }));
  },
  async coauthors(ids) {
    const found = new Map<number, number[]>();
    if (ids.length === 0) return found;
    const asked = [textList(session, ids.map(String))];
    for (const { author_id: id, other } of await rowsOf<{ author_id: number; other: number }>(
      session,
      COAUTHORS,
      asked,
    )) {
      const others = found.get(id);
      if (others === undefined) found.set(id, [other]);
      else others.push(other);
    }
    return found;
  },
});
