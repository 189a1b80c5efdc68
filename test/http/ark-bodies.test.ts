// Bodies of requests and answers of the minter: fields, limits, the body of 422, JSON, read_only, the envelope of
// refusals (specification 1, "Resources and their fields").
import { describe, expect, test } from "bun:test";
import { DESCRIPTIVE_FIELDS } from "../../src/ark/record.ts";
import { generateDocuments } from "../../src/main/openapi/openapi.ts";
import { composed } from "../support/composed-examples.ts";
import { operationsIn } from "../support/described-statuses.ts";
import { type Answer, type Json, solemnly } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ names: { bulkRows: 5 } });

const rows = (answer: Answer, field = "data"): readonly Json[] => {
  const value = answer.body[field];
  return Array.isArray(value) ? value : [];
};
const problems = (answer: Answer) => rows(answer, "detail").map(({ loc, type }) => [JSON.stringify(loc), type]);

/** Every endpoint that takes descriptive fields, with what it needs besides. */
const DESCRIBING: readonly (readonly [string, string, (ark: string) => Json])[] = [
  ["POST", "mint", () => ({})],
  ["POST", "register", (ark) => ({ ark, qualifier: `/p${Math.random()}` })],
  ["PUT", "update", (ark) => ({ ark })],
];

describe("descriptive fields", () => {
  test("L13 the eleven of them are strings, optional on input, empty when left out, returned as they came", async () => {
    expect(DESCRIPTIVE_FIELDS.toSorted().join(" ")).toBe(
      "commitment format identifier metadata relation source title type url when who",
    );
    const ark = await world.make("published");
    for (const [method, path, needs] of DESCRIBING) {
      const empty = await world.send("org-a", method, path, needs(ark));
      expect([path, empty.status < 300]).toEqual([path, true]);
      for (const field of DESCRIPTIVE_FIELDS) {
        const value = field === "url" ? "https://t.example/x" : `A ${field} — 題 «${field}»\nand a second line`;
        const { body } = await world.send("org-a", method, path, { ...needs(ark), [field]: value });
        for (const each of DESCRIPTIVE_FIELDS) {
          expect([path, each, empty.body[each], body[each]]).toEqual([path, each, "", each === field ? value : ""]);
        }
        for (const wrong of [7, null, true, ["x"], { x: 1 }]) {
          const refused = await world.send("org-a", method, path, { ...needs(ark), [field]: wrong });
          const expected = [path, 422, [JSON.stringify(["body", field]), "string_type"]];
          expect([path, refused.status, ...problems(refused)]).toEqual(expected);
        }
      }
    }
  });

  test("L13 A20 a text that is not well-formed Unicode is refused, not stored as something else", async () => {
    for (const field of ["title", "metadata", "url", "request_id"]) {
      const value = field === "url" ? "https://t.example/\ud800" : "half a pair: \udc00";
      const refused = await world.send("org-a", "POST", "mint", { [field]: value });
      expect([refused.status, ...problems(refused)]).toEqual([422, [JSON.stringify(["body", field]), "value_error"]]);
    }
  });
});

describe("mint input", () => {
  test("L15 the length of request_id is counted in characters: 200 fit, of any plane, 201 do not", async () => {
    for (const character of ["r", "題", "𠮷", "😀"]) {
      const longest = character.repeat(200);
      const first = await world.send("org-a", "POST", "mint", { request_id: longest });
      const again = await world.send("org-a", "POST", "mint", { request_id: longest });
      expect([first.status, again.status, again.body.ark]).toEqual([201, 200, first.body.ark]);
      const refused = await world.send("org-a", "POST", "mint", { request_id: longest + character });
      const expected = [422, [JSON.stringify(["body", "request_id"]), "string_too_long"]];
      expect([refused.status, ...problems(refused)]).toEqual(expected);
      expect(rows(refused, "detail")[0]?.ctx).toEqual({ max_length: 200 });
    }
  });

  test("L3 L15 an empty request_id is none: two such mints make two names", async () => {
    const arks = new Set<unknown>();
    for (const body of [{ request_id: "" }, { request_id: "" }, {}, {}]) {
      const answer = await world.send("org-a", "POST", "mint", body);
      expect(answer.status).toBe(201);
      arks.add(answer.body.ark);
    }
    expect(arks.size).toBe(4);
  });

  test("L4 L15 an empty shoulder is the organisation's default, and reserve false is as if left out", async () => {
    const { status, body } = await world.send("org-a", "POST", "mint", { shoulder: "", reserve: false });
    expect([status, body.state, String(body.ark).startsWith("ark:99999/b1")]).toEqual([201, "published", true]);
  });
});

