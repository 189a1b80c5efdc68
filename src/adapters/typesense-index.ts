// The search index in Typesense (port SearchIndex; R27, R28, R34), shared by all processes, for repositories that outgrow the embedded one.
// An alias leads to the collection that answers; a building is a collection aside, and the alias moves when it is whole. Up to which place of the feed a
// collection is right is stored next to it, in Typesense: it is lost and comes back with the documents. How many documents there have to be is known
// in our database: a server that starts again reads its log while it answers, and whatever it says of itself is as old as its documents.
import { setTimeout as sleep } from "node:timers/promises";
import type { IndexSchema, Key, SearchDocument, SortValue } from "../repository/search/document.ts";
import {
  type Condition,
  type FacetCount,
  type IndexAnswer,
  type IndexBatch,
  type IndexBuilding,
  type IndexQuery,
  IndexUnavailable,
  type OpenIndex,
  type Place,
  type SearchIndex,
  type SortBy,
} from "../repository/search/index-port.ts";
import type { SearchCollection } from "../repository/store/search-collections.ts";
import type { FeedPosition } from "../shared/feed.ts";
import { isObject } from "../shared/fields.ts";
import type { Log } from "../shared/log.ts";
import { sha256Hex } from "../shared/sha256.ts";
import {
  DIGEST,
  documentLine,
  documentsSchema,
  ID_TEXT,
  keyField,
  labelLines,
  labelsSchema,
  NUMBER_OF_ITEM,
  PARENT,
  PLACE,
  placeOf,
  SEALED,
  sealLine,
  sortField,
  stateSchema,
} from "./typesense/collections.ts";
import {
  beforeValues,
  behindPlace,
  type Compiler,
  conditionCompiler,
  type Filter,
  MAX_NAMED,
  type Question,
  withValues,
} from "./typesense/conditions.ts";
import {
  isMissing,
  isThere,
  type Members,
  type Search,
  type SearchResult,
  type TypesenseServer,
  typesenseServer,
} from "./typesense/server.ts";
import { keyRead } from "./typesense/values.ts";

export type TypesenseNeeds = {
  readonly urls: readonly string[];
  readonly apiKey: string;
  /** The alias; collections are called so and numbered. One for each repository of a server. */
  readonly name: string;
  readonly collections: KnownCollections;
  readonly log: Log;
  /** A clock that only moves forward, in milliseconds. */
  readonly nowMs?: () => number;
};

/** What our database knows of collections. */
export type KnownCollections = {
  readonly all: () => Promise<readonly SearchCollection[]>;
  readonly save: (collection: SearchCollection) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
};

/** Hits of one search. */
const PAGE = 250;
/** Sort fields of one search; the number is one of them where the order has to be complete. */
const MAX_SORTS = 3;
/** Values of a facet beyond those that are shown: whether more are as common as the last one shown. */
const FACET_SLACK = 50;
const MAX_FACET_VALUES = 100_000;
const MAX_LISTED_KEYS = 10_000;
/** Lines and characters of one import; imports at once while an index is built. */
const IMPORT_LINES = 500;
const IMPORT_CHARACTERS = 8_000_000;
const IMPORTS_AT_ONCE = 3;
/** Words of keys that a build knows it has sent. */
const MAX_SENT_LABELS = 50_000;
/** Numbers in one filter that stands in an address. */
const NAMED_IN_ADDRESS = 200;
const PARENTS_IN_FILTER = 1000;
/** What is known of the collection, of the keys there are and of labels is asked again after this. */
const KNOWN_MS = 5000;
const KEYS_KNOWN_MS = 1000;
const MAX_KNOWN_LABELS = 50_000;
/** How long a server may take to read its documents after a start before they are taken for lost. */
const SETTLING_MS = 600_000;
/** The same for a server that has no index at all: it has read nothing yet, or is another one. */
const SETTLING_EMPTY_MS = 60_000;
const FIRST_WRITE = 1;
/** How often a build writes down how far it is. */
const PROGRESS_MS = 1000;
/** How long a write waits for the other nodes to have it. */
const NODES_MS = 1000;
const NODES_POLL_MS = 20;

/** Every document that is asked for, and no other: no guesses at what was meant, nothing left out, nothing put in by rules of the server. */
const EXACTLY: Search = {
  drop_tokens_threshold: 0,
  num_typos: 0,
  typo_tokens_threshold: 0,
  prefix: false,
  split_join_tokens: "off",
  enable_overrides: false,
  enable_synonyms: false,
  highlight_fields: "none",
  enable_highlight_v1: false,
  // The beginning of a word in a filter stands for four words otherwise.
  max_filter_by_candidates: 10_000,
};

type State = {
  readonly collection: string;
  /** Documents there were when it was read. */
  readonly documents: number;
  readonly schema: string;
  readonly position: FeedPosition | null;
  readonly floor: number;
  readonly written: number;
  /** What our database knows of it; null: nothing yet. */
  readonly record: SearchCollection | null;
};

