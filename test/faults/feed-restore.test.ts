// What a resolver's table does when its database is another one than before: a standby that is behind, a promotion, a
// restore to an earlier time, a dump in a new cluster, an SQLite file put back (A44; docs/freshness.md). Real servers,
// moved behind one address.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { cpSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../db/ark/store.ts";
import { openDatabase } from "../../db/engine/open.ts";
import { startNewEpoch } from "../../db/feed/epoch.ts";
import { openReplica } from "../../db/resolver/replica.ts";
import { systemClock } from "../../src/adapters/clock.ts";
import type { Store } from "../../src/ark/store.ts";
import { readConfig } from "../../src/config.ts";
import { composeResolver } from "../../src/main/resolver/resolver.ts";
import { changeOf } from "../contracts/store-bench.ts";
import { eventually } from "../support/eventually.ts";
import { arkRecord } from "../support/memory-replica.ts";
import { query, startPostgres, type TestDatabase } from "../support/postgres.ts";
import { dumpInto } from "../support/postgres-dump.ts";
import { temporaryFolder } from "../support/processes.ts";
import { quietLog } from "../support/quiet-log.ts";
import { seed, TESTER } from "../support/seed.ts";
import { tcpSwitch } from "../support/tcp-switch.ts";

const KEY = "99999/b1name";
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function storeOf(url: string): Promise<Store> {
  const store = await openStore({ url, poolSize: 2 });
  closing.push(() => store.close());
  return store;
}

/** Makes the name, or gives it another target. */
async function pointTo(store: Store, target: string, key = KEY): Promise<void> {
  const record = arkRecord(key, { url: `https://t.example/${target}` });
  const at = new Date().toISOString();
  await store.transact(async (tx) => {
    const isNew = (await tx.insertArks([record])).size > 0;
    if (!isNew) await tx.updateArks([record]);
    await tx.record(TESTER, at, [changeOf(key, { afterUrl: record.url })]);
  });
}

/** A resolver in this process, which looks only when asked. */
async function resolverOn(url: string) {
  const loud: string[] = [];
  const log = { ...quietLog, error: (event: string) => void loud.push(event) };
  const config = readConfig({ SVC_RESOLVER: "1", SVC_DATABASE_URL: url, SVC_METRICS: "public" });
  const replica = await openReplica({ url });
  const { handler, tables } = composeResolver({ config, replica, log, clock: systemClock });
  closing.push(async () => {
    await tables.stop();
    await replica.close();
  });
  const get = async (path: string) => {
    const response = await handler(new Request(`http://127.0.0.1${path}`), { addressOf: () => "127.0.0.1" });
    return { status: response.status, text: await response.text() };
  };
  await tables.refreshNow();
  return {
    loud,
    replica,
    status: () => tables.status(),
    refresh: () => tables.refreshNow(),
    target: (key = KEY) => tables.current()?.plainTarget(key)?.replace("https://t.example/", "") ?? null,
    ready: () => get("/readyz"),
    metric: async (name: string) => {
      const line = new RegExp(`^${name} (\\S+)$`, "m").exec((await get("/metrics")).text);
      return Number(line?.[1] ?? Number.NaN);
    },
  };
}

/** Refreshes until it is as wanted, as the timer would. */
async function until(wanted: () => boolean, refresh: () => Promise<void>): Promise<void> {
  await eventually("the table is so", async () => {
    if (wanted()) return true;
    await refresh();
    return wanted();
  });
}

const first = await startPostgres({ own: true, standby: true });
const second = first === null ? null : await startPostgres({ own: true, standby: true });
// All of them before anything breaks.
const databases = {
  behind: await first?.createDatabase(),
  lost: await first?.createDatabase(),
  dumped: await second?.createDatabase(),
  promoted: await second?.createDatabase(),
  restored: await second?.createDatabase(),
  restarted: await second?.createDatabase(),
};
afterAll(async () => {
  await second?.stop();
  await first?.stop();
});

/**
 * The test's database on a cluster, its store, and a resolver behind an address that represents the primary at first.
 */
async function openServices({ url, standbyUrl }: TestDatabase) {
  const address = await tcpSwitch(url);
  closing.push(() => address.stop());
  const store = await storeOf(url);
  await seed(store);
  await pointTo(store, "one");
  const resolver = await resolverOn(address.urlOf(url));
  expect(resolver.target()).toBe("one");
  return { url, standbyUrl: standbyUrl ?? url, address, store, resolver };
}

