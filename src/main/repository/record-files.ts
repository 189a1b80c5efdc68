// Files of records as a feature of the repository (R7, R37).
import { recordDialect } from "../../../plugins/repository/record-dialect.ts";
import { recordFileRoutes } from "../../../plugins/repository/record-files/record-files.ts";
import { guardedFetch } from "../../adapters/guarded-fetch.ts";
import { unpacking } from "../../adapters/unpacking.ts";
import type { Config } from "../../config.ts";
import { openZip } from "../../repository/deposit/zip-archive.ts";
import { recordFileJobs } from "../../repository/record-files/jobs.ts";
import { type RecordFiles, recordFiles } from "../../repository/record-files/record-files.ts";
import { type FetchRules, mayFetchFrom } from "../../repository/record-files/remote-files.ts";
import { UNPACKED_LIMITS } from "../../repository/record-files/unpacking-files.ts";
import { goneIn } from "../../repository/records/record-reading.ts";
import { USER_AGENT } from "../version.ts";
import type { Feature, Runtime } from "./feature.ts";

const PATHS = /^\/api\/records\/[^/]+\/(?:draft\/)?(?:files|actions\/files-(?:import|unpack))(?:[/-]|$)/;

export const recordFilesFeature: Feature = {
  jobs: ({ config, store, files, clock, log }) =>
    recordFileJobs({
      store,
      storage: files.storage,
      maxBytes: config.maxUploadBytes,
      clock,
      log,
      remote: guardedFetch({
        mayFetch: (url) => mayFetchFrom(fetchRules(config), url),
        maxBytes: config.maxUploadBytes,
        seconds: config.fileFetchSeconds,
        redirects: config.fileFetchRedirects,
        userAgent: USER_AGENT,
      }),
    }),
  endpoint: (served) => {
    const { config, clock, guard, files, addresses, usage } = served;
    return {
      plugin: recordFileRoutes({
        guard,
        files: recordFilesOf(served),
        storage: files.storage,
        baseUrl: addresses.baseUrl,
        usage,
        clientSeconds: config.clientSeconds,
        leastBytesPerSecond: config.leastUploadRate,
        now: () => Date.parse(clock.now()),
      }),
      dialectFor: (path) => (PATHS.test(path) ? recordDialect : null),
    };
  },
};

const fetchRules = ({ fileFetchDomains, fileFetchHttp }: Config): FetchRules => ({
  domains: fileFetchDomains,
  http: fileFetchHttp,
});

/** The same for every endpoint. */
export function recordFilesOf({ config, store, files, clock, random, items, addresses, log }: Runtime): RecordFiles {
  const machinery = unpacking();
  return recordFiles({
    async openArchive(source) {
      const archive = await openZip(source, machinery, UNPACKED_LIMITS);
      return archive.entries.map((entry) => ({
        ...{ path: entry.path, isFolder: entry.isFolder, sizeBytes: entry.sizeBytes },
        pieces: () => archive.readEntry(entry),
      }));
    },
    store,
    storage: files.storage,
    clock,
    random,
    items,
    log,
    unpacking: machinery,
    maxBytes: config.maxUploadBytes,
    baseUrl: addresses.baseUrl,
    gone: (viewer, id) => goneIn(store, viewer, id),
    mayFetch: (url) => mayFetchFrom(fetchRules(config), url),
  });
}
