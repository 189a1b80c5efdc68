// Searching as a feature of the repository (R34): its metrics, and what /readyz reports while it is not up to date.

import type { Check } from "../../operating/readiness.ts";
import { feedJobs } from "../../repository/search/index/feed-jobs.ts";
import type { Reading } from "../../shared/metrics.ts";
import { searchCommands } from "../commands/repository/search.ts";
import { within } from "../process/role-parts.ts";
import type { Feature, Runtime } from "./feature.ts";
import { atMostEvery } from "./repository-gauges.ts";

const COUNT_MS = 5_000;
/** A lag above this is reported. */
const LAG_REPORTED_MS = 30_000;

function searchCheck({ search: { follower, isStarted } }: Runtime): Check {
  return {
    async ask() {
      if (!isStarted()) return null;
      const { state, built, lagMs, trouble } = follower.metrics();
      if (state === "building") return `The search index is being built: ${built} documents so far`;
      if (trouble !== null) return `Searching is not possible or not up to date: ${trouble}`;
      if (state === "starting") return "The search index is not open";
      return lagMs > LAG_REPORTED_MS ? `The search index is ${Math.round(lagMs / 1000)} s behind the database` : null;
    },
    silent: "The search index does not answer",
  };
}

/** A process that serves the tools alone cannot do its work before it can search. */
const openCheck = ({ search: { follower, isStarted } }: Runtime): Check => ({
  async ask() {
    const { state, built } = follower.metrics();
    if (state === "building") return `The search index is being built: ${built} documents so far`;
    return isStarted() && state !== "starting" ? null : "The search index is not open";
  },
  silent: "The search index does not answer",
});

export const searchForTools = ({ degraded, gauges }: Feature): Feature => ({
  ...(degraded === undefined ? {} : { degraded }),
  ...(gauges === undefined ? {} : { gauges }),
  ready: (runtime) => [openCheck(runtime)],
});

export const searchFeature: Feature = {
  commands: { "Look after": searchCommands },
  jobs: ({ store, clock, log }) => feedJobs({ store, clock, log }),
  // Everything else works without it.
  degraded: (runtime) => [searchCheck(runtime)],
  gauges: ({ search: { follower, gauges } }) => {
    let documents: readonly Reading[] = [];
    let bytes: readonly Reading[] = [];
    const count = async (): Promise<void> => {
      const status = await follower.answering().index.status();
      const labels = { engine: status.engine };
      documents = [{ labels, value: status.documents }];
      bytes = status.sizeBytes === null ? [] : [{ labels, value: status.sizeBytes }];
    };
    return {
      refresh: atMostEvery(
        COUNT_MS,
        () => performance.now(),
        async () => {
          [documents, bytes] = [[], []];
          await within(count);
        },
      ),
      gauges: [
        ...gauges,
        {
          name: "arkstone_search_documents",
          help: "Documents of the search index",
          type: "gauge",
          read: () => documents,
        },
        {
          name: "arkstone_search_bytes",
          help: "Bytes of the search index, where they are known",
          type: "gauge",
          read: () => bytes,
        },
      ],
    };
  },
};
