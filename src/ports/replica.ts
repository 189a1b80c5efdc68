// What the resolver reads: a change feed and the rows behind it. A streaming standby, or the primary itself, may stand behind it;
// nothing here writes.
import type { Naan, Organisation, Shoulder } from "../domain/ark/policy.ts";
import type { ArkRecord, ArkState, Instant } from "../domain/ark/record.ts";

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
 * A place in the feed. `epoch` is the random id of this history of the database: another epoch means a restore, and everything
 * read before is worthless. `horizon` is opaque: the change number on SQLite, the oldest transaction that may still commit on PostgreSQL.
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
};

export interface Replica {
  /** The place to follow the feed from, read before everything is loaded. */
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
