// The words of files of every format, in the thread of the test (src/repository/full-text/read-text.ts; R35).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { textHere } from "../../../src/main/text-here.ts";
import type { TextOutcome } from "../../../src/repository/store/text-reading.ts";
import { archive, docx, epub, japanesePdf, latinPdf, lockedPdf, predefinedCmapPdf } from "../../support/text-files.ts";

const read = textHere(60);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function readFile(bytes: Uint8Array, name = "file", mediaType = "application/octet-stream", characters = 10_000) {
  return read({ name, mediaType, sizeBytes: bytes.length, characters, isCut: false }, bytes);
}
const words = async (...file: Parameters<typeof readFile>): Promise<string> => {
  const { state, text } = await readFile(...file);
  expect(state).toBe("done");
  return text;
};
const outcome = (state: TextOutcome["state"], reason: string): TextOutcome => ({ state, reason, text: "" });

describe("PDF", () => {
  test("R35 Japanese by a compressed ToUnicode map: a word that goes over the end of a line is one word", async () => {
    const pdf = japanesePdf(["図書館の目", "録を調べる"], "Research data");
    expect(await words(pdf, "a.pdf")).toBe("図書館の目録を調べる\nResearch data");
  });

  test("R35 Japanese by a predefined CMap that the file does not hold", async () => {
    expect(await words(predefinedCmapPdf("907d8f918ad9"), "b.pdf")).toBe("図書館");
  });

  test("R35 pages in their order; a word that was hyphenated at the end of a line is whole again", async () => {
    const pdf = latinPdf(["Persistent identi-", "fiers for libraries"], ["Second page"]);
    expect(await words(pdf)).toBe("Persistent identifiers for libraries\f\nSecond page");
  });

  test("R27k the ends of pages are kept, of empty ones too; what goes on on the next page stays one word", async () => {
    const text = await words(latinPdf(["One identi-"], ["fiers on", "two"], [], ["and four"]));
    expect(text).toBe("One identifiers\f on\ntwo\f\f\nand four");
    expect(text.slice(0, text.indexOf("four")).split("\f")).toHaveLength(4);
  });

  test("R35 it is known by its bytes, whatever it is called", async () => {
    expect(await words(latinPdf(["Hidden"]), "picture.jpg", "image/jpeg")).toBe("Hidden");
    expect(await words(new Uint8Array([0, 1, 2, 3, ...latinPdf(["Behind other bytes"])]))).toBe("Behind other bytes");
    expect(await words(utf8("A PDF begins with %PDF-1.7"))).toBe("A PDF begins with %PDF-1.7");
  });

  test("R35 with a password, broken, without words: each reports it", async () => {
    expect(await readFile(lockedPdf())).toEqual(outcome("encrypted", "It opens with a password only"));
    const broken = await readFile(utf8("%PDF-1.7\nthis is not a PDF"));
    expect([broken.state, broken.reason.startsWith("It is a broken PDF: ")]).toEqual(["unreadable", true]);
    expect(await readFile(latinPdf([]))).toEqual(outcome("empty", ""));
  });

  test("R35 of a damaged one what is there: the table of its objects is rebuilt", async () => {
    const text = Buffer.from(latinPdf(["Still readable"])).toString("latin1");
    const damaged = text.replace(/startxref\n\d+/, "startxref\n7").replaceAll("00000 n", "00001 n");
    expect(await words(new Uint8Array(Buffer.from(damaged, "latin1")))).toBe("Still readable");
  });

  test("R35 no more characters than are kept, and it is reported", async () => {
    const pdf = latinPdf(...Array.from({ length: 50 }, (_, at) => [`Page ${at} has these words`]));
    const { state, reason, text } = await readFile(pdf, "a.pdf", "application/pdf", 40);
    expect([state, reason, text.length]).toEqual(["done", "Only the first 40 characters are kept", 40]);
  });
});