describe("other inputs", () => {
  test("L16 L18 L19 L20 what is required: data of the bulk calls and of query, ark of update and tombstone", async () => {
    const arkCalls = ["PUT update", "PUT tombstone", "POST publish", "POST unpublish", "POST delete", "POST purge"];
    const dataCalls = ["POST mint/bulk", "PUT update/bulk", "POST query", "POST delete/bulk"];
    const missing = [...dataCalls.map((call) => [call, "data"]), ...arkCalls.map((call) => [call, "ark"])].map(
      ([call = "", member = ""]) => [...call.split(" "), member] as [string, string, string],
    );
    for (const [method, path, field] of missing) {
      const refused = await world.send("org-a", method, path, {});
      const problem = [JSON.stringify(["body", field]), "missing"];
      expect([path, refused.status, ...problems(refused)]).toEqual([path, 422, problem]);
    }
  });

  test("L16 L18 L20 bulk answers have their fields and no others", async () => {
    const minted = await world.send("org-a", "POST", "mint/bulk", { data: [{ title: "a" }, { title: "b" }] });
    expect(Object.keys(minted.body).sort()).toEqual(["created", "minted", "replayed"]);
    const arks = rows(minted, "minted").map(({ ark }) => ark);
    expect([minted.body.created, minted.body.replayed, arks.length]).toEqual([2, 0, 2]);
    const updated = await world.send("org-a", "PUT", "update/bulk", { data: arks.map((ark) => ({ ark })) });
    expect([updated.status, updated.body]).toEqual([200, { updated: 2 }]);
    const found = await world.send("org-a", "POST", "query", { data: arks });
    expect([found.status, Object.keys(found.body), rows(found).map(({ ark }) => ark)]).toEqual([200, ["data"], arks]);
  });

  test("L19 a tombstone takes ark, url and commitment and no other field; url is empty when left out", async () => {
    const ark = await world.make("published");
    for (const field of ["title", "who", "reason", "confirm"]) {
      const refused = await world.send("org-a", "PUT", "tombstone", { ark, [field]: "x" });
      const expected = [422, [JSON.stringify(["body", field]), "extra_forbidden"]];
      expect([refused.status, ...problems(refused)]).toEqual(expected);
    }
    expect(await world.read(ark)).toMatchObject({ state: "published" });
    const { status, body } = await world.send("org-a", "PUT", "tombstone", { ark });
    expect([status, body.url, body.commitment]).toEqual([200, "", "Kept"]);
  });

  test("L17 a registered name is base and qualifier, no more; its base must exist; . and / both begin one", async () => {
    const base = await world.make("published");
    for (const qualifier of ["/chapter.1", ".v2", "/%2F"]) {
      const { status, body } = await world.send("org-a", "POST", "register", { ark: base, qualifier });
      expect([status, body.ark]).toEqual([201, base + qualifier]);
    }
    for (const qualifier of ["chapter", "%2Fchapter", "-x", " /x", "?x"]) {
      const { status, body } = await world.send("org-a", "POST", "register", { ark: base, qualifier });
      expect([qualifier, status, body.code]).toEqual([qualifier, 400, "SVC-1002"]);
    }
    const nothing = await world.send("org-a", "POST", "register", { ark: "ark:99999/b1none", qualifier: "/x" });
    expect([nothing.status, nothing.body.code]).toEqual([404, "SVC-1401"]);
  });
});

