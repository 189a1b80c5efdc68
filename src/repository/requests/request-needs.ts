// What the use cases of requests work with (R37).
import type { Clock, Random } from "../../shared/time/clock.ts";
import type { Items } from "../items/items.ts";
import type { Records } from "../records/records.ts";
import type { RepositoryStore } from "../store/store.ts";

export type RequestsNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly items: Items;
  /** Publishes as records are published (R37). */
  readonly records: Pick<Records, "publishIn" | "requireDraftSeen">;
  /** Without slash at the end. */
  readonly baseUrl: string;
};
