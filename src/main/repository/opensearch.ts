// OpenSearch as a feature of the repository (specification 3, "OpenSearch").
import { recordsDialect } from "../../../plugins/repository/errors.ts";
import { fieldSuggestionRoutes } from "../../../plugins/repository/opensearch/field-suggestions.ts";
import { openSearchRoutes } from "../../../plugins/repository/opensearch/opensearch.ts";
import { suggestionRoutes } from "../../../plugins/repository/opensearch/suggestions.ts";
import { FAVICON } from "../../assets/favicon.ts";
import { facetValues } from "../../repository/search/detail/facet-values.ts";
import { completion } from "../../repository/search/query/completion.ts";
import { openSearch } from "../../repository/search/query/open-search.ts";
import type { Feature, ServerRuntime } from "./feature.ts";
import { fieldSuggestionsOf } from "./field-suggestions.ts";

const PATHS = /^\/api\/(?:opensearch|suggestions)(?:\/|$)/;

export function openSearchOf({ store, addresses, clock, dayOf, config, items, search }: ServerRuntime) {
  const { repositoryName, facetBucketSize: bucketSize, opensearchShortName: shortName } = config;
  const values = facetValues({ store, today: items.today });
  const { finder } = search;
  return openSearch({ finder, store, addresses, clock, dayOf, repositoryName, shortName, bucketSize, values });
}

export const opensearchFeature: Feature = {
  endpoint: (served) => {
    const { guard, store, addresses, config } = served;
    const { finder } = served.search;
    const { baseUrl } = addresses;
    const suggestions = suggestionRoutes({ guard, completion: completion({ finder, store }), baseUrl });
    return {
      plugin: openSearchRoutes({
        guard,
        openSearch: openSearchOf(served),
        baseUrl,
        shortName: config.opensearchShortName,
        description: config.opensearchDescription,
        image: config.opensearchImage,
        icon: FAVICON,
      })
        .use(suggestions)
        .use(fieldSuggestionRoutes({ guard, fields: fieldSuggestionsOf(served) })),
      dialectFor: (path) => (PATHS.test(path) ? recordsDialect : null),
    };
  },
};
