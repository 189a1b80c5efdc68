// The store on an SQLite file, and what is SQLite's own: one writer, several processes, a database in memory.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import { openStore } from "../../db/ark/store.ts";
import { migrate, migrationStatus } from "../../db/engine/migrate.ts";
import { openDatabase, sqlitePath } from "../../db/engine/open.ts";
import { databaseThread } from "../../src/main/database-thread.ts";
import { onReferenceMachine } from "../support/calibration.ts";
import { arkRecord } from "../support/memory-replica.ts";
import { temporaryFolder } from "../support/processes.ts";
import { seed } from "../support/seed.ts";
import { storeContract } from "./store-contract.ts";

const folder = temporaryFolder("store");
afterAll(() => folder.remove());
let files = 0;
function newFile(): string {
  files += 1;
  return join(folder.path, `deep/${files}.db`);
}

storeContract("store on an SQLite file", async () => ({ url: `sqlite:${newFile()}`, drop: async () => {} }));
storeContract("store on an SQLite file that a thread writes", async () => ({
  url: `sqlite:${newFile()}`,
  thread: databaseThread,
  drop: async () => {},
}));

const raw = (text: string) => CompiledQuery.raw(text);

describe("SQLite", () => {
  test("a store in memory is its own, and ends with its close", async () => {
    const [first, second] = [await openStore({ url: ":memory:" }), await openStore({ url: ":memory:" })];
    await seed(first);
    expect((await first.naans()).length).toBe(2);
    expect(await second.naans()).toEqual([]);
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => first.transact((tx) => tx.insertArks([arkRecord(`99999/b1m${i}`)]))),
    );
    expect((await first.listArks({ reach: { kind: "system" } }, "", 100)).length).toBe(20);
    await first.close();
    await second.close();
    await expect(first.ping()).rejects.toThrow();
  });

  test("every commit is durable: WAL, synchronous FULL, foreign keys on", async () => {
    const database = await openDatabase({ url: newFile() });
    const value = async (pragma: string) =>
      Object.values((await database.writer.executeQuery<object>(raw(`pragma ${pragma}`))).rows[0] ?? {})[0];
    expect(await value("journal_mode")).toBe("wal");
    expect(Number(await value("synchronous"))).toBe(2);
    expect(Number(await value("foreign_keys"))).toBe(1);
    expect(Number(await value("recursive_triggers"))).toBe(1);
    await database.close();
  });

  test("a long bulk statement gives way: others are answered while its rows are written", async () => {
    const store = await openStore({ url: newFile() });
    await seed(store);
    const rows = Array.from({ length: 30_000 }, (_, i) => arkRecord(`99999/b1turn${i}`, { title: `Nr ${i}` }));
    let [longest, seenAt] = [0, 0];
    const cpuNow = (): number => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
    await store.transact(async (tx) => {
      const clock = setInterval(() => {
        const now = cpuNow();
        if (seenAt > 0) longest = Math.max(longest, now - seenAt);
        seenAt = now;
      }, 1);
      await tx.insertArks(rows);
      clearInterval(clock);
    });
    expect(seenAt).toBeGreaterThan(0);
    expect(onReferenceMachine(longest)).toBeLessThan(250);
    await store.close();
  });

  test("a transaction waits for another process that writes, and the process goes on meanwhile", async () => {
    const url = newFile();
    const store = await openStore({ url });
    await seed(store);
    const other = await openDatabase({ url });
    await other.writer.executeQuery(raw("begin immediate"));
    let turns = 0;
    const clock = setInterval(() => {
      turns += 1;
    }, 5);
    const writing = store.transact((tx) => tx.insertArks([arkRecord("99999/b1wait")]));
    expect((await store.naans()).length).toBe(2);
    await sleep(250);
    await other.writer.executeQuery(raw("commit"));
    expect((await writing).size).toBe(1);
    clearInterval(clock);
    expect(turns).toBeGreaterThan(3);
    await other.close();
    await store.close();
  });

  test("a closed store leaves one file that holds everything", async () => {
    const url = newFile();
    const store = await openStore({ url });
    await seed(store);
    await store.transact((tx) => tx.insertArks([arkRecord("99999/b1kept")]));
    await store.close();
    expect([existsSync(`${url}-wal`), existsSync(`${url}-shm`)]).toEqual([false, false]);
    const again = await openStore({ url });
    expect((await again.arks(["99999/b1kept"])).size).toBe(1);
    await again.close();
  });

  test("an open that only reads refuses writes and a file that is not there", async () => {
    const url = newFile();
    await expect(openDatabase({ url, readOnly: true })).rejects.toThrow("No database");
    await (await openStore({ url })).close();
    const database = await openDatabase({ url, readOnly: true });
    const write = database.reader.executeQuery(raw("delete from service"));
    await expect(write).rejects.toThrow();
    await database.close();
  });

  test("A19 read_only reads go to the replica that is configured", async () => {
    const [url, replicaUrl] = [newFile(), newFile()];
    const other = await openStore({ url: replicaUrl });
    await seed(other);
    const store = await openStore({ url, replicaUrl });
    expect((await store.naans()).length).toBe(0);
    expect((await store.replica.naans()).length).toBe(2);
    await store.close();
    await other.close();
  });

  test.each([
    ["sqlite:data/a.db", "data/a.db"],
    ["sqlite:///srv/a.db", "/srv/a.db"],
    ["sqlite:/srv/a.db", "/srv/a.db"],
    ["file:a.db", "a.db"],
    ["a.db", "a.db"],
    [":memory:", ":memory:"],
    ["sqlite::memory:", ":memory:"],
  ])("the URL %s names the file %s", (url, path) => {
    expect(sqlitePath(url)).toBe(path);
  });
});

describe("migrations on SQLite", () => {
  test("are applied once, also by four processes that start at once", async () => {
    const url = newFile();
    const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ url })));
    const [database] = databases;
    if (database === undefined) throw new Error("nothing was opened");
    const { pending } = await migrationStatus(database);
    expect(pending[0]?.name).toBe("ark-service");
    const applied = await Promise.all(databases.map((each) => migrate(each)));
    expect(applied.flat()).toEqual(pending.map(({ name }) => name));
    expect(await migrate(database)).toEqual([]);
    const status = await migrationStatus(database);
    expect(status.pending).toEqual([]);
    expect(status.applied.map(({ version, name }) => [version, name])).toEqual(
      pending.map(({ version, name }) => [version, name]),
    );
    for (const each of databases) await each.close();
  });

  test("a schema newer than the program is refused", async () => {
    const url = newFile();
    await (await openStore({ url })).close();
    const database = await openDatabase({ url });
    await database.writer.executeQuery(raw("insert into schema_migration values (999, 'future', '2030')"));
    await expect(migrate(database)).rejects.toThrow("schema 999");
    await expect(openStore({ url })).rejects.toThrow("schema 999");
    await database.close();
  });
});
