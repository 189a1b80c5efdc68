// What kind of picture bytes are, by how they begin: PNG, JPEG, WebP and GIF. Nothing else is one here; SVG is a document
// that can hold scripts.

/** The media type; null for anything else. */
export function pictureType(bytes: Uint8Array): string | null {
  const begins = (written: readonly number[], at = 0): boolean =>
    written.every((each, index) => bytes[at + index] === each);
  if (begins([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "image/png";
  if (begins([0xff, 0xd8, 0xff])) return "image/jpeg";
  if (begins([0x47, 0x49, 0x46, 0x38, 0x37, 0x61]) || begins([0x47, 0x49, 0x46, 0x38, 0x39, 0x61])) return "image/gif";
  // RIFF, four bytes of length, WEBP.
  return begins([0x52, 0x49, 0x46, 0x46]) && begins([0x57, 0x45, 0x42, 0x50], 8) ? "image/webp" : null;
}
