// What the records interface shows of one version (R37): its published side or its draft, with everything that decides how it is written. Writers
// take it and read nothing.
import type { Entries } from "../../formats/record/reading.ts";
import type { AccessStatus } from "../../model/access/openness.ts";
import type { FieldError } from "../../model/input/record-refusals.ts";
import type { Draft, Item, ItemContent, ItemParent, Review } from "../../model/items/item.ts";
import type { Day } from "../../shared/time/day.ts";
import type { UsageStats } from "../store/usage.ts";

export type RecordView = {
  readonly item: Omit<Item, "content">;
  readonly parent: ItemParent;
  /** What is shown: the published content, or that of `draft`. */
  readonly content: ItemContent;
  /** Its content is shown; null: the published side is. */
  readonly draft: Omit<Draft, "content"> | null;
  /** The number in the request is a parent's, which leads to this version (R2a). */
  readonly byParent: boolean;
  /** Reads whatever there is of it (R2d). */
  readonly privileged: boolean;
  /** The viewer may change it over this interface (R2e). */
  readonly editable: boolean;
  /** The version with the highest number that this viewer may read. */
  readonly isLatest: boolean;
  /** No later version is being prepared, as far as this viewer knows. */
  readonly isLatestDraft: boolean;
  /** Number of the first version, which harvesters know the thing by (R36). */
  readonly firstVersion: number;
  readonly filesReadable: boolean;
  readonly accessStatus: AccessStatus;
  readonly today: Day;
  readonly review: Review | null;
  /** How often it was viewed and downloaded; absent where a draft is shown (R39). */
  readonly usage?: UsageStats;
  /** What is wrong in the draft; absent where the published side is shown. */
  readonly errors?: readonly FieldError[];
  /** Those its metadata name, with the titles that are shown. */
  readonly entries: Entries;
};
