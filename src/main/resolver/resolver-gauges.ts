// Figures of the resolver's table and threads, as Prometheus names them.

import type { TableRefresh } from "../../resolver/table/table-refresh.ts";
import type { Gauge } from "../../shared/metrics.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { ResolverThreads } from "../resolver-threads.ts";

export function tableGauges(tables: TableRefresh, clock: Clock): Gauge[] {
  const ageSeconds = (): number => {
    const { lastRefreshAt } = tables.status();
    return lastRefreshAt === null ? -1 : (Date.parse(clock.now()) - Date.parse(lastRefreshAt)) / 1000;
  };
  const heldSeconds = (): number => {
    const since = tables.status().horizonSinceMs;
    return since === null ? 0 : (Date.now() - since) / 1000;
  };
  const one = (type: Gauge["type"], name: string, help: string, value: () => number): Gauge => ({
    name: `arkstone_${name}`,
    help,
    type,
    read: () => [{ value: value() }],
  });
  return [
    one("gauge", "table_names", "Names in the table", () => tables.status().names),
    one(
      "gauge",
      "table_overlay_names",
      "Names that changed since the base of the table was built",
      () => tables.status().overlayNames,
    ),
    one(
      "gauge",
      "table_base_bytes",
      "Size of the base of the table, targets included",
      () => tables.status().baseBytes,
    ),
    one(
      "gauge",
      "table_age_seconds",
      "Since the table was last known to be as new as the database it reads; -1 before the first time",
      ageSeconds,
    ),
    one("counter", "table_rebuilds_total", "Times the table was built whole", () => tables.status().rebuilds),
    one(
      "counter",
      "table_base_rebuilds_total",
      "Times recent changes were taken into a new base",
      () => tables.status().baseRebuilds,
    ),
    one("counter", "table_snapshots_total", "Snapshots written", () => tables.status().snapshotsWritten),
    one("counter", "table_changes_total", "Changes read from the feed", () => tables.status().changes),
    one("gauge", "replica_up", "1 while the database it reads answers", () => (tables.status().replicaUp ? 1 : 0)),
    one(
      "gauge",
      "replica_behind",
      "1 while the database it reads is behind what was applied already and is waited for",
      () => (tables.status().behind === null ? 0 : 1),
    ),
    one(
      "gauge",
      "feed_window_rows",
      "Changes of the last poll of the feed that had been applied already and were skipped",
      () => tables.status().windowRows,
    ),
    one(
      "gauge",
      "feed_open_transactions",
      "Transactions at work that may still bring changes from before the last look",
      () => tables.status().openTransactions,
    ),
    one(
      "gauge",
      "feed_horizon_age_seconds",
      "Since the oldest transaction that holds the feed's horizon back has been seen; 0 when none does",
      heldSeconds,
    ),
  ];
}

/** `threads`: all except the first one; null where there is only that. */
export function threadGauges(threads: () => ResolverThreads | null): Gauge[] {
  return [
    {
      name: "arkstone_workers",
      help: "Threads that answer requests",
      type: "gauge",
      read: () => [{ value: 1 + (threads()?.listening() ?? 0) }],
    },
    {
      name: "arkstone_workers_restarted_total",
      help: "Threads that died and were replaced",
      type: "counter",
      read: () => [{ value: threads()?.restarts() ?? 0 }],
    },
  ];
}
