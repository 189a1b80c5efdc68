// The store on PostgreSQL, and what is PostgreSQL's own: several writers, a standby, connections that die.
import { afterAll, describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import { openStore } from "../../db/ark/store.ts";
import { migrate, migrationStatus } from "../../db/engine/migrate.ts";
import { openDatabase } from "../../db/engine/open.ts";
import { eventually } from "../support/eventually.ts";
import { arkRecord } from "../support/memory-replica.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { seed } from "../support/seed.ts";
import { storeContract } from "./store-contract.ts";

const found = await startPostgres({ standby: true });
afterAll(async () => {
  await found?.stop();
});
function postgres(): TestPostgres {
  if (found === null) throw new Error("there is no PostgreSQL");
  return found;
}
const raw = (text: string) => CompiledQuery.raw(text);

if (found === null) test.skip("store on PostgreSQL: not available", () => {});
else {
  storeContract("store on PostgreSQL", () => found.createDatabase());
}

describe.skipIf(found === null)("PostgreSQL", () => {
  test("A19 read_only reads go to the standby, which follows the primary", async () => {
    const { url, standbyUrl } = await postgres().createDatabase();
    if (standbyUrl === null) return;
    const store = await openStore({ url, replicaUrl: standbyUrl });
    await seed(store);
    await postgres().caughtUp();
    expect(await store.replica.shoulders()).toEqual(await store.shoulders());
    await store.close();
  });

  test("rows are never emptied out of the tables that hold names", async () => {
    const { url } = await postgres().createDatabase();
    const store = await openStore({ url });
    const database = await openDatabase({ url });
    for (const table of ["ark", "shoulder", "receipt", "ark_change"]) {
      await expect(database.writer.executeQuery(raw(`truncate ${table} cascade`))).rejects.toThrow("never removed");
    }
    await database.close();
    await store.close();
  });

  test("connections that the server ends do not end the process, and the next question is answered", async () => {
    const { url } = await postgres().createDatabase();
    const store = await openStore({ url, poolSize: 4 });
    await seed(store);
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = store.transact(async (tx) => {
      await tx.insertArks([arkRecord("99999/b1held")]);
      begun.resolve();
      await ended.promise;
      await tx.insertArks([arkRecord("99999/b1held2")]);
    });
    const outcome = held.then(
      () => "kept",
      () => "lost",
    );
    await Promise.all([store.ping(), store.ping(), begun.promise]);
    const other = await openDatabase({ url });
    await other.writer.executeQuery(
      raw(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      ),
    );
    // Both ends see the other's goodbye in their own time.
    await sleep(100);
    ended.resolve();
    expect(await outcome).toBe("lost");
    expect((await store.arks(["99999/b1held"])).size).toBe(0);
    expect((await store.naans()).length).toBe(2);
    await other.close();
    await store.close();
  });

  test("the pool reports how many connections are open and who waits", async () => {
    const { url } = await postgres().createDatabase();
    const store = await openStore({ url, poolSize: 2 });
    const release = Promise.withResolvers<void>();
    let begun = 0;
    const slow = Array.from({ length: 5 }, () =>
      store.transact(() => {
        begun += 1;
        return release.promise;
      }),
    );
    await eventually("two have a connection", () => begun === 2);
    expect(store.pool()).toEqual({ open: 2, idle: 0, waiting: 3 });
    release.resolve();
    await Promise.all(slow);
    expect(store.pool()).toEqual({ open: 2, idle: 2, waiting: 0 });
    await store.close();
  });

  test("migrations are applied once, also by four processes that start at once", async () => {
    const { url } = await postgres().createDatabase();
    const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ url })));
    const [database] = databases;
    if (database === undefined) throw new Error("nothing was opened");
    const { pending } = await migrationStatus(database);
    const applied = await Promise.all(databases.map((each) => migrate(each)));
    expect(applied.flat()).toEqual(pending.map(({ name }) => name));
    expect((await migrationStatus(database)).pending).toEqual([]);
    await database.writer.executeQuery(raw("insert into schema_migration values (999, 'future', '2030')"));
    await expect(migrate(database)).rejects.toThrow("schema 999");
    for (const each of databases) await each.close();
  });

  test("a role that may only read is enough where nothing is to be migrated", async () => {
    const { url } = await postgres().createDatabase();
    await (await openStore({ url })).close();
    const owner = await openDatabase({ url });
    const role = `reader_${Math.random().toString(36).slice(2)}`;
    await owner.writer.executeQuery(raw(`create role ${role} login`));
    await owner.writer.executeQuery(raw(`grant select on all tables in schema public to ${role}`));
    const its = new URL(url);
    its.username = role;
    const database = await openDatabase({ url: its.href });
    expect(await migrate(database)).toEqual([]);
    await database.close();
    await owner.writer.executeQuery(raw(`drop owned by ${role}`));
    await owner.writer.executeQuery(raw(`drop role ${role}`));
    await owner.close();
  });

  test("a server that does not answer is an error, not a wait without end", async () => {
    await expect(openStore({ url: "postgres://nobody@127.0.0.1:1/none" })).rejects.toThrow();
  });
});
