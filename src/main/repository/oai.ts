// The interface for harvesters as a feature of the repository (R31, R36): its list is kept where jobs run, and answered
// everywhere.
import { setTimeout as sleep } from "node:timers/promises";
import { oai, oaiDialect } from "../../../plugins/repository/oai/oai.ts";
import { OAI_PATH } from "../../model/items/addresses.ts";
import type { RepositoryDescription } from "../../repository/oai/document.ts";
import { type Follower, HarvestFollower } from "../../repository/oai/follower.ts";
import { HarvestAnswers } from "../../repository/oai/harvesting.ts";
import type { Reading } from "../../shared/metrics.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { oaiCommands } from "../commands/repository/oai.ts";
import { rateLimitOf } from "../process/edge-limits.ts";
import { repeatedly } from "../process/repeatedly.ts";
import { within } from "../process/role-parts.ts";
import type { Background, Feature, Runtime, ServerRuntime } from "./feature.ts";
import { atMostEvery } from "./repository-gauges.ts";

/** Between two reads of the feed, when the last one found nothing. */
const POLL_MS = 1_000;

const COUNT_MS = 60_000;

const followerOf = ({ store, clock, random, log, dayOf }: Runtime): Follower =>
  new HarvestFollower({ store, clock, random, log, dayOf });

export const oaiFeature: Feature = {
  commands: { "Look after": oaiCommands },
  background: (runtime) => following(followerOf(runtime), runtime),
  gauges: ({ store }) => {
    let records: readonly Reading[] = [];
    let waiting: readonly Reading[] = [];
    const refresh = async (): Promise<void> => {
      const { shown, deleted, due } = await store.harvest.counts();
      records = [
        { labels: { state: "shown" }, value: shown },
        { labels: { state: "deleted" }, value: deleted },
      ];
      waiting = [{ value: due }];
    };
    return {
      refresh: atMostEvery(
        COUNT_MS,
        () => performance.now(),
        async () => void (await within(refresh)),
      ),
      gauges: [
        {
          name: "arkstone_oai_records",
          help: "Records that harvesters can read, by their current state; counted every minute",
          type: "gauge",
          read: () => records,
        },
        {
          name: "arkstone_oai_due",
          help: "Changes that harvesters cannot read yet; 0 where the list is up to date",
          type: "gauge",
          read: () => waiting,
        },
      ],
    };
  },
  endpoint: (served) => {
    const { config, store, clock, dayOf, addresses, threads } = served;
    const rate = rateLimitOf("harvest", config.oaiRatePerMinute, store.arks.rates, served.log);
    const answers = new HarvestAnswers({
      store,
      clock,
      dayOf,
      addresses,
      repositoryName: config.repositoryName,
      follower: followerOf(served),
      exporting: threads.exporting,
      pageSize: config.oaiPageSize,
    });
    return {
      plugin: oai({ harvesting: answers, described: describedBy(served), rate, clientSeconds: config.clientSeconds }),
      dialectFor: (path) => (path === OAI_PATH ? oaiDialect : null),
    };
  },
};

/**
 * Threads that build a search index wait for this thread at each part of what they make: the list of all records would
 * take every turn of it. A search that finds everything is missed sooner.
 */
const RESTS_PER_STEP = 4;

/** Steps while there is something to do, and a look now and then. */
function following(follower: Follower, { log, search }: Pick<Runtime, "log" | "search">): Background {
  return repeatedly({
    everyMs: POLL_MS,
    run: async (signal) => {
      for (let startedAt = performance.now(); !signal.aborted && (await follower.step()); ) {
        const restMs = RESTS_PER_STEP * (performance.now() - startedAt);
        if (search.follower.metrics().state === "building") await sleep(restMs, undefined, { signal }).catch(() => {});
        else await yieldToEventLoop();
        startedAt = performance.now();
      }
    },
    onError: (error) => log.warn("oai_away", { error }),
  });
}

function describedBy({ config, addresses }: ServerRuntime): RepositoryDescription {
  const host = addresses.oaiHost;
  return {
    baseUrl: addresses.oai,
    name: config.repositoryName,
    host,
    // RFC 2142: every domain has a postmaster. A host without a dot is this machine's own.
    adminMail: config.oaiAdminMail ?? `postmaster@${host.includes(".") ? host : `${host}.localdomain`}`,
    abstract: config.repositoryAbstract,
    collectionPolicy: { url: config.collectionPolicyUrl, text: config.collectionPolicyText },
    treatment: { url: config.treatmentUrl, text: config.treatmentText },
  };
}
