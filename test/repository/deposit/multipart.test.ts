// Form bodies as they stream in, the deposit's file in them, and the headers that speak of it (R12, R13, R13b; messages
// 3, 4, 6, 8, 9, 10).
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { SwordError } from "../../../src/repository/deposit/messages.ts";
import { depositedFile } from "../../../src/repository/deposit/receiving.ts";
import { digestMatches, parseDigest } from "../../../src/shared/multipart/digest.ts";
import {
  MULTIPART_LIMITS,
  MultipartError,
  multipartBoundary,
  multipartParser,
  parseContentDisposition,
} from "../../../src/shared/multipart/parser.ts";
import { collected } from "../../support/memory-bytes.ts";
import { utf8Bytes } from "../../support/zip-writer.ts";

type Part = { readonly headers: readonly string[]; readonly bytes: Uint8Array | string };

function body(parts: readonly Part[], boundary = "XX", end = `--${boundary}--\r\n`): Uint8Array {
  const pieces = parts.flatMap(({ headers, bytes }) => [
    utf8Bytes(`--${boundary}\r\n${headers.map((header) => `${header}\r\n`).join("")}\r\n`),
    typeof bytes === "string" ? utf8Bytes(bytes) : bytes,
    utf8Bytes("\r\n"),
  ]);
  return new Uint8Array(Buffer.concat([...pieces, utf8Bytes(end)]));
}

type Read = {
  readonly name: string | null;
  readonly filename: string | null;
  readonly contentType: string | null;
  bytes: Uint8Array;
};

/** All parts of a body that comes in chunks of these sizes, over and over. */
function read(
  bytes: Uint8Array,
  sizes: readonly number[] = [bytes.length],
  boundary = "XX",
  limits = MULTIPART_LIMITS,
): Read[] {
  const parser = multipartParser(boundary, limits);
  const parts: Read[] = [];
  let ended = 0;
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    for (const event of parser.push(bytes.slice(at, at + size))) {
      const last = parts.at(-1);
      if (event.kind === "part") parts.push({ ...event.head, bytes: new Uint8Array(0) });
      else if (event.kind === "end") ended++;
      else if (last !== undefined) last.bytes = new Uint8Array(Buffer.concat([last.bytes, event.bytes]));
    }
    at += size;
  }
  parser.finish();
  expect(ended).toBe(parts.length);
  return parts;
}

const field = (name: string, bytes: Part["bytes"]): Part => ({
  headers: [`Content-Disposition: form-data; name="${name}"`],
  bytes,
});
const zipPart = (filename: string, bytes: Part["bytes"] = "PK", type = "application/zip"): Part => ({
  headers: [`Content-Disposition: form-data; name="file"; filename="${filename}"`, `Content-Type: ${type}`],
  bytes,
});

