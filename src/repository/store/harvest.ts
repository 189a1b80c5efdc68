// The records for harvesters (R36): one for every parent that guests have ever seen, the parents still to be checked,
// and the progress.

import type { AccessStatus } from "../../model/access/openness.ts";
import type { Access, ItemFile } from "../../model/items/item.ts";
import type { Brand } from "../../shared/brand.ts";
import type { FeedPosition } from "../../shared/feed.ts";
import type { IndexId, ItemId, ParentId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";

/** A moment to the second as harvesters write it, `YYYY-MM-DDThh:mm:ssZ`: such texts sort by time. */
export type Second = Brand<string, "second">;

/** A version that was published, as far as it decides what guests see of its record. */
export type PublishedVersion = {
  readonly id: ItemId;
  readonly state: "published" | "deleted";
  readonly parentId: ParentId;
  readonly revision: number;
  readonly ark: string | null;
  readonly access: Access;
  readonly indexes: readonly IndexId[];
  /** How its files are open, each way once. */
  readonly files: readonly Pick<ItemFile, "access" | "accessDate">[];
  readonly updatedAt: Instant;
  /** Of its metadata. */
  readonly bytes: number;
};

/** One parent as it is now. */
export type HarvestedParent = {
  readonly id: ParentId;
  /** The id of its first version. */
  readonly number: ItemId;
  /** Newest first; those that were deleted too. */
  readonly versions: readonly PublishedVersion[];
  /** Slugs of the public communities it belongs to. */
  readonly communities: readonly string[];
};

/** What harvesters received last, and since when. Of a deleted record: what they saw last. */
export type HarvestRecord = {
  readonly parentId: ParentId;
  readonly number: ItemId;
  readonly datestamp: Second;
  readonly state: "shown" | "deleted";
  readonly itemId: ItemId;
  readonly revision: number;
  readonly ark: string | null;
  readonly accessStatus: AccessStatus;
  /** Digest of the content of the version. */
  readonly content: string;
  /** Sets it is in, sorted. */
  readonly sets: readonly string[];
};

/** A parent to be checked. `content`: including its content. `again`: some answer differed from its record. */
export type Due = { readonly parentId: ParentId; readonly content: boolean; readonly again: boolean };

export type HarvestState = {
  /** Null before the follower began. */
  readonly position: FeedPosition | null;
  /** No record will be dated in this second, or before it, any more. */
  readonly closed: Second;
  /** The last day whose openings were checked; "" for none. */
  readonly day: Day;
  /** Every item was checked once: lists may be answered. */
  readonly ready: boolean;
  /** What resumption tokens are signed with. */
  readonly secret: string;
};

/** A stretch of the list, by datestamp and number. `after`: behind this record. */
export type HarvestQuery = {
  readonly set: string | null;
  readonly from: Second | null;
  readonly until: Second;
  readonly after: { readonly datestamp: Second; readonly number: number } | null;
};

type HarvestCounts = { readonly shown: number; readonly deleted: number; readonly due: number };

export interface HarvestReader {
  /** Null before the first start. */
  state(): Promise<HarvestState | null>;
  records(parentIds: readonly ParentId[]): Promise<ReadonlyMap<ParentId, HarvestRecord>>;
  /** By the id of the first version. */
  record(number: ItemId): Promise<HarvestRecord | null>;
  /** The parent whose first version has this id; null where there is none. */
  parentOf(number: ItemId): Promise<ParentId | null>;
  page(query: HarvestQuery, limit: number): Promise<readonly HarvestRecord[]>;
  count(query: HarvestQuery): Promise<number>;
  /** The oldest datestamp; null without records. */
  earliest(): Promise<Second | null>;
  /** These parents as they are now; those without a version are left out. */
  parents(ids: readonly ParentId[]): Promise<readonly HarvestedParent[]>;
  due(limit: number): Promise<readonly Due[]>;
  counts(): Promise<HarvestCounts>;
  /** Parents behind `after`, by id. */
  parentsAfter(after: ParentId, limit: number): Promise<readonly ParentId[]>;
  /** The index and what lies below it, deleted ones too. */
  indexesBelow(id: IndexId): Promise<readonly IndexId[]>;
  /**
   * Of items filed in this index, after item `after`: the parents, and the last item checked; null after the last of
   * all.
   */
  parentsFiledIn(index: IndexId, after: ItemId, limit: number): Promise<ParentsPage>;
  /**
   * Of published items that a day behind `since` and not behind `until` opens (open date, embargo, date of a file), the
   * same.
   */
  parentsOpened(since: Day, until: Day, after: ItemId, limit: number): Promise<ParentsPage>;
  /** Indexes whose public date lies behind `since` and not behind `until`. */
  indexesOpened(since: Day, until: Day): Promise<readonly IndexId[]>;
}

export type ParentsPage = { readonly ids: readonly ParentId[]; readonly last: ItemId | null };

export interface HarvestWriter extends HarvestReader {
  /** Makes the row of the state where there is none. */
  begin(state: Pick<HarvestState, "closed" | "secret">): Promise<void>;
  /** The state, locked until the end of the transaction: every transaction that dates records takes this lock first. */
  lock(): Promise<HarvestState>;
  moveTo(position: FeedPosition): Promise<void>;
  setDay(day: Day): Promise<void>;
  setReady(ready: boolean): Promise<void>;
  /** Raises the second that is closed. */
  close(second: Second): Promise<void>;
  mark(parentIds: readonly ParentId[], why: Pick<Due, "content" | "again">): Promise<void>;
  /** Removes these from the list and returns why they were on it. */
  takeDue(parentIds: readonly ParentId[]): Promise<readonly Due[]>;
  /** Writes records whole, with their sets. */
  save(records: readonly HarvestRecord[]): Promise<void>;
}
