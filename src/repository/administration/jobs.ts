// Jobs, as administrators list them and send them off again (R8, R17).
import { type Static, Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import { JOB_STATES, type Job, whyNotRetried } from "../../jobs/job.ts";
import type { Sent } from "../../shared/fields.ts";
import { Refusal } from "../../shared/refusal.ts";
import { MomentShape, wordOf } from "../../shared/shapes.ts";
import { writeAs } from "../people/current-viewer.ts";
import { type AdministrationNeeds, missing, numberOf, requireSystemAdministrator } from "./collection.ts";
import { choice, listQuery, pageShape, text } from "./list-parameters.ts";

const momentOrNull = (description: string) => Type.Union([MomentShape, Type.Null()], { description });
/** What a job was given to work with is not shown. */
export const JobShape = Type.Object(
  {
    id: Type.Integer(),
    kind: Type.String({ examples: ["item_mint"] }),
    subject: Type.String({ description: "What it is about; empty for jobs about everything" }),
    state: wordOf(JOB_STATES),
    attempts: Type.Integer({ description: "How often it was begun since it was done or sent off again" }),
    created_at: MomentShape,
    run_at: MomentShape,
    done_at: momentOrNull("When it ended; null while it has not"),
    progress: Type.String({ description: "Progress; empty if the job does not report it" }),
    error: Type.String({ description: "What went wrong last; empty when nothing did" }),
  },
  { $id: "Job" },
);
export const JobPage = pageShape(JobShape, "JobPage");

export const JOB_QUERY = listQuery(
  {
    kind: text("Of this kind only"),
    state: choice(JOB_STATES, "In this state only"),
    subject: text("About this only"),
  },
  (cursor) => (/^[1-9]\d{0,14}$/.test(cursor) ? Number(cursor) : null),
);

export type Jobs = {
  /** Newest first. @throws Refusal `invalid` */
  readonly list: (sent: Sent<ReturnType<typeof JOB_QUERY.read>>) => Promise<Static<typeof JobPage>>;
  /** @throws Refusal `not_found` */
  readonly read: (id: string) => Promise<Static<typeof JobShape>>;
  /** @throws Refusal `forbidden`, `not_found`, `conflict` */
  readonly retry: (viewer: Viewer, id: string) => Promise<Static<typeof JobShape>>;
};

export const jobs = (needs: AdministrationNeeds): Jobs => {
  const { store, clock } = needs;
  return {
    async list(sent) {
      const { filter, limit, place } = sent();
      const found = await store.jobs.listJobs(filter, place, limit + 1);
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

const shown = (job: Job): Static<typeof JobShape> => ({
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