/** The server has not read all of its documents after a start, or has lost them. */
class Incomplete extends IndexUnavailable {
  readonly isEmpty: boolean;
  constructor(message: string, isEmpty = false) {
    super(message);
    this.isEmpty = isEmpty;
  }
}

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

/** Why a collection is not asked: it is not there. */
async function orUnavailable<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) throw new IndexUnavailable("The index in Typesense is not built, or was taken away");
    throw error;
  }
}

async function orNull<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Lines in portions that one import takes. */
async function importPortions(server: TypesenseServer, collection: string, lines: Iterable<string>): Promise<void> {
  let portion: string[] = [];
  let characters = 0;
  const send = async (): Promise<void> => {
    await orUnavailable(server.importLines(collection, portion));
    portion = [];
    characters = 0;
  };
  for (const line of lines) {
    if (portion.length > 0 && (portion.length >= IMPORT_LINES || characters + line.length > IMPORT_CHARACTERS)) {
      await send();
    }
    portion.push(line);
    characters += line.length;
  }
  await send();
}

async function importDocuments(
  server: TypesenseServer,
  collection: string,
  schema: IndexSchema,
  documents: readonly SearchDocument[],
  written: number,
): Promise<void> {
  // Labels first: a key is never there without its words.
  await importPortions(server, labelsOf(collection), new Set(documents.flatMap(labelLines)));
  // One after the other: documents may be large.
  function* lines(): Generator<string> {
    for (const document of documents) yield documentLine(schema, document, written);
  }
  await importPortions(server, collection, lines());
}

/** Lines for several collections in full portions, some of which are sent at once. The first import that fails fails every later call. */
function parallelImports(server: TypesenseServer) {
  const portions = new Map<string, { lines: string[]; characters: number }>();
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | null = null;

  function requireSuccess(): void {
    if (failure !== null) throw failure.error;
  }

  async function send(collection: string): Promise<void> {
    const { lines } = portions.get(collection) ?? { lines: [] };
    portions.delete(collection);
    while (running.size >= IMPORTS_AT_ONCE) await Promise.race(running);
    requireSuccess();
    const work = orUnavailable(server.importLines(collection, lines))
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => running.delete(work));
    running.add(work);
  }

  return {
    async add(collection: string, line: string): Promise<void> {
      const portion = portions.get(collection) ?? { lines: [], characters: 0 };
      portions.set(collection, portion);
      portion.lines.push(line);
      portion.characters += line.length;
      if (portion.lines.length >= IMPORT_LINES || portion.characters >= IMPORT_CHARACTERS) await send(collection);
    },
    async finish(): Promise<void> {
      for (const collection of [...portions.keys()]) await send(collection);
      await Promise.all(running);
      requireSuccess();
    },
    /** Waits for what was sent, whatever becomes of it. */
    async settle(): Promise<void> {
      portions.clear();
      await Promise.all(running);
    },
  };
}

const labelsOf = (collection: string): string => `${collection}_labels`;

/** How many collections of this name there were, and which of them are left. */
function numberOf(name: string, collection: string): number | null {
  const [, number] = new RegExp(`^${name}_(\\d{1,9})(?:_labels)?$`).exec(collection) ?? [];
  return number === undefined ? null : Number(number);
}

export const typesenseIndex =
  ({ nowMs = () => performance.now(), ...needs }: TypesenseNeeds): OpenIndex =>
  async (schema) => {
    const server = typesenseServer(needs);
    const fingerprint = sha256Hex(JSON.stringify(schema));
    return opened({ ...needs, nowMs, server, schema, fingerprint });
  };

type Opened = Required<TypesenseNeeds> & {
  readonly server: TypesenseServer;
  readonly schema: IndexSchema;
  readonly fingerprint: string;
};

