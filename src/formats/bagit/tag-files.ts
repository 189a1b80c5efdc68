// Tag files of a BagIt bag (RFC 8493 2.1.1, 2.1.3, 2.2): bagit.txt, bag-info.txt and manifests, read as strictly as
// existing bags allow.

import { DocumentError } from "../../shared/document-error.ts";
import { withoutEnd } from "../../shared/text/text.ts";

/** A bag that is not valid: which file breaks which rule. The sentence follows the words of message 24. */
export class BagError extends DocumentError {}

/**
 * Every version of the format that bags use. They differ in the declaration of the encoding and in the name of
 * bag-info.txt, which was package-info.txt up to 0.95: what was valid in its day is read.
 */
const BAGIT_VERSIONS = ["1.0", "0.97", "0.96", "0.95", "0.94", "0.93"] as const;

type BagDeclaration = { readonly version: string; readonly encoding: string };

/**
 * Hashes by the name they have in a manifest's file name, with the length of their hex; others are kept, not computed.
 */
export const HASH_HEX_LENGTHS: ReadonlyMap<string, number> = new Map([
  ["md5", 32],
  ["sha1", 40],
  ["sha224", 56],
  ["sha256", 64],
  ["sha384", 96],
  ["sha512", 128],
]);

/**
 * Reads bagit.txt: exactly two lines, in UTF-8 without a byte order mark.
 *
 * @throws BagError
 */
export function parseBagDeclaration(bytes: Uint8Array): BagDeclaration {
  const lines = linesOf(decode(bytes, "UTF-8", "bagit.txt"));
  const version = /^BagIt-Version: (\d+\.\d+)$/.exec(lines[0] ?? "")?.[1];
  const encoding = /^Tag-File-Character-Encoding: (\S+)$/.exec(lines[1] ?? "")?.[1];
  if (version === undefined || encoding === undefined || lines.length !== 2) {
    throw new BagError("bagit.txt is not the two lines BagIt-Version and Tag-File-Character-Encoding");
  }
  if (!BAGIT_VERSIONS.some((each) => each === version)) throw new BagError(`BagIt ${version} is not supported`);
  return { version, encoding };
}

/** A tag file's text. UTF-16 follows its byte order mark, big-endian without one. */
export function decode(bytes: Uint8Array, encoding: string, name: string): string {
  let label = encoding.toLowerCase();
  let body = bytes;
  if (label === "utf-16") {
    const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
    const isMarked = isLittle || (bytes[0] === 0xfe && bytes[1] === 0xff);
    label = isLittle ? "utf-16le" : "utf-16be";
    body = isMarked ? bytes.subarray(2) : bytes;
  }
  let decoder: TextDecoder;
  try {
    // The mark is not stripped: RFC 8493 forbids it in UTF-8, and as text it makes the first line wrong.
    decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  } catch {
    throw new BagError(`${name} is in ${JSON.stringify(encoding)}, an unsupported encoding`);
  }
  try {
    return decoder.decode(body);
  } catch {
    throw new BagError(`${name} is not ${encoding}`);
  }
}

/** Lines ended by CR, LF or CRLF; the last may lack its end. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

export type ManifestLine = { readonly hash: string; readonly path: string };

/**
 * Reads a manifest: a hash in hex (returned in lower case), blanks, a path as written. Empty lines are skipped.
 *
 * @throws BagError for any other line, and for a hash of the wrong length when the algorithm is a known one.
 */
export function parseManifest(text: string, name: string, algorithm: string): readonly ManifestLine[] {
  const length = HASH_HEX_LENGTHS.get(algorithm);
  return linesOf(text).flatMap((line, index) => {
    if (line === "") return [];
    const [, hash, path] = /^([0-9A-Fa-f]+)[ \t]+(.+)$/s.exec(line) ?? [];
    if (hash === undefined || path === undefined || (length !== undefined && hash.length !== length)) {
      throw new BagError(`Line ${index + 1} of ${name} is not a hash and a path`);
    }
    return [{ hash: hash.toLowerCase(), path }];
  });
}

export type BagInfo = readonly (readonly [label: string, value: string])[];

/**
 * Reads bag-info.txt: `Label: value` lines, continued by lines that begin with a blank. Labels keep their case and may
 * repeat.
 *
 * @throws BagError for a line that is neither.
 */
export function parseBagInfo(text: string, name = "bag-info.txt"): BagInfo {
  const info: [string, string][] = [];
  linesOf(text).forEach((line, index) => {
    if (line.trim() === "") return;
    const last = info.at(-1);
    if (/^[ \t]/.test(line) && last !== undefined) {
      last[1] = `${last[1]} ${line.trim()}`;
      return;
    }
    const colon = line.indexOf(":");
    if (colon < 1 || /^\s/.test(line)) throw new BagError(`Line ${index + 1} of ${name} has no label`);
    info.push([withoutEnd(line.slice(0, colon), " \t"), line.slice(colon + 1).trim()]);
  });
  return info;
}

/** Decodes `%0A`, `%0D` and `%25` in a manifest's path (RFC 8493 2.1.3). */
export function decodeManifestPath(path: string): string {
  const characters: Readonly<Record<string, string>> = { "%0A": "\n", "%0D": "\r", "%25": "%" };
  return path.replace(/%0A|%0D|%25/gi, (each) => characters[each.toUpperCase()] ?? each);
}

export function encodeManifestPath(path: string): string {
  return path.replaceAll("%", "%25").replaceAll("\n", "%0A").replaceAll("\r", "%0D");
}
