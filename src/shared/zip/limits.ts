// What a ZIP package may cost and how its entries may be called (R13), and the error when it exceeds a limit.

import { DocumentError } from "../document-error.ts";
import { most } from "../limits.ts";
import { normalForm } from "../text/text.ts";

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
const PATH_MAX_BYTES = 4096;
const PATH_MAX_SEGMENTS = 100;

/** What all entries of an archive of this size may inflate to. */
export function totalAllowed(limits: ZipLimits, archiveBytes: number): number {
  return Math.min(limits.totalBytes, Math.max(limits.ratioFloorBytes, limits.ratio * archiveBytes));
}

/** A name as an error may show it: quoted, control characters escaped, not longer than a line. */
export function shown(name: string): string {
  const text = JSON.stringify(name);
  return text.length <= 120 ? text : `${text.slice(0, 116)}..."`;
}

// Names in a ZIP archive: from bytes to a path that stays inside the package, or a refusal (R13; section "Packages" of
// the tests).

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
// WHATWG's shift_jis is what Windows calls code page 932. Created when needed: few archives have such names.
let cp932: TextDecoder | null = null;

/**
 * The text of a name. With the UTF-8 flag it must be UTF-8; without it it is read as UTF-8 when it is that (macOS
 * writes so), else as code page 932 (Japanese Windows).
 */
export function decodeName(bytes: Uint8Array, isUtf8: boolean, index: number): string {
  try {
    return utf8.decode(bytes);
  } catch {
    if (isUtf8) throw new ZipError(`The name of entry ${index + 1} is not UTF-8 although its flag is set`);
  }
  try {
    cp932 ??= new TextDecoder("shift_jis", { fatal: true });
    return cp932.decode(bytes);
  } catch {
    throw new ZipError(`The name of entry ${index + 1} is neither UTF-8 nor code page 932`);
  }
}

/** The path a Unicode path block names (APPNOTE 4.6.9): a version, a CRC-32 of the short name, UTF-8. */
export function decodeUnicodePath(block: Uint8Array, index: number): string {
  if (block.length < 5 || block[0] !== 1) throw new ZipError(`The Unicode path of entry ${index + 1} is malformed`);
  return decodeName(block.subarray(5), true, index);
}

/**
 * Refuses every name that could lead out of a folder or mean two things.
 *
 * @returns the segments; a folder's trailing slash is left out.
 */
export function checkPath(path: string): readonly string[] {
  const refuse = (why: string): never => {
    throw new ZipError(`The name ${shown(path)} ${why}`);
  };
  if (path === "") refuse("is empty");
  if (path.includes("\0")) refuse("holds a NUL");
  if (path.includes("\\")) refuse("holds a backslash");
  if (path.startsWith("/")) refuse("is absolute");
  if (/^[A-Za-z]:/.test(path)) refuse("begins with a drive");
  if (/^~[^/]*(?:\/|$)/.test(path) && (path.includes("/") || path === "~")) refuse("begins with a home folder");
  if (isLong(path)) refuse(`is longer than ${PATH_MAX_BYTES} bytes`);
  const segments = (path.endsWith("/") ? path.slice(0, -1) : path).split("/");
  if (segments.length > PATH_MAX_SEGMENTS) refuse(`lies deeper than ${PATH_MAX_SEGMENTS} folders`);
  for (const segment of segments) {
    if (segment === "") refuse("has an empty part");
    if (segment === "." || segment === "..") refuse(`has the part "${segment}"`);
  }
  return segments;
}

/** A character takes three bytes at most, or four for two. */
function isLong(path: string): boolean {
  return path.length * 3 > PATH_MAX_BYTES && new TextEncoder().encode(path).length > PATH_MAX_BYTES;
}

/**
 * Refuses two entries with one path, a path that is file and folder at once, and two paths that differ in their Unicode
 * normal form alone. Paths that differ in case are two files.
 */
export function checkDistinct(paths: readonly string[]): void {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const path of paths) {
    const isFolder = path.endsWith("/");
    const key = normalForm(isFolder ? path.slice(0, -1) : path, "NFC");
    const kind = isFolder ? folders : files;
    if (kind.has(key)) throw new ZipError(`The name ${shown(path)} appears twice in the archive`);
    kind.add(key);
  }
  for (const key of files) {
    if (folders.has(key)) throw new ZipError(`The name ${shown(key)} is a file and a folder at once`);
  }
  checkParents(files, folders);
}

function checkParents(files: ReadonlySet<string>, folders: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const key of [...files, ...folders]) {
    for (let cut = key.lastIndexOf("/"); cut > 0; cut = key.lastIndexOf("/", cut - 1)) {
      const parent = key.slice(0, cut);
      if (seen.has(parent)) break;
      if (files.has(parent)) throw new ZipError(`The name ${shown(parent)} is a file and a folder at once`);
      seen.add(parent);
    }
  }
}
