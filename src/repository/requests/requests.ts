// The use cases of requests (R37; specification 3, list_requests to request_action), one set for HTTP, the tool servers
// and the command line.
import type { Viewer } from "../../auth/account.ts";
import { type Decisions, decisions } from "./decisions.ts";
import { type RequestHolding, requestHolding } from "./holding.ts";
import { type Inclusions, inclusions } from "./inclusions.ts";
import { type Invitations, invitations } from "./invitations.ts";
import { type MembershipRequests, membershipRequests } from "./membership-requests.ts";
import { seenRequest } from "./request-facts.ts";
import { commentsOf, type RequestJson, requestJson } from "./request-json.ts";
import { type RequestLists, requestLists } from "./request-lists.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { type Reviews, reviews } from "./reviews.ts";
import { type RequestTimeline, timeline } from "./timeline.ts";

export type Requests = RequestLists &
  RequestTimeline &
  Decisions &
  RequestHolding & {
    /** @throws Refusal `not_found`. */
    read(viewer: Viewer, id: string): Promise<RequestJson>;
    readonly reviews: Reviews;
    readonly invitations: Invitations;
    readonly membershipRequests: MembershipRequests;
    readonly inclusions: Inclusions;
  };

export const requests = (needs: RequestsNeeds): Requests => {
  const { store, baseUrl } = needs;
  const deciding = decisions(needs);

  /** @throws Refusal `not_found`. */
  async function read(viewer: Viewer, id: string): Promise<RequestJson> {
    const { request, facts } = await seenRequest(store, viewer, id);
    const comments = await commentsOf(store, [request.number]);
    return requestJson(viewer, request, facts, comments(request.number), baseUrl);
  }

  return {
    read,
    ...requestLists(needs),
    ...timeline(needs),
    ...deciding,
    ...requestHolding(needs),
    reviews: reviews(needs, deciding),
    invitations: invitations(needs),
    membershipRequests: membershipRequests(needs),
    inclusions: inclusions(needs, deciding, read),
  };
};
