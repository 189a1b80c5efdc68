// What queries ask of Typesense (R27, R28): at best one search.

import type { IndexSchema, Key, SortValue } from "../../repository/search/document/document.ts";
import {
  type Condition,
  type IndexAnswer,
  type IndexQuery,
  IndexUnavailable,
  type Place,
  type SortBy,
} from "../../repository/search/index/index-port.ts";
import type { CollectionStates } from "./collection-states.ts";
import { NUMBER_OF_ITEM, PLACE, placeOf, sortField } from "./collections.ts";
import {
  beforeValues,
  behindPlace,
  ConditionCompiler,
  type Filter,
  MAX_NAMED,
  type Question,
  withValues,
} from "./conditions.ts";
import {
  EXACTLY,
  facetSearch,
  facetValues,
  isCutInTies,
  type KeyCount,
  labelled,
  MAX_FACET_VALUES,
  PAGE,
  pageStarts,
} from "./exact-search.ts";
import type { IndexNeeds } from "./known-collections.ts";
import type { KnownLabels } from "./known-labels.ts";
import { type Members, orUnavailable, type Search, type SearchResult, type TypesenseServer } from "./server.ts";
import { keyRead } from "./values.ts";

const MAX_LISTED_KEYS = 10_000;

type Window = Pick<IndexQuery, "offset" | "limit">;

/** Values of a facet above which it is counted by a separate search: a search has one number for all its facets. */
const MANY_VALUES = 10_000;

/** Facets that are counted together; those of a usual size first, if only an empty list. */
function bySize(facets: IndexQuery["facets"]): readonly IndexQuery["facets"][] {
  const counted = facets.filter(({ size }) => size > 0);
  const many = counted.filter(({ size }) => size > MANY_VALUES);
  return [counted.filter(({ size }) => size <= MANY_VALUES), ...(many.length > 0 ? [many] : [])];
}

const countingOf = (facets: IndexQuery["facets"]): Search =>
  facetSearch(
    facets.map(({ field }) => field),
    facetValues(facets),
  );

export class IndexSearches {
  readonly #name: string;
  readonly #server: TypesenseServer;
  readonly #schema: IndexSchema;
  readonly #states: CollectionStates;
  readonly #labels: KnownLabels;

  constructor({ name, server, schema }: IndexNeeds, states: CollectionStates, labels: KnownLabels) {
    this.#name = name;
    this.#server = server;
    this.#schema = schema;
    this.#states = states;
    this.#labels = labels;
  }

  async ask(searches: readonly Search[]): Promise<SearchResult[]> {
    const sent = searches.map((search) => ({ collection: this.#name, ...EXACTLY, ...search }));
    return this.#states.trusted((seals) => orUnavailable(this.#server.search([seals, ...sent])));
  }

  /** Numbers of all documents of a filter. */
  async ids(filter: string): Promise<readonly string[]> {
    const search = { q: "*", filter_by: filter, sort_by: `${NUMBER_OF_ITEM}:asc`, include_fields: "id" };
    return (await this.#pagesOf(search)).map(({ id }) => String(id));
  }

  /** All hits of a search, but not of any number. */
  async #pagesOf(search: Search): Promise<readonly Members[]> {
    const [first] = await this.ask([{ ...search, offset: 0, limit: PAGE }]);
    const found = first?.found ?? 0;
    if (found > MAX_NAMED) throw new IndexUnavailable(`Cannot ask Typesense for ${found} documents one by one`);
    const offsets = pageStarts(0, found).slice(1);
    const rest =
      offsets.length === 0 ? [] : await this.ask(offsets.map((offset) => ({ ...search, offset, limit: PAGE })));
    return [first, ...rest].flatMap((result) => result?.documents ?? []);
  }

  /** Facets whose last values may be tied with others that were left out are requested again, with more values. */
  async #facetCounts(
    question: Search,
    facets: IndexQuery["facets"],
    first: SearchResult | undefined,
  ): Promise<(readonly KeyCount[])[]> {
    return Promise.all(
      facets.map(async ({ field, size }, at) => {
        let most = facetValues(facets);
        let counts = first?.counts[at] ?? [];
        while (isCutInTies(counts, most, size) && most < MAX_FACET_VALUES) {
          most = Math.min(most * 10, MAX_FACET_VALUES);
          const [again] = await this.ask([{ ...question, ...facetSearch([field], most), per_page: 0 }]);
          counts = again?.counts[0] ?? [];
        }
        return counts
          .flatMap(({ value, count }) => {
            const key = keyRead(value);
            return key === null || count === 0 ? [] : [{ key, count }];
          })
          .sort((a, b) => b.count - a.count || compareValues(a.key, b.key))
          .slice(0, size);
      }),
    );
  }

  /** Pages after the first one, whose size is Typesense's own. */
  async #morePages(
    search: Search,
    first: SearchResult | undefined,
    { offset, limit }: Window,
  ): Promise<readonly Members[]> {
    const end = Math.min(offset + limit, first?.found ?? 0);
    const offsets = pageStarts(offset, end).slice(1);
    const rest =
      offsets.length === 0
        ? []
        : await this.ask(offsets.map((from) => ({ ...search, offset: from, limit: Math.min(PAGE, end - from) })));
    return [first, ...rest].flatMap((result) => result?.documents ?? []);
  }

  /** Hits of a search from `offset` on. */
  async #hitsOf(search: Search, { offset, limit }: Window): Promise<readonly Members[]> {
    const first = { offset, limit: Math.min(limit, PAGE) };
    const [page] = await this.ask([{ ...search, ...first }]);
    return this.#morePages(search, page, { offset, limit });
  }

