// Items are filed in indexes by people and programs (R16a, R25): where one is, and where it shall be.
import { type Static, Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import type { ItemOutline } from "../../model/items/item.ts";
import { idField, listOf, object, type Sent } from "../../shared/fields.ts";
import type { IndexId, ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { manyOf, wordOf } from "../../shared/shapes.ts";
import { type WritingNeeds, writeAs } from "../people/current-viewer.ts";
import type { RepositoryReader } from "../store/store.ts";
import { publishedContent } from "./commit-revision.ts";
import { filedInto, takenOutOf } from "./index-membership.ts";
import type { Items } from "./items.ts";
import { requireUpdate } from "./publishing.ts";

export const FILING = object({ indexes: listOf(idField, most("indexes")) }, { $id: "FilingInput" });

/** Where an item is filed. */
export const FilingShape = Type.Object(
  {
    item: Type.Integer(),
    revision: Type.Integer(),
    publish_status: wordOf(["public", "private"]),
    indexes: manyOf(Type.Integer({ description: "Id of an index that the item is filed in, in their order" })),
  },
  { $id: "Filing" },
);
export type Filing = Static<typeof FilingShape>;

type SentFiling = { readonly indexes: readonly number[] };

/** Revisions that the caller has seen, as texts; null: any. */
type SeenRevisions = readonly string[] | null;

type FilingNeeds = WritingNeeds & {
  readonly store: WritingNeeds["store"] & Pick<RepositoryReader, "items">;
  readonly items: Pick<Items, "place">;
};

export interface ItemFiling {
  /** For those who may change the item. @throws Refusal. */
  read(viewer: Viewer, id: ItemId): Promise<Filing>;
  /** @throws Refusal unless the viewer may change the item and file it into each index that is new. */
  replace(viewer: Viewer, id: ItemId, sent: Sent<SentFiling>, seen: SeenRevisions): Promise<Filing>;
  add(viewer: Viewer, id: ItemId, index: IndexId, seen: SeenRevisions): Promise<Filing>;
  remove(viewer: Viewer, id: ItemId, index: IndexId, seen: SeenRevisions): Promise<Filing>;
}

export const itemFiling = (needs: FilingNeeds): ItemFiling => {
  const change = (
    viewer: Viewer,
    id: ItemId,
    choose: (indexes: readonly IndexId[]) => readonly number[],
    seen: SeenRevisions,
  ): Promise<Filing> =>
    writeAs(needs, viewer, async (tx, now) => filingOf((await needs.items.place(tx, now, id, choose, seen)).item));
  return {
    async read(viewer, id) {
      const found = await needs.store.items.outline(id);
      if (found === null) throw new Refusal("not_found", `Item ${id} does not exist`);
      requireUpdate(found, viewer);
      return filingOf(found.item);
    },
    replace: (viewer, id, sent, seen) => {
      const { indexes } = sent();
      return change(viewer, id, () => indexes, seen);
    },
    add: (viewer, id, index, seen) => change(viewer, id, filedInto(index), seen),
    remove: (viewer, id, index, seen) => change(viewer, id, takenOutOf(index), seen),
  };
};

function filingOf(item: ItemOutline): Filing {
  const { access, indexes } = publishedContent(item);
  const status = access.record === "public" ? "public" : "private";
  return { item: item.id, revision: item.revision, publish_status: status, indexes };
}
