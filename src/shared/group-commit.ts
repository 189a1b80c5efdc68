// Group commit: work that arrives while a transaction is under way waits and is written by the next one together,
// so that one durable commit serves many callers (A13: nothing is answered before it is committed).
import { ServiceError } from "./errors.ts";
import { yieldToEventLoop } from "./time/event-loop.ts";

type GroupCommitNeeds<Job, Answer> = {
  /**
   * Writes all jobs in one transaction. An `Error` in the answers refuses that job alone; a thrown one means nothing
   * was written.
   */
  readonly write: (jobs: readonly Job[]) => Promise<readonly (Answer | Error)[]>;
  readonly maxGroup: number;
  /** Jobs that may wait; one more is refused with 1901. */
  readonly maxWaiting: number;
};

type WaitingJob<Job, Answer> = {
  readonly job: Job;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/** Returns `submit`, which resolves when its job is committed. */
export function groupCommit<Job, Answer>(needs: GroupCommitNeeds<Job, Answer>): (job: Job) => Promise<Answer> {
  const { write, maxGroup, maxWaiting } = needs;
  let waiting: WaitingJob<Job, Answer>[] = [];
  let busy = false;

  const settle = (one: WaitingJob<Job, Answer>, answer: Answer | Error | undefined): void => {
    if (answer === undefined) one.reject(new RangeError("A group was written without an answer for each job"));
    else if (answer instanceof Error) one.reject(answer);
    else one.resolve(answer);
  };

  const commit = async (group: readonly WaitingJob<Job, Answer>[]): Promise<void> => {
    try {
      const answers = await write(group.map((one) => one.job));
      group.forEach((one, index) => {
        settle(one, answers[index]);
      });
    } catch (error) {
      const isAway = error instanceof ServiceError && error.code === 1901;
      // One job may have broken the transaction: the others must not fail with it. An unavailable database fails them
      // all, and may have taken what it did not confirm: only the caller can decide whether to send it again.
      if (group.length === 1 || isAway) for (const one of group) one.reject(error);
      else for (const one of group) await commit([one]);
    }
  };

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.slice(0, maxGroup);
      waiting = waiting.slice(maxGroup);
      await commit(group);
      // What has arrived meanwhile is seen: a transaction on SQLite gives the event loop no turn by itself.
      await yieldToEventLoop();
    }
    busy = false;
  };

  return (job) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) {
        reject(new ServiceError(1901, { waiting: waiting.length }, { "Retry-After": "1" }));
        return;
      }
      waiting.push({ job, resolve, reject });
      if (busy) return;
      busy = true;
      // Not at once: requests that the event loop has read already join the first group.
      void yieldToEventLoop().then(drain);
    });
}
