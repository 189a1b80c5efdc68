// Reading items and their parents (R2a, R2c): rows with their indexes first, then the files of all of them, so that a
// list costs two questions.
import type {
  Item,
  ItemFile,
  ItemParent,
  ItemState,
  MeasuredOutline,
  Tombstone,
  VersionLine,
  WithParent,
} from "../../../src/model/items/item.ts";
import type { ContentOfItem } from "../../../src/repository/store/items.ts";
import type { IndexId, ItemId, ParentId } from "../../../src/shared/ids.ts";
import { LONG_LIST, LONG_TEXT, yieldToEventLoop } from "../../../src/shared/time/event-loop.ts";
import { rowsOf, type Session, statement, textList, type Words } from "../../engine/dialect.ts";
import type { FileSetEntryTable, TombstoneTable } from "../../engine/repository-schema.ts";
import { FILE_NAMED, readFileSets } from "./file-sets.ts";
import {
  type ItemRow,
  indexColumn,
  isLive,
  itemColumns,
  type LeftOut,
  metadataOf,
  type ParentRow,
  parentColumns,
  toFile,
  toItem,
  toOutline,
  toParent,
} from "./item-rows.ts";

const FROM = "from item i join item_parent p on p.id = i.parent_id";
const BY_IDS = statement(
  (words) => `select ${itemColumns(words)} ${FROM}
    where i.id in (select cast(value as bigint) from ${words.listTable("$1")})`,
);
const BY_ID = statement((words) => `select ${itemColumns(words)} ${FROM} where i.id = $1`);
const WITH_PARENT = statement(
  (words) => `select ${itemColumns(words)}, ${parentColumns(words)} ${FROM} where i.id = $1`,
);
const VERSIONS = statement(
  (words) => `select ${itemColumns(words)} ${FROM} where i.parent_id = $1 order by i.version_index`,
);

export function numberList(session: Session, numbers: readonly number[]): unknown {
  return textList(session, numbers.map(String));
}

/** Adds the files to the rows. Long members are read in separate steps (R9a). */
async function complete(session: Session, rows: readonly ItemRow[]): Promise<readonly Item[]> {
  const published = rows.filter((row) => row.revision > 0);
  const sets = await readFileSets(session, [...new Set(published.map((row) => row.file_set_id))].filter(isNumber));
  const items: Item[] = [];
  for (const row of rows) {
    const files = sets.get(row.file_set_id ?? 0) ?? [];
    const isLong = (row.metadata?.length ?? 0) > LONG_TEXT || files.length > LONG_LIST;
    if (isLong) await yieldToEventLoop();
    items.push(toItem(row, files));
    if (isLong) await yieldToEventLoop();
  }
  return items;
}

function isNumber(value: number | null): value is number {
  return value !== null;
}

/** In the order asked for; ids that name no item are left out. */
export async function readItems(session: Session, ids: readonly ItemId[]): Promise<readonly Item[]> {
  if (ids.length === 0) return [];
  const rows = await rowsOf<ItemRow>(session, BY_IDS, [numberList(session, ids)]);
  const found = new Map((await complete(session, rows)).map((item) => [item.id, item]));
  return ids.map((id) => found.get(id)).filter((item) => item !== undefined);
}

const CONTENTS = statement(
  (words) => `select id, revision, metadata, file_set_id from item
    where id in (select cast(value as bigint) from ${words.listTable("$1")}) and revision > 0`,
);
type ContentRow = Pick<ItemRow, "id" | "revision" | "metadata" | "file_set_id">;

export async function readContents(session: Session, ids: readonly ItemId[]): Promise<readonly ContentOfItem[]> {
  if (ids.length === 0) return [];
  const rows = await rowsOf<ContentRow>(session, CONTENTS, [numberList(session, ids)]);
  const sets = await readFileSets(session, rows.map((row) => row.file_set_id).filter(isNumber));
  const contents: ContentOfItem[] = [];
  for (const row of rows) {
    const files = sets.get(row.file_set_id ?? 0) ?? [];
    if ((row.metadata?.length ?? 0) > LONG_TEXT) await yieldToEventLoop();
    contents.push({ id: row.id, revision: row.revision, metadata: metadataOf(row), files });
  }
  return contents;
}

export async function readItem(session: Session, id: ItemId): Promise<Item | null> {
  return (await complete(session, await rowsOf<ItemRow>(session, BY_ID, [id])))[0] ?? null;
}

export async function readWithParent(session: Session, id: ItemId): Promise<WithParent | null> {
  const [row] = await rowsOf<ItemRow & ParentRow>(session, WITH_PARENT, [id]);
  if (row === undefined) return null;
  const [item] = await complete(session, [row]);
  return item === undefined ? null : { item, parent: toParent(row) };
}

export async function readVersions(session: Session, parentId: ParentId): Promise<readonly Item[]> {
  return await complete(session, await rowsOf<ItemRow>(session, VERSIONS, [parentId]));
}

/** A file takes some hundred bytes; more than this many are not counted. */
const [FILE_BYTES, FILES_COUNTED] = [500, 1_000];
const outlineColumns = (
  words: Words,
): string => `i.id, i.parent_id, i.version_index, i.state, i.revision, i.ark, i.created_at, i.updated_at, i.published_at, i.deposited_by,
      i.deposited_on_behalf_of, i.record_access, i.open_date, i.files_access, i.embargo_until, i.embargo_reason,
      case when p.latest_item_id = i.id then 1 else 0 end as is_latest, ${indexColumn(words)}, ${parentColumns(words)},
      coalesce(octet_length(i.metadata), 0) + ${FILE_BYTES} * (select count(*) from
        (select 1 from file_set_entry where file_set_id = i.file_set_id limit ${FILES_COUNTED}) counted) as bytes`;
