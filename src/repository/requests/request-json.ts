// Requests and their timeline as the records interface shows them (R37; reference 1.2, list_requests to
// request_action).
import { type Static, Type } from "@sinclair/typebox";
import { MEMBER_ROLES, type Viewer } from "../../auth/account.ts";
import { may } from "../../model/rights/policy.ts";
import {
  isAboutMembers,
  isClosed,
  isOpen,
  REQUEST_ACTIONS,
  REQUEST_STATUSES,
  REQUEST_TYPES,
  type RequestFacts,
  TRANSITIONS,
} from "../../model/rights/request-rules.ts";
import type { AccountId } from "../../shared/ids.ts";
import { ActionLinksShape, MomentShape, UuidShape, wordOf } from "../../shared/shapes.ts";
import type { CommunityRequest, RequestEvent } from "../store/requests.ts";
import type { RepositoryReader } from "../store/store.ts";

export const requestPath = (id: string): string => `/api/requests/${id}`;

const personOf = (account: AccountId | null): { readonly user: string } => ({
  user: account === null ? "system" : String(account),
});

const PersonShape = Type.Object({ user: Type.String({ description: "Id of an account, or system" }) });
const CommunityReference = Type.Object({ community: UuidShape });
const PartyShape = Type.Union([PersonShape, CommunityReference]);

/** An entry of the timeline of a request. */
export const EventShape = Type.Object(
  {
    id: UuidShape,
    created: MomentShape,
    updated: MomentShape,
    revision_id: Type.Integer(),
    type: Type.Unsafe<"C" | "L">({ ...wordOf(["C", "L"]), description: "C: a comment, L: an event" }),
    created_by: PersonShape,
    payload: Type.Object({
      content: Type.Optional(Type.String({ description: "HTML" })),
      format: Type.Optional(wordOf(["html"])),
      event: Type.Optional(Type.String({ description: "What happened; absent for a comment" })),
      field: Type.Optional(Type.String({ description: "The field of the record that the comment is about" })),
      reviewers: Type.Optional(
        Type.Array(PersonShape, { maxItems: 1, description: "Who holds the request from here on" }),
      ),
    }),
    permissions: Type.Object({
      can_update_comment: Type.Boolean(),
      can_delete_comment: Type.Boolean(),
      can_reply_comment: Type.Boolean(),
    }),
    parent_id: Type.Null(),
    links: Type.Object({ self: Type.String() }),
  },
  { $id: "RequestEvent" },
);
export type EventJson = Static<typeof EventShape>;

export const RequestShape = Type.Object(
  {
    id: UuidShape,
    number: Type.String(),
    title: Type.String(),
    type: wordOf(REQUEST_TYPES),
    status: wordOf(["created", ...REQUEST_STATUSES]),
    is_open: Type.Boolean(),
    is_closed: Type.Boolean(),
    is_expired: Type.Boolean(),
    expires_at: Type.Null(),
    created: MomentShape,
    updated: MomentShape,
    revision_id: Type.Integer(),
    created_by: PartyShape,
    receiver: PartyShape,
    topic: Type.Union([CommunityReference, Type.Object({ record: Type.String() })]),
    payload: Type.Optional(Type.Object({ role: wordOf(MEMBER_ROLES) })),
    reviewers: Type.Array(PersonShape, { maxItems: 1, description: "Who took it, to decide about it" }),
    comments_count: Type.Integer(),
    last_reply: Type.Union([EventShape, Type.Null()]),
    last_activity_at: MomentShape,
    links: Type.Object({
      self: Type.String(),
      comments: Type.String(),
      timeline: Type.String(),
      actions: ActionLinksShape,
    }),
  },
  { $id: "Request" },
);
export type RequestJson = Static<typeof RequestShape>;

/** The comments on a request: how many, and the last one. */
type Comments = { readonly count: number; readonly last: RequestEvent | null };

/** Of each of these, by its number. */
export async function commentsOf(
  { requests }: Pick<RepositoryReader, "requests">,
  numbers: readonly number[],
): Promise<(request: number) => Comments> {
  const [lasts, counts] = [await requests.lastComments(numbers), await requests.countComments(numbers)];
  return (request) => ({ count: counts.get(request) ?? 0, last: lasts.get(request) ?? null });
}

/** Depends on the viewer: the linked actions are those the viewer may take now. */
export function requestJson(
  viewer: Viewer,
  request: CommunityRequest,
  facts: RequestFacts,
  { last, count }: Comments,
  baseUrl: string,
): RequestJson {
  const { id, type, status } = request;
  const isInvitation = type === "community-invitation";
  const community = { community: request.community };
  return {
    id,
    number: String(request.number),
    title: request.title,
    type,
    status,
    is_open: isOpen(status),
    is_closed: isClosed(status),
    is_expired: status === "expired",
    expires_at: null,
    created: request.createdAt,
    updated: request.updatedAt,
    revision_id: request.revision,
    created_by: isInvitation ? community : personOf(request.creator),
    receiver: isInvitation ? personOf(request.receiver) : community,
    topic: isAboutMembers(type) ? community : { record: String(request.item) },
    ...(request.role === null ? {} : { payload: { role: request.role } }),
    reviewers: request.holder === null ? [] : [personOf(request.holder)],
    comments_count: count,
    last_reply: last === null ? null : eventJson(viewer, request, last, baseUrl),
    last_activity_at: request.updatedAt,
    links: requestLinks(viewer, request, facts, baseUrl),
  };
}

function requestLinks(viewer: Viewer, { id, status }: CommunityRequest, facts: RequestFacts, baseUrl: string) {
  const self = baseUrl + requestPath(id);
  const open = REQUEST_ACTIONS.filter(
    (action) => TRANSITIONS[action].from === status && may(viewer, "request.act", { ...facts, action }),
  );
  return {
    self,
    comments: `${self}/comments`,
    timeline: `${self}/timeline`,
    actions: Object.fromEntries(open.map((action) => [action, `${self}/actions/${action}`])),
  };
}

export function eventJson(
  viewer: Viewer,
  { id: request }: Pick<CommunityRequest, "id">,
  { id, kind, account, event, content, field, about, ...times }: RequestEvent,
  baseUrl: string,
): EventJson {
  const isComment = kind === "comment";
  const changes = isComment && may(viewer, "request.change-comment", { author: account });
  const comment = content === "" ? {} : { content, format: "html" as const };
  const holder = about === null ? {} : { reviewers: [personOf(about)] };
  return {
    id,
    created: times.createdAt,
    updated: times.updatedAt,
    revision_id: times.revision,
    type: isComment ? "C" : "L",
    created_by: personOf(account),
    payload: isComment
      ? { content, format: "html" as const, ...(field === "" ? {} : { field }) }
      : { event, ...comment, ...holder },
    permissions: { can_update_comment: changes, can_delete_comment: changes, can_reply_comment: false },
    parent_id: null,
    links: { self: `${baseUrl}${requestPath(request)}/comments/${id}` },
  };
}
