// What lies in the repository's tables at this moment, counted for figures (R8, R16 "Nobody waits unseen").

import type { JobState } from "../../jobs/job.ts";
import type { Instant } from "../../shared/instant.ts";
import type { ActivityState } from "./activities.ts";

/** Activities that are not over, by where they stand. `since`: the one that has not moved for longest. */
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

export interface StockReader {
  /** States M, B and P. Costs as much as there are of them. */
  waitingActivities(): Promise<readonly WaitingActivities[]>;
  undoneJobs(): Promise<readonly UndoneJobs[]>;
  /** Looks at every item: not for every question. */
  itemsByState(): Promise<readonly { readonly state: string; readonly count: number }[]>;
}
