// Items, their versions and ARKs, as a feature of the repository (R2a to R5, R8a).
import { itemJobs } from "../../repository/items/jobs.ts";
import { exportItemsCommand } from "../commands/repository/export-items.ts";
import { itemCommands } from "../commands/repository/item.ts";
import type { Feature } from "./feature.ts";
import { countGauges } from "./repository-gauges.ts";
import { mintingCheck } from "./repository-warnings.ts";

export const itemsFeature: Feature = {
  commands: { Items: [...itemCommands, exportItemsCommand] },
  jobs: ({ store, clock, config, items, log }) => itemJobs({ store, clock, timeZone: config.timeZone, items, log }),
  gauges: ({ store, files, clock }) =>
    countGauges({ counts: store.counts, incoming: files.incoming, clock, elapsedMs: () => performance.now() }),
  degraded: ({ config, store, clock }) => [mintingCheck({ config, credentials: store.arks, clock })],
};
