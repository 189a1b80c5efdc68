// Secrets as they are kept: SHA-256 of the random part as written, in hex (A23). A random part of 256 bits needs no slow hash.
import { constantTimeEqual, HMAC, sha256 } from "oslo/crypto";
import { base64url, encodeHex } from "oslo/encoding";

/** The hash of a secret's random part (43 characters of base64url). */
export async function secretHash(random: string): Promise<string> {
  return encodeHex(new Uint8Array(await sha256(new TextEncoder().encode(random))));
}

/** Another secret, made from one (43 characters of base64url): nothing of either tells the other. HMAC-SHA-256 of its name. */
export async function derivedSecret(name: string, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  return randomText(new Uint8Array(await new HMAC("SHA-256").sign(encoder.encode(secret), encoder.encode(name))));
}

/** Compares two hashes without telling by its time how far they agree. */
export function sameHash(one: string, other: string): boolean {
  const encoder = new TextEncoder();
  return constantTimeEqual(encoder.encode(one), encoder.encode(other));
}

/** Random bytes as they are written in a secret or an id. */
export function randomText(bytes: Uint8Array): string {
  return base64url.encode(bytes, { includePadding: false });
}
