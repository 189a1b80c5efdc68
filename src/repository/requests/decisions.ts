// Decisions about requests (specification 3, "States and transitions"; reference 1.2, request_action): submitted,
// accepted, declined, cancelled, expired. The record, the request, its comment and the log are one commit; of
// concurrent decisions one is made.
import { GUEST, REPOSITORY_OPERATOR, type Viewer } from "../../auth/account.ts";
import { accessOn } from "../../model/access/visibility.ts";
import { permissionDenied, unknownRecord } from "../../model/input/record-refusals.ts";
import type { WithParent } from "../../model/items/item.ts";
import { cut } from "../../model/items/summary.ts";
import type { FieldComment } from "../../model/metadata/commented-field.ts";
import { mainTitle } from "../../model/metadata/metadata.ts";
import { may } from "../../model/rights/policy.ts";
import {
  isAboutMembers,
  REQUEST_ACTIONS,
  type RequestAction,
  type RequestFacts,
  TRANSITIONS,
} from "../../model/rights/request-rules.ts";
import { heldByAnother } from "../../model/rights/task-rules.ts";
import type { Sent } from "../../shared/fields.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { requireRoom } from "../communities/members.ts";
import { identityRights } from "../people/current-viewer.ts";
import type { Community } from "../store/communities.ts";
import type { CommunityRequest, RequestEvent } from "../store/requests.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { type Acceptance, acceptance, requireFitting, requirePublishable } from "./acceptance.ts";
import { changing, factsWith, heldRequest } from "./request-facts.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { cannotDo, noSuchAction, REQUEST_SENTENCES } from "./request-sentences.ts";

/** What accompanies a decision. */
type DecisionNotes = {
  /** Sanitised HTML; null: none. */
  readonly comment: string | null;
  readonly fields?: readonly FieldComment[];
  /** Also where the community would take it at once. */
  readonly requireReview?: boolean;
};

/** A request in the current transaction, with the record it is about, both locked. */
export type LockedRequest = {
  readonly request: CommunityRequest;
  readonly facts: RequestFacts;
  readonly topic: WithParent | null;
};

/** Characters of a title in the list of requests. */
const TITLE_CHARACTERS = 1_000;

type DecisionNeeds = RequestsNeeds & { readonly accepting: Acceptance };

export interface Decisions {
  submit(tx: RepositoryWriter, viewer: Viewer, held: LockedRequest, notes: DecisionNotes): Promise<void>;
  accept(
    tx: RepositoryWriter,
    viewer: Viewer,
    held: LockedRequest,
    notes: DecisionNotes,
    by?: Viewer | null,
  ): Promise<void>;
  /**
   * @throws Refusal not_found, `invalid` for an unknown action or one that its state does not allow, forbidden, and
   * what the record refuses.
   */
  decide(
    asking: Viewer,
    id: string,
    named: string,
    body: Sent<string | null>,
    fields?: Sent<readonly FieldComment[]>,
  ): Promise<void>;
  /**
   * Expires at most `limit` requests that were submitted before a moment and are undecided; the repository itself does
   * it.
   */
  expireBefore(before: Instant, limit: number): Promise<number>;
}

export const decisions = (own: RequestsNeeds): Decisions => {
  const needs: DecisionNeeds = { ...own, accepting: acceptance(own) };
  return {
    submit: (tx, viewer, held, notes) => submitRequest(needs, tx, viewer, held, notes),
    accept: (tx, viewer, held, notes, by) => acceptRequest(needs, tx, viewer, held, notes, by),
    decide: (asking, id, named, body, fields) => decideRequest(needs, asking, id, named, body, fields),
    expireBefore: (before, limit) => expireRequests(needs, before, limit),
  };
};

async function addEvent(
  needs: DecisionNeeds,
  tx: RepositoryWriter,
  viewer: Viewer | null,
  request: CommunityRequest,
  entry: Pick<RequestEvent, "kind"> & Partial<Pick<RequestEvent, "event" | "content" | "field">>,
): Promise<void> {
  await tx.requests.addEvent({
    request: request.number,
    id: uuidOf(needs.random.bytes(16)),
    kind: entry.kind,
    account: viewer?.account?.id ?? null,
    event: entry.event ?? "",
    content: entry.content ?? "",
    field: entry.field ?? "",
    createdAt: needs.clock.now(),
  });
}

