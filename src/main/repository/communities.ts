// Communities and their members over HTTP, as a feature of the repository (R6a, R37).
import { communityPlugin } from "../../../plugins/repository/communities/communities.ts";
import { recordDialect } from "../../../plugins/repository/record-dialect.ts";
import { communities } from "../../repository/communities/communities.ts";
import { logos } from "../../repository/communities/logos.ts";
import { members } from "../../repository/communities/members.ts";
import { most } from "../../shared/limits.ts";
import type { Feature } from "./feature.ts";

const PATHS = /^\/api\/(?:user\/)?communities(?:\/|$)/;

export const communitiesFeature: Feature = {
  endpoint: ({ guard, store, clock, random, addresses: { baseUrl } }) => ({
    plugin: communityPlugin({
      guard,
      communities: communities({ store, clock, random, baseUrl }),
      members: members({ store, clock, baseUrl }),
      logos: logos({ store, clock, baseUrl }),
      logoBytes: (request) => guard.document(request, most("logoBytes")),
    }),
    dialectFor: (path) => (PATHS.test(path) ? recordDialect : null),
  }),
};
