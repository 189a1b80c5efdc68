// What a package is, and what its files are called afterwards (R13a; messages 7, 11, 16, 17, 18).

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SwordError } from "../../../src/repository/deposit/messages.ts";
import {
  type DetectedPackage,
  detectByContents,
  detectByNames,
  type Packaging,
  parsePackaging,
  type RootElement,
} from "../../../src/repository/deposit/unpacking-package.ts";
import { flattenName, flattenNames } from "../../../src/repository/items/content.ts";
import { DocumentError } from "../../../src/shared/document-error.ts";

const JPCOAR: RootElement = { name: "jpcoar", namespace: "https://github.com/JPCOAR/schema/blob/master/2.0/" };

/** Contents by path: the first cell of a table, the root of an XML file. */
type Files = Readonly<Record<string, string | RootElement | null>>;

function detect(packaging: Packaging, files: Files): DetectedPackage {
  const names = detectByNames(packaging, Object.keys(files));
  if ("kind" in names) return names;
  return detectByContents(names, {
    firstCell: (path) => (typeof files[path] === "string" ? files[path] : null),
    rootElement: (path) => (typeof files[path] === "object" ? files[path] : null),
  });
}

function refusal(act: () => unknown): readonly unknown[] {
  try {
    act();
  } catch (error) {
    if (error instanceof SwordError) return [error.messageNumber, error.type];
    throw error;
  }
  return ["accepted"];
}

describe("parsePackaging()", () => {
  test("message 7 is given for every value that ends neither with SWORDBagIt nor with SimpleZip", () => {
    expect(parsePackaging("http://purl.org/net/sword/3.0/package/SimpleZip")).toBe("SimpleZip");
    expect(parsePackaging(" SWORDBagIt ")).toBe("SWORDBagIt");
    for (const value of [null, "", "*", "http://purl.org/net/sword/3.0/package/Binary", "simplezip", "SimpleZip/"]) {
      expect(refusal(() => parsePackaging(value))).toEqual([7, "PackagingFormatNotAcceptable"]);
    }
  });
});

describe("detection", () => {
  test("message 16 R13a a SWORDBagIt package needs metadata/sword.json, whatever else it has", () => {
    expect(detect("SWORDBagIt", { "metadata/sword.json": null, "data/ro-crate-metadata.json": null })).toEqual({
      kind: "sword-bagit",
      metadataFile: "metadata/sword.json",
    });
    const without = { "sword.json": null, "SWORDBagIt/metadata/sword.json": null, "data/metadata/sword.json": null };
    expect(refusal(() => detect("SWORDBagIt", without))).toEqual([16, "MetadataFormatNotAcceptable"]);
  });

  test("R13a a crate directly under data/ comes first, before sword.json, tables and XML", () => {
    const files = {
      "data/ro-crate-metadata.json": null,
      "metadata/sword.json": null,
      "a.tsv": "#ItemType",
      "a.xml": JPCOAR,
    };
    expect(detect("SimpleZip", files)).toEqual({ kind: "ro-crate", metadataFile: "data/ro-crate-metadata.json" });
  });

  test("message 18 R13a sword.json in a SimpleZip is refused, before a misplaced crate", () => {
    const files = { "metadata/sword.json": null, "ro-crate-metadata.json": null };
    expect(refusal(() => detect("SimpleZip", files))).toEqual([18, "MetadataFormatNotAcceptable"]);
  });

  test("message 17 R13a a crate anywhere else is misplaced, before tables are read", () => {
    for (const path of ["ro-crate-metadata.json", "x/data/ro-crate-metadata.json", "data/x/ro-crate-metadata.json"]) {
      const files = { [path]: null, "a.tsv": "#ItemType" };
      expect(refusal(() => detect("SimpleZip", files))).toEqual([17, "MetadataFormatNotAcceptable"]);
    }
  });

  test("R13a a table at the top or directly under data/, extension in any case, begins with #ItemType", () => {
    for (const path of ["a.tsv", "data/a.csv", "data/Items.TSV", "A.Csv"]) {
      const files = {
        [path]: "#ItemType",
        "data/other.csv": "year",
        "data/sub/deep.tsv": "#ItemType",
        "a.xml": JPCOAR,
      };
      expect(detect("SimpleZip", files)).toEqual({ kind: "tsv-csv", metadataFile: path });
    }
  });

  test("R13a an XML file whose root is jpcoar:jpcoar, when no table qualifies", () => {
    const other = { name: "jpcoar", namespace: "http://www.w3.org/1999/02/22-rdf-syntax-ns#" };
    const older = { name: "jpcoar", namespace: "https://github.com/JPCOAR/schema/blob/master/1.0/" };
    for (const root of [JPCOAR, older]) {
      const files = { "data/x.csv": "a", "data/o.xml": other, "data/broken.xml": null, "data/m.XML": root };
      expect(detect("SimpleZip", files)).toEqual({ kind: "jpcoar-xml", metadataFile: "data/m.XML" });
    }
  });

  test("message 11 R13a two metadata files of one kind are refused", () => {
    for (const files of [
      { "a.tsv": "#ItemType", "data/b.csv": "#ItemType" },
      { "a.xml": JPCOAR, "data/a.xml": JPCOAR },
    ]) {
      expect(refusal(() => detect("SimpleZip", files))).toEqual([11, "ContentMalformed"]);
    }
  });

  test("R13a a package without metadata is ContentMalformed and has no message of the specification", () => {
    const none: readonly Files[] = [{}, { "data/a.pdf": null }, { "data/a.csv": "year" }, { "x/y.tsv": "#ItemType" }];
    for (const files of none) {
      expect(refusal(() => detect("SimpleZip", files))).toEqual([null, "ContentMalformed"]);
    }
  });
});

describe("flattenName()", () => {
  test.each([
    ["a/b c.pdf", "a%2Fb%20c.pdf"],
    ["a/b.pdf", "a%2Fb.pdf"],
    ["図/表~1_a-b.png", "%E5%9B%B3%2F%E8%A1%A8~1_a-b.png"],
    ["a/100%.txt", "a%2F100%25.txt"],
    ["a/(1)'*!.txt", "a%2F%281%29%27%2A%21.txt"],
    ["b c.pdf", "b c.pdf"],
    ["図.png", "図.png"],
  ])("R13a %s becomes %s", (path, name) => {
    expect(flattenName(path)).toBe(name);
  });

  test("R13a two files that become one name are refused: a literal a%2Fb next to a/b", () => {
    expect(() => flattenNames(["a%2Fb", "a/b"])).toThrow(DocumentError);
    expect([...flattenNames(["a/b", "b", "A/b"]).values()]).toEqual(["a%2Fb", "b", "A%2Fb"]);
  });

  test("R13a a nested path is known from its name alone, whatever is in it", () => {
    const segment = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes("/"));
    fc.assert(
      fc.property(fc.array(segment, { minLength: 2, maxLength: 4 }), (segments) => {
        const path = segments.join("/").toWellFormed();
        const name = flattenName(path);
        expect(name).toMatch(/^[A-Za-z0-9_.\-~%]+$/);
        expect(decodeURIComponent(name)).toBe(path);
      }),
    );
  });
});
