// The care of stored bytes: the sweep of what nobody names (R7a), files read again (R19b), the MD5 of large ones (R7b).
import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { utimesSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openLocalStorage } from "../../src/adapters/storage-local.ts";
import { openS3Storage } from "../../src/adapters/storage-s3.ts";
import { unpacking } from "../../src/adapters/unpacking.ts";
import { checkFiles, type FileCheckNeeds, hashStored, type NamedFile } from "../../src/repository/items/file-checks.ts";
import { sweepStorage } from "../../src/repository/items/storage-sweep.ts";
import { StorageProblem } from "../../src/storage/limits.ts";
import { collect, pieces } from "../contracts/storage-contract.ts";
import { FAKE_ACCOUNT, startFakeS3 } from "../support/fake-s3.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("storage-care");
const fake = await startFakeS3({ pageSize: 3 });
afterAll(async () => {
  folder.remove();
  await fake.stop();
});

const HOUR_MS = 3_600_000;
const NOW = new Date();
const clock = { now: () => NOW.toISOString() };
const ago = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR_MS);
const local = await openLocalStorage({ folder: folder.path });
const pathOf = (key: string): string => join(folder.path, "objects", key.slice(0, 2), key);
const s3 = openS3Storage({ ...FAKE_ACCOUNT, endpoint: fake.endpoint, bucket: "bucket", prefix: "p", pathStyle: true });

const STORES = {
  "a local folder": {
    storage: local.storage,
    age: (key: string, at: Date) => utimesSync(pathOf(key), at, at),
  },
  "an S3 store": {
    storage: s3,
    age: (key: string, at: Date) => {
      const object = fake.objects.get(`p/${key}`);
      if (object !== undefined) object.modified = at;
    },
  },
};

/** A storage that is ours beyond doubt; whose one is, is the matter of storage-claim.test.ts. */
const claim = { takeTurn: async () => ({ stillHolds: async () => true }) };

describe("sweepStorage()", () => {
  test.each(["a local folder", "an S3 store"] as const)(
    "R7a removes from %s what is older than 24 h and named by no row",
    async (which) => {
      const { storage, age } = STORES[which];
      const put = async (text: string, at: Date): Promise<string> => {
        const { key } = await storage.put(pieces(1000, 10 + text.length));
        age(key, at);
        return key;
      };
      const [named, unnamed, almost, young] = [
        await put("", ago(1000)),
        await put("1", ago(24.01)),
        await put("22", ago(23.99)),
        await put("333", ago(0)),
      ];
      const swept = await sweepStorage({ storage, clock, claim, named: async () => new Set([named]) });
      expect(swept).toEqual({ looked: 2, unnamed: 1, removed: 1, abortedUploads: 0 });
      const left = await Promise.all([named, unnamed, almost, young].map((key) => storage.stat(key)));
      expect(left.map((each) => each !== null)).toEqual([true, false, true, true]);
    },
  );

  test("R7a leaves what is deposited again while the sweep asks who names it", async () => {
    const root = join(folder.path, "again");
    const { storage } = await openLocalStorage({ folder: root });
    const { key } = await storage.put(pieces(777, 7));
    utimesSync(join(root, "objects", key.slice(0, 2), key), ago(48), ago(48));
    const named = async () => {
      await storage.put(pieces(777, 7));
      return new Set<string>();
    };
    expect((await sweepStorage({ storage, clock, claim, named })).removed).toBe(0);
    expect((await storage.stat(key))?.sizeBytes).toBe(777);
  });

  test("R7a leaves what a row began to name while the sweep reads the rest", async () => {
    const root = join(folder.path, "named-since");
    const { storage } = await openLocalStorage({ folder: root });
    const { key } = await storage.put(pieces(777, 7));
    utimesSync(join(root, "objects", key.slice(0, 2), key), ago(48), ago(48));
    const answers = [new Set<string>(), new Set([key])];
    const named = async () => answers.shift() ?? new Set<string>();
    expect(await sweepStorage({ storage, clock, claim, named })).toMatchObject({ unnamed: 1, removed: 0 });
    expect((await storage.stat(key))?.sizeBytes).toBe(777);
  });

  test("R7a asks in batches however much there is, and aborts uploads in parts that nobody names any more", async () => {
    fake.objects.clear();
    for (let n = 0; n < 1203; n++) {
      fake.objects.set(`p/${String(n).padStart(40, "0")}`, {
        bytes: new Uint8Array(1),
        etag: '"e"',
        modified: ago(30),
      });
    }
    const { direct } = s3;
    fake.setClock(() => ago(30));
    const [old, kept] = [await startOld(), await startOld()];
    fake.setClock(() => new Date());
    const { uploadId: young } = (await direct?.startMultipart(10, 10)) ?? { uploadId: "" };
    const asked: number[] = [];
    const named = async (keys: readonly string[]) => {
      asked.push(keys.length);
      return new Set([kept.key]);
    };
    expect(await sweepStorage({ storage: s3, clock, claim, named }, { however: true })).toEqual({
      looked: 1203,
      unnamed: 1203,
      removed: 1203,
      abortedUploads: 1,
    });
    expect(asked).toEqual([500, 500, 203, 500, 500, 203, 2]);
    expect([...fake.uploads.keys()].sort()).toEqual([kept.uploadId, young].sort());
    expect(fake.uploads.has(old.uploadId)).toBe(false);
  });
});

