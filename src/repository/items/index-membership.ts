// Items are filed into indexes and taken out of them (R6a, R16a, R25).

import { GUEST, type Viewer } from "../../auth/account.ts";
import { type Lineage, mayBrowse, refusalFor } from "../../model/access/visibility.ts";
import type { Access, Item, ItemContent } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import type { IndexId, ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import type { RepositoryReader, RepositoryWriter } from "../store/store.ts";
import { lineagesOf } from "./access-facts.ts";
import { type Core, lockIn, publishedContent, signed } from "./commit-revision.ts";
import { requireUpdate } from "./publishing.ts";
import type { ChangeNotes, WriteOutcome } from "./types.ts";

/** A revision that replaced an item in no index and stated its access: the access before it no longer matters. */
export const ACCESS_STATED = "revise-access";
/**
 * Actions by which an item lost its last index, or changed while it was in none, without a statement about its access.
 */
const UNFILED_BY: ReadonlySet<string> = new Set(["index.delete", "unfile", "delete", "restore", "revise", "link"]);
/** Revisions that are checked for the former access; an item that changed more often states its access again. */
const REVISIONS_CHECKED = 50;

type Patch = (
  tx: RepositoryWriter,
  viewer: Viewer,
  id: ItemId,
  notes: ChangeNotes & { readonly action: string },
  patch: (content: ItemContent) => ItemContent | Promise<ItemContent>,
) => Promise<WriteOutcome>;

/**
 * R16a, R25: an item that became private by losing its last index has its former access again once it is filed, unless
 * a change in between stated its access. `content`: the item's content while it is in no index.
 */
export async function accessWhenFiled(
  { items }: Pick<RepositoryReader, "items">,
  item: Pick<Item, "id" | "revision">,
  { indexes, access }: Pick<ItemContent, "access" | "indexes">,
): Promise<Access> {
  if (indexes.length > 0) return access;
  let left: Access | null = null;
  const oldest = Math.max(1, item.revision - REVISIONS_CHECKED);
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

/**
 * An item that leaves its last index and that some could not read is private (R25): its embargo would make it public
 * later.
 */
function hidden(access: Access): Access {
  const files = access.embargoUntil === null ? access.files : "restricted";
  return { ...access, record: "restricted", files, embargoUntil: null, embargoReason: "" };
}

/** Where an item is filed, and who may read it: what filing changes. */
export type Placement = Pick<ItemContent, "access" | "indexes">;

type PlacementReader = Pick<RepositoryReader, "items"> & {
  readonly indexes: Pick<RepositoryReader["indexes"], "lineages">;
};

/**
 * The same item in these indexes (R16a): filed again it is what it was, and leaving its last index never makes it more
 * public.
 */
export async function placementIn(
  reader: PlacementReader,
  item: Pick<Item, "id" | "revision">,
  before: Placement,
  { indexes, today }: { readonly indexes: readonly IndexId[]; readonly today: Day },
): Promise<Placement> {
  if (indexes.length > 0) return { indexes, access: await accessWhenFiled(reader, item, before) };
  const lineages = await lineagesOf(reader.indexes, before.indexes);
  const wasOpen = before.indexes.length === 0 || lineages.some((each) => mayBrowse(each, GUEST, today));
  return { indexes, access: wasOpen ? before.access : hidden(before.access) };
}

export interface IndexMembership {
  /** Puts the item into one more index. @throws Refusal unless the viewer may change the item and file it there. */
  file(tx: RepositoryWriter, viewer: Viewer, id: ItemId, index: IndexId): Promise<WriteOutcome>;
  /**
   * Takes the item out of an index; it is never more public for it (R16a). @throws Refusal unless the viewer may change
   * the item.
   */
  unfile(tx: RepositoryWriter, viewer: Viewer, id: ItemId, index: IndexId): Promise<WriteOutcome>;
  /**
   * Files the item where `choose` decides, which receives the present place. `seen`: the revisions that the caller has
   * seen, null for any.
   * @throws Refusal unless the viewer may change the item and file it into each index that is new.
   */
  place(
    tx: RepositoryWriter,
    viewer: Viewer,
    id: ItemId,
    choose: (indexes: readonly IndexId[]) => readonly number[],
    seen?: readonly string[] | null,
  ): Promise<WriteOutcome>;
  /** The same for several, where rights were asked before. */
  takeOut(
    tx: RepositoryWriter,
    viewer: Viewer,
    id: ItemId,
    indexes: readonly IndexId[],
    notes?: ChangeNotes,
  ): Promise<WriteOutcome>;
}

export const indexMembership = ({ needs }: Core, patch: Patch): IndexMembership => {
  const takeOut: IndexMembership["takeOut"] = (tx, viewer, id, taken, notes = {}) =>
    patch(tx, viewer, id, { action: "unfile", ...notes }, async (content) => {
      const indexes = content.indexes.filter((each) => !taken.includes(each));
      if (indexes.length === content.indexes.length) return content;
      const { today } = signed(needs, viewer, {});
      // It is in an index, so no earlier revision is asked for.
      return { ...content, ...(await placementIn(tx, { id, revision: 0 }, content, { indexes, today })) };
    });

  const place: IndexMembership["place"] = async (tx, viewer, id, choose, seen = null) => {
    const locked = await lockIn(tx, id);
    requireUpdate(locked, viewer);
    const { indexes: before } = publishedContent(locked.item);
    requireSeen(locked.item, seen);
    const indexes = choose(before);
    const added = indexes.filter((each) => !before.includes(each));
    for (const each of added) requireContribution(viewer, each, await tx.indexes.lineage(each));
    const { today } = signed(needs, viewer, {});
    return await patch(tx, viewer, id, { action: added.length > 0 ? "file" : "unfile" }, async (content) => {
      if (indexes.join() === content.indexes.join()) return content;
      return { ...content, ...(await placementIn(tx, locked.item, content, { indexes, today })) };
    });
  };

  return {
    place,
    file: (tx, viewer, id, index) => place(tx, viewer, id, filedInto(index)),
    unfile: (tx, viewer, id, index) => place(tx, viewer, id, takenOutOf(index)),
    takeOut,
  };
};

/** An index more, at the end. */
export const filedInto =
  (index: IndexId) =>
  (indexes: readonly IndexId[]): readonly number[] =>
    indexes.includes(index) ? indexes : [...indexes, index];

/** An index less. */
export const takenOutOf =
  (index: IndexId) =>
  (indexes: readonly IndexId[]): readonly number[] =>
    indexes.filter((each) => each !== index);

/** @throws Refusal `precondition` when the item is at none of the revisions that the caller has seen. */
function requireSeen({ id, revision }: Pick<Item, "id" | "revision">, seen: readonly string[] | null): void {
  if (seen === null || seen.includes(String(revision))) return;
  throw new Refusal("precondition", `Item ${id} is at revision ${revision}, not ${seen.join(", ").slice(0, 100)}`, {
    detail: { revision },
  });
}

/** @throws Refusal unless the viewer may put items into the index (R2e). */
export function requireContribution(viewer: Viewer, index: IndexId, lineage: Lineage): void {
  if (may(viewer, "item.file", lineage)) return;
  throw new Refusal(refusalFor(viewer), `You may not put items into index ${index}`, { detail: { index } });
}
