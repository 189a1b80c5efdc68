// `arkstone jobs`: work in the background, what failed and can be tried again (R8).
import { systemClock } from "../../../adapters/clock.ts";
import { JOB_STATES, type Job, type JobState, whyNotRetried } from "../../../jobs/job.ts";
import type { JobFilter } from "../../../jobs/store.ts";
import type { RepositoryStore } from "../../../repository/store/store.ts";
import { jsonLine, plural } from "../../process/terminal.ts";
import { showRows } from "../ark/registry-output.ts";
import { type Command, command } from "../command.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { limitIn, wholeNumber, withRepositoryStore } from "./repository-lists.ts";

const RETRY_PAGE = 500;

const FILTER = {
  kind: { type: "string", value: "KIND", help: "Of this kind only" },
  state: { type: "string", value: "STATE", help: `Only those that are ${JOB_STATES.join(", ")}` },
} as const;

function filterOf({
  kind,
  state,
}: {
  readonly kind: string | undefined;
  readonly state: string | undefined;
}): JobFilter {
  const known = JOB_STATES.find((each): each is JobState => each === state);
  if (state !== undefined && known === undefined) {
    throw new UsageError(
      `--state "${state}" is not allowed: ${JOB_STATES.join(", ")}`,
      'See "arkstone jobs list --help"',
    );
  }
  return { ...(kind === undefined ? {} : { kind }), ...(known === undefined ? {} : { state: known }) };
}

function rowOf(job: Job) {
  return {
    id: job.id,
    kind: job.kind,
    subject: job.subject,
    state: job.state,
    attempts: job.attempts,
    run_at: job.runAt,
    done_at: job.doneAt,
    progress: job.progress,
    error: job.lastError,
  };
}

const list = command({
  name: "jobs list",
  summary: "List jobs, the newest first, with what went wrong",
  options: {
    ...FILTER,
    limit: { type: "string", value: "NUMBER", help: "At most NUMBER (default 50)" },
  },
  examples: ["arkstone jobs list --state failed", "arkstone jobs list --kind file_check --json"],
  run: (context, given) => {
    const filter = filterOf(given);
    const limit = limitIn(given.limit, "jobs");
    return withRepositoryStore(context, async ({ jobs }) => {
      const rows = (await jobs.listJobs(filter, null, limit)).map(rowOf);
      showRows(
        context,
        rows,
        ["id", "kind", "subject", "state", "attempts", "run_at", "progress", "error"],
        "There are no such jobs",
      );
    });
  },
});

const retry = command({
  name: "jobs retry",
  summary: "Send off a job again that failed, or one that waits, at once",
  words: ["[ID]"],
  options: {
    failed: { type: "boolean", help: "All that failed" },
    kind: { type: "string", value: "KIND", help: "With --failed: of this kind only" },
  },
  examples: ["arkstone jobs retry 12", "arkstone jobs retry --failed --kind file_md5"],
  run: (context, given, [word]) => {
    if ((word === undefined) === !given.failed) {
      throw new UsageError("Name the ID of a job, or --failed", 'See "arkstone jobs retry --help"');
    }
    const id = word === undefined ? null : wholeNumber("ID", word, Number.MAX_SAFE_INTEGER, "jobs");
    return withRepositoryStore(context, async (store) => {
      const sent = id === null ? await retryFailed(store, given.kind) : await retryOne(store, id);
      if (context.json) context.out(jsonLine({ sent_off: sent }));
      else context.out(`${plural(sent, "job")} sent off again.\n`);
    });
  },
});

async function retryOne(store: RepositoryStore, id: number): Promise<number> {
  const at = systemClock.now();
  if (await store.transact((tx) => tx.jobs.retryJob(id, at))) return 1;
  const job = await store.jobs.job(id);
  if (job === null) throw new CommandRefusal(`There is no job ${id}`, "See arkstone jobs list");
  throw new CommandRefusal(whyNotRetried(job));
}

/**
 * One transaction for each page, so that running jobs never wait for long. A job that a newer one replaces is left out.
 */
async function retryFailed(store: RepositoryStore, kind: string | undefined): Promise<number> {
  const filter: JobFilter = { state: "failed", ...(kind === undefined ? {} : { kind }) };
  let sent = 0;
  for (let before: number | null = null; ; ) {
    const page: readonly Job[] = await store.jobs.listJobs(filter, before, RETRY_PAGE);
    const last = page.at(-1);
    if (last === undefined) return sent;
    const at = systemClock.now();
    sent += await store.transact(async (tx) => {
      let done = 0;
      for (const { id } of page) if (await tx.jobs.retryJob(id, at)) done += 1;
      return done;
    });
    before = last.id;
  }
}

export const jobCommands: readonly Command[] = [list, retry];
