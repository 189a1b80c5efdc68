// Valid archives with a few bytes changed, read by us and by yauzl (R13): what our reader accepts, yauzl must read to
// the same bytes; everything else must be refused as a ZipError, quickly and without reading more than it needs.
import process from "node:process";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import { unpacking } from "../../src/adapters/unpacking.ts";
import { openZip, zipDirectory } from "../../src/repository/deposit/zip-archive.ts";
import { ZIP_LIMITS, ZipError } from "../../src/shared/zip/limits.ts";
import { type Rng, rng } from "../hostile/generate.ts";
import { collected } from "../support/memory-bytes.ts";
import { bagPieces } from "../support/package-builder.ts";
import { utf8Bytes, zip } from "../support/zip-writer.ts";

type FuzzResult = {
  readonly runs: number;
  readonly accepted: number;
  readonly refused: number;
  /** What must not be: each with the seed and the run that shows it again. */
  readonly findings: readonly string[];
};

const MIB = 1024 * 1024;
/** Small, so that a mutated size costs nothing; the largest single read must stay below. */
const LIMITS = { ...ZIP_LIMITS, entries: 1000, directoryBytes: MIB, entryBytes: 4 * MIB, totalBytes: 16 * MIB };
const LARGEST_READ_BYTES = MIB;
/** Of the processor. */
const SLOW_MS = 5000;
const FINDINGS_SHOWN = 20;

/** Valid archives of every shape that the writer knows. */
function seeds(): readonly Uint8Array[] {
  const noise = rng(1);
  const text = "Sphinx of black quartz, judge my vow. ".repeat(60);
  return [
    zip([{ name: "a", bytes: "stored" }]),
    zip([{ name: "a", bytes: text, deflate: true }]),
    zip([{ name: "図.txt", bytes: text, deflate: true, descriptor: "signed" }, { name: "b/" }]),
    zip([
      { name: "a", bytes: "x", descriptor: "unsigned", zip64: true },
      { name: "b", bytes: text, deflate: true },
    ]),
    zip(
      [
        { name: "a", bytes: "1", zip64: true },
        { name: "b", bytes: "2" },
      ],
      { zip64: true },
    ),
    zip([{ name: "表", bytes: "2", utf8Flag: false }], { comment: utf8Bytes("a comment PK\u0005\u0006") }),
    zip(bagPieces().map((piece, index) => ({ ...piece, deflate: index % 2 === 0 }))),
    // Too large to be inflated at once, and too large to be read at once.
    zip([{ name: "noise", bytes: Uint8Array.from({ length: 300_000 }, () => noise.int(256)), deflate: true }]),
    zip([{ name: "large", bytes: text.repeat(130), deflate: true, descriptor: "signed" }]),
    zip([]),
  ];
}

const NUMBERS: readonly (readonly number[])[] = [
  [0, 0, 0, 0],
  [0xff, 0xff, 0xff, 0xff],
  [1, 0, 0, 0],
  [0xff, 0xff],
  [0, 0],
  [0xff, 0xff, 0xff, 0x7f],
  [0x50, 0x4b, 5, 6],
  [0x50, 0x4b, 3, 4],
  [0x50, 0x4b, 1, 2],
  [8, 0],
];

/** One to four changes; most of them near the ends, where the records are. */
function mutated(seed: Uint8Array, random: Rng): Uint8Array {
  let bytes: Uint8Array = Uint8Array.from(seed);
  for (let left = random.chance(0.5) ? 1 : 2 + random.int(3); left > 0 && bytes.length > 0; left--) {
    const at = random.chance(0.5)
      ? bytes.length - 1 - random.int(Math.min(bytes.length, 160))
      : random.int(bytes.length);
    const kind = random.int(6);
    if (kind <= 1) bytes[at] = random.int(256);
    else if (kind === 2) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8));
    else if (kind === 3) bytes.set(random.pick(NUMBERS).slice(0, bytes.length - at), at);
    else bytes = moved(bytes, at, random);
  }
  return bytes;
}

