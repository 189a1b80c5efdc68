// Records over HTTP in the dialect of existing record repositories, as a feature of the repository (R37).
import { recordDialect } from "../../../plugins/repository/record-dialect.ts";
import { recordListPlugin } from "../../../plugins/repository/records/lists.ts";
import { recordPlugin } from "../../../plugins/repository/records/records.ts";
import { recordLists } from "../../repository/record-lists/record-lists.ts";
import { recordEntries } from "../../repository/records/record-entries.ts";
import { records } from "../../repository/records/records.ts";
import type { Feature } from "./feature.ts";

const PATHS = /^\/api\/(?:(?:user\/)?records(?:\/|$)|communities\/[^/]+\/records\/?$)/;

/** Memory for records as guests read them. */
const KEPT_OCTETS = 32 * 1024 * 1024;

export const recordsApiFeature: Feature = {
  door: ({ guard, store, clock, items, config, addresses, finder }) => {
    const entriesOf = recordEntries({ clock });
    const core = records({
      store,
      clock,
      items,
      itemType: config.toolItemType,
      keptOctets: KEPT_OCTETS,
      entriesOf,
      written: addresses,
    });
    const today = () => items.today();
    const lists = recordLists({ store, finder, records: core, entriesOf, today });
    return {
      plugin: recordPlugin({ guard, records: core, baseUrl: addresses.baseUrl }).use(
        recordListPlugin({ guard, lists, written: addresses, today }),
      ),
      dialectFor: (path) => (PATHS.test(path) ? recordDialect : null),
    };
  },
};
