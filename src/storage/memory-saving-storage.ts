// Keeps the memory of long transfers low (R13, R37): pieces that went by leave garbage behind, which a runtime with
// plenty of memory around it would let grow.
import type { Storage, StoredBytes } from "./storage.ts";

/** Bytes that pass between two collections, over all long transfers together. A collection costs some 20 ms of CPU. */
const COLLECT_EVERY_BYTES = 8 * 1024 * 1024;
/** A transfer up to this length is not a long one. */
const LONG_BYTES = 8 * 1024 * 1024;

/** The same storage; `collect` is called now and then while much is written to it or read from it. */
export function relievedStorage(storage: Storage, collect: () => void): Storage {
  let since = 0;
  async function* relieved(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let came = 0;
    for await (const piece of pieces) {
      yield piece;
      came += piece.length;
      if (came <= LONG_BYTES) continue;
      since += piece.length;
      if (since < COLLECT_EVERY_BYTES) continue;
      since = 0;
      collect();
    }
  }
  const given = (read: StoredBytes | null): StoredBytes | null =>
    read === null
      ? null
      : { ...read, stream: { [Symbol.asyncIterator]: () => relieved(read.stream)[Symbol.asyncIterator]() } };
  const { putPart } = storage.multipart;
  return {
    ...storage,
    put: (stream, options) => storage.put(relieved(stream), options),
    read: async (key, range, signal) => given(await storage.read(key, range, signal)),
    multipart: {
      ...storage.multipart,
      putPart: putPart === null ? null : (upload, number, stream) => putPart(upload, number, relieved(stream)),
    },
  };
}
