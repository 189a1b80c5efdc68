// Reading ANVL however the text is cut into pieces, and what is not ANVL (A37).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { anvlReader, anvlText, printAnvl } from "../../src/ark/anvl.ts";
import { EZID_ANVL } from "../../src/ark/foreign-exports.ts";
import { ROW_MAX } from "../../src/shared/text/text-lines.ts";

const read = (text: string, size = text.length) => {
  const reader = anvlReader(EZID_ANVL);
  const rows = [];
  for (let at = 0; at < text.length; at += Math.max(1, size)) rows.push(...reader.push(text.slice(at, at + size)));
  return [...rows, ...reader.end()].map((row) =>
    "wrong" in row ? row : { ...row, value: Object.fromEntries(row.value) },
  );
};

describe("anvlReader()", () => {
  test("gives records with the line they begin on, cut wherever the pieces end", () => {
    const text = ":: ark:/1/a\r\n_status: public\r\nlong: one\r\n\t two\r\n\r\n:: ark:/1/b\nx: 1\nx: 2\nempty:\n";
    const whole = read(text);
    expect(whole).toEqual([
      { line: 1, value: { "::": "ark:/1/a", _status: "public", long: "one two" } },
      { line: 6, value: { "::": "ark:/1/b", x: "1; 2", empty: "" } },
    ]);
    for (let size = 1; size < text.length; size++) expect(read(text, size)).toEqual(whole);
  });

  test("refuses a line without a label, a first line that goes on, and a record without end", () => {
    expect(read("no label here\n\n:: ark:/1/a\n")).toMatchObject([
      { line: 1, wrong: expect.stringContaining("without a label") },
      { line: 3, value: { "::": "ark:/1/a" } },
    ]);
    expect(read("  goes on\n")).toMatchObject([{ wrong: expect.stringContaining("goes on with nothing") }]);
    const long = read(`:: ark:/1/a\nx: ${"y".repeat(ROW_MAX * 2)}\n\n:: ark:/1/b\nz: 1\n`, 50_000);
    expect(long.at(0)).toMatchObject({ line: 1, wrong: expect.stringContaining("is longer than") });
    expect(long.at(-1)).toMatchObject({ value: { "::": "ark:/1/b", z: "1" } });
  });

  test("A37 reads back every value the printer writes", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 }).map((value) => value.trim());
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("who", "what", "a:b", "c%d"), text)), (elements) => {
        const kept = [...new Map(elements.filter(([, value]) => value !== "" && !value.includes("\uFFFD")))];
        const printed = printAnvl([{ name: "erc", elements: kept }]);
        const [row] = read(printed);
        expect(row).toEqual({ line: 1, value: { erc: "", ...Object.fromEntries(kept) } });
      }),
      { numRuns: 200 },
    );
  });

  test("undoes percent-encoding of UTF-8 and of single bytes; a lone % stays", () => {
    expect(anvlText("%E6%BC%A2 100% %E9 %25")).toBe("漢 100% é %");
  });
});
