// Item tables as they are read (R13a, R14; specification 2, "Package content rules").

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { TABLE_LIMITS } from "../../../src/formats/tsv/cells.ts";
import { readItemTable } from "../../../src/formats/tsv/read.ts";
import { EMPTY_METADATA } from "../../../src/model/metadata/metadata.ts";
import { firstCell } from "../../../src/repository/deposit/unpacking-package.ts";
import { DocumentError } from "../../../src/shared/document-error.ts";
import { FULL, SIMPLE } from "../../model/item-types/support.ts";
import { agentOf } from "../../support/cited-items.ts";

const TYPES = [FULL, SIMPLE];
const vector = (name: string): Uint8Array => readFileSync(join(import.meta.dirname, "../../vectors/tsv", name));

const ARTICLE = {
  existing: { id: null, uri: null },
  itemType: 1,
  metadata: {
    ...EMPTY_METADATA,
    type: {
      id: "publication-article",
      label: "departmental bulletin paper",
      uri: "http://purl.org/coar/resource_type/c_6501",
    },
    titles: [
      { kind: "main", value: '大学図書館の"いま"①', lang: "ja" },
      { kind: "translated", value: "University libraries, today", lang: "en" },
    ],
    creators: [
      agentOf({
        kind: null,
        names: [
          { full: "山田, 太郎", lang: "ja" },
          { full: "Yamada, Taro", lang: "en" },
        ],
        ids: [{ scheme: "ORCID", value: "0000-0002-1825-0097" }],
      }),
      agentOf({ kind: null, names: [{ full: "髙橋, 花子", lang: "ja" }] }),
    ],
    descriptions: [{ kind: "Abstract", html: false, value: "一行目\n二行目\tタブ, コンマ", lang: "ja" }],
  },
  instructions: {
    index: ["1", "1623632832836"],
    publishStatus: "public",
    editMode: "Keep",
    openDate: "2024-04-01",
  },
  settings: {
    feedbackMail: ["taro@example.org"],
    posIndex: ["紀要/第12巻"],
    doiRa: "JaLC",
    doi: "10.1234/abc",
    researchmapLinkage: "有",
  },
  files: [
    { path: "paper.pdf", access: "open" },
    { path: "data/表.csv", access: "date", accessDate: "2030-01-01" },
  ],
  notes: [],
};

describe("readItemTable()", () => {
  test.each(["article-utf8.tsv", "article-utf8-bom-crlf.tsv", "article-cp932.csv", "article-utf16.tsv"])(
    "R14 %s is one article, with its places, its private settings and its files",
    (name) => {
      expect(firstCell(vector(name))).toBe("#ItemType");
      expect(readItemTable(vector(name), TYPES)).toEqual([{ localId: "_:line6", ...ARTICLE }] as never);
    },
  );

  test("R14 two items, one of which names an existing item and asks for a new version", () => {
    const [first, second] = readItemTable(vector("simple-two-items.csv"), TYPES);
    expect(first?.metadata.titles[0]?.value).toBe("=1+1 and other sums");
    expect(first?.metadata.languages).toEqual(["eng", "deu"]);
    expect(first?.metadata.descriptions[0]?.value).toBe('One line,\na second "line"');
    expect(first?.metadata.custom).toEqual({ "2:note[0].internal": "Z 12" });
    expect(first?.instructions).toEqual({ index: ["1"], publishStatus: "private", openDate: "2024-04-01" });
    expect(first?.files).toEqual([{ path: "numbers.csv" }]);
    expect(second?.existing).toEqual({ id: "12", uri: "https://example.org/records/12" });
    expect(second?.instructions.editMode).toBe("Upgrade");
    expect(second?.localId).toBe("_:line8");
  });

  test("R13a a table is known by its first cell, #ItemType", () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    expect(firstCell(bytes('"#ItemType",x'))).toBe("#ItemType");
    expect(firstCell(bytes("#ItemType\tx"))).toBe("#ItemType");
    for (const text of ["", "id,title", "#ItemTypes\t", "a,#ItemType"]) {
      expect(firstCell(bytes(text))).not.toBe("#ItemType");
    }
    expect(() => readItemTable("id\ttitle\n", TYPES)).toThrow("the first cell of an item table must be #ItemType");
  });
});

