// People ask to join a community (R6a, R37, R44): its managers accept or decline, owners where the role is theirs to give.
// One open request of a person to a community, and none next to an open invitation.
import { type Static, Type } from "@sinclair/typebox";
import { MEMBER_ROLES, type Viewer } from "../../auth/account.ts";
import { unsearchedPageQuery } from "../../model/input/list-parameters.ts";
import { permissionDenied } from "../../model/input/record-refusals.ts";
import { isOpen, mayActOn } from "../../model/rights/request-rules.ts";
import { object, oneOf, optional, type Sent, trimmed } from "../../shared/fields.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import { seenCommunity } from "../communities/communities.ts";
import { ALREADY_MEMBER, requireRoom } from "../communities/members.ts";
import type { RepositoryReader } from "../store/store.ts";
import { COMMENT_MAX, commentFromText, lenient } from "./comment-body.ts";
import { membershipList, membershipListShape } from "./membership-lists.ts";
import { changing, factsWith } from "./request-facts.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { REQUEST_SENTENCES } from "./request-sentences.ts";

const TYPE = "community-membership-request" as const;
const DAY_MS = 86_400_000;

/** A message to those who decide, and the role that is asked for. */
export const MEMBERSHIP_REQUEST = optional(
  lenient(
    object(
      { message: optional(trimmed({ max: COMMENT_MAX })), role: optional(oneOf(MEMBER_ROLES)) },
      { others: "ignored", $id: "NewMembershipRequest" },
    ),
  ),
);
type SentMembershipRequest = Sent<ReturnType<typeof MEMBERSHIP_REQUEST.read>>;

export const MEMBERSHIP_QUERY = unsearchedPageQuery(["newest", "oldest"]);
type MembershipQuery = Sent<ReturnType<typeof MEMBERSHIP_QUERY.read>>;

/** One page of the people who asked to join a community. */
export const MembershipRequestListShape = membershipListShape(
  TYPE,
  Type.Object({ can_accept: Type.Boolean(), can_decline: Type.Boolean() }),
  "MembershipRequest",
);
type MembershipRequestList = Static<typeof MembershipRequestListShape>;

/** Communities that are offered to people who may join. */
const OFFERED = 25;
const SEARCHED = 200;

/** The newest communities that take requests to join, without those of which the viewer is a member. */
export async function joinableCommunities({ communities }: Pick<RepositoryReader, "communities">, viewer: Viewer) {
  const except = viewer.memberships.map(({ communityId }) => communityId);
  const found = await communities.findCommunities({ seen: [], except }, "newest", 0, SEARCHED);
  const open = found.filter(({ memberPolicy }) => memberPolicy === "open").slice(0, OFFERED);
  return open.map(({ slug, title }) => ({ slug, title: title.en }));
}

export interface MembershipRequests {
  /** Returns the request. @throws Refusal not_found, forbidden, invalid. */
  ask(asking: Viewer, idOrSlug: string, body: SentMembershipRequest): Promise<string>;
  /** For those who manage the members. @throws Refusal not_found, forbidden, invalid. */
  list(viewer: Viewer, idOrSlug: string, query: MembershipQuery): Promise<MembershipRequestList>;
}

export const membershipRequests = (needs: RequestsNeeds): MembershipRequests => ({
  ask: (asking, idOrSlug, body) => askToJoin(needs, asking, idOrSlug, body),
  list: (viewer, idOrSlug, query) =>
    membershipList(needs, viewer, idOrSlug, query, {
      type: TYPE,
      path: "membership-requests",
      personOf: ({ creator }) => creator,
      permissionsOf: (request) => {
        const facts = factsWith(request, null);
        const can = (action: "accept" | "decline") => isOpen(request.status) && mayActOn(viewer, { ...facts, action });
        return { can_accept: can("accept"), can_decline: can("decline") };
      },
    }),
});

function askToJoin(needs: RequestsNeeds, asking: Viewer, idOrSlug: string, body: SentMembershipRequest) {
  return changing(needs, asking, async (tx, viewer) => {
    const { communities, requests } = tx;
    const community = await seenCommunity(communities, viewer, idOrSlug, communities.lockCommunity);
    const creator = viewer.account?.id;
    if (creator === undefined) throw permissionDenied();
    if (community.memberPolicy === "closed") throw new Refusal("forbidden", REQUEST_SENTENCES.membersClosed);
    const { message = "", role = "reader" } = body();
    const members = await communities.members(community.id);
    requireRoom(members.length + 1);
    const invited = { types: ["community-invitation"], community: community.id, receiver: creator } as const;
    const isKnown =
      members.some(({ accountId }) => accountId === creator) ||
      (await requests.countRequests({ ...invited, statuses: ["submitted"] })).total > 0;
    const at = needs.clock.now();
    const own = { types: [TYPE], community: community.id, creator };
    const [earlier] = await requests.findRequests(own, "newest", most("joinRequests") - 1, 1);
    if (!isKnown && earlier !== undefined && earlier.createdAt > addMilliseconds(at, -DAY_MS)) {
      throw new Refusal("invalid", REQUEST_SENTENCES.askedOften);
    }
    const request = isKnown
      ? null
      : await requests.insertRequest({
          id: uuidOf(needs.random.bytes(16)),
          type: TYPE,
          status: "submitted",
          community: community.id,
          title: `Request to join "${community.title.en}"`,
          item: null,
          parent: null,
          creator,
          receiver: null,
          role,
          holder: null,
          linked: false,
          revision: 1,
          events: 0,
          createdAt: at,
          updatedAt: at,
          submittedAt: at,
        });
    if (request === null) throw new Refusal("invalid", ALREADY_MEMBER);
    const content = commentFromText(message);
    if (content !== null) {
      const id = uuidOf(needs.random.bytes(16));
      const comment = { kind: "comment", account: creator, event: "", content, createdAt: at } as const;
      await requests.addEvent({ request: request.number, id, ...comment });
    }
    const detail = { community: community.id, role };
    await tx.audit(viewer, at, [{ action: "request-join", subject: `request:${request.id}`, detail }]);
    return request.id;
  });
}
