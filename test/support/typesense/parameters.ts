// The parameters of a search that a real server was seen to take, and with which values. Everything else is refused
// with 501.
import { Refused, unseen } from "./unseen.ts";

export type Parameters = { readonly [name: string]: string };

const anything = (): boolean => true;
const oneOf =
  (...values: readonly string[]) =>
  (value: string): boolean =>
    values.includes(value);

const SEEN: { readonly [name: string]: (value: string) => boolean } = {
  q: anything,
  query_by: anything,
  query_by_weights: anything,
  filter_by: anything,
  sort_by: anything,
  facet_by: anything,
  facet_query: (value) => /^\w+:\w+$/.test(value),
  facet_strategy: oneOf("exhaustive", "top_values"),
  max_facet_values: (value) => /^\d+$/.test(value),
  include_fields: anything,
  per_page: (value) => /^\d+$/.test(value),
  page: anything,
  offset: (value) => /^\d+$/.test(value),
  limit: (value) => /^\d+$/.test(value),
  limit_hits: (value) => /^\d+$/.test(value),
  drop_tokens_threshold: oneOf("0"),
  num_typos: oneOf("0", "3"),
  typo_tokens_threshold: oneOf("0"),
  prefix: oneOf("true", "false"),
  infix: oneOf("always"),
  split_join_tokens: oneOf("off"),
  max_filter_by_candidates: oneOf("10000"),
  enable_synonyms: oneOf("false"),
  enable_overrides: oneOf("false"),
  group_by: anything,
  group_limit: oneOf("1"),
  pinned_hits: (value) => /^\w+:1$/.test(value),
  hidden_hits: (value) => /^\w+$/.test(value),
  highlight_fields: oneOf("none"),
  highlight_full_fields: anything,
  enable_highlight_v1: oneOf("false"),
  pre_segmented_query: oneOf("true"),
  stopwords: anything,
  synonym_sets: anything,
  preset: anything,
  collection: anything,
  nonsense: oneOf("1"),
};

const MAX_PER_PAGE = 250;

export function readParameters(input: { readonly [name: string]: unknown }): Parameters {
  const parameters = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
  for (const [name, value] of Object.entries(parameters)) {
    if (SEEN[name]?.(value) !== true) unseen(`the parameter ${name}=${value.slice(0, 80)}`);
  }
  return parameters;
}

export const listOf = (text: string | undefined): string[] =>
  (text ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

export type Page = {
  readonly from: number;
  readonly size: number;
  readonly echoed: { readonly [name: string]: number };
};

/** Which hits are requested, and how the answer reports it. */
export function readPage(parameters: Parameters): Page {
  const { page = "1", per_page: perPage, offset, limit, limit_hits: limitHits } = parameters;
  if (!/^\d+$/.test(page)) throw new Refused(400, "Parameter `page` must be an unsigned integer.");
  const size = Number(limit ?? perPage ?? (parameters.facet_query === undefined ? 10 : 0));
  if (size > MAX_PER_PAGE) throw new Refused(422, "Only upto 250 hits can be fetched per page.");
  const number = Math.max(1, Number(page));
  const from = offset === undefined ? (number - 1) * size : Number(offset);
  const isBeyond = limitHits !== undefined && from + size > Number(limitHits);
  return { from, size: isBeyond ? 0 : size, echoed: offset === undefined ? { page: number } : { offset: from } };
}
