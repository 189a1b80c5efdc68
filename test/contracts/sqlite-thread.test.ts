// SQLite in a thread of its own (db/engine/sqlite-thread.ts): what it is for, and what happens when it fails. That it is a store as every
// other is the store's contract (store-sqlite.test.ts).
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { CompiledQuery } from "kysely";
import { openDatabase } from "../../db/engine/open.ts";
import type { StartThread, Thread } from "../../db/engine/sqlite-thread.ts";
import { sqliteTransactions } from "../../db/engine/sqlite-transactions.ts";
import { databaseThread } from "../../src/main/database-thread.ts";
import { temporaryFolder } from "../support/processes.ts";
import { errorOf } from "../support/refusals.ts";

const folder = temporaryFolder("sqlite-thread");
afterAll(() => folder.remove());
let files = 0;
const newFile = (): string => join(folder.path, `${++files}.db`);
const raw = (text: string) => CompiledQuery.raw(text);
describe("SQLite in a thread of its own", () => {
  test("R9a the answering thread goes on while a statement runs", async () => {
    const database = await openDatabase({ url: newFile(), thread: databaseThread });
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 1);
    const count =
      "with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000000) select max(i) m from n";
    const { rows } = await database.writer.executeQuery<{ m: number }>(raw(count));
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
    const outcomes = async ({ writer }: typeof here): Promise<readonly unknown[]> => {
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
    expect(await outcomes(there)).toEqual(await outcomes(here));
    await here.close();
    await there.close();
  });

  test("a thread that ends takes nothing with it but what was not answered, and writes no more", async () => {
    const threads: Thread[] = [];
    const start: StartThread = () => {
      const thread = databaseThread();
      threads.push(thread);
      return thread;
    };
    const url = newFile();
    const database = await openDatabase({ url, thread: start });
    const transact = sqliteTransactions(database.writer, database.reopen);
    await transact(({ db }) => db.executeQuery(raw("create table t (a integer primary key)")));
    await transact(({ db }) => db.executeQuery(raw("insert into t values (1)")));
    const said = "The thread that writes the database has ended";
    const cut = transact(async ({ db }) => {
      await db.executeQuery(raw("insert into t values (2)"));
      await threads[0]?.terminate();
      await db.executeQuery(raw("insert into t values (3)"));
    });
    expect(String(await errorOf(() => cut))).toContain(said);
    // A statement of the transaction that was cut must never stand alone.
    expect(String(await errorOf(() => database.writer.executeQuery(raw("insert into t values (4)"))))).toContain(said);
    expect(String(await errorOf(() => transact(({ db }) => db.executeQuery(raw("select 1")))))).toContain(said);
    const { rows } = await database.reader.executeQuery(raw("select a from t"));
    expect(rows.map((row) => ({ ...Object(row) }))).toEqual([{ a: 1 }]);
    await database.close();
    expect(threads.length).toBe(1);
  });

  test("a file that cannot be opened is refused as the driver refuses it, and leaves no thread", async () => {
    const url = join(folder.path, "folder.db", "x.db");
    await openDatabase({ url, thread: databaseThread }).then((database) => database.close());
    const readable = await errorOf(() => openDatabase({ url: join(url, "below", "y.db"), thread: databaseThread }));
    expect(readable).toBeInstanceOf(Error);
  });
});
