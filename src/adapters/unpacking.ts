// Inflating, CRC-32 and hashes by the runtime's own zlib and crypto (src/storage/unpacking.ts).
// Never DecompressionStream: on Deno it holds everything an archive inflates to in memory.
import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import type { HashAlgorithm, Inflation, RunningHash, Unpacking } from "../storage/unpacking.ts";

const PIECE_BYTES = 64 * 1024;

function inflate(compressed: AsyncIterable<Uint8Array>): Inflation {
  const stream = createInflateRaw({ chunkSize: PIECE_BYTES });
  async function* pieces(): AsyncGenerator<Uint8Array> {
    // The pipeline's error reaches the loop below through the stream that it destroys.
    const source = Readable.from(compressed, { objectMode: false });
    pipeline(source, stream, () => {});
    try {
      for await (const piece of stream) yield piece;
    } finally {
      stream.destroy();
      source.destroy();
    }
  }
  return { pieces: pieces(), taken: () => stream.bytesWritten };
}

/** The least chunk that zlib takes. */
const CHUNK_LEAST_BYTES = 64;

function inflateWhole(compressed: Uint8Array, maxBytes: number): { bytes: Uint8Array; taken: number } | null {
  const maxOutputLength = Math.max(1, maxBytes);
  const chunkSize = Math.min(PIECE_BYTES, Math.max(CHUNK_LEAST_BYTES, maxOutputLength));
  try {
    // With `info` the answer has the engine too, which the types do not know.
    const { buffer, engine } = inflateRawSync(compressed, { info: true, maxOutputLength, chunkSize }) as unknown as {
      readonly buffer: Uint8Array;
      readonly engine: { readonly bytesWritten: number };
    };
    return buffer.length > maxBytes ? null : { bytes: buffer, taken: engine.bytesWritten };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") return null;
    throw error;
  }
}

function hash(algorithm: HashAlgorithm): RunningHash {
  const running = createHash(algorithm);
  return { update: (bytes) => void running.update(bytes), hex: () => running.digest("hex") };
}

export function unpacking(): Unpacking {
  return { inflate, inflateWhole, crc32: (bytes, before) => crc32(bytes, before), hash };
}