describe("the body of 422", () => {
  const mint = { title: 1, url: [], reserve: "yes", nothing: null, shoulder: "s".repeat(101) };
  const BAD: readonly (readonly [string, string, unknown])[] = [
    ...[mint, { url: "javascript:alert(1)", who: "\u0000" }, [], "a text", null, ""].map(
      (body): [string, string, unknown] => ["POST", "mint", body],
    ),
    ["POST", "mint?read_only=perhaps", {}],
    ["POST", "mint?naan=12345", {}],
    ["POST", "mint/bulk", { data: [{}, 1, { title: 1 }] }],
    ["POST", "query", { data: ["nonsense", 7] }],
    ["POST", "query", { data: ["nonsense", ""] }],
    ["POST", "unpublish/bulk", { data: [], confirm: {} }],
    ["PUT", "tombstone", { ark: 1, url: "ftp//x" }],
    ...["arks?limit=many", "arks?state=gone", "history"].map((path): [string, string, unknown] => [
      "GET",
      path,
      undefined,
    ]),
  ];

  test("L22 is detail alone: objects of loc, msg, type, with or without input and ctx", async () => {
    for (const [method, path, body] of BAD) {
      const answer = await world.send("org-a", method, path, body);
      const name = `${method} ${path} ${JSON.stringify(body)}`;
      expect([name, answer.status, Object.keys(answer.body)]).toEqual([name, 422, ["detail"]]);
      expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(rows(answer, "detail").length).toBeGreaterThan(0);
      for (const { loc, msg, type, input, ctx, ...others } of rows(answer, "detail")) {
        expect([name, others]).toEqual([name, {}]);
        expect(Array.isArray(loc) && loc.every((part) => typeof part === "string" || Number.isInteger(part))).toBe(
          true,
        );
        expect(String(loc)).toMatch(/^(?:body|query)(?:,|$)/);
        for (const text of [msg, type]) expect(typeof text === "string" && text.length > 3).toBe(true);
        if (ctx !== undefined) expect(typeof ctx === "object" && ctx !== null && !Array.isArray(ctx)).toBe(true);
        if (input !== undefined) expect(JSON.stringify(input).length).toBeLessThan(300);
      }
    }
  });

  test("L22 A29 the error of a wrong choice names the right ones", async () => {
    const first = async (path: string) => rows(await world.send("org-a", "GET", path), "detail")[0];
    const expected = { loc: ["query", "read_only"], msg: "Input should be true or false", type: "bool_parsing" };
    expect(await first("arks?read_only=perhaps")).toMatchObject(expected);
    expect(await first("arks?limit=many")).toMatchObject({
      msg: "Input should be a whole number",
      type: "int_parsing",
    });
    expect(await first("arks?state=gone")).toMatchObject({
      msg: "Input should be one of 'reserved', 'published', 'unpublished', 'tombstoned'",
      type: "literal_error",
    });
  });
});

