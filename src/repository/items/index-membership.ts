// Items are filed into indexes and taken out of them (R6a, R16a, R25).

import { mayBrowse } from "../model/index-rights.ts";
import type { Access, Item, ItemContent } from "../model/item.ts";
import { GUEST, type Viewer } from "../../auth/account.ts";
import type { RepositoryReader, RepositoryWriter } from "../store/store.ts";
import { writeAs } from "../people/current-viewer.ts";
import { requireContribution, requireUpdate } from "./publishing.ts";
import { type Core, lockIn } from "./commit-revision.ts";
import { lineagesOf } from "./access-facts.ts";
import { type ChangeNotes, signed, type Written } from "./types.ts";

/** A revision that replaced an item in no index and said by itself who may read it: what it was before is not asked for any more. */
export const ACCESS_STATED = "revise-access";
/** By these an item lost its last index, or was changed while it lay in none, without a word about who may read it. */
const UNFILED_BY: ReadonlySet<string> = new Set(["index.delete", "unfile", "delete", "restore", "revise", "link"]);
/** Revisions that are looked at for what an item was; who changed it more often while it lay nowhere says himself what it shall be. */
const REVISIONS_LOOKED_AT = 50;

type Patch = (
  tx: RepositoryWriter,
  viewer: Viewer,
  id: number,
  notes: ChangeNotes & { readonly action: string },
  patch: (content: ItemContent) => ItemContent | Promise<ItemContent>,
) => Promise<Written>;

/**
 * R16a, R25: what became private by losing its last index is as it was before once it is filed again, unless somebody said meanwhile who
 * may read it. `content`: what the item says while it lies in no index.
 */
export async function accessWhenFiled(
  { items }: Pick<RepositoryReader, "items">,
  item: Pick<Item, "id" | "revision">,
  { indexes, access }: Pick<ItemContent, "access" | "indexes">,
): Promise<Access> {
  if (indexes.length > 0) return access;
  let left: Access | null = null;
  const oldest = Math.max(1, item.revision - REVISIONS_LOOKED_AT);
  for (let number = item.revision; number >= oldest; number -= 1) {
    const each = await items.revision(item.id, number);
    if (each === null || each.erasedAt !== undefined) return access;
    if (each.content.indexes.length > 0) return left !== null && isSame(left, access) ? each.content.access : access;
    if (!UNFILED_BY.has(each.action)) return access;
    left = each.content.access;
  }
  return access;
}

function isSame(one: Access, two: Access): boolean {
  return JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(two).sort());
}

/** What lies in no index now and was for nobody but some is private, as R25 has it: its embargo would make it public on its day. */
function hidden(access: Access): Access {
  const files = access.embargoUntil === null ? access.files : "restricted";
  return { ...access, record: "restricted", files, embargoUntil: null, embargoReason: "" };
}

export const placing = (core: Core, patchIn: Patch) => {
  const { needs } = core;

  const fileIn = (tx: RepositoryWriter, viewer: Viewer, id: number, index: number, notes: ChangeNotes = {}) =>
    patchIn(tx, viewer, id, { ...notes, action: notes.action ?? "file" }, async (content) => {
      if (content.indexes.includes(index)) return content;
      const item = await tx.items.item(id);
      const access = item === null ? content.access : await accessWhenFiled(tx, item, content);
      return { ...content, access, indexes: [...content.indexes, index] };
    });

  const unfileIn = (tx: RepositoryWriter, viewer: Viewer, id: number, index: number, notes: ChangeNotes = {}) =>
    patchIn(tx, viewer, id, { ...notes, action: notes.action ?? "unfile" }, async (content) => {
      if (!content.indexes.includes(index)) return content;
      const indexes = content.indexes.filter((id) => id !== index);
      const { today } = signed(needs, viewer, notes);
      const wasOpen = (await lineagesOf(tx.indexes, content.indexes)).some((each) => mayBrowse(each, GUEST, today));
      return { ...content, indexes, access: indexes.length > 0 || wasOpen ? content.access : hidden(content.access) };
    });

  async function requireRights(tx: RepositoryWriter, viewer: Viewer, id: number, indexes: readonly number[]) {
    const locked = await lockIn(tx, id);
    requireUpdate(locked, viewer);
    await requireContribution(tx, viewer, indexes, locked.item.content?.indexes ?? []);
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
    /** Takes the item out of an index; it is never more public for it (R16a). */
    unfile: (viewer: Viewer, id: number, index: number): Promise<Written> =>
      writeAs(needs, viewer, async (tx, now) => {
        await requireRights(tx, now, id, []);
        return await unfileIn(tx, now, id, index);
      }),
  };
};
