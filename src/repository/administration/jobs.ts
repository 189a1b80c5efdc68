// Jobs, as administrators list them and send them off again (R8, R17).
import type { Viewer } from "../../auth/account.ts";
import { JOB_STATES, type Job, whyNotRetried } from "../../jobs/job.ts";
import { Refusal } from "../../shared/refusal.ts";
import { writeAs } from "../people/current-viewer.ts";
import {
  type AdministrationNeeds,
  missing,
  numberOf,
  type RecordOutput,
  requireSystemAdministrator,
} from "./collection.ts";
import { limitIn, oneOfIn, type Parameters, readParameters, unknownCursor } from "./list-parameters.ts";

const JOB_PARAMETERS = ["kind", "state", "subject", "limit", "cursor"] as const;

export type Page = { readonly items: readonly RecordOutput[]; readonly next: string | null };

export type Jobs = {
  /** Newest first. @throws Refusal `invalid` */
  readonly list: (sent: URLSearchParams) => Promise<Page>;
  /** @throws Refusal `not_found` */
  readonly read: (id: string) => Promise<RecordOutput>;
  /** @throws Refusal `forbidden`, `not_found`, `conflict` */
  readonly retry: (viewer: Viewer, id: string) => Promise<RecordOutput>;
};

export const jobs = (needs: AdministrationNeeds): Jobs => {
  const { store, clock } = needs;
  return {
    async list(sent) {
      const given = readParameters(sent, JOB_PARAMETERS);
      const { kind, subject } = given;
      const state = oneOfIn(given, "state", JOB_STATES);
      const filter = {
        ...(kind === undefined ? {} : { kind }),
        ...(subject === undefined ? {} : { subject }),
        ...(state === undefined ? {} : { state }),
      };
      const limit = limitIn(given);
      const found = await store.jobs.listJobs(filter, cursorIn(given), limit + 1);
      const items = found.slice(0, limit);
      const last = items.at(-1);
      return { items: items.map(shown), next: last !== undefined && found.length > limit ? String(last.id) : null };
    },

    async read(id) {
      const job = await store.jobs.job(numberOf(id, "job"));
      if (job === null) throw missing("job", id);
      return shown(job);
    },

    async retry(viewer, id) {
      requireSystemAdministrator(viewer);
      const number = numberOf(id, "job");
      return await writeAs(needs, viewer, async (tx, now) => {
        requireSystemAdministrator(now);
        const at = clock.now();
        const isSent = await tx.jobs.retryJob(number, at);
        const job = await tx.jobs.job(number);
        if (job === null) throw missing("job", id);
        if (!isSent) throw new Refusal("conflict", whyNotRetried(job));
        await tx.audit(now, at, [{ action: "job-retry", subject: `job:${number}`, detail: { kind: job.kind } }]);
        return shown(job);
      });
    },
  };
};

function cursorIn({ cursor }: Parameters): number | null {
  if (cursor === undefined) return null;
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor);
  throw unknownCursor(cursor);
}

/** What a job was given to work with is its own. */
const shown = (job: Job): RecordOutput => ({
  id: job.id,
  kind: job.kind,
  subject: job.subject,
  state: job.state,
  attempts: job.attempts,
  created_at: job.createdAt,
  run_at: job.runAt,
  done_at: job.doneAt,
  progress: job.progress,
  error: job.lastError,
});
