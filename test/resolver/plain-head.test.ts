// The reader of plain heads: what it takes is a request of RFC 9112 that nobody can read in two ways; all else it
// leaves alone (docs/fast-lane.md).
import { describe, expect, test } from "bun:test";
import { PLAIN_HEAD_MAX, PLAIN_LINES_MAX, PlainHead } from "../../src/resolver/lane/plain-head.ts";
import { cut, oddStream } from "../fuzz/lane.ts";
import { rng } from "../hostile/generate.ts";

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const textOf = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));
const head = new PlainHead({ rootPath: "", rawUriHeader: null });
const reads = (text: string, reader = head): boolean => reader.read(bytesOf(text), 0, text.length);
const request = (target: string, ...fields: string[]): string =>
  `GET ${target} HTTP/1.1\r\n${["Host: a", ...fields].map((field) => `${field}\r\n`).join("")}\r\n`;
const PLAIN = request("/ark:12345/x");

/** The same rules as one expression over text. */
const VALUE = "[\\x20-\\x7e\\x80-\\xff]*";
const PLAIN_HEAD = new RegExp(
  `^GET /ark:(?:(?!/\\.)[A-Za-z0-9._~/:=+*@$-])* HTTP/1\\.1\\r\\n((?:[A-Za-z0-9-]+:${VALUE}\\r\\n)*)\\r\\n`,
);
const REFUSED =
  /^(?:content-(?:length|encoding|type)|transfer-encoding|te|trailer|expect|upgrade|http2-settings|keep-alive|proxy-connection):/im;

function isPlain(text: string): boolean {
  const [whole, fields = ""] = PLAIN_HEAD.exec(text) ?? [];
  if (whole === undefined || whole.length > PLAIN_HEAD_MAX || REFUSED.test(fields)) return false;
  const valuesOf = (name: string): string[] =>
    fields
      .split("\r\n")
      .flatMap((line) =>
        line.toLowerCase().startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ +| +$/g, "")] : [],
      );
  const hosts = valuesOf("host");
  const ids = valuesOf("x-request-id");
  return (
    fields.split("\r\n").length - 1 <= PLAIN_LINES_MAX &&
    hosts.length === 1 &&
    /^[A-Za-z0-9.-]+(?::\d{1,5})?$/.test(hosts[0] ?? "") &&
    ids.length <= 1 &&
    ids.every((id) => /^[\x21-\x7e]{1,64}$/.test(id)) &&
    valuesOf("connection").every((value) => value.toLowerCase() === "keep-alive")
  );
}

