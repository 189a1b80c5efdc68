// The challenge of PKCE, method S256 (RFC 7636 section 4.2).
import { sha256 } from "oslo/crypto";
import { base64url } from "oslo/encoding";

/** `code_challenge` of a verifier. */
export async function codeChallenge(verifier: string): Promise<string> {
  const digest = new Uint8Array(await sha256(new TextEncoder().encode(verifier)));
  return base64url.encode(digest, { includePadding: false });
}
