// A file on a disk as a source of bytes that can be read anywhere (src/shared/bytes/byte-streams.ts).
import { type FileHandle, open } from "node:fs/promises";
import type { ByteSource } from "../shared/bytes/byte-streams.ts";

type FileBytes = ByteSource & AsyncDisposable;

/**
 * Opens a file for positioned reads. Its size is taken once: what is appended later is not seen.
 *
 * @throws the disk's own error when there is no such file or it cannot be opened, RangeError when it is not a plain file.
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
