// The forms of item types as a feature of the repository (specification 3, "Item-type form definition"; R4).
import { recordsDialect } from "../../../plugins/repository/errors.ts";
import { schemaform } from "../../../plugins/repository/item-types/schemaform.ts";
import { itemTypeReading } from "../../repository/items/item-type-reading.ts";
import type { Feature } from "./feature.ts";

const PATHS = /^\/items(?:\/|$)/;

export const itemTypesFeature: Feature = {
  endpoint: ({ guard, store }) => ({
    plugin: schemaform({ guard, types: itemTypeReading(store) }),
    dialectFor: (path) => (PATHS.test(path) ? recordsDialect : null),
  }),
};