describe.skipIf(first === null || second === null)("the feed when its PostgreSQL is another one", () => {
  test("A44 a standby that is behind is waited for, and nothing goes back in time", async () => {
    if (first === null || databases.behind === undefined) return;
    const { standbyUrl, address, store, resolver } = await openServices(databases.behind);
    await first.caughtUp();
    await query(standbyUrl, "select pg_wal_replay_pause()");
    await pointTo(store, "two");
    await resolver.refresh();
    expect(resolver.target()).toBe("two");
    address.turnTo(standbyUrl);
    // Rows read on the way to the next look are refused too.
    await resolver.refresh();
    let refused = "terminated";
    while (refused.includes("terminated")) {
      refused = await resolver.replica.tableRowsOf([KEY]).then(() => "read", String);
    }
    expect(refused).toContain("was applied already");
    await until(() => resolver.status().behind !== null, resolver.refresh);
    expect(resolver.target()).toBe("two");
    const { status, text } = await resolver.ready();
    expect(status).toBe(503);
    expect(text).toContain("The database is behind what was read before, waiting for it: The standby is at");
    expect(await resolver.metric("arkstone_replica_behind")).toBe(1);
    await pointTo(store, "three");
    await resolver.refresh();
    expect(resolver.target()).toBe("two");
    await query(standbyUrl, "select pg_wal_replay_resume()");
    await first.caughtUp();
    await until(() => resolver.status().behind === null, resolver.refresh);
    expect(resolver.target()).toBe("three");
    expect((await resolver.ready()).status).toBe(200);
    expect(resolver.status().rebuilds).toBe(1);
    expect(resolver.loud).toEqual([]);
  }, 60_000);

  test("A44 a standby promoted without the last changes: they are lost, and the table is rebuilt, loudly", async () => {
    if (first === null || databases.lost === undefined) return;
    const { url, standbyUrl, address, store, resolver } = await openServices(databases.lost);
    await first.caughtUp();
    // From now on the primary sends nothing to the standby.
    const [[file] = []] = await query(url, "show hba_file");
    await query(url, `copy (select 'host all all 127.0.0.1/32 trust') to '${file}'`);
    await query(url, "select pg_reload_conf()");
    await query(url, "select pg_terminate_backend(pid, 5000) from pg_stat_replication");
    await pointTo(store, "lost");
    await pointTo(store, "lost", "99999/b1lost");
    await resolver.refresh();
    expect(resolver.target()).toBe("lost");
    await first.primary?.kill();
    await resolver.refresh();
    expect(resolver.status().replicaUp).toBe(false);
    expect(resolver.target()).toBe("lost");
    await query(standbyUrl, "select pg_promote()");
    const promoted = await storeOf(standbyUrl);
    // As many changes as were lost, and more: neither numbers nor the length of the log tell the two histories apart.
    for (let times = 0; times < 5; times++) await pointTo(promoted, `kept${times}`, `99999/b1kept${times}`);
    address.turnTo(standbyUrl);
    await until(() => resolver.status().rebuilds === 2, resolver.refresh);
    expect(resolver.target()).toBe("one");
    expect(resolver.target("99999/b1lost")).toBe(null);
    expect(resolver.target("99999/b1kept4")).toBe("kept4");
    expect(resolver.loud).toEqual(["replica_restored"]);
  }, 60_000);

  test("A44 a dump restored in a new cluster is another history, although numbers of transactions came with it", async () => {
    if (first?.standbyUrl == null || databases.dumped === undefined) return;
    const { url, address, store, resolver } = await openServices(databases.dumped);
    await query(url, "create table burnt (n integer)");
    await query(url, "do $$ begin for n in 1..5000 loop insert into burnt values (n); commit; end loop; end $$");
    await pointTo(store, "two");
    await resolver.refresh();
    // The cluster of the tests above, whose promoted standby has assigned fewer numbers.
    const name = new URL(url).pathname;
    const into = new URL(first.standbyUrl);
    await query(into.href, `create database ${name.slice(1)} template template0`);
    into.pathname = name;
    if (!(await dumpInto(url, into.href))) return;
    address.turnTo(into.href);
    const restored = await storeOf(into.href);
    await pointTo(restored, "restored");
    await until(() => resolver.status().rebuilds === 2, resolver.refresh);
    expect(resolver.target()).toBe("restored");
    expect(resolver.loud).toEqual(["replica_restored"]);
    await pointTo(restored, "on");
    await resolver.refresh();
    expect(resolver.target()).toBe("on");
    // The numbers from the other cluster are not repeated as changes.
    await resolver.refresh();
    expect(resolver.status().windowRows).toBe(0);
    const database = await openDatabase({ url: into.href });
    expect((await startNewEpoch(database)).writersForgotten).toBeGreaterThan(0);
    expect((await startNewEpoch(database)).writersForgotten).toBe(0);
    await database.close();
    await pointTo(restored, "epoch");
    await until(() => resolver.status().rebuilds === 3, resolver.refresh);
    await pointTo(restored, "after");
    await resolver.refresh();
    expect(resolver.target()).toBe("after");
    expect(resolver.status().rebuilds).toBe(3);
  }, 60_000);

  test("A44 the promotion of the standby that is read changes nothing for the resolver", async () => {
    if (second === null || databases.promoted === undefined) return;
    const { standbyUrl, address, store, resolver } = await openServices(databases.promoted);
    await second.caughtUp();
    address.turnTo(standbyUrl);
    await pointTo(store, "two");
    await second.caughtUp();
    await until(() => resolver.target() === "two", resolver.refresh);
    await query(standbyUrl, "select pg_promote()");
    const promoted = await storeOf(standbyUrl);
    await pointTo(promoted, "three");
    await until(() => resolver.target() === "three", resolver.refresh);
    expect(resolver.status()).toMatchObject({ rebuilds: 1, behind: null, replicaUp: true });
    expect(resolver.loud).toEqual([]);
  }, 60_000);

  test("A44 a primary restored to an earlier time is noticed, also when it has gone on since", async () => {
    if (second?.primary == null || databases.restored === undefined) return;
    const { store, resolver } = await openServices(databases.restored);
    await second.primary.save();
    for (const goesOn of [false, true]) {
      await until(() => resolver.status().replicaUp && resolver.target() === "one", resolver.refresh);
      await pointTo(store, "two").catch(() => pointTo(store, "two"));
      await pointTo(store, "two", "99999/b1gone");
      await resolver.refresh();
      expect(resolver.target()).toBe("two");
      const { rebuilds } = resolver.status();
      await second.primary.goBack();
      // The pool of the writer notices at its first use that its connections are gone.
      for (let times = 0; goesOn && times < 5; times++) {
        await pointTo(store, "later", `99999/b1later${times}`).catch(() => {});
      }
      await until(() => resolver.status().rebuilds > rebuilds, resolver.refresh);
      expect(resolver.target()).toBe("one");
      expect(resolver.target("99999/b1gone")).toBe(null);
      expect(resolver.target("99999/b1later4")).toBe(goesOn ? "later" : null);
    }
    expect(resolver.loud).toEqual(["replica_restored", "replica_restored"]);
  }, 60_000);

  test("A44 a restart, clean or by a crash, misses nothing and rebuilds nothing", async () => {
    if (second?.primary == null || databases.restarted === undefined) return;
    const { store, resolver } = await openServices(databases.restarted);
    await second.primary.restart();
    await pointTo(store, "two").catch(() => pointTo(store, "two"));
    await until(() => resolver.target() === "two", resolver.refresh);
    await second.primary.kill();
    await resolver.refresh();
    expect((await resolver.ready()).status).toBe(503);
    await second.primary.start();
    await pointTo(store, "three").catch(() => pointTo(store, "three"));
    await until(() => resolver.target() === "three", resolver.refresh);
    expect(resolver.status().rebuilds).toBe(1);
    expect(resolver.loud).toEqual([]);
  }, 60_000);
});

