// Steps 6 to 8 of a deposit: what the package is, whether its Digest agrees, and its files, verified and staged in the
// work folder (specification 2, "Package content rules"; R12, R13, R13a, R13c). Bytes become part of the storage only
// after everything else.

import { bagTagFiles, compareHashes, computable } from "../../formats/bagit/bag.ts";
import type { PackageKind } from "../../model/files/described-package.ts";
import type { ByteSource } from "../../shared/bytes/byte-streams.ts";
import { DocumentError } from "../../shared/document-error.ts";
import { most } from "../../shared/limits.ts";
import { digestMatches } from "../../shared/multipart/digest.ts";
import { FIRST_CELL_BYTES, firstCell } from "../../shared/text/first-cell.ts";
import { METADATA_MAX_BYTES } from "../../shared/zip/limits.ts";
import type { FinishedUpload, IncomingFiles } from "../../storage/storage.ts";
import type { Unpacking } from "../../storage/unpacking.ts";
import { flattenNames } from "../items/flat-names.ts";
import type { BagTable, Parsing } from "../store/parsing.ts";
import { openBag } from "./bag-reading.ts";
import { type DetectedPackage, detectByContents, detectByNames, parsePackaging } from "./detection.ts";
import { SwordError, swordRefusals } from "./messages.ts";
import { HERE_BYTES } from "./parsing.ts";
import { type ReceivedPackage, roomOr } from "./receiving.ts";
import { openZipInBackground, type ZipArchive, type ZipEntry } from "./zip-archive.ts";

export type DigestRule = "required" | "when-sent" | "off";

export type UnpackingNeeds = {
  readonly incoming: IncomingFiles;
  readonly unpacking: Unpacking;
  readonly openFile: (path: string) => Promise<ByteSource & AsyncDisposable>;
  readonly parsing: Parsing;
  /** Root element of the beginning of an XML file; null when it is none. */
  readonly rootElement: (head: Uint8Array) => { readonly name: string; readonly namespace: string } | null;
};

/** One payload file, verified and on the disk of the work folder. */
export type StagedFile = {
  readonly upload: FinishedUpload;
  readonly discard: () => Promise<void>;
  /** Relative to the payload folder, as the package has it. */
  readonly path: string;
  /** The name it gets in the item (R13a). */
  readonly name: string;
};

export type UnpackedPackage = {
  readonly kind: PackageKind;
  readonly metadataFile: string;
  readonly metadata: Uint8Array;
  readonly files: readonly StagedFile[];
  /** Removes everything staged; files that were adopted in the meantime stay. */
  readonly discard: () => Promise<void>;
};

/** The part of an XML file that is searched for its root element. */
const XML_HEAD_BYTES = 64 * 1024;
/** Payload files of one package at most: an item has no more (src/repository/items/). */
const PACKAGE_FILES_MAX = most("files");

/**
 * Opens a package and stages its files.
 *
 * @throws SwordError messages 7, 16, 17, 18, 10, 24, 11 or ContentMalformed, in the order of the specification's steps.
 */
