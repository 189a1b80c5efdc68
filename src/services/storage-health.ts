// Whether the storage of files gives and takes (R7c), asked by whoever probes the process: looked at often, written to seldom, since a bucket may keep
// every version of what is written.
import type { Storage } from "../ports/storage.ts";

/** Probes that come faster share one answer. */
const KEPT_MS = 2_000;
const WRITE_EVERY_MS = 10 * 60_000;
/** A probe of the process gives up after two seconds as a rule: the answer comes before. */
const WITHIN_MS = 1_200;

export type StorageHealth = {
  /** Null, or why files cannot be kept, in one sentence. Never throws. */
  readonly problem: () => Promise<string | null>;
};

export function storageHealth(needs: {
  readonly storage: Pick<Storage, "probe">;
  readonly elapsedMs: () => number;
}): StorageHealth {
  const { storage, elapsedMs } = needs;
  let [askedAt, wroteAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let answer: Promise<string | null> = Promise.resolve(null);

  async function ask(): Promise<string | null> {
    // After a failure the next look writes too: that it gives again does not say that it takes.
    const write = elapsedMs() - wroteAt >= WRITE_EVERY_MS;
    try {
      await storage.probe({ write, withinMs: WITHIN_MS });
      if (write) wroteAt = elapsedMs();
      return null;
    } catch (error) {
      wroteAt = Number.NEGATIVE_INFINITY;
      return `Files cannot be stored: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  return {
    problem() {
      if (elapsedMs() - askedAt >= KEPT_MS) {
        askedAt = elapsedMs();
        answer = ask();
      }
      return answer;
    },
  };
}