describe("JSON bodies", () => {
  test("L39 A46 JSON in UTF-8 is taken, named or not; anything else is refused for what it is: 415 or 422", async () => {
    const mint = async (headers: Readonly<Record<string, string>>, body: string | Uint8Array<ArrayBuffer>) => {
      const init = { method: "POST", headers: { authorization: "Bearer org-a", ...headers }, body };
      const response = await world.fetch(new Request("http://ark.test/api/mint", init));
      return { status: response.status, body: await response.json() };
    };
    const json = { "content-type": "application/json" };
    const bytes = (text: string) => new TextEncoder().encode(text);
    for (const headers of [{}, json, { "content-type": "Application/JSON; charset=utf-8" }]) {
      expect((await mint(headers, bytes('{"title":"題"}'))).body.title).toBe("題");
    }
    expect((await mint({ ...json, "content-encoding": "identity" }, "{}")).status).toBe(201);
    const compressed = await mint({ ...json, "content-encoding": "gzip" }, "{}");
    expect([compressed.status, compressed.body]).toEqual([
      415,
      { code: "SVC-1104", message: "The body must be application/json", detail: { content_encoding: "gzip" } },
    ]);
    for (const type of ["text/plain", "text/json", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      expect([type, (await mint({ "content-type": type }, "{}")).status]).toEqual([type, 415]);
    }
    const latin = new Uint8Array([...bytes('{"title":"'), 0xe9, ...bytes('"}')]);
    for (const broken of [latin, "{}{}", "{'title':1}", "[".repeat(50_000)]) {
      const answer = await mint(json, broken);
      const expected = [422, { detail: [{ loc: ["body"], msg: "JSON decode error", type: "json_invalid" }] }];
      expect([answer.status, answer.body]).toEqual(expected);
    }
  });
});

describe("read_only", () => {
  test("L40 is a boolean, false when left out, written as clients print one", async () => {
    for (const value of ["true", "false", "True", "False", "TRUE", "FALSE", "1", "0"]) {
      expect([value, (await world.send("org-a", "GET", `stats?read_only=${value}`)).status]).toEqual([value, 200]);
    }
    for (const value of ["", "yes", "2", "null"]) {
      expect([value, (await world.send("org-a", "GET", `stats?read_only=${value}`)).status]).toEqual([value, 422]);
    }
  });
});

describe("the error envelope", () => {
  test("L23 every refusal of the service has a code SVC-…, an English message and a structured detail", async () => {
    const ark = await world.make("published");
    const answers = [
      await world.send(null, "POST", "mint", {}),
      await world.send("org-a;", "POST", "mint", {}),
      await world.send("org-a", "POST", "mint", { shoulder: "c2" }),
      await world.send("org-a", "POST", "mint", { shoulder: "d9" }),
      await world.send("org-a", "POST", "delete", solemnly(ark)),
      await world.send("org-a", "POST", "purge", { ark }),
      await world.send("org-a", "PUT", "update", { ark: "ark:99999/b1none" }),
      await world.send("org-a", "POST", "mint/bulk", { data: [{}, {}, {}, {}, {}, {}] }),
    ];
    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
      ...["401 SVC-1201", "403 SVC-1301", "403 SVC-1302", "307 SVC-1306"],
      ...["409 SVC-1501", "400 SVC-1015", "404 SVC-1401", "400 SVC-1011"],
    ]);
    for (const { body } of answers) {
      expect(Object.keys(body).sort()).toEqual(["code", "detail", "message"]);
      expect(body.message).toMatch(/^[A-Z][\x20-\x7e]{5,}[a-z]$/);
      expect(typeof body.detail === "object" && body.detail !== null && !Array.isArray(body.detail)).toBe(true);
    }
  });
});

test("L70 A46 the example of every body in the interface description fits what the endpoint reads", async () => {
  type Operation = {
    readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  };
  const description = JSON.parse((await generateDocuments())["openapi-minter.json"]);
  const rows = operationsIn<Operation>(description).flatMap(({ method, path, operation }) => {
    const media = operation.requestBody?.content["application/json"];
    return media === undefined
      ? []
      : [[method.toUpperCase(), path.replace("/api/", ""), composed(media.schema, description)]];
  });
  const answers = await Promise.all(
    rows.map(async ([method, path, body]) => {
      const { status, body: answer } = await world.send("org-a", String(method), String(path), body as Json);
      return [path, status === 422 || status === 415 || status >= 500 ? answer : "read"];
    }),
  );
  expect(answers).toEqual(rows.map(([, path]) => [path, "read"]));
  expect(rows.length).toBeGreaterThan(15);
});
