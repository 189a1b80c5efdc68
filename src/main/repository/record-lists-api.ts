// Lists of records over HTTP as a feature of the repository (R37).
import { recordDialect } from "../../../plugins/repository/record-dialect.ts";
import { recordListPlugin } from "../../../plugins/repository/records/lists.ts";
import { recordLists } from "../../repository/record-lists/record-lists.ts";
import { records } from "../../repository/records/records.ts";
import type { Feature } from "./feature.ts";

const PATHS = /^\/api\/communities\/[^/]+\/records\/?$/;

/** Refusals below `/api/records` are those of records-api.ts. */
export const recordListsApiFeature: Feature = {
  door: ({ guard, store, clock, items, config, addresses, finder }) => {
    const today = () => items.today();
    const own = records({ store, clock, items, itemType: config.toolItemType });
    const lists = recordLists({ store, finder, records: own, clock, today });
    return {
      plugin: recordListPlugin({ guard, lists, written: addresses, today }),
      dialectFor: (path) => (PATHS.test(path) ? recordDialect : null),
    };
  },
};
