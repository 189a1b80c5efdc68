// What a new base of the resolver's table costs the redirects beside it (bench/fresh.ts --rebuild): a quiet time, then as long with one
// new base after the other. Whenever a base is done, so many names are changed at the primary that the next is due.
import type { ArkRecord } from "../src/domain/ark/record.ts";
import type { Store } from "../src/ports/store.ts";
import { idleShare, measure, printTable, rssMiB, type Server, writeJson } from "./lib.ts";

export type RebuildOrder = {
  readonly server: Server;
  readonly store: Store;
  readonly keys: readonly string[];
  readonly seconds: number;
  readonly connections: number;
  readonly json: string | undefined;
};

/** A base is due above 20,000 changed names, or above half a percent of the table where that is more. */
const DUE_NAMES = 20_000;
const DUE_SHARE = 1 / 200;
const NAMES_A_TRANSACTION = 5_000;
const SAMPLE = 20_000;
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
      await tx.updateArks(part.map((key) => ({ ...model, key, url: target(key), updatedAt: at })));
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

/** Keeps the resolver building bases until the time is over; gives back how many it has built. */
async function keepRebuilding({ server, store, keys, seconds }: RebuildOrder): Promise<number> {
  const model = (await store.arks(keys.slice(0, 1))).get(keys[0] ?? "");
  if (model === undefined) throw new Error("The names of the bench are not in the database");
  const count = Math.ceil(Math.max(DUE_NAMES, keys.length * DUE_SHARE) * 1.05);
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

export async function runRebuild(order: RebuildOrder): Promise<void> {
  const { server, keys, seconds, connections } = order;
  const step = Math.max(1, Math.floor(keys.length / SAMPLE));
  const requests = keys
    .filter((_, index) => index % step === 0)
    .map((key) => `GET /ark:${key} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\n\r\n`);
  const load = { connections, requests, seconds };
  const idle = await idleShare();
  await measure(server, { ...load, seconds: 1 });
  const quiet = await measure(server, load);
  const [rebuilding, bases] = await Promise.all([measure(server, load), keepRebuilding(order)]);
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
    `${keys.length} names, ${bases} new bases in ${seconds} s, machine idle before: ${(idle * 100).toFixed(0)}%\n`,
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
  process.stdout.write(`p99 of redirects beside new bases over quiet: ${p99Ratio.toFixed(2)}\n`);
  writeJson(order.json, "fresh", variants, { rebuild: true, bases, p99Ratio, idle });
}
