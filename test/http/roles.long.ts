// The two whole apps, from settings to answers: what a role serves, what it never serves, probes, figures and log lines
// (L6, A15, A22); the resolver only when it is asked for, over a copy that it only reads (specification 1, "What the
// service does" 6 and 12; "Endpoints").
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../db/ark/store.ts";
import type { Handler } from "../../plugins/http/frame.ts";
import { jsonLog } from "../../src/adapters/log.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { secretMaker } from "../../src/ark/credentials.ts";
import { FIRST_SETUP, setUpEmpty } from "../../src/ark/provisioning/apply.ts";
import type { Store } from "../../src/ark/store.ts";
import { readConfig } from "../../src/config.ts";
import { composeMinter, minterNeeds } from "../../src/main/minter/minter.ts";
import { minterRoutes } from "../../src/main/minter/minter-app.ts";
import { startRole } from "../../src/main/process/role-process.ts";
import { composeResolver, openResolver, resolverNeeds } from "../../src/main/resolver/resolver.ts";
import { resolverRoutes } from "../../src/main/resolver/resolver-app.ts";
import { eventually } from "../support/eventually.ts";
import { memoryReplica } from "../support/memory-replica.ts";
import { quietLog } from "../support/quiet-log.ts";
import { ask } from "../support/world/names.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const clock = { now: (): string => new Date().toISOString() };
const respond = async (handler: Handler, path: string, init: RequestInit = {}): Promise<Response> =>
  handler(new Request(`http://localhost${path}`, init), { addressOf: () => "127.0.0.1" });

async function minterWorld(env: Readonly<Record<string, string>> = {}) {
  const store = await openStore({ url: ":memory:" });
  const made = await setUpEmpty({ store, clock, secrets: secretMaker({ random: platformRandom() }) });
  const key = made?.secrets[FIRST_SETUP.credentials[0].client_id]?.api_keys[0] ?? "";
  const lines: Record<string, unknown>[] = [];
  const log = jsonLog("info", (line) => lines.push(JSON.parse(line)));
  const handler = composeMinter({ config: readConfig(env), store, log });
  const mint = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
    respond(handler, "/api/mint", {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    });
  return { store, key, lines, handler, mint };
}

describe("roles", () => {
  const log = jsonLog("error", () => {});
  const config = readConfig({});
  // Routes are counted, not called.
  const minter = minterRoutes(minterNeeds({ config, log, store: {} as unknown as Store })).routes;
  const resolver = resolverRoutes(resolverNeeds({ config, log, replica: memoryReplica() }).needs).routes.routes;

  test("L6 the minter has no resolution route, whatever its settings", async () => {
    expect(
      minter.filter(({ path }) => path.includes("*") || path.includes("ark:") || path.includes("well-known")),
    ).toEqual([]);
    const { handler, store } = await minterWorld({ SVC_RESOLVE_UNPUBLISHED: "1" });
    for (const path of ["/ark:99999/x1b9gs2kmf", "/ark:/99999/x1?info", "/ARK%3A99999/x1", "/.well-known/ark", "/"]) {
      expect([path, (await respond(handler, path)).status]).toEqual([path, 404]);
    }
    await store.close();
  });

  test("L6 the resolver has no management route", async () => {
    const { handler } = composeResolver({ config, log, replica: memoryReplica() });
    const management = minter.filter(({ path }) => !resolver.some((route) => route.path === path));
    expect(management.length).toBeGreaterThan(20);
    for (const { method, path } of management) {
      const response = await respond(handler, path, { method });
      expect([method, path, response.status]).toEqual([method, path, 404]);
    }
  });
});

describe("host names", () => {
  test("a host name of three letters routes like a long one, static paths and names alike", async () => {
    const { handler, store } = await minterWorld();
    const at = async (to: Handler, url: string): Promise<number> =>
      (await to(new Request(url), { addressOf: () => "127.0.0.1" })).status;
    expect(await at(handler, "http://ark/healthz")).toBe(200);
    expect(await at(handler, "http://a/api/docs")).toBe(200);
    const replica = memoryReplica();
    const log = jsonLog("error", () => {});
    const resolver = composeResolver({ config: readConfig({ SVC_GLOBAL_RESOLVER: "" }), log, replica });
    await resolver.tables.refreshNow();
    expect(await at(resolver.handler, "http://ark/.well-known/ark")).toBe(200);
    expect(await at(resolver.handler, "http://ark/ark:12345/x?info")).toBe(404);
    await store.close();
  });
});

