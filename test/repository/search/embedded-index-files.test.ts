// The files of embedded search indexes (R34): whose they are, who takes them over, and what is not trusted.
import { afterAll, expect, test } from "bun:test";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holdLock } from "../../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../../db/search/embedded-index.ts";
import {
  type IndexQuery,
  IndexUnavailable,
  type SearchIndex,
} from "../../../src/repository/search/index/index-port.ts";
import { indexDocument, SMALL_SCHEMA } from "../../support/search-documents.ts";

const POSITION = { epoch: "e1", horizon: "5" };
const EVERYTHING: IndexQuery = {
  where: { kind: "not", of: { kind: "token", field: "all", token: "missing" } },
  chosen: null,
  sort: [{ field: "title", descending: false }],
  after: null,
  offset: 0,
  limit: 1000,
  facets: [{ field: "subject", size: 10 }],
};

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "index-files-"));
  folders.push(folder);
  return join(folder, "search");
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const openIn = (folder: string): Promise<SearchIndex> => openEmbeddedIndex({ folder, hold: holdLock })(SMALL_SCHEMA);
const databasesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sqlite"))
    .sort();

async function fill(index: SearchIndex, count: number): Promise<void> {
  const building = await index.build();
  await building.add(
    Array.from({ length: count }, (_, at) =>
      indexDocument({
        id: at + 1,
        texts: { all: `word${at} common` },
        keys: { visibility: ["public"], subject: [`s${at % 9}`] },
        sorts: { updated: at, title: (at * 7919).toString(16) },
      }),
    ),
  );
  await building.finish(POSITION);
}

async function foundIn(folder: string): Promise<number | null> {
  const index = await openIn(folder);
  const found = (await index.position()) === null ? null : (await index.query(EVERYTHING)).total;
  await index.close();
  return found;
}

test("R34 two processes on one folder have an index each, and what one leaves the next takes over", async () => {
  const folder = newFolder();
  const [first, second] = [await openIn(folder), await openIn(folder)];
  await fill(first, 3);
  expect(await second.position()).toBeNull();
  await fill(second, 5);
  expect((await first.query(EVERYTHING)).total).toBe(3);
  expect((await second.query(EVERYTHING)).total).toBe(5);
  expect(databasesIn(folder)).toEqual(["0-1.sqlite", "1-1.sqlite"]);
  expect(statSync(join(folder, "0-1.sqlite")).mode & 0o777).toBe(0o600);
  await first.close();
  const next = await openIn(folder);
  expect((await next.query(EVERYTHING)).total).toBe(3);
  expect(await next.position()).toEqual(POSITION);
  await next.close();
  await second.close();
});

test("R34 an index nobody has used for a week goes; one of a living process stays, however old", async () => {
  const folder = newFolder();
  const open = [await openIn(folder), await openIn(folder), await openIn(folder)];
  for (const each of open) await fill(each, 2);
  await open[0]?.close();
  await open[1]?.close();
  const old = new Date(Date.now() - 8 * 24 * 3_600_000);
  for (const name of databasesIn(folder)) utimesSync(join(folder, name), old, old);
  const wal = join(folder, "2-1.sqlite-wal");
  utimesSync(wal, old, old);
  expect(await foundIn(folder)).toBe(2);
  expect(databasesIn(folder)).toEqual(["0-1.sqlite", "2-1.sqlite"]);
  expect((await open[2]?.query(EVERYTHING))?.total).toBe(2);
  await open[2]?.close();
});

test("R34 a file that is damaged, foreign, empty or unfinished counts as not built, and is replaced", async () => {
  const folder = newFolder();
  const index = await openIn(folder);
  await fill(index, 400);
  await index.close();
  const path = join(folder, "0-1.sqlite");
  const whole = readFileSync(path);
  const damages: readonly ((path: string) => void)[] = [
    (at) => writeFileSync(at, ""),
    (at) => writeFileSync(at, "not a database at all, but long enough to look like a header of one".repeat(20)),
    (at) => truncateSync(at, 4096),
    (at) => truncateSync(at, whole.length - 4096 * 3),
    (at) => writeFileSync(at, Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length - 100, 0xa5)])),
    (at) => writeFileSync(at, Buffer.concat([whole.subarray(0, 60), Buffer.from([0, 0, 0, 99]), whole.subarray(64)])),
  ];
  for (const damage of damages) {
    for (const name of readdirSync(folder)) if (name.includes("sqlite")) rmSync(join(folder, name));
    writeFileSync(path, whole);
    expect(await foundIn(folder)).toBe(400);
    damage(path);
    const again = await openIn(folder);
    // What the start does not see is seen by the first question.
    const answer = await again.query(EVERYTHING).catch((error: unknown) => error);
    expect(answer).toBeInstanceOf(IndexUnavailable);
    expect(await again.position()).toBeNull();
    await fill(again, 2);
    expect((await again.query(EVERYTHING)).total).toBe(2);
    await again.close();
  }
});

test("R34 whatever bytes are wrong, it answers, or reports that it must be rebuilt", async () => {
  const folder = newFolder();
  const index = await openIn(folder);
  await fill(index, 300);
  await index.close();
  const path = join(folder, "0-1.sqlite");
  const whole = readFileSync(path);
  let noticed = 0;
  for (let page = 0; page * 4096 < whole.length; page += 1) {
    for (const name of readdirSync(folder)) if (name.includes("sqlite")) rmSync(join(folder, name));
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, page * 4096 + (page === 0 ? 100 : 0), page * 4096 + 2000);
    writeFileSync(path, damaged);
    const again = await openIn(folder);
    for (const ask of [
      () => again.query(EVERYTHING),
      () => again.digests(0, 1000),
      () =>
        again.apply({
          parents: [1, 2],
          documents: [indexDocument({ id: 1, texts: { all: "word0" } })],
          position: null,
        }),
      () => again.query({ ...EVERYTHING, where: { kind: "prefix", field: "all", prefix: "wor" } }),
    ]) {
      const answer = await ask().catch((error: unknown) => error);
      if (!(answer instanceof Error)) continue;
      expect(answer).toBeInstanceOf(IndexUnavailable);
      noticed += 1;
    }
    await again.close();
  }
  expect(noticed).toBeGreaterThan(0);
});
