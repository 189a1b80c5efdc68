// Records over HTTP in the dialect of existing record repositories, as a feature of the repository (R37).
import { recordDialect } from "../../../plugins/repository/record-dialect.ts";
import { exportedByAccept } from "../../../plugins/repository/records/exported.ts";
import { recordPlugin } from "../../../plugins/repository/records/records.ts";
import { recordEntries } from "../../repository/records/record-entries.ts";
import { records } from "../../repository/records/records.ts";
import type { Feature } from "./feature.ts";
import { recordExportsOf } from "./record-exports.ts";

const PATHS = /^\/api\/(?:user\/)?records(?:\/|$)/;

/** Memory for records as guests read them. */
const KEPT_OCTETS = 32 * 1024 * 1024;

export const recordsApiFeature: Feature = {
  door: (served) => {
    const { guard, store, clock, items, config, addresses } = served;
    const service = records({
      store,
      clock,
      items,
      itemType: config.toolItemType,
      keptOctets: KEPT_OCTETS,
      entriesOf: recordEntries({ clock }),
      written: addresses,
    });
    const exports = recordExportsOf(served);
    return {
      plugin: recordPlugin({
        guard,
        records: service,
        baseUrl: addresses.baseUrl,
        exported: exportedByAccept((viewer, id, format, options) =>
          service.inWords(viewer, async () => exports.write(viewer, await items.readable(viewer, id), format, options)),
        ),
      }),
      dialectFor: (path) => (PATHS.test(path) ? recordDialect : null),
    };
  },
};
