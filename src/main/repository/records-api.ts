// Records over HTTP in the dialect of existing record repositories, as a feature of the repository (R37).
import { recordDialect } from "../../../plugins/repository/record-dialect.ts";
import { recordPlugin } from "../../../plugins/repository/records/records.ts";
import { records } from "../../repository/records/records.ts";
import type { Feature } from "./feature.ts";

const PATHS = /^\/api\/(?:user\/)?records(?:\/|$)/;

export const recordsApiFeature: Feature = {
  door: ({ guard, store, clock, items, config, addresses }) => ({
    plugin: recordPlugin({
      guard,
      records: records({ store, clock, items, itemType: config.toolItemType }),
      written: addresses,
    }),
    dialectFor: (path) => (PATHS.test(path) ? recordDialect : null),
  }),
};
