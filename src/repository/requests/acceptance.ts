// What happens to a record when its request is accepted (specification 3, "States and transitions"; R5, R6a): it is in
// the community and, where that has an index, in the index; a draft is published with its ARK. All of it in the
// transaction that accepts.
import type { Viewer } from "../../auth/account.ts";
import { invalidRecord, recordBusy } from "../../model/input/record-refusals.ts";
import type { ItemContent, ItemParent, WithParent } from "../../model/items/item.ts";
import { Refusal } from "../../shared/refusal.ts";
import { accessWhenFiled } from "../items/index-membership.ts";
import { publishFaults } from "../records/record-writing.ts";
import type { Community } from "../store/communities.ts";
import type { CommunityRequest } from "../store/requests.ts";
import type { RepositoryWriter } from "../store/store.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { cannotDo, REQUEST_SENTENCES } from "./request-sentences.ts";

type Topic = WithParent;

export interface Acceptance {
  /**
   * Publishes the draft and puts it into the community. @throws Refusal `invalid` for a draft that cannot be published.
   */
  publish(
    tx: RepositoryWriter,
    viewer: Viewer,
    topic: Topic,
    community: Community,
    request: CommunityRequest,
  ): Promise<void>;
  /** Puts a published record into the community. */
  include(tx: RepositoryWriter, viewer: Viewer, topic: Topic, community: Community): Promise<void>;
}

/** @throws Refusal `invalid` where a record that everybody sees would be in a community that few see. */
export function requireFitting({ access }: Pick<ItemContent, "access">, { visibility }: Community): void {
  if (visibility === "restricted" && access.record === "public")
    throw new Refusal("invalid", REQUEST_SENTENCES.restricted);
}

/** @throws Refusal `invalid` naming the fields of the draft that prevent its publication */
export async function requirePublishable(tx: RepositoryWriter, topic: Topic, content: ItemContent): Promise<void> {
  const errors = await publishFaults(tx, topic, content);
  if (errors.length > 0) throw invalidRecord(errors);
}

/** Adds a community; the first of a record, or one it was submitted to, comes before the others. */
async function joinIn(tx: RepositoryWriter, parent: ItemParent, community: string, asDefault: boolean): Promise<void> {
  if (!parent.communities.includes(community)) {
    await tx.items.setCommunities(parent.id, [...parent.communities, community].sort());
  }
  if (asDefault) await tx.items.setDefaultCommunity(parent.id, community);
}

export const acceptance = ({ items, records }: Pick<RequestsNeeds, "items" | "records">): Acceptance => {
  /** The index of the community, held so that it does not go meanwhile; null where it has none that is there. */
  async function rootOf(tx: RepositoryWriter, { rootIndex }: Community): Promise<number | null> {
    if (rootIndex === null) return null;
    await tx.indexes.holdTree();
    return (await tx.indexes.lineage(rootIndex)).length > 0 ? rootIndex : null;
  }

  return {
    async publish(tx, viewer, topic, community, request) {
      const { item, parent } = topic;
      const draft = await tx.items.draft(item.id);
      if (draft === null || item.state !== "draft") throw cannotDo("accept");
      requireFitting(draft.content, community);
      const own = { reviewId: request.id };
      const root = await rootOf(tx, community);
      if (root !== null && !draft.content.indexes.includes(root)) {
        // Still its editor's: the accepting account has not edited it.
        const content = { ...draft.content, indexes: [...draft.content.indexes, root] };
        await tx.items.saveDraft({ ...draft, content });
      }
      await joinIn(tx, parent, community.id, true);
      const [now, ready] = [await tx.items.withParent(item.id), await tx.items.draft(item.id)];
      if (now === null || ready === null) throw cannotDo("accept");
      await records.publishIn(tx, viewer, { ...now, draft: ready }, own);
    },

    async include(tx, viewer, { item, parent }, community) {
      const { content } = item;
      if (content === null || item.state !== "published") throw cannotDo("accept");
      requireFitting(content, community);
      await joinIn(tx, parent, community.id, parent.communities.length === 0);
      const root = await rootOf(tx, community);
      if (root === null || content.indexes.includes(root)) return;
      const draft = await tx.items.draft(item.id);
      if (draft?.activityId !== null && draft !== null) throw recordBusy();
      await items.patch(tx, viewer, item.id, { action: "file", ignoresDraft: true }, async (before) => ({
        ...before,
        access: await accessWhenFiled(tx, item, before),
        indexes: [...before.indexes, root],
      }));
      // Another account's edit continues: published later, the item is in the index too. Its counter stays, for the
      // edit was not changed.
      if (draft === null || draft.content.indexes.includes(root)) return;
      const indexes = [...draft.content.indexes, root];
      await tx.items.saveDraft({ ...draft, content: { ...draft.content, indexes } });
    },
  };
};
