// What every start makes sure of (src/repository/administration/repository-setup.ts), with the files the product brings along.
import { SHIPPED_ITEM_TYPES } from "../assets/item-types/index.ts";
import { SHIPPED_MAPPINGS } from "../assets/mappings/index.ts";
import { SHIPPED_VOCABULARIES } from "../assets/vocabularies/index.ts";
import type { SetupStep } from "../repository/store/setup-step.ts";
import { seedTree } from "../repository/index-tree/index-tree.ts";
import { shippedSettings } from "../repository/administration/shipped-settings.ts";

/** Each part of the repository brings its own. */
export const SETUP_STEPS: readonly SetupStep[] = [
  seedTree,
  ...shippedSettings({
    itemTypes: SHIPPED_ITEM_TYPES,
    vocabularies: SHIPPED_VOCABULARIES,
    mappings: SHIPPED_MAPPINGS,
  }),
];

/** True for an entry of a vocabulary that the product brings along. */
export function isShippedEntry(type: string, id: string): boolean {
  return SHIPPED_VOCABULARIES.some((entry) => entry.type === type && entry.id === id);
}
