// The facts about a request that are read before anything is done with it (R2g, R37): who may know of it, and the
// viewer's rights.
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import { recordBusy, unknownRecord } from "../../model/input/record-refusals.ts";
import type { ItemParent } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import type { RequestFacts } from "../../model/rights/request-rules.ts";
import { Refusal } from "../../shared/refusal.ts";
import { ItemBusy } from "../items/locking.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { CommunityRequest, RequestSight } from "../store/requests.ts";
import type { RepositoryReader, RepositoryWriter } from "../store/store.ts";
import type { RequestsNeeds } from "./request-needs.ts";

export function factsWith(request: CommunityRequest, parent: ItemParent | null): RequestFacts {
  const { type, status, creator, community, receiver, role, holder } = request;
  return {
    type,
    status,
    creator,
    community,
    receiver,
    role,
    holder,
    topic: parent === null ? [] : [parent.owner, ...parent.shared],
  };
}

async function factsOf(reader: Pick<RepositoryReader, "items">, request: CommunityRequest): Promise<RequestFacts> {
  return factsWith(request, request.parent === null ? null : await reader.items.parent(request.parent));
}

/** @throws Refusal `not_found` for what is not there and for what the viewer may not know of. */
export async function seenRequest(reader: RepositoryReader, viewer: Viewer, id: string) {
  const request = await reader.requests.request(id);
  if (request === null) throw unknownRecord();
  const facts = await factsOf(reader, request);
  if (!may(viewer, "request.see", facts)) throw unknownRecord();
  return { request, facts };
}

/** Locked behind the record it is about, as everybody locks them, and read behind that. @throws Refusal `not_found`. */
export async function heldRequest(tx: RepositoryWriter, viewer: Viewer, id: string) {
  const named = await tx.requests.request(id);
  if (named === null) throw unknownRecord();
  const topic = named.item === null ? null : await tx.items.lockItem(named.item);
  const request = await tx.requests.lockRequest(id);
  if (request === null) throw unknownRecord();
  const facts = factsWith(request, topic?.parent ?? null);
  if (!may(viewer, "request.see", facts)) throw unknownRecord();
  return { request, facts, topic };
}

/** How far somebody sees; undefined: everything. */
export function requestSightOf(viewer: Viewer): RequestSight | undefined {
  if (isAdministrator(viewer)) return undefined;
  const { account, memberships } = viewer;
  if (account === null) throw new Refusal("unauthenticated", "Sign in to see requests");
  return {
    account: account.id,
    curated: memberships.filter(({ role }) => role !== "reader").map(({ communityId }) => communityId),
    managed: memberships.flatMap(({ role, communityId }) =>
      role === "owner" || role === "manager" ? [communityId] : [],
    ),
  };
}

/** One transaction; conflicts with other changes of the record are refused in the words of this interface (R2f). */
export async function changing<T>(
  needs: Pick<RequestsNeeds, "store" | "clock">,
  viewer: Viewer,
  work: (tx: RepositoryWriter, viewer: Viewer) => Promise<T>,
): Promise<T> {
  try {
    return await writeAs(needs, viewer, work);
  } catch (error) {
    if (error instanceof ItemBusy) throw recordBusy();
    throw error;
  }
}
