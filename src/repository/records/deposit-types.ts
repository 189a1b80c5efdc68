// In what people may deposit by pages (R4a, R16, R40): item types that were not deleted, the one of the setting first;
// where deposits go through workflows, those that one accepts, once for each.
import type { Viewer } from "../../auth/account.ts";
import { permissionDenied } from "../../model/input/record-refusals.ts";
import type { Bilingual } from "../../model/item-types/posted-form.ts";
import { may } from "../../model/rights/policy.ts";
import { depositWorkflows } from "./deposit-workflows.ts";
import type { RecordsNeeds } from "./record-reading.ts";

/** `value`: how addresses name it. */
export type DepositType = {
  readonly value: string;
  readonly itemType: number;
  readonly workflow: number | null;
  readonly name: Bilingual;
};

export interface DepositTypes {
  /** @throws Refusal `forbidden` for viewers who make no drafts */
  depositTypes(viewer: Viewer): Promise<readonly DepositType[]>;
}

export const depositTypes = ({ store, itemType }: Pick<RecordsNeeds, "store" | "itemType">): DepositTypes => ({
  async depositTypes(viewer) {
    if (!may(viewer, "item.draft", null)) throw permissionDenied();
    const live = (await store.settings.itemTypes()).filter(({ deleted }) => !deleted);
    const isUsual = (id: number): number => Number(id === itemType);
    const sorted = live.toSorted((a, b) => isUsual(b.id) - isUsual(a.id) || a.id - b.id);
    const workflows = await depositWorkflows(store.settings);
    return sorted.flatMap(({ id, name }): readonly DepositType[] => {
      const plain = { value: `${id}`, itemType: id, workflow: null, name };
      if (workflows === null) return [plain];
      const fit = workflows.filter((each) => each.itemType === id);
      if (fit.length < 2) return fit.map((each) => ({ ...plain, workflow: each.id }));
      return fit.map((each) => ({
        ...{ value: `${id}.${each.id}`, itemType: id, workflow: each.id },
        name: { en: `${name.en}: ${each.name.en}`, ja: `${name.ja}：${each.name.ja}` },
      }));
    });
  },
});
