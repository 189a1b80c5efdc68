// What every storage of bytes promises (src/storage/storage.ts; R7, R7a, R7b): run on a local folder and on an S3
// store.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { MD5_AT_ONCE_BYTES } from "../../src/storage/limits.ts";
import type { IncomingFiles, Storage } from "../../src/storage/storage.ts";

type StorageUnderTest = {
  readonly storage: Storage;
  readonly incoming: IncomingFiles;
  /** Makes these bytes look as old as this. */
  age(key: string, at: Date): void | Promise<void>;
  /** Everything that is stored in addition to finished objects: half written files, uploads in parts. */
  leftovers(): readonly string[] | Promise<readonly string[]>;
  stop(): void | Promise<void>;
};

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const LONG_AGO = new Date("2026-01-01T00:00:00.000Z");
const TOMORROW = (): string => new Date(Date.now() + 86_400_000).toISOString();

/** Pieces that repeat a byte, counting up; no two sizes give the same content. */
export async function* pieces(sizeBytes: number, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < sizeBytes; at += pieceBytes) {
    await Promise.resolve();
    yield new Uint8Array(Math.min(pieceBytes, sizeBytes - at)).fill((at / pieceBytes) % 251);
  }
}

async function* failing(): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces(100_000, 10_000)) yield piece;
  throw new Error("the sender went away");
}

export async function collect(stream: AsyncIterable<Uint8Array> | readonly Uint8Array[]): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of stream) all.push(piece);
  return Buffer.concat(all);
}

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield bytesOf(text);
}

async function keysOf(storage: Storage, olderThan: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.keys(olderThan)) keys.push(key);
  return keys.sort();
}

const hash = (kind: string, data: Uint8Array): string => createHash(kind).update(data).digest("hex");

