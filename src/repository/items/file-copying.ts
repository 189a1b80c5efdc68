// Copies the bytes of files from one storage to another whose keys derive from the content (R19b): to a folder next to
// a backup, and from it.
import { errorMessage } from "../../shared/error-message.ts";
import { isJoinedKey } from "../../storage/limits.ts";
import type { Storage } from "../../storage/storage.ts";
import { isStorageAway } from "../../storage/unavailable.ts";

/** What is to be there afterwards. */
export type WantedFile = { readonly key: string; readonly sizeBytes: number };

type CopyNeeds = {
  readonly from: Pick<Storage, "read">;
  /** Files that are there with the right size stay as they are. */
  readonly to: Pick<Storage, "stat" | "put" | "remove" | "multipart">;
  /** Called before every file; may throw to end the copying. */
  readonly onProgress: (soFar: FilesCopied) => Promise<void>;
  /** Called for bytes that are missing in `from`, or do not match their key: nothing is stored then. */
  readonly onMissing: (key: string, detail: string) => void;
};

export type FilesCopied = {
  readonly files: number;
  readonly bytes: number;
  /** Of these, copied now; the others were there. */
  readonly copied: number;
  readonly missing: number;
};

/**
 * Copies what is missing. Each file is durable before the next begins, so an interrupted copy can continue.
 *
 * @throws StorageProblem
 */
export async function copyFiles(needs: CopyNeeds, wanted: AsyncIterable<WantedFile>): Promise<FilesCopied> {
  let soFar: FilesCopied = { files: 0, bytes: 0, copied: 0, missing: 0 };
  for await (const file of wanted) {
    await needs.onProgress(soFar);
    const isThere = (await needs.to.stat(file.key))?.sizeBytes === file.sizeBytes;
    const lacking = isThere ? null : await copied(needs, file);
    if (lacking !== null) {
      needs.onMissing(file.key, lacking);
      soFar = { ...soFar, missing: soFar.missing + 1 };
      continue;
    }
    soFar = {
      ...soFar,
      files: soFar.files + 1,
      bytes: soFar.bytes + file.sizeBytes,
      copied: soFar.copied + (isThere ? 0 : 1),
    };
  }
  return soFar;
}

/** What is wrong with the bytes; null when they were copied. */
async function copied({ from, to }: CopyNeeds, { key, sizeBytes }: WantedFile): Promise<string | null> {
  const read = await from.read(key);
  if (read === null) return "there are no such bytes";
  if (read.sizeBytes !== sizeBytes) return `${read.sizeBytes} bytes instead of ${sizeBytes}`;
  try {
    const { putCopy } = to.multipart;
    if (isJoinedKey(key) && putCopy !== null) {
      await putCopy(key, sizeBytes, checked(read.stream, key));
      return null;
    }
    const { key: made } = await to.put(checked(read.stream, key), { sizeBytes });
    if (made === key) return null;
    await to.remove(made);
    return `the bytes have the SHA-256 ${made}`;
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

class Unreadable extends Error {}

/** A disk that cannot read its bytes is reported like missing bytes; a full disk on the other side is not. */
async function* checked(stream: AsyncIterable<Uint8Array>, key: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of stream) yield piece;
  } catch (error) {
    if (isStorageAway(error)) throw error;
    throw new Unreadable(`${key} cannot be read: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}
