// Refusals of the core as answers to deposits (specification 2, "Deposit error types", "Deposit messages"; R2c, R2f,
// R11).

import type { Item } from "../../model/items/item.ts";
import { ServiceError } from "../../shared/errors.ts";
import { allowsTag, isMatchAsked } from "../../shared/http/entity-tags.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Log } from "../../shared/log.ts";
import { Refusal } from "../../shared/refusal.ts";
import { ItemBusy } from "../items/locking.ts";
import { SwordError, swordRefusals } from "./messages.ts";
import type { DepositCall } from "./request.ts";

const ETAG = "The item was changed: its eTag is not the one in If-Match.";
const FORBIDDEN = "Not allowed operation in your role or token scope.";

/** Messages 25 to 27 for an item that somebody else works on. */
function busyError({ itemId, reason }: ItemBusy): SwordError {
  if (reason === "edited") return swordRefusals.editedElsewhere(itemId);
  return reason === "importing" ? swordRefusals.importInProgress(itemId) : swordRefusals.beingEdited(itemId);
}

/** Refusals of the core while something is registered, changed or deleted; message 14 where no other fits. */
export function depositRefusal(error: unknown, itemId: ItemId | null): unknown {
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
export function notFound(itemId: ItemId | string | null): SwordError {
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

// One log line for every refusal of a deposit, with its reason (R13c): an operator can help a depositor also where the
// message of the specification names no cause. The line has neither titles nor the value of On-Behalf-Of
// (docs/security.md).

/** Longest reason of a line, in characters: it quotes the package. */
const REASON_MAX = 1_000;

type RefusedDeposit = {
  readonly method: "POST" | "PUT" | "DELETE";
  /** As the path has it; null for a new item. */
  readonly item: string | null;
};

/** Does the work and logs its refusal; the error handler logs unexpected errors. */
export const refusalLog =
  (log: Pick<Log, "info">) =>
  async <T>({ viewer, requestId }: DepositCall, asked: RefusedDeposit, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal) {
        log.info("deposit_refused", {
          request_id: requestId,
          method: asked.method,
          ...(asked.item === null ? {} : { item: asked.item.slice(0, ITEM_MAX) }),
          ...(viewer.account === null ? {} : { account: viewer.account.id, client_id: viewer.clientId }),
          status: error.status,
          type: error instanceof SwordError ? error.type : error.kind,
          ...(error instanceof SwordError && error.messageNumber !== null ? { message: error.messageNumber } : {}),
          reason: reasonOf(error),
        });
      }
      throw error;
    }
  };

const ITEM_MAX = 40;

/** The reason, with the cause where the answer does not state it. */
function reasonOf(error: Refusal): string {
  const reason = error instanceof SwordError ? error.reason : error.message;
  const { cause } = error;
  const isStated = !(cause instanceof Error) || reason.includes(cause.message);
  return (isStated ? reason : `${reason} (${cause.message})`).slice(0, REASON_MAX);
}
