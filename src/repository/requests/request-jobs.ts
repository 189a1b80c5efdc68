// The job that ends what nobody decided about (specification 3, "States and transitions", expire; R8a).
import type { JobKinds } from "../../jobs/runner.ts";
import type { Log } from "../../shared/log.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import type { AccessRequests } from "./access-requests.ts";
import type { Requests } from "./requests.ts";

export const EXPIRY_JOB = "request_expiry";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Ended one by one, each in a separate transaction; the next round ends the others. */
const AT_ONCE = 100;

type RequestJobNeeds = {
  readonly requests: Pick<Requests, "expireBefore">;
  readonly access: Pick<AccessRequests, "endIdle" | "forgetGuests">;
  readonly clock: Pick<Clock, "now">;
  /** SVC_REQUEST_EXPIRY_DAYS; 0: never. */
  readonly expiryDays: number;
  readonly log: Pick<Log, "info">;
};

export const requestJobs = ({ requests, access, clock, expiryDays, log }: RequestJobNeeds): JobKinds => ({
  [EXPIRY_JOB]: {
    maxAttempts: 5,
    everyMs: HOUR_MS,
    run: async (_, { signal }) => {
      const before = expiryDays === 0 ? null : addMilliseconds(clock.now(), -expiryDays * DAY_MS);
      while (await access.forgetGuests(AT_ONCE)) signal.throwIfAborted();
      for (let after: string | null = ""; after !== null; ) {
        signal.throwIfAborted();
        after = await access.endIdle(before, after, AT_ONCE);
      }
      if (before === null) return;
      let expired = 0;
      for (;;) {
        signal.throwIfAborted();
        const ended = await requests.expireBefore(before, AT_ONCE);
        expired += ended;
        if (ended === 0) break;
      }
      if (expired > 0) log.info("requests_expired", { expired });
    },
  },
});
