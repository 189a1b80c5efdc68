// All files of a record as one archive (R37; issue "zip of all files"), written as a stream while the files are read.

import type { ItemFile } from "../../model/items/item.ts";
import { inTurns } from "../../shared/time/event-loop.ts";
import { archiveBytes, type ZipPart, zipArchive } from "../../shared/zip/writing.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Unpacking } from "../../storage/unpacking.ts";
import { archiveNames } from "./archive-names.ts";
import { keyOf } from "./entries.ts";

type ArchivingNeeds = { readonly storage: Pick<Storage, "read">; readonly unpacking: Pick<Unpacking, "crc32"> };

export type Archive = { readonly sizeBytes: number; readonly pieces: AsyncIterable<Uint8Array> };

/** @param files in the order of the archive; the same files result in the same bytes */
export async function archiveOf(
  { storage, unpacking }: ArchivingNeeds,
  files: readonly ItemFile[],
  signal?: AbortSignal,
): Promise<Archive> {
  const encoder = new TextEncoder();
  const names = await inTurns(archiveNames(files.map(({ name }) => keyOf(name))));
  const parts: readonly ZipPart[] = files.map((file, index) => ({
    path: names[index] ?? "",
    sizeBytes: file.sizeBytes,
    open: () => bytesOf(storage, file, signal),
  }));
  return {
    sizeBytes: archiveBytes(parts.map(({ path, sizeBytes }) => ({ name: encoder.encode(path), sizeBytes }))),
    pieces: zipArchive(parts, unpacking.crc32),
  };
}

async function* bytesOf(storage: ArchivingNeeds["storage"], file: ItemFile, signal: AbortSignal | undefined) {
  if (file.sizeBytes === 0) return;
  const read = await storage.read(file.storageKey, undefined, signal);
  if (read?.sizeBytes !== file.sizeBytes) throw new Error(`The stored bytes of "${file.name}" have changed`);
  yield* read.stream;
}
