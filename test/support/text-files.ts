// Small files with words, made by hand (R35): a PDF object by object, office documents and books as archives.
import { deflateSync } from "node:zlib";
import JSZip from "jszip";

const latin1Bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

type PdfObject = string | Uint8Array;

/** A PDF of these objects; the first is its catalogue. */
function pdfOf(objects: readonly PdfObject[], trailer = ""): Uint8Array {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const put = (...some: readonly PdfObject[]): void => {
    for (const each of some) {
      const piece = typeof each === "string" ? latin1Bytes(each) : each;
      pieces.push(piece);
      length += piece.length;
    }
  };
  put("%PDF-1.7\n%\u00E2\u00E3\u00CF\u00D3\n");
  const offsets = objects.map((object, at) => {
    const offset = length;
    put(`${at + 1} 0 obj\n`, object, "\nendobj\n");
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const [size, begins] = [objects.length + 1, length];
  put(`xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\n`);
  put(`startxref\n${begins}\n%%EOF\n`);
  return new Uint8Array(Buffer.concat(pieces));
}

/** A stream, compressed. */
function pdfStream(content: string | Uint8Array, dictionary = ""): Uint8Array {
  const packed = deflateSync(typeof content === "string" ? latin1Bytes(content) : content);
  const head = latin1Bytes(`<< /Length ${packed.length} /Filter /FlateDecode ${dictionary}>>\nstream\n`);
  return new Uint8Array(Buffer.concat([head, packed, latin1Bytes("\nendstream")]));
}

const HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
const DESCRIPTOR =
  "<< /Type /FontDescriptor /FontName /Test /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>";

/** One page of Latin lines for each list. */
export function latinPdf(...pages: readonly (readonly string[])[]): Uint8Array {
  const first = 4;
  const kids = pages.map((_, at) => `${first + at * 2} 0 R`).join(" ");
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    HELVETICA,
    ...pages.flatMap((lines, at): PdfObject[] => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${first + at * 2 + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      pdfStream(`BT /F1 12 Tf 14 TL 72 700 Td ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`),
    ]),
  ]);
}

const hex = (number: number): string => number.toString(16).padStart(4, "0");

/** Glyph numbers whose characters are only in a compressed ToUnicode map, in two lines; below a line in Helvetica. */
export function japanesePdf(lines: readonly [string, string], latin: string): Uint8Array {
  const characters = [...new Set(lines.join(""))];
  const codeOf = (character: string): string => hex(characters.indexOf(character) + 1);
  const codes = (line: string): string => [...line].map(codeOf).join("");
  const map = characters.map((each) => `<${codeOf(each)}> <${hex(each.codePointAt(0) ?? 0)}>`).join("\n");
  const toUnicode = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Test def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${characters.length} beginbfchar\n${map}\nendbfchar endcmap end end`;
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 9 0 R >> >> >>",
    pdfStream(
      `BT /F1 12 Tf 14 TL 72 700 Td <${codes(lines[0])}> Tj T* <${codes(lines[1])}> Tj ET BT /F2 12 Tf 72 600 Td (${latin}) Tj ET`,
    ),
    "<< /Type /Font /Subtype /Type0 /BaseFont /Test /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 8 0 R >>",
    "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Test /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R /DW 1000 >>",
    DESCRIPTOR,
    pdfStream(toUnicode),
    HELVETICA,
  ]);
}

/** Shift_JIS codes under a predefined CMap that is not in the file, as many older Japanese PDFs have them. */
export function predefinedCmapPdf(codes: string): Uint8Array {
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    pdfStream(`BT /F1 12 Tf 72 700 Td <${codes}> Tj ET`),
    "<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light-90ms-RKSJ-H /Encoding /90ms-RKSJ-H /DescendantFonts [6 0 R] >>",
    "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 7 0 R /DW 1000 >>",
    DESCRIPTOR,
  ]);
}

/** It opens with a password that is not empty: the key that is kept does not follow from the empty one. */
export function lockedPdf(): Uint8Array {
  const key = "00".repeat(32);
  return pdfOf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [] /Count 0 >>",
      `<< /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >>`,
    ],
    `/Encrypt 3 0 R /ID [<${"ab".repeat(16)}> <${"ab".repeat(16)}>] `,
  );
}

/** It asks its reader to run JavaScript, to start a program, to open and to send to `address`: when it opens, on its page, in a field. */
export function activePdf(address: string): Uint8Array {
  const script = `app.alert("run"); this.submitForm("${address}/submit"); app.launchURL("${address}/launch"); document.title = "run"`;
  const act = (text: string): string => `<< /S /JavaScript /JS (${text.replace(/[()\\]/g, "\\$&")}) >>`;
  const opened = `<< /S /URI /URI (${address}/uri) /Next << /S /Launch /F (calc.exe) /Next << /S /SubmitForm /F (${address}/form) >> >> >>`;
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R /OpenAction ${act(script)} /AA << /WC ${opened} >> /Names << /JavaScript << /Names [(a) ${act(script)}] >> >> /AcroForm << /Fields [6 0 R] >> >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [6 0 R 7 0 R] /AA << /O ${opened} >> /Resources << /Font << /F1 5 0 R >> >> >>`,
    pdfStream("BT /F1 12 Tf 72 700 Td (Active page) Tj ET"),
    HELVETICA,
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [72 600 200 620] /AA << /F ${act(script)} /K ${act(script)} >> >>`,
    `<< /Type /Annot /Subtype /Link /Rect [0 0 612 792] /A << /S /URI /URI (${address}/link) >> >>`,
  ]);
}

/** `count` pages that all show the same words. */
export function manyPagesPdf(count: number, words: string): Uint8Array {
  const page =
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>";
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${Array.from({ length: count }, (_, at) => `${at + 5} 0 R`).join(" ")}] /Count ${count} >>`,
    HELVETICA,
    pdfStream(`BT /F1 12 Tf 72 700 Td (${words}) Tj ET`),
    ...Array.from({ length: count }, () => page),
  ]);
}

