// What imports cost: `arkstone import` of rows with target, title, who and when into an empty service, names in the
// order of their keys (as exports write them) or in random order; with --resolver what they cost concurrent redirects.
// bun bench/import.ts [--rows 300000] [--formats csv,ndjson] [--databases sqlite,postgres] [--orders key,none]
//   [--batch 10000] [--rounds 3] [--resolver] [--connections 8] [--json FILE]
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
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
  rssMiB,
  type Server,
  startServer,
  vmHwmMiB,
  workFolder,
  writeJson,
} from "./lib.ts";
import { benchNames } from "./names.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "300000" },
    formats: { type: "string", default: "csv,ndjson" },
    databases: { type: "string", default: "sqlite,postgres" },
    orders: { type: "string", default: "key,none" },
    batch: { type: "string" },
    rounds: { type: "string", default: "3" },
    resolver: { type: "boolean", default: false },
    connections: { type: "string", default: "8" },
    json: { type: "string" },
  },
});
const ROWS = Number(values.rows);
const CLI = join(import.meta.dirname, "..", "src", "main", "cli.ts");
const LOOK_EVERY_MS = 200;
const LINES_AT_ONCE = 10_000;
const SAMPLE = 20_000;
/** Names that the resolver knows before the import begins. */
const BEFORE = 20_000;
const QUIET_SECONDS = 20;

type Format = "csv" | "ndjson";
type Cost = {
  readonly rowsPerSecond: number;
  readonly cpuUsPerRow: number;
  readonly peakMiB: number;
  /** Medians of the middle and of the last third of the run: flat is a ratio of one. */
  readonly middleMiB: number;
  readonly lastMiB: number;
};

/** Writes the rows from..to as a file; returns some of their keys. */
function writeFile(path: string, format: Format, order: string, from: number, to: number): string[] {
  const file = openSync(path, "w");
  const keys: string[] = [];
  const step = Math.max(1, Math.floor((to - from) / SAMPLE));
  if (format === "csv") writeSync(file, "ark,url,title,who,when\n");
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) writeSync(file, `${lines.join("\n")}\n`);
    lines = [];
  };
  let index = -1;
  for (const { key, target } of benchNames(to, order === "key")) {
    if (++index < from) continue;
    const ark = `ark:${key}`;
    const title = `Letters and papers, volume ${index}`;
    const when = String(1500 + (index % 500));
    const row = { ark, url: target, title, who: "National Library of Examples", when };
    lines.push(format === "csv" ? `${ark},${target},"${title}",${row.who},${when}` : JSON.stringify(row));
    if (index % step === 0) keys.push(key);
    if (lines.length === LINES_AT_ONCE) flush();
  }
  flush();
  closeSync(file);
  return keys;
}

