// BagIt: what its files may look like, what a bag must hold, and the bags that we write (message 24, R13). Whole bad
// bags: test/hostile/packages.test.ts.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { unpacking } from "../../../src/adapters/unpacking.ts";
import { bagTagFiles, checkBag } from "../../../src/formats/bagit/bag.ts";
import { bagFiles } from "../../../src/formats/bagit/bag-files.ts";
import {
  BagError,
  decode,
  decodeManifestPath,
  encodeManifestPath,
  linesOf,
  parseBagDeclaration,
  parseBagInfo,
  parseManifest,
} from "../../../src/formats/bagit/tag-files.ts";
import { openBag } from "../../../src/repository/deposit/parsing.ts";
import { openZip } from "../../../src/repository/deposit/zip-archive.ts";
import { memoryBytes } from "../../support/memory-bytes.ts";
import { BAGIT_TXT, bagPieces, hashOf } from "../../support/package-builder.ts";
import { utf8Bytes, zip } from "../../support/zip-writer.ts";

const HASH = hashOf("x");

describe("tag files", () => {
  test("message 24 R13c bagit.txt is two lines exactly, of any version that bags were made by", () => {
    const declared = (text: string) => parseBagDeclaration(utf8Bytes(text));
    expect(declared(BAGIT_TXT)).toEqual({ version: "1.0", encoding: "UTF-8" });
    expect(declared("BagIt-Version: 0.97\r\nTag-File-Character-Encoding: UTF-16")).toEqual({
      version: "0.97",
      encoding: "UTF-16",
    });
    for (const version of ["0.93", "0.94", "0.95", "0.96"]) {
      expect(declared(BAGIT_TXT.replace("1.0", version)).version).toBe(version);
    }
    for (const bad of [
      "",
      "\n",
      BAGIT_TXT.split("\n").reverse().join("\n"),
      BAGIT_TXT.replace(": ", ":"),
      BAGIT_TXT.replace(": ", ":  "),
      BAGIT_TXT.replace("1.0", "1"),
      BAGIT_TXT.replace("1.0", "0.92"),
      BAGIT_TXT.replace("1.0", "1.1"),
      ` ${BAGIT_TXT}`,
      `${BAGIT_TXT}\n`,
    ]) {
      expect(() => declared(bad)).toThrow(BagError);
    }
  });

  test("message 24 lines end with CR, LF or CRLF, the last may lack its end", () => {
    expect(linesOf("a\rb\nc\r\nd")).toEqual(["a", "b", "c", "d"]);
    expect(linesOf("a\n\n")).toEqual(["a", ""]);
    expect(linesOf("")).toEqual([]);
  });

  test("message 24 a manifest line is a hash, blanks, a path; the hash is returned in lower case", () => {
    const parsed = (text: string) => parseManifest(text, "manifest-sha256.txt", "sha256");
    expect(parsed(`${HASH.toUpperCase()} \t  data/a b \n\n${HASH}\tdata/c`)).toEqual([
      { hash: HASH, path: "data/a b " },
      { hash: HASH, path: "data/c" },
    ]);
    for (const bad of [
      HASH,
      `${HASH} `,
      ` ${HASH} data/a`,
      `${HASH}0 data/a`,
      `${HASH.slice(1)} data/a`,
      "# comment",
      `\ufeff${HASH} data/a`,
    ]) {
      expect(() => parsed(bad)).toThrow("Line 1 of manifest-sha256.txt");
    }
    expect(parseManifest("ab data/a", "manifest-blake9.txt", "blake9")).toEqual([{ hash: "ab", path: "data/a" }]);
  });

  test("message 24 bag-info.txt has labels that repeat and lines that go on", () => {
    expect(parseBagInfo("Source: a\r\n  b\n\tc\nSource:d\nUrl: http://x:1/ \n")).toEqual([
      ["Source", "a b c"],
      ["Source", "d"],
      ["Url", "http://x:1/"],
    ]);
    for (const bad of ["no label", "  goes on from nothing", ": no label"])
      expect(() => parseBagInfo(bad)).toThrow(BagError);
  });

  test("message 24 tag files in the encoding that is declared, and in no other", () => {
    const swapped = Buffer.from("研究", "utf16le").swap16();
    expect(decode(Buffer.from("\ufeff研究", "utf16le"), "UTF-16", "f")).toBe("研究");
    expect(decode(swapped, "UTF-16", "f")).toBe("研究");
    expect(decode(swapped, "utf-16be", "f")).toBe("研究");
    expect(decode(new Uint8Array([0xe9]), "ISO-8859-1", "f")).toBe("é");
    expect(() => decode(new Uint8Array([0xe9]), "UTF-8", "f")).toThrow("f is not UTF-8");
    expect(() => decode(new Uint8Array([0x41]), "klingon", "f")).toThrow("an unsupported encoding");
  });

  test("R13 whatever a path holds, it is written into a manifest and read back", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "%", "0", "A", "D", "2", "5", "\n", "\r", "研", " ") }),
        (path) => {
          expect(decodeManifestPath(encodeManifestPath(path))).toBe(path);
          expect(encodeManifestPath(path)).not.toMatch(/[\r\n]/);
        },
      ),
    );
  });
});