describe("multipartParser()", () => {
  test("R13 gives the same parts wherever the chunks are cut, and whatever the bytes look like", () => {
    const unit = fc.constantFrom("\r", "\n", "-", "X", "\r\n--X", "\r\n--", "\r\n", "a", "\0");
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(unit, { maxLength: 40 }).map((each) => utf8Bytes(each.join(""))),
    );
    const clean = bytes.filter(
      (each) =>
        !Buffer.from(each).includes("\r\n--XX") && !Buffer.from(each.subarray(0, 4)).equals(Buffer.from("--XX")),
    );
    fc.assert(
      fc.property(
        fc.array(clean, { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }),
        (all, sizes) => {
          const parts = all.map((each, index) =>
            index % 2 === 0 ? zipPart(`${index}.zip`, each) : field("note", each),
          );
          const found = read(body(parts), sizes);
          expect(found.map((part) => Buffer.from(part.bytes).toString("hex"))).toEqual(
            all.map((each) => Buffer.from(each).toString("hex")),
          );
          expect(found.map((part) => part.filename)).toEqual(
            all.map((_, index) => (index % 2 === 0 ? `${index}.zip` : null)),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test("R13 holds no more than a chunk: bytes of a part are assigned as they come", () => {
    const parser = multipartParser("XX");
    parser.push(utf8Bytes('--XX\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'));
    for (let turn = 0; turn < 50; turn++) {
      const given = parser
        .push(new Uint8Array(64 * 1024))
        .map((event) => (event.kind === "bytes" ? event.bytes.length : -1));
      expect(given).toEqual([64 * 1024]);
    }
  });

  test("R13 reads text before the first part, blanks behind a boundary, parts without headers, text at the end", () => {
    const bytes = utf8Bytes(
      "preamble\r\n--XX \t\r\nContent-Disposition:form-data;name=a\r\n\r\n1\r\n--XX\r\n\r\n2\r\n--XX--\r\nepilogue",
    );
    expect(read(bytes, [1]).map(({ name, bytes: own }) => [name, Buffer.from(own).toString()])).toEqual([
      ["a", "1"],
      [null, "2"],
    ]);
  });

  test("R13 file names: UTF-8, Latin-1, escaped quotes, filename* and Windows paths", () => {
    const names = (header: string) => read(body([{ headers: [header], bytes: "" }])).map((part) => part.filename);
    expect(names('Content-Disposition: form-data; name="file"; filename="研究;1.zip"')).toEqual(["研究;1.zip"]);
    expect(names('CONTENT-disposition: form-data; filename="a\\"b.zip"; name="file"')).toEqual(['a"b.zip']);
    expect(names('Content-Disposition: form-data; name="file"; filename="C:\\dir\\a.zip"')).toEqual(["C:\\dir\\a.zip"]);
    expect(names("Content-Disposition: form-data; name=file; filename=plain.zip")).toEqual(["plain.zip"]);
    expect(names("Content-Disposition: form-data; name=file; filename=x; filename*=UTF-8''%E7%A0%94.zip")).toEqual([
      "研.zip",
    ]);
    expect(names('Content-Disposition: form-data; name="file"; filename=""')).toEqual([""]);
    expect(names('Content-Disposition: form-data; name="Ã©"; filename="Ã©"')).toEqual(["Ã©"]);
    const latin1 = Uint8Array.from(
      '--XX\r\nContent-Disposition: form-data; name="f"; filename="\xe9.zip"\r\n\r\n\r\n--XX--',
      (each) => each.charCodeAt(0),
    );
    expect(read(latin1).map((part) => part.filename)).toEqual(["é.zip"]);
  });

  test.each([
    ["breaks off in a part", body([zipPart("a")], "XX", "")],
    ["breaks off in the head of a part", utf8Bytes("--XX\r\nContent-Dis")],
    ["has no boundary", utf8Bytes("just some text")],
    ["is empty", new Uint8Array(0)],
    ["has something behind a boundary", utf8Bytes("--XXY\r\n\r\n\r\n--XX--")],
    ["has a header without a name", utf8Bytes("--XX\r\nnonsense\r\n\r\n\r\n--XX--")],
    [
      "is base64",
      body([{ headers: ["Content-Disposition: form-data; name=a", "Content-Transfer-Encoding: base64"], bytes: "" }]),
    ],
  ])("R13 a body that %s is refused", (_, bytes) => {
    expect(() => read(bytes)).toThrow(MultipartError);
    expect(() => read(bytes, [1])).toThrow(MultipartError);
  });

  test("R13 every limit of the parser has a name and is kept", () => {
    const limits = { partHeaderBytes: 100, parts: 2, fieldBytes: 10, paddingBytes: 30 };
    const small = (bytes: Uint8Array) => () => read(bytes, [7], "XX", limits);
    expect(small(body([field("a", "1234567890"), zipPart("b", "x".repeat(500), "z")]))).not.toThrow();
    expect(small(body([field("a", "12345678901")]))).toThrow("a field without a file name is limited to 10");
    expect(small(body([field("a", "1"), field("b", "1"), field("c", "1")]))).toThrow("parts is limited to 2");
    expect(small(body([field("a".repeat(100), "1")]))).toThrow("longer than 100 bytes");
    expect(small(utf8Bytes(`--XX\r\n${"A: b\r\n".repeat(1000)}`))).toThrow("longer than 100 bytes");
    expect(small(utf8Bytes(`${"text ".repeat(20)}\r\n--XX--`))).toThrow("limited to 30");
    expect(small(utf8Bytes(`--XX--${"text ".repeat(20)}`))).toThrow("limited to 30");
  });
});

describe("multipartBoundary()", () => {
  test.each([
    ["multipart/form-data; boundary=abc", "abc"],
    ['Multipart/Form-Data; charset=utf-8; Boundary="a b;c"', "a b;c"],
    ["multipart/form-data", null],
    ["multipart/form-data; boundary=", null],
    [`multipart/form-data; boundary=${"x".repeat(71)}`, null],
    ["multipart/mixed; boundary=abc", null],
    ["application/zip", null],
    [null, null],
  ])("R13 %s has the boundary %s", (header, boundary) => {
    expect(multipartBoundary(header)).toBe(boundary);
  });
});

/** What a deposit with this body is answered: the bytes as text, or message number and status. */
async function deposit(parts: readonly Part[] | Uint8Array, filename: string | null = "a.zip"): Promise<unknown> {
  const bytes = parts instanceof Uint8Array ? parts : body(parts);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 11) yield bytes.slice(at, at + 11);
  }
  try {
    return Buffer.from(await collected(depositedFile({ chunks: chunks(), boundary: "XX", filename }))).toString();
  } catch (error) {
    if (error instanceof SwordError) return [error.messageNumber, error.status, error.message];
    throw error;
  }
}

describe("depositedFile()", () => {
  test("R13 gives the bytes of the part file, other parts are dropped", async () => {
    expect(await deposit([field("note", "hello"), zipPart("a.zip", "PK\r\n--\r\nzip"), field("after", "x")])).toBe(
      "PK\r\n--\r\nzip",
    );
    expect(await deposit([zipPart("a.zip", "PK", "Application/ZIP; x=y")])).toBe("PK");
    expect(await deposit([zipPart("が.zip", "PK")], "が.zip")).toBe("PK");
  });

  test("message 3 is given when there is no part named file, and when that part is a plain field", async () => {
    const answer = [3, 400, "No file part."];
    const upload = {
      ...zipPart("a.zip"),
      headers: ['Content-Disposition: form-data; name="upload"; filename="a.zip"'],
    };
    for (const parts of [[], [upload], [field("file", "PK")], [field("other", "x")]]) {
      expect(await deposit(parts)).toEqual(answer);
      expect(await deposit(parts, null)).toEqual(answer);
    }
  });

  test("message 3 is given for a body of no bytes, in however many pieces; other broken forms are reported as such", async () => {
    const collect = async (pieces: readonly string[]) => {
      const chunks = async function* () {
        for (const piece of pieces) yield new TextEncoder().encode(piece);
      };
      return await collected(depositedFile({ chunks: chunks(), boundary: "XX", filename: "a.zip" })).catch(
        (error: unknown) => (error instanceof SwordError ? error.messageNumber : error),
      );
    };
    expect(await collect([])).toBe(3);
    expect(await collect(["", ""])).toBe(3);
    expect(await collect(["", "x"])).toBeNull();
  });

  test("message 4 is given when no file was chosen, before the names are compared", async () => {
    expect(await deposit([zipPart("")])).toEqual([4, 400, "No selected file."]);
    expect(await deposit([zipPart("")], null)).toEqual([4, 400, "No selected file."]);
  });

  test("message 8 R13b is given when the request names no file, after messages 3 and 4", async () => {
    expect(await deposit([zipPart("a.zip")], null)).toEqual([8, 400, "Cannot get filename by Content-Disposition."]);
  });

  test("message 9 is given when the named file is not in the body, before its type is checked", async () => {
    expect(await deposit([zipPart("b.zip")])).toEqual([9, 400, "Not found a.zip in request body."]);
    expect(await deposit([zipPart("b.zip", "PK", "text/plain")])).toEqual([9, 400, "Not found a.zip in request body."]);
  });

  test("message 6 is given for a part of another type and for a part without type", async () => {
    expect(await deposit([zipPart("a.zip", "PK", "text/plain")])).toEqual([
      6,
      415,
      "Not accept Content-Type: text/plain",
    ]);
    const bare = { headers: ['Content-Disposition: form-data; name="file"; filename="a.zip"'], bytes: "PK" };
    expect(await deposit([bare])).toEqual([6, 415, "Not accept Content-Type: "]);
  });

  test("R13 a form that is broken or has two files is ContentMalformed", async () => {
    const broken = await deposit(body([zipPart("a.zip")], "XX", ""));
    expect(broken).toEqual([null, 400, "The request body breaks off before its closing boundary"]);
    expect(await deposit([zipPart("a.zip"), zipPart("a.zip")])).toEqual([
      null,
      400,
      expect.stringContaining("more than one part"),
    ]);
  });
});

describe("parseContentDisposition()", () => {
  const asLatin1 = (text: string) => Buffer.from(text, "utf8").toString("latin1");
  test.each([
    ["attachment; filename=a.zip", "attachment", "a.zip"],
    ['Attachment; FileName="a b;c.zip"', "attachment", "a b;c.zip"],
    [asLatin1("attachment; filename=研究.zip"), "attachment", "研究.zip"],
    [asLatin1('attachment; filename="研究.zip"'), "attachment", "研究.zip"],
    ["attachment; filename=\xe9.zip", "attachment", "é.zip"],
    ["attachment; filename=x.zip; filename*=UTF-8''%E7%A0%94%E7%A9%B6.zip", "attachment", "研究.zip"],
    ["attachment; filename*=ISO-8859-1'fr'%E9.zip", "attachment", "é.zip"],
    ["attachment; filename=x.zip; filename*=UTF-8''%E7%A0.zip", "attachment", "x.zip"],
    ["attachment; filename*=UTF-8''%zz.zip", "attachment", null],
    ["attachment; filename*=EUC-JP''a.zip", "attachment", null],
    ["attachment", "attachment", null],
    ['attachment; filename=""', "attachment", ""],
    ['attachment; filename="never closed', "attachment", "never closed"],
    ["inline; filename=a.zip", "inline", "a.zip"],
    [";;;=;", "", null],
  ])("message 8 %s names type and file", (header, type, filename) => {
    expect(parseContentDisposition(header)).toEqual({ type, filename, name: null, byReference: false });
  });

  test("R13b by-reference=true is seen, quoted and in any case", () => {
    expect(parseContentDisposition("attachment; by-reference=true")?.byReference).toBe(true);
    expect(parseContentDisposition('attachment; By-Reference="TRUE"')?.byReference).toBe(true);
    expect(parseContentDisposition("attachment; by-reference=false")?.byReference).toBe(false);
    expect(parseContentDisposition(null)).toBe(null);
    expect(parseContentDisposition(" ")).toBe(null);
  });
});

describe("digestMatches()", () => {
  const sha256 = new Uint8Array(createHash("sha256").update("package").digest());
  const hex = Buffer.from(sha256).toString("hex");
  const base64 = Buffer.from(sha256).toString("base64");
  const other = createHash("sha256").update("other").digest("hex");

  test.each([
    [`SHA-256=${hex}`],
    [`SHA-256=${hex.toUpperCase()}`],
    [`SHA-256=${base64}`],
    [`SHA-256=${base64.replace("=", "")}`],
    [`SHA-256=${Buffer.from(hex).toString("base64")}`],
    [`SHA-256=${Buffer.from(hex.toUpperCase()).toString("base64")}`],
    [`sha-256=${hex}`],
    [` Sha-256 = ${hex} `],
    [`MD5=anything, SHA-256=${hex}, SHA=x`],
    [`SHA-256=${hex},SHA-256=${base64}`],
  ])("R12 %s agrees", (header) => {
    expect(digestMatches(header, sha256)).toBe(true);
  });

  test.each([
    [`SHA-256=${other}`],
    [""],
    [hex],
    [`SHA256=${hex}`],
    ["SHA-256="],
    ["SHA-256"],
    [`SHA-256=${hex.slice(1)}`],
    [`SHA-256=${hex}0`],
    [`SHA-256=b'${base64}'`],
    ["SHA-256=!!!!"],
    [`SHA-256=${base64.slice(0, -4)}`],
    [`MD5=${hex}`],
    [`SHA-512=${hex}`],
    [`SHA-256=${hex}, SHA-256=${other}`],
    [`SHA-256=${"A".repeat(200)}`],
  ])("message 10 R12 %s does not agree", (header) => {
    expect(digestMatches(header, sha256)).toBe(false);
  });

  test("R12 parseDigest() splits at the first equals sign and keeps the value as it is", () => {
    expect(parseDigest(`md5=a==, sha-256=${base64},`)).toEqual([
      { algorithm: "MD5", value: "a==" },
      { algorithm: "SHA-256", value: base64 },
    ]);
  });
});
