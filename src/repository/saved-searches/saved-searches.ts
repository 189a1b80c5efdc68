// Searches that people save (issue 26): name, query, feed, alert. They are seen and changed by their account alone.
import { type Static, Type } from "@sinclair/typebox";
import type { Account, Viewer } from "../../auth/account.ts";
import { object, oneOf, optional, type Sent, text, words } from "../../shared/fields.ts";
import { randomText, sha256Hex, uuidOf } from "../../shared/hash/digests.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { MomentShape, manyOf, UuidShape, wordOf } from "../../shared/shapes.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { accountViewer, writeAs } from "../people/current-viewer.ts";
import { accountOf } from "../people/own-account.ts";
import { ALERT_FREQUENCIES, type SavedSearch } from "../store/saved-searches.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { nextAlert } from "./alert-times.ts";
import { normalQuery, type SavedSearchQuestions, savedQuestion } from "./saved-search-query.ts";

/** Characters of a name. */
export const SEARCH_NAME_MAX = 200;
export const SAVED_SEARCHES_MOST = most("savedSearches");
/** Longer queries are refused with their length. */
const QUERY_READ = 8_000;

const NAME = text({ min: 1, max: SEARCH_NAME_MAX });
const FREQUENCY = oneOf(ALERT_FREQUENCIES, { description: "How often new items are sent by mail" });
export const NEW_SEARCH = object(
  {
    name: NAME,
    query: words(QUERY_READ, { description: "Parameters of the search page, encoded" }),
    frequency: optional(FREQUENCY),
  },
  { $id: "NewSavedSearch" },
);
export const CHANGED_SEARCH = object(
  { name: optional(NAME), frequency: optional(FREQUENCY) },
  { $id: "ChangedSavedSearch" },
);
type NewSearch = ReturnType<typeof NEW_SEARCH.read>;
type ChangedSearch = ReturnType<typeof CHANGED_SEARCH.read>;

export const SavedSearchShape = Type.Object(
  {
    id: UuidShape,
    name: Type.String(),
    query: Type.String(),
    frequency: wordOf(ALERT_FREQUENCIES),
    has_feed: Type.Boolean(),
    created: MomentShape,
    updated: MomentShape,
    links: Type.Object({ self: Type.String(), search: Type.String() }),
  },
  { $id: "SavedSearch" },
);
export const SavedSearchList = Type.Object(
  { hits: Type.Object({ hits: manyOf(SavedSearchShape), total: Type.Integer() }) },
  { $id: "SavedSearchList" },
);

const SAVED_SEARCHES_PATH = "/api/user/saved-searches";

export const savedSearchJson = (search: SavedSearch, baseUrl: string): Static<typeof SavedSearchShape> => ({
  id: search.id,
  name: search.name,
  query: search.query,
  frequency: search.frequency,
  has_feed: search.feedHash !== null,
  created: search.createdAt,
  updated: search.updatedAt,
  links: {
    self: `${baseUrl}${SAVED_SEARCHES_PATH}/${search.id}`,
    search: `${baseUrl}/search${search.query === "" ? "" : `?${search.query}`}`,
  },
});

const FEED_SECRET = /^[\w-]{43}$/;

export interface SavedSearches {
  list(viewer: Viewer): Promise<readonly SavedSearch[]>;
  /** @throws Refusal `not_found` for one of another account */
  read(viewer: Viewer, id: string): Promise<SavedSearch>;
  /** @throws Refusal `invalid`, `conflict` where the account has as many as it may */
  create(viewer: Viewer, sent: Sent<NewSearch>): Promise<SavedSearch>;
  /** @throws Refusal `invalid`, `not_found` */
  change(viewer: Viewer, id: string, sent: Sent<ChangedSearch>): Promise<SavedSearch>;
  /** @throws Refusal `not_found` */
  remove(viewer: Viewer, id: string): Promise<void>;
  /** A new secret for the address of its feed: an earlier one ends. @throws Refusal `not_found` */
  makeFeed(viewer: Viewer, id: string): Promise<string>;
  /** @throws Refusal `not_found` */
  endFeed(viewer: Viewer, id: string): Promise<void>;
  /** The search whose feed has this secret, and its account as it is now. @throws Refusal `not_found` */
  feedOf(secret: string): Promise<{ readonly search: SavedSearch; readonly viewer: Viewer }>;
}

