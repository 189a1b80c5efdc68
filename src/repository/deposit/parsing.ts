// Reading the directory, the manifests and the metadata document of a package (R13, R14, R9a): the same functions in
// the server, for small packages, and in the thread that large ones are handed to.

import {
  type Bag,
  bagTagFiles,
  checkBag,
  compareHashes,
  computable,
  type ExpectedHashes,
} from "../../formats/bagit/bag.ts";
import { BagError } from "../../formats/bagit/tag-files.ts";
import { readJpcoar } from "../../formats/jpcoar/read.ts";
import { compileMapping, type Mapping } from "../../formats/mapping/compile.ts";
import { mappingNeedsOf } from "../../formats/mapping/item-type.ts";
import { readRoCrate } from "../../formats/ro-crate/read.ts";
import { readSwordJson } from "../../formats/sword-json/read.ts";
import { readItemTable } from "../../formats/tsv/read.ts";
import type { DescribedItem } from "../../model/files/described-package.ts";
import type { ItemTypeDefinition } from "../../model/item-types/definition.ts";
import { readItemType } from "../../model/item-types/read-definition.ts";
import { metadataExcess } from "../../model/metadata/metadata-limits.ts";
import { type ByteSource, joined } from "../../shared/bytes/byte-streams.ts";
import { DocumentError } from "../../shared/document-error.ts";
import { most } from "../../shared/limits.ts";
import { METADATA_MAX_BYTES, ZipError } from "../../shared/zip/limits.ts";
import type { HashAlgorithm, Unpacking } from "../../storage/unpacking.ts";
import { METADATA_BYTES_MAX } from "../items/content.ts";
import type { BagTable, DescribeOrder, Parsing, TypeText } from "../store/parsing.ts";
import { openZip, tableOf, type ZipArchive, type ZipEntry, zipDirectory } from "./zip-archive.ts";

// A bag inside an opened archive (specification, processing step 8; message 24): structure and tag files verified at
// once, each payload file while it is read, so that storing it needs no second pass.

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
async function readBag(archive: ZipArchive): Promise<Bag> {
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

/**
 * What the server reads by itself: a directory, all manifests together, a metadata document, each up to this size, and
 * as many files. The worst case takes a few tens of milliseconds (test/hostile/background-threads.long.ts); everything
 * larger goes to the thread.
 */
export const HERE_BYTES = 64 * 1024;
export const HERE_FILES = 500;

type ParsingNeeds = {
  readonly unpacking: Unpacking;
  readonly openFile: (path: string) => Promise<ByteSource & AsyncDisposable>;
};

/**
 * Reads documents. Item types and mappings are read once, as long as the caller keeps them.
 *
 * @throws DocumentError, Refusal
 */
export function documentReader(): (order: DescribeOrder) => readonly DescribedItem[] {
  const types = new Map<string, ItemTypeDefinition>();
  const mappings = new WeakMap<object, Mapping>();

  function typeOf({ id, version, definition }: TypeText): ItemTypeDefinition {
    const key = `${id}.${version}`;
    const known = types.get(key) ?? readItemType(definition, { id, version });
    types.set(key, known);
    return known;
  }

  function mappingOf(mapping: NonNullable<DescribeOrder["mapping"]>): Mapping {
    const { definition, itemType } = mapping;
    const known = mappings.get(mapping) ?? compileMapping(definition, mappingNeedsOf(typeOf(itemType)));
    mappings.set(mapping, known);
    return known;
  }

  function read({ kind, metadata, payload, today, itemTypes, mapping }: DescribeOrder): readonly DescribedItem[] {
    if (kind === "jpcoar-xml") return [readJpcoar(metadata).item];
    if (kind === "tsv-csv") return readItemTable(metadata, itemTypes.map(typeOf), 1);
    if (mapping === null) throw new TypeError(`A document of kind ${kind} is read by a mapping`);
    const needs = { mapping: mappingOf(mapping), payload: new Set(payload), today };
    return kind === "ro-crate" ? readRoCrate(metadata, needs) : readSwordJson(metadata, needs);
  }

  return (order) => {
    const items = read(order);
    for (const { metadata } of items) {
      const tooMuch = metadataExcess(metadata);
      if (tooMuch !== null) throw new DocumentError(`The metadata ${tooMuch}`);
    }
    if (order.metadata.length > HERE_BYTES) items.forEach(requireKeepable);
    return items;
  };
}

/** No item keeps more (src/repository/items/content.ts): what is more need not cross. */
function requireKeepable({ metadata }: DescribedItem): void {
  const bytes = new TextEncoder().encode(JSON.stringify(metadata)).length;
  if (bytes <= METADATA_BYTES_MAX) return;
  throw new DocumentError(`The metadata have ${bytes} bytes, at most ${METADATA_BYTES_MAX} are kept`);
}

/** Everything in the place where it is called: what the thread does, and what tests of the steps around it use. */
export function parsingHere({ openFile, unpacking }: ParsingNeeds): Parsing {
  const describe = documentReader();
  return {
    async directory(path) {
      await using source = await openFile(path);
      return tableOf(await zipDirectory(source));
    },
    async bag(path) {
      await using source = await openFile(path);
      const { payload, tags } = await readBag(await openZip(source, unpacking));
      return { payload, tags };
    },
    describe: async (order) => describe(order),
  };
}
