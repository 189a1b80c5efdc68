// Item search for programs as a feature of the repository (specification 3, "GET /api/{version}/records").
import { recordSearchRoutes } from "../../../plugins/repository/search/search.ts";
import { itemTypeReading } from "../../repository/items/item-type-reading.ts";
import { facetValues } from "../../repository/search/detail/facet-values.ts";
import { recordSearch } from "../../repository/search/query/record-search.ts";
import type { Feature } from "./feature.ts";

/** Refusals below its path are those of src/main/repository/records.ts. */
export const recordSearchFeature: Feature = {
  endpoint: ({ guard, store, addresses, clock, config, items, search: { finder } }) => {
    const values = facetValues({ store, today: items.today });
    const needs = { finder, store, types: itemTypeReading(store), addresses, clock, values };
    return {
      plugin: recordSearchRoutes({ guard, records: recordSearch({ ...needs, bucketSize: config.facetBucketSize }) }),
    };
  },
};
