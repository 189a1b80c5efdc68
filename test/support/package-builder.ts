// Packages for tests: bags with a small RO-Crate or SWORD metadata and tables, right in all but what a test asks to be
// wrong.
import { createHash } from "node:crypto";
import { type Piece, utf8Bytes } from "./zip-writer.ts";

export type Bytes = Uint8Array | string;

/** A payload file; `path` lies below data/. `piece` overrides how it is written into the archive. */
export type Payload = { readonly path: string; readonly bytes: Bytes; readonly piece?: Partial<Piece> };

/** Null leaves a file out; a function gets the right lines. */
type TagText = Bytes | null | ((lines: readonly string[]) => Bytes);

export type BagOptions = {
  readonly payload?: readonly Payload[];
  /** Of data/ro-crate-metadata.json; null for none. Left out: a crate that describes the payload. */
  readonly crate?: Bytes | null;
  /** Of metadata/sword.json; left out: none. */
  readonly swordJson?: Bytes;
  readonly bagit?: Bytes | null;
  readonly bagInfo?: Bytes | null;
  readonly manifest?: TagText;
  readonly tagManifest?: TagText;
  /** Further pieces, in no manifest. */
  readonly more?: readonly Piece[];
  /** Paths that the default manifest passes over. */
  readonly unlisted?: readonly string[];
};

export const BAGIT_TXT = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";
export const SMALL_FILE: Payload = { path: "a.txt", bytes: "The quick brown fox\n" };

const bytesOf = (value: Bytes): Uint8Array => (typeof value === "string" ? utf8Bytes(value) : value);
export const hashOf = (value: Bytes, algorithm = "sha256"): string =>
  createHash(algorithm).update(bytesOf(value)).digest("hex");
export const encodedPath = (path: string): string =>
  path.replaceAll("%", "%25").replaceAll("\n", "%0A").replaceAll("\r", "%0D");

/** The pieces of a bag, tag files first. */
export function bagPieces(options: BagOptions = {}): Piece[] {
  const payload = options.payload ?? [SMALL_FILE];
  const crate = options.crate === undefined ? crateOf(payload.map((file) => file.path)) : options.crate;
  const data: Payload[] =
    crate === null ? [...payload] : [{ path: "ro-crate-metadata.json", bytes: crate }, ...payload];
  const listed = data.filter((file) => options.unlisted?.includes(file.path) !== true);
  const lines = listed.map((file) => `${hashOf(file.bytes)}  data/${encodedPath(file.path)}`);
  const tags: (readonly [string, Uint8Array | null])[] = [
    ["bagit.txt", text(options.bagit, BAGIT_TXT)],
    ["bag-info.txt", text(options.bagInfo, "Bagging-Date: 2026-01-01\n")],
    ["manifest-sha256.txt", lined(options.manifest, lines)],
    ["metadata/sword.json", options.swordJson === undefined ? null : bytesOf(options.swordJson)],
  ];
  const written = tags.flatMap(([name, bytes]) => (bytes === null ? [] : [{ name, bytes }]));
  const tagLines = written.map(({ name, bytes }) => `${hashOf(bytes)}  ${name}`);
  const tagManifest = lined(options.tagManifest, tagLines);
  return [
    ...written,
    ...(tagManifest === null ? [] : [{ name: "tagmanifest-sha256.txt", bytes: tagManifest }]),
    ...data.map((file): Piece => ({ name: `data/${file.path}`, bytes: file.bytes, ...file.piece })),
    ...(options.more ?? []),
  ];
}

function text(value: Bytes | null | undefined, usual: string): Uint8Array | null {
  return value === null ? null : bytesOf(value ?? usual);
}

function lined(value: TagText | undefined, lines: readonly string[]): Uint8Array | null {
  if (value === null) return null;
  if (typeof value === "function") return bytesOf(value(lines));
  return bytesOf(value ?? lines.map((line) => `${line}\n`).join(""));
}

type Json = Readonly<Record<string, unknown>>;

