// Items are filed into indexes and taken out of them (R6a, R25).
import type { Item, ItemContent } from "../../domain/items/item.ts";
import type { Viewer } from "../../domain/repository/account.ts";
import type { RepositoryReader, RepositoryWriter } from "../../ports/repository/store.ts";
import { requireContribution, requireUpdate } from "./changing.ts";
import { type Core, commitIn, lockIn } from "./committing.ts";
import { type ChangeNotes, signed, type Written } from "./needs.ts";

/** The action of the revision by which an item lost its last index and became private (R25). */
export const UNFILED = "unfiled";

type Patch = (
  tx: RepositoryWriter,
  viewer: Viewer,
  id: number,
  notes: ChangeNotes & { readonly action: string },
  patch: (content: ItemContent) => ItemContent | Promise<ItemContent>,
) => Promise<Written>;

/** R25: what became private by losing its last index is as it was before once it is filed again, unless it was changed meanwhile. */
async function accessWhenFiled({ items }: Pick<RepositoryReader, "items">, item: Item, content: ItemContent) {
  if (content.places.length > 0) return content.access;
  const last = await items.revision(item.id, item.revision);
  if (last?.action !== UNFILED) return content.access;
  return (await items.revision(item.id, item.revision - 1))?.content.access ?? content.access;
}

export const placing = (core: Core, patchIn: Patch) => {
  const { needs } = core;
  const { store } = needs;

  const fileIn = (tx: RepositoryWriter, viewer: Viewer, id: number, index: number, notes: ChangeNotes = {}) =>
    patchIn(tx, viewer, id, { ...notes, action: notes.action ?? "file" }, async (content) => {
      if (content.places.includes(index)) return content;
      const item = await tx.items.item(id);
      const access = item === null ? content.access : await accessWhenFiled(tx, item, content);
      return { ...content, access, places: [...content.places, index] };
    });

  const unfileIn = (tx: RepositoryWriter, viewer: Viewer, id: number, index: number, notes: ChangeNotes = {}) =>
    patchIn(tx, viewer, id, { ...notes, action: notes.action ?? "unfile" }, (content) =>
      content.places.includes(index)
        ? { ...content, places: content.places.filter((place) => place !== index) }
        : content,
    );

  async function requireRights(tx: RepositoryWriter, viewer: Viewer, id: number, places: readonly number[]) {
    const locked = await lockIn(tx, id);
    requireUpdate(locked, viewer);
    await requireContribution(tx, viewer, places, locked.item.content?.places ?? []);
  }

  /**
   * R25, part of deleting these indexes: their items lose these places and nothing else; those that are then in no index become private. To be
   * called before the indexes themselves are deleted. Gives back the items that are in no index any more.
   */
  async function unfileAllIn(
    tx: RepositoryWriter,
    viewer: Viewer,
    indexIds: readonly number[],
  ): Promise<readonly number[]> {
    const sign = signed(needs, viewer, {});
    const gone = new Set(indexIds);
    const unfiled: number[] = [];
    for (const index of indexIds) {
      for (;;) {
        // Each page takes its items out of the index, so the next page is the first again.
        const page = await tx.items.itemIdsIn(index, null, PAGE);
        for (const id of [...page].sort((a, b) => a - b)) {
          const locked = await lockIn(tx, id);
          const content = locked.item.content;
          if (content === null) continue;
          const places = content.places.filter((place) => !gone.has(place));
          const isOut = places.length === 0;
          if (isOut) unfiled.push(id);
          const access = isOut
            ? ({ ...content.access, record: "restricted", embargoUntil: null, embargoReason: "" } as const)
            : content.access;
          await commitIn(core, tx, locked, { ...content, access, places }, isOut ? UNFILED : "unfile", sign);
        }
        if (page.length < PAGE) break;
      }
    }
    // Deleted items: nobody sees them, yet a restored one must not lie in an index that is no more.
    await tx.items.removePlaces(indexIds);
    return unfiled;
  }

  return {
    fileIn,
    /** Puts the item into one more index. */
    file: (viewer: Viewer, id: number, index: number): Promise<Written> =>
      store.transact(async (tx) => {
        await requireRights(tx, viewer, id, [index]);
        return await fileIn(tx, viewer, id, index);
      }),
    unfileIn,
    /** Takes the item out of an index; it stays as public as it was. */
    unfile: (viewer: Viewer, id: number, index: number): Promise<Written> =>
      store.transact(async (tx) => {
        await requireRights(tx, viewer, id, []);
        return await unfileIn(tx, viewer, id, index);
      }),
    unfileAllIn,
  };
};

const PAGE = 500;
