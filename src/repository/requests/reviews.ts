// The review of a draft by a community (specification 3, submit_to_community; R2f): which community is asked, and the
// submission. One at a time for a draft: while it waits, the draft is neither published nor given up.
import { Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import { oneError, permissionDenied, unknownRecord } from "../../model/input/record-refusals.ts";
import type { WithParent } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, object, type Sent, trimmed } from "../../shared/fields.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import type { ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import { requireFiling } from "../records/record-writing.ts";
import type { CommunityRequest } from "../store/requests.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { commentFromText, type SUBMISSION } from "./comment-body.ts";
import type { Decisions, LockedRequest } from "./decisions.ts";
import { changing, factsWith, seenRequest } from "./request-facts.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { REQUEST_SENTENCES } from "./request-sentences.ts";

export interface Reviews {
  /** The request that is the review of the draft. @throws Refusal `not_found`. */
  read(viewer: Viewer, item: ItemId): Promise<string>;
  /**
   * Asks another community, instead of the one before. Returns the request.
   *
   * @throws Refusal `invalid` for a record that cannot be reviewed
   */
  set(asking: Viewer, item: ItemId, body: Sent<ReviewInput>): Promise<string>;
  remove(asking: Viewer, item: ItemId): Promise<void>;
  /**
   * @throws Refusal `not_found` without a review, `invalid` for a draft that cannot be published, `forbidden` for
   * viewers who may not submit
   */
  submit(asking: Viewer, item: ItemId, body: Sent<ReturnType<typeof SUBMISSION.read>>): Promise<string>;
  /**
   * The draft as a page has shown it, to the communities that its form chose (R2f). `isPublished`: they took it at once.
   *
   * @throws Refusal as `submit`, `precondition` where the draft was saved since
   */
  submitSeen(
    asking: Viewer,
    item: ItemId,
    mark: string,
  ): Promise<{ readonly id: string; readonly isPublished: boolean }>;
  /** Both at once (submit_to_community): `community` by UUID or slug, `comment` as plain text or HTML, "" for none. */
  submitTo(asking: Viewer, item: ItemId, community: string, comment: string): Promise<string>;
}

const TYPE = "community-submission";

/** The specification fixes the sentence for another type. */
const REVIEW_TYPE: Field<typeof TYPE> = {
  schema: Type.Literal(TYPE),
  read(value, path) {
    if (trimmed({ max: Number.MAX_SAFE_INTEGER }).read(value, path) !== TYPE) {
      throw faultSentence(path, "Invalid review type.");
    }
    return TYPE;
  },
};
const COMMUNITY = trimmed({ min: 1, max: 200, about: { description: "UUID or slug" } });

/** Which community reviews a draft. */
export const REVIEW = object(
  { type: REVIEW_TYPE, receiver: object({ community: COMMUNITY }, { others: "ignored" }) },
  { others: "ignored", $id: "NewReview" },
);
type ReviewInput = ReturnType<typeof REVIEW.read>;

/** Asks a community to review the draft, in a transaction of somebody else's. */
type SetReview = (tx: RepositoryWriter, viewer: Viewer, topic: WithParent, community: string) => Promise<LockedRequest>;

export const reviewSetting = ({ clock, random }: Pick<RequestsNeeds, "clock" | "random">): SetReview =>
  async function setIn(tx, viewer, topic, community) {
    const { item, parent } = topic;
    if (item.content !== null) throw new Refusal("invalid", REQUEST_SENTENCES.published);
    if (item.versionIndex > 1) throw new Refusal("invalid", REQUEST_SENTENCES.newVersion);
    if ((await tx.items.draft(item.id)) === null) throw unknownRecord();
    await unlinkReview(tx, topic);
    const asked = await tx.communities.community(community.slice(0, 200).toLowerCase());
    if (asked === null) throw oneError("receiver.community", REQUEST_SENTENCES.noCommunity);
    const creator = viewer.account?.id;
    if (creator === undefined) throw permissionDenied();
    const at = clock.now();
    const request = await tx.requests.insertRequest({
      id: uuidOf(random.bytes(16)),
      type: TYPE,
      status: "created",
      title: "",
      community: asked.id,
      item: item.id,
      parent: parent.id,
      creator,
      receiver: null,
      role: null,
      holder: null,
      linked: true,
      revision: 1,
      events: 0,
      createdAt: at,
      updatedAt: at,
      submittedAt: null,
    });
    // The record is locked, and the review that was there is linked no longer.
    if (request === null) throw new RangeError(`Record ${item.id} has another review`);
    return { request, topic, facts: factsWith(request, parent) };
  };

