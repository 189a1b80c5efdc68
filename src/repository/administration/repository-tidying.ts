// What a repository forgets as time goes by (R13, R33, R8): answers to Idempotency-Keys after their days, sessions and
// links that have ended.

import type { JobKinds } from "../../jobs/runner.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { RepositoryStore } from "../store/store.ts";

const TIDY_JOB = "tidy";
const HOUR_MS = 3_600_000;

export function tidyingJobs({
  store,
  clock,
}: {
  readonly store: Pick<RepositoryStore, "transact">;
  readonly clock: Clock;
}): JobKinds {
  return {
    [TIDY_JOB]: {
      run: () =>
        store.transact(async (tx) => {
          const at = clock.now();
          await tx.activities.forgetDepositReceipts(at);
          await tx.accounts.forgetEnded(at);
        }),
      maxAttempts: 5,
      everyMs: HOUR_MS,
    },
  };
}
