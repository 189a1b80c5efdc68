// What every storage promises of files that clients upload in parts (port MultipartStorage; R7, R7a, R7b): run on a
// local folder and on an S3 store.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { openLocalStorage } from "../../src/adapters/storage-local.ts";
import { copyFiles } from "../../src/repository/items/file-copying.ts";
import { PART_MIN_BYTES } from "../../src/storage/limits.ts";
import type { MultipartUpload, Storage } from "../../src/storage/storage.ts";
import { temporaryFolder } from "../support/processes.ts";
import { collect } from "./storage-contract.ts";

type MultipartUnderTest = { readonly storage: Storage; stop(): void | Promise<void> };

const md5 = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");
const PART = PART_MIN_BYTES;
const SIZE = 2 * PART + 1_000;
/** Three parts of one file. */
const PARTS = [PART, PART, 1_000].map((size, index) => new Uint8Array(size).fill(index + 1));
const WHOLE = Buffer.concat(PARTS);
const COMPOSITE = md5(Buffer.from(PARTS.map(md5).join(""), "hex"));
const DONE = { completed: true, sizeBytes: SIZE, composite: COMPOSITE } as const;

const folder = temporaryFolder("multipart-contract");
afterAll(() => folder.remove());
const openLocal = () => openLocalStorage({ folder: folder.path });

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

/** Through this server, or straight to the store. */
async function sendPart(storage: Storage, upload: MultipartUpload, number: number, bytes: Uint8Array) {
  const { putPart } = storage.multipart;
  if (putPart !== null) return void (await putPart(upload, number, piecesOf(bytes)));
  const url = (await storage.direct?.presignParts(upload))?.[number - 1]?.url ?? "";
  const answer = await fetch(url, { method: "PUT", body: Uint8Array.from(bytes) });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`part ${number}: ${answer.status}`);
}

