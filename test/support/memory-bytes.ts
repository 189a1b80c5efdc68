// Bytes in memory as a source of bytes (src/shared/bytes/byte-streams.ts), and what a loop over pieces gives together.
import type { ByteSource } from "../../src/shared/bytes/byte-streams.ts";

/** Reads give copies, as a disk does. */
export function memoryBytes(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: async (offset, length) => bytes.slice(offset, offset + length) };
}

export async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return new Uint8Array(Buffer.concat(parts));
}
