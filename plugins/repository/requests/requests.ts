// Requests, their timeline and comments over HTTP (R37; specification 3, list_requests to request_action).
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { AccessRequestShape, accessRequestJson } from "../../../src/repository/requests/access-json.ts";
import type { AccessRequests } from "../../../src/repository/requests/access-requests.ts";
import { COMMENT, DECISION_COMMENTS } from "../../../src/repository/requests/comment-body.ts";
import { HOLDER } from "../../../src/repository/requests/holder-body.ts";
import { INVITATION, INVITATION_QUERY, InvitationListShape } from "../../../src/repository/requests/invitations.ts";
import {
  MEMBERSHIP_QUERY,
  MEMBERSHIP_REQUEST,
  MembershipRequestListShape,
} from "../../../src/repository/requests/membership-requests.ts";
import { EventShape, RequestShape } from "../../../src/repository/requests/request-json.ts";
import { REQUEST_QUERY, RequestListShape } from "../../../src/repository/requests/request-lists.ts";
import type { Requests } from "../../../src/repository/requests/requests.ts";
import { TIMELINE_QUERY, TimelineShape } from "../../../src/repository/requests/timeline.ts";
import { htmlToText } from "../../../src/shared/html/html-text.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints, noContent } from "../endpoint.ts";
import { recordGroup } from "../record-dialect.ts";

export const REQUEST_TAG = { tag: "Requests and reviews", rateGroup: "requests", scopes: ["user:activity"] };

const GROUP = recordGroup({
  ...REQUEST_TAG,
  name: "requests",
  ofOne: [404],
  pathParameters: {
    id: "UUID of the request",
    comment: "UUID of the comment",
    action: "What is done: accept, decline, cancel, expire, submit",
  },
});
const COMMUNITY_GROUP = recordGroup({
  ...REQUEST_TAG,
  name: "community-requests",
  ofOne: [404],
  pathParameters: { id: "UUID or slug of the community" },
});

export const requestList = { status: 200, description: "The page", schema: RequestListShape };
const comment = (status: number) => ({ status, description: "The comment", schema: EventShape });

/** Requests for closed files are read and decided at the same addresses. */
type Services = Requests & { readonly access: AccessRequests; readonly baseUrl: string };
const OneRequest = Type.Union([RequestShape, AccessRequestShape]);

const { get, post, put, remove } = endpointsOf<Services>();

const REQUEST_ENDPOINTS = [
  get("/requests", {
    id: "listRequests",
    summary: "Requests",
    description: "As far as the caller may see them: their own, those about their records, those they decide about.",
    query: REQUEST_QUERY,
    answer: requestList,
    run: (requests, { viewer, query }) => requests.list(viewer, query),
  }),
  get("/user/requests", {
    id: "listOwnRequests",
    summary: "Requests of the caller",
    description: "As the list of requests.",
    query: REQUEST_QUERY,
    answer: requestList,
    run: (requests, { viewer, query }) => requests.listOwn(viewer, query),
  }),
  get("/requests/:id", {
    id: "readRequest",
    summary: "One request",
    description: "`links.actions` are those the caller may do now.",
    answer: { status: 200, description: "The request", schema: OneRequest },
    async run(requests, { viewer, params }) {
      const found = await requests.access.find(viewer, params.id);
      return found === null ? await requests.read(viewer, params.id) : accessRequestJson(found, requests.baseUrl);
    },
  }),
  post("/requests/:id/actions/:action", {
    id: "actOnRequest",
    summary: "Accept, decline, cancel, expire or submit",
    description:
      "Curators of the community accept and decline, the creator of the request cancels, administrators do all. A closed request stays closed. `payload.comments` has comments on single fields; `expires_at` is the last day of a right to closed files. Accepting a submission publishes the record.",
    body: DECISION_COMMENTS,
    answer: { status: 200, description: "The request after the change", schema: OneRequest },
    refuses: [409],
    async run(requests, { viewer, params, body }) {
      const { id, action } = params;
      if ((await requests.access.find(viewer, id)) !== null) {
        const decided = await requests.access.decide(viewer, id, action, () => {
          const { comment, endsOn } = body();
          return { answer: comment === null ? "" : htmlToText(comment), endsOn };
        });
        return accessRequestJson(decided, requests.baseUrl);
      }
      await requests.decide(
        viewer,
        id,
        action,
        () => body().comment,
        () => body().fields,
      );
      return await requests.read(viewer, params.id);
    },
  }),
  put("/requests/:id/holder", {
    id: "setRequestHolder",
    summary: "Take, release or reassign a request",
    description:
      "Who may decide about it takes it, with their own id, and releases it with null; administrators give it to another account that may decide. Nobody else decides about it meanwhile but administrators.",
    body: HOLDER,
    answer: { status: 200, description: "The request after the change", schema: RequestShape },
    async run(requests, { viewer, params, body }) {
      await requests.setHolder(viewer, params.id, body);
      return await requests.read(viewer, params.id);
    },
  }),
  get("/requests/:id/timeline", {
    id: "readRequestTimeline",
    summary: "Events and comments of a request",
    description: "Entries of type L are events, of type C comments.",
    query: TIMELINE_QUERY,
    answer: { status: 200, description: "The page", schema: TimelineShape },
    run: (requests, { viewer, params, query }) => requests.timeline(viewer, params.id, query),
  }),
  post("/requests/:id/comments", {
    id: "commentOnRequest",
    summary: "Comment on a request",
    description:
      "For callers that may read it, open or closed. `payload.field` names the field of the record that it is about.",
    body: COMMENT,
    answer: comment(201),
    run: (requests, { viewer, params, body }) => requests.addComment(viewer, params.id, body),
  }),
  get("/requests/:id/comments/:comment", {
    id: "readRequestComment",
    summary: "One comment",
    description: "Or another entry of the timeline.",
    answer: comment(200),
    run: (requests, { viewer, params }) => requests.comment(viewer, params.id, params.comment),
  }),
  put("/requests/:id/comments/:comment", {
    id: "changeRequestComment",
    summary: "Change a comment",
    description: "Its author, and administrators.",
    body: COMMENT,
    conditional: true,
    answer: comment(200),
    run: (requests, { viewer, params, body, expected }) =>
      requests.changeComment(viewer, params.id, params.comment, body, expected),
  }),
  remove("/requests/:id/comments/:comment", {
    id: "deleteRequestComment",
    summary: "Delete a comment",
    description: "For its author, and administrators. The timeline keeps an empty entry.",
    conditional: true,
    answer: noContent("The comment is deleted"),
    run: (requests, { viewer, params, expected }) =>
      requests.removeComment(viewer, params.id, params.comment, expected),
  }),
];

