// The end of a ZIP archive: the end record behind a comment of up to 64 KiB, and the ZIP64 end record before it
// (APPNOTE 4.3.14 to 4.3.16). The directory must end where the end record begins and the comment where the file ends:
// an archive that two readers may find at two places is refused.
import { uint64 } from "./binary.ts";
import { ZipError } from "./limits.ts";

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
