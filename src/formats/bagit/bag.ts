// Whether the files of a package are a valid bag (RFC 8493; specification, processing step 8; message 24), and what
// each file must hash to, so that payload is verified in the same pass that stores it.
import { normalForm } from "../../shared/text/text.ts";
import {
  BagError,
  type BagInfo,
  decode,
  decodeManifestPath,
  HASH_HEX_LENGTHS,
  type ManifestLine,
  parseBagDeclaration,
  parseBagInfo,
  parseManifest,
} from "./tag-files.ts";

const PAYLOAD = "data/";
const BAGIT_TXT = "bagit.txt";
/** The file with the bag's metadata, by its name today and in bags before 0.96. */
const INFO_TXTS = ["bag-info.txt", "package-info.txt"] as const;
const RENAMED_IN = 0.96;
const MANIFEST = /^(tag)?manifest-([a-z0-9]+)\.txt$/;

/** A file of the package, folders left out. */
type BagFile = { readonly path: string; readonly sizeBytes: number };

/** What a file must hash to: algorithm (as manifests name it) → hex in lower case. All of them must agree. */
export type ExpectedHashes = ReadonlyMap<string, string>;

export type Bag = {
  readonly version: string;
  readonly info: BagInfo;
  /** Every file under data/ with its hashes, sha256 always among them. */
  readonly payload: ReadonlyMap<string, ExpectedHashes>;
  /** Files outside data/ that a tag manifest lists. Their hashes have not been compared yet. */
  readonly tags: ReadonlyMap<string, ExpectedHashes>;
};

function isInfo(path: string): boolean {
  return INFO_TXTS.some((each) => each === path);
}

/** The files that must be read whole before `checkBag` can run. */
export function bagTagFiles(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path === BAGIT_TXT || isInfo(path) || MANIFEST.test(path));
}

/**
 * Holds the names in a package against its manifests. Hashes of contents are not compared here, but for the caller to
 * compare: see `payload` and `tags`.
 *
 * @param contents bytes of every file that `bagTagFiles` names.
 * @throws BagError naming the file and what is wrong with it.
 */
export function checkBag(files: readonly BagFile[], contents: ReadonlyMap<string, Uint8Array>): Bag {
  const paths = files.map((file) => file.path);
  const declaration = contents.get(BAGIT_TXT);
  if (declaration === undefined) throw new BagError("The package has no bagit.txt at its top");
  const { version, encoding } = parseBagDeclaration(declaration);
  if (paths.some((path) => path.toLowerCase() === "fetch.txt")) throw new BagError("fetch.txt is not allowed");
  const text = (path: string): string => decode(contents.get(path) ?? new Uint8Array(0), encoding, path);
  const lookup = pathLookup(paths);
  const payload = new Map(
    paths.filter((path) => path.startsWith(PAYLOAD)).map((path) => [path, new Map<string, string>()]),
  );
  const tags = new Map<string, Map<string, string>>();
  for (const path of paths) {
    const [, tag, algorithm] = MANIFEST.exec(path) ?? [];
    if (algorithm === undefined) continue;
    const lines = parseManifest(text(path), path, algorithm);
    const listed = resolveLines(lines, path, lookup, tag === undefined);
    if (tag === undefined) addPayload(payload, listed, path, algorithm);
    else addTags(tags, listed, algorithm);
  }
  if (!paths.includes("manifest-sha256.txt")) throw new BagError("The package has no manifest-sha256.txt at its top");
  // In newer bags a file of the old name is any file.
  const infos = Number(version) < RENAMED_IN ? INFO_TXTS : INFO_TXTS.slice(0, 1);
  const info = infos.flatMap((path) => (contents.has(path) ? parseBagInfo(text(path), path) : []));
  checkOxum(info, files);
  return { version, info, payload, tags };
}

type Lookup = (written: string) => string | null;

/**
 * How a path of a manifest is found in the package: as it is or in another Unicode normal form, since file systems
 * change that.
 */