/** The review there is, unless it is open, is none any more. */
export async function unlinkReview(tx: RepositoryWriter, { parent }: WithParent): Promise<void> {
  if (parent.review === null) return;
  const before = await tx.requests.lockRequest(parent.review.id);
  if (before === null) return;
  if (before.status === "submitted") throw new Refusal("invalid", REQUEST_SENTENCES.openReview);
  if (before.status === "created") await tx.requests.deleteRequest(before.number);
  else await tx.requests.saveRequest({ ...before, linked: false });
}

export const reviews = (needs: RequestsNeeds, { submit }: Pick<Decisions, "submit">): Reviews => {
  const setIn = reviewSetting(needs);

  /** Locked, the viewer's to submit: who only reviews it does not. @throws Refusal not_found, forbidden. */
  async function own(tx: RepositoryWriter, viewer: Viewer, item: ItemId): Promise<WithParent> {
    const found = await tx.items.lockItem(item);
    if (found === null) throw unknownRecord();
    const { parent } = found;
    if (may(viewer, "item.edit", { ...parent, review: null })) return found;
    const isKnown = found.item.state !== "draft" || may(viewer, "item.edit", parent);
    throw isKnown ? permissionDenied() : unknownRecord();
  }

  /** The review of the draft, so that it can be submitted: one that was declined or has expired is asked for again. */
  async function current(tx: RepositoryWriter, viewer: Viewer, topic: WithParent): Promise<LockedRequest> {
    const { review } = topic.parent;
    const request: CommunityRequest | null = review === null ? null : await tx.requests.lockRequest(review.id);
    if (request === null) throw noReview();
    if (request.status === "declined" || request.status === "expired") {
      return await setIn(tx, viewer, topic, request.community);
    }
    return { request, topic, facts: factsWith(request, topic.parent) };
  }

  /** The same; where it was withdrawn, the next community that was chosen reviews the draft. */
  async function planned(tx: RepositoryWriter, viewer: Viewer, topic: WithParent): Promise<LockedRequest> {
    const [next] = topic.parent.review === null ? await tx.requests.plannedInclusions(topic.parent.id) : [];
    if (next === undefined) return await current(tx, viewer, topic);
    await tx.requests.deleteRequest(next.number);
    return await setIn(tx, viewer, topic, next.community);
  }

  return {
    async read(viewer, item) {
      const found = await needs.store.items.withParent(item);
      if (found === null || !may(viewer, "item.edit", found.parent)) throw unknownRecord();
      if (found.parent.review === null || found.item.content !== null) throw noReview();
      return (await seenRequest(needs.store, viewer, found.parent.review.id)).request.id;
    },

    set: (asking, item, body) =>
      changing(needs, asking, async (tx, viewer) => {
        const topic = await own(tx, viewer, item);
        const { request } = await setIn(tx, viewer, topic, body().receiver.community);
        return request.id;
      }),

    remove: (asking, item) =>
      changing(needs, asking, async (tx, viewer) => {
        const topic = await own(tx, viewer, item);
        if (topic.parent.review === null) throw noReview();
        await unlinkReview(tx, topic);
      }),

    submit: (asking, item, body) =>
      changing(needs, asking, async (tx, viewer) => {
        const topic = await own(tx, viewer, item);
        const held = await current(tx, viewer, topic);
        await submit(tx, viewer, held, body());
        return held.request.id;
      }),

    submitSeen: (asking, item, mark) =>
      changing(needs, asking, async (tx, viewer) => {
        const topic = await own(tx, viewer, item);
        const draft = await needs.records.requireDraftSeen(tx, item, { revisions: null, mark });
        await requireFiling(tx, viewer, topic, draft);
        const held = await planned(tx, viewer, topic);
        await submit(tx, viewer, held, { comment: null });
        const now = await tx.items.outline(item);
        return { id: held.request.id, isPublished: now?.item.state === "published" };
      }),

    submitTo: (asking, item, community, comment) =>
      changing(needs, asking, async (tx, viewer) => {
        const topic = await own(tx, viewer, item);
        const held = await setIn(tx, viewer, topic, community);
        await submit(tx, viewer, held, { comment: commentFromText(comment) });
        return held.request.id;
      }),
  };
};

const noReview = (): Refusal => new Refusal("not_found", REQUEST_SENTENCES.noReview);
