// Searches that find exactly the documents that are asked for, and how they are counted and paged (R27, R28).
import type { Key } from "../../repository/search/document/document.ts";
import type { FacetCount, IndexQuery } from "../../repository/search/index/index-port.ts";
import { keyField } from "./collections.ts";
import type { Search, SearchResult } from "./server.ts";

/** Hits of one search. */
export const PAGE = 250;
/** Values of a facet beyond those that are shown: whether more are as common as the last one shown. */
const FACET_SLACK = 50;
export const MAX_FACET_VALUES = 100_000;

/**
 * Every document that is searched for, and no other: no guesses at what was meant, nothing left out, nothing put in by
 * rules of the server.
 */
export const EXACTLY: Search = {
  drop_tokens_threshold: 0,
  num_typos: 0,
  typo_tokens_threshold: 0,
  prefix: false,
  split_join_tokens: "off",
  enable_overrides: false,
  enable_synonyms: false,
  highlight_fields: "none",
  enable_highlight_v1: false,
  // The beginning of a word in a filter means four words otherwise.
  max_filter_by_candidates: 10_000,
};

export type KeyCount = { readonly key: Key; readonly count: number };

export const labelled = (values: readonly KeyCount[], words: ReadonlyMap<Key, string>): readonly FacetCount[] =>
  values.map(({ key, count }) => ({ key, label: words.get(key) ?? "", count }));

export const pageStarts = (from: number, end: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((end - from) / PAGE)) }, (_, page) => from + page * PAGE);

export const facetValues = (facets: IndexQuery["facets"]): number =>
  Math.min(MAX_FACET_VALUES, Math.max(0, ...facets.map(({ size }) => size)) + FACET_SLACK);

/** `exhaustive`: the other strategies take the values that are commonest in the whole index. */
export const facetSearch = (fields: readonly string[], most: number): Search =>
  fields.length === 0
    ? {}
    : { facet_by: fields.map(keyField).join(","), max_facet_values: most, facet_strategy: "exhaustive" };

/** Whether values that were left out may be as common as the last one that is shown; one of the values is not a key. */
export function isCutInTies(counts: SearchResult["counts"][number], most: number, size: number): boolean {
  return counts.length >= most && counts.at(-1)?.count === counts[size]?.count;
}
