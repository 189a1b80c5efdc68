// Bags that must be refused with message 24, and packagings with 16, 17, 18 (R13; specification, processing steps 6 and
// 8).
import {
  BAGIT_TXT,
  type BagOptions,
  bagPieces,
  crateOf,
  hashOf,
  SMALL_FILE,
  swordJsonOf,
  tableColumns,
  tableOf,
  tablePieces,
} from "../support/package-builder.ts";
import { join, type Piece, utf8Bytes, zip } from "../support/zip-writer.ts";
import type { Line } from "./packages.ts";

const fault = (name: string, options: BagOptions): Line => ({
  name: `bag: ${name}`,
  level: "bag",
  build: () => zip(bagPieces(options)),
});
const lined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
/** The manifest with each line changed. */
const changed = (change: (line: string) => string) => (lines: readonly string[]) => lined(lines.map(change));
/** The manifest with one more line. */
const longer = (line: string) => (lines: readonly string[]) => lined([...lines, line]);
const HASH = hashOf(SMALL_FILE.bytes);

export function bagFaults(): readonly Line[] {
  return [...declarations(), ...manifests(), ...furtherManifests(), ...swordBags(), ...packagings()];
}

function declarations(): Line[] {
  return [
    fault("no bagit.txt", { bagit: null }),
    fault("an empty bagit.txt", { bagit: "" }),
    fault("a byte order mark in bagit.txt", { bagit: `\ufeff${BAGIT_TXT}` }),
    fault("bagit.txt in UTF-16", { bagit: new Uint8Array(Buffer.from(`\ufeff${BAGIT_TXT}`, "utf16le")) }),
    fault("one line in bagit.txt", { bagit: "BagIt-Version: 1.0\n" }),
    fault("three lines in bagit.txt", { bagit: `${BAGIT_TXT}More: x\n` }),
    fault("blanks before the colon in bagit.txt", { bagit: BAGIT_TXT.replace("Version:", "Version :") }),
    fault("version 2.0", { bagit: BAGIT_TXT.replace("1.0", "2.0") }),
    fault("an unknown encoding", { bagit: BAGIT_TXT.replace("UTF-8", "x-nothing") }),
    fault("bag-info.txt without labels", { bagInfo: "no label here\n" }),
    fault("a wrong Payload-Oxum", { bagInfo: "Payload-Oxum: 1.1\n" }),
    fault("fetch.txt with an address", {
      more: [{ name: "fetch.txt", bytes: "http://127.0.0.1:9/evil 20 data/fetched.txt\n" }],
    }),
    fault("fetch.txt for a file that is missing", {
      manifest: longer(`${HASH}  data/fetched.txt`),
      more: [{ name: "fetch.txt", bytes: "http://127.0.0.1:9/evil - data/fetched.txt\n" }],
    }),
    fault("an empty fetch.txt", { more: [{ name: "fetch.txt" }] }),
  ];
}

function manifests(): Line[] {
  return [
    fault("no manifest-sha256.txt", { manifest: null }),
    fault("the name that SWORD's examples give the manifest, alone", {
      manifest: null,
      more: [{ name: "manifest-sha-256.txt", bytes: `${HASH}  data/${SMALL_FILE.path}\n` }],
    }),
    fault("an MD5 manifest alone", {
      manifest: null,
      crate: crateOf([SMALL_FILE.path]),
      more: [{ name: "manifest-md5.txt", bytes: md5Lines() }],
    }),
    fault("an empty manifest", { manifest: "" }),
    fault("a payload file is missing", { manifest: longer(`${HASH}  data/missing.txt`) }),
    fault("a payload file is not listed", { unlisted: [SMALL_FILE.path] }),
    fault("the metadata is not listed", { unlisted: ["ro-crate-metadata.json"] }),
    fault("a payload file is different", { manifest: changed((line) => `${hashOf("other")}${line.slice(64)}`) }),
    fault("the metadata is different", {
      manifest: changed((line) => (line.endsWith(".json") ? `${hashOf("other")}${line.slice(64)}` : line)),
    }),
    fault("a hash of 63 digits", { manifest: changed((line) => line.slice(1)) }),
    fault("a hash of 65 digits", { manifest: changed((line) => `0${line}`) }),
    fault("a hash that is not hex", { manifest: changed((line) => `g${line.slice(1)}`) }),
    fault("a line without a path", { manifest: longer(HASH) }),
    fault("a path without a hash", { manifest: longer("data/a.txt") }),
    fault("a path outside data/", { manifest: longer(`${hashOf(BAGIT_TXT)}  bagit.txt`) }),
    fault("a path that leads outside", { manifest: longer(`${HASH}  ../a.txt`) }),
    fault("an absolute path", { manifest: longer(`${HASH}  /etc/passwd`) }),
    fault("a path through data/..", { manifest: longer(`${hashOf(BAGIT_TXT)}  data/../bagit.txt`) }),
    fault("a path that is there twice", { manifest: longer(`${HASH}  data/${SMALL_FILE.path}`) }),
    fault("a path that is there twice with two hashes", {
      manifest: longer(`${hashOf("x")}  data/${SMALL_FILE.path}`),
    }),
    fault("a manifest that is not UTF-8", {
      manifest: (lines) => join(utf8Bytes(lined(lines)), new Uint8Array([0xff, 0xfe, 0x0a])),
    }),
  ];
}

