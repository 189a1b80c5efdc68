// The jobs that care for items (R5, R8, R2d): names that could not be minted at once, and what a new day changes.

import { finishedPass, type Job, nextPass } from "../../jobs/job.ts";
import type { JobKinds } from "../../jobs/runner.ts";
import { sizeSlices } from "../../model/files/size-slices.ts";
import { draftRevisionsEnd } from "../../model/items/draft-history.ts";
import type { Log } from "../../shared/log.ts";
import { dayIn } from "../../shared/time/day.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import type { Items } from "./items.ts";
import { type ItemsNeeds, MINT_JOB } from "./types.ts";

export const DAY_JOB = "item_day";
export const SUMMARY_JOB = "item_summary";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type ItemJobNeeds = Pick<ItemsNeeds, "store" | "clock" | "timeZone"> & {
  readonly items: Pick<Items, "mintFor" | "liftEmbargoes" | "describeOpened" | "today">;
  readonly log: Log;
};

export function itemJobs(needs: ItemJobNeeds): JobKinds {
  return {
    [MINT_JOB]: { run: (job) => mint(needs, job), maxAttempts: null },
    [DAY_JOB]: { run: (job) => beginDay(needs, job), maxAttempts: null, everyMs: HOUR_MS },
    [SUMMARY_JOB]: { run: (job, { signal }) => fillSummaries(needs, job, signal), maxAttempts: 5, everyMs: DAY_MS },
  };
}

/** Fails, and so is tried again, for as long as the item has no name. */
async function mint({ items }: ItemJobNeeds, { subject }: Job): Promise<void> {
  if (await items.mintFor(Number(subject))) return;
  throw new Error(`Item ${subject} could not get an ARK: is the credential of SVC_ITEM_ARK_CREDENTIAL active?`);
}

/** Items checked in one statement, and summaries written in one transaction: as many as take some milliseconds. */
const SUMMARIES_CHECKED = 2_000;
const SUMMARIES_AT_ONCE = 128;
const SUMMARY_BYTES = 512 * 1024;

/** To be raised with a migration after which summaries are missing: the first start makes them. */
const SUMMARIES_OF = "1";

/**
 * What lists show of items of before, and of those that a program of the version before has changed (R9a). Once a day,
 * however often the program is started.
 */
async function fillSummaries({ store, clock, log }: ItemJobNeeds, job: Job, signal: AbortSignal): Promise<void> {
  const next = nextPass(job.payload, SUMMARIES_OF, DAY_MS, clock.now());
  if (next !== null) {
    await store.transact((tx) => tx.jobs.enqueue({ kind: SUMMARY_JOB, subject: "", runAt: next }, clock.now()));
    return;
  }
  let written = 0;
  for (let after = 0; ; ) {
    const { items, last } = await store.items.lackingSummaries(after, SUMMARIES_CHECKED);
    for (const slice of sizeSlices(items, SUMMARIES_AT_ONCE, SUMMARY_BYTES)) {
      signal.throwIfAborted();
      await store.transact((tx) => tx.items.renewSummaries(slice.map(({ id }) => id)), "large");
      await yieldToEventLoop();
    }
    written += items.length;
    if (last === null) break;
    after = last;
    await yieldToEventLoop();
  }
  if (written > 0) log.info("item_summaries_written", { written });
  const at = clock.now();
  const end = { payload: finishedPass(SUMMARIES_OF, at), runAt: addMilliseconds(at, DAY_MS) };
  await store.transact((tx) => tx.jobs.enqueue({ kind: SUMMARY_JOB, subject: "", ...end }, at));
}

/** Revisions of drafts that are removed in one statement. */
const REVISIONS_AT_ONCE = 500;

/** Earlier states of drafts that have been kept long enough (R42). */
async function endDraftRevisions(store: ItemJobNeeds["store"], now: Instant): Promise<void> {
  const end = draftRevisionsEnd(now);
  for (;;) {
    const removed = await store.transact((tx) => tx.draftRevisions.expireDraftRevisions(end, REVISIONS_AT_ONCE));
    if (removed < REVISIONS_AT_ONCE) return;
    await yieldToEventLoop();
  }
}

/** Its payload is the day that was processed last. */
async function beginDay({ items, store, clock, timeZone, log }: ItemJobNeeds, { payload }: Job): Promise<void> {
  const today = items.today();
  const now = clock.now();
  const since = typeof payload === "string" ? payload : dayIn(timeZone, addMilliseconds(now, -DAY_MS));
  const lifted = await items.liftEmbargoes();
  const described = await items.describeOpened(since);
  await endDraftRevisions(store, now);
  if (lifted + described > 0) log.info("items_opened", { lifted, described });
  const next = { kind: DAY_JOB, subject: "", payload: today, runAt: addMilliseconds(now, HOUR_MS) };
  await store.transact((tx) => tx.jobs.enqueue(next, clock.now()));
}
