// SHA-256 (FIPS 180-4): short keys for texts of any length (R18), secrets as they are kept (A23; a random part of 256
// bits needs no slow hash), signatures of what we issue and receive again (R36), challenges of PKCE (RFC 7636). And
// random ids.
import { createHmac, hash } from "node:crypto";
import { constantTimeEqual } from "oslo/crypto";
import { base64url } from "oslo/encoding";

/**
 * The SHA-256 of bytes, or of a text in UTF-8, in lower-case hex (64 characters). Of a secret, its random part is
 * hashed.
 */
export const sha256Hex = (data: string | Uint8Array): string => hash("sha256", data, "hex");

/** HMAC-SHA-256 of a text under a secret, in lower-case hex (64 characters). */
export const textSignature = (text: string, secret: string): string =>
  createHmac("sha256", secret).update(text).digest("hex");

/** `code_challenge` of a verifier, method S256 (RFC 7636 section 4.2). */
export const codeChallenge = (verifier: string): string => hash("sha256", verifier, "base64url");

/**
 * Another secret, made from one (43 characters of base64url): nothing of either tells the other. HMAC-SHA-256 of its
 * name.
 */
export const derivedSecret = (name: string, secret: string): string =>
  createHmac("sha256", secret).update(name).digest("base64url");

/** Compares two hashes without telling by its time how far they agree. */
export function sameHash(one: string, other: string): boolean {
  const encoder = new TextEncoder();
  return constantTimeEqual(encoder.encode(one), encoder.encode(other));
}

/** Compared against where a secret is unknown, so that this takes as long as where it is known. */
const NO_HASH = "0".repeat(64);

/** Whether the random part of a secret is the one whose hash is kept; of an unknown secret there is no hash. */
export const matchesHash = (random: string, kept: string | undefined): boolean =>
  sameHash(kept ?? NO_HASH, sha256Hex(random));

/** Random bytes as they are written in a secret or an id. */
export const randomText = (bytes: Uint8Array): string => base64url.encode(bytes, { includePadding: false });

/** A random UUID (RFC 9562, version 4) from at least 16 random bytes: ids of communities (R6a). */
export function uuidOf(bytes: Uint8Array): string {
  const marked = Uint8Array.from(bytes.slice(0, 16), (byte, index) => {
    if (index === 6) return (byte & 0x0f) | 0x40;
    return index === 8 ? (byte & 0x3f) | 0x80 : byte;
  });
  const hex = Array.from(marked, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
