// Which process writes the search index that all share (R34). Exists only inside `transact`.
import type { Instant } from "../../shared/instant.ts";

export interface SearchWriter {
  /** Whether it is `owner` from now on, until then: because it was, or because nobody was any more. */
  takeSearchWriting(owner: string, now: Instant, until: Instant): Promise<boolean>;
  releaseSearchWriting(owner: string): Promise<void>;
}
