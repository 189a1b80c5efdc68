// The item types in which people deposit by pages (R4a, R40): all that were not deleted, the one of the setting first.
import type { Viewer } from "../../auth/account.ts";
import { permissionDenied } from "../../model/input/record-refusals.ts";
import type { Bilingual } from "../../model/item-types/posted-form.ts";
import { may } from "../../model/rights/policy.ts";
import type { RecordsNeeds } from "./record-reading.ts";

export type DepositType = { readonly id: number; readonly name: Bilingual };

export interface DepositTypes {
  /** @throws Refusal `forbidden` for viewers who make no drafts */
  depositTypes(viewer: Viewer): Promise<readonly DepositType[]>;
}

export const depositTypes = ({ store, itemType }: Pick<RecordsNeeds, "store" | "itemType">): DepositTypes => ({
  async depositTypes(viewer) {
    if (!may(viewer, "item.draft", null)) throw permissionDenied();
    const live = (await store.settings.itemTypes()).filter(({ deleted }) => !deleted);
    const types = live.map(({ id, name }) => ({ id, name }));
    return types.sort((a, b) => Number(b.id === itemType) - Number(a.id === itemType) || a.id - b.id);
  },
});