  /**
   * Hits in an order by more values than Typesense sorts by: it sorts by the first ones, and hits with equal ones are
   * sorted here. Of those at the ends of a page others may be outside of it: they are requested in the order of the
   * remaining values, from the place at which the page cuts them.
   */
  async #hitsInOrder(
    compiler: ConditionCompiler,
    conditions: readonly Condition[],
    others: readonly Filter[],
    { sort, offset, limit }: Window & { readonly sort: readonly SortBy[] },
  ): Promise<readonly Members[]> {
    const question = await compiler.question(conditions, others);
    if (question.filter === "none" || limit === 0) return [];
    const head = sort.slice(0, MAX_SORTS);
    const search = { ...searchOf(question), sort_by: sortText(head), include_fields: `id,${PLACE}` };
    const hits = await this.#hitsOf(search, { offset, limit });
    if (sort.length <= MAX_SORTS) return hits;
    const ordered: Members[] = [];
    for (const { at, size, values } of groupsOf(hits, head)) {
      const isWhole = (at > 0 || offset === 0) && (at + size < hits.length || hits.length < limit);
      if (isWhole) {
        ordered.push(...sortedBy(sort, hits.slice(at, at + size)));
        continue;
      }
      const start =
        at > 0 || offset === 0
          ? offset + at
          : await this.#count(compiler, conditions, [...others, beforeValues(this.#schema, head, values)]);
      const within = [...others, withValues(this.#schema, head, values)];
      const window = { sort: sort.slice(MAX_SORTS), offset: offset + at - start, limit: size };
      ordered.push(...(await this.#hitsInOrder(compiler, conditions, within, window)));
    }
    return ordered;
  }

  /** How many documents all these are true of. */
  async #count(
    compiler: ConditionCompiler,
    conditions: readonly Condition[],
    filters: readonly Filter[],
  ): Promise<number> {
    const question = await compiler.question(conditions, filters);
    if (question.filter === "none") return 0;
    const [result] = await this.ask([{ ...searchOf(question), per_page: 0 }]);
    return result?.found ?? 0;
  }

  /** What a query asks of Typesense: at best one search, and always one request where pages are small. */
  async answer(query: IndexQuery): Promise<IndexAnswer> {
    const { where, chosen, after, limit } = query;
    const sort = withoutRest(query.sort);
    const isInParts = numbered(sort).length > MAX_SORTS;
    const known = new Map<string, Promise<readonly string[]>>();
    const compiler = new ConditionCompiler(this.#schema, (filter) => {
      const before = known.get(filter) ?? this.ids(filter);
      known.set(filter, before);
      return before;
    });
    const conditions = [where, ...(chosen === null ? [] : [chosen])];
    const counted = await compiler.question([where], []);
    const both = chosen === null ? counted : await compiler.question(conditions, []);
    const others = after === null ? [] : [behindPlace(this.#schema, query.sort, after)];
    const isBehind = after !== null;
    const listed = isBehind && !isInParts ? await compiler.question(conditions, others) : both;
    const [facets = [], ...larger] = bySize(query.facets);
    const counting = countingOf(facets);
    const paging = { sort_by: sortText(numbered(sort)), include_fields: `id,${PLACE}` };
    const first = { offset: query.offset, limit: Math.min(limit, PAGE) };
    const isListed = limit > 0 && !isInParts && listed.filter !== "none";
    const isTogether = isListed && !isBehind;

    const searches: Search[] = [];
    const indexOfSearch = (isNeeded: boolean, search: Search): number => (isNeeded ? searches.push(search) - 1 : -1);
    const total = indexOfSearch(both.filter !== "none", {
      ...searchOf(both),
      ...(isTogether ? { ...paging, ...first } : { per_page: 0 }),
      ...(chosen === null ? counting : {}),
    });
    const countingApart = (some: IndexQuery["facets"]): number =>
      indexOfSearch(some.length > 0 && counted.filter !== "none", {
        ...searchOf(counted),
        ...countingOf(some),
        per_page: 0,
      });
    const apart = chosen === null ? total : countingApart(facets);
    const groups = [{ facets, at: apart }, ...larger.map((some) => ({ facets: some, at: countingApart(some) }))];
    const further = indexOfSearch(isListed && isBehind, { ...searchOf(listed), ...paging, ...first });
    const results = searches.length === 0 ? [] : await this.ask(searches);

    const page = results[isTogether ? total : further];
    const values = (
      await Promise.all(groups.map((group) => this.#facetCounts(searchOf(counted), group.facets, results[group.at])))
    ).flat();
    const words = await this.#labels.of(
      results[0]?.collection ?? "",
      values.flat().map(({ key }) => key),
    );
    const counts = new Map(
      groups.flatMap((group) => group.facets).map((facet, at) => [facet, labelled(values[at] ?? [], words)]),
    );
    const hits =
      isInParts && both.filter !== "none"
        ? await this.#hitsInOrder(compiler, conditions, others, { ...query, sort: numbered(sort) })
        : await this.#morePages({ ...searchOf(listed), ...paging }, page, query);
    return {
      total: results[total]?.found ?? 0,
      hits: hits.map((hit) => placeOf(hit, query.sort)),
      facets: query.facets.map((facet) => counts.get(facet) ?? []),
    };
  }

  async keysOf(field: string): Promise<readonly Key[]> {
    // The most common values of the whole index are what is searched for here.
    const search = { q: "*", ...facetSearch([field], MAX_LISTED_KEYS), facet_strategy: "top_values", per_page: 0 };
    const [result] = await this.ask([search]);
    return (result?.counts[0] ?? []).flatMap(({ value, count }) => (count > 0 ? (keyRead(value) ?? []) : []));
  }
}

function searchOf({ words, field, filter }: Question): Search {
  return {
    q: words.length === 0 ? "*" : words.join(" "),
    ...(words.length === 0 ? {} : { query_by: field }),
    ...(typeof filter === "string" ? {} : { filter_by: filter.text }),
  };
}

// The order of hits (R28): by more values than Typesense sorts by, with the number of the item last.

/** Sort fields of one search; the number is one of them where the order has to be complete. */
const MAX_SORTS = 3;

const compareValues = (left: SortValue, right: SortValue): number => (left < right ? -1 : left > right ? 1 : 0);

/** A name of a field behind the number decides nothing. */
function withoutRest(sort: readonly SortBy[]): readonly SortBy[] {
  const last = sort.findIndex(({ field }) => field === "id");
  return last < 0 ? sort : sort.slice(0, last + 1);
}

const BY_NUMBER: SortBy = { field: "id", descending: true };

/** With the number at the end, which decides where everything else is equal. */
const numbered = (sort: readonly SortBy[]): readonly SortBy[] =>
  sort.some(({ field }) => field === "id") ? sort : [...sort, BY_NUMBER];

const sortText = (sort: readonly SortBy[]): string =>
  sort
    .map(
      ({ field, descending }) => `${field === "id" ? NUMBER_OF_ITEM : sortField(field)}:${descending ? "desc" : "asc"}`,
    )
    .join(",");

function comparePlaces(sort: readonly SortBy[], left: Place, right: Place): number {
  for (const [at, { descending }] of sort.entries()) {
    const way = compareValues(left.sort[at] ?? 0, right.sort[at] ?? 0);
    if (way !== 0) return descending ? -way : way;
  }
  return 0;
}

const sortedBy = (sort: readonly SortBy[], hits: readonly Members[]): readonly Members[] =>
  hits
    .map((hit) => ({ hit, place: placeOf(hit, sort) }))
    .sort((left, right) => comparePlaces(sort, left.place, right.place))
    .map(({ hit }) => hit);

/** Hits with the same values, of which the first has this place in the list. */
type HitGroup = { readonly at: number; size: number; readonly values: readonly SortValue[] };

/** Hits one after the other that have the same values. */
function groupsOf(hits: readonly Members[], sort: readonly SortBy[]): readonly HitGroup[] {
  const groups: HitGroup[] = [];
  for (const [at, hit] of hits.entries()) {
    const { sort: values } = placeOf(hit, sort);
    const last = groups.at(-1);
    if (last?.values.every((value, place) => value === values[place])) last.size += 1;
    else groups.push({ at, size: 1, values });
  }
  return groups;
}
