// Decisions about requests for closed files (Q.60). An accepted one opens the closed files of all versions up to a day:
// for an account by the request itself, for a guest by a link. Of decisions at the same time one is made.
import type { Viewer } from "../../auth/account.ts";
import { accessSettings, dayAfter } from "../../model/access/closed-files.ts";
import { oneError, permissionDenied, unknownRecord } from "../../model/input/record-refusals.ts";
import type { ItemParent } from "../../model/items/item.ts";
import { randomText, sha256Hex, uuidOf } from "../../shared/hash/digests.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { type Day, momentOf } from "../../shared/time/day.ts";
import { LINKS_MOST } from "../records/record-links.ts";
import type { AccessRequest } from "../store/access-requests.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { ACCESS_DAYS } from "./access-body.ts";
import { endAs, heldAccessRequest, idleBecause } from "./access-ending.ts";
import { type AccessNeeds, auditAccess, noRequest, requireDeciding, seenBy } from "./access-facts.ts";
import { ACCESS_ACTIONS, type SeenAccessRequest } from "./access-json.ts";
import { changing } from "./request-facts.ts";
import { cannotDo, noSuchAction } from "./request-sentences.ts";

/** What accompanies a decision: a word for the person, and the last day of the right. */
type AccessDecision = { readonly answer: string; readonly endsOn: Day | null };

export interface AccessDecisions {
  /** @throws Refusal not_found, forbidden, invalid. */
  decide(asking: Viewer, id: string, action: string, decision: () => AccessDecision): Promise<SeenAccessRequest>;
  /** Ends the right that a request gave. @throws Refusal not_found, forbidden. */
  revoke(asking: Viewer, id: ItemId, request: string): Promise<void>;
}

export const accessDecisions = (needs: AccessNeeds): AccessDecisions => ({
  decide: (asking, id, action, decision) => decideAccess(needs, asking, id, action, decision),
  revoke: (asking, id, request) => revokeAccess(needs, asking, id, request),
});

function decideAccess(
  needs: AccessNeeds,
  asking: Viewer,
  id: string,
  named: string,
  decision: () => AccessDecision,
): Promise<SeenAccessRequest> {
  return changing(needs, asking, async (tx, viewer) => {
    const held = await heldAccessRequest(tx, id);
    const today = needs.items.today();
    const seen = held === null ? null : await seenBy(tx, viewer, held.request, held.parent, today);
    if (held === null || seen === null) return noRequest();
    const action = ACCESS_ACTIONS.find((each) => each === named);
    if (action === undefined) throw noSuchAction(named);
    if (held.request.status !== "submitted") throw cannotDo(action);
    if (!seen.may.includes(action)) throw permissionDenied();
    const { answer, endsOn } = decision();
    if (answer.length > most("accessPurposeCharacters"))
      throw oneError("payload.content", "Longer than maximum length.");
    const decidedBy = viewer.account?.id ?? null;
    const ended =
      action === "accept"
        ? await accept(needs, tx, viewer, held, { answer, endsOn })
        : await endAs(needs, tx, viewer, held.request, action === "decline" ? "declined" : "cancelled", {
            ...(action === "decline" ? { answer, decidedBy } : {}),
          });
    return (await seenBy(tx, viewer, ended, held.parent, today)) ?? noRequest();
  });
}

async function accept(
  needs: AccessNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  { request, parent }: { readonly request: AccessRequest; readonly parent: ItemParent },
  { answer, endsOn }: AccessDecision,
): Promise<AccessRequest> {
  const { items, isMailOn } = needs;
  const today = items.today();
  const lastDay = endsOn ?? dayAfter(today, accessSettings(parent, isMailOn).days);
  if (lastDay < today || lastDay > dayAfter(today, ACCESS_DAYS)) {
    throw oneError("expires_at", `Must be a day from today on, within ${ACCESS_DAYS} days.`);
  }
  const decidedBy = viewer.account?.id;
  // The operator of the machine has no account whose rights a link could have.
  if (decidedBy === undefined) throw permissionDenied();
  const because = await idleBecause(needs, tx, request);
  if (because === "open") throw new Refusal("invalid", "The files are open to the person by now");
  if (because === "gone") throw new Refusal("invalid", "The record is not there any more");
  if (because === "hidden") throw new Refusal("invalid", "The person may not read the record any more");
  if (request.account === null) await makeLink(needs, tx, { request, maker: decidedBy, lastDay });
  return await endAs(needs, tx, viewer, request, "accepted", { answer, endsOn: lastDay, decidedBy });
}

/** The secret is made when the mail is written: until then nobody has the link. */
async function makeLink(
  { clock, random, timeZone }: AccessNeeds,
  tx: RepositoryWriter,
  { request, maker, lastDay }: { readonly request: AccessRequest; readonly maker: AccountId; readonly lastDay: Day },
): Promise<void> {
  if ((await tx.accessLinks.linksOf(request.parent)).length >= LINKS_MOST) {
    throw new Refusal("invalid", `A record has ${LINKS_MOST} links at most.`);
  }
  await tx.accessLinks.insertLink({
    ...{ id: uuidOf(random.bytes(16)), parent: request.parent, permission: "view" as const, maker },
    hash: sha256Hex(randomText(random.bytes(32))),
    description: request.hasConsent ? [request.name, request.mail].filter((each) => each !== "").join(", ") : "",
    ...{
      createdAt: clock.now(),
      expiresAt: momentOf(timeZone, dayAfter(lastDay, 1)),
      request: request.id,
      uses: 0,
      lastUsed: null,
    },
  });
}

function revokeAccess({ store, clock }: AccessNeeds, asking: Viewer, id: ItemId, named: string): Promise<void> {
  return changing({ store, clock }, asking, async (tx, viewer) => {
    const found = await tx.items.lockItem(id);
    if (found === null) throw unknownRecord();
    requireDeciding(viewer, found.item.state, found.parent);
    const request = await tx.accessRequests.lockAccessRequest(named);
    if (request === null || request.parent !== found.parent.id || request.status !== "accepted") noRequest();
    const at = clock.now();
    if (request.revokedAt !== null) return;
    await tx.accessRequests.saveAccessRequest({ ...request, revokedAt: at, updatedAt: at });
    await tx.accessLinks.deleteLinkOfRequest(request.id);
    await auditAccess(tx, viewer, "revoke", request, at);
  });
}
