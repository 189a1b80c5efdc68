// The timeline of a request (R37; reference 1.2, get_request, comment_on_request): what happened and what was said, oldest first. Whoever may read the request
// says something to it, open or closed; authors change and take back what they said.
import type { Viewer } from "../../auth/account.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { uuidOf } from "../../shared/uuid.ts";
import { listAsked, pageLinks } from "../model/list-parameters.ts";
import { may } from "../model/policy.ts";
import { oneError, permissionDenied, requireRevision, unknownRecord } from "../model/record-refusals.ts";
import type { CommunityRequest, RequestEvent } from "../store/requests.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { commentIn } from "./comment-body.ts";
import { changing, heldRequest, seenRequest } from "./request-facts.ts";
import { type EventJson, eventJson, requestPath } from "./request-json.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { REQUEST_SENTENCES } from "./request-sentences.ts";

/** Entries one request may have. */
const EVENTS_MOST = most("requestEntries");
const SORTS = ["oldest", "newest"] as const;

export const timeline = (needs: RequestsNeeds) => {
  const { store, clock, random, baseUrl } = needs;

  /** A comment of the request, locked, which the viewer may change. */
  async function ownComment(
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

  return {
    /** `{hits, links}`, a page at a time. @throws Refusal not_found, invalid. */
    async timeline(viewer: Viewer, id: string, parameters: URLSearchParams) {
      const { request } = await seenRequest(store, viewer, id);
      const asked = listAsked(parameters, { sorts: SORTS, found: "oldest", all: "oldest" });
      const total = await store.requests.countEvents(request.number);
      const from = (asked.page - 1) * asked.size;
      const events = await store.requests.timeline(request.number, asked.sort, from, asked.size);
      const hits = events.map((event) => ({
        ...eventJson(viewer, request, event, baseUrl),
        children: [],
        children_count: 0,
      }));
      const links = pageLinks(`${baseUrl}${requestPath(request.id)}/timeline`, { ...asked, q: "" }, total);
      return { hits: { hits, total }, sortBy: asked.sort, links };
    },

    async comment(viewer: Viewer, id: string, comment: string): Promise<EventJson> {
      const { request } = await seenRequest(store, viewer, id);
      const event = await store.requests.event(comment);
      if (event === null || event.request !== request.number) throw unknownRecord();
      return eventJson(viewer, request, event, baseUrl);
    },

    addComment: (asking: Viewer, id: string, body: unknown): Promise<EventJson> =>
      changing(needs, asking, async (tx, viewer) => {
        const { request } = await heldRequest(tx, viewer, id);
        const content = commentIn(body);
        if (request.events >= EVENTS_MOST) {
          throw oneError("payload", `A request has ${EVENTS_MOST} entries in its timeline at most.`);
        }
        const event = await tx.requests.addEvent({
          ...{ request: request.number, id: uuidOf(random.bytes(16)), kind: "comment", event: "", content },
          ...{ account: viewer.account?.id ?? null, createdAt: clock.now() },
        });
        return eventJson(viewer, request, event, baseUrl);
      }),

    changeComment: (
      asking: Viewer,
      id: string,
      comment: string,
      body: unknown,
      expected: readonly string[] | null,
    ): Promise<EventJson> =>
      changing(needs, asking, async (tx, viewer) => {
        const change = { expected, refused: REQUEST_SENTENCES.noComment };
        const { request, event } = await ownComment(tx, viewer, id, comment, change);
        const content = commentIn(body);
        const changed = { ...event, content, updatedAt: clock.now() };
        await tx.requests.saveEvent(changed);
        return eventJson(viewer, request, { ...changed, revision: event.revision + 1 }, baseUrl);
      }),

    /** What was said is gone; that something was said stays. */
    removeComment: (asking: Viewer, id: string, comment: string, expected: readonly string[] | null): Promise<void> =>
      changing(needs, asking, async (tx, viewer) => {
        const change = { expected, refused: REQUEST_SENTENCES.noDeletion };
        const { event } = await ownComment(tx, viewer, id, comment, change);
        const gone = { kind: "log", event: "comment_deleted", content: REQUEST_SENTENCES.deleted } as const;
        await tx.requests.saveEvent({ ...event, ...gone, updatedAt: clock.now() });
      }),
  };
};
