// Uploads in parts that nobody ended, in a local folder (R7a, R7c): the sweep drops those that are old and that no row
// names, and nothing else.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLocalStorage } from "../../src/adapters/storage-local.ts";
import { sweepStorage } from "../../src/repository/items/storage-sweep.ts";
import { pieces } from "../contracts/storage-contract.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("uploads-sweep");
afterAll(() => folder.remove());

test("S3.6.97 R7a R7c: old uploads that no row names are dropped; named, young and foreign ones stay", async () => {
  const { storage } = await openLocalStorage({ folder: folder.path });
  const begin = async () => {
    const upload = await storage.multipart.startMultipart(10, 10);
    await storage.multipart.putPart?.(upload, 1, pieces(10, 10));
    return upload;
  };
  const [old, named, young, joined] = [await begin(), await begin(), await begin(), await begin()];
  await storage.multipart.completeMultipart(joined);
  const multipart = join(folder.path, "multipart");
  mkdirSync(join(multipart, "somebody-else"));
  writeFileSync(join(multipart, "notes.txt"), "kept");
  const ageOf = (name: string): void => utimesSync(join(multipart, name), 1, 1);
  for (const name of [old.key, named.key, "somebody-else", "notes.txt"]) ageOf(name);
  const swept = await sweepStorage({
    storage,
    clock: { now: () => new Date().toISOString() },
    claim: { takeTurn: async () => ({ stillHolds: async () => true }) },
    named: async (keys) => new Set(keys.filter((key) => key === named.key)),
  });
  expect([swept.abortedUploads, swept.removed]).toEqual([1, 0]);
  expect(readdirSync(multipart).toSorted()).toEqual([named.key, young.key, "notes.txt", "somebody-else"].toSorted());
  expect((await storage.stat(joined.key))?.sizeBytes).toBe(10);
});
