// Hashes that tell visitors of one day apart and say nothing of them (R39): HMAC-SHA-256 under a random key that stands in memory only.
import { createHmac, randomBytes } from "node:crypto";

const HASH_BYTES = 6;

/** Under another key each time: what one made tells nothing to the next. */
export function newVisitorHash(): (text: string) => number {
  const key = randomBytes(32);
  return (text) => createHmac("sha256", key).update(text).digest().readUIntBE(0, HASH_BYTES);
}
