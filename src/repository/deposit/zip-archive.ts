// Random-access reader of an untrusted ZIP package (R13): opened by its directory, each entry read in pieces and
// verified as it is read. The rules are in formats/zip; here is the order of reads. Nothing is ever allocated by a size
// that the archive declares, but for the directory, which is kept under a cap. What no entry claims is never read.

import { type ByteSource, joined } from "../../shared/bytes/byte-streams.ts";
import { METADATA_MAX_BYTES, shown, ZIP_LIMITS, ZipError, type ZipLimits } from "../../shared/zip/limits.ts";
import {
  type CentralEntry,
  checkApart,
  checkDirectorySize,
  checkLocalHeader,
  type DirectoryExtent,
  extentByZip64,
  extentWithoutZip64,
  LOCAL_BYTES,
  type ZipEntry as LocatedEntry,
  localHeaderBytes,
  METHOD_DEFLATE,
  METHOD_STORED,
  parseCentralDirectory,
  parseEndRecord,
  TAIL_BYTES,
  ZIP64_END_BYTES,
} from "../../shared/zip/reading.ts";
import type { Unpacking } from "../../storage/unpacking.ts";
import type { EntryTable } from "../store/parsing.ts";

/** As much of an entry as reading it needs. */
export type ZipEntry = Pick<
  LocatedEntry,
  "path" | "isFolder" | "sizeBytes" | "compressedBytes" | "crc32" | "method" | "dataOffset"
>;

/** One positioned read of an entry's bytes. */
const PIECE_BYTES = 256 * 1024;
/**
 * Entries up to this size, packed and inflated, are inflated at once: a separate stream costs more than such an entry.
 */
const SMALL_PACKED_BYTES = 64 * 1024;
const SMALL_BYTES = 256 * 1024;
/** One read of local headers: many small entries share one. */
const HEADERS_BYTES = 16 * 1024;

type ReadingOptions = {
  /** Given the entry's SHA-256 in lower-case hex after its last byte was verified; without it none is computed. */
  readonly onSha256?: (hex: string) => void;
  /** The caller is done with each piece before it asks for the next: their memory is used again. */
  readonly transient?: boolean;
};

export type ZipArchive = {
  /** In the order of the directory, folders included. Paths are distinct and lead nowhere outside. */
  readonly entries: readonly ZipEntry[];
  /** The file at exactly this path, null when there is none. */
  find(path: string): ZipEntry | null;
  /**
   * The entry's bytes. Size and CRC-32 are verified at the end, so bytes count as the entry's only when the loop ended
   * without an error; a stream that runs over its declared size is stopped before the first byte too many is returned.
   *
   * @throws ZipError (in the loop) when the bytes do not match the archive's directory. Errors of the source pass
   * through.
   */
  readEntry(entry: ZipEntry, options?: ReadingOptions): AsyncIterable<Uint8Array>;
  /** The whole of a small entry, verified; a larger one than `capBytes` (default 16 MiB) is refused with ZipError. */
  readSmall(entry: ZipEntry, capBytes?: number): Promise<Uint8Array>;
  /** The first bytes of an entry, `mostBytes` or fewer, not verified: to see what it is. */
  readHead(entry: ZipEntry, mostBytes: number): Promise<Uint8Array>;
};

/**
 * Opens an archive: finds its directory, holds every entry and every local header against the rules, reads no entry's
 * bytes.
 *
 * @throws ZipError when it is not an archive or breaks a rule; errors of the source pass through
 */
export async function openZip(
  source: ByteSource,
  unpacking: Unpacking,
  limits: ZipLimits = ZIP_LIMITS,
): Promise<ZipArchive> {
  return archiveOf(source, unpacking, await zipDirectory(source, limits));
}

/** Every entry of an archive, held against the rules. @throws ZipError; errors of the source pass through. */
export async function zipDirectory(
  source: ByteSource,
  limits: ZipLimits = ZIP_LIMITS,
): Promise<readonly LocatedEntry[]> {
  return await readDirectory(source, await findDirectory(source, limits), limits);
}

/**
 * The same, with a directory of more than `hereBytes` read by `inBackground`, which does not block the event loop.
 *
 * @throws ZipError; errors of the source and of `inBackground` pass through
 */
export async function openZipInBackground(
  source: ByteSource,
  unpacking: Unpacking,
  { hereBytes, inBackground }: { readonly hereBytes: number; readonly inBackground: () => Promise<EntryTable> },
): Promise<ZipArchive> {
  const extent = await findDirectory(source, ZIP_LIMITS);
  const isSmall = extent.bytes <= hereBytes;
  const entries = isSmall ? await readDirectory(source, extent, ZIP_LIMITS) : entriesOf(await inBackground());
  return archiveOf(source, unpacking, entries);
}

const FACTS = 6;

/** Entries as they cross from one thread to another, and back. */
export function tableOf(entries: readonly ZipEntry[]): EntryTable {
  const facts = new Float64Array(entries.length * FACTS);
  entries.forEach(({ isFolder, sizeBytes, compressedBytes, crc32, method, dataOffset }, at) => {
    facts.set([isFolder ? 1 : 0, sizeBytes, compressedBytes, crc32, method, dataOffset], at * FACTS);
  });
  return { paths: entries.map(({ path }) => path), facts };
}

