// What the resolver reads: a change feed and the rows behind it. A streaming standby, or the primary itself, may
// provide it; nothing here writes.

import type { ArkRecord, ArkState, Naan, Organisation, Shoulder } from "../ark/record.ts";
import type { FeedEntry, FeedPosition, PageOf } from "../shared/feed.ts";
import type { Instant } from "../shared/time/instant.ts";

export type { FeedPosition } from "../shared/feed.ts";

/** What the table keeps of a name. */
export type TableRow = {
  readonly key: string;
  readonly state: ArkState;
  readonly url: string;
  readonly publishedAt: Instant | null;
  readonly firstPublishedAt: Instant | null;
  readonly holdUntil: Instant | null;
};

export type FeedChange = FeedEntry<"ark" | "shoulder" | "naan" | "organisation" | "credential">;

/** `rows`: of the names in `changes`, as they were when the page was read; left out: they are to be asked for. */
export type FeedPage = PageOf<FeedChange> & { readonly rows?: ReadonlyMap<string, TableRow> };

export interface Replica {
  /** The position to follow the feed from, read before everything is loaded. */
  position(): Promise<FeedPosition>;
  changes(after: FeedPosition): Promise<FeedPage>;
  /** Every name ever assigned, by key, in pages; never-public withdrawn names may be left out. */
  tableRows(after: string, limit: number): Promise<readonly TableRow[]>;
  tableRowsOf(keys: readonly string[]): Promise<ReadonlyMap<string, TableRow>>;
  /** Names to ask for in one call of `tableRowsOf` where more have changed. */
  readonly keysPerRead: number;
  naans(): Promise<readonly Naan[]>;
  shoulders(): Promise<readonly Shoulder[]>;
  organisations(): Promise<readonly Organisation[]>;
  /** The whole record, for a description. */
  ark(key: string): Promise<ArkRecord | null>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