export function storageContract(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(name, () => {
    let world: StorageUnderTest;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(async () => {
      await world.stop();
    });

    test.each([
      [0, 1],
      [1, 1],
      [70_000, 1_000],
      [300_000, 300_000],
      [700_001, 65_536],
    ])("R7 R7b returns %d bytes that came in pieces of %d, with their size and hashes", async (size, piece) => {
      const whole = await collect(pieces(size, piece));
      const stored = await world.storage.put(pieces(size, piece));
      expect(stored.sizeBytes).toBe(size);
      expect([stored.sha256, stored.md5]).toEqual([hash("sha256", whole), hash("md5", whole)]);
      const read = await world.storage.read(stored.key);
      expect(read?.sizeBytes).toBe(size);
      expect(hash("sha256", await collect(read?.stream ?? one("nothing")))).toBe(stored.sha256);
      expect((await world.storage.stat(stored.key))?.sizeBytes).toBe(size);
      expect(await world.leftovers()).toEqual([]);
    });

    test("R7a the key is opaque: letters and digits, nobody's file name", async () => {
      const { key } = await world.storage.put(one("named"));
      expect(/^[A-Za-z0-9]{16,100}$/.test(key)).toBe(true);
    });

    test("R7b MD5 is reckoned in the pass that writes up to 16 MiB, and not above", async () => {
      const [at, above] = [MD5_AT_ONCE_BYTES, MD5_AT_ONCE_BYTES + 1];
      expect((await world.storage.put(pieces(at, 1_048_576))).md5).toBe(
        hash("md5", await collect(pieces(at, 1_048_576))),
      );
      const larger = await world.storage.put(pieces(above, 1_048_576));
      expect([larger.md5, larger.sha256]).toEqual([null, hash("sha256", await collect(pieces(above, 1_048_576)))]);
    });

    test.each([
      [0, 0],
      [0, 9],
      [65_530, 65_540],
      [399_999, 399_999],
      [1, 399_998],
    ])("R19a reads the bytes %d to %d of an object", async (first, last) => {
      const whole = await collect(pieces(400_000, 7_777));
      const { key } = await world.storage.put(pieces(400_000, 7_777));
      const read = await world.storage.read(key, { first, last });
      expect(read?.sizeBytes).toBe(400_000);
      const got = await collect(read?.stream ?? one("nothing"));
      expect(Buffer.compare(got, whole.subarray(first, last + 1))).toBe(0);
    });

    test.each([
      [0, 5],
      [5, 5],
      [3, 2],
      [-1, 2],
    ])("refuses the range %d to %d of an object of 5 bytes", async (first, last) => {
      const { key } = await world.storage.put(one("12345"));
      await expect(world.storage.read(key, { first, last })).rejects.toThrow(RangeError);
    });

    test("a read that is left early lets go, and one that is never begun opens nothing", async () => {
      const { key } = await world.storage.put(pieces(3_000_000, 50_000));
      for (let n = 0; n < 20; n++) {
        const read = await world.storage.read(key);
        if (n % 2 === 0) continue;
        for await (const piece of read?.stream ?? []) {
          expect(piece.length).toBeGreaterThan(0);
          break;
        }
      }
      const again = await world.storage.read(key);
      expect((await collect(again?.stream ?? [])).length).toBe(3_000_000);
    });

    test.each(["", "../../../etc/passwd", "a/b", "0".repeat(64), "f".repeat(40), `${"a".repeat(62)}/.`, "\0"])(
      "there is nothing under the key %j",
      async (key) => {
        expect(await world.storage.read(key)).toBe(null);
        expect(await world.storage.stat(key)).toBe(null);
        expect(await world.storage.remove(key)).toBe(false);
      },
    );

    test("R13 keeps nothing of a stream that fails, is larger than allowed, or is not what was announced", async () => {
      const before = await keysOf(world.storage, TOMORROW());
      await expect(world.storage.put(failing())).rejects.toThrow("the sender went away");
      const refusals = [
        { options: { maxBytes: 29_999 }, kind: "too_large" },
        { options: { sizeBytes: 29_999 }, kind: "wrong_size" },
        { options: { sizeBytes: 30_001 }, kind: "wrong_size" },
      ];
      for (const { options, kind } of refusals) {
        const outcome = await world.storage.put(pieces(30_000, 1_000), options).catch((error: unknown) => error);
        expect(outcome).toMatchObject({ name: "StorageProblem", kind });
      }
      expect(await keysOf(world.storage, TOMORROW())).toEqual(before);
      expect(await world.leftovers()).toEqual([]);
      const exact = await world.storage.put(pieces(30_000, 1_000), { sizeBytes: 30_000, maxBytes: 30_000 });
      expect(exact.sizeBytes).toBe(30_000);
    });

    test("R7a lists what was put before a moment, all pages of it", async () => {
      const keys: string[] = [];
      for (let n = 0; n < 7; n++) keys.push((await world.storage.put(one(`old ${n}`))).key);
      for (const key of keys) await world.age(key, LONG_AGO);
      const { key: young } = await world.storage.put(one("young"));
      const old = await keysOf(world.storage, "2026-01-02T00:00:00.000Z");
      expect(old).toEqual([...keys].sort());
      expect(await keysOf(world.storage, LONG_AGO.toISOString())).toEqual([]);
      const all = await keysOf(world.storage, TOMORROW());
      expect([young, ...keys].every((key) => all.includes(key))).toBe(true);
    });

    test("R7a what was put again a moment ago is not removed, what is old is, once", async () => {
      const text = "deposited, dropped, and deposited again";
      const { key } = await world.storage.put(one(text));
      const moment = new Date(Date.now() - 60_000).toISOString();
      expect(await world.storage.remove(key, moment)).toBe(false);
      expect(await collect((await world.storage.read(key))?.stream ?? [])).toEqual(Buffer.from(text));
      await world.age(key, LONG_AGO);
      const { key: again } = await world.storage.put(one(text));
      expect(await world.storage.remove(again, moment)).toBe(false);
      await world.age(again, LONG_AGO);
      expect(await world.storage.remove(again, moment)).toBe(true);
      expect(await world.storage.remove(again, moment)).toBe(false);
      expect(await world.storage.stat(again)).toBe(null);
    });

    const uploaded = async (size: number) => {
      const file = await world.incoming.create();
      for await (const piece of pieces(size, 1000)) await file.write(piece);
      return { path: file.path, ...(await file.finish()) };
    };

    test.each([0, 1, 123_456, 700_000])("R7a R13 takes an upload of %d bytes from the work folder", async (size) => {
      const upload = await uploaded(size);
      const { key, sizeBytes, sha256, md5 } = await world.storage.adopt(upload);
      expect([sizeBytes, sha256, md5]).toEqual([upload.sizeBytes, upload.sha256, upload.md5]);
      expect(existsSync(upload.path)).toBe(false);
      expect(await collect((await world.storage.read(key))?.stream ?? [])).toEqual(await collect(pieces(size, 1000)));
      expect(await world.leftovers()).toEqual([]);
    });

    test("R13 what was taken over for a deposit that fails goes again", async () => {
      const { key, undo } = await world.storage.adopt(await uploaded(1_111));
      await undo();
      await undo();
      expect(await world.storage.stat(key)).toBe(null);
    });

    test.each(["adopt", "put"] as const)("R13 a failed deposit leaves what another one kept by %s", async (by) => {
      const first = await world.storage.adopt(await uploaded(2_222));
      const second =
        by === "adopt"
          ? await world.storage.adopt(await uploaded(2_222))
          : await world.storage.put(pieces(2_222, 1000));
      await first.undo();
      expect(await collect((await world.storage.read(second.key))?.stream ?? [])).toEqual(
        await collect(pieces(2_222, 1000)),
      );
    });

    test("R13 the end of a failed deposit leaves what was there before it", async () => {
      const before = await world.storage.put(pieces(3_333, 1000));
      await (await world.storage.adopt(await uploaded(3_333))).undo();
      expect((await world.storage.stat(before.key))?.sizeBytes).toBe(3_333);
    });

    test("R13 of many deposits of the same bytes, of which some fail, what the others name stays", async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 16 }, async (_, n) => {
          if (n % 3 === 0) return (await world.storage.put(pieces(4_444, 1000))).key;
          const { key, undo } = await world.storage.adopt(await uploaded(4_444));
          if (n % 2 === 0) return key;
          await undo();
          return null;
        }),
      );
      for (const key of outcomes.filter((each) => each !== null)) {
        expect((await world.storage.stat(key))?.sizeBytes).toBe(4_444);
      }
    });

    test("many puts at once do not disturb each other", async () => {
      const stored = await Promise.all(Array.from({ length: 12 }, (_, n) => world.storage.put(pieces(1000 + n, 100))));
      expect(stored.map(({ sizeBytes }) => sizeBytes)).toEqual(Array.from({ length: 12 }, (_, n) => 1000 + n));
      for (const { key, sha256 } of stored) {
        expect(hash("sha256", await collect((await world.storage.read(key))?.stream ?? []))).toBe(sha256);
      }
    });
  });
}
