// SHA-256 of texts, in hex: keys that are short whatever they stand for (R18).
import { sha256 } from "oslo/crypto";
import { encodeHex } from "oslo/encoding";

export async function textDigest(text: string): Promise<string> {
  return encodeHex(new Uint8Array(await sha256(new TextEncoder().encode(text))));
}
