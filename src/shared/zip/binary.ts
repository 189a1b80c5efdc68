// Numbers of a ZIP archive that need care: 64 bits where a double holds 53, and extra fields (APPNOTE 4.5).
import { ZipError } from "./limits.ts";

/** An unsigned 64-bit number, refused when no file could be that long. */
export function uint64(view: DataView, at: number, what: string): number {
  const value = view.getBigUint64(at, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ZipError(`The ${what} is ${value}, which no archive can hold`);
  return Number(value);
}

export const EXTRA_ZIP64 = 0x0001;
export const EXTRA_UNICODE_PATH = 0x7075;
/** Strong encryption (0x0017) and AES (0x9901). */
const EXTRA_ENCRYPTION: readonly number[] = [0x0017, 0x9901];
const BLOCK_HEAD_BYTES = 4;
const NO_BLOCKS: ReadonlyMap<number, Uint8Array> = new Map();

/**
 * The blocks of an extra field by their id.
 *
 * @throws ZipError when they do not fill the field (padding of less than a block's head is let pass), when a block that we
 * obey appears twice, or when one means that the entry is encrypted.
 */
export function parseExtra(bytes: Uint8Array, owner: string): ReadonlyMap<number, Uint8Array> {
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
