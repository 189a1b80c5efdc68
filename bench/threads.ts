// What another thread of a resolver costs and brings, with next to nothing else on its cores: recorded blocks of
// requests are replayed, and the CPU of the process that replays them is stated.
// bun bench/threads.ts [--names 300000] [--threads 1,2] [--rounds 7] [--seconds 2] [--connections 32] [--block 32]
//   [--json FILE]
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../db/ark/store.ts";
import { provision } from "../test/support/processes.ts";
import {
  cpuSeconds,
  freePort,
  idleShare,
  lowerQuartile,
  median,
  printTable,
  rssMiB,
  runLoad,
  type Server,
  startServer,
  workFolder,
  writeJson,
} from "./lib.ts";
import { benchNames, fillStore } from "./names.ts";

const { values } = parseArgs({
  options: {
    names: { type: "string", default: "300000" },
    threads: { type: "string", default: "1,2" },
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "2" },
    connections: { type: "string", default: "32" },
    block: { type: "string", default: "32" },
    json: { type: "string" },
  },
});
const SAMPLE = 20_480;
const CLI = join(import.meta.dirname, "..", "src", "main", "cli.ts");

type Cost = { readonly perSecond: number; readonly cpuUs: number; readonly loadCpuUs: number; readonly cores: number };

/** One round: `block` requests sent at once, or, where it is 1, each after the answer to the one before. */
async function round(server: Server, requests: readonly string[], block: number): Promise<Cost> {
  const before = cpuSeconds(server.pid);
  const order = {
    port: server.port,
    connections: Number(values.connections),
    seconds: Number(values.seconds),
    requests,
  };
  const result = await runLoad(block === 1 ? order : { ...order, block });
  const cpu = cpuSeconds(server.pid) - before;
  if (Object.keys(result.statuses).join() !== "302") throw new Error(JSON.stringify(result.statuses));
  return {
    perSecond: result.count / result.seconds,
    cpuUs: (cpu * 1e6) / result.count,
    loadCpuUs: (result.loadCpuSeconds * 1e6) / result.count,
    cores: cpu / result.seconds,
  };
}

async function main(): Promise<void> {
  const folder = workFolder();
  const servers: Server[] = [];
  try {
    const env = { SVC_DATA_DIR: folder.path, SVC_LOG_LEVEL: "error" };
    await provision(folder.path, env);
    const names = [...benchNames(Number(values.names))];
    const store = await openStore({ url: join(folder.path, "arkstone.db") });
    await fillStore(store, names);
    await store.close();
    const step = Math.max(1, Math.floor(names.length / SAMPLE));
    const requests = names
      .filter((_, index) => index % step === 0)
      .map(({ key }) => `GET /ark:${key} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\n\r\n`);
    for (const threads of values.threads.split(",")) {
      const port = freePort();
      const own = { ...env, SVC_PORT: String(port), SVC_WORKERS: threads };
      servers.push(await startServer(threads, [CLI, "resolver"], { port, env: own, readyPath: "/readyz" }));
    }
    await compare(servers, requests);
  } finally {
    for (const server of servers) await server.stop();
    folder.remove();
  }
}

async function compare(servers: readonly Server[], requests: readonly string[]): Promise<void> {
  const idle = await idleShare();
  const block = Number(values.block);
  const variants = servers.flatMap((server) => [block, 1].map((of) => ({ server, of, costs: [] as Cost[] })));
  for (const { server, of } of variants) await round(server, requests, of);
  for (let turn = 0; turn < Number(values.rounds); turn++) {
    for (const variant of turn % 2 === 0 ? variants : variants.toReversed())
      variant.costs.push(await round(variant.server, requests, variant.of));
  }
  process.stdout.write(
    `${values.names} names, ${values.rounds} rounds of ${values.seconds} s, machine idle before: ${(idle * 100).toFixed(0)}%\n`,
  );
  const rows = variants.map(({ server, of, costs }) => ({
    name: `${server.name} thread${server.name === "1" ? "" : "s"}, ${of === 1 ? "one request at a time" : `${of} at once`}`,
    opsPerSecond: median(costs.map((cost) => cost.perSecond)),
    cpuUsPerOp: lowerQuartile(costs.map((cost) => cost.cpuUs)),
    loadCpuUsPerOp: lowerQuartile(costs.map((cost) => cost.loadCpuUs)),
    cores: median(costs.map((cost) => cost.cores)),
    rssMiB: rssMiB(server.pid),
  }));
  printTable(
    rows.map((row) => ({
      variant: row.name,
      "op/s": row.opsPerSecond,
      "CPU us/op": row.cpuUsPerOp,
      "CPU us/op of the load": row.loadCpuUsPerOp,
      "cores of the server": row.cores,
      "RSS MiB": row.rssMiB,
    })),
  );
  writeJson(values.json, "threads", rows, { idle });
}

await main();
