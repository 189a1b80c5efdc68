// How files are given to people (R19a): shown or downloaded, names in headers, ranges, conditions.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { contentDisposition, type FileRequest, fileAnswer } from "../../src/model/files/file-serving.ts";
import { lengthOf, parseRange } from "../../src/shared/http/byte-range.ts";
import { isShownInline, mediaTypeOf } from "../../src/shared/http/media-types.ts";

const SHA = "ab".repeat(32);
const FILE = { name: "paper.pdf", mediaType: "application/pdf", sha256: SHA, sizeBytes: 100, restricted: false };
const GET: FileRequest = { method: "GET", range: null, ifRange: null, ifNoneMatch: null };
const answer = (request: Partial<FileRequest>, file: Partial<typeof FILE> = {}) => {
  const { headers, ...rest } = fileAnswer({ ...FILE, ...file }, { ...GET, ...request });
  return { ...rest, headers: Object.fromEntries(headers) };
};

describe("what is shown and what is downloaded", () => {
  test.each([
    ["paper.pdf", "application/pdf"],
    ["写真.JPG", "image/jpeg"],
    ["scan.tiff", "image/tiff"],
    ["talk.mp3", "audio/mpeg"],
    ["film.mp4", "video/mp4"],
    ["notes.txt", "text/plain"],
  ])("R19a %s is shown", (name, mediaType) => {
    expect(mediaTypeOf(name, "text/html")).toBe(mediaType);
    const { headers } = answer({}, { name, mediaType });
    expect(headers["content-disposition"]?.split(";")[0]).toBe("inline");
    expect(headers["content-type"]?.split(";")[0]).toBe(mediaType);
    expect(answer({ asAttachment: true }, { name, mediaType }).headers["content-disposition"]).toContain("attachment");
  });

  test.each([
    ["page.html", "text/html"],
    ["page.HTM", "text/html"],
    ["page.xhtml", "application/xhtml+xml"],
    ["drawing.svg", "image/svg+xml"],
    ["feed.xml", "application/xml"],
    ["style.css", "text/css"],
    ["run.js", "text/javascript"],
    ["table.csv", "text/csv"],
    ["data.json", "application/json"],
    ["paper.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    ["all.zip", "application/zip"],
    ["program.exe", "application/x-msdownload"],
    ["paper.pdf.html", "text/html"],
    ["without", "application/octet-stream"],
    [".pdf.", "application/octet-stream"],
  ])("R19a %s is downloaded, as %s", (name, mediaType) => {
    expect(mediaTypeOf(name)).toBe(mediaType);
    const { headers } = answer({}, { name, mediaType });
    expect(headers["content-disposition"]).toContain("attachment");
    if (!/javascript|css/.test(mediaType)) expect(headers["content-type"]).toBe(mediaType);
  });

  test.each([
    "text/javascript",
    "application/javascript",
    "Application/X-JavaScript; charset=utf-8",
    "text/ecmascript",
    "application/x-ecmascript",
    "text/javascript1.5",
    "text/jscript",
    "text/livescript",
    "text/x-javascript",
    "TEXT/CSS",
  ])("Q.260 R49 %s is sent as plain text, which browsers neither run nor apply", (mediaType) => {
    for (const request of [{}, { range: "bytes=0-1" }, { method: "HEAD" }, { asAttachment: true }]) {
      const { headers } = answer(request, { name: "run.dat", mediaType });
      expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
      expect(headers["content-disposition"]).toContain("attachment");
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  test.each([
    ["text/x-python", "text/x-python"],
    ["application/json", "application/json"],
    ["text/cssx", "text/cssx"],
    ["text/javascript1.9", "text/javascript1.9"],
  ])("Q.260 %s stays what it is", (mediaType, sent) => {
    expect(answer({}, { mediaType }).headers["content-type"]).toBe(sent);
  });

  test("R19a what the client declared never makes a page of a file", () => {
    expect(mediaTypeOf("paper.pdf", "text/html")).toBe("application/pdf");
    expect(mediaTypeOf("data.unknown1", "text/html; charset=utf-8")).toBe("text/html");
    expect(mediaTypeOf("data.unknown1", "no media type")).toBe("application/octet-stream");
    expect(mediaTypeOf("data.unknown1", 'image/png"\r\nx-evil: 1')).toBe("application/octet-stream");
    for (const declared of [
      "text/html",
      "image/svg+xml",
      "IMAGE/SVG+XML",
      "image/foo+xml",
      "text/xml",
      "nonsense",
      "",
    ]) {
      expect(isShownInline(declared)).toBe(false);
    }
    expect(answer({}, { mediaType: "evil\r\nx: y" }).headers["content-type"]).toBe("application/octet-stream");
  });

  test("R19a every answer forbids sniffing and running, and sets how long it may be kept", () => {
    for (const request of [
      {},
      { range: "bytes=0-1" },
      { range: "bytes=900-" },
      { ifNoneMatch: "*" },
      { method: "HEAD" },
    ]) {
      const { headers } = answer(request);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["content-security-policy"]).toBe("sandbox");
      expect([headers["cache-control"], headers.etag]).toEqual(["public, no-cache", `"${SHA}"`]);
    }
    expect(answer({}, { restricted: true }).headers["cache-control"]).toBe("private, no-cache");
  });
});

describe("contentDisposition()", () => {
  test.each([
    ["paper.pdf", 'attachment; filename="paper.pdf"'],
    ["my paper (1).pdf", 'attachment; filename="my paper (1).pdf"'],
    ["研究.pdf", "attachment; filename=\"__.pdf\"; filename*=UTF-8''%E7%A0%94%E7%A9%B6.pdf"],
    ['a"b\\c.txt', "attachment; filename=\"a_b_c.txt\"; filename*=UTF-8''a%22b%5Cc.txt"],
    ["a%2Fb.txt", "attachment; filename=\"a_2Fb.txt\"; filename*=UTF-8''a%252Fb.txt"],
    ["a\r\nx: y", "attachment; filename=\"a__x_ y\"; filename*=UTF-8''a%0D%0Ax%3A%20y"],
    ["it's *new*!é", "attachment; filename=\"it's _new_!_\"; filename*=UTF-8''it%27s%20%2Anew%2A%21%C3%A9"],
    ["\ud800.txt", "attachment; filename=\"_.txt\"; filename*=UTF-8''%EF%BF%BD.txt"],
  ])("R19a writes %j as RFC 6266 and 8187 state", (name, header) => {
    expect(contentDisposition("attachment", name)).toBe(header);
  });

  test("R19a keeps the end of a name that is too long for a header", () => {
    const header = contentDisposition("inline", `${"研".repeat(1000)}.pdf`);
    expect(header.length).toBeLessThan(2000);
    expect(header.endsWith(".pdf")).toBe(true);
  });

  test("R19a is one line of ASCII whatever the name is, and returns it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (name) => {
        const header = contentDisposition("attachment", name);
        expect(/^[\x20-\x7e]*$/.test(header)).toBe(true);
        const encoded = /filename\*=UTF-8''(.*)$/.exec(header)?.[1];
        const plain = /filename="([^"]*)"/.exec(header)?.[1];
        expect(encoded === undefined ? plain : decodeURIComponent(encoded)).toBe(name);
      }),
    );
  });
});

