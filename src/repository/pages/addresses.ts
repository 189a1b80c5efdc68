// What the pages of the repository are made from (R19a): the core of items, the database, the addresses things have.
import type { Day } from "../../shared/day.ts";
import type { Exporting } from "../store/exporting.ts";
import type { RepositoryStore } from "../store/store.ts";
import type { Items } from "../items/items.ts";
import type { Activities } from "../workflow/activities.ts";

export type ShowingNeeds = {
  readonly store: RepositoryStore;
  readonly items: Items;
  readonly activities: Activities;
  readonly today: () => Day;
  readonly repositoryName: string;
  /** Public address of the repository, without slash at the end. */
  readonly baseUrl: string;
  /** Writes exports of very long items. */
  readonly exporting: Exporting;
  /** Where an ARK (`naan/name`) resolves. */
  readonly arkUrl: (ark: string) => string;
};

/** Public address of a landing page. */
export const recordUrl = (baseUrl: string, id: number): string => `${baseUrl}/records/${id}`;

/** Path of a file below the repository's address; the name is encoded once, whatever it is. */
export const filePath = (id: number, name: string): string => `/records/${id}/files/${encodeURIComponent(name)}`;
