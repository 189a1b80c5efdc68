// One search as Typesense 29.0 answers it: filter, words, order, page, facets, highlights, curated hits.
import { type Collection, type Stored, textsOf } from "./collection.ts";
import { readFacets } from "./facets.ts";
import { readFilter } from "./filter.ts";
import { listOf, type Parameters, readPage } from "./parameters.ts";
import type { Document, Field, Value } from "./schema.ts";
import { matchInfo } from "./scores.ts";
import { normalToken } from "./tokens.ts";
import { Refused, unseen } from "./unseen.ts";
import { type Matches, matchesOf, type Vocabulary } from "./words.ts";

export type Override = { readonly query: string; readonly includes: readonly { readonly id: string }[] };
export type Surroundings = Vocabulary & { readonly overrides: readonly Override[] };

type Hit = { readonly stored: Stored; readonly score: bigint | null };
type Order = (a: Hit, b: Hit) => number;

const MAX_SORT_FIELDS = 3;

function queryFields(collection: Collection, parameters: Parameters): Field[] {
  const names = listOf(parameters.query_by);
  const weights = parameters.query_by_weights;
  const fields = names.map((name) => {
    const field = collection.fieldOf(name);
    if (field === undefined) throw new Refused(404, `Could not find a field named \`${name}\` in the schema.`);
    if (!field.type.startsWith("string"))
      throw new Refused(400, `Field \`${name}\` should be a string or a string array.`);
    return field;
  });
  if (weights !== undefined && listOf(weights).length !== names.length) {
    throw new Refused(400, "Number of weights in `query_by_weights` does not match number of `query_by` fields.");
  }
  if (weights !== undefined) unseen("weights of fields");
  return fields;
}

const compare = (a: Value | bigint | undefined, b: Value | bigint | undefined): number =>
  a === b ? 0 : (a ?? 0) < (b ?? 0) ? -1 : 1;

/** Texts are sorted without case and accents. */
const sortable = (value: Value): Value =>
  typeof value === "string"
    ? value
        .split(" ")
        .map((word) => normalToken(word))
        .join(" ")
    : value;

function oneOrder(collection: Collection, text: string): Order {
  const [, name = "", missing, direction = ""] =
    /^(\w+)(\(missing_values: first\))?:(\w+)$/.exec(text) ?? unseen(`the order "${text}"`);
  if (name !== "_text_match" && collection.fieldOf(name)?.sort !== true) {
    throw new Refused(404, `Could not find a field named \`${name}\` in the schema for sorting.`);
  }
  if (!/^(asc|desc)$/.test(direction))
    throw new Refused(400, `Order for field\` ${name}\` should be either ASC or DESC.`);
  const sign = direction === "asc" ? 1 : -1;
  if (name === "_text_match") return (a, b) => sign * compare(a.score ?? 0n, b.score ?? 0n);
  return (a, b) => {
    const [left, right] = [a.stored.document[name], b.stored.document[name]];
    if (missing === undefined && (left === undefined || right === undefined))
      unseen(`where a document without "${name}" is sorted`);
    if (left === undefined || right === undefined) return Number(left !== undefined) - Number(right !== undefined);
    return sign * compare(sortable(left), sortable(right));
  };
}

/** By default the score, then the default sorting field, then the newest. */
function readOrder(collection: Collection, parameters: Parameters): Order {
  const { default_sorting_field: usual } = collection.schema;
  const parts = listOf(
    parameters.sort_by ?? ["_text_match:desc", ...(usual === "" ? [] : [`${usual}:desc`])].join(","),
  );
  if (parts.length > MAX_SORT_FIELDS) throw new Refused(400, "Only upto 3 sort fields are allowed.");
  const orders = parts.map((part) => oneOrder(collection, part));
  return (a, b) => orders.map((order) => order(a, b)).find((way) => way !== 0) ?? b.stored.sequence - a.stored.sequence;
}

