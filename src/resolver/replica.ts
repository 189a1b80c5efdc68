// What the resolver reads: a change feed and the rows behind it. A streaming standby, or the primary itself, may stand behind it;
// nothing here writes.

import type { Naan, Organisation, Shoulder } from "../ark/registered-things.ts";
import type { ArkRecord, ArkState } from "../ark/record.ts";
import type { Instant } from "../shared/instant.ts";

/** What the table keeps of a name. */
export type TableRow = {
  readonly key: string;
  readonly state: ArkState;
  readonly url: string;
  readonly publishedAt: Instant | null;
  readonly firstPublishedAt: Instant | null;
  readonly holdUntil: Instant | null;
};

/**
 * A position in the feed. `epoch` is the random id of this history of the database: another epoch means a restore, and everything
 * read before is worthless. `horizon` is opaque, and up to 1000 characters long once the last page is read (`more` is false).
 */
export type FeedPosition = { readonly epoch: string; readonly horizon: string };

export type FeedChange = {
  readonly id: string;
  readonly subject: "ark" | "shoulder" | "naan" | "organisation" | "credential";
  readonly target: string;
};

export type FeedPage = {
  /** Changes at or after the horizon asked for, in id order. On PostgreSQL some may have been seen before: applying is idempotent. */
  readonly changes: readonly FeedChange[];
  /** Ask from here next time. Where its `epoch` is not the one asked from, `changes` is empty: load everything anew. */
  readonly position: FeedPosition;
  /** True when more changes wait already: ask again at once. */
  readonly more?: boolean;
  /**
   * The replica is not yet where another one was that was read before: why, in words. `changes` is empty and `position` the one asked
   * from. Nothing may be read from it into a table until this is gone.
   */
  readonly behind?: string;
  /** Why the history is another one, in words; `position.epoch` is not the one asked from. */
  readonly lost?: string;
  /** Transactions at work that may still bring changes from before this page. */
  readonly open?: number;
  /** The oldest of them, by an opaque name; null when there is none. */
  readonly oldest?: string | null;
};

export interface Replica {
  /** The position to follow the feed from, read before everything is loaded. */
  position(): Promise<FeedPosition>;
  changes(after: FeedPosition): Promise<FeedPage>;
  /** Every name ever assigned, by key, in pages; never-public withdrawn names may be left out. */
  tableRows(after: string, limit: number): Promise<readonly TableRow[]>;
  tableRowsOf(keys: readonly string[]): Promise<ReadonlyMap<string, TableRow>>;
  naans(): Promise<readonly Naan[]>;
  shoulders(): Promise<readonly Shoulder[]>;
  organisations(): Promise<readonly Organisation[]>;
  /** The whole record, for a description. */
  ark(key: string): Promise<ArkRecord | null>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
