// What the fast lane reads of a connection that was handed on: where a request and its answer end, however they are cut
// (docs/fast-lane.md).
import { describe, expect, test } from "bun:test";
import { AnswerWatch } from "../../src/resolver/lane/answer-watch.ts";
import { RequestWatch, WATCHED_LINE_MAX } from "../../src/resolver/lane/request-watch.ts";
import { hasLane } from "../support/world/lane.ts";

const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1");
const request = (line: string, ...fields: string[]): string =>
  `${line}\r\n${["Host: a", ...fields].map((field) => `${field}\r\n`).join("")}\r\n`;

type Passed = { readonly onward: string; readonly whole: number; readonly last: RequestWatch };

/** Sends a text in parts of a given number of bytes, each request to its own watch; returns what went on. */
function passed(text: string, size: number, telling: string | null = "x-mark"): Passed {
  let watch = new RequestWatch(telling);
  let [onward, whole] = ["", 0];
  for (let at = 0; at < text.length; at += size) {
    let part = bytesOf(text.slice(at, at + size));
    while (part.length > 0) {
      const read = watch.read(part);
      onward += read.onward.toString("latin1");
      part = part.subarray(read.taken);
      if (!watch.isWhole || watch.isLost) continue;
      whole += 1;
      watch = new RequestWatch(telling);
    }
  }
  return { onward, whole, last: watch };
}
const SIZES = [1, 2, 7, 1000];

describe.skipIf(!hasLane)("RequestWatch", () => {
  test.each(SIZES)("A43 tells dotted targets behind their line, in parts of %i bytes", (size) => {
    const dotted = ["/a/../b", "/%2E/b?q", "/a/..", "/\xe4/.%2e"];
    const plain = ["/a/...", "/a?/../b", "/a/..%2Fb", "/a/%2f"];
    const text = [...dotted, ...plain].map((target) => request(`GET ${target} HTTP/1.1`)).join("");
    const forwarded = dotted.map((target) => `GET ${target} HTTP/1.1\r\nx-mark: ${target}\r\nHost: a\r\n\r\n`).join("");
    const { onward, whole, last } = passed(text, size);
    expect(onward).toBe(forwarded + text.slice(text.indexOf("GET /a/...")));
    expect([whole, last.hasBegun]).toEqual([8, false]);
    expect(passed(text, size, null).onward).toBe(text);
    expect(passed("GET", size).last.hasBegun).toBe(true);
  });

  test.each(SIZES)("knows where requests with bodies end, in parts of %i bytes", (size) => {
    const inside = request("GET /inside HTTP/1.1");
    const chunk = (text: string): string => `${text.length.toString(16).toUpperCase()}\r\n${text}\r\n`;
    const requests = [
      `${request("POST /a HTTP/1.1", `Content-Length: ${inside.length}`, "Content-Type: a/b")}${inside}`,
      `${request("PUT /a HTTP/1.1", "transfer-encoding: Chunked")}${chunk(inside)}${chunk("0\r\n\r\n")}0\r\n\r\n`,
      request("DELETE /a HTTP/1.1", "Content-Length:0", "X_Y: \xe4\t1"),
      request("HEAD /a HTTP/1.1", "Connection: keep-alive", "TE: trailers", "Expect: 100-continue"),
      `${request("GET /a HTTP/1.1", "Content-Length: 007")}\r\n\r\n\r\n\0`,
      request(
        "GET /a HTTP/1.1",
        "Connection: keep-alive, Upgrade ,HTTP2-Settings",
        "Upgrade: h2c",
        "HTTP2-Settings: x",
      ),
      request(
        "GET /a HTTP/1.1",
        "Connection: te, x, Content-Length",
        "X.Y!#$%&'*+^`|~: z",
        'Via: 1.1 a, 1.1 [2001:db8::1] (x;"y=z")',
      ),
    ];
    const { onward, whole, last } = passed(requests.join(""), size);
    expect(onward).toBe(requests.join(""));
    expect([whole, last.hasBegun, last.isLost]).toEqual([7, false, false]);
    for (const [at, one] of requests.entries()) {
      const watch = new RequestWatch(null);
      expect(watch.read(bytesOf(one + inside)).taken).toBe(one.length);
      expect([watch.isWhole, watch.isHead]).toEqual([true, at === 3]);
    }
  });

  test("takes nothing behind a request after which the client wants the end", () => {
    const watch = new RequestWatch(null);
    const text = request("GET /x HTTP/1.1", "Connection: Close");
    expect(watch.read(bytesOf(text + text)).taken).toBe(text.length);
    expect([watch.isWhole, watch.isLast]).toEqual([true, true]);
  });

  test.each([
    ...["Connection: close, x", "Connection: keep-alive, close", "X(Y: z"],
    ...[" folded", "X : y", "No colon", "X: a\0", "X: a\rb", "Content-Length: 1, 1", "Content-Length: +1"],
    ...["Content-Length:", "Content-Length: 1\r\nContent-Length: 1", "Transfer-Encoding: gzip, chunked"],
    ...["Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Content-Length: 1\r\nTransfer-Encoding: chunked"],
    ...["Transfer-Encoding:\tchunked", "Transfer-Encoding: identity", "Content-Length: 1234567890123456"],
  ])("is lost for good behind %p, and tells nothing more", (field) => {
    for (const size of SIZES) {
      const text = request("GET /x HTTP/1.1", field) + request("GET /a/../b HTTP/1.1");
      const { onward, whole, last } = passed(text, size);
      expect([onward, whole, last.isLost]).toEqual([text, 0, true]);
    }
  });

  test.each([
    "z\r\n",
    "1;a=b\r\n",
    "1 \r\n",
    "-1\r\n",
    "\r\n",
    "1\r\nab",
    "0\r\nX: y\r\n\r\n",
    "1\n",
    "fffffffffffff\r\n",
  ])("is lost behind the odd chunk %p", (chunk) => {
    for (const size of SIZES) {
      const text = `${request("POST /x HTTP/1.1", "Transfer-Encoding: chunked")}${chunk}\r\n\r\n${request("GET /a/../b HTTP/1.1")}`;
      const { onward, whole, last } = passed(text, size);
      expect([onward, whole, last.isLost]).toEqual([text, 0, true]);
    }
  });

  test.each([
    ["GET /a/../b HTTP/1.0", true],
    ["CONNECT /a/../b HTTP/1.1", true],
    ["POST /a/../b HTTP/1.1", false],
    ["OPTIONS http://a/../b HTTP/1.1", false],
  ])("A43 tells the target of %p", (line, isLost) => {
    const target = line.split(" ")[1];
    const { onward, last } = passed(request(line), 3);
    expect(onward).toBe(`${line}\r\nx-mark: ${target}\r\nHost: a\r\n\r\n`);
    expect(last.isLost).toBe(isLost);
  });

  test.each([
    "GET  /a/../b HTTP/1.1",
    "GET /a/../b",
    "get /a/../b HTTP/1.1",
    "GET /a/../b HTTP/1.1 ",
    "\r\nGET /a/../b HTTP/1.1",
  ])("reports nothing for the line %p", (line) => {
    const { onward, whole, last } = passed(request(line), 5);
    expect([onward, whole, last.isLost]).toEqual([request(line), 0, true]);
  });

  test("A43 keeps no more than a line, and treats a long one alike however it is cut", () => {
    for (const size of [1000, 8000, 100_000]) {
      const short = `GET /${"x".repeat(WATCHED_LINE_MAX - 30)}/../b HTTP/1.1`;
      expect([size, passed(request(short), size).onward.includes("x-mark: /xxx")]).toEqual([size, true]);
      const long = request(`GET /${"x".repeat(WATCHED_LINE_MAX)}/../b HTTP/1.1`);
      const { onward, last } = passed(long, size);
      expect([size, onward === long, last.isLost]).toEqual([size, true, true]);
    }
  });
});

