// Reviews of drafts, requests and their timeline over HTTP, as a feature of the repository (R6a, R37).
import { recordDialect } from "../../../plugins/repository/record-dialect.ts";
import { requestPlugin } from "../../../plugins/repository/requests/requests.ts";
import { reviewPlugin } from "../../../plugins/repository/requests/reviews.ts";
import { communities } from "../../repository/communities/communities.ts";
import { recordCommunities } from "../../repository/requests/record-communities.ts";
import { type Requests, requests } from "../../repository/requests/requests.ts";
import type { Core } from "./core.ts";
import type { Feature } from "./feature.ts";
import { recordsOf } from "./records-api.ts";

const PATHS = /^\/api\/(?:user\/)?requests(?:\/|$)/;

/** The use cases of requests, for whichever door (R1). */
export const requestsOf = (core: Core): Requests => {
  const { store, clock, random, items, addresses } = core;
  return requests({ store, clock, random, items, records: recordsOf(core), baseUrl: addresses.baseUrl });
};

export const requestsFeature: Feature = {
  door: ({ guard, ...house }) => {
    const { store, clock, random, items, addresses } = house;
    const served = requestsOf(house);
    const found = communities({ store, clock, random, baseUrl: addresses.baseUrl });
    const ofRecords = recordCommunities({ store, items }, found);
    return {
      plugin: requestPlugin({ guard, requests: served }).use(
        reviewPlugin({ guard, requests: served, communities: ofRecords }),
      ),
      dialectFor: (path) => (PATHS.test(path) ? recordDialect : null),
    };
  },
};
