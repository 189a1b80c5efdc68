// The surface of management as a whole: scopes, order of checks, inputs, errors, and what the interface description
// states about it (specification 1, "Authentication", "Errors"; A13, A21, A22, A26, A28, A29, A46, L70).
import { describe, expect, test } from "bun:test";
import { SCOPES } from "../../src/auth/caller.ts";
import { type Json, solemnly } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ names: true });

/** Every endpoint with the scopes that open it (A21) and a body that does no harm. */
const ENDPOINTS: readonly (readonly [string, string, string, (ark: string) => Json | undefined])[] = [
  ["POST", "mint", "ark:mint", () => ({})],
  ["POST", "mint/bulk", "ark:mint", () => ({ data: [] })],
  ["POST", "register", "ark:mint", (ark) => ({ ark, qualifier: "/p" })],
  ["POST", "import", "ark:import", () => ({ ark: "99999/b1" })],
  ["POST", "import/bulk", "ark:import", () => ({ data: [] })],
  ["PUT", "update", "ark:update", (ark) => ({ ark })],
  ["PATCH", "update", "ark:update", (ark) => ({ ark })],
  ["PUT", "update/bulk", "ark:update", () => ({ data: [] })],
  ["PATCH", "update/bulk", "ark:update", () => ({ data: [] })],
  ["PUT", "tombstone", "ark:tombstone", (ark) => ({ ark })],
  ["POST", "publish", "ark:publish ark:mint", (ark) => ({ ark })],
  ["POST", "publish/bulk", "ark:publish ark:mint", () => ({ data: [] })],
  ["POST", "unpublish", "ark:unpublish", solemnly],
  ["POST", "unpublish/bulk", "ark:unpublish", () => ({ data: [] })],
  ["PUT", "hold", "ark:hold", (ark) => ({ ark, until: "2026-12-01T00:00:00Z", reason: "R" })],
  ["PUT", "hold/release", "ark:hold", (ark) => ({ ark })],
  ["POST", "delete", "ark:delete", solemnly],
  ["POST", "delete/bulk", "ark:delete", () => ({ data: [] })],
  ["POST", "purge", "ark:purge", solemnly],
  ["POST", "query", "ark:read", () => ({ data: [] })],
  ["GET", "arks", "ark:read", () => undefined],
  ["GET", "history?ark=99999/b1x", "ark:read", () => undefined],
  ["GET", "stats", "ark:read", () => undefined],
  ["GET", "export", "ark:read", () => undefined],
];

describe("L38 L68 A21 A26 who may call", () => {
  for (const [method, path, scopes, body] of ENDPOINTS) {
    const needed = scopes.split(" ");
    test(`L38 L43 L46 L68 A21 ${method} ${path} needs ${needed.join(" or ")}`, async () => {
      const ark = await world.make("published");
      const nobody = await world.send(null, method, path, body(ark));
      expect(`${nobody.status} ${nobody.body.code}`).toBe("401 SVC-1201");
      expect(nobody.headers.get("www-authenticate")).toBe('Bearer realm="ark"');
      const others = SCOPES.filter((scope) => !needed.includes(scope));
      const refused = await world.send(`org-a;${others.join(",")}`, method, path, body(ark));
      expect(`${refused.status} ${refused.body.code}`).toBe("403 SVC-1301");
      expect(typeof refused.body.detail).toBe("object");
      for (const scope of needed) {
        const headers = new Headers({ authorization: `Bearer org-a;${scope}` });
        const json = body(ark);
        if (json !== undefined) headers.set("content-type", "application/json");
        const init = { method, headers, ...(json === undefined ? {} : { body: JSON.stringify(json) }) };
        const response = await world.fetch(new Request(`http://ark.test/api/${path}`, init));
        await response.text();
        expect(`${scope} ${[401, 403].includes(response.status)}`).toBe(`${scope} false`);
      }
    });
  }
});

