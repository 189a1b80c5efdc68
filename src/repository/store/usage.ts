// How often items were viewed and their files downloaded (R39): counts per day, and their sums, without data about
// visitors.
import type { ItemId, ParentId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";

/** An item (one version), or what ties its versions together. */
export type UsageSubject = "item" | "parent";

/** The record that was viewed, or whose file was downloaded. `isOwn`: by whom it belongs to, or who looks after it. */
export type VisitedRecord = { readonly id: ItemId; readonly parentId: ParentId; readonly isOwn: boolean };

export type UsageCounts = {
  readonly views: number;
  readonly uniqueViews: number;
  readonly downloads: number;
  readonly uniqueDownloads: number;
  /** Bytes of the files that were downloaded. */
  readonly dataVolume: number;
};

export const NO_USAGE: UsageCounts = { views: 0, uniqueViews: 0, downloads: 0, uniqueDownloads: 0, dataVolume: 0 };

/** What came together of one subject on one day; `file` "" for the whole of it. */
export type UsageOfDay = UsageCounts & {
  readonly day: Day;
  readonly subject: UsageSubject;
  readonly id: number;
  readonly file: string;
};

/** Counts of a record as its readers see them. */
export type UsageStats = { readonly allVersions: UsageCounts; readonly thisVersion: UsageCounts };

export type UsageOfMonth = UsageCounts & { readonly month: string; readonly item: ItemId; readonly file: string };

export interface UsageReader {
  /** Sums of these subjects; what was never used is absent. */
  usageOf(subject: UsageSubject, ids: readonly number[]): Promise<ReadonlyMap<number, UsageCounts>>;
  /** Counts of these versions, and of all versions of theirs: of each of them, in one statement. */
  usageStats(
    records: readonly { readonly id: ItemId; readonly parentId: ParentId }[],
  ): Promise<ReadonlyMap<number, UsageStats>>;
  /** Of every item together. */
  usageTotals(): Promise<UsageCounts>;
  /**
   * Items by month and file behind a row, in the order of month, item and file; from the first to the last month
   * (YYYY-MM).
   */
  usageByMonth(
    from: string,
    to: string,
    after: Pick<UsageOfMonth, "month" | "item" | "file"> | null,
    limit: number,
  ): Promise<readonly UsageOfMonth[]>;
  /** Parents of which something was counted on this day or later, by number behind `after`. */
  parentsUsedSince(day: Day, after: ParentId, limit: number): Promise<readonly ParentId[]>;
}

export interface UsageWriter extends UsageReader {
  /** Adds to what is there. */
  addUsage(counts: readonly UsageOfDay[]): Promise<void>;
  /** Followers of the changes of items receive these parents once more. */
  notifyParents(ids: readonly ParentId[]): Promise<void>;
}
