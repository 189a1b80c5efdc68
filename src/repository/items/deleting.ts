// Items are deleted, restored and erased (R2b, R2c). Deletion is one function for all interfaces.

import { GUEST, type Viewer } from "../../auth/account.ts";
import { citationText } from "../../formats/citation/write.ts";
import { mayReadRecord, refusalFor } from "../../model/access/visibility.ts";
import type { Item, ItemContent } from "../../model/items/item.ts";
import { withImprint } from "../../model/metadata/imprint.ts";
import { may } from "../../model/rights/policy.ts";
import type { ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { factsOf } from "./access-facts.ts";
import {
  type Core,
  commitIn,
  lockDois,
  lockIn,
  noted,
  publishedContent,
  requireRevision,
  settleLatest,
  signed,
} from "./commit-revision.ts";
import { UNDESCRIBED } from "./item-ark.ts";
import { requireFreeIn } from "./locking.ts";
import type { ChangeNotes } from "./types.ts";

const TOMBSTONE_NOTE_MAX = 10_000;

export type Removal = ChangeNotes & {
  /** An id of the vocabulary removalreasons; null through SWORD and with an index (R2c). */
  readonly reason?: string | null;
  readonly note?: string;
  /** Shown in the tombstone; absent: the citation of the item. */
  readonly citation?: string;
  /** Absent: everybody may see the tombstone (R2c). */
  readonly isVisible?: boolean;
};

/**
 * @throws Refusal `not_found` for what was never published, `unauthenticated` or `forbidden` without the right to
 * delete it.
 */
async function requireDelete(tx: RepositoryWriter, viewer: Viewer, id: ItemId): Promise<void> {
  const { item, parent } = await lockIn(tx, id);
  if (may(viewer, "item.delete", parent)) return;
  if (item.state === "draft") throw new Refusal("not_found", `Item ${id} does not exist`);
  throw new Refusal(refusalFor(viewer), `You may not delete item ${id}`);
}

export interface Deletions {
  /**
   * One function for all callers: a person (`requireDelete` first), an activity, the deletion of an index. An
   * administrator's deletion ends the unsaved edit of another account (R19).
   *
   * @throws ItemBusy
   */
  remove(tx: RepositoryWriter, viewer: Viewer, id: ItemId, removal?: Removal): Promise<Item>;
  /**
   * @throws Refusal `not_found` for what was never published, `unauthenticated` or `forbidden` without the right to
   * delete it.
   */
  requireDelete(tx: RepositoryWriter, viewer: Viewer, id: ItemId): Promise<void>;
  /**
   * Reverts a deletion: the tombstone is deleted, the ARK leads to the item again, the highest live version is the
   * latest (R2c).
   *
   * @throws Refusal unless the viewer may restore items.
   */
  restore(tx: RepositoryWriter, viewer: Viewer, id: ItemId): Promise<Item>;
  /**
   * `arkstone item erase` (R2b): destroys the content of an item, of one revision or of one file. Id, ARK and the fact
   * stay; the next sweep deletes the bytes when nothing else names them. Returns the number of revisions it changed.
   *
   * @throws Refusal unless the viewer may erase.
   */
  erase(
    tx: RepositoryWriter,
    viewer: Viewer,
    id: ItemId,
    what: { readonly revision: number | null; readonly file: string | null },
  ): Promise<number>;
}

export const deleting = (core: Core): Deletions => ({
  remove: (tx, viewer, id, removal) => remove(core, tx, viewer, id, removal),
  requireDelete,
  restore: (tx, viewer, id) => restore(core, tx, viewer, id),
  erase: (tx, viewer, id, what) => erase(core, tx, viewer, id, what),
});

/** The citation that the tombstone shows (R2c). */
const citationFor = (core: Core, { metadata: stated }: ItemContent, ark: string | null, landingPage: string): string =>
  citationText({
    metadata: withImprint(stated),
    landingPage,
    ark: ark === null ? null : (core.needs.arkUrl?.(ark) ?? null),
    repositoryName: core.needs.repositoryName ?? "",
    files: [],
  });

async function remove(
  core: Core,
  tx: RepositoryWriter,
  viewer: Viewer,
  id: ItemId,
  removal: Removal = {},
): Promise<Item> {
  const sign = signed(core.needs, viewer, removal);
  const note = removal.note ?? "";
  if (note.length > TOMBSTONE_NOTE_MAX) {
    throw new Refusal("invalid", `The note has ${note.length} characters, at most ${TOMBSTONE_NOTE_MAX} are kept`);
  }
  const { item, parent } = await lockIn(tx, id);
  const content = publishedContent(item);
  requireRevision(item, sign);
  // The activity of a deletion was begun next to the existing draft: none is begun while the activity is open.
  const ignoresDraft = may(viewer, "item.end-draft", null) || removal.activityId !== undefined;
  const notes = ignoresDraft ? { ...sign.notes, ignoresDraft: true } : sign.notes;
  const { draft } = await requireFreeIn(tx, id, { at: sign.at, notes });
  if (draft !== null) await tx.items.deleteDraft(id);
  const isPublic = mayReadRecord(GUEST, await factsOf(tx, item, content, parent), sign.today);
  const page = core.needs.landingPage(id);
  // The state first: no duplicate check finds what is deleted, and it gets no new description.
  await tx.items.setState(id, "deleted", sign.at);
  const removed = await tx.items.writeRevision(
    item,
    content,
    {
      action: removal.action ?? "delete",
      at: sign.at,
      by: viewer.account?.id ?? null,
      onBehalfOf: removal.onBehalfOf ?? null,
      packageName: null,
      packageSha256: null,
    },
    { keys: [] },
  );
  await tx.items.insertTombstone({
    itemId: id,
    reason: removal.reason ?? null,
    note,
    by: viewer.account?.id ?? null,
    at: sign.at,
    // What guests could not read before is not shown to them now.
    citation: removal.citation ?? (isPublic ? citationFor(core, content, item.ark, page) : ""),
    isVisible: removal.isVisible ?? true,
  });
  await settleLatest(tx, parent, null);
  const isArkMarked = item.ark === null ? null : await core.naming.tombstone(tx, item.ark, page, sign.at);
  await tx.audit(viewer, sign.at, [
    {
      action: "item.delete",
      subject: `item:${id}`,
      detail: {
        reason: removal.reason ?? null,
        ...(isArkMarked === false ? { ark: "left as it was" } : {}),
        ...(draft === null ? {} : { draft_of: draft.editor }),
        ...noted(sign),
      },
    },
  ]);
  return { ...removed, isLatest: false };
}

async function restore(core: Core, tx: RepositoryWriter, viewer: Viewer, id: ItemId): Promise<Item> {
  if (!may(viewer, "item.restore", null)) throw new Refusal(refusalFor(viewer), `You may not restore item ${id}`);
  const sign = signed(core.needs, viewer, {});
  const locked = await lockIn(tx, id);
  const { item, parent } = locked;
  if (item.state !== "deleted" || item.content === null) {
    throw new Refusal("conflict", `Cannot restore item ${id}: it is not deleted`);
  }
  if ((await tx.items.revision(id, item.revision))?.erasedAt !== undefined) {
    throw new Refusal("conflict", `Cannot restore item ${id}: its content was erased`);
  }
  // Indexes that were deleted meanwhile are left out.
  const known = await tx.items.communitiesAbove(item.content.indexes);
  const content = { ...item.content, indexes: item.content.indexes.filter((id) => known.has(id)) };
  await lockDois(tx, [content.metadata]);
  await tx.items.deleteTombstone(id);
  await tx.items.setState(id, "published", sign.at);
  if (item.ark !== null) await core.naming.lift(tx, item.ark, sign.at);
  const live: Item = { ...item, state: "published" };
  const { item: restored } = await commitIn(core, tx, { item: live, parent }, content, "restore", sign);
  const latest = await settleLatest(tx, parent, restored);
  return { ...restored, isLatest: latest === id };
}

/** A published item is deleted first: only what nobody sees is emptied. */
async function erase(
  core: Core,
  tx: RepositoryWriter,
  viewer: Viewer,
  id: ItemId,
  what: { readonly revision: number | null; readonly file: string | null },
): Promise<number> {
  if (!may(viewer, "item.erase", null)) throw new Refusal(refusalFor(viewer), `You may not erase item ${id}`);
  const sign = signed(core.needs, viewer, { action: "erase" });
  const locked = await lockIn(tx, id);
  const { item } = locked;
  const { revision, file } = what;
  if (revision !== null && revision === item.revision) {
    throw new Refusal(
      "invalid",
      `Cannot erase revision ${revision} of item ${id}: it is the current one; write another first, or erase the item`,
    );
  }
  const content = item.content;
  if (file === null && revision === null) {
    if (item.state === "published") await remove(core, tx, viewer, id, { action: "erase" });
    if (item.ark !== null) await core.naming.describe(tx, item.ark, UNDESCRIBED, sign.at);
  } else if (file !== null && revision === null && content !== null && item.state === "published") {
    const files = content.files.filter(({ name }) => name !== file);
    if (files.length < content.files.length) {
      await commitIn(core, tx, locked, { ...content, files }, "erase", sign);
    }
  }
  const erased = await tx.items.erase(id, revision, file, sign.at);
  await tx.audit(viewer, sign.at, [
    // The name of the file may be what has to be erased.
    { action: "item.erase", subject: `item:${id}`, detail: { revision, file: file !== null, revisions: erased } },
  ]);
  return erased;
}
