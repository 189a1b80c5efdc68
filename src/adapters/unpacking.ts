// Inflating, CRC-32 and hashes by the runtime's own zlib and crypto (src/storage/unpacking.ts).
// Never DecompressionStream: on Deno it holds everything an archive inflates to in memory.

import { createHash, createHmac, randomBytes } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { MD5_AT_ONCE_BYTES } from "../storage/limits.ts";
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

// The two checksums that are reckoned while bytes are written (R7b).

type WriteHashes = {
  update(chunk: Uint8Array): void;
  finish(): { readonly sizeBytes: number; readonly sha256: string; readonly md5: string | null };
};

/** SHA-256 always; MD5 until there are more than 16 MiB, null from there on. */
export function writeHashes(): WriteHashes {
  const sha256 = createHash("sha256");
  let md5: ReturnType<typeof createHash> | null = createHash("md5");
  let sizeBytes = 0;
  return {
    update(chunk) {
      sizeBytes += chunk.length;
      sha256.update(chunk);
      if (sizeBytes > MD5_AT_ONCE_BYTES) md5 = null;
      md5?.update(chunk);
    },
    finish: () => ({ sizeBytes, sha256: sha256.digest("hex"), md5: md5?.digest("hex") ?? null }),
  };
}

// Hashes that distinguish the visitors of one day and reveal nothing about them (R39): HMAC-SHA-256 under a random key
// that is only in memory.

const HASH_BYTES = 6;

/** Under another key each time: what one made tells nothing to the next. */
export function newVisitorHash(): (text: string) => number {
  const key = randomBytes(32);
  return (text) => createHmac("sha256", key).update(text).digest().readUIntBE(0, HASH_BYTES);
}
