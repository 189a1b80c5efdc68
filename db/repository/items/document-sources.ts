// What search documents are made from (R34): many versions at once, in as many statements as for one, and how long they
// are (R9a).

import type { SizedEntry } from "../../../src/model/files/size-slices.ts";
import type { ItemContent } from "../../../src/model/items/item.ts";
import type { ItemVersion, PlacedItem } from "../../../src/repository/store/items.ts";
import type { IndexId, ItemId, ParentId } from "../../../src/shared/ids.ts";
import { LONG_TEXT, yieldToEventLoop } from "../../../src/shared/time/event-loop.ts";
import { rowsOf, type Session, statement } from "../../engine/dialect.ts";
import { readFileSets } from "./file-sets.ts";
import { numberList } from "./item-reading.ts";
import {
  type ItemRow,
  itemColumns,
  type ParentRow,
  parentColumns,
  readContent,
  toItem,
  toParent,
} from "./item-rows.ts";

type DraftColumns = {
  readonly draft_type: number | null;
  readonly draft_type_version: number | null;
  readonly draft_content: string | null;
  readonly draft_set: number | null;
  readonly draft_saved_at: string | null;
};
type Row = ItemRow & ParentRow & DraftColumns;

// Deleted versions are not documents; a draft is read only where nothing was published.
const VERSIONS = statement(
  (
    words,
  ) => `select ${itemColumns(words)}, ${parentColumns(words)}, d.item_type_id as draft_type, d.item_type_version as draft_type_version,
      d.content as draft_content, d.file_set_id as draft_set, d.saved_at as draft_saved_at
    from item i join item_parent p on p.id = i.parent_id left join item_draft d on d.item_id = i.id and i.state = 'draft'
    where i.state <> 'deleted' and i.id in (select cast(value as bigint) from ${words.listTable("$1")})
    order by i.parent_id, i.version_index`,
);

/** The bytes that a file costs in addition to its words. */
const FILE_BYTES = 500;

// Of what was never published the draft is read.
const SIZE = `select i.id as item, i.parent_id as parent, coalesce(octet_length(i.metadata), 0) + coalesce(octet_length(d.content), 0)
    + coalesce((select sum(${FILE_BYTES} + coalesce(t.characters, 0)) from file_set_entry e left join file_text t on t.sha256 = e.sha256
        where e.file_set_id = coalesce(i.file_set_id, d.file_set_id)), 0) as bytes
  from item i left join item_draft d on d.item_id = i.id and i.state = 'draft'`;
const VERSION_SIZES = statement(
  (
    words,
  ) => `${SIZE} where i.state <> 'deleted' and i.parent_id in (select cast(value as bigint) from ${words.listTable("$1")})
    order by i.parent_id, i.version_index`,
);
const SIZES = statement(
  (words) => `${SIZE} where i.id in (select cast(value as bigint) from ${words.listTable("$1")})`,
);
/** PostgreSQL gives sums as texts. */
type SizeRow = PlacedItem & { readonly bytes: number | string };
type ItemSize = PlacedItem & SizedEntry;

const sized = ({ item, parent, bytes }: SizeRow): ItemSize => ({ item, parent, bytes: Number(bytes) });

export async function readVersionSizes(session: Session, parents: readonly ParentId[]): Promise<readonly ItemSize[]> {
  if (parents.length === 0) return [];
  return (await rowsOf<SizeRow>(session, VERSION_SIZES, [numberList(session, parents)])).map(sized);
}

export async function readSizes(session: Session, ids: readonly ItemId[]): Promise<readonly ItemSize[]> {
  if (ids.length === 0) return [];
  const rows = await rowsOf<SizeRow>(session, SIZES, [numberList(session, ids)]);
  const found = new Map(rows.map((row) => [row.item, sized(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export async function readItemVersions(session: Session, ids: readonly ItemId[]): Promise<readonly ItemVersion[]> {
  if (ids.length === 0) return [];
  const rows = await rowsOf<Row>(session, VERSIONS, [numberList(session, ids)]);
  const sets = rows.flatMap(({ file_set_id, draft_set, revision }) => (revision > 0 ? file_set_id : draft_set) ?? []);
  const files = await readFileSets(session, [...new Set(sets)]);
  const versions: ItemVersion[] = [];
  for (const row of rows) {
    if ((row.metadata?.length ?? 0) + (row.draft_content?.length ?? 0) > LONG_TEXT) await yieldToEventLoop();
    const item = toItem(row, files.get(row.file_set_id ?? 0) ?? []);
    versions.push({ item, parent: toParent(row), draft: draftOf(row, files), savedAt: row.draft_saved_at });
  }
  return versions;
}

function draftOf(row: Row, files: Awaited<ReturnType<typeof readFileSets>>): ItemContent | null {
  const { draft_type: itemType, draft_type_version: itemTypeVersion, draft_content: content, draft_set: set } = row;
  if (itemType === null || itemTypeVersion === null || content === null) return null;
  return { itemType, itemTypeVersion, ...readContent(content), files: files.get(set ?? 0) ?? [] };
}

const PARENTS_AFTER = statement(() => "select id from item_parent where id > $1 order by id limit $2");

export async function readParentsAfter(session: Session, after: ParentId, limit: number): Promise<readonly ParentId[]> {
  return (await rowsOf<{ id: ParentId }>(session, PARENTS_AFTER, [after, limit])).map(({ id }) => id);
}

const PLACED = statement(
  () => `select filed.item_id as item, i.parent_id as parent from item_place filed join item i on i.id = filed.item_id
    where filed.index_id = $1 and filed.item_id > $2 order by filed.item_id limit $3`,
);

export async function readPlacedIn(
  session: Session,
  index: IndexId,
  after: ItemId,
  limit: number,
): Promise<readonly PlacedItem[]> {
  return await rowsOf<PlacedItem>(session, PLACED, [index, after, limit]);
}

const ITEMS_AFTER = statement(
  () => `select id as item, parent_id as parent from item where id > $1 and state <> 'deleted' order by id limit $2`,
);

export async function readItemsAfter(session: Session, after: ItemId, limit: number): Promise<readonly PlacedItem[]> {
  return await rowsOf<PlacedItem>(session, ITEMS_AFTER, [after, limit]);
}
