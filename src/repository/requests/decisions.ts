// What is done with requests (specification 3, "States and transitions"; reference 1.2, request_action): submitted, accepted, declined, cancelled,
// expired. The record, the request, what is said about it and the log are one commit; of many who decide at once one does.
import { REPOSITORY_OPERATOR, type Viewer } from "../../auth/account.ts";
import type { Instant } from "../../shared/instant.ts";
import { Refusal } from "../../shared/refusal.ts";
import { uuidOf } from "../../shared/uuid.ts";
import { requireRoom } from "../communities/members.ts";
import { accessOn } from "../model/visibility.ts";
import type { WithParent } from "../model/item.ts";
import { mainTitle } from "../model/metadata.ts";
import { may } from "../model/policy.ts";
import { permissionDenied, unknownRecord } from "../model/record-refusals.ts";
import { REQUEST_ACTIONS, type RequestAction, type RequestFacts, TRANSITIONS } from "../model/request-rules.ts";
import { cut } from "../model/summary.ts";
import type { Community } from "../store/communities.ts";
import type { CommunityRequest } from "../store/requests.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { acceptance, requireFitting, requirePublishable } from "./acceptance.ts";
import { optionalCommentIn } from "./comment-body.ts";
import { changing, heldRequest } from "./request-facts.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { cannotDo, noSuchAction, REQUEST_SENTENCES } from "./request-sentences.ts";

/** What is said along. */
type Said = {
  /** Cleaned HTML; null: nothing. */
  readonly comment: string | null;
  /** Also where the community would take it at once. */
  readonly requireReview?: boolean;
};

/** A request in the transaction at hand, with the record it is about, both locked. */
export type Held = {
  readonly request: CommunityRequest;
  readonly facts: RequestFacts;
  readonly topic: WithParent | null;
};

/** Characters of a title that a request is listed under. */
const TITLE_MAX = 1_000;

