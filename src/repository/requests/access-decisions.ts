// Decisions about requests for closed files (Q.60). An accepted one opens the closed files of all versions up to a day:
// for an account by the request itself, for a guest by a link. Of decisions at the same time one is made.
import { GUEST, REPOSITORY_OPERATOR, type Viewer } from "../../auth/account.ts";
import { accessSettings, dayAfter } from "../../model/access/closed-files.ts";
import { oneError, permissionDenied, unknownRecord } from "../../model/input/record-refusals.ts";
import type { ItemParent } from "../../model/items/item.ts";
import { randomText, sha256Hex, uuidOf } from "../../shared/hash/digests.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import { accountViewer } from "../people/current-viewer.ts";
import { LINKS_MOST } from "../records/record-links.ts";
import type { AccessRequest, EndedBecause } from "../store/access-requests.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { ACCESS_DAYS } from "./access-body.ts";
import {
  type AccessNeeds,
  askableFiles,
  auditAccess,
  mailToGuest,
  noRequest,
  requireDeciding,
  seenBy,
} from "./access-facts.ts";
import { ACCESS_ACTIONS, type SeenAccessRequest } from "./access-json.ts";
import { changing } from "./request-facts.ts";
import { cannotDo, noSuchAction } from "./request-sentences.ts";

/** What accompanies a decision: a word for the person, and the last day of the right. */
type AccessDecision = { readonly answer: string; readonly endsOn: Day | null };

export interface AccessDecisions {
  /** @throws Refusal not_found, forbidden, invalid. */
  decide(asking: Viewer, id: string, action: string, decision: () => AccessDecision): Promise<SeenAccessRequest>;
  /** The guest withdraws a request by the secret of its link. @throws Refusal not_found, invalid. */
  cancelAsGuest(request: AccessRequest): Promise<void>;
  /** Ends the right that a request gave. @throws Refusal not_found, forbidden. */
  revoke(asking: Viewer, id: ItemId, request: string): Promise<void>;
  /**
   * Ends at most `limit` open requests after an id that need no decision any more, or were made before a moment;
   * returns the last id, or null at the end.
   */
  endIdle(before: Instant | null, after: string, limit: number): Promise<string | null>;
  /** Guests who did not confirm their address within a day. */
  forgetUnconfirmed(): Promise<number>;
}

const DAY_MS = 86_400_000;
const FORGOTTEN_AT_ONCE = 500;

export const accessDecisions = (needs: AccessNeeds): AccessDecisions => ({
  decide: (asking, id, action, decision) => decideAccess(needs, asking, id, action, decision),
  cancelAsGuest: (request) =>
    needs.store.transact(async (tx) => {
      const held = await heldAccessRequest(tx, request.id);
      if (held === null || held.request.account !== null) return noRequest();
      if (held.request.status !== "submitted" && held.request.status !== "created") throw cannotDo("cancel");
      await endAs(needs, tx, GUEST, held.request, "cancelled");
    }),
  revoke: (asking, id, request) => revokeAccess(needs, asking, id, request),
  endIdle: (before, after, limit) => endIdle(needs, before, after, limit),
  forgetUnconfirmed: () =>
    needs.store.transact((tx) =>
      tx.accessRequests.forgetUnconfirmed(addMilliseconds(needs.clock.now(), -DAY_MS), FORGOTTEN_AT_ONCE),
    ),
});

/** Locked after its record, as everybody locks them. */
async function heldAccessRequest(tx: RepositoryWriter, id: string) {
  const known = await tx.accessRequests.accessRequest(id);
  if (known === null) return null;
  const parent = await tx.items.lockParent(known.parent);
  const request = await tx.accessRequests.lockAccessRequest(id);
  return parent === null || request === null ? null : { request, parent };
}

const VERBS = { accepted: "accept", declined: "decline", cancelled: "cancel", expired: "end" } as const;
const MAILS = { accepted: "accepted", declined: "declined", cancelled: null, expired: "ended" } as const;

async function endAs(
  { clock }: AccessNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  request: AccessRequest,
  status: keyof typeof VERBS,
  more: Partial<Pick<AccessRequest, "answer" | "endsOn" | "decidedBy" | "endedBecause">> = {},
): Promise<AccessRequest> {
  const at = clock.now();
  const ended: AccessRequest = { ...request, ...more, status, updatedAt: at };
  await tx.accessRequests.saveAccessRequest(ended);
  await auditAccess(tx, viewer, VERBS[status], ended, at);
  const mail = MAILS[status];
  if (request.account === null && mail !== null) await mailToGuest(tx, ended, mail, at);
  return ended;
}

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
  { clock, random }: AccessNeeds,
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
    ...{ createdAt: clock.now(), expiresAt: `${lastDay}T23:59:59.000Z`, request: request.id, uses: 0, lastUsed: null },
  });
}

/** Why nobody has to decide; "": it waits. */
async function idleBecause(
  { items }: AccessNeeds,
  tx: RepositoryWriter,
  { item, account }: AccessRequest,
): Promise<EndedBecause> {
  const viewer = account === null ? GUEST : await accountViewer(tx, account);
  if (viewer === null) return "hidden";
  try {
    const readable = await items.readableIn(tx, viewer, item);
    return askableFiles(readable, items.today()).length === 0 ? "open" : "";
  } catch (error) {
    if (isRefusal(error, "gone") || isRefusal(error, "not_found")) return "gone";
    if (isRefusal(error, "forbidden")) return "hidden";
    throw error;
  }
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

async function endIdle(
  needs: AccessNeeds,
  before: Instant | null,
  after: string,
  limit: number,
): Promise<string | null> {
  const waiting = await needs.store.accessRequests.accessRequestsIn("submitted", after, limit);
  for (const { id } of waiting) {
    await needs.store.transact(async (tx) => {
      const held = await heldAccessRequest(tx, id);
      if (held === null || held.request.status !== "submitted") return;
      const endedBecause = await idleBecause(needs, tx, held.request);
      const isOld = before !== null && held.request.createdAt < before;
      if (endedBecause === "" && !isOld) return;
      await endAs(needs, tx, REPOSITORY_OPERATOR, held.request, "expired", { endedBecause });
    });
  }
  return waiting.length < limit ? null : (waiting.at(-1)?.id ?? null);
}
