// Hashes that distinguish the visitors of one day and reveal nothing about them (R39): HMAC-SHA-256 under a random key
// that is only in memory.
import { createHmac, randomBytes } from "node:crypto";

const HASH_BYTES = 6;

/** Under another key each time: what one made tells nothing to the next. */
export function newVisitorHash(): (text: string) => number {
  const key = randomBytes(32);
  return (text) => createHmac("sha256", key).update(text).digest().readUIntBE(0, HASH_BYTES);
}
