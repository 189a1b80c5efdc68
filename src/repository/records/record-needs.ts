// What the use cases of records work with (R37).
import type { Clock } from "../../shared/clock.ts";
import type { Items } from "../items/items.ts";
import type { RepositoryReader, RepositoryStore } from "../store/store.ts";
import type { RecordReview } from "./record-view.ts";

export type RecordsNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly items: Items;
  /** SVC_TOOL_ITEM_TYPE: the item type of records made here (R4a). */
  readonly itemType: number;
  /** The request by which an unpublished item waits for a community; null: there is none. */
  readonly reviewOf: (reader: RepositoryReader, item: number) => Promise<RecordReview | null>;
};
