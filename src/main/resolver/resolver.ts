// Puts the resolver together: settings, replica, table, plugins (specification 1, "What the service does" 6; A44). Of
// the database it writes nothing.

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import process from "node:process";
import { openReplica } from "../../../db/resolver/replica.ts";
import { systemClock } from "../../adapters/clock.ts";
import { type Config, ConfigError } from "../../config.ts";
import { EMPTY_REGISTRY, type Registry, readRegistry } from "../../resolver/registry.ts";
import type { Replica } from "../../resolver/replica.ts";
import { sharedState } from "../../resolver/replica-recheck.ts";
import type { TableOrder } from "../../resolver/table/table-copy.ts";
import { TableFollower, type TableRefresh, type TableRefreshNeeds } from "../../resolver/table/table-refresh.ts";
import { errorMessage } from "../../shared/error-message.ts";
import type { Log } from "../../shared/log.ts";
import { metrics } from "../../shared/metrics.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Tracing } from "../../shared/tracing.ts";
import { resolverLane } from "../lane/resolver-lane.ts";
import { edgeGauges, edgeSettings } from "../process/edge-limits.ts";
import { eventLoopGauges } from "../process/event-loop.ts";
import {
  dataGauge,
  type ListenerState,
  listenerGauges,
  newListenerState,
  processGauges,
} from "../process/process-gauges.ts";
import type { Service } from "../process/role-parts.ts";
import { ResolverThreadPool, type ResolverThreads, type ResolverThreadsNeeds } from "../resolver-threads.ts";
import { snapshotPath, tableThreads } from "../table-threads.ts";
import { answeringNeeds } from "./resolver-answering.ts";
import { type ResolverAppNeeds, resolverApp } from "./resolver-app.ts";
import { tableGauges, threadGauges } from "./resolver-gauges.ts";

type ResolverParts = {
  readonly config: Config;
  readonly replica: Replica;
  readonly log: Log;
  readonly registry?: Registry;
  readonly clock?: Clock;
  readonly tracing?: Tracing | null;
  readonly listenerState?: ListenerState;
  /** How the table is built, kept and sent to other threads; on this thread alone where it is left out. */
  readonly table?: Pick<TableRefreshNeeds, "builder" | "snapshots" | "tell" | "state">;
  readonly threads?: () => ResolverThreads | null;
};

/** Set in tests alone: SIGUSR2 then ends one of the threads as a bug would. */
const CRASH_MARK = "ARKSTONE_TEST_CRASH";

/** Opens the replica (or the database itself, where none is set) and builds the resolver over it. */
export async function openResolver(config: Config, log: Log, tracing: Tracing | null = null): Promise<Service> {
  const registry = readRegistryFile(config, log);
  const url = config.replicaUrl ?? config.databaseUrl;
  const replica = await openReplica({ url });
  const state = sharedState();
  const count = (config.workers ?? availableParallelism()) - 1;
  let threads: ResolverThreads | null = null;
  const listenerState = newListenerState();
  const { needs, tables, answers } = resolverNeeds({
    config,
    replica,
    log,
    registry,
    tracing,
    listenerState,
    table: {
      ...tableThreads({ url, path: snapshotPath(config.dataDir, url) }),
      state,
      ...(count === 0 ? {} : { tell: (order: TableOrder) => threads?.tell(order) }),
    },
    threads: () => threads,
  });
  if (count > 0) {
    threads = new ResolverThreadPool({
      count,
      config,
      registry,
      state,
      log,
      wholeTable: () => tables.whole(),
      answers,
    });
    if (process.env[CRASH_MARK] === "1") process.on("SIGUSR2", () => threads?.crashOne());
  }
  return {
    handler: resolverApp(needs),
    lane: resolverLane(needs),
    notReady: answers.notReady,
    listenerState,
    threads: threads ?? undefined,
    // Loading continues while it listens: until the table is complete, /readyz and the names answer 503.
    start: async () => {
      threads?.start();
      void tables.start();
    },
    close: async () => {
      await threads?.stop(0);
      await tables.stop();
      await replica.close();
    },
  };
}

/** The resolver over a replica that is open already. `tables.start()` begins to load. */
export function composeResolver(parts: ResolverParts) {
  const { needs, tables, answers } = resolverNeeds(parts);
  return { handler: resolverApp(needs), tables, answers };
}

/** Every service of the resolver, what its frame has to know, and what other threads may ask it. */
export function resolverNeeds(parts: ResolverParts): {
  readonly needs: ResolverAppNeeds;
  readonly tables: TableRefresh;
  readonly answers: ResolverThreadsNeeds["answers"];
} {
  const {
    config,
    replica,
    log,
    registry = EMPTY_REGISTRY,
    clock = systemClock,
    threads = () => null,
    listenerState = newListenerState(),
  } = parts;
  const tables = new TableFollower({ replica, clock, intervalMs: config.refreshMs, log, registry, ...parts.table });
  const figures = metrics();
  const edge = edgeSettings(config, null, log);
  figures.add(
    ...processGauges(),
    ...listenerGauges(listenerState),
    ...eventLoopGauges(),
    ...edgeGauges(edge.load, [edge.addressRate]),
    dataGauge(config.dataDir),
  );
  figures.add(...tableGauges(tables, clock), ...threadGauges(threads));
  const answers = {
    notReady: async () => reasonsNotReady(tables, threads()),
    metrics: async () => figures.render(await threads()?.counts()),
  };
  const { observe, countFast } = figures;
  const needs = answeringNeeds({
    config,
    log,
    ...edge,
    tracing: parts.tracing ?? null,
    clock,
    replica,
    tables,
    metrics: { observe, countFast, render: answers.metrics },
    notReady: answers.notReady,
  });
  return { needs, tables, answers };
}

function reasonsNotReady(tables: TableRefresh, threads: ResolverThreads | null): string[] {
  const { loaded, replicaUp, behind } = tables.status();
  const areBehind = loaded && threads !== null && !threads.haveTable();
  return [
    ...(replicaUp ? [] : ["The database does not answer"]),
    ...(behind === null ? [] : [`The database is behind what was read before, waiting for it: ${behind}`]),
    ...(loaded ? [] : ["The table of names is not loaded yet"]),
    ...(areBehind ? ["Not every thread has the table of names yet"] : []),
  ];
}

/** The ARK Alliance's list (A45). A file that cannot be read stops the start; odd records in it never do. */
function readRegistryFile(config: Config, log: Log): Registry {
  const file = config.naanRegistry;
  if (file === null) return EMPTY_REGISTRY;
  let registry: Registry;
  try {
    registry = readRegistry(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const why = errorMessage(error);
    throw new ConfigError([`SVC_NAAN_REGISTRY="${file}" is not allowed: the NAAN registry as a JSON file (${why})`]);
  }
  log.info("naan_registry", { naans: registry.naans.size, odd_records: registry.problems.length });
  return registry;
}