/** A piece taken out, doubled, or put elsewhere. */
function moved(bytes: Uint8Array, at: number, random: Rng): Uint8Array {
  const piece = bytes.slice(at, at + 1 + random.int(60));
  const rest = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + piece.length)]);
  if (random.chance(0.4)) return new Uint8Array(rest);
  const base = random.chance(0.5) ? Buffer.from(bytes) : rest;
  const to = random.int(base.length + 1);
  return new Uint8Array(Buffer.concat([base.subarray(0, to), piece, base.subarray(to)]));
}

type Content = readonly { readonly name: string; readonly bytes: Uint8Array }[];

/** Raw names in hex and bytes of everything, as our reader gives them. */
async function ours(bytes: Uint8Array): Promise<Content> {
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    if (length > LARGEST_READ_BYTES) throw new RangeError(`A read of ${length} bytes`);
    if (offset < 0 || offset + length > bytes.length) throw new RangeError(`A read of ${length} bytes at ${offset}`);
    return bytes.slice(offset, offset + length);
  };
  const source = { size: bytes.length, read };
  const archive = await openZip(source, unpacking(), LIMITS);
  const content: { name: string; bytes: Uint8Array }[] = [];
  for (const entry of await zipDirectory(source, LIMITS)) {
    const name = Buffer.from(entry.rawName).toString("hex");
    content.push({ name, bytes: await collected(archive.readEntry(entry)) });
  }
  return content;
}

/** The same by yauzl. */
async function yauzls(bytes: Uint8Array): Promise<Content> {
  const archive = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true, decodeStrings: false }, (error, file) =>
      error === null ? resolve(file) : reject(error),
    );
  });
  const entries = await new Promise<Entry[]>((resolve, reject) => {
    const found: Entry[] = [];
    archive.on("entry", (entry: Entry) => {
      found.push(entry);
      archive.readEntry();
    });
    archive.on("end", () => resolve(found));
    archive.on("error", reject);
    archive.readEntry();
  });
  const content: { name: string; bytes: Uint8Array }[] = [];
  for (const entry of entries) {
    const stream = await new Promise<AsyncIterable<Uint8Array>>((resolve, reject) => {
      archive.openReadStream(entry, (error, opened) => (error === null ? resolve(opened) : reject(error)));
    });
    content.push({ name: entry.fileNameRaw.toString("hex"), bytes: await collected(stream) });
  }
  return content;
}

function difference(one: Content, other: Content): string | null {
  if (one.length !== other.length) return `${one.length} entries, yauzl has ${other.length}`;
  for (const [index, { name, bytes }] of one.entries()) {
    const twin = other[index];
    if (twin === undefined || twin.name !== name) return `entry ${index} has another name`;
    if (Buffer.compare(bytes, twin.bytes) !== 0) return `entry ${index} has other bytes`;
  }
  return null;
}

/** One run: "accepted", "refused", or what is wrong. */
async function judge(bytes: Uint8Array): Promise<string> {
  let content: Content;
  try {
    content = await ours(bytes);
  } catch (error) {
    return error instanceof ZipError ? "refused" : `threw ${error}`;
  }
  try {
    return difference(content, await yauzls(bytes)) ?? "accepted";
  } catch (error) {
    return `accepted, but yauzl reports: ${error}`;
  }
}

/** The same seed makes the same runs. */
export async function fuzzZip(seed: number, runs: number): Promise<FuzzResult> {
  const random = rng(seed);
  const archives = seeds();
  const findings: string[] = [];
  let accepted = 0;
  let refused = 0;
  for (let run = 0; run < runs; run++) {
    const bytes = mutated(random.pick(archives), random);
    const before = process.cpuUsage();
    const verdict = await judge(bytes);
    if (verdict === "accepted") accepted++;
    else if (verdict === "refused") refused++;
    else if (findings.length < FINDINGS_SHOWN) {
      findings.push(`seed ${seed}, run ${run}: ${verdict}\n${Buffer.from(bytes).toString("base64")}`);
    }
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 > SLOW_MS) findings.push(`seed ${seed}, run ${run}: took too long`);
  }
  return { runs, accepted, refused, findings };
}
