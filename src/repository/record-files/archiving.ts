// All files of a record as one archive (R37; issue "zip of all files"): written as a stream while the files are read, so that the memory is that of one
// piece however large they are.

import type { ItemFile } from "../../model/items/item.ts";
import { concatenated } from "../../shared/bytes/byte-streams.ts";
import { inTurns } from "../../shared/bytes/in-parts.ts";
import {
  archiveBytes,
  centralHeader,
  descriptor,
  endRecords,
  localHeader,
  type WrittenEntry,
} from "../../shared/zip/writing.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Unpacking } from "../../storage/unpacking.ts";
import { archiveNames } from "./archive-names.ts";
import { keyOf } from "./keys.ts";

type ArchivingNeeds = { readonly storage: Pick<Storage, "read">; readonly unpacking: Pick<Unpacking, "crc32"> };

export type Archive = { readonly sizeBytes: number; readonly pieces: AsyncIterable<Uint8Array> };

/** Entries of the directory that are returned together. */
const HEADERS_AT_ONCE = 500;

/** @param files in the order of the archive; the same files result in the same bytes */
export async function archiveOf(
  needs: ArchivingNeeds,
  files: readonly ItemFile[],
  signal?: AbortSignal,
): Promise<Archive> {
  const encoder = new TextEncoder();
  const names = await inTurns(archiveNames(files.map(({ name }) => keyOf(name))));
  const entries = files.map((file, index) => ({
    file,
    ...{ name: encoder.encode(names[index] ?? ""), sizeBytes: file.sizeBytes },
  }));
  return {
    sizeBytes: archiveBytes(entries),
    pieces: { [Symbol.asyncIterator]: () => written(needs, entries, signal) },
  };
}

type Entry = { readonly file: ItemFile; readonly name: Uint8Array; readonly sizeBytes: number };

async function* written(
  { storage, unpacking }: ArchivingNeeds,
  entries: readonly Entry[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const done: WrittenEntry[] = [];
  let offset = 0;
  for (const { file, name, sizeBytes } of entries) {
    const start = offset;
    const header = localHeader({ name, sizeBytes });
    yield header;
    const read = sizeBytes === 0 ? null : await storage.read(file.storageKey, undefined, signal);
    if (sizeBytes > 0 && read?.sizeBytes !== sizeBytes)
      throw new Error(`The bytes of "${file.name}" are not as they were`);
    let [crc32, came] = [0, 0];
    for await (const piece of read?.stream ?? []) {
      crc32 = unpacking.crc32(piece, crc32);
      came += piece.length;
      yield piece;
    }
    if (came !== sizeBytes) throw new Error(`The bytes of "${file.name}" broke off`);
    const behind = descriptor({ crc32, sizeBytes });
    yield behind;
    offset += header.length + sizeBytes + behind.length;
    done.push({ name, sizeBytes, crc32, offset: start });
  }
  let directory = 0;
  for (let at = 0; at < done.length; at += HEADERS_AT_ONCE) {
    const headers = concatenated(done.slice(at, at + HEADERS_AT_ONCE).map(centralHeader));
    directory += headers.length;
    yield headers;
  }
  yield endRecords(done.length, offset, directory);
}
