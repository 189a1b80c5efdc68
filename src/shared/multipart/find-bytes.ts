// Finding a boundary in bytes (Horspool's search), and what of it may have begun at their end.

type Search = {
  readonly pattern: Uint8Array;
  /** How far to move on, by the byte under the pattern's last byte. */
  readonly skip: Uint8Array;
};

/** A pattern of 1 to 255 bytes, made ready. */
export function search(pattern: Uint8Array): Search {
  if (pattern.length === 0 || pattern.length > 255) throw new RangeError(`Cannot search ${pattern.length} bytes`);
  const skip = new Uint8Array(256).fill(pattern.length);
  pattern.subarray(0, -1).forEach((byte, index) => {
    skip[byte] = pattern.length - 1 - index;
  });
  return { pattern, skip };
}

/** Where the pattern first occurs in the bytes from `start` on, -1 when nowhere. */
export function findBytes(bytes: Uint8Array, { pattern, skip }: Search, start = 0): number {
  const last = pattern.length - 1;
  let at = start;
  while (at + last < bytes.length) {
    let back = last;
    while (back >= 0 && bytes[at + back] === pattern[back]) back--;
    if (back < 0) return at;
    at += skip[bytes[at + last] ?? 0] ?? 1;
  }
  return -1;
}

/** Where at the end of the bytes a pattern may have begun; their length when nowhere. */
export function partialEnd(bytes: Uint8Array, { pattern }: Search): number {
  const first = pattern[0] ?? 0;
  let at = bytes.indexOf(first, Math.max(0, bytes.length - pattern.length + 1));
  while (at >= 0) {
    if (bytes.subarray(at).every((byte, index) => byte === pattern[index])) return at;
    at = bytes.indexOf(first, at + 1);
  }
  return bytes.length;
}
