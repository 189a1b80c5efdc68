// What the index tree costs: the whole listing streamed to an administrator (time to last byte, VmHWM of the server
// process), moving an index with 10,000 descendants below one with 1,000 children, deleting a subtree of 10,000 indexes
// that holds 50,000 filed items. The server is `arkstone repository`. bun bench/tree.ts [--database
// sqlite|postgres|both] [--runtimes bun,deno] [--indexes 100000] [--levels 20] [--descendants 10000]
//   [--children 1000] [--filed 50000] [--rounds 5] [--json FILE]
import { parseArgs } from "node:util";
import { openRepositoryStore } from "../db/repository/store.ts";
import { systemClock } from "../src/adapters/clock.ts";
import { platformRandom } from "../src/adapters/random.ts";
import { setUpRepository } from "../src/repository/administration/repository-setup.ts";
import { seedTree } from "../src/repository/index-tree/index-tree.ts";
import { makeIndex } from "../src/repository/index-tree/new-index.ts";
import type { RepositoryStore } from "../src/repository/store/store.ts";
import { fileItems, prepareItems, rawDatabase, type Sql } from "../test/support/filed-items.ts";
import {
  type Caller,
  callerOf,
  cpuSeconds,
  type Measurement,
  machineState,
  median,
  onDatabases,
  printTable,
  quantile,
  rssMiB,
  type Server,
  startRole,
  vmHwmMiB,
  writeJson,
} from "./lib.ts";

const { values } = parseArgs({
  options: {
    database: { type: "string", default: "sqlite" },
    runtimes: { type: "string", default: "bun" },
    indexes: { type: "string", default: "100000" },
    levels: { type: "string", default: "20" },
    descendants: { type: "string", default: "10000" },
    children: { type: "string", default: "1000" },
    filed: { type: "string", default: "50000" },
    rounds: { type: "string", default: "5" },
    json: { type: "string" },
  },
});
const INDEXES = Number(values.indexes);
const LEVELS = Number(values.levels);
const DESCENDANTS = Number(values.descendants);
const CHILDREN = Number(values.children);
const FILED = Number(values.filed);
const ROUNDS = Number(values.rounds);

type Result = Measurement & { readonly vmHwmMiB: number; readonly mib?: number };

/** Twenty Japanese characters, another text for each. */
const nameOf = (n: number): string => {
  const digits = [...String(n).padStart(7, "0")].map((digit) => "〇一二三四五六七八九"[Number(digit)] ?? "");
  return `大学機関貯蔵庫の索引第${digits.join("")}号版`;
};

type Shape = { readonly id: number; readonly parent: number; readonly position: number };

async function plant(store: RepositoryStore, count: number, shapeOf: (n: number) => Shape): Promise<void> {
  const at = systemClock.now();
  const ROWS = 5_000;
  for (let from = 0; from < count; from += ROWS) {
    await store.transact(async (tx) => {
      for (let n = from; n < Math.min(count, from + ROWS); n++) {
        const { id, parent, position } = shapeOf(n);
        const fields = { parent, indexName: nameOf(id), indexNameEnglish: nameOf(id), publicState: true };
        const made = await tx.indexes.insertIndex(makeIndex(fields, null, { id, position, owner: null, at }));
        if (!made) throw new Error(`Index ${id} is there already`);
      }
      await tx.indexes.raiseTreeRevision();
    });
  }
}

/** As many on each level; half of those on a level have two children each. */
function inLevels(n: number): Shape {
  const width = Math.ceil(INDEXES / LEVELS);
  const [level, nth] = [Math.floor(n / width), n % width];
  const id = 1_000 + n;
  if (level === 0) return { id, parent: 0, position: nth + 1 };
  return { id, parent: 1_000 + (level - 1) * width + ((nth * 7919) % Math.ceil(width / 2)), position: nth };
}

/** An index, `first`, with `count` descendants, ten below each. */
const subtree =
  (first: number, parent: number) =>
  (n: number): Shape =>
    n === 0
      ? { id: first, parent, position: 0 }
      : { id: first + n, parent: first + Math.floor((n - 1) / 10), position: n };

async function measureRounds(
  server: Server,
  name: string,
  rounds: number,
  work: (round: number) => Promise<number>,
): Promise<Result> {
  const times: number[] = [];
  const cpu: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    const before = cpuSeconds(server.pid);
    const startedAt = performance.now();
    bytes = await work(round);
    times.push(performance.now() - startedAt);
    cpu.push(cpuSeconds(server.pid) - before);
  }
  return {
    name,
    cpuUsPerOp: median(cpu) * 1e6,
    opsPerSecond: 1000 / median(times),
    p50Ms: median(times),
    p99Ms: quantile(times, 0.99),
    rssMiB: rssMiB(server.pid),
    vmHwmMiB: vmHwmMiB(server.pid),
    ...(bytes === 0 ? {} : { mib: bytes / 1024 ** 2 }),
  };
}

