// The queries of jobs (src/jobs/store.ts; R8): claimed by a lease, one of a kind and subject at a time.

import type { Job, JobRequest, JobState } from "../../src/jobs/job.ts";
import type { JobClaim, JobEnd, JobFilter, JobReader, JobWriter } from "../../src/jobs/store.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { rowsOf, run, type Session, statement, textList } from "../engine/dialect.ts";
import { allRows, json, oneRow, rowsAs } from "../engine/record.ts";
import type { JobTable } from "../engine/repository-schema.ts";

const JOB = rowsAs<Omit<JobTable, "wished_again">, Job>({
  id: "id",
  kind: "kind",
  subject: "subject",
  payload: json("payload"),
  state: "state",
  attempts: "attempts",
  runAt: "run_at",
  leaseOwner: "lease_owner",
  leaseUntil: "lease_until",
  lastError: "last_error",
  progress: "progress",
  createdAt: "created_at",
  doneAt: "done_at",
});

const READ = statement(() => `select ${JOB.list} from job where id = $1`);
const COUNT = statement(
  () => "select kind, state, count(*) as count from job group by kind, state order by kind, state",
);

async function listJobs(
  session: Session,
  { kind, state, subject }: JobFilter,
  before: number | null,
  limit: number,
): Promise<readonly Job[]> {
  let query = session.db.selectFrom("job").selectAll().orderBy("id", "desc").limit(limit);
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (state !== undefined) query = query.where("state", "=", state);
  if (subject !== undefined) query = query.where("subject", "=", subject);
  if (before !== null) query = query.where("id", "<", before);
  return (await query.execute()).map(JOB.read);
}

async function countJobs(session: Session) {
  const rows = await rowsOf<{ kind: string; state: string; count: number | string }>(session, COUNT);
  // The table's check allows no other states.
  return rows.map(({ kind, state, count }) => ({ kind, state: state as JobState, count: Number(count) }));
}

/**
 * A job that waits takes the new payload and the earlier moment; one that runs is marked to run again, with the new
 * payload.
 */
const ENQUEUE = statement(
  () => `insert into job (kind, subject, payload, state, attempts, wished_again, run_at, last_error, created_at)
    values ($1, $2, coalesce($3, 'null'), 'waiting', 0, 0, $4, '', $5)
    on conflict (kind, subject) where state in ('waiting', 'running') do update set
      payload = coalesce($3, job.payload),
      wished_again = case when job.state = 'running' then 1 else 0 end,
      run_at = case when job.state = 'waiting' and job.run_at < excluded.run_at then job.run_at else excluded.run_at end
    returning id`,
);

async function enqueue(session: Session, { kind, subject, payload, runAt }: JobRequest, at: Instant): Promise<number> {
  const values = [kind, subject, payload === undefined ? null : JSON.stringify(payload), runAt ?? at, at];
  const [row] = await rowsOf<{ id: number }>(session, ENQUEUE, values);
  if (row === undefined) throw new RangeError(`No row of the job "${kind}" came back`);
  return Number(row.id);
}

const PENDING = statement(
  () => "select id from job where kind = $1 and subject = '' and state in ('waiting', 'running') limit 1",
);
const HASTEN = statement(
  (words) => `update job set run_at = $2 where id in (
      select id from job where kind = $1 and subject = '' and state = 'waiting' and run_at > $2
      ${words.dialect === "postgres" ? "for update skip locked" : ""})`,
);

/**
 * Makes a job that runs on a schedule due now, and waits for no other transaction: where one holds the row, or the job
 * runs, its next scheduled run finds what there is to do.
 */
export async function hastenJob(session: Session, kind: string, at: Instant): Promise<void> {
  if ((await rowsOf(session, PENDING, [kind])).length === 0) await enqueue(session, { kind, subject: "" }, at);
  else await run(session, HASTEN, [kind, at]);
}

