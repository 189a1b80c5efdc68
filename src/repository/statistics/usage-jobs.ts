// Sorting by use (R39): once a day followers of the changes receive the records that were viewed or downloaded since
// the day before, so that the numbers they are sorted by are current. An update after each view would rebuild a
// document each time.
import type { JobKinds } from "../../jobs/runner.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Day } from "../../shared/time/day.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import type { RepositoryStore } from "../store/store.ts";

export const USAGE_JOB = "usage";
const DAY_MS = 86_400_000;
const NOTIFIED_TOGETHER = 1_000;

type UsageJobNeeds = {
  readonly store: Pick<RepositoryStore, "usage" | "transact">;
  readonly clock: Clock;
  readonly dayOf: (at: Instant) => Day;
};

export function usageJobs({ store, clock, dayOf }: UsageJobNeeds): JobKinds {
  return {
    [USAGE_JOB]: {
      async run(_job, { signal, progress }) {
        // Uses between two runs are of at most two days, and one more where a run was late.
        const since = dayOf(addMilliseconds(clock.now(), -2 * DAY_MS));
        let [afterId, notified] = [0, 0];
        for (;;) {
          signal.throwIfAborted();
          const ids = await store.usage.parentsUsedSince(since, afterId, NOTIFIED_TOGETHER);
          const last = ids.at(-1);
          if (last === undefined) return;
          await store.transact((tx) => tx.usage.notifyParents(ids));
          [afterId, notified] = [last, notified + ids.length];
          await progress(`${notified} records notified`);
          await yieldToEventLoop();
        }
      },
      maxAttempts: 5,
      everyMs: DAY_MS,
    },
  };
}
