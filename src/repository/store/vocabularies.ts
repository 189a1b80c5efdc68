// Vocabularies (R6a): entries by type and id, and what finds them.
import type { Instant } from "../../shared/time/instant.ts";

export type VocabularyEntry = {
  readonly type: string;
  readonly id: string;
  /** "" in a language in which the entry has no title. */
  readonly title: { readonly en: string; readonly ja: string };
  readonly props: Readonly<Record<string, string>>;
};

/** An entry with its columns in the database. */
export type StoredVocabularyEntry = VocabularyEntry & {
  readonly revision: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** A token that an entry must have: whole, or as the beginning of one. */
export type TokenQuery = { readonly token: string; readonly isPrefix: boolean };

export type VocabularyOrder = "bestmatch" | "title" | "newest" | "oldest";

/** All tokens hold together; without one every entry of the type is meant. */
export type VocabularyQuery = {
  readonly type: string;
  readonly tokens: readonly TokenQuery[];
  /**
   * The query, as titles are compared: an entry with this title, or with this beginning, comes first; "" for nothing.
   */
  readonly beginning: string;
  readonly order: VocabularyOrder;
  /** Most entries with the rarest of the tokens that are read: every query ends. */
  readonly candidates: number;
  readonly limit: number;
  readonly offset: number;
};

type NamedEntry = { readonly type: string; readonly id: string };

export interface VocabularyReader {
  vocabularyTypes(): Promise<readonly string[]>;
  /** Every type that has entries, by name, with how many. */
  vocabularyCounts(): Promise<readonly { readonly type: string; readonly count: number }[]>;
  /** In their order, at most `limit`; all of them where it is left out. */
  vocabulary(type: string, limit?: number): Promise<readonly VocabularyEntry[]>;
  vocabularyEntry(type: string, id: string): Promise<VocabularyEntry | null>;
  /** Those among the named ones that there are, in one statement. */
  vocabularyEntries(named: readonly NamedEntry[]): Promise<readonly VocabularyEntry[]>;
  storedVocabularyEntry(type: string, id: string): Promise<StoredVocabularyEntry | null>;
  /** Licences with one of these addresses as their `url`, whatever its case. */
  licensesAt(addresses: readonly string[]): Promise<readonly VocabularyEntry[]>;
  findVocabulary(
    query: VocabularyQuery,
  ): Promise<{ readonly total: number; readonly entries: readonly StoredVocabularyEntry[] }>;
  countVocabulary(type: string): Promise<number>;
  hasVocabulary(type: string): Promise<boolean>;
  /** Which of our editions the entries come from; 0 for none. */
  vocabularyEdition(): Promise<number>;
}

export interface VocabularyWriter extends VocabularyReader {
  /**
   * Inserts or replaces entries of one type or several, each type in the order given. What is there already as it is
   * given is not written.
   */
  saveVocabulary(entries: readonly VocabularyEntry[], at: Instant): Promise<void>;
  /** Inserts after the others, or replaces in place. */
  putVocabulary(entries: readonly VocabularyEntry[], at: Instant): Promise<void>;
  setVocabularyEdition(edition: number): Promise<void>;
  removeVocabularyEntry(type: string, id: string): Promise<boolean>;
  /** Removes the search keys of entries that are found by more than ASCII, which are made otherwise from now on. */
  forgetVocabularyKeys(): Promise<void>;
  /** Writes the search keys of some entries that have none yet. Returns how many. */
  indexVocabulary(limit: number, at: Instant): Promise<number>;
}
