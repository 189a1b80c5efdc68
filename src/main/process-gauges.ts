// Figures of the process itself, as Prometheus names them.
import process from "node:process";
import type { Gauge } from "../domain/metrics.ts";

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