describe("A22 order of checks", () => {
  const bodied = ENDPOINTS.filter(([method]) => method !== "GET");

  test("A22 no credential and broken JSON is 401, a missing scope and broken JSON 403, then 422", async () => {
    for (const [method, path] of bodied) {
      expect((await world.send(null, method, path, "{broken")).status).toBe(401);
      expect((await world.send("org-a;", method, path, "{broken")).status).toBe(403);
      const broken = await world.send("org-a", method, path, "{broken");
      expect(broken.status).toBe(422);
      expect(broken.body.detail).toMatchObject([{ loc: ["body"], type: "json_invalid" }]);
    }
  });

  test("A22 A28 a body beyond the limit is 413 before anyone is asked who they are", async () => {
    for (const [method, path] of bodied) {
      const headers = { "content-type": "application/json", "content-length": String((1 << 20) + 1) };
      const declared = await world.fetch(new Request(`http://ark.test/api/${path}`, { method, headers, body: "{}" }));
      expect(`${path} ${declared.status}`).toBe(`${path} 413`);
      expect(await declared.json()).toMatchObject({ code: "SVC-1103", detail: { limit: 1 << 20 } });
      const undeclared = await world.send("org-a", method, path, " ".repeat((1 << 20) + 1));
      expect(`${path} ${undeclared.status} ${undeclared.body.code}`).toBe(`${path} 413 SVC-1103`);
    }
  });

  test("L39 A46 an empty body is 422 missing, another media type 415 (1104), an unknown field 422 extra_forbidden", async () => {
    for (const [method, path, , body] of bodied) {
      const empty = await world.send("org-a", method, path, "");
      expect(empty.body.detail).toMatchObject([{ loc: ["body"], type: "missing" }]);
      const headers = { authorization: "Bearer org-a", "content-type": "application/x-www-form-urlencoded" };
      const form = await world.fetch(new Request(`http://ark.test/api/${path}`, { method, headers, body: "a=b" }));
      expect(`${path} ${form.status}`).toBe(`${path} 415`);
      expect(await form.json()).toMatchObject({ code: "SVC-1104" });
      const extra = await world.send("org-a", method, path, { ...body("ark:99999/b1x"), naan: 12345, unknown: 1 });
      expect(extra.status).toBe(422);
      const locs = (extra.body.detail as readonly Json[]).map(({ loc }) => JSON.stringify(loc));
      expect(locs).toContain('["body","unknown"]');
    }
  });

  test("L22 A29 every wrong field is listed, with the row of a bulk call", async () => {
    const answer = await world.send("org-a", "PUT", "update/bulk", {
      data: [{ ark: "ark:99999/b1x" }, { title: 7, url: "javascript:1" }, { ark: "x", who: "y".repeat(10_001) }],
    });
    expect(answer.status).toBe(422);
    const detail = answer.body.detail as readonly Json[];
    expect(detail.map(({ loc, type }) => [loc, type])).toEqual([
      [["body", "data", 1, "ark"], "missing"],
      [["body", "data", 1, "title"], "string_type"],
      [["body", "data", 2, "who"], "string_too_long"],
    ]);
    const data = [
      { ark: "x", url: "javascript:1" },
      { ark: "y", title: "bell\u0007" },
    ];
    const texts = await world.send("org-a", "PUT", "update/bulk", { data });
    expect((texts.body.detail as readonly Json[]).map(({ loc }) => loc)).toEqual([
      ["body", "data", 0, "url"],
      ["body", "data", 1, "title"],
    ]);
  });
});

