// Work that pauses between its parts (R9a): the same work to its end without yielding, or with yields to the event loop.
import { yieldToEventLoop } from "../time/event-loop-turn.ts";

/** What one part may hold the others up for. */
const PART_MS = 10;

export type InParts<Result> = Generator<void, Result>;

/** Does work to its end, giving way to others between its parts. */
export async function inTurns<Result>(work: InParts<Result>, partMs: number = PART_MS): Promise<Result> {
  for (;;) {
    const step = runPart(work, partMs);
    if (step.done) return step.value;
    await yieldToEventLoop();
  }
}

/** As many parts as fit into so long, one at least. */
export function runPart<Result>(work: InParts<Result>, partMs: number = PART_MS): IteratorResult<void, Result> {
  const end = performance.now() + partMs;
  for (;;) {
    const step = work.next();
    if (step.done || performance.now() >= end) return step;
  }
}

/** Does all of it without a pause. */
export function atOneGo<Result>(work: InParts<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
