// Hits of a search as files, as a feature of the repository (issue 26; R38).
import { hitFiles } from "../../../plugins/repository/search/hit-files.ts";
import { itemTypeReading } from "../../repository/items/item-type-reading.ts";
import { facetValues } from "../../repository/search/detail/facet-values.ts";
import { hitExport } from "../../repository/search/detail/hit-export.ts";
import { recordSearch } from "../../repository/search/query/record-search.ts";
import type { Feature, ServerRuntime } from "./feature.ts";

export const hitExportOf = ({ store, addresses, config, items }: ServerRuntime) =>
  hitExport({ items: store.items, addresses, repositoryName: config.repositoryName, today: items.today });

/** Refusals below its path are those of src/main/repository/records.ts. */
export const hitFilesFeature: Feature = {
  endpoint: (served) => {
    const { guard, store, addresses, clock, items } = served;
    const { finder } = served.search;
    const values = facetValues({ store, today: items.today });
    const types = itemTypeReading(store);
    const { question } = recordSearch({ finder, store, types, addresses, clock, values, bucketSize: 0 });
    return { plugin: hitFiles({ guard, question, finder, hitExport: hitExportOf(served) }) };
  },
};
