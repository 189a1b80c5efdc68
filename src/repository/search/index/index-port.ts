// The search index as the use cases know it (R27, R28, R34): documents in, conditions in, numbers of items out. Two
// engines implement it, which give equal answers to equal questions: the embedded one (db/search) and Typesense
// (src/adapters/typesense-index.ts).
import type { FeedPosition } from "../../../shared/feed.ts";
import type { ItemId, ParentId } from "../../../shared/ids.ts";
import type { IndexSchema, Key, SearchDocument, SortValue } from "../document/document.ts";

/**
 * What a document must be to be found. Compiled from query languages and parameters by the pure half (R27); engines add
 * nothing.
 */
export type Condition =
  /** `and` of none is true of every document, `or` of none of no document. */
  | { readonly kind: "and" | "or"; readonly of: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition }
  /** The field has this token, whole. Tokens are compared byte by byte. */
  | { readonly kind: "token"; readonly field: string; readonly token: string }
  /** The field has a token that begins so. */
  | { readonly kind: "prefix"; readonly field: string; readonly prefix: string }
  /** The field has one of these keys. None: no document. */
  | { readonly kind: "key"; readonly field: string; readonly anyOf: readonly Key[] }
  /** The field has a number in the range, ends included; null: open. */
  | { readonly kind: "range"; readonly field: string; readonly from: number | null; readonly to: number | null };

export type SortBy = { readonly field: string; readonly descending: boolean };

/** As the field of a sort: the score by the ranking of the query, which then must have one. */
export const SCORE = "score";

/** Where a word of a query may be, and how much it matters that it is there. */
export type RankedPlace = {
  readonly of: Condition;
  readonly weight: number;
  /** It matters less in a longer text: the sort that holds the length, the usual length, and the share that follows it. */
  readonly shorter: { readonly by: string; readonly mean: number; readonly share: number } | null;
  readonly isTitle: boolean;
};

/** One of the words, or of the pairs of words, by which documents are ranked. */
export type RankedWord = {
  readonly places: readonly RankedPlace[];
  /** How much of its weight it adds: 1 for a word, more where a query repeats it, less for a pair of words. */
  readonly share: number;
  /** Whether it counts where all words of a query should be in a document: a pair of words does not. */
  readonly isCounted: boolean;
};

export type Ranking = {
  readonly words: readonly RankedWord[];
  /** Rare words weigh more: how rare they are is counted among these documents, all that the caller may see. */
  readonly among: Condition;
  /** What each word weighs, as an earlier answer had it: places of pages hold while documents change. Null: counted. */
  readonly weights: readonly number[] | null;
  /** Where only weights are asked for: a word that many have may be counted among a part of the documents. */
  readonly isRough?: boolean;
};

/** Sort values of a hit, in the order of `sort`, then its number: where the next page begins. */
export type Place = { readonly sort: readonly SortValue[]; readonly id: ItemId };

export type IndexQuery = {
  /** What is found before facets are chosen: facets are counted over this (specification 1, rule 8). */
  readonly where: Condition;
  /** What was chosen of facets: hits and total are those of `where` and `chosen`. Null: nothing was. */
  readonly chosen: Condition | null;
  /**
   * Highest priority first; the item's number, descending, always comes last. `id` as a field is the item's number.
   */
  readonly sort: readonly SortBy[];
  /** For a sort by `SCORE`; where `limit` is 0, for the weights of its words alone. */
  readonly ranking?: Ranking;
  /** Only hits after this place. Total and facets are those of the whole. */
  readonly after: Place | null;
  readonly offset: number;
  /** 0: only total and facets. */
  readonly limit: number;
  /** At most `size` values each: most documents first, then by key. */
  readonly facets: readonly { readonly field: string; readonly size: number }[];
};

export type FacetCount = { readonly key: Key; readonly label: string; readonly count: number };

export type IndexAnswer = {
  readonly total: number;
  readonly hits: readonly Place[];
  /** In the order they were asked for. */
  readonly facets: readonly (readonly FacetCount[])[];
  /** What each word of the ranking weighs. */
  readonly weights?: readonly number[];
};

/** Asks for some documents that have words, of which the last may be a beginning: for completion while typing (R27j). */
export type CompletionQuery = {
  /** What the reader may see. */
  readonly where: Condition;
  /** Tokens and beginnings of tokens, with AND and OR. */
  readonly words: Condition;
  /** Documents whose text of this sort begins so come first; they have the words, too. Null: none do. */
  readonly begins: { readonly sort: string; readonly text: string } | null;
  readonly limit: number;
  /** Values that the documents found have. */
  readonly facet: { readonly field: string; readonly size: number } | null;
};

