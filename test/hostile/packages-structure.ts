// Archives that must be refused as archives (R13): broken ones, names that lead outside, links, lies about sizes,
// overlaps, bombs.
import { constants, crc32, deflateRawSync, gzipSync } from "node:zlib";
import { bagPieces, type Payload, SMALL_FILE } from "../support/package-builder.ts";
import { type End, extra, join, le16, le32, type Piece, utf8Bytes, zip } from "../support/zip-writer.ts";
import type { Line } from "./packages.ts";

const FOX = SMALL_FILE.bytes;

/** A valid bag with one file written as given. */
const withFile = (piece: Partial<Piece>, file: Payload = SMALL_FILE, end: End = {}): Uint8Array =>
  zip(bagPieces({ payload: [{ ...file, piece }] }), end);
/** A valid bag with more pieces behind it. */
const withMore = (...more: readonly Piece[]): Uint8Array => zip(bagPieces({ more }));
const line = (name: string, build: () => Uint8Array): Line => ({ name, level: "zip", build });

export function structureFaults(): readonly Line[] {
  return [
    ...noArchives(),
    ...ends(),
    ...names(),
    ...kinds(),
    ...doubles(),
    ...places(),
    ...sizes(),
    ...packings(),
    ...bombs(),
  ];
}

function noArchives(): Line[] {
  const whole = () => zip(bagPieces());
  return [
    line("no archive: text", () => utf8Bytes("This is not a ZIP archive.\n".repeat(40))),
    line("no archive: an empty file", () => new Uint8Array(0)),
    line("no archive: one byte", () => utf8Bytes("P")),
    line("no archive: 70 KiB of zeros", () => new Uint8Array(70 * 1024)),
    line("no archive: gzip", () => new Uint8Array(gzipSync(whole()))),
    line("no archive: the signature alone", () => utf8Bytes("PK\u0003\u0004")),
    line("truncated: the last byte is missing", () => whole().slice(0, -1)),
    line("truncated: half of it", () => whole().slice(0, whole().length / 2)),
    line("truncated: the first local header", () => whole().slice(0, 30)),
    line("truncated: in the directory", () => whole().slice(0, -60)),
    line("truncated: the first byte is missing", () => whole().slice(1)),
    line("truncated: bytes are missing in the middle", () => join(whole().slice(0, 200), whole().slice(220))),
    line("the end record is missing", () => zip(bagPieces(), { omitEnd: true })),
  ];
}

function ends(): Line[] {
  const ended = (name: string, end: End) => line(`end record: ${name}`, () => zip(bagPieces(), end));
  const inner = zip([{ name: "other.txt", bytes: "other" }]);
  return [
    ended("this is disk 1", { disk: 1 }),
    ended("the directory begins on disk 1", { directoryDisk: 1 }),
    ended("fewer entries on this disk", { entriesHere: 1 }),
    ended("two ZIP64 disks", { zip64: true, disks: 2 }),
    ended("one entry too many", { entries: bagPieces().length + 1 }),
    ended("one entry too few", { entries: bagPieces().length - 1 }),
    ended("no entries declared, some there", { entries: 0 }),
    ended("the directory lies past the end", { directoryOffset: 0x7fffffff }),
    ended("the directory is larger than the file", { directoryBytes: 0x7fffffff }),
    ended("the directory has no bytes", { directoryBytes: 0 }),
    ended("ZIP64, 2^63 entries", { zip64: true, entries: 2n ** 63n, entriesHere: 0 }),
    ended("ZIP64, 10^18 bytes of directory", { zip64: true, directoryBytes: 10n ** 18n }),
    ended("ZIP64, directory at 2^63", { zip64: true, directoryOffset: 2n ** 63n }),
    ended("a second archive in the comment", { comment: inner }),
    ended("bytes between directory and end record", { behindDirectory: utf8Bytes("hidden") }),
  ];
}

