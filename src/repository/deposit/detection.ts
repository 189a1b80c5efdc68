// What a package is, decided by the names in it and then by the beginning of its tables and XML files (R13a;
// specification "Package content rules" and processing step 6). Paths are those of files, without folders.

import type { PackageKind } from "../../model/files/described-package.ts";
import { SwordError, swordRefusals } from "./messages.ts";

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
