// A ZIP archive that is written as a stream (APPNOTE 6.3, ZIP64 throughout): sizes are known before, checksums follow
// the bytes of an entry in a descriptor. The memory is that of one piece however large the files are; the same parts
// make the same bytes.

import { concatenated } from "../bytes/byte-streams.ts";
import { EXTRA_ZIP64, FLAG_DESCRIPTOR, FLAG_UTF8, METHOD_STORED, UNKNOWN_32 } from "./reading.ts";

/** Programs that know ZIP64. */
const VERSION = 45;
const FLAGS = FLAG_DESCRIPTOR | FLAG_UTF8;
/** The first day of the format: nothing in an archive depends on when it is made. */
const DATE = (1 << 5) | 1;
const UNIX_FILE = 0o100644 * 65_536;
const MADE_ON_UNIX = 3 * 256;
const [LOCAL, CENTRAL, DESCRIPTOR] = [0x04034b50, 0x02014b50, 0x08074b50];
const [END64, LOCATOR, END] = [0x06064b50, 0x07064b50, 0x06054b50];
const UNKNOWN_16 = 0xffff;

export type ZipName = { readonly name: Uint8Array; readonly sizeBytes: number };
export type WrittenEntry = ZipName & { readonly crc32: number; readonly offset: number };

const [LOCAL_BYTES, LOCAL_EXTRA] = [30, 20];
const [CENTRAL_BYTES, CENTRAL_EXTRA] = [46, 28];
const DESCRIPTOR_BYTES = 24;
const END_BYTES = 56 + 20 + 22;

/** A number for each width (2, 4 or 8 bytes), little-endian, and the bytes that follow them. */
function packed(widths: string, values: readonly number[], ...following: readonly Uint8Array[]): Uint8Array {
  const sizes = Array.from(widths, Number);
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [index, size] of sizes.entries()) {
    const value = values[index] ?? 0;
    if (size === 2) view.setUint16(at, value, true);
    else if (size === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += size;
  }
  return concatenated([bytes, ...following]);
}

/** How many bytes the whole archive has. */
export function archiveBytes(entries: readonly ZipName[]): number {
  return entries.reduce((sum, { name, sizeBytes }) => {
    const heads = LOCAL_BYTES + LOCAL_EXTRA + CENTRAL_BYTES + CENTRAL_EXTRA + DESCRIPTOR_BYTES;
    return sum + heads + 2 * name.length + sizeBytes;
  }, END_BYTES);
}

export function localHeader({ name, sizeBytes }: ZipName): Uint8Array {
  const extra = packed("2288", [EXTRA_ZIP64, LOCAL_EXTRA - 4, sizeBytes, sizeBytes]);
  const values = [LOCAL, VERSION, FLAGS, METHOD_STORED, 0, DATE, 0, UNKNOWN_32, UNKNOWN_32, name.length, LOCAL_EXTRA];
  return packed("42222244422", values, name, extra);
}

/** After the bytes of an entry. */
export const descriptor = ({ crc32, sizeBytes }: Pick<WrittenEntry, "crc32" | "sizeBytes">): Uint8Array =>
  packed("4488", [DESCRIPTOR, crc32, sizeBytes, sizeBytes]);

export function centralHeader({ name, sizeBytes, crc32, offset }: WrittenEntry): Uint8Array {
  const extra = packed("22888", [EXTRA_ZIP64, CENTRAL_EXTRA - 4, sizeBytes, sizeBytes, offset]);
  const version = [CENTRAL, MADE_ON_UNIX + VERSION, VERSION, FLAGS, METHOD_STORED, 0, DATE];
  const sizes = [crc32, UNKNOWN_32, UNKNOWN_32, name.length, CENTRAL_EXTRA];
  return packed("42222224442222244", [...version, ...sizes, 0, 0, 0, UNIX_FILE, UNKNOWN_32], name, extra);
}

/** The end of the archive: the number of entries and the place of its directory. */
export function endRecords(entries: number, offset: number, sizeBytes: number): Uint8Array {
  return concatenated([
    packed("4822448888", [END64, 44, VERSION, VERSION, 0, 0, entries, entries, sizeBytes, offset]),
    packed("4484", [LOCATOR, 0, offset + sizeBytes, 1]),
    packed("42222442", [END, 0, 0, UNKNOWN_16, UNKNOWN_16, UNKNOWN_32, UNKNOWN_32, 0]),
  ]);
}

/** A file of an archive. `open` is called once, when the entry is written. */
export type ZipPart = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly open: () => AsyncIterable<Uint8Array>;
};

/** Entries of the directory that are written together. */
const HEADERS_AT_ONCE = 500;

/**
 * The bytes of an archive of these parts, stored as they are: files of research data are mostly compressed already.
 *
 * @param crc32Of the checksum of a piece, continued from the one before
 * @throws what reading a part throws; Error for a part with another number of bytes than stated
 */
export async function* zipArchive(
  parts: readonly ZipPart[],
  crc32Of: (piece: Uint8Array, before: number) => number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  const done: WrittenEntry[] = [];
  let offset = 0;
  for (const { path, sizeBytes, open } of parts) {
    const name = encoder.encode(path);
    const header = localHeader({ name, sizeBytes });
    yield header;
    let [crc32, received] = [0, 0];
    for await (const piece of open()) {
      crc32 = crc32Of(piece, crc32);
      received += piece.length;
      yield piece;
    }
    if (received !== sizeBytes) throw new Error(`"${path}" has ${received} bytes, ${sizeBytes} were expected`);
    done.push({ name, sizeBytes, crc32, offset });
    yield descriptor({ crc32, sizeBytes });
    offset += header.length + sizeBytes + DESCRIPTOR_BYTES;
  }
  let directory = 0;
  for (let at = 0; at < done.length; at += HEADERS_AT_ONCE) {
    const headers = concatenated(done.slice(at, at + HEADERS_AT_ONCE).map(centralHeader));
    directory += headers.length;
    yield headers;
  }
  yield endRecords(done.length, offset, directory);
}
