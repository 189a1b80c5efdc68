// Which things become a community's, or stop being so, when its part of the tree changes (R6a): whole sets of them,
// never one by one.
import type { IndexId } from "../../../src/shared/ids.ts";
import { rowsOf, run, type Session, statement, textList, type Words } from "../../engine/dialect.ts";

const below = (words: Words, root: string): string => `with recursive below(id) as (
      select n.id from index_node n where n.id = ${words.dialect === "postgres" ? `cast(${root} as bigint)` : root} and n.deleted_at is null
      union
      select n.id from below join index_node n on n.parent = below.id where n.deleted_at is null
    )`;
const listed = (words: Words, parameter: string): string =>
  `(select cast(value as bigint) from ${words.listTable(parameter)})`;

/** The things with a version in or below the index, locked as everybody locks them who changes an item. */
const THINGS = statement(
  (words) => `${below(words, "$1")} select id from item_parent where id in
      (select i.parent_id from item i join item_place p on p.item_id = i.id where p.index_id in (select id from below))
    order by id ${words.forNoKeyUpdate}`,
);
const JOIN = statement(
  (words) => `insert into item_community (parent_id, community_id)
    select thing.id, $2 from item_parent thing where thing.id in ${listed(words, "$1")} on conflict do nothing`,
);
/** Those stay that have a version in or below its root by another index. */
const LEAVE = statement(
  (words) => `${below(words, "(select root_index from community where id = $2)")}
    delete from item_community where community_id = $2 and parent_id in ${listed(words, "$1")}
      and not exists (select 1 from item i join item_place p on p.item_id = i.id
        where i.parent_id = item_community.parent_id and p.index_id in (select id from below))`,
);

/** The tree, and the roots of the communities, are as they shall be already. */
export async function changeCommunities(
  session: Session,
  indexId: IndexId,
  { joined, left }: { readonly joined: readonly string[]; readonly left: readonly string[] },
): Promise<void> {
  if (joined.length + left.length === 0) return;
  const found = await rowsOf<{ id: number }>(session, THINGS, [indexId]);
  if (found.length === 0) return;
  const things = textList(
    session,
    found.map(({ id }) => String(id)),
  );
  for (const community of joined) await run(session, JOIN, [things, community]);
  for (const community of left) await run(session, LEAVE, [things, community]);
}
