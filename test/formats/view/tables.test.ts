// Tables as viewers read them (Q.86): separators, quotes, names of columns, types and ranges.
import { describe, expect, test } from "bun:test";
import { delimiterIn, readDelimited } from "../../../src/formats/view/delimited.ts";
import { letters, sheetView } from "../../../src/formats/view/sheet.ts";
import { runWithoutYielding } from "../../../src/shared/time/event-loop.ts";
import { cpuTime, longestPart } from "../../support/parts.ts";

const rowsOf = (text: string) => runWithoutYielding(readDelimited(text, delimiterIn(text), false));
const viewOf = (text: string) => sheetView(rowsOf(text));

describe("a table as text", () => {
  test.each([
    [
      "a,b\r\n1,2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      'a;b\n"x;""y""\nz";2',
      [
        ["a", "b"],
        ['x;"y"\nz', "2"],
      ],
    ],
    [
      "a\tb\n\n \t",
      [
        ["a", "b"],
        [" ", ""],
      ],
    ],
    [
      "a|b|\n1|2|3",
      [
        ["a", "b", ""],
        ["1", "2", "3"],
      ],
    ],
    [
      'a,"never closed\n1,2',
      [
        ["a", '"never closed'],
        ["1", "2"],
      ],
    ],
    ['"a"b,"c" d', [["ab", "c d"]]],
    ["=1+1,@SUM(A1),+2,-3", [["=1+1", "@SUM(A1)", "+2", "-3"]]],
  ])("Q.86 %j is read as rows of cells", (text, rows) => {
    expect(rowsOf(text).rows).toEqual(rows);
  });

  test("Q.86 names of columns are the first row where it has only texts; each column has type, values and range", () => {
    const { columns, rows, count, first } = viewOf(
      "id,when,size,code,ok,note,none,more\n2,2024/1/9,1.5,007,yes,x,,1\n10,2023-12-31 08:00,-2e3,012,no,3,,\n-1,2024/01/10,7,9,TRUE,2024-01-01,,z\n",
    );
    expect(columns).toEqual([
      { name: "id", type: "integer", filled: 3, range: ["-1", "10"] },
      { name: "when", type: "date", filled: 3, range: ["2023-12-31 08:00", "2024/01/10"] },
      { name: "size", type: "number", filled: 3, range: ["-2e3", "7"] },
      { name: "code", type: "mixed", filled: 3, range: null },
      { name: "ok", type: "boolean", filled: 3, range: null },
      { name: "note", type: "mixed", filled: 3, range: null },
      { name: "none", type: "empty", filled: 0, range: null },
      { name: "more", type: "mixed", filled: 2, range: null },
    ]);
    expect([rows.length, count, first]).toEqual([3, 3, 2]);
    const bare = viewOf("1,a\n2,b");
    expect([bare.columns.map(({ name }) => name), bare.count, bare.first]).toEqual([["A", "B"], 2, 1]);
    expect([letters(25), letters(26), letters(701), letters(702)]).toEqual(["Z", "AA", "ZZ", "AAA"]);
  });

  test("Q.86 1,000 rows and 100 columns are kept, all are counted", () => {
    const wide = Array.from({ length: 150 }, (_, at) => `c${at}`).join(",");
    const { rows, columns, columnsLeft, count } = viewOf(`${wide}\n${"1,2\n".repeat(2_500)}`);
    expect([rows.length, columns.length, columnsLeft, count]).toEqual([1_000, 100, 50, 2_500]);
    const [[cell = ""] = []] = rowsOf(`${"長".repeat(1_000)},b`).rows;
    expect([cell.length, cell.endsWith("…")]).toEqual([301, true]);
  });

  test.each([
    ["one cell", "x".repeat(1_000_000)],
    ["one row", "x,".repeat(500_000)],
    ["empty rows", "\n".repeat(1_000_000)],
    ["quotes", '"'.repeat(1_000_000)],
    ["quotes that are never closed", '"a,'.repeat(325_000)],
    ["pairs of quotes", '"",'.repeat(325_000)],
    ["digits", `${"1".repeat(300)},${"1e".repeat(150)}\n`.repeat(1_500)],
    ["spaces", `${" ".repeat(299)}\n`.repeat(3_250)],
  ])("R9a Q.86 1 MB of %s are read in short parts", (_what, text) => {
    const { value, ms } = longestPart(readDelimited(text, delimiterIn(text), false));
    const whole = cpuTime(() => sheetView(value));
    expect(Math.max(ms, whole)).toBeLessThan(250);
  });
});
