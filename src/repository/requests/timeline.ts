// The timeline of a request (R37; reference 1.2, get_request, comment_on_request): events and comments, oldest first.
// Every reader of the request may comment on it, open or closed; authors change and delete their comments.
import { type Static, Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import { hitsShape, pageLinks, unsearchedPageQuery } from "../../model/input/list-parameters.ts";
import { oneError, permissionDenied, requireRevision, unknownRecord } from "../../model/input/record-refusals.ts";
import type { FieldComment } from "../../model/metadata/commented-field.ts";
import { may } from "../../model/rights/policy.ts";
import type { Sent } from "../../shared/fields.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { CommunityRequest, RequestEvent } from "../store/requests.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { changing, heldRequest, seenRequest } from "./request-facts.ts";
import { type EventJson, EventShape, eventJson, requestPath } from "./request-json.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { REQUEST_SENTENCES } from "./request-sentences.ts";

/** Entries one request may have. */
const EVENTS_MOST = most("requestEntries");

export const TIMELINE_QUERY = unsearchedPageQuery(["oldest", "newest"]);
type TimelineQuery = Sent<ReturnType<typeof TIMELINE_QUERY.read>>;

/** A page of the timeline; nobody replies to an entry. */
export const TimelineShape = hitsShape(
  Type.Object(
    {
      ...EventShape.properties,
      children: Type.Array(Type.Unknown(), { maxItems: 0 }),
      children_count: Type.Literal(0),
    },
    { $id: "TimelineEntry" },
  ),
  "Timeline",
);
type TimelinePage = Static<typeof TimelineShape>;

export interface RequestTimeline {
  /** `{hits, links}`, a page at a time. @throws Refusal not_found, invalid. */
  timeline(viewer: Viewer, id: string, query: TimelineQuery): Promise<TimelinePage>;
  comment(viewer: Viewer, id: string, comment: string): Promise<EventJson>;
  addComment(asking: Viewer, id: string, body: Sent<FieldComment>): Promise<EventJson>;
  changeComment(
    asking: Viewer,
    id: string,
    comment: string,
    body: Sent<FieldComment>,
    expected: readonly string[] | null,
  ): Promise<EventJson>;
  /** Deletes the text of the comment; the entry stays. */
  removeComment(asking: Viewer, id: string, comment: string, expected: readonly string[] | null): Promise<void>;
}

export const timeline = (needs: RequestsNeeds): RequestTimeline => ({
  timeline: (viewer, id, query) => listTimeline(needs, viewer, id, query),
  comment: (viewer, id, comment) => readComment(needs, viewer, id, comment),
  addComment: (asking, id, body) => addComment(needs, asking, id, body),
  changeComment: (asking, id, comment, body, expected) => changeComment(needs, asking, id, comment, body, expected),
  removeComment: (asking, id, comment, expected) => removeComment(needs, asking, id, comment, expected),
});

/** A comment that the viewer may change; the request is locked. */
async function requireOwnComment(
  tx: RepositoryWriter,
  viewer: Viewer,
  id: string,
  comment: string,
  change: { readonly expected: readonly string[] | null; readonly refused: string },
): Promise<{ request: CommunityRequest; event: RequestEvent }> {
  const { request } = await heldRequest(tx, viewer, id);
  const event = await tx.requests.event(comment);
  if (event === null || event.request !== request.number) throw unknownRecord();
  if (event.kind !== "comment") throw new Refusal("forbidden", change.refused);
  if (!may(viewer, "request.change-comment", { author: event.account })) throw permissionDenied();
  requireRevision(change.expected, event.revision);
  return { request, event };
}

async function listTimeline(
  needs: RequestsNeeds,
  viewer: Viewer,
  id: string,
  query: TimelineQuery,
): Promise<TimelinePage> {
  const { request } = await seenRequest(needs.store, viewer, id);
  const asked = query();
  const total = await needs.store.requests.countEvents(request.number);
  const from = (asked.page - 1) * asked.size;
  const events = await needs.store.requests.timeline(request.number, asked.sort, from, asked.size);
  const hits = events.map((event) => ({
    ...eventJson(viewer, request, event, needs.baseUrl),
    children: [],
    children_count: 0 as const,
  }));
  const links = pageLinks(`${needs.baseUrl}${requestPath(request.id)}/timeline`, { ...asked, q: "" }, total);
  return { hits: { hits, total }, sortBy: asked.sort, links };
}

async function readComment(needs: RequestsNeeds, viewer: Viewer, id: string, comment: string): Promise<EventJson> {
  const { request } = await seenRequest(needs.store, viewer, id);
  const event = await needs.store.requests.event(comment);
  if (event === null || event.request !== request.number) throw unknownRecord();
  return eventJson(viewer, request, event, needs.baseUrl);
}

function addComment(needs: RequestsNeeds, asking: Viewer, id: string, body: Sent<FieldComment>): Promise<EventJson> {
  return changing(needs, asking, async (tx, viewer) => {
    const { request } = await heldRequest(tx, viewer, id);
    const { content, field } = body();
    if (request.events >= EVENTS_MOST) {
      throw oneError("payload", `A request has ${EVENTS_MOST} entries in its timeline at most.`);
    }
    const event = await tx.requests.addEvent({
      request: request.number,
      id: uuidOf(needs.random.bytes(16)),
      kind: "comment",
      event: "",
      content,
      field,
      account: viewer.account?.id ?? null,
      createdAt: needs.clock.now(),
    });
    return eventJson(viewer, request, event, needs.baseUrl);
  });
}

function changeComment(
  needs: RequestsNeeds,
  asking: Viewer,
  id: string,
  comment: string,
  body: Sent<FieldComment>,
  expected: readonly string[] | null,
): Promise<EventJson> {
  return changing(needs, asking, async (tx, viewer) => {
    const change = { expected, refused: REQUEST_SENTENCES.noComment };
    const { request, event } = await requireOwnComment(tx, viewer, id, comment, change);
    // What it is about stays.
    const { content } = body();
    const changed = { ...event, content, updatedAt: needs.clock.now() };
    await tx.requests.saveEvent(changed);
    return eventJson(viewer, request, { ...changed, revision: event.revision + 1 }, needs.baseUrl);
  });
}

function removeComment(
  needs: RequestsNeeds,
  asking: Viewer,
  id: string,
  comment: string,
  expected: readonly string[] | null,
): Promise<void> {
  return changing(needs, asking, async (tx, viewer) => {
    const change = { expected, refused: REQUEST_SENTENCES.noDeletion };
    const { event } = await requireOwnComment(tx, viewer, id, comment, change);
    const gone = { kind: "log", event: "comment_deleted", content: REQUEST_SENTENCES.deleted } as const;
    await tx.requests.saveEvent({ ...event, ...gone, updatedAt: needs.clock.now() });
  });
}
