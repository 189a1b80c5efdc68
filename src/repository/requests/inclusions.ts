// Communities of a record (R6a, R37): a published one is included in more of them, by a request each, and removed; one
// of them may be the default.
import { type Static, Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import { accessOn } from "../../model/access/visibility.ts";
import { permissionDenied, unknownRecord } from "../../model/input/record-refusals.ts";
import type { WithParent } from "../../model/items/item.ts";
import { mayReviewFor } from "../../model/rights/community-rights.ts";
import { may } from "../../model/rights/policy.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import {
  anyListOf,
  boolean,
  type Field,
  object,
  optional,
  type Sent,
  sequenceOf,
  trimmed,
} from "../../shared/fields.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import type { ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { isObject, memberOf } from "../../shared/objects.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import { manyOf, UuidShape } from "../../shared/shapes.ts";
import type { Community } from "../store/communities.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { requireFitting } from "./acceptance.ts";
import { OPTIONAL_COMMENT } from "./comment-body.ts";
import type { Decisions } from "./decisions.ts";
import { changing, factsWith } from "./request-facts.ts";
import { type RequestJson, RequestShape } from "./request-json.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { notIncluded, REQUEST_SENTENCES } from "./request-sentences.ts";

/** Communities of one call. */
const MOST = most("askedCommunities");
const TYPE = "community-inclusion";

const ID = { id: trimmed({ min: 1, max: 200, about: { description: "UUID or slug" } }) };