describe("office documents and books", () => {
  test("R35 DOCX: paragraphs, tabs and notes; neither what was deleted nor a fallback, which repeats it", async () => {
    const body = `<w:p><w:r><w:t>研究</w:t></w:r><w:r><w:t>データ</w:t><w:tab/><w:t xml:space="preserve">A &amp; B</w:t></w:r></w:p>
      <w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>
      <mc:AlternateContent><mc:Choice><w:p><w:t>box</w:t></w:p></mc:Choice><mc:Fallback><w:p><w:t>box</w:t></w:p></mc:Fallback></mc:AlternateContent>`;
    const notes = "<w:footnotes><w:footnote><w:p><w:t>A note</w:t></w:p></w:footnote></w:footnotes>";
    expect(await words(await docx(body, { "word/footnotes.xml": notes }))).toBe("研究データ A & B\nbox\nA note");
  });

  test("R35 XLSX: texts of cells without the readings above them, and formulas' inline texts", async () => {
    const book = await archive({
      "xl/workbook.xml": "<workbook/>",
      "xl/sharedStrings.xml":
        "<sst><si><t>東京</t><rPh sb='0' eb='2'><t>トウキョウ</t></rPh></si><si><r><t>New </t></r><r><t>York</t></r></si></sst>",
      "xl/worksheets/sheet1.xml":
        "<worksheet><sheetData><row><c t='s'><v>0</v></c><c t='inlineStr'><is><t>inline</t></is></c></row></sheetData></worksheet>",
    });
    expect(await words(book)).toBe("東京\nNew York\ninline");
  });

  test("R35 PPTX: slides in the order of their numbers, then their notes", async () => {
    const slide = (text: string): string => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
    const talk = await archive({
      "ppt/presentation.xml": "<p:presentation/>",
      "ppt/slides/slide10.xml": slide("ten"),
      "ppt/slides/slide2.xml": slide("two"),
      "ppt/slides/slide1.xml": slide("one"),
      "ppt/notesSlides/notesSlide1.xml": slide("spoken"),
    });
    expect(await words(talk)).toBe("one\ntwo\nten\nspoken");
  });

  test("R35 ODT: paragraphs, spaces and tabs; neither styles nor deleted text nor readings", async () => {
    const content = `<office:document-content><office:automatic-styles><number:text>style</number:text></office:automatic-styles>
      <office:body><office:text><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h>章</text:h>
      <text:p>one<text:s/>two<text:tab/>three<text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby></text:p>
      </office:text></office:body></office:document-content>`;
    expect(
      await words(await archive({ mimetype: "application/vnd.oasis.opendocument.text", "content.xml": content })),
    ).toBe("章\none two three漢字");
  });

  test("R35 EPUB: chapters in the order of the spine", async () => {
    const book = await epub({ second: "<p>先に<ruby>読<rt>よ</rt></ruby>む</p>", first: "<p>then this</p>" });
    expect(await words(book)).toBe("second\n先に読む\nfirst\nthen this");
  });

  test("R35 encrypted ones: of Office, of OpenDocument, of a book; fonts that are hidden keep no book from being read", async () => {
    const office = new Uint8Array(2048);
    office.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    [..."EncryptedPackage"].forEach((character, at) => {
      office[1024 + at * 2] = character.charCodeAt(0);
    });
    const locked = outcome("encrypted", "It opens with a password only");
    expect(await readFile(office)).toEqual(locked);
    expect(await readFile(office.fill(0, 8))).toEqual(
      outcome("unsupported", "Office documents of before 2007 are not read"),
    );
    const described = (mark: string) =>
      archive({ "content.xml": "words", "META-INF/manifest.xml": `<manifest:manifest>${mark}</manifest:manifest>` });
    expect(await readFile(await described("<manifest:file-entry/>"))).not.toEqual(locked);
    for (const mark of ["<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>", "<encrypted-key/>"]) {
      expect(await readFile(await described(mark))).toEqual(locked);
    }
    const hides = (uri: string) => ({
      "META-INF/encryption.xml": `<encryption><enc:CipherReference URI="${uri}"/></encryption>`,
    });
    expect(await readFile(await epub({ one: "<p>words</p>" }, hides("OEBPS/text/one.xhtml")))).toEqual(locked);
    expect(await words(await epub({ one: "<p>words</p>" }, hides("OEBPS/font.otf")))).toBe("one\nwords");
  });

  test("R35 a mere archive is not a document; a broken one is reported as broken", async () => {
    expect(await readFile(await archive({ "a.txt": "words" }))).toEqual(
      outcome("unsupported", "It is an archive, not a document"),
    );
    const document = await docx("<w:p><w:t>words</w:t></w:p>");
    expect((await readFile(document.slice(0, 200))).state).toBe("unreadable");
  });
});

