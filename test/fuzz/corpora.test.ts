// What the command `test/fuzz/corpora.ts` makes of the files of public corpora, with two of each kind written here.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../support/processes.ts";
import { hasLane, laneWorld } from "../support/world/lane.ts";
import { compareCorpora, readCases, readHttp, readMarkdown, readMutations } from "./corpora.ts";

const MARKDOWN =
  "## One\n```http\nPUT /url HTTP/1.1\nHost: a\\\nb\nX: \\xe4\\t\n\n\n```\n```log\noff=0\n```\n```http\nGET / HTTP/1.0\\n\n```\n";
const HTTP = "GET /a HTTP/1.1\\r\\n\nX: \\x0d\\0\\r\\n\n\\r\\n\nab";
const CASES =
  'const cases = [\n  {\n    request: "GET / HTTP/1.1\\r\\nX: \\x07\\r\\n\\r\\n",\n  },\n  { request: "no" },\n];';
const MUTATIONS =
  'mutations["a"] = render_template(" Transfer-Encoding: chunked")\nfor i in range(0x1,0x3):\n\tmutations["b-%02x"%i] = render_template("X%c:%c\\u000Bc"%(i,i))\nfor i in [0xff]:\n\tmutations["c"] = render_template("Y: %c"%(i))\n';

describe("the public corpora", () => {
  const folder = temporaryFolder("corpora");
  afterAll(() => folder.remove());

  test("files are read as their own tests read them", () => {
    expect(readMarkdown(MARKDOWN)).toEqual(["PUT /url HTTP/1.1\r\nHost: ab\r\nX: \xe4\t\r\n\r\n", "GET / HTTP/1.0\n"]);
    expect(readHttp(HTTP)).toBe("GET /a HTTP/1.1\r\nX: \r\0\r\n\r\nab");
    expect(readCases(CASES)).toEqual(["GET / HTTP/1.1\r\nX: \x07\r\n\r\n"]);
    const fields = readMutations(MUTATIONS).map((payload) => payload.split("\r\n")[1]);
    expect(fields.filter((_, index) => index % 2 === 0)).toEqual([
      " Transfer-Encoding: chunked",
      "X\x01:\x01\x0bc",
      "X\x02:\x02\x0bc",
      "Y: \xff",
    ]);
  });

  test.skipIf(!hasLane)(
    "Q.274 A53 each stream is answered alike by lane and server, and figures are by corpus",
    async () => {
      const files = {
        "nodejs/llhttp/test/request/one.md": MARKDOWN,
        "benoitc/gunicorn/tests/requests/valid/001.http": HTTP,
        "benoitc/gunicorn/tests/requests/invalid/001.http": HTTP.replace("/a", "/b"),
        "uNetworking/h1spec/http_test.ts": CASES,
        "defparam/smuggler/configs/one.py": MUTATIONS,
      };
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder.path, file)), { recursive: true });
        writeFileSync(join(folder.path, file), text);
      }
      const world = await laneWorld();
      const figures = await compareCorpora(world, folder.path);
      expect(figures.flatMap(({ differences }) => differences)).toEqual([]);
      expect(figures.map(({ repository, payloads, streams }) => [repository, payloads, streams])).toEqual([
        ["nodejs/llhttp", 2, 8],
        ["benoitc/gunicorn", 2, 8],
        ["uNetworking/h1spec", 1, 4],
        ["defparam/smuggler", 8, 32],
      ]);
      expect(world.counts.fast).toBeGreaterThan(10);
      await world.stop();
    },
  );
});
