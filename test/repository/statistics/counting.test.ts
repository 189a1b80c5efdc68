// Counting views and downloads (R39): what counts once, what counts nothing, what is distinguished and for how long,
// and what waits to be written.
import { beforeEach, describe, expect, test } from "bun:test";
import { newVisitorHash } from "../../../src/adapters/unpacking.ts";
import {
  type Usage,
  usageCounting,
  type Visit,
  type VisitorHash,
} from "../../../src/repository/statistics/counting.ts";
import type { UsageOfDay, UsageWriter } from "../../../src/repository/store/usage.ts";
import { addMilliseconds, type Instant } from "../../../src/shared/time/instant.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { NOW } from "../../support/seed.ts";

const READER: Visit = {
  method: "GET",
  status: 200,
  address: "192.0.2.1",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
  purpose: "",
  firstByte: 0,
};
const OTHER: Visit = { ...READER, address: "192.0.2.2" };
const FIRST = { id: 7, parentId: 6, isOwn: false, isPublic: false };
const SECOND = { id: 9, parentId: 6, isOwn: false, isPublic: false };
const FILE = { name: "data.csv", sizeBytes: 1_000 };

let now: Instant;
let written: UsageOfDay[][];
let asked: (() => void)[];
let hashes: VisitorHash[];
let isAway: boolean;
/** Of writes that are not to end yet. */
let gate: Promise<void>;
let usage: Usage;

beforeEach(() => {
  [now, written, asked, hashes, isAway, gate] = [NOW, [], [], [], false, Promise.resolve()];
  usage = counting();
});

/** The limits of visits, visitors and subjects that wait, where a test sets them. */
type Limits = Parameters<typeof usageCounting>[0]["limits"];

function counting(limits?: Limits): Usage {
  return usageCounting({
    clock: { now: () => now },
    dayOf: (at) => at.slice(0, 10),
    isRobot: (userAgent) => userAgent === null || userAgent.includes("bot"),
    countryOf: () => "",
    newHash: () => {
      const hash = newVisitorHash();
      hashes.push(hash);
      return hash;
    },
    async write(work) {
      await gate;
      if (isAway) throw new Error("The database is away");
      // Of the writer only this is used.
      await work({ addUsage: async (rows: UsageOfDay[]) => void written.push(rows) } as unknown as UsageWriter);
    },
    later: (flush) => void asked.push(flush),
    log: quietLog,
    ...(limits === undefined ? {} : { limits }),
  });
}

const after = (ms: number): void => {
  now = addMilliseconds(now, ms);
};

/**
 * Everything that was written, by subject, number and file: views, unique views, downloads, unique downloads, bytes.
 */
async function counts(): Promise<Readonly<Record<string, readonly number[]>>> {
  await usage.flush();
  const sums: Record<string, number[]> = {};
  for (const row of written.flat()) {
    const name = `${row.subject} ${row.id} ${row.file}`.trim();
    const sum = sums[name] ?? [0, 0, 0, 0, 0];
    sums[name] = sum;
    const values = [row.views, row.uniqueViews, row.downloads, row.uniqueDownloads, row.dataVolume];
    for (const [at, value] of values.entries()) sum[at] = (sum[at] ?? 0) + value;
  }
  return sums;
}

