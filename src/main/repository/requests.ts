// Reviews of drafts, requests and their timeline, as a feature of the repository (R6a, R37).
import { recordDialect } from "../../../plugins/repository/record-dialect.ts";
import { accessRequestPlugin } from "../../../plugins/repository/requests/access-requests.ts";
import { requestPlugin } from "../../../plugins/repository/requests/requests.ts";
import { reviewPlugin } from "../../../plugins/repository/requests/reviews.ts";
import { taskPlugin } from "../../../plugins/repository/requests/tasks.ts";
import { communities } from "../../repository/communities/communities.ts";
import { tasksOf } from "../../repository/notices/tasks.ts";
import { recordCommunities } from "../../repository/requests/record-communities.ts";
import { requestJobs } from "../../repository/requests/request-jobs.ts";
import { taskDecisions } from "../../repository/requests/task-decisions.ts";
import { requestCommands } from "../commands/repository/request.ts";
import type { Feature } from "./feature.ts";
import { accessRequestsOf, guestRateOf, requestsOf } from "./request-core.ts";

const PATHS = /^\/api\/(?:(?:user\/)?requests|user\/(?:tasks|access-requests))(?:\/|$)/;

export const requestsFeature: Feature = {
  commands: { Items: requestCommands },
  jobs: (runtime) => {
    const { clock, config, log } = runtime;
    return requestJobs({
      requests: requestsOf(runtime),
      access: accessRequestsOf(runtime),
      clock,
      expiryDays: config.requestExpiryDays,
      log,
    });
  },
  endpoint: ({ guard, ...runtime }) => {
    const { store, clock, random, items, addresses, activities } = runtime;
    const [served, access] = [requestsOf(runtime), accessRequestsOf(runtime)];
    const guestRate = guestRateOf(runtime);
    const found = communities({ store, clock, random, baseUrl: addresses.baseUrl });
    const ofRecords = recordCommunities({ store, items }, found);
    return {
      plugin: requestPlugin({ guard, requests: served, access, baseUrl: addresses.baseUrl })
        .use(accessRequestPlugin({ guard, access, baseUrl: addresses.baseUrl, guestRate }))
        .use(reviewPlugin({ guard, requests: served, communities: ofRecords }))
        .use(
          taskPlugin({
            guard,
            tasksOf: (viewer, asked) => tasksOf({ store, activities }, viewer, asked),
            decideTasks: taskDecisions({ store, requests: served, activities }),
          }),
        ),
      dialectFor: (path) => (PATHS.test(path) ? recordDialect : null),
    };
  },
};
