// What the parts of the store's contract share: the store under test, and the smallest receipt and change.
import type { StartThread } from "../../db/engine/sqlite-thread.ts";
import type { Change, Receipt, Store } from "../../src/ark/store.ts";
import { NOW, type Seeded } from "../support/seed.ts";

/** Where a store lives for one suite. */
export type Place = { readonly url: string; readonly thread?: StartThread; drop(): Promise<void> };

export type Bench = {
  readonly store: Store;
  readonly seeded: Seeded;
  /** Runs SQL past the store, on a separate connection. */
  sql(text: string): Promise<readonly Record<string, unknown>[]>;
};

export const LATER = "2026-11-21T10:00:00.000Z";

export function receiptOf(requestId: string, key: string, changes: Partial<Receipt> = {}): Receipt {
  return { clientId: "ops", requestId, kind: "mint", key, createdAt: NOW, ...changes };
}

export function changeOf(target: string, changes: Partial<Change> = {}): Change {
  return { subject: "ark", target, action: "mint", beforeUrl: "", afterUrl: "", fields: [], reason: "", ...changes };
}
