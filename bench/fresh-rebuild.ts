// What a new base of the resolver's table costs concurrent redirects (bench/fresh.ts --rebuild): a quiet time, then the
// same time with one new base after the other. After each base enough names are changed that the next one is due.
import { join } from "node:path";
import { openStore } from "../db/ark/store.ts";
import type { ArkRecord } from "../src/ark/record.ts";
import type { Store } from "../src/ark/store.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { provision } from "../test/support/processes.ts";
import {
  freePort,
  idleShare,
  measure,
  printTable,
  rssMiB,
  type Server,
  startServer,
  workFolder,
  writeJson,
} from "./lib.ts";
import { fillDatabase } from "./table-database.ts";
import { tableNames } from "./table-names.ts";

type RebuildOrder = {
  readonly names: number;
  readonly seconds: number;
  readonly connections: number;
  readonly refreshMs: number;
  /** In place of a PostgreSQL primary and a standby; ten million names are filled in sooner. */
  readonly sqlite: boolean;
  readonly json: string | undefined;
};

type World = { readonly server: Server; readonly store: Store; readonly keys: readonly string[] };

/** A base is due above 20,000 changed names, or above half a percent of the table where that is more. */
const DUE_NAMES = 20_000;
const DUE_SHARE = 1 / 200;
const NAMES_A_TRANSACTION = 5_000;
const SAMPLE = 20_000;
/** The number of names that are changed and requested at most. */
const KEYS_MAX = 1_000_000;
const SETTLED = 0.9;
const SETTLE_ATTEMPTS = 60;
const LOOK_EVERY_MS = 100;
const ACTOR = { clientId: "bench", tier: "system", address: "" } as const;

