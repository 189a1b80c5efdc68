// Changes of an author are carried to the items that link the author (R23; specification 2, Update: "everything except
// names always, names too when force_change is true"): one job per author, one transaction and one revision per item. A
// kill loses nothing and does nothing twice.
import { GUEST, type Viewer } from "../../auth/account.ts";
import type { Job } from "../../jobs/job.ts";
import type { JobContext, JobKinds } from "../../jobs/runner.ts";
import {
  type Author,
  type AuthorContent,
  bareIdentifier,
  identifierKey,
  isAlive,
  LOCAL,
} from "../../model/agents/author.ts";
import { applyAuthorRecord, mapAgents, withLink } from "../../model/agents/author-links.ts";
import type { ItemContent } from "../../model/items/item.ts";
import type { AuthorId, ItemId } from "../../shared/ids.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { FOLLOWS_AUTHOR } from "../items/commit-revision.ts";
import type { Items } from "../items/items.ts";
import type { AuthorChoice, AuthorReader, DroppedValues, Propagation } from "../store/authors.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";

/** `subject` is the author. */
const PROPAGATION_JOB = "author_propagation";

const PAGE = 100;
const BATCH_SIZE = 500;
/** Items between two words about how far it is. */
const REPORT_EVERY = 20;

/** Signs what follows from a change of an author. */
const AUTHOR_JOBS: Viewer = { ...GUEST, scopes: null, clientId: "(jobs)" };

/** The values that a record no longer has. `after` null: the author is deleted, and the items keep their words. */
function droppedBy(before: AuthorContent, after: AuthorContent | null): DroppedValues {
  if (after === null) return { identifiers: [], emails: [], affiliations: false };
  const keys = ({ authorIdInfo }: AuthorContent) =>
    authorIdInfo.map(({ idType, authorId }) => identifierKey(idType, authorId));
  const emails = ({ emailInfo }: AuthorContent) => emailInfo.map(({ email }) => email);
  const [kept, keptEmails] = [new Set(keys(after)), new Set(emails(after))];
  return {
    identifiers: keys(before).filter((key) => !kept.has(key)),
    emails: emails(before).filter((email) => !keptEmails.has(email)),
    affiliations: before.affiliationInfo.length > 0 && after.affiliationInfo.length === 0,
  };
}

/**
 * Runs in the transaction that changes, deletes or merges a locked author, whose items follow. `after` null: deleted or
 * merged.
 */
export async function enqueuePropagation(
  tx: RepositoryWriter,
  before: Author,
  after: AuthorContent | null,
  withNames: boolean,
  at: Instant,
): Promise<void> {
  const dropped = droppedBy(before.content, after);
  const items = await tx.authors.beginPropagation(before.id, { withNames, dropped });
  if (items > 0) await tx.jobs.enqueue({ kind: PROPAGATION_JOB, subject: String(before.id) }, at);
}

type PropagationNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Pick<Clock, "now">;
  readonly items: Pick<Items, "patch">;
  /** Items of one run; then other jobs come first that wait longer. */
  readonly batchSize?: number;
};

export function authorJobs(needs: PropagationNeeds): JobKinds {
  return { [PROPAGATION_JOB]: { run: (job, context) => propagate(needs, job, context), maxAttempts: null } };
}

/** @throws Error when items are left that another session edits: the job runs again */
async function propagate(needs: PropagationNeeds, { subject }: Job, { signal, progress }: JobContext): Promise<void> {
  const { store, clock } = needs;
  const authorId = Number(subject);
  const tell = async (): Promise<void> => {
    const now = await store.authors.propagation(authorId);
    if (now !== null) await progress(`${Math.min(now.done, now.total)} of ${now.total} items`);
  };
  for (;;) {
    const change = await store.authors.propagation(authorId);
    if (change === null) return;
    const isOver = await passNext(needs, change, signal, tell);
    const waiting = isOver ? await passPostponed(needs, authorId, signal) : 0;
    await tell();
    if (!isOver) {
      await store.transact((tx) => tx.jobs.enqueue({ kind: PROPAGATION_JOB, subject }, clock.now()));
      return;
    }
    if (waiting > 0) throw new Error(`${waiting} items cannot be changed now; they are tried again`);
    const now = await store.authors.propagation(authorId);
    if (now === null || (await store.transact((tx) => tx.authors.endPropagation(now)))) {
      await progress(`${change.total} of ${change.total} items`);
      return;
    }
  }
}

