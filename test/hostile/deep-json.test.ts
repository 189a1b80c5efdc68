// JSON that nests without end, at every interface that takes JSON (R9a): refused before anything walks or quotes it,
// never a 5xx. The interfaces are read from the interface descriptions, so that a new one is tried without a word here.
import { beforeAll, describe, expect, test } from "bun:test";
import { readJwt } from "../../src/auth/jwt.ts";
import { minterDocument, repositoryDocument } from "../../src/main/openapi/documents.ts";
import type { Handler } from "../../src/main/process/serve.ts";
import { JsonTooDeep, JsonTooMuch, jsonExcess, parseJson } from "../../src/shared/json/read.ts";
import { ndjsonReader } from "../../src/shared/text/text-lines.ts";
import { ask } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

type Json = { readonly [name: string]: unknown };
type Route = { readonly method: string; readonly path: string; readonly members: readonly string[] };

const object = (value: unknown): Json => (typeof value === "object" && value !== null ? { ...value } : {});

/**
 * Every operation of a description that takes JSON, with the members its body may have; those of `index` and `data`
 * too.
 */
function routesOf(description: string): readonly Route[] {
  const document: unknown = JSON.parse(description);
  const known = object(object(object(document).components).schemas);
  const resolved = (schema: unknown): Json => {
    const { $ref } = object(schema);
    return typeof $ref === "string" ? object(known[$ref.split("/").at(-1) ?? ""]) : object(schema);
  };
  return Object.entries(object(object(document).paths)).flatMap(([path, item]) =>
    Object.entries(object(item)).flatMap(([method, operation]) => {
      const content = object(object(object(operation).requestBody).content)["application/json"];
      if (content === undefined) return [];
      const { properties } = resolved(object(content).schema);
      const members = Object.entries(object(properties)).flatMap(([name, schema]) => {
        const inner = Object.keys(object(resolved(schema).properties));
        return [name, ...inner.map((each) => `${name}.${each}`)];
      });
      const filled = path.replace("{version}", "v1").replace(/\{[^}]+\}/g, "1");
      return [{ method: method.toUpperCase(), path: filled, members }];
    }),
  );
}

const arrays = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const DEEP = [arrays(201), objects(201), arrays(3_000), arrays(100_000), objects(100_000), "[".repeat(1_000_000)];

/** The bodies one interface is tried with: deep as a whole, and in the place of each member. */
function* bodies({ members }: Route): Generator<string> {
  for (const deep of DEEP) {
    yield deep;
    yield `[${deep}]`;
  }
  for (const member of [...members, "unknown"]) {
    const names = member.split(".");
    const open = names.map((name) => `{${JSON.stringify(name)}:`).join("");
    for (const deep of [arrays(198), arrays(5_000), objects(100_000)])
      yield `${open}${deep}${"}".repeat(names.length)}`;
  }
}

const REPOSITORY = routesOf(await repositoryDocument()).map(
  (route) => [`${route.method} ${route.path}`, route] as const,
);
const MINTER = routesOf(await minterDocument()).map((route) => [`${route.method} ${route.path}`, route] as const);

