// Alerts of saved searches (issue 26): new items that the account may read become mails, each item once for a search.
// What was reported, the mail and the next run are one transaction, so that a kill repeats all of it or nothing.
import type { JobKinds } from "../../jobs/runner.ts";
import { errorMessage } from "../../shared/error-message.ts";
import { most } from "../../shared/limits.ts";
import type { Log } from "../../shared/log.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import { alertEntry } from "../notices/alerts.ts";
import { accountViewer } from "../people/current-viewer.ts";
import { RECORD_NUMBERS } from "../search/detail/record-schema.ts";
import type { Condition } from "../search/index/index-port.ts";
import type { Finder } from "../search/query/finder.ts";
import type { ReportedItem, SavedSearch } from "../store/saved-searches.ts";
import type { RepositoryStore } from "../store/store.ts";
import { nextAlert } from "./alert-times.ts";
import { type SavedSearchQuestions, savedQuestion } from "./saved-search-query.ts";

export type AlertJobNeeds = Pick<SavedSearchQuestions, "values"> & {
  readonly store: RepositoryStore;
  readonly finder: Pick<Finder, "each" | "settings">;
  readonly clock: Pick<Clock, "now">;
  readonly timeZone: string;
  /** Without mail no alert runs. */
  readonly isMailOn: boolean;
  readonly log: Log;
};

export const ALERT_JOB = "saved_search_alerts";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const AT_ONCE = 20;
/** Searches of one run; the next run has the others. */
const RUN_MOST = 2_000;
const HITS_AT_ONCE = 200;
/** Hits among which new items are searched for. */
const HITS_MOST = 10_000;
/** What was published earlier, and becomes readable only now, is not new. */
const NEW_DAYS = 90;
const ITEMS_MOST = most("alertItems");

export const alertJobs = (needs: AlertJobNeeds): JobKinds => ({
  [ALERT_JOB]: {
    maxAttempts: 5,
    everyMs: 15 * MINUTE_MS,
    queue: ALERT_JOB,
    run: (_, { signal }) => runAlerts(needs, signal),
  },
});

async function runAlerts(needs: AlertJobNeeds, signal: AbortSignal): Promise<void> {
  const { store, clock, isMailOn } = needs;
  if (!isMailOn) return;
  for (let done = 0; done < RUN_MOST; ) {
    const due = await store.savedSearches.dueSavedSearches(clock.now(), AT_ONCE);
    if (due.length === 0) return;
    for (const search of due) {
      signal.throwIfAborted();
      await runAlert(needs, search);
      await yieldToEventLoop();
    }
    done += due.length;
  }
}

async function runAlert(needs: AlertJobNeeds, search: SavedSearch): Promise<void> {
  const { store, clock } = needs;
  const at = clock.now();
  const earliest = addMilliseconds(at, -NEW_DAYS * DAY_MS);
  const isRecent = earliest < search.since;
  const found = await newItems(needs, search, isRecent ? search.since : earliest);
  await store.transact(async (tx) => {
    const locked = await tx.savedSearches.lockSavedSearch(search.id);
    // It was deleted, or changed, or another process has run it.
    if (locked === null || locked.nextRunAt !== search.nextRunAt) return;
    const ids = found.map(({ id }) => id);
    const reported = new Set(await tx.savedSearches.reportedItems(search.id, ids));
    const fresh = found.filter(({ id }) => !reported.has(id));
    const items = fresh.slice(0, ITEMS_MOST);
    if (items.length > 0) {
      const alert = {
        savedSearch: search.id,
        items: items.map(({ id }) => id),
        hasMore: fresh.length > items.length,
      };
      await tx.savedSearches.addReportedItems(search.id, items);
      await tx.outgoing.addOutgoing([alertEntry(locked.accountId, alert, at)], at);
      await tx.outgoing.hastenOutgoing(at);
    }
    await tx.savedSearches.forgetReportedItems(search.id, earliest);
    await tx.savedSearches.saveSavedSearch({ ...locked, nextRunAt: nextAlert(needs, locked.frequency, at) });
  });
}

/** The newest that were not reported, at most one more than a mail has. An account that is disabled has none. */
async function newItems(needs: AlertJobNeeds, search: SavedSearch, since: Instant): Promise<readonly ReportedItem[]> {
  const { store, finder, log } = needs;
  const viewer = await accountViewer(store, search.accountId);
  if (viewer === null) return [];
  const fresh: ReportedItem[] = [];
  try {
    const { where, chosen } = await savedQuestion(needs, viewer, search.query);
    // What is published is changed by it: the index need not know when that was.
    const changed = { kind: "range", field: RECORD_NUMBERS.updatedAt, from: Date.parse(since), to: null } as const;
    const question: Condition = { kind: "and", of: [where, changed] };
    let read = 0;
    for await (const page of finder.each(viewer, { where: question, chosen, sort: [] }, HITS_AT_ONCE)) {
      const published = page.flatMap(({ item: { id, publishedAt } }) =>
        publishedAt === null || publishedAt <= since ? [] : [{ id, publishedAt }],
      );
      const ids = published.map(({ id }) => id);
      const reported = new Set(await store.savedSearches.reportedItems(search.id, ids));
      fresh.push(...published.filter(({ id }) => !reported.has(id)));
      read += page.length;
      if (fresh.length > ITEMS_MOST || read >= HITS_MOST) break;
    }
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    // Its facets or limits may be others than when it was saved.
    log.warn("saved_search.invalid", { search: search.id, error: errorMessage(error) });
  }
  return fresh.slice(0, ITEMS_MOST + 1);
}
