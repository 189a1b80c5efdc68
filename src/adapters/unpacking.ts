// Inflating, CRC-32 and hashes by the runtime's own zlib and crypto (ports/unpacking.ts).
// Never DecompressionStream: on Deno it holds everything an archive inflates to in memory.
import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import type { HashAlgorithm, Inflation, RunningHash, Unpacking } from "../ports/unpacking.ts";

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

function hash(algorithm: HashAlgorithm): RunningHash {
  const running = createHash(algorithm);
  return { update: (bytes) => void running.update(bytes), hex: () => running.digest("hex") };
}

export function unpacking(): Unpacking {
  return { inflate, crc32: (bytes, before) => crc32(bytes, before), hash };
}
