// Repeats work after a pause for as long as the process runs; two runs never overlap.
import { setTimeout as sleep } from "node:timers/promises";

type RepeatedWork = {
  readonly everyMs: number;
  /** Leaves soon once the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

export function repeatedly({ everyMs, run, onError }: RepeatedWork) {
  const ending = new AbortController();
  const { signal } = ending;
  let running: Promise<void> | null = null;

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      try {
        await run(signal);
      } catch (error) {
        onError(error);
      }
      // A pause that the end interrupts is not an error.
      await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  }

  return {
    start(): void {
      running ??= loop();
    },
    async stop(): Promise<void> {
      ending.abort();
      await running;
    },
  };
}
