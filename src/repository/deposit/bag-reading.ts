// A bag inside an opened archive (specification, processing step 8; message 24): structure and tag files verified at once,
// each payload file while it is read, so that storing it needs no second pass.

import {
  type Bag,
  bagTagFiles,
  checkBag,
  compareHashes,
  computable,
  type ExpectedHashes,
} from "../../formats/bagit/bag.ts";
import { BagError } from "../../formats/bagit/tag-files.ts";
import { joined } from "../../shared/bytes/byte-streams.ts";
import { most } from "../../shared/limits.ts";
import { METADATA_MAX_BYTES, ZipError } from "../../shared/zip/limits.ts";
import type { HashAlgorithm, Unpacking } from "../../storage/unpacking.ts";
import type { BagTable } from "../store/parsing.ts";
import type { ZipArchive, ZipEntry } from "./zip-archive.ts";

/** Manifests of more than `hereBytes` in all are read by `inBackground`, which does not block the event loop. */
type BagReading = { readonly hereBytes: number; readonly inBackground?: () => Promise<BagTable> };

type OpenBag = {
  readonly bag: BagTable;
  /** Files under data/, in the order of the archive. */
  readonly payload: readonly ZipEntry[];
  /**
   * The bytes of a file of the bag, verified at the end against the archive and every manifest that lists it.
   *
   * @throws ZipError or BagError in the loop.
   */
  read(entry: ZipEntry): AsyncIterable<Uint8Array>;
  /** The whole of a small file, verified likewise. */
  readSmall(entry: ZipEntry, capBytes?: number): Promise<Uint8Array>;
};

/**
 * Opens the bag at the top of an archive and verifies all of it but the contents of payload files.
 *
 * @throws BagError (message 24) when it is not a valid bag, ZipError when a tag file cannot be read
 */
export async function openBag(
  archive: ZipArchive,
  unpacking: Unpacking,
  { hereBytes, inBackground }: BagReading = { hereBytes: Number.POSITIVE_INFINITY },
): Promise<OpenBag> {
  const files = archive.entries.filter((entry) => !entry.isFolder);
  const tagBytes = tagEntries(archive).reduce((sum, entry) => sum + entry.sizeBytes, 0);
  if (tagBytes > most("bagTagBytes")) {
    throw new BagError(`The manifests and tag files have ${tagBytes} bytes, ${most("bagTagBytes")} are the most`);
  }
  const bag = inBackground === undefined || tagBytes <= hereBytes ? await readBag(archive) : await inBackground();
  const read = (entry: ZipEntry): AsyncIterable<Uint8Array> =>
    compared(archive, unpacking, entry, bag.payload.get(entry.path) ?? bag.tags.get(entry.path) ?? new Map());
  for (const path of bag.tags.keys()) {
    const entry = archive.find(path);
    if (entry === null) throw new BagError(`${JSON.stringify(path)} is not in the package`);
    for await (const _ of read(entry));
  }
  const payload = files.filter((file) => bag.payload.has(file.path));
  return { bag, payload, read, readSmall: (entry, capBytes = METADATA_MAX_BYTES) => small(read, entry, capBytes) };
}

function tagEntries(archive: ZipArchive): readonly ZipEntry[] {
  const paths = archive.entries.filter((entry) => !entry.isFolder).map((entry) => entry.path);
  return bagTagFiles(paths).flatMap((path) => archive.find(path) ?? []);
}

/**
 * The contents that the manifests at the top of an archive list.
 *
 * @throws BagError when it is not a valid bag, ZipError when a tag file cannot be read
 */
export async function readBag(archive: ZipArchive): Promise<Bag> {
  const contents = new Map<string, Uint8Array>();
  for (const entry of tagEntries(archive)) contents.set(entry.path, await archive.readSmall(entry));
  return checkBag(
    archive.entries.filter((entry) => !entry.isFolder),
    contents,
  );
}

function isComputed(algorithm: string): algorithm is HashAlgorithm {
  return ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"].includes(algorithm);
}

async function* compared(
  archive: ZipArchive,
  unpacking: Unpacking,
  entry: ZipEntry,
  expected: ExpectedHashes,
): AsyncGenerator<Uint8Array> {
  const hashes = computable(expected)
    .filter(isComputed)
    .map((algorithm) => ({ algorithm, hash: unpacking.hash(algorithm) }));
  for await (const piece of archive.readEntry(entry)) {
    for (const { hash } of hashes) hash.update(piece);
    yield piece;
  }
  compareHashes(entry.path, expected, new Map(hashes.map(({ algorithm, hash }) => [algorithm, hash.hex()])));
}

async function small(
  read: (entry: ZipEntry) => AsyncIterable<Uint8Array>,
  entry: ZipEntry,
  capBytes: number,
): Promise<Uint8Array> {
  if (entry.sizeBytes > capBytes) {
    throw new ZipError(`${JSON.stringify(entry.path)} has ${entry.sizeBytes} bytes, more than ${capBytes}`);
  }
  return joined(read(entry));
}
