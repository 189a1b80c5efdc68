// Counts of the rows in the repository's tables at this moment, for metrics (R8, R16 "Nobody waits unseen").

import type { JobState } from "../../jobs/job.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { ActivityState } from "./activities.ts";

/** Open activities by their action. `since`: the one that has waited longest. */
export type WaitingActivities = {
  readonly state: ActivityState;
  readonly action: string;
  readonly count: number;
  readonly since: Instant;
};

/** Jobs that are not done. `since`: the moment from which the first of them was to run. */
export type UndoneJobs = {
  readonly kind: string;
  readonly state: JobState;
  readonly count: number;
  readonly since: Instant;
};

export interface CountReader {
  /** States M, B and P. Costs as much as there are of them. */
  waitingActivities(): Promise<readonly WaitingActivities[]>;
  undoneJobs(): Promise<readonly UndoneJobs[]>;
  /** Reads every item: not for frequent use. */
  itemsByState(): Promise<readonly { readonly state: string; readonly count: number }[]>;
}