export function entriesOf({ paths, facts }: EntryTable): readonly ZipEntry[] {
  return paths.map((path, index) => {
    const at = index * FACTS;
    return {
      path,
      isFolder: facts[at] === 1,
      sizeBytes: facts[at + 1] ?? 0,
      compressedBytes: facts[at + 2] ?? 0,
      crc32: facts[at + 3] ?? 0,
      method: facts[at + 4] === METHOD_STORED ? METHOD_STORED : METHOD_DEFLATE,
      dataOffset: facts[at + 5] ?? 0,
    };
  });
}

/** Where the directory is. @throws ZipError; errors of the source pass through. */
export async function findDirectory(source: ByteSource, limits: ZipLimits): Promise<DirectoryExtent> {
  if (source.size === 0) throw new ZipError("The package is empty");
  const tail = await exactly(source, Math.max(0, source.size - TAIL_BYTES), Math.min(source.size, TAIL_BYTES));
  const end = parseEndRecord(tail, source.size);
  const extent =
    end.zip64Offset === null
      ? extentWithoutZip64(end)
      : extentByZip64(await exactly(source, end.zip64Offset, ZIP64_END_BYTES), end.zip64Offset, end);
  checkDirectorySize(extent, limits);
  return extent;
}

async function readDirectory(
  source: ByteSource,
  extent: DirectoryExtent,
  limits: ZipLimits,
): Promise<readonly LocatedEntry[]> {
  const directory = await exactly(source, extent.offset, extent.bytes);
  const central = parseCentralDirectory(directory, extent, limits, source.size);
  const entries = await locate(source, central);
  checkApart(entries, extent.offset);
  return entries;
}

function archiveOf(source: ByteSource, unpacking: Unpacking, entries: readonly ZipEntry[]): ZipArchive {
  const files = new Map(entries.filter((entry) => !entry.isFolder).map((entry) => [entry.path, entry]));
  const readEntry = (entry: ZipEntry, options: ReadingOptions = {}) => verified(source, unpacking, entry, options);
  return {
    entries,
    find: (path) => files.get(path) ?? null,
    readEntry,
    readSmall: (entry, capBytes = METADATA_MAX_BYTES) => readSmall(readEntry(entry), entry, capBytes),
    readHead: (entry, mostBytes) => readHead(inflated(source, unpacking, entry, false).pieces, mostBytes),
  };
}

/**
 * The bytes of one entry of a directory whose other entries were not read: its local header is held against the
 * directory, size and CRC-32 as by `readEntry`.
 *
 * @throws ZipError, also in the loop; errors of the source pass through
 */
export async function readOneEntry(
  source: ByteSource,
  unpacking: Unpacking,
  entry: CentralEntry,
  index: number,
): Promise<AsyncIterable<Uint8Array>> {
  const head = await exactly(source, entry.headerOffset, LOCAL_BYTES);
  const header = await exactly(source, entry.headerOffset, localHeaderBytes(head, entry));
  const located = checkLocalHeader(header, entry, index);
  if (located.dataOffset + located.compressedBytes > source.size) {
    throw new ZipError(`${shown(entry.path)} reaches past the end of the archive`);
  }
  return verified(source, unpacking, located, {});
}

/** Bytes that must be there: an archive that ends before them is broken. */
async function exactly(source: ByteSource, offset: number, length: number, into?: Uint8Array): Promise<Uint8Array> {
  if (offset + length > source.size) throw new ZipError(`The archive ends before its byte ${offset + length}`);
  const bytes = await source.read(offset, length, into);
  if (bytes.length !== length)
    throw new ZipError(`The archive ended at byte ${offset + bytes.length} while it was read`);
  return bytes;
}

/** Reads and checks all local headers, in the order in which they lie. */
async function locate(
  source: ByteSource,
  central: ReturnType<typeof parseCentralDirectory>,
): Promise<readonly LocatedEntry[]> {
  let window = { offset: 0, bytes: new Uint8Array(0) };
  const at = async (offset: number, length: number): Promise<Uint8Array> => {
    const from = offset - window.offset;
    if (from >= 0 && from + length <= window.bytes.length) return window.bytes.subarray(from, from + length);
    const most = Math.min(Math.max(length, HEADERS_BYTES), source.size - offset);
    window = { offset, bytes: new Uint8Array(await exactly(source, offset, Math.max(most, length))) };
    return window.bytes.subarray(0, length);
  };
  const order = central.map((entry, index) => ({ entry, index }));
  order.sort((one, other) => one.entry.headerOffset - other.entry.headerOffset);
  const located = new Array<LocatedEntry>(central.length);
  for (const { entry, index } of order) {
    const length = localHeaderBytes(await at(entry.headerOffset, LOCAL_BYTES), entry);
    located[index] = checkLocalHeader(await at(entry.headerOffset, length), entry, index);
  }
  return located;
}

