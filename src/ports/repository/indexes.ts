// The index tree (R24 to R26).
import type { Instant } from "../../domain/ark/record.ts";
import type { IndexNode } from "../../domain/repository/index-node.ts";

export interface IndexReader {
  /** Deleted ones too; null for an id that was never given out, and for the root. */
  index(id: number): Promise<IndexNode | null>;
  /** Live indexes among these ids. */
  indexes(ids: readonly number[]): Promise<readonly IndexNode[]>;
  /** The index and its ancestors up to the root, nearest first; empty when it does not exist or is deleted. */
  lineage(id: number): Promise<readonly IndexNode[]>;
  /** Live children by position, then id. */
  children(parent: number): Promise<readonly IndexNode[]>;
  /** Every live index, page by page, by id. */
  indexesAfter(id: number, limit: number): Promise<readonly IndexNode[]>;
  /** The change counter of the tree; rises with every committed change of it. */
  treeRevision(): Promise<number>;
}

export interface IndexWriter extends IndexReader {
  lockTree(): Promise<void>;
  /** False when the id is taken. */
  insertIndex(node: IndexNode): Promise<boolean>;
  updateIndex(node: IndexNode): Promise<void>;
  /** Ids of the live index and all its live descendants. */
  subtree(id: number): Promise<readonly number[]>;
  deleteIndexes(ids: readonly number[], at: Instant): Promise<void>;
  raiseTreeRevision(): Promise<void>;
}
