// A range of the bytes of a file, and how a request names one (RFC 9110 section 14; R19a).

/** First and last byte, both counted from 0 and both inside. */
export type ByteRange = { readonly first: number; readonly last: number };

/** Longer than any sensible `Range` header with one range. */
const RANGE_HEADER_MAX = 200;
const ONE_RANGE = /^bytes[ \t]*=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i;

/**
 * The one range that a `Range` header asks for, cut to the file. Null: no header, another unit, several ranges or no
 * range at all; the whole file is the answer then, as RFC 9110 section 14.2 allows. `unsatisfiable`: it begins behind
 * the end.
 */
export function parseRange(header: string | null, sizeBytes: number): ByteRange | "unsatisfiable" | null {
  if (header === null || header.length > RANGE_HEADER_MAX) return null;
  const parts = ONE_RANGE.exec(header.trim());
  if (parts === null) return null;
  const [, from, to, suffix] = parts;
  if (suffix !== undefined) {
    const count = Math.min(Number(suffix), sizeBytes);
    return count === 0 ? "unsatisfiable" : { first: sizeBytes - count, last: sizeBytes - 1 };
  }
  const first = Number(from);
  const last = to === "" || to === undefined ? Number.POSITIVE_INFINITY : Number(to);
  if (last < first) return null;
  return first >= sizeBytes ? "unsatisfiable" : { first, last: Math.min(last, sizeBytes - 1) };
}

/** Its number of bytes. */
export function lengthOf(range: ByteRange): number {
  return range.last - range.first + 1;
}

/** @throws RangeError when the range does not lie inside a file of this size. */
export function checkInside(range: ByteRange, sizeBytes: number): void {
  const { first, last } = range;
  if (Number.isSafeInteger(first) && Number.isSafeInteger(last) && first >= 0 && first <= last && last < sizeBytes)
    return;
  throw new RangeError(`Cannot read bytes ${first} to ${last} of ${sizeBytes}`);
}
