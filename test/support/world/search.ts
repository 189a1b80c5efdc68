// Items, an index that follows them, and the finder over both: for tests of searching without a server.
import type { Viewer } from "../../../src/auth/account.ts";
import { FIELDS } from "../../../src/repository/search/document/document.ts";
import { wordsOfQuery } from "../../../src/repository/search/document/tokens.ts";
import { type FollowerNeeds, IndexFollower } from "../../../src/repository/search/index/index-follower.ts";
import type { Condition, OpenIndex } from "../../../src/repository/search/index/index-port.ts";
import type { ItemQuery } from "../../../src/repository/search/query/finder.ts";
import { IndexFinder } from "../../../src/repository/search/query/index-finder.ts";
import { allOf } from "../../../src/repository/search/query/query-text.ts";
import { inField } from "../../../src/repository/search/query/word-conditions.ts";
import type { RepositoryStore } from "../../../src/repository/store/store.ts";
import { openNaiveIndex } from "../naive-index.ts";
import { quietLog } from "../quiet-log.ts";

const EVERYTHING: Condition = { kind: "and", of: [] };

/** Documents with all these words. */
export const words = (text: string, field: string = FIELDS.all): Condition =>
  allOf(text.split(" ").map((word) => inField(field)(wordsOfQuery(word))));

export const asked = (more: Partial<ItemQuery> = {}): ItemQuery => ({
  where: EVERYTHING,
  chosen: null,
  sort: [],
  page: { number: 1, size: 1_000 },
  facets: [],
  ...more,
});

export type Searched = { readonly store: RepositoryStore; readonly time: { readonly now: string } };

/** One that has not started. */
export const followerOf = (
  { store, time }: Searched,
  open: OpenIndex,
  more: Partial<FollowerNeeds> = {},
): IndexFollower =>
  new IndexFollower({
    ...{ store, open, clock: { now: () => time.now }, timeZone: "UTC", log: quietLog, waitMs: 20_000 },
    ...more,
  });

/** `open`: the engine; the naive one by itself. */
export async function searching(
  { store, time }: Searched,
  open: OpenIndex = openNaiveIndex,
  more: Partial<FollowerNeeds> = {},
) {
  const clock = { now: () => time.now };
  const timeZone = "UTC";
  const follower = followerOf({ store, time }, open, more);
  await follower.start();
  const finder = new IndexFinder({ store: more.store ?? store, follower, clock, timeZone });
  const find = (viewer: Viewer, given: Partial<ItemQuery> = {}) => finder.find(viewer, asked(given));
  return {
    follower,
    finder,
    find,
    ids: async (viewer: Viewer, given: Partial<ItemQuery> = {}): Promise<readonly number[]> =>
      (await find(viewer, given)).items.map(({ item }) => item.id),
    close: () => follower.stop(),
  };
}
