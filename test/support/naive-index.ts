// A search index of plain arrays (port SearchIndex; R27, R28, R34): slow and obviously right. It is the oracle of the
// engines, and the index of tests that need no particular engine.
import type { SearchDocument, SortValue } from "../../src/repository/search/document/document.ts";
import {
  type CompletionAnswer,
  type CompletionQuery,
  type Condition,
  type FacetCount,
  type IndexAnswer,
  type IndexQuery,
  IndexUnavailable,
  type OpenIndex,
  type Place,
  type RankedWord,
  type Ranking,
  SCORE,
  type SearchIndex,
  type SortBy,
} from "../../src/repository/search/index/index-port.ts";
import { impactOf, lengthNorm, weightOf, wholeScore } from "../../src/repository/search/index/scoring.ts";
import type { FeedPosition } from "../../src/shared/feed.ts";

/** Whether a condition is true of a document. */
export function isTrueOf(condition: Condition, document: SearchDocument): boolean {
  switch (condition.kind) {
    case "and":
      return condition.of.every((each) => isTrueOf(each, document));
    case "or":
      return condition.of.some((each) => isTrueOf(each, document));
    case "not":
      return !isTrueOf(condition.of, document);
    case "token":
      return tokensOf(document, condition.field).includes(condition.token);
    case "prefix":
      return tokensOf(document, condition.field).some((token) => token.startsWith(condition.prefix));
    case "key":
      return keysOf(document, condition.field).some((key) => condition.anyOf.includes(key));
    case "range": {
      const { from, to } = condition;
      return (document.numbers[condition.field] ?? []).some(
        (value) => (from === null || value >= from) && (to === null || value <= to),
      );
    }
  }
}

function tokensOf(document: SearchDocument, field: string): readonly string[] {
  return (document.texts[field] ?? "").split(" ").filter((token) => token !== "");
}

function keysOf(document: SearchDocument, field: string): readonly string[] {
  return document.keys[field] ?? [];
}

/** What the documents answer to a question. */
export function answerOf(documents: readonly SearchDocument[], query: IndexQuery): IndexAnswer {
  const { where, chosen, sort, after, offset, limit, ranking } = query;
  const weights = ranking === undefined ? null : (ranking.weights ?? weightsIn(documents, ranking));
  const scoreIn = (document: SearchDocument): number =>
    ranking === undefined || weights === null ? 0 : scoreOf(document, ranking.words, weights);
  const found = documents.filter((document) => isTrueOf(where, document));
  const hits = found.filter((document) => chosen === null || isTrueOf(chosen, document));
  const places = hits
    .map((document) => placeOf(document, sort, scoreIn))
    .sort((left, right) => compare(left, right, sort))
    .filter((place) => after === null || compare(place, after, sort) > 0);
  return {
    total: hits.length,
    hits: places.slice(offset, offset + limit),
    facets: query.facets.map(({ field, size }) => countKeys(found, field).slice(0, size)),
    ...(weights === null ? {} : { weights }),
  };
}

/** All documents that complete what is typed: an engine returns those of them that begin so first, and at most `limit`. */
export function completionOf(documents: readonly SearchDocument[], query: CompletionQuery): CompletionAnswer {
  const found = documents.filter((each) => isTrueOf(query.where, each) && isTrueOf(query.words, each));
  const begins = ({ sorts }: SearchDocument): boolean =>
    query.begins !== null && String(sorts[query.begins.sort] ?? "").startsWith(query.begins.text);
  const ordered = [...found].sort((one, other) => Number(begins(other)) - Number(begins(one)) || other.id - one.id);
  const { facet } = query;
  const labels = facet === null ? [] : countKeys(ordered.slice(0, query.limit), facet.field).slice(0, facet.size);
  return { ids: ordered.slice(0, query.limit).map(({ id }) => id), labels: labels.map(({ label }) => label) };
}

/** The rarer a word is among the documents that count, the more it weighs. */
function weightsIn(documents: readonly SearchDocument[], { words, among }: Ranking): readonly number[] {
  const seen = documents.filter((document) => isTrueOf(among, document));
  return words.map(({ places }) => {
    const having = seen.filter((document) => places.some(({ of }) => isTrueOf(of, document)));
    return weightOf(having.length, seen.length);
  });
}

