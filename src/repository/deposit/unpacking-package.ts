// Steps 6 to 8 of a deposit: what the package is, whether its Digest agrees, and its files, verified and staged in the
// work folder (specification 2, "Package content rules"; R12, R13, R13a, R13c). Bytes become part of the storage only
// after everything else.

import { bagTagFiles, compareHashes, computable } from "../../formats/bagit/bag.ts";
import type { PackageKind, PlannedContent } from "../../model/files/described-package.ts";
import type { ItemContent } from "../../model/items/item.ts";
import type { ByteSource } from "../../shared/bytes/byte-streams.ts";
import { DocumentError } from "../../shared/document-error.ts";
import { ServiceError } from "../../shared/errors.ts";
import { most } from "../../shared/limits.ts";
import { digestMatches } from "../../shared/multipart/digest.ts";
import { Refusal } from "../../shared/refusal.ts";
import { METADATA_MAX_BYTES } from "../../shared/zip/limits.ts";
import type { AdoptedObject, FinishedUpload, IncomingFiles, Storage } from "../../storage/storage.ts";
import { isStorageAway } from "../../storage/unavailable.ts";
import type { Unpacking } from "../../storage/unpacking.ts";
import { flattenNames } from "../items/content.ts";
import type { BagTable, Parsing } from "../store/parsing.ts";
import { SwordError, swordRefusals } from "./messages.ts";
import { HERE_BYTES, openBag } from "./parsing.ts";
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

/**
 * Message 10 (R12): one that is sent must be right unless the setting is off; `required` misses one that is not sent.
 */
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

// What a package is, decided by the names in it and then by the beginning of its tables and XML files (R13a;
// specification "Package content rules" and processing step 6). Paths are those of files, without folders.

/** The two packagings that can be registered. */
export type Packaging = "SWORDBagIt" | "SimpleZip";

/**
 * Reads the Packaging header: only how it ends decides.
 *
 * @throws SwordError message 7 for any other value and for none.
 */
export function parsePackaging(header: string | null): Packaging {
  const value = (header ?? "").trim();
  if (value.endsWith("SWORDBagIt")) return "SWORDBagIt";
  if (value.endsWith("SimpleZip")) return "SimpleZip";
  throw swordRefusals.packaging(value);
}

const SWORD_JSON = "metadata/sword.json";
const CRATE_NAME = "ro-crate-metadata.json";
const CRATE_JSON = `data/${CRATE_NAME}`;

export type DetectedPackage = { readonly kind: PackageKind; readonly metadataFile: string };

/** Names alone do not tell: these files have to be looked into, tables first. */
type PackageCandidates = { readonly tables: readonly string[]; readonly xmls: readonly string[] };

/**
 * First half of the detection, by names. The second half, in a later step, refuses packages without any metadata file.
 *
 * @throws SwordError messages 16, 17, 18.
 */
export function detectByNames(packaging: Packaging, paths: readonly string[]): DetectedPackage | PackageCandidates {
  const has = (path: string) => paths.includes(path);
  if (packaging === "SWORDBagIt") {
    if (!has(SWORD_JSON)) throw swordRefusals.swordJsonMissing();
    return { kind: "sword-bagit", metadataFile: SWORD_JSON };
  }
  if (has(CRATE_JSON)) return { kind: "ro-crate", metadataFile: CRATE_JSON };
  if (has(SWORD_JSON)) throw swordRefusals.swordJsonInSimpleZip();
  if (paths.some((path) => path === CRATE_NAME || path.endsWith(`/${CRATE_NAME}`)))
    throw swordRefusals.crateMisplaced();
  const near = paths.filter((path) => !path.replace(/^data\//, "").includes("/"));
  const tables = near.filter((path) => /\.(?:tsv|csv)$/i.test(path));
  const xmls = near.filter((path) => /\.xml$/i.test(path));
  return { tables, xmls };
}

/** What the caller saw at the beginning of the files that were undecided. */
type Probes = {
  /** First cell of a table, without quotes; null when the file cannot be read as one. */
  readonly firstCell: (path: string) => string | null;
  /** Root element of an XML file; null when the file cannot be read as one. */
  readonly rootElement: (path: string) => RootElement | null;
};

/** Local name and resolved namespace. */
export type RootElement = { readonly name: string; readonly namespace: string };

const TABLE_MARK = "#ItemType";
const JPCOAR_ROOT = "jpcoar";
/** All versions of the schema lie below it. */
const JPCOAR_NAMESPACE = "https://github.com/JPCOAR/schema/";

/**
 * Second half of the detection: a table whose first cell is `#ItemType`, else an XML file whose root is
 * `jpcoar:jpcoar`, by whatever prefix. All other tables and XML files are payload.
 *
 * @throws SwordError message 11 when two files of the kind that decides qualify, ContentMalformed when none does.
 */
export function detectByContents(undecided: PackageCandidates, probes: Probes): DetectedPackage {
  const tables = undecided.tables.filter((path) => probes.firstCell(path)?.trim() === TABLE_MARK);
  if (tables.length > 0) return onlyOne("tsv-csv", tables);
  const xmls = undecided.xmls.filter((path) => isJpcoar(probes.rootElement(path)));
  if (xmls.length > 0) return onlyOne("jpcoar-xml", xmls);
  throw noMetadata();
}

function isJpcoar(root: RootElement | null): boolean {
  return root !== null && root.name === JPCOAR_ROOT && root.namespace.startsWith(JPCOAR_NAMESPACE);
}

function onlyOne(kind: PackageKind, paths: readonly string[]): DetectedPackage {
  const [first, ...others] = paths;
  if (first === undefined || others.length > 0) {
    throw swordRefusals.itemCheck(`More than one metadata file: ${paths.map((path) => `"${path}"`).join(", ")}`);
  }
  return { kind, metadataFile: first };
}

function noMetadata(): SwordError {
  return new SwordError(
    "ContentMalformed",
    `No metadata in the package: neither ${CRATE_JSON}, nor a .tsv or .csv file that begins with ${TABLE_MARK}, nor an .xml file with the root jpcoar:jpcoar, at the top or directly under data/`,
  );
}

// The first cell of a table, read from the beginning of the file (R13a). Nothing is validated here; the readers of
// tables do that.

/** As many bytes as the probe wants to see; a longer first cell is nobody's mark. */
const FIRST_CELL_BYTES = 4096;

/**
 * The first cell of a TSV or CSV file, quotes undone. UTF-8, or UTF-16 by its mark. Null when the file is empty.
 */
export function firstCell(head: Uint8Array): string | null {
  const isBig = head[0] === 0xfe && head[1] === 0xff;
  const isLittle = head[0] === 0xff && head[1] === 0xfe;
  const text = new TextDecoder(isBig ? "utf-16be" : isLittle ? "utf-16le" : "utf-8").decode(head);
  if (text === "") return null;
  const quoted = /^"((?:[^"]|"")*)"/.exec(text)?.[1];
  return quoted === undefined ? (/^[^\t,\r\n]*/.exec(text)?.[0] ?? "") : quoted.replaceAll('""', '"');
}

// The bytes of a deposit become part of the storage: after every check, before the transaction that names them (R7a).
// What fails afterwards is taken away again.

export type StoredFiles = {
  /** The content with the keys of its files. */
  readonly contentOf: (planned: PlannedContent) => ItemContent;
  /**
   * After a refusal nothing is kept. After any other failure the bytes stay for the sweep (R7a): a commit whose answer
   * was lost may have named them.
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