function names(): Line[] {
  const unicodePath = (name: string, path: string) =>
    extra(0x7075, join(utf8Bytes("\u0001"), le32(crc32(utf8Bytes(name))), utf8Bytes(path)));
  const bad: readonly (readonly [string, string | Uint8Array])[] = [
    ["../ at the top", "../evil.txt"],
    ["../ under data/", "data/../../evil.txt"],
    ["../ at the end", "data/sub/.."],
    ["../ that stays inside", "data/sub/../evil.txt"],
    ["absolute", "/etc/cron.d/evil"],
    ["a drive", "C:/Windows/evil.txt"],
    ["a drive without a slash", "c:evil.txt"],
    ["UNC with slashes", "//server/share/evil.txt"],
    ["UNC with backslashes", "\\\\server\\share\\evil.txt"],
    ["a home folder", "~/evil.txt"],
    ["somebody's home folder", "~root/evil.txt"],
    ["NUL", "data/evil.txt\0.pdf"],
    ["empty", ""],
    ["an empty part", "data//evil.txt"],
    ["backslash traversal", "..\\..\\evil.txt"],
    ["backslash traversal under data/", "data\\..\\..\\evil.txt"],
    ["deeper than any folder", `data/${"a/".repeat(200)}evil.txt`],
    ["5,000 characters", `data/${"a".repeat(5000)}`],
  ];
  return [
    ...bad.map(([name, path]) => line(`name: ${name}`, () => withMore({ name: path, bytes: FOX }))),
    line("name: no UTF-8 under the UTF-8 flag", () =>
      withMore({ name: new Uint8Array([0x64, 0xff, 0x2f]), utf8Flag: true }),
    ),
    line("name: overlong UTF-8 under the flag", () =>
      withMore({ name: new Uint8Array([0x2e, 0xc0, 0xae, 0x2f, 0x61]), utf8Flag: true, bytes: FOX }),
    ),
    line("name: another one in the local header", () => withFile({ local: { name: utf8Bytes("data/b.txt") } })),
    line("name: a longer one in the local header", () => withFile({ local: { name: utf8Bytes("data/../../a.txt") } })),
    line("name: changed by a Unicode path", () =>
      withFile({ central: { extra: unicodePath("data/a.txt", "data/b.txt") } }),
    ),
    line("name: changed by a Unicode path to ../", () =>
      withFile({ both: { extra: unicodePath("data/a.txt", "../a.txt") } }),
    ),
    line("name: changed by a Unicode path in the local header", () =>
      withFile({ local: { extra: unicodePath("data/a.txt", "data/b.txt") } }),
    ),
  ];
}

function kinds(): Line[] {
  const modes: readonly (readonly [string, number])[] = [
    ["symbolic link", 0o120777],
    ["pipe", 0o010644],
    ["character device", 0o020644],
    ["block device", 0o060644],
    ["socket", 0o140755],
  ];
  return [
    ...modes.map(([name, unixMode]) =>
      line(`kind: ${name}`, () => withFile({ unixMode }, { path: "link", bytes: "/etc/passwd" })),
    ),
    line("kind: symbolic link declared as made on Windows", () =>
      withFile({ unixMode: 0o120777, central: { madeBy: 20 } }, { path: "link", bytes: "../../../etc/passwd" }),
    ),
    line("kind: a folder by its mode, a file by its name", () => withFile({ unixMode: 0o040755 })),
    line("kind: a folder that holds bytes", () => withMore({ name: "data/sub/", bytes: FOX })),
  ];
}

function doubles(): Line[] {
  return [
    line("twice: the same name with the same bytes", () => withMore({ name: "data/a.txt", bytes: FOX })),
    line("twice: the same name with other bytes", () => withMore({ name: "data/a.txt", bytes: "other" })),
    line("twice: the metadata", () => withMore({ name: "data/ro-crate-metadata.json", bytes: "{}" })),
    line("twice: a file and a folder", () => withMore({ name: "data/a.txt/" })),
    line("twice: a file and a folder with another in it", () => withMore({ name: "data/a.txt/sub/" })),
    line("twice: a file that is also a folder of another", () => withMore({ name: "data/a.txt/b.txt", bytes: FOX })),
    line("twice: two entries of one local header", () => {
      const pieces = bagPieces();
      return zip([...pieces, { ...SMALL_PIECE, sharing: pieces.length - 1 }]);
    }),
    line("twice: two names for one local header", () => {
      const pieces = bagPieces();
      return zip([...pieces, { ...SMALL_PIECE, name: "data/b.txt", sharing: pieces.length - 1 }]);
    }),
  ];
}

const SMALL_PIECE: Piece = { name: "data/a.txt", bytes: FOX };

