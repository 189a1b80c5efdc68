// Whether the storage of files can be read and written (R7c), for frequent checks. It writes seldom, because a bucket
// may keep every version of what is written, and at each check after a failure, because a storage that can be read
// again cannot always be written.
import type { Storage } from "./storage.ts";

const WRITE_EVERY_MS = 10 * 60_000;

/** @returns what throws the StorageProblem of a storage that does not work. */
export function sparingProbe(needs: {
  readonly storage: Pick<Storage, "probe">;
  readonly elapsedMs: () => number;
}): (withinMs: number) => Promise<void> {
  const { storage, elapsedMs } = needs;
  let wroteAt = Number.NEGATIVE_INFINITY;
  return async (withinMs) => {
    const write = elapsedMs() - wroteAt >= WRITE_EVERY_MS;
    try {
      await storage.probe({ write, withinMs });
      if (write) wroteAt = elapsedMs();
    } catch (error) {
      wroteAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  };
}