/** A minimal crate of these files (RO-Crate 1.1), with what a test changes in its root and adds to its graph. */
export function crateOf(paths: readonly string[], root: Json = {}, more: readonly Json[] = []): string {
  const ids = paths.map((path) => encodeURI(path.toWellFormed()).replaceAll("#", "%23").replaceAll("?", "%3F"));
  return JSON.stringify({
    "@context": "https://w3id.org/ro/crate/1.1/context",
    "@graph": [
      {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        conformsTo: { "@id": "https://w3id.org/ro/crate/1.1" },
        about: { "@id": "./" },
      },
      {
        "@id": "./",
        "@type": "Dataset",
        name: "Tides at Naha",
        description: "Hourly sea level",
        datePublished: "2026-01-01",
        creator: { "@id": "#someone" },
        license: { "@id": "https://creativecommons.org/licenses/by/4.0/" },
        hasPart: ids.map((id) => ({ "@id": id })),
        ...root,
      },
      { "@id": "#someone", "@type": "Person", name: "Yamada, Hanako" },
      ...paths.map((path, index) => ({ "@id": ids[index], "@type": "File", name: path })),
      ...more,
    ],
  });
}

/** Minimal SWORD metadata. */
export function swordJsonOf(fields: Json = {}): string {
  return JSON.stringify({
    "@context": "https://swordapp.github.io/swordv3/swordv3.jsonld",
    "@id": "http://localhost/sword/metadata",
    "@type": "Metadata",
    "dc:title": "Tides at Naha",
    "dc:creator": "Yamada, Hanako",
    "dcterms:abstract": "Hourly sea level",
    ...fields,
  });
}

/** A JPCOAR document with a title and a type. */
export function jpcoarOf(prolog = '<?xml version="1.0" encoding="UTF-8"?>\n', title = "Tides at Naha"): string {
  return `${prolog}<jpcoar:jpcoar xmlns:jpcoar="https://github.com/JPCOAR/schema/blob/master/2.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <dc:title xml:lang="en">${title}</dc:title>
  <dc:type rdf:resource="http://purl.org/coar/resource_type/c_ddb1" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">dataset</dc:type>
</jpcoar:jpcoar>
`;
}

export type Column = readonly [path: string, value: string];

const TITLE = "item_1617186331708[0]";
const RESOURCE_TYPE = "item_1617258105262";

/** Columns of a minimal item of the full item type (id 1) with one file. */
export function tableColumns(title = "Tides at Naha", file = SMALL_FILE.path): Column[] {
  return [
    [".id", ""],
    [".uri", ""],
    [".metadata.path[0]", "1"],
    [".pos_index[0]", ""],
    [".publish_status", "public"],
    [".edit_mode", "Keep"],
    [".metadata.pubdate", "2026-01-01"],
    [`.metadata.${TITLE}.subitem_1551255647225`, title],
    [`.metadata.${TITLE}.subitem_1551255648112`, "en"],
    [`.metadata.${RESOURCE_TYPE}.resourcetype`, "dataset"],
    [`.metadata.${RESOURCE_TYPE}.resourceuri`, "http://purl.org/coar/resource_type/c_ddb1"],
    [".file_path[0]", file],
    [".metadata.item_1617605131499[0].filename", file],
  ];
}

/** A table with its five heading lines and one item. */
export function tableOf(columns: readonly Column[], separator = "\t"): string {
  const line = (first: string, cells: readonly string[]) =>
    `${[first + (cells[0] ?? ""), ...cells.slice(1)].join(separator)}\n`;
  const empty = columns.map(() => "");
  return [
    ["#ItemType", "Default item type (full)(1)", "http://localhost/items/jsonschema/1"].join(separator),
    "\n",
    line(
      "#",
      columns.map(([path]) => path),
    ),
    line(
      "#",
      columns.map(([path]) => path.split(".").at(-1) ?? ""),
    ),
    line("#", empty),
    line("#", empty),
    line(
      "",
      columns.map(([, value]) => value),
    ),
  ].join("");
}

/** A package with a table and one file. */
export function tablePieces(table: Bytes, name = "data/items.tsv"): Piece[] {
  return [
    { name, bytes: table },
    { name: `data/${SMALL_FILE.path}`, bytes: SMALL_FILE.bytes },
  ];
}
