// Jobs in their table (R8). A job is enqueued in the transaction that makes it necessary, so none is lost and none is
// early.
import type { Instant } from "../shared/time/instant.ts";
import type { Job, JobRequest, JobState } from "./job.ts";

export type JobFilter = { readonly kind?: string; readonly state?: JobState; readonly subject?: string };

/** A claim on due jobs. */
export type JobClaim = {
  readonly kinds: readonly string[];
  /** Random, of one process. */
  readonly owner: string;
  readonly at: Instant;
  readonly leaseUntil: Instant;
  readonly limit: number;
};

/**
 * How a claimed job ended. `waiting` with `error` "": it is to run again, by its own schedule or because it was
 * released.
 */
export type JobEnd =
  | { readonly state: "done"; readonly at: Instant }
  | { readonly state: "failed"; readonly at: Instant; readonly error: string }
  | { readonly state: "waiting"; readonly runAt: Instant; readonly error: string; readonly attempts: number };

export interface JobReader {
  job(id: number): Promise<Job | null>;
  /** Newest first, below the id `before`. */
  listJobs(filter: JobFilter, before: number | null, limit: number): Promise<readonly Job[]>;
  countJobs(): Promise<readonly { readonly kind: string; readonly state: JobState; readonly count: number }[]>;
}

export interface JobWriter extends JobReader {
  /** The id of the job that will do it. */
  enqueue(request: JobRequest, at: Instant): Promise<number>;
  /** Due jobs, and those whose lease has ended, taken for this owner; each counts as an attempt. */
  claimJobs(claim: JobClaim): Promise<readonly Job[]>;
  /** False when the job is no longer this owner's. */
  extendLease(id: number, owner: string, leaseUntil: Instant): Promise<boolean>;
  /** Stores the progress of a job, while it belongs to this owner. */
  setProgress(id: number, owner: string, progress: string): Promise<void>;
  /**
   * Ends a claim; one that was enqueued again meanwhile waits for its next run instead. False when the job is no longer
   * this owner's.
   */
  endJob(id: number, owner: string, end: JobEnd): Promise<boolean>;
  /**
   * Sends off a failed job again, or one that waits at once. False when it runs, is done, or another one of its subject
   * waits.
   */
  retryJob(id: number, at: Instant): Promise<boolean>;
  /** Removes what was done before this moment; returns how many. */
  forgetDone(before: Instant): Promise<number>;
}
