// Whole calls through whole roles: bulk calls are never partial, reserved names, the modes of authentication
// (law, "What the service does" 8 and 10; "Authentication").
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Handler } from "../../plugins/http/frame.ts";
import { mintedArk } from "../../src/ark/new-name.ts";
import { type Asked, ask, type Json, type Sent, type ServiceWorld, serviceWorld } from "../support/service-world.ts";

const TARGET = "https://example.org/thing";
const OAUTH = { SVC_TOKEN_SECRET: "0123456789abcdef0123456789abcdef" };

let world: ServiceWorld;
let minter: Handler;
let key: string;
let otherKey: string;
beforeAll(async () => {
  world = await serviceWorld();
  minter = world.minter();
  key = await world.key("ops");
  otherKey = await world.key("others", { organisationId: world.seeded.orgB });
});
afterAll(() => world.close());

const call = (method: string, path: string, body: unknown, asked: Asked = {}): Promise<Sent> =>
  ask(minter, method, `/api/${path}`, { key, body, ...asked });
const mint = async (fields: Json = {}, asked: Asked = {}): Promise<string> =>
  String((await call("POST", "mint", { url: TARGET, title: "A thing", ...fields }, asked)).json.ark);
const everything = async (who: string): Promise<string> => (await ask(minter, "GET", "/api/export", { key: who })).text;

describe("bulk calls", () => {
  test("L10 whichever row is missing, out of reach or wrong, no bulk call is applied in part", async () => {
    const reserved = [await mint({ reserve: true }), await mint({ reserve: true })];
    const published = [await mint(), await mint()];
    const theirs = await mint({ reserve: true }, { key: otherKey });
    const missing = `ark:${mintedArk("99999", "b1", "nevermade").key}`;
    const imported = ["zzzzzz1", "zzzzzz2"].map((blade) => ({ ark: mintedArk("99999", "b1", blade).key }));
    const names = (good: readonly string[], more: Json = {}) => ({
      rows: good as readonly unknown[],
      bad: [theirs, missing] as readonly unknown[],
      more: (count: number): Json => ({ ...more, ...("confirm" in more ? { confirm: count } : {}) }),
    });
    const rowsOf = (rows: readonly Json[], bad: readonly Json[]) => ({ rows, bad, more: (): Json => ({}) });
    const calls = [
      ["POST", "mint/bulk", rowsOf([{ request_id: "k1" }, { title: "New" }], [{ shoulder: "c2" }, { shoulder: "d9" }])],
      ["POST", "import/bulk", rowsOf(imported, [{ ark: theirs }, { ark: "99999/b1wrong" }, { ark: published[0] }])],
      [
        "PUT",
        "update/bulk",
        rowsOf(
          published.map((ark) => ({ ark, title: "X" })),
          [{ ark: theirs }, { ark: missing }],
        ),
      ],
      [
        "PATCH",
        "update/bulk",
        rowsOf(
          reserved.map((ark) => ({ ark, title: "X" })),
          [{ ark: theirs }, { ark: missing }],
        ),
      ],
      ["POST", "publish/bulk", names(reserved)],
      ["POST", "unpublish/bulk", names(published, { reason: "Asked for", confirm: 3 })],
      ["POST", "delete/bulk", names(reserved, { reason: "Asked for" })],
    ] as const;
    const before = [await everything(key), await everything(otherKey)];
    for (const [method, path, { rows, bad, more }] of calls) {
      for (const wrong of bad) {
        for (const at of [0, 1, 2]) {
          const data: unknown[] = [...rows];
          data.splice(at, 0, wrong);
          const { status } = await call(method, path, { data, ...more(data.length) });
          expect([path, JSON.stringify(wrong), status >= 400 && status < 500]).toEqual([
            path,
            JSON.stringify(wrong),
            true,
          ]);
          expect([path, await everything(key), await everything(otherKey)]).toEqual([path, ...before]);
        }
      }
      // Without the wrong row the same call goes through: it was that row alone.
      if (path === "delete/bulk") continue;
      const done = await call(method, path, { data: rows, ...more(rows.length) });
      expect([path, done.status < 300]).toEqual([path, true]);
      before.splice(0, 2, await everything(key), await everything(otherKey));
    }
  });
});

