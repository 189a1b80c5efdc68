// Readers of CSV and NDJSON rows: line numbers, quotes, broken input, chunks cut anywhere.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { csvLine, csvReader, guardedCell, looksLikeFormula, unguardedCell } from "../../src/shared/text/csv.ts";
import {
  type LastLine,
  NO_LINE_END,
  ndjsonReader,
  ROW_MAX,
  type Row,
  type RowReader,
  readRows,
} from "../../src/shared/text/text-lines.ts";

const encoder = new TextEncoder();

/** All rows of a text handed over in chunks of a given number of bytes. */
async function rowsOf<T>(
  reader: RowReader<T>,
  text: string | Uint8Array,
  chunk = 7,
  lastLine: LastLine = "any",
): Promise<Row<T>[]> {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  }
  const rows: Row<T>[] = [];
  for await (const list of readRows(chunks(), reader, lastLine)) rows.push(...list);
  return rows;
}

const short = <T>(rows: readonly Row<T>[]) =>
  rows.map((row) => ("value" in row ? `${row.line} ${JSON.stringify(row.value)}` : `${row.line} ! ${row.wrong}`));

describe("CSV", () => {
  test.each([
    ["plain rows, LF", "a,b\n1,2\n", ['1 ["a","b"]', '2 ["1","2"]']],
    ["CRLF and a last line without end", "a,b\r\n1,2", ['1 ["a","b"]', '2 ["1","2"]']],
    ["a byte order mark", "\uFEFFark,url\n", ['1 ["ark","url"]']],
    ["empty lines, which count", "a\n\n\r\nb\n", ['1 ["a"]', '4 ["b"]']],
    ["quotes, doubled quotes, commas", '"a,b","c ""d"""\n', ['1 ["a,b","c \\"d\\""]']],
    ["a line break in quotes", 'x,"1\n2\r\n3"\ny,z\n', ['1 ["x","1\\n2\\n3"]', '4 ["y","z"]']],
    ["CR LF in quotes as a newline, a lone CR as it is", 'x,"1\r\n\r\n2\r3"\r\n', ['1 ["x","1\\n\\n2\\r3"]']],
    ["empty fields", ',"",\n', ['1 ["","",""]']],
    ["a quote inside an unquoted field", 'a"b,c\n', ['1 ["a\\"b","c"]']],
    ["text after a closing quote", '"a"b,c\nd\n', ["1 ! has text after a closing quote", '2 ["d"]']],
    ["a quote that never closes", 'a\nb,"c\nd\n', ['1 ["a"]', "2 ! opens a quote that is never closed", '3 ["d"]']],
    ["a quoted field at the very end", '"a","b"', ['1 ["a","b"]']],
  ])("reads %s", async (_, text, expected) => {
    for (const chunk of [1, 2, 7, 1000]) expect(short(await rowsOf(csvReader(), text, chunk))).toEqual(expected);
  });

  test.each([
    [
      "ark,url\na,https://t.example/1\nb,https://t.ex",
      ['1 ["ark","url"]', '2 ["a","https://t.example/1"]', `3 ! ${NO_LINE_END}`],
    ],
    ['a,b\nc,"d"', ['1 ["a","b"]', `2 ! ${NO_LINE_END}`]],
    ["a,b\r\nc,d\r", ['1 ["a","b"]', `2 ! ${NO_LINE_END}`]],
    ["a,b\r\nc,d\r\n", ['1 ["a","b"]', '2 ["c","d"]']],
    ["a,b\nc,d\n", ['1 ["a","b"]', '2 ["c","d"]']],
    ["a", [`1 ! ${NO_LINE_END}`]],
    ["", []],
  ])("a last line without its end may be cut off, and is refused where that is asked: %j", async (text, expected) => {
    for (const chunk of [1, 2, 7, 1000])
      expect(short(await rowsOf(csvReader(), text, chunk, "ended"))).toEqual(expected);
  });

  test("bytes that are not UTF-8 cost one row", async () => {
    const bytes = new Uint8Array([...encoder.encode("ok\n"), 0xff, 0xfe, 10, ...encoder.encode("ok\n")]);
    expect(short(await rowsOf(csvReader(), bytes))).toEqual(['1 ["ok"]', "2 ! is not valid UTF-8", '3 ["ok"]']);
  });

  test("a line without end is refused once and does not fill the memory", async () => {
    const long = "x".repeat(3 * ROW_MAX);
    const rows = await rowsOf(csvReader(), `a\n${long}\nb\n`, 65_536);
    expect(short(rows)).toEqual(['1 ["a"]', `2 ! is longer than ${ROW_MAX} characters`, '3 ["b"]']);
    const quoted = await rowsOf(csvReader(), `"${"line\n".repeat(ROW_MAX)}`, 65_536);
    expect(short(quoted)[0]).toBe(`1 ! opens a quote that is not closed within ${ROW_MAX} characters`);
    expect(quoted).toHaveLength(ROW_MAX);
  });

  test("what is written is read back, whatever it holds and wherever the chunks are cut", async () => {
    const field = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", " ", "é", "😀") });
    const records = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 1, max: 20 }), async (rows, chunk) => {
        const read = await rowsOf(csvReader(), rows.map(csvLine).join(""), chunk);
        expect(read.map((row) => ("value" in row ? row.value : row.wrong))).toEqual(
          rows.map((fields) => fields.map((each) => each.replaceAll("\r\n", "\n"))),
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe("what is written for spreadsheets", () => {
  test("a cell with a line end of any kind is quoted, for readers that take a lone CR for one", () => {
    expect(csvLine(["a\rb", "a\nb", "c"])).toBe('"a\rb","a\nb",c\r\n');
  });

  test("what begins like a formula is guarded, and every cell reads back as it was, guarded or not", () => {
    for (const first of ["=", "+", "-", "@", "\t", "\r"]) {
      expect([first, looksLikeFormula(`${first}1`), guardedCell(`${first}1`)]).toEqual([first, true, `'${first}1`]);
    }
    for (const cell of ["", "a=1", "'a", "'", "1"])
      expect([looksLikeFormula(cell), guardedCell(cell)]).toEqual([false, cell]);
    for (const cell of ["=1", "'=1", "''=1", "'a", "a", ""]) expect(unguardedCell(guardedCell(cell))).toBe(cell);
  });
});

describe("NDJSON", () => {
  test("one object a line, whatever the line end; what is none is refused with its line", async () => {
    const text = '\uFEFF{"ark":"a"}\r\n\n[1]\n{"ark":\n{"ark":"b\\n"}';
    for (const chunk of [1, 7, 1000]) {
      expect(short(await rowsOf(ndjsonReader(), text, chunk))).toEqual([
        '1 {"ark":"a"}',
        "3 ! is not a JSON object",
        "4 ! is not valid JSON",
        '5 {"ark":"b\\n"}',
      ]);
    }
  });

  test("a line without end is refused once and does not fill the memory", async () => {
    const rows = await rowsOf(ndjsonReader(), `{"a":"${"x".repeat(3 * ROW_MAX)}"}\n{"b":1}\n`, 65_536);
    expect(short(rows)).toEqual([`1 ! is longer than ${ROW_MAX} characters`, '2 {"b":1}']);
  });
});