const chosen = (document: Document, fields: readonly string[]): Document =>
  fields.length === 0
    ? document
    : Object.fromEntries(Object.entries(document).filter(([name]) => fields.includes(name)));

type Marked = { readonly matched_tokens: readonly string[]; readonly snippet: string };
const JAPANESE = new Intl.Segmenter("ja", { granularity: "word" });

/** The words of a text that were found, marked; a beginning only as far as it was asked for. */
function marked(text: string, field: Field, { wanted, words }: Matches): Marked {
  const found: string[] = [];
  const pieces = field.locale === "ja" ? [...JAPANESE.segment(text)].map(({ segment }) => segment) : text.split(/( )/);
  const snippet = pieces.map((piece) => {
    const token = normalToken(piece, field.symbols_to_index ?? []);
    const at = wanted.findIndex((one) => one.has(token));
    if (at < 0) return piece;
    const isStart = wanted[at]?.get(token) === 1;
    const [word = ""] = isStart ? [piece.slice(0, words[at]?.length)] : (/^.*[\p{L}\p{N}]/u.exec(piece) ?? []);
    found.push(word);
    return `<mark>${word}</mark>${piece.slice(word.length)}`;
  });
  return { matched_tokens: found, snippet: snippet.join("") };
}

function highlightsOf(document: Document, fields: readonly Field[], matches: Matches): { v1: object[]; v2: object } {
  const v1: object[] = [];
  const v2: { [name: string]: unknown } = {};
  for (const field of [...fields].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const all = textsOf(document[field.name]).map((text) => marked(text, field, matches));
    const found = all.map((_, at) => at).filter((at) => (all[at]?.matched_tokens.length ?? 0) > 0);
    const [one] = all;
    if (found.length === 0 || one === undefined) continue;
    const isList = field.type.endsWith("[]");
    v2[field.name] = isList ? all : one;
    const listed = {
      indices: found,
      matched_tokens: found.map((at) => all[at]?.matched_tokens),
      snippets: found.map((at) => all[at]?.snippet),
    };
    v1.push({ field: field.name, ...(isList ? listed : one) });
  }
  return { v1, v2 };
}

export type Searched = {
  readonly collection: Collection;
  readonly parameters: Parameters;
  readonly found: number;
  readonly hits: readonly Hit[];
  readonly order: Order;
  readonly answer: (hits: readonly Hit[]) => object[];
  readonly facets: () => object[];
};

/** Hits put in by hand come first; the found ones follow without them. */
function withCurated(
  collection: Collection,
  parameters: Parameters,
  hits: readonly Hit[],
  overrides: readonly Override[],
) {
  const [pinned] = (parameters.pinned_hits ?? "").split(":");
  const asked = normalToken((parameters.q ?? "").replaceAll(" ", ""));
  const rules = parameters.enable_overrides === "false" ? [] : overrides.filter(({ query }) => query === asked);
  const ids = [...rules.flatMap(({ includes }) => includes.map(({ id }) => id)), ...(pinned ? [pinned] : [])];
  const hidden = new Set(listOf(parameters.hidden_hits));
  const left = hits.filter(({ stored }) => !ids.includes(stored.id) && !hidden.has(stored.id));
  return { curated: ids.map((id) => collection.get(id)), left };
}