function opened(all: Opened): SearchIndex {
  const { name, server, schema } = all;
  const state = stateOf(all);
  const labels = labelsKnown(all, state);
  const keysKnown = new Map<string, { readonly at: number; readonly written: string; readonly keys: readonly Key[] }>();
  let isOpen = true;

  async function ask(searches: readonly Search[]): Promise<SearchResult[]> {
    const sent = searches.map((search) => ({ collection: name, ...EXACTLY, ...search }));
    return state.trusted((seals) => orUnavailable(server.search([seals, ...sent])));
  }

  /** Numbers of all documents of a filter. */
  async function names(filter: string): Promise<readonly string[]> {
    const search = { q: "*", filter_by: filter, sort_by: `${NUMBER_OF_ITEM}:asc`, include_fields: "id" };
    return (await pagesOf(search)).map(({ id }) => String(id));
  }

  /** All hits of a search, but not of any number. */
  async function pagesOf(search: Search): Promise<readonly Members[]> {
    const [first] = await ask([{ ...search, offset: 0, limit: PAGE }]);
    const found = first?.found ?? 0;
    if (found > MAX_NAMED) throw new IndexUnavailable(`Cannot ask Typesense for ${found} documents one by one`);
    const offsets = pageStarts(0, found).slice(1);
    const rest = offsets.length === 0 ? [] : await ask(offsets.map((offset) => ({ ...search, offset, limit: PAGE })));
    return [first, ...rest].flatMap((result) => result?.documents ?? []);
  }

  const asked = ({ words, field, filter }: Question): Search => ({
    q: words.length === 0 ? "*" : words.join(" "),
    ...(words.length === 0 ? {} : { query_by: field }),
    ...(typeof filter === "string" ? {} : { filter_by: filter.text }),
  });

  /** Facets whose last values may be tied with others that were left out are asked for again, with more values. */
  async function facetCounts(
    question: Search,
    facets: IndexQuery["facets"],
    first: SearchResult | undefined,
  ): Promise<(readonly Counted[])[]> {
    return Promise.all(
      facets.map(async ({ field, size }, at) => {
        let most = facetValues(facets);
        let counts = first?.counts[at] ?? [];
        while (isCutInTies(counts, most, size) && most < MAX_FACET_VALUES) {
          most = Math.min(most * 10, MAX_FACET_VALUES);
          const [again] = await ask([{ ...question, ...facetSearch([field], most), per_page: 0 }]);
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

  /** Pages behind the first one, whose size is Typesense's own. */
  async function morePages(
    search: Search,
    first: SearchResult | undefined,
    { offset, limit }: Window,
  ): Promise<readonly Members[]> {
    const end = Math.min(offset + limit, first?.found ?? 0);
    const offsets = pageStarts(offset, end).slice(1);
    const rest =
      offsets.length === 0
        ? []
        : await ask(offsets.map((from) => ({ ...search, offset: from, limit: Math.min(PAGE, end - from) })));
    return [first, ...rest].flatMap((result) => result?.documents ?? []);
  }

  /** Hits of a search from `offset` on. */
  async function hitsOf(search: Search, { offset, limit }: Window): Promise<readonly Members[]> {
    const first = { offset, limit: Math.min(limit, PAGE) };
    const [page] = await ask([{ ...search, ...first }]);
    return morePages(search, page, { offset, limit });
  }

  /**
   * Hits in an order by more values than Typesense sorts by: it sorts by the first ones, and hits with equal ones are sorted here. Of those at the ends
   * of a page others may lie outside of it: they are asked for in the order of the remaining values, from the place at which the page cuts them.
   */
  async function hitsInOrder(
    compiler: Compiler,
    conditions: readonly Condition[],
    beside: readonly Filter[],
    { sort, offset, limit }: Window & { readonly sort: readonly SortBy[] },
  ): Promise<readonly Members[]> {
    const question = await compiler.question(conditions, beside);
    if (question.filter === "none" || limit === 0) return [];
    const head = sort.slice(0, MAX_SORTS);
    const search = { ...asked(question), sort_by: sortText(head), include_fields: `id,${PLACE}` };
    const hits = await hitsOf(search, { offset, limit });
    if (sort.length <= MAX_SORTS) return hits;
    const ordered: Members[] = [];
    for (const { at, size, values } of groupsOf(hits, head)) {
      const isWhole = (at > 0 || offset === 0) && (at + size < hits.length || hits.length < limit);
      if (isWhole) {
        ordered.push(...sortedBy(sort, hits.slice(at, at + size)));
        continue;
      }
      const start = at > 0 || offset === 0 ? offset + at : await count([...beside, beforeValues(schema, head, values)]);
      const own = [...beside, withValues(schema, head, values)];
      const window = { sort: sort.slice(MAX_SORTS), offset: offset + at - start, limit: size };
      ordered.push(...(await hitsInOrder(compiler, conditions, own, window)));
    }
    return ordered;

    async function count(filters: readonly Filter[]): Promise<number> {
      const before = await compiler.question(conditions, filters);
      if (before.filter === "none") return 0;
      const [result] = await ask([{ ...asked(before), per_page: 0 }]);
      return result?.found ?? 0;
    }
  }

  /** What a query asks of Typesense: at best one search, and always one request where pages are small. */
  async function answered(query: IndexQuery): Promise<IndexAnswer> {
    const { where, chosen, after, limit } = query;
    const sort = withoutRest(query.sort);
    const isInParts = numbered(sort).length > MAX_SORTS;
    const known = new Map<string, Promise<readonly string[]>>();
    const compiler = conditionCompiler(schema, (filter) => {
      const before = known.get(filter) ?? names(filter);
      known.set(filter, before);
      return before;
    });
    const conditions = [where, ...(chosen === null ? [] : [chosen])];
    const counted = await compiler.question([where], []);
    const both = chosen === null ? counted : await compiler.question(conditions, []);
    const beside = after === null ? [] : [behindPlace(schema, query.sort, after)];
    const isBehind = after !== null;
    const listed = isBehind && !isInParts ? await compiler.question(conditions, beside) : both;
    const facets = query.facets.filter(({ size }) => size > 0);
    const counting = facetSearch(
      facets.map(({ field }) => field),
      facetValues(facets),
    );
    const paging = { sort_by: sortText(numbered(sort)), include_fields: `id,${PLACE}` };
    const first = { offset: query.offset, limit: Math.min(limit, PAGE) };
    const isListed = limit > 0 && !isInParts && listed.filter !== "none";
    const isTogether = isListed && !isBehind;

    const searches: Search[] = [];
    const asking = (isAsked: boolean, search: Search): number => (isAsked ? searches.push(search) - 1 : -1);
    const total = asking(both.filter !== "none", {
      ...asked(both),
      ...(isTogether ? { ...paging, ...first } : { per_page: 0 }),
      ...(chosen === null ? counting : {}),
    });
    const apart = asking(chosen !== null && facets.length > 0 && counted.filter !== "none", {
      ...asked(counted),
      ...counting,
      per_page: 0,
    });
    const behind = asking(isListed && isBehind, { ...asked(listed), ...paging, ...first });
    const results = searches.length === 0 ? [] : await ask(searches);

    const page = results[isTogether ? total : behind];
    const values = await facetCounts(asked(counted), facets, results[chosen === null ? total : apart]);
    const words = await labels.of(
      results[0]?.collection ?? "",
      values.flat().map(({ key }) => key),
    );
    const told = new Map(facets.map((facet, at) => [facet, labelled(values[at] ?? [], words)]));
    const hits =
      isInParts && both.filter !== "none"
        ? await hitsInOrder(compiler, conditions, beside, { ...query, sort: numbered(sort) })
        : await morePages({ ...asked(listed), ...paging }, page, query);
    return {
      total: results[total]?.found ?? 0,
      hits: hits.map((hit) => placeOf(hit, query.sort)),
      facets: query.facets.map((facet) => told.get(facet) ?? []),
    };
  }

  async function writable(): Promise<State> {
    if (!isOpen) throw new IndexUnavailable("The index is closed");
    const now = await state.read();
    if (now === null) throw new IndexUnavailable("The index in Typesense is not built");
    return now;
  }

  async function askable(): Promise<void> {
    if (!isOpen) throw new IndexUnavailable("The index is closed");
    if ((await state.known()) === null) throw new IndexUnavailable("The index in Typesense is not built");
  }

  async function idsOfParents(parents: readonly number[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (let at = 0; at < parents.length; at += PARENTS_IN_FILTER) {
      found.push(...(await names(`${PARENT}:=[${parents.slice(at, at + PARENTS_IN_FILTER).join(",")}]`)));
    }
    return found;
  }

  async function apply({ parents, documents, position }: IndexBatch): Promise<void> {
    const before = await writable();
    const kept = new Set(documents.map(({ id }) => String(id)));
    const gone = (await idsOfParents([...new Set(parents)])).filter((id) => !kept.has(id));
    const record = recordOf(all, before);
    // While it is written there may be less and more documents than before and after it.
    const least = Math.max(0, record.least - gone.length);
    const most = record.most === null ? null : record.most + documents.length;
    const written = before.written + 1;
    const seal = record.seal === null || gone.includes(String(record.seal)) ? null : record.seal;
    await all.collections.save({ ...record, least, most, seal });
    if (gone.length > 0) {
      await state.write({ ...before, floor: Math.max(0, before.floor - gone.length) });
      for (let at = 0; at < gone.length; at += NAMED_IN_ADDRESS) {
        const filter = `${ID_TEXT}:=[${gone.slice(at, at + NAMED_IN_ADDRESS).join(",")}]`;
        await orUnavailable(server.deleteDocuments(before.collection, filter));
      }
    }
    await importDocuments(server, before.collection, schema, documents, written);
    const sealed = await sealedBy(before.collection, documents.at(-1)?.id ?? seal, documents.length > 0, written);
    const floor = await orUnavailable(server.count(before.collection));
    const labelled = await orUnavailable(server.count(labelsOf(before.collection)));
    // Somebody else wrote meanwhile, and what was just written may be older: from here on everything is to be read again.
    const isAlone = (await state.read())?.written === before.written;
    const told = isAlone && position !== null ? position : before.position;
    await state.write({ ...before, floor, position: told, written });
    keysKnown.clear();
    labels.forget(documents);
    await state.reachNodes();
    await all.collections.save({
      ...record,
      least: floor,
      most: isAlone ? floor : null,
      labels: labelled,
      written,
      seal: sealed,
    });
  }

  /** The document that says of a write that it is there: the last one it wrote, or any. */
  async function sealedBy(
    collection: string,
    given: number | null,
    isWritten: boolean,
    written: number,
  ): Promise<number | null> {
    if (isWritten) return given;
    const [any] = await orUnavailable(server.search([{ collection, q: "*", include_fields: "id", per_page: 1 }]));
    const [found] = any?.documents ?? [];
    const id = given ?? (found === undefined ? null : Number(found.id));
    if (id !== null) await orUnavailable(server.importLines(collection, [sealLine(id, written)], "update"));
    return id;
  }

  async function keysOf(field: string, prefix: string, limit: number): Promise<readonly Key[]> {
    await askable();
    const known = keysKnown.get(field);
    const written = state.written();
    const isFresh = known !== undefined && all.nowMs() - known.at < KEYS_KNOWN_MS && known.written === written;
    const keys = isFresh ? known.keys : await listedKeys(field);
    if (!isFresh) keysKnown.set(field, { at: all.nowMs(), written, keys });
    return keys.filter((key) => key.startsWith(prefix)).slice(0, limit);
  }

  async function listedKeys(field: string): Promise<readonly Key[]> {
    // The commonest of the whole index are what is asked for here.
    const search = { q: "*", ...facetSearch([field], MAX_LISTED_KEYS), facet_strategy: "top_values", per_page: 0 };
    const [result] = await ask([search]);
    return (result?.counts[0] ?? []).flatMap(({ value, count }) => (count > 0 ? (keyRead(value) ?? []) : []));
  }

  return {
    engine: "typesense",
    async query(query): Promise<IndexAnswer> {
      for (const { field } of query.sort) {
        if (field !== "id" && !schema.sorts.some(({ name: known }) => known === field)) {
          throw new TypeError(`Cannot sort by "${field}": the index has no such sort`);
        }
      }
      await askable();
      return answered(query);
    },
    keysOf,
    // It lists no words: what a pattern stands for is not known (docs/record-search.md).
    wordsOf: async () => null,
    async position() {
      if (!isOpen) throw new IndexUnavailable("The index is closed");
      const now = await state.settled();
      return now?.position ?? null;
    },
    apply,
    build: () =>
      building(all, state, () => {
        keysKnown.clear();
        labels.forgetAll();
      }),
    removeLeftovers: () => removeLeftovers(all),
    async digests(after, limit) {
      await askable();
      const rows: Members[] = [];
      for (let behind = after; rows.length < limit; ) {
        const search = {
          q: "*",
          filter_by: `${NUMBER_OF_ITEM}:>${behind}`,
          sort_by: `${NUMBER_OF_ITEM}:asc`,
          include_fields: `id,${PARENT},${DIGEST}`,
        };
        const [page] = await ask([{ ...search, offset: 0, limit: Math.min(PAGE, limit - rows.length) }]);
        const found = page?.documents ?? [];
        rows.push(...found);
        if (found.length === 0) break;
        behind = Number(found.at(-1)?.id);
      }
      return rows.map((row) => ({ id: Number(row.id), parentId: Number(row[PARENT]), digest: String(row[DIGEST]) }));
    },
    async status() {
      const now = await state.read();
      const figures = { documents: now?.documents ?? 0, position: now?.position ?? null, octets: null };
      return { engine: "typesense", ...figures, ...(now === null ? {} : { name: now.collection }) };
    },
    async close() {
      isOpen = false;
    },
  };
}

type Window = Pick<IndexQuery, "offset" | "limit">;

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

/** Hits one after the other that have the same values. */
function groupsOf(hits: readonly Members[], sort: readonly SortBy[]) {
  const groups: { readonly at: number; size: number; readonly values: readonly SortValue[] }[] = [];
  for (const [at, hit] of hits.entries()) {
    const { sort: values } = placeOf(hit, sort);
    const last = groups.at(-1);
    if (last?.values.every((value, place) => value === values[place])) last.size += 1;
    else groups.push({ at, size: 1, values });
  }
  return groups;
}

type Counted = { readonly key: Key; readonly count: number };

const labelled = (values: readonly Counted[], words: ReadonlyMap<Key, string>): readonly FacetCount[] =>
  values.map(({ key, count }) => ({ key, label: words.get(key) ?? "", count }));

const pageStarts = (from: number, end: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((end - from) / PAGE)) }, (_, page) => from + page * PAGE);

const facetValues = (facets: IndexQuery["facets"]): number =>
  Math.min(MAX_FACET_VALUES, Math.max(0, ...facets.map(({ size }) => size)) + FACET_SLACK);

/** `exhaustive`: the other strategies take the values that are commonest in the whole index. */
const facetSearch = (fields: readonly string[], most: number): Search =>
  fields.length === 0
    ? {}
    : { facet_by: fields.map(keyField).join(","), max_facet_values: most, facet_strategy: "exhaustive" };

/** Whether values that were left out may be as common as the last one that is shown; one of the values is no key. */
function isCutInTies(counts: SearchResult["counts"][number], most: number, size: number): boolean {
  return counts.length >= most && counts.at(-1)?.count === counts[size]?.count;
}

/** What our database knows of a collection, or has to know from now on. */
const recordOf = (
  { fingerprint }: Pick<Opened, "fingerprint">,
  { collection, record, floor, written }: State,
): SearchCollection =>
  record ?? {
    name: collection,
    state: "whole",
    schema: fingerprint,
    least: floor,
    most: null,
    labels: 0,
    written,
    seal: null,
  };

/** The collections of this index that our database knows. */
const ownCollections = async ({
  name,
  collections,
}: Pick<Opened, "name" | "collections">): Promise<readonly SearchCollection[]> =>
  (await collections.all()).filter((each) => numberOf(name, each.name) !== null);

/** Whether documents say that all writes are there of which our database knows. */
const isSealed = ({ seal, written }: SearchCollection, found: readonly Members[]): boolean =>
  seal === null || found.some((document) => Number(document.id) === seal && Number(document[SEALED]) >= written);

const hasCount = ({ least, most }: SearchCollection, documents: number): boolean =>
  documents >= least && (most === null || documents <= most);

/** What is known of the collection that answers, and whether a server has all of it. */
function stateOf(all: Opened) {
  const { name, server, fingerprint, nowMs, urls, log, collections } = all;
  const collection = `${name}_state`;
  let known: { readonly at: number; readonly state: State | null } | null = null;
  let incompleteSince: number | null = null;
  let isTakenForLost = false;
  let aheadSince: number | null = null;

  function readState({ collection: target, outOf }: SearchResult, stored: Members): State {
    const position: unknown = JSON.parse(String(stored.position));
    const isPosition = isObject(position) && typeof position.epoch === "string" && typeof position.horizon === "string";
    return {
      collection: target,
      documents: outOf,
      schema: String(stored.schema),
      position: isPosition ? { epoch: String(position.epoch), horizon: String(position.horizon) } : null,
      floor: Number(stored.floor),
      written: Number(stored.written),
      record: null,
    };
  }

  /** Null: there is no index, or one of another schema. */
  async function readOnce(): Promise<State | null | Incomplete> {
    // Before the question: the database is written after Typesense.
    const records = (await ownCollections(all)).filter((each) => each.state === "whole");
    const counted = { collection: name, q: "*", per_page: 0 };
    const searches = [counted, { collection, q: "*", per_page: PAGE }, sealsOf(records)];
    const [documents, states, seals] = (await orNull(server.search(searches))) ?? [];
    const stored = states?.documents.find(({ id }) => id === documents?.collection);
    const found = documents === undefined || stored === undefined ? null : readState(documents, stored);
    if (records.length === 0) {
      if (found?.schema !== fingerprint) return null;
      return found.documents < found.floor ? incomplete(found.documents, found.floor) : found;
    }
    // What another version built is replaced, and not waited for.
    if (!records.some(({ schema }) => schema === fingerprint)) return null;
    const record = records.find((each) => each.name === found?.collection);
    if (found === null || record?.schema !== fingerprint) {
      const text = "Typesense has not read its documents after a start yet, or has lost them";
      return new Incomplete(text, documents === undefined);
    }
    const isAsWritten = found.written > record.written || hasCount(record, found.documents);
    const isThere = found.written >= record.written && isSealed(record, seals?.documents ?? []);
    if (!isThere || found.documents < record.least || !isAsWritten) {
      return incomplete(found.documents, record.least);
    }
    return { ...found, record };
  }

  /** What the documents say that are sealed, in the collection that answers. */
  const sealsOf = (records: readonly SearchCollection[]): Search => {
    const seals = records.flatMap(({ seal }) => seal ?? []);
    const filter_by = `id:[${(seals.length === 0 ? [0] : seals).join(",")}]`;
    return { collection: name, ...EXACTLY, q: "*", filter_by, include_fields: `id,${SEALED}`, per_page: PAGE };
  };

  const incomplete = (documents: number, least: number): Incomplete =>
    new Incomplete(`Typesense has not read all of its documents yet: it has ${documents}, and ${least} are expected`);

  /** Throws Incomplete. What was written between the two questions is seen by the second pair of them. */
  async function read(): Promise<State | null> {
    const first = await readOnce();
    const state = first instanceof Incomplete ? await readOnce() : first;
    if (state instanceof Incomplete) throw state;
    known = { at: nowMs(), state };
    return state;
  }

  const current = async (): Promise<State | null> =>
    known !== null && known.state !== null && nowMs() - known.at < KNOWN_MS ? known.state : read();

  async function write(state: State): Promise<void> {
    const { collection: id, documents: _, record: __, ...stored } = state;
    const line = JSON.stringify({ id, ...stored, position: JSON.stringify(state.position) });
    await orUnavailable(server.importLines(collection, [line]));
    known = { at: nowMs(), state };
  }

  /** A collection of an earlier version, and one whose writer ended before our database knew of its last write. */
  async function adopt(state: State): Promise<void> {
    const { record, written, documents } = state;
    if (record !== null && written <= record.written) {
      aheadSince = null;
      return;
    }
    if (record === null) return await collections.save(recordOf(all, state));
    aheadSince ??= nowMs();
    if (nowMs() - aheadSince < KNOWN_MS) return;
    await collections.save({ ...record, least: Math.min(record.least, documents), most: null, written, seal: null });
  }

  return {
    read,
    known: current,
    write,
    /** Another text after every write that is known of here. */
    written: (): string => `${known?.state?.collection} ${known?.state?.written}`,
    async make(): Promise<void> {
      try {
        await server.create(stateSchema(collection));
      } catch (error) {
        if (!isThere(error)) throw error;
      }
    },

    /**
     * Answers of a collection that has as many documents as our database says. The number may change while a question is asked: what was known
     * before it counts as well, and the question is asked a second time.
     */
    async trusted(search: (seals: Search) => Promise<SearchResult[]>): Promise<SearchResult[]> {
      const wholeCollections = async (): Promise<readonly SearchCollection[]> =>
        (await ownCollections(all)).filter((each) => each.state === "whole");
      let records = await wholeCollections();
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const [seals, ...results] = await search(sealsOf(records));
        const isComplete = (): boolean =>
          results.every(({ collection: of, outOf }) => {
            const record = records.find((each) => each.name === of);
            return record !== undefined && hasCount(record, outOf) && isSealed(record, seals?.documents ?? []);
          });
        if (isComplete()) return results;
        records = await wholeCollections();
        if (isComplete()) return results;
      }
      throw new IndexUnavailable("Typesense has not read all of its documents yet");
    },

    /** The number of words of keys that a collection has at least. */
    async labels(of: string): Promise<number> {
      return (await ownCollections(all)).find((each) => each.name === of)?.labels ?? 0;
    },

    /** The state for a process that follows: what is not there again after a long time is lost, and the index has to be built. */
    async settled(): Promise<State | null> {
      try {
        const now = await read();
        incompleteSince = null;
        isTakenForLost = false;
        if (now !== null) await adopt(now);
        return now;
      } catch (error) {
        if (!(error instanceof Incomplete)) throw error;
        incompleteSince ??= nowMs();
        if (nowMs() - incompleteSince < (error.isEmpty ? SETTLING_EMPTY_MS : SETTLING_MS)) throw error;
        if (!isTakenForLost) log.error("search.typesense_lost_documents", { error: error.message });
        isTakenForLost = true;
        return null;
      }
    },

    /** Whoever asks after a write is answered by any node: they are given a moment to have it. */
    async reachNodes(): Promise<void> {
      const { state } = known ?? {};
      if (urls.length < 2 || state === undefined || state === null) return;
      const until = nowMs() + NODES_MS;
      while (nowMs() < until) {
        const seen = await server.onEachNode(collection, state.collection);
        if (seen.every((node) => node === null || Number(node.written) >= state.written)) return;
        await sleep(NODES_POLL_MS);
      }
    },
  };
}

type States = ReturnType<typeof stateOf>;

/** Words of keys, as they were a moment ago. */
function labelsKnown({ server, nowMs }: Opened, state: States) {
  let known = new Map<Key, { readonly at: number; readonly label: string }>();
  let knownOf = "";

  async function load(collection: string, keys: readonly Key[]): Promise<void> {
    const portions = Array.from({ length: Math.ceil(keys.length / PAGE) }, (_, at) =>
      keys.slice(at * PAGE, (at + 1) * PAGE),
    );
    const results = await orUnavailable(
      server.search(
        portions.map((some) => ({
          collection: labelsOf(collection),
          q: "*",
          filter_by: `id:[${some.join(",")}]`,
          include_fields: "id,label",
          per_page: PAGE,
        })),
      ),
    );
    const least = await state.labels(collection);
    if (results.some(({ outOf }) => outOf < least)) {
      throw new IndexUnavailable("Typesense has not read all words of facets yet");
    }
    if (known.size + keys.length > MAX_KNOWN_LABELS) known = new Map();
    for (const { id, label } of results.flatMap(({ documents }) => documents)) {
      known.set(String(id), { at: nowMs(), label: String(label) });
    }
  }

  return {
    async of(collection: string, keys: readonly Key[]): Promise<ReadonlyMap<Key, string>> {
      if (knownOf !== collection) known = new Map();
      knownOf = collection;
      const missing = [...new Set(keys)].filter(
        (key) => nowMs() - (known.get(key)?.at ?? Number.NEGATIVE_INFINITY) > KNOWN_MS,
      );
      if (missing.length > 0) await load(collection, missing);
      return new Map(keys.map((key) => [key, known.get(key)?.label ?? ""]));
    },
    forget(documents: readonly SearchDocument[]): void {
      for (const { labels } of documents) for (const key of Object.keys(labels)) known.delete(key);
    },
    forgetAll(): void {
      known = new Map();
    },
  };
}

/** Removes a collection with its words, and then what is known of it. */
async function removeCollection({ name, server, collections }: Opened, collection: string): Promise<void> {
  await orNull(server.deleteDocuments(`${name}_state`, `id:[${collection}]`));
  await orNull(server.drop(collection));
  await orNull(server.drop(labelsOf(collection)));
  await collections.remove(collection);
}

/**
 * Removes collections that do not answer and are ours: our database knows that it made them, or their state is stored with that of the others. Whatever
 * else has such a name stays. True: one of them was never finished.
 */
async function removeLeftovers(all: Opened, kept: string | null = null): Promise<boolean> {
  const { name, server } = all;
  const serving = kept ?? (await orNull(server.aliasTarget(name)));
  const records = await ownCollections(all);
  const states = await orNull(server.search([{ collection: `${name}_state`, q: "*", per_page: PAGE }]));
  const stored = (states?.[0]?.documents ?? []).map(({ id }) => String(id)).filter((id) => numberOf(name, id) !== null);
  const left = new Set([...records.map((record) => record.name), ...stored].filter((each) => each !== serving));
  for (const collection of left) await removeCollection(all, collection);
  const number = serving === null ? 0 : (numberOf(name, serving) ?? 0);
  return records.some((record) => left.has(record.name) && (numberOf(name, record.name) ?? 0) > number);
}

/** A collection aside; those that a kill left behind are removed first. */
async function building(all: Opened, state: States, done: () => void): Promise<IndexBuilding> {
  const { name, server, schema, fingerprint, log, collections, nowMs } = all;
  await state.make();
  // A number that was ever seen is not used again: a process that still writes to an old collection writes to nothing.
  const names = [...(await server.names()), ...(await ownCollections(all)).map((record) => record.name)];
  const collection = `${name}_${Math.max(0, ...names.map((one) => numberOf(name, one) ?? 0)) + 1}`;
  await removeLeftovers(all);
  const record: SearchCollection = {
    ...{ name: collection, state: "building", schema: fingerprint },
    ...{ least: 0, most: null, labels: 0, written: 0, seal: null },
  };
  // Known before it is there: what a kill leaves is found again.
  await collections.save(record);
  try {
    await server.create(documentsSchema(collection, schema));
    await server.create(labelsSchema(labelsOf(collection)));
  } catch (error) {
    await removeUnlessServing().catch(() => {});
    throw error;
  }
  let notedAt = nowMs();

  /** The alias may have moved although the answer to that was lost. */
  async function removeUnlessServing(): Promise<void> {
    if ((await orNull(server.aliasTarget(name))) !== collection) await removeCollection(all, collection);
  }
  const added = new Set<number>();
  const imports = parallelImports(server);
  let sentLabels = new Set<string>();

  return {
    async add(documents) {
      for (const document of documents) {
        for (const line of labelLines(document)) {
          if (sentLabels.has(line)) continue;
          if (sentLabels.size >= MAX_SENT_LABELS) sentLabels = new Set();
          sentLabels.add(line);
          await imports.add(labelsOf(collection), line);
        }
        await imports.add(collection, documentLine(schema, document, 0));
        added.add(document.id);
      }
      if (nowMs() - notedAt < PROGRESS_MS) return;
      notedAt = nowMs();
      await collections.save({ ...record, least: added.size });
    },
    async finish(position) {
      await imports.finish();
      const floor = await orUnavailable(server.count(collection));
      if (floor < added.size)
        throw new IndexUnavailable(`Typesense has ${floor} of ${added.size} documents that were sent`);
      const labels = await orUnavailable(server.count(labelsOf(collection)));
      // Portions came in any order: one more write after all of them.
      const [seal = null] = added;
      if (seal !== null) await server.importLines(collection, [sealLine(seal, FIRST_WRITE)], "update");
      await snapshotOf(server, log);
      const whole: SearchCollection = {
        ...record,
        state: "whole",
        least: floor,
        most: floor,
        labels,
        written: FIRST_WRITE,
        seal,
      };
      await state.write({
        ...{ collection, documents: floor, schema: fingerprint, position, floor, written: FIRST_WRITE, record: whole },
      });
      await collections.save(whole);
      await server.setAlias(name, collection);
      done();
      await state.reachNodes();
      // It answers already: what cannot be removed now is removed by the next build or by the next process that writes.
      await removeLeftovers(all, collection).catch((error: unknown) => {
        log.warn("search.typesense_leftovers_stay", { error: error instanceof Error ? error.message : "" });
      });
    },
    async abandon() {
      await imports.settle();
      await removeUnlessServing();
    },
  };
}

/** Without one a server that is started again answers for a while as if it had lost documents; it is no reason to go on with the old index. */
async function snapshotOf(server: TypesenseServer, log: Log): Promise<void> {
  try {
    await server.snapshot();
  } catch (error) {
    log.warn("search.typesense_snapshot_failed", { error: error instanceof Error ? error.message : "" });
  }
}
