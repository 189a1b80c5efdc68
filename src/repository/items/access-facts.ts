// The facts that decide who reads and changes an item (R2d), read from the database.

import type { Viewer } from "../../auth/account.ts";
import { mayReadRecord, type RecordFacts } from "../../model/access/visibility.ts";
import type { IndexOutline } from "../../model/indexes/index-node.ts";
import type { Item, ItemContent, ItemOutline, ItemParent, WithParent } from "../../model/items/item.ts";
import type { IndexId, ParentId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import type { IndexAbove, IndexReader } from "../store/indexes.ts";
import type { ItemReader } from "../store/items.ts";
import type { RepositoryReader } from "../store/store.ts";

/** In the order of the indexes; empty for one that is not there. */
export async function lineagesOf(
  tree: Pick<IndexReader, "lineages">,
  indexes: readonly IndexId[],
): Promise<readonly (readonly IndexAbove[])[]> {
  const found = await tree.lineages(indexes);
  return indexes.map((id) => found.get(id) ?? []);
}

/** `content`: the present content of the item, or the content about to be written. */
export async function factsOf(
  reader: Pick<RepositoryReader, "indexes">,
  item: Pick<Item, "state">,
  content: Pick<ItemContent, "access" | "indexes"> | null,
  parent: ItemParent,
): Promise<RecordFacts> {
  const lineages = content === null ? [] : await lineagesOf(reader.indexes, content.indexes);
  return factsWith(item, content, parent, lineages);
}

/** The same where the lineages were read already. */
export function factsWith(
  item: Pick<Item, "state">,
  content: Pick<ItemContent, "access"> | null,
  { id, owner, shared, grants = [], communities, review, fileGrants }: ItemParent,
  lineages: RecordFacts["lineages"],
): RecordFacts {
  const ownership = { id, owner, shared, grants, communities, review, ...(fileGrants && { fileGrants }) };
  return { ...ownership, state: item.state, access: content?.access ?? UNREADABLE, lineages };
}

/** The access of what was never published. */
const UNREADABLE = {
  record: "restricted",
  openDate: "9999-12-31",
  files: "restricted",
  embargoUntil: null,
  embargoReason: "",
} as const;

// Which version of a thing is the latest that a viewer may read (R2a, R2d, R2h): a newer one that the viewer may not
// read does not exist for the viewer.

type Version = WithParent<ItemOutline>;

/** Versions that are read at once. */
const AT_ONCE = 1_000;

/** The published versions of these parents, lowest first. */
export async function publishedVersions(
  items: Pick<ItemReader, "versionSizes" | "outlines">,
  parents: readonly ParentId[],
): Promise<ReadonlyMap<number, readonly Version[]>> {
  const versions = new Map<number, Version[]>(parents.map((parent) => [parent, []]));
  if (parents.length === 0) return versions;
  const ids = (await items.versionSizes(parents)).map(({ item }) => item);
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    for (const version of await items.outlines(ids.slice(start, start + AT_ONCE))) {
      if (version.item.state === "published") versions.get(version.parent.id)?.push(version);
    }
  }
  return versions;
}

export const factsIn = (
  { item, parent }: Version,
  lineageOf: (index: IndexId) => readonly IndexOutline[],
): RecordFacts => factsWith(item, item.content, parent, (item.content?.indexes ?? []).map(lineageOf));

/** The number of the latest of these versions that the viewer may read; null: there is none. */
export function latestReadable(
  versions: readonly Version[],
  viewer: Viewer,
  today: Day,
  lineageOf: (index: IndexId) => readonly IndexOutline[],
): number | null {
  return versions.findLast((version) => mayReadRecord(viewer, factsIn(version, lineageOf), today))?.item.id ?? null;
}
