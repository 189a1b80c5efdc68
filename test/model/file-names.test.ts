// Names of files as people wrote them (R13a, R19a): read back from the flattened form, never misleading, never losing
// their address.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  downloadName,
  FOLDER_DEPTH,
  fileTree,
  folderAt,
  shownFileName,
  shownPath,
} from "../../src/model/files/file-names.ts";
import { contentDisposition } from "../../src/model/files/file-serving.ts";
import { filePath } from "../../src/model/items/addresses.ts";
import { flattenName } from "../../src/repository/items/content.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be left.
const MISLEADING = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029\uFEFF]/;

describe("filePath()", () => {
  test.each(["a/b.txt", "100%25.txt", "50% & more?.pdf", "no#1.txt", "図.png", "a b+c.txt"])(
    "R19a %s is one segment of the address, and comes back out of it as it was",
    (name) => {
      const { pathname, search, hash } = new URL(filePath(7, name), "https://repo.example.org");
      const segments = pathname.split("/");
      expect([segments.length, search, hash]).toEqual([5, "", ""]);
      expect(decodeURIComponent(segments[4] ?? "")).toBe(name);
    },
  );
});

describe("shownFileName()", () => {
  test.each([
    ["data%2Ftide_2020.csv", "data/tide_2020.csv"],
    ["%E5%9B%B3%2F%E5%86%99%E7%9C%9F.png", "図/写真.png"],
    ["%E5%86%99%E7%9C%9F.png", "写真.png"],
    ["写真.png", "写真.png"],
    ["a%2Fb%20c.pdf", "a/b c.pdf"],
    // Nobody's encoding: these are the names people gave.
    ["100%25.txt", "100%25.txt"],
    ["a%20b.txt", "a%20b.txt"],
    ["data%2ftide.csv", "data%2ftide.csv"],
    ["50% off.txt", "50% off.txt"],
    ["%", "%"],
    ["%E5%86", "%E5%86"],
    ["a%2Fb c.txt", "a%2Fb c.txt"],
    // What is not seen is shown as an escape.
    ["a\u202Efdp.exe", "a[U+202E]fdp.exe"],
    ["a%2F%E2%80%AEfdp.exe", "a/[U+202E]fdp.exe"],
    ["a%0Ab.txt", "a[U+000A]b.txt"],
    ["\u200Bx", "[U+200B]x"],
    ["a\u{E0041}", "a[U+E0041]"],
    ["\ud800.txt", "[U+D800].txt"],
    // What belongs to a script or an emoji stays.
    ["👩\u200D🔬.png", "👩\u200D🔬.png"],
    ["می\u200Cخواهم.txt", "می\u200Cخواهم.txt"],
    ["<b>.txt", "<b>.txt"],
  ])("R13a shows %j as %j", (kept, shown) => {
    expect(shownFileName(kept)).toBe(shown);
  });

  test("R13a returns every path that a deposit flattened, its unseen characters reported", () => {
    const part = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => !text.includes("/"));
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 5 }), (parts) => {
        const path = parts.join("/");
        const shown = shownFileName(flattenName(path));
        expect(
          shown.replace(/\[U\+([0-9A-F]{4,6})\]/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16))),
        ).toBe(path.replace(/\[U\+([0-9A-F]{4,6})\]/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16))));
      }),
    );
  });

  test("R19a whatever a name holds, what is shown and what is downloaded mislead nobody", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (name) => {
        expect(shownFileName(name)).not.toMatch(MISLEADING);
        expect(shownFileName(encodeURIComponent(name.toWellFormed()))).not.toMatch(MISLEADING);
        const saved = downloadName(name);
        expect(saved).not.toMatch(MISLEADING);
        expect(saved).not.toMatch(/^\.{0,2}$|\//);
        expect(contentDisposition("attachment", saved)).toMatch(/^[\x20-\x7E]*$/);
      }),
    );
  });

  test.each([
    ["data%2Ftide_2020.csv", 'attachment; filename="tide_2020.csv"'],
    ["data%2F%E5%86%99%E7%9C%9F.png", "attachment; filename=\"__.png\"; filename*=UTF-8''%E5%86%99%E7%9C%9F.png"],
    ["写真.png", "attachment; filename=\"__.png\"; filename*=UTF-8''%E5%86%99%E7%9C%9F.png"],
    ["a\u202Efdp.exe", 'attachment; filename="a_fdp.exe"'],
    ["a%2F..", 'attachment; filename="file"'],
  ])("R19a %j is saved as its own name without folders: %s", (kept, header) => {
    expect(contentDisposition("attachment", downloadName(kept))).toBe(header);
  });
});

describe("fileTree()", () => {
  const file = (name: string, sizeBytes = 1) => ({ name: flattenName(name), sizeBytes });
  const tree = (...names: readonly string[]) =>
    fileTree(
      names.map((name) => file(name)),
      ({ name }) => shownPath(name),
    );

  test("R13a folders hold what is in them, counted with everything below", () => {
    const top = tree("readme.txt", "data/a.csv", "data/raw/b.csv", "図/写真.png", "data/c.csv");
    expect(top.files.map(({ name }) => name)).toEqual(["readme.txt"]);
    expect(top.folders.map(({ name, count, sizeBytes }) => [name, count, sizeBytes])).toEqual([
      ["data", 3, 3],
      ["図", 1, 1],
    ]);
    expect(folderAt(top, ["data"])?.files.map(({ name }) => name)).toEqual(["a.csv", "c.csv"]);
    expect(folderAt(top, ["data", "raw"])?.path).toEqual(["data", "raw"]);
    expect(folderAt(top, ["data", "none"])).toBeNull();
    expect(top.count).toBe(5);
  });

  test("R9a folders have a depth, and what is not a path stays a name", () => {
    const deep = tree(`${"d/".repeat(500)}x.txt`);
    let depth = 0;
    for (let at = deep.folders[0]; at !== undefined; at = at.folders[0]) depth += 1;
    expect(depth).toBe(FOLDER_DEPTH);
    const odd = tree("/etc/passwd", "a//b", "../up", "constructor/x", "__proto__/y");
    expect(odd.files.map(({ name }) => name)).toEqual(["/etc/passwd", "a//b", "../up"]);
    expect(odd.folders.map(({ name }) => name)).toEqual(["constructor", "__proto__"]);
  });
});