describe("ranges and conditions", () => {
  test.each([
    ["bytes=0-0", 0, 0],
    ["bytes=0-", 0, 99],
    ["bytes=10-19", 10, 19],
    ["bytes=90-1000", 90, 99],
    ["bytes=-1", 99, 99],
    ["bytes=-1000", 0, 99],
    ["Bytes = 5-6 ", 5, 6],
    [`bytes=99-${"9".repeat(30)}`, 99, 99],
  ])("R19a %s of 100 bytes are %d to %d", (range, first, last) => {
    expect(parseRange(range, 100)).toEqual({ first, last });
    const got = answer({ range });
    expect([got.status, got.headers["content-range"]]).toEqual([206, `bytes ${first}-${last}/100`]);
    expect([got.send, got.headers["content-length"]]).toEqual([{ first, last }, String(last - first + 1)]);
  });

  test.each(["bytes=100-", "bytes=100-200", "bytes=-0", `bytes=${"9".repeat(30)}-`])(
    "R19a %s of 100 bytes is 416",
    (range) => {
      const got = answer({ range });
      expect([got.status, got.headers["content-range"], got.send]).toEqual([416, "bytes */100", null]);
      expect(got.headers["content-disposition"]).toBe(undefined);
    },
  );

  test.each([
    "bytes=5-4",
    "bytes=0-1,5-6",
    "pages=1-2",
    "bytes=",
    "bytes=-",
    "bytes=a-b",
    "0-5",
    `bytes=0-1${" ".repeat(300)}`,
    "",
  ])("R19a %j names no range we give: the whole file is the answer", (range) => {
    const got = answer({ range });
    expect([got.status, got.headers["content-length"], got.send]).toEqual([200, "100", { first: 0, last: 99 }]);
    expect(got.headers["accept-ranges"]).toBe("bytes");
  });

  test("R19a a range lies inside its file, whatever is asked", () => {
    const header = fc
      .tuple(fc.constantFrom("bytes=", "bytes = "), fc.nat(50), fc.nat(50))
      .map(([unit, a, b]) => `${unit}${a}-${b}`);
    fc.assert(
      fc.property(header, fc.nat(40), (text, size) => {
        const range = parseRange(text, size);
        if (range === null || range === "unsatisfiable") return;
        expect(range.first >= 0 && range.last < size && lengthOf(range) > 0).toBe(true);
      }),
    );
  });

  test("R19a an empty file has no byte to give: any range is 416, without one it is 200 without a body", () => {
    for (const range of ["bytes=0-", "bytes=0-0", "bytes=-5"])
      expect(answer({ range }, { sizeBytes: 0 }).status).toBe(416);
    const whole = answer({}, { sizeBytes: 0 });
    expect([whole.status, whole.send, whole.headers["content-length"]]).toEqual([200, null, "0"]);
  });

  test.each([`"${SHA}"`, `W/"${SHA}"`, "*", `"other", "${SHA}"`])("R19a If-None-Match %s is 304", (ifNoneMatch) => {
    for (const method of ["GET", "HEAD"]) {
      const got = answer({ method, ifNoneMatch, range: "bytes=0-1" });
      expect([got.status, got.send, got.headers["content-length"]]).toEqual([304, null, undefined]);
    }
  });

  test.each(['"other"', SHA, "", "W/*"])("R19a If-None-Match %j is another one", (ifNoneMatch) => {
    expect(answer({ ifNoneMatch }).status).toBe(200);
  });

  test.each([
    [`"${SHA}"`, 206 as const],
    ['"other"', 200 as const],
    [`W/"${SHA}"`, 200 as const],
    ["Wed, 21 Oct 2026 07:28:00 GMT", 200 as const],
  ])("R19a with If-Range %s a range is answered %d", (ifRange, status) => {
    expect(answer({ range: "bytes=0-1", ifRange }).status).toBe(status);
  });

  test("R19a HEAD answers as GET would, without a range and without the bytes", () => {
    const { headers, ...head } = answer({ method: "HEAD", range: "bytes=0-1" });
    expect([head, headers]).toEqual([{ status: 200, send: null }, answer({}).headers]);
  });
});
