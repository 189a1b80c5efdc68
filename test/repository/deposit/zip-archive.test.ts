// The reader of untrusted archives: caps, what it reads, what it reports of the source's own errors (R13). Broken
// archives: test/hostile/packages.test.ts.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import JSZip from "jszip";
import { unpacking } from "../../../src/adapters/unpacking.ts";
import { openZip, type ZipArchive, type ZipEntry } from "../../../src/repository/deposit/zip-archive.ts";
import type { ByteSource } from "../../../src/shared/bytes/byte-streams.ts";
import { ZIP_LIMITS, ZipError, type ZipLimits } from "../../../src/shared/zip/limits.ts";
import { packedZeros } from "../../hostile/packages-structure.ts";
import { collected, memoryBytes } from "../../support/memory-bytes.ts";
import { join, type Piece, utf8Bytes, zip } from "../../support/zip-writer.ts";

const machine = unpacking();
const MIB = 1024 * 1024;

const open = (bytes: Uint8Array, limits: Partial<ZipLimits> = {}): Promise<ZipArchive> =>
  openZip(memoryBytes(bytes), machine, { ...ZIP_LIMITS, ...limits });

function entryOf(archive: ZipArchive, path: string): ZipEntry {
  const entry = archive.find(path);
  if (entry === null) throw new RangeError(`No ${path}`);
  return entry;
}

/** A source that keeps a list of its reads. */
function watched(bytes: Uint8Array): { source: ByteSource; reads: number[] } {
  const reads: number[] = [];
  const below = memoryBytes(bytes);
  const read = (offset: number, length: number) => {
    reads.push(length);
    return below.read(offset, length);
  };
  return { source: { size: bytes.length, read }, reads };
}

/** A source whose disk can be broken. */
function breakable(bytes: Uint8Array) {
  const below = memoryBytes(bytes);
  const disk = { isBroken: false };
  const read = (offset: number, length: number): Promise<Uint8Array> =>
    disk.isBroken ? Promise.reject(new Error("EIO: i/o error")) : below.read(offset, length);
  return { disk, source: { size: bytes.length, read } };
}

describe("openZip()", () => {
  const two = zip([
    { name: "a.txt", bytes: "aaaa", deflate: true },
    { name: "sub/" },
    { name: "sub/b.txt", bytes: "bb" },
  ]);

  test("R13 lists entries in their order; find() knows files alone", async () => {
    const archive = await open(two);
    expect(archive.entries.map(({ path, isFolder, sizeBytes }) => [path, isFolder, sizeBytes])).toEqual([
      ["a.txt", false, 4],
      ["sub/", true, 0],
      ["sub/b.txt", false, 2],
    ]);
    expect(archive.find("sub/b.txt")?.sizeBytes).toBe(2);
    expect(archive.find("sub/")).toBe(null);
    expect(archive.find("__proto__")).toBe(null);
  });

  test.each([
    ["entries", { entries: 2 }, "The archive has 3 entries, more than 2"],
    ["directoryBytes", { directoryBytes: 100 }, "more than 100"],
    ["entryBytes", { entryBytes: 3 }, '"a.txt" inflates to 4 bytes, more than 3'],
    ["totalBytes", { totalBytes: 5 }, "together inflate to more than 5 bytes"],
    ["ratio", { ratio: 0, ratioFloorBytes: 5 }, "together inflate to more than 5 bytes"],
  ] as const)("R13 the limit %s is kept, and met exactly it lets pass", async (_, limits, message) => {
    await expect(open(two, limits)).rejects.toThrow(message);
    const one = Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, value + 1]));
    const wide = "directoryBytes" in limits ? { directoryBytes: 1000 } : one;
    expect((await open(two, wide)).entries.length).toBe(3);
  });

  test("R13 a few reads open an archive of 2,000 small entries, each of them small", async () => {
    const bytes = zip(Array.from({ length: 2000 }, (_, index): Piece => ({ name: `data/${index}.txt`, bytes: "x" })));
    const { source, reads } = watched(bytes);
    expect((await openZip(source, machine)).entries.length).toBe(2000);
    expect(reads.length).toBeLessThan(20);
    expect(Math.max(...reads)).toBeLessThan(200_000);
  });

  test("R13 errors of the disk are not reported as faults of the archive", async () => {
    const large = Uint8Array.from({ length: 900_000 }, (_, index) => (index * index) >>> 9);
    for (const [bytes, deflate] of [
      ["some text", false],
      ["some text", true],
      [large, true],
    ] as const) {
      const { disk, source } = breakable(zip([{ name: "a", bytes, deflate }]));
      const archive = await openZip(source, machine);
      disk.isBroken = true;
      await expect(collected(archive.readEntry(entryOf(archive, "a")))).rejects.toThrow("EIO");
      await expect(openZip(source, machine)).rejects.toThrow("EIO");
    }
  });

  test("R13 a source that turns out shorter than it stated is a broken archive", async () => {
    const bytes = zip([{ name: "a", bytes: new Uint8Array(MIB) }]);
    const source = { size: bytes.length, read: async (at: number, length: number) => bytes.slice(at, at + length) };
    const archive = await openZip(source, machine);
    source.read = async () => new Uint8Array(10);
    await expect(collected(archive.readEntry(entryOf(archive, "a")))).rejects.toBeInstanceOf(ZipError);
  });
});

