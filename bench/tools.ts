// What tools cost (R30): get_record, search_records of two words and tools/list over HTTP, one request of the newest
// revision each, by guests on SQLite; and how soon `arkstone mcp` answers for the first time. The server is `arkstone
// repository`; CPU is its process's, as the operating system counts it. bun bench/tools.ts [--records 100000]
// [--seconds 3] [--rounds 3] [--binary FILE] [--json FILE]
import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { FIRST, fileBenchItems } from "./filed-items.ts";
import {
  cpuSeconds,
  idleShare,
  measure,
  median,
  printTable,
  quantile,
  rssMiB,
  type Server,
  startRole,
  summarise,
  workFolder,
  writeJson,
} from "./lib.ts";
import { twoWords } from "./search-documents.ts";

const { values } = parseArgs({
  options: {
    records: { type: "string", default: "100000" },
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "3" },
    binary: { type: "string" },
    json: { type: "string" },
  },
});
const RECORDS = Number(values.records);
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);
const CONNECTIONS = 8;
const CALLS = 500;
const WARM = 6_000;
const STARTS = 15;
const REVISION = "2026-07-28";
const CLI = join(import.meta.dirname, "..", "src", "main", "cli.ts");
/** The number of calls of a tool, or of lists of tools, a second of one core that is required. */
const WANTED: Readonly<Record<string, number>> = { get_record: 1_200, search_records: 400, "tools/list": 4_000 };

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
};

function requestOf(method: string, params: Readonly<Record<string, unknown>>): string {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: ENVELOPE } });
  const name = typeof params.name === "string" ? [`Mcp-Name: ${params.name}`] : [];
  const head = [
    ...["POST /mcp HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"],
    ...["Accept: application/json, text/event-stream", `MCP-Protocol-Version: ${REVISION}`, `Mcp-Method: ${method}`],
    ...[...name, `Content-Length: ${Buffer.byteLength(body)}`],
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

const called = (name: string, argumentsOf: (number: number) => object): readonly string[] =>
  Array.from({ length: CALLS }, (_, at) =>
    requestOf("tools/call", { name, arguments: argumentsOf(1 + ((at * 7_919) % RECORDS)) }),
  );

const ORDERS: Readonly<Record<string, readonly string[]>> = {
  get_record: called("get_record", (number) => ({ recid: String(FIRST + number - 1) })),
  search_records: called("search_records", (number) => ({ query: twoWords(number, RECORDS) })),
  "tools/list": [requestOf("tools/list", {})],
};

/** The result of one call, so that the measurement is of the intended work. */
async function answerOf(server: Server, request: string): Promise<string> {
  const [head = "", body = ""] = request.split("\r\n\r\n");
  const headers = head
    .split("\r\n")
    .slice(2, -1)
    .map((line) => line.split(": ") as [string, string]);
  const response = await fetch(`http://127.0.0.1:${server.port}/mcp`, { method: "POST", headers, body });
  const text = await response.text();
  if (response.status !== 200 || text.includes('"isError":true')) throw new Error(`${response.status} ${text}`);
  return text;
}

async function overHttp(folder: string) {
  const server = await startRole("repository", folder, { SVC_RATE_PER_MINUTE: "0", SVC_FULL_TEXT: "0" });
  try {
    // Until the index is built a search is refused.
    const [search = ""] = ORDERS.search_records ?? [];
    while (!(await answerOf(server, search).catch(() => "")).includes('"total":')) await Bun.sleep(500);
    const variants = [];
    for (const [name, requests] of Object.entries(ORDERS)) {
      const bytes = (await answerOf(server, requests[0] ?? "")).length;
      // Code that has run often is compiled by then, however busy the machine is.
      for (let warm = 0; warm < WARM; ) {
        warm += (await measure(server, { connections: CONNECTIONS, requests, seconds: 1 })).count;
      }
      const rounds = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const one = await measure(server, { connections: CONNECTIONS, requests, seconds: SECONDS });
        if (Object.keys(one.statuses).join() !== "200") throw new Error(`${name}: ${JSON.stringify(one.statuses)}`);
        rounds.push(one);
      }
      variants.push({ ...summarise(name, rounds, rssMiB(server.pid)), bytes });
    }
    return variants;
  } finally {
    await server.stop();
  }
}

type Start = { readonly firstMs: number; readonly listMs: number; readonly callMs: number; readonly cpuMs: number };

/**
 * From the start of the process to its answers: to `initialize`, to the list after it, to a call that needs the
 * database.
 */
async function startedOnce(command: readonly string[], folder: string): Promise<Start> {
  const [program = "", ...args] = command;
  const began = performance.now();
  const env = { ...process.env, SVC_DATA_DIR: folder, SVC_LOG_LEVEL: "error" };
  const child = spawn(program, [...args, "mcp"], { env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const ask = async (id: number, method: string, params: object): Promise<number> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    let text = "";
    while (!text.includes(`"id":${id}`)) {
      text += String(await new Promise((answered) => child.stdout.once("data", answered)));
    }
    return performance.now() - began;
  };
  const clientInfo = { name: "bench", version: "1" };
  const firstMs = await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const listMs = await ask(2, "tools/list", {});
  const callMs = await ask(3, "tools/call", { name: "get_record", arguments: { recid: String(FIRST) } });
  const cpuMs = cpuSeconds(child.pid ?? 0) * 1000;
  child.stdin.end();
  await ended;
  return { firstMs, listMs, callMs, cpuMs };
}

async function starts(name: string, command: readonly string[], folder: string) {
  const all: Start[] = [];
  for (let round = 0; round < STARTS; round += 1) all.push(await startedOnce(command, folder));
  const of = (member: keyof Start) => all.map((one) => one[member]);
  return {
    ...{ name, "first answer ms": median(of("firstMs")), "lower quartile": quantile(of("firstMs"), 0.25) },
    ...{ worst: Math.max(...of("firstMs")), "list ms": median(of("listMs")), "first call ms": median(of("callMs")) },
    "CPU ms": median(of("cpuMs")),
  };
}

async function main(): Promise<void> {
  const idle = await idleShare();
  const folder = workFolder();
  try {
    await fileBenchItems(`sqlite:${join(folder.path, "arkstone.db")}`, RECORDS);
    const variants = await overHttp(folder.path);
    process.stdout.write(
      `machine idle before: ${(idle * 100).toFixed(0)}%; ${RECORDS} records, ${CONNECTIONS} connections, SQLite\n`,
    );
    printTable(
      variants.map(({ name, cpuUsPerOp, cpuLowerQuartile, opsPerSecond, p50Ms, p99Ms, bytes }) => ({
        variant: name,
        bytes: String(bytes),
        "CPU us/op": cpuUsPerOp,
        "a second of CPU": 1e6 / cpuLowerQuartile,
        "asked for": String(WANTED[name] ?? ""),
        "per second": opsPerSecond,
        ...{ "p50 ms": p50Ms, "p99 ms": p99Ms },
      })),
    );
    const stdio = [await starts("source", [process.execPath, CLI], folder.path)];
    if (values.binary !== undefined) stdio.push(await starts("binary", [resolve(values.binary)], folder.path));
    printTable(stdio);
    writeJson(values.json, "tools", variants, { idle, stdio });
  } finally {
    folder.remove();
  }
}

await main();
