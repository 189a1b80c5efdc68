// Whose a storage is (src/repository/items/storage-claim.ts, src/repository/items/storage-sweep.ts; R7c): marks,
// proofs, copies, restores, shares, on SQLite and a folder or an S3 store.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../db/engine/open.ts";
import { startNewEpoch } from "../../db/feed/epoch.ts";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { systemClock } from "../../src/adapters/clock.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { openLocalStorage } from "../../src/adapters/storage-local.ts";
import { openS3Storage } from "../../src/adapters/storage-s3.ts";
import { storageClaim } from "../../src/repository/items/storage-claim.ts";
import { sweepStorage } from "../../src/repository/items/storage-sweep.ts";
import { MARKER_NAME, removableAtOnce, type StorageLocation } from "../../src/repository/store/storage-marker.ts";
import type { RepositoryStore } from "../../src/repository/store/store.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { pieces } from "../contracts/storage-contract.ts";
import { FAKE_ACCOUNT, startFakeS3 } from "../support/fake-s3.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("storage-claim");
const fake = await startFakeS3({ pageSize: 500 });
afterAll(async () => {
  for (const store of opened) await store.close();
  folder.remove();
  await fake.stop();
});

const LONG_AGO = new Date("2026-01-01T00:00:00.000Z");
const opened: RepositoryStore[] = [];
let count = 0;

/** Its own database, or the one at this path. */
async function database(path = join(folder.path, `${++count}.db`)): Promise<RepositoryStore> {
  const store = await openRepositoryStore({ url: path });
  opened.push(store);
  return store;
}

/** A storage, and what can be done to it: put files that look old, count what is there. */
type Kind = {
  readonly storage: Storage;
  readonly put: (n: number) => Promise<string>;
  readonly there: (keys: readonly string[]) => Promise<number>;
};

const KINDS: Readonly<Record<string, () => Promise<Kind>>> = {
  "a folder": async () => {
    const root = join(folder.path, `files-${++count}`);
    const { storage } = await openLocalStorage({ folder: root });
    const put = async (n: number): Promise<string> => {
      const { key } = await storage.put(pieces(100 + n, 10));
      utimesSync(join(root, "objects", key.slice(0, 2), key), LONG_AGO, LONG_AGO);
      return key;
    };
    return { storage, put, there: (keys) => countThere(storage, keys) };
  },
  "a bucket": async () => {
    const prefix = `p${++count}`;
    const storage = openS3Storage({
      ...FAKE_ACCOUNT,
      ...{ endpoint: fake.endpoint, bucket: "bucket", prefix, pathStyle: true },
    });
    const put = async (n: number): Promise<string> => {
      const { key } = await storage.put(pieces(100 + n, 10));
      const object = fake.objects.get(`${prefix}/${key}`);
      if (object === undefined) throw new Error("nothing was put");
      object.modified = LONG_AGO;
      return key;
    };
    return { storage, put, there: (keys) => countThere(storage, keys) };
  },
};

async function countThere(storage: Storage, keys: readonly string[]): Promise<number> {
  const found = await Promise.all(keys.map((key) => storage.stat(key)));
  return found.filter((each) => each !== null).length;
}

/** A service over a database and a storage, whose rows name these keys. */
function service(
  store: RepositoryStore,
  storage: Storage,
  named: readonly string[],
  place: StorageLocation = "elsewhere",
) {
  const namedKeys = async (keys: readonly string[]) => new Set(keys.filter((key) => named.includes(key)));
  const claim = storageClaim({ storage, location: place, items: { namedKeys }, store, random: platformRandom() });
  const needs = { storage, claim, clock: systemClock, named: namedKeys };
  return { ...claim, sweep: (options = {}) => sweepStorage(needs, options) };
}

