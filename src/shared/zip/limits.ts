// What a ZIP package may cost and the error when it exceeds a limit (R13).
import { DocumentError } from "../document-error.ts";
import { most } from "../limits.ts";

/** An archive that is broken, asks for too much, or tries to be two things to two readers. */
export class ZipError extends DocumentError {
  readonly kind: "broken" | "too_large" | "encrypted";

  constructor(message: string, kind: ZipError["kind"] = "broken") {
    super(message);
    this.kind = kind;
  }
}

export type ZipLimits = {
  /** Entries of the archive, folders included. */
  readonly entries: number;
  /** Bytes of the central directory, which is held in memory. */
  readonly directoryBytes: number;
  /** Bytes of one entry when inflated. */
  readonly entryBytes: number;
  /** Bytes of all entries together when inflated. */
  readonly totalBytes: number;
  /** All entries together may be this many times the archive's own size ... */
  readonly ratio: number;
  /** ... or this many bytes, whichever is more. */
  readonly ratioFloorBytes: number;
};

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

export const ZIP_LIMITS: ZipLimits = {
  entries: most("packageEntries"),
  directoryBytes: 64 * MIB,
  entryBytes: 64 * GIB,
  totalBytes: 128 * GIB,
  ratio: 100,
  ratioFloorBytes: GIB,
};

/** A metadata document (and a manifest) is read whole, so it is kept small. */
export const METADATA_MAX_BYTES = most("documentBytes");

/** Longest path in an archive, in UTF-8, and how deep it may lie. */
export const PATH_MAX_BYTES = 4096;
export const PATH_MAX_SEGMENTS = 100;

/** What all entries of an archive of this size may inflate to. */
export function totalAllowed(limits: ZipLimits, archiveBytes: number): number {
  return Math.min(limits.totalBytes, Math.max(limits.ratioFloorBytes, limits.ratio * archiveBytes));
}

/** A name as an error may show it: quoted, control characters escaped, not longer than a line. */
export function shown(name: string): string {
  const text = JSON.stringify(name);
  return text.length <= 120 ? text : `${text.slice(0, 116)}..."`;
}
