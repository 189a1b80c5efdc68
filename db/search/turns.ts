// Work in parts on the thread that answers (R9a): what is short is done at once; what is long gives way to others between its parts, and such work
// stands in a line whose length is limited.
import { IndexUnavailable } from "../../src/repository/search/index-port.ts";
import { turn } from "../../src/shared/event-loop-turn.ts";

/** What one part may hold the others up for. */
const PART_MS = 10;
const WAITING_AT_MOST = 200;

/** Work that pauses between its parts. */
export type InParts<Result> = Generator<void, Result>;

export type WorkLine = {
  /** @throws IndexUnavailable while too much long work waits. */
  run<Result>(work: InParts<Result>): Promise<Result>;
};

export function workLine(): WorkLine {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run<Result>(work: InParts<Result>): Promise<Result> {
      const first = runPart(work);
      if (first.done) return first.value;
      if (waiting >= WAITING_AT_MOST) {
        endEarly(work);
        throw new IndexUnavailable("Too much is being searched for at this moment");
      }
      waiting += 1;
      const result = last
        .then(() => inTurns(work))
        .finally(() => {
          waiting -= 1;
        });
      last = result.catch(() => {});
      return result;
    },
  };
}

/** Does work to its end, giving way to others between its parts. */
export async function inTurns<Result>(work: InParts<Result>, partMs: number = PART_MS): Promise<Result> {
  for (;;) {
    const step = runPart(work, partMs);
    if (step.done) return step.value;
    await turn();
  }
}

function runPart<Result>(work: InParts<Result>, partMs: number = PART_MS): IteratorResult<void, Result> {
  const end = performance.now() + partMs;
  for (;;) {
    const step = work.next();
    if (step.done || performance.now() >= end) return step;
  }
}

function endEarly(work: InParts<unknown>): void {
  work.return(undefined);
}
