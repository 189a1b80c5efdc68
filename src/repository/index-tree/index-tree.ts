// The index tree (specification 2, "Index tree endpoints" and "Legacy index creation"; R16a, R24 to R26): every step of
// reading it, and every change of it as one transaction behind one lock, so that two changes never cross.

import { REPOSITORY_OPERATOR, type Viewer } from "../../auth/account.ts";
import { mayBrowse } from "../../model/access/visibility.ts";
import { type IndexNode, ROOT_INDEX } from "../../model/indexes/index-node.ts";
import { deniedIndex, requireParent, requireTreeRole, requireWrite } from "../../model/rights/index-rights.ts";
import { may } from "../../model/rights/policy.ts";
import type { IndexId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { RepositoryStore, RepositoryWriter, SetupStep } from "../store/store.ts";
import { type IndexChange, type NewIndex, TREE_DEPTH_MAX } from "./index-input.ts";
import { namedBy } from "./index-mentions.ts";
import type { TreeItems } from "./items-of-deleted-indexes.ts";
import { firstIndex, makeIndex } from "./new-index.ts";
import { enqueueDescriptions, enqueueDescriptionsAfterDeletion } from "./tree-jobs.ts";
import { openTree, type TreeReading } from "./visible-tree.ts";

type IndexTreeNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  /** The day it is in the repository's time zone. */
  readonly today: () => Day;
  /** What happens to items whose indexes are deleted. */
  readonly items: TreeItems;
  /** SVC_DEFAULT_INDEX; the answer to the deletion of that index states that the setting names it. */
  readonly defaultIndex: IndexId | null;
  /** As `openTree` takes it. */
  readonly collect?: () => void;
};

/** What becomes of items that would be in no index any more (R25). */
export type LeftItems = "keep" | "delete";

export interface IndexTree {
  /** Groups that an index may name. */
  groups(): Promise<ReadonlySet<number>>;
  /**
   * The tree below an index, 0 for all of it, as the viewer may see it (R2e): an ETag, and the text of the answer, made
   * as it is read.
   *
   * @throws Refusal `not_found` for an index that is unknown or deleted, `forbidden` for one the viewer may not browse
   */
  open(viewer: Viewer, id: IndexId): Promise<TreeReading>;
  /** The index itself, as GET shows it. @throws Refusal as `open` does */
  index(viewer: Viewer, id: IndexId): Promise<IndexNode>;
  /** Called before the request is read (R13b). @throws Refusal `forbidden` for a role that may not change indexes */
  admit(viewer: Viewer): void;
  /**
   * A new index behind its siblings (R24, R26).
   *
   * @throws Refusal `forbidden`, `not_found` for a parent that is not there
   */
  create(viewer: Viewer, sent: NewIndex): Promise<IndexNode>;
  /**
   * Changes what is sent; `parent` and `position` move it (R25).
   *
   * @throws Refusal `invalid`, `forbidden`, `not_found`
   */
  update(viewer: Viewer, id: IndexId, sent: IndexChange): Promise<IndexNode>;
  /**
   * Deletes the index and all below it; items leave them, those then in none become private, or are deleted too (R25).
   * Returns the numbers of indexes and items, and the settings that still name one of them.
   *
   * @throws Refusal `invalid` (the root; an item being edited), `forbidden`, `not_found`
   */
  remove(
    viewer: Viewer,
    id: IndexId,
    left?: LeftItems,
  ): Promise<{ indexes: IndexId; unfiled: number; deleted: number; named: readonly string[] }>;
}

type Tx = RepositoryWriter;

export const indexTree = (needs: IndexTreeNeeds): IndexTree => {
  const { store, clock } = needs;
  const change = <T>(viewer: Viewer, work: (tx: Tx, viewer: Viewer) => Promise<T>): Promise<T> =>
    writeAs(needs, viewer, async (tx, now) => {
      requireTreeRole(now);
      await tx.indexes.lockTree();
      const result = await work(tx, now);
      await tx.indexes.raiseTreeRevision();
      return result;
    });

  return {
    async groups() {
      return new Set((await store.accounts.groups()).map(({ id }) => id));
    },

    open: (viewer, id) => openTree(needs, viewer, id),

    async index(viewer, id) {
      const lineage = await store.indexes.lineage(id);
      const [node] = lineage;
      if (node === undefined) throw unknownIndex(id);
      if (!mayBrowse(lineage, viewer, needs.today())) throw deniedIndex(id);
      return node;
    },

    admit: requireTreeRole,

    async create(viewer, sent) {
      requireTreeRole(viewer);
      return await change(viewer, (tx, now) => createIn(tx, now, sent, clock.now()));
    },

    async update(viewer, id, sent) {
      requireTreeRole(viewer);
      refuseRoot(id);
      return await change(viewer, (tx, now) => updateIn(tx, now, id, sent, clock.now()));
    },

    async remove(viewer, id, left = "keep") {
      requireTreeRole(viewer);
      refuseRoot(id);
      requireLeft(viewer, left);
      return await change(viewer, (tx, now) => {
        requireLeft(now, left);
        return removeIn(needs, tx, now, id, left, clock.now());
      });
    },
  };
};

