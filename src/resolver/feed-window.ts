// What the resolver remembers of the feed it follows, so that a change read twice is applied once (A44;
// docs/freshness.md).
import type { FeedChange, FeedPage } from "./replica.ts";

/** Changes remembered by id. One that is forgotten and read again is applied again, which changes nothing. */
const REMEMBERED = 20_000;

/** The replica has not come to where another one was that was read before: nothing of it may be applied. */
export class ReplicaBehind extends Error {
  override readonly name = "ReplicaBehind";
}

export function feedWindow(now: () => number = () => Date.now()) {
  /** What was applied to which table: another table has seen nothing yet. */
  const remembered = new WeakMap<object, Set<string>>();
  let windowRows = 0;
  let openTransactions = 0;
  let oldest: string | null = null;
  let sinceMs: number | null = null;

  function watch({ open = 0, oldest: first = null }: FeedPage): void {
    openTransactions = open;
    if (first !== oldest) sinceMs = first === null ? null : now();
    oldest = first;
  }

  return {
    /** The changes of a page that this table has not seen. `isFirst`: the first page of one read of the feed. */
    unseen(table: object, page: FeedPage, isFirst: boolean): readonly FeedChange[] {
      if (isFirst) windowRows = 0;
      watch(page);
      const seen = remembered.get(table);
      if (seen === undefined) return page.changes;
      const fresh = page.changes.filter(({ id }) => !seen.has(id));
      windowRows += page.changes.length - fresh.length;
      return fresh;
    },

    /** To be called once the changes are in the table, not before. */
    applied(table: object, changes: readonly FeedChange[]): void {
      const seen = remembered.get(table) ?? new Set<string>();
      remembered.set(table, seen);
      for (const { id } of changes) seen.add(id);
      // A set gives its oldest entries first.
      for (const id of seen) {
        if (seen.size <= REMEMBERED) break;
        seen.delete(id);
      }
    },

    status: () => ({ windowRows, openTransactions, horizonSinceMs: sinceMs }),
  };
}
