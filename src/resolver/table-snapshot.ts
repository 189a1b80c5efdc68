// The file a resolver starts from: the bytes of its table as they are in memory, after a header that describes them
// (the resolver's table; feed positions carry an epoch). Nothing in it is believed before the checksum has been
// compared.
//
//   header  = 4096 bytes: "arkstone table <version>" LF, checksum LF, JSON LF, zeros
//   payload = the segments of the table one after the other, with the sizes in the JSON; the file ends there
//
// The checksum is over the header from behind its own line, then over the payload.
import { ChecksumLanes } from "../shared/hash/checksum-lanes.ts";

const SNAPSHOT_VERSION = 2;
export const SNAPSHOT_HEADER_BYTES = 4096;

const FIRST_LINE = /^arkstone table (\d{1,9})\n([0-9a-f]{32})\n(\{[^\n]*\})\n\0*$/;
const TEXT_MAX = 1024;

/** The header of a snapshot. */
type SnapshotMeta = {
  /** The position in the feed from which changes must be followed (see FeedPosition). */
  readonly epoch: string;
  readonly horizon: string;
  readonly names: number;
  /** Bytes of each segment. */
  readonly segments: readonly number[];
};

/** `foreign`: no snapshot at all, or of a machine with another byte order. */
type SnapshotProblem = "foreign" | "version" | "truncated" | "corrupt";

type SnapshotReading = { readonly meta: SnapshotMeta } | { readonly problem: SnapshotProblem };

function byteOrder(): "little" | "big" {
  return new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? "little" : "big";
}

/** The segments as they are in memory; all but the last a multiple of 16 bytes long. */
type Payload = readonly Uint8Array[];

/** The header to write before this payload. Takes as long as reading the payload once. */
export function snapshotHeader(meta: Omit<SnapshotMeta, "segments">, payload: Payload): Uint8Array {
  if (meta.epoch.length > TEXT_MAX || meta.horizon.length > TEXT_MAX) {
    throw new RangeError(`Cannot write a position of more than ${TEXT_MAX} characters into a snapshot`);
  }
  const { epoch, horizon, names } = meta;
  const segments = payload.map(({ length }) => length);
  const json = JSON.stringify({ byteOrder: byteOrder(), epoch, horizon, names, segments });
  const header = new Uint8Array(SNAPSHOT_HEADER_BYTES);
  const write = (checksum: string): void => {
    const text = new TextEncoder().encode(`arkstone table ${SNAPSHOT_VERSION}\n${checksum}\n${json}\n`);
    if (text.length > header.length)
      throw new RangeError("Cannot write the header of a snapshot: its position is too long");
    header.set(text);
  };
  write("0".repeat(32));
  write(checksumOf(header, payload));
  return header;
}

/** Reads the header alone: how long each segment is, and what would be known once `verifySnapshot` agrees. */
export function readSnapshotHeader(header: Uint8Array): SnapshotReading {
  const start = new TextDecoder("latin1").decode(header.slice(0, 15));
  if (start !== "arkstone table ") return { problem: "foreign" };
  if (header.length < SNAPSHOT_HEADER_BYTES) return { problem: "truncated" };
  const lines = FIRST_LINE.exec(new TextDecoder().decode(header.slice(0, SNAPSHOT_HEADER_BYTES)));
  if (lines === null) return { problem: "corrupt" };
  if (lines[1] !== String(SNAPSHOT_VERSION)) return { problem: "version" };
  return readMeta(lines[3] ?? "");
}

function readMeta(json: string): SnapshotReading {
  let fields: unknown;
  try {
    fields = JSON.parse(json);
  } catch {
    return { problem: "corrupt" };
  }
  if (typeof fields !== "object" || fields === null) return { problem: "corrupt" };
  const { epoch, horizon, names, segments, byteOrder: order } = { ...EMPTY_FIELDS, ...fields };
  if (order !== byteOrder()) return { problem: "foreign" };
  if (typeof epoch !== "string" || typeof horizon !== "string") return { problem: "corrupt" };
  if (!isCount(names) || !Array.isArray(segments) || !segments.every(isCount)) return { problem: "corrupt" };
  return { meta: { epoch, horizon, names, segments } };
}

const EMPTY_FIELDS: Readonly<Record<"epoch" | "horizon" | "names" | "segments" | "byteOrder", unknown>> = {
  epoch: null,
  horizon: null,
  names: null,
  segments: null,
  byteOrder: null,
};

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/**
 * Compares the whole of a snapshot with its checksum. `payload` is everything that follows the header in the file, cut
 * by the sizes in the header.
 *
 * @returns the header of the snapshot, which is now verified, or what is wrong with it.
 */
export function verifySnapshot(header: Uint8Array, payload: Payload): SnapshotReading {
  const reading = readSnapshotHeader(header);
  if ("problem" in reading) return reading;
  const lengths = reading.meta.segments;
  const there = payload.reduce((sum, { length }) => sum + length, 0);
  const difference = there - lengths.reduce((sum, length) => sum + length, 0);
  if (difference < 0) return { problem: "truncated" };
  if (difference > 0 || payload.some(({ length }, index) => length !== lengths[index])) return { problem: "corrupt" };
  const stated = new TextDecoder().decode(header.slice(checksumFrom(), checksumFrom() + 32));
  return checksumOf(header, payload) === stated ? reading : { problem: "corrupt" };
}

function checksumFrom(): number {
  return `arkstone table ${SNAPSHOT_VERSION}\n`.length;
}

function checksumOf(header: Uint8Array, payload: Payload): string {
  const covered = new Uint8Array(SNAPSHOT_HEADER_BYTES);
  covered.set(header.subarray(checksumFrom() + 32, SNAPSHOT_HEADER_BYTES), checksumFrom() + 32);
  const checksum = new ChecksumLanes();
  checksum.add(covered);
  for (const segment of payload) checksum.add(segment);
  return checksum.digest();
}