function requireLeft(viewer: Viewer, left: LeftItems): void {
  if (left === "keep" || may(viewer, "index.delete-items", null)) return;
  const text = "Permission denied: only administrators delete items together with an index";
  throw new Refusal("forbidden", text);
}

async function createIn(tx: Tx, viewer: Viewer, sent: NewIndex, at: Instant): Promise<IndexNode> {
  const lineage = await parentLineage(tx, sent.parent, viewer);
  if (lineage.length >= TREE_DEPTH_MAX) throw tooDeep();
  const made = { position: await tx.indexes.nextPosition(sent.parent), owner: viewer.account?.id ?? null, at };
  // R24: the time in milliseconds, plus one until it is free. The lock on the tree keeps it ours.
  const node = makeIndex(sent, lineage[0] ?? null, { ...made, id: await tx.indexes.freeIndexId(Date.parse(at)) });
  if (!(await tx.indexes.insertIndex(node))) throw new RangeError(`Index id ${node.id} was free and is taken`);
  await tx.audit(viewer, at, [event("index.create", node.id, { parent: node.parent })]);
  return node;
}

async function updateIn(tx: Tx, viewer: Viewer, id: IndexId, sent: IndexChange, at: Instant): Promise<IndexNode> {
  const before = await writable(tx, viewer, id);
  const isMoved = sent.parent !== undefined && sent.parent !== before.parent;
  const held = isMoved ? await communitiesOf(tx, id) : [];
  const moved = await move(tx, viewer, before, sent);
  const node: IndexNode = { ...before, ...sent, ...moved, updatedAt: at };
  await tx.indexes.updateIndex(node);
  if (isMoved) await moveThings(tx, id, held);
  if (changesReaders(before, node)) await enqueueDescriptions(tx, node.id, at);
  const fields = Object.keys(sent);
  await tx.audit(viewer, at, [event("index.update", id, { fields, parent: node.parent })]);
  return node;
}

async function removeIn(
  { items, defaultIndex }: IndexTreeNeeds,
  tx: Tx,
  viewer: Viewer,
  id: IndexId,
  left: LeftItems,
  at: Instant,
) {
  const { parent } = await writable(tx, viewer, id);
  const ids = await tx.indexes.subtree(id);
  await requireDelete(tx, viewer, await tx.indexes.lineage(id), ids);
  // First: another session files an item here before this deletion, or finds the index deleted.
  await tx.indexes.deleteIndexes(ids, at);
  const deleted = left === "delete" ? await items.deleteIn(tx, { viewer, at }, ids) : 0;
  const unfiled = await items.unfile(tx, { viewer, at }, ids);
  if (unfiled > 0) await enqueueDescriptionsAfterDeletion(tx, id, at);
  await tx.indexes.arrange(parent, id, null);
  const counts = { indexes: ids.length, unfiled, deleted, named: await namedBy(tx, ids, defaultIndex) };
  await tx.audit(viewer, at, [event("index.delete", id, counts)]);
  return counts;
}

/** @throws Refusal `forbidden` where a root of a community would go that the viewer may not delete (R2e) */
async function requireDelete(
  tx: Tx,
  viewer: Viewer,
  lineage: readonly IndexNode[],
  ids: readonly IndexId[],
): Promise<void> {
  const [id] = ids;
  const going = new Set(ids);
  const roots = (await tx.communities.communities()).flatMap(({ rootIndex }) =>
    rootIndex !== null && going.has(rootIndex) ? [rootIndex] : [],
  );
  if (may(viewer, "index.delete", { lineage, roots })) return;
  const text = `Permission denied: index ${roots[0] ?? id} is the root of a community; administrators of the repository delete it.`;
  throw new Refusal("forbidden", text);
}

