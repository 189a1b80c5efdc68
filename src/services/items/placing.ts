// Items are filed into indexes and taken out of them (R6a, R25).
import type { Item, ItemContent } from "../../domain/items/item.ts";
import type { Viewer } from "../../domain/repository/account.ts";
import type { RepositoryReader, RepositoryWriter } from "../../ports/repository/store.ts";
import { writeAs } from "../viewer-now.ts";
import { requireContribution, requireUpdate } from "./changing.ts";
import { type Core, lockIn } from "./committing.ts";
import type { ChangeNotes, Written } from "./needs.ts";

/** The action of the revision by which an item lost an index that was deleted; without its last one it became private (R25). */
const INDEX_DELETED = "index.delete";

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
  if (last?.action !== INDEX_DELETED) return content.access;
  return (await items.revision(item.id, item.revision - 1))?.content.access ?? content.access;
}

export const placing = (core: Core, patchIn: Patch) => {
  const { needs } = core;

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

  return {
    fileIn,
    /** Puts the item into one more index. */
    file: (viewer: Viewer, id: number, index: number): Promise<Written> =>
      writeAs(needs, viewer, async (tx, now) => {
        await requireRights(tx, now, id, [index]);
        return await fileIn(tx, now, id, index);
      }),
    unfileIn,
    /** Takes the item out of an index; it stays as public as it was. */
    unfile: (viewer: Viewer, id: number, index: number): Promise<Written> =>
      writeAs(needs, viewer, async (tx, now) => {
        await requireRights(tx, now, id, []);
        return await unfileIn(tx, now, id, index);
      }),
  };
};