describe("the feed when its SQLite file is another one", () => {
  test.each([0, 5])(
    "A44 an earlier copy put in its place, and written to %p times since, is noticed",
    async (times) => {
      const folder = temporaryFolder("earlier");
      const [live, copy] = [join(folder.path, "live.db"), join(folder.path, "copy.db")];
      const before = await openStore({ url: live });
      await seed(before);
      await pointTo(before, "one");
      await before.close();
      cpSync(live, copy);
      const store = await openStore({ url: live });
      await pointTo(store, "two");
      await pointTo(store, "two", "99999/b1gone");
      const resolver = await resolverOn(live);
      expect(resolver.target()).toBe("two");
      await pointTo(store, "three");
      await resolver.refresh();
      expect(resolver.target()).toBe("three");
      await store.close();
      for (const suffix of ["-wal", "-shm"]) rmSync(live + suffix, { force: true });
      renameSync(copy, live);
      const restored = await openStore({ url: live });
      for (let n = 0; n < times; n++) await pointTo(restored, "later", `99999/b1later${n}`);
      await resolver.refresh();
      await resolver.refresh();
      expect([resolver.target(), resolver.target("99999/b1gone")]).toEqual(["one", null]);
      expect(resolver.loud).toEqual(["replica_restored"]);
      await restored.close();
      folder.remove();
    },
  );
});
