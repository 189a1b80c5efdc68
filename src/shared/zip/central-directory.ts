// The central directory of a ZIP archive (APPNOTE 4.3.12): every entry parsed and held against the rules before any is read.
import { EXTRA_UNICODE_PATH, EXTRA_ZIP64, parseExtra, uint64 } from "./binary.ts";
import type { DirectoryExtent } from "./end-record.ts";
import { shown, totalAllowed, ZipError, type ZipLimits } from "./limits.ts";
import { checkDistinct, checkPath, decodeName, decodeUnicodePath } from "./names.ts";

const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;

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

function parseEntry(bytes: Uint8Array, at: number, index: number, directoryOffset: number) {
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
export function checkUnicodePath(extra: ReadonlyMap<number, Uint8Array>, path: string, index: number): void {
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
