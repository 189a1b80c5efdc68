// Files of the storage as answers (plugins/repository/file-response.ts; R19a): bytes piece by piece, ranges, lost
// files, clients that disconnect.
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileResponse } from "../../plugins/repository/file-response.ts";
import { openLocalStorage } from "../../src/adapters/storage-local.ts";
import { StorageProblem } from "../../src/storage/limits.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { collect, pieces } from "../contracts/storage-contract.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("file-response");
afterAll(() => folder.remove());
const { storage } = await openLocalStorage({ folder: folder.path });
const SIZE = 1_000_000;
const stored = await storage.put(pieces(SIZE, 1000));
const whole = await collect(pieces(SIZE, 1000));
const FILE = {
  ...stored,
  storageKey: stored.key,
  name: "data.bin",
  mediaType: "application/octet-stream",
  restricted: true,
};

const ask = (headers: Record<string, string> = {}, method = "GET", from: Pick<Storage, "read"> = storage) =>
  fileResponse(new Request("http://localhost/f", { method, headers }), FILE, from);

describe("fileResponse()", () => {
  test("R19a gives the whole file, and a range of it, byte for byte", async () => {
    const all = await ask();
    expect([all.status, all.headers.get("content-length")]).toEqual([200, String(SIZE)]);
    expect(Buffer.compare(new Uint8Array(await all.arrayBuffer()), whole)).toBe(0);
    const part = await ask({ range: "bytes=300000-700000" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 300000-700000/${SIZE}`]);
    expect(Buffer.compare(new Uint8Array(await part.arrayBuffer()), whole.subarray(300_000, 700_001))).toBe(0);
  });

  test.each(["unavailable", "refused"] as const)("R7c a storage that is %s is 503, without its words", async (kind) => {
    const away = { read: () => Promise.reject(new StorageProblem(kind, "Cannot HEAD: the store is a secret")) };
    const error = await ask({}, "GET", away).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "unavailable", status: 503, headers: { "retry-after": "10" } });
    expect(String(error)).not.toContain("secret");
  });

  test("R19a HEAD, 304 and 416 read nothing", async () => {
    const none = { read: () => Promise.reject(new Error("read")) };
    const head = await ask({}, "HEAD", none);
    expect([head.status, head.headers.get("content-length"), head.body]).toEqual([200, String(SIZE), null]);
    expect((await ask({ "if-none-match": `"${stored.sha256}"` }, "GET", none)).status).toBe(304);
    expect((await ask({ range: "bytes=1000000-" }, "GET", none)).status).toBe(416);
  });

  test("a client that disconnects ends the reading, and no piece is read before it is asked for", async () => {
    let [read, ended] = [0, 0];
    async function* counted(): AsyncGenerator<Uint8Array> {
      try {
        for (let n = 0; n < 100; n++) {
          read += 1;
          await Promise.resolve();
          yield new Uint8Array(10_000);
        }
      } finally {
        ended += 1;
      }
    }
    const answer = await ask({}, "GET", { read: async () => ({ sizeBytes: SIZE, stream: counted() }) });
    expect(read).toBe(0);
    const reader = answer.body?.getReader();
    expect((await reader?.read())?.value?.length).toBe(10_000);
    await reader?.cancel();
    expect([read < 5, ended]).toEqual([true, 1]);
  });

  test("bytes that are lost, or not as many as they were, are an error and no answer", async () => {
    const lost = { read: async () => null };
    await expect(ask({}, "GET", lost)).rejects.toThrow("not in the storage");
    const shorter = { read: async () => ({ sizeBytes: 5, stream: pieces(5, 1) }) };
    await expect(ask({}, "GET", shorter)).rejects.toThrow("not as many");
  });

  test("a file that vanishes while it is sent breaks the answer off", async () => {
    const other = await storage.put(pieces(2_000_000, 1000));
    const file = { ...FILE, ...other, storageKey: other.key };
    const answer = await fileResponse(new Request("http://localhost/f"), file, storage);
    for (const each of readdirSync(join(folder.path, "objects")))
      rmSync(join(folder.path, "objects", each), { recursive: true });
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });
});
