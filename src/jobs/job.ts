// Jobs (R8): work that is done in the background, survives a kill and is retried. What a job is, and when the next try
// comes.
import { errorMessage } from "../shared/error-message.ts";
import type { Json } from "../shared/json/json.ts";
import { addMilliseconds, type Instant } from "../shared/time/instant.ts";

export const JOB_STATES = ["waiting", "running", "done", "failed"] as const;
export type JobState = (typeof JOB_STATES)[number];

export type Job = {
  readonly id: number;
  readonly kind: string;
  /** What it is about; of one kind and subject one job waits or runs at a time. "" for jobs about everything. */
  readonly subject: string;
  readonly payload: Json;
  readonly state: JobState;
  /** How often it was begun since it was last done or sent off again. */
  readonly attempts: number;
  readonly runAt: Instant;
  readonly leaseOwner: string | null;
  readonly leaseUntil: Instant | null;
  /** For people; "" when nothing went wrong. Never holds secrets. */
  readonly lastError: string;
  /** Its progress, for people; "" where it reports none. */
  readonly progress: string;
  readonly createdAt: Instant;
  readonly doneAt: Instant | null;
};

/** To be enqueued: joins the job of the same kind and subject that waits; one that runs is run again afterwards. */
export type JobRequest = {
  readonly kind: string;
  readonly subject: string;
  /** Absent: the payload of the job it joins stays; null for a new one. */
  readonly payload?: Json;
  /** Not before this moment; at once when absent. */
  readonly runAt?: Instant;
};

/** A claim that is not renewed for so long has lost its process. */
export const LEASE_MS = 60_000;
export const HEARTBEAT_MS = 15_000;
const FIRST_RETRY_MS = 5_000;
export const LONGEST_RETRY_MS = 3_600_000;
/** What is done is kept so long, for `arkstone jobs`. */
export const DONE_KEPT_MS = 7 * 86_400_000;
/** Longer texts of errors are cut. */
export const ERROR_TEXT_MAX = 2000;

/**
 * What a job that searches through everything leaves as its payload when it has come to the end, so that the next start
 * need not search again. `of`: the version of what was searched for.
 */
type FinishedPass = { readonly finished: string; readonly of: string };

export const finishedPass = (of: string, at: Instant): FinishedPass => ({ finished: at, of });

/**
 * When such a job is to search again; null: now, since it has not come to the end, was of another version, ended long
 * ago, or by a clock that was ahead.
 */
export function nextPass(payload: Json | undefined, of: string, everyMs: number, now: Instant): Instant | null {
  if (typeof payload !== "object" || payload === null || !("finished" in payload)) return null;
  const { finished, of: before } = payload;
  if (typeof finished !== "string" || before !== of || finished > now) return null;
  const next = addMilliseconds(finished, everyMs);
  return next > now ? next : null;
}

/** A failure that another try would only repeat: the job ends as failed. */
export class HopelessJob extends Error {
  override readonly name = "HopelessJob";
}

/**
 * How long to wait after the attempt that failed: 5 s, 10 s, 20 s, … up to an hour, each up to a fifth longer so that
 * jobs which failed together do not come back together. The same job and attempt give the same wait.
 */
export function retryDelayMs(jobId: number, attempt: number): number {
  const delay = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempt - 1, 30));
  const share = (Math.imul(jobId + attempt, 0x9e3779b1) >>> 0) / 2 ** 32;
  return Math.round(delay * (1 + share / 5));
}

type AfterFailure = { readonly state: "waiting"; readonly runAt: Instant } | { readonly state: "failed" };

/** `maxAttempts` null: it is tried for ever. */
export function afterFailure(
  job: Pick<Job, "id" | "attempts">,
  maxAttempts: number | null,
  error: unknown,
  now: Instant,
): AfterFailure {
  const isOver = error instanceof HopelessJob || (maxAttempts !== null && job.attempts >= maxAttempts);
  return isOver
    ? { state: "failed" }
    : { state: "waiting", runAt: addMilliseconds(now, retryDelayMs(job.id, job.attempts)) };
}

/** Why a job is not sent off again that a retry left as it was. */
export function whyNotRetried({ id, state }: Pick<Job, "id" | "state">): string {
  return state === "failed"
    ? `Job ${id} is not sent off again: a newer one does the same`
    : `Job ${id} is ${state}: only failed and waiting jobs are sent off again`;
}

export function errorText(error: unknown): string {
  const text = errorMessage(error);
  return text.replaceAll("\0", "").toWellFormed().slice(0, ERROR_TEXT_MAX) || "failed without a word";
}
