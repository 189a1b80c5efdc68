// 200 changes a second in parallel with a writing transaction that is held open, followed by a resolver's table on the
// standby: none is missed, none comes late, none is read over and over (A44; docs/freshness.md).
// ARKSTONE_FEED_SECONDS=300 makes the run as long as that (default 3).
import { afterAll, describe, expect, test } from "bun:test";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openStore } from "../../db/ark/store.ts";
import { openReplica } from "../../db/resolver/replica.ts";
import { systemClock } from "../../src/adapters/clock.ts";
import type { Store } from "../../src/ark/store.ts";
import { TableFollower } from "../../src/resolver/table/table-refresh.ts";
import { changeOf } from "../contracts/store-bench.ts";
import { eventually } from "../support/eventually.ts";
import { arkRecord } from "../support/memory-replica.ts";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";
import { quietLog } from "../support/quiet-log.ts";
import { NOW, seed, TESTER } from "../support/seed.ts";

const SECONDS = Number(process.env.ARKSTONE_FEED_SECONDS ?? "3");
const PER_SECOND = 200;
const TICK_MS = 20;

const postgres = await startPostgres({ standby: true });
afterAll(async () => {
  await postgres?.stop();
});

/** Publishes new names at the rate, each in its own transaction; returns their keys once all are committed. */
async function publish(store: Store, seconds: number): Promise<string[]> {
  const keys: string[] = [];
  const pending: Promise<void>[] = [];
  const began = performance.now();
  while (keys.length < seconds * PER_SECOND) {
    const due = ((performance.now() - began) / 1000) * PER_SECOND;
    while (keys.length < Math.min(due, seconds * PER_SECOND)) {
      const key = `99999/b1load${keys.length}`;
      keys.push(key);
      const url = `https://t.example/${key}`;
      pending.push(
        store.transact(async (tx) => {
          await tx.insertArks([arkRecord(key, { url })]);
          await tx.record(TESTER, NOW, [changeOf(key, { afterUrl: url })]);
        }),
      );
    }
    await sleep(TICK_MS);
  }
  await Promise.all(pending);
  return keys;
}

type Followed = { readonly keys: readonly string[]; readonly rowsRead: number; readonly largestWindow: number };

async function follow(url: string, replicaUrl: string, during: () => Promise<() => Promise<void>>): Promise<Followed> {
  const store = await openStore({ url, poolSize: 8 });
  const end = await during();
  // A commit after it, so that the log is written up to here.
  await seed(store);
  await postgres?.caughtUp();
  const replica = await openReplica({ url: replicaUrl });
  let rowsRead = 0;
  const { changes } = replica;
  replica.changes = async (after) => {
    const page = await changes(after);
    rowsRead += page.changes.length;
    return page;
  };
  const tables = new TableFollower({ replica, clock: systemClock, intervalMs: 50, log: quietLog });
  let largestWindow = 0;
  const watch = setInterval(() => {
    largestWindow = Math.max(largestWindow, tables.status().windowRows);
  }, 10);
  try {
    await tables.start();
    const keys = await publish(store, SECONDS);
    const missing = () => keys.filter((key) => tables.current()?.plainTarget(key) !== `https://t.example/${key}`);
    await eventually("every change is in the table", () => missing().length === 0, { details: missing });
    expect(tables.status()).toMatchObject({ rebuilds: 1, replicaUp: true, behind: null });
    return { keys, rowsRead, largestWindow };
  } finally {
    clearInterval(watch);
    await tables.stop();
    await end();
    await replica.close();
    await store.close();
  }
}

describe.skipIf(postgres === null)("200 changes a second in parallel with a transaction held open", () => {
  const run = async (on: "primary" | "standby") => {
    if (postgres === null) return;
    const database = await postgres.createDatabase();
    const other = new pg.Client({ connectionString: database.url });
    other.on("error", () => {});
    await other.connect();
    const { keys, rowsRead, largestWindow } = await follow(
      database.url,
      (on === "standby" ? database.standbyUrl : null) ?? database.url,
      async () => {
        await other.query("create table elsewhere (n integer)");
        await other.query("begin");
        await other.query("insert into elsewhere values (1)");
        return async () => {
          await other.query("commit");
          await other.end();
        };
      },
    );
    // Only what was committed while a look went on is read twice: with a window that grows all of it would be, at each
    // of 60 looks.
    expect(rowsRead).toBeLessThan(keys.length * 3);
    expect(largestWindow).toBeLessThan(PER_SECOND * 1.5);
    await database.drop();
  };

  test(
    "A44 on a standby every change arrives, and the window stays small however long the transaction is open",
    async () => {
      if (postgres?.standbyUrl != null) await run("standby");
    },
    20_000 + SECONDS * 1500,
  );

  test(
    "A44 on the primary alike",
    async () => {
      await run("primary");
    },
    20_000 + SECONDS * 1500,
  );
});

describe("200 changes a second on SQLite", () => {
  test(
    "A44 every change arrives, each read once",
    async () => {
      const folder = temporaryFolder("feed");
      const url = `${folder.path}/feed.db`;
      const { keys, rowsRead } = await follow(url, url, async () => async () => {});
      expect(rowsRead).toBe(keys.length);
      folder.remove();
    },
    20_000 + SECONDS * 1500,
  );
});
