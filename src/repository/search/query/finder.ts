// Finding items, for every interface that lists them (R1): the records interface, OpenSearch, pages, persons, tools.
// One service (src/repository/search/query/index-finder.ts) answers: conditions with the viewer's keys, the index, then
// the database, before anything is shown (R34).
import type { Viewer } from "../../../auth/account.ts";
import type { ItemOutline, WithParent } from "../../../model/items/item.ts";
import type { CompletionQuery, Condition, FacetCount, RankedWord, SortBy } from "../index/index-port.ts";
import type { SearchSettings } from "../settings/settings.ts";

export type ItemQuery = {
  /**
   * Words of `FIELDS.files` are written as in any other field: where the viewer may read them is asked by the finder
   * (R35).
   */
  readonly where: Condition;
  readonly chosen: Condition | null;
  readonly sort: readonly SortBy[];
  /**
   * Offset pagination counts from 1; a cursor is `next` of an earlier answer, or the number of an item without a sort
   * (R28).
   */
  readonly page:
    | { readonly number: number; readonly size: number }
    | { readonly cursor: string; readonly size: number }
    /** After this number of hits: a page that does not begin at a multiple of its size. */
    | { readonly offset: number; readonly size: number };
  readonly facets: readonly { readonly field: string; readonly size: number }[];
  /**
   * Best matches first, by these words; hits that match as well are in the order of `sort`. None: by `sort` alone. An
   * engine that does not rank puts hits with all words in the title first, then those with all words, then those with
   * one in the title, then the others. A page of no hits has the weights of the words.
   */
  readonly ranking?: readonly RankedWord[];
  /** With a page of no hits: a word that many have may be counted among a part of what there is. */
  readonly isRough?: boolean;
  /**
   * Asked instead where fewer items than `below`, whatever is chosen of facets, are found by `where` (widening.ts).
   * Everything that `where` finds is among its hits. `ranking`: by the words that are searched for then.
   */
  readonly wider?: { readonly where: Condition; readonly below: number; readonly ranking: readonly RankedWord[] };
  /**
   * `latest`: the version people are shown (default); `all`: earlier ones too; drafts are found only by those who may
   * read them, when asked for. `newest`: of each thing its version with the highest number, which may be a draft;
   * `everything`: every version and draft.
   */
  readonly standing?: "latest" | "all" | "latest-and-drafts" | "drafts" | "newest" | "everything";
  /** False: another part of the same question has waited for the index already. */
  readonly mayWait?: boolean;
};

export type SearchPage = {
  readonly total: number;
  /** Readable by the viewer at this moment, by the database. */
  readonly items: readonly WithParent<ItemOutline>[];
  readonly facets: readonly (readonly FacetCount[])[];
  /** The cursor after the last hit; null: it was the last page. */
  readonly next: string | null;
  /** Of a page of no hits: what each word of the ranking weighs. An engine that does not rank weighs nothing. */
  readonly weights?: readonly number[];
  /** These are the hits of `wider`. */
  readonly isWidened?: true;
};

export type Completions = {
  /** Readable by the viewer at this moment, by the database. */
  readonly items: readonly WithParent<ItemOutline>[];
  /** Values of the facet that some item has which the viewer may see. */
  readonly labels: readonly string[];
};

export interface Finder {
  /** Whether the index that answers ranks hits by itself. */
  ranks(): Promise<boolean>;
  /**
   * The settings of the index that answers: conditions are compiled by them. While an index is rebuilt, they are those
   * of the old one.
   */
  settings(): Promise<SearchSettings>;
  /** @throws invalid for an invalid page window or cursor (R10), unavailable until the index is built */
  find(viewer: Viewer, finding: ItemQuery): Promise<SearchPage>;
  /** Words of the index, for patterns to be compared with (SearchIndex.wordsOf). */
  wordsOf(field: string, prefix: string, after: string, limit: number): Promise<readonly string[] | null>;
  /**
   * Some items that have what is typed, for each of the questions (R27j). Work is bounded, whatever is typed.
   * @throws unavailable until the index is built
   */
  complete(viewer: Viewer, questions: readonly Omit<CompletionQuery, "where">[]): Promise<readonly Completions[]>;
  /** Every hit, page by page, by the sort, without end (list export, feeds of harvesters): flat in memory. */
  each(
    viewer: Viewer,
    finding: Omit<ItemQuery, "page" | "facets" | "wider">,
    size: number,
  ): AsyncIterable<SearchPage["items"]>;
}
