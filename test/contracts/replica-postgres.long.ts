// The replica over PostgreSQL: the primary itself, and a streaming standby.
import { afterAll, describe, expect, test } from "bun:test";
import { openStore } from "../../db/ark/store.ts";
import { openReplica } from "../../db/resolver/replica.ts";
import { query, startPostgres } from "../support/postgres.ts";
import { NOW, seed, TESTER } from "../support/seed.ts";
import { openTransactionsContract } from "./feed-contract.ts";
import { replicaContract } from "./replica-contract.ts";
import { changeOf } from "./store-bench.ts";

const postgres = await startPostgres({ standby: true });
afterAll(async () => {
  await postgres?.stop();
});

if (postgres === null) test.skip("replica over PostgreSQL: not available", () => {});
else {
  const onPrimary = async () => {
    const { url, drop } = await postgres.createDatabase();
    return { url, replicaUrl: url, caughtUp: async () => {}, drop };
  };
  replicaContract("replica over the PostgreSQL primary", onPrimary);
  openTransactionsContract("feed of the PostgreSQL primary while transactions are open", onPrimary);
  if (postgres.standbyUrl !== null) {
    const onStandby = async () => {
      const { url, standbyUrl, drop } = await postgres.createDatabase();
      return { url, replicaUrl: standbyUrl ?? url, caughtUp: postgres.caughtUp, drop };
    };
    replicaContract("replica over a PostgreSQL standby", onStandby);
    openTransactionsContract("feed of a PostgreSQL standby while transactions are open", onStandby);
  }
}

describe.skipIf(postgres === null)("replica over PostgreSQL", () => {
  test("A44 a role that may only read follows the feed, also where it may not know the cluster, whatever its transactions are", async () => {
    if (postgres === null) return;
    const { url, drop } = await postgres.createDatabase();
    const store = await openStore({ url });
    await seed(store);
    const role = new URL(url);
    role.username = `reader_${Date.now().toString(36)}`;
    for (const text of [
      `create role ${role.username} login`,
      `grant select on all tables in schema public to ${role.username}`,
      `alter role ${role.username} set default_transaction_isolation = 'repeatable read'`,
      "revoke execute on function pg_control_system() from public",
    ]) {
      await query(url, text);
    }
    const replica = await openReplica({ url: role.href });
    const start = await replica.position();
    expect(start.epoch).toMatch(/^[0-9a-f]{32}\.\.\d+$/);
    await store.transact((tx) => tx.record(TESTER, NOW, [changeOf("99999/b1seen")]));
    expect((await replica.changes(start)).changes.map(({ target }) => target)).toEqual(["99999/b1seen"]);
    expect((await replica.naans()).length).toBe(2);
    await replica.close();
    await store.close();
    await query(url, `drop owned by ${role.username}`);
    await query(url, `drop role ${role.username}`);
    await drop();
  });

  test("A44 it answers again after its server was away", async () => {
    const own = await startPostgres({ own: true });
    if (own?.primary === undefined || own.primary === null) return;
    const store = await openStore({ url: own.url });
    await seed(store);
    const replica = await openReplica({ url: own.url });
    await replica.ping();
    await own.primary.kill();
    await expect(replica.ping()).rejects.toThrow();
    await expect(replica.ark("99999/b1x")).rejects.toThrow();
    await own.primary.start();
    await replica.ping();
    expect((await replica.naans()).length).toBe(2);
    expect((await store.naans()).length).toBe(2);
    await replica.close();
    await store.close();
    await own.stop();
  });
});
