// Ends a process whose main thread no longer answers (R9b): SQLite's drivers can neither interrupt a statement nor
// receive a signal while one runs, so a thread next to it counts the beats of the event loop. A supervisor starts the
// service again; SQLite survives the end of a process at any moment.
import process from "node:process";
import { Worker } from "node:worker_threads";
import type { Log } from "../shared/log.ts";

/** The event loop beats once in so long. */
const BEAT_MS = 1_000;

export type WatchdogLimits = {
  readonly everyMs: number;
  /** Rounds without a beat after which the process is ended. */
  readonly silent: number;
  /** Rounds after a signal in which the process ends by itself. */
  readonly ending: number;
};

/**
 * Longer than any piece of work (250 ms), on the slowest machine; and longer than requests may take to end after a
 * signal.
 */
const LIMITS: WatchdogLimits = { everyMs: BEAT_MS, silent: 30, ending: 20 };

export type WatchdogData = { readonly limits: WatchdogLimits; readonly shared: SharedArrayBuffer };
/** Places in the shared memory: beats so far, and 1 once a signal has come. */
export const BEATS = 0;
export const ENDING = 1;

export type Watchdog = {
  /** From here on the process has so long to end. */
  readonly ending: () => void;
  readonly stop: () => void;
};

export function startWatchdog(log: Pick<Log, "warn">, limits: WatchdogLimits = LIMITS): Watchdog {
  const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  const places = new Int32Array(shared);
  const beating = setInterval(() => Atomics.add(places, BEATS, 1), limits.everyMs);
  beating.unref();
  // On Deno a thread needs the right to read its source: a role without it goes on unwatched.
  const unwatched = (error: unknown): void => log.warn("unwatched", { error });
  let thread: Worker | null = null;
  try {
    const workerData: WatchdogData = { limits, shared };
    thread = new Worker(new URL("./watchdog-worker.ts", import.meta.url), { workerData });
    thread.on("error", unwatched);
    thread.unref();
  } catch (error) {
    unwatched(error);
  }
  return {
    ending(): void {
      Atomics.store(places, ENDING, 1);
      // Where the event loop still runs, but something does not end.
      setTimeout(() => process.exit(1), limits.ending * limits.everyMs).unref();
    },
    stop(): void {
      clearInterval(beating);
      void thread?.terminate();
    },
  };
}
