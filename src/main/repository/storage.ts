// The bytes of files, as a feature of the repository (R7, R8a).
import { setTimeout as sleep } from "node:timers/promises";
import { unpacking } from "../../adapters/unpacking.ts";
import { storageClaim } from "../../repository/items/storage-claim.ts";
import { storageJobs } from "../../repository/items/storage-jobs.ts";
import { storageCommands } from "../commands/repository/storage.ts";
import { storageCheck } from "../storage.ts";
import type { Feature } from "./feature.ts";

export const storageFeature: Feature = {
  commands: { "Look after": storageCommands },
  jobs: ({ config, store, files: { storage, location }, clock, random, log }) =>
    storageJobs({
      storage,
      claim: storageClaim({ storage, location, items: store.items, store, random }),
      hashing: unpacking(),
      items: store.items,
      store,
      clock,
      log,
      sleep: (ms) => sleep(ms),
      fullText: config.fullText,
    }),
  ready: ({ files }) => [storageCheck(files)],
};