let kind: Kind;
describe.each(Object.keys(KINDS))("whose %s is", (which) => {
  beforeEach(async () => {
    const make = KINDS[which];
    if (make === undefined) throw new RangeError(which);
    kind = await make();
  });

  test("R7c an empty storage is marked, and from then on swept", async () => {
    const { storage, put, there } = kind;
    const store = await database();
    await service(store, storage, []).settle();
    const keys = [await put(1), await put(2)];
    const swept = await service(store, storage, keys.slice(0, 1)).sweep();
    expect([swept.removed, await there(keys)]).toEqual([1, 1]);
    expect(await storage.readMarker()).toContain('"database"');
  });

  test("R7c one sweep after another: however many there were, the mark of the last one is ours", async () => {
    const { storage, put } = kind;
    const its = service(await database(), storage, []);
    await its.settle();
    for (let n = 1; n <= 8; n++) {
      await put(n);
      expect((await its.sweep()).removed).toBe(1);
    }
  });

  test("R7c a drill in parallel with production, with its own database, removes nothing, and production goes on", async () => {
    const { storage, put, there } = kind;
    const production = await database();
    await service(production, storage, []).settle();
    const keys = [await put(1), await put(2), await put(3)];
    const drill = service(await database(), storage, keys.slice(0, 1));
    await expect(drill.settle()).rejects.toThrow("belongs to another database");
    await expect(drill.sweep()).rejects.toThrow("belongs to another database");
    expect(await there(keys)).toBe(3);
    expect((await service(production, storage, keys).sweep()).looked).toBe(3);
  });

  test("R7c files without a mark are not swept, not even where the database names each of them", async () => {
    const { storage, put, there } = kind;
    const keys = [await put(1), await put(2)];
    const store = await database();
    for (const named of [[], keys.slice(0, 1), keys]) {
      await expect(service(store, storage, named).sweep()).rejects.toThrow("carries no mark");
      await expect(service(store, storage, named).settle()).rejects.toThrow("arkstone storage adopt");
    }
    expect([await there(keys), await storage.readMarker()]).toEqual([2, null]);
  });

  test("R7c files next to the database file, all named by it, are its own; one that it does not name is enough to ask", async () => {
    const { storage, put, there } = kind;
    const keys = [await put(1), await put(2)];
    const store = await database();
    await expect(service(store, storage, keys.slice(1), "beside_database").settle()).rejects.toThrow("carries no mark");
    await service(store, storage, keys, "beside_database").settle();
    expect((await service(store, storage, keys, "beside_database").readState()).belonging).toBe("ours");
    expect(await there(keys)).toBe(2);
  });

  test("R7c a bucket without prefix is never taken, not even when it is empty, until an operator confirms it", async () => {
    const { storage, put } = kind;
    const store = await database();
    const its = service(store, storage, [], "whole_bucket");
    await expect(its.settle()).rejects.toThrow("without a prefix");
    await its.adopt();
    const key = await put(1);
    expect((await its.sweep()).removed).toBe(1);
    expect(await storage.stat(key)).toBe(null);
  });

  test("R7c an operator gives the storage to another database; the one before stops and reports why", async () => {
    const { storage, put, there } = kind;
    const [before, after] = [await database(), await database()];
    await service(before, storage, []).settle();
    const keys = [await put(1), await put(2)];
    await service(after, storage, keys.slice(0, 1)).adopt();
    await expect(service(before, storage, keys).sweep()).rejects.toThrow("belongs to another database");
    expect((await service(after, storage, keys.slice(0, 1)).sweep()).removed).toBe(1);
    expect(await there(keys)).toBe(1);
  });

  test("R7c a copy of the database file sweeps nothing once the service has swept since; when it came first, the service stops", async () => {
    const { storage, put, there } = kind;
    const path = join(folder.path, `${++count}.db`);
    const production = await database(path);
    await service(production, storage, []).settle();
    for (const first of ["service", "copy"] as const) {
      const key = await put(count);
      const copied = join(folder.path, `${++count}.db`);
      for (const end of ["", "-wal"]) copyFileSync(`${path}${end}`, `${copied}${end}`);
      const copy = await database(copied);
      const inOrder = first === "service" ? [production, copy] : [copy, production];
      const [one, other] = inOrder.map((store) => service(store, storage, [key]));
      await one?.sweep();
      await expect(other?.sweep()).rejects.toThrow("another copy of this database");
      expect(await there([key])).toBe(1);
      await service(production, storage, [key]).adopt();
    }
  });

  test("R7c a new epoch, as after a dump was restored, makes another id", async () => {
    const { storage } = kind;
    const path = join(folder.path, `${++count}.db`);
    const store = await database(path);
    await service(store, storage, []).settle();
    const raw = await openDatabase({ url: path });
    await startNewEpoch(raw);
    await raw.close();
    expect((await service(store, storage, []).readState()).belonging).toBe("foreign");
  });

  test.each(["", "{}", "null", "[1]", '{"database":1,"turn":2}', "not JSON at all"])(
    "R7c a mark of %j belongs to nobody, and nothing is removed",
    async (text) => {
      const { storage, put, there } = kind;
      const store = await database();
      await service(store, storage, []).settle();
      await storage.writeMarker(text);
      const keys = [await put(1)];
      await expect(service(store, storage, []).sweep()).rejects.toThrow("cannot be read");
      expect(await there(keys)).toBe(1);
    },
  );

  test("R7c a mark that was written by nobody but us in the middle of a sweep ends it", async () => {
    const { storage, put, there } = kind;
    const [one, other] = [await database(), await database()];
    await service(one, storage, []).settle();
    const keys = [await put(1)];
    const namedKeys = async () => {
      await service(other, storage, keys).adopt();
      return new Set<string>();
    };
    const claim = storageClaim({
      storage,
      location: "elsewhere",
      items: { namedKeys },
      store: one,
      random: platformRandom(),
    });
    await expect(sweepStorage({ storage, claim, clock: systemClock, named: namedKeys })).rejects.toThrow(
      "Another process",
    );
    expect(await there(keys)).toBe(1);
  });

  test("R7c a sweep that would remove more than its share removes nothing until an operator confirms it", async () => {
    const { storage, put, there } = kind;
    const store = await database();
    await service(store, storage, []).settle();
    const keys: string[] = [];
    for (let n = 0; n < 102; n++) keys.push(await put(n));
    await expect(service(store, storage, keys.slice(0, 1)).sweep()).rejects.toThrow(
      "101 of 102 files are named by no row",
    );
    expect(await there(keys)).toBe(102);
    expect(await service(store, storage, []).sweep({ dryRun: true })).toMatchObject({ unnamed: 102, removed: 0 });
    expect((await service(store, storage, keys.slice(0, 2)).sweep()).removed).toBe(100);
    expect((await service(store, storage, []).sweep({ however: true })).removed).toBe(2);
  });

  test("R7c a sweep goes on where the store cannot list uploads in parts", async () => {
    const { storage, put } = kind;
    const store = await database();
    await service(store, storage, []).settle();
    await put(1);
    if (storage.direct !== null) fake.faults.push({ method: "GET", holds: "uploads", does: 501, times: 1 });
    const swept = await service(store, storage, []).sweep();
    expect([swept.removed, swept.abortedUploads]).toEqual([1, storage.direct === null ? 0 : null]);
  });
});

