// Searching in a process (R34): the engine of the settings, the follower that keeps it right, and the finder over both.
// Begun by the server, or by the first who asks.
import { basename, join } from "node:path";
import { holdLock } from "../../db/engine/process-lock.ts";
import { MEMORY } from "../../db/engine/sqlite-handle.ts";
import { openEmbeddedIndex } from "../../db/search/embedded-index.ts";
import { inspectIndexes } from "../../db/search/index-inspection.ts";
import type { KnownCollections } from "../adapters/typesense/known-collections.ts";
import type { Config } from "../config.ts";
import type { IndexSchema } from "../repository/search/document/document.ts";
import type { DocumentThreads } from "../repository/search/index/document-threads.ts";
import { type Follower, IndexFollower } from "../repository/search/index/index-follower.ts";
import { IndexUnavailable, type OpenIndex, type SearchIndex } from "../repository/search/index/index-port.ts";
import { type Lease, writerLease } from "../repository/search/index/writer-lease.ts";
import type { Finder } from "../repository/search/query/finder.ts";
import {
  type FindingNeeds,
  IndexFinder,
  QUERY_KINDS,
  type QueryKind,
} from "../repository/search/query/index-finder.ts";
import { relevantFirst } from "../repository/search/query/relevance.ts";
import { widening } from "../repository/search/query/widening.ts";
import type { RepositoryStore } from "../repository/store/store.ts";
import type { Log } from "../shared/log.ts";
import type { Gauge } from "../shared/metrics.ts";
import type { Clock } from "../shared/time/clock.ts";
import { inTime } from "../shared/time/event-loop.ts";
import { documentThreads } from "./document-threads.ts";
import { startIndexThread } from "./index-thread.ts";

export type Search = {
  readonly finder: Finder;
  readonly follower: Follower;
  readonly gauges: readonly Gauge[];
  /** Opens the index and follows; the second time it is the same start. */
  readonly start: () => Promise<void>;
  readonly isStarted: () => boolean;
  readonly close: () => Promise<void>;
};

export type SearchParts = {
  readonly config: Config;
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly log: Log;
};

/** Nothing is opened before the start. */
export function searchOf({ config, store, clock, log }: SearchParts): Search {
  const { timeZone, searchWaitMs: waitMs } = config;
  const times = queryTimes();
  const lease = writingLease({ config, store, clock });
  const follower = new IndexFollower({
    store,
    open: engineOf(config, store, log),
    clock,
    timeZone,
    log,
    waitMs,
    lease,
    threads: threadsOf(config),
  });
  let started: Promise<void> | null = null;
  const start = (): Promise<void> => {
    started ??= follower.start();
    return started;
  };
  // A query before the index is open waits for it, and no longer than for what was committed before the query.
  const open = async (): Promise<void> => {
    const isOpen = await inTime(
      start().then(() => true),
      waitMs,
      () => false,
    );
    if (!isOpen) throw new IndexUnavailable("The search index is being opened");
  };
  const begun: FindingNeeds["follower"] = {
    answering: () => follower.answering(),
    doubt: () => follower.doubt(),
    async unfollowed() {
      await open();
      return await follower.unfollowed();
    },
    async settled() {
      await open();
      await follower.settled();
    },
  };
  return {
    finder: widening(
      relevantFirst(new IndexFinder({ store, follower: begun, clock, timeZone, noteQuery: times.note })),
    ),
    follower,
    gauges: [...times.gauges, ...followerGauges(follower)],
    start,
    isStarted: () => started !== null,
    async close() {
      if (started === null) return;
      await started;
      await follower.stop();
    },
  };
}

/** An index as an observer sees it, whichever process follows it. */
export type SeenIndex = Pick<SearchIndex, "digests" | "engine" | "position"> & {
  readonly name: string;
  /** Of the schema of now, and whole. */
  readonly isCurrent: boolean;
  /** A process follows it. */
  readonly isInUse: boolean;
  readonly documents: number;
  readonly sizeBytes: number | null;
  readonly close: () => Promise<void>;
};

/** The indexes that this machine's processes answer from, or the one that all share. */
export async function lookAtIndexes(
  { config, store, log }: Pick<SearchParts, "config" | "store" | "log">,
  schema: IndexSchema,
): Promise<readonly SeenIndex[]> {
  if (isShared(config)) return await sharedIndexes({ config, store, log }, schema);
  const found = await inspectIndexes(searchFolder(config), holdLock, schema);
  return found.map(({ path, digests, position, close, isCurrent, isInUse, documents, sizeBytes }) => ({
    engine: "embedded",
    name: basename(path),
    digests,
    isCurrent,
    isInUse,
    documents,
    sizeBytes,
    position: async () => position(),
    close: async () => close(),
  }));
}

