// Random UUIDs (RFC 9562, version 4) from bytes the caller brings: ids of communities (R6a).

/** `bytes`: at least 16 random ones. */
export function uuidOf(bytes: Uint8Array): string {
  const marked = Uint8Array.from(bytes.slice(0, 16), (byte, index) => {
    if (index === 6) return (byte & 0x0f) | 0x40;
    return index === 8 ? (byte & 0x3f) | 0x80 : byte;
  });
  const hex = Array.from(marked, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
