// Workbooks as tables (Q.89): sheets, dates, shared texts, and archives that are not what they state.
import { describe, expect, test } from "bun:test";
import { sharedTexts, sheetCells } from "../../src/formats/view/xlsx/sheet-rows.ts";
import { dateStyles, dateText, workbookOf } from "../../src/formats/view/xlsx/workbook.ts";
import { longestPart } from "../support/parts.ts";
import { TODAY } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";
import { zip } from "../support/zip-writer.ts";

const world = setUpWorld({ pages: true });
const OPEN = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" } as const;

async function viewOf(bytes: Uint8Array, name = "levels.xlsx"): Promise<string> {
  const { key, ...facts } = await world.files.storage.put(
    (async function* () {
      yield bytes;
    })(),
  );
  const mediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  const file = { ...(await world.file(name, "x", { mediaType })), ...facts, storageKey: key };
  const item = await world.publish({ files: [file], access: OPEN });
  return `/records/${item.id}/view/${name}`;
}

const WORKBOOK = `<workbook xmlns:r="r"><sheets><sheet name="水位 &lt;1&gt;" sheetId="1" r:id="rId1"/><sheet name="secret" state="hidden" r:id="rId2"/><sheet name="Two" r:id="rId3"/></sheets></workbook>`;
const RELATIONS = `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Target="/xl/worksheets/sheet3.xml"/></Relationships>`;
const STYLES = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m/d\\ hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`;
const SHARED = `<sst><si><t>Place</t></si><si><t>Day</t></si><si><r><t>東</t></r><r><t>京</t></r><rPh sb="0" eb="1"><t>トウキョウ</t></rPh></si><si><t>&lt;script&gt;alert(1)&lt;/script&gt;</t></si></sst>`;
const SHEET_1 = `<x:worksheet xmlns:x="m"><x:sheetData>
<x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="B1" t="s"><x:v>1</x:v></x:c><x:c r="C1" t="inlineStr"><x:is><x:t>Level</x:t></x:is></x:c><x:c r="D1" t="str"><x:v>Note</x:v></x:c></x:row>
<x:row r="2"><x:c r="A2" t="s"><x:v>2</x:v></x:c><x:c r="B2" s="1"><x:v>45293</x:v></x:c><x:c r="C2"><x:f>0.1+0.2</x:f><x:v>0.30000000000000004</x:v></x:c><x:c r="D2"><x:f>HYPERLINK("javascript:alert(1)")</x:f></x:c></x:row>
<x:row r="4"><x:c r="A4" t="s"><x:v>3</x:v></x:c><x:c r="B4" s="1"><x:v>45300</x:v></x:c><x:c r="D4" t="b"><x:v>1</x:v></x:c></x:row>
</x:sheetData></x:worksheet>`;
const SHEET_3 = `<worksheet><sheetData><row><c s="2"><v>45293.75</v></c><c t="e"><v>#N/A</v></c></row></sheetData></worksheet>`;

const partsOf = (more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  "xl/workbook.xml": WORKBOOK,
  "xl/_rels/workbook.xml.rels": RELATIONS,
  "xl/styles.xml": STYLES,
  "xl/sharedStrings.xml": SHARED,
  "xl/worksheets/sheet1.xml": SHEET_1,
  "xl/worksheets/sheet2.xml": "<worksheet><sheetData><row><c><v>4711</v></c></row></sheetData></worksheet>",
  "xl/worksheets/sheet3.xml": SHEET_3,
  ...more,
});
const zipOf = (parts: Readonly<Record<string, string>>): Uint8Array =>
  zip(Object.entries(parts).map(([name, bytes]) => ({ name, bytes, deflate: true })));