async function basesBuilt(server: Server): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  return Number(/^arkstone_table_base_rebuilds_total (\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

async function changeNames(store: Store, model: ArkRecord, keys: readonly string[], round: number): Promise<void> {
  const at = new Date().toISOString();
  for (let from = 0; from < keys.length; from += NAMES_A_TRANSACTION) {
    const part = keys.slice(from, from + NAMES_A_TRANSACTION);
    const target = (key: string): string => `https://moved.example.org/${round}/${key}`;
    await store.transact(async (tx) => {
      await tx.updateArks(
        part.map((key) => ({ ...model, key, naan: key.slice(0, key.indexOf("/")), url: target(key), updatedAt: at })),
      );
      await tx.record(
        ACTOR,
        at,
        part.map((key) => {
          const urls = { beforeUrl: "", afterUrl: target(key) };
          return { subject: "ark", target: key, action: "update", ...urls, fields: ["url"], reason: "" } as const;
        }),
      );
    });
  }
}

/** Keeps the resolver building bases until the time is over; returns how many it has built. */
async function keepRebuilding({ server, store, keys }: World, { names, seconds }: RebuildOrder): Promise<number> {
  const model = (await store.arks(keys.slice(0, 1))).get(keys[0] ?? "");
  if (model === undefined) throw new Error("The names of the bench are not in the database");
  const count = Math.ceil(Math.max(DUE_NAMES, names * DUE_SHARE) * 1.05);
  if (keys.length < count) throw new RangeError(`A new base is due after ${count} names; there are ${keys.length}`);
  const step = Math.floor(keys.length / count);
  const first = await basesBuilt(server);
  const ends = performance.now() + seconds * 1000;
  let built = first;
  for (let round = 0; performance.now() < ends; round++) {
    const changed = keys.filter((_, index) => index % step === round % step).slice(0, count);
    await changeNames(store, model, changed, round);
    while (performance.now() < ends && (await basesBuilt(server)) === built) await Bun.sleep(LOOK_EVERY_MS);
    built = await basesBuilt(server);
  }
  return built - first;
}

/** After filling, databases have background work, and the resolver has a snapshot to write. */
async function settled(): Promise<number> {
  let idle = await idleShare();
  for (let attempt = 0; idle < SETTLED && attempt < SETTLE_ATTEMPTS; attempt++) idle = await idleShare();
  return idle;
}

async function compare(world: World, order: RebuildOrder): Promise<void> {
  const { server, keys } = world;
  const { seconds, connections } = order;
  const step = Math.max(1, Math.floor(keys.length / SAMPLE));
  const requests = keys
    .filter((_, index) => index % step === 0)
    .map((key) => `GET /ark:${key} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\n\r\n`);
  const load = { connections, requests, seconds };
  const idle = await settled();
  await measure(server, { ...load, seconds: 1 });
  const quiet = await measure(server, load);
  const [rebuilding, bases] = await Promise.all([measure(server, load), keepRebuilding(world, order)]);
  for (const round of [quiet, rebuilding]) {
    if (Object.keys(round.statuses).join() !== "302") throw new Error(JSON.stringify(round.statuses));
  }
  const variants = [
    { name: "quiet", round: quiet },
    { name: "rebuilding", round: rebuilding },
  ].map(({ name, round: { cpuUsPerOp, opsPerSecond, p50Ms, p99Ms } }) => ({
    name,
    cpuUsPerOp,
    opsPerSecond,
    p50Ms,
    p99Ms,
    rssMiB: rssMiB(server.pid),
  }));
  const p99Ratio = rebuilding.p99Ms / quiet.p99Ms;
  process.stdout.write(
    `${order.names} names, ${bases} new bases in ${seconds} s, ${order.sqlite ? "SQLite" : "PostgreSQL"}, machine idle before: ${(idle * 100).toFixed(0)}%\n`,
  );
  printTable(
    variants.map((variant) => ({
      redirects: variant.name,
      "op/s": variant.opsPerSecond,
      "p50 ms": variant.p50Ms,
      "p99 ms": variant.p99Ms,
      "RSS MiB": variant.rssMiB,
    })),
  );
  process.stdout.write(`p99 of redirects during new bases over quiet: ${p99Ratio.toFixed(2)}\n`);
  writeJson(order.json, "fresh", variants, { rebuild: true, bases, p99Ratio, idle });
}

async function fill(url: string, names: number): Promise<string[]> {
  const step = Math.ceil(names / KEYS_MAX);
  const keys: string[] = [];
  const rows = function* () {
    let index = 0;
    for (const row of tableNames(names)) {
      if (index++ % step === 0) keys.push(row.key);
      yield row;
    }
  };
  await fillDatabase(url, rows());
  return keys;
}

export async function rebuildBench(order: RebuildOrder): Promise<void> {
  const postgres = order.sqlite ? null : await startPostgres({ own: true, standby: true, durable: true });
  const folder = workFolder();
  let server: Server | null = null;
  try {
    const databases = await postgres?.createDatabase();
    const url = databases?.url ?? `sqlite:${join(folder.path, "arkstone.db")}`;
    const standby = databases?.standbyUrl ?? null;
    const port = freePort();
    const env = { SVC_DATA_DIR: folder.path, SVC_DATABASE_URL: url, SVC_LOG_LEVEL: "error", SVC_ACCESS_LOG: "off" };
    await provision(folder.path, env);
    const keys = await fill(url, order.names);
    const store = await openStore({ url, poolSize: 8 });
    const cli = join(import.meta.dirname, "..", "src", "main", "cli.ts");
    const own = { SVC_PORT: String(port), SVC_REFRESH_MS: String(order.refreshMs), SVC_RESOLVER: "1" };
    const replica = standby === null ? {} : { SVC_REPLICA_URL: standby };
    server = await startServer("resolver", [cli, "resolver"], {
      port,
      env: { ...env, ...own, ...replica },
      readyPath: "/readyz",
    });
    await compare({ server, store, keys }, order);
    await store.close();
  } finally {
    await server?.stop();
    await postgres?.stop();
    folder.remove();
  }
}