/**
 * Passes the items that the change has not reached yet, in their order. False where one batch was not enough, or the
 * change began again.
 */
async function passNext(
  needs: PropagationNeeds,
  change: Propagation,
  signal: AbortSignal,
  tell: () => Promise<void>,
): Promise<boolean> {
  const batchSize = needs.batchSize ?? BATCH_SIZE;
  const size = Math.min(PAGE, batchSize);
  for (let { afterId } = change, passed = 0; ; ) {
    const page = await needs.store.authors.itemsOfAuthor(change.authorId, afterId, size);
    for (const itemId of page) {
      signal.throwIfAborted();
      if (!(await pass(needs, change, itemId))) return true;
      afterId = itemId;
      passed += 1;
      if (passed % REPORT_EVERY === 0) await tell();
    }
    if (page.length < size) return true;
    if (passed >= batchSize) return false;
  }
}

/** Retries items that were busy. Returns how many still are. */
async function passPostponed(needs: PropagationNeeds, authorId: AuthorId, signal: AbortSignal): Promise<number> {
  const { store } = needs;
  let waiting = 0;
  for (let after = 0; ; ) {
    const page = await store.authors.postponedItems(authorId, after, PAGE);
    for (const itemId of page) {
      signal.throwIfAborted();
      const change = await store.authors.propagation(authorId);
      if (change === null) return waiting;
      const isDone = await updateItem(needs, change, itemId, async (tx) => {
        await tx.authors.caughtUp(authorId, itemId);
        return true;
      });
      if (isDone === "busy") waiting += 1;
      after = itemId;
    }
    if (page.length < PAGE) return waiting;
  }
}

/** False when the change began again. */
async function pass(needs: PropagationNeeds, change: Propagation, itemId: ItemId): Promise<boolean> {
  const outcome = await updateItem(needs, change, itemId, (tx) => tx.authors.propagated(change, itemId, false));
  if (outcome !== "busy") return outcome;
  return await needs.store.transact((tx) => tx.authors.propagated(change, itemId, true));
}

/**
 * Writes the author's values into one item, in one transaction with what `then` notes. `busy`: another session edits
 * the item.
 */
async function updateItem(
  { store, items }: PropagationNeeds,
  change: Propagation,
  itemId: ItemId,
  then: (tx: RepositoryWriter) => Promise<boolean>,
): Promise<boolean | "busy"> {
  try {
    return await store.transact(async (tx) => {
      const update = await authorUpdate(tx.authors, change);
      await items.patch(tx, AUTHOR_JOBS, itemId, { action: FOLLOWS_AUTHOR }, (content) => update(content));
      return await then(tx);
    });
  } catch (error) {
    // Also an item whose limits refuse the values: it stays as it is, and the job reports it as left.
    if (isRefusal(error, "conflict", "invalid")) return "busy";
    // Deleted since it was listed: it follows when it is restored and written again.
    if (isRefusal(error, "gone", "not_found")) return await store.transact(then);
    throw error;
  }
}

/**
 * The author's values for its items, from the present record: that of the survivor after a merge, or none after a
 * deletion.
 */
async function authorUpdate(reader: AuthorReader, { authorId, withNames, dropped }: Propagation) {
  const linked = await reader.author(authorId);
  const author = linked?.mergedInto == null ? linked : await reader.author(linked.mergedInto);
  const choices = await reader.authorChoices();
  return (content: ItemContent): ItemContent => {
    const metadata = mapAgents(content.metadata, (agent) => {
      if (agent.authorId !== authorId) return agent;
      if (author === null || !isAlive(author)) return withLink(agent, null);
      return applyAuthorRecord(agent, {
        authorId: author.id,
        content: author.content,
        addressOf: addresses(choices),
        withNames,
        dropped,
      });
    });
    return metadata === content.metadata ? content : { ...content, metadata };
  };
}

/** Where identifiers are found, by their schemes. */
function addresses(choices: readonly AuthorChoice[]) {
  const urls = new Map(choices.filter(({ url }) => url !== "").map(({ id, url }) => [id, url]));
  return (scheme: string, identifier: string): string | undefined =>
    scheme === LOCAL
      ? undefined
      : urls.get(scheme)?.replace("##", () => encodeURIComponent(bareIdentifier(identifier)));
}
