// The file of a table between two runs: a head and a body, read whole, written under a temporary name and renamed
// (docs/resolver-table.md). What is in it is not judged here. Every call waits for the disk: for threads that answer
// nobody.
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import type { SharedMemory } from "./large-pages.ts";

const AT_ONCE_BYTES = 64 * 1024 * 1024;
const TEMPORARY = ".new";
/** A temporary file of this age is left over from a process that was killed. */
const LEFT_OVER_MS = 3_600_000;

type FileParts = { readonly head: Uint8Array; readonly body: readonly SharedArrayBuffer[] };

/**
 * Reads a file into a head of a limited number of bytes and a body in shared memory. Null without a file.
 * `cuts` receives the head and returns the lengths into which the body is cut; null: the body is not read. Where the
 * file is shorter the last pieces are shorter or missing; where it is longer one more byte is a separate piece.
 */
export function readParts(
  path: string,
  headBytes: number,
  cuts: (head: Uint8Array) => readonly number[] | null,
  allocate: SharedMemory = (bytes) => new SharedArrayBuffer(bytes),
): FileParts | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    const head = new Uint8Array(Math.min(size, headBytes));
    readAll(file, head);
    const body: SharedArrayBuffer[] = [];
    const lengths = cuts(head);
    let left = lengths === null ? 0 : size - head.length;
    for (const length of [...(lengths ?? []), 1]) {
      if (left === 0) break;
      const piece = allocate(Math.min(left, length));
      readAll(file, new Uint8Array(piece));
      body.push(piece);
      left -= piece.byteLength;
    }
    return { head, body };
  } finally {
    closeSync(file);
  }
}

/** Replaces the file by these bytes, all of them or none: after a crash there is the old file or the new one. */
export function replaceFile(path: string, parts: readonly Uint8Array[]): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  removeLeftOvers(path);
  const temporary = `${path}.${process.pid}${TEMPORARY}`;
  try {
    const file = openSync(temporary, "w", 0o600);
    try {
      for (const part of parts) writeAll(file, part);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

function readAll(file: number, into: Uint8Array): void {
  for (let done = 0; done < into.length; ) {
    const count = readSync(file, into, done, Math.min(AT_ONCE_BYTES, into.length - done), null);
    if (count === 0) throw new Error("The file became shorter while it was read");
    done += count;
  }
}

function writeAll(file: number, from: Uint8Array): void {
  for (let done = 0; done < from.length; ) {
    done += writeSync(file, from, done, Math.min(AT_ONCE_BYTES, from.length - done));
  }
}

function removeLeftOvers(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith(TEMPORARY)) continue;
    const each = join(folder, name);
    const age = Date.now() - (statSync(each, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > LEFT_OVER_MS) rmSync(each, { force: true });
  }
}

/** Without it the new name of the file might be lost with the power, though not its content. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // Not every system lets a folder be opened; the old file is as good.
  }
}
