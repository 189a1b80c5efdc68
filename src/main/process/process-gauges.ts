// Figures of the process itself, and those that roles share: refused credentials, connections to the database, as
// Prometheus names them.
import { readdirSync, statfsSync } from "node:fs";
import process from "node:process";
import type { Store } from "../../ark/store.ts";
import type { Gauge } from "../../shared/metrics.ts";
import { openFilesLimit } from "./connection-limit.ts";

/** No reading where the system or the runtime's permissions do not give one. */
function readingOf(read: () => number): () => { readonly value: number }[] {
  return () => {
    try {
      const value = read();
      return Number.isFinite(value) ? [{ value }] : [];
    } catch {
      return [];
    }
  };
}

/** Room left for what the service keeps in files. */
export function dataGauge(folder: string): Gauge {
  return {
    name: "arkstone_data_free_bytes",
    help: "Free space of the file system that holds SVC_DATA_DIR",
    type: "gauge",
    read: readingOf(() => {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    }),
  };
}

export type ListenerState = {
  /** How often it took no connections for want of files, and whether it takes none now. */
  times: number;
  isPaused: boolean;
  /** When its certificate ends; null without TLS. */
  certificateExpires: Date | null;
};

export const newListenerState = (): ListenerState => ({ times: 0, isPaused: false, certificateExpires: null });

export function listenerGauges(listenerState: ListenerState): Gauge[] {
  return [
    {
      name: "arkstone_accepting_paused",
      help: "1 while no connections are taken, because too few files and sockets may still be opened",
      type: "gauge",
      read: () => [{ value: listenerState.isPaused ? 1 : 0 }],
    },
    {
      name: "arkstone_accepting_pauses_total",
      help: "Times that no connections were taken for want of files and sockets",
      type: "counter",
      read: () => [{ value: listenerState.times }],
    },
    {
      name: "arkstone_tls_certificate_expires_seconds",
      help: "When the certificate of this role expires, in seconds since 1970; absent without SVC_TLS_CERT",
      type: "gauge",
      read: () => {
        const { certificateExpires } = listenerState;
        return certificateExpires === null ? [] : [{ value: certificateExpires.getTime() / 1000 }];
      },
    },
  ];
}

export function processGauges(): Gauge[] {
  const startedSeconds = Date.now() / 1000 - process.uptime();
  return [
    {
      name: "process_resident_memory_bytes",
      help: "Memory of the process in RAM",
      type: "gauge",
      read: () => [{ value: process.memoryUsage().rss }],
    },
    {
      name: "process_open_fds",
      help: "Files and sockets that are open",
      type: "gauge",
      read: readingOf(() => readdirSync("/proc/self/fd").length),
    },
    {
      name: "process_max_fds",
      help: "Files and sockets that may be open",
      type: "gauge",
      read: readingOf(() => openFilesLimit() ?? Number.NaN),
    },
    {
      name: "process_heap_bytes",
      help: "Memory of the JavaScript heap in use",
      type: "gauge",
      read: () => [{ value: process.memoryUsage().heapUsed }],
    },
    {
      name: "process_start_time_seconds",
      help: "When the process started, in seconds since 1970",
      type: "gauge",
      read: () => [{ value: startedSeconds }],
    },
    {
      name: "process_cpu_seconds_total",
      help: "CPU time used",
      type: "counter",
      read: () => {
        const { user, system } = process.cpuUsage();
        return [{ value: (user + system) / 1e6 }];
      },
    },
  ];
}

/** Counts failed authentication by mode and cause; both are fixed words, so there are few series. */
export function refusedAttempts() {
  const counts = new Map<string, { readonly mode: string; readonly cause: string; times: number }>();
  return {
    note(mode: string, cause: string): void {
      const key = `${mode} ${cause}`;
      const count = counts.get(key) ?? { mode, cause, times: 0 };
      count.times += 1;
      counts.set(key, count);
    },
    gauge: {
      name: "arkstone_authentication_refused_total",
      help: "Credentials that were missing or not valid, by mode and cause",
      type: "counter" as const,
      read: () => [...counts.values()].map(({ mode, cause, times }) => ({ labels: { mode, cause }, value: times })),
    },
  };
}

export function poolGauge(store: Pick<Store, "pool">) {
  return {
    name: "arkstone_db_connections",
    help: "Connections to the database, and calls that wait for one",
    type: "gauge" as const,
    read: () => Object.entries(store.pool()).map(([state, value]) => ({ labels: { state }, value })),
  };
}
