// Item tables as they are written, and that they read back (R14).

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describedItem } from "../../../src/repository/model/item-description.ts";
import type { DescribedItem } from "../../../src/repository/model/described-package.ts";
import { fromForm } from "../../../src/repository/model/item-types/from-form.ts";
import { toForm } from "../../../src/repository/model/item-types/to-form.ts";
import type { ItemContent } from "../../../src/repository/model/item.ts";
import { readRows, tableLine } from "../../../src/formats/tsv/cells.ts";
import { decodeTable, encodeTable } from "../../../src/formats/tsv/charset.ts";
import { readItemTable } from "../../../src/formats/tsv/read.ts";
import { encodeItemTable, writeItemTable } from "../../../src/formats/tsv/write.ts";
import { ARTICLE, anyMetadata, FILES, FULL, SIMPLE } from "../../repository/item-types/support.ts";

const TYPES = [FULL, SIMPLE];

function item(more: Partial<DescribedItem> = {}): DescribedItem {
  return {
    localId: "_:line6",
    existing: { id: null, uri: null },
    itemType: 1,
    metadata: ARTICLE,
    instructions: {},
    settings: {},
    files: [],
    notes: [],
    ...more,
  };
}

const WHOLE = item({
  existing: { id: "12", uri: "https://example.org/records/12" },
  instructions: { index: ["1", "5"], publishStatus: "private", editMode: "Upgrade", openDate: "2024-04-01" },
  settings: {
    feedbackMail: ["a@example.org", "b@example.org"],
    requestMail: ["c@example.org"],
    posIndex: ["A/B"],
    cnri: "1234/5",
    doiRa: "JaLC",
    doi: "10.1234/abc",
    researchmapLinkage: "on",
  },
  files: FILES,
});

describe("tableLine()", () => {
  test("R14 reads back with every kind of line end, quote and delimiter in a cell, guarded or not", () => {
    const cells = ["a\rb", "a\nb", "a\r\nb", 'say "x"', "a\tb", "a,b", " a ", "c"];
    for (const delimiter of ["\t", ","] as const) {
      expect(readRows(tableLine(cells, delimiter, false), delimiter)).toEqual([{ line: 1, cells }]);
    }
    expect(tableLine(["=1", "\r1", "1"], ",", true)).toBe(`'=1,"'\r1",1\r\n`);
  });
});

describe("writeItemTable()", () => {
  test("R14 five heading lines, then the items; the columns of each value any item has", () => {
    const [type, columns, labels, marks, options, row, end] = writeItemTable([WHOLE], FULL, {
      schemaUrl: "https://example.org/items/jsonschema/1",
    }).split("\r\n");
    expect(type).toBe("#ItemType\tDefault item type (full)(1)\thttps://example.org/items/jsonschema/1");
    expect(columns?.split("\t").slice(0, 16)).toEqual([
      "#.id",
      ".uri",
      ".metadata.path[0]",
      ".metadata.path[1]",
      ".pos_index[0]",
      ".publish_status",
      ".feedback_mail[0]",
      ".feedback_mail[1]",
      ".request_mail[0]",
      ".researchmap_linkage",
      ".cnri",
      ".doi_ra",
      ".doi",
      ".edit_mode",
      ".metadata.pubdate",
      ".metadata.item_1617186331708[0].subitem_1551255647225",
    ]);
    expect(columns).toContain("\t.metadata.item_1617186331708[1].subitem_1551255647225\t");
    expect(labels?.startsWith("#ID\tURI\tPath[0]")).toBe(true);
    expect(labels).toContain("\tTitle[1].Language\t");
    const at = columns?.split("\t").indexOf(".metadata.item_1617258105262.resourceuri") ?? -1;
    expect(marks?.split("\t")[at]).toBe("System");
    expect(options?.split("\t")[15]).toBe("Required, Allow Multiple");
    const widths = [columns, labels, marks, options].map((line) => line?.split("\t").length);
    expect(new Set(widths).size).toBe(1);
    expect(row?.startsWith("12\thttps://example.org/records/12\t1\t5\tA/B\tprivate")).toBe(true);
    expect(end).toBe("");
  });

  test.each([
    ["\t", "utf-8"],
    ["\t", "utf-8-bom"],
    ["\t", "cp932"],
    [",", "utf-8"],
    [",", "cp932"],
  ] as const)("R14 an item with everything reads back from delimiter %j in %s", (delimiter, charset) => {
    const bytes = encodeItemTable([WHOLE], FULL, { delimiter, charset });
    expect(decodeTable(bytes).charset).toBe(charset);
    expect(readItemTable(bytes, TYPES)).toEqual([WHOLE]);
  });

  test("R14 property: items read back as they were written, and what was read is written the same", () => {
    for (const type of [FULL, SIMPLE]) {
      fc.assert(
        fc.property(fc.array(anyMetadata, { minLength: 1, maxLength: 4 }), (all) => {
          const items = all.map((metadata, index) =>
            item({
              localId: "",
              itemType: type.id,
              metadata: fromForm(toForm(metadata, type), type).metadata,
              files: FILES.slice(0, index % 3).map(({ path }) => ({ path })),
            }),
          );
          const text = writeItemTable(items, type);
          const back = readItemTable(text, TYPES);
          expect(back.map((each) => ({ ...each, localId: "" }))).toEqual(items);
          expect(writeItemTable(back, type)).toBe(text);
        }),
        { numRuns: 40 },
      );
    }
  });

  test("R14 the sample tables read the same after they were written again", () => {
    for (const name of ["article-utf8.tsv", "article-cp932.csv", "simple-two-items.csv"]) {
      const type = name.startsWith("simple") ? SIMPLE : FULL;
      const items = readItemTable(readFileSync(join(import.meta.dirname, "../../vectors/tsv", name)), TYPES);
      const again = readItemTable(writeItemTable(items, type), TYPES);
      expect(again.map(({ localId: _, ...each }) => each)).toEqual(items.map(({ localId: _, ...each }) => each));
    }
  });

  test("R29 cells that begin like a formula are guarded when that is asked for, and left alone otherwise", () => {
    const formula = item({ metadata: { ...ARTICLE, titles: [{ kind: "main", value: "=1+1" }] } });
    expect(writeItemTable([formula], FULL)).toContain("\t=1+1\t");
    expect(writeItemTable([formula], FULL, { isGuarded: true })).toContain("\t'=1+1\t");
  });

  test("R4a what the type cannot hold is not in the table", () => {
    const rich = item({ metadata: { ...ARTICLE, sizes: [{ value: "3 boxes" }] } });
    expect(writeItemTable([rich], FULL)).toBe(writeItemTable([item()], FULL));
  });

  test("R14 labels in Japanese when they are asked for", () => {
    expect(writeItemTable([], SIMPLE, { language: "ja" }).split("\r\n")[0]).toBe(
      "#ItemType\tシンプルアイテムタイプ(2)\t",
    );
  });
});

