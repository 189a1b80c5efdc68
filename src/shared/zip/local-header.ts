// The header before each entry's bytes (APPNOTE 4.3.7): it must agree with the central directory, and entries must not share bytes.
import { EXTRA_ZIP64, parseExtra, uint64 } from "./binary.ts";
import {
  type CentralEntry,
  checkUnicodePath,
  FLAG_DESCRIPTOR,
  FLAG_UTF8,
  FLAGS_ENCRYPTED,
  UNKNOWN_32,
} from "./central-directory.ts";
import { shown, ZipError } from "./limits.ts";

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
 * Refuses entries that share bytes with each other or with the directory. Bytes between entries that belong to none are never
 * read and let pass.
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