/** Several communities, each once, by UUID or slug. */
function communitiesOf<T extends { readonly id: string }>(item: Field<T>): Field<readonly T[]> {
  return {
    schema: Type.Array(item.schema, { minItems: 1, maxItems: MOST }),
    read(value, path) {
      const { length } = anyListOf(value, path);
      if (length > MOST) throw faultSentence(path, `Too many communities passed, ${MOST} max allowed.`);
      if (length === 0) throw faultSentence(path, "Shorter than minimum length 1.");
      const asked = sequenceOf(item, MOST)
        .read(value, path)
        .map((each) => ({ ...each, id: each.id.toLowerCase() }));
      const ids = asked.map(({ id }) => id);
      const twice = [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
      if (twice.length > 0) throw faultSentence(path, `Duplicated communities ${twice.join(", ")}.`);
      return asked;
    },
  };
}

const ASKED = object({ ...ID, comment: OPTIONAL_COMMENT, require_review: optional(boolean()) }, { others: "ignored" });
/** Communities a record is to be included in. */
export const INCLUSIONS = object({ communities: communitiesOf(ASKED) }, { others: "ignored", $id: "AddedCommunities" });
/** Communities a record is removed from. */
export const REMOVALS = object(
  { communities: communitiesOf(object(ID, { others: "ignored" })) },
  { others: "ignored", $id: "RemovedCommunities" },
);
/** As clients of record repositories send it: the id alone, or in an object. */
const COMMUNITY_OR_NONE: Field<string | null> = {
  schema: Type.Union([
    Type.String({ maxLength: 200, description: "UUID or slug" }),
    Type.Object({ id: Type.String() }),
    Type.Null(),
  ]),
  read(value, path) {
    const named = isObject(value) ? (memberOf(value, "id") ?? null) : value;
    const id = named === null ? "" : trimmed({ max: 200 }).read(named, path);
    return id === "" ? null : id.toLowerCase();
  },
};
export const DEFAULT_COMMUNITY = object({ default: COMMUNITY_OR_NONE }, { others: "ignored", $id: "DefaultCommunity" });

type RequestedInclusion = ReturnType<typeof ASKED.read>;
type SentInclusions = Sent<ReturnType<typeof INCLUSIONS.read>>;
type SentRemovals = Sent<ReturnType<typeof REMOVALS.read>>;
type SentDefault = Sent<ReturnType<typeof DEFAULT_COMMUNITY.read>>;

const InclusionResult = Type.Object({ community_id: UuidShape, request_id: UuidShape, request: RequestShape });
const InclusionRefusal = Type.Object({ community_id: Type.String(), message: Type.String() });
type InclusionResult = Static<typeof InclusionResult>;
type InclusionRefusal = Static<typeof InclusionRefusal>;
const RemovalRefusal = Type.Object({ community: Type.String(), message: Type.String() });
type RemovalRefusal = Static<typeof RemovalRefusal>;

/** The outcome for each community; a list without members is absent. */
export const InclusionOutcome = Type.Object(
  { processed: Type.Optional(manyOf(InclusionResult)), errors: Type.Optional(manyOf(InclusionRefusal)) },
  { $id: "InclusionOutcome" },
);
export const RemovalOutcome = Type.Object({ errors: Type.Optional(manyOf(RemovalRefusal)) }, { $id: "RemovalOutcome" });
export const ParentCommunities = Type.Object(
  { communities: Type.Object({ ids: manyOf(UuidShape), default: Type.Optional(UuidShape) }) },
  { $id: "ParentCommunities" },
);

type InclusionNeeds = RequestsNeeds & {
  readonly submit: Decisions["submit"];
  readonly read: (viewer: Viewer, id: string) => Promise<RequestJson>;
};

export interface Inclusions {
  add(
    asking: Viewer,
    item: ItemId,
    body: SentInclusions,
  ): Promise<{ processed: InclusionResult[]; errors: InclusionRefusal[] }>;
  remove(
    asking: Viewer,
    item: ItemId,
    body: SentRemovals,
  ): Promise<{ processed: { readonly community: string }[]; errors: RemovalRefusal[] }>;
  setDefault(asking: Viewer, item: ItemId, body: SentDefault): Promise<Static<typeof ParentCommunities>>;
}

export const inclusions = (
  own: RequestsNeeds,
  { submit }: Pick<Decisions, "submit">,
  read: InclusionNeeds["read"],
): Inclusions => {
  const needs: InclusionNeeds = { ...own, submit, read };
  return {
    add: (asking, item, body) => addCommunities(needs, asking, item, body),
    remove: (asking, item, body) => removeCommunities(needs, asking, item, body),
    setDefault: (asking, item, body) => setDefaultCommunity(needs, asking, item, body),
  };
};

/** The record, locked and published. @throws Refusal not_found. */
async function lockPublished(tx: RepositoryWriter, viewer: Viewer, item: ItemId): Promise<WithParent> {
  const found = await tx.items.lockItem(item);
  if (found === null) throw unknownRecord();
  if (found.item.state === "published") return found;
  const isKnown = found.item.state === "draft" && may(viewer, "item.edit", found.parent);
  throw isKnown ? new Refusal("not_found", "The persistent identifier is not registered.") : unknownRecord();
}

/** Why the community cannot include the record; null: it can. */
async function obstacle(
  needs: InclusionNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  { item, parent }: WithParent,
  community: Community | null,
): Promise<string | null> {
  if (community === null) return REQUEST_SENTENCES.noCommunity;
  if (!may(viewer, "community.submit", community)) {
    return may(viewer, "community.see", community) ? REQUEST_SENTENCES.membersOnly : REQUEST_SENTENCES.noCommunity;
  }
  if (parent.communities.includes(community.id)) return REQUEST_SENTENCES.included;
  const open = { types: [TYPE], statuses: ["submitted"], parent: parent.id, community: community.id } as const;
  if ((await tx.requests.countRequests(open)).total > 0) return REQUEST_SENTENCES.openInclusion;
  try {
    if (item.content !== null) {
      requireFitting({ access: accessOn(item.content.access, needs.items.today()) }, community);
    }
  } catch (error) {
    if (isRefusal(error, "invalid")) return error.message;
    throw error;
  }
  return null;
}

async function insertRequest(
  needs: InclusionNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  topic: WithParent,
  community: Community,
  { comment = null, require_review: requireReview = false }: RequestedInclusion,
): Promise<string | null> {
  const creator = viewer.account?.id;
  if (creator === undefined) throw permissionDenied();
  const at = needs.clock.now();
  const made = await tx.requests.insertRequest({
    id: uuidOf(needs.random.bytes(16)),
    type: TYPE,
    status: "created",
    title: "",
    community: community.id,
    item: topic.item.id,
    parent: topic.parent.id,
    creator,
    receiver: null,
    role: null,
    holder: null,
    linked: false,
    revision: 1,
    events: 0,
    createdAt: at,
    updatedAt: at,
    submittedAt: null,
  });
  if (made === null) return null;
  const facts = factsWith(made, topic.parent);
  await needs.submit(tx, viewer, { request: made, topic, facts }, { comment, requireReview });
  return made.id;
}

async function addCommunities(needs: InclusionNeeds, asking: Viewer, item: ItemId, body: SentInclusions) {
  const { made, errors } = await changing(needs, asking, async (tx, viewer) => {
    const topic = await lockPublished(tx, viewer, item);
    if (!may(viewer, "item.edit", topic.parent)) throw permissionDenied();
    const made: { readonly community: string; readonly request: string }[] = [];
    const errors: InclusionRefusal[] = [];
    for (const asked of body().communities) {
      const community = await tx.communities.community(asked.id);
      // Read again: the request before may have changed it.
      const now = (await tx.items.withParent(item)) ?? topic;
      const why = await obstacle(needs, tx, viewer, now, community);
      const id =
        why === null && community !== null ? await insertRequest(needs, tx, viewer, now, community, asked) : null;
      if (id === null || community === null) {
        errors.push({ community_id: asked.id, message: why ?? REQUEST_SENTENCES.openInclusion });
      } else made.push({ community: community.id, request: id });
    }
    return { made, errors };
  });
  const processed: InclusionResult[] = [];
  for (const { community, request: id } of made) {
    processed.push({ community_id: community, request_id: id, request: await needs.read(asking, id) });
  }
  return { processed, errors };
}

/** Removes the record from the community, and from the indexes by which it would be included again. */
async function removeFromCommunity(
  needs: InclusionNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  { parent }: WithParent,
  community: string,
): Promise<void> {
  const versions = (await tx.items.versions(parent.id)).filter(({ state }) => state === "published");
  const indexes = [...new Set(versions.flatMap(({ content }) => content?.indexes ?? []))];
  const above = indexes.length === 0 ? new Map() : await tx.items.communitiesAbove(indexes);
  const own = indexes.filter((index) => above.get(index)?.includes(community) === true);
  for (const { id, content } of versions) {
    const taken = own.filter((index) => content?.indexes.includes(index) === true);
    if (taken.length > 0) await needs.items.takeOut(tx, viewer, id, taken, { ignoresDraft: true });
    const draft = taken.length === 0 ? null : await tx.items.draft(id);
    if (draft === null) continue;
    const left = draft.content.indexes.filter((index) => !taken.includes(index));
    await tx.items.saveDraft({ ...draft, content: { ...draft.content, indexes: left } });
  }
  const now = await tx.items.parent(parent.id);
  const communities = (now ?? parent).communities.filter((each) => each !== community);
  await tx.items.setCommunities(parent.id, communities);
  if (parent.defaultCommunity === community) await tx.items.setDefaultCommunity(parent.id, null);
}

async function removeCommunities(needs: InclusionNeeds, asking: Viewer, item: ItemId, body: SentRemovals) {
  return await changing(needs, asking, async (tx, viewer) => {
    const topic = await lockPublished(tx, viewer, item);
    const manages = may(viewer, "item.edit", topic.parent);
    const processed: { readonly community: string }[] = [];
    const removed: string[] = [];
    const errors: RemovalRefusal[] = [];
    for (const { id } of body().communities) {
      const now = (await tx.items.withParent(item)) ?? topic;
      const community = (await tx.communities.community(id))?.id ?? id;
      if (!now.parent.communities.includes(community)) {
        errors.push({ community: id, message: notIncluded(item, id) });
      } else if (!manages && !mayReviewFor(viewer, community)) {
        errors.push({ community: id, message: "Permission denied." });
      } else {
        await removeFromCommunity(needs, tx, viewer, now, community);
        processed.push({ community: id });
        removed.push(community);
      }
    }
    // By their ids: a slug may be another community's later.
    const event = { action: "item.communities", subject: `item:${item}`, detail: { removed } };
    await tx.audit(viewer, needs.clock.now(), [event]);
    return { processed, errors };
  });
}

/** `{default: id}`; null or "" for none. Returns `parent.communities`. */
async function setDefaultCommunity(needs: InclusionNeeds, asking: Viewer, item: ItemId, body: SentDefault) {
  return await changing(needs, asking, async (tx, viewer) => {
    const { parent } = await lockPublished(tx, viewer, item);
    if (!may(viewer, "item.edit", parent)) throw permissionDenied();
    const { default: wanted } = body();
    const community = wanted === null ? null : ((await tx.communities.community(wanted))?.id ?? wanted);
    if (community !== null && !parent.communities.includes(community)) {
      throw new Refusal("invalid", REQUEST_SENTENCES.notDefault);
    }
    await tx.items.setDefaultCommunity(parent.id, community);
    return {
      communities: { ids: parent.communities, ...(community === null ? {} : { default: community }) },
    };
  });
}
