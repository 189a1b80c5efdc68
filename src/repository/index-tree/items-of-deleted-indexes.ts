// What becomes of items when indexes are deleted (R25): they leave them; those left in no index become private, or are
// deleted.

import type { Viewer } from "../../auth/account.ts";
import type { IndexId, ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { RepositoryWriter } from "../store/store.ts";

/** Who does it, and when. */
type DeletionActor = { readonly viewer: Viewer; readonly at: Instant };

export type TreeItems = {
  /** Returns how many items are in no index any more, and so are private now. */
  unfile(tx: RepositoryWriter, by: DeletionActor, indexIds: readonly IndexId[]): Promise<number>;
  /**
   * Deletes the items all of whose indexes are among these. Returns how many.
   *
   * @throws Refusal `invalid` when one is being edited
   */
  deleteIn(tx: RepositoryWriter, by: DeletionActor, indexIds: readonly IndexId[]): Promise<number>;
};

type TreeItemsNeeds = {
  /** Deletes one published item, as its own DELETE would (R2c). */
  readonly deleteItem: (tx: RepositoryWriter, by: DeletionActor, itemId: ItemId) => Promise<void>;
};

/** Items that one call may delete together with their indexes. */
const ITEMS_DELETED_MAX = 10_000;

export const treeItems = ({ deleteItem }: TreeItemsNeeds): TreeItems => ({
  async unfile(tx, { viewer, at }, indexIds) {
    const by = viewer.account?.id ?? null;
    return await tx.indexes.unfile(indexIds, { action: "index.delete", at, by });
  },

  async deleteIn(tx, by, indexIds) {
    const ids = await tx.indexes.itemsOnlyIn(indexIds, ITEMS_DELETED_MAX + 1);
    if (ids.length > ITEMS_DELETED_MAX) {
      const text = `Failed to delete index: more than ${ITEMS_DELETED_MAX} items would be deleted with it`;
      throw new Refusal("invalid", text);
    }
    const busy = await tx.indexes.busyItem(ids, by.at);
    if (busy !== null) {
      throw new Refusal("invalid", `Failed to delete index: item ${busy} is being edited or imported`);
    }
    for (const id of ids) await deleteItem(tx, by, id);
    return ids.length;
  },
});
