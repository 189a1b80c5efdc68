// The bytes of a deposit become part of the storage: after every check, before the transaction that names them (R7a). What fails afterwards is
// taken away again.
import type { PlannedContent } from "../../model/files/described-package.ts";
import type { ItemContent } from "../../model/items/item.ts";
import { ServiceError } from "../../shared/errors.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { AdoptedObject, Storage } from "../../storage/storage.ts";
import { isStorageAway } from "../../storage/unavailable.ts";
import { roomOr } from "./receiving.ts";
import type { StagedFile } from "./unpacking-package.ts";

export type StoredFiles = {
  /** The content with the keys of its files. */
  readonly contentOf: (planned: PlannedContent) => ItemContent;
  /**
   * After a refusal nothing is kept. After any other failure the bytes stay for the sweep (R7a): a commit whose answer was lost may have
   * named them.
   */
  readonly undoAfter: (error: unknown) => Promise<void>;
};

/** Adopts every file, each once. */
export async function storeFiles(storage: Storage, files: readonly StagedFile[]): Promise<StoredFiles> {
  const adopted = new Map<string, AdoptedObject>();
  const undo = async (): Promise<void> => {
    for (const each of adopted.values()) await each.undo().catch(() => {});
  };
  try {
    for (const file of files) adopted.set(file.name, await storage.adopt(file.upload));
  } catch (error) {
    // A storage that is unreachable cannot remove anything either: the sweep removes what it kept.
    if (!isStorageAway(error)) await undo();
    throw roomOr(error);
  }
  const undoAfter = async (error: unknown): Promise<void> => {
    // Where the database did not answer, the transaction may have been committed all the same.
    if (error instanceof Refusal && !(error instanceof ServiceError)) await undo();
  };
  return { contentOf: (planned) => withKeys(planned, adopted), undoAfter };
}

function withKeys(planned: PlannedContent, adopted: ReadonlyMap<string, AdoptedObject>): ItemContent {
  const files = planned.files.map((file) => {
    const stored = adopted.get(file.name);
    if (stored === undefined) throw new RangeError(`The file "${file.name}" was not stored`);
    return { ...file, storageKey: stored.key };
  });
  return { ...planned, files };
}
