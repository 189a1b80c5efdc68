// What every bench shares: server processes and their CPU as the operating system counts it, the idle share of the
// machine, medians and quartiles, the table on the terminal and the JSON file.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { machineFactor } from "../test/support/calibration.ts";
import { startPostgres } from "../test/support/postgres.ts";
import type { LoadOrder, LoadResult } from "./load.ts";

const TICKS_PER_SECOND = 100;
const LOAD = join(import.meta.dirname, "load.ts");

export type Server = {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** Processes that work for this server besides its own, such as those of its database. */
  readonly helpers: readonly number[];
  readonly tls?: boolean;
  stop(): Promise<void>;
};

/** CPU seconds (user and system) that a process and its children have used, ended ones too, of all their threads. Linux only. */
export function cpuSeconds(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + familyCpuSeconds(each), 0);
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean).map(Number);
}

/** With its children that have ended. */
function familyCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

/** The process whose children do PostgreSQL's work: a server that asks a database spends its CPU there, too. */
export async function postmaster(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const parent = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return parent;
}

/** The process that started this one. */
export function parentOf(pid: number): number {
  return Number(
    readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")[1],
  );
}

/** Resident memory of a process and its children, in MiB. */
export function rssMiB(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + ownRssMiB(each), 0);
}

const ownRssMiB = (pid: number): number => statusMiB(pid, "VmRSS");

/** Resets the recorded peak of a process. */
const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, "5");
/** The most memory a process (without its children) has had resident at once, in MiB. */
export const vmHwmMiB = (pid: number): number => statusMiB(pid, "VmHWM");

/** A size of /proc/PID/status in MiB; 0 where there is no such line. */
function statusMiB(pid: number, field: "VmRSS" | "VmHWM"): number {
  const line = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) / 1024;
}

function cpuTimes(): { idle: number; all: number } {
  const fields = (readFileSync("/proc/stat", "utf8").split("\n")[0] ?? "").trim().split(/\s+/).slice(1).map(Number);
  return { idle: (fields[3] ?? 0) + (fields[4] ?? 0), all: fields.reduce((sum, field) => sum + field, 0) };
}

/** Share of the machine that is idle, measured for a second; measurements on a busy machine are worth little. */
export async function idleShare(): Promise<number> {
  const before = cpuTimes();
  await Bun.sleep(1000);
  const after = cpuTimes();
  return (after.idle - before.idle) / Math.max(1, after.all - before.all);
}

/** Starts `bun <args>`, or another program, and waits until `readyPath` answers below 500. */
export async function startServer(
  name: string,
  args: readonly string[],
  options: {
    readonly port: number;
    readonly env?: Readonly<Record<string, string>>;
    readonly readyPath: string;
    readonly program?: string;
    readonly helpers?: readonly number[];
    readonly tls?: boolean;
  },
): Promise<Server> {
  const child: ChildProcess = spawn(options.program ?? process.execPath, [...args], {
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4000);
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const deadline = Date.now() + 120_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} ended before it was ready: ${errors}`);
    const answer = await fetch(`${options.tls ? "https" : "http"}://127.0.0.1:${options.port}${options.readyPath}`, {
      redirect: "manual",
      tls: { rejectUnauthorized: false },
    }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer !== null && answer.status < 500) break;
    if (Date.now() > deadline) throw new Error(`${name} was not ready within two minutes: ${errors}`);
    await Bun.sleep(100);
  }
  return {
    name,
    port: options.port,
    pid: child.pid ?? 0,
    helpers: options.helpers ?? [],
    tls: options.tls === true,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

const ROOT = join(import.meta.dirname, "..");
export const CLI = join(ROOT, "src", "main", "cli.ts");
/** The program itself, not the script that finds it: its CPU and memory are what is measured. */
const DENO = join(ROOT, "node_modules", "deno", "deno");

/** Starts a role of Arkstone on Bun, or on Deno, with its data in `folder`; logs errors only. */
export function startRole(
  role: string,
  folder: string,
  env: Readonly<Record<string, string>>,
  {
    runtime = "bun",
    readyPath = "/readyz",
    helpers = [],
  }: { readonly runtime?: string; readonly readyPath?: string; readonly helpers?: readonly number[] } = {},
): Promise<Server> {
  const port = freePort();
  const common = { SVC_DATA_DIR: folder, SVC_PORT: String(port), SVC_LOG_LEVEL: "error", SVC_ACCESS_LOG: "off" };
  return startServer(role, [...(runtime === "deno" ? ["run", "--allow-all", "--no-check"] : []), CLI, role], {
    port,
    env: { ...common, ...env },
    readyPath,
    helpers,
    ...(runtime === "deno" ? { program: DENO } : {}),
  });
}

export type Caller = (method: string, path: string, body?: unknown) => Promise<Response>;
/** Sends JSON to a server as the holder of a token. */
export const callerOf =
  ({ port }: Server, token: string): Caller =>
  (method, path, body) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

/** Runs `work` with an empty folder and database: `sqlite`, `postgres` (durable), or `both`, one after the other. */
export async function onDatabases<T>(
  databases: string,
  work: (database: string, url: string, folder: string) => Promise<readonly T[]>,
): Promise<T[]> {
  const results: T[] = [];
  for (const database of databases === "both" ? ["sqlite", "postgres"] : [databases]) {
    const folder = workFolder();
    const postgres = database === "postgres" ? await startPostgres({ own: true, durable: true }) : null;
    try {
      if (database === "postgres" && postgres === null) throw new Error("PostgreSQL is not available");
      const url = (await postgres?.createDatabase())?.url ?? `sqlite:${join(folder.path, "arkstone.db")}`;
      results.push(...(await work(database, url, folder.path)));
    } finally {
      await postgres?.stop();
      folder.remove();
    }
  }
  return results;
}

/** A port that was free a moment ago. */
export function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const port = server.port ?? 0;
  server.stop(true);
  return port;
}

