// SQLite files as damaged storage leaves them: the end of the write-ahead log, a torn page. The process starts on a
// consistent state that ends before the damage and reports it loudly, or refuses.
import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../db/ark/store.ts";
import { openDatabase } from "../../db/engine/open.ts";
import { damageOfWal, warnOfWal } from "../../db/engine/sqlite-damage.ts";
import { arkRecord } from "../support/memory-replica.ts";
import { freePort, startRole, temporaryFolder } from "../support/processes.ts";
import { seed } from "../support/seed.ts";
import { ROUNDS, report } from "./load.ts";

const folder = temporaryFolder("damage");
afterAll(() => folder.remove());
let files = 0;
const NAMES = 40;
const keyOf = (index: number): string => `99999/b1n${index}`;

/** A database of a given number of names, one transaction each, with its log, as `kill -9` leaves them. */
async function killed(names = NAMES): Promise<string> {
  const [live, dead] = [join(folder.path, `${++files}.live`), join(folder.path, `${files}.db`)];
  const store = await openStore({ url: live });
  await seed(store);
  for (let index = 0; index < names; index++) await store.transact((tx) => tx.insertArks([arkRecord(keyOf(index))]));
  for (const end of ["", "-wal"]) copyFileSync(`${live}${end}`, `${dead}${end}`);
  await store.close();
  return dead;
}

/** A database that was closed: everything in one file. */
async function closed(names: number): Promise<string> {
  const path = join(folder.path, `${++files}.db`);
  const store = await openStore({ url: path });
  await seed(store);
  const rows = Array.from({ length: names }, (_, index) => arkRecord(keyOf(index)));
  await store.transact((tx) => tx.insertArks(rows));
  await store.close();
  return path;
}

function change(path: string, work: (bytes: Uint8Array) => Uint8Array): void {
  writeFileSync(path, work(new Uint8Array(readFileSync(path))));
}

const FRAME = 4096 + 24;
const frames = (path: string): number => Math.floor((readFileSync(`${path}-wal`).length - 32) / FRAME);

async function opened(
  path: string,
): Promise<{ readonly warnings: string[]; readonly names: number; readonly gaps: number }> {
  const warnings: string[] = [];
  const store = await openStore({ url: path, checked: (warning) => warnings.push(warning) });
  const found = await store.arks(Array.from({ length: NAMES }, (_, index) => keyOf(index)));
  const names = found.size;
  const gaps = Array.from({ length: names }, (_, index) => keyOf(index)).filter((key) => !found.has(key)).length;
  await store.close();
  return { warnings, names, gaps };
}