async function list(ask: Caller): Promise<number> {
  const response = await ask("GET", "/api/v1/tree");
  if (response.status !== 200 || response.body === null) throw new Error(`GET tree: ${response.status}`);
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.byteLength;
  return bytes;
}

/** What was listed is whole: as many indexes as were made, as deep as they were made. */
async function checkListing(ask: Caller, expected: number): Promise<void> {
  type Node = { readonly children: readonly Node[] };
  const tree: { readonly index: Node } = JSON.parse(await (await ask("GET", "/api/v1/tree")).text());
  let [count, depth] = [0, 0];
  for (let level = tree.index.children; level.length > 0; level = level.flatMap((node) => node.children)) {
    count += level.length;
    depth += 1;
  }
  if (count !== expected || depth !== LEVELS) throw new Error(`The listing has ${count} indexes on ${depth} levels`);
}

async function expectStatus(response: Response, status: number): Promise<number> {
  const text = await response.text();
  if (response.status !== status) throw new Error(`${response.status} ${text.slice(0, 300)}`);
  return 0;
}

async function changes(
  server: Server,
  ask: Caller,
  store: RepositoryStore,
  sql: Sql,
  label: string,
): Promise<Result[]> {
  const [moving, target, home] = [2_000_000, 3_000_000, 4_000_000];
  await plant(store, 1, () => ({ id: home, parent: 0, position: 0 }));
  await plant(store, DESCENDANTS + 1, subtree(moving, home));
  await plant(store, CHILDREN + 1, (n) => ({ id: target + n, parent: n === 0 ? 0 : target, position: n }));
  const move = (parent: number) =>
    ask("PUT", `/api/v1/tree/index/${moving}`, { index: { parent, position: 0 } }).then((answer) =>
      expectStatus(answer, 200),
    );
  await move(target);
  await move(home);
  const results: Result[] = [];
  // In the first position: every one of the children gets another number.
  const moves: Result[] = [];
  for (let round = 0; round < ROUNDS * 4; round++) {
    moves.push(await measureRounds(server, `move-${label}`, 1, () => move(target)));
    await move(home);
  }
  const times = moves.map(({ p50Ms }) => p50Ms);
  const [last] = moves.slice(-1);
  if (last !== undefined) {
    const p50Ms = median(times);
    const cpuUsPerOp = median(moves.map((each) => each.cpuUsPerOp));
    results.push({ ...last, cpuUsPerOp, opsPerSecond: 1000 / p50Ms, p50Ms, p99Ms: quantile(times, 0.99) });
  }
  await prepareItems(sql);
  for (let round = 0; round < ROUNDS; round++) {
    const first = 10_000_000 + round * 1_000_000;
    await plant(store, DESCENDANTS, subtree(first, 0));
    await fileItems(sql, 20_000_000 + round * 1_000_000, FILED, (n) => [first + (n % DESCENDANTS)]);
  }
  results.push(
    await measureRounds(server, `delete-${label}`, ROUNDS, async (round) =>
      expectStatus(await ask("DELETE", `/api/v1/tree/index/${10_000_000 + round * 1_000_000}`), 204),
    ),
  );
  const left = await sql<{ filed: number | string }>("select count(*) as filed from item_place");
  if (Number(left[0]?.filed) !== 0) throw new Error(`${left[0]?.filed} items are left in indexes`);
  return results;
}

async function onRuntime(runtime: string, database: string, url: string, folder: string): Promise<Result[]> {
  const label = `${database}-${runtime}`;
  const store = await openRepositoryStore({ url });
  const raw = await rawDatabase(url);
  const random = platformRandom();
  const token = await setUpRepository({ store, clock: systemClock, random, steps: [seedTree] });
  await plant(store, INDEXES - 1, inLevels);
  const env = { SVC_DATABASE_URL: url, SVC_RATE_PER_MINUTE: "0" };
  const server = await startRole("repository", folder, env, { runtime });
  const ask = callerOf(server, String(token));
  try {
    const listing = await measureRounds(server, `list-${label}`, ROUNDS, () => list(ask));
    await checkListing(ask, INDEXES);
    return [listing, ...(await changes(server, ask, store, raw.sql, label))];
  } finally {
    await server.stop();
    await raw.close();
    await store.close();
  }
}

const machine = await machineState();
const results: Result[] = [];
for (const runtime of values.runtimes.split(",")) {
  results.push(...(await onDatabases(values.database, (...place) => onRuntime(runtime, ...place))));
}
process.stdout.write(
  `${machine.line}list: ${INDEXES} indexes on ${LEVELS} levels to the last byte; move: ${DESCENDANTS} descendants, first of ${CHILDREN} children; ` +
    `delete: ${DESCENDANTS} indexes with ${FILED} filed items\n`,
);
printTable(
  results.map((result) => ({
    variant: result.name,
    "CPU ms/op": result.cpuUsPerOp / 1000,
    "p50 ms": result.p50Ms,
    "p99 ms": result.p99Ms,
    "VmHWM MiB": result.vmHwmMiB,
    MiB: result.mib ?? "",
  })),
);
writeJson(values.json, "tree", results, machine.figures);
