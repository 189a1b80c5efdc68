// Counts for figures (src/repository/store/counts.ts): each reads an index over what is not over yet, but for the
// items.

import type { JobState } from "../../src/jobs/job.ts";
import type { ActivityState } from "../../src/repository/store/activities.ts";
import type { CountReader } from "../../src/repository/store/counts.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { patiently, rowsOf, type Session, statement } from "../engine/dialect.ts";

type StateCount = { readonly state: string; readonly count: number | string; readonly since: Instant };

const ACTIVITIES = statement(
  () => `select state, action, count(*) as count, min(updated_at) as since from activity
    where state in ('M', 'B', 'P') group by state, action order by state, action`,
);
const JOBS = statement(
  () => `select kind, state, count(*) as count, min(run_at) as since from job
    where state in ('waiting', 'running', 'failed') group by kind, state order by kind, state`,
);
const ITEMS = statement(() => "select state, count(*) as count from item group by state order by state");

export function countReader(session: Session): CountReader {
  return {
    async waitingActivities() {
      const rows = await rowsOf<StateCount & { action: string }>(session, ACTIVITIES, []);
      // The table's check allows no other states; the same below.
      return rows.map(({ state, ...row }) => ({ ...row, state: state as ActivityState, count: Number(row.count) }));
    },
    async undoneJobs() {
      const rows = await rowsOf<StateCount & { kind: string }>(session, JOBS, []);
      return rows.map(({ state, ...row }) => ({ ...row, state: state as JobState, count: Number(row.count) }));
    },
    async itemsByState() {
      const rows = await rowsOf<Omit<StateCount, "since">>(patiently(session), ITEMS, []);
      return rows.map(({ state, count }) => ({ state, count: Number(count) }));
    },
  };
}