/** A table of the simple type with the columns and rows given. */
function table(columns: readonly string[], ...rows: readonly string[]): string {
  const marks = `#${"\t".repeat(columns.length - 1)}`;
  return ["#ItemType\tSimple item type(2)\t", `#${columns.join("\t")}`, marks, marks, marks, ...rows].join("\n");
}
const read = (text: string) => readItemTable(text, TYPES);
const TITLE = ".metadata.title[0].title";

describe("the item type of a table", () => {
  const named = (name: string): number | null | undefined =>
    readItemTable(table([".id"], "").replace("Simple item type(2)", name).concat("\n1"), TYPES)[0]?.itemType;

  test("R4 is the one of id and name, else of the name, else of the id", () => {
    expect(named("Simple item type(2)")).toBe(2);
    expect(named("シンプルアイテムタイプ(77)")).toBe(2);
    expect(named("Simple item type")).toBe(2);
    expect(named("Renamed at home(2)")).toBe(2);
    expect(named("Simple item type(1)")).toBe(2);
  });

  test("message 11 one that is not known is named", () => {
    expect(() => named("Photographs(9)")).toThrow('Line 1, column 2: the item type "Photographs(9)" is unknown');
  });
});

describe("what is wrong in a table is named with line, column and value", () => {
  test.each([
    [
      "rows that are too short",
      table([".id", TITLE, ".uri"], "1\tA"),
      'Line 6, column 2: the row ends here, "A", and the table has 3 columns',
    ],
    ["rows that are too long", table([".id", TITLE], "\tA\tB"), 'Line 6, column 3: "B" is not below any column'],
    ["NUL", table([".id", TITLE], "\tA\0B"), 'Line 6, column 2: "A\\u0000B" holds a NUL character'],
    [
      "an open quote",
      table([".id", TITLE], '\t"A', "\tB"),
      'Line 6, column 2: "A\\n\\tB" opens a quote that is never closed',
    ],
    ["text after a quote", table([".id", TITLE], '\t"A"B'), 'Line 6, column 2: "A" has text after its closing quote'],
    [
      "a high index",
      table([".id", ".metadata.title[999999999].title"]),
      'Line 2, column 2: ".metadata.title[999999999].title" has an index above 9999',
    ],
    [
      "a high index of a path",
      table([".id", ".metadata.path[999999999]"]),
      'Line 2, column 2: ".metadata.path[999999999]" has an index above 9999',
    ],
    [
      "__proto__",
      table([".id", ".metadata.__proto__.polluted"]),
      'Line 2, column 2: ".metadata.__proto__.polluted" is not a property path',
    ],
    ["constructor", table([".id", ".metadata.title[0].constructor.prototype"]), "is not a property path"],
    ["a column twice", table([".id", TITLE, TITLE]), `Line 2, column 3: "${TITLE}" is already in column 2`],
    [
      "a value that is not a choice",
      table([".id", ".metadata.title[0].lang"], "\tjp"),
      'Line 6, column 2 (.metadata.title[0].lang): "jp" is not one of the choices',
    ],
    [
      "a day that is none",
      table([".id", ".metadata.pubdate"], "\t2024-13-01"),
      'Line 6, column 2 (.metadata.pubdate): "2024-13-01" is not a day written as YYYY-MM-DD',
    ],
    [
      "fewer than five headings",
      "#ItemType\tSimple item type(2)\n#.id\n#ID\n1",
      'Line 4, column 1: "1" does not begin with #',
    ],
    ["no columns", "#ItemType\tSimple item type(2)\n", "Line 2: the line that names the columns is missing"],
    [
      "too long a cell",
      table([".id", TITLE], `\t${"x".repeat(TABLE_LIMITS.cellCharacters + 1)}`),
      "Line 6, column 2: the cell is longer than 200000 characters",
    ],
    ["too many columns", table(Array(TABLE_LIMITS.columns + 1).fill(".id")), "the row has more than 100000 columns"],
    ["too many rows", table([".id"], ...Array(TABLE_LIMITS.rows + 1).fill("1")), "the table has more than 10000 rows"],
  ])("message 11 %s", (_, text, message) => {
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).toThrow(DocumentError);
  });

  test("message 11 bytes that are neither UTF-8 nor Windows-31J, and too many of them", () => {
    const bytes = new Uint8Array([...new TextEncoder().encode("#ItemType\t"), 0xff, 0xfd, 0xff]);
    expect(() => readItemTable(bytes, TYPES)).toThrow("neither UTF-8 nor Windows-31J");
    expect(() => readItemTable(new Uint8Array(TABLE_LIMITS.bytes + 1), TYPES)).toThrow("longer than 16777216 bytes");
  });
});