describe("reserved names", () => {
  test("L8 a reserved name can be deleted; published it resolves, and cannot be deleted outright any more", async () => {
    const [given, kept] = [await mint({ reserve: true }), await mint({ reserve: true })];
    expect((await call("POST", "delete", { ark: given })).status).toBe(200);
    expect((await call("POST", "publish", { ark: kept })).status).toBe(200);
    for (const body of [{ ark: kept }, { ark: kept, reason: "Asked for", confirm: kept }]) {
      expect((await call("POST", "delete", body)).status).toBe(409);
    }
    expect((await call("POST", "delete/bulk", { data: [kept] })).status).toBe(409);
    const { handler } = await world.resolver();
    const statuses = [given, kept].map(async (ark) => (await ask(handler, "GET", `/${ark}`)).status);
    expect(await Promise.all(statuses)).toEqual([404, 302]);
  });
});

describe("authentication", () => {
  test("L65 L49 apikey and oauth2, alone and together: each takes its own credentials and no other", async () => {
    const client = await world.credential({ clientId: "both", scopes: ["ark:mint", "ark:read"] });
    const apiKey = await world.secret(client, "api_key");
    const secret = await world.secret(client, "client_secret");
    const form = (scope: string) =>
      new URLSearchParams({ grant_type: "client_credentials", client_id: "both", client_secret: secret, scope });
    const media = { "content-type": "application/x-www-form-urlencoded" };
    const both = world.minter({ SVC_AUTH: "apikey,oauth2", ...OAUTH });
    const issued = await ask(both, "POST", "/oauth/token", { body: form("").toString(), headers: media });
    expect([issued.status, issued.json.token_type]).toEqual([200, "Bearer"]);
    const basic = { ...media, authorization: `Basic ${btoa(`both:${secret}`)}` };
    const narrow = await ask(both, "POST", "/oauth/token", {
      body: "grant_type=client_credentials&scope=ark:read",
      headers: basic,
    });
    expect([narrow.status, narrow.json.scope]).toEqual([200, "ark:read"]);
    const token = String(issued.json.access_token);
    for (const [auth, ofKey, ofToken, ofEndpoint] of [
      ["apikey", 201, 401, 404],
      ["oauth2", 401, 201, 200],
      ["apikey,oauth2", 201, 201, 200],
      [" oauth2 , apikey ", 201, 201, 200],
    ] as const) {
      const role = world.minter({ SVC_AUTH: auth, ...OAUTH });
      const status = async (credential: string) =>
        (await ask(role, "POST", "/api/mint", { key: credential, body: {} })).status;
      const endpoint = await ask(role, "POST", "/oauth/token", { body: form("").toString(), headers: media });
      expect([auth, await status(apiKey), await status(token), endpoint.status]).toEqual([
        auth,
        ofKey,
        ofToken,
        ofEndpoint,
      ]);
      // A client secret buys tokens; it opens nothing itself.
      expect([auth, await status(secret)]).toEqual([auth, 401]);
    }
    const narrowed = { key: String(narrow.json.access_token), body: {} };
    expect((await ask(both, "POST", "/api/mint", narrowed)).status).toBe(403);
  });

  test("L66 whoever asks for a name is not asked who they are, and what they send about it changes nothing", async () => {
    const [ark, bare] = [await mint(), await mint({ url: "" })];
    const { handler } = await world.resolver();
    for (const path of [
      `/${ark}`,
      `/${ark}?`,
      `/${ark}??`,
      `/${ark}?info`,
      `/${ark}?json`,
      `/${bare}`,
      "/.well-known/ark",
    ]) {
      const open = await ask(handler, "GET", path);
      expect([200, 302]).toContain(open.status);
      for (const authorization of ["Bearer nonsense", "Basic !", `Bearer ${key}`]) {
        const sent = await ask(handler, "GET", path, { headers: { authorization } });
        expect([path, sent.status, sent.text, sent.headers.get("location")]).toEqual([
          path,
          open.status,
          open.text,
          open.headers.get("location"),
        ]);
        expect(sent.headers.get("www-authenticate")).toBe(null);
      }
    }
  });
});
