// The use cases of requests, made from what the repository is (R1): for its endpoints, its jobs and its commands.
import { type Requests, requests } from "../../repository/requests/requests.ts";
import type { Core } from "./core.ts";
import { recordsOf } from "./record-core.ts";

export const requestsOf = (core: Core): Requests => {
  const { store, clock, random, items, addresses } = core;
  return requests({ store, clock, random, items, records: recordsOf(core), baseUrl: addresses.baseUrl });
};
