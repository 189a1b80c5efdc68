// Communities with their members and their part of the index tree (R6a).

import type { MemberRole, Viewer } from "../../auth/account.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import type { AccountId, IndexId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Random } from "../../shared/time/clock.ts";
import { type Community, type CommunityReader, PLAIN_COMMUNITY } from "../store/communities.ts";
import type { RepositoryWriter } from "../store/store.ts";
import {
  type AdministrationNeeds,
  type CollectionOf,
  type CreatingOf,
  change,
  invalid,
  missing,
  type ReadRecord,
  type Removing,
  requireAccounts,
  requireIndex,
} from "./collection.ts";
import { COMMUNITY, NEW_COMMUNITY } from "./records.ts";

type Members = readonly { readonly account: AccountId; readonly role: MemberRole }[];

function shown(community: Community, members: Members) {
  const { id, slug, title, type, visibility, reviewPolicy, rootIndex, createdAt, updatedAt } = community;
  const policy = { review_policy: reviewPolicy, root_index: rootIndex };
  return { id, slug, title, type, visibility, ...policy, members, created_at: createdAt, updated_at: updatedAt };
}

async function membersOf(communities: CommunityReader, id: string): Promise<Members> {
  return (await communities.members(id)).map(({ accountId, role }) => ({ account: accountId, role }));
}

export function communityCollection(
  needs: AdministrationNeeds & { readonly random: Random },
): CollectionOf<typeof COMMUNITY> & CreatingOf<typeof COMMUNITY> & Removing {
  const { communities } = needs.store;
  const find = async (reader: CommunityReader, id: string): Promise<Community> => {
    const found = await reader.community(id);
    if (found === null) throw missing("community", id);
    return found;
  };

  async function save(
    tx: RepositoryWriter,
    community: Community,
    members: Members,
    before: Community | null,
  ): Promise<void> {
    await requireIndex(tx, community.rootIndex, "root_index", before?.rootIndex);
    await requireType(tx, community.type);
    const ids = members.map(({ account }) => account);
    await requireAccounts(tx, ids, "members");
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined) throw invalid(`members: account ${twice} is listed twice`);
    if (!(await tx.communities.saveCommunity(community))) {
      throw new Refusal("conflict", `Another community has the slug "${community.slug}" already`);
    }
    for (const { accountId } of await tx.communities.members(community.id)) {
      if (!ids.includes(accountId)) await tx.communities.setMember(community.id, accountId, null);
    }
    for (const { account, role } of members)
      await tx.communities.setMember(community.id, account, role, community.updatedAt);
  }

  /** R6a: items in and below the root index belong to the community; those below the former root index leave it. */
  async function rerootIn(tx: RepositoryWriter, { id, rootIndex }: Community, before: IndexId | null): Promise<void> {
    if (rootIndex === before) return;
    // A subtree that moves meanwhile would be missed.
    await tx.indexes.lockTree();
    if (before !== null) await tx.indexes.changeCommunities(before, { joined: [], left: [id] });
    if (rootIndex !== null) await tx.indexes.changeCommunities(rootIndex, { joined: [id], left: [] });
  }

  return {
    async list() {
      const all = await communities.communities();
      return await Promise.all(all.map(async (each) => shown(each, await membersOf(communities, each.id))));
    },
    async read(id) {
      const community = await find(communities, id);
      return shown(community, await membersOf(communities, community.id));
    },
    create: (viewer, sent) =>
      change(needs, viewer, async (tx, at, audit) => {
        const read = COMMUNITY.read(NEW_COMMUNITY, sent);
        const stamps = { createdAt: at, updatedAt: at };
        const id = uuidOf(needs.random.bytes(16));
        const community = { ...PLAIN_COMMUNITY, id, ...settingsOf(read), ...stamps };
        await save(tx, community, read.members, null);
        await rerootIn(tx, community, null);
        await audit("community-add", `community:${community.id}`, { slug: community.slug });
        return shown(community, read.members);
      }),
    update: (viewer, id, sent) =>
      change(needs, viewer, async (tx, at, audit) => {
        const before = await find(tx.communities, id);
        const {
          created_at: _created,
          updated_at: _updated,
          id: _id,
          ...parts
        } = shown(before, await membersOf(tx.communities, before.id));
        const read = COMMUNITY.read(parts, sent);
        const community: Community = { ...before, ...settingsOf(read), updatedAt: at };
        await save(tx, community, read.members, before);
        await rerootIn(tx, community, before.rootIndex);
        await audit("community-set", `community:${community.id}`, { slug: community.slug });
        return shown(community, read.members);
      }),
    remove: (viewer: Viewer, id: string) =>
      change(needs, viewer, async (tx, at, audit) => {
        const community = await find(tx.communities, id);
        await tx.communities.deleteCommunity(community.id, at);
        await audit("community-delete", `community:${community.id}`, { slug: community.slug });
      }),
  };
}

function settingsOf(read: ReadRecord<typeof COMMUNITY>) {
  const { slug, title, type, visibility } = read;
  return { slug, title, type, visibility, reviewPolicy: read.review_policy, rootIndex: read.root_index };
}

async function requireType(tx: RepositoryWriter, type: string): Promise<void> {
  if (type === "") return;
  const known = (await tx.communities.vocabulary("communitytypes")).map(({ id }) => id);
  if (!known.includes(type)) throw invalid(`type must be empty or one of ${known.join(", ")}, not "${type}"`);
}
