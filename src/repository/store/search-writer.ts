// Which process writes the search index that all share, and what its collections hold (R34). Exists only inside
// `transact`.
import type { Instant } from "../../shared/time/instant.ts";

export interface SearchWriter {
  /** Whether it is `owner` from now on, until then: because it was, or because nobody was any more. */
  takeSearchWriting(owner: string, now: Instant, until: Instant): Promise<boolean>;
  releaseSearchWriting(owner: string): Promise<void>;
  saveSearchCollection(collection: SearchCollection): Promise<void>;
  removeSearchCollection(name: string): Promise<void>;
}

// The database's knowledge of the collections of a search index that all processes share (R34). A server that restarts
// answers before it has read all of its documents, and its own statements need the same reading: the number of
// documents is stored here.

export type SearchCollection = {
  readonly name: string;
  /** `building`: it never answered. A process that ends before it is whole leaves it behind. */
  readonly state: "building" | "whole";
  /** A digest of the schema of its documents. */
  readonly schema: string;
  /**
   * How many documents it has; two different numbers while a write is in progress. No upper bound: another process
   * wrote at the same time.
   */
  readonly least: number;
  readonly most: number | null;
  /** How many words of keys it has at least. */
  readonly labels: number;
  /** Rises with every write. */
  readonly written: number;
  /**
   * The number of a document that states by which write it was written: once it is there, all earlier writes are. Null:
   * there is no such document.
   */
  readonly seal: number | null;
};

export interface SearchCollectionReader {
  searchCollections(): Promise<readonly SearchCollection[]>;
}
