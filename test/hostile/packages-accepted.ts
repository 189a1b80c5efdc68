// Packages that look odd and must be taken, with every byte as it was sent (R13).
import { crc32 } from "node:zlib";
import { flattenName } from "../../src/repository/items/content.ts";
import {
  type BagOptions,
  bagPieces,
  crateOf,
  encodedPath,
  hashOf,
  type Payload,
  SMALL_FILE,
  swordJsonOf,
  tableColumns,
  tableOf,
  tablePieces,
} from "../support/package-builder.ts";
import { type End, extra, join, le32, type Piece, utf8Bytes, zip } from "../support/zip-writer.ts";
import type { Line } from "./packages.ts";
import { packedZeros } from "./packages-structure.ts";

const files = (payload: readonly Payload[]) =>
  payload.map(({ path, bytes }) => ({
    name: flattenName(path),
    bytes: typeof bytes === "string" ? utf8Bytes(bytes) : bytes,
  }));

/** A bag with this payload. */
function bag(name: string, payload: readonly Payload[] = [SMALL_FILE], options: BagOptions = {}, end: End = {}): Line {
  return { name, level: null, build: () => zip(bagPieces({ payload, ...options }), end), expectFiles: files(payload) };
}
/** A bag with the usual file, written as given. */
const written = (name: string, piece: Partial<Piece>, end: End = {}): Line =>
  bag(name, [{ ...SMALL_FILE, piece }], {}, end);
const named = (name: string, path: string, piece: Partial<Piece> = {}): Line =>
  bag(name, [{ path, bytes: SMALL_FILE.bytes, piece }]);

export function acceptedPackages(): readonly Line[] {
  return [...plain(), ...archives(), ...names(), ...bags(), ...metadata()];
}

function plain(): Line[] {
  const usual = files([SMALL_FILE]);
  const sword = { crate: null, swordJson: swordJsonOf() };
  return [
    bag("plain: RO-Crate bag"),
    { ...bag("plain: SWORDBagIt", [SMALL_FILE], sword), packaging: "SWORDBagIt" },
    { name: "plain: TSV", level: null, build: () => zip(tablePieces(tableOf(tableColumns()))), expectFiles: usual },
    bag("plain: many folders", [
      SMALL_FILE,
      { path: "a/b.txt", bytes: "b" },
      { path: "a/c/d e.txt", bytes: "d" },
      { path: "図/表.txt", bytes: "表" },
    ]),
    bag("plain: an empty file", [{ path: "empty.txt", bytes: "" }]),
    bag("plain: 3 MiB", [{ path: "bytes.bin", bytes: noise(3 * 1024 * 1024), piece: { deflate: true } }]),
  ];
}

