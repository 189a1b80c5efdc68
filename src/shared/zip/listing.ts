// The entries of a ZIP archive as a list shows them (Q.105): one by one, so that a directory of any size can be listed in
// part. An entry that breaks a rule is listed with its fault, and the others are read all the same.
import { ZipError } from "./limits.ts";
import {
  type CentralEntry,
  ENTRY_BYTES,
  ENTRY_SIGNATURE,
  FLAGS_ENCRYPTED,
  METHOD_DEFLATE,
  METHOD_STORED,
  parseEntry,
} from "./reading.ts";

/** `method`: packed in a way that is not read. `broken`: sizes, places or the name break a rule. */
export type EntryFault = "encrypted" | "method" | "broken";

export type ListedEntry = {
  /** Its place in the directory, from 1. */
  readonly number: number;
  /** As the archive has it: it may lead anywhere, and have any character. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly sizeBytes: number;
  /** As it was written, without a time zone: `2026-05-06T12:34:56`; null where it is none. */
  readonly modified: string | null;
  /** Null where it has a fault. */
  readonly entry: CentralEntry | null;
  readonly fault: EntryFault | null;
};

/** A part of the directory. `next`: where the next entry begins. */
export type ListedPart = { readonly entries: readonly ListedEntry[]; readonly next: number };

/**
 * At most `count` entries from the byte `from` of a directory, of which `bytes` is the beginning or all; fewer where it
 * ends, or where there is no further entry.
 */
export function listEntries(
  bytes: Uint8Array,
  { from, first, count }: { readonly from: number; readonly first: number; readonly count: number },
  directoryOffset: number,
): ListedPart {
  const entries: ListedEntry[] = [];
  let next = from;
  while (entries.length < count) {
    const end = endOfEntry(bytes, next);
    if (end === null) break;
    entries.push(listed(bytes.subarray(next, end), first + entries.length, directoryOffset));
    next = end;
  }
  return { entries, next };
}

function endOfEntry(bytes: Uint8Array, at: number): number | null {
  if (at + ENTRY_BYTES > bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, ENTRY_BYTES);
  if (view.getUint32(0, true) !== ENTRY_SIGNATURE) return null;
  const end = at + ENTRY_BYTES + view.getUint16(28, true) + view.getUint16(30, true) + view.getUint16(32, true);
  return end > bytes.length ? null : end;
}

function listed(bytes: Uint8Array, number: number, directoryOffset: number): ListedEntry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const modified = dosTime(view.getUint16(14, true), view.getUint16(12, true));
  try {
    const { entry } = parseEntry(bytes, 0, number - 1, directoryOffset);
    return {
      number,
      path: entry.path,
      isFolder: entry.isFolder,
      sizeBytes: entry.sizeBytes,
      modified,
      entry,
      fault: null,
    };
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    const path = anyName(bytes.subarray(ENTRY_BYTES, ENTRY_BYTES + view.getUint16(28, true)));
    const sizeBytes = view.getUint32(24, true);
    return {
      number,
      path,
      isFolder: path.endsWith("/"),
      sizeBytes,
      modified,
      entry: null,
      fault: faultOf(view, error),
    };
  }
}

function faultOf(view: DataView, { kind }: ZipError): EntryFault {
  if (kind === "encrypted" || (view.getUint16(8, true) & FLAGS_ENCRYPTED) !== 0) return "encrypted";
  const method = view.getUint16(10, true);
  return method === METHOD_STORED || method === METHOD_DEFLATE ? "broken" : "method";
}

/** Also of bytes that are text in no encoding: what cannot be read is U+FFFD. */
function anyName(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis").decode(bytes);
  }
}

const FIRST_YEAR = 1980;

/** Two seconds are the smallest step (APPNOTE 4.4.6). */
function dosTime(date: number, time: number): string | null {
  const two = (value: number): string => String(value).padStart(2, "0");
  const [year, month, day] = [FIRST_YEAR + (date >>> 9), (date >>> 5) & 15, date & 31];
  const [hour, minute, second] = [time >>> 11, (time >>> 5) & 63, (time & 31) * 2];
  const isTime = hour < 24 && minute < 60 && second < 60;
  const at = `${year}-${two(month)}-${two(day)}`;
  const isDay = month >= 1 && day >= 1 && new Date(`${at}T00:00:00Z`).toJSON()?.startsWith(at) === true;
  return isDay && isTime ? `${at}T${two(hour)}:${two(minute)}:${two(second)}` : null;
}