export type CompletionAnswer = {
  /**
   * All documents where they are at most `limit`, else some of them. Of words that very many documents have an engine
   * may search the newest documents only, of a beginning that very many words have some of these words: work is
   * bounded, whatever is typed.
   */
  readonly ids: readonly ItemId[];
  readonly labels: readonly string[];
};

/** The engine is unavailable or not ready: an interface returns 503. */
export class IndexUnavailable extends Error {
  override readonly name = "IndexUnavailable";
}

export type IndexStatus = {
  readonly engine: "embedded" | "typesense";
  readonly documents: number;
  /** The feed up to which the documents are right; null: nothing was built yet. */
  readonly position: FeedPosition | null;
  readonly sizeBytes: number | null;
  /** Where an engine names what it holds, the name of what answers. */
  readonly name?: string;
};

/** One write: whole or not at all, and visible to every later query. */
export type IndexBatch = {
  /** Documents of these parents are replaced by those given: a parent without a document is gone from the index. */
  readonly parents: readonly ParentId[];
  readonly documents: readonly SearchDocument[];
  /** Kept with the documents, so that a kill between the two is impossible; null: stays as it is. */
  readonly position: FeedPosition | null;
};

/** What a process that ended left of an index that it was building. */
export type UnfinishedBuild = {
  /** Of the feed, before anything was read. */
  readonly position: FeedPosition;
  /** Documents of all parents up to this one are in it. */
  readonly filledTo: ParentId;
  readonly documents: number;
};

/** How the threads that make documents write them for an engine: rows of the embedded index, or lines of an import. */
export type DocumentForm = "rows" | "lines";

/** Some documents as an engine takes them, written as text by a thread. */
export type PreparedDocuments = { readonly text: string; readonly documents: number };

/** A new index that is built in the background while the old one answers. */
export interface IndexBuilding {
  readonly form: DocumentForm;
  /** Documents of parents that are not in it yet, all of each parent, in the order of parents. */
  add(documents: readonly SearchDocument[]): Promise<void>;
  /** The same in the form of this engine. */
  addPrepared(prepared: PreparedDocuments): Promise<void>;
  /**
   * Takes the place of the old one, all at once. Before it, the old one answers; a kill before it leaves the old one.
   */
  finish(position: FeedPosition): Promise<void>;
  /** What was added is kept, as after a kill: a later build can go on. */
  leave(): Promise<void>;
  abandon(): Promise<void>;
}

export interface SearchIndex {
  readonly engine: IndexStatus["engine"];
  /** False: it cannot sort by `SCORE`. */
  readonly ranks: boolean;
  /** Throws `IndexUnavailable`. */
  query(query: IndexQuery): Promise<IndexAnswer>;
  /** Throws `IndexUnavailable`. */
  complete(query: CompletionQuery): Promise<CompletionAnswer>;
  /**
   * Keys of a field that some document has and that begin so, in any order, at most `limit`. For fields whose different
   * keys are few: `visibility` and `fileclasses` (which of their keys a viewer holds is determined for each query and
   * day).
   */
  keysOf(field: string, prefix: string, limit: number): Promise<readonly Key[]>;
  /**
   * Tokens of a field that begin so, in the order of their characters, after `after` ("": from the first); at most
   * `limit`, also of documents that are gone. Null: the engine cannot list words.
   */
  wordsOf(field: string, prefix: string, after: string, limit: number): Promise<readonly string[] | null>;
  /**
   * The feed up to which the documents are right; null: it must be built first (it is empty, damaged, or of another
   * schema).
   */
  position(): Promise<FeedPosition | null>;
  apply(batch: IndexBatch): Promise<void>;
  /**
   * What a build that was interrupted left, which `build` can go on with. Null: nothing. Before a build of this
   * process begins.
   */
  unfinished(): Promise<UnfinishedBuild | null>;
  /** `position`: of the feed, before anything is read. `goesOn`: with what `unfinished` named. */
  build(position?: FeedPosition, goesOn?: boolean): Promise<IndexBuilding>;
  /**
   * Where processes share an index: removes the files of processes that have ended, for the one that writes from now
   * on. True: one of them was building, and what it was building for is still to be done.
   */
  removeLeftovers?(): Promise<boolean>;
  /** Digests by item, by number, after `after`: for verify. */
  digests(
    after: ItemId,
    limit: number,
  ): Promise<readonly { readonly id: ItemId; readonly parentId: ParentId; readonly digest: string }[]>;
  status(): Promise<IndexStatus>;
  close(): Promise<void>;
}

/** Opens an index of this schema; what another schema left is never asked. */
export type OpenIndex = (schema: IndexSchema) => Promise<SearchIndex>;
