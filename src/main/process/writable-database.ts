// Work of a process that has to write before it can begin (setting a repository up, running jobs) waits until the
// database lets it.

import type { RepositoryStore } from "../../repository/store/store.ts";
import type { Log } from "../../shared/log.ts";
import { StartError, wordsOf } from "./role-parts.ts";

const TRY_AGAIN_MS = 2_000;

type WhenWritable = {
  /**
   * Begins at once where that can be, else as soon as it can. @throws StartError when the database can be written and
   * it fails all the same.
   */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export function whenWritable(needs: {
  readonly store: Pick<RepositoryStore, "arks">;
  readonly log: Log;
  readonly begin: () => Promise<void>;
}): WhenWritable {
  const { store, log, begin } = needs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let trying = Promise.resolve();
  let isStopped = false;

  async function tryOnce(): Promise<boolean> {
    if ((await store.arks.writeProblem()) !== null) return false;
    await begin();
    return true;
  }

  function later(): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      trying = tryOnce().then(
        (isBegun) => (isBegun ? undefined : later()),
        (error: unknown) => {
          log.warn("start_delayed", { error });
          later();
        },
      );
    }, TRY_AGAIN_MS);
    timer.unref();
  }

  return {
    async start() {
      try {
        if (!(await tryOnce())) later();
      } catch (error) {
        throw new StartError(`Cannot write what a repository begins with: ${wordsOf(error)}`, { cause: error });
      }
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await trying;
    },
  };
}