export type SavedSearchesNeeds = SavedSearchQuestions & {
  readonly store: RepositoryStore;
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<Random, "bytes">;
  readonly timeZone: string;
};

const unknownSearch = (): Refusal => new Refusal("not_found", "There is no such saved search");

/** Others that are saved at the same moment may take the position: tried again with the next one. */
const TRIES = 5;

export const savedSearches = (needs: SavedSearchesNeeds): SavedSearches => {
  const { store, clock, random } = needs;

  const owned = (found: SavedSearch | null, { id }: Account): SavedSearch => {
    if (found === null || found.accountId !== id) throw unknownSearch();
    return found;
  };

  const changeOne = <T>(
    viewer: Viewer,
    id: string,
    work: (tx: RepositoryWriter, search: SavedSearch) => Promise<T>,
  ): Promise<T> =>
    writeAs(needs, viewer, async (tx, now) =>
      work(tx, owned(await tx.savedSearches.lockSavedSearch(id), accountOf(now))),
    );

  const setFeed = (viewer: Viewer, id: string, feedHash: string | null): Promise<void> =>
    changeOne(viewer, id, (tx, search) =>
      tx.savedSearches.saveSavedSearch({ ...search, feedHash, updatedAt: clock.now() }),
    );

  return {
    list: async (viewer) => await store.savedSearches.savedSearchesOf(accountOf(viewer).id),
    read: async (viewer, id) => owned(await store.savedSearches.savedSearch(id), accountOf(viewer)),

    async create(viewer, sent) {
      accountOf(viewer);
      const { name, query: written, frequency = "never" } = sent();
      const query = normalQuery(written);
      await savedQuestion(needs, viewer, query);
      const at = clock.now();
      const fresh = { id: uuidOf(random.bytes(16)), name, query, frequency, feedHash: null, since: at };
      const times = { nextRunAt: nextAlert(needs, frequency, at), createdAt: at, updatedAt: at };
      for (let tries = 0; tries < TRIES; tries += 1) {
        const made = await writeAs(needs, viewer, async (tx, now) => {
          const { id: accountId } = accountOf(now);
          const taken = new Set((await tx.savedSearches.savedSearchesOf(accountId)).map(({ position }) => position));
          let position = 1;
          while (taken.has(position)) position += 1;
          if (position > SAVED_SEARCHES_MOST) {
            throw new Refusal("conflict", `An account has at most ${SAVED_SEARCHES_MOST} saved searches: delete one`);
          }
          const search: SavedSearch = { ...fresh, ...times, accountId, position };
          return (await tx.savedSearches.insertSavedSearch(search)) ? search : null;
        });
        if (made !== null) return made;
      }
      throw new Refusal("conflict", "Other searches are being saved at this moment: try again");
    },

    change: (viewer, id, sent) =>
      changeOne(viewer, id, async (tx, search) => {
        const { name = search.name, frequency = search.frequency } = sent();
        const at = clock.now();
        const isOther = frequency !== search.frequency;
        const nextRunAt = isOther ? nextAlert(needs, frequency, at) : search.nextRunAt;
        // What was published while there was no alert is not new.
        const since = search.frequency === "never" && isOther ? at : search.since;
        const changed = { ...search, name, frequency, nextRunAt, since, updatedAt: at };
        await tx.savedSearches.saveSavedSearch(changed);
        return changed;
      }),

    remove: (viewer, id) => changeOne(viewer, id, (tx) => tx.savedSearches.deleteSavedSearch(id)),

    async makeFeed(viewer, id) {
      const secret = randomText(random.bytes(32));
      await setFeed(viewer, id, sha256Hex(secret));
      return secret;
    },

    endFeed: (viewer, id) => setFeed(viewer, id, null),

    async feedOf(secret) {
      const search = FEED_SECRET.test(secret) ? await store.savedSearches.savedSearchOfFeed(sha256Hex(secret)) : null;
      const viewer = search === null ? null : await accountViewer(store, search.accountId);
      if (search === null || viewer === null) throw new Refusal("not_found", "There is no such feed");
      return { search, viewer };
    },
  };
};