export function searched(collection: Collection, parameters: Parameters, surroundings: Surroundings): Searched {
  const { q = "" } = parameters;
  const isAll = q === "*";
  const fields = queryFields(collection, parameters);
  if (!isAll && fields.length === 0) throw new Refused(400, "No search fields specified for the query.");
  const order = readOrder(collection, parameters);
  const facets = readFacets(collection, parameters);
  const { filter_by: filter = "", max_filter_by_candidates: candidates } = parameters;
  const timesOf = readFilter(filter, collection, candidates === undefined ? undefined : Number(candidates));
  const filtered = collection.documents().filter((stored) => timesOf(stored) > 0);
  const synonyms = parameters.enable_synonyms === "false" ? [] : surroundings.synonyms;
  const matches: Matches | null = isAll
    ? null
    : matchesOf(collection, filtered, parameters, fields, { stopwords: surroundings.stopwords, synonyms });
  const all: Hit[] =
    matches === null
      ? filtered.map((stored) => ({ stored, score: null }))
      : [...matches.scores].map(([stored, score]) => ({ stored, score }));
  const { curated, left } = withCurated(collection, parameters, all, surroundings.overrides);
  const included = listOf(parameters.include_fields);
  const isMarked = parameters.highlight_fields !== "none";
  const answer = ({ stored, score }: Hit): object => {
    const document = chosen(stored.document, included);
    const isCurated = curated.includes(stored);
    const { v1, v2 } =
      matches === null || isCurated || !isMarked ? { v1: [], v2: {} } : highlightsOf(document, fields, matches);
    return {
      ...(isCurated ? { curated: true } : {}),
      document,
      highlight: v2,
      ...(parameters.enable_highlight_v1 === "false" ? {} : { highlights: v1 }),
      ...(score === null ? {} : { text_match: score, text_match_info: matchInfo(score, matches?.asked ?? 0) }),
    };
  };
  const hits = [...curated.map((stored) => ({ stored, score: null })), ...left.sort(order)];
  // Without words the filter's own list is counted, with repetitions; hits are shown once.
  const counted = hits.flatMap(({ stored }) =>
    Array.from({ length: isAll && !curated.includes(stored) ? timesOf(stored) : 1 }, () => stored),
  );
  return {
    collection,
    parameters,
    found: counted.length,
    hits,
    order,
    answer: (page) => page.map(answer),
    facets: () => facets(counted),
  };
}

const DONE = { search_cutoff: false, search_time_ms: 0 };

function grouped({ hits, answer, parameters }: Searched, from: number, size: number): object {
  const field = parameters.group_by ?? "";
  const groups = new Map<string, Hit[]>();
  for (const hit of hits) {
    const key = String(hit.stored.document[field]);
    groups.set(key, [...(groups.get(key) ?? []), hit]);
  }
  const shown = [...groups].slice(from, from + size);
  return {
    found: groups.size,
    found_docs: hits.length,
    grouped_hits: shown.map(([key, all]) => ({ found: all.length, group_key: [key], hits: answer(all.slice(0, 1)) })),
  };
}

export function searchAnswer(collection: Collection, parameters: Parameters, surroundings: Surroundings): object {
  const { from, size, echoed } = readPage(parameters);
  const result = searched(collection, parameters, surroundings);
  const { q = "" } = parameters;
  const asked = Number(parameters.limit ?? parameters.per_page ?? (parameters.facet_query === undefined ? 10 : 0));
  return {
    facet_counts: result.facets(),
    ...(parameters.group_by === undefined
      ? { found: result.found, hits: result.answer(result.hits.slice(from, from + size)) }
      : grouped(result, from, size)),
    out_of: collection.documents().length,
    ...echoed,
    request_params: { collection_name: collection.schema.name, first_q: q, per_page: asked, q },
    ...DONE,
  };
}

/** A union of searches: merged by their one order, without facets, and with a document as often as it was found. */
export function unionAnswer(searches: readonly Searched[], perPage: number): object {
  const [first] = searches;
  if (first === undefined) throw new TypeError("a union of nothing is refused before");
  const merged = searches
    .flatMap((search, index) => search.hits.map((hit) => ({ ...hit, search, index })))
    .sort((a, b) => first.order(a, b) || a.index - b.index);
  return {
    found: merged.length,
    hits: merged.slice(0, perPage).map(({ search, index, stored, score }) => ({
      collection: search.collection.schema.name,
      ...search.answer([{ stored, score }])[0],
      search_index: index,
    })),
    out_of: first.collection.documents().length,
    page: 0,
    ...DONE,
    union_request_params: searches.map(({ collection, found, parameters: { q = "" } }) => ({
      collection: collection.schema.name,
      first_q: q,
      found,
      per_page: perPage,
      q,
    })),
  };
}