describe("the minter as a whole", () => {
  let world: Awaited<ReturnType<typeof minterWorld>>;
  beforeAll(async () => {
    world = await minterWorld({ SVC_BODY_LIMIT: "2 KiB", SVC_RATE_PER_MINUTE: "1000" });
  });
  afterAll(() => world.store.close());

  test("A22 without a credential broken JSON is 401, with one it is 422", async () => {
    expect((await world.mint("{", { authorization: "" })).status).toBe(401);
    expect((await world.mint("{")).status).toBe(422);
  });

  test("A22 A28 a body above the limit is 413 SVC-1103, declared or streamed", async () => {
    const large = JSON.stringify({ title: "x".repeat(3000) });
    const declared = await world.mint(large, { "content-length": String(large.length) });
    expect([declared.status, (await declared.json()).code]).toEqual([413, "SVC-1103"]);
    const stream = new Blob([large]).stream();
    const init = { method: "POST", body: stream, duplex: "half", headers: { authorization: `Bearer ${world.key}` } };
    const streamed = await respond(world.handler, "/api/mint", init);
    expect([streamed.status, (await streamed.json()).code]).toEqual([413, "SVC-1103"]);
  });

  test("A46 another media type is 415 SVC-1104, an empty body 422", async () => {
    const text = await world.mint("{}", { "content-type": "text/plain" });
    expect([text.status, (await text.json()).code]).toEqual([415, "SVC-1104"]);
    const empty = await world.mint("");
    expect([empty.status, (await empty.json()).detail[0].type]).toEqual([422, "missing"]);
  });

  test("mints are counted in the figures, and logged with route and client but without a secret", async () => {
    expect((await world.mint('{"url":"https://example.org/"}')).status).toBe(201);
    const figures = await (await respond(world.handler, "/metrics")).text();
    expect(figures).toMatch(/^arkstone_minted_total 1$/m);
    expect(figures).toMatch(/^arkstone_mint_collisions_total 0$/m);
    expect(figures).toMatch(/^arkstone_db_connections\{state="open"\} \d+$/m);
    expect(figures).toMatch(/^process_resident_memory_bytes \d{7,}$/m);
    expect(world.lines.at(-2)).toMatchObject({ route: "/api/mint", status: 201, client_id: "first-key" });
  });

  test("A26 the causes of 401 look alike to the caller and differ in the log, which holds no secret", async () => {
    const wrong = `${world.key.slice(0, -4)}AAAA`;
    const answers: string[] = [];
    for (const sent of [wrong, "svc_zzzzzzzzzzzz_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG", "garbage"]) {
      const response = await world.mint("{}", { authorization: `Bearer ${sent}` });
      answers.push(`${response.status} ${response.headers.get("www-authenticate")} ${await response.text()}`);
    }
    expect(new Set(answers).size).toBe(1);
    const causes = world.lines.filter((line) => line.event === "authentication_refused").map((line) => line.cause);
    expect(new Set(causes.slice(-3)).size).toBe(3);
    const all = JSON.stringify(world.lines);
    expect(all).not.toContain(wrong.slice(-20));
    expect(all).not.toContain(world.key.slice(-20));
    expect(all).not.toContain("garbage");
  });

  test("A15 A28 /readyz is 503 SVC-1901 while the database is away; /healthz does not mind", async () => {
    const away = await minterWorld();
    expect((await respond(away.handler, "/readyz")).status).toBe(200);
    await away.store.close();
    // What a probe received a moment ago counts for those that come faster.
    await sleep(300);
    const response = await respond(away.handler, "/readyz");
    expect(response.status).toBe(503);
    expect((await response.json()).detail.reasons).toEqual(["The database does not answer"]);
    expect((await respond(away.handler, "/healthz")).status).toBe(200);
  });
});

