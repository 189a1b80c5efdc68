// Items that are read at once (R9a): most pages are one slice, and very long items come one by one.

/**
 * The approximate size of an item in the database: metadata, a row for each file, and the words extracted from them.
 */
export type SizedEntry = { readonly bytes: number };

const SLICE_BYTES = 4 * 1024 * 1024;

/** Slices whose content fits in memory and is read in some tens of milliseconds; of `most` entries and `limit` bytes. */
export function* sizeSlices<One extends SizedEntry>(
  all: readonly One[],
  most: number = Number.POSITIVE_INFINITY,
  limit: number = SLICE_BYTES,
): Generator<readonly One[]> {
  let [slice, bytes]: [One[], number] = [[], 0];
  for (const one of all) {
    if (slice.length === most || (slice.length > 0 && bytes + one.bytes > limit)) {
      yield slice;
      [slice, bytes] = [[], 0];
    }
    slice.push(one);
    bytes += one.bytes;
  }
  if (slice.length > 0) yield slice;
}
