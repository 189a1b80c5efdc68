// The parts of a ZIP archive that is written as a stream (APPNOTE 6.3, ZIP64 throughout): sizes are known before, checksums only behind the bytes, in a
// descriptor. The same entries make the same bytes. Pure.

import { EXTRA_ZIP64 } from "./binary.ts";
import { FLAG_DESCRIPTOR, FLAG_UTF8, METHOD_STORED, UNKNOWN_32 } from "./central-directory.ts";

/** Programs that know ZIP64. */
const VERSION = 45;
const FLAGS = FLAG_DESCRIPTOR | FLAG_UTF8;
/** The first day the format knows: an archive tells nothing of when it was asked for. */
const DATE = (1 << 5) | 1;
const UNIX_FILE = 0o100644 * 65_536;
const [LOCAL, CENTRAL, DESCRIPTOR] = [0x04034b50, 0x02014b50, 0x08074b50];
const [END64, LOCATOR, END] = [0x06064b50, 0x07064b50, 0x06054b50];
const UNKNOWN_16 = 0xffff;

export type ZipName = { readonly name: Uint8Array; readonly sizeBytes: number };
export type WrittenEntry = ZipName & { readonly crc32: number; readonly offset: number };

const [LOCAL_BYTES, LOCAL_EXTRA] = [30, 20];
const [CENTRAL_BYTES, CENTRAL_EXTRA] = [46, 28];
const DESCRIPTOR_BYTES = 24;
const END_BYTES = 56 + 20 + 22;

/** Little-endian fields: [bytes, value]. */
function packed(fields: readonly (readonly [number, number])[], ...behind: readonly Uint8Array[]): Uint8Array {
  const length = fields.reduce((sum, [width]) => sum + width, 0);
  const bytes = new Uint8Array(length + behind.reduce((sum, each) => sum + each.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true);
    else if (width === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += width;
  }
  for (const each of behind) {
    bytes.set(each, at);
    at += each.length;
  }
  return bytes;
}

/** How many bytes the whole archive has. */
export function archiveBytes(entries: readonly ZipName[]): number {
  return entries.reduce((sum, { name, sizeBytes }) => {
    const heads = LOCAL_BYTES + LOCAL_EXTRA + CENTRAL_BYTES + CENTRAL_EXTRA + DESCRIPTOR_BYTES;
    return sum + heads + 2 * name.length + sizeBytes;
  }, END_BYTES);
}

export function localHeader({ name, sizeBytes }: ZipName): Uint8Array {
  const extra = packed([
    [2, EXTRA_ZIP64],
    [2, LOCAL_EXTRA - 4],
    [8, sizeBytes],
    [8, sizeBytes],
  ]);
  const fields = [
    ...([
      [4, LOCAL],
      [2, VERSION],
      [2, FLAGS],
      [2, METHOD_STORED],
      [2, 0],
      [2, DATE],
      [4, 0],
    ] as const),
    ...([
      [4, UNKNOWN_32],
      [4, UNKNOWN_32],
      [2, name.length],
      [2, LOCAL_EXTRA],
    ] as const),
  ];
  return packed(fields, name, extra);
}

/** Behind the bytes of an entry. */
export function descriptor({ crc32, sizeBytes }: Pick<WrittenEntry, "crc32" | "sizeBytes">): Uint8Array {
  return packed([
    [4, DESCRIPTOR],
    [4, crc32],
    [8, sizeBytes],
    [8, sizeBytes],
  ]);
}

export function centralHeader({ name, sizeBytes, crc32, offset }: WrittenEntry): Uint8Array {
  const extra = packed([
    [2, EXTRA_ZIP64],
    [2, CENTRAL_EXTRA - 4],
    [8, sizeBytes],
    [8, sizeBytes],
    [8, offset],
  ]);
  const madeBy = 3 * 256 + VERSION;
  const fields = [
    ...([
      [4, CENTRAL],
      [2, madeBy],
      [2, VERSION],
      [2, FLAGS],
      [2, METHOD_STORED],
      [2, 0],
      [2, DATE],
    ] as const),
    ...([
      [4, crc32],
      [4, UNKNOWN_32],
      [4, UNKNOWN_32],
      [2, name.length],
      [2, CENTRAL_EXTRA],
      [2, 0],
    ] as const),
    ...([
      [2, 0],
      [2, 0],
      [4, UNIX_FILE],
      [4, UNKNOWN_32],
    ] as const),
  ];
  return packed(fields, name, extra);
}

/** The end of the archive: the number of entries and the place of its directory. */
export function endRecords(entries: number, offset: number, sizeBytes: number): Uint8Array {
  const end64 = offset + sizeBytes;
  return packed([
    ...([
      [4, END64],
      [8, 44],
      [2, VERSION],
      [2, VERSION],
      [4, 0],
      [4, 0],
    ] as const),
    ...([
      [8, entries],
      [8, entries],
      [8, sizeBytes],
      [8, offset],
    ] as const),
    ...([
      [4, LOCATOR],
      [4, 0],
      [8, end64],
      [4, 1],
    ] as const),
    ...([
      [4, END],
      [2, 0],
      [2, 0],
      [2, UNKNOWN_16],
      [2, UNKNOWN_16],
    ] as const),
    ...([
      [4, UNKNOWN_32],
      [4, UNKNOWN_32],
      [2, 0],
    ] as const),
  ]);
}
