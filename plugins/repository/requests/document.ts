// How reviews, requests and communities of records describe themselves in the interface description (R32, R37): kept
// apart from the routes.
import { type TSchema, Type } from "@sinclair/typebox";
import {
  hitsOf,
  ifMatch,
  oneOf,
  open,
  operation,
  paging,
  pathParameter,
  queryParameter,
  refusals,
  response,
} from "../../http/document-parts.ts";

const TAG = "Requests and reviews";
const maybe = <T extends TSchema>(schema: T) => Type.Optional(schema);

const ErrorOut = Type.Object({
  status: Type.Integer(),
  message: Type.String(),
  errors: maybe(Type.Array(Type.Object({ field: Type.String(), messages: Type.Array(Type.String()) }))),
});
const REFUSED = refusals(ErrorOut, {
  400: "Something sent is wrong, or this cannot be done now",
  403: "The token lacks the scope, or the caller may not do this",
  404: "There is none, or none the caller may know of",
});
const BUSY = { 409: response("Somebody else works on the record", ErrorOut) };
const CONDITION = { 412: response("Another revision is there than `If-Match` names", ErrorOut) };

const Q = queryParameter("q", "The query", Type.String());

const STATUSES = ["submitted", "expired", "accepted", "declined", "cancelled"];
const TYPES = ["community-submission", "community-inclusion", "community-invitation"];
const CommentIn = Type.Object({
  payload: Type.Object({
    content: Type.String({ minLength: 1, maxLength: 10_000, description: "HTML, which is cleaned" }),
    format: maybe(oneOf(["html"])),
  }),
});
const MaybeComment = Type.Partial(CommentIn);
const EventOut = open({
  id: Type.String({ format: "uuid" }),
  type: oneOf(["C", "L"]),
  created: Type.String({ format: "date-time" }),
  updated: Type.String({ format: "date-time" }),
  revision_id: Type.Integer(),
  created_by: Type.Object({ user: Type.String({ description: "Id of an account, or system" }) }),
  payload: open({ content: maybe(Type.String()), event: maybe(Type.String()) }),
  links: open({ self: Type.String() }),
});
const RequestOut = open({
  id: Type.String({ format: "uuid" }),
  number: Type.String(),
  title: Type.String(),
  type: oneOf(TYPES),
  status: oneOf(["created", ...STATUSES]),
  is_open: Type.Boolean(),
  is_closed: Type.Boolean(),
  created: Type.String({ format: "date-time" }),
  updated: Type.String({ format: "date-time" }),
  revision_id: Type.Integer(),
  created_by: open({}),
  receiver: open({}),
  topic: open({}),
  comments_count: Type.Integer(),
  last_reply: Type.Union([EventOut, Type.Null()]),
  links: open({ self: Type.String(), actions: Type.Record(Type.String(), Type.String()) }),
});
const request = (description: string) => response(description, RequestOut);
const requests = response("The page", hitsOf(RequestOut));

const REQUEST_ID = pathParameter("id", "UUID of the request");
const COMMENT_ID = pathParameter("comment", "UUID of the comment");
const RECORD_ID = pathParameter("id", "Number of the record", { example: "7" });
const IF_MATCH = ifMatch("The revision the caller has seen");

type RequestOperation = {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly answers: Readonly<Record<number, object>>;
  readonly body?: TSchema;
  readonly parameters: readonly object[];
  readonly forGuests?: true;
};

function requestOperation({ id, summary, description, answers, body, parameters, forGuests }: RequestOperation) {
  return {
    ...operation({
      id,
      tag: TAG,
      summary,
      description: `${description}\n\nScope of a token: \`user:activity\`${forGuests ? " for more than guests see" : ""}.`,
      parameters,
      ...(body === undefined ? {} : { body }),
      responses: { ...REFUSED, ...answers },
    }),
    ...(forGuests === true ? { security: [{}, { bearer: [] }] } : {}),
  };
}

const FILTERS = [
  Q,
  queryParameter("status", "One or more, separated by commas", oneOf(STATUSES)),
  queryParameter("type", "One or more, separated by commas", oneOf(TYPES)),
  queryParameter("is_open", "Only those that wait, or only the others", Type.Boolean()),
  queryParameter("created_by", "user:ID", Type.String()),
  queryParameter("receiver", "community:UUID or user:ID", Type.String()),
  queryParameter("topic", "record:ID", Type.String()),
  ...paging(["bestmatch", "newest", "oldest", "newestactivity", "oldestactivity"]),
];