export async function unpackPackage(
  needs: UnpackingNeeds,
  received: ReceivedPackage,
  headers: { readonly packaging: string | null; readonly digest: string | null },
  rule: DigestRule,
): Promise<UnpackedPackage> {
  const packaging = parsePackaging(headers.packaging);
  await using source = await needs.openFile(received.path);
  const verify = (): void => verifyDigest(received, headers.digest, rule);
  const archive = await openOr(
    openZipInBackground(source, needs.unpacking, {
      hereBytes: HERE_BYTES,
      inBackground: () => needs.parsing.directory(received.path),
    }),
    verify,
  );
  const paths = archive.entries.filter((entry) => !entry.isFolder).map((entry) => entry.path);
  const undecided = detectByNames(packaging, paths);
  verify();
  const detected = "kind" in undecided ? undecided : await asMalformed(lookInside(needs, archive, undecided));
  const staged: StagedFile[] = [];
  const discard = async (): Promise<void> => {
    for (const file of staged) await file.discard();
  };
  try {
    const isBag = detected.kind === "ro-crate" || detected.kind === "sword-bagit";
    const metadata = isBag
      ? await stageBag(needs, archive, detected, staged, () => needs.parsing.bag(received.path))
      : await stagePlain(needs, archive, detected, staged);
    return { kind: detected.kind, metadataFile: detected.metadataFile, metadata, files: staged, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/**
 * Bytes lost or changed in transit are recognized by the Digest, before the package is reported as not a ZIP (R13c).
 */
async function openOr(opening: Promise<ZipArchive>, verify: () => void): Promise<ZipArchive> {
  return await asMalformed(
    opening.catch((error: unknown) => {
      verify();
      throw error;
    }),
  );
}

async function lookInside(
  { rootElement }: UnpackingNeeds,
  archive: ZipArchive,
  undecided: { readonly tables: readonly string[]; readonly xmls: readonly string[] },
): Promise<DetectedPackage> {
  const heads = new Map<string, Uint8Array>();
  const look = async (path: string, bytes: number): Promise<void> => {
    const entry = archive.find(path);
    if (entry !== null) heads.set(path, await archive.readHead(entry, bytes));
  };
  for (const path of undecided.tables) await look(path, FIRST_CELL_BYTES);
  for (const path of undecided.xmls) await look(path, XML_HEAD_BYTES);
  const headOf = (path: string): Uint8Array => heads.get(path) ?? new Uint8Array(0);
  return detectByContents(undecided, {
    firstCell: (path) => firstCell(headOf(path)),
    rootElement: (path) => rootElement(headOf(path)),
  });
}

/** Message 10 (R12): one that is sent must be right unless the setting is off; `required` misses one that is not sent. */
function verifyDigest(received: ReceivedPackage, digest: string | null, rule: DigestRule): void {
  if (rule === "off") return;
  if (digest === null) {
    if (rule === "required") throw swordRefusals.digestMismatch();
    return;
  }
  const bytes = Uint8Array.from(received.sha256.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  if (!digestMatches(digest, bytes)) throw swordRefusals.digestMismatch();
}

/** A bag: every payload file must have the hash that the manifest states (message 24). */
async function stageBag(
  needs: UnpackingNeeds,
  archive: ZipArchive,
  detected: DetectedPackage,
  staged: StagedFile[],
  inBackground: () => Promise<BagTable>,
): Promise<Uint8Array> {
  const bag = await asBagInvalid(openBag(archive, needs.unpacking, { hereBytes: HERE_BYTES, inBackground }));
  const entry = archive.find(detected.metadataFile);
  if (entry === null) throw swordRefusals.itemCheck(`${detected.metadataFile} is not in the package`);
  const metadata = await asBagInvalid(bag.readSmall(entry, METADATA_MAX_BYTES));
  const files = bag.payload.filter((file) => file.path !== detected.metadataFile);
  const names = namesOf(files);
  for (const file of files) {
    const expected = bag.bag.payload.get(file.path) ?? new Map<string, string>();
    // The pass that writes computes the SHA-256 anyway; only other algorithms need a separate pass.
    const alone = computable(expected).every((algorithm) => algorithm === "sha256");
    const bytes = alone ? archive.readEntry(file, { transient: true }) : bag.read(file);
    const laid = await asBagInvalid(stage(needs.incoming, bytes, file, names));
    staged.push(laid);
    await asBagInvalid(compared(laid, file, expected));
  }
  return metadata;
}

async function compared(laid: StagedFile, { path }: ZipEntry, expected: ReadonlyMap<string, string>): Promise<void> {
  compareHashes(path, expected, new Map([["sha256", laid.upload.sha256]]));
}

/** A table or an XML file with its files; tag files of a bag around them are not payload. */
async function stagePlain(
  needs: UnpackingNeeds,
  archive: ZipArchive,
  detected: DetectedPackage,
  staged: StagedFile[],
): Promise<Uint8Array> {
  const all = archive.entries.filter((entry) => !entry.isFolder);
  const tags = new Set(all.some(({ path }) => path === "bagit.txt") ? bagTagFiles(all.map(({ path }) => path)) : []);
  const files = all.filter(({ path }) => path !== detected.metadataFile && !tags.has(path));
  const entry = archive.find(detected.metadataFile);
  if (entry === null) throw swordRefusals.itemCheck(`${detected.metadataFile} is not in the package`);
  const metadata = await asItemCheck(archive.readSmall(entry, METADATA_MAX_BYTES));
  const names = namesOf(files);
  for (const file of files)
    staged.push(await asItemCheck(stage(needs.incoming, archive.readEntry(file, { transient: true }), file, names)));
  return metadata;
}

function payloadPath({ path }: ZipEntry): string {
  return path.replace(/^data\//, "");
}

function namesOf(files: readonly ZipEntry[]): ReadonlyMap<string, string> {
  if (files.length > PACKAGE_FILES_MAX) {
    throw swordRefusals.itemCheck(`The package has ${files.length} files, an item at most ${PACKAGE_FILES_MAX}`);
  }
  const paths = files.map(payloadPath);
  const seen = new Set<string>();
  const twice = paths.find((path) => seen.size === seen.add(path).size);
  if (twice !== undefined) throw swordRefusals.itemCheck(`Two files of the package are both "${twice}"`);
  try {
    return flattenNames(paths);
  } catch (error) {
    throw error instanceof DocumentError ? swordRefusals.itemCheck(error.message, { cause: error }) : error;
  }
}

async function stage(
  incoming: IncomingFiles,
  bytes: AsyncIterable<Uint8Array>,
  entry: ZipEntry,
  names: ReadonlyMap<string, string>,
): Promise<StagedFile> {
  const path = payloadPath(entry);
  const file = await incoming.create();
  try {
    for await (const piece of bytes) await file.write(piece);
    const upload = { path: file.path, ...(await file.finish()) };
    return { upload, discard: () => file.discard(), path, name: names.get(path) ?? path };
  } catch (error) {
    await file.discard();
    throw roomOr(error);
  }
}

/** A package that cannot be opened is not a readable ZIP (R13). */
function asMalformed<T>(opening: Promise<T>): Promise<T> {
  return refusing(opening, (error) => new SwordError("ContentMalformed", error.message, null, { cause: error }));
}

/** Message 24: what a manifest promises is not there. */
function asBagInvalid<T>(checking: Promise<T>): Promise<T> {
  return refusing(checking, (error) => swordRefusals.bagInvalid(error.message, { cause: error }));
}

/** Message 11 with the reason. */
function asItemCheck<T>(checking: Promise<T>): Promise<T> {
  return refusing(checking, (error) => swordRefusals.itemCheck(error.message, { cause: error }));
}

async function refusing<T>(work: Promise<T>, refusal: (error: DocumentError) => SwordError): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DocumentError ? refusal(error) : error;
  }
}
