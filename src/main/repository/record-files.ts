// Files of records as a feature of the repository (R7, R37).
import { recordDialect } from "../../../plugins/repository/record-dialect.ts";
import { recordFilesDoor } from "../../../plugins/repository/record-files/record-files.ts";
import { unpacking } from "../../adapters/unpacking.ts";
import { type RecordFiles, recordFiles } from "../../repository/record-files/record-files.ts";
import { goneIn } from "../../repository/records/record-reading.ts";
import type { Feature, House } from "./feature.ts";

const PATHS = /^\/api\/records\/[^/]+\/(?:draft\/)?(?:files|actions\/files-import)(?:[/-]|$)/;

export const recordFilesFeature: Feature = {
  door: (served) => {
    const { config, clock, guard, files, addresses } = served;
    return {
      plugin: recordFilesDoor({
        ...{ guard, files: recordFilesOf(served), storage: files.storage, baseUrl: addresses.baseUrl },
        ...{ clientSeconds: config.clientSeconds, leastBytesPerSecond: config.leastUploadRate },
        now: () => Date.parse(clock.now()),
      }),
      dialectFor: (path) => (PATHS.test(path) ? recordDialect : null),
    };
  },
};

/** The same for every door. */
export function recordFilesOf({ config, store, files, clock, random, items, addresses, log }: House): RecordFiles {
  return recordFiles({
    ...{ store, storage: files.storage, clock, random, items, log, unpacking: unpacking() },
    ...{ maxBytes: config.maxUploadBytes, baseUrl: addresses.baseUrl },
    gone: (viewer, id) => goneIn(store, viewer, id),
    mayFetch: () => false,
  });
}