describe("the resolver as a whole", () => {
  test("A15 A44 /readyz names what is missing: the table, then the database", async () => {
    const replica = memoryReplica();
    const { handler, tables } = composeResolver({ config: readConfig({}), log: jsonLog("error", () => {}), replica });
    const reasons = async (): Promise<unknown> => {
      const response = await respond(handler, "/readyz");
      return response.status === 200 ? "ready" : (await response.json()).detail.reasons;
    };
    expect(await reasons()).toEqual(["The database does not answer", "The table of names is not loaded yet"]);
    await tables.refreshNow();
    expect(await reasons()).toBe("ready");
    const figures = await (await respond(handler, "/metrics")).text();
    expect(figures).toMatch(/^arkstone_table_names 0$/m);
    expect(figures).toMatch(/^arkstone_table_age_seconds [0-9.]+$/m);
    expect(figures).toMatch(/^arkstone_replica_up 1$/m);
  });

  test("A39 A47 an unknown path is 404 in the caller's media type, open to other sites, and no answer about a name", async () => {
    const { handler } = composeResolver({
      config: readConfig({}),
      log: jsonLog("error", () => {}),
      replica: memoryReplica(),
    });
    const response = await respond(handler, "/nothing/here", { headers: { accept: "application/json" } });
    expect([response.status, (await response.json()).code]).toEqual([404, "SVC-1101"]);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("thump-status")).toBeNull();
    const text = await respond(handler, "/nothing/here");
    expect(await text.text()).toBe("SVC-1101 No such route\n");
  });
});

describe("both roles over one database", () => {
  let minter: Handler;
  let resolver: Handler;
  let ark: string;
  const world = setUpWorld({ names: { file: true } });
  beforeAll(async () => {
    minter = world.minter();
    const key = await world.key("ops");
    const minted = await ask(minter, "POST", "/api/mint", {
      key,
      body: { url: "https://t.example/", title: "A thing" },
    });
    ark = String(minted.json.ark);
    resolver = (await world.resolver()).handler;
  });

  /** The two tables of the specification. */
  const posted = "mint mint/bulk register query publish unpublish delete delete/bulk purge".split(" ");
  const MANAGEMENT = [
    ...posted.map((call) => ["POST", `/api/${call}`] as const),
    ...["update", "update/bulk", "tombstone"].map((call) => ["PUT", `/api/${call}`] as const),
    ["POST", "/oauth/token"] as const,
  ];
  const ALONE = ["", "/", "/sub/path", "?", "??", "?info", "?json"];

  describe("the two roles", () => {
    test("L6 L39 L48 every management endpoint of the specification is at the minter by its method, and none is at the resolver", async () => {
      for (const [method, path] of MANAGEMENT) {
        const here = (await ask(minter, method, path)).status;
        const expected = [path, true, true];
        expect([path, [400, 401, 404].includes(here), path === "/oauth/token" || here === 401]).toEqual(expected);
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

    test("L12 both serve the description of their interface, its pages and the document they read", async () => {
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

    test("L6 the resolver does not start where SVC_RESOLVER is off, and the minter not where it is on", async () => {
      const url = world.url;
      for (const [role, answer] of [
        ["resolver", "0"],
        ["resolver", ""],
        ["minter", "1"],
      ] as const) {
        const config = readConfig({ SVC_RESOLVER: answer, SVC_DATABASE_URL: url, SVC_PORT: "0" });
        await expect(startRole(role, config, quietLog)).rejects.toThrow(/^SVC_RESOLVER=[01] is not allowed/);
      }
      const config = readConfig({ SVC_RESOLVER: "1", SVC_DATABASE_URL: url, SVC_PORT: "0" });
      const running = await startRole("resolver", config, quietLog);
      expect((await fetch(`${running.server.url}/.well-known/ark`)).status).toBe(200);
      await running.stop();
    });

    test("L6 the resolver reads the replica it is pointed at, and needs no right to write there", async () => {
      const other = await openWorld({ names: { file: true } });
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
      expect((await ask(service.handler, "GET", `/${copied}`)).headers.get("location")).toBe(
        "https://t.example/replica",
      );
      expect((await ask(service.handler, "GET", `/${copied}?`)).text).toContain(`where: ${copied}\n`);
      await service.close();
    });
  });
});
