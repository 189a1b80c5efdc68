// The index tree (R24 to R26).

import type { IndexAttributes, IndexNode, IndexOutline } from "../../model/indexes/index-node.ts";
import type { AccountId, IndexId, ItemId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";

/** An index with the communities whose root it is (R6a). */
export type IndexAbove = IndexNode & { readonly rootOf: readonly string[] };
/** By index: itself and its ancestors, nearest first. One that is not there, or was deleted, is left out. */
export type Lineages = ReadonlyMap<IndexId, readonly IndexAbove[]>;

export interface IndexReader {
  /** Deleted ones too; null for an id that was never assigned, and for the root. */
  index(id: IndexId): Promise<IndexNode | null>;
  /** Live indexes among these ids. */
  indexes(ids: readonly IndexId[]): Promise<readonly IndexNode[]>;
  /** The same, as far as it is shown in a tree. */
  shownIndexes(ids: readonly IndexId[]): Promise<readonly IndexAttributes[]>;
  /** The index and its ancestors up to the root, nearest first; empty when it does not exist or is deleted. */
  lineage(id: IndexId): Promise<readonly IndexNode[]>;
  lineages(ids: readonly IndexId[]): Promise<Lineages>;
  /** Live children by position, then id. */
  children(parent: IndexId): Promise<readonly IndexNode[]>;
  /** Every live index, page by page, by id. */
  indexesAfter(id: IndexId, limit: number): Promise<readonly IndexNode[]>;
  /** The same, as far as the shape of the tree and the right to browse go. */
  outlineAfter(id: IndexId, limit: number): Promise<readonly IndexOutline[]>;
  /** The live index and all its live descendants, in any order. */
  outlineFrom(id: IndexId): Promise<readonly IndexOutline[]>;
  /** Items below which an index was taken away at this moment and that were not changed since, by id, after `after`. */
  itemsUnfiledAt(at: Instant, after: ItemId, limit: number): Promise<readonly ItemId[]>;
  /** The change counter of the tree; rises with every committed change of it. */
  treeRevision(): Promise<number>;
}

export interface IndexWriter extends IndexReader {
  /** Waits for a transaction that changes the tree, and makes others wait until the end of this one. */
  lockTree(): Promise<void>;
  /**
   * Keeps the tree as it is until the end of the transaction; others may do the same, and a transaction that changes it
   * waits.
   */
  holdTree(): Promise<void>;
  /** The first id from this one on that no index has or had. */
  freeIndexId(from: IndexId): Promise<IndexId>;
  /** False when the id is taken. */
  insertIndex(node: IndexNode): Promise<boolean>;
  updateIndex(node: IndexNode): Promise<void>;
  /** Ids of the live index and all its live descendants. */
  subtree(id: IndexId): Promise<readonly IndexId[]>;
  /** Levels of live indexes below a live one; 0: it has no children. */
  height(id: IndexId): Promise<number>;
  /**
   * Makes room for `id` at this position among the live children of `parent` (null, or more than there are: after the
   * last one), numbers the others 0, 1, … and returns its position. Does not write `id` itself.
   */
  arrange(parent: IndexId, id: IndexId, position: number | null): Promise<number>;
  /** The position behind the last live child. */
  nextPosition(parent: IndexId): Promise<number>;
  deleteIndexes(ids: readonly IndexId[], at: Instant): Promise<void>;
  raiseTreeRevision(): Promise<void>;

  /**
   * What has a version in or below this index joins these communities and leaves those, unless another index below
   * their root keeps it there (R6a). The tree and the roots are as they shall be already.
   */
  changeCommunities(
    indexId: IndexId,
    change: { readonly joined: readonly string[]; readonly left: readonly string[] },
  ): Promise<void>;
  /** Published items all of whose indexes are among these, at most `limit`, by id, descending: newer versions first. */
  itemsOnlyIn(indexIds: readonly IndexId[], limit: number): Promise<readonly ItemId[]>;
  /** One of these items that is locked, in an open activity, or has a draft at this moment; null when all are free. */
  busyItem(itemIds: readonly ItemId[], at: Instant): Promise<ItemId | null>;
  /**
   * Takes all items out of these indexes (R25). Published ones that lost one get one revision; those then in no index
   * become private. Memberships of communities that depended on such an index end (R6a). Returns how many published
   * items were left without any.
   */
  unfile(
    indexIds: readonly IndexId[],
    revision: { readonly action: string; readonly at: Instant; readonly by: AccountId | null },
  ): Promise<number>;
}
