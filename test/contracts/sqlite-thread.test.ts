// SQLite in a separate thread (db/engine/sqlite-thread.ts): what it is for, and what happens when it fails. That it is
// a store as every other is the store's contract (store-sqlite.test.ts).
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { CompiledQuery } from "kysely";
import { isAway, type Session } from "../../db/engine/dialect.ts";
import { type OpenDatabase, openDatabase } from "../../db/engine/open.ts";
import type { StartThread, Thread } from "../../db/engine/sqlite-thread.ts";
import { sqliteTransactions } from "../../db/engine/sqlite-transactions.ts";
import { databaseThread } from "../../src/main/database-thread.ts";
import { temporaryFolder } from "../support/processes.ts";
import { errorOf } from "../support/refusals.ts";

const folder = temporaryFolder("sqlite-thread");
afterAll(() => folder.remove());
let files = 0;
const newFile = (): string => join(folder.path, `${++files}.db`);
function writerThreadOf({ writerThread }: OpenDatabase): OpenDatabase["writer"] {
  if (writerThread === undefined) throw new Error("No thread was started");
  return writerThread.db;
}
const raw = (text: string) => CompiledQuery.raw(text);
describe("SQLite in a separate thread", () => {
  test("R9a the answering thread goes on while a statement runs", async () => {
    const database = await openDatabase({ url: newFile(), thread: databaseThread });
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 1);
    const count =
      "with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000000) select max(i) m from n";
    const { rows } = await writerThreadOf(database).executeQuery<{ m: number }>(raw(count));
    clearInterval(ticking);
    expect(rows).toEqual([{ m: 2_000_000 }]);
    expect(turns).toBeGreaterThan(5);
    await database.close();
  });

  test("rows, counts and row numbers are those of the driver, and so are its errors", async () => {
    const [here, there] = [
      await openDatabase({ url: newFile() }),
      await openDatabase({ url: newFile(), thread: databaseThread }),
    ];
    const statements = [
      "create table t (a integer primary key, b text unique, c) strict",
      "create table t (a integer primary key, b text unique, c any) strict",
      "insert into t (b, c) values ('x', 1.5), ('y', null), ('日本', 9007199254740991)",
      "insert into t (b) values ('x')",
      "insert into t (b) values ('z') returning a, b",
      "update t set c = 1 where a < 3",
      "select * from t order by a",
      "select nothing from t",
      "begin immediate",
      "delete from t",
      "rollback",
      "select count(*) as n from t",
    ];
    const outcomes = async (writer: OpenDatabase["writer"]): Promise<readonly unknown[]> => {
      const seen: unknown[] = [];
      for (const text of statements) {
        seen.push(
          await writer.executeQuery(raw(text)).then(
            ({ rows, insertId, numAffectedRows }) => ({
              rows: rows.map((row) => ({ ...Object(row) })),
              insertId,
              numAffectedRows,
            }),
            (error: Error) => `${error.name}: ${error.message}`,
          ),
        );
      }
      return seen;
    };
    expect(await outcomes(writerThreadOf(there))).toEqual(await outcomes(here.writer));
    await here.close();
    await there.close();
  });

  test("sets of parameters run in turn and have one answer; behind the first that fails nothing is done, and the next order is taken", async () => {
    const { writerThread, close } = await openDatabase({ url: newFile(), thread: databaseThread });
    if (writerThread === undefined) throw new Error("No thread was started");
    const count = async () =>
      (await writerThread.db.executeQuery<{ n: number }>(raw("select count(*) as n from t"))).rows.map(({ n }) => n);
    await writerThread.db.executeQuery(raw("create table t (a integer primary key, b text) strict"));
    const insert = "insert into t values (?, ?) returning a";
    const odd = ["\ud800 half", '"\\\u2028', "日本", ""];
    const ran = await writerThread.runAll(
      insert,
      odd.map((b, a) => [a, b] as const),
    );
    expect([ran.rows, ran.changes]).toEqual([odd.map((_, a) => ({ a })), 4]);
    const { rows } = await writerThread.db.executeQuery<{ b: string }>(raw("select b from t order by a"));
    expect(rows.map(({ b }) => b)).toEqual(["\ufffd half", ...odd.slice(1)]);
    expect(await writerThread.runAll(insert, [])).toEqual({ rows: [], changes: null, lastId: null });
    const failed = () =>
      writerThread.runAll(insert, [
        [10, "x"],
        [0, "there"],
        [11, "y"],
      ]);
    expect(await errorOf(failed)).toMatchObject({ message: "UNIQUE constraint failed: t.a" });
    expect(await count()).toEqual([5]);
    const unmade = () =>
      writerThread.runAll(
        insert,
        (function* () {
          yield [20, "x"];
          throw new RangeError("cannot be made");
        })(),
      );
    expect(await errorOf(unmade)).toMatchObject({ message: "cannot be made" });
    expect(await count()).toEqual([6]);
    expect((await writerThread.runAll(insert, [[30, null]])).changes).toBe(1);
    await close();
  });

  const TABLE = "create table t (a integer primary key)";
  /** More values than a transaction may hand over in the answering thread. */
  const MANY = 4_500;
  const insert = ({ db }: Session, a: number) => db.executeQuery(CompiledQuery.raw("insert into t values (?)", [a]));
  const written = async ({ reader }: OpenDatabase): Promise<number> =>
    (await reader.executeQuery<{ n: number }>(raw("select count(*) as n from t"))).rows[0]?.n ?? -1;

  test("R9a a large transaction is rolled back and done again outside the answering thread, whatever its work makes of that; its neighbours stay", async () => {
    const database = await openDatabase({ url: newFile(), thread: databaseThread });
    const transact = sqliteTransactions(database.writer, database);
    await transact(({ db }) => db.executeQuery(raw(TABLE)));
    const begun: number[] = [];
    const large = (from: number, isStubborn: boolean) => async (tx: Session) => {
      begun.push(from);
      for (let a = from; a < from + MANY; a++) {
        await insert(tx, a).catch((error: unknown) => {
          if (!isStubborn) throw error;
        });
      }
      return from;
    };
    const small = (a: number) => (tx: Session) => insert(tx, a);
    const [one, , two, three] = await Promise.all([
      transact(large(10_000, false)),
      transact(small(1)),
      transact(large(20_000, true)),
      transact(large(30_000, false)),
      transact(small(2)),
    ]);
    expect([one, two, three]).toEqual([10_000, 20_000, 30_000]);
    expect(begun.toSorted()).toEqual([10_000, 10_000, 20_000, 20_000, 30_000, 30_000]);
    expect(await written(database)).toBe(3 * MANY + 2);
    await database.close();
  });

  test.each([
    ["values", 4_096, (n: number) => CompiledQuery.raw(`select ${"?, ".repeat(n)}0`, new Array(n).fill(0))],
    ["characters", 256 * 1024, (n: number) => CompiledQuery.raw("select length(?)", ["x".repeat(n)])],
    [
      "rows",
      12_000,
      (n: number) =>
        raw(`insert into t select null from (with recursive n (i) as (select 1 union all select i + 1 from n where i < ${n})
          select i from n)`),
    ],
  ] as const)(
    "R9a the %s of all statements of a transaction count together: %d are done in the answering thread, one more outside it",
    async (_, most, some) => {
      const database = await openDatabase({ url: newFile(), thread: databaseThread });
      const transact = sqliteTransactions(database.writer, database);
      await transact(({ db }) => db.executeQuery(raw(TABLE)));
      let begun = 0;
      const inThirds = (n: number) => async (tx: Session) => {
        begun += 1;
        for (const part of [n - 2 * Math.floor(n / 3), Math.floor(n / 3), Math.floor(n / 3)]) {
          await tx.db.executeQuery(some(part));
        }
      };
      await transact(inThirds(most));
      expect(begun).toBe(1);
      await transact(inThirds(most + 1));
      expect(begun).toBe(3);
      await database.close();
    },
  );

  test("its connection has one user at a time: what comes meanwhile is outside the transaction of the other", async () => {
    const database = await openDatabase({ url: newFile(), thread: databaseThread });
    const writerThread = writerThreadOf(database);
    await writerThread.executeQuery(raw(TABLE));
    let meanwhile: Promise<unknown> = Promise.resolve();
    await writerThread.connection().execute(async (one) => {
      await one.executeQuery(raw("begin immediate"));
      meanwhile = writerThread.executeQuery(raw("insert into t values (1)"));
      for (let a = 2; a < 9; a++) await one.executeQuery(raw(`insert into t values (${a})`));
      await one.executeQuery(raw("rollback"));
    });
    await meanwhile;
    expect(await written(database)).toBe(1);
    await database.close();
  });

  test("a large transaction that fails outside the answering thread leaves nothing, and reports why", async () => {
    const database = await openDatabase({ url: newFile(), thread: databaseThread });
    const transact = sqliteTransactions(database.writer, database);
    await transact(({ db }) => db.executeQuery(raw(TABLE)));
    const twice = transact(async (tx) => {
      for (let a = 0; a <= MANY; a++) await insert(tx, a % MANY);
    });
    expect(String(await errorOf(() => twice))).toContain("UNIQUE constraint failed: t.a");
    expect(await written(database)).toBe(0);
    await transact((tx) => insert(tx, 1));
    expect(await written(database)).toBe(1);
    await database.close();
  });

  test("a thread that ends takes nothing with it but what was not answered; large transactions are refused then", async () => {
    const threads: Thread[] = [];
    const start: StartThread = () => {
      const thread = databaseThread();
      threads.push(thread);
      return thread;
    };
    const database = await openDatabase({ url: newFile(), thread: start });
    const transact = sqliteTransactions(database.writer, database);
    await transact(({ db }) => db.executeQuery(raw(TABLE)));
    const answer = "The thread that writes large transactions has ended";
    let runs = 0;
    const cut = transact(async (tx) => {
      runs += 1;
      for (let a = 0; a < MANY; a++) {
        await insert(tx, a);
        if (runs === 2 && a === 10) await threads[0]?.terminate();
      }
    });
    expect(String(await errorOf(() => cut))).toContain(answer);
    // A statement of the transaction that was cut must never run alone.
    expect(
      String(await errorOf(() => database.writerThread?.db.executeQuery(raw("insert into t values (4)")))),
    ).toContain(answer);
    expect(await written(database)).toBe(0);
    await transact((tx) => insert(tx, 1));
    expect(await written(database)).toBe(1);
    await database.close();
    expect(threads.length).toBe(1);
  });

  test("R9a reads of a large file whose work grows run in a separate thread, which is started by the first and again where it has ended", async () => {
    const threads: Thread[] = [];
    const start: StartThread = () => {
      const thread = databaseThread();
      threads.push(thread);
      return thread;
    };
    const url = newFile();
    const small = await openDatabase({ url, thread: databaseThread });
    expect(small.patient()).toBe(small.reader);
    await small.close();
    const database = await openDatabase({ url, thread: start, largeBytes: 1 });
    await database.writer.executeQuery(raw(TABLE));
    await database.writer.executeQuery(raw("insert into t values (1), (2)"));
    expect(threads.length).toBe(1);
    const long =
      "with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000000) select max(i) m from n";
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 1);
    expect((await database.patient().executeQuery<{ m: number }>(raw(long))).rows).toEqual([{ m: 2_000_000 }]);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(5);
    const read = async () => (await database.patient().executeQuery<{ a: number }>(raw("select a from t"))).rows.length;
    expect([await read(), threads.length]).toEqual([2, 2]);
    await threads[1]?.terminate();
    expect([await read(), await read(), threads.length]).toEqual([2, 2, 3]);
    expect(String(await errorOf(() => database.patient().executeQuery(raw("insert into t values (3)"))))).toContain(
      "readonly",
    );
    await database.close();
    const plain = await openDatabase({ url: newFile() });
    expect(plain.patient()).toBe(plain.reader);
    await plain.close();
  });

  test("a file that cannot be opened is refused as the driver refuses it, and leaves no thread", async () => {
    const url = join(folder.path, "folder.db", "x.db");
    await openDatabase({ url, thread: databaseThread }).then((database) => database.close());
    const readable = await errorOf(() => openDatabase({ url: join(url, "below", "y.db"), thread: databaseThread }));
    expect(readable).toBeInstanceOf(Error);
  });
});