describe("checkBag()", () => {
  const bagOf = (paths: readonly string[], manifest: string, more: Readonly<Record<string, string>> = {}) => {
    const texts = { "bagit.txt": BAGIT_TXT, "manifest-sha256.txt": manifest, ...more };
    const files = [...Object.keys(texts), ...paths].map((path) => ({ path, sizeBytes: 1 }));
    return checkBag(files, new Map(Object.entries(texts).map(([path, text]) => [path, utf8Bytes(text)])));
  };

  test("R13 a manifest's paths are read as they are written, and decoded when that does not fit", () => {
    const other = hashOf("y");
    const files = ["data/100%", "data/100%25"];
    const hashes = (manifest: string) => files.map((path) => bagOf(files, manifest).payload.get(path)?.get("sha256"));
    expect(hashes(`${HASH} data/100%\n${other} data/100%25\n`)).toEqual([HASH, other]);
    expect(hashes(`${HASH} data/100%25\n${other} data/100%2525\n`)).toEqual([HASH, other]);
    const mixed = bagOf(["data/a\nb", "data/50%25"], `${HASH} data/a%0Ab\n${other} data/50%25\n`);
    expect(mixed.payload.get("data/50%25")?.get("sha256")).toBe(other);
    expect([...bagOf(["data/*a"], `${HASH} *data/*a\n`).payload.keys()]).toEqual(["data/*a"]);
  });

  test("message 24 every payload manifest lists every payload file, unknown algorithms too", () => {
    const listed = bagOf(["data/a"], `${HASH} data/a`, { "manifest-blake9.txt": "abcd data/a" });
    expect([...(listed.payload.get("data/a") ?? [])]).toEqual([
      ["sha256", HASH],
      ["blake9", "abcd"],
    ]);
    expect(() => bagOf(["data/a"], `${HASH} data/a`, { "manifest-blake9.txt": "" })).toThrow(
      '"data/a" is not listed in manifest-blake9.txt',
    );
    expect(() => bagOf(["data/a", "data/b"], `${HASH} data/a`)).toThrow('"data/b" is not listed');
    expect(() => bagOf(["data/a"], `${HASH} data/a\n${HASH} data/b`)).toThrow(
      'lists "data/b", which is not in the package',
    );
    expect(() => bagOf([], `${hashOf(BAGIT_TXT)} bagit.txt`)).toThrow("not under data/");
  });

  test("message 24 fetch.txt is refused at the top; below data/ it is a file like any other", () => {
    expect(() => bagOf(["fetch.txt"], "")).toThrow("fetch.txt is not allowed");
    expect(bagOf(["data/fetch.txt"], `${HASH} data/fetch.txt`).payload.size).toBe(1);
  });

  test("R13c the description of a bag is in bag-info.txt, before 0.96 in package-info.txt", () => {
    const infoOf = (version: string, name: string, text: string) =>
      bagOf(["data/a"], `${HASH} data/a`, { "bagit.txt": BAGIT_TXT.replace("1.0", version), [name]: text }).info;
    for (const version of ["0.93", "0.94", "0.95"]) {
      expect(infoOf(version, "package-info.txt", "Payload-Oxum: 1.1\n")).toEqual([["Payload-Oxum", "1.1"]]);
      expect(() => infoOf(version, "package-info.txt", "Payload-Oxum: 7.1\n")).toThrow("the payload has 1.1");
      expect(() => infoOf(version, "package-info.txt", "no label")).toThrow("Line 1 of package-info.txt has no label");
    }
    for (const version of ["0.96", "0.97", "1.0"]) {
      expect(infoOf(version, "package-info.txt", "no label")).toEqual([]);
      expect(infoOf(version, "bag-info.txt", "Payload-Oxum: 1.1\n")).toEqual([["Payload-Oxum", "1.1"]]);
    }
  });

  test("R13 the files to be read first are those at the top whose names BagIt gives", () => {
    const paths = ["bagit.txt", "bag-info.txt", "package-info.txt", "manifest-sha256.txt", "tagmanifest-md5.txt"];
    const others = ["data/bagit.txt", "manifest-sha-256.txt", "Manifest-sha256.txt", "x/manifest-md5.txt", "about.txt"];
    expect(bagTagFiles([...paths, ...others])).toEqual(paths);
  });
});

