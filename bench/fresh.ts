// How fresh a resolver is: changes committed on a PostgreSQL primary, until the resolver on the streaming standby
// redirects by them, under load; and what the changes cost concurrent redirects (docs/freshness.md). bun bench/fresh.ts
// [--seconds 60] [--rate 200] [--names 20000] [--connections 1] [--refresh 200] [--held] [--rebuild [--sqlite]] [--json
// FILE] One connection is 30,000 redirects a second already; more only take the processors from the two databases on
// the same machine. --rebuild measures what new bases of the table cost the redirects instead (fresh-rebuild.ts):
// --names 1000000 or more; --sqlite for a file in place of the two servers. --held keeps a writing transaction of
// somebody else open all the while.
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { openStore } from "../db/ark/store.ts";
import type { Store } from "../src/ark/store.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { provision } from "../test/support/processes.ts";
import { rebuildBench } from "./fresh-rebuild.ts";
import {
  freePort,
  idleShare,
  measure,
  printTable,
  quantile,
  type Round,
  rssMiB,
  type Server,
  startServer,
  workFolder,
  writeJson,
} from "./lib.ts";
import { benchNames, fillStore } from "./names.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    rate: { type: "string", default: "200" },
    names: { type: "string", default: "20000" },
    connections: { type: "string", default: "1" },
    refresh: { type: "string", default: "200" },
    held: { type: "boolean", default: false },
    rebuild: { type: "boolean", default: false },
    sqlite: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const SECONDS = Number(values.seconds);
const REFRESH_MS = Number(values.refresh);
const PROMISED_MS = 2 * REFRESH_MS + 100;
const LOOK_EVERY_MS = 10;
const LAST_CHANCE_MS = 10_000;

type Waiting = { readonly target: string; readonly committedAt: number };

/**
 * Changes targets at the rate; tells each once it is committed. A name is changed again only after everyone else's
 * turn.
 */
async function change(store: Store, keys: readonly string[], committed: (key: string, target: string) => void) {
  const actor = { clientId: "bench", tier: "system", address: "" } as const;
  const records = await store.arks(keys.slice(0, 1));
  const model = records.get(keys[0] ?? "");
  if (model === undefined) throw new Error("The names of the bench are not in the database");
  const pending: Promise<void>[] = [];
  const began = performance.now();
  let made = 0;
  while (performance.now() - began < SECONDS * 1000) {
    for (const due = ((performance.now() - began) / 1000) * Number(values.rate); made < due; made++) {
      const key = keys[made % keys.length] ?? "";
      const target = `https://fresh.example.org/${made}`;
      const at = new Date().toISOString();
      pending.push(
        store
          .transact(async (tx) => {
            await tx.updateArks([{ ...model, key, url: target, updatedAt: at }]);
            const afterUrl = target;
            await tx.record(actor, at, [
              { subject: "ark", target: key, action: "update", beforeUrl: "", afterUrl, fields: ["url"], reason: "" },
            ]);
          })
          .then(() => committed(key, target)),
      );
    }
    await Bun.sleep(5);
  }
  await Promise.all(pending);
  return made;
}

/** Returns the keys that lead to their new targets by now. */
type Look = (waiting: ReadonlyMap<string, Waiting>) => Promise<readonly string[]>;

const resolverLook =
  (base: string): Look =>
  async (waiting) => {
    const seen = await Promise.all(
      [...waiting].map(async ([key, { target }]) => {
        const response = await fetch(`${base}/ark:${key}`, { redirect: "manual" });
        await response.arrayBuffer();
        return response.headers.get("location") === target ? [key] : [];
      }),
    );
    return seen.flat();
  };

const databaseLook =
  (client: pg.Client): Look =>
  async (waiting) => {
    const keys = [...waiting.keys()];
    const { rows } = await client.query<{ ark: string; url: string }>("select ark, url from ark where ark = any($1)", [
      keys,
    ]);
    return rows.filter(({ ark, url }) => waiting.get(ark)?.target === url).map(({ ark }) => ark);
  };

/** Measures, until it is stopped, how long each change took from its commit. */
function watch(look: Look) {
  const waiting = new Map<string, Waiting>();
  const delaysMs: number[] = [];
  let running = true;
  const done = (async () => {
    while (running) {
      const startedAt = performance.now();
      for (const key of waiting.size === 0 ? [] : await look(waiting)) {
        delaysMs.push(performance.now() - (waiting.get(key)?.committedAt ?? 0));
        waiting.delete(key);
      }
      await Bun.sleep(Math.max(1, LOOK_EVERY_MS - (performance.now() - startedAt)));
    }
  })();
  return {
    delaysMs,
    committed: (key: string, target: string) => void waiting.set(key, { target, committedAt: performance.now() }),
    /** Waits for the outstanding changes; returns how many never arrived. */
    async finish(): Promise<number> {
      const deadline = performance.now() + LAST_CHANCE_MS;
      while (waiting.size > 0 && performance.now() < deadline) await Bun.sleep(LOOK_EVERY_MS);
      running = false;
      await done;
      return waiting.size;
    },
  };
}