describe("deep JSON", () => {
  const world = setUpWorld({ repository: true });
  let minter: Handler;
  let key: string;
  const minting = setUpWorld({ names: { file: true } });
  beforeAll(async () => {
    minter = minting.minter({ SVC_RATE_PER_MINUTE: "0", SVC_ADDRESS_RATE_PER_MINUTE: "0" });
    key = await minting.key("deep");
  });

  test("R9a the descriptions name the interfaces", () => {
    expect([REPOSITORY.length > 15, MINTER.length > 15]).toEqual([true, true]);
  });

  test.each(REPOSITORY)(
    "R9a the repository's %s is never a 5xx, however deep the body and each member of it is",
    async (_, route) => {
      for (const body of bodies(route)) {
        const headers = { "content-type": "application/json" };
        const answer = await world.ask("system", route.method, route.path, { headers, body });
        expect([body.slice(0, 60), answer.status < 500]).toEqual([body.slice(0, 60), true]);
      }
    },
  );

  test.each(MINTER)(
    "R9a the minter's %s is never a 5xx, however deep the body and each member of it is",
    async (_, route) => {
      for (const body of bodies(route)) {
        const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
        const { status } = await ask(minter, route.method, route.path, { headers, body });
        expect([body.slice(0, 60), status < 500]).toEqual([body.slice(0, 60), true]);
      }
    },
  );

  test("R9a a decision and a setting that are deep are 400, and an index with a whole tree below it is not", async () => {
    const body = `{"index":${arrays(100_000)}}`;
    const decided = await world.ask("admin", "POST", "/api/v1/workflow/activities/A-20260101-00001/approve", { body });
    expect([decided.status, decided.json.message]).toEqual([
      400,
      "The body cannot be read: it nests more than 200 arrays and objects",
    ]);
    const setting = `{"name":${objects(100_000)}}`;
    expect((await world.ask("system", "POST", "/api/v1/admin/workflows", { body: setting })).status).toBe(400);
    const children = `${'{"children":['.repeat(1_000)}{}${"]}".repeat(1_000)}`;
    const tree = `{"index":{"parent":0,"index_name":"deep","children":[${children}]}}`;
    expect((await world.ask("system", "POST", "/api/v1/tree/index", { body: tree })).status).toBe(201);
  });

  test("R9a tokens and lines of an import that are deep are refused as no token and as wrong lines", () => {
    const part = (text: string): string => Buffer.from(text).toString("base64url");
    const claims = `{"a":${arrays(100_000)}}`;
    expect(readJwt(`${part('{"alg":"HS256"}')}.${part(claims)}.AA`)).toBeNull();
    expect(readJwt(`${part('{"alg":"HS256"}')}.${part('{"a":[[1]]}')}.AA`)).not.toBeNull();
    const rows = ndjsonReader().push(`{"ark":${arrays(1_000)}}\n{"ark":"x"}\n`);
    expect(rows).toEqual([
      { line: 1, wrong: "nests too many arrays and objects" },
      { line: 2, value: { ark: "x" } },
    ]);
  });
});

describe("parseJson()", () => {
  test("R9a counts brackets outside of texts only, and gives everything else as JSON.parse does", () => {
    const within = (text: string, deepest: number) => jsonExcess(text, { deepest, values: 1_000, members: 3 });
    expect(within(arrays(200), 200)).toBeNull();
    expect(within(arrays(201), 200)).toBe("depth");
    expect(within(JSON.stringify({ a: "[".repeat(500), '\\"[[': "\\\\" }), 3)).toBeNull();
    expect(within("[][][][]", 1)).toBeNull();
    expect(parseJson('{"a":[1,"[[[[",{}]}', 3)).toEqual({ a: [1, "[[[[", {}] });
    // However many backslashes are before a quote, texts end where JSON.parse ends them.
    for (let escapes = 0; escapes < 6; escapes++) {
      const one = `${"\\".repeat(escapes)}"[[[[`;
      expect(within(JSON.stringify([one, `[${one}`, [one]]), 2)).toBeNull();
      expect(within(JSON.stringify([one, [[one]]]), 2)).toBe("depth");
    }
    expect(within('"[[[[', 2)).toBeNull();
    expect(() => parseJson("[[[[", 3)).toThrow(JsonTooDeep);
    expect(() => parseJson("[", 3)).toThrow(SyntaxError);
  });

  test("R9a a body holds 500,000 values and an object 10,000 members, counted before it is parsed", () => {
    const list = (count: number) => `[${"1,".repeat(count - 1)}1]`;
    const object = (count: number) =>
      `{${Array.from({ length: count }, (_, at) => `"k${at}":[1,{"a":",,,"}]`).join()}}`;
    expect(parseJson(list(499_999))).toHaveLength(499_999);
    expect(() => parseJson(list(500_001))).toThrow(JsonTooMuch);
    expect(Object.keys(parseJson(object(10_000)) ?? {})).toHaveLength(10_000);
    expect(() => parseJson(object(10_001))).toThrow(JsonTooMuch);
    expect(() => parseJson(`{"a":1,${'"b":1,'.repeat(2_000_000)}"c":1}`)).toThrow("more than 10000 members");
  });
});
