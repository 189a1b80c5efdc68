// What the tree reads and changes of items when indexes are deleted (R25, R2b, R6a): always whole sets, never one by
// one.
import type { AccountId, IndexId, ItemId, ParentId } from "../../../src/shared/ids.ts";
import type { Instant } from "../../../src/shared/time/instant.ts";
import { rowsOf, run, type Session, statement, textList, type Words } from "../../engine/dialect.ts";

const among = (words: Words, parameter: string): string =>
  `in (select cast(value as bigint) from ${words.listTable(parameter)})`;
const listOf = (session: Session, ids: readonly number[]): unknown => textList(session, ids.map(String));

const ONLY_IN = statement(
  (words) => `select i.id from item i
    where i.state = 'published' and i.id in (select item_id from item_place where index_id ${among(words, "$1")})
      and not exists (select 1 from item_place p where p.item_id = i.id and p.index_id not ${among(words, "$1")})
    order by i.id desc limit $2`,
);

export async function itemsOnlyIn(
  session: Session,
  indexIds: readonly IndexId[],
  limit: number,
): Promise<readonly number[]> {
  const rows = await rowsOf<{ id: ItemId }>(session, ONLY_IN, [listOf(session, indexIds), limit]);
  return rows.map(({ id }) => id);
}

const BUSY = statement(
  (words) => `select min(busy.item_id) as item_id from (
      select item_id from item_lock where expires_at > $2 and item_id ${among(words, "$1")}
      union all
      select item_id from item_draft where item_id ${among(words, "$1")}
      union all
      select item_id from activity ${words.dialect === "sqlite" ? "indexed by activity_by_item" : ""} where state in ('M', 'B', 'P') and item_id ${among(words, "$1")}
    ) as busy`,
);

export async function busyItem(session: Session, itemIds: readonly ItemId[], at: Instant): Promise<number | null> {
  const [row] = await rowsOf<{ item_id: number | null }>(session, BUSY, [listOf(session, itemIds), at]);
  return row?.item_id ?? null;
}

const UNFILED_AT = statement(
  () => `select i.id from item i join item_revision r on r.item_id = i.id and r.revision = i.revision
    where i.updated_at = $1 and i.id > $2 and i.state = 'published' and r.action = 'index.delete' order by i.id limit $3`,
);

export async function itemsUnfiledAt(
  session: Session,
  at: Instant,
  after: ItemId,
  limit: number,
): Promise<readonly number[]> {
  return (await rowsOf<{ id: ItemId }>(session, UNFILED_AT, [at, after, limit])).map(({ id }) => id);
}

/** Items in one round of statements, so that what is held of them stays small. */
const ITEMS_AT_ONCE = 5_000;

const LOSING = statement(
  (words) => `select distinct item_id from item_place where index_id ${among(words, "$1")} order by item_id`,
);
/** The things by number, before their versions are changed: as everybody locks them who changes an item. */
const LOCK_PARENTS = statement(
  (words) => `select id from item_parent where id in (select parent_id from item where id ${among(words, "$1")})
    order by id ${words.forNoKeyUpdate}`,
);
const REMOVE = statement((words) => `delete from item_place where index_id ${among(words, "$1")}`);
const IS_FILED = "exists (select 1 from item_place p where p.item_id = item.id)";
/**
 * An item without an index becomes private. An embargo would make the record public on its day: it ends here, and the
 * files that it kept closed stay closed.
 */
const WHEN_LEFT = `record_access = case when ${IS_FILED} then record_access else 'restricted' end,
    files_access = case when embargo_until is null or ${IS_FILED} then files_access else 'restricted' end,
    embargo_until = case when ${IS_FILED} then embargo_until end,
    embargo_reason = case when ${IS_FILED} then embargo_reason else '' end`;
const CHANGE = statement(
  (words) => `update item set revision = revision + 1, updated_at = $2, ${WHEN_LEFT}
    where id ${among(words, "$1")} and state = 'published'`,
);
/** What lists show of an item stays what it is. */
const FOLLOW = statement(
  (words) => `update item_summary set revision = revision + 1 where item_id ${among(words, "$1")}
    and exists (select 1 from item i where i.id = item_summary.item_id and i.revision = item_summary.revision + 1)`,
);
/** What is deleted is not changed any more, and comes back private. */
const HIDE_DELETED = statement(
  (words) => `update item set ${WHEN_LEFT} where id ${among(words, "$1")} and state = 'deleted'`,
);
const COUNT_LEFT = statement(
  (words) => `select count(*) as left_behind from item
    where id ${among(words, "$1")} and state = 'published' and not ${IS_FILED}`,
);

