// What guests do about their request for closed files by the links that were mailed to them (Q.64, Q.66).
import { GUEST, type HeldLink } from "../../auth/account.ts";
import { accessSettings } from "../../model/access/closed-files.ts";
import { sha256Hex } from "../../shared/hash/digests.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import type { AccessRequest } from "../store/access-requests.ts";
import type { RepositoryReader } from "../store/store.ts";
import { endAs, heldAccessRequest } from "./access-ending.ts";
import { type AccessNeeds, askableFiles, auditAccess, noRequest } from "./access-facts.ts";
import { cannotDo } from "./request-sentences.ts";

export interface GuestAccess {
  /** Counts that the page of the record was opened by the link that answers a request. */
  useLink(link: HeldLink): Promise<void>;
  /** The request of a guest by the secret of the link that was sent to the address. @throws Refusal not_found. */
  ofLink(token: string): Promise<AccessRequest>;
  /** @throws Refusal not_found, invalid. */
  confirm(token: string): Promise<AccessRequest>;
  /** The guest withdraws a request by the secret of its link. @throws Refusal not_found, invalid. */
  cancelAsGuest(request: AccessRequest): Promise<void>;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const CONFIRMED_WITHIN_MS = most("guestHours") * 3_600_000;

export const guestAccess = (needs: AccessNeeds): GuestAccess => {
  const { store, items } = needs;
  return {
    async useLink({ hash, filesUntil }) {
      if (filesUntil !== undefined) await store.transact((tx) => tx.accessLinks.countLinkUse(hash, items.today()));
    },
    ofLink: async (token) => await ofLink(store, token),
    confirm: (token) => confirmAddress(needs, token),
    cancelAsGuest: (request) =>
      store.transact(async (tx) => {
        const held = await heldAccessRequest(tx, request.id);
        if (held === null || held.request.account !== null) return noRequest();
        if (held.request.status !== "submitted" && held.request.status !== "created") throw cannotDo("cancel");
        await endAs(needs, tx, GUEST, held.request, "cancelled");
      }),
  };
};

async function ofLink(reader: Pick<RepositoryReader, "accessRequests">, token: string): Promise<AccessRequest> {
  const found = TOKEN.test(token) ? await reader.accessRequests.accessRequestByHash(sha256Hex(token)) : null;
  return found ?? noRequest();
}

function confirmAddress(needs: AccessNeeds, token: string): Promise<AccessRequest> {
  const { store, clock, items } = needs;
  return store.transact(async (tx) => {
    const known = await ofLink(tx, token);
    await tx.items.lockItem(known.item);
    const request = (await tx.accessRequests.lockAccessRequest(known.id)) ?? noRequest();
    if (request.status !== "created") return request;
    const at = clock.now();
    if (request.createdAt < addMilliseconds(at, -CONFIRMED_WITHIN_MS)) noRequest();
    const readable = await items.readableIn(tx, GUEST, request.item);
    const isAskable = askableFiles(readable, items.today()).length > 0;
    if (!isAskable || !accessSettings(readable.parent, needs.isMailOn).guests) {
      throw new Refusal("invalid", "There is nothing to ask for any more");
    }
    const next: AccessRequest = { ...request, status: "submitted", updatedAt: at };
    // Another request of the same address is open: this one is over.
    if (!(await tx.accessRequests.saveAccessRequest(next))) {
      const over: AccessRequest = { ...request, status: "cancelled", updatedAt: at };
      await tx.accessRequests.saveAccessRequest(over);
      return over;
    }
    await auditAccess(tx, GUEST, "request", next, at);
    return next;
  });
}
