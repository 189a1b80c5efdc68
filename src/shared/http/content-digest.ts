// The hash of a body that its sender computed before (RFC 9530, `Content-Digest`): SHA-256 alone is compared.

const MEMBER = /^\s*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):\s*$/;
const SHA256_BYTES = 32;
/** Longer values of the header are not read. */
const HEADER_MAX = 1_000;

/**
 * SHA-256 in lower-case hex; null where the header has none that we compare. "unreadable": it is not written as the RFC
 * asks.
 */
export function contentDigestOf(header: string | null): string | null {
  if (header === null) return null;
  if (header.length > HEADER_MAX) return "unreadable";
  let found: string | null = null;
  for (const member of header.split(",")) {
    const [, name, value = ""] = MEMBER.exec(member) ?? [];
    if (name === undefined) return "unreadable";
    if (name !== "sha-256") continue;
    const bytes = Buffer.from(value, "base64");
    if (bytes.length !== SHA256_BYTES) return "unreadable";
    found = bytes.toString("hex");
  }
  return found;
}
