// How a request for closed files ends (Q.60): it is read locked, and every end is written, audited and mailed alike.
import { GUEST, type Viewer } from "../../auth/account.ts";
import { isRefusal } from "../../shared/refusal.ts";
import { accountViewer } from "../people/current-viewer.ts";
import type { AccessRequest, EndedBecause } from "../store/access-requests.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { type AccessNeeds, askableFiles, auditAccess, mailToGuest } from "./access-facts.ts";

/** Locked after its record, as everybody locks them. */
export async function heldAccessRequest(tx: RepositoryWriter, id: string) {
  const known = await tx.accessRequests.accessRequest(id);
  if (known === null) return null;
  const parent = await tx.items.lockParent(known.parent);
  const request = await tx.accessRequests.lockAccessRequest(id);
  return parent === null || request === null ? null : { request, parent };
}

const VERBS = { accepted: "accept", declined: "decline", cancelled: "cancel", expired: "end" } as const;
const MAILS = { accepted: "accepted", declined: "declined", cancelled: null, expired: "ended" } as const;

export async function endAs(
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

/** Why nobody has to decide; "": it waits. */
export async function idleBecause(
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
