// Records over HTTP in the dialect of existing record repositories, as a feature of the repository (R37).

import { exportedByAccept } from "../../../plugins/repository/export-response.ts";
import { recordDialect } from "../../../plugins/repository/record-dialect.ts";
import { recordListPlugin } from "../../../plugins/repository/records/lists.ts";
import { recordPlugin } from "../../../plugins/repository/records/records.ts";
import { transferPlugin } from "../../../plugins/repository/records/transfers.ts";
import { likelyDuplicates } from "../../repository/record-lists/likely-duplicates.ts";
import { transferring } from "../../repository/records/transferring.ts";
import type { Feature } from "./feature.ts";
import { recordListsOf, recordsOf } from "./record-core.ts";
import { recordExportsOf } from "./record-exports.ts";

const PATHS = /^\/api\/(?:(?:user\/)?records(?:\/|$)|transfers\/|communities\/[^/]+\/records\/?$)/;

/** Counts of a hit in a list are as old as this at the most. */
const COUNTS_KEPT_MS = 600_000;

export const recordsApiFeature: Feature = {
  endpoint: (served) => {
    const { guard, clock, items, addresses } = served;
    const core = recordsOf(served);
    const period = () => `${items.today()} ${Math.floor(Date.parse(clock.now()) / COUNTS_KEPT_MS)}`;
    const lists = recordListsOf(served, core);
    const exports = recordExportsOf(served);
    const exported = exportedByAccept((viewer, id, format, options) =>
      core.inWords(viewer, async () => exports.write(viewer, await items.readable(viewer, id), format, options)),
    );
    return {
      plugin: recordListPlugin({ guard, lists, duplicates: likelyDuplicates(served), written: addresses, period })
        .use(recordPlugin({ guard, records: core, baseUrl: addresses.baseUrl, exported }))
        .use(transferPlugin({ guard, transferring: transferring(served, core), baseUrl: addresses.baseUrl })),
      dialectFor: (path) => (PATHS.test(path) ? recordDialect : null),
    };
  },
};