describe.skipIf(!hasLane)("AnswerWatch", () => {
  const WHOLE: readonly (readonly [string, boolean])[] = [
    ["HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 5\r\n\r\nab\r\n\r", false],
    ["HTTP/1.1 204 No Content\r\nDate: x\r\n\r\n", false],
    ['HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n', false],
    ["HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n", false],
    ["HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n", true],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", true],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n0\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n", false],
    ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", false],
  ];

  test.each([1, 3, 50, 1000])("knows where answers end, in parts of %i bytes", (size) => {
    for (const [answer, isHead] of WHOLE) {
      const watch = new AnswerWatch(isHead);
      for (let at = 0; at < answer.length; at += size) {
        expect([answer, at, watch.isWhole]).toEqual([answer, at, false]);
        watch.read(bytesOf(answer.slice(at, at + size)));
      }
      expect([answer, watch.isWhole, watch.isLost]).toEqual([answer, true, false]);
      watch.read(bytesOf("H"));
      expect([answer, watch.isLost]).toEqual([answer, true]);
    }
  });

  test.each([
    "HTTP/1.1 101 Switching Protocols\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nDate: x\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
    "something else\r\n\r\n",
    "x".repeat(70_000),
  ])("is lost for good behind any other kind of answer", (answer) => {
    const watch = new AnswerWatch(false);
    watch.read(bytesOf(answer));
    watch.read(bytesOf("HTTP/1.1 204 No Content\r\n\r\n"));
    expect([watch.isWhole, watch.isLost]).toEqual([false, true]);
  });

  test("does not wait for more behind an answer that ends the connection", () => {
    const watch = new AnswerWatch(false);
    watch.read(bytesOf("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nxy"));
    expect([watch.isWhole, watch.isLost]).toEqual([false, false]);
  });
});