async function importFile(path: string, env: Readonly<Record<string, string>>, rows: number): Promise<Cost> {
  const batch = values.batch === undefined ? [] : ["--batch", values.batch];
  const child: ChildProcess = spawn(process.execPath, [CLI, "import", path, "--json", ...batch], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr?.resume();
  const memory: number[] = [];
  let peakMiB = 0;
  let cpu = 0;
  const look = setInterval(() => {
    try {
      const pid = child.pid ?? 0;
      memory.push(rssMiB(pid));
      peakMiB = Math.max(peakMiB, vmHwmMiB(pid));
      cpu = cpuSeconds(pid);
    } catch {
      // It has just ended.
    }
  }, LOOK_EVERY_MS);
  const code = await new Promise((resolve) => child.once("close", resolve));
  clearInterval(look);
  const result: { readonly created: number; readonly rows_per_second: number } = JSON.parse(output);
  if (code !== 0 || result.created !== rows) throw new Error(`The import ended with ${code}: ${output}`);
  const third = Math.floor(memory.length / 3);
  return {
    rowsPerSecond: result.rows_per_second,
    cpuUsPerRow: (cpu * 1e6) / rows,
    peakMiB,
    middleMiB: median(memory.slice(third, 2 * third)),
    lastMiB: median(memory.slice(2 * third)),
  };
}

type Variant = { readonly database: string; readonly format: Format; readonly order: string };
const nameOf = ({ database, format, order }: Variant): string =>
  `${database} ${format}, ${order === "key" ? "in order of keys" : "in no order"}`;

type World = {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly standbyUrl: string | null;
};

async function inWorld<T>(database: string, use: (world: World) => Promise<T>): Promise<T> {
  const folder = workFolder();
  const postgres =
    database === "postgres" ? await startPostgres({ own: true, durable: true, standby: values.resolver }) : null;
  try {
    const databases = await postgres?.createDatabase();
    const env: Record<string, string> = { SVC_DATA_DIR: folder.path, SVC_LOG_LEVEL: "error" };
    if (databases !== undefined) env.SVC_DATABASE_URL = databases.url;
    await provision(folder.path, env);
    return await use({ folder: folder.path, env, standbyUrl: databases?.standbyUrl ?? null });
  } finally {
    await postgres?.stop();
    folder.remove();
  }
}

async function alone({ database, format, order }: Variant): Promise<Cost> {
  return await inWorld(database, async ({ folder, env }) => {
    const path = join(folder, `names.${format}`);
    writeFile(path, format, order, 0, ROWS);
    return await importFile(path, env, ROWS);
  });
}

/** Redirects in a quiet time and during an import. */
async function redirectsDuringImport(database: string): Promise<void> {
  await inWorld(database, async ({ folder, env, standbyUrl }) => {
    const before = join(folder, "before.csv");
    const keys = writeFile(before, "csv", "key", 0, BEFORE);
    await importFile(before, env, BEFORE);
    rmSync(before);
    const path = join(folder, "names.csv");
    writeFile(path, "csv", "key", BEFORE, BEFORE + ROWS);
    const port = freePort();
    const replica: Record<string, string> = standbyUrl === null ? {} : { SVC_REPLICA_URL: standbyUrl };
    const own = { ...env, ...replica, SVC_PORT: String(port) };
    const server: Server = await startServer("resolver", [CLI, "resolver"], { port, env: own, readyPath: "/readyz" });
    try {
      const requests = keys.map((key) => `GET /ark:${key} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\n\r\n`);
      const order = { connections: Number(values.connections), requests };
      await measure(server, { ...order, seconds: 1 });
      const quiet = await measure(server, { ...order, seconds: QUIET_SECONDS });
      const importing = importFile(path, env, ROWS);
      const busy = await measure(server, { ...order, seconds: QUIET_SECONDS });
      const cost = await importing;
      process.stdout.write(
        `${database}, ${order.connections} connections for ${QUIET_SECONDS} s: p99 of redirects ${quiet.p99Ms.toFixed(2)} ms in a quiet time, ` +
          `${busy.p99Ms.toFixed(2)} ms during an import (${(busy.p99Ms / quiet.p99Ms).toFixed(2)} times), ` +
          `${quiet.opsPerSecond.toFixed(0)} and ${busy.opsPerSecond.toFixed(0)}/s; the import ${cost.rowsPerSecond} rows/s\n`,
      );
    } finally {
      await server.stop();
    }
  });
}

async function main(): Promise<void> {
  const databases = values.databases.split(",");
  const idle = await idleShare();
  process.stdout.write(`machine idle before: ${(idle * 100).toFixed(0)}%\n`);
  if (values.resolver) {
    for (const database of databases) await redirectsDuringImport(database);
    return;
  }
  const formats = values.formats.split(",").map((format): Format => (format === "ndjson" ? "ndjson" : "csv"));
  const variants = databases.flatMap((database) =>
    formats.flatMap((format) => values.orders.split(",").map((order): Variant => ({ database, format, order }))),
  );
  const costs = new Map<string, Cost[]>(variants.map((variant) => [nameOf(variant), []]));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
      costs.get(nameOf(variant))?.push(await alone(variant));
    }
  }
  const folder = workFolder();
  const sync = fdatasyncMs(folder.path);
  folder.remove();
  process.stdout.write(
    `imports of ${ROWS} rows, ${values.rounds} rounds, fdatasync of 4 KiB: ${sync.toFixed(2)} ms (medians)\n`,
  );
  const rows = [...costs].map(([name, of]) => ({
    name,
    rowsPerSecond: median(of.map((each) => each.rowsPerSecond)),
    cpuUsPerOp: median(of.map((each) => each.cpuUsPerRow)),
    peakMiB: median(of.map((each) => each.peakMiB)),
    lastOverMiddle: median(of.map((each) => each.lastMiB / each.middleMiB)),
  }));
  printTable(
    rows.map((row) => ({
      variant: row.name,
      "rows/s": row.rowsPerSecond,
      "CPU us/row": row.cpuUsPerOp,
      "peak MiB": row.peakMiB,
      "memory, last third over middle": row.lastOverMiddle,
    })),
  );
  writeJson(values.json, "import", rows, { idle, fdatasyncMs: sync, rows: ROWS });
}

await main();
