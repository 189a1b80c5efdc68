// Files are read again: their checksums are compared with the rows (R19b, `verify --files`), and large ones receive
// their MD5 (R7b).

import { shownFileName } from "../../model/files/file-names.ts";
import type { ItemFile } from "../../model/items/item.ts";
import { errorMessage } from "../../shared/error-message.ts";
import type { Storage } from "../../storage/storage.ts";
import { isStorageAway } from "../../storage/unavailable.ts";
import type { Unpacking } from "../../storage/unpacking.ts";

export type NamedFile = Pick<ItemFile, "name" | "storageKey" | "sizeBytes" | "sha256">;

export type FileFinding = {
  readonly key: string;
  readonly name: string;
  /** `unreadable`: the bytes are there and the disk does not give them. */
  readonly problem: "missing" | "size" | "sha256" | "unreadable";
  readonly detail: string;
};

export type FileCheckNeeds = {
  readonly storage: Pick<Storage, "read">;
  readonly hashing: Pick<Unpacking, "hash">;
  /** At most `limit` files that rows name, after this storage key and in its order. */
  readonly filesAfter: (key: string, limit: number) => Promise<readonly NamedFile[]>;
  /** Waits; needed with `bytesPerSecond`. */
  readonly sleep: (milliseconds: number) => Promise<void>;
};

type FileCheckOptions = {
  /** Reads no faster than this on the average; null: as fast as it goes. */
  readonly bytesPerSecond: number | null;
  /** Goes on after this storage key. */
  readonly after?: string;
  /** Called after every file. */
  readonly progress?: (soFar: { readonly files: number; readonly bytes: number; readonly key: string }) => void;
};

const PAGE_FILES = 100;

type StoredHashes = { readonly sizeBytes: number; readonly sha256: string; readonly md5: string };

/** Reads the bytes under a key once and hashes them; null when there are none. */
export async function hashStored(
  { storage, hashing }: Pick<FileCheckNeeds, "storage" | "hashing">,
  key: string,
  onBytes: (bytes: number) => Promise<void> = async () => {},
): Promise<StoredHashes | null> {
  const read = await storage.read(key);
  if (read === null) return null;
  const [sha256, md5] = [hashing.hash("sha256"), hashing.hash("md5")];
  let sizeBytes = 0;
  for await (const piece of read.stream) {
    sha256.update(piece);
    md5.update(piece);
    sizeBytes += piece.length;
    await onBytes(piece.length);
  }
  return { sizeBytes, sha256: sha256.hex(), md5: md5.hex() };
}

/**
 * Every difference from the rows, as it is found. A storage that does not answer, or refuses access, ends the check
 * with its StorageProblem, which is not a finding about the files.
 */
export async function* checkFiles(needs: FileCheckNeeds, options: FileCheckOptions): AsyncGenerator<FileFinding> {
  let after = options.after ?? "";
  let [files, bytes] = [0, 0];
  const slow = async (count: number): Promise<void> => {
    bytes += count;
    if (options.bytesPerSecond !== null) await needs.sleep((count / options.bytesPerSecond) * 1000);
  };
  for (;;) {
    const page = await needs.filesAfter(after, PAGE_FILES);
    for (const [key, named] of byKey(page)) {
      yield* findingsOf(key, named, await outcomeOf(needs, key, slow));
      files += named.length;
      options.progress?.({ files, bytes, key });
    }
    const last = page.at(-1)?.storageKey;
    if (last === undefined || last === after) return;
    after = last;
  }
}

function byKey(files: readonly NamedFile[]): ReadonlyMap<string, readonly NamedFile[]> {
  return Map.groupBy(files, ({ storageKey }) => storageKey);
}

type Outcome = StoredHashes | { readonly unreadable: string } | null;

async function outcomeOf(needs: FileCheckNeeds, key: string, slow: (bytes: number) => Promise<void>): Promise<Outcome> {
  try {
    return await hashStored(needs, key, slow);
  } catch (error) {
    if (isStorageAway(error)) throw error;
    return { unreadable: errorMessage(error) };
  }
}

function findingsOf(key: string, named: readonly NamedFile[], outcome: Outcome): readonly FileFinding[] {
  return named.flatMap(({ name: kept, sizeBytes, sha256 }): readonly FileFinding[] => {
    const name = shownFileName(kept);
    if (outcome === null) return [{ key, name, problem: "missing", detail: "there are no such bytes in the storage" }];
    if ("unreadable" in outcome) return [{ key, name, problem: "unreadable", detail: outcome.unreadable }];
    if (outcome.sizeBytes !== sizeBytes) {
      return [{ key, name, problem: "size", detail: `${outcome.sizeBytes} bytes instead of ${sizeBytes}` }];
    }
    // Of what was uploaded in parts a job reckons it first.
    if (outcome.sha256 === sha256 || sha256 === "") return [];
    return [{ key, name, problem: "sha256", detail: `SHA-256 ${outcome.sha256} instead of ${sha256}` }];
  });
}