/** The local part of a piece without a directory. */
function localBytes(piece: Piece): Uint8Array {
  return zip([{ ...piece, hidden: true }], { omitEnd: true });
}

/** An entry that is in the bytes of another, both with right names, sizes and checksums. */
function overlapping(inner: Piece): Uint8Array {
  const outer: Piece = { name: "data/outer.bin", bytes: localBytes(inner) };
  const before = zip([outer], { omitEnd: true });
  const offset = 30 + "data/outer.bin".length;
  if (before.length < offset) throw new RangeError("The outer entry has no bytes");
  return zip([outer, { ...inner, sharing: 0, central: { offset } }, ...bagPieces()]);
}

function places(): Line[] {
  return [
    line("overlap: an entry in the bytes of another", () => overlapping({ name: "data/in.txt", bytes: FOX })),
    line("overlap: a kernel that all entries share", kernel),
    line("place: the local header lies past the end", () => withFile({ central: { offset: 0x7ffffff0 } })),
    line("place: the local header is at 2^63", () => withFile({ central: { offset: 2n ** 63n } })),
    line("place: the local header is none", () => withFile({ central: { offset: 1 } })),
    line("place: the local header is the directory", () => withFile({ local: { signature: 0x02014b50 } })),
    line("place: on disk 1", () => withFile({ central: { disk: 1 } })),
    line("place: no entry where the directory has one", () => withFile({ central: { signature: 0x04034b50 } })),
    line("place: the extra field breaks off", () => withFile({ central: { extra: join(le16(0x5455), le16(99)) } })),
    line("place: bytes reach into the directory", () =>
      withFile({ both: { compressedBytes: FOX.length + 20, sizeBytes: FOX.length + 20 } }),
    ),
  ];
}

/**
 * A chain of entries, each of which quotes the next local header in stored deflate blocks and ends in one kernel (a
 * "better zip bomb").
 */
function kernel(): Uint8Array {
  const zeros = new Uint8Array(1024 * 1024);
  const packed = new Uint8Array(deflateRawSync(zeros));
  const inner = localBytes({
    name: "data/1",
    packed,
    deflate: true,
    both: { sizeBytes: zeros.length, crc32: crc32(zeros) },
  });
  const quote = join(utf8Bytes("\0"), le16(31 + 5), le16(~(31 + 5) & 0xffff));
  const head = inner.slice(0, inner.length - packed.length);
  const quoting = join(quote, head, packed);
  const name = "data/0";
  const outer: Piece = {
    name,
    packed: quoting,
    deflate: true,
    both: { sizeBytes: head.length + zeros.length, crc32: 0 },
  };
  const offset = 30 + name.length + quote.length;
  const second: Piece = {
    name: "data/1",
    packed,
    deflate: true,
    sharing: 0,
    both: { sizeBytes: zeros.length, crc32: crc32(zeros) },
  };
  return zip([outer, { ...second, central: { offset } }, ...bagPieces()]);
}

function sizes(): Line[] {
  const lies: readonly (readonly [string, number | bigint])[] = [
    ["4 GiB", 2n ** 32n],
    ["10^18", 10n ** 18n],
    ["2^63", 2n ** 63n],
    ["2^64 - 1", 2n ** 64n - 1n],
    ["one byte more", FOX.length + 1],
    ["one byte less", FOX.length - 1],
    ["no bytes", 0],
  ];
  return [
    ...lies.flatMap(([name, sizeBytes]) => [
      line(`size: deflated, ${name} declared`, () => withFile({ deflate: true, zip64: true, both: { sizeBytes } })),
      line(`size: stored, ${name} declared`, () => withFile({ zip64: true, both: { sizeBytes } })),
      line(`size: stored, ${name} declared for both sizes`, () =>
        withFile({ zip64: true, both: { sizeBytes, compressedBytes: sizeBytes } }),
      ),
    ]),
    line("size: fewer packed bytes declared", () => withFile({ deflate: true, both: { compressedBytes: 5 } })),
    line("size: more packed bytes there than the stream has", () =>
      withFile({ deflate: true, packed: join(deflateRawSync(FOX), utf8Bytes("trailing")) }),
    ),
    line("size: another one in the local header", () => withFile({ local: { sizeBytes: 7 } })),
    line("size: ZIP64 promised and missing", () =>
      withFile({ both: { sizeBytes: 0xffffffff }, central: { extra: new Uint8Array(0), sizeBytes: 0xffffffff } }),
    ),
    line("checksum: wrong, stored", () => withFile({ both: { crc32: 0x12345678 } })),
    line("checksum: wrong, deflated", () => withFile({ deflate: true, both: { crc32: 0x12345678 } })),
    line("checksum: another one in the local header", () => withFile({ local: { crc32: 0x12345678 } })),
    line("deflate: broken", () => withFile({ deflate: true, packed: utf8Bytes("this is not deflated at all") })),
    line("deflate: breaks off", () =>
      withFile({ deflate: true, packed: new Uint8Array(deflateRawSync(FOX)).slice(0, -3) }),
    ),
  ];
}

