// What resolvers that follow a database cost it: CPU of all processes of a PostgreSQL standby by the number of
// followers, at 200 changes a second and at none, and how fresh the followers are (docs/freshness.md).
// bun bench/followers.ts [--followers 0,1,5,10,25,50] [--real 5] [--seconds 60] [--idle 20] [--rate 200] [--names 2000]
// [--refresh 200] [--sqlite] [--json FILE]. Followers are resolvers without HTTP in one process (follower-process.ts);
// --real adds a round with as many whole resolvers. --sqlite: followers of one file; their own CPU is the cost.
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { openStore } from "../db/ark/store.ts";
import type { Store } from "../src/ark/store.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { provision } from "../test/support/processes.ts";
import { type FollowerOrder, type FollowerReport, targetAt } from "./follower-process.ts";
import {
  machineState,
  parentOf,
  postmaster as postmasterOf,
  printTable,
  type Server,
  startRole,
  workFolder,
  writeJson,
} from "./lib.ts";
import { benchNames, fillStore } from "./names.ts";

const { values } = parseArgs({
  options: {
    followers: { type: "string", default: "0,1,5,10,25,50" },
    real: { type: "string", default: "0" },
    seconds: { type: "string", default: "60" },
    idle: { type: "string", default: "20" },
    rate: { type: "string", default: "200" },
    names: { type: "string", default: "2000" },
    refresh: { type: "string", default: "200" },
    sqlite: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const REFRESH_MS = Number(values.refresh);
/** The last changes have arrived, and what the start of the followers caused has ended. */
const SETTLE_MS = 2_000;

/** Gives names new targets at the rate, a transaction each; returns how many. */
async function change(store: Store, keys: readonly string[], seconds: number): Promise<number> {
  const actor = { clientId: "bench", tier: "system", address: "" } as const;
  const model = (await store.arks(keys.slice(0, 1))).get(keys[0] ?? "");
  if (model === undefined) throw new Error("The names of the bench are not in the database");
  const pending: Promise<void>[] = [];
  const began = performance.now();
  let made = 0;
  while (performance.now() - began < seconds * 1000) {
    for (const due = ((performance.now() - began) / 1000) * Number(values.rate); made < due; made++) {
      const [key, target, at] = [keys[made % keys.length] ?? "", targetAt(made), new Date().toISOString()];
      pending.push(
        store.transact(async (tx) => {
          await tx.updateArks([{ ...model, key, url: target, updatedAt: at }]);
          const fields = ["url"];
          await tx.record(actor, at, [
            { subject: "ark", target: key, action: "update", beforeUrl: "", afterUrl: target, fields, reason: "" },
          ]);
        }),
      );
    }
    await Bun.sleep(5);
  }
  await Promise.all(pending);
  return made;
}

type ServerCpu = ReadonlyMap<number, { readonly ns: number; readonly isConnection: boolean }>;

/** Nanoseconds on a processor of every process of a server. */
function serverCpu(postmaster: number): ServerCpu {
  const found = new Map<number, { ns: number; isConnection: boolean }>();
  const folders = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  for (const pid of folders.map(Number)) {
    try {
      if (pid !== postmaster && parentOf(pid) !== postmaster) continue;
      const [ns = 0] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ").map(Number);
      found.set(pid, { ns, isConnection: readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("127.0.0.1(") });
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

type Followers = { report(): Promise<FollowerReport>; stop(): Promise<void> };

async function startFollowers(order: FollowerOrder): Promise<Followers> {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(import.meta.dirname, "follower-process.ts"), JSON.stringify(order)],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("The followers have no pipes");
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error("The followers ended");
    return value;
  };
  if ((await next()) !== "ready") throw new Error("The followers did not start");
  return {
    report: async () => {
      stdin.write("report\n");
      return JSON.parse(await next());
    },
    stop: async () => {
      stdin.end();
      await exited;
    },
  };
}

type Place = {
  readonly store: Store;
  readonly keys: readonly string[];
  /** What followers read. */
  readonly url: string;
  /** CPU of the server they read. */
  readonly cpu: () => ServerCpu;
};

/** Share of one core, in percent, while `work` ran; processes that ended meanwhile are left out. */
async function shareOf<T>({ cpu }: Place, work: () => Promise<T>) {
  const [before, startedAt] = [cpu(), performance.now()];
  const result = await work();
  const ns = (performance.now() - startedAt) * 1e6;
  let [all, connections] = [0, 0];
  for (const [pid, { ns: used, isConnection }] of cpu()) {
    const share = (100 * (used - (before.get(pid)?.ns ?? 0))) / ns;
    all += share;
    if (isConnection) connections += share;
  }
  return { result, all, connections };
}

async function round(place: Place, name: string, count: number, followers: Followers | null) {
  await Bun.sleep(SETTLE_MS);
  const [seconds, idleSeconds] = [Number(values.seconds), Number(values.idle)];
  await followers?.report();
  const idle = await shareOf(place, () => Bun.sleep(idleSeconds * 1000));
  const quiet = await followers?.report();
  const busy = await shareOf(place, () => change(place.store, place.keys, seconds));
  const looked = await followers?.report();
  await Bun.sleep(SETTLE_MS);
  const late = await followers?.report();
  const missed = followers === null ? 0 : busy.result * count - (looked?.arrived ?? 0) - (late?.arrived ?? 0);
  return {
    followers: name,
    "idle %": idle.all,
    "busy %": busy.all,
    "of it connections %": busy.connections,
    "us/look idle": (idle.connections * idleSeconds * 1e4) / (quiet?.looks ?? Number.NaN),
    "us/look busy": (busy.connections * seconds * 1e4) / (looked?.looks ?? Number.NaN),
    "looks/s": (looked?.looks ?? Number.NaN) / seconds,
    "statements/look idle": (quiet?.statements ?? 0) / (quiet?.looks ?? Number.NaN),
    "statements/look": (looked?.statements ?? 0) / (looked?.looks ?? Number.NaN),
    "rows/look": ((looked?.changes ?? 0) + (looked?.names ?? 0)) / (looked?.looks ?? Number.NaN),
    "p50 ms": looked?.p50Ms ?? Number.NaN,
    "p99 ms": looked?.p99Ms ?? Number.NaN,
    "longest ms": looked?.maxMs ?? Number.NaN,
    missed,
    "own us/look idle": ((quiet?.cpuMs ?? 0) * 1000) / (quiet?.looks ?? Number.NaN),
    "own us/look": ((looked?.cpuMs ?? 0) * 1000) / (looked?.looks ?? Number.NaN),
  };
}
type RoundResult = Awaited<ReturnType<typeof round>>;

async function rounds(place: Place, real: (count: number) => Promise<() => Promise<void>>): Promise<RoundResult[]> {
  const results: RoundResult[] = [];
  for (const count of values.followers.split(",").map(Number)) {
    const order = { url: place.url, count, refreshMs: REFRESH_MS };
    const followers = count === 0 ? null : await startFollowers(order);
    results.push(await round(place, String(count), count, followers));
    await followers?.stop();
  }
  const whole = Number(values.real);
  if (whole > 0) {
    const stop = await real(whole);
    results.push(await round(place, `${whole} whole`, whole, null));
    await stop();
  }
  return results;
}

async function main(): Promise<void> {
  const postgres = values.sqlite ? null : await startPostgres({ own: true, standby: true, durable: true });
  if (postgres === null && !values.sqlite) return;
  const folder = workFolder();
  try {
    const database = await postgres?.createDatabase();
    const url = database?.url ?? `sqlite:${join(folder.path, "followers.db")}`;
    const readUrl = database?.standbyUrl ?? url;
    await provision(folder.path, { SVC_DATA_DIR: folder.path, SVC_DATABASE_URL: url, SVC_LOG_LEVEL: "error" });
    const store = await openStore({ url, poolSize: 8 });
    const names = [...benchNames(Number(values.names))];
    await fillStore(store, names);
    await postgres?.caughtUp();
    const postmaster = database === undefined ? null : await postmasterOf(readUrl);
    const { line, figures } = await machineState();
    process.stdout.write(`${line}${values.names} names, ${values.rate} changes a second for ${values.seconds} s\n`);
    const place: Place = {
      store,
      keys: names.map(({ key }) => key),
      url: readUrl,
      cpu: () => (postmaster === null ? new Map() : serverCpu(postmaster)),
    };
    const results = await rounds(place, async (count) => {
      const servers: Server[] = [];
      for (let number = 0; number < count; number++) {
        const env = { SVC_DATABASE_URL: url, SVC_REPLICA_URL: readUrl, SVC_RESOLVER: "1", SVC_WORKERS: "1" };
        servers.push(await startRole("resolver", folder.path, { ...env, SVC_REFRESH_MS: values.refresh }));
      }
      return async () => {
        for (const server of servers) await server.stop();
      };
    });
    printTable(results);
    writeJson(values.json, "followers", results, figures);
    await store.close();
  } finally {
    await postgres?.stop();
    folder.remove();
  }
}

await main();
