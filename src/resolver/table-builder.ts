// Where the base of the resolver's table is made, and where it lies between two runs. Either is long work: nobody may
// wait for it on the thread that answers requests.

import type { FeedPosition } from "./replica.ts";
import type { Rebuild } from "./table/trie.ts";
import type { Segments } from "./table/trie-layout.ts";

/** A base, and the position in the feed from which it must be followed. */
export type TableBase = { readonly segments: Segments; readonly position: FeedPosition };

export interface TableBuilder {
  /**
   * Reads every name from the replica. The position in the feed is taken before the first row.
   *
   * @throws TableTooLarge, as `fromMemory` does, when it does not fit into memory together with the current table.
   */
  fromReplica(): Promise<TableBase>;
  /** Takes recent changes into a new base; the replica is not asked. */
  fromMemory(rebuild: Rebuild): Promise<Segments>;
  /** Gives up what is under way: it is refused. */
  close(): void;
}

/** A table that the memory does not hold, with the figures. */
export class TableTooLarge extends Error {
  override readonly name = "TableTooLarge";
}

/** Why the snapshot has no table; `absent` is not a fault. */
export type SnapshotFault = "absent" | "foreign" | "version" | "truncated" | "corrupt" | "unreadable";

export interface SnapshotStore {
  /** What the file holds, verified. Never throws. */
  load(): Promise<TableBase | { readonly fault: SnapshotFault | TableTooLarge }>;
  /** Puts this table in the place of what the file holds, all of it or nothing. */
  save(table: TableBase): Promise<void>;
}
