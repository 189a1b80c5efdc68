// Waiting for what comes about on its own: asked again until it holds. The limit only says that it never will, however busy the machine is.
import { setTimeout as sleep } from "node:timers/promises";

/** Below what a test may take, so that the reason is told and not only that it took too long. */
const WITHIN_MS = 25_000;
const EVERY_MS = 10;

type Waiting = {
  readonly withinMs?: number;
  readonly everyMs?: number;
  /** What to say of the failure. */
  readonly told?: () => unknown;
};

/** The first answer that is neither false, null nor undefined. @throws Error after the limit. */
export async function eventually<T>(
  what: string,
  ask: () => T | Promise<T>,
  { withinMs = WITHIN_MS, everyMs = EVERY_MS, told = () => "" }: Waiting = {},
): Promise<Exclude<T, false | null | undefined>> {
  const untilMs = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (isThere(answer)) return answer;
    if (performance.now() > untilMs) throw new Error(`Not within ${withinMs} ms: ${what} ${String(told())}`.trim());
    await sleep(everyMs);
  }
}

function isThere<T>(answer: T): answer is Exclude<T, false | null | undefined> {
  return answer !== false && answer !== null && answer !== undefined;
}