describe("a workbook", () => {
  test("Q.89 Q.82 its sheets are tables with dates, shared texts and stored values; hidden sheets are left out", async () => {
    const path = await viewOf(zipOf(partsOf()));
    const { text, headers } = await world.visitor().get(path);
    expect(text).toContain(`<a href="${path}" aria-current="page"><bdi>水位 &lt;1&gt;</bdi></a>`);
    expect(text).toContain(`<a href="${path}?part=2"><bdi>Two</bdi></a>`);
    expect(text).not.toContain("secret");
    expect(text).toContain(
      '<th scope="col">Place</th><th scope="col">Day</th><th scope="col" class="number">Level</th><th scope="col">Note</th>',
    );
    expect(text).toContain(
      '<tr><th scope="row">2</th><td>東京</td><td>2024-01-02</td><td class="number">0.3</td><td>=HYPERLINK(&quot;javascript:alert(1)&quot;)</td></tr>',
    );
    expect(text).toContain(
      '<th scope="row">4</th><td>&lt;script&gt;alert(1)&lt;/script&gt;</td><td>2024-01-09</td><td class="number"></td><td>TRUE</td>',
    );
    expect(text).toContain("2024-01-02 to 2024-01-09");
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe|data:/);
    const second = (await world.visitor().get(`${path}?part=2`)).text;
    expect(second).toContain("<td>2024-01-02 18:00:00</td><td>#N/A</td>");
    for (const part of ["0", "9", "../sheet2", "secret"]) {
      expect((await world.visitor().get(`${path}?part=${part}`)).text).toContain("東京");
    }
  });

  test("Q.89 days are counted as spreadsheets do", () => {
    const day = { hasDay: true, hasTime: false };
    const both = { hasDay: true, hasTime: true };
    const time = { hasDay: false, hasTime: true };
    expect([1, 59, 61, 45293].map((serial) => dateText(serial, day, false))).toEqual([
      "1900-01-01",
      "1900-02-28",
      "1900-03-01",
      "2024-01-02",
    ]);
    expect(dateText(0, day, true)).toBe("1904-01-01");
    expect([dateText(45293.999994, both, false), dateText(0.5, time, false), dateText(1.5, time, false)]).toEqual([
      "2024-01-02 23:59:59",
      "12:00:00",
      null,
    ]);
    expect([-1, 2_958_466, Number.NaN].map((serial) => dateText(serial, day, false))).toEqual([null, null, null]);
    const codes = ["0.00", "General", "[Red]0", "d-mmm", "[h]:mm", '"day"0', "mm:ss", "yyyy"];
    const formats = codes.map(
      (code, at) => `<numFmt numFmtId="${at + 200}" formatCode="${code.replaceAll('"', "&quot;")}"/>`,
    );
    const cells = codes.map((_, at) => `<xf numFmtId="${at + 200}"/>`);
    const styles = dateStyles(`<s><numFmts>${formats.join("")}</numFmts><cellXfs>${cells.join("")}</cellXfs></s>`);
    expect(styles).toEqual([null, null, null, day, time, null, time, day]);
  });

  test.each([
    ["that is not an archive", () => new TextEncoder().encode("a,b\n1,2"), "Its content is not of the kind"],
    ["that is another archive", () => zipOf({ "a.txt": "x" }), "Its content is not of the kind"],
    [
      "without the part of its sheet",
      () => zipOf(partsOf({ "xl/_rels/workbook.xml.rels": "<R/>" })),
      "Its content is not of the kind",
    ],
    ["with a broken workbook", () => zipOf(partsOf({ "xl/workbook.xml": "<<<" })), "Its content is not of the kind"],
    ["that breaks off", () => zipOf(partsOf()).slice(0, -40), "Its content is not of the kind"],
    [
      "of too many entries",
      () => zipOf(Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`a${at}`, ""]))),
      "It has more parts",
    ],
    [
      "of before 2007",
      () => Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]),
      "It is of a kind that browsers cannot show",
    ],
    [
      "that is encrypted",
      () =>
        Uint8Array.from([
          0xd0,
          0xcf,
          0x11,
          0xe0,
          ...[..."EncryptedPackage"].flatMap((each) => [each.charCodeAt(0), 0]),
        ]),
      "It is encrypted.",
    ],
  ])("Q.81 Q.89 one %s states it", async (_what, bytesOf, reason) => {
    const { status, text } = await world.visitor().get(await viewOf(bytesOf()));
    expect([status, text.includes(reason)]).toEqual([200, true]);
  });

  test("Q.89 R9a parts that inflate to forty megabytes are read up to their limit", async () => {
    const sheet = `<worksheet><sheetData><row r="1"><c t="s"><v>0</v></c><c t="s"><v>5000000</v></c></row>${" ".repeat(40_000_000)}</sheetData></worksheet>`;
    const shared = `<sst><si><t>${"x".repeat(40_000_000)}</t></si></sst>`;
    const path = await viewOf(zipOf(partsOf({ "xl/worksheets/sheet1.xml": sheet, "xl/sharedStrings.xml": shared })));
    const { status, text } = await world.visitor().get(path);
    expect([status, text.includes("<td>…</td>"), text.length < 20_000]).toEqual([200, true, true]);
  });

  test.each([
    ["cells", `<worksheet><sheetData><row>${'<c t="s"><v>1</v></c>'.repeat(200_000)}</row></sheetData></worksheet>`],
    ["rows", `<worksheet><sheetData>${"<row/>".repeat(500_000)}</sheetData></worksheet>`],
    ["a far row", '<row r="1e9"><c r="A1"/></row>'.repeat(100_000)],
    ["a far column", `<row>${'<c r="XFD1"><v>1</v></c>'.repeat(100_000)}</row>`],
    ["long values", `<row><c><v>${"1".repeat(4_000_000)}</v></c></row>`],
    ["attributes", `<row><c ${'a="b" '.repeat(600_000)}/></row>`],
    ["nested tags", "<row><c>".repeat(400_000)],
  ])("Q.89 R9a a sheet of %s is read in short parts", (_what, xml) => {
    const { value, ms } = longestPart(sheetCells(xml, { styles: [], isFrom1904: false }));
    const cells = value.rows.reduce((sum, row) => sum + row.length, 0);
    expect([value.rows.length <= 1_001, cells <= 100_100]).toEqual([true, true]);
    expect(Math.max(ms, longestPart(sharedTexts(xml, new Set([1]))).ms)).toBeLessThan(250);
  });

  test("Q.89 R9a shared texts, sheets and styles without end are read up to a limit", () => {
    const texts = longestPart(
      sharedTexts(`<sst>${"<si><t>x</t></si>".repeat(200_000)}</sst>`, new Set([199_999, 300_000])),
    );
    expect([[...texts.value], texts.ms < 250]).toEqual([[[199_999, "x"]], true]);
    const many = `<workbook>${'<sheet name="a" r:id="r"/>'.repeat(30_000)}</workbook>`;
    expect(workbookOf(many, '<R><Relationship Id="r" Target="a.xml"/></R>').sheets.length).toBe(100);
    expect(dateStyles(`<s><cellXfs>${'<xf numFmtId="14"/>'.repeat(40_000)}</cellXfs></s>`).length).toBe(10_000);
  });
});