function scoreOf(document: SearchDocument, words: readonly RankedWord[], weights: readonly number[]): number {
  let [sum, whole, covered, titled] = [0, 0, 0, 0];
  for (const [at, { places, share, isCounted }] of words.entries()) {
    const weight = weights[at] ?? 0;
    const there = places.filter(({ of }) => isTrueOf(of, document));
    const found = there.reduce((all, { weight: one, shorter }) => {
      return all + (shorter === null ? one : one / lengthNorm(Number(document.sorts[shorter.by] ?? 0), shorter));
    }, 0);
    if (isCounted) whole += weight;
    if (found === 0) continue;
    sum += weight * share * impactOf(found);
    if (isCounted) covered += weight;
    if (isCounted && there.some(({ isTitle }) => isTitle)) titled += weight;
  }
  return wholeScore(sum, whole, covered, titled);
}

function placeOf(
  document: SearchDocument,
  sort: readonly SortBy[],
  scoreIn: (document: SearchDocument) => number,
): Place {
  const sortValueOf = (field: string): SortValue =>
    field === "id" ? document.id : field === SCORE ? scoreIn(document) : (document.sorts[field] ?? 0);
  return { sort: sort.map(({ field }) => sortValueOf(field)), id: document.id };
}

/** By every sort, then by the number, descending. */
function compare(left: Place, right: Place, sort: readonly SortBy[]): number {
  for (const [index, { descending }] of sort.entries()) {
    const order = compareValues(left.sort[index] ?? 0, right.sort[index] ?? 0);
    if (order !== 0) return descending ? -order : order;
  }
  return right.id - left.id;
}

function compareValues(left: SortValue, right: SortValue): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function countKeys(documents: readonly SearchDocument[], field: string): FacetCount[] {
  const counts = new Map<string, FacetCount>();
  for (const document of documents) {
    for (const key of new Set(keysOf(document, field))) {
      const count = (counts.get(key)?.count ?? 0) + 1;
      counts.set(key, { key, label: document.labels[key] ?? "", count });
    }
  }
  return [...counts.values()].sort((left, right) => right.count - left.count || compareValues(left.key, right.key));
}

/** An index that lives as long as the process: nothing is in it before it was built. */
export const openNaiveIndex: OpenIndex = async () => {
  let documents: readonly SearchDocument[] = [];
  let position: FeedPosition | null = null;
  let isOpen = true;
  const built = (): readonly SearchDocument[] => {
    if (!isOpen || position === null) throw new IndexUnavailable("Cannot ask an index that is closed or was not built");
    return documents;
  };
  const index: SearchIndex = {
    engine: "embedded",
    ranks: true,
    query: async (query) => answerOf(built(), query),
    complete: async (query) => completionOf(built(), query),
    keysOf: async (field, prefix, limit) =>
      [...new Set(built().flatMap((document) => keysOf(document, field)))]
        .filter((key) => key.startsWith(prefix))
        .slice(0, limit),
    wordsOf: async (field, prefix, after, limit) =>
      [...new Set(built().flatMap((document) => tokensOf(document, field)))]
        .filter((token) => token.startsWith(prefix) && token > after)
        .sort()
        .slice(0, limit),
    position: async () => position,
    async apply(batch) {
      const parents = new Set(batch.parents);
      documents = [...built().filter(({ parentId }) => !parents.has(parentId)), ...batch.documents];
      position = batch.position ?? position;
    },
    unfinished: async () => null,
    async build() {
      const next: SearchDocument[] = [];
      return {
        form: "rows",
        async add(more) {
          next.push(...more);
        },
        async addPrepared() {
          throw new TypeError("Documents of this index are made by no thread");
        },
        async finish(at) {
          documents = next;
          position = at;
        },
        async leave() {},
        async abandon() {},
      };
    },
    digests: async (after, limit) =>
      [...built()]
        .filter(({ id }) => id > after)
        .sort((left, right) => left.id - right.id)
        .slice(0, limit)
        .map(({ id, parentId, digest }) => ({ id, parentId, digest })),
    status: async () => ({ engine: "embedded", documents: documents.length, position, sizeBytes: null }),
    async close() {
      isOpen = false;
    },
  };
  return index;
};