/** Pages that are pictures of this many bytes with a line of text behind each, as a scanner makes them. */
export function scannedPdf(pages: number, pictureBytes: number): Uint8Array {
  const picture = latin1Bytes(
    `<< /Type /XObject /Subtype /Image /Width 1000 /Height ${pictureBytes / 1000} /BitsPerComponent 8 /ColorSpace /DeviceGray /Length ${pictureBytes} >>\nstream\n`,
  );
  const first = 4;
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${Array.from({ length: pages }, (_, at) => `${first + at * 3} 0 R`).join(" ")}] /Count ${pages} >>`,
    HELVETICA,
    ...Array.from({ length: pages }, (_, at): readonly PdfObject[] => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${first + at * 3 + 1} 0 R /Resources << /Font << /F1 3 0 R >> /XObject << /I ${first + at * 3 + 2} 0 R >> >> >>`,
      pdfStream(`/I Do BT /F1 12 Tf 72 700 Td (Page ${at + 1}) Tj ET`),
      new Uint8Array(Buffer.concat([picture, new Uint8Array(pictureBytes).fill(0x55), latin1Bytes("\nendstream")])),
    ]).flat(),
  ]);
}

/** A page whose content is this. */
export function contentPdf(content: string | Uint8Array): Uint8Array {
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    pdfStream(content),
    HELVETICA,
  ]);
}

/** Forms that show each other twice, so deep that a reader which follows all of them never ends. */
export function nestedPdf(depth: number): Uint8Array {
  const resources = (next: number): string => `/Resources << /Font << /F1 5 0 R >> /XObject << /X ${next} 0 R >> >> `;
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${resources(6)}>>`,
    pdfStream("/X Do"),
    HELVETICA,
    ...Array.from({ length: depth }, (_, at) =>
      pdfStream(
        at === depth - 1 ? "BT /F1 1 Tf (a) Tj ET" : "/X Do /X Do",
        `/Type /XObject /Subtype /Form /BBox [0 0 1 1] ${resources(at + 7)}`,
      ),
    ),
  ]);
}

/** Files by path; their content is not checked. */
export async function archive(files: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  return await zip.generateAsync({ type: "uint8array", compression: "DEFLATE" });
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** A Word document of these paragraphs, each of runs. */
export const docx = (body: string, more: Readonly<Record<string, string>> = {}): Promise<Uint8Array> =>
  archive({
    "[Content_Types].xml": `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "word/document.xml": `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>${body}</w:body></w:document>`,
    ...more,
  });

/** A book of chapters, in the order of its spine. */
export const epub = (chapters: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) =>
  archive({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `${XML}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "OEBPS/package.opf": `${XML}<package xmlns="http://www.idpf.org/2007/opf"><manifest>${Object.keys(chapters)
      .toSorted()
      .map((name) => `<item id="${name}" href="text/${name}.xhtml" media-type="application/xhtml+xml"/>`)
      .join("")}</manifest><spine>${Object.keys(chapters)
      .map((name) => `<itemref idref="${name}"/>`)
      .join("")}</spine></package>`,
    ...Object.fromEntries(
      Object.entries(chapters).map(([name, body]) => [
        `OEBPS/text/${name}.xhtml`,
        `${XML}<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>${name}</title></head><body>${body}</body></html>`,
      ]),
    ),
    ...more,
  });
