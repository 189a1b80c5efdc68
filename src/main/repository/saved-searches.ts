// Saved searches, as a feature of the repository (issue 26).
import { savedSearchRoutes } from "../../../plugins/repository/search/saved-searches.ts";
import { alertJobs } from "../../repository/saved-searches/alert-jobs.ts";
import { savedSearches } from "../../repository/saved-searches/saved-searches.ts";
import { facetValues } from "../../repository/search/detail/facet-values.ts";
import type { Feature, ServerRuntime } from "./feature.ts";

export const savedSearchesOf = ({ store, clock, random, config, items, finder }: ServerRuntime) =>
  savedSearches({
    store,
    clock,
    random,
    finder,
    timeZone: config.timeZone,
    values: facetValues({ store, today: items.today }),
  });

/** Refusals below its path are those of src/main/repository/records.ts. */
export const savedSearchesFeature: Feature = {
  jobs: ({ store, clock, config, items, finder, log }) =>
    alertJobs({
      ...{ store, clock, finder, log },
      timeZone: config.timeZone,
      isMailOn: config.smtpUrl !== null && config.mailFrom !== null,
      values: facetValues({ store, today: items.today }),
    }),
  endpoint: (served) => ({
    plugin: savedSearchRoutes({
      guard: served.guard,
      baseUrl: served.addresses.baseUrl,
      savedSearches: savedSearchesOf(served),
    }),
  }),
};
