// How often items were viewed and their files downloaded (R39): counts per day, and their sums, without data about
// visitors.
import type { ItemId, ParentId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";

/** An item (one version), or what ties its versions together. */
export type UsageSubject = "item" | "parent";

/**
 * What is counted by month over the records that guests may read, each counted where it is on the day of the visit:
 * the repository, communities by UUID, indexes and persons by number, countries by ISO 3166-1.
 */
type UsageGroup = "repository" | "community" | "index" | "person" | "country";

/**
 * The record that was viewed, or whose file was downloaded. `isOwn`: by whom it belongs to, who looks after it, or
 * somebody of the staff. `isPublic`: guests may read the record.
 */
export type VisitedRecord = {
  readonly id: ItemId;
  readonly parentId: ParentId;
  readonly isOwn: boolean;
  readonly isPublic: boolean;
};

export type UsageCounts = {
  readonly views: number;
  readonly uniqueViews: number;
  readonly downloads: number;
  readonly uniqueDownloads: number;
  /** Bytes of the files that were downloaded. */
  readonly dataVolume: number;
};

export const NO_USAGE: UsageCounts = { views: 0, uniqueViews: 0, downloads: 0, uniqueDownloads: 0, dataVolume: 0 };

/**
 * What came together of one subject on one day; `file` "" for the whole of it. `public`: a parent, for the groups that
 * it belongs to; its `file` is the country, "" where that is not known.
 */
export type UsageOfDay = UsageCounts & {
  readonly day: Day;
  readonly subject: UsageSubject | "public";
  readonly id: number;
  readonly file: string;
};

/** Views and downloads of one month (YYYY-MM), and the bytes that were downloaded. */
export type MonthlyUsage = Pick<UsageCounts, "views" | "downloads" | "dataVolume"> & { readonly month: string };

/** The same of one file, or of one country, over several months. */
export type NamedUsage = Omit<MonthlyUsage, "month"> & { readonly name: string };

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
  /**
   * Of one version, of all versions of a parent, or of one file of a version: months in which something was counted, in
   * their order.
   */
  monthsOf(subject: UsageSubject, id: number, file: string, from: string, to: string): Promise<readonly MonthlyUsage[]>;
  /** The files of a version that were downloaded, the most first. */
  filesOf(id: ItemId, from: string, to: string, limit: number): Promise<readonly NamedUsage[]>;
  /** The same of a group; of a person with everybody whom this one took in. */
  monthsOfGroup(group: UsageGroup, ref: string, from: string, to: string): Promise<readonly MonthlyUsage[]>;
  /** Countries from which there were visits, the most first. */
  countries(from: string, to: string): Promise<readonly NamedUsage[]>;
  /** Parents that were viewed most in a month while guests could read them. */
  mostUsed(month: string, limit: number): Promise<readonly ParentId[]>;
  /** Parents of which something was counted on this day or later, by number behind `after`. */
  parentsUsedSince(day: Day, after: ParentId, limit: number): Promise<readonly ParentId[]>;
}

export interface UsageWriter extends UsageReader {
  /** Adds to what is there. */
  addUsage(counts: readonly UsageOfDay[]): Promise<void>;
  /** Followers of the changes of items receive these parents once more. */
  notifyParents(ids: readonly ParentId[]): Promise<void>;
}
