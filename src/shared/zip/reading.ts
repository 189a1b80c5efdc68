// The parts of a ZIP archive that are read before its bytes, each held against the rules: end record, central
// directory, local headers.

// The end: the end record behind a comment of up to 64 KiB, and the ZIP64 end record before it
// (APPNOTE 4.3.14 to 4.3.16). The directory must end where the end record begins and the comment where the file ends:
// an archive that two readers may find at two places is refused.

import {
  checkDistinct,
  checkPath,
  decodeName,
  decodeUnicodePath,
  shown,
  totalAllowed,
  ZipError,
  type ZipLimits,
} from "./limits.ts";

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const LOCATOR_SIGNATURE = 0x07064b50;
const LOCATOR_BYTES = 20;
const ZIP64_END_SIGNATURE = 0x06064b50;
export const ZIP64_END_BYTES = 56;
const COMMENT_MAX_BYTES = 0xffff;

/** The last bytes of a file among which the end record and the locator before it must be. */
export const TAIL_BYTES = END_BYTES + COMMENT_MAX_BYTES + LOCATOR_BYTES;

type EndRecord = {
  /** Offset of the end record in the file. */
  readonly offset: number;
  readonly entries: number;
  readonly directoryBytes: number;
  readonly directoryOffset: number;
  /** Offset of the ZIP64 end record, null without a locator. */
  readonly zip64Offset: number | null;
};

/** Where the central directory lies and how many entries it has. */
export type DirectoryExtent = { readonly entries: number; readonly offset: number; readonly bytes: number };

/**
 * Finds the end record in the last bytes of a file (`TAIL_BYTES` of it or the whole file).
 *
 * @throws ZipError when there is none that ends with the file, or more than one.
 */
export function parseEndRecord(tail: Uint8Array, fileBytes: number): EndRecord {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const found: number[] = [];
  for (let at = tail.length - END_BYTES; at >= 0 && at >= tail.length - END_BYTES - COMMENT_MAX_BYTES; at--) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue;
    if (at + END_BYTES + view.getUint16(at + 20, true) === tail.length) found.push(at);
  }
  const [at, second] = found;
  if (at === undefined) throw new ZipError("Not a ZIP archive, or not the whole of one: no end record at its end");
  if (second !== undefined) throw new ZipError("The archive has two end records, one in the comment of the other");
  const disk = view.getUint16(at + 4, true);
  const directoryDisk = view.getUint16(at + 6, true);
  const entriesHere = view.getUint16(at + 8, true);
  const entries = view.getUint16(at + 10, true);
  const zip64Offset = parseLocator(tail, at - LOCATOR_BYTES);
  const unknown = zip64Offset === null ? -1 : 0xffff;
  for (const number of [disk, directoryDisk]) {
    if (number !== 0 && number !== unknown) throw new ZipError("The archive is spread over several disks");
  }
  if (entriesHere !== entries) throw new ZipError("The archive is spread over several disks");
  return {
    offset: fileBytes - tail.length + at,
    entries,
    directoryBytes: view.getUint32(at + 12, true),
    directoryOffset: view.getUint32(at + 16, true),
    zip64Offset,
  };
}

function parseLocator(tail: Uint8Array, at: number): number | null {
  if (at < 0) return null;
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  if (view.getUint32(at, true) !== LOCATOR_SIGNATURE) return null;
  if (view.getUint32(at + 4, true) !== 0 || view.getUint32(at + 16, true) > 1) {
    throw new ZipError("The archive is spread over several disks");
  }
  return uint64(view, at + 8, "offset of the ZIP64 end record");
}

/** Where the directory lies by the end record alone. */
export function extentWithoutZip64(end: EndRecord): DirectoryExtent {
  const extent = { entries: end.entries, offset: end.directoryOffset, bytes: end.directoryBytes };
  if (extent.offset + extent.bytes !== end.offset) {
    throw new ZipError(
      `The central directory (${extent.bytes} bytes at ${extent.offset}) does not end where the end record begins (${end.offset})`,
    );
  }
  return extent;
}

/**
 * Where the directory lies by the ZIP64 end record, `bytes` being the `ZIP64_END_BYTES` at `end.zip64Offset`.
 *
 * @throws ZipError when it is none, or when a field of the end record differs.
 */