const listing = (id: string, summary: string, description: string, parameters: readonly object[] = []) =>
  requestOperation({ id, summary, description, parameters: [...parameters, ...FILTERS], answers: { 200: requests } });

export const LIST = listing(
  "listRequests",
  "Requests",
  "As far as the caller may see them: their own, those about their records, those they decide about.",
);
export const LIST_OWN = listing("listOwnRequests", "Requests of the caller", "As the list of requests.");
export const LIST_OF_COMMUNITY = listing(
  "listCommunityRequests",
  "Requests to a community",
  "For its curators, managers and owners.",
  [pathParameter("id", "UUID or slug of the community")],
);
const COMMUNITY_ID = pathParameter("id", "UUID or slug of the community");
export const INVITATIONS = requestOperation({
  id: "listCommunityInvitations",
  summary: "Invitations to a community",
  description: "For its managers and owners.",
  parameters: [COMMUNITY_ID, ...paging(["newest", "oldest", "newestactivity", "oldestactivity"])],
  answers: { 200: response("The page", hitsOf(open({ id: Type.String(), request: open({ id: Type.String() }) }))) },
});
export const INVITE = requestOperation({
  id: "inviteToCommunity",
  summary: "Invite people to a community",
  description:
    "Owners in any role, managers in any but owner; by the id of an account, administrators also by mail address. They become members when they accept the request.",
  parameters: [COMMUNITY_ID],
  body: open({
    members: Type.Array(Type.Object({ type: oneOf(["user", "email"]), id: Type.String() }), {
      minItems: 1,
      maxItems: 100,
    }),
    role: oneOf(["owner", "manager", "curator", "reader"]),
    message: maybe(Type.String({ maxLength: 10_000 })),
  }),
  answers: { 204: response("They are invited", null) },
});
export const LIST_OF_RECORD = listing("listRecordRequests", "Requests about a record", "For those who may change it.", [
  RECORD_ID,
]);
export const READ = requestOperation({
  id: "readRequest",
  summary: "One request",
  description: "`links.actions` are those the caller may do now.",
  parameters: [REQUEST_ID],
  answers: { 200: request("The request") },
});
export const ACT = requestOperation({
  id: "actOnRequest",
  summary: "Accept, decline, cancel, expire or submit",
  description:
    "Curators of the community accept and decline, the creator of the request cancels, administrators do all. A closed request stays closed. Accepting a submission publishes the record.",
  parameters: [
    REQUEST_ID,
    {
      ...pathParameter("action", "What is done"),
      schema: { type: "string", enum: ["accept", "decline", "cancel", "expire", "submit"] },
    },
  ],
  body: MaybeComment,
  answers: { 200: request("The request after the change"), ...BUSY },
});
export const TIMELINE = requestOperation({
  id: "readRequestTimeline",
  summary: "Events and comments of a request",
  description: "Entries of type L are events, of type C comments.",
  parameters: [REQUEST_ID, ...paging(["oldest", "newest"])],
  answers: { 200: response("The page", hitsOf(EventOut)) },
});
const comment = (description: string) => response(description, EventOut);
export const ADD_COMMENT = requestOperation({
  id: "commentOnRequest",
  summary: "Comment on a request",
  description: "For callers that may read it, open or closed.",
  parameters: [REQUEST_ID],
  body: CommentIn,
  answers: { 201: comment("The comment") },
});
export const READ_COMMENT = requestOperation({
  id: "readRequestComment",
  summary: "One comment",
  description: "Or another entry of the timeline.",
  parameters: [REQUEST_ID, COMMENT_ID],
  answers: { 200: comment("The comment") },
});
export const CHANGE_COMMENT = requestOperation({
  id: "changeRequestComment",
  summary: "Change a comment",
  description: "Its author, and administrators.",
  parameters: [REQUEST_ID, COMMENT_ID, IF_MATCH],
  body: CommentIn,
  answers: { 200: comment("The comment"), ...CONDITION },
});
export const REMOVE_COMMENT = requestOperation({
  id: "deleteRequestComment",
  summary: "Delete a comment",
  description: "For its author, and administrators. The timeline keeps an empty entry.",
  parameters: [REQUEST_ID, COMMENT_ID, IF_MATCH],
  answers: { 204: response("The comment is deleted", null), ...CONDITION },
});