describe("L41 L42 A13 what making names answers", () => {
  test("L41 A13 a new name is 201, its repeat 200 with Idempotency-Replayed", async () => {
    const first = await world.send("org-a", "POST", "mint", { request_id: "r-1", title: "First" });
    expect(first.status).toBe(201);
    expect(first.headers.get("idempotency-replayed")).toBe(null);
    const again = await world.send("org-a", "POST", "mint", { request_id: "r-1", title: "Second" });
    expect(again.status).toBe(200);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
  });

  test("L42 A13 bulk is 201 while anything is new, then 200", async () => {
    const data = [{ request_id: "b-1" }, { request_id: "b-2" }, { request_id: "b-1" }];
    const first = await world.send("org-a", "POST", "mint/bulk", { data });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ created: 2, replayed: 1 });
    expect(first.headers.get("idempotency-replayed")).toBe(null);
    const again = await world.send("org-a", "POST", "mint/bulk", { data });
    expect(again.status).toBe(200);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual({ minted: first.body.minted, created: 0, replayed: 3 });
  });

  test("A13 A28 the key of a withdrawn name is 409 (1506), of another kind of call 409 (1507)", async () => {
    const { body } = await world.send("org-a", "POST", "mint", { request_id: "gone", reserve: true });
    await world.send("org-a", "POST", "delete", { ark: body.ark });
    const gone = await world.send("org-a", "POST", "mint", { request_id: "gone" });
    expect(gone.status).toBe(409);
    expect(gone.body).toMatchObject({ code: "SVC-1506", detail: { ark: body.ark } });
    const base = await world.make("published");
    const other = await world.send("org-a", "POST", "register", { ark: base, qualifier: "/p", request_id: "r-1" });
    expect(`${other.status} ${other.body.code}`).toBe("409 SVC-1507");
  });

  test("L7 L69 A30 a delegated shoulder is 307 with its minter as Location, in a bulk 403 without", async () => {
    const one = await world.send("org-a", "POST", "mint", { shoulder: "d9" });
    expect(one.status).toBe(307);
    expect(one.headers.get("location")).toBe("https://mint.example.org/api/mint");
    expect(one.body).toMatchObject({ code: "SVC-1306", detail: { shoulder: "d9", naan: "99999", about: "" } });
    const bulk = await world.send("org-a", "POST", "mint/bulk", { data: [{}, { shoulder: "d9" }] });
    expect(`${bulk.status} ${bulk.body.code}`).toBe("403 SVC-1309");
    expect(bulk.headers.get("location")).toBe(null);
  });

  test("L23 A28 the envelope of a service error has code, message and detail, and nothing else", async () => {
    const answer = await world.send("org-a", "POST", "publish", { ark: "ark:99999/b1none" });
    expect(Object.keys(answer.body).sort()).toEqual(["code", "detail", "message"]);
    expect(answer.body.code).toBe("SVC-1401");
  });
});

describe("L70 A28 what the interface description contains about each route", () => {
  type Documented = {
    readonly summary: string;
    readonly description: string;
    readonly security: readonly Json[];
    readonly "x-scopes": readonly string[];
    readonly operationId: string;
    readonly responses: Readonly<
      Record<string, { readonly description: string; readonly headers: Json; readonly content: Json }>
    >;
  };
  const documents = (): readonly (readonly [string, Documented])[] =>
    // `detail` is what the routes were given.
    world.routes().map((route) => [`${route.method} ${route.path}`, route.hooks.detail as Documented] as const);

  test("A15 every endpoint is there, and no other", () => {
    const expected = ENDPOINTS.map(([method, path]) => `${method} /api/${path.replace(/\?.*/, "")}`);
    const names = documents().map(([name]) => name);
    expect(names.sort()).toEqual(expected.sort());
  });

  test("L70 A21 each has a summary, a bearer, its scopes, and a unique name", () => {
    for (const [name, detail] of documents()) {
      const needed = ENDPOINTS.find(([method, path]) => name === `${method} /api/${path.replace(/\?.*/, "")}`)?.[2];
      expect(`${name}: ${detail["x-scopes"].join(" ")}`).toBe(`${name}: ${needed}`);
      expect(detail.summary.length).toBeGreaterThan(5);
      for (const scope of detail["x-scopes"]) expect(detail.description).toContain(scope);
      expect(detail.security).toEqual([{ bearer: [] }]);
    }
    expect(new Set(documents().map(([, detail]) => detail.operationId)).size).toBe(documents().length);
  });

  test("L70 A26 A28 A30 statuses carry their headers and codes", () => {
    for (const [name, { responses }] of documents()) {
      for (const [status, header] of [
        ["401", "WWW-Authenticate"],
        ["429", "Retry-After"],
        ["503", "Retry-After"],
        ["307", "Location"],
      ] as const) {
        const response = responses[status];
        if (status !== "307") expect(`${name} ${response === undefined}`).toBe(`${name} false`);
        if (response !== undefined) expect(Object.keys(response.headers)).toContain(header);
      }
      expect(Object.keys(responses)).toContain("422");
      expect(Object.keys(responses).some((status) => status.startsWith("2"))).toBe(true);
      for (const response of Object.values(responses)) expect(Object.keys(response.headers)).toContain("X-Request-Id");
    }
  });

  test("A15 the documentation of bulk PUT warns that it replaces", () => {
    const [, detail] = documents().find(([name]) => name === "PUT /api/update/bulk") ?? ["", undefined];
    expect(detail?.description).toContain("Warning");
    expect(detail?.description).toContain("replaces");
  });
});