export function multipartContract(name: string, open: () => Promise<MultipartUnderTest>): void {
  describe(name, () => {
    let world: MultipartUnderTest;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(async () => {
      await world.stop();
    });

    test("R7 S3.6.95: parts come in any order and again, what is missing is named, and joined they are the file", async () => {
      const { storage } = world;
      const { multipart } = storage;
      const upload = await multipart.startMultipart(SIZE, PART);
      expect(await multipart.listParts(upload)).toEqual([]);
      expect(await multipart.completeMultipart(upload)).toEqual({
        ...{ completed: false, missing: [1, 2, 3], wrongSize: [] },
      });
      await sendPart(storage, upload, 3, PARTS[2] ?? WHOLE);
      await sendPart(storage, upload, 1, new Uint8Array(PART).fill(9));
      expect(await multipart.completeMultipart(upload)).toEqual({ completed: false, missing: [2], wrongSize: [] });
      for (const [index, bytes] of PARTS.entries()) await sendPart(storage, upload, index + 1, bytes);
      expect((await multipart.listParts(upload))?.map(({ number, sizeBytes }) => [number, sizeBytes])).toEqual([
        [1, PART],
        [2, PART],
        [3, 1_000],
      ]);
      expect(await storage.read(upload.key)).toBe(null);
      expect(await multipart.completeMultipart(upload)).toEqual(DONE);
      // The answer was lost: the same again.
      expect(await multipart.completeMultipart(upload)).toEqual(DONE);
      expect(await multipart.listParts(upload)).toBe(null);
      expect((await storage.stat(upload.key))?.sizeBytes).toBe(SIZE);
      expect(Buffer.compare(await collect((await storage.read(upload.key))?.stream ?? []), WHOLE)).toBe(0);
      const over = { first: PART - 3, last: 2 * PART + 2 };
      const range = await collect((await storage.read(upload.key, over))?.stream ?? []);
      expect(Buffer.compare(range, WHOLE.subarray(over.first, over.last + 1))).toBe(0);
      await expect(storage.read(upload.key, { first: 0, last: SIZE })).rejects.toThrow(RangeError);
      expect(await storage.remove(upload.key)).toBe(true);
      expect(await storage.stat(upload.key)).toBe(null);
    });

    test("S3.6.97: an upload that is given up is gone with its parts, and giving it up again does nothing", async () => {
      const { storage } = world;
      const { multipart } = storage;
      const upload = await multipart.startMultipart(SIZE, PART);
      await sendPart(storage, upload, 3, PARTS[2] ?? WHOLE);
      await multipart.abortMultipart(upload);
      await multipart.abortMultipart(upload);
      expect(await multipart.listParts(upload)).toBe(null);
      expect(await multipart.completeMultipart(upload)).toEqual({ completed: false, gone: true });
      await expect(sendPart(storage, upload, 3, PARTS[2] ?? WHOLE)).rejects.toThrow();
    });

    test("R7a: uploads that were begun before a moment and not ended are listed for the sweep", async () => {
      const { multipart } = world.storage;
      const upload = await multipart.startMultipart(10, 10);
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
      const listed = async (before: string): Promise<readonly string[]> => {
        const keys: string[] = [];
        for await (const { key, uploadId } of multipart.unfinished(before)) {
          if (key === upload.key) expect(uploadId).toBe(upload.uploadId);
          keys.push(key);
        }
        return keys;
      };
      expect(await listed(tomorrow)).toContain(upload.key);
      expect(await listed("2020-01-01T00:00:00.000Z")).not.toContain(upload.key);
      await multipart.abortMultipart(upload);
      expect(await listed(tomorrow)).not.toContain(upload.key);
    });

    test("R19b: a copy of what was joined is stored under the key it had, also when it is made again", async () => {
      const { storage } = world;
      const { putCopy } = storage.multipart;
      // A bucket is copied by its own means.
      if (putCopy === null) return expect(storage.direct).not.toBe(null);
      const key = "5a".repeat(20);
      for (let time = 0; time < 2; time += 1) await putCopy(key, SIZE, piecesOf(WHOLE));
      expect((await storage.stat(key))?.sizeBytes).toBe(SIZE);
      expect(Buffer.compare(await collect((await storage.read(key))?.stream ?? []), WHOLE)).toBe(0);
      await expect(putCopy(key, SIZE + 1, piecesOf(WHOLE))).rejects.toThrow("were announced");
      expect((await storage.stat(key))?.sizeBytes).toBe(SIZE);
      await expect(putCopy("../../etc", SIZE, piecesOf(WHOLE))).rejects.toThrow(RangeError);
      const other = (await openLocal()).storage;
      const messages: string[] = [];
      const needs = {
        from: storage,
        to: other,
        onProgress: async () => {},
        onMissing: (missing: string) => messages.push(missing),
      };
      const wanted = async function* () {
        yield { key, sizeBytes: SIZE };
      };
      const expected = [{ files: 1, bytes: SIZE, copied: 1, missing: 0 }, []];
      expect([await copyFiles(needs, wanted()), messages]).toEqual(expected);
      expect(Buffer.compare(await collect((await other.read(key))?.stream ?? []), WHOLE)).toBe(0);
    });

    test.each([
      [10_001 * PART, PART, "10001 parts: 10000 are possible"],
      [2 * PART, PART - 1, "in parts of"],
      [-1, PART, "Cannot upload"],
      [1, 0, "Cannot upload"],
      [0.5, PART, "Cannot upload"],
    ])("S3.6.96: %d bytes in parts of %d are not an upload", async (size, part, response) => {
      await expect(world.storage.multipart.startMultipart(size, part)).rejects.toThrow(response);
    });

    test("S3.6.95: two who send one part at once leave one whole part, and two who join at once join once", async () => {
      const { storage } = world;
      const { multipart } = storage;
      const upload = await multipart.startMultipart(PART + 1_000, PART);
      const bytes = [1, 2, 3].map((value) => new Uint8Array(PART).fill(value));
      await Promise.all(bytes.map((each) => sendPart(storage, upload, 1, each)));
      await sendPart(storage, upload, 2, new Uint8Array(1_000));
      const joined = await Promise.all([multipart.completeMultipart(upload), multipart.completeMultipart(upload)]);
      const composites = new Set(joined.map((each) => (each.completed ? each.composite : null)));
      expect(composites.size).toBe(1);
      const first = await collect((await storage.read(upload.key, { first: 0, last: PART - 1 }))?.stream ?? []);
      expect(bytes.filter((each) => Buffer.compare(each, first) === 0)).toHaveLength(1);
    });
  });
}