describe("HTML, XML and text", () => {
  test("R35 HTML: words without scripts and styles, references as characters, one line a block", async () => {
    const page = `<!DOCTYPE html><html><head><title>T &eacute;</title><style>p { color: red }</style></head>
      <body><h1>Head</h1><p>a<b>b</b>c &#x65e5;&#26412;&nbsp;d</p><script>var x = "<p>not</p>";</script><!-- no --><br>last</body></html>`;
    expect(await words(utf8(page), "page.html", "text/html")).toBe("T é\nHead\nabc 日本 d\nlast");
  });

  test("R35 HTML in the encoding that it names", async () => {
    const head = utf8('<html><meta charset="Shift_JIS"><p>');
    const bytes = new Uint8Array([...head, 0x93, 0xfa, 0x96, 0x7b]);
    expect(await words(bytes)).toBe("日本");
  });

  test("R35 XML: the text of its elements; entities that it defines are never expanded", async () => {
    const article = "<?xml version='1.0'?><article><title>T</title><p>one <i>two</i></p><![CDATA[<x>&]]></article>";
    expect(await words(utf8(article))).toBe("T\none \ntwo\n<x>&".replace(" \n", "\n"));
    const lol = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join("");
    const bomb = `<?xml version="1.0"?><!DOCTYPE b [<!ENTITY l0 "lol">${lol}]><b>before &l9; after</b>`;
    expect(await readFile(utf8(bomb))).toEqual({
      state: "done",
      reason: "Entities that it defines itself are left out",
      text: "before after",
    });
  });

  const JAPANESE = "国立国会図書館の蔵書、データと目録。\n";
  const SHIFT_JIS = "8d91 97a7 8d91 89ef 907d 8f91 8ad9 82cc 91a0 8f91";
  const EUC_JP = "b9f1 cea9 b9f1 b2f1 bfde bdf1 b4db a4ce c2a2 bdf1";
  const JIS = "1b2442 3971 4e29 3971 3271 3f5e 3d71 345b 244e 4222 3d71 1b2842";
  const bytesOf = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"));
  const wide = (text: string, littleEndian: boolean): number[] =>
    [...text].flatMap((character) => {
      const code = character.charCodeAt(0);
      return littleEndian ? [code & 0xff, code >> 8] : [code >> 8, code & 0xff];
    });
  test.each([
    ["UTF-8", utf8(JAPANESE), JAPANESE],
    ["UTF-8 with a byte order mark", new Uint8Array([0xef, 0xbb, 0xbf, ...utf8(JAPANESE)]), JAPANESE],
    ["UTF-16 with a byte order mark", new Uint8Array([0xff, 0xfe, ...wide(JAPANESE, true)]), JAPANESE],
    ["UTF-16 of the other order", new Uint8Array([0xfe, 0xff, ...wide(JAPANESE, false)]), JAPANESE],
    ["UTF-16 without one", new Uint8Array(wide("title,書名\nyear,年\n", true)), "title,書名\nyear,年\n"],
    ["Shift_JIS", bytesOf(SHIFT_JIS), "国立国会図書館の蔵書"],
    ["EUC-JP", bytesOf(EUC_JP), "国立国会図書館の蔵書"],
    ["ISO-2022-JP", bytesOf(JIS), "国立国会図書館の蔵書"],
    ["Windows-1252", new Uint8Array([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x20]), "Müller"],
  ])("R35 plain text and CSV in %s", async (_name, bytes, text) => {
    expect(await words(bytes, "list.csv", "text/csv")).toBe(text.trim());
  });

  test("R35 half of a character at the end of what was read is not a reason to take the rest for another encoding", async () => {
    const bytes = utf8("図書館".repeat(100));
    expect(await words(bytes.subarray(0, bytes.length - 1))).toBe(`${"図書館".repeat(99)}図書`);
  });

  test("R35 what no database keeps is left out; spaces and empty lines are one", async () => {
    expect(await words(utf8("a\u00ADb  \t c\u0007\n\n \n d \uFFFF"), "a.txt", "text/plain")).toBe("ab c\nd");
  });

  test("R35 bytes that are not text, pictures and printers' languages have no words", async () => {
    const none = outcome("unsupported", "It is of no format whose words can be read");
    expect(
      await readFile(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 1, 2]), "a.txt"),
    ).toEqual(none);
    expect(await readFile(utf8("%!PS-Adobe-3.0\n/x 1 def"))).toEqual(none);
    expect(await readFile(utf8("{\\rtf1 words}"))).toEqual(none);
  });
});

/**
 * PDFs are in test/hostile/full-text.long.ts: PDF.js leaves promises behind that nobody waits for, which only the
 * reader's own process passes over.
 */
const SAMPLES = [
  await docx("<w:p><w:r><w:t>words</w:t></w:r></w:p>"),
  await epub({ one: "<p>words</p>", two: "<p>言葉</p>" }),
  utf8("<!DOCTYPE html><html><body><p class='a'>words &amp; <b>more</b></p></body></html>"),
  utf8('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a b="c">words<![CDATA[more]]></a>'),
  utf8("図書館,本\n"),
] as const;

describe("whatever the bytes are", () => {
  const damage = fc.record({
    sample: fc.constantFrom(...SAMPLES),
    changes: fc.array(fc.record({ at: fc.nat(), to: fc.nat({ max: 255 }) }), { maxLength: 20 }),
    cut: fc.nat(),
    isCut: fc.boolean(),
  });
  const isKept = ({ state, text }: TextOutcome, most: number): void => {
    expect([state === "done", text !== ""]).toEqual(state === "done" ? [true, true] : [false, false]);
    expect([text.length <= most, text.isWellFormed(), text.includes("\0")]).toEqual([true, true, false]);
  };

  test("R35 R9a damaged files of every format but PDF come to an outcome, never to an error, and to no more characters than are kept", async () => {
    await fc.assert(
      fc.asyncProperty(damage, async ({ sample, changes, cut, isCut }) => {
        const bytes = sample.slice(0, isCut ? cut % sample.length : sample.length);
        for (const { at, to } of changes) if (bytes.length > 0) bytes[at % bytes.length] = to;
        isKept(await readFile(bytes, "file", "", 20), 20);
      }),
      { numRuns: 400 },
    );
  }, 60_000);

  test("R35 R9a bytes at random do too", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        isKept(await readFile(bytes, "a.txt", "text/plain", 50), 50);
      }),
    );
  });

  test("R35 text at random is kept as it is, but for spaces and what no database keeps", async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z][a-zäéß図書館の本ア。]{0,100}$/), async (text) => {
        expect(await words(utf8(text), "a.txt", "text/plain")).toBe(text);
      }),
    );
  });
});