/** Bytes that deflate badly and are the same each time. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  });
}

function archives(): Line[] {
  const descriptors = ["signed", "unsigned"] as const;
  const inner = zip([{ name: "../evil.txt", bytes: "evil" }]);
  const { packed, ...zeros } = packedZeros(64);
  const bomb = zip([{ name: "zeros", packed, deflate: true, both: zeros }]);
  return [
    written("ZIP64: an entry", { zip64: true }),
    written("ZIP64: the end", {}, { zip64: true }),
    written("ZIP64: both, deflated", { zip64: true, deflate: true }, { zip64: true }),
    ...descriptors.flatMap((descriptor) => [
      written(`descriptor: ${descriptor}, deflated`, { descriptor, deflate: true }),
      written(`descriptor: ${descriptor}, stored`, { descriptor }),
      written(`descriptor: ${descriptor}, ZIP64`, { descriptor, deflate: true, zip64: true }),
    ]),
    bag("folder entries", [{ path: "sub/b.txt", bytes: "b" }], {
      more: [{ name: "data/" }, { name: "data/sub/" }, { name: "data/empty/" }, { name: "metadata/", deflate: true }],
    }),
    written("a comment of 64 KiB", {}, { comment: utf8Bytes("x".repeat(0xffff)) }),
    written(
      "a comment with the signature of an end record",
      {},
      { comment: utf8Bytes("PK\u0005\u0006 is how archives end") },
    ),
    written("a comment of 64 KiB behind ZIP64 records", {}, { comment: new Uint8Array(0xffff), zip64: true }),
    written("setuid bits", { unixMode: 0o104755 }),
    written("a mode of no known type, as old packers write", { unixMode: 0o050755 }),
    written("no mode at all", { central: { attributes: 0 } }),
    written("made on Windows", { central: { madeBy: 20, attributes: 0x20 } }),
    written("extra fields: times and padding", {
      both: { extra: join(extra(0x5455, join(new Uint8Array([1]), le32(1_700_000_000))), new Uint8Array(3)) },
    }),
    bag("an archive inside that leads outside", [{ path: "inner.zip", bytes: inner }]),
    bag("a bomb inside, stored", [{ path: "bomb.zip", bytes: bomb }]),
    bag("a bag inside, deflated", [{ path: "bag.zip", bytes: zip(bagPieces()), piece: { deflate: true } }]),
  ];
}

// "データ/表.txt" in code page 932; the second character of 表 is a backslash.
const CP932 = [0x83, 0x66, 0x81, 0x5b, 0x83, 0x5e, 0x2f, 0x95, 0x5c, 0x2e, 0x74, 0x78, 0x74];

function names(): Line[] {
  const cp932 = Uint8Array.from([...utf8Bytes("data/"), ...CP932]);
  const same = (path: string) =>
    extra(0x7075, join(utf8Bytes("\u0001"), le32(crc32(utf8Bytes(path))), utf8Bytes(path)));
  return [
    named("name: UTF-8 with the flag", "図/表.txt"),
    named("name: UTF-8 without the flag", "図/表.txt", { utf8Flag: false }),
    named("name: taken apart as macOS does, without the flag", "カ\u3099.txt", { utf8Flag: false }),
    named("name: code page 932 (Windows)", "データ/表.txt", { name: cp932, utf8Flag: false }),
    named("name: an equal Unicode path", "a.txt", { both: { extra: same("data/a.txt") } }),
    named("name: __proto__", "__proto__"),
    named("name: constructor", "constructor"),
    named("name: CON", "CON"),
    named("name: blanks", " two  blanks .txt"),
    named("name: a colon further on", "a:b.txt"),
    named("name: a tilde further on", "b~1.txt"),
    named("name: dots", "...txt"),
    named("name: hidden", ".hidden"),
    named("name: what HTML would read", "<img src=x onerror=alert(1)>.txt"),
    named("name: right to left", "\u202egnp.exe"),
    named("name: 80 Japanese characters in a folder", `${"研".repeat(40)}/${"究".repeat(40)}.txt`),
  ];
}

const lined = (lines: readonly string[], end = "\n") => lines.map((line) => line + end).join("");

function bags(): Line[] {
  const manifest = (name: string, write: (lines: readonly string[]) => string): Line =>
    bag(`manifest: ${name}`, [SMALL_FILE, { path: "b c.txt", bytes: "b" }], { manifest: write, tagManifest: null });
  const odd: Payload[] = [
    { path: "a\nb.txt", bytes: "line feed" },
    { path: "a\rb.txt", bytes: "carriage return" },
    { path: "100%.txt", bytes: "percent" },
    { path: "%0A.txt", bytes: "percent zero A" },
  ];
  const crate = crateOf([SMALL_FILE.path]);
  const more = (algorithm: string): Piece => ({
    name: `manifest-${algorithm}.txt`,
    bytes: `${hashOf(SMALL_FILE.bytes, algorithm)}  data/a.txt\n${hashOf(crate, algorithm)}  data/ro-crate-metadata.json\n`,
  });
  return [
    ...["0.93", "0.94", "0.95", "0.96", "0.97"].map((version) =>
      bag(`bags: BagIt ${version}`, [SMALL_FILE], {
        bagit: `BagIt-Version: ${version}\nTag-File-Character-Encoding: UTF-8\n`,
      }),
    ),
    bag("bags: BagIt 0.95 with a package-info.txt", [SMALL_FILE], {
      bagit: "BagIt-Version: 0.95\nTag-File-Character-Encoding: UTF-8\n",
      bagInfo: null,
      more: [{ name: "package-info.txt", bytes: "Source-Organization: Library\n  of Naha\n" }],
    }),
    manifest("line ends CR", (lines) => lined(lines, "\r")),
    manifest("line ends CRLF", (lines) => lined(lines, "\r\n")),
    manifest("no final line end", (lines) => lines.join("\n")),
    manifest("TAB", (lines) => lined(lines.map((line) => line.replace("  ", "\t")))),
    manifest("one blank", (lines) => lined(lines.map((line) => line.replace("  ", " ")))),
    manifest("upper-case hex", (lines) => lined(lines.map((line) => line.slice(0, 64).toUpperCase() + line.slice(64)))),
    manifest("the star of md5sum", (lines) => lined(lines.map((line) => line.replace("  ", " *")))),
    manifest("./ before every path", (lines) => lined(lines.map((line) => line.replace("  ", "  ./")))),
    bag("manifest: %0A, %0D and %25 encoded", odd),
    bag("manifest: a percent sign as it is, as bagit-python writes", [{ path: "100%25.txt", bytes: "p" }], {
      manifest: (lines) => lined(lines.map((line) => line.replace(encodedPath("100%25.txt"), "100%25.txt"))),
      tagManifest: null,
    }),
    bag("manifest: names put together that the archive has taken apart", [{ path: "カ\u3099.txt", bytes: "x" }], {
      manifest: (lines) => lined(lines.map((line) => line.normalize("NFC"))),
      tagManifest: null,
    }),
    bag("bag: no tag manifest", [SMALL_FILE], { tagManifest: null }),
    bag("bag: no bag-info.txt", [SMALL_FILE], { bagInfo: null }),
    bag("bag: a right Payload-Oxum and continued lines", [SMALL_FILE], {
      crate,
      bagInfo: `Payload-Oxum: ${crate.length + SMALL_FILE.bytes.length}.2\nExternal-Description: one\n  and more\nContact-Name: a\nContact-Name: b\n`,
    }),
    bag("bag: manifests of four algorithms", [SMALL_FILE], {
      crate,
      more: ["md5", "sha1", "sha384", "sha512"].map(more),
    }),
    bag("bag: further folders outside data/", [SMALL_FILE], { more: [{ name: "notes/about.txt", bytes: "about" }] }),
    bag("bag: bagit.txt with CRLF", [SMALL_FILE], {
      bagit: "BagIt-Version: 1.0\r\nTag-File-Character-Encoding: UTF-8\r\n",
    }),
  ];
}

function metadata(): Line[] {
  const crate = (name: string, text: string): Line => bag(`metadata: ${name}`, [SMALL_FILE], { crate: text });
  const folder = (id: string, next: string) => ({ "@id": id, "@type": "Dataset", name: id, hasPart: { "@id": next } });
  const deep = Array.from({ length: 20_000 }, (_, index) => folder(`d${index}/`, `d${index + 1}/`));
  const parts = (id: string) => ({ hasPart: [{ "@id": SMALL_FILE.path }, { "@id": id }] });
  const table = (name: string, title: string): Line => ({
    name: `metadata: ${name}`,
    level: null,
    build: () => zip(tablePieces(tableOf(tableColumns(title)))),
    expectFiles: files([SMALL_FILE]),
  });
  const web = { "@id": "http://127.0.0.1:9/never-fetched.csv", "@type": "File", name: "Elsewhere" };
  return [
    crate("hasPart in a circle", crateOf([SMALL_FILE.path], parts("x/"), [folder("x/", "y/"), folder("y/", "x/")])),
    crate("hasPart that leads back to the root", crateOf([SMALL_FILE.path], parts("x/"), [folder("x/", "./")])),
    crate("hasPart 20,000 deep", crateOf([SMALL_FILE.path], parts("d0/"), deep)),
    crate(
      "a remote context",
      crateOf([SMALL_FILE.path]).replace(
        "https://w3id.org/ro/crate/1.1/context",
        "http://127.0.0.1:9/never-fetched.jsonld",
      ),
    ),
    crate("a web file", crateOf([SMALL_FILE.path], parts(web["@id"]), [web])),
    crate("HTML in a title", crateOf([SMALL_FILE.path], { name: "<script>alert(1)</script> & <b>tides</b>" })),
    crate(
      "__proto__ as a property",
      crateOf([SMALL_FILE.path]).replace('"license"', '"__proto__":{"polluted":"yes"},"license"'),
    ),
    table("a cell that begins with =", "=HYPERLINK(0)"),
    table("a cell that begins with @", "@SUM(1)"),
  ];
}