/** Pieces inside an inflater at once: one being inflated, one waiting, one being read, and one to spare. */
const INFLATING_PIECES = 4;

/**
 * The bytes of an entry as stored in the archive. `held`: how many pieces the reader holds at most, whose memory is
 * reused in turn; 0: any number. `failed` is called when the source fails, not when the loop over them is ended.
 */
async function* packed(
  source: ByteSource,
  entry: ZipEntry,
  held: number,
  failed: (error: unknown) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const isLong = entry.compressedBytes > PIECE_BYTES;
  const ring = Array.from({ length: isLong ? held : 0 }, () => new Uint8Array(PIECE_BYTES));
  let turn = 0;
  for (let done = 0; done < entry.compressedBytes; ) {
    const length = Math.min(PIECE_BYTES, entry.compressedBytes - done);
    let piece: Uint8Array;
    try {
      piece = await exactly(source, entry.dataOffset + done, length, ring[turn++ % ring.length]);
    } catch (error) {
      failed(error);
      throw error;
    }
    yield piece;
    done += length;
  }
}

type InflatedEntry = { readonly pieces: AsyncIterable<Uint8Array>; taken(): number };

function inflated(source: ByteSource, unpacking: Unpacking, entry: ZipEntry, transient: boolean): InflatedEntry {
  if (entry.method === METHOD_STORED) {
    return { pieces: packed(source, entry, transient ? 1 : 0), taken: () => entry.compressedBytes };
  }
  if (entry.compressedBytes <= SMALL_PACKED_BYTES && entry.sizeBytes <= SMALL_BYTES) {
    return inflatedWhole(source, unpacking, entry);
  }
  // An error below the inflater is not the archive's fault and must not be reported as such.
  let ofSource: { readonly error: unknown } | null = null;
  const failed = (error: unknown): void => {
    ofSource = { error };
  };
  const { pieces, taken } = unpacking.inflate(packed(source, entry, INFLATING_PIECES, failed));
  async function* inflatedPieces(): AsyncGenerator<Uint8Array> {
    try {
      yield* pieces;
    } catch (error) {
      if (ofSource !== null) throw ofSource.error;
      throw cannotInflate(entry, error);
    }
  }
  return { pieces: inflatedPieces(), taken };
}

function inflatedWhole(source: ByteSource, unpacking: Unpacking, entry: ZipEntry): InflatedEntry {
  let taken = 0;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const compressed = await exactly(source, entry.dataOffset, entry.compressedBytes);
    let whole: ReturnType<Unpacking["inflateWhole"]>;
    try {
      whole = unpacking.inflateWhole(compressed, entry.sizeBytes);
    } catch (error) {
      throw cannotInflate(entry, error);
    }
    if (whole === null) throw tooLong(entry);
    taken = whole.taken;
    if (whole.bytes.length > 0) yield whole.bytes;
  }
  return { pieces: pieces(), taken: () => taken };
}

function cannotInflate(entry: ZipEntry, error: unknown): ZipError {
  return new ZipError(`${shown(entry.path)} cannot be inflated: ${error instanceof Error ? error.message : "broken"}`);
}

function tooLong(entry: ZipEntry): ZipError {
  return new ZipError(`${shown(entry.path)} is longer than the ${entry.sizeBytes} bytes the archive declares`);
}

async function* verified(
  source: ByteSource,
  unpacking: Unpacking,
  entry: ZipEntry,
  { onSha256, transient = false }: ReadingOptions,
): AsyncGenerator<Uint8Array> {
  const hash = onSha256 === undefined ? null : unpacking.hash("sha256");
  const { pieces, taken } = inflated(source, unpacking, entry, transient);
  let sizeBytes = 0;
  let crc32 = 0;
  for await (const piece of pieces) {
    sizeBytes += piece.length;
    if (sizeBytes > entry.sizeBytes) throw tooLong(entry);
    crc32 = unpacking.crc32(piece, crc32);
    hash?.update(piece);
    yield piece;
  }
  if (sizeBytes !== entry.sizeBytes) {
    throw new ZipError(`${shown(entry.path)} has ${sizeBytes} bytes, the archive declares ${entry.sizeBytes}`);
  }
  if (taken() !== entry.compressedBytes) {
    throw new ZipError(`${shown(entry.path)} ends before its ${entry.compressedBytes} packed bytes do`);
  }
  if (crc32 >>> 0 !== entry.crc32) throw new ZipError(`The checksum of ${shown(entry.path)} is wrong`);
  if (hash !== null) onSha256?.(hash.hex());
}

async function readSmall(pieces: AsyncIterable<Uint8Array>, entry: ZipEntry, capBytes: number): Promise<Uint8Array> {
  if (entry.sizeBytes > capBytes) {
    throw new ZipError(`${shown(entry.path)} has ${entry.sizeBytes} bytes, more than ${capBytes}`);
  }
  return joined(pieces);
}

async function readHead(pieces: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Uint8Array> {
  const bytes = await joined(pieces, mostBytes);
  return bytes.subarray(0, mostBytes);
}