describe("describedItem()", () => {
  const CONTENT: ItemContent = {
    itemType: 1,
    itemTypeVersion: 1,
    metadata: ARTICLE,
    access: { record: "restricted", openDate: "2024-04-01", files: "public", embargoUntil: null, embargoReason: "" },
    indexes: [1, 1623632832836],
    settings: { feedbackMail: ["a@example.org"] },
    files: [
      {
        name: "a%2Fb.pdf",
        storageKey: "k",
        sha256: "00",
        md5: null,
        sizeBytes: 12,
        mediaType: "application/pdf",
        access: "login",
        accessDate: null,
        groups: [3, 7],
        license: "cc-by-4.0",
      },
    ],
  };

  test("R14 an item's table reads back as the same item: its id, places, access, private settings and files", () => {
    const described = describedItem({ id: 12 }, CONTENT, "https://example.org/records/12");
    const table = writeItemTable([described], FULL);
    // The column of the name has it as people wrote it, that of the path leads to the file.
    expect(table.split("\t")).toContain("b.pdf");
    const [back] = readItemTable(table, TYPES);
    expect({ ...back, localId: "_:item12" } as DescribedItem).toEqual(described);
    expect(back?.instructions.publishStatus).toBe("private");
    expect(back?.files).toEqual([
      {
        path: "a%2Fb.pdf",
        mediaType: "application/pdf",
        access: "login",
        groups: ["3", "7"],
        extents: ["12 B"],
        license: "cc-by-4.0",
      },
    ]);
  });

  test("R14 a file keeps the sizes its depositor worded, and shows none of what the repository keeps for itself", () => {
    const files = CONTENT.files.map((file) => ({ ...file, extents: ["24 pages"] }));
    expect(describedItem({ id: 12 }, { ...CONTENT, files }, "https://example.org/records/12").files).toEqual([
      {
        path: "a%2Fb.pdf",
        mediaType: "application/pdf",
        access: "login",
        groups: ["3", "7"],
        extents: ["24 pages"],
        license: "cc-by-4.0",
      },
    ]);
  });
});

describe("Windows-31J", () => {
  test("R14 every character the decoder reads is written back as octets that read the same", () => {
    const decoder = new TextDecoder("shift_jis");
    const text = "ｱ ①Ⅰ㈱纊髙﨑～－∥￢∵≒ソ表能";
    expect(decoder.decode(encodeTable(text, "cp932"))).toBe(text);
    expect([...encodeTable("表Ⅰ髙∵", "cp932")]).toEqual([0x95, 0x5c, 0x87, 0x54, 0xfb, 0xfc, 0x81, 0xe6]);
  });

  test("R14 a character it does not have is named with its line", () => {
    expect(() => encodeTable("a\nb é", "cp932")).toThrow('Line 2: "é" (U+00E9) cannot be written in Windows-31J');
  });
});
