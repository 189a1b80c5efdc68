// The facts that decide who reads and changes an item (R2d), read from the database.
import type { Item, ItemContent, ItemParent } from "../model/item.ts";
import type { Lineage, RecordFacts } from "../model/visibility.ts";
import type { IndexReader } from "../store/indexes.ts";
import type { RepositoryReader } from "../store/store.ts";

export async function lineagesOf(tree: IndexReader, indexes: readonly number[]): Promise<readonly Lineage[]> {
  return await Promise.all(indexes.map((id) => tree.lineage(id)));
}

/** `content`: what the item says, or will say. */
export async function factsOf(
  reader: Pick<RepositoryReader, "indexes">,
  item: Pick<Item, "state">,
  content: Pick<ItemContent, "access" | "indexes"> | null,
  parent: ItemParent,
): Promise<RecordFacts> {
  return {
    owner: parent.owner,
    shared: parent.shared,
    communities: parent.communities,
    state: item.state,
    access: content?.access ?? UNREADABLE,
    lineages: content === null ? [] : await lineagesOf(reader.indexes, content.indexes),
  };
}

/** The access of what was never published. */
const UNREADABLE = {
  record: "restricted",
  openDate: "9999-12-31",
  files: "restricted",
  embargoUntil: null,
  embargoReason: "",
} as const;