/** As `printContent` of item-rows.ts writes it, put together by the database: 50,000 snapshots never travel. */
const CONTENT: Readonly<Record<Words["dialect"], string>> = {
  sqlite: `json_object('metadata', json(i.metadata), 'access', json_object('record', i.record_access, 'openDate', i.open_date,
      'files', i.files_access, 'embargoUntil', i.embargo_until, 'embargoReason', coalesce(i.embargo_reason, '')),
      'places', json((select json_group_array(index_id) from
        (select index_id from item_place p where p.item_id = i.id order by position))), 'settings', json(i.settings))`,
  postgres: `json_build_object('metadata', i.metadata::json, 'access', json_build_object('record', i.record_access,
      'openDate', i.open_date, 'files', i.files_access, 'embargoUntil', i.embargo_until, 'embargoReason', coalesce(i.embargo_reason, '')),
      'places', coalesce((select json_agg(p.index_id order by p.position) from item_place p where p.item_id = i.id), '[]'::json),
      'settings', i.settings::json)::text`,
};
const SNAPSHOT = statement(
  (
    words,
  ) => `insert into item_revision (item_id, revision, action, at, account_id, on_behalf_of, item_type_id, item_type_version,
      content, file_set_id)
    select i.id, i.revision, $2, $3, cast($4 as bigint), null, i.item_type_id, i.item_type_version, ${CONTENT[words.dialect]}, i.file_set_id
    from item i where i.id ${among(words, "$1")} and i.state = 'published'`,
);

/** Communities whose subtree is in, or around, the deleted indexes. */
const COMMUNITIES = statement(
  (words) => `with recursive up(id, parent) as (
      select id, parent from index_node where id ${among(words, "$1")}
      union
      select n.id, n.parent from up join index_node n on n.id = up.parent
    ) select c.id, c.root_index from community c where c.root_index in (select id from up) and c.deleted_at is null`,
);
const LEAVE = statement(
  (words) => `with recursive down(id) as (
      select $3 ${words.dialect === "postgres" ? "::bigint" : ""}
      union
      select n.id from down join index_node n on n.parent = down.id where n.deleted_at is null
    ) delete from item_community where community_id = $2 and parent_id ${among(words, "$1")}
      and not exists (select 1 from item i join item_place p on p.item_id = i.id
        where i.parent_id = item_community.parent_id and p.index_id in (select id from down))`,
);

export async function unfile(
  session: Session,
  indexIds: readonly IndexId[],
  revision: { readonly action: string; readonly at: Instant; readonly by: AccountId | null },
): Promise<number> {
  const indexes = listOf(session, indexIds);
  const losing = await rowsOf<{ item_id: number }>(session, LOSING, [indexes]);
  if (losing.length === 0) return 0;
  const rounds: unknown[] = [];
  for (let from = 0; from < losing.length; from += ITEMS_AT_ONCE) {
    const round = losing.slice(from, from + ITEMS_AT_ONCE).map(({ item_id }) => item_id);
    rounds.push(listOf(session, round));
  }
  const parents = new Set<number>();
  for (const items of rounds) {
    for (const { id } of await rowsOf<{ id: ParentId }>(session, LOCK_PARENTS, [items])) parents.add(id);
  }
  await run(session, REMOVE, [indexes]);
  let left = 0;
  for (const items of rounds) {
    await run(session, CHANGE, [items, revision.at]);
    await run(session, FOLLOW, [items]);
    await run(session, HIDE_DELETED, [items]);
    const [counted] = await rowsOf<{ left_behind: number }>(session, COUNT_LEFT, [items]);
    left += counted?.left_behind ?? 0;
    await run(session, SNAPSHOT, [items, revision.action, revision.at, revision.by]);
  }
  const things = listOf(session, [...parents]);
  for (const { id, root_index } of await rowsOf<{ id: string; root_index: number }>(session, COMMUNITIES, [indexes])) {
    await run(session, LEAVE, [things, id, root_index]);
  }
  return left;
}