export const READ_REVIEW = requestOperation({
  id: "readDraftReview",
  summary: "The review of a draft",
  description: "The request by which it waits for a community, or waited last.",
  parameters: [RECORD_ID],
  answers: { 200: request("The request") },
});
export const SET_REVIEW = requestOperation({
  id: "setDraftReview",
  summary: "Which community reviews a draft",
  description:
    "Of the first version of a record that was never published. Takes the place of a review that is not open.",
  parameters: [RECORD_ID],
  body: Type.Object({
    type: oneOf(["community-submission"]),
    receiver: Type.Object({ community: Type.String({ description: "UUID or slug" }) }),
  }),
  answers: { 200: request("The request, not yet submitted"), ...BUSY },
});
export const REMOVE_REVIEW = requestOperation({
  id: "deleteDraftReview",
  summary: "Remove the review",
  description: "Not while it is open.",
  parameters: [RECORD_ID],
  answers: { 204: response("The review is removed", null), ...BUSY },
});
export const SUBMIT_REVIEW = requestOperation({
  id: "submitDraftForReview",
  summary: "Submit a draft to its community",
  description:
    "The draft must be valid for publication. If the community accepts it without a review, it is published at once. After a declined or expired review it is submitted again.",
  parameters: [RECORD_ID],
  body: Type.Composite([MaybeComment, Type.Object({ require_review: maybe(Type.Boolean({ default: false })) })]),
  answers: { 202: request("The request"), ...BUSY },
});

const CommunityRef = Type.Object({ id: Type.String({ description: "UUID or slug" }) });
export const RECORD_COMMUNITIES = requestOperation({
  id: "listRecordCommunities",
  summary: "Communities of a record",
  description: "Those the caller may see.",
  parameters: [RECORD_ID, Q, ...paging(["bestmatch", "newest", "oldest"])],
  answers: { 200: response("The page", hitsOf(open({ id: Type.String() }))) },
  forGuests: true,
});
export const SUGGESTED_COMMUNITIES = requestOperation({
  id: "suggestRecordCommunities",
  summary: "Communities a record may be taken into",
  description: "Those it is not in and does not wait for.",
  parameters: [RECORD_ID, Q, queryParameter("membership", "Only the caller's own", Type.Boolean())],
  answers: { 200: response("The page", hitsOf(open({ id: Type.String() }))) },
});
export const ADD_COMMUNITIES = requestOperation({
  id: "addRecordCommunities",
  summary: "Ask that a published record be taken into communities",
  description: "Each by a request, which is accepted at once where the community takes it without a review.",
  parameters: [RECORD_ID],
  body: Type.Object({
    communities: Type.Array(
      Type.Composite([CommunityRef, Type.Object({ comment: maybe(CommentIn), require_review: maybe(Type.Boolean()) })]),
      { minItems: 1, maxItems: 10 },
    ),
  }),
  answers: {
    200: response(
      "One was asked at least",
      open({
        processed: maybe(Type.Array(open({ community_id: Type.String(), request_id: Type.String() }))),
        errors: maybe(Type.Array(open({ community_id: Type.String(), message: Type.String() }))),
      }),
    ),
    ...BUSY,
  },
});
export const REMOVE_COMMUNITIES = requestOperation({
  id: "removeRecordCommunities",
  summary: "Take a record out of communities",
  description: "Those who may change the record, and curators of the community.",
  parameters: [RECORD_ID],
  body: Type.Object({ communities: Type.Array(CommunityRef, { minItems: 1, maxItems: 10 }) }),
  answers: { 200: response("It is out of one at least", open({})), ...BUSY },
});
export const SET_DEFAULT = requestOperation({
  id: "setDefaultRecordCommunity",
  summary: "Set the default community",
  description: "One the record is in; null for none.",
  parameters: [RECORD_ID],
  body: Type.Object({ default: Type.Union([Type.String(), Type.Null()]) }),
  answers: { 200: response("Its communities", open({ communities: open({}) })) },
});
