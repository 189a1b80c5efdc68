// What keeps an item from being changed (R2f, R19): a lock, unsaved work, an open activity or review. Interfaces word
// the refusals.

import type { ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import type { ItemClaims, LockPurpose } from "../store/items.ts";
import type { RepositoryWriter } from "../store/store.ts";
import type { ChangeContext, ItemsNeeds } from "./types.ts";

/**
 * `edited`: exclusively held (message 25); `importing`: an import works on it (26); `in activity`: an activity, a
 * review or unsaved work (27).
 */
type BusyReason = "edited" | "importing" | "in activity";

/** Longest that a lock holds without being taken again: a crash never leaves an item locked for good (R19). */
const LOCK_MS_MAX = 6 * 60 * 60 * 1000;

/** How long an edit of what is published stays its editor's alone after it was saved last (R19). */
const EDIT_HELD_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Whether others may take over or discard an edit: its account is disabled, or it was not saved for long. It is kept
 * until they do.
 */
export function isReleased(draft: NonNullable<ItemClaims["draft"]>, at: Instant): boolean {
  return !draft.isEditorActive || addMilliseconds(draft.savedAt, EDIT_HELD_MS) <= at;
}

/** Claims of the caller itself: its lock, its activity, or the request that decides about a draft. */
type OwnClaims = {
  readonly lockOwner?: string;
  readonly activityId?: string;
  readonly reviewId?: string;
  readonly ignoresDraft?: boolean;
};

/** Why the item may not be changed now by such a caller; null: it is free. */
export function busyReason({ lock, draft, activityId, reviewId }: ItemClaims, own: OwnClaims): BusyReason | null {
  if (lock !== null && lock.owner !== own.lockOwner) return lock.purpose === "edit" ? "edited" : "importing";
  if (activityId !== null && activityId !== own.activityId) return "in activity";
  if (reviewId !== null) return reviewId === own.reviewId ? null : "in activity";
  if (own.ignoresDraft === true && draft?.activityId === null) return null;
  if (draft !== null && (draft.activityId === null || draft.activityId !== own.activityId)) return "in activity";
  return null;
}

export class ItemBusy extends Refusal {
  readonly reason: BusyReason;
  readonly itemId: ItemId;

  constructor(itemId: ItemId, reason: BusyReason) {
    super("conflict", `Item ${itemId} cannot be changed now: it is ${reason}`, { detail: { item: itemId, reason } });
    this.itemId = itemId;
    this.reason = reason;
  }
}

/**
 * The claims on an item that do not block the caller.
 *
 * @throws ItemBusy, without a name, when another session works on the item
 */
export async function requireFreeIn(
  tx: RepositoryWriter,
  itemId: ItemId,
  { at, notes }: Pick<ChangeContext, "at" | "notes">,
): Promise<ItemClaims> {
  const claims = await tx.items.claims(itemId, at);
  const reason = busyReason(claims, notes);
  if (reason !== null) throw new ItemBusy(itemId, reason);
  return claims;
}

export interface ItemLocks {
  /**
   * Locks the item for this long; returns the owner's word, by which it is released, changed and locked again.
   *
   * @throws ItemBusy when somebody else holds it. Refusal `not_found`.
   */
  takeLock(itemId: ItemId, purpose: LockPurpose, lastsMs: number, owner?: string): Promise<string>;
  /** Does nothing for a lock of another owner. */
  releaseLock(itemId: ItemId, owner: string): Promise<void>;
}

export const locking = ({ store, clock, random }: ItemsNeeds): ItemLocks => ({
  async takeLock(itemId, purpose, lastsMs, owner) {
    const word = owner ?? random.betanumerics(24);
    await store.transact(async (tx) => {
      if ((await tx.items.lockItem(itemId)) === null) {
        throw new Refusal("not_found", `Item ${itemId} does not exist`);
      }
      const takenAt = clock.now();
      const expiresAt = addMilliseconds(takenAt, Math.min(Math.max(lastsMs, 1), LOCK_MS_MAX));
      if (await tx.items.takeLock({ itemId, purpose, owner: word, takenAt, expiresAt })) return;
      const held = (await tx.items.lock(itemId, takenAt))?.purpose;
      throw new ItemBusy(itemId, held === "import" ? "importing" : "edited");
    });
    return word;
  },
  releaseLock: (itemId, owner) => store.transact((tx) => tx.items.releaseLock(itemId, owner)),
});
