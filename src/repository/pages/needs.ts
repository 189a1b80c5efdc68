// What the pages of the repository are made from (R19a): the core of items, the database, the addresses things have.

import type { Addresses } from "../../model/items/addresses.ts";
import type { Day } from "../../shared/time/day.ts";
import type { RecordExports } from "../exports/record-exports.ts";
import type { Items } from "../items/items.ts";
import type { RepositoryStore } from "../store/store.ts";
import type { Activities } from "../workflow/activities.ts";

export type ShowingNeeds = {
  readonly store: RepositoryStore;
  readonly items: Items;
  readonly activities: Activities;
  readonly today: () => Day;
  readonly repositoryName: string;
  readonly addresses: Addresses;
  readonly exports: RecordExports;
};
