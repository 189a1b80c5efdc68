// Statements that a connection to an SQLite file keeps (db/engine/sqlite-handle.ts).
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openCached } from "../../db/engine/sqlite-handle.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("sqlite-statements");
afterAll(() => folder.remove());
const OPENING = { readOnly: false, cacheKib: 1_000, writtenBackAfter: 1_000 };
const INSERT = "insert into t (a, b) values (?, ?)";

test("R9a a statement is kept after a run with short values, and not after one with long text or bytes", async () => {
  const connection = await openCached(join(folder.path, "runs.db"), OPENING);
  connection.run("create table t (a, b)", []);
  const kept = connection.prepare(INSERT);
  connection.run(INSERT, ["a", 1]);
  connection.run(INSERT, ["b".repeat(60_000), null]);
  expect(connection.prepare(INSERT)).toBe(kept);
  for (const long of ["c".repeat(70_000), new Uint8Array(70_000)]) {
    const before = connection.prepare(INSERT);
    connection.run(INSERT, [long, 2]);
    expect(connection.prepare(INSERT)).not.toBe(before);
  }
  connection.run(INSERT, ["d", 3]);
  const { rows } = connection.run("select length(a) || '|' || coalesce(b, '') as n from t order by rowid", []);
  expect(rows.map((row) => (row as { n: string }).n)).toEqual(["1|1", "60000|", "70000|2", "70000|2", "1|3"]);
  connection.close();
});

test("R9a a statement that fails with a long value is not kept either", async () => {
  const connection = await openCached(join(folder.path, "failures.db"), OPENING);
  connection.run("create table t (a unique, b)", []);
  const long = "a".repeat(70_000);
  connection.run(INSERT, [long, 1]);
  const before = connection.prepare(INSERT);
  expect(() => connection.run(INSERT, [long, 2])).toThrow(/UNIQUE/);
  expect(connection.prepare(INSERT)).not.toBe(before);
  connection.close();
});

test("R9a a connection at rest keeps no statements, and goes on with the next", async () => {
  const connection = await openCached(join(folder.path, "rest.db"), OPENING);
  connection.run("create table t (a, b)", []);
  const before = connection.prepare(INSERT);
  connection.rest();
  expect(connection.prepare(INSERT)).not.toBe(before);
  expect(connection.run(INSERT, ["a", 1]).changes).toBe(1);
  connection.close();
});
