// What a redirect costs: CPU per request of the resolver beside a bare Bun.serve with a Map, in alternating rounds of one run.
// bun bench/resolve.ts [--names 100000] [--rounds 15] [--seconds 3] [--connections 32] [--json FILE]
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../db/store.ts";
import { provision } from "../test/support/processes.ts";
import {
  freePort,
  idleShare,
  lowerQuartile,
  measure,
  printTable,
  type Round,
  rssMiB,
  type Server,
  startServer,
  summarise,
  workFolder,
  writeJson,
} from "./lib.ts";
import { benchNames, fillStore } from "./names.ts";

const { values } = parseArgs({
  options: {
    names: { type: "string", default: "100000" },
    rounds: { type: "string", default: "15" },
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "32" },
    json: { type: "string" },
  },
});
const SAMPLE = 20_000;

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
    const file = join(folder.path, "names.tsv");
    writeFileSync(file, names.map((name) => `${name.key}\t${name.target}\n`).join(""));

    const cli = join(import.meta.dirname, "..", "src", "main", "cli.ts");
    const port = freePort();
    servers.push(
      await startServer("arkstone-1", [cli, "resolver"], {
        port,
        env: { ...env, SVC_PORT: String(port) },
        readyPath: "/readyz",
      }),
    );
    const barePort = freePort();
    const bare = join(import.meta.dirname, "bare-map.ts");
    servers.push(
      await startServer("bare-map", [bare, String(barePort), file], { port: barePort, env: {}, readyPath: "/" }),
    );
    await compare(servers, names);
  } finally {
    for (const server of servers) await server.stop();
    folder.remove();
  }
}

async function compare(servers: readonly Server[], names: readonly { readonly key: string }[]): Promise<void> {
  const step = Math.max(1, Math.floor(names.length / SAMPLE));
  const requests = names
    .filter((_, index) => index % step === 0)
    .map(
      (name) =>
        `GET /ark:${name.key} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: text/html,*/*;q=0.8\r\n\r\n`,
    );
  const order = { connections: Number(values.connections), requests, seconds: Number(values.seconds) };
  const idle = await idleShare();
  for (const server of servers) await measure(server, { ...order, seconds: 1 });
  const rounds = new Map<string, Round[]>(servers.map((server) => [server.name, []]));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const server of round % 2 === 0 ? servers : [...servers].reverse()) {
      const result = await measure(server, order);
      if (Object.keys(result.statuses).join() !== "302") throw new Error(JSON.stringify(result.statuses));
      rounds.get(server.name)?.push(result);
    }
  }
  const variants = servers.map((server) => summarise(server.name, rounds.get(server.name) ?? [], rssMiB(server.pid)));
  process.stdout.write(
    `${values.names} names, ${values.rounds} rounds of ${values.seconds} s, machine idle before: ${(idle * 100).toFixed(0)}%\n`,
  );
  printTable(
    variants.map((variant) => ({
      variant: variant.name,
      "CPU us/op (lower quartile)": variant.cpuLowerQuartile,
      median: variant.cpuUsPerOp,
      spread: variant.cpuSpread.map((value) => value.toFixed(2)).join("..."),
      "op/s": variant.opsPerSecond,
      "p50 ms": variant.p50Ms,
      "p99 ms": variant.p99Ms,
      "RSS MiB": variant.rssMiB,
    })),
  );
  const quartile = (name: string) => lowerQuartile((rounds.get(name) ?? []).map((round) => round.cpuUsPerOp));
  const ratio = quartile("arkstone-1") / quartile("bare-map");
  process.stdout.write(`CPU of a redirect, arkstone-1 over bare-map (lower quartiles): ${ratio.toFixed(3)}\n`);
  writeJson(values.json, "resolve", variants, { ratio, idle });
}

await main();