describe("names of others", () => {
  test("R7c what does not look like our name is neither counted nor removed, in a folder and in a bucket", async () => {
    const store = await database();
    const others = [
      "backup20260101000000000000",
      "0".repeat(39),
      "A".repeat(40),
      `${"0".repeat(64)}.gz`,
      "a/b",
      "notes.txt",
    ];
    const bucket = openS3Storage({
      ...FAKE_ACCOUNT,
      ...{ endpoint: fake.endpoint, bucket: "bucket", prefix: "shared", pathStyle: true },
    });
    for (const name of others) {
      fake.objects.set(`shared/${name}`, { bytes: new Uint8Array(1), etag: '"e"', modified: LONG_AGO });
    }
    const swept = await service(store, bucket, []).sweep();
    expect([swept.looked, swept.removed]).toEqual([0, 0]);
    expect(others.every((name) => fake.objects.has(`shared/${name}`))).toBe(true);
    const root = join(folder.path, `others-${++count}`);
    mkdirSync(join(root, "objects", "00"), { recursive: true });
    for (const name of ["notes.txt", "0".repeat(40)]) writeFileSync(join(root, "objects", "00", name), "kept");
    writeFileSync(join(root, "objects", "other.txt"), "kept");
    const { storage } = await openLocalStorage({ folder: root });
    expect((await service(await database(), storage, []).sweep()).looked).toBe(0);
    expect(readFileSync(join(root, "objects", "00", "notes.txt"), "utf8")).toBe("kept");
    expect(existsSync(join(root, MARKER_NAME))).toBe(true);
  });

  test.each([
    [0, 100],
    [1_999, 100],
    [2_000, 100],
    [2_020, 101],
    [1_000_000, 50_000],
  ])("R7c of %d files a sweep removes %d without being asked", (files, removed) => {
    expect(removableAtOnce(files)).toBe(removed);
  });
});