describe("the end of the write-ahead log", () => {
  test("whole, as kill -9 leaves it, it reports nothing and loses nothing; the same when cut in the middle of an unacknowledged frame", async () => {
    const path = await killed();
    expect(damageOfWal(new Uint8Array(readFileSync(`${path}-wal`)))).toBeNull();
    // What a transaction under way had written when the process ended.
    change(`${path}-wal`, (bytes) => new Uint8Array([...bytes, ...new Uint8Array(1000).fill(7)]));
    expect(await opened(path)).toEqual({ warnings: [], names: NAMES, gaps: 0 });
  });

  test(
    "damaged, wherever, the database is as it was before, without a gap, and every start reports what is missing",
    async () => {
      let [starts, kept, reported] = [0, 0, 0];
      for (let round = 0; round < Math.max(ROUNDS, 4); round++) {
        const path = await killed();
        const all = frames(path);
        const frame = Math.floor((all * (round + 1)) / (Math.max(ROUNDS, 4) + 1));
        change(`${path}-wal`, (bytes) => {
          const at = 32 + frame * FRAME + 24 + ((round * 611) % 4096);
          bytes[at] = (bytes[at] ?? 0) ^ 0x40;
          return bytes;
        });
        const damage = damageOfWal(new Uint8Array(readFileSync(`${path}-wal`)));
        expect(damage?.damagedFrame).toBe(frame + 1);
        const { warnings, names, gaps } = await opened(path);
        starts++;
        kept += names;
        reported += warnings.length;
        expect([warnings.length, gaps]).toEqual([1, 0]);
        expect(names).toBeLessThan(NAMES);
        expect(warnings[0]).toContain(`cannot be read from frame ${frame + 1} on`);
        expect(existsSync(`${path}-wal.damaged`)).toBe(true);
      }
      report("corrupt tail of SQLite's log", {
        starts,
        reported,
        "names-kept": kept,
        "of-names": starts * NAMES,
        gaps: 0,
      });
    },
    30_000 + ROUNDS * 2_000,
  );

  test("what another process writes meanwhile is not damage", async () => {
    const path = await killed();
    const whole = new Uint8Array(readFileSync(`${path}-wal`));
    const damagedAt = (frame: number): void =>
      writeFileSync(`${path}-wal`, whole.with(32 + frame * FRAME + 100, (whole[32 + frame * FRAME + 100] ?? 0) ^ 0xff));
    damagedAt(10);
    const passing = warnOfWal(path);
    damagedAt(20);
    expect(await passing).toBeNull();
    expect(await warnOfWal(path)).toContain("cannot be read from frame 21 on");
  });

  test("what is left over from the round before is not damage", async () => {
    const path = join(folder.path, `${++files}.db`);
    const database = await openDatabase({ url: path });
    const run = (text: string) =>
      database.writer.executeQuery({ sql: text, parameters: [], query: { kind: "RawNode" } } as never);
    await run("create table t (a text)");
    for (let index = 0; index < 30; index++) await run(`insert into t values ('${"x".repeat(3000)}')`);
    await run("pragma wal_checkpoint(restart)");
    await run("insert into t values ('first of the next round')");
    expect(damageOfWal(new Uint8Array(readFileSync(`${path}-wal`)))).toBeNull();
    await database.close();
  });

  test("the minter starts, and logs an error", async () => {
    const path = await killed();
    change(`${path}-wal`, (bytes) => {
      bytes[32 + 5 * FRAME + 100] = 99;
      return bytes;
    });
    const minter = await startRole("minter", { SVC_DATABASE_URL: path, SVC_LOG_LEVEL: "error" }, await freePort());
    expect(minter.errors()).toContain('"event":"database_damaged"');
    expect(minter.errors()).toContain("arkstone verify");
    await minter.kill("SIGTERM");
  }, 60_000);
});

describe("a torn page", () => {
  test("half of a page that holds something is overwritten: the start is refused in one line, wherever the page lies", async () => {
    let [torn, refused, harmless] = [0, 0, 0];
    const pages = readFileSync(await closed(400)).length / 4096;
    for (let page = 1; page < pages; page += Math.ceil(pages / (8 * ROUNDS))) {
      const path = await closed(400);
      const before = readFileSync(path);
      change(path, (bytes) => bytes.fill(0xa5, page * 4096 + 2048, (page + 1) * 4096));
      torn++;
      const error: unknown = await openStore({ url: path, checked: () => {} }).then(
        async (store) => {
          await store.close();
          return null;
        },
        (failure: unknown) => failure,
      );
      // A free page holds nothing.
      if (error === null) {
        harmless++;
        expect(before.subarray(page * 4096 + 2048, (page + 1) * 4096).every((byte) => byte === 0)).toBe(true);
      } else {
        refused++;
        expect(String(error)).toMatch(/damaged|malformed/);
      }
    }
    report("torn page of SQLite", { torn, refused, "nothing-on-the-page": harmless, "started-on-damage": 0 });
    expect(refused).toBeGreaterThan(0);
  }, 60_000);

  test.each(["minter", "resolver"] as const)(
    "the %s does not start on it, and reports why in one line",
    async (role) => {
      const path = await closed(400);
      change(path, (bytes) => bytes.fill(0xa5, bytes.length - 3 * 4096, bytes.length));
      const error = await startRole(role, { SVC_DATABASE_URL: path }, await freePort()).then(
        () => "started",
        (failure: unknown) => String(failure),
      );
      expect(error).toMatch(/is damaged|malformed/);
      expect(error).toContain("restore a backup");
      expect(error).not.toContain("    at ");
    },
    60_000,
  );
});