/** A repository that never had an index gets its first one (R24); nothing happens when it is called again. */
export const seedTree: SetupStep = async (tx, at) => {
  const node = firstIndex(at);
  await tx.indexes.lockTree();
  if (!(await tx.indexes.insertIndex(node))) return;
  await tx.indexes.raiseTreeRevision();
  await tx.audit(REPOSITORY_OPERATOR, at, [event("index.create", node.id, { parent: node.parent })]);
};

const event = (action: string, id: IndexId, detail: Readonly<Record<string, unknown>>) => ({
  action,
  subject: `index:${id}`,
  detail,
});

export const unknownIndex = (id: IndexId): Refusal => new Refusal("not_found", `Index not found: ${id}.`);
const tooDeep = (): Refusal =>
  new Refusal("invalid", `Bad Request: an index may lie ${TREE_DEPTH_MAX} levels deep at most.`);

function refuseRoot(id: IndexId): void {
  if (id === ROOT_INDEX) throw new Refusal("invalid", "Bad Request: Cannot update root index.");
}

/** The live index, when the viewer may change it. */
async function writable(tx: Tx, viewer: Viewer, id: IndexId): Promise<IndexNode> {
  const lineage = await tx.indexes.lineage(id);
  const [node] = lineage;
  if (node === undefined) {
    if ((await tx.indexes.index(id)) === null) throw unknownIndex(id);
    throw new Refusal("not_found", `Index is deleted: ${id}.`);
  }
  requireWrite(id, lineage, viewer);
  return node;
}

/** The parent and its ancestors, empty for the root, when the viewer may put an index there. */
async function parentLineage(tx: Tx, parent: IndexId, viewer: Viewer): Promise<readonly IndexNode[]> {
  const lineage = parent === ROOT_INDEX ? [] : await tx.indexes.lineage(parent);
  if (parent !== ROOT_INDEX && lineage.length === 0) throw unknownIndex(parent);
  requireParent(parent, lineage, viewer);
  return lineage;
}

/** Whether other people may browse the index than before, and so read the items in and below it (R2d). */
function changesReaders(before: IndexNode, after: IndexNode): boolean {
  return (
    before.parent !== after.parent ||
    before.publicState !== after.publicState ||
    before.publicDate !== after.publicDate ||
    before.browsingRole.join() !== after.browsingRole.join()
  );
}

/** Communities in whose part of the tree the index lies. */
async function communitiesOf(tx: Tx, id: IndexId): Promise<readonly string[]> {
  return (await tx.items.communitiesAbove([id])).get(id) ?? [];
}

/**
 * R6a: items in and below an index that was moved belong to the community of its new root. `before`: the former
 * communities.
 */
async function moveThings(tx: Tx, id: IndexId, before: readonly string[]): Promise<void> {
  const after = await communitiesOf(tx, id);
  await tx.indexes.changeCommunities(id, {
    joined: after.filter((each) => !before.includes(each)),
    left: before.filter((each) => !after.includes(each)),
  });
}

/**
 * Makes room at the new position of the index; nothing when it stays.
 *
 * @throws Refusal `invalid` for a parent below itself
 */
async function move(
  tx: Tx,
  viewer: Viewer,
  node: IndexNode,
  sent: IndexChange,
): Promise<Partial<Pick<IndexNode, "parent" | "position">>> {
  const parent = sent.parent ?? node.parent;
  const stays = parent === node.parent;
  if (stays && (sent.position === undefined || sent.position === node.position)) return {};
  const lineage = await parentLineage(tx, parent, viewer);
  if (lineage.some(({ id }) => id === node.id)) {
    const text = `Failed to move index ${node.id}: it cannot lie below itself or one of its descendants`;
    throw new Refusal("invalid", text);
  }
  if (stays) return { position: await tx.indexes.arrange(parent, node.id, sent.position ?? null) };
  // It is taken from there too: the root of a community stays where administrators put it (R2e, "never moved out").
  requireParent(node.parent, (await tx.indexes.lineage(node.id)).slice(1), viewer);
  if (await growsTooDeep(tx, node.id, lineage.length)) throw tooDeep();
  await tx.indexes.arrange(node.parent, node.id, null);
  return { parent, position: await tx.indexes.arrange(parent, node.id, sent.position ?? null) };
}

/** `above`: how many indexes will lie above it. Whatever does not sink deeper than it is need not be measured. */
async function growsTooDeep(tx: Tx, id: IndexId, above: IndexId): Promise<boolean> {
  const levels = (await tx.indexes.lineage(id)).length;
  if (above + 1 <= levels) return false;
  return above + 1 + (await tx.indexes.height(id)) > TREE_DEPTH_MAX;
}