describe("whatever is in a table", () => {
  const cell = fc.oneof(
    fc.constantFrom(
      TITLE,
      ".id",
      ".file_path[0]",
      ".metadata.title[1].lang",
      '"',
      "\t",
      "\n",
      "\r",
      "#",
      "[0]",
      "2024-01-01",
    ),
    fc.string({ unit: "binary", maxLength: 6 }),
  );

  test("R13 property: it is read, or refused with a DocumentError", () => {
    const outcome = (input: string | Uint8Array): boolean => {
      try {
        return readItemTable(input, TYPES).length >= 0;
      } catch (error) {
        return error instanceof DocumentError;
      }
    };
    const heads = fc.constantFrom(
      "#ItemType\tSimple item type(2)\n#",
      table([".id", TITLE]).concat("\n"),
      "#ItemType,",
      "",
    );
    fc.assert(
      fc.property(heads, fc.array(cell, { maxLength: 30 }), (head, cells) => {
        expect(outcome(head + cells.join(""))).toBe(true);
        expect(outcome(head + cells.join("\t"))).toBe(true);
        expect(outcome(new TextEncoder().encode(head + cells.join("\n")))).toBe(true);
      }),
      { numRuns: 300 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => expect(outcome(bytes)).toBe(true)));
    expect(({} as { polluted?: unknown }).polluted).toBe(undefined);
  });
});

describe("what is accepted with a note", () => {
  test("R14 a column the item type does not have: its values are left out and stated", () => {
    const [item] = read(table([".id", TITLE, ".metadata.colour", ".thumbnail_path[0]"], "\tA\tred\t"));
    expect(item?.metadata.titles[0]?.value).toBe("A");
    expect(item?.notes).toEqual([
      'Line 6: the column ".metadata.colour" is not known to the item type, "red" was left out',
    ]);
  });

  test("R4 a column of existing repositories without meaning here is read without a note", () => {
    const text = table([".id", ".metadata.item_1617605131499[0].date[0].dateType"], "\tAvailable");
    const [item] = read(text.replace("Simple item type(2)", "Default item type (full)(1)"));
    expect(item?.notes).toEqual([]);
    expect(item?.files).toEqual([]);
  });

  test("R14 a file name that is not that of its path: the path counts", () => {
    const [item] = read(table([".id", ".file_path[0]", ".metadata.file[0].filename"], "\ta/b.pdf\tc.pdf"));
    expect(item?.files).toEqual([{ path: "a/b.pdf" }]);
    expect(item?.notes).toEqual(['Line 6: the file name "c.pdf" is not that of "a/b.pdf", the path was taken']);
  });

  test("R14 empty cells beyond the columns, empty lines and blanks around values", () => {
    const text = table([".id", TITLE, ""], "", "\t A \t\t\t", "");
    expect(read(text).map((item) => item.metadata.titles)).toEqual([[{ kind: "main", value: "A" }]]);
  });

  test("R14 cells that begin like a formula are values", () => {
    const [item] = read(table([".id", TITLE], "\t=HYPERLINK()"));
    expect(item?.metadata.titles[0]?.value).toBe("=HYPERLINK()");
  });

  test("R14 a table without items has none", () => {
    expect(read(table([".id", TITLE]))).toEqual([]);
  });
});
