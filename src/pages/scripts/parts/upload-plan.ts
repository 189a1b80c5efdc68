// How a file is sent in parts, and how long it will take. Pure.

const MIB = 1024 * 1024;
/** Parts that the interface of record files takes at most. */
const PARTS_MOST = 10_000;

/**
 * Bytes of a part, the same for the same size, so that an upload goes on another day: small enough that a broken part
 * costs little, large enough that there are not too many.
 */
export function partBytesFor(size: number): number {
  const wanted = size <= 256 * MIB ? 8 * MIB : size <= 4096 * MIB ? 16 * MIB : 64 * MIB;
  return Math.max(wanted, Math.ceil(size / PARTS_MOST / MIB) * MIB);
}

/** Bytes a second over the last while, from pairs of moment in ms and bytes sent; 0 while nobody can tell. */
export function rateOf(samples: readonly (readonly [ms: number, bytes: number])[]): number {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last[0] - first[0] < 500) return 0;
  return Math.max(0, ((last[1] - first[1]) * 1000) / (last[0] - first[0]));
}

/** Seconds until the end; null while nobody can tell. */
export const secondsLeft = (leftBytes: number, rate: number): number | null =>
  rate <= 0 ? null : Math.ceil(leftBytes / rate);

/** The tenth that is announced when it is reached; null: it was announced already. */
export function tenthReached(sent: number, total: number, announced: number): number | null {
  const tenth = total === 0 ? 10 : Math.floor((sent * 10) / total);
  return tenth > announced ? tenth : null;
}
