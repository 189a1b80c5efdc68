// Running jobs (R8): claimed with a lease that is renewed while they run, tried again with growing waits, never two of
// one subject at once.

import type { Log } from "../shared/log.ts";
import type { Clock } from "../shared/time/clock.ts";
import { inTime } from "../shared/time/event-loop.ts";
import { addMilliseconds, type Instant } from "../shared/time/instant.ts";
import { afterFailure, DONE_KEPT_MS, errorText, HEARTBEAT_MS, type Job, LEASE_MS } from "./job.ts";
import type { JobEnd, JobWriter } from "./store.ts";

export type JobContext = {
  /** Aborted when the job is no longer ours, or the process is about to end: leave at once then, by throwing. */
  readonly signal: AbortSignal;
  /** Reports the progress of the job, for `arkstone jobs`. */
  readonly progress: (text: string) => Promise<void>;
};

/** One kind of work. It may be run again after it was done, when the process died before it recorded that. */
export type JobKind = {
  readonly run: (job: Job, context: JobContext) => Promise<void>;
  /** Null: tried for ever. */
  readonly maxAttempts: number | null;
  /**
   * Kinds of one queue run one at a time, in parallel with kinds without a queue: for long work that no other job waits
   * for.
   */
  readonly queue?: string;
  /** Runs at the start and then so often, with the subject "". */
  readonly everyMs?: number;
  /** False: not at each start, but that long after the last time, or after the first start. */
  readonly atStart?: boolean;
};
export type JobKinds = Readonly<Record<string, JobKind>>;

/** As much of the repository's store as jobs need. */
interface JobStore {
  transact<T>(work: (tx: { readonly jobs: JobWriter }) => Promise<T>): Promise<T>;
}

export type JobRunnerNeeds = {
  readonly store: JobStore;
  readonly kinds: JobKinds;
  readonly clock: Clock;
  readonly log: Log;
  /** Random, of this process. */
  readonly owner: string;
  /** Jobs at once, without those of queues; default 2. */
  readonly parallel?: number;
  /** The time between two polls of the table, without a `wake`. */
  readonly pollMs?: number;
  readonly leaseMs?: number;
  readonly heartbeatMs?: number;
  /** How long `stop` waits for jobs before it aborts them. */
  readonly graceMs?: number;
};

export interface JobRunner {
  /** Starts polling for due jobs, and enqueues those that run on a schedule. */
  start(): Promise<void>;
  /** This process has enqueued a job: poll at once. */
  wake(): void;
  /** Runs all due jobs and returns how many. Not to be combined with `start`. */
  runDue(): Promise<number>;
  /** No more jobs; those that run are awaited, then aborted and released. */
  stop(): Promise<void>;
}

const PARALLEL = 2;
const POLL_MS = 1_000;
const GRACE_MS = 10_000;
const FORGET_EVERY_MS = 3_600_000;

type RunningJob = { readonly ended: Promise<void>; readonly abort: AbortController; readonly queue: string };
/** The queue of kinds that name none: at most `parallel` at once. */
const NO_QUEUE = "";

/** A runner of this process. Of several processes each may have one. */
export function jobRunner(needs: JobRunnerNeeds): JobRunner {
  const { store, kinds, clock, log } = needs;
  const parallel = needs.parallel ?? PARALLEL;
  const running = new Map<number, RunningJob>();
  const queues = Map.groupBy(Object.keys(kinds), (kind) => kinds[kind]?.queue ?? NO_QUEUE);
  const bell = newBell();
  let isStopping = false;
  let looping: Promise<void> | null = null;
  let forgetAt: Instant = "";

  function freeIn(queue: string): number {
    const busy = [...running.values()].filter((each) => each.queue === queue).length;
    return Math.max(0, (queue === NO_QUEUE ? parallel : 1) - busy);
  }

  async function claim(): Promise<readonly Job[]> {
    const at = clock.now();
    const leaseUntil = addMilliseconds(at, needs.leaseMs ?? LEASE_MS);
    const open = [...queues].filter(([queue]) => freeIn(queue) > 0);
    if (open.length === 0) return [];
    return await store.transact(async (tx) => {
      const claimed: Job[] = [];
      for (const [queue, names] of open) {
        const asked = { kinds: names, owner: needs.owner, at, leaseUntil, limit: freeIn(queue) };
        claimed.push(...(await tx.jobs.claimJobs(asked)));
      }
      return claimed;
    });
  }

  function begin(job: Job): Promise<void> {
    const abort = new AbortController();
    const ended = runOne(needs, job, abort).finally(() => {
      running.delete(job.id);
      bell.ring();
    });
    running.set(job.id, { ended, abort, queue: kinds[job.kind]?.queue ?? NO_QUEUE });
    return ended;
  }

  async function forget(): Promise<void> {
    const now = clock.now();
    if (now < forgetAt) return;
    forgetAt = addMilliseconds(now, FORGET_EVERY_MS);
    await store.transact((tx) => tx.jobs.forgetDone(addMilliseconds(now, -DONE_KEPT_MS)));
  }

  async function loop(): Promise<void> {
    while (!isStopping) {
      try {
        for (const job of await claim()) {
          // Our own lease ended before it could be renewed: it is renewed by this, and the job goes on.
          if (!running.has(job.id)) void begin(job);
        }
        await forget();
      } catch (error) {
        log.warn("jobs.away", { error: errorText(error) });
      }
      await bell.wait(needs.pollMs ?? POLL_MS);
    }
  }

  return {
    async start() {
      await enqueueScheduled(needs);
      looping = loop();
    },
    wake: () => bell.ring(),
    async runDue() {
      for (let count = 0; ; ) {
        const jobs = await claim();
        if (jobs.length === 0) return count;
        count += jobs.length;
        await Promise.all(jobs.map(begin));
      }
    },
    async stop() {
      isStopping = true;
      bell.ring();
      await looping;
      const all = [...running.values()];
      const ended = Promise.all(all.map((each) => each.ended));
      await inTime(ended, needs.graceMs ?? GRACE_MS, () => null);
      for (const { abort } of all) abort.abort(new Stopping());
      // A job that does not listen keeps its lease, which ends by itself.
      await inTime(ended, needs.graceMs ?? GRACE_MS, () => null);
    },
  };
}