async function addComment(
  needs: DecisionNeeds,
  tx: RepositoryWriter,
  viewer: Viewer | null,
  request: CommunityRequest,
  content: string | null,
) {
  if (content !== null) await addEvent(needs, tx, viewer, request, { kind: "comment", content });
}

async function auditRequest(
  needs: DecisionNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  action: string,
  { id, item, community }: CommunityRequest,
) {
  const detail = { community, ...(item === null ? {} : { item }) };
  await tx.audit(viewer, needs.clock.now(), [{ action: `request-${action}`, subject: `request:${id}`, detail }]);
}

async function requireCommunity(tx: RepositoryWriter, { community }: CommunityRequest): Promise<Community> {
  const found = await tx.communities.community(community);
  if (found === null) throw unknownRecord();
  return found;
}

const requireTopic = ({ topic }: LockedRequest, action: string): WithParent => {
  if (topic === null) throw cannotDo(action);
  return topic;
};

/** From its state to the one the action leads to. `linked`: it stays the review of its draft. */
async function transition(
  needs: DecisionNeeds,
  tx: RepositoryWriter,
  request: CommunityRequest,
  action: RequestAction,
  more: Partial<Pick<CommunityRequest, "title" | "linked" | "submittedAt">> = {},
): Promise<CommunityRequest> {
  const { from, to } = TRANSITIONS[action];
  if (request.status !== from) throw cannotDo(action);
  const moved: CommunityRequest = { ...request, ...more, status: to, updatedAt: needs.clock.now() };
  await tx.requests.saveRequest(moved);
  return moved;
}

/** Ends it: a log entry states how, the comment follows. */
async function endRequest(
  needs: DecisionNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  request: CommunityRequest,
  action: Exclude<RequestAction, "submit">,
  notes: DecisionNotes,
  by: Viewer | null = viewer,
): Promise<void> {
  // Declined and expired ones stay with the draft, so that its owner sees what became of it.
  const linked = request.linked && (action === "decline" || action === "expire");
  const { status } = await transition(needs, tx, request, action, { linked });
  await addEvent(needs, tx, by, request, { kind: "log", event: status });
  for (const each of notes.fields ?? []) await addEvent(needs, tx, viewer, request, { kind: "comment", ...each });
  await addComment(needs, tx, viewer, request, notes.comment);
  await auditRequest(needs, tx, viewer, action, request);
}

async function acceptRequest(
  needs: DecisionNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  held: LockedRequest,
  notes: DecisionNotes,
  by: Viewer | null = viewer,
) {
  const { request } = held;
  if (request.status !== "submitted") throw cannotDo("accept");
  const { community, receiver, role } = request;
  if (isAboutMembers(request.type)) {
    const member = request.type === "community-invitation" ? receiver : request.creator;
    if (member === null || role === null) throw cannotDo("accept");
    await tx.communities.lockCommunity((await requireCommunity(tx, request)).id);
    const members = await tx.communities.members(community);
    if (members.some(({ accountId }) => accountId === member)) throw cannotDo("accept");
    requireRoom(members.length + 1);
    await tx.communities.setMember(community, member, role, needs.clock.now());
  } else {
    const into = await requireCommunity(tx, request);
    const topic = requireTopic(held, "accept");
    if (request.type === "community-submission") await needs.accepting.publish(tx, viewer, topic, into, request);
    else await needs.accepting.include(tx, viewer, topic, into);
  }
  await endRequest(needs, tx, viewer, request, "accept", notes, by);
  // The review is over: now the record can be changed by others.
  if (request.type === "community-submission") await submitPlanned(needs, tx, viewer, requireTopic(held, "accept"));
}

