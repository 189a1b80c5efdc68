// Lists of search hits as a feature of the repository (specification 3, "POST /api/{version}/records/list"; R29).
import { recordList } from "../../../plugins/repository/search/list.ts";
import { itemTypeReading } from "../../repository/items/item-type-reading.ts";
import { facetValues } from "../../repository/search/detail/facet-values.ts";
import { listExport } from "../../repository/search/detail/list-export.ts";
import { recordSearch } from "../../repository/search/query/record-search.ts";
import type { Feature } from "./feature.ts";

/** Refusals below its path are those of src/main/repository/records.ts. */
export const recordListFeature: Feature = {
  endpoint: ({ guard, store, addresses, clock, config, items, search: { finder } }) => {
    const types = itemTypeReading(store);
    const values = facetValues({ store, today: items.today });
    const { question } = recordSearch({ finder, store, types, addresses, clock, values, bucketSize: 0 });
    const { timeZone, csvGuard: isGuarded } = config;
    const lists = listExport({ store, finder, question, types, addresses, clock, timeZone, isGuarded });
    return { plugin: recordList({ guard, lists }) };
  },
};
