// Earlier states of drafts (R42): each as it was before the draft was saved again. Its files are not among them. They
// end with the draft.
import type { DraftRevisionLine } from "../../model/items/draft-history.ts";
import type { ItemContent } from "../../model/items/item.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";

/** What a revision of a draft has of its content. */
export type DraftState = Omit<ItemContent, "files" | "itemType" | "itemTypeVersion">;

export type DraftRevision = DraftRevisionLine & { readonly content: DraftState };

export interface DraftRevisionReader {
  /** Oldest first, at most `limit` of the newest. */
  draftRevisions(itemId: ItemId, limit: number): Promise<readonly DraftRevisionLine[]>;
  draftRevision(itemId: ItemId, counter: number): Promise<DraftRevision | null>;
}

export interface DraftRevisionWriter extends DraftRevisionReader {
  /** Keeps the stored state of the draft, which is about to be saved again. */
  keepDraftState(itemId: ItemId): Promise<void>;
  removeDraftRevisions(itemId: ItemId, counters: readonly number[]): Promise<void>;
  /** Those saved before this moment, at most `limit`. Returns how many there were. */
  expireDraftRevisions(before: Instant, limit: number): Promise<number>;
}