export function extentByZip64(bytes: Uint8Array, zip64Offset: number, end: EndRecord): DirectoryExtent {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < ZIP64_END_BYTES || view.getUint32(0, true) !== ZIP64_END_SIGNATURE) {
    throw new ZipError(`No ZIP64 end record at ${zip64Offset}, where its locator points`);
  }
  const recordBytes = uint64(view, 4, "size of the ZIP64 end record") + 12;
  if (recordBytes < ZIP64_END_BYTES || zip64Offset + recordBytes !== end.offset - LOCATOR_BYTES) {
    throw new ZipError(`The ZIP64 end record at ${zip64Offset} does not end where its locator begins`);
  }
  const entries = uint64(view, 32, "number of entries");
  if (view.getUint32(16, true) !== 0 || view.getUint32(20, true) !== 0 || uint64(view, 24, "entries") !== entries) {
    throw new ZipError("The archive is spread over several disks");
  }
  const extent = {
    entries,
    bytes: uint64(view, 40, "size of the central directory"),
    offset: uint64(view, 48, "offset of the central directory"),
  };
  agrees("number of entries", end.entries, 0xffff, extent.entries);
  agrees("size of the central directory", end.directoryBytes, 0xffffffff, extent.bytes);
  agrees("offset of the central directory", end.directoryOffset, 0xffffffff, extent.offset);
  if (extent.offset + extent.bytes !== zip64Offset) {
    throw new ZipError("The central directory does not end where the ZIP64 end record begins");
  }
  return extent;
}

function agrees(what: string, short: number, unknown: number, long: number): void {
  if (short !== unknown && short !== long) {
    throw new ZipError(`The two end records differ in the ${what}: ${short} and ${long}`);
  }
}

// The central directory of a ZIP archive (APPNOTE 4.3.12): every entry parsed and held against the rules before any is
// read.

export const ENTRY_SIGNATURE = 0x02014b50;
export const ENTRY_BYTES = 46;

export const METHOD_STORED = 0;
export const METHOD_DEFLATE = 8;

export const FLAG_DESCRIPTOR = 0x0008;
export const FLAG_UTF8 = 0x0800;
/** Encrypted (bit 0), strongly encrypted (6), local headers masked (13). */
export const FLAGS_ENCRYPTED = 0x2041;
const FLAG_PATCH = 0x0020;

const MODE_TYPE = 0o170000;
const MODE_FOLDER = 0o040000;
/** Pipe, device, link, socket: refused whatever system the archive names. */
const MODES_SPECIAL: readonly number[] = [0o010000, 0o020000, 0o060000, 0o120000, 0o140000];
/** Unix and macOS: there the upper half of the external attributes is a mode. */
const HOSTS_WITH_MODE: readonly number[] = [3, 19];

const UNKNOWN_16 = 0xffff;
export const UNKNOWN_32 = 0xffffffff;

export type CentralEntry = {
  /** With forward slashes, relative, inside the package; a folder's ends with one. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Inflated, as the archive declares it: to be held against what is really there, never to allocate by. */
  readonly sizeBytes: number;
  readonly compressedBytes: number;
  readonly crc32: number;
  readonly method: typeof METHOD_STORED | typeof METHOD_DEFLATE;
  readonly flags: number;
  readonly rawName: Uint8Array;
  readonly headerOffset: number;
};

/**
 * Parses the directory. `bytes` is exactly what the end record describes; `extent` is its place.
 *
 * @throws ZipError for everything on the list of refusals that is visible here, naming the entry.
 */
export function parseCentralDirectory(
  bytes: Uint8Array,
  extent: DirectoryExtent,
  limits: ZipLimits,
  archiveBytes: number,
): readonly CentralEntry[] {
  checkDirectorySize(extent, limits);
  if (bytes.length !== extent.bytes) throw new ZipError("The central directory breaks off");
  const allowed = totalAllowed(limits, archiveBytes);
  const entries: CentralEntry[] = [];
  let at = 0;
  let total = 0;
  while (entries.length < extent.entries) {
    const { entry, next } = parseEntry(bytes, at, entries.length, extent.offset);
    if (entry.sizeBytes > limits.entryBytes) {
      throw new ZipError(
        `${shown(entry.path)} inflates to ${entry.sizeBytes} bytes, more than ${limits.entryBytes}`,
        "too_large",
      );
    }
    total += entry.sizeBytes;
    if (total > allowed) throw new ZipError(`The entries together inflate to more than ${allowed} bytes`, "too_large");
    entries.push(entry);
    at = next;
  }
  if (at !== bytes.length) throw new ZipError(`The central directory holds more than its ${extent.entries} entries`);
  checkDistinct(entries.map((entry) => entry.path));
  return entries;
}