function packings(): Line[] {
  const methods = [1, 2, 6, 9, 10, 12, 14, 18, 19, 93, 95, 96, 97, 98];
  const aes = extra(0x9901, join(le16(2), utf8Bytes("AE"), new Uint8Array([3]), le16(8)));
  return [
    ...methods.map((method) => line(`packing: method ${method}`, () => withFile({ both: { method } }))),
    line("packing: another method in the local header", () => withFile({ local: { method: 8 } })),
    line("encrypted: the old way", () => withFile({ both: { flags: 0x801 } })),
    line("encrypted: in the local header alone", () => withFile({ local: { flags: 0x801 } })),
    line("encrypted: strongly", () => withFile({ both: { flags: 0x841 } })),
    line("encrypted: AES", () => withFile({ both: { method: 99, flags: 0x801, extra: aes } })),
    line("encrypted: headers masked", () => withFile({ both: { flags: 0x2800 } })),
    line("packing: a patch", () => withFile({ both: { flags: 0x820 } })),
  ];
}

const MIB = 1024 * 1024;

/** Zeros as a deflate stream that is made in no time: one flushed block, again and again. */
export function packedZeros(mebibytes: number): {
  readonly packed: Uint8Array;
  readonly crc32: number;
  readonly sizeBytes: number;
} {
  const zeros = new Uint8Array(MIB);
  const block = new Uint8Array(deflateRawSync(zeros, { finishFlush: constants.Z_FULL_FLUSH }));
  const packed = join(...Array.from({ length: mebibytes }, () => block), new Uint8Array([3, 0]));
  let sum = 0;
  for (let at = 0; at < mebibytes; at++) sum = crc32(zeros, sum);
  return { packed, crc32: sum, sizeBytes: mebibytes * MIB };
}

function bombs(): Line[] {
  const bomb = (name: string, mebibytes: number, declared?: number): Piece => {
    const { packed, ...truth } = packedZeros(mebibytes);
    return { name, packed, deflate: true, both: declared === undefined ? truth : { ...truth, sizeBytes: declared } };
  };
  return [
    line("bomb: one entry of 1.2 GiB in 1.2 MiB", () => withMore(bomb("data/zeros.bin", 1200))),
    line("bomb: one entry of 256 MiB that declares 1,000 bytes", () => withMore(bomb("data/zeros.bin", 256, 1000))),
    line("bomb: 40 entries of 32 MiB together over the cap", () =>
      withMore(...Array.from({ length: 40 }, (_, index) => bomb(`data/zeros-${index}.bin`, 32))),
    ),
    line("bomb: 120,000 entries", manyEntries),
    line("bomb: a million entries declared, three there", () => zip(bagPieces(), { zip64: true, entries: 1_000_000 })),
    line("bomb: ZIP64 sizes of 2^60 that would be allocated", () =>
      withFile({ zip64: true, deflate: true, both: { sizeBytes: 2n ** 60n } }),
    ),
  ];
}

/** A directory that is as long as it claims, of one record again and again. */
function manyEntries(): Uint8Array {
  const count = 120_000;
  const one = zip([{ name: "a" }], { omitEnd: true });
  const record = one.subarray(zip([{ name: "a", hidden: true }], { omitEnd: true }).length);
  const records = new Uint8Array((count - 1) * record.length);
  for (let at = 0; at < records.length; at += record.length) records.set(record, at);
  const directoryBytes = count * record.length;
  return zip([{ name: "a" }], { zip64: true, behindDirectory: records, entries: count, directoryBytes });
}
