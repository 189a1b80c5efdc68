// The parts of the feed that both databases share.
import type { FeedEntry, PageOf } from "../../src/shared/feed.ts";
import type { Instant } from "../../src/shared/time/instant.ts";

/** Which table a feed is written to. `Subject`: the words of its column `subject`. */
export type FeedTable = "ark_change" | "item_change";

export type SeenRow<Subject extends string = string> = {
  readonly id: number;
  readonly writer: string;
  readonly subject: Subject;
  readonly target: string;
  readonly at: Instant;
};

export function toChanges<Subject extends string>(rows: readonly SeenRow<Subject>[]): FeedEntry<Subject>[] {
  return rows
    .map(({ id, subject, target }) => ({ id, subject, target }))
    .sort((one, other) => one.id - other.id)
    .map((change) => ({ ...change, id: String(change.id) }));
}

/** The database does not continue what was read: an unknown epoch makes the reader load everything again. */
export function lost(why: string): PageOf<never> {
  return { changes: [], position: { epoch: "", horizon: "" }, lost: why };
}

export function epochChange(before: string, now: Instant): PageOf<never> {
  const why = `The database is of epoch ${now}, what was read is of epoch ${before}`;
  return { changes: [], position: { epoch: now, horizon: "" }, lost: why };
}

/** A database without an epoch is being restored: its content must not be served. */
export function requireEpoch(epoch: string | null | undefined): string {
  if (epoch !== null && epoch !== undefined) return epoch;
  throw new Error("The database has no feed epoch: its restore has not ended");
}
