// Whether the storage of files gives and takes (R7c), for whoever asks often: written to seldom, since a bucket may keep every version of what is
// written, and at each look after a failure, since that it gives again does not say that it takes.
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
