// Background work after a change of the tree (R8): the public descriptions of ARKs follow who may read their items now
// (R2d, R5).

import type { Job } from "../../jobs/job.ts";
import type { JobContext, JobKinds } from "../../jobs/runner.ts";
import type { IndexId, ItemId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";

/** `subject` is an index: the items in it and below it. */
const BELOW_JOB = "index_descriptions";
/**
 * `subject` is a deleted index; the payload is the moment of its deletion, by which the items it left behind are found.
 */
const LEFT_JOB = "index_deleted_descriptions";

const PAGE = 200;

type IndexTreeJobNeeds = {
  readonly store: RepositoryStore;
  /** Brings the description of one item's ARK up to date. */
  readonly describe: (itemId: ItemId) => Promise<void>;
};

export async function enqueueDescriptions(tx: RepositoryWriter, index: IndexId, at: Instant): Promise<void> {
  await tx.jobs.enqueue({ kind: BELOW_JOB, subject: String(index) }, at);
}

export async function enqueueDescriptionsAfterDeletion(
  tx: RepositoryWriter,
  index: IndexId,
  at: Instant,
): Promise<void> {
  await tx.jobs.enqueue({ kind: LEFT_JOB, subject: String(index), payload: at }, at);
}

export function indexTreeJobs(needs: IndexTreeJobNeeds): JobKinds {
  return {
    [BELOW_JOB]: { run: (job, context) => describeBelow(needs, job, context), maxAttempts: null },
    [LEFT_JOB]: { run: (job, context) => describeLeft(needs, job, context), maxAttempts: null },
  };
}

async function describeBelow({ store, describe }: IndexTreeJobNeeds, { subject }: Job, { signal }: JobContext) {
  for (const { id } of await store.indexes.outlineFrom(Number(subject))) {
    for (let before: ItemId | null = null; ; ) {
      signal.throwIfAborted();
      const page: readonly number[] = await store.items.itemIdsIn(id, before, PAGE);
      for (const item of page) await describe(item);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) break;
      before = last;
    }
  }
}

async function describeLeft({ store, describe }: IndexTreeJobNeeds, { payload }: Job, { signal }: JobContext) {
  if (typeof payload !== "string") return;
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const page = await store.indexes.itemsUnfiledAt(payload, after, PAGE);
    for (const item of page) await describe(item);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last;
  }
}