async function startOld() {
  const past = openS3Storage({
    ...FAKE_ACCOUNT,
    endpoint: fake.endpoint,
    bucket: "bucket",
    prefix: "p",
    pathStyle: true,
    now: () => ago(30),
  });
  const upload = await past.direct?.startMultipart(10, 10);
  if (upload === undefined) throw new Error("an S3 store takes direct uploads");
  return upload;
}

const hash = (kind: string, data: Uint8Array): string => createHash(kind).update(data).digest("hex");

async function filesOf(count: number): Promise<NamedFile[]> {
  const files: NamedFile[] = [];
  for (let n = 0; n < count; n++) {
    const { key, sha256, sizeBytes } = await local.storage.put(pieces(50_000 + n, 1000));
    files.push({ name: `in%2F${n}`, storageKey: key, sha256, sizeBytes });
  }
  return files.sort((one, other) => (one.storageKey < other.storageKey ? -1 : 1));
}

function needsOf(files: readonly NamedFile[], more: Partial<FileCheckNeeds> = {}): FileCheckNeeds {
  const filesAfter = async (key: string) => files.filter(({ storageKey }) => storageKey > key).slice(0, 2);
  return { storage: local.storage, hashing: unpacking(), filesAfter, sleep: async () => {}, ...more };
}

async function found(needs: FileCheckNeeds, options = {}): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const { name, problem } of checkFiles(needs, { bytesPerSecond: null, ...options }))
    all.push(`${name} ${problem}`);
  return all.sort();
}

describe("checkFiles()", () => {
  test("R19b finds what is missing, shorter, damaged or unreadable, and nothing where all is well", async () => {
    const files = await filesOf(7);
    const seen: number[] = [];
    expect(
      await found(needsOf(files), { progress: ({ files: count }: { files: number }) => seen.push(count) }),
    ).toEqual([]);
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const [missing, shorter, damaged, wrongRow, unreadable] = files.map(({ storageKey }) => pathOf(storageKey));
    await rm(missing ?? "");
    writeFileSync(shorter ?? "", "short");
    const bytes = await collect((await local.storage.read(files[2]?.storageKey ?? ""))?.stream ?? []);
    bytes[25_000] = (bytes[25_000] ?? 0) ^ 1;
    writeFileSync(damaged ?? "", bytes);
    const rows = files.map((file) => (pathOf(file.storageKey) === wrongRow ? { ...file, sizeBytes: 3 } : file));
    const storage = {
      read: async (key: string) => {
        const read = await local.storage.read(key);
        return pathOf(key) !== unreadable || read === null ? read : { ...read, stream: broken() };
      },
    };
    // Findings are for people: they name files as they were written.
    const name = (index: number): string => (files[index]?.name ?? "").replace("%2F", "/");
    expect(await found(needsOf(rows, { storage }))).toEqual(
      [`${name(0)} missing`, `${name(1)} size`, `${name(2)} sha256`, `${name(3)} size`, `${name(4)} unreadable`].sort(),
    );
    expect(await found(needsOf(rows, { storage }), { after: files[4]?.storageKey })).toEqual([]);
  });

  test.each(["unavailable", "refused"] as const)(
    "R7c R19b a storage that is %s ends the check with its own reason instead of accusing the files",
    async (kind) => {
      const files = await filesOf(2);
      const storage = { read: () => Promise.reject(new StorageProblem(kind, "The store's own reason")) };
      await expect(found(needsOf(files, { storage }))).rejects.toThrow("The store's own reason");
    },
  );

  test("R19b reads no faster than it may", async () => {
    const files = await filesOf(3);
    const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    let slept = 0;
    const sleep = async (milliseconds: number) => {
      slept += milliseconds;
    };
    await found(needsOf(files, { sleep }), { bytesPerSecond: 10_000 });
    expect(Math.round(slept)).toBe(Math.round(total / 10));
  });

  test("R7b the MD5 of a file above 16 MiB is reckoned by reading it again", async () => {
    const size = 17 * 1024 * 1024;
    const { key, md5, sha256 } = await local.storage.put(pieces(size, 65_536));
    expect(md5).toBe(null);
    const needs = { storage: local.storage, hashing: unpacking() };
    const whole = await collect(pieces(size, 65_536));
    expect(await hashStored(needs, key)).toEqual({ sizeBytes: size, sha256, md5: hash("md5", whole) });
    expect(await hashStored(needs, "0".repeat(64))).toBe(null);
  });
});

async function* broken(): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield new Uint8Array(10);
  throw new Error("EIO: i/o error");
}
