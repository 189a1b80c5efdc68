// Two roles, each with its own routes; the resolver only when it is asked for, over a copy that it only reads
// (law, "What the service does" 6 and 12; "Endpoints").
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Handler } from "../../plugins/http/frame.ts";
import { readConfig } from "../../src/config.ts";
import { openResolver } from "../../src/main/resolver.ts";
import { startRole } from "../../src/main/role-process.ts";
import { eventually } from "../support/eventually.ts";
import { quietLog } from "../support/resolver-world.ts";
import { ask, type ServiceWorld, serviceWorld } from "../support/service-world.ts";

let world: ServiceWorld;
let minter: Handler;
let resolver: Handler;
let ark: string;
beforeAll(async () => {
  world = await serviceWorld();
  minter = world.minter();
  const key = await world.key("ops");
  const minted = await ask(minter, "POST", "/api/mint", { key, body: { url: "https://t.example/", title: "A thing" } });
  ark = String(minted.json.ark);
  resolver = (await world.resolver()).handler;
});
afterAll(() => world.close());

/** The two tables of the law. */
const MANAGEMENT = [
  "POST /api/mint",
  "POST /api/mint/bulk",
  "POST /api/register",
  "PUT /api/update",
  "PUT /api/update/bulk",
  "PUT /api/tombstone",
  "POST /api/query",
  "POST /api/publish",
  "POST /api/unpublish",
  "POST /api/delete",
  "POST /api/delete/bulk",
  "POST /api/purge",
  "POST /oauth/token",
].map((line) => line.split(" ") as [string, string]);
const ALONE = ["", "/", "/sub/path", "?", "??", "?info", "?json"];

describe("the two roles", () => {
  test("L6 L39 L48 every management endpoint of the law is at the minter by its method, and none is at the resolver", async () => {
    for (const [method, path] of MANAGEMENT) {
      const here = (await ask(minter, method, path)).status;
      expect([path, [400, 401, 404].includes(here), path === "/oauth/token" || here === 401]).toEqual([
        path,
        true,
        true,
      ]);
      const wrong = await ask(minter, "GET", path);
      expect([path, wrong.status, wrong.headers.get("allow")?.includes(method)]).toEqual([path, 405, true]);
      expect([path, (await ask(resolver, method, path)).status]).toEqual([path, 404]);
    }
  });

  test("L6 no request for a name is answered by the minter, and the well-known address is the resolver's alone", async () => {
    const paths = [...ALONE.map((form) => `/${ark}${form}`), "/ark:12345/x", "/ark:99999", "/.well-known/ark", "/"];
    for (const path of paths) {
      const { status, json, headers } = await ask(minter, "GET", path);
      expect([path, status, json.code, headers.get("thump-status")]).toEqual([path, 404, "SVC-1101", null]);
      expect([path, [200, 302].includes((await ask(resolver, "GET", path)).status)]).toEqual([path, true]);
    }
  });

  test("L12 both serve the description of their own interface, its pages and the document they read", async () => {
    for (const role of [minter, resolver]) {
      for (const path of ["/api/docs", "/api/redoc"]) {
        const { status, headers, text } = await ask(role, "GET", path);
        expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
        expect(text).toContain("openapi.json");
      }
      const { json } = await ask(role, "GET", "/api/openapi.json");
      expect(json.openapi).toBe("3.1.0");
    }
  });

  test("L6 the resolver does not start where SVC_RESOLVER says no, and the minter not where it says yes", async () => {
    const url = world.url;
    for (const [role, said] of [
      ["resolver", "0"],
      ["resolver", ""],
      ["minter", "1"],
    ] as const) {
      const config = readConfig({ SVC_RESOLVER: said, SVC_DATABASE_URL: url, SVC_PORT: "0" });
      await expect(startRole(role, config, quietLog)).rejects.toThrow(/^SVC_RESOLVER=[01] is not allowed/);
    }
    const config = readConfig({ SVC_RESOLVER: "1", SVC_DATABASE_URL: url, SVC_PORT: "0" });
    const running = await startRole("resolver", config, quietLog);
    expect((await fetch(`${running.server.url}/.well-known/ark`)).status).toBe(200);
    await running.stop();
  });

  test("L6 the resolver reads the replica it is pointed at, and needs no right to write there", async () => {
    const other = await serviceWorld();
    const key = await other.key("ops");
    const body = { url: "https://t.example/replica", title: "A thing" };
    const copied = String((await ask(other.minter(), "POST", "/api/mint", { key, body })).json.ark);
    const copy = join(world.folder, "replica.db");
    // The last one to close leaves one whole file.
    await other.store.close();
    copyFileSync(other.url, copy);
    rmSync(other.folder, { recursive: true, force: true });
    chmodSync(copy, 0o444);
    const config = readConfig({
      SVC_RESOLVER: "1",
      SVC_DATABASE_URL: join(world.folder, "there-is-none.db"),
      SVC_REPLICA_URL: copy,
    });
    const service = await openResolver(config, quietLog);
    await service.start();
    await eventually("it is ready", async () => (await ask(service.handler, "GET", "/readyz")).status === 200);
    expect((await ask(service.handler, "GET", `/${copied}`)).headers.get("location")).toBe("https://t.example/replica");
    expect((await ask(service.handler, "GET", `/${copied}?`)).text).toContain(`where: ${copied}\n`);
    await service.close();
  });
});
