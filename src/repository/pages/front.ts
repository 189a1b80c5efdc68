// What the first page shows beyond the newest items (Q.1, Q.2): what is here in figures, how many items are in each
// index and community, and what is used most this month. Figures are those of a guest, for every reader; they are
// counted by the search index at most once in five minutes, and the page states when. What is named (items,
// communities) is read again for each view, as its reader may see it.
import { GUEST, guestWithout, type Viewer } from "../../auth/account.ts";
import { openness } from "../../model/access/openness.ts";
import { may } from "../../model/rights/policy.ts";
import type { IndexId, ParentId } from "../../shared/ids.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { RECORD_FACETS } from "../search/detail/record-schema.ts";
import { numberKey } from "../search/document/keys.ts";
import type { FacetCount } from "../search/index/index-port.ts";
import type { Finder } from "../search/query/finder.ts";
import { KEYS } from "../search/settings/search-schema.ts";
import type { Community } from "../store/communities.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { ListedItem } from "./lists.ts";

const KEPT_MS = 5 * 60_000;
/** Indexes that are counted, those with the most items first. */
const INDEXES_COUNTED = 1_000;
const COMMUNITIES_NAMED = 8;
const PEOPLE_COUNTED = 10_000;
const MOST_USED = 5;
/** Of the most used, some may not be open to the reader. */
const MOST_USED_READ = 25;

export type FrontFigures = {
  readonly items: number;
  /** Items all or some of whose files are open to everybody. */
  readonly openItems: number;
  /** Linked in these items. */
  readonly people: number;
  /** There are more people than are counted. */
  readonly hasMorePeople: boolean;
  readonly communities: number;
  readonly at: Instant;
};

type FrontParts = {
  /** Null while nothing can be searched. */
  readonly figures: FrontFigures | null;
  /** Items in the index and below, of those that have any. */
  readonly itemsIn: ReadonlyMap<IndexId, number>;
  readonly communities: readonly (Pick<Community, "id" | "slug" | "title"> & { readonly items: number })[];
  readonly mostUsed: readonly ListedItem[];
};

export interface FrontShowing {
  front(viewer: Viewer): Promise<FrontParts>;
  /** How many items guests may see in each index and below it, of those with any; null while nothing can be searched. */
  itemsIn(): Promise<ReadonlyMap<IndexId, number> | null>;
}

type FrontNeeds = {
  readonly finder: Pick<Finder, "find">;
  readonly store: Pick<RepositoryReader, "items" | "communities" | "usage">;
  readonly clock: Pick<Clock, "now">;
  readonly today: () => Day;
};

type Counted = {
  readonly figures: FrontFigures;
  readonly itemsIn: ReadonlyMap<IndexId, number>;
  readonly inCommunities: ReadonlyMap<string, number>;
  readonly mostUsed: readonly ParentId[];
};

const NOT_COUNTED: FrontParts = {
  figures: null,
  itemsIn: new Map(),
  communities: [],
  mostUsed: [],
};

export function frontShowing(needs: FrontNeeds): FrontShowing {
  const { store, clock, today } = needs;
  let kept: { readonly until: number; readonly counted: Promise<Counted> } | null = null;

  /** Requests that come together wait for one count. An empty repository is counted each time. */
  async function counted(): Promise<Counted> {
    const now = Date.parse(clock.now());
    if (kept === null || kept.until <= now) kept = { until: now + KEPT_MS, counted: count(needs) };
    const mine = kept;
    try {
      const found = await mine.counted;
      if (found.figures.items === 0 && kept === mine) kept = null;
      return found;
    } catch (error) {
      if (kept === mine) kept = null;
      throw error;
    }
  }

  async function mostUsed(viewer: Viewer, parents: readonly ParentId[]): Promise<readonly ListedItem[]> {
    if (parents.length === 0) return [];
    const where = { kind: "key", field: KEYS.number, anyOf: parents.map(numberKey) } as const;
    const page = { number: 1, size: MOST_USED_READ };
    const { items } = await needs.finder.find(viewer, {
      where,
      chosen: null,
      sort: [],
      page,
      facets: [],
      mayWait: false,
    });
    const idOf = new Map(items.map(({ item, parent }) => [parent.id, item.id]));
    const ids = parents.flatMap((parent) => idOf.get(parent) ?? []).slice(0, MOST_USED);
    const summaries = ids.length === 0 ? [] : await store.items.summariesOf(ids);
    return summaries.flatMap((item) =>
      item.content === null ? [] : [{ item, openness: openness(item.content, today()) }],
    );
  }

  async function named(viewer: Viewer, inCommunities: ReadonlyMap<string, number>): Promise<FrontParts["communities"]> {
    if (inCommunities.size === 0) return [];
    const known = await store.communities.communitiesOf([...inCommunities.keys()]);
    const asking = guestWithout(viewer, ["user:activity"]);
    return known
      .filter((community) => may(asking, "community.see", community))
      .map(({ id, slug, title }) => ({ id, slug, title, items: inCommunities.get(id) ?? 0 }))
      .sort((one, other) => other.items - one.items)
      .slice(0, COMMUNITIES_NAMED);
  }

  return {
    async itemsIn() {
      try {
        return (await counted()).itemsIn;
      } catch (error) {
        if (isRefusal(error, "unavailable")) return null;
        throw error;
      }
    },
    async front(viewer) {
      try {
        const { inCommunities, mostUsed: parents, ...counts } = await counted();
        return {
          ...counts,
          communities: await named(viewer, inCommunities),
          mostUsed: await mostUsed(viewer, parents),
        };
      } catch (error) {
        if (isRefusal(error, "unavailable")) return NOT_COUNTED;
        throw error;
      }
    },
  };
}

async function count({ finder, store, clock, today }: FrontNeeds): Promise<Counted> {
  const found = await finder.find(GUEST, {
    ...{ where: { kind: "and", of: [] }, chosen: null, sort: [] },
    page: { number: 1, size: 0 },
    facets: [
      { field: RECORD_FACETS.access, size: INDEXES_COUNTED },
      { field: RECORD_FACETS.index, size: INDEXES_COUNTED },
      { field: RECORD_FACETS.community, size: 2 * COMMUNITIES_NAMED },
      { field: RECORD_FACETS.person, size: PEOPLE_COUNTED },
    ],
  });
  const [access = [], indexes = [], inCommunities = [], people = []] = found.facets;
  const communities = await store.communities.countCommunities({ seen: [] });
  const countsOf = (counts: readonly FacetCount[]) => counts.map(({ label, count: items }) => [label, items] as const);
  return {
    figures: {
      items: found.total,
      openItems: access.find(({ label }) => label === "open")?.count ?? 0,
      people: people.length,
      hasMorePeople: people.length === PEOPLE_COUNTED,
      communities: communities.total,
      at: clock.now(),
    },
    itemsIn: new Map(countsOf(indexes).map(([id, items]) => [Number(id), items])),
    inCommunities: new Map(countsOf(inCommunities)),
    mostUsed: await store.usage.mostUsed(today().slice(0, "2026-01".length), MOST_USED_READ),
  };
}
