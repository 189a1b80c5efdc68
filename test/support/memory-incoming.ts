// The work folder of uploads (src/storage/storage.ts) in memory, for tests that check its files.
import { createHash } from "node:crypto";
import type { IncomingFile, IncomingFiles } from "../../src/storage/storage.ts";

type MemoryIncoming = IncomingFiles & {
  /** Its files now, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
};

export function memoryIncoming(): MemoryIncoming {
  const files = new Map<string, Uint8Array>();
  let count = 0;
  const create = async (): Promise<IncomingFile> => {
    const path = `incoming/${++count}`;
    const parts: Uint8Array[] = [];
    files.set(path, new Uint8Array(0));
    return {
      path,
      write: async (chunk) => void parts.push(chunk.slice()),
      finish: async () => {
        const bytes = new Uint8Array(Buffer.concat(parts));
        files.set(path, bytes);
        const hex = (algorithm: string) => createHash(algorithm).update(bytes).digest("hex");
        return { sizeBytes: bytes.length, sha256: hex("sha256"), md5: hex("md5") };
      },
      discard: async () => void files.delete(path),
    };
  };
  return { files, create, freeBytes: async () => null };
}