describe("openBag()", () => {
  test("R9a R13 a bag whose manifests together are too large is refused before one of them is read", async () => {
    const zeros = new Uint8Array(1024 * 1024);
    const pieces = Array.from({ length: 65 }, (_, at) => ({
      name: `manifest-x${at}.txt`,
      bytes: zeros,
      deflate: true,
    }));
    const archive = await openZip(memoryBytes(zip(pieces)), machine);
    const readSmall = (): Promise<Uint8Array> => Promise.reject(new Error("A manifest was read"));
    await expect(openBag({ ...archive, readSmall }, machine)).rejects.toThrow(
      "The manifests and tag files have 68157440 bytes, 67108864 are the most",
    );
    await expect(openBag(await openZip(memoryBytes(zip(pieces.slice(0, 3))), machine), machine)).rejects.toThrow(
      "no bagit.txt",
    );
  });

  const machine = unpacking();
  const opened = async (pieces: ReturnType<typeof bagPieces>) =>
    openBag(await openZip(memoryBytes(zip(pieces)), machine), machine);

  test("message 24 a payload file is verified while it is read, by every manifest", async () => {
    const payload = [{ path: "a", bytes: "x" }];
    const wrongMd5 = { name: "manifest-md5.txt", bytes: `${hashOf("y", "md5")}  data/a\n` };
    const bag = await opened(bagPieces({ payload, crate: null, more: [wrongMd5] }));
    const [entry] = bag.payload;
    if (entry === undefined) throw new RangeError("No payload");
    await expect(bag.readSmall(entry)).rejects.toThrow(
      `The md5 of "data/a" is ${hashOf("x", "md5")}, the manifest has`,
    );
  });

  test("message 24 files that tag manifests list are verified at once", async () => {
    const bad = bagPieces({ tagManifest: (lines) => lines.join("\n").replace(hashOf(BAGIT_TXT), HASH) });
    await expect(opened(bad)).rejects.toThrow('The sha256 of "bagit.txt"');
  });

  test("R13 a file over its cap is not read whole", async () => {
    const bag = await opened(bagPieces());
    const [entry] = bag.payload;
    if (entry === undefined) throw new RangeError("No payload");
    await expect(bag.readSmall(entry, 10)).rejects.toThrow("more than 10");
  });
});

describe("bagFiles()", () => {
  test("R19b a bag that we write is one that we accept, whatever its files are called", async () => {
    const name = fc.string({
      unit: fc.constantFrom("a", "%", "0", "A", "2", "5", "\n", "\r", "研", " ", "が"),
      minLength: 1,
      maxLength: 8,
    });
    const file = fc.record({ name: name.map((text) => `data/${text}`), bytes: fc.uint8Array({ maxLength: 20 }) });
    const distinct = fc.uniqueArray(file, { selector: (each) => each.name.normalize("NFC"), maxLength: 6 });
    const machine = unpacking();
    await fc.assert(
      fc.asyncProperty(distinct, async (files) => {
        const tags = [{ path: "metadata/sword.json", bytes: utf8Bytes("{}") }];
        const written = await bagFiles({
          payload: files.map((each) => ({ path: each.name, sizeBytes: each.bytes.length, sha256: hashOf(each.bytes) })),
          tags,
          info: [["Source-Organization", "Example: University"]],
        });
        const pieces = [...written, ...tags].map(({ path, bytes }) => ({ name: path, bytes }));
        const bag = await openBag(await openZip(memoryBytes(zip([...pieces, ...files])), machine), machine);
        expect(bag.payload.map((entry) => entry.path)).toEqual(files.map((each) => each.name));
        for (const entry of bag.payload) await bag.readSmall(entry);
        expect([...bag.bag.tags.keys()]).toEqual([
          "bagit.txt",
          "bag-info.txt",
          "manifest-sha256.txt",
          "metadata/sword.json",
        ]);
      }),
      { numRuns: 60 },
    );
  });

  test("R19b is refused when a path lies outside data/ or a line would break", async () => {
    const payload = [{ path: "a.txt", sizeBytes: 1, sha256: HASH }];
    await expect(bagFiles({ payload })).rejects.toThrow('"a.txt" is not under data/');
    await expect(bagFiles({ payload: [], info: [["Contact", "a\nPayload-Oxum: 1.1"]] })).rejects.toThrow(
      "Cannot write",
    );
    await expect(bagFiles({ payload: [], info: [["Con:tact", "a"]] })).rejects.toThrow("Cannot write");
  });

  test("R19b the files are the four of BagIt 1.0, word for word", async () => {
    const files = await bagFiles({
      payload: [{ path: "data/a\n%.txt", sizeBytes: 3, sha256: HASH }],
      info: [["Bagging-Date", "2026-01-01"]],
    });
    const text = Object.fromEntries(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));
    const info = "Bagging-Date: 2026-01-01\nPayload-Oxum: 3.1\n";
    const manifest = `${HASH}  data/a%0A%25.txt\n`;
    expect(text).toEqual({
      "bagit.txt": BAGIT_TXT,
      "bag-info.txt": info,
      "manifest-sha256.txt": manifest,
      "tagmanifest-sha256.txt": `${hashOf(BAGIT_TXT)}  bagit.txt\n${hashOf(info)}  bag-info.txt\n${hashOf(manifest)}  manifest-sha256.txt\n`,
    });
  });
});
