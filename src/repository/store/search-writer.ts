// Which process writes the search index that all share, and what its collections hold (R34). Exists only inside `transact`.
import type { Instant } from "../../shared/time/instant.ts";
import type { SearchCollection } from "./search-collections.ts";

export interface SearchWriter {
  /** Whether it is `owner` from now on, until then: because it was, or because nobody was any more. */
  takeSearchWriting(owner: string, now: Instant, until: Instant): Promise<boolean>;
  releaseSearchWriting(owner: string): Promise<void>;
  saveSearchCollection(collection: SearchCollection): Promise<void>;
  removeSearchCollection(name: string): Promise<void>;
}