describe("transactions that wait for others", () => {
  test("R9b while a large one holds the thread, others are refused after their time, each before it began; those after it go on", async () => {
    const database = await openDatabase({ url: newFile(), thread: databaseThread });
    const transact = sqliteTransactions(database.writer, { ...database, waitMs: 300 });
    await transact(({ db }) => db.executeQuery(raw("create table t (a integer primary key)")));
    const insert = (a: number) => (tx: Session) => tx.db.executeQuery(raw(`insert into t values (${a})`));
    const held = Promise.withResolvers<void>();
    const holding = transact(async (tx) => {
      await insert(1)(tx);
      await held.promise;
    }, "large");
    const refused = await Promise.allSettled([
      transact(insert(2)),
      transact(insert(3)),
      transact(insert(4), "large"),
      transact(insert(5), "large"),
    ]);
    for (const each of refused) {
      if (each.status === "fulfilled") throw new Error("It did not wait");
      expect([isAway(each.reason), String(each.reason)]).toEqual([true, expect.stringContaining("another write")]);
    }
    const patient = [transact(insert(6)), transact(insert(7), "large")];
    held.resolve();
    await Promise.all([holding, ...patient]);
    const { rows } = await database.reader.executeQuery<{ a: number }>(raw("select a from t order by a"));
    expect(rows.map(({ a }) => a)).toEqual([1, 6, 7]);
    await database.close();
  });

  test("R9b without a thread a large one is work like any other", async () => {
    const database = await openDatabase({ url: newFile() });
    const transact = sqliteTransactions(database.writer, { waitMs: 300 });
    await transact(({ db }) => db.executeQuery(raw("create table t (a integer primary key)")), "large");
    expect((await database.reader.executeQuery(raw("select a from t"))).rows).toEqual([]);
    await database.close();
  });

  test("R9b large ones and others take turns", async () => {
    const database = await openDatabase({ url: newFile(), thread: databaseThread });
    const transact = sqliteTransactions(database.writer, database);
    const order: string[] = [];
    const note = (name: string) => async () => void order.push(name);
    await Promise.all([
      ...["L1", "L2", "L3"].map((name) => transact(note(name), "large")),
      ...["a", "b"].map((name) => transact(note(name))),
    ]);
    expect(order).toEqual(["L1", "a", "b", "L2", "L3"]);
    await database.close();
  });
});

describe("a file that could only be read", () => {
  test("A15 it is reopened and the work repeated, once: what fails a second time is refused", async () => {
    const database = await openDatabase({ url: newFile() });
    let [runs, opened] = [0, 0];
    const reopen = async (): Promise<void> => {
      opened += 1;
    };
    const transact = sqliteTransactions(database.writer, { reopen });
    const failing = (times: number) => async (): Promise<string> => {
      runs += 1;
      if (runs <= times) throw new Error("attempt to write a readonly database");
      return "written";
    };
    expect(await transact(failing(1))).toBe("written");
    expect([runs, opened]).toEqual([2, 1]);
    runs = 0;
    expect(String(await errorOf(() => transact(failing(2))))).toContain("readonly database");
    expect([runs, opened]).toEqual([2, 2]);
    await database.close();
  });
});
