// The whole service while its database is away: a PostgreSQL whose power fails, an SQLite file that is gone (A15, A28,
// A44).
import { describe, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { CompiledQuery } from "kysely";
import { openDatabase } from "../../db/engine/open.ts";
import { readConfig } from "../../src/config.ts";
import { startPostgres } from "../support/postgres.ts";
import { ask, type NamesWorld } from "../support/world/names.ts";
import { openWorld } from "../support/world.ts";

const TARGET = "https://t.example/thing";

/** A published name with a target, and what each role answers about it. */
async function rolesOf(world: NamesWorld) {
  const key = await world.key("ops");
  const minter = world.minter();
  const mint = (body: unknown = {}) => ask(minter, "POST", "/api/mint", { key, body });
  const ark = String((await mint({ url: TARGET })).json.ark);
  const bare = String((await mint({ title: "No target" })).json.ark);
  const resolver = await world.resolver();
  const get = (path: string) => ask(resolver.handler, "GET", path, { headers: { accept: "application/json" } });
  return { key, minter, mint, ark, bare, resolver, get };
}
type Roles = Awaited<ReturnType<typeof rolesOf>>;

async function expectRedirects({ ark, get }: Roles): Promise<void> {
  for (const [path, location] of [
    [`/${ark}`, TARGET],
    [`/${ark}/page/3`, `${TARGET}/page/3`],
    [`/${ark}?a=b`, `${TARGET}?a=b`],
    ["/ark:12345/x6", "https://n2t.net/ark:12345/x6"],
  ] as const) {
    const { status, headers } = await get(path);
    expect([path, status, headers.get("location")]).toEqual([path, 302, location]);
  }
  expect((await get("/ark:99999/b1mistyped")).json.code).toBe("SVC-1403");
}

async function expectResolverAway(roles: Roles): Promise<void> {
  const { ark, bare, get, resolver } = roles;
  await resolver.tables.refreshNow();
  await expectRedirects(roles);
  for (const path of [`/${ark}?`, `/${ark}??`, `/${ark}?info`, `/${ark}?json`, `/${bare}`, `/${ark}/part?info`]) {
    const { status, headers, json } = await get(path);
    expect([path, status, json.code, headers.get("retry-after")]).toEqual([path, 503, "SVC-1901", "5"]);
    expect(headers.get("thump-status")).toBe("0.6 503 Service Unavailable");
  }
  const ready = await get("/readyz");
  expect([ready.status, ready.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(ready.json.detail).toEqual({ reasons: ["The database does not answer"] });
  expect((await get("/healthz")).json).toMatchObject({ ok: true });
}

async function expectBack(roles: Roles): Promise<void> {
  const { ark, get, resolver } = roles;
  await resolver.tables.refreshNow();
  await expectRedirects(roles);
  expect((await get(`/${ark}?json`)).json).toMatchObject({ ark, redirect: TARGET });
  expect((await get("/readyz")).status).toBe(200);
}

describe("SQLite", () => {
  test("A44 A15 with its file gone the resolver goes on redirecting, descriptions are 503, /readyz names it; then it is back", async () => {
    const world = await openWorld({ names: { file: true } });
    const roles = await rolesOf(world);
    await expectBack(roles);
    renameSync(world.url, `${world.url}.away`);
    await expectResolverAway(roles);
    renameSync(`${world.url}.away`, world.url);
    await expectBack(roles);
  });

  test("A44 A15 before there is any file the resolver starts, and /readyz names both reasons", async () => {
    const world = await openWorld({ names: { file: true } });
    renameSync(world.url, `${world.url}.away`);
    const { handler } = await world.resolver();
    const get = (path: string) => ask(handler, "GET", path, { headers: { accept: "application/json" } });
    expect((await get("/readyz")).json.detail).toEqual({
      reasons: ["The database does not answer", "The table of names is not loaded yet"],
    });
    const name = await get("/ark:99999/b1x");
    expect([name.status, name.json.code, name.headers.get("retry-after")]).toEqual([503, "SVC-1901", "1"]);
    expect((await get("/healthz")).status).toBe(200);
    renameSync(`${world.url}.away`, world.url);
  });
});

test("A44 the resolver starts without any setting of authentication, and a credential changes nothing", async () => {
  const config = readConfig({ SVC_RESOLVER: "1" });
  expect([config.tokenSecret, config.oidcIssuer]).toEqual([null, null]);
  const world = await openWorld({ names: { file: true } });
  const { ark, resolver } = await rolesOf(world);
  for (const key of [null, "nonsense", `svc_0123456789bc_${"k".repeat(43)}`]) {
    expect((await ask(resolver.handler, "GET", `/${ark}`, { key })).status).toBe(302);
    expect((await ask(resolver.handler, "GET", `/${ark}?json`, { key })).status).toBe(200);
  }
});

const postgres = await startPostgres({ own: true });
const primary = postgres?.primary ?? null;

describe.skipIf(postgres === null || primary === null)("PostgreSQL", () => {
  test("A44 a role that may only SELECT is enough for the resolver: table, redirects, descriptions, readiness", async () => {
    if (postgres === null) return;
    const { url, drop } = await postgres.createDatabase();
    const world = await openWorld({ names: { url } });
    const { ark, mint } = await rolesOf(world);
    const owner = await openDatabase({ url });
    const raw = (text: string) => owner.writer.executeQuery(CompiledQuery.raw(text));
    await raw("create role only_reads login");
    await raw("grant select on all tables in schema public to only_reads");
    const its = new URL(url);
    its.username = "only_reads";
    const reading = await openDatabase({ url: its.href });
    await expect(reading.writer.executeQuery(CompiledQuery.raw("delete from receipt"))).rejects.toThrow("permission");
    await reading.close();
    const { handler, tables } = await world.resolver({}, its.href);
    const get = (path: string) => ask(handler, "GET", path);
    expect((await get(`/${ark}/p`)).headers.get("location")).toBe(`${TARGET}/p`);
    expect((await get(`/${ark}?json`)).json).toMatchObject({ ark });
    const later = String((await mint({ url: "https://t.example/later" })).json.ark);
    await tables.refreshNow();
    expect((await get(`/${later}`)).headers.get("location")).toBe("https://t.example/later");
    expect((await get("/readyz")).status).toBe(200);
    await world.close();
    await raw("drop owned by only_reads");
    await raw("drop role only_reads");
    await owner.close();
    await drop();
  });

  test("A44 A28 A15 with its server gone redirects go on, descriptions and management are 503, /readyz gives the reason; then all is back", async () => {
    if (postgres === null || primary === null) return;
    const world = await openWorld({ names: { url: postgres.url } });
    const roles = await rolesOf(world);
    await expectBack(roles);
    await primary.kill();
    await expectResolverAway(roles);
    const { minter, key, mint } = roles;
    for (const asked of [
      () => mint(),
      () => ask(minter, "POST", "/api/mint/bulk", { key, body: { data: [{}] } }),
      () => ask(minter, "GET", "/api/stats", { key }),
      () => ask(minter, "GET", "/readyz"),
    ]) {
      const { status, json, headers, text } = await asked();
      expect([status, json.code, headers.get("retry-after")]).toEqual([503, "SVC-1901", "5"]);
      expect(text).not.toMatch(/ECONN|terminat|127\.0\.0\.1/i);
    }
    expect((await ask(minter, "GET", "/readyz")).json.detail).toEqual({ reasons: ["The database does not answer"] });
    expect((await ask(minter, "GET", "/healthz")).json).toMatchObject({ ok: true });
    await primary.start();
    expect((await mint()).status).toBe(201);
    expect((await ask(minter, "GET", "/readyz")).status).toBe(200);
    await expectBack(roles);
    await world.close();
    await postgres.stop();
  });
});
