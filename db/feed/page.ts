// What both databases say of the feed in the same words.
import type { FeedChange, FeedPage } from "../../src/resolver/replica.ts";

export type SeenRow = {
  readonly id: number;
  readonly writer: string;
  readonly subject: FeedChange["subject"];
  readonly target: string;
  readonly at: string;
};

export function toChanges(rows: readonly SeenRow[]): FeedChange[] {
  return rows
    .map(({ id, subject, target }) => ({ id, subject, target }))
    .sort((one, other) => one.id - other.id)
    .map((change) => ({ ...change, id: String(change.id) }));
}

/** The database is not the continuation of what was read: an epoch nobody has makes the reader load everything anew. */
export function lost(why: string): FeedPage {
  return { changes: [], position: { epoch: "", horizon: "" }, lost: why };
}

export function epochChange(before: string, now: string): FeedPage {
  const why = `The database is of epoch ${now}, what was read is of epoch ${before}`;
  return { changes: [], position: { epoch: now, horizon: "" }, lost: why };
}

/** A database without an epoch is being restored: what it holds is no answer to anything. */
export function requireEpoch(epoch: string | null | undefined): string {
  if (epoch !== null && epoch !== undefined) return epoch;
  throw new Error("The database has no feed epoch: its restore has not ended");
}