/** Refuses a directory that is too large to be read, and a count that cannot be true, before a byte of it is read. */
export function checkDirectorySize(extent: DirectoryExtent, limits: ZipLimits): void {
  if (extent.entries > limits.entries) {
    throw new ZipError(`The archive has ${extent.entries} entries, more than ${limits.entries}`, "too_large");
  }
  if (extent.bytes > limits.directoryBytes) {
    throw new ZipError(`The central directory has ${extent.bytes} bytes, more than ${limits.directoryBytes}`);
  }
  if (extent.entries * ENTRY_BYTES > extent.bytes) {
    throw new ZipError(`A central directory of ${extent.bytes} bytes cannot hold ${extent.entries} entries`);
  }
}

/** The entry at a place of the directory. @throws ZipError */
export function parseEntry(
  bytes: Uint8Array,
  at: number,
  index: number,
  directoryOffset: number,
): { readonly entry: CentralEntry; readonly next: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const number = index + 1;
  if (at + ENTRY_BYTES > bytes.length) throw new ZipError(`The central directory breaks off at entry ${number}`);
  if (view.getUint32(at, true) !== ENTRY_SIGNATURE) throw new ZipError(`No entry ${number} in the central directory`);
  const nameEnd = at + ENTRY_BYTES + view.getUint16(at + 28, true);
  const extraEnd = nameEnd + view.getUint16(at + 30, true);
  const next = extraEnd + view.getUint16(at + 32, true);
  if (next > bytes.length) throw new ZipError(`The central directory breaks off at entry ${number}`);
  const flags = view.getUint16(at + 8, true);
  // A copy: the entries outlive the buffer of the directory.
  const rawName = bytes.slice(at + ENTRY_BYTES, nameEnd);
  const path = decodeName(rawName, (flags & FLAG_UTF8) !== 0, index);
  checkPath(path);
  const extra = parseExtra(bytes.subarray(nameEnd, extraEnd), shown(path));
  checkUnicodePath(extra, path, index);
  checkFlags(flags, path);
  const method = view.getUint16(at + 10, true);
  if (method !== METHOD_STORED && method !== METHOD_DEFLATE) {
    throw new ZipError(`${shown(path)} is packed by method ${method}; only 0 (stored) and 8 (deflate) are read`);
  }
  const sizes = parseSizes(view, at, extra.get(EXTRA_ZIP64), path);
  const crc32 = view.getUint32(at + 16, true);
  const entry: CentralEntry = { path, isFolder: path.endsWith("/"), ...sizes, crc32, method, flags, rawName };
  checkMode(view.getUint8(at + 5), view.getUint32(at + 38, true) >>> 16, entry);
  checkShape(entry, directoryOffset);
  return { entry, next };
}

/** A Unicode path block may repeat the name, never change it. */
function checkUnicodePath(extra: ReadonlyMap<number, Uint8Array>, path: string, index: number): void {
  const block = extra.get(EXTRA_UNICODE_PATH);
  if (block === undefined) return;
  const other = decodeUnicodePath(block, index);
  if (other !== path) throw new ZipError(`${shown(path)} has another name, ${shown(other)}, in its extra field`);
}

function checkFlags(flags: number, path: string): void {
  if ((flags & FLAGS_ENCRYPTED) !== 0) throw new ZipError(`${shown(path)} is encrypted`, "encrypted");
  if ((flags & FLAG_PATCH) !== 0) throw new ZipError(`${shown(path)} is a patch of another file`);
}

/** Sizes, offset and disk, from the ZIP64 block where the short fields refer to it and only there. */
function parseSizes(view: DataView, at: number, block: Uint8Array | undefined, path: string) {
  const long = new DataView(block?.buffer ?? new ArrayBuffer(0), block?.byteOffset ?? 0, block?.byteLength ?? 0);
  let taken = 0;
  const wide = (short: number, what: string): number => {
    if (short !== UNKNOWN_32) return short;
    if (taken + 8 > long.byteLength) throw new ZipError(`${shown(path)} lacks its ZIP64 ${what}`);
    taken += 8;
    return uint64(long, taken - 8, `${what} of ${shown(path)}`);
  };
  const sizeBytes = wide(view.getUint32(at + 24, true), "size");
  const compressedBytes = wide(view.getUint32(at + 20, true), "compressed size");
  const headerOffset = wide(view.getUint32(at + 42, true), "offset");
  const shortDisk = view.getUint16(at + 34, true);
  const isLongDisk = shortDisk === UNKNOWN_16 && taken + 4 <= long.byteLength;
  if ((isLongDisk ? long.getUint32(taken, true) : shortDisk) !== 0) {
    throw new ZipError(`${shown(path)} is on another disk`);
  }
  return { sizeBytes, compressedBytes, headerOffset };
}

