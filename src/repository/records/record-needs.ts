// What the use cases of records work with (R37).

import type { Viewer } from "../../auth/account.ts";
import type { WithParent } from "../../model/items/item.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Items } from "../items/items.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";
import type { EntriesOf } from "./record-entries.ts";
import type { RecordJsonNeeds } from "./record-json.ts";

export type RecordsNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly items: Items;
  /** SVC_TOOL_ITEM_TYPE: the item type of records made here (R4a). */
  readonly itemType: number;
  readonly entriesOf: EntriesOf;
  /** Asks the community that `review` names to review the draft. @throws Refusal `invalid` naming what is wrong with it. */
  readonly review: (tx: RepositoryWriter, viewer: Viewer, topic: WithParent, review: unknown) => Promise<unknown>;
  /** Memory for texts that are asked for again. */
  readonly keptBytes: number;
  /** What records are written with: addresses of everything they link to. */
  readonly written: RecordJsonNeeds;
};