function md5Lines(file = hashOf(SMALL_FILE.bytes, "md5"), crate = crateOf([SMALL_FILE.path])): string {
  return `${file}  data/${SMALL_FILE.path}\n${hashOf(crate, "md5")}  data/ro-crate-metadata.json\n`;
}

function furtherManifests(): Line[] {
  const crate = crateOf([SMALL_FILE.path]);
  const second = (bytes: string, name = "manifest-md5.txt"): readonly Piece[] => [{ name, bytes }];
  return [
    fault("a second manifest with another hash", { crate, more: second(md5Lines(hashOf("other", "md5"))) }),
    fault("a second manifest that lists less", { crate, more: second(`${md5Lines().split("\n")[0]}\n`) }),
    fault("a second manifest that lists more", {
      crate,
      more: second(`${md5Lines()}${hashOf("x", "md5")}  data/b.txt\n`),
    }),
    fault("a second manifest with hashes of another length", {
      crate,
      more: second(md5Lines(), "manifest-sha512.txt"),
    }),
    fault("a tag manifest with a wrong hash", {
      tagManifest: changed((line) => `${hashOf("other")}${line.slice(64)}`),
    }),
    fault("a tag manifest with a missing file", { tagManifest: longer(`${HASH}  about.txt`) }),
    fault("a tag manifest that lists payload", { tagManifest: longer(`${HASH}  data/${SMALL_FILE.path}`) }),
    fault("a tag manifest with short hashes", { tagManifest: changed((line) => line.slice(2)) }),
  ];
}

function swordBags(): Line[] {
  const sword = (name: string, options: BagOptions): Line => ({
    ...fault(`SWORDBagIt, ${name}`, { crate: null, swordJson: swordJsonOf(), ...options }),
    packaging: "SWORDBagIt",
  });
  return [
    sword("no bagit.txt", { bagit: null }),
    sword("no manifest", { manifest: null }),
    sword("a payload file is different", { manifest: changed((line) => `${hashOf("other")}${line.slice(64)}`) }),
    sword("its metadata is different from the tag manifest", {
      tagManifest: changed((line) => (line.endsWith("sword.json") ? `${hashOf("other")}${line.slice(64)}` : line)),
    }),
  ];
}

function packagings(): Line[] {
  const crate = crateOf([SMALL_FILE.path]);
  const wrapped = (folder: string, pieces: readonly Piece[]): Piece[] =>
    pieces.map((piece) => ({ ...piece, name: `${folder}/${String(piece.name)}` }));
  const line = (
    name: string,
    message: 16 | 17 | 18,
    build: () => Uint8Array,
    packaging: Line["packaging"] = "SimpleZip",
  ): Line => ({
    ...{ name: `packaging: ${name}`, level: "packaging", message, packaging, build },
  });
  const swordPieces = () => bagPieces({ crate: null, swordJson: swordJsonOf() });
  return [
    line("SWORDBagIt without metadata/sword.json", 16, () => zip(bagPieces()), "SWORDBagIt"),
    line("SWORDBagIt in a folder", 16, () => zip(wrapped("SWORDBagIt", swordPieces())), "SWORDBagIt"),
    line(
      "SWORDBagIt with sword.json at the top",
      16,
      () => zip([...bagPieces(), { name: "sword.json", bytes: swordJsonOf() }]),
      "SWORDBagIt",
    ),
    line("a crate at the top", 17, () =>
      zip(bagPieces({ crate: null, more: [{ name: "ro-crate-metadata.json", bytes: crate }] })),
    ),
    line("a crate in a folder", 17, () => zip(wrapped("bag", bagPieces()))),
    line("a crate at the top next to a table", 17, () =>
      zip([...tablePieces(tableOf(tableColumns())), { name: "ro-crate-metadata.json", bytes: crate }]),
    ),
    line("SimpleZip with metadata/sword.json", 18, () => zip(swordPieces())),
    {
      name: "packaging: SimpleZip without metadata",
      level: "packaging",
      build: () => zip([{ name: "data/a.txt", bytes: SMALL_FILE.bytes }]),
    },
    { name: "packaging: SimpleZip without entries", level: "packaging", build: () => zip([]) },
    {
      name: "packaging: two tables",
      level: "packaging",
      message: 11,
      build: () => zip([...tablePieces(tableOf(tableColumns())), { name: "more.tsv", bytes: tableOf(tableColumns()) }]),
    },
  ];
}
