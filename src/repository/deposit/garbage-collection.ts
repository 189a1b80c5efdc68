// Keeps the memory of long uploads low (R13): bytes that went to the disk leave garbage behind, which a runtime with plenty of memory around it
// would let grow.
import type { IncomingFiles } from "../../storage/storage.ts";

/** Bytes written between two collections. A collection costs some 40 ms of CPU. */
const COLLECT_EVERY_BYTES = 128 * 1024 * 1024;

/** The same work folder; `collect` is called now and then while much is written to it, over all files together. */
export function collectingFiles(incoming: IncomingFiles, collect: () => void): IncomingFiles {
  let since = 0;
  return {
    freeBytes: () => incoming.freeBytes(),
    async create() {
      const file = await incoming.create();
      return {
        path: file.path,
        async write(chunk) {
          await file.write(chunk);
          since += chunk.length;
          if (since < COLLECT_EVERY_BYTES) return;
          since = 0;
          collect();
        },
        finish: () => file.finish(),
        discard: () => file.discard(),
      };
    },
  };
}
