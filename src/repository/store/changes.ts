// The feed of changes of the repository (R34): the owner of data derived from items (a search index, a list of records
// for harvesters) follows it from a position that is stored with the derived data.

import type { FeedEntry, FeedPosition, PageOf } from "../../shared/feed.ts";
import type { Instant } from "../../shared/time/instant.ts";

/**
 * `parent`: one of its versions changed (its content, files, places, state or owner); `target` is the number of the
 * parent. `index`: an index was created, deleted or moved, or is browsed by others; `target` is its number, and
 * everything in it and below it is touched. `settings`: the values that a search finds may have changed (`target` names
 * the setting of searching, or `item-types`). `rebuild`: an operator requests that search indexes be rebuilt. `begin`:
 * the first row of all, which changes nothing.
 */
export type ItemChange = FeedEntry<"parent" | "index" | "settings" | "rebuild" | "begin">;

export interface ChangeReader {
  /** The position to follow from, read before everything is loaded. */
  position(): Promise<FeedPosition>;
  /**
   * At most `limit` changes after a position. `lost`, or another epoch in the answer: the history is another one, or
   * the rows were deleted meanwhile; take `position()` and load everything again.
   */
  changes(after: FeedPosition, limit: number): Promise<PageOf<ItemChange>>;
  /**
   * Rises with every commit that wrote into the feed, in whatever process; cheap to ask. Equal answers: nothing was
   * committed between.
   */
  head(): Promise<string>;
  /** When the newest row was written; null where there is none. */
  changedAt(): Promise<Instant | null>;
  /** Makes every process that follows the feed rebuild its search index (`arkstone search rebuild`). */
  requestRebuild(at: Instant): Promise<void>;
  /**
   * Deletes rows older than this moment, at most `limit`; the newest ones always stay. Returns how many were deleted.
   */
  forget(before: string, limit: number): Promise<number>;
}
