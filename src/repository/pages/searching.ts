// Searching as a page (issue of R1, R27, R28, R40): the same parameters as item search for programs, so that an address
// of one is an address of the other; hits as lists show them, facets as they can be chosen and unchosen.
import type { Viewer } from "../../auth/account.ts";
import { openness } from "../../model/access/openness.ts";
import type { ItemSummary } from "../../model/items/summary.ts";
import type { ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import type { FacetValue, FacetValues } from "../search/detail/facet-values.ts";
import { type HitReason, type HitReasons, textKind } from "../search/detail/hit-reasons.ts";
import type { Condition, RankedWord } from "../search/index/index-port.ts";
import type { Finder, ItemQuery, SearchPage } from "../search/query/finder.ts";
import { hasMarks, type MarkedWord, type Marks, marksOf, type Part, snippet } from "../search/query/marking.ts";
import {
  isOfYears,
  type Parameters,
  pageOf,
  WORD_PARAMETERS,
  wordPlace,
  type YearRange,
  yearRange,
} from "../search/query/parameters.ts";
import { parseQueryText } from "../search/query/query-text.ts";
import { beginningOf, type QueryReading } from "../search/query/reader-query.ts";
import { type ReaderQuestion, readerQuestion } from "../search/query/reader-question.ts";
import { corrected, ENOUGH_HITS } from "../search/query/spelling.ts";
import { typedFirst } from "../search/query/typed-first.ts";
import { partsOf } from "../search/query/word-parts.ts";
import { facetField, factField, TEXTS } from "../search/settings/search-schema.ts";
import type { FacetItem, SearchSettings } from "../search/settings/settings.ts";
import type { ItemReader } from "../store/items.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { ListedItem } from "./lists.ts";
import { type YearBin, yearBins } from "./year-bins.ts";

type SearchedItem = ListedItem & {
  /** The abstract around the words that were found; empty where there is none. */
  readonly snippet: (tag: string) => readonly Part[];
  /** Its number; null for the first version. */
  readonly version: number | null;
  /** Null: its line has all words as they were asked for. */
  readonly reason: HitReason | null;
};

export type SearchedFacet = {
  readonly item: FacetItem;
  /** What was chosen is among them, also where nothing has it any more. */
  readonly values: readonly (FacetValue & { readonly chosen: boolean })[];
  /** There are more values than these; they are shown on request. */
  readonly hasMore: boolean;
  /** Of a facet of years: what was chosen, and the histogram. */
  readonly years: (YearRange & { readonly bins: readonly YearBin[] }) | null;
};

export type SearchResults = {
  readonly total: number;
  readonly items: readonly SearchedItem[];
  readonly facets: readonly SearchedFacet[];
  readonly page: number;
  readonly size: number;
  readonly pages: number;
  /** What titles and names are marked by. */
  readonly marks: Marks;
  readonly settings: SearchSettings;
  /** How each of the queries was understood. */
  readonly readings: readonly QueryReading[];
  /** Few items have all words: those with some of them follow. */
  readonly isWidened: boolean;
  /** Few items have the words: those with words that begin so follow. */
  readonly isBegun?: true;
  /** The query with the nearest words in the place of those that nothing has; null: there are none. */
  readonly correction: Correction | null;
};

type Correction = {
  readonly typed: string;
  readonly meant: string;
  /** Words as they were typed, and those in their place. */
  readonly words: ReadonlyMap<string, string>;
  /**
   * `instead`: nothing has what was typed, these are the hits of what was meant. `after`: they follow the few hits of what
   * was typed. `offered`: the hits are those of what was typed.
   */
  readonly use: "instead" | "after" | "offered";
};

export interface SearchShowing {
  /** @throws invalid for an invalid search, unavailable until the index is built */
  search(viewer: Viewer, parameters: Parameters): Promise<SearchResults>;
  /** All hits of that search in its order, page by page; the same refusals. */
  hits(viewer: Viewer, parameters: Parameters): AsyncGenerator<SearchPage["items"]>;
  settings(): Promise<SearchSettings>;
}

export type SearchShowingNeeds = {
  readonly finder: Pick<Finder, "find" | "settings" | "wordsOf">;
  readonly store: Pick<RepositoryReader, "items">;
  readonly today: () => Day;
  readonly values: FacetValues;
  readonly reasons: HitReasons;
};

type SearchedAs = Omit<SearchResults, "correction"> & {
  /** What has words that begin so, where hits are in the order of best matches. */
  readonly beginnings: Pick<ItemQuery, "where" | "chosen"> | null;
};

/** Hits of one page; the first where nothing else is asked for (the sizes of existing repositories). */
export const PAGE_SIZES: readonly number[] = [20, 50, 75, 100];
const [SMALLEST = 20] = PAGE_SIZES;
const LARGEST = PAGE_SIZES.at(-1) ?? SMALLEST;
/** Values of a facet that a page names, and those of one that is shown with all of its values. */
const FACET_VALUES = 50;
const ALL_VALUES = 1_000;
/** The English name of the one facet that is shown with all values. */
export const WHOLE_FACET = "facet";
const SNIPPET_CHARACTERS = 260;
/** Of a search whose hits are all asked for. */
const HITS_AT_ONCE = 500;
const PAGING: ReadonlySet<string> = new Set(["page", "size", "cursor"]);

/** Parameters whose words are marked in the results, and the fields that they are searched for in. */
const MARKED: Readonly<Record<string, string>> = { title: TEXTS.title, ...WORD_PARAMETERS };

export function searchShowing({ finder, store, today, values, reasons }: SearchShowingNeeds): SearchShowing {
  return { settings: () => finder.settings(), search, hits };

  async function search(viewer: Viewer, parameters: Parameters): Promise<SearchResults> {
    const typed = await searchAs(viewer, parameters);
    const correction = await correctionOf({ finder, items: store.items }, viewer, parameters, typed);
    const offered: Correction | null = correction === null ? null : { ...correction, use: "offered" };
    if (await hasBeginnings(viewer, typed)) {
      const begun = await searchAs(viewer, parameters, "beginnings");
      return { ...begun, isBegun: true, correction: offered };
    }
    if (correction === null || correction.use === "offered") return { ...typed, correction };
    const meant = await searchAs(viewer, parameters, correction);
    // What is chosen besides may leave nothing of it.
    const hasMore = typed.isWidened ? meant.total > 0 : meant.total > typed.total;
    return hasMore ? { ...meant, correction } : { ...typed, correction: offered };
  }

  /** As the first page of the search understood the words. */
  async function* hits(viewer: Viewer, sent: Parameters): AsyncGenerator<SearchPage["items"]> {
    const parameters = new Map([...sent].filter(([name]) => !PAGING.has(name)));
    const { correction, isBegun } = await search(viewer, parameters);
    const settings = await finder.settings();
    const meant = isBegun === true ? "beginnings" : correction?.use === "offered" ? null : correction;
    const {
      readings: _readings,
      marked: _marked,
      beginnings: _beginnings,
      ...question
    } = questionOf(await values.searched(viewer, parameters, settings), settings, meant);
    let page: ItemQuery["page"] = { number: 1, size: HITS_AT_ONCE };
    for (;;) {
      const found: SearchPage = await finder.find(viewer, { ...question, page, facets: [] });
      if (found.items.length > 0) yield found.items;
      if (found.next === null) return;
      page = { cursor: found.next, size: HITS_AT_ONCE };
    }
  }

  /** Whether few items have the words, and others have words that begin so. */
  async function hasBeginnings(viewer: Viewer, { total, isWidened, beginnings }: SearchedAs): Promise<boolean> {
    if (beginnings === null || isWidened || total >= ENOUGH_HITS) return false;
    const page = { number: 1, size: 0 };
    const counted = { ...beginnings, sort: [], page, facets: [], mayWait: false };
    return (await finder.find(viewer, counted)).total > total;
  }

  async function searchAs(
    viewer: Viewer,
    parameters: Parameters,
    correction: Correction | "beginnings" | null = null,
  ): Promise<SearchedAs> {
    const settings = await finder.settings();
    const asked = pageOf(parameters, SMALLEST);
    // A page has no cursor: the list and the interface for programs return all results.
    if (!("number" in asked)) throw new Refusal("invalid", "A page of hits is named by its number: page");
    const [number, size] = [asked.number, Math.min(asked.size, LARGEST)];
    const facets = settings.facets.filter(({ active }) => active);
    const { readings, marked, beginnings, ...question } = questionOf(
      await values.searched(viewer, parameters, settings),
      settings,
      correction,
    );
    const found = await finder.find(viewer, {
      ...question,
      page: { number, size },
      facets: facets.map((facet) => ({ field: facetField(facet), size: valuesAsked(facet, parameters) })),
    });
    const counted = facets.map((item, at) => ({ item, counts: found.facets[at] ?? [] }));
    const named = await values.of(viewer, counted, ({ name }) => parameters.get(name.en) ?? []);
    const summaries = await store.items.summariesOf(found.items.map(({ item }) => item.id));
    const isWidened = found.isWidened === true;
    const marks = marksOf([
      ...marked.flatMap((word) => (isWidened ? withParts(word) : [word])),
      ...fieldWords(parameters),
    ]);
    const hitById = new Map(found.items.map((hit) => [hit.item.id, hit]));
    const reasoned = summaries.flatMap((summary) => {
      const hit = hitById.get(summary.id);
      return hit === undefined ? [] : [{ hit, summary }];
    });
    const why = hasMarks(marks) ? await reasons.of(viewer, reasoned, marks) : new Map<ItemId, HitReason>();
    return {
      total: found.total,
      items: summaries.flatMap((item) => {
        const { versionIndex = 1 } = hitById.get(item.id)?.item ?? {};
        const version = versionIndex > 1 ? versionIndex : null;
        return searched(item, today(), marks, why.get(item.id) ?? null).map((each) => ({ ...each, version }));
      }),
      facets: facets.map((item, at) => facetOf(item, named[at] ?? [], parameters)),
      page: number,
      size,
      pages: Math.max(1, Math.ceil(Math.min(found.total, PAGES_REACHED) / size)),
      marks,
      settings,
      readings,
      isWidened,
      beginnings:
        question.ranking === undefined || beginnings === null ? null : { where: beginnings, chosen: question.chosen },
    };
  }
}

async function correctionOf(
  { finder, items }: { readonly finder: SearchShowingNeeds["finder"]; readonly items: ItemReader },
  viewer: Viewer,
  parameters: Parameters,
  { total, isWidened }: Pick<SearchResults, "total" | "isWidened">,
): Promise<Correction | null> {
  const [typed, more] = parameters.get("q") ?? [];
  if (typed === undefined || more !== undefined || (total >= ENOUGH_HITS && !isWidened)) return null;
  const meant = await corrected({ finder, viewer, place: wordPlace(parameters), items }, typed);
  if (meant === null) return null;
  const settings = await finder.settings();
  const question = readerQuestion(parameters, settings, "records");
  const withWords = async ({ where }: ReaderQuestion): Promise<number> => {
    const page = { number: 1, size: 0 };
    return (await finder.find(viewer, { where, chosen: null, sort: [], page, facets: [], mayWait: false })).total;
  };
  // Of all words, what was meant may have more than a part of what was typed.
  const exactly = isWidened ? await withWords(question) : total;
  const meantQuestion = readerQuestion(new Map([...parameters, ["q", [meant.text]]]), settings, "records");
  const isMeant = !isWidened || total === 0 || (await withWords(meantQuestion)) > exactly;
  // Hits in another order cannot follow those of what was typed.
  const isRanked = question.ranking !== undefined;
  const use = !isMeant ? "offered" : exactly === 0 ? "instead" : isRanked ? "after" : "offered";
  return { typed, meant: meant.text, words: meant.words, use };
}

/** What is asked for: what was typed, what was meant, or the one and after it the other. */
function questionOf(
  parameters: Parameters,
  settings: SearchSettings,
  correction: Correction | "beginnings" | null,
): ReaderQuestion {
  const typed = readerQuestion(parameters, settings, "records");
  if (correction === null) return typed;
  if (correction === "beginnings") {
    const marked = typed.marked.map((word) => {
      const beginning = word.isPhrase || word.field !== null ? null : beginningOf(word.text);
      return beginning === null ? word : { ...word, beginning };
    });
    return typed.beginnings === null ? typed : { ...withFirst(typed, typed.beginnings, typed.ranking ?? []), marked };
  }
  const { use, meant: text, words } = correction;
  const meant = readerQuestion(new Map([...parameters, ["q", [text]]]), settings, "records");
  if (use !== "after") {
    const put = new Set(words.values());
    return { ...meant, marked: meant.marked.map((word) => ({ ...word, isCorrected: put.has(word.text) })) };
  }
  return {
    ...withFirst(typed, meant.where, meant.ranking ?? []),
    marked: typed.marked.map((word) => {
      const also = words.get(word.text);
      return also === undefined ? word : { ...word, also };
    }),
  };
}
/** The hits of what was typed, and after them others. */
function withFirst(typed: ReaderQuestion, where: Condition, ranking: readonly RankedWord[]): ReaderQuestion {
  const both = typedFirst(typed.where, { where, ranking });
  const { wider: _wider, ...question } = typed;
  return both === null ? typed : { ...question, ...both };
}

/** Hits that pages reach by their number (R10). */
const PAGES_REACHED = 10_000;

/** Words of the detailed search. */
function* fieldWords(parameters: Parameters): Generator<MarkedWord> {
  for (const [name, field] of Object.entries(MARKED)) {
    for (const value of parameters.get(name) ?? []) {
      for (const text of (parseQueryText(value, name) ?? []).flat()) yield { text, field, isPhrase: false };
    }
  }
}

/** Of a question without spaces its words, by which hits are found that do not have it whole. */
function withParts(word: MarkedWord): readonly MarkedWord[] {
  const parts = word.isPhrase || word.field !== null ? [] : partsOf(word.text);
  return parts.length === 0
    ? [{ ...word, isOptional: true }]
    : parts.map((text) => ({ ...word, text, isOptional: true }));
}

function searched(
  item: ItemSummary,
  today: Day,
  marks: Marks,
  reason: HitReason | null,
): readonly Omit<SearchedItem, "version">[] {
  const { content } = item;
  if (content === null) return [];
  const abstracts = content.metadata.descriptions;
  return [
    {
      item,
      openness: openness(content, today),
      snippet: (tag) => {
        const texts = [...abstracts].sort((one, other) => Number(other.lang === tag) - Number(one.lang === tag));
        const parts = texts.map(({ value, lang }) => snippet(value, marks, SNIPPET_CHARACTERS, textKind(lang)));
        return parts.find((each) => each.some(({ found }) => found)) ?? parts[0] ?? [];
      },
      reason,
    },
  ];
}

const isWhole = (parameters: Parameters, { name }: FacetItem): boolean => parameters.get(WHOLE_FACET)?.[0] === name.en;

/** One value more than is shown: whether there are more. Of indexes and communities not all are shown to everybody. */
function valuesAsked(facet: FacetItem, parameters: Parameters): number {
  if (isOfYears(facet) || isWhole(parameters, facet)) return ALL_VALUES;
  return factField(facet.sources) === null ? FACET_VALUES + 1 : FACET_VALUES * SPARE;
}
const SPARE = 6;

/** What was chosen comes first, so that it stays in sight. */
function facetOf(item: FacetItem, all: readonly FacetValue[], parameters: Parameters): SearchedFacet {
  const chosen = new Set(parameters.get(item.name.en) ?? []);
  const most = isWhole(parameters, item) ? ALL_VALUES : FACET_VALUES;
  const values = all.map((value) => ({ ...value, chosen: chosen.has(value.value) }));
  const first = values.filter((value, at) => value.chosen || at < most);
  const years = isOfYears(item)
    ? { ...(yearRange(parameters, item) ?? { from: null, to: null }), bins: yearBins(all) }
    : null;
  return {
    item,
    values: [...first.filter((each) => each.chosen), ...first.filter((each) => !each.chosen)],
    hasMore: first.length < values.length,
    years,
  };
}