describe("R39 counting", () => {
  test("S3.6.240 a view counts for the version and for all versions, a download also for its file, with its bytes", async () => {
    usage.view(READER, FIRST);
    usage.download(READER, FIRST, FILE);
    usage.view(OTHER, SECOND);
    expect(await counts()).toEqual({
      "item 7": [1, 1, 1, 1, 1_000],
      "item 7 data.csv": [0, 0, 1, 1, 1_000],
      "item 9": [1, 1, 0, 0, 0],
      "parent 6": [2, 2, 1, 1, 1_000],
    });
  });

  test("S3.6.240 a visitor who returns on the same day counts once for each version and once for all", async () => {
    usage.view(READER, FIRST);
    usage.view(READER, SECOND);
    after(60_000);
    usage.view(READER, FIRST);
    usage.view(OTHER, FIRST);
    expect(await counts()).toEqual({
      "item 7": [3, 2, 0, 0, 0],
      "item 9": [1, 1, 0, 0, 0],
      "parent 6": [4, 2, 0, 0, 0],
    });
  });

  test("S3.6.240 visitors are distinguished by address and program; of a record and of a file each is counted once a day", async () => {
    const program: Visit = { ...READER, userAgent: "Mozilla/5.0 (another)" };
    const files = [FILE, { name: "b.csv", sizeBytes: 20 }];
    for (const [at, visitor] of [READER, OTHER, program, READER].entries()) {
      after(60_000);
      usage.view(visitor, FIRST);
      for (const record of at === 3 ? [FIRST] : [FIRST, SECOND]) {
        for (const file of files) usage.download(visitor, record, file);
      }
    }
    expect(await counts()).toEqual({
      "item 7": [4, 3, 8, 3, 4 * 1_020],
      "item 7 data.csv": [0, 0, 4, 3, 4_000],
      "item 7 b.csv": [0, 0, 4, 3, 80],
      "item 9": [0, 0, 6, 3, 3 * 1_020],
      "item 9 data.csv": [0, 0, 3, 3, 3_000],
      "item 9 b.csv": [0, 0, 3, 3, 60],
      "parent 6": [4, 3, 14, 3, 7 * 1_020],
    });
  });

  test("S3.6.241 the same by the same within 30 seconds counts once; each time begins the half minute again", async () => {
    usage.view(READER, FIRST);
    for (const ms of [1, 29_000, 30_000]) {
      after(ms);
      usage.view(READER, FIRST);
    }
    expect((await counts())["item 7"]?.[0]).toBe(1);
    after(30_001);
    usage.view(READER, FIRST);
    usage.download(READER, FIRST, FILE);
    usage.download(READER, FIRST, { ...FILE, name: "other.csv" });
    expect((await counts())["item 7"]).toEqual([2, 1, 2, 1, 2_000]);
  });

  test("S3.6.241 one address with two browsers is two visitors, and two addresses with one browser are", async () => {
    usage.view(READER, FIRST);
    usage.view({ ...READER, userAgent: "Mozilla/5.0 (Macintosh) Safari/17.5" }, FIRST);
    usage.view(OTHER, FIRST);
    for (const visit of [READER, OTHER]) usage.view(visit, FIRST);
    expect((await counts())["item 7"]).toEqual([3, 3, 0, 0, 0]);
  });

  test("S3.6.241 a bounded number of visits of half a minute is distinguished: beyond it the oldest is forgotten, and counts again", async () => {
    usage = counting({ recent: 5, visitors: 100, waiting: 100 });
    for (const visit of [READER, OTHER]) usage.view(visit, FIRST);
    after(1);
    usage.view(READER, FIRST);
    for (let at = 1; at < 5; at += 1) usage.view({ ...READER, address: `many ${at}` }, SECOND);
    usage.view(READER, FIRST);
    expect((await counts())["item 7"]).toEqual([2, 2, 0, 0, 0]);
    usage.view(OTHER, FIRST);
    expect((await counts())["item 7"]).toEqual([3, 2, 0, 0, 0]);
  });

  test("S3.6.241 beyond a bounded number of visitors of a day views count and visitors do not, until the next day", async () => {
    usage = counting({ recent: 100, visitors: 20, waiting: 100 });
    for (let at = 0; at < 10; at += 1) usage.view({ ...READER, address: `many ${at}` }, SECOND);
    usage.view(OTHER, FIRST);
    expect(await counts()).toEqual({
      "item 7": [1, 0, 0, 0, 0],
      "item 9": [10, 10, 0, 0, 0],
      "parent 6": [11, 10, 0, 0, 0],
    });
    after(86_400_000);
    usage.view(OTHER, FIRST);
    expect((await counts())["item 7"]).toEqual([2, 1, 0, 0, 0]);
  });

  test("S3.6.242 a day later a visitor is another one, under another key: nothing links the two", async () => {
    usage.view(READER, FIRST);
    after(86_400_000);
    usage.view(READER, FIRST);
    expect((await counts())["item 7"]).toEqual([2, 2, 0, 0, 0]);
    expect(
      written
        .flat()
        .map(({ day }) => day)
        .sort()
        .at(-1),
    ).toBe("2026-11-21");
    expect(hashes.length).toBe(2);
    const [one, other] = hashes.map((hash) => hash("192.0.2.1"));
    expect(one).not.toBe(other as number);
    expect(hashes[0]?.("192.0.2.1")).toBe(one as number);
  });

  test.each([
    ["a robot", { userAgent: "Googlebot/2.1" }],
    ["nobody's User-Agent", { userAgent: null }],
    ["HEAD", { method: "HEAD" }],
    ["a page that is not there", { status: 404 }],
    ["a page one may not see", { status: 403 }],
    ["a way elsewhere", { status: 302 }],
    ["a later part of a file", { status: 206, firstByte: 1 }],
    ["a range that is not there", { status: 416 }],
    ["what is fetched before anybody asks (Purpose)", { purpose: "prefetch" }],
    ["what is fetched before anybody asks (Sec-Purpose)", { purpose: "  prefetch;prerender" }],
    ["a preview", { purpose: "preview" }],
  ])("S3.6.243 %s counts nothing", async (_what, changes) => {
    usage.view({ ...READER, ...changes }, FIRST);
    usage.download({ ...READER, ...changes }, FIRST, FILE);
    expect(await counts()).toEqual({});
  });

  test("S3.6.243 what its owner and those who look after it do counts nothing; a beginning of a file, and what is there already, do", async () => {
    usage.view(READER, { ...FIRST, isOwn: true });
    usage.download(READER, { ...FIRST, isOwn: true }, FILE);
    expect(await counts()).toEqual({});
    usage.download({ ...READER, status: 206 }, FIRST, FILE);
    usage.download({ ...OTHER, status: 304 }, FIRST, FILE);
    expect((await counts())["item 7"]).toEqual([0, 0, 2, 2, 1_000]);
  });

  test("S3.6.244 counts wait and are written together in one transaction, in one order, and nothing is written where nothing waits", async () => {
    for (let id = 1; id <= 50; id += 1) usage.view(READER, { id, parentId: 1_000 + id, isOwn: false, isPublic: false });
    expect([asked.length, written.length]).toEqual([1, 0]);
    asked[0]?.();
    await usage.flush();
    expect(written.map((rows) => rows.length)).toEqual([100]);
    const keys = (written[0] ?? []).map(({ subject, id }) => `${subject} ${String(id).padStart(6, "0")}`);
    expect(keys).toEqual([...keys].sort());
    await usage.close();
    expect(written.length).toBe(1);
    usage.view(OTHER, FIRST);
    expect(asked.length).toBe(2);
  });

  test("S3.6.244 while the database is away counts wait on, and are written once when it is back", async () => {
    usage.view(READER, FIRST);
    isAway = true;
    await usage.flush();
    usage.view(OTHER, FIRST);
    usage.download(OTHER, SECOND, FILE);
    isAway = false;
    expect(await counts()).toEqual({
      "item 7": [2, 2, 0, 0, 0],
      "item 9": [0, 0, 1, 1, 1_000],
      "item 9 data.csv": [0, 0, 1, 1, 1_000],
      "parent 6": [2, 2, 1, 1, 1_000],
    });
    expect(written.length).toBe(1);
  });

  test("S3.6.244 while the database is away counts of a bounded number of subjects wait: they go on, and no others are added", async () => {
    usage = counting({ recent: 100, visitors: 100, waiting: 20 });
    isAway = true;
    for (let id = 1; id <= 11; id += 1)
      usage.view(READER, { id, parentId: 100_000 + id, isOwn: false, isPublic: false });
    await usage.flush();
    usage.view(OTHER, { id: 1, parentId: 100_001, isOwn: false, isPublic: false });
    isAway = false;
    const sums = await counts();
    expect(Object.keys(sums).length).toBe(20);
    expect([sums["item 1"], sums["item 10"], sums["item 11"]]).toEqual([
      [2, 2, 0, 0, 0],
      [1, 1, 0, 0, 0],
      undefined as never,
    ]);
  });

  test("S3.6.244 closing waits for a write that is under way, and writes what it could not", async () => {
    const held = Promise.withResolvers<void>();
    gate = held.promise;
    isAway = true;
    usage.view(READER, FIRST);
    const first = usage.flush();
    const closed = usage.close().then(() => (isAway ? "before" : "after"));
    await Promise.resolve();
    held.resolve();
    await first;
    isAway = false;
    expect([
      await closed,
      written
        .flat()
        .map(({ id }) => id)
        .sort(),
    ]).toEqual(["after", [6, 7]]);
  });

  test("S3.6.244 a process that is killed loses what waited, and no more; the next one distinguishes visitors again", async () => {
    usage.view(READER, FIRST);
    await usage.flush();
    after(60_000);
    usage.view(READER, FIRST);
    usage = counting();
    after(60_000);
    usage.view(READER, FIRST);
    expect((await counts())["item 7"]).toEqual([2, 2, 0, 0, 0]);
  });
});
