// The machinery that unpacking needs from outside the rules: inflating, checksums and hashes (R13;
// src/adapters/unpacking.ts).

/** Hashes that BagIt manifests name and we can compute. */
export type HashAlgorithm = "md5" | "sha1" | "sha224" | "sha256" | "sha384" | "sha512";

/** A hash that is being taken; `hex` ends it and is asked once. */
export type RunningHash = { update(bytes: Uint8Array): void; hex(): string };

/** One raw deflate stream being inflated. */
export type Inflation = {
  /**
   * Inflated pieces, at most 64 KiB each. Ends after the last block; throws an Error when the stream is broken or
   * breaks off.
   */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** How many compressed bytes the stream took; meaningful after `pieces` ended. */
  taken(): number;
};

export type Unpacking = {
  /**
   * Memory stays bounded by one piece in and one piece out, whatever the stream inflates to; leaving the loop frees it.
   */
  inflate(compressed: AsyncIterable<Uint8Array>): Inflation;
  /**
   * The same at once, for streams that are known to be small: what it inflates to, or null when that is more than
   * `maxBytes`. Throws an Error when the stream is broken or breaks off.
   */
  inflateWhole(compressed: Uint8Array, maxBytes: number): { readonly bytes: Uint8Array; readonly taken: number } | null;
  /** CRC-32 of bytes that follow those `before` was taken of (0 at first). */
  crc32(bytes: Uint8Array, before: number): number;
  hash(algorithm: HashAlgorithm): RunningHash;
};
