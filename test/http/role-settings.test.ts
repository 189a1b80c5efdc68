// Settings that reach what they set, through the roles put together as a process puts them together
// (decisions "Settings"; A15, A24, A38, A42, A45, A49).
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readJwt } from "../../src/auth/jwt.ts";
import { readConfig } from "../../src/config.ts";
import { openMinter } from "../../src/main/minter/minter.ts";
import { openResolver } from "../../src/main/resolver/resolver.ts";
import { quietLog } from "../support/quiet-log.ts";
import { ask, type Env } from "../support/world/names.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

let key = "";
const world = setUpWorld({ names: { file: true } });
beforeAll(async () => {
  key = await world.key("ops");
});

/** A resolver opened from its settings alone, once its table is ready. */
async function opened(env: Env) {
  const service = await openResolver(readConfig({ SVC_RESOLVER: "1", SVC_DATABASE_URL: world.url, ...env }), quietLog);
  await service.start();
  while ((await ask(service.handler, "GET", "/readyz")).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 5));
  return service;
}

describe("the minter", () => {
  test("A42 SVC_HOLD_MAX_DAYS is the longest hold", async () => {
    const minter = world.minter({ SVC_HOLD_MAX_DAYS: "1" });
    const { json } = await ask(minter, "POST", "/api/mint", { key, body: {} });
    const hold = (until: string) =>
      ask(minter, "PUT", "/api/hold", { key, body: { ark: json.ark, until, reason: "Complaint" } });
    expect((await hold("2026-11-21T10:00:00Z")).status).toBe(200);
    const long = await hold("2026-11-21T10:00:00.001Z");
    expect([long.status, long.json.code]).toEqual([400, "SVC-1020"]);
  });

  test("A24 SVC_TOKEN_TTL and SVC_TOKEN_ISSUER are those of the tokens, and SVC_AUTH sets what is accepted", async () => {
    const secret = await world.secret(await world.credential({ clientId: "client" }), "client_secret");
    const env = { SVC_TOKEN_SECRET: "a signing secret of more than forty bytes" };
    const minter = world.minter({ ...env, SVC_AUTH: "oauth2", SVC_TOKEN_TTL: "60", SVC_TOKEN_ISSUER: "https://ids" });
    const grant = { grant_type: "client_credentials", client_id: "client", client_secret: secret };
    const { json } = await ask(minter, "POST", "/oauth/token", {
      body: new URLSearchParams(grant).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([json.token_type, json.expires_in]).toEqual(["Bearer", 60]);
    const token = String(json.access_token);
    expect(readJwt(token)?.claims.iss).toBe("https://ids");
    const status = async (handler: typeof minter, credential: string) =>
      (await ask(handler, "GET", "/api/stats", { key: credential })).status;
    expect([await status(minter, token), await status(minter, key)]).toEqual([200, 401]);
    expect([await status(world.minter(), token), await status(world.minter(), key)]).toEqual([401, 200]);
    const both = { ...env, SVC_AUTH: "apikey,oauth2" };
    const otherIssuer = world.minter(both);
    expect([await status(otherIssuer, token), await status(otherIssuer, key)]).toEqual([401, 200]);
    world.time.now = "2026-11-20T10:01:00.000Z";
    expect(await status(minter, token)).toBe(401);
    world.time.now = "2026-11-20T10:00:00.000Z";
  });

  test("A15 SVC_METRICS=public lets everybody read the figures; probes need no credential", async () => {
    expect((await ask(world.minter(), "GET", "/metrics")).status).toBe(404);
    const figures = await ask(world.minter({ SVC_METRICS: "public" }), "GET", "/metrics");
    const expected = [200, "text/plain; version=0.0.4; charset=utf-8"];
    expect([figures.status, figures.headers.get("content-type")]).toEqual(expected);
    expect(figures.text).toContain("# TYPE arkstone_minted_total counter");
    for (const path of ["/healthz", "/readyz"]) {
      expect((await ask(world.minter(), "GET", path)).json).toMatchObject({ ok: true });
    }
  });

  test("A19 SVC_REPLICA_URL is where read_only reads, and nothing else", async () => {
    const copy = await openWorld({ names: { file: true } });
    const config = readConfig({ SVC_DATABASE_URL: world.url, SVC_REPLICA_URL: copy.url });
    const service = await openMinter(config, quietLog);
    const { json } = await ask(service.handler, "POST", "/api/mint?read_only=true", { key, body: {} });
    const found = async (query: string) =>
      (await ask(service.handler, "POST", `/api/query${query}`, { key, body: { data: [json.ark] } })).json.data;
    expect(await found("")).toHaveLength(1);
    expect(await found("?read_only=false")).toHaveLength(1);
    expect(await found("?read_only=true")).toEqual([]);
    await service.close();
  });
});

describe("the resolver", () => {
  test("A38 SVC_LANG is the language of pages where the reader prefers none", async () => {
    const service = await opened({ SVC_LANG: "ja" });
    for (const [headers, language] of [
      [{}, "ja"],
      [{ "accept-language": "fr" }, "ja"],
      [{ "accept-language": "en" }, "en"],
    ] as const) {
      const page = await ask(service.handler, "GET", "/ark:99999?info", { headers: { ...headers } });
      expect(page.headers.get("content-language")).toBe(language);
    }
    await service.close();
  });

  test("A45 SVC_NAAN_REGISTRY is read at the start: a foreign NAAN goes to its target with the record's http_code", async () => {
    const file = join(world.folder, "naans.json");
    const target = (url: string, http_code: number) => ({ url, http_code });
    const data = [
      { what: "12148", rtype: "PublicNAAN", target: target("https://bnf.example/ark:/${content}", 301) },
      { what: "12148/btv", rtype: "PublicNAANShoulder", target: target("https://btv.example/${suffix}", 303) },
      { what: "12148/btv1", rtype: "PublicNAANShoulder", target: target("https://btv1.example/${suffix}", 307) },
    ];
    writeFileSync(file, JSON.stringify({ data }));
    const service = await opened({ SVC_NAAN_REGISTRY: file });
    for (const [path, status, location] of [
      ["/ark:/12148/bpt6k", 301, "https://bnf.example/ark:/12148/bpt6k"],
      ["/ark:12148/btv-8x", 303, "https://btv.example/-8x"],
      ["/ark:12148/b-tv1x?info", 307, "https://btv1.example/x?info"],
      ["/ark:12149/x", 302, "https://n2t.net/ark:12149/x"],
    ] as const) {
      const answer = await ask(service.handler, "GET", path);
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, status, location]);
    }
    await service.close();
  });
});
