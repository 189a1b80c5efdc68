// The feed of changes does not keep a history (R34): rows that every follower read long ago are deleted. A later
// follower rebuilds its index.
import type { JobKinds } from "../../../jobs/runner.ts";
import type { Log } from "../../../shared/log.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import { yieldToEventLoop } from "../../../shared/time/event-loop.ts";
import { addMilliseconds } from "../../../shared/time/instant.ts";
import type { ChangeReader } from "../../store/changes.ts";

export const FEED_JOB = "change_feed";
const HOUR_MS = 3_600_000;
const KEPT_MS = 7 * 24 * HOUR_MS;
const FORGOTTEN_AT_ONCE = 5_000;

type FeedJobNeeds = {
  readonly store: { readonly changes: Pick<ChangeReader, "forget"> };
  readonly clock: Clock;
  readonly log: Log;
};

export function feedJobs({ store, clock, log }: FeedJobNeeds): JobKinds {
  return {
    [FEED_JOB]: {
      async run(_job, { signal }) {
        const before = addMilliseconds(clock.now(), -KEPT_MS);
        let gone = 0;
        for (let some = FORGOTTEN_AT_ONCE; some === FORGOTTEN_AT_ONCE; ) {
          signal.throwIfAborted();
          some = await store.changes.forget(before, FORGOTTEN_AT_ONCE);
          gone += some;
          await yieldToEventLoop();
        }
        if (gone > 0) log.info("change_feed_shortened", { gone });
      },
      maxAttempts: 5,
      everyMs: 24 * HOUR_MS,
    },
  };
}
