// What the fast lane counts of a connection that was handed on: requests and answers, however they are cut (docs/fast-lane.md).
import { describe, expect, test } from "bun:test";
import { AnswerWatch } from "../../src/resolver/lane/answer-watch.ts";
import { RequestWatch, WATCHED_LINE_MAX } from "../../src/resolver/lane/request-watch.ts";
import { hasLane } from "../support/lane-world.ts";

const octetsOf = (text: string): Buffer => Buffer.from(text, "latin1");
const request = (line: string, ...fields: string[]): string =>
  `${line}\r\n${["Host: a", ...fields].map((field) => `${field}\r\n`).join("")}\r\n`;
const GET = request("GET /x?y HTTP/1.1");

/** Sends a text in parts of so many octets; gives back what went on. */
function passed(watch: RequestWatch, text: string, size: number): string {
  let out = "";
  for (let at = 0; at < text.length; at += size)
    out += watch.read(octetsOf(text.slice(at, at + size))).toString("latin1");
  return out;
}

describe.skipIf(!hasLane)("RequestWatch", () => {
  test.each([1, 2, 7, 1000])(
    "A43 counts requests and tells dotted targets behind their line, in parts of %i octets",
    (size) => {
      const watch = new RequestWatch("x-told");
      const dotted = ["/a/../b", "/%2E/b?q", "/a/..", "/\xe4/.%2e"];
      const plain = ["/a/...", "/a?/../b", "/a/..%2Fb", "/a/%2f"];
      const text = [...dotted, ...plain].map((target) => request(`GET ${target} HTTP/1.1`)).join("");
      const told = dotted.map((target) => `GET ${target} HTTP/1.1\r\nx-told: ${target}\r\nHost: a\r\n\r\n`).join("");
      expect(passed(watch, text, size)).toBe(told + text.slice(text.indexOf("GET /a/...")));
      expect([watch.whole, watch.isLost, watch.isBetween]).toEqual([8, false, true]);
      passed(watch, "GET", size);
      expect(watch.isBetween).toBe(false);
    },
  );

  test.each([
    ...[
      "Content-Length: 0",
      "transfer-encoding: chunked",
      "Connection: close",
      "Upgrade: h2c",
      "X_Y: z",
      "X: a\tb",
      " folded",
    ],
    ...["X : y", "No colon", "X: a\0", "Expect: x", "TE: x", "Trailer: x"],
  ])("is lost for good behind %p, and tells nothing more", (field) => {
    const watch = new RequestWatch("x-told");
    const text = GET + request("GET /x HTTP/1.1", field) + request("GET /a/../b HTTP/1.1");
    expect(passed(watch, text, 1000)).toBe(text);
    expect([watch.whole, watch.isLost, watch.isBetween]).toEqual([1, true, false]);
  });

  test.each(["POST /a/../b HTTP/1.1", "GET /a/../b HTTP/1.0", "OPTIONS http://a/../b HTTP/1.1"])(
    "A43 tells the target of %p, and is lost behind it",
    (line) => {
      const watch = new RequestWatch("x-told");
      const target = line.split(" ")[1];
      expect(passed(watch, request(line) + GET, 3)).toBe(`${line}\r\nx-told: ${target}\r\nHost: a\r\n\r\n${GET}`);
      expect([watch.whole, watch.isLost]).toEqual([0, true]);
    },
  );

  test.each([
    "GET  /a/../b HTTP/1.1",
    "GET /a/../b",
    "get /a/../b HTTP/1.1",
    "GET /a/../b HTTP/1.1 ",
    "\r\nGET /a/../b HTTP/1.1",
  ])("says nothing of the line %p", (line) => {
    const watch = new RequestWatch("x-told");
    expect(passed(watch, request(line), 5)).toBe(request(line));
    expect([watch.whole, watch.isLost]).toEqual([0, true]);
  });

  test("keeps no more than a line", () => {
    const watch = new RequestWatch("x-told");
    for (let sent = 0; sent < 3; sent++) watch.read(octetsOf("x".repeat(WATCHED_LINE_MAX / 2)));
    expect(watch.isLost).toBe(true);
  });
});

describe.skipIf(!hasLane)("AnswerWatch", () => {
  const ANSWERS = [
    "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 5\r\n\r\nab\r\n\r",
    "HTTP/1.1 204 No Content\r\nDate: x\r\n\r\n",
    'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n',
    "HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n",
  ].join("");

  test.each([1, 3, 50, 1000])("counts answers in parts of %i octets", (size) => {
    const watch = new AnswerWatch();
    for (let at = 0; at < ANSWERS.length; at += size) watch.read(octetsOf(ANSWERS.slice(at, at + size)));
    expect([watch.whole, watch.isLost]).toEqual([4, false]);
    watch.read(octetsOf("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx"));
    expect([watch.whole, watch.isLost]).toEqual([4, false]);
  });

  test.each([
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nDate: x\r\n\r\n",
    "something else\r\n\r\n",
    "x".repeat(20_000),
  ])("is lost for good behind any other kind of answer", (answer) => {
    const watch = new AnswerWatch();
    watch.read(octetsOf(answer));
    watch.read(octetsOf(ANSWERS));
    expect([watch.whole, watch.isLost]).toEqual([0, true]);
  });
});