/** The first of each state in the order of the index: however many wait, no more are read (R9b). */
const CLAIM = statement((words) => {
  const first = (state: string) => `select id, run_at from job where ${state} and kind ${words.inList("$4")}
      order by run_at, id limit $5 ${words.dialect === "postgres" ? "for update skip locked" : ""}`;
  return `with waiting as materialized (${first("state = 'waiting' and run_at <= $3")}),
      stale as materialized (${first("state = 'running' and lease_until <= $3")}),
      due as materialized (
        select id from (select id, run_at from waiting union all select id, run_at from stale) as found
        order by run_at, id limit $5)
    update job set state = 'running', attempts = attempts + 1, lease_owner = $1, lease_until = $2
    where id in (select id from due)
    returning ${JOB.list}`;
});

async function claimJobs(session: Session, { kinds, owner, at, leaseUntil, limit }: JobClaim): Promise<readonly Job[]> {
  const values = [owner, leaseUntil, at, textList(session, kinds), limit];
  const jobs = await allRows(session, CLAIM, values, JOB.read);
  return jobs.toSorted((one, other) => one.id - other.id);
}

const EXTEND = statement(
  () => `update job set lease_until = $3 where id = $1 and lease_owner = $2 and state = 'running' returning id`,
);
const PROGRESS = statement(
  () => "update job set progress = $3 where id = $1 and lease_owner = $2 and state = 'running'",
);

/**
 * A job that was enqueued again while it ran waits again, whatever the result of the run; its time is that of the
 * request.
 */
const END = statement(
  () => `update job set
      state = case when wished_again = 1 then 'waiting' else $3 end,
      attempts = case when wished_again = 1 then 0 else $4 end,
      run_at = case when wished_again = 1 then run_at else $5 end,
      done_at = case when wished_again = 1 then null else $6 end,
      last_error = $7, wished_again = 0, lease_owner = null, lease_until = null
    where id = $1 and lease_owner = $2 and state = 'running'
    returning id`,
);
const LOCK = statement((words) => `select ${JOB.list} from job where id = $1 ${words.forUpdate}`);

async function endJob(session: Session, id: number, owner: string, end: JobEnd): Promise<boolean> {
  const job = await oneRow(session, LOCK, [id], JOB.read);
  if (job === null) return false;
  const isWaiting = end.state === "waiting";
  const values = [
    id,
    owner,
    end.state,
    isWaiting ? end.attempts : job.attempts,
    isWaiting ? end.runAt : job.runAt,
    isWaiting ? null : end.at,
    end.state === "done" ? "" : end.error,
  ];
  return (await rowsOf(session, END, values)).length > 0;
}

const RETRY = statement(
  () => `update job set state = 'waiting', attempts = 0, run_at = $2, done_at = null
    where id = $1 and (state = 'waiting' or (state = 'failed' and not exists (
      select 1 from job as other
      where other.kind = job.kind and other.subject = job.subject and other.state in ('waiting', 'running'))))
    returning id`,
);

const FORGET_PROGRESS = statement(() => "update job set progress = '' where kind = $1 and subject = $2");

/** Deletes the progress of jobs of a subject that is erased. */
export async function forgetProgress(session: Session, kind: string, subject: string): Promise<void> {
  await run(session, FORGET_PROGRESS, [kind, subject]);
}

export function jobReader(session: Session): JobReader {
  return {
    job: (id) => oneRow(session, READ, [id], JOB.read),
    listJobs: (filter, before, limit) => listJobs(session, filter, before, limit),
    countJobs: () => countJobs(session),
  };
}

export function jobWriter(session: Session): JobWriter {
  return {
    ...jobReader(session),
    enqueue: (job, at) => enqueue(session, job, at),
    claimJobs: (claim) => claimJobs(session, claim),
    extendLease: async (id, owner, until) => (await rowsOf(session, EXTEND, [id, owner, until])).length > 0,
    setProgress: async (id, owner, progress) => {
      await run(session, PROGRESS, [id, owner, progress]);
    },
    endJob: (id, owner, end) => endJob(session, id, owner, end),
    retryJob: async (id, at) => (await rowsOf(session, RETRY, [id, at])).length > 0,
    async forgetDone(before) {
      const [outcome] = await session.db
        .deleteFrom("job")
        .where("state", "=", "done")
        .where("done_at", "<", before)
        .execute();
      return Number(outcome?.numDeletedRows ?? 0);
    },
  };
}
