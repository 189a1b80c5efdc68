// Checks an SQLite file before it is written to again: damaged pages, and a write-ahead log whose end cannot be read.
// SQLite notices the first only when it reads such a page, and ignores the second silently.

import { closeSync, copyFileSync, existsSync, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../src/shared/error-message.ts";

/**
 * Files up to this size, about 100,000 names, are checked at every start: half a second at most. `arkstone verify`
 * checks larger ones.
 */
const CHECKED_AT_START_BYTES = 32 * 1024 * 1024;

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const LITTLE_ENDIAN = 0x377f0682;
const BIG_ENDIAN = 0x377f0683;
/** A log longer than this is not read: SQLite writes it back long before. */
const WAL_READ_BYTES = 512 * 1024 * 1024;

type WalDamage = {
  /** Frames that SQLite will read, all of them of transactions that ended. */
  readonly readable: number;
  /** Transactions that ended behind the first frame that cannot be read: they are gone. */
  readonly commitsBehind: number;
  readonly damagedFrame: number;
};

/** Pages of the file do not fit together. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";
}

/** SQLite's sum over words of 32 bits, two at a time. */
function checksum(
  view: DataView,
  from: number,
  to: number,
  start: readonly [number, number],
  little: boolean,
): [number, number] {
  let [a, b] = start;
  for (let at = from; at < to; at += 8) {
    a = (a + view.getUint32(at, little) + b) >>> 0;
    b = (b + view.getUint32(at + 4, little) + a) >>> 0;
  }
  return [a, b];
}

/** Reads a write-ahead log as SQLite does; null where every frame of its present round is whole, up to the last. */
export function damageOfWal(wal: Uint8Array): WalDamage | null {
  if (wal.length <= WAL_HEADER_BYTES) return null;
  const view = new DataView(wal.buffer, wal.byteOffset, wal.byteLength);
  const magic = view.getUint32(0);
  // Before the first frame there is nothing to lose, and without its header nothing to tell the frames by.
  if (magic !== LITTLE_ENDIAN && magic !== BIG_ENDIAN) return { readable: 0, commitsBehind: 1, damagedFrame: 1 };
  const little = magic === LITTLE_ENDIAN;
  const frameBytes = FRAME_HEADER_BYTES + view.getUint32(8);
  const isOfThisRound = (at: number): boolean =>
    view.getUint32(at + 8) === view.getUint32(16) && view.getUint32(at + 12) === view.getUint32(20);
  let sum = checksum(view, 0, 24, [0, 0], little);
  if (sum[0] !== view.getUint32(24) || sum[1] !== view.getUint32(28))
    return { readable: 0, commitsBehind: 1, damagedFrame: 1 };
  let [frame, readable, damagedFrame, commitsBehind] = [0, 0, 0, 0];
  for (let at = WAL_HEADER_BYTES; at + frameBytes <= wal.length; at += frameBytes) {
    frame += 1;
    // Left over from the round before.
    if (!isOfThisRound(at)) {
      if (damagedFrame === 0) damagedFrame = frame;
      continue;
    }
    const endsTransaction = view.getUint32(at + 4) !== 0;
    if (damagedFrame === 0) {
      sum = checksum(view, at, at + 8, sum, little);
      sum = checksum(view, at + FRAME_HEADER_BYTES, at + frameBytes, sum, little);
      if (sum[0] !== view.getUint32(at + 16) || sum[1] !== view.getUint32(at + 20)) damagedFrame = frame;
      else if (endsTransaction) readable = frame;
    }
    if (damagedFrame !== 0 && endsTransaction) commitsBehind += 1;
  }
  return commitsBehind === 0 ? null : { readable, commitsBehind, damagedFrame };
}

/**
 * Describes what is missing because the end of the log cannot be read, and keeps a copy of the log for recovery by
 * hand. Null where nothing is missing. After a power cut it may be work that was never confirmed; on disks that confirm
 * writes too early it is more.
 */
export async function warnOfWal(path: string): Promise<string | null> {
  const wal = `${path}-wal`;
  const found = damageOfFile(wal);
  if (found === null) return null;
  // Another process may have been writing just now: only what stays is damage.
  await sleep(100);
  const again = damageOfFile(wal);
  if (again === null || again.damagedFrame !== found.damagedFrame) return null;
  const kept = keepCopy(wal);
  const { damagedFrame, commitsBehind } = again;
  return (
    `The write-ahead log of ${path} cannot be read from frame ${damagedFrame} on: the database is as it was before that, and ` +
    `${commitsBehind} commit(s) behind it are missing. ${kept} Unless the power failed just now, names that were ` +
    'handed out may be gone: run "arkstone verify", and restore a backup with a list of names where you have one'
  );
}

/** Null also without a log: the last process that closes the database deletes it, at any moment. */
function damageOfFile(wal: string): WalDamage | null {
  let file: number;
  try {
    file = openSync(wal, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  try {
    return fstatSync(file).size > WAL_READ_BYTES ? null : damageOfWal(readFileSync(file));
  } finally {
    closeSync(file);
  }
}

/** Started again and again by a supervisor, one copy is enough. */
function keepCopy(wal: string): string {
  const copy = `${wal}.damaged`;
  try {
    if (!existsSync(copy)) copyFileSync(wal, copy);
    return `A copy of the log as it was found is ${copy}.`;
  } catch {
    return "The log could not be copied.";
  }
}

/**
 * Why a file must not be written to; null where its pages are whole, or where it is too large to check at every start.
 */
export function refusalOf(path: string, check: (sql: string) => readonly unknown[]): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > CHECKED_AT_START_BYTES) return null;
  const problems = problemsOf(check);
  if (problems.length === 0) return null;
  return `${path} is damaged (${problems.join("; ").slice(0, 300)}): restore a backup, or save what can be read from a copy of it`;
}

function problemsOf(check: (sql: string) => readonly unknown[]): readonly string[] {
  try {
    return (
      check("pragma quick_check(5)")
        // A finding may have several lines; the report of it has one.
        .map((row) =>
          Object.values(row ?? {})
            .join(" ")
            .replaceAll("\n", " "),
        )
        .filter((text) => text !== "ok")
    );
  } catch (error) {
    const message = errorMessage(error);
    // Of other failures, a lock for instance, the next statement will tell.
    return /malformed|not a database|corrupt/i.test(message) ? [message] : [];
  }
}
