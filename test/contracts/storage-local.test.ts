// The storage in a local folder: the contract, and what is its own (R7, R7a): by content, through a temporary name,
// mended, put back.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { holdLock } from "../../db/engine/process-lock.ts";
import { openLocalStorage } from "../../src/adapters/storage-local.ts";
import { temporaryFolder } from "../support/processes.ts";
import { multipartContract } from "./multipart-contract.ts";
import { collect, pieces, storageContract } from "./storage-contract.ts";

const folder = temporaryFolder("storage");
afterAll(() => folder.remove());
let count = 0;
const newFolder = (): string => join(folder.path, String(++count));
const pathOf = (root: string, key: string): string => join(root, "objects", key.slice(0, 2), key);

storageContract("storage in a local folder", async () => {
  const root = newFolder();
  return {
    ...(await openLocalStorage({ folder: root })),
    age: (key, at) => utimesSync(pathOf(root, key), at, at),
    leftovers: () => [...readdirSync(join(root, "incoming")), ...readdirSync(join(root, "leaving"))],
    stop: () => {},
  };
});

multipartContract("uploads in parts in a local folder", async () => ({
  ...(await openLocalStorage({ folder: newFolder() })),
  stop: () => {},
}));

const filesIn = (root: string): number =>
  readdirSync(join(root, "objects"), { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length;

describe("the local folder", () => {
  test("R7 is content-addressed: the key is the SHA-256, and the same bytes are stored once", async () => {
    const root = newFolder();
    const { storage } = await openLocalStorage({ folder: root });
    const [one, two, other] = await Promise.all([
      storage.put(pieces(5000, 10)),
      storage.put(pieces(5000, 10)),
      storage.put(pieces(5001, 10)),
    ]);
    expect(one).toEqual(two);
    expect(one.key).toBe(one.sha256);
    expect([other.key === one.key, filesIn(root)]).toEqual([false, 2]);
    expect(statSync(pathOf(root, one.key)).mode & 0o077).toBe(0);
  });

  test("R7 a damaged object is mended when its bytes are put again", async () => {
    const root = newFolder();
    const { storage } = await openLocalStorage({ folder: root });
    const { key } = await storage.put(pieces(100, 10));
    writeFileSync(pathOf(root, key), "broken");
    await storage.put(pieces(100, 10));
    expect(await collect((await storage.read(key))?.stream ?? [])).toEqual(await collect(pieces(100, 10)));
  });

  test("R7a at the start half written files are gone, and half removed objects are back", async () => {
    const root = newFolder();
    const { storage } = await openLocalStorage({ folder: root });
    const { key } = await storage.put(pieces(100, 10));
    const dead = "d".repeat(32);
    mkdirSync(join(root, "incoming", dead));
    writeFileSync(join(root, "incoming", `${dead}.lock`), "");
    writeFileSync(join(root, "incoming", dead, "abandoned.part"), "half");
    writeFileSync(join(root, "leaving", key), readFileSync(pathOf(root, key)));
    const { storage: again, own } = await openLocalStorage({ folder: root, hold: holdLock });
    expect([own?.ended, own?.isAlone]).toEqual([[dead], true]);
    expect(existsSync(join(root, "incoming", dead))).toBe(false);
    expect(readdirSync(join(root, "leaving"))).toEqual([]);
    expect((await collect((await again.read(key))?.stream ?? [])).length).toBe(100);
    await own?.close();
    expect(readdirSync(join(root, "incoming"))).toEqual([]);
  });

  test("R7a R13 a second process leaves the uploads of the first as they are, and so does a command, however old they are", async () => {
    const root = newFolder();
    const first = await openLocalStorage({ folder: root, hold: holdLock });
    const upload = await first.incoming.create();
    await upload.write(new Uint8Array(10));
    for (const path of [upload.path, join(root, "incoming", first.own?.id ?? "")]) utimesSync(path, 1, 1);
    const { key } = await first.storage.put(pieces(100, 10));
    writeFileSync(join(root, "leaving", key), "leaving");
    const second = await openLocalStorage({ folder: root, hold: holdLock });
    expect([second.own?.ended, second.own?.isAlone]).toEqual([[], false]);
    await openLocalStorage({ folder: root });
    expect([statSync(upload.path).size, readdirSync(join(root, "leaving"))]).toEqual([10, [key]]);
    await second.own?.close();
    expect(statSync(upload.path).size).toBe(10);
    await upload.discard();
    await first.own?.close();
  });

  test("R7a what no process has a lock for goes once nobody has touched it for hours", async () => {
    const root = newFolder();
    await openLocalStorage({ folder: root });
    for (const name of ["young.part", "old.part"]) writeFileSync(join(root, "incoming", name), "half");
    utimesSync(join(root, "incoming", "old.part"), 1, 1);
    const { own } = await openLocalStorage({ folder: root, hold: holdLock });
    await own?.close();
    expect(readdirSync(join(root, "incoming"))).toEqual(["young.part"]);
  });

  test("a read of a file that becomes shorter meanwhile fails instead of ending early", async () => {
    const root = newFolder();
    const { storage } = await openLocalStorage({ folder: root });
    const { key } = await storage.put(pieces(1_000_000, 1000));
    const read = await storage.read(key);
    writeFileSync(pathOf(root, key), "short");
    await expect(collect(read?.stream ?? [])).rejects.toThrow("the file ends at byte 5");
  });
});

describe("incoming uploads", () => {
  test("R13 R7b are hashed while they are written, and leave nothing behind", async () => {
    const root = newFolder();
    const { incoming, storage } = await openLocalStorage({ folder: root });
    const upload = await incoming.create();
    for await (const piece of pieces(200_000, 999)) await upload.write(piece);
    const hashes = await upload.finish();
    const { key: _, ...stored } = await storage.put(pieces(200_000, 999));
    expect(hashes).toEqual(stored);
    expect(readFileSync(upload.path)).toEqual(Buffer.from(await collect(pieces(200_000, 999))));
    await expect(upload.write(new Uint8Array(1))).rejects.toThrow("has ended");
    await upload.discard();
    await upload.discard();
    const half = await incoming.create();
    await half.write(new Uint8Array(10));
    await half.discard();
    expect(readdirSync(join(root, "incoming"))).toEqual([]);
  });

  test("R13 the room on the disk is known before a body is taken", async () => {
    const { incoming } = await openLocalStorage({ folder: newFolder() });
    expect(await incoming.freeBytes()).toBeGreaterThan(0);
  });
});
