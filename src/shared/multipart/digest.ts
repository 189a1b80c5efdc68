// The Digest header (RFC 3230) in the spellings that clients use (R12): the SHA-256 in hex, in base64, or as base64 of
// the hex.

type Digest = { readonly algorithm: string; readonly value: string };

/** All algorithms of the header, names in upper case, values as written. What has no `=` gets an empty value. */
export function parseDigest(header: string): readonly Digest[] {
  return header
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .map((each) => {
      const equals = each.indexOf("=");
      if (equals < 0) return { algorithm: each.toUpperCase(), value: "" };
      return { algorithm: each.slice(0, equals).trim().toUpperCase(), value: each.slice(equals + 1).trim() };
    });
}

/**
 * Whether a sent Digest agrees with the SHA-256 of what came (32 bytes). A header without SHA-256 or one that cannot be
 * read does not; of several SHA-256 all must. Other algorithms are ignored.
 */
export function digestMatches(header: string, sha256: Uint8Array): boolean {
  const expected = hexOf(sha256);
  const sent = parseDigest(header).filter(({ algorithm }) => algorithm === "SHA-256");
  return sent.length > 0 && sent.every(({ value }) => sha256HexOf(value) === expected);
}

const HEX = /^[0-9a-f]{64}$/i;

/** A SHA-256 in any of the spellings as lower-case hex; null when it is in none. */
function sha256HexOf(value: string): string | null {
  if (HEX.test(value)) return value.toLowerCase();
  const bytes = fromBase64(value);
  if (bytes === null) return null;
  if (bytes.length === 32) return hexOf(bytes);
  const text = String.fromCharCode(...bytes.subarray(0, 65));
  return HEX.test(text) ? text.toLowerCase() : null;
}

/** Longest base64 worth decoding: 64 hex digits take 88 characters. */
const BASE64_MAX_CHARACTERS = 88;

function fromBase64(value: string): Uint8Array | null {
  if (value.length > BASE64_MAX_CHARACTERS || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return null;
  try {
    return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
