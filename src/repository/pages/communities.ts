// Works of communities as pages show them (R37, R40): those that the viewer may see, counted and listed by the index.
import type { Viewer } from "../../auth/account.ts";
import { openness } from "../../model/access/openness.ts";
import type { Day } from "../../shared/time/day.ts";
import { RECORD_FACETS } from "../search/detail/record-schema.ts";
import { facetKey, keyOf } from "../search/document/keys.ts";
import type { Finder } from "../search/query/finder.ts";
import type { Parameters } from "../search/query/parameters.ts";
import { allOf } from "../search/query/query-text.ts";
import { readerQuestion } from "../search/query/reader-question.ts";
import { facetField, KEYS } from "../search/settings/search-schema.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { ListedItem } from "./lists.ts";

type CommunityWorks = {
  readonly total: number;
  readonly items: readonly ListedItem[];
  /** Pages that can be reached. */
  readonly pages: number;
  /** The parameter of the search page that narrows to a community; null: administrators have taken it off. */
  readonly facet: string | null;
  /** What most of them are about. */
  readonly subjects: readonly { readonly label: string; readonly count: number }[];
};

type WorksRequest = { readonly words: string; readonly subject: string; readonly page: number };

export interface CommunityShowing {
  /**
   * Best matches first where there are words, else the newest. `community`: a UUID, of one that the viewer may see.
   * @throws invalid for an invalid search, unavailable until the index is built
   */
  works(viewer: Viewer, community: string, asked: WorksRequest): Promise<CommunityWorks>;
  /** How many works of each the viewer may see, by UUID. */
  counts(viewer: Viewer, communities: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

type Needs = {
  readonly store: Pick<RepositoryReader, "items">;
  readonly finder: Pick<Finder, "find" | "settings">;
  readonly today: () => Day;
};

const PAGE_SIZE = 20;
/** Works that pages reach by their number (R10). */
const REACHED = 10_000;
const SUBJECTS = 15;
/** Communities that works of one page of communities are in besides. */
const COUNTED = 1_000;

const inCommunities = (ids: readonly string[]) =>
  ({ kind: "key", field: KEYS.community, anyOf: ids.map((id) => keyOf(id)) }) as const;

export const communityShowing = ({ store, finder, today }: Needs): CommunityShowing => ({
  async works(viewer, community, { words, subject, page }) {
    const parameters: Parameters = new Map(words === "" ? [["sort", ["-controlnumber"]]] : [["q", [words]]]);
    const settings = await finder.settings();
    const { where, wider, sort, ranking } = readerQuestion(parameters, settings, "records");
    const facet = settings.facets.find((each) => each.active && facetField(each) === RECORD_FACETS.community);
    const here = inCommunities([community]);
    const about = { kind: "key", field: RECORD_FACETS.subject, anyOf: [facetKey(subject)] } as const;
    const found = await finder.find(viewer, {
      where: allOf([here, where]),
      sort,
      ...(wider === undefined ? {} : { wider: { ...wider, where: allOf([here, wider.where]) } }),
      ...(ranking === undefined ? {} : { ranking }),
      chosen: subject === "" ? null : about,
      page: { number: page, size: PAGE_SIZE },
      facets: [{ field: RECORD_FACETS.subject, size: SUBJECTS }],
    });
    const summaries = await store.items.summariesOf(found.items.map(({ item }) => item.id));
    return {
      total: found.total,
      items: summaries.flatMap((item) =>
        item.content === null ? [] : [{ item, openness: openness(item.content, today()) }],
      ),
      pages: Math.max(1, Math.ceil(Math.min(found.total, REACHED) / PAGE_SIZE)),
      facet: facet?.name.en ?? null,
      subjects: found.facets[0] ?? [],
    };
  },

  async counts(viewer, communities) {
    if (communities.length === 0) return new Map();
    const found = await finder.find(viewer, {
      where: inCommunities(communities),
      chosen: null,
      sort: [],
      page: { number: 1, size: 1 },
      facets: [{ field: RECORD_FACETS.community, size: COUNTED }],
    });
    const counts = new Map((found.facets[0] ?? []).map(({ label, count }) => [label, count]));
    return new Map(communities.map((id) => [id, counts.get(id) ?? 0]));
  },
});
