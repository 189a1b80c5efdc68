// The facts that decide who reads and changes an item (R2d), read from the database.

import type { RecordFacts } from "../../model/access/visibility.ts";
import type { Item, ItemContent, ItemParent } from "../../model/items/item.ts";
import type { IndexAbove, IndexReader } from "../store/indexes.ts";
import type { RepositoryReader } from "../store/store.ts";

/** In the order of the indexes; empty for one that is not there. */
export async function lineagesOf(
  tree: Pick<IndexReader, "lineages">,
  indexes: readonly number[],
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
  { owner, shared, grants = [], communities, review }: ItemParent,
  lineages: RecordFacts["lineages"],
): RecordFacts {
  const ownership = { owner, shared, grants, communities, review };
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