function checkMode(host: number, mode: number, entry: CentralEntry): void {
  const type = mode & MODE_TYPE;
  if (MODES_SPECIAL.includes(type)) {
    throw new ZipError(`${shown(entry.path)} is a link, a pipe, a socket or a device`);
  }
  // Other values of the type mean nothing; old packers write such for folders.
  if (HOSTS_WITH_MODE.includes(host) && type === MODE_FOLDER && !entry.isFolder) {
    throw new ZipError(`${shown(entry.path)} is a folder by its mode and a file by its name`);
  }
}

/** An empty deflate stream is two bytes long. */
const EMPTY_DEFLATE_BYTES = 2;

function checkShape(entry: CentralEntry, directoryOffset: number): void {
  if (entry.isFolder) {
    const most = entry.method === METHOD_DEFLATE ? EMPTY_DEFLATE_BYTES : 0;
    if (entry.sizeBytes !== 0 || entry.crc32 !== 0 || entry.compressedBytes > most) {
      throw new ZipError(`The folder ${shown(entry.path)} holds bytes`);
    }
  }
  if (entry.method === METHOD_STORED && entry.sizeBytes !== entry.compressedBytes) {
    throw new ZipError(`${shown(entry.path)} is stored, but its two sizes differ`);
  }
  if (entry.headerOffset + entry.compressedBytes > directoryOffset) {
    throw new ZipError(`${shown(entry.path)} reaches past the end of the entries`);
  }
}

// The header before each entry's bytes (APPNOTE 4.3.7): it must agree with the central directory, and entries must not
// share bytes.

const LOCAL_SIGNATURE = 0x04034b50;
export const LOCAL_BYTES = 30;
/** A data descriptor has a CRC and two sizes at least. */
const DESCRIPTOR_LEAST_BYTES = 12;

/** An entry whose bytes have been found. */
export type ZipEntry = CentralEntry & { readonly dataOffset: number };

/** How long the whole local header is, by its fixed part (`LOCAL_BYTES` at the entry's offset). */
export function localHeaderBytes(head: Uint8Array, entry: CentralEntry): number {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < LOCAL_BYTES || view.getUint32(0, true) !== LOCAL_SIGNATURE) {
    throw new ZipError(`No local header of ${shown(entry.path)} at ${entry.headerOffset}`);
  }
  return LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
}

/**
 * Holds a whole local header against the directory.
 *
 * @throws ZipError when they differ in name, method, encryption, or in sizes or CRC that the header gives.
 */
export function checkLocalHeader(header: Uint8Array, entry: CentralEntry, index: number): ZipEntry {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (header.length !== localHeaderBytes(header, entry)) {
    throw new ZipError(`The local header of ${shown(entry.path)} breaks off`);
  }
  const differs = (what: string): never => {
    throw new ZipError(`${shown(entry.path)} has another ${what} before its bytes than in the central directory`);
  };
  const nameEnd = LOCAL_BYTES + view.getUint16(26, true);
  const name = header.subarray(LOCAL_BYTES, nameEnd);
  if (!sameBytes(name, entry.rawName)) differs("name");
  const flags = view.getUint16(6, true);
  if ((flags & FLAGS_ENCRYPTED) !== 0) throw new ZipError(`${shown(entry.path)} is encrypted`, "encrypted");
  if (((flags ^ entry.flags) & FLAG_UTF8) !== 0 && name.some((byte) => byte > 0x7f)) differs("encoding of its name");
  if (view.getUint16(8, true) !== entry.method) differs("method");
  const extra = parseExtra(header.subarray(nameEnd), shown(entry.path));
  checkUnicodePath(extra, entry.path, index);
  const hasDescriptor = (flags & FLAG_DESCRIPTOR) !== 0;
  const given = localFacts(view, extra.get(EXTRA_ZIP64), hasDescriptor, entry);
  for (const [what, here, there] of [
    ["CRC", given.crc32, entry.crc32],
    ["size", given.sizeBytes, entry.sizeBytes],
    ["compressed size", given.compressedBytes, entry.compressedBytes],
  ] as const) {
    if (here !== there && !(hasDescriptor && here === 0)) differs(what);
  }
  return { ...entry, dataOffset: entry.headerOffset + header.length };
}

