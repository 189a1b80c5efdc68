// The use cases of requests (R37; specification 3, list_requests to request_action), one set for HTTP, the tool servers and the command line.
import type { Viewer } from "../../auth/account.ts";
import { decisions } from "./decisions.ts";
import { inclusions } from "./inclusions.ts";
import { invitations } from "./invitations.ts";
import { seenRequest } from "./request-facts.ts";
import { commentsOf, type RequestJson, requestJson } from "./request-json.ts";
import { requestLists } from "./request-lists.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { reviews } from "./reviews.ts";
import { timeline } from "./timeline.ts";

export const requests = (needs: RequestsNeeds) => {
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
    reviews: reviews(needs, deciding),
    invitations: invitations(needs),
    inclusions: inclusions(needs, deciding, read),
  };
};
export type Requests = ReturnType<typeof requests>;
