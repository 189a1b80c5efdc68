// The use cases of requests, made from what the repository is (R1): for its endpoints, its jobs and its commands.
import { type AccessRequests, accessRequests } from "../../repository/requests/access-requests.ts";
import { type Requests, requests } from "../../repository/requests/requests.ts";
import { most } from "../../shared/limits.ts";
import type { Log } from "../../shared/log.ts";
import { rateLimitOf } from "../process/edge-limits.ts";
import type { Core } from "./core.ts";
import { recordsOf } from "./record-core.ts";

export const requestsOf = (core: Core): Requests => {
  const { store, clock, random, items, addresses } = core;
  return requests({ store, clock, random, items, records: recordsOf(core), baseUrl: addresses.baseUrl });
};

export const guestRateOf = ({ store, log }: Pick<Core, "store"> & { readonly log: Log }) =>
  rateLimitOf("access-requests", most("guestRequestsAMinute"), store.arks.rates, log);

export const accessRequestsOf = ({ store, clock, random, items, config }: Core): AccessRequests =>
  accessRequests({ store, clock, random, items, isMailOn: config.smtpUrl !== null, timeZone: config.timeZone });

/** What pages need for requests for closed files. */
export const accessPagesOf = (served: Core & { readonly log: Log }) => ({
  access: accessRequestsOf(served),
  guestRate: guestRateOf(served),
  isMailOn: served.config.smtpUrl !== null,
});
