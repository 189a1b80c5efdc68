// Records in other formats, for the pages and the interfaces alike (R38).

import type { Viewer } from "../../auth/account.ts";
import { uiLanguage, withLabels } from "../../formats/record/ui.ts";
import { type RecordExports, recordExports } from "../../repository/exports/record-exports.ts";
import type { ReadableItem } from "../../repository/items/item-views.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import type { Runtime, ServerRuntime } from "./feature.ts";
import { recordsOf } from "./record-core.ts";

export function recordExportsOf(served: Runtime & Pick<ServerRuntime, "threads">): RecordExports {
  const { config, store, items, addresses, threads } = served;
  const asJson = recordsOf(served);
  const jsonOf = async (viewer: Viewer, readable: ReadableItem): Promise<string> =>
    JSON.stringify(await asJson.jsonOf(await asJson.publishedView(store, viewer, readable)));
  return recordExports({
    store,
    addresses,
    repositoryName: config.repositoryName,
    today: items.today,
    exporting: threads.exporting,
    own: {
      json: jsonOf,
      inveniordm: async (viewer, readable, { locale }) => {
        const record: JsonObject = JSON.parse(await jsonOf(viewer, readable));
        return JSON.stringify(withLabels(record, uiLanguage(locale)));
      },
    },
  });
}