export const decisions = (needs: RequestsNeeds) => {
  const { clock, random, items } = needs;
  const accepting = acceptance(needs);

  async function log(
    tx: RepositoryWriter,
    viewer: Viewer | null,
    request: CommunityRequest,
    entry: { readonly kind: "comment" | "log"; readonly event?: string; readonly content?: string },
  ): Promise<void> {
    await tx.requests.addEvent({
      request: request.number,
      id: uuidOf(random.bytes(16)),
      kind: entry.kind,
      account: viewer?.account?.id ?? null,
      event: entry.event ?? "",
      content: entry.content ?? "",
      createdAt: clock.now(),
    });
  }

  async function say(tx: RepositoryWriter, viewer: Viewer | null, request: CommunityRequest, content: string | null) {
    if (content !== null) await log(tx, viewer, request, { kind: "comment", content });
  }

  async function audit(
    tx: RepositoryWriter,
    viewer: Viewer,
    action: string,
    { id, item, community }: CommunityRequest,
  ) {
    const detail = { community, ...(item === null ? {} : { item }) };
    await tx.audit(viewer, clock.now(), [{ action: `request-${action}`, subject: `request:${id}`, detail }]);
  }

  async function communityOf(tx: RepositoryWriter, { community }: CommunityRequest): Promise<Community> {
    const found = await tx.communities.community(community);
    if (found === null) throw unknownRecord();
    return found;
  }

  const topicOf = ({ topic }: Held, action: string): WithParent => {
    if (topic === null) throw cannotDo(action);
    return topic;
  };

  /** From its state to the one the action leads to. `linked`: it stays the review of its draft. */
  async function move(
    tx: RepositoryWriter,
    request: CommunityRequest,
    action: RequestAction,
    more: Partial<Pick<CommunityRequest, "title" | "linked" | "submittedAt">> = {},
  ): Promise<CommunityRequest> {
    const { from, to } = TRANSITIONS[action];
    if (request.status !== from) throw cannotDo(action);
    const moved: CommunityRequest = { ...request, ...more, status: to, updatedAt: clock.now() };
    await tx.requests.saveRequest(moved);
    return moved;
  }

  /** Ends it: the log says how, behind it what was said. */
  async function end(
    tx: RepositoryWriter,
    viewer: Viewer,
    request: CommunityRequest,
    action: Exclude<RequestAction, "submit">,
    said: Said,
    by: Viewer | null = viewer,
  ): Promise<void> {
    // Declined and expired ones stay with the draft, so that its owner sees what became of it.
    const linked = request.linked && (action === "decline" || action === "expire");
    const { status } = await move(tx, request, action, { linked });
    await log(tx, by, request, { kind: "log", event: status });
    await say(tx, viewer, request, said.comment);
    await audit(tx, viewer, action, request);
  }

  async function accept(tx: RepositoryWriter, viewer: Viewer, held: Held, said: Said, by: Viewer | null = viewer) {
    const { request } = held;
    if (request.status !== "submitted") throw cannotDo("accept");
    const { community, receiver, role } = request;
    if (request.type === "community-invitation") {
      if (receiver === null || role === null) throw cannotDo("accept");
      await communityOf(tx, request);
      const members = await tx.communities.members(community);
      if (members.some(({ accountId }) => accountId === receiver)) throw cannotDo("accept");
      requireRoom(members.length + 1);
      await tx.communities.setMember(community, receiver, role, clock.now());
    } else {
      const into = await communityOf(tx, request);
      const topic = topicOf(held, "accept");
      if (request.type === "community-submission") await accepting.publish(tx, viewer, topic, into, request);
      else await accepting.include(tx, viewer, topic, into);
    }
    await end(tx, viewer, request, "accept", said, by);
  }

  async function submit(tx: RepositoryWriter, viewer: Viewer, held: Held, said: Said): Promise<void> {
    const { request } = held;
    if (request.status !== "created") throw cannotDo("submit");
    const community = await communityOf(tx, request);
    if (!may(viewer, "community.submit", community)) throw new Refusal("forbidden", REQUEST_SENTENCES.membersOnly);
    const topic = topicOf(held, "submit");
    const isDraft = request.type === "community-submission";
    const content = isDraft ? (await tx.items.draft(topic.item.id))?.content : topic.item.content;
    if (content === undefined || content === null) throw cannotDo("submit");
    if (isDraft) await requirePublishable(tx, topic, content);
    requireFitting({ access: accessOn(content.access, items.today()) }, community);
    const at = clock.now();
    const title = cut(mainTitle(content.metadata), TITLE_MAX);
    const submitted = await move(tx, request, "submit", { title, submittedAt: at });
    await say(tx, viewer, submitted, said.comment);
    await audit(tx, viewer, "submit", submitted);
    if (said.requireReview === true || !may(viewer, "community.include", community)) return;
    await accept(tx, viewer, { ...held, request: submitted }, { comment: null }, null);
    await say(tx, null, submitted, REQUEST_SENTENCES.atOnce);
  }

  async function act(tx: RepositoryWriter, viewer: Viewer, held: Held, action: RequestAction, said: Said) {
    if (action === "submit") return await submit(tx, viewer, held, said);
    if (action === "accept") return await accept(tx, viewer, held, said);
    return await end(tx, viewer, held.request, action, said);
  }

  return {
    submit,
    accept,

    /** @throws Refusal not_found, `invalid` for an action there is none of or a state it is not done in, forbidden, and what the record refuses. */
    decide: (asking: Viewer, id: string, named: string, body: unknown): Promise<void> =>
      changing(needs, asking, async (tx, viewer) => {
        const held = await heldRequest(tx, viewer, id);
        const action = REQUEST_ACTIONS.find((each) => each === named);
        if (action === undefined) throw noSuchAction(named);
        if (!may(viewer, "request.act", { ...held.facts, action })) throw permissionDenied();
        const comment = optionalCommentIn(body);
        await act(tx, viewer, held, action, { comment });
      }),

    /** Those that were submitted before a moment and nobody decided about, at most so many: by the repository itself. */
    expireBefore: async (before: Instant, limit: number): Promise<number> => {
      const waiting = await needs.store.requests.findRequests(
        { statuses: ["submitted"], submittedBefore: before },
        "oldest",
        0,
        limit,
      );
      let expired = 0;
      for (const { id } of waiting) {
        expired += await changing(needs, REPOSITORY_OPERATOR, async (tx, viewer) => {
          const held = await heldRequest(tx, viewer, id);
          // Decided meanwhile.
          if (held.request.status !== "submitted") return 0;
          await end(tx, viewer, held.request, "expire", { comment: null }, null);
          return 1;
        });
      }
      return expired;
    },
  };
};

export type Decisions = ReturnType<typeof decisions>;
