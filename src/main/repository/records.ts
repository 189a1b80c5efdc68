// Items for programs as a feature of the repository (specification 3, "Item detail response"; R29).
import { recordsDialect } from "../../../plugins/repository/errors.ts";
import { recordDetail } from "../../../plugins/repository/search/detail.ts";
import { itemTypeReading } from "../../repository/items/item-type-reading.ts";
import { itemDetails } from "../../repository/search/detail/item-detail.ts";
import type { Feature } from "./feature.ts";

const PATHS = /^\/api\/[^/]+\/records(?:\/|$)/;

export const recordsFeature: Feature = {
  endpoint: ({ guard, store, items, addresses, threads: { exporting } }) => {
    const types = itemTypeReading(store);
    return {
      plugin: recordDetail({ guard, details: itemDetails({ items, types, addresses, exporting }) }),
      dialectFor: (path) => (PATHS.test(path) ? recordsDialect : null),
    };
  },
};
