// The feed of changes of the repository (R34): whoever keeps something derived from items (a search index, a list of records for harvesters)
// follows it from a position it keeps beside what it derived.

import type { Changed, FeedPosition, PageOf } from "../../shared/feed.ts";
import type { Instant } from "../../shared/instant.ts";

/**
 * `parent`: something of one of its versions is another one (what it says, its files, its places, its state, whose it is); `target` is the
 * number of the parent. `index`: an index came, went, was moved, or is browsed by others; `target` is its number, and everything in it and below
 * it is touched. `settings`: what is found by may be another (`target` names the setting of searching, or `item-types`). `rebuild`: an
 * operator wants search indexes to be made anew. `begin`: the first row of all, which changes nothing.
 */
export type ItemChange = Changed<"parent" | "index" | "settings" | "rebuild" | "begin">;

export interface ChangeReader {
  /** The position to follow from, read before everything is loaded. */
  position(): Promise<FeedPosition>;
  /**
   * At most `limit` changes behind a position. `lost`, or another epoch in the answer: the history is another one, or the rows were thrown away
   * meanwhile; take `position()` and load everything anew.
   */
  changes(after: FeedPosition, limit: number): Promise<PageOf<ItemChange>>;
  /** Rises with every commit that wrote into the feed, in whatever process; cheap to ask. Equal answers: nothing was committed between. */
  head(): Promise<string>;
  /** When the newest row was written; null where there is none. */
  changedAt(): Promise<Instant | null>;
  /** Has every search index made anew, by whatever process follows (`arkstone search rebuild`). */
  askRebuild(at: Instant): Promise<void>;
  /** Throws away rows older than this moment, so many at most; the newest ones always stay. Gives back how many went. */
  forget(before: string, limit: number): Promise<number>;
}
