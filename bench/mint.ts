// What minting costs: single mints over HTTP with an API key, and bulk mints of 10,000 rows, on SQLite
// (synchronous=FULL) and PostgreSQL (fsync on). bun bench/mint.ts [--database sqlite|postgres|both] [--seconds 10]
// [--connections 32] [--rows 10000] [--bulks 8] [--json FILE]

import { parseArgs } from "node:util";
import { provision } from "../test/support/processes.ts";
import {
  cpuSeconds,
  type Measurement,
  machineState,
  measure,
  median,
  onDatabases,
  printMeasurements,
  quantile,
  rssMiB,
  type Server,
  startRole,
  writeJson,
} from "./lib.ts";

const { values } = parseArgs({
  options: {
    database: { type: "string", default: "both" },
    seconds: { type: "string", default: "10" },
    connections: { type: "string", default: "32" },
    rows: { type: "string", default: "10000" },
    bulks: { type: "string", default: "8" },
    json: { type: "string" },
  },
});

async function single(server: Server, key: string, name: string): Promise<Measurement> {
  const body = JSON.stringify({ shoulder: "99999/b1", url: "https://example.org/items/{n}", title: "A title" });
  const length = body.length - "{n}".length + 12;
  const request = `POST /api/mint HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
  const connections = Number(values.connections);
  await measure(server, { connections, requests: [request], seconds: 2 });
  const round = await measure(server, {
    connections,
    requests: [request],
    seconds: Number(values.seconds),
    counterFrom: 1e6,
  });
  if (Object.keys(round.statuses).join() !== "201") throw new Error(`${name}: ${JSON.stringify(round.statuses)}`);
  return { name, ...pick(round), rssMiB: rssMiB(server.pid) };
}

function pick(round: { cpuUsPerOp: number; opsPerSecond: number; p50Ms: number; p99Ms: number }) {
  const { cpuUsPerOp, opsPerSecond, p50Ms, p99Ms } = round;
  return { cpuUsPerOp, opsPerSecond, p50Ms, p99Ms };
}

async function bulk(server: Server, key: string, name: string): Promise<Measurement> {
  const rows = Number(values.rows);
  const times: number[] = [];
  const cpu: number[] = [];
  for (let call = 0; call < Number(values.bulks); call++) {
    const data = Array.from({ length: rows }, (_, row) => ({
      shoulder: "99999/b1",
      url: `https://example.org/items/${call}/${row}`,
      title: "A title",
      request_id: `${name}-${call}-${row}`,
    }));
    const body = JSON.stringify({ data });
    const before = cpuSeconds(server.pid);
    const startedAt = performance.now();
    const response = await fetch(`http://127.0.0.1:${server.port}/api/mint/bulk`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body,
    });
    const answer = await response.text();
    if (response.status !== 201) throw new Error(`${name}: ${response.status} ${answer.slice(0, 300)}`);
    times.push(performance.now() - startedAt);
    cpu.push(cpuSeconds(server.pid) - before);
  }
  const ms = median(times.slice(1));
  return {
    name,
    cpuUsPerOp: (median(cpu.slice(1)) * 1e6) / rows,
    opsPerSecond: (rows / ms) * 1000,
    p50Ms: ms,
    p99Ms: quantile(times.slice(1), 1),
    rssMiB: rssMiB(server.pid),
  };
}

async function onDatabase(database: string, url: string, folder: string): Promise<Measurement[]> {
  const key = await provision(folder, { SVC_DATABASE_URL: url });
  const server = await startRole("minter", folder, { SVC_DATABASE_URL: url });
  try {
    return [await single(server, key, `mint-${database}`), await bulk(server, key, `bulk-${database}`)];
  } finally {
    await server.stop();
  }
}

const machine = await machineState();
const results = await onDatabases(values.database, onDatabase);
process.stdout.write(machine.line);
process.stdout.write("mint-*: one op is one mint; bulk-*: one op is one row, p50/p99 are of whole calls\n");
printMeasurements(results);
writeJson(values.json, "mint", results, machine.figures);
