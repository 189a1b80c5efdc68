// The jobs that care for stored bytes (src/repository/items/storage-jobs.ts; R7a, R7b, R8, R19b), on a database and a
// folder.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { openLocalStorage } from "../../src/adapters/storage-local.ts";
import { unpacking } from "../../src/adapters/unpacking.ts";
import { jobRunner } from "../../src/jobs/runner.ts";
import type { ItemFile } from "../../src/model/items/item.ts";
import { storageClaim } from "../../src/repository/items/storage-claim.ts";
import { CHECK_JOB, MD5_JOB, SWEEP_JOB, storageJobs } from "../../src/repository/items/storage-jobs.ts";
import type { RepositoryStore } from "../../src/repository/store/store.ts";
import type { LogFields } from "../../src/shared/log.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { StorageProblem } from "../../src/storage/limits.ts";
import type { Storage, StoredObject } from "../../src/storage/storage.ts";
import { collect, pieces } from "../contracts/storage-contract.ts";
import { eventually } from "../support/eventually.ts";
import { temporaryFolder } from "../support/processes.ts";
import { aFile, draftWithFiles } from "../support/world/items.ts";

const folder = temporaryFolder("storage-jobs");
const { storage } = await openLocalStorage({ folder: folder.path });
const pathOf = (key: string): string => join(folder.path, "objects", key.slice(0, 2), key);
const LARGE = 16 * 1024 * 1024 + 5;
const MONTH_SECONDS = 30 * 86_400;

let store: RepositoryStore;
let now = new Date().toISOString();
const clock = { now: () => now };
const pass = (seconds: number): void => {
  now = addMilliseconds(now, seconds * 1000);
};
const logged: [string, LogFields][] = [];
const record = (event: string, fields: LogFields = {}): void => void logged.push([event, fields]);
const log = { debug: () => {}, info: record, warn: record, error: record };
const logsOf = (event: string): readonly LogFields[] =>
  logged.filter(([name]) => name === event).map(([, fields]) => fields);

const fileOf = (name: string, { key, sha256, md5, sizeBytes }: StoredObject): ItemFile =>
  aFile(name, { storageKey: key, sha256, md5, sizeBytes, mediaType: "application/octet-stream" });

const itemWith = (files: readonly ItemFile[]): Promise<number> => draftWithFiles(store, files, now);

const claim = (its: Storage = storage) =>
  storageClaim({ storage: its, location: "beside_database", items: store.items, store, random: platformRandom() });

function runner() {
  const kinds = storageJobs({
    storage,
    claim: claim(),
    hashing: unpacking(),
    items: store.items,
    store,
    clock,
    log,
    sleep: async () => {},
  });
  return jobRunner({ store, kinds, clock, log, owner: "one", pollMs: 5 });
}

let item = 0;
let large: StoredObject;
let small: StoredObject;
beforeAll(async () => {
  store = await openRepositoryStore({ url: ":memory:" });
  [large, small] = [await storage.put(pieces(LARGE, 65_536)), await storage.put(pieces(1000, 10))];
  item = await itemWith([fileOf("large.bin", large), fileOf("small.bin", small)]);
  await claim().settle();
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

describe("jobs of the storage", () => {
  test("R7b the MD5 of a large file is reckoned by a job and then stored with it", async () => {
    expect([large.md5, small.md5 === null]).toEqual([null, false]);
    await store.transact((tx) => tx.jobs.enqueue({ kind: MD5_JOB, subject: large.key }, now));
    await runner().runDue();
    const files = (await store.items.draft(item))?.content.files ?? [];
    const md5 = createHash("md5")
      .update(await collect(pieces(LARGE, 65_536)))
      .digest("hex");
    expect(files.map((file) => file.md5)).toEqual([md5, small.md5]);
  });

  test("R7b a job about bytes that are gone fails at once", async () => {
    const id = await store.transact((tx) => tx.jobs.enqueue({ kind: MD5_JOB, subject: "0".repeat(64) }, now));
    await runner().runDue();
    expect(await store.jobs.job(id)).toMatchObject({ state: "failed", attempts: 1 });
  });

  test("R7a R8 the sweep runs at the start and each day, and keeps what a draft names", async () => {
    const { key: unnamed } = await storage.put(pieces(500, 5));
    for (const key of [unnamed, large.key, small.key]) utimesSync(pathOf(key), 1, 1);
    const its = runner();
    await its.start();
    await until(() => logsOf("storage_swept").length === 1);
    expect(logsOf("storage_swept")).toEqual([{ looked: 3, unnamed: 1, removed: 1, abortedUploads: 0 }]);
    await its.stop();
    expect([await storage.stat(unnamed), (await storage.stat(small.key))?.sizeBytes]).toEqual([null, 1000]);
    pass(86_401);
    await runner().runDue();
    expect(logsOf("storage_swept")[1]).toEqual({ looked: 2, unnamed: 0, removed: 0, abortedUploads: 0 });
    expect(await statesOf(SWEEP_JOB)).toEqual(["waiting"]);
  });

  test("R19b everything is read again each month, with a word about each damaged file, not at each start", async () => {
    expect(logsOf("files_checked")).toEqual([]);
    pass(MONTH_SECONDS);
    await runner().runDue();
    expect([logsOf("files_checked"), logsOf("file_damaged")]).toEqual([[{ files: 2, whole: true }], []]);
    writeFileSync(pathOf(small.key), "damaged");
    const its = runner();
    await its.start();
    await its.stop();
    expect(logsOf("files_checked").length).toBe(1);
    pass(MONTH_SECONDS + 1);
    await runner().runDue();
    expect(logsOf("file_damaged")).toMatchObject([{ key: small.key, name: "small.bin", problem: "size" }]);
    expect(await statesOf(CHECK_JOB)).toEqual(["waiting"]);
  });
});

test("R7c R19b jobs are not ended for good by a store that refuses us: however often, they wait, and then do their work", async () => {
  const refusing = { ...storage, ...refusals() };
  const needs = {
    storage: refusing,
    hashing: unpacking(),
    items: store.items,
    store,
    clock,
    log,
    sleep: async () => {},
  };
  const sad = jobRunner({ store, kinds: storageJobs({ ...needs, claim: claim(refusing) }), clock, log, owner: "sad" });
  logged.length = 0;
  const id = await store.transact((tx) => tx.jobs.enqueue({ kind: MD5_JOB, subject: large.key }, now));
  pass(MONTH_SECONDS + 1);
  for (let attempt = 0; attempt < 30; attempt++) {
    await sad.runDue();
    pass(4_000);
  }
  expect(await store.jobs.job(id)).toMatchObject({ state: "waiting", lastError: "The store knows us not" });
  expect(logsOf("file_damaged")).toEqual([]);
  await runner().runDue();
  expect((await store.jobs.job(id))?.state).toBe("done");
  expect(logsOf("files_checked").length).toBeGreaterThan(0);
});

function refusals() {
  const refuse = () => Promise.reject(new StorageProblem("refused", "The store knows us not"));
  return { read: refuse, stat: refuse, remove: refuse, readMarker: refuse };
}

async function statesOf(kind: string): Promise<readonly string[]> {
  return (await store.jobs.listJobs({ kind }, null, 10)).map(({ state }) => state);
}

const until = (isTrue: () => boolean) => eventually("the job came so far", isTrue);