const COMMUNITY_REQUEST_ENDPOINTS = [
  get("/communities/:id/requests", {
    id: "listCommunityRequests",
    summary: "Requests to a community",
    description: "For its curators, managers and owners.",
    query: REQUEST_QUERY,
    answer: requestList,
    run: (requests, { viewer, params, query }) => requests.listOfCommunity(viewer, params.id, query),
  }),
  get("/communities/:id/invitations", {
    id: "listCommunityInvitations",
    summary: "Invitations to a community",
    description: "For its managers and owners.",
    query: INVITATION_QUERY,
    answer: { status: 200, description: "The page", schema: InvitationListShape },
    refuses: [410],
    run: ({ invitations }, { viewer, params, query }) => invitations.list(viewer, params.id, query),
  }),
  post("/communities/:id/invitations", {
    id: "inviteToCommunity",
    summary: "Invite people to a community",
    description:
      "Owners in any role, managers in any but owner; by the id of an account, administrators also by mail address. They become members when they accept the request.",
    body: INVITATION,
    answer: noContent("They are invited"),
    refuses: [410],
    run: ({ invitations }, { viewer, params, body }) => invitations.invite(viewer, params.id, body),
  }),
  get("/communities/:id/membership-requests", {
    id: "listMembershipRequests",
    summary: "People who asked to join a community",
    description: "For its managers and owners.",
    query: MEMBERSHIP_QUERY,
    answer: { status: 200, description: "The page", schema: MembershipRequestListShape },
    refuses: [410],
    run: ({ membershipRequests }, { viewer, params, query }) => membershipRequests.list(viewer, params.id, query),
  }),
  post("/communities/:id/membership-requests", {
    id: "askToJoinCommunity",
    summary: "Ask to join a community",
    description:
      "Where its `member_policy` is open; in the role of a reader where none is sent. Managers accept or decline the request, owners also one for the role of an owner.",
    body: MEMBERSHIP_REQUEST,
    answer: { status: 201, description: "The request", schema: RequestShape },
    refuses: [410],
    run: async (requests, { viewer, params, body }) =>
      await requests.read(viewer, await requests.membershipRequests.ask(viewer, params.id, body)),
  }),
];

type RequestPluginNeeds = {
  readonly guard: EndpointGuard;
  readonly requests: Requests;
  readonly access: AccessRequests;
  readonly baseUrl: string;
};

export const requestPlugin = ({ guard, requests: served, ...access }: RequestPluginNeeds) => {
  const requests: Services = { ...served, ...access };
  return new Elysia({ name: "request-interface" })
    .use(mountEndpoints(GROUP, REQUEST_ENDPOINTS, requests, guard))
    .use(mountEndpoints(COMMUNITY_GROUP, COMMUNITY_REQUEST_ENDPOINTS, requests, guard));
};
