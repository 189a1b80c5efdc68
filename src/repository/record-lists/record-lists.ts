// Lists of records (R1, R34, R37; specification 3, search_records, my_records, list_versions, list_community_records):
// one use case for HTTP and for the tool servers. The request is compiled, the finder answers, and each hit is returned
// as its viewer sees it.
import { curatedCommunities, isAdministrator, type Viewer } from "../../auth/account.ts";
import type { EntryName } from "../../formats/record/record-input.ts";
import { permissionDenied, RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import type { ItemId, ParentId, RecordId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import type { RecordView } from "../records/record-json.ts";
import type { EntriesOf } from "../records/record-reading.ts";
import type { Records } from "../records/records.ts";
import { FIELDS } from "../search/document/document.ts";
import { keyOf, numberKey, sharingKeys } from "../search/document/keys.ts";
import { NESTED } from "../search/document/record-fields.ts";
import type { Condition } from "../search/index/index-port.ts";
import { requireKnownNames } from "../search/lucene/field-names.ts";
import { PLACE_NAMES, placesOf } from "../search/lucene/member-fields.ts";
import { prepareQuery, type QueryMode } from "../search/lucene/prepare-query.ts";
import type { Finder, ItemQuery, SearchPage } from "../search/query/finder.ts";
import { allOf, NOTHING } from "../search/query/query-text.ts";
import { NEWEST_WORK } from "../search/query/ranking.ts";
import { GuestWeights, similarItems } from "../search/query/similar.ts";
import type { Corrected } from "../search/query/spelling.ts";
import { KEYS } from "../search/settings/search-schema.ts";
import { isKnownIdentifier } from "../search/words/identifiers.ts";
import type { RepositoryReader } from "../store/store.ts";
import { bothQueries, correctedQuery, nearestWords } from "./corrected-query.ts";
import {
  type Aggregations,
  aggregationsOf,
  chosenCondition,
  FACET_VOCABULARIES,
  type FacetName,
  fieldsOf,
  type Titles,
} from "./facets.ts";
import { hitViews } from "./hit-views.ts";
import {
  invalidQuery,
  type ListRequest,
  listQuery,
  listRequest,
  type SortDefaults,
  sortBy,
  WINDOW,
} from "./list-parameters.ts";

export type RecordListNeeds = {
  readonly store: Pick<RepositoryReader, "items" | "communities" | "usage">;
  readonly finder: Finder;
  readonly records: Pick<Records, "read" | "readDraft">;
  readonly entriesOf: EntriesOf;
  readonly today: () => Day;
};

/** Which records a list is of. */
export type ListScope =
  /** Everything that is published; `withDrafts`: and what the viewer has drafted. */
  | { readonly kind: "published"; readonly withDrafts: boolean }
  /** What the viewer owns, one entry for each thing. */
  | { readonly kind: "own" }
  | { readonly kind: "community"; readonly community: string }
  | { readonly kind: "versions"; readonly of: number };

export type ListedRecords = {
  readonly total: number;
  readonly count: number;
  /** As the viewer sees them, `count` of them; a value from `known` replaces the view. */
  views<Known>(known: (hit: Hit) => Known | null, titles?: boolean): AsyncGenerator<RecordView | Known>;
  readonly sort: ListRequest["sort"];
  readonly page: number;
  readonly size: number;
  /** Null where the list counts nothing. */
  readonly aggregations: Aggregations | null;
  readonly mode: QueryMode;
  /** The query as it was understood; empty: everything. */
  readonly effective: string;
  /** Words and phrases of the query without a name before them. */
  readonly words: readonly string[];
  /** Few records have a word as it is written: those with some of its parts follow. */
  readonly isWidened: boolean;
  /** A record has one of several words. */
  readonly hasAlternatives: boolean;
  /**
   * Where little was found, the query with the nearest words that records have. `each`: however much was found, where
   * one of several words is enough; it costs a count for each of them.
   */
  readonly corrected: (each?: "each word") => Promise<Corrected | null>;
};

export type Hit = SearchPage["items"][number];

const FACETS: readonly FacetName[] = [
  ...(["publication_date", "access_status", "file_type", "resource_type", "language", "subject"] as const),
];

type Shape = { readonly defaults: SortDefaults; readonly facets: readonly FacetName[] };

/** The default sort of each list, and the facets it counts. */
const LIST_SHAPES: Readonly<Record<ListScope["kind"], Shape>> = {
  published: { defaults: { withQuery: "bestmatch", without: "newest" }, facets: FACETS },
  community: { defaults: { withQuery: "bestmatch", without: "newest" }, facets: FACETS },
  own: { defaults: { withQuery: "bestmatch", without: "updated-desc" }, facets: [...FACETS, "is_published"] },
  versions: { defaults: { withQuery: "version", without: "version" }, facets: [] },
};

const queryOf = (kind: ListScope["kind"]) => listQuery(LIST_SHAPES[kind].defaults, LIST_SHAPES[kind].facets);

/** The parameters of each list. */
export const LIST_QUERIES = {
  published: queryOf("published"),
  community: queryOf("community"),
  own: queryOf("own"),
  versions: queryOf("versions"),
} as const;

type Counting = "with facets" | "without facets";

type ScopeConditions = { readonly where: readonly Condition[]; readonly standing: NonNullable<ItemQuery["standing"]> };

export interface RecordLists {
  search(viewer: Viewer, scope: ListScope, request: ListRequest, counting?: Counting): Promise<ListedRecords>;
  searchRecords(viewer: Viewer, asked: ToolSearch): Promise<ToolSearchResult>;
  /** Records that are about the same as one that is published, at most `size`. @throws as reading it does */
  similar(viewer: Viewer, id: RecordId, size: number): Promise<ListedRecords>;
  count(viewer: Viewer, scope: ListScope, chosen?: ListRequest["chosen"]): Promise<number>;
}

export function recordLists(needs: RecordListNeeds): RecordLists {
  const weights = new GuestWeights();
  return {
    search: (viewer, scope, request, counting) => searchList(needs, viewer, scope, request, counting),
    searchRecords: (viewer, asked) => searchRecords(needs, viewer, asked),
    similar: (viewer, id, size) => similarRecords({ ...needs, weights }, viewer, id, size),
    count: (viewer, scope, chosen) => countRecords(needs, viewer, scope, chosen),
  };
}

async function searchList(
  needs: RecordListNeeds,
  viewer: Viewer,
  scope: ListScope,
  request: ListRequest,
  counting: Counting = "with facets",
  meant: string | null = null,
): Promise<ListedRecords> {
  if (request.q.length > most("luceneCharacters")) {
    throw invalidQuery([{ field: "q", messages: [`Longer than maximum length ${most("luceneCharacters")}.`] }]);
  }
  const { where, standing } = await conditionsOf(needs, viewer, scope, request);
  const prepared = (q: string) => prepareQuery({ finder: needs.finder, communities: needs.store.communities }, q);
  const typed = await prepared(request.q);
  const asked = meant === null ? typed : bothQueries(typed, await prepared(meant));
  const names = counting === "with facets" ? LIST_SHAPES[scope.kind].facets : [];
  const found = await needs.finder.find(viewer, {
    where: allOf([...where, asked.where]),
    standing,
    chosen: chosenCondition(request.chosen, LIST_SHAPES[scope.kind].facets),
    ...(request.sort === "bestmatch" && asked.ranking.length > 0
      ? { sort: [NEWEST_WORK], ranking: asked.ranking, ...widerWith(where, asked) }
      : { sort: sortBy(request.sort) }),
    page: { number: request.page, size: request.size },
    facets: fieldsOf(names),
  });
  const words = names.length === 0 ? () => undefined : await vocabularyTitles(needs, names, found.facets);
  const isWidened = found.isWidened === true;
  return {
    total: found.total,
    count: found.items.length,
    views: (known, titles = true) =>
      hitViews(needs, viewer, found.items, { prefersDraft: scope.kind === "own", known, titles }),
    sort: request.sort,
    page: request.page,
    size: request.size,
    aggregations: names.length === 0 ? null : aggregationsOf(names, found.facets, request.chosen, words),
    mode: asked.mode,
    effective: asked.effective,
    words: asked.words,
    isWidened,
    hasAlternatives: asked.hasAlternatives,
    corrected: (each) =>
      correctedQuery(needs, viewer, request.q, {
        ...{ total: found.total, sort: request.sort, isWidened },
        isForEach: each !== undefined && asked.hasAlternatives,
      }),
  };
}

/** Best matches of a query may be asked less strictly. */
const widerWith = (where: readonly Condition[], { wider }: Pick<ItemQuery, "wider">): Pick<ItemQuery, "wider"> =>
  wider === undefined ? {} : { wider: { ...wider, where: allOf([...where, wider.where]) } };

async function conditionsOf(
  needs: RecordListNeeds,
  viewer: Viewer,
  scope: ListScope,
  request: ListRequest,
): Promise<ScopeConditions> {
  switch (scope.kind) {
    case "published":
      if (!scope.withDrafts) return { where: [], standing: request.allVersions ? "all" : "latest" };
      return { where: [], standing: request.allVersions ? "everything" : "latest-and-drafts" };
    case "own":
      return { where: ownedBy(viewer, request), standing: request.allVersions ? "everything" : "newest" };
    case "community": {
      const anyOf = [keyOf(await readableCommunity(needs, viewer, scope.community))];
      return {
        where: [{ kind: "key", field: KEYS.community, anyOf }],
        standing: request.allVersions ? "all" : "latest",
      };
    }
    case "versions": {
      const anyOf = [numberKey(await parentOf(needs, viewer, scope.of))];
      return { where: [{ kind: "key", field: KEYS.number, anyOf }], standing: "all" };
    }
  }
}

/** Only its people learn of a restricted community (R2d). @throws Refusal */
async function readableCommunity(needs: RecordListNeeds, viewer: Viewer, named: string): Promise<string> {
  const community = await needs.store.communities.community(named);
  if (community === null) throw new Refusal("not_found", RECORD_SENTENCES.unknown);
  const { id, visibility } = community;
  if (visibility === "public" || isAdministrator(viewer) || curatedCommunities(viewer).includes(id)) return id;
  const members = viewer.account === null ? [] : await needs.store.communities.members(id);
  if (!members.some(({ accountId }) => accountId === viewer.account?.id)) throw permissionDenied();
  return id;
}

/** The parent of any version that may be read; of a draft, by those who may read that. */
async function parentOf(needs: RecordListNeeds, viewer: Viewer, id: ItemId): Promise<ParentId> {
  try {
    return (await needs.records.read(viewer, id)).parent.id;
  } catch (error) {
    if (!isRefusal(error, "not_found") || viewer.account === null) throw error;
    try {
      return (await needs.records.readDraft(viewer, id)).parent.id;
    } catch {
      throw error;
    }
  }
}

/** One page of the most similar ones: the total is their number. */
async function similarRecords(
  needs: RecordListNeeds & { readonly weights: GuestWeights },
  viewer: Viewer,
  id: RecordId,
  size: number,
): Promise<ListedRecords> {
  const { content, parent } = await needs.records.read(viewer, id);
  const source = { content, parentId: parent.id };
  const { items, words } = await similarItems({ ...needs, mayWait: true }, viewer, source, size);
  return {
    ...{ total: items.length, count: items.length, page: 1, size, sort: "bestmatch" },
    views: (known, titles = true) => hitViews(needs, viewer, items, { prefersDraft: false, known, titles }),
    ...{ aggregations: null, mode: "words", effective: "", words, isWidened: false, hasAlternatives: false },
    corrected: async () => null,
  };
}

/**
 * A search of the tool servers: the published records, and the viewer's drafts. @throws Refusal `invalid` for an
 * unknown sort.
 */
async function searchRecords(needs: RecordListNeeds, viewer: Viewer, asked: ToolSearch): Promise<ToolSearchResult> {
  const { q = "", size = TOOL_SIZE, page = 1, sort = "", allVersions = false, titles = true } = asked;
  const scope = scopeOf(viewer, asked);
  // The label of an identifier is not the name of a field: ISBN-13: 978…
  if (!isKnownIdentifier(q)) {
    requireKnownNames("query", q, (name) => name === "*" || placesOf(name).length > 0, PLACE_NAMES);
  }
  const sent = new URLSearchParams({
    q,
    sort,
    size: String(size),
    page: String(page),
    allversions: String(allVersions),
  });
  const request = listRequest(sent, LIST_SHAPES[scope.kind].defaults);
  const counting = asked.facets === true ? "with facets" : "without facets";
  const typed = await searchList(needs, viewer, scope, request, counting);
  const correction = await typed.corrected("each word");
  const both = correction === null ? null : await searchList(needs, viewer, scope, request, counting, correction.text);
  // What else is asked for may leave nothing of it; of alternatives, all may be there by another word.
  const nearest = async ({ words: put }: Corrected): Promise<number> =>
    (await searchList(needs, viewer, scope, { ...request, q: [...put.values()].join(" ") }, "without facets")).total;
  const isCovered = both?.total === typed.total && typed.hasAlternatives;
  const hasMore =
    correction !== null && both !== null && (isCovered ? (await nearest(correction)) > 0 : both.total > typed.total);
  const listed = hasMore ? both : typed;
  const views: RecordView[] = [];
  for await (const view of listed.views<never>(() => null, titles)) views.push(view);
  const { total, mode, effective, aggregations, words, isWidened } = listed;
  return {
    ...{ words, isWidened, meant: correction?.text ?? null },
    nearest: correction === null || !hasMore ? null : { typedTotal: typed.total, words: nearestWords(correction) },
    total,
    views,
    sort: request.sort,
    page,
    mode,
    effective,
    aggregations,
    nextPage: page * size < total && (page + 1) * size <= WINDOW ? page + 1 : null,
  };
}

/** The number of records of a list, without reading them. */
async function countRecords(
  needs: RecordListNeeds,
  viewer: Viewer,
  scope: ListScope,
  chosen: ListRequest["chosen"] = new Map(),
): Promise<number> {
  const sort = LIST_SHAPES[scope.kind].defaults.without;
  const request = { q: "", sort, page: 1, size: 1, allVersions: false, sharedWithMe: null, chosen };
  return (await searchList(needs, viewer, scope, request, "without facets")).total;
}

function scopeOf({ account }: Viewer, { mine = false, community, versionsOf }: ToolSearch): ListScope {
  if (mine) return { kind: "own" };
  if (versionsOf !== undefined) return { kind: "versions", of: versionsOf };
  if (community !== undefined) return { kind: "community", community };
  return { kind: "published", withDrafts: account !== null };
}

/** What a tool asks for; what is left out is empty, the first page of ten, and the order of the list. */
export type ToolSearch = {
  readonly q?: string;
  readonly size?: number;
  readonly page?: number;
  readonly sort?: string;
  readonly allVersions?: boolean;
  /** Only what the viewer owns, one entry for each thing. */
  readonly mine?: boolean;
  /** Number or slug: only what is published there. */
  readonly community?: string;
  /** False: entries of vocabularies are represented by their ids alone. */
  readonly titles?: boolean;
  /** Only the versions of the thing that this is one of. */
  readonly versionsOf?: number;
  /** True: with the counts of its facets. */
  readonly facets?: boolean;
};

export type ToolSearchResult = Pick<
  ListedRecords,
  "total" | "sort" | "page" | "mode" | "effective" | "aggregations" | "words" | "isWidened"
> & {
  /** `item.state` and `draft` state which version is where. */
  readonly views: readonly RecordView[];
  readonly nextPage: number | null;
  /** Where little was found, the query with the nearest words that records have; null: there are none. */
  readonly meant: string | null;
  /** Records with the nearest words follow those with the words as they were typed; null: none do. */
  readonly nearest: NearestHits | null;
};
/** `typedTotal`: records with the words as they were typed. */
type NearestHits = { readonly typedTotal: number; readonly words: ReadonlyMap<string, string> };
const TOOL_SIZE = 10;

/** The viewer's own records; on request those that others share with the viewer. */
function ownedBy(viewer: Viewer, { sharedWithMe }: ListRequest): readonly Condition[] {
  if (viewer.account === null) return [NOTHING];
  const own: Condition = { kind: "key", field: KEYS.owner, anyOf: [numberKey(viewer.account.id)] };
  if (sharedWithMe !== true) return [own];
  return [
    { kind: "key", field: FIELDS.visibility, anyOf: sharingKeys(viewer) },
    { kind: "not", of: own },
  ];
}

/** Titles of the entries that facets name. */
async function vocabularyTitles(
  { store, entriesOf }: Pick<RecordListNeeds, "store" | "entriesOf">,
  names: readonly FacetName[],
  counts: SearchPage["facets"],
): Promise<Titles> {
  const asked: EntryName[] = [];
  let at = 0;
  for (const name of names) {
    const fields = fieldsOf([name]).length;
    const type = FACET_VOCABULARIES[name];
    for (const { label } of counts.slice(at, at + fields).flat()) {
      if (type !== undefined) asked.push({ type, id: label.split(NESTED).at(-1) ?? label });
    }
    at += fields;
  }
  const entries = await entriesOf(store, asked);
  return (vocabulary, id) => entries.get(vocabulary, id)?.title.en;
}
