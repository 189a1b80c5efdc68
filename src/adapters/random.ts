// Randomness of the platform's cryptographic generator (port Random; A5).
import { BETANUMERICS } from "../ark/syntax.ts";
import type { Random } from "../shared/time/clock.ts";

/** Bytes requested from the platform at once: a request for every name costs more than the name. */
const POOL_BYTES = 8192;
/**
 * Bytes from here on are discarded: 232 is the largest multiple of 29 in a byte, so every character stays equally
 * likely.
 */
const FAIR_BELOW = 256 - (256 % BETANUMERICS.length);

export const platformRandom = (): Random => {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;

  const nextByte = (): number => {
    if (used === POOL_BYTES) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    return pool[used++] ?? 0;
  };

  return {
    betanumerics: (length) => {
      let text = "";
      while (text.length < length) {
        const byte = nextByte();
        if (byte < FAIR_BELOW) text += BETANUMERICS.charAt(byte % BETANUMERICS.length);
      }
      return text;
    },
    bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  };
};