/** The record is published: the other communities that its depositor chose are asked, with the depositor's rights. */
async function submitPlanned(needs: DecisionNeeds, tx: RepositoryWriter, viewer: Viewer, { item, parent }: WithParent) {
  for (const request of await tx.requests.plannedInclusions(parent.id)) {
    const isOwn = request.creator === viewer.account?.id;
    const creator = isOwn ? null : await tx.accounts.identity(request.creator);
    const asking = creator === null ? viewer : { ...GUEST, ...identityRights(creator), scopes: null };
    const topic = await tx.items.withParent(item.id);
    const community = await tx.communities.community(request.community);
    const access = topic?.item.content?.access;
    const isRefused =
      (creator === null && !isOwn) ||
      community === null ||
      access === undefined ||
      !may(asking, "community.submit", community) ||
      (community.visibility === "restricted" && accessOn(access, needs.items.today()).record === "public");
    // Rights and rules changed since it was chosen: nobody is asked.
    if (isRefused || topic?.parent.communities.includes(request.community) === true) {
      await tx.requests.deleteRequest(request.number);
    } else if (topic !== null) {
      await submitRequest(
        needs,
        tx,
        asking,
        { request, topic, facts: factsWith(request, topic.parent) },
        { comment: null },
      );
    }
  }
}

async function submitRequest(
  needs: DecisionNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  held: LockedRequest,
  notes: DecisionNotes,
): Promise<void> {
  const { request } = held;
  if (request.status !== "created") throw cannotDo("submit");
  const community = await requireCommunity(tx, request);
  if (!may(viewer, "community.submit", community)) throw new Refusal("forbidden", REQUEST_SENTENCES.membersOnly);
  const topic = requireTopic(held, "submit");
  const isDraft = request.type === "community-submission";
  const content = isDraft ? (await tx.items.draft(topic.item.id))?.content : topic.item.content;
  if (content === undefined || content === null) throw cannotDo("submit");
  if (isDraft) await requirePublishable(tx, topic, content);
  requireFitting({ access: accessOn(content.access, needs.items.today()) }, community);
  const at = needs.clock.now();
  const title = cut(mainTitle(content.metadata), TITLE_CHARACTERS);
  const submitted = await transition(needs, tx, request, "submit", { title, submittedAt: at });
  await addComment(needs, tx, viewer, submitted, notes.comment);
  await auditRequest(needs, tx, viewer, "submit", submitted);
  if (notes.requireReview === true || !may(viewer, "community.include", community)) return;
  await acceptRequest(needs, tx, viewer, { ...held, request: submitted }, { comment: null }, null);
  await addComment(needs, tx, null, submitted, REQUEST_SENTENCES.atOnce);
}

async function perform(
  needs: DecisionNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  held: LockedRequest,
  action: RequestAction,
  notes: DecisionNotes,
) {
  if (action === "submit") return await submitRequest(needs, tx, viewer, held, notes);
  if (action === "accept") return await acceptRequest(needs, tx, viewer, held, notes);
  return await endRequest(needs, tx, viewer, held.request, action, notes);
}

function decideRequest(
  needs: DecisionNeeds,
  asking: Viewer,
  id: string,
  named: string,
  body: Sent<string | null>,
  fields: Sent<readonly FieldComment[]> = () => [],
): Promise<void> {
  return changing(needs, asking, async (tx, viewer) => {
    const held = await heldRequest(tx, viewer, id);
    const action = REQUEST_ACTIONS.find((each) => each === named);
    if (action === undefined) throw noSuchAction(named);
    if (!may(viewer, "request.act", { ...held.facts, action })) {
      const { holder } = held.request;
      const isFree = holder === null || !may(viewer, "request.act", { ...held.facts, holder: null, action });
      throw isFree ? permissionDenied() : heldByAnother(holder);
    }
    await perform(needs, tx, viewer, held, action, { comment: body(), fields: fields() });
  });
}

async function expireRequests(needs: DecisionNeeds, before: Instant, limit: number): Promise<number> {
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
      // It was decided meanwhile.
      if (held.request.status !== "submitted") return 0;
      await endRequest(needs, tx, viewer, held.request, "expire", { comment: null }, null);
      return 1;
    });
  }
  return expired;
}
