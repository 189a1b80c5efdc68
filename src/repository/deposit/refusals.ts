// Refusals of the core as answers to deposits (specification 2, "Deposit error types", "Deposit messages"; R2c, R2f,
// R11).

import type { Item } from "../../model/items/item.ts";
import { ServiceError } from "../../shared/errors.ts";
import { allowsTag, isMatchAsked } from "../../shared/http/entity-tags.ts";
import { Refusal } from "../../shared/refusal.ts";
import { ItemBusy } from "../items/locking.ts";
import { SwordError, swordRefusals } from "./messages.ts";

const ETAG = "The item was changed: its eTag is not the one in If-Match.";
const FORBIDDEN = "Not allowed operation in your role or token scope.";

/** Messages 25 to 27 for an item that somebody else works on. */
function busyError({ itemId, reason }: ItemBusy): SwordError {
  if (reason === "edited") return swordRefusals.editedElsewhere(itemId);
  return reason === "importing" ? swordRefusals.importInProgress(itemId) : swordRefusals.beingEdited(itemId);
}

/** Refusals of the core while something is registered, changed or deleted; message 14 where no other fits. */
export function depositRefusal(error: unknown, itemId: number | null): unknown {
  if (error instanceof ItemBusy) return busyError(error);
  // What has a type or a code has its word already.
  if (!(error instanceof Refusal) || error instanceof SwordError || error instanceof ServiceError) return error;
  switch (error.kind) {
    case "precondition":
      return new SwordError("ETagNotMatched", ETAG, null, { cause: error });
    case "forbidden":
      return new SwordError("Forbidden", FORBIDDEN, null, { cause: error });
    case "not_found":
    case "gone":
      return notFound(itemId);
    case "conflict":
      return itemId === null
        ? swordRefusals.importFailed(error.message, { cause: error })
        : swordRefusals.beingEdited(itemId);
    case "invalid":
      return swordRefusals.importFailed(error.message, { cause: error });
    default:
      return error;
  }
}

/** 404 for a deposit, for what does not exist and for what was deleted (R2c). */
export function notFound(itemId: number | string | null): SwordError {
  return new SwordError("NotFound", `Item not found.${itemId === null ? "" : ` (recid=${itemId})`}`);
}

const RECID = /^[1-9]\d{0,14}$/;

export const isRecid = (text: string): boolean => RECID.test(text);

/** The number in the path. @throws SwordError NotFound for what is none. */
export function recidOf(text: string): number {
  if (!isRecid(text)) throw notFound(text.slice(0, 40));
  return Number(text);
}

/** If-Match is checked when it is sent (R11). @throws SwordError ETagNotMatched when it names another revision */
export function requireMatch(ifMatch: string | null, revision: number): void {
  if (!allowsTag(ifMatch, String(revision))) throw new SwordError("ETagNotMatched", ETAG);
}

/** @throws SwordError ETagNotMatched, or message 25, when the item was changed after this deposit read it */
export function requireUnchanged(item: Item, now: Item | null, ifMatch: string | null): void {
  if (now?.state === item.state && now.revision === item.revision) return;
  throw isMatchAsked(ifMatch) ? new SwordError("ETagNotMatched", ETAG) : swordRefusals.editedElsewhere(item.id);
}