/** The process ends: the job is released as if it had not started. */
class Stopping extends Error {
  override readonly name = "Stopping";
}

async function enqueueScheduled({ store, kinds, clock }: JobRunnerNeeds): Promise<void> {
  const at = clock.now();
  const scheduled = Object.entries(kinds).filter(([, { everyMs }]) => everyMs !== undefined);
  await store.transact(async (tx) => {
    for (const [kind, { everyMs = 0, atStart = true }] of scheduled) {
      await tx.jobs.enqueue({ kind, subject: "", runAt: atStart ? at : addMilliseconds(at, everyMs) }, at);
    }
  });
}

/** What the log names a job by. */
function fieldsOf({ id, kind, subject, attempts }: Job) {
  return { job: id, kind, subject, attempt: attempts };
}

async function runOne(needs: JobRunnerNeeds, job: Job, abort: AbortController): Promise<void> {
  const { store, log, owner } = needs;
  const fields = fieldsOf(job);
  const heart = heartbeat(needs, job, abort);
  try {
    const end = await endOf(needs, job, abort.signal);
    if (end.state === "done" || end.error === "") log.debug("job.done", fields);
    else log.warn(end.state === "failed" ? "job.failed" : "job.retried_later", { ...fields, error: end.error });
    const isOurs = await store.transact((tx) => tx.jobs.endJob(job.id, owner, end));
    if (!isOurs) log.warn("job.lost", fields);
  } catch (error) {
    // The lease ends by itself, and the job is run again.
    log.warn("job.end_not_recorded", { ...fields, error: errorText(error) });
  } finally {
    heart.stop();
  }
}

async function endOf({ store, owner, kinds, clock }: JobRunnerNeeds, job: Job, signal: AbortSignal): Promise<JobEnd> {
  const kind = kinds[job.kind];
  if (kind === undefined) throw new RangeError(`Cannot run a job of the kind "${job.kind}"`);
  const { maxAttempts, everyMs } = kind;
  if (maxAttempts !== null && job.attempts > maxAttempts) {
    const error = `The process ended while it ran, ${maxAttempts} times`;
    return failedFor(everyMs, clock.now(), error);
  }
  try {
    const progress = (text: string) => store.transact((tx) => tx.jobs.setProgress(job.id, owner, text));
    await kind.run(job, { signal, progress });
  } catch (error) {
    const now = clock.now();
    if (signal.aborted && signal.reason instanceof Stopping) {
      return { state: "waiting", runAt: now, error: "", attempts: job.attempts - 1 };
    }
    const after = afterFailure(job, maxAttempts, error, now);
    if (after.state === "failed") return failedFor(everyMs, now, errorText(error));
    return { ...after, error: errorText(error), attempts: job.attempts };
  }
  const at = clock.now();
  if (everyMs === undefined) return { state: "done", at };
  return { state: "waiting", runAt: addMilliseconds(at, everyMs), error: "", attempts: 0 };
}

/** What runs on a schedule comes again, however it went. */
function failedFor(everyMs: number | undefined, at: Instant, error: string): JobEnd {
  if (everyMs === undefined) return { state: "failed", at, error };
  return { state: "waiting", runAt: addMilliseconds(at, everyMs), error, attempts: 0 };
}

/** Renews the lease; aborts the job when it is somebody else's by now, or may be. */
function heartbeat({ store, clock, log, owner, ...needs }: JobRunnerNeeds, job: Job, abort: AbortController) {
  const leaseMs = needs.leaseMs ?? LEASE_MS;
  let leaseUntil = job.leaseUntil ?? clock.now();
  let isLost = false;
  const lose = (reason: string): void => {
    if (isLost) return;
    isLost = true;
    log.warn("job.lease_lost", { ...fieldsOf(job), reason });
    abort.abort(new Error(reason));
  };
  const beat = async (): Promise<void> => {
    const now = clock.now();
    const until = addMilliseconds(now, leaseMs);
    try {
      const isOurs = await store.transact((tx) => tx.jobs.extendLease(job.id, owner, until));
      if (isOurs) leaseUntil = until;
      else lose("The lease was lost");
    } catch (error) {
      log.warn("job.heartbeat", { job: job.id, error: errorText(error) });
      if (clock.now() >= leaseUntil) lose("The lease could not be renewed");
    }
  };
  const timer = setInterval(() => void beat(), needs.heartbeatMs ?? HEARTBEAT_MS);
  return { stop: () => clearInterval(timer) };
}

/** Waiting that somebody can end. A ring between two waits is not lost. */
function newBell() {
  let wasRung = false;
  let listener: (() => void) | null = null;
  return {
    ring(): void {
      wasRung = true;
      listener?.();
    },
    async wait(milliseconds: number): Promise<void> {
      let timer: ReturnType<typeof setTimeout> | undefined;
      if (!wasRung) {
        await new Promise<void>((resolve) => {
          listener = resolve;
          timer = setTimeout(resolve, milliseconds);
        });
      }
      clearTimeout(timer);
      listener = null;
      wasRung = false;
    },
  };
}
