// Statistics of use as a feature of the repository (R39, R51). Endpoints count by `usage` (src/main/process/usage.ts).
import { statisticsRoutes } from "../../../plugins/repository/statistics/statistics.ts";
import { figures } from "../../repository/figures/figures.ts";
import { usageJobs } from "../../repository/statistics/usage-jobs.ts";
import { statsCommands } from "../commands/repository/item-stats.ts";
import type { Feature, ServerRuntime } from "./feature.ts";

export const figuresOf = ({ store, items, usage }: Pick<ServerRuntime, "store" | "items" | "usage">) =>
  figures({ store, items, today: items.today, countedUntil: () => usage.countedUntil() });

export const statisticsFeature: Feature = {
  commands: { Items: statsCommands },
  jobs: ({ store, clock, dayOf }) => usageJobs({ store, clock, dayOf }),
  endpoint: (served) => ({ plugin: statisticsRoutes({ guard: served.guard, figures: figuresOf(served) }) }),
};