async function run(server: Server, store: Store, standby: pg.Client, keys: readonly string[]) {
  const requests = keys.map((key) => `GET /ark:${key} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\n\r\n`);
  const order = { connections: Number(values.connections), requests, seconds: SECONDS };
  const idle = await idleShare();
  await measure(server, { ...order, seconds: 1 });
  const quiet = await measure(server, order);
  const watcher = watch(resolverLook(`http://127.0.0.1:${server.port}`));
  // What the resolver cannot be fresher than.
  const standbyWatcher = watch(databaseLook(standby));
  const [changing, made] = await Promise.all([
    measure(server, order),
    change(store, keys, (key, target) => {
      watcher.committed(key, target);
      standbyWatcher.committed(key, target);
    }),
  ]);
  const missed = await watcher.finish();
  await standbyWatcher.finish();
  for (const round of [quiet, changing]) {
    if (Object.keys(round.statuses).join() !== "302") throw new Error(JSON.stringify(round.statuses));
  }
  report(server, {
    idle,
    quiet,
    changing,
    made,
    missed,
    delaysMs: watcher.delaysMs,
    standbyMs: standbyWatcher.delaysMs,
  });
}

type Outcome = {
  readonly idle: number;
  readonly quiet: Round;
  readonly changing: Round;
  readonly made: number;
  readonly missed: number;
  readonly delaysMs: readonly number[];
  readonly standbyMs: readonly number[];
};

const spread = (delaysMs: readonly number[]) => ({
  p50Ms: quantile(delaysMs, 0.5),
  p99Ms: quantile(delaysMs, 0.99),
  maxMs: Math.max(...delaysMs),
});
const printed = ({ p50Ms, p99Ms, maxMs }: ReturnType<typeof spread>): string =>
  `p50 ${p50Ms.toFixed(0)}, p99 ${p99Ms.toFixed(0)}, longest ${maxMs.toFixed(0)} ms`;

function report(server: Server, { idle, quiet, changing, made, missed, delaysMs, standbyMs }: Outcome): void {
  const share = delaysMs.filter((ms) => ms <= PROMISED_MS).length / Math.max(1, made);
  const seen = spread(delaysMs);
  const variants = [
    { name: "quiet", round: quiet },
    { name: "changing", round: changing },
  ].map(({ name, round: { cpuUsPerOp, opsPerSecond, p50Ms, p99Ms } }) => ({
    name,
    cpuUsPerOp,
    opsPerSecond,
    p50Ms,
    p99Ms,
    rssMiB: rssMiB(server.pid),
  }));
  process.stdout.write(
    `${values.names} names, ${values.rate} changes a second for ${SECONDS} s, refresh ${REFRESH_MS} ms, ` +
      `${values.held ? "during an open transaction, " : ""}machine idle before: ${(idle * 100).toFixed(0)}%\n`,
  );
  printTable(
    variants.map((variant) => ({
      redirects: variant.name,
      "CPU us/op": variant.cpuUsPerOp,
      "op/s": variant.opsPerSecond,
      "p50 ms": variant.p50Ms,
      "p99 ms": variant.p99Ms,
      "RSS MiB": variant.rssMiB,
    })),
  );
  process.stdout.write(
    `${made} changes, ${missed} missed, ${(share * 100).toFixed(2)}% visible within ${PROMISED_MS} ms ` +
      `(${printed(seen)})\non the standby itself: ${printed(spread(standbyMs))}\n` +
      `p99 of redirects during changes over quiet: ${(changing.p99Ms / quiet.p99Ms).toFixed(2)}\n`,
  );
  writeJson(values.json, "fresh", variants, {
    changes: made,
    missed,
    promisedMs: PROMISED_MS,
    visibleShare: share,
    visible: seen,
    onStandby: spread(standbyMs),
    p99Ratio: changing.p99Ms / quiet.p99Ms,
    idle,
  });
  if (missed > 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  if (values.rebuild) {
    const { sqlite, json } = values;
    const { names, seconds, connections } = {
      names: Number(values.names),
      seconds: SECONDS,
      connections: Number(values.connections),
    };
    return rebuildBench({ names, seconds, connections, refreshMs: REFRESH_MS, sqlite, json });
  }
  const postgres = await startPostgres({ own: true, standby: true, durable: true });
  if (postgres === null) return;
  const folder = workFolder();
  let server: Server | null = null;
  try {
    const { url, standbyUrl } = await postgres.createDatabase();
    if (standbyUrl === null) throw new Error("The bench needs a standby");
    const env = { SVC_DATA_DIR: folder.path, SVC_DATABASE_URL: url, SVC_LOG_LEVEL: "error", SVC_ACCESS_LOG: "off" };
    await provision(folder.path, env);
    const store = await openStore({ url, poolSize: 8 });
    const names = [...benchNames(Number(values.names))];
    await fillStore(store, names);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    if (values.held) {
      await other.query("create table elsewhere (n integer)");
      await other.query("begin");
      await other.query("insert into elsewhere values (1)");
    }
    const port = freePort();
    const cli = join(import.meta.dirname, "..", "src", "main", "cli.ts");
    const own = { SVC_PORT: String(port), SVC_REPLICA_URL: standbyUrl, SVC_REFRESH_MS: String(REFRESH_MS) };
    server = await startServer("resolver", [cli, "resolver"], {
      port,
      env: { ...env, ...own, SVC_RESOLVER: "1" },
      readyPath: "/readyz",
    });
    const standby = new pg.Client({ connectionString: standbyUrl });
    await standby.connect();
    await run(
      server,
      store,
      standby,
      names.map(({ key }) => key),
    );
    await standby.end();
    await other.end();
    await store.close();
  } finally {
    await server?.stop();
    await postgres.stop();
    folder.remove();
  }
}

await main();