/** All threads of a server run on this core from here on. */
export function pinTo(core: number, server: Server): void {
  for (const pid of [server.pid, ...childrenOf(server.pid), ...server.helpers]) {
    const { status, stderr } = spawnSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)]);
    if (status !== 0) throw new Error(`Cannot pin ${server.name} to core ${core}: ${stderr}`);
  }
}

export async function runLoad({ core, ...order }: PinnedOrder): Promise<LoadResult> {
  const [program, ...args] = [...(core === undefined ? [] : ["taskset", "--cpu-list", String(core)]), process.execPath];
  const child = spawn(program ?? "", [...args, LOAD], { stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stdin.end(JSON.stringify(order));
  await new Promise((resolve) => child.once("close", resolve));
  return JSON.parse(output);
}

/** `core`: the only one the load generator may run on. */
type PinnedOrder = LoadOrder & { readonly core?: number };

export type Round = LoadResult & {
  /** Of the server and its helpers, and of the helpers alone. */
  readonly cpuUsPerOp: number;
  readonly helpersUsPerOp: number;
  readonly opsPerSecond: number;
};

/** One round of load on a server: CPU per operation from the operating system. */
export async function measure(server: Server, order: Omit<PinnedOrder, "port">): Promise<Round> {
  const used = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const before = { own: used([server.pid]), helpers: used(server.helpers) };
  const result = await runLoad({ ...order, port: server.port, tls: server.tls === true });
  const helpers = used(server.helpers) - before.helpers;
  const cpu = used([server.pid]) - before.own + helpers;
  return {
    ...result,
    cpuUsPerOp: (cpu * 1e6) / Math.max(1, result.count),
    helpersUsPerOp: (helpers * 1e6) / Math.max(1, result.count),
    opsPerSecond: result.count / result.seconds,
  };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
export const lowerQuartile = (values: readonly number[]): number => quantile(values, 0.25);

type Variant = {
  readonly name: string;
  readonly cpuUsPerOp: number;
  readonly opsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssMiB: number;
  /** Lower quartile, smallest and largest CPU per operation over the rounds. */
  readonly cpuLowerQuartile: number;
  readonly cpuSpread: readonly [number, number];
};

export function summarise(name: string, rounds: readonly Round[], rss: number): Variant {
  const cpu = rounds.map((round) => round.cpuUsPerOp);
  return {
    name,
    cpuUsPerOp: median(cpu),
    opsPerSecond: median(rounds.map((round) => round.opsPerSecond)),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    rssMiB: rss,
    cpuLowerQuartile: lowerQuartile(cpu),
    cpuSpread: [Math.min(...cpu), Math.max(...cpu)],
  };
}

/** What an operation costs: CPU of the server, calls a second, how long they take. */
export type Measurement = {
  readonly name: string;
  readonly cpuUsPerOp: number;
  readonly opsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssMiB: number;
};

/** CPU seconds of a server and of its helpers. */
export const usedBy = ({ pid, helpers }: Server): number =>
  [pid, ...helpers].reduce((sum, each) => sum + cpuSeconds(each), 0);

/** Makes `count` calls by several clients at once. */
export async function timed(
  server: Server,
  name: string,
  count: number,
  clients: number,
  call: (n: number) => Promise<unknown>,
): Promise<Measurement> {
  const times: number[] = [];
  const [before, startedAt] = [usedBy(server), performance.now()];
  let next = 0;
  const client = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const at = performance.now();
      await call(n);
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return {
    name,
    cpuUsPerOp: ((usedBy(server) - before) * 1e6) / count,
    opsPerSecond: (count * 1000) / (performance.now() - startedAt),
    p50Ms: median(times),
    p99Ms: quantile(times, 0.99),
    rssMiB: rssMiB(server.pid),
  };
}

export const printMeasurements = (results: readonly Measurement[]): void =>
  printTable(
    results.map((result) => ({
      variant: result.name,
      "CPU us/op": result.cpuUsPerOp,
      "per second": result.opsPerSecond,
      "p50 ms": result.p50Ms,
      "p99 ms": result.p99Ms,
      "RSS MiB": result.rssMiB,
    })),
  );

/**
 * The cost of one piece of work of a server: CPU for each of the operations that it returns, and its peak of memory.
 */
export async function measureWork(name: string, server: Server, work: () => Promise<number>) {
  // Earlier work has ended, and its peak is not this one's.
  await Bun.sleep(3_000);
  forgetPeak(server.pid);
  const [cpu, startedAt, idle] = [cpuSeconds(server.pid), performance.now(), rssMiB(server.pid)];
  const done = await work();
  return {
    name,
    "per second": (done * 1000) / (performance.now() - startedAt),
    "CPU us": ((cpuSeconds(server.pid) - cpu) * 1e6) / done,
    "MiB above idle": vmHwmMiB(server.pid) - idle,
  };
}

/** The machine before a run, for the JSON file and as a line. */
export async function machineState() {
  const idle = await idleShare();
  const folder = workFolder();
  const sync = fdatasyncMs(folder.path);
  folder.remove();
  const factor = machineFactor();
  const line =
    `machine idle before: ${(idle * 100).toFixed(0)}%, fdatasync of 4 KiB: ${sync.toFixed(2)} ms (median), ` +
    `${factor.toFixed(1)} times the CPU of the machine on which limits were set\n`;
  return { line, figures: { fdatasyncMs: sync, idle, factor } };
}

/** Prints rows as aligned columns; numbers with two decimals. */
export function printTable(rows: readonly Readonly<Record<string, string | number>>[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) =>
    columns.map((column) => {
      const value = row[column] ?? "";
      return typeof value === "number" ? value.toFixed(2) : value;
    }),
  );
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((row) => (row[index] ?? "").length)),
  );
  const line = (row: readonly string[]) => row.map((cell, index) => cell.padStart(widths[index] ?? 0)).join("  ");
  for (const row of [columns, ...cells]) process.stdout.write(`${line(row)}\n`);
}

export function writeJson(
  file: string | undefined,
  bench: string,
  variants: readonly object[],
  more: object = {},
): void {
  if (file !== undefined) writeFileSync(file, `${JSON.stringify({ bench, variants, ...more }, null, 2)}\n`);
}

/** A folder for one run, removed by `remove`. */
export function workFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "arkstone-bench-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Median time of appending 4 KiB and fdatasync in this folder, in milliseconds: the floor under every durable commit.
 */
export function fdatasyncMs(folder: string): number {
  const file = openSync(join(folder, "fdatasync.probe"), "w");
  const page = Buffer.alloc(4096, 1);
  const times: number[] = [];
  for (let round = 0; round < 100; round++) {
    const startedAt = performance.now();
    writeSync(file, page);
    fdatasyncSync(file);
    times.push(performance.now() - startedAt);
  }
  closeSync(file);
  rmSync(join(folder, "fdatasync.probe"));
  return median(times);
}
