// The jobs that care for items (R5, R8, R2d): names that could not be minted at once, and what a new day changes.
import { addMilliseconds } from "../../domain/instant.ts";
import { dayIn } from "../../domain/items/day.ts";
import type { Job } from "../../domain/jobs/job.ts";
import type { Log } from "../../ports/log.ts";
import type { JobKinds } from "../jobs.ts";
import type { Items } from "./items.ts";
import { type ItemsNeeds, MINT_JOB } from "./needs.ts";

export const DAY_JOB = "item_day";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type ItemJobNeeds = Pick<ItemsNeeds, "store" | "clock" | "timeZone"> & {
  readonly items: Pick<Items, "mintFor" | "liftEmbargoes" | "describeOpened" | "today">;
  readonly log: Log;
};

export function itemJobs(needs: ItemJobNeeds): JobKinds {
  return {
    [MINT_JOB]: { run: (job) => mint(needs, job), maxAttempts: null },
    [DAY_JOB]: { run: (job) => beginDay(needs, job), maxAttempts: null, everyMs: HOUR_MS },
  };
}

/** Fails, and so is tried again, for as long as the item has no name. */
async function mint({ items }: ItemJobNeeds, { subject }: Job): Promise<void> {
  if (await items.mintFor(Number(subject))) return;
  throw new Error(`Item ${subject} could not get an ARK: is the credential of SVC_ITEM_ARK_CREDENTIAL active?`);
}

/** Its payload is the day it has looked at last. */
async function beginDay({ items, store, clock, timeZone, log }: ItemJobNeeds, { payload }: Job): Promise<void> {
  const today = items.today();
  const now = clock.now();
  const since = typeof payload === "string" ? payload : dayIn(timeZone, addMilliseconds(now, -DAY_MS));
  const lifted = await items.liftEmbargoes();
  const described = await items.describeOpened(since);
  if (lifted + described > 0) log.info("items_opened", { lifted, described });
  const next = { kind: DAY_JOB, subject: "", payload: today, runAt: addMilliseconds(now, HOUR_MS) };
  await store.transact((tx) => tx.jobs.wish(next, clock.now()));
}
