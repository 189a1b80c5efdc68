// Items are deleted, restored and erased (R2b, R2c). Deletion is one act whichever door it comes through.

import { GUEST, type Viewer } from "../../auth/account.ts";
import { citationText } from "../../formats/citation/text.ts";
import { Refusal } from "../../shared/refusal.ts";
import { withImprint } from "../model/imprint.ts";
import type { Item, ItemContent } from "../model/item.ts";
import { may } from "../model/policy.ts";
import { mayReadRecord, refusalFor } from "../model/visibility.ts";
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
} from "./commit-revision.ts";
import { UNDESCRIBED } from "./item-ark.ts";
import { requireFreeIn } from "./locking.ts";
import { type ChangeNotes, signed } from "./types.ts";

const TOMBSTONE_NOTE_MAX = 10_000;

export type Removal = ChangeNotes & {
  /** An id of the vocabulary removalreasons; null through SWORD and with an index (R2c). */
  readonly reason?: string | null;
  readonly note?: string;
  /** What the tombstone says the item was; absent: its citation. */
  readonly citation?: string;
  /** Absent: everybody is told (R2c). */
  readonly isVisible?: boolean;
};

/** @throws Refusal `not_found` for what was never published, `unauthenticated` or `forbidden` without the right to delete it. */
async function requireDelete(tx: RepositoryWriter, viewer: Viewer, id: number): Promise<void> {
  const { item, parent } = await lockIn(tx, id);
  if (may(viewer, "item.delete", parent)) return;
  if (item.state === "draft") throw new Refusal("not_found", `There is no item ${id}`);
  throw new Refusal(refusalFor(viewer), `You may not delete item ${id}`);
}

export const deleting = (core: Core) => {
  const { needs, naming } = core;

  /** What the tombstone says the item was (R2c). */
  const citation = ({ metadata: stated }: ItemContent, ark: string | null, landingPage: string): string =>
    citationText({
      metadata: withImprint(stated),
      landingPage,
      ark: ark === null ? null : (needs.arkUrl?.(ark) ?? null),
      repositoryName: needs.repositoryName ?? "",
      files: [],
    });

  async function remove(tx: RepositoryWriter, viewer: Viewer, id: number, removal: Removal = {}): Promise<Item> {
    const sign = signed(needs, viewer, removal);
    const note = removal.note ?? "";
    if (note.length > TOMBSTONE_NOTE_MAX) {
      throw new Refusal("invalid", `The note has ${note.length} characters, at most ${TOMBSTONE_NOTE_MAX} are kept`);
    }
    const { item, parent } = await lockIn(tx, id);
    const content = publishedContent(item);
    requireRevision(item, sign);
    // A deletion that an activity decides was begun past the draft that is there: none is begun while the activity is open.
    const isPastDraft = may(viewer, "item.end-draft", null) || removal.activityId !== undefined;
    const notes = isPastDraft ? { ...sign.notes, besideDraft: true } : sign.notes;
    const { draft } = await requireFreeIn(tx, id, { at: sign.at, notes });
    if (draft !== null) await tx.items.deleteDraft(id);
    const told = mayReadRecord(GUEST, await factsOf(tx, item, content, parent), sign.today);
    const page = needs.landingPage(id);
    // The state first: what is deleted is found by no duplicate check and gets no new description.
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
      // What guests could not read is not told to them because it is gone.
      citation: removal.citation ?? (told ? citation(content, item.ark, page) : ""),
      isVisible: removal.isVisible ?? true,
    });
    await settleLatest(tx, parent, null);
    const arkTold = item.ark === null ? null : await naming.tombstone(tx, item.ark, page, sign.at);
    await tx.audit(viewer, sign.at, [
      {
        action: "item.delete",
        subject: `item:${id}`,
        detail: {
          reason: removal.reason ?? null,
          ...(arkTold === false ? { ark: "left as it was" } : {}),
          ...(draft === null ? {} : { draft_of: draft.editor }),
          ...noted(sign),
        },
      },
    ]);
    return { ...removed, isLatest: false };
  }

  async function restore(tx: RepositoryWriter, viewer: Viewer, id: number): Promise<Item> {
    if (!may(viewer, "item.restore", null)) throw new Refusal(refusalFor(viewer), `You may not restore item ${id}`);
    const sign = signed(needs, viewer, {});
    const locked = await lockIn(tx, id);
    const { item, parent } = locked;
    if (item.state !== "deleted" || item.content === null) {
      throw new Refusal("conflict", `Cannot restore item ${id}: it is not deleted`);
    }
    if ((await tx.items.revision(id, item.revision))?.erasedAt !== undefined) {
      throw new Refusal("conflict", `Cannot restore item ${id}: its content was erased`);
    }
    // Indexes that were deleted meanwhile are no indexes any more.
    const known = await tx.items.communitiesAbove(item.content.indexes);
    const content = { ...item.content, indexes: item.content.indexes.filter((id) => known.has(id)) };
    await lockDois(tx, [content.metadata]);
    await tx.items.deleteTombstone(id);
    await tx.items.setState(id, "published", sign.at);
    if (item.ark !== null) await naming.lift(tx, item.ark, sign.at);
    const live: Item = { ...item, state: "published" };
    const { item: restored } = await commitIn(core, tx, { item: live, parent }, content, "restore", sign);
    const latest = await settleLatest(tx, parent, restored);
    return { ...restored, isLatest: latest === id };
  }

  /** The item is deleted first where it is not: what is shown to nobody can be emptied. */
  async function erase(
    tx: RepositoryWriter,
    viewer: Viewer,
    id: number,
    what: { readonly revision: number | null; readonly file: string | null },
  ): Promise<number> {
    if (!may(viewer, "item.erase", null)) throw new Refusal(refusalFor(viewer), `You may not erase item ${id}`);
    const sign = signed(needs, viewer, { action: "erase" });
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
      if (item.state === "published") await remove(tx, viewer, id, { action: "erase" });
      if (item.ark !== null) await naming.describe(tx, item.ark, UNDESCRIBED, sign.at);
    } else if (file !== null && revision === null && content !== null && item.state === "published") {
      const files = content.files.filter(({ name }) => name !== file);
      if (files.length < content.files.length) {
        await commitIn(core, tx, locked, { ...content, files }, "erase", sign);
      }
    }
    const erased = await tx.items.erase(id, revision, file, sign.at);
    await tx.audit(viewer, sign.at, [
      // The name of a file may itself be what has to go.
      { action: "item.erase", subject: `item:${id}`, detail: { revision, file: file !== null, revisions: erased } },
    ]);
    return erased;
  }

  return {
    /**
     * Deletion is one act, whoever asks for it: a person (`requireDelete` first), an activity, the deletion of an index. Where an administrator
     * asks, somebody's unsaved edit ends with it (R19).
     *
     * @throws ItemBusy
     */
    remove,
    requireDelete,
    /**
     * Turns a deletion back: the tombstone goes, the ARK leads to the item again, the highest live version is the latest (R2c).
     *
     * @throws Refusal unless the viewer may restore items.
     */
    restore,
    /**
     * `arkstone item erase` (R2b): destroys what an item, one revision or one file says. Id, ARK and the fact stay; the bytes go with the next
     * sweep when nothing else names them. Gives back how many revisions were touched.
     *
     * @throws Refusal unless the viewer may erase.
     */
    erase,
  };
};
