// What the use cases of records work with (R37).
import type { Clock } from "../../shared/clock.ts";
import type { Items } from "../items/items.ts";
import type { RepositoryStore } from "../store/store.ts";

export type RecordsNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly items: Items;
  /** SVC_TOOL_ITEM_TYPE: the item type of records made here (R4a). */
  readonly itemType: number;
};
