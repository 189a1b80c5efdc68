// What is forgotten of grants as time goes by (R30): codes and tokens that ended, grants that nothing is left of,
// clients that nobody uses.
import { REPOSITORY_OPERATOR } from "../../auth/account.ts";
import type { JobKinds } from "../../jobs/runner.ts";
import { most } from "../../shared/limits.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import type { RepositoryStore } from "../store/store.ts";
import { endGrantIn } from "./grants.ts";
import { ENDED_KEPT_MS, IDLE_CLIENT_MS, UNUSED_CLIENT_MS } from "./lifetimes.ts";

export const GRANTS_JOB = "grants";
const HOUR_MS = 3_600_000;
/** For a day a code that is used again is distinguished from an unknown one. */
const SECRETS_KEPT_MS = 24 * HOUR_MS;
const ENDED_TOGETHER = 500;

type GrantJobsNeeds = { readonly store: Pick<RepositoryStore, "transact">; readonly clock: Clock };

export function grantJobs({ store, clock }: GrantJobsNeeds): JobKinds {
  return {
    [GRANTS_JOB]: {
      async run(_job, { signal }) {
        const at = clock.now();
        const before = (ms: number) => addMilliseconds(at, -ms);
        for (let ended = ENDED_TOGETHER; ended === ENDED_TOGETHER; ) {
          signal.throwIfAborted();
          ended = await store.transact(async (tx) => {
            const lapsed = await tx.grants.lapsedGrants(at, ENDED_TOGETHER);
            for (const grant of lapsed) await endGrantIn(tx, REPOSITORY_OPERATOR, at, grant, "lapsed");
            return lapsed.length;
          });
        }
        await store.transact(async (tx) => {
          await tx.grants.forgetGrantSecrets(before(SECRETS_KEPT_MS));
          await tx.grants.forgetGrants(before(ENDED_KEPT_MS));
          await tx.grants.forgetUnusedClients(before(UNUSED_CLIENT_MS), most("unusedClients"));
          await tx.grants.forgetIdleClients(before(IDLE_CLIENT_MS));
        });
      },
      maxAttempts: 5,
      everyMs: HOUR_MS,
    },
  };
}
