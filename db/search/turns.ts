// Work in parts on the thread that answers (R9a): what is short is done at once; what is long gives way to others
// between its parts, and such work waits in a queue of limited length.
import { IndexUnavailable } from "../../src/repository/search/index/index-port.ts";
import { type InParts, inTurns, runPart } from "../../src/shared/time/event-loop.ts";

const WAITING_AT_MOST = 200;

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

function endEarly(work: InParts<unknown>): void {
  work.return(undefined);
}
