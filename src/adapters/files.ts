// A file on a disk as a source of bytes that can be read anywhere (src/shared/bytes/byte-streams.ts).

import { type FileHandle, open } from "node:fs/promises";
import type { ByteSource } from "../shared/bytes/byte-streams.ts";
import type { ByteRange } from "../shared/http/byte-range.ts";
import { StorageProblem } from "../storage/limits.ts";

type FileBytes = ByteSource & AsyncDisposable;

/**
 * Opens a file for positioned reads. Its size is taken once: what is appended later is not seen.
 *
 * @throws the disk's own error when there is no such file or it cannot be opened, RangeError when it is not a plain
 * file.
 */
export async function openFileBytes(path: string): Promise<FileBytes> {
  const file = await open(path, "r");
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new RangeError(`Cannot read "${path}": it is not a plain file`);
    return {
      size: facts.size,
      read: (offset, length, into) => readAt(file, offset, length, into),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readAt(file: FileHandle, offset: number, length: number, into?: Uint8Array): Promise<Uint8Array> {
  const bytes = into !== undefined && into.length >= length ? into.subarray(0, length) : new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done === length ? bytes : bytes.subarray(0, done);
}

// The few steps by which bytes become durable on a disk, and are read from it again.

/** Writes all of it, also where the system takes it in pieces. A full disk is a StorageProblem of kind `no_space`. */
export async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  try {
    for (let start = 0; start < chunk.length; ) {
      start += (await file.write(chunk, start, chunk.length - start)).bytesWritten;
    }
  } catch (error) {
    throw diskProblem(error);
  }
}

/** Without it the new name of a file might be lost with the power, though not its content. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => null);
  // Not every system lets a folder be opened or synced; then its entries are as safe as the system makes them.
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/** Errors of a disk that has no room, in our words; every other stays what it is. */
export function diskProblem(error: unknown): unknown {
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new StorageProblem("no_space", "Cannot write the bytes: the disk is full", { cause: error });
  }
  return error;
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** For what may be gone already. */
export function ignoreMissing(error: unknown): null {
  if (codeOf(error) === "ENOENT") return null;
  throw error;
}

/** How much is read at once; the memory of a read is about this. */
const READ_BYTES = 256 * 1024;

/** The bytes of a range of a file. */
export async function* piecesOf(path: string, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    for (let at = first; at <= last; ) {
      const piece = new Uint8Array(Math.min(READ_BYTES, last - at + 1));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) throw new StorageProblem("wrong_size", `Cannot read on: the file ends at byte ${at}`);
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
