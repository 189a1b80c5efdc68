// The database as `arkstone verify` reads it: one moment of it, in pages, each table once. `db/operating/verify.ts`
// implements it.
import type { ArkRecord } from "../ark/record.ts";
import type { FoundCredential } from "../ark/store.ts";
import type { AuthorRow } from "./verify/authors.ts";
import type { Finding } from "./verify/finding.ts";
import type { HistoryStep } from "./verify/history.ts";
import type { ItemRow, ParentRow, StrayIndexRow } from "./verify/items.ts";
import type { FeedRow, ReceiptRow, SignedChange } from "./verify/records.ts";
import type { Policy } from "./verify/registry.ts";

export interface Inspection {
  policy(): Promise<Policy>;
  /** Names in the order of their keys (by bytes). */
  arks(): AsyncIterable<readonly ArkRecord[]>;
  /** The steps of every name, in the order of the keys, oldest first. */
  history(): AsyncIterable<readonly (HistoryStep & { readonly target: string })[]>;
  receipts(): AsyncIterable<readonly ReceiptRow[]>;
  /** In the order they were written. */
  changes(): AsyncIterable<readonly SignedChange[]>;
  audit(): AsyncIterable<readonly SignedChange[]>;
  feed(): Promise<FeedRow>;
  /** By id. */
  items(): AsyncIterable<readonly ItemRow[]>;
  parents(): AsyncIterable<readonly ParentRow[]>;
  /** Items in an index that is not there; of each item one. */
  strayIndexes(): AsyncIterable<readonly StrayIndexRow[]>;
  /** By id. */
  authors(): AsyncIterable<readonly AuthorRow[]>;
  /** By how many keys authors are found. */
  countAuthorKeys(): Promise<number>;
  /** True where a repository was set up in it. */
  hasRepository(): Promise<boolean>;
  credentialByClientId(clientId: string): Promise<FoundCredential | null>;
  /**
   * What the database itself reports of its files, indexes and triggers; `notes`: what could not be checked, and why.
   */
  engine(): Promise<{ readonly findings: readonly Finding[]; readonly notes: readonly string[] }>;
}
