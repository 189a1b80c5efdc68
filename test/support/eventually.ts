// Waits for a state that is reached in the background: checked again until it holds. The limit only means that it never
// will, however busy the machine is.
import { setTimeout as sleep } from "node:timers/promises";

/** Below the time limit of a test, so that the failure has a reason and not only a time-out. */
const WITHIN_MS = 50_000;
const EVERY_MS = 10;

type Waiting = {
  readonly withinMs?: number;
  readonly everyMs?: number;
  /** Details of the failure. */
  readonly details?: () => unknown;
};

/** The first answer that is neither false, null nor undefined. @throws Error after the limit. */
export async function eventually<T>(
  what: string,
  ask: () => T | Promise<T>,
  { withinMs = WITHIN_MS, everyMs = EVERY_MS, details = () => "" }: Waiting = {},
): Promise<Exclude<T, false | null | undefined>> {
  const untilMs = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (isThere(answer)) return answer;
    if (performance.now() > untilMs) throw new Error(`Not within ${withinMs} ms: ${what} ${String(details())}`.trim());
    await sleep(everyMs);
  }
}

function isThere<T>(answer: T): answer is Exclude<T, false | null | undefined> {
  return answer !== false && answer !== null && answer !== undefined;
}
