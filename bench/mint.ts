// What minting costs: single mints over HTTP with an API key, and bulk mints of 10,000 rows, on SQLite (synchronous=FULL) and PostgreSQL (fsync on).
// bun bench/mint.ts [--database sqlite|postgres|both] [--seconds 10] [--connections 32] [--rows 10000] [--bulks 8] [--json FILE]

import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../test/support/postgres.ts";
import { provision } from "../test/support/processes.ts";
import {
  cpuSeconds,
  fdatasyncMs,
  freePort,
  idleShare,
  measure,
  median,
  printTable,
  quantile,
  rssMiB,
  type Server,
  startServer,
  workFolder,
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

type Result = {
  readonly name: string;
  readonly cpuUsPerOp: number;
  readonly opsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssMiB: number;
};

async function single(server: Server, key: string, name: string): Promise<Result> {
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

async function bulk(server: Server, key: string, name: string): Promise<Result> {
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

async function onDatabase(label: string, env: Record<string, string>, folder: string): Promise<Result[]> {
  const key = await provision(folder, env);
  const port = freePort();
  const cli = join(import.meta.dirname, "..", "src", "main", "cli.ts");
  const server = await startServer("minter", [cli, "minter"], {
    port,
    env: { ...env, SVC_PORT: String(port) },
    readyPath: "/readyz",
  });
  try {
    return [await single(server, key, `mint-${label}`), await bulk(server, key, `bulk-${label}`)];
  } finally {
    await server.stop();
  }
}

async function main(): Promise<void> {
  const results: Result[] = [];
  const idle = await idleShare();
  let sync = 0;
  for (const database of values.database === "both" ? ["sqlite", "postgres"] : [values.database]) {
    const folder = workFolder();
    sync = fdatasyncMs(folder.path);
    const env: Record<string, string> = { SVC_DATA_DIR: folder.path, SVC_LOG_LEVEL: "error", SVC_ACCESS_LOG: "off" };
    const postgres = database === "postgres" ? await startPostgres({ own: true, durable: true }) : null;
    try {
      if (postgres !== null) env.SVC_DATABASE_URL = (await postgres.createDatabase()).url;
      results.push(...(await onDatabase(database, env, folder.path)));
    } finally {
      await postgres?.stop();
      folder.remove();
    }
  }
  process.stdout.write(
    `machine idle before: ${(idle * 100).toFixed(0)}%, fdatasync of 4 KiB: ${sync.toFixed(2)} ms (median)\n`,
  );
  process.stdout.write("mint-*: one op is one mint; bulk-*: one op is one row, p50/p99 are of whole calls\n");
  printTable(
    results.map((result) => ({
      variant: result.name,
      "CPU us/op": result.cpuUsPerOp,
      "op/s": result.opsPerSecond,
      "p50 ms": result.p50Ms,
      "p99 ms": result.p99Ms,
      "RSS MiB": result.rssMiB,
    })),
  );
  writeJson(values.json, "mint", results, { fdatasyncMs: sync, idle });
}

await main();
