// Files that a change takes from a draft are kept for a while (R43; removed-files.ts).
import type { Draft, ItemFile } from "../../model/items/item.ts";
import { sha256Hex } from "../../shared/hash/digests.ts";
import { most } from "../../shared/limits.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { RepositoryWriter } from "../store/store.ts";

/** Keeps what a change takes from the files of a draft. `files`: those that stay or come. */
export async function keepRemoved(
  tx: Pick<RepositoryWriter, "draftFiles">,
  { itemId, content }: Draft,
  files: readonly ItemFile[],
  at: Instant,
): Promise<void> {
  const nameOf = ({ name, storageKey }: ItemFile): string => `${storageKey} ${name}`;
  const staying = new Set(files.map(nameOf));
  const removed = content.files.filter((file) => !staying.has(nameOf(file)));
  if (removed.length === 0) return;
  await tx.draftFiles.insertRemovedFiles(
    removed.map((file) => ({
      ...{ itemId, file, removedAt: at },
      id: sha256Hex(`removed ${itemId} ${nameOf(file)} ${at}`).slice(0, 32),
    })),
  );
  await tx.draftFiles.keepNewestRemoved(itemId, most("removedFiles"));
}