describe("PlainHead", () => {
  test("finds the name, the host, the request id, and where the next request begins", () => {
    const text = `noise${request("/ark:/12345/x", "X-Request-Id:  q-1 ", "Accept: */*")}${PLAIN}`;
    const bytes = bytesOf(text);
    expect(head.read(bytes, 5, text.length)).toBe(true);
    expect(textOf(bytes, head.pathFrom, head.pathEnd)).toBe("/ark:/12345/x");
    expect(textOf(bytes, head.nameFrom, head.pathEnd)).toBe("12345/x");
    expect(textOf(bytes, head.hostFrom, head.hostEnd)).toBe("a");
    expect(textOf(bytes, head.idFrom, head.idEnd)).toBe("q-1");
    expect(text.slice(head.end)).toBe(PLAIN);
    expect(head.read(bytes, head.end, text.length)).toBe(true);
    expect([head.end, head.idEnd]).toEqual([text.length, 0]);
  });

  test("reads nothing after the given end, and no part of a head", () => {
    const bytes = bytesOf(PLAIN);
    for (let to = 0; to < PLAIN.length; to++) expect(head.read(bytes, 0, to)).toBe(false);
    expect(head.read(bytes, 0, PLAIN.length)).toBe(true);
  });

  test.each(["/ark:12345/x", "/ark:/12345/x", "/ark:12345/a.b/c..d", "/ark:12345/=~*+@$_-", "/ark:"])(
    "takes %s",
    (target) => {
      expect(reads(request(target))).toBe(true);
    },
  );

  test.each([
    ...["/ark:12345/x?", "/ark:12345/x?info", "/ark:12345/x#y", "/ark:12345/%2f", "/ark:12345/../x", "/ark:12345/./x"],
    ...[
      "/ark:12345/.x",
      "/ark:12345\\x",
      "/ARK:12345/x",
      "/ark%3A12345/x",
      "/Ark:1/x",
      "/ark:12345/\xe4",
      "/ark:12345/a b",
    ],
    ...[
      "http://a/ark:12345/x",
      "*",
      "",
      "/pid/ark:12345/x",
      "/ark:12345/x\t",
      "/ark:12345/x\0",
      "/ark:12345/(x)",
      "/ark:1/|",
    ],
  ])("leaves %j alone", (target) => {
    expect(reads(request(target))).toBe(false);
  });

  test.each([
    ...[
      "Content-Length: 0",
      "CONTENT-LENGTH: 0",
      "Transfer-Encoding: chunked",
      "Expect: 100-continue",
      "Upgrade: h2c",
      "TE: x",
    ],
    ...[
      "Connection: close",
      "Connection: keep-alive, x",
      "Connection:",
      "Host: a",
      "Trailer: x",
      "X-Request-Id:",
      "X-Request-Id: a b",
      "X-Request-Id: a\x80",
    ],
    ...[
      "X : y",
      " X: y",
      "X\t: y",
      "X: a\tb",
      "X: \x7f",
      "X: a\rb",
      "X: a\nb",
      "X: a\0",
      ": x",
      "X",
      "X_Y: z",
      "X: a\r\n b",
    ],
    ...[
      `X-Request-Id: ${"i".repeat(65)}`,
      `X: ${"x".repeat(PLAIN_HEAD_MAX)}`,
      Array(PLAIN_LINES_MAX).fill("Y: z").join("\r\n"),
    ],
  ])("leaves a head with %j alone", (field) => {
    expect(reads(request("/ark:12345/x", field))).toBe(false);
  });

  test.each([
    ...[
      "Connection: Keep-Alive",
      "Upgrade-Insecure-Requests: 1",
      "Cookie: a=b",
      "X:",
      "Te-St: x",
      "Content-Language: x",
      "CF-IPCity: S\xc3\xa3o Paulo",
    ],
    ...[
      `X-Request-Id: ${"i".repeat(64)}`,
      Array(PLAIN_LINES_MAX - 1)
        .fill("Y: z")
        .join("\r\n"),
    ],
  ])("takes a head with %j", (field) => {
    expect(reads(request("/ark:12345/x", field))).toBe(true);
  });

  test.each(["", "a b", "a,b", "[::1]", "a:", "a:x", "a:123456", "\xe4", "a/b", "a@b", "%41", "a_b"])(
    "leaves the host %j alone",
    (host) => {
      expect(reads(`GET /ark:12345/x HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toBe(false);
    },
  );

  test("A49 takes the mount prefix, and A34 a trusted header only where it has the same", () => {
    const mounted = new PlainHead({ rootPath: "/pid", rawUriHeader: "x-original-uri" });
    for (const target of ["/pid/ark:12345/x", "/ark:12345/x"]) {
      expect(reads(request(target), mounted)).toBe(true);
      expect(reads(request(target, `X-Original-URI: ${target}`), mounted)).toBe(true);
      expect(reads(request(target, `X-Original-URI: ${target}`, `X-Original-URI: ${target}`), mounted)).toBe(false);
      for (const sent of ["", `${target}?`, "/ark:12345/y", `${target}y`]) {
        expect([sent, reads(request(target, `X-Original-URI: ${sent}`), mounted)]).toEqual([sent, false]);
      }
    }
    expect(reads(request("/pidark:12345/x"), mounted)).toBe(false);
    const strange = new PlainHead({ rootPath: "", rawUriHeader: "x-request-id" });
    expect(reads(request("/ark:12345/x", "X-Request-Id: q"), strange)).toBe(false);
  });

  test("reads 20,000 odd streams, from any byte on, as one expression does", () => {
    let plain = 0;
    for (let seed = 1; seed <= 20_000; seed++) {
      const random = rng(seed);
      const stream = cut(random, oddStream(random))[0] ?? "";
      const bytes = bytesOf(stream);
      const expected = isPlain(stream);
      expect([seed, head.read(bytes, 0, bytes.length)]).toEqual([seed, expected]);
      if (expected) plain += 1;
    }
    expect(plain).toBeGreaterThan(5000);
  });
});
