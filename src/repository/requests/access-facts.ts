// What all use cases of requests for closed files share (Q.60): which files may be asked for, who decides, who sees
// what of a request, its audit and the mails to guests.
import { administeredCommunities, type Viewer } from "../../auth/account.ts";
import { fileStatus, isAskable } from "../../model/access/closed-files.ts";
import { permissionDenied, unknownRecord } from "../../model/input/record-refusals.ts";
import type { ItemFile, ItemParent } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import type { AccountId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import type { Day } from "../../shared/time/day.ts";
import type { ItemViews, ReadableItem } from "../items/item-views.ts";
import type { AccessRequest, AccessSight } from "../store/access-requests.ts";
import type { RepositoryReader, RepositoryStore, RepositoryWriter } from "../store/store.ts";
import type { AccessAction, SeenAccessRequest } from "./access-json.ts";

export type AccessNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly items: Pick<ItemViews, "readableIn" | "today">;
  readonly isMailOn: boolean;
  readonly timeZone: string;
};

/** Closed files of the record that its reader may ask for. */
export function askableFiles({ content, draft, files }: ReadableItem, today: Day): readonly ItemFile[] {
  if (draft !== null) return [];
  return files.flatMap(({ file, readable }) =>
    !readable && isAskable(fileStatus(content, file, today), today) ? [file] : [],
  );
}

const decidesAccess = (viewer: Viewer, parent: ItemParent): boolean => may(viewer, "item.share", parent);

/** Requests that wait for the viewer: of records that are theirs, or that they or one of their groups manage. */
export const accessSightOf = (viewer: Viewer, account: AccountId): AccessSight => ({
  account,
  communities: administeredCommunities(viewer).map(({ communityId }) => communityId),
});

/** As the viewer sees it; null: they may not know of it. */
export async function seenBy(
  reader: Pick<RepositoryReader, "accessLinks">,
  viewer: Viewer,
  request: AccessRequest,
  parent: ItemParent,
  today: Day,
): Promise<SeenAccessRequest | null> {
  const isMine = viewer.account !== null && viewer.account.id === request.account;
  const decides = decidesAccess(viewer, parent);
  if (!isMine && (!decides || request.status === "created")) return null;
  const mine: readonly AccessAction[] = [
    ...(decides && !isMine ? (["accept", "decline"] as const) : []),
    ...(isMine ? (["cancel"] as const) : []),
  ];
  const isRight = request.status === "accepted" && request.revokedAt === null && (request.endsOn ?? "") >= today;
  const isGuest = request.account === null;
  const links = isGuest && isRight ? await reader.accessLinks.linksOf(request.parent) : [];
  const link = links.find((each) => each.request === request.id);
  return {
    ...{ request, isMine },
    may: request.status === "submitted" ? mine : [],
    isActive: isRight && (!isGuest || link !== undefined),
    use: link === undefined ? null : { times: link.uses, last: link.lastUsed },
  };
}

/** @throws Refusal not_found, forbidden */
export function requireDeciding(viewer: Viewer, state: string, parent: ItemParent): void {
  if (decidesAccess(viewer, parent)) return;
  throw state === "draft" && !may(viewer, "item.preview", parent) ? unknownRecord() : permissionDenied();
}

export function noRequest(): never {
  throw new Refusal("not_found", "There is no such request, or none that you may see");
}

/** Its text is written when it is sent. */
export async function mailToGuest(
  tx: RepositoryWriter,
  { id }: AccessRequest,
  step: "confirm" | "accepted" | "declined" | "ended",
  at: AccessRequest["createdAt"],
): Promise<void> {
  const payload = { accessRequest: id, step };
  const subject = `access-request:${id} ${step}`;
  const entry = { channel: "notice", subject, accountId: null, payload, state: "waiting", runAt: at } as const;
  await tx.outgoing.addOutgoing([entry], at);
  await tx.outgoing.hastenOutgoing(at);
}

/** Neither who asks nor why is in the audit. */
export const auditAccess = (
  tx: RepositoryWriter,
  viewer: Viewer,
  verb: "request" | "accept" | "decline" | "cancel" | "end" | "revoke",
  { id, item }: AccessRequest,
  at: AccessRequest["createdAt"],
): Promise<void> =>
  tx.audit(viewer, at, [{ action: `item.${verb}-access`, subject: `item:${item}`, detail: { request: id } }]);
