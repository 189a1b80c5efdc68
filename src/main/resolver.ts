// Puts the resolver together: settings, replica, table, plugins (law, "What the service does" 6; A44). It writes nothing.
import { readFileSync } from "node:fs";
import { openReplica } from "../../db/replica.ts";
import { systemClock } from "../adapters/clock.ts";
import { type Config, ConfigError } from "../config.ts";
import { type Metrics, metrics } from "../domain/metrics.ts";
import { EMPTY_REGISTRY, type Registry, readRegistry } from "../domain/resolution/registry.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Replica } from "../ports/replica.ts";
import { descriptions } from "../services/descriptions.ts";
import { type TableRefresh, tableRefresh } from "../services/table-refresh.ts";
import { type ResolverAppNeeds, resolverApp } from "./app.ts";
import { RESOLVER_DOCUMENT } from "./documents.ts";
import { processGauges } from "./process-gauges.ts";
import { frameSettings, type Service } from "./service.ts";

export type ResolverParts = {
  readonly config: Config;
  readonly replica: Replica;
  readonly log: Log;
  readonly registry?: Registry;
  readonly clock?: Clock;
};

/** Opens the replica (or the database itself, where none is set) and builds the resolver over it. */
export async function openResolver(config: Config, log: Log): Promise<Service> {
  if (config.workers > 1) {
    const warning = `SVC_WORKERS=${config.workers} has no effect yet: start more resolvers with SVC_SHARE_PORT=1 instead`;
    log.warn("settings", { warning });
  }
  const registry = readRegistryFile(config, log);
  const replica = await openReplica({ url: config.replicaUrl ?? config.databaseUrl });
  const { handler, tables } = composeResolver({ config, replica, log, registry });
  return {
    handler,
    // Loading goes on beside the listener: until the table stands, /readyz and the names say 503.
    start: async () => void tables.start(),
    close: async () => {
      await tables.stop();
      await replica.close();
    },
  };
}

/** The resolver over a replica that is open already. `tables.start()` begins to load. */
export function composeResolver(parts: ResolverParts): {
  readonly handler: Service["handler"];
  readonly tables: TableRefresh;
} {
  const { needs, tables } = resolverNeeds(parts);
  return { handler: resolverApp(needs), tables };
}

/** Every service of the resolver, and what its frame has to know. */
export function resolverNeeds({
  config,
  replica,
  log,
  registry = EMPTY_REGISTRY,
  clock = systemClock,
}: ResolverParts): {
  readonly needs: ResolverAppNeeds;
  readonly tables: TableRefresh;
} {
  const tables = tableRefresh({ replica, clock, intervalMs: config.refreshMs, log, registry });
  const figures = metrics();
  figures.add(...processGauges());
  addTableGauges(figures, tables, clock);
  const { resolveUnpublished } = config;
  const needs: ResolverAppNeeds = {
    ...frameSettings(config, log),
    document: RESOLVER_DOCUMENT,
    metrics: figures,
    metricsPublic: config.metrics === "public",
    notReady: async () => notReady(tables),
    tables,
    clock,
    descriptions: descriptions({ replica, clock, resolveUnpublished }),
    settings: {
      baseUrl: config.baseUrl,
      rootPath: config.rootPath,
      allowedHosts: config.allowedHosts,
      globalResolver: config.globalResolver,
      resolveUnpublished,
      rawUriHeader: config.rawUriHeader,
      tombstoneStatus: config.tombstoneStatus,
      redirectMaxAgeSeconds: config.redirectMaxAgeSeconds,
      lang: config.lang,
    },
  };
  return { needs, tables };
}

function notReady(tables: TableRefresh): string[] {
  const { loaded, replicaUp, behind } = tables.status();
  return [
    ...(replicaUp ? [] : ["The database does not answer"]),
    ...(behind === null ? [] : [`The database is behind what was read before, waiting for it: ${behind}`]),
    ...(loaded ? [] : ["The table of names is not loaded yet"]),
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
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`SVC_NAAN_REGISTRY="${file}" is not allowed: the NAAN registry as a JSON file (${why})`]);
  }
  log.info("naan_registry", { naans: registry.naans.size, odd_records: registry.problems.length });
  return registry;
}

function addTableGauges(figures: Metrics, tables: TableRefresh, clock: Clock): void {
  const { status } = tables;
  const ageSeconds = (): number => {
    const { lastRefreshAt } = status();
    return lastRefreshAt === null ? -1 : (Date.parse(clock.now()) - Date.parse(lastRefreshAt)) / 1000;
  };
  const heldSeconds = (): number => {
    const since = status().horizonSinceMs;
    return since === null ? 0 : (Date.now() - since) / 1000;
  };
  figures.add(
    {
      name: "arkstone_table_names",
      help: "Names in the table",
      type: "gauge",
      read: () => [{ value: status().names }],
    },
    {
      name: "arkstone_table_age_seconds",
      help: "Since the table was last known to be as new as the database it reads; -1 before the first time",
      type: "gauge",
      read: () => [{ value: ageSeconds() }],
    },
    {
      name: "arkstone_table_rebuilds_total",
      help: "Times the table was built whole",
      type: "counter",
      read: () => [{ value: status().rebuilds }],
    },
    {
      name: "arkstone_table_changes_total",
      help: "Changes read from the feed",
      type: "counter",
      read: () => [{ value: status().changes }],
    },
    {
      name: "arkstone_replica_up",
      help: "1 while the database it reads answers",
      type: "gauge",
      read: () => [{ value: status().replicaUp ? 1 : 0 }],
    },
    {
      name: "arkstone_replica_behind",
      help: "1 while the database it reads is behind what was applied already and is waited for",
      type: "gauge",
      read: () => [{ value: status().behind === null ? 0 : 1 }],
    },
    {
      name: "arkstone_feed_window_rows",
      help: "Changes of the last look at the feed that had been applied already and were skipped",
      type: "gauge",
      read: () => [{ value: status().windowRows }],
    },
    {
      name: "arkstone_feed_open_transactions",
      help: "Transactions at work that may still bring changes from before the last look",
      type: "gauge",
      read: () => [{ value: status().openTransactions }],
    },
    {
      name: "arkstone_feed_horizon_age_seconds",
      help: "Since the oldest transaction that holds the feed's horizon back has been seen; 0 when none does",
      type: "gauge",
      read: () => [{ value: heldSeconds() }],
    },
  );
}
