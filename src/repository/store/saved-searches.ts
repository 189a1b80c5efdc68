// Searches that accounts saved, and what their alerts have reported (issue 26).
import type { AccountId, ItemId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";

export const ALERT_FREQUENCIES = ["never", "daily", "weekly"] as const;
export type AlertFrequency = (typeof ALERT_FREQUENCIES)[number];

export type SavedSearch = {
  /** UUID. */
  readonly id: string;
  readonly accountId: AccountId;
  /** From 1, each number once for an account: so an account has no more searches than are allowed. */
  readonly position: number;
  readonly name: string;
  /** Parameters of the search page, encoded. */
  readonly query: string;
  /** How often new items are reported by mail. */
  readonly frequency: AlertFrequency;
  /** SHA-256 (hex) of the secret of its feed; null: there is no feed. */
  readonly feedHash: string | null;
  /** Items that were published later are new. */
  readonly since: Instant;
  /** Null: it has no alert. */
  readonly nextRunAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type ReportedItem = { readonly id: ItemId; readonly publishedAt: Instant };

export interface SavedSearchReader {
  savedSearch(id: string): Promise<SavedSearch | null>;
  /** In the order of their positions. */
  savedSearchesOf(account: AccountId): Promise<readonly SavedSearch[]>;
  savedSearchOfFeed(feedHash: string): Promise<SavedSearch | null>;
  /** Those whose alert is due, the longest due first. */
  dueSavedSearches(at: Instant, limit: number): Promise<readonly SavedSearch[]>;
  /** Which of these items the alert has reported. */
  reportedItems(search: string, items: readonly ItemId[]): Promise<readonly ItemId[]>;
}

export interface SavedSearchWriter extends SavedSearchReader {
  /** The search, locked until the end of the transaction. */
  lockSavedSearch(id: string): Promise<SavedSearch | null>;
  /** False where the account has another one at this position. */
  insertSavedSearch(search: SavedSearch): Promise<boolean>;
  /** Name, frequency, feed, since and the next run. */
  saveSavedSearch(search: SavedSearch): Promise<void>;
  /** With what its alert has reported. */
  deleteSavedSearch(id: string): Promise<void>;
  addReportedItems(search: string, items: readonly ReportedItem[]): Promise<void>;
  /** Their alert reports them again. */
  removeReportedItems(search: string, items: readonly ItemId[]): Promise<void>;
  /** Forgets what was published before. */
  forgetReportedItems(search: string, before: Instant): Promise<void>;
}