function localFacts(view: DataView, block: Uint8Array | undefined, hasDescriptor: boolean, entry: CentralEntry) {
  const compressed = view.getUint32(18, true);
  const size = view.getUint32(22, true);
  const long = new DataView(block?.buffer ?? new ArrayBuffer(0), block?.byteOffset ?? 0, block?.byteLength ?? 0);
  let taken = 0;
  const wide = (short: number, what: string): number => {
    if (short !== UNKNOWN_32) return short;
    taken += 8;
    if (taken <= long.byteLength) return uint64(long, taken - 8, `${what} of ${shown(entry.path)}`);
    // With a descriptor behind the bytes some writers leave the ZIP64 block out.
    if (hasDescriptor) return 0;
    throw new ZipError(`${shown(entry.path)} lacks its ZIP64 ${what} before its bytes`);
  };
  const sizeBytes = wide(size, "size");
  return { crc32: view.getUint32(14, true), sizeBytes, compressedBytes: wide(compressed, "compressed size") };
}

/**
 * Refuses entries that share bytes with each other or with the directory. Bytes between entries that belong to none are
 * never read and let pass.
 */
export function checkApart(entries: readonly ZipEntry[], directoryOffset: number): void {
  const inOrder = [...entries].sort((one, other) => one.headerOffset - other.headerOffset);
  inOrder.forEach((entry, index) => {
    const descriptor = (entry.flags & FLAG_DESCRIPTOR) !== 0 ? DESCRIPTOR_LEAST_BYTES : 0;
    const end = entry.dataOffset + entry.compressedBytes + descriptor;
    const next = inOrder[index + 1];
    if (next !== undefined && end > next.headerOffset) {
      throw new ZipError(`${shown(entry.path)} and ${shown(next.path)} share bytes of the archive`);
    }
    if (end > directoryOffset) throw new ZipError(`${shown(entry.path)} reaches into the central directory`);
  });
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

// Numbers of a ZIP archive that need care: 64 bits where a double holds 53, and extra fields (APPNOTE 4.5).

/** An unsigned 64-bit number, refused when no file could be that long. */
function uint64(view: DataView, at: number, what: string): number {
  const value = view.getBigUint64(at, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ZipError(`The ${what} is ${value}, which no archive can hold`);
  return Number(value);
}

export const EXTRA_ZIP64 = 0x0001;
const EXTRA_UNICODE_PATH = 0x7075;
/** Strong encryption (0x0017) and AES (0x9901). */
const EXTRA_ENCRYPTION: readonly number[] = [0x0017, 0x9901];
const BLOCK_HEAD_BYTES = 4;
const NO_BLOCKS: ReadonlyMap<number, Uint8Array> = new Map();

/**
 * The blocks of an extra field by their id.
 *
 * @throws ZipError when they do not fill the field (padding of less than a block's head is let pass), when a block that
 * we obey appears twice, or when one means that the entry is encrypted.
 */
function parseExtra(bytes: Uint8Array, owner: string): ReadonlyMap<number, Uint8Array> {
  if (bytes.length < BLOCK_HEAD_BYTES) return NO_BLOCKS;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = new Map<number, Uint8Array>();
  let at = 0;
  while (at + BLOCK_HEAD_BYTES <= bytes.length) {
    const id = view.getUint16(at, true);
    const size = view.getUint16(at + 2, true);
    const end = at + BLOCK_HEAD_BYTES + size;
    if (end > bytes.length) throw new ZipError(`The extra field of ${owner} breaks off`);
    if (EXTRA_ENCRYPTION.includes(id)) throw new ZipError(`${owner} is encrypted`, "encrypted");
    if (blocks.has(id) && (id === EXTRA_ZIP64 || id === EXTRA_UNICODE_PATH)) {
      throw new ZipError(`The extra field of ${owner} has the same block twice`);
    }
    blocks.set(id, bytes.subarray(at + BLOCK_HEAD_BYTES, end));
    at = end;
  }
  return blocks;
}
