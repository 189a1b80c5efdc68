// Whether the resolver stays flat: half of the time under full load, changes all the while, memory noted every ten
// seconds. bun bench/soak.ts [--minutes 60] [--names 200000] [--workers 2] [--changes 20] [--json FILE]
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../db/ark/store.ts";
import { provision } from "../test/support/processes.ts";
import {
  freePort,
  median,
  printTable,
  rssMiB,
  runLoad,
  type Server,
  startServer,
  workFolder,
  writeJson,
} from "./lib.ts";
import { benchNames, fillStore, type Name } from "./names.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    names: { type: "string", default: "200000" },
    workers: { type: "string", default: "2" },
    changes: { type: "string", default: "20" },
    json: { type: "string" },
  },
});
const CLI = join(import.meta.dirname, "..", "src", "main", "cli.ts");
const LOAD_SECONDS = 5;

/** Changes targets at a steady pace until it is stopped; returns how many were acknowledged and how many failed. */
function changing(port: number, key: string, names: readonly Name[], perSecond: number) {
  let going = true;
  let done = 0;
  let failed = 0;
  const run = (async () => {
    while (going) {
      const name = names[(done * 7919) % names.length];
      const response = await fetch(`http://127.0.0.1:${port}/api/update`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ ark: name?.key, url: `https://changed.example.org/${done}` }),
      });
      await response.arrayBuffer();
      if (response.ok) done++;
      else failed++;
      await Bun.sleep(1000 / perSecond);
    }
  })();
  return async () => {
    going = false;
    await run;
    return { done, failed };
  };
}

async function main(): Promise<void> {
  const folder = workFolder();
  const servers: Server[] = [];
  try {
    const env = { SVC_DATA_DIR: folder.path, SVC_LOG_LEVEL: "warn", SVC_ACCESS_LOG: "off" };
    const key = await provision(folder.path, env);
    const names = [...benchNames(Number(values.names))];
    const store = await openStore({ url: join(folder.path, "arkstone.db") });
    await fillStore(store, names);
    await store.close();
    const start = async (role: string, more: Record<string, string>) => {
      const port = freePort();
      const options = { port, env: { ...env, ...more, SVC_PORT: String(port) }, readyPath: "/readyz" };
      const server = await startServer(role, [CLI, role], options);
      servers.push(server);
      return server;
    };
    const minter = await start("minter", {});
    const resolver = await start("resolver", { SVC_WORKERS: values.workers ?? "2" });
    const stopChanging = changing(minter.port, key, names, Number(values.changes));
    const resident: number[] = [];
    const statuses: Record<string, number> = {};
    const until = Date.now() + Number(values.minutes) * 60_000;
    const requests = names
      .filter((_, index) => index % 10 === 0)
      .flatMap((name, index) => [
        `GET /ark:${name.key} HTTP/1.1\r\nHost: h\r\n\r\n`,
        ...(index % 10 === 0 ? [`GET /ark:${name.key}?json HTTP/1.1\r\nHost: h\r\n\r\n`] : []),
        ...(index % 10 === 1 ? [`GET /ark:99999/b1nothere${index} HTTP/1.1\r\nHost: h\r\n\r\n`] : []),
      ]);
    while (Date.now() < until) {
      const round = await runLoad({ port: resolver.port, connections: 8, seconds: LOAD_SECONDS, requests });
      for (const [status, count] of Object.entries(round.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
      await Bun.sleep(LOAD_SECONDS * 1000);
      resident.push(rssMiB(resolver.pid));
      if (resident.length % 6 === 0)
        process.stdout.write(`${resident.length / 6} min: ${resident.at(-1)?.toFixed(1)} MiB\n`);
    }
    const changes = await stopChanging();
    const third = Math.floor(resident.length / 3);
    const middle = median(resident.slice(third, 2 * third));
    const last = median(resident.slice(2 * third));
    const unexpected = Object.entries(statuses).filter(([status]) => !["200", "302", "404"].includes(status));
    printTable([
      {
        minutes: values.minutes ?? "",
        requests: String(Object.values(statuses).reduce((sum, count) => sum + count, 0)),
        unexpected: JSON.stringify(unexpected),
        "changes made": String(changes.done),
        "changes failed": String(changes.failed),
        "RSS middle third MiB": middle,
        "RSS last third MiB": last,
        "growth %": (last / middle - 1) * 100,
      },
    ]);
    writeJson(values.json, "soak", [], { resident, statuses, changes, middle, last });
  } finally {
    for (const server of servers) await server.stop();
    folder.remove();
  }
}

await main();