const OUTLINE = statement((words) => `select ${outlineColumns(words)} ${FROM} where i.id = $1`);
const OUTLINES = statement(
  (words) => `select ${outlineColumns(words)} ${FROM}
    where i.id in (select cast(value as bigint) from ${words.listTable("$1")})`,
);
type OutlineRow = Omit<ItemRow, LeftOut> & ParentRow & { readonly bytes: number };

/** An item without its content and files, and its parent: what decides who may read it. */
export async function readOutline(session: Session, id: ItemId): Promise<WithParent<MeasuredOutline> | null> {
  const [row] = await rowsOf<OutlineRow>(session, OUTLINE, [id]);
  return row === undefined ? null : outlined(row);
}

/** In the order asked for; ids that name no item are left out. */
export async function readOutlines(
  session: Session,
  ids: readonly ItemId[],
): Promise<readonly WithParent<MeasuredOutline>[]> {
  if (ids.length === 0) return [];
  const rows = await rowsOf<OutlineRow>(session, OUTLINES, [numberList(session, ids)]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = found.get(id);
    return row === undefined ? [] : [outlined(row)];
  });
}

const outlined = (row: OutlineRow): WithParent<MeasuredOutline> => ({
  item: { ...toOutline(row), bytes: row.bytes },
  parent: toParent(row),
});

/** The first of these names that a file of the published side has. */
export async function readFileNamed(
  session: Session,
  itemId: ItemId,
  names: readonly string[],
): Promise<ItemFile | null> {
  for (const name of names) {
    const [row] = await rowsOf<FileSetEntryTable>(session, FILE_NAMED, [itemId, name]);
    if (row !== undefined && isLive(row)) return toFile(row);
  }
  return null;
}

const LINES = statement(
  () => `select i.id, i.version_index, i.state, i.published_at, case when p.latest_item_id = i.id then 1 else 0 end as is_latest
    ${FROM} where i.parent_id = $1 order by i.version_index`,
);

export async function readVersionLines(session: Session, parentId: ParentId): Promise<readonly VersionLine[]> {
  type Line = Pick<ItemRow, "id" | "version_index" | "state" | "published_at" | "is_latest">;
  return (await rowsOf<Line>(session, LINES, [parentId])).map((row) => ({
    id: row.id,
    versionIndex: row.version_index,
    // The table's check allows no other values.
    state: row.state as ItemState,
    isLatest: row.is_latest === 1,
    publishedAt: row.published_at,
  }));
}

const BY_ARK = statement((words) => `select id, ark from item where ark ${words.inList("$1")}`);

export async function readItemsByArk(session: Session, arks: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await rowsOf<{ id: ItemId; ark: string }>(session, BY_ARK, [textList(session, arks)]);
  return new Map(rows.map(({ id, ark }) => [ark, id]));
}

const KIND = statement(() => "select kind from resource where id = $1");

export async function readKind(session: Session, id: number): Promise<"item" | "parent" | null> {
  const [row] = await rowsOf<{ kind: "item" | "parent" }>(session, KIND, [id]);
  return row?.kind ?? null;
}

const PARENTS = statement(
  (words) => `select ${parentColumns(words)} from item_parent p
    where p.id in (select cast(value as bigint) from ${words.listTable("$1")})`,
);

/** By id. */
export async function readParents(
  session: Session,
  ids: readonly ParentId[],
): Promise<ReadonlyMap<ParentId, ItemParent>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf<ParentRow>(session, PARENTS, [numberList(session, ids)]);
  return new Map(rows.map((row) => [row.parent_id, toParent(row)]));
}

export async function readParent(session: Session, id: ParentId): Promise<ItemParent | null> {
  return (await readParents(session, [id])).get(id) ?? null;
}

const TOMBSTONE = statement(
  () => "select item_id, reason, note, account_id, at, citation, is_visible from tombstone where item_id = $1",
);

export async function readTombstone(session: Session, itemId: ItemId): Promise<Tombstone | null> {
  const [row] = await rowsOf<TombstoneTable>(session, TOMBSTONE, [itemId]);
  if (row === undefined) return null;
  const { item_id, reason, note, account_id, at, citation, is_visible } = row;
  return { itemId: item_id, reason, note, by: account_id, at, citation, isVisible: is_visible === 1 };
}

/** Communities whose subtree holds an index, for each live one among these (R6a). */
const COMMUNITIES_ABOVE = statement(
  (words) => `with recursive above (start, id, parent) as (
      select n.id, n.id, n.parent from index_node n
        where n.deleted_at is null and n.id in (select cast(value as bigint) from ${words.listTable("$1")})
      union
      select above.start, n.id, n.parent from above join index_node n on n.id = above.parent and n.deleted_at is null
    )
    select above.start as index_id, c.id as community_id
      from above left join community c on c.root_index = above.id and c.deleted_at is null
      order by above.start, c.id`,
);

export async function readCommunitiesAbove(
  session: Session,
  indexIds: readonly IndexId[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const known = new Map<number, string[]>();
  if (indexIds.length === 0) return known;
  const asked = [numberList(session, indexIds)];
  for (const row of await rowsOf<{ index_id: number; community_id: string | null }>(
    session,
    COMMUNITIES_ABOVE,
    asked,
  )) {
    const communities = known.get(row.index_id) ?? [];
    known.set(row.index_id, communities);
    if (row.community_id !== null) communities.push(row.community_id);
  }
  return known;
}