function pathLookup(paths: readonly string[]): Lookup {
  const exact = new Set(paths);
  const normal = new Map(paths.map((path) => [normalForm(path, "NFC"), path]));
  const find: Lookup = (path) => (exact.has(path) ? path : (normal.get(normalForm(path, "NFC")) ?? null));
  // md5sum writes a star before the path in its binary mode; lists made by `find .` begin with "./".
  return (path) => find(path) ?? find(path.replace(/^\*?(?:\.\/)?/, ""));
}

/**
 * The files that a manifest's lines mean. RFC 8493 has paths percent-encoded, the most used program writes them as they
 * are: the whole manifest is read literally, when that fails decoded, then line by line as fits.
 *
 * @throws BagError for a line without a matching file, one on the wrong side of data/, or a file that two lines match.
 */
function resolveLines(
  lines: readonly ManifestLine[],
  manifest: string,
  lookup: Lookup,
  isPayload: boolean,
): ReadonlyMap<string, string> {
  const decoded: Lookup = (path) => lookup(decodeManifestPath(path));
  const either: Lookup = (path) => lookup(path) ?? decoded(path);
  for (const reading of [lookup, decoded]) {
    const found = new Map(lines.map(({ path, hash }) => [reading(path), hash]));
    if (found.size === lines.length && !found.has(null)) return meant(lines, manifest, reading, isPayload);
  }
  return meant(lines, manifest, either, isPayload);
}

function meant(
  lines: readonly ManifestLine[],
  manifest: string,
  reading: Lookup,
  isPayload: boolean,
): ReadonlyMap<string, string> {
  const listed = new Map<string, string>();
  for (const { hash, path } of lines) {
    const found = reading(path);
    if (found === null) throw new BagError(`${manifest} lists ${JSON.stringify(path)}, which is not in the package`);
    if (found.startsWith(PAYLOAD) !== isPayload) {
      throw new BagError(`${manifest} lists ${JSON.stringify(path)}, which is ${isPayload ? "not " : ""}under data/`);
    }
    if (listed.has(found)) throw new BagError(`${manifest} lists ${JSON.stringify(path)} twice`);
    listed.set(found, hash);
  }
  return listed;
}

/** Every payload manifest lists every payload file (RFC 8493 3). */
function addPayload(
  payload: ReadonlyMap<string, Map<string, string>>,
  listed: ReadonlyMap<string, string>,
  manifest: string,
  algorithm: string,
): void {
  for (const [path, hashes] of payload) {
    const hash = listed.get(path);
    if (hash === undefined) throw new BagError(`${JSON.stringify(path)} is not listed in ${manifest}`);
    hashes.set(algorithm, hash);
  }
}

function addTags(tags: Map<string, Map<string, string>>, listed: ReadonlyMap<string, string>, algorithm: string): void {
  for (const [path, hash] of listed) {
    const hashes = tags.get(path) ?? new Map<string, string>();
    hashes.set(algorithm, hash);
    tags.set(path, hashes);
  }
}

/** Payload-Oxum, if present, must match the bytes and the number of the payload files. */
function checkOxum(info: BagInfo, files: readonly BagFile[]): void {
  const payload = files.filter((file) => file.path.startsWith(PAYLOAD));
  const truth = `${payload.reduce((sum, file) => sum + file.sizeBytes, 0)}.${payload.length}`;
  for (const [label, value] of info) {
    if (label.toLowerCase() === "payload-oxum" && value !== truth) {
      throw new BagError(`The Payload-Oxum is ${JSON.stringify(value)}, the payload has ${truth}`);
    }
  }
}

/** The algorithms among `expected` that can be computed; the others are not checked. sha256 is always present. */
export function computable(expected: ExpectedHashes): readonly string[] {
  return [...expected.keys()].filter((algorithm) => HASH_HEX_LENGTHS.has(algorithm));
}

/** @throws BagError when a hash of `path` differs from the one in a manifest. */
export function compareHashes(path: string, expected: ExpectedHashes, actual: ReadonlyMap<string, string>): void {
  for (const [algorithm, hash] of actual) {
    const wanted = expected.get(algorithm);
    if (wanted !== undefined && wanted !== hash) {
      throw new BagError(`The ${algorithm} of ${JSON.stringify(path)} is ${hash}, the manifest has ${wanted}`);
    }
  }
}
