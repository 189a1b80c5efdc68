// The memory of long transfers (src/storage/memory-saving-storage.ts; R13): the same bytes, and garbage is collected
// while they go by; of short ones it is not.
import { afterAll, expect, test } from "bun:test";
import { openLocalStorage } from "../../src/adapters/storage-local.ts";
import { relievedStorage } from "../../src/storage/memory-saving-storage.ts";
import { collect, pieces } from "../contracts/storage-contract.ts";
import { temporaryFolder } from "../support/processes.ts";

const MIB = 1024 * 1024;
const folder = temporaryFolder("relieved-storage");
afterAll(() => folder.remove());

test("R13 S3.6.105: long transfers collect garbage while they run, short ones do not, and the bytes are the same", async () => {
  let collected = 0;
  const plain = (await openLocalStorage({ folder: folder.path })).storage;
  const storage = relievedStorage(plain, () => {
    collected += 1;
  });
  for (let number = 1; number <= 10; number += 1) await storage.put(pieces(4 * MIB + number, MIB));
  expect(collected).toBe(0);
  const { key } = await storage.put(pieces(24 * MIB, MIB));
  expect(collected).toBe(2);
  const expected = await collect(pieces(24 * MIB, MIB));
  expect(Buffer.compare(await collect((await storage.read(key))?.stream ?? []), expected)).toBe(0);
  expect(collected).toBe(4);
  const part = 20 * MIB;
  const upload = await storage.multipart.startMultipart(part + 1, part);
  await storage.multipart.putPart?.(upload, 1, pieces(part, MIB));
  expect(collected).toBeGreaterThan(4);
  expect(await storage.read("0".repeat(64))).toBe(null);
});
