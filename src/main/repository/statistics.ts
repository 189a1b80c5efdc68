// Statistics of use as a feature of the repository (R39). Endpoints count by `usage` (src/main/process/usage.ts).
import { usageJobs } from "../../repository/statistics/usage-jobs.ts";
import { statsCommands } from "../commands/repository/item-stats.ts";
import type { Feature } from "./feature.ts";

export const statisticsFeature: Feature = {
  commands: { Items: statsCommands },
  jobs: ({ store, clock, dayOf }) => usageJobs({ store, clock, dayOf }),
};
