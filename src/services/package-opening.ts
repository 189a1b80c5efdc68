// What a deposited archive holds (specification, processing steps 6 and 8; R13, R13a): its kind and metadata file, then its payload,
// each file verified while it is read. Two phases, because the digest is checked between them (step 7).
import { type Detected, detectByContents, detectByNames, type Packaging } from "../domain/deposit/detection.ts";
import { flattenNames } from "../domain/deposit/flat-names.ts";
import { swordRefusals } from "../domain/deposit/messages.ts";
import { DocumentError } from "../domain/deposit/package.ts";
import { BagError } from "../formats/bagit/tag-files.ts";
import { FIRST_CELL_BYTES, firstCell } from "../formats/first-cell.ts";
import { PEEK_BYTES, peekRoot, type RootName } from "../formats/xml/peek.ts";
import type { ZipLimits } from "../formats/zip/limits.ts";
import type { ByteSource } from "../ports/byte-source.ts";
import type { Unpacking } from "../ports/unpacking.ts";
import { openBag } from "./bag-reading.ts";
import { openZip, type ZipArchive, type ZipEntry } from "./zip-archive.ts";

export type FoundPackage = Detected & { readonly archive: ZipArchive; readonly unpacking: Unpacking };

export type PackageFile = {
  /** As metadata speaks of it: relative to the payload folder. */
  readonly path: string;
  /** What it is called in the item (R13a). Unique in the package. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Verified at its end against the archive and, in a bag, every manifest. @throws DocumentError in the loop, see asSwordError */
  read(): AsyncIterable<Uint8Array>;
};

export type PackageContents = {
  /** The metadata document, 16 MiB at most, verified. */
  readonly metadata: Uint8Array;
  /** In the order of the archive; the metadata is not among them. */
  readonly files: readonly PackageFile[];
  /** Files of the archive that are no payload and no part of a bag: not stored, and said so. */
  readonly ignored: readonly string[];
};

/**
 * Step 6: opens the archive and tells its kind.
 *
 * @throws SwordError messages 11, 16, 17, 18; ContentMalformed when there is no metadata. Errors of the source pass through.
 */
export async function findPackage(
  source: ByteSource,
  unpacking: Unpacking,
  packaging: Packaging,
  limits?: ZipLimits,
): Promise<FoundPackage> {
  try {
    const archive = await openZip(source, unpacking, limits);
    return { ...(await detect(archive, packaging)), archive, unpacking };
  } catch (error) {
    throw asSwordError(error);
  }
}

/** A refusal of the package as the deposit door tells it: message 24 for bags, 11 for all else. Other errors stay as they are. */
export function asSwordError(error: unknown): unknown {
  if (error instanceof BagError) return swordRefusals.bagInvalid({ cause: error });
  return error instanceof DocumentError ? swordRefusals.itemCheck(error.message, { cause: error }) : error;
}

async function detect(archive: ZipArchive, packaging: Packaging): Promise<Detected> {
  const byNames = detectByNames(
    packaging,
    filesOf(archive).map((entry) => entry.path),
  );
  if ("kind" in byNames) return byNames;
  const cells = new Map<string, string | null>();
  const roots = new Map<string, RootName | null>();
  for (const entry of archive.entries) {
    if (byNames.tables.includes(entry.path)) {
      cells.set(entry.path, firstCell(await archive.readHead(entry, FIRST_CELL_BYTES)));
    }
    if (byNames.xmls.includes(entry.path)) roots.set(entry.path, peekRoot(await archive.readHead(entry, PEEK_BYTES)));
  }
  return detectByContents(byNames, {
    firstCell: (path) => cells.get(path) ?? null,
    rootElement: (path) => roots.get(path) ?? null,
  });
}

const filesOf = (archive: ZipArchive): readonly ZipEntry[] => archive.entries.filter((entry) => !entry.isFolder);

/**
 * Step 8: checks the contents but for the bytes of payload files, which are verified when they are read.
 *
 * @throws SwordError message 24 for a bag that is not valid, 11 for other faults. Errors of the source pass through.
 */
export async function openContents(found: FoundPackage): Promise<PackageContents> {
  try {
    const isBag = found.kind === "ro-crate" || found.kind === "sword-bagit";
    return isBag ? await bagContents(found) : await plainContents(found);
  } catch (error) {
    throw asSwordError(error);
  }
}

async function bagContents({ archive, unpacking, metadataPath }: FoundPackage): Promise<PackageContents> {
  const bag = await openBag(archive, unpacking);
  const payload = bag.payload.filter((entry) => entry.path !== metadataPath);
  return {
    metadata: await bag.readSmall(metadataEntry(archive, metadataPath)),
    files: packageFiles(payload, bag.read),
    ignored: [],
  };
}

/** Payload of a package with a table or XML: what lies under data/, or everything when there is no such folder. */
async function plainContents({ archive, metadataPath }: FoundPackage): Promise<PackageContents> {
  const files = filesOf(archive).filter((entry) => entry.path !== metadataPath);
  const hasData = filesOf(archive).some((entry) => entry.path.startsWith(PAYLOAD));
  const isPayload = ({ path }: ZipEntry) => (hasData ? path.startsWith(PAYLOAD) : !isLeftover(path));
  return {
    metadata: await archive.readSmall(metadataEntry(archive, metadataPath)),
    files: packageFiles(files.filter(isPayload), archive.readEntry),
    ignored: files.filter((entry) => !isPayload(entry)).map((entry) => entry.path),
  };
}

const PAYLOAD = "data/";

/** What macOS puts beside the files of every archive it makes. */
function isLeftover(path: string): boolean {
  return path.startsWith("__MACOSX/") || path === ".DS_Store" || path.endsWith("/.DS_Store");
}

function metadataEntry(archive: ZipArchive, path: string): ZipEntry {
  const entry = archive.find(path);
  if (entry === null) throw new TypeError(`The metadata ${path} was found and is not there`);
  return entry;
}

function packageFiles(
  entries: readonly ZipEntry[],
  read: (entry: ZipEntry) => AsyncIterable<Uint8Array>,
): readonly PackageFile[] {
  const relative = (entry: ZipEntry) =>
    entry.path.startsWith(PAYLOAD) ? entry.path.slice(PAYLOAD.length) : entry.path;
  const names = flattenNames(entries.map(relative));
  return entries.map((entry) => {
    const path = relative(entry);
    return { path, name: names.get(path) ?? path, sizeBytes: entry.sizeBytes, read: () => read(entry) };
  });
}