/**
 * The collection that answers, which counts as followed: no process can know. Then those that are built or were left
 * behind.
 */
async function sharedIndexes(
  { config, store, log }: Pick<SearchParts, "config" | "store" | "log">,
  schema: IndexSchema,
): Promise<readonly SeenIndex[]> {
  const { typesenseCollection } = config;
  const index = await engineOf(config, store, log)(schema);
  const { engine, documents, sizeBytes, position, name } = await index.status();
  const answering: SeenIndex = {
    engine,
    documents,
    sizeBytes,
    name: name ?? typesenseCollection,
    isCurrent: position !== null,
    isInUse: true,
    digests: (after, limit) => index.digests(after, limit),
    position: () => index.position(),
    close: () => index.close(),
  };
  const others = (await store.searching.searchCollections())
    .filter((each) => each.name.startsWith(`${typesenseCollection}_`) && each.name !== name)
    .map(({ name: other, state, least }) => ({
      engine,
      name: other,
      isCurrent: false,
      isInUse: state === "building",
      documents: least,
      sizeBytes: null,
      digests: async () => [],
      position: async () => null,
      close: async () => {},
    }));
  return [answering, ...others];
}

/** Whether no other process writes the index that all share: then this one does, for as long as it renews that. */
export function writingLease({ config, store, clock }: Pick<SearchParts, "config" | "store" | "clock">): Lease | null {
  if (!isShared(config)) return null;
  return writerLease({ store, clock, owner: crypto.randomUUID(), elapsedMs: () => performance.now() });
}

/** A database in memory is of this thread alone. */
const threadsOf = ({ databaseUrl }: Config): DocumentThreads | null =>
  databaseUrl === MEMORY ? null : documentThreads(databaseUrl);

const searchFolder = ({ dataDir }: Config): string => join(dataDir, "search");

const isShared = ({ typesenseUrl }: Config): boolean => typesenseUrl.length > 0;

/** Embedded by default: each process has its own index in the data folder, whatever the database is. */
function engineOf(config: Config, store: RepositoryStore, log: Log): OpenIndex {
  const { typesenseUrl: urls, typesenseApiKey, typesenseCollection: name } = config;
  if (isShared(config)) {
    // A server does not start without the key; a reader without it gets the refusal of Typesense.
    const apiKey = typesenseApiKey ?? "";
    return async (schema) => {
      // Its client is loaded by those who use it.
      const { typesenseIndex } = await import("../adapters/typesense-index.ts");
      return typesenseIndex({ urls, apiKey, name, collections: collectionsIn(store), log })(schema);
    };
  }
  return openEmbeddedIndex({ folder: searchFolder(config), hold: holdLock, startThread: startIndexThread });
}

const collectionsIn = (store: RepositoryStore): KnownCollections => ({
  all: () => store.searching.searchCollections(),
  save: (collection) => store.transact((tx) => tx.searchWriting.saveSearchCollection(collection)),
  remove: (name) => store.transact((tx) => tx.searchWriting.removeSearchCollection(name)),
});

function queryTimes() {
  const times = new Map<QueryKind, { count: number; ms: number }>(
    QUERY_KINDS.map((kind) => [kind, { count: 0, ms: 0 }]),
  );
  const read = (value: (one: { readonly count: number; readonly ms: number }) => number) => () =>
    [...times].map(([kind, one]) => ({ labels: { kind }, value: value(one) }));
  const gauges: readonly Gauge[] = [
    {
      name: "arkstone_search_queries_total",
      help: "Questions to the search index: pages by number, pages behind a cursor, counts alone, and pages of exports",
      type: "counter",
      read: read(({ count }) => count),
    },
    {
      name: "arkstone_search_query_seconds_total",
      help: "Time the search index took for them",
      type: "counter",
      read: read(({ ms }) => ms / 1000),
    },
  ];
  return {
    gauges,
    note(kind: QueryKind, ms: number): void {
      const one = times.get(kind);
      if (one === undefined) return;
      one.count += 1;
      one.ms += ms;
    },
  };
}

const followerGauges = (follower: Follower): readonly Gauge[] => [
  {
    name: "arkstone_search_lag_seconds",
    help: "Since when something that was committed is not in the search index yet; 0: everything is",
    type: "gauge",
    read: () => [{ value: follower.metrics().lagMs / 1000 }],
  },
  {
    name: "arkstone_search_queue",
    help: "Indexes whose items are still to be written to the search index again",
    type: "gauge",
    read: () => [{ value: follower.metrics().queue }],
  },
  {
    name: "arkstone_search_building",
    help: "Documents put into the search index that is being built; 0: none is",
    type: "gauge",
    read: () => {
      const { state, built } = follower.metrics();
      return [{ value: state === "building" ? built : 0 }];
    },
  },
];
