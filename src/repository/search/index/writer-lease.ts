// One process at a time writes the search index that all share (R34): a lease in the database, renewed while it is
// held, and free again a short while after its holder is gone. Two that both believe to hold it, which clocks that
// differ can bring about, undo nothing: what is written is read from the database, and the index notices the other one
// (src/adapters/typesense-index.ts).
import type { Clock } from "../../../shared/time/clock.ts";
import { addMilliseconds } from "../../../shared/time/instant.ts";
import type { SearchWriter } from "../../store/search-writer.ts";

/** Longer than a process is ever silent that is well, shorter than anybody waits to find what was deposited. */
const LEASE_MS = 15_000;
const RENEWED_AFTER_MS = 5_000;
/** The interval at which processes without the lease try to take it. */
const ASKED_MS = 1_000;

/** An index that processes share is written by one of them at a time. */
export interface Lease {
  /** Whether this process writes, for a while from now on. */
  held(): Promise<boolean>;
  release(): Promise<void>;
}

export type WriterLeaseNeeds = {
  readonly store: {
    transact<T>(work: (tx: { readonly searchWriting: SearchWriter }) => Promise<T>): Promise<T>;
  };
  readonly clock: Clock;
  /** The id of this process, different from all others. */
  readonly owner: string;
  /** A clock that only moves forward, in milliseconds. */
  readonly elapsedMs: () => number;
};

export function writerLease({ store, clock, owner, elapsedMs }: WriterLeaseNeeds): Lease {
  let isHeld = false;
  let askedAt: number | null = null;

  return {
    async held() {
      const now = elapsedMs();
      if (askedAt !== null && now - askedAt < (isHeld ? RENEWED_AFTER_MS : ASKED_MS)) return isHeld;
      // What cannot be renewed is not held: the question fails, and is asked again at the next time.
      isHeld = false;
      askedAt = null;
      const at = clock.now();
      const until = addMilliseconds(at, LEASE_MS);
      isHeld = await store.transact((tx) => tx.searchWriting.takeSearchWriting(owner, at, until));
      askedAt = now;
      return isHeld;
    },
    async release() {
      askedAt = null;
      if (!isHeld) return;
      isHeld = false;
      await store.transact((tx) => tx.searchWriting.releaseSearchWriting(owner));
    },
  };
}