describe("readEntry()", () => {
  test("R13 gives pieces of 256 KiB at most, stored or deflated, and the SHA-256 at the end", async () => {
    const bytes = Uint8Array.from({ length: MIB }, (_, index) => (index * index) >>> 7);
    for (const deflate of [false, true]) {
      const archive = await open(zip([{ name: "a", bytes, deflate }]));
      let sha256 = "";
      const sizes: number[] = [];
      const entry = entryOf(archive, "a");
      const onSha256 = (hex: string) => {
        sha256 = hex;
      };
      for await (const piece of archive.readEntry(entry, { onSha256 })) sizes.push(piece.length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(MIB);
      expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    }
  });

  test("R13 no SHA-256 is given of an entry whose checksum is wrong", async () => {
    const archive = await open(zip([{ name: "a", bytes: "aaaa", both: { crc32: 1 } }]));
    let sha256: string | null = null;
    const onSha256 = (hex: string) => {
      sha256 = hex;
    };
    await expect(collected(archive.readEntry(entryOf(archive, "a"), { onSha256 }))).rejects.toThrow("checksum");
    expect(sha256).toBe(null);
  });

  test("R13 stops a stream that runs over its declared size at once", async () => {
    const { packed, crc32 } = packedZeros(200);
    const bytes = zip([{ name: "a", packed, deflate: true, both: { crc32, sizeBytes: 100_000 } }]);
    const { source, reads } = watched(bytes);
    const archive = await openZip(source, machine);
    reads.length = 0;
    let given = 0;
    const reading = async () => {
      for await (const piece of archive.readEntry(entryOf(archive, "a"))) given += piece.length;
    };
    await expect(reading()).rejects.toThrow("longer than the 100000 bytes");
    expect(given).toBeLessThanOrEqual(100_000);
  });

  test("R13 the loop may be left early, and the entry read again", async () => {
    const archive = await open(zip([{ name: "a", bytes: new Uint8Array(3 * MIB), deflate: true }]));
    const entry = entryOf(archive, "a");
    for (let times = 0; times < 3; times++) {
      for await (const piece of archive.readEntry(entry)) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
    }
    expect((await collected(archive.readEntry(entry))).length).toBe(3 * MIB);
  });
});

describe("deflated entries", () => {
  const faults: readonly (readonly [string, (packed: Uint8Array, sizeBytes: number) => Partial<Piece>, string])[] = [
    ["breaks off", (packed) => ({ packed: packed.subarray(0, -3) }), "cannot be inflated"],
    ["is not a deflate stream", (packed) => ({ packed: packed.map(() => 0xff) }), "cannot be inflated"],
    ["has bytes behind it", (packed) => ({ packed: join(packed, utf8Bytes("more")) }), "packed bytes do"],
    ["is a byte longer than declared", (_, sizeBytes) => ({ both: { sizeBytes: sizeBytes - 1 } }), "is longer than"],
    ["is a byte shorter than declared", (_, sizeBytes) => ({ both: { sizeBytes: sizeBytes + 1 } }), "declares"],
    ["has a wrong checksum", () => ({ both: { crc32: 1 } }), "checksum"],
  ];
  for (const sizeBytes of [100, 400_000]) {
    const bytes = Uint8Array.from({ length: sizeBytes }, (_, index) => (index * index) >>> 9);
    const packed = new Uint8Array(deflateRawSync(bytes));
    test.each(faults)(`R13 a stream of ${sizeBytes} bytes that %s is refused at its end`, async (_, fault, message) => {
      const archive = await open(zip([{ name: "a", bytes, deflate: true, ...fault(packed, sizeBytes) }]));
      await expect(collected(archive.readEntry(entryOf(archive, "a")))).rejects.toThrow(message);
      const right = await open(zip([{ name: "a", bytes, deflate: true }]));
      expect(Buffer.compare(await right.readSmall(entryOf(right, "a")), bytes)).toBe(0);
    });
  }
});

describe("readSmall() and readHead()", () => {
  test("R13 readSmall() refuses what is larger than its cap, by what the archive declares and by what is there", async () => {
    const archive = await open(zip([{ name: "a", bytes: "12345", deflate: true }]));
    const entry = entryOf(archive, "a");
    expect(new TextDecoder().decode(await archive.readSmall(entry, 5))).toBe("12345");
    await expect(archive.readSmall(entry, 4)).rejects.toThrow('"a" has 5 bytes, more than 4');
    const { packed, crc32 } = packedZeros(17);
    const liar = await open(zip([{ name: "a", packed, deflate: true, both: { crc32, sizeBytes: 5 } }]));
    await expect(liar.readSmall(entryOf(liar, "a"))).rejects.toThrow("longer than the 5 bytes");
  });

  test("R13 readHead() gives the beginning and does not verify the rest", async () => {
    const archive = await open(zip([{ name: "a", bytes: "#ItemType\tx", both: { crc32: 1 } }]));
    const head = async (most: number) => new TextDecoder().decode(await archive.readHead(entryOf(archive, "a"), most));
    expect(await head(9)).toBe("#ItemType");
    expect(await head(100)).toBe("#ItemType\tx");
    expect(await head(0)).toBe("");
  });
});

describe("archives of others", () => {
  test("R13 what JSZip writes is read, with data descriptors and without", async () => {
    const archive = new JSZip();
    const text = "日本語\n".repeat(1000);
    archive.file("data/図 1.txt", text).file("data/empty", "").file("bagit.txt", "x");
    for (const compression of ["STORE", "DEFLATE"] as const) {
      for (const streamFiles of [true, false]) {
        const bytes = await archive.generateAsync({ type: "uint8array", compression, streamFiles, platform: "UNIX" });
        const read = await open(bytes);
        expect(read.entries.map(({ path }) => path)).toEqual(["data/", "data/図 1.txt", "data/empty", "bagit.txt"]);
        expect(await read.readSmall(entryOf(read, "data/図 1.txt"))).toEqual(utf8Bytes(text));
      }
    }
  });

  test("R13 whatever files an archive has, they come back as they went in", async () => {
    const name = fc.stringMatching(/^[a-z0-9ぁ-ん _.%+-]{1,12}$/).filter((text) => !/^\.{1,2}$/.test(text));
    const file = fc.record({
      name: fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `data/${parts.join("/")}`),
      bytes: fc.uint8Array({ maxLength: 400 }),
      deflate: fc.boolean(),
      zip64: fc.boolean(),
    });
    const distinct = fc.uniqueArray(file, { selector: (each) => each.name.normalize("NFC"), maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(distinct, fc.boolean(), async (files, zip64) => {
        fc.pre(!files.some((one) => files.some((other) => other.name.startsWith(`${one.name}/`))));
        const archive = await open(zip(files, { zip64 }));
        expect(archive.entries.map(({ path }) => path)).toEqual(files.map((each) => each.name));
        for (const each of files) expect(await archive.readSmall(entryOf(archive, each.name))).toEqual(each.bytes);
      }),
      { numRuns: 60 },
    );
  });
});
