// SHA-256 of texts, in hex: short keys for texts of any length (R18), and signatures of what we issue and receive again (R36).
import { HMAC, sha256 } from "oslo/crypto";
import { encodeHex } from "oslo/encoding";

export async function textDigest(text: string): Promise<string> {
  return encodeHex(new Uint8Array(await sha256(new TextEncoder().encode(text))));
}

/** HMAC-SHA-256 of a text under a secret, in hex. */
export async function textSignature(text: string, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  return encodeHex(new Uint8Array(await new HMAC("SHA-256").sign(encoder.encode(secret), encoder.encode(text))));
}
