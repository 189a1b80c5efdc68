// How a file is sent in parts, by what it is recognised, and how long it will take.

const MIB = 1024 * 1024;
/** Parts that the interface of record files takes at most. */
const PARTS_MOST = 10_000;

/** The least the interface takes, and the most that is worth sending again. */
const PART_BYTES = { least: 5 * MIB, most: 64 * MIB } as const;
const PARALLEL = { least: 2, most: 4 } as const;
/** What is under way when the connection breaks is sent again: at most this share of a file, but for small ones. */
const UNDER_WAY = 1 / 200;

/**
 * Bytes of a part, the same for the same size, so that an upload goes on another day, and how many are sent in
 * parallel.
 */
export function partsFor(size: number): { readonly partBytes: number; readonly inParallel: number } {
  const underWay = size * UNDER_WAY;
  const wanted = Math.min(PART_BYTES.most, Math.floor(underWay / PARALLEL.most / MIB) * MIB);
  const partBytes = Math.max(PART_BYTES.least, wanted, Math.ceil(size / PARTS_MOST / MIB) * MIB);
  const inParallel = Math.min(PARALLEL.most, Math.max(PARALLEL.least, Math.floor(underWay / partBytes)));
  return { partBytes, inParallel };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for them.
const MISLEADING = /[\u0000-\u001f\u007f-\u009f\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

/** What the interface also refuses (`keyProblem`), before the first byte. */
export const isKey = (key: string): boolean =>
  !MISLEADING.test(key) && key.split("/").every((part) => part !== "" && part !== "." && part !== "..");

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

/** Size, time of change, and the hash of the first and last MiB: the same file, as far as anybody can tell without reading it all (R43). */
export async function fingerprintOf(file: Blob, lastModified: number): Promise<string> {
  const ends = new Blob([file.slice(0, MIB), file.slice(Math.max(0, file.size - MIB))]);
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  const bytes = await ends.arrayBuffer();
  const hash = subtle === undefined ? "" : Array.from(new Uint8Array(await subtle.digest("SHA-256", bytes))).join(".");
  return `${file.size} ${lastModified} ${hash}`;
}
