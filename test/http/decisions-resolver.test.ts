// Clauses of the decisions that the resolver as a whole has to keep, asked through settings, frame and plugins
// (A16, A28, A31, A34, A37, A38, A39, A42).
import { describe, expect, test } from "bun:test";
import { en } from "../../src/resolver/pages/languages/en.ts";
import { readConfig } from "../../src/config.ts";
import { checkCharacter } from "../../src/ark/check-digit.ts";
import { resolverNeeds } from "../../src/main/resolver.ts";
import { resolverApp } from "../../src/main/resolver-app.ts";
import { arkRecord, memoryReplica, NEVER_PUBLIC, naanOf, shoulderOf } from "../support/memory-replica.ts";
import { NOW, quietLog, resolverWorld } from "../support/resolver-world.ts";

const UNTIL = "2026-03-01T02:00:00.000Z";
const JSON_ONLY = { accept: "application/json" };
const FORMS = ["", "?", "??", "?info", "?json"];
const TYPES = ["text/html", "application/json", "text/plain"];

const world = await resolverWorld((replica) => {
  const held = { holdUntil: UNTIL, holdReason: "moving" };
  replica.setPolicies(
    [
      naanOf("99999"),
      naanOf("66666", held),
      naanOf("44444", { ...held, authoritative: false, redirect: "https://four.example" }),
      naanOf("55555", { authoritative: false, redirect: "https://five.example" }),
    ],
    [
      shoulderOf("99999", "b1", { organisationId: 7 }),
      shoulderOf("99999", "h2", held),
      shoulderOf("99999", "k7", { ...held, status: "delegated", redirect: "https://k7.example", checked: false }),
      shoulderOf("66666", "h2", { holdUntil: "2026-03-01T01:00:00.000Z", holdReason: "inventory" }),
    ],
  );
  replica.put(
    arkRecord("99999/b1meta", { title: "A thing", metadata: "KEEP-THIS-INSIDE" }),
    arkRecord("99999/b1full", { url: "https://t.example/full", commitment: "Kept" }),
    arkRecord("99999/b1urn", { url: "urn:isbn:1" }),
    arkRecord("99999/b1gone", { state: "tombstoned", title: "Lost" }),
    arkRecord("99999/b1moved", { state: "tombstoned", url: "https://t.example/why" }),
    arkRecord("99999/h2full", { url: "https://t.example/h" }),
    arkRecord("66666/h2full", { url: "https://t.example/h" }),
    arkRecord("66666/k2full", { url: "https://t.example/h" }),
    arkRecord("66666/h2own", {
      url: "https://t.example/h",
      holdUntil: "2026-03-01T00:00:10.000Z",
      holdReason: "rights",
    }),
  );
});

describe("what is said", () => {
  test("A16 metadata is never published by the resolver, whatever is asked for", async () => {
    for (const form of FORMS) {
      for (const accept of TYPES) {
        const { status, body } = await world.get(`/ark:99999/b1meta${form}`, { accept });
        expect(status).toBe(200);
        expect(body).not.toContain("KEEP-THIS-INSIDE");
        expect(body).toContain("A thing");
      }
    }
  });

  test("A37 without a policy address the statement leads to the ARK of the NAAN; without an organisation only the text is said", async () => {
    const support = (await world.get("/ark:99999/b1full??")).body.split("erc-support:\n")[1];
    expect(support).toBe("who: Example Archive\nwhat: Kept\nwhen: 20260102\nwhere: ark:99999\n");
  });

  test("A38 a hold in the document has scope, reason and until, and the page prints", async () => {
    const document = JSON.parse((await world.get("/ark:66666/h2own?json")).body);
    expect(document.hold).toEqual({ scope: "ark", reason: "rights", until: "2026-03-01T00:00:10.000Z" });
    expect(document).toMatchObject({ redirect: "https://t.example/h", state: "published" });
    expect((await world.get("/ark:99999/b1full?info")).body).toContain("@media print");
  });

  test("A38 the members of the document of a NAAN are those of a name, and which NAAN it is and whether it is ours", async () => {
    const members = async (path: string) => Object.keys(JSON.parse((await world.get(path)).body));
    const ofName = await members("/ark:99999/b1meta?json");
    expect(await members("/ark:99999?json")).toEqual(["ark", "naan", "authoritative", ...ofName.slice(1)]);
    expect(ofName).toEqual([
      "ark",
      "who",
      "what",
      "when",
      "where",
      "type",
      "identifier",
      "format",
      "relation",
      "source",
      "commitment",
      "commitment_level",
      "commitment_label",
      "na_policy",
      "state",
      "inherited_from",
      "suffix",
      "hold",
      "created_at",
      "updated_at",
    ]);
  });
});

describe("tombstones", () => {
  test("A10 every form of the description says that the thing is gone", async () => {
    for (const path of ["/ark:99999/b1gone", "/ark:99999/b1gone/part", "/ark:99999/b1moved"]) {
      for (const form of path === "/ark:99999/b1moved" ? FORMS.slice(1) : FORMS) {
        for (const accept of TYPES) {
          const { status, headers, body } = await world.get(path + form, { accept });
          const type = headers.get("content-type")?.split(";")[0];
          expect([path, form, status]).toEqual([path, form, 200]);
          if (type === "application/json") expect(JSON.parse(body).state).toBe("tombstoned");
          else if (type === "text/html") expect(body).toContain(en.tombstone.heading);
          else expect(body.split("erc-support:")[0]).toMatch(/\nstate: tombstoned\n$/);
        }
      }
    }
    expect((await world.get("/ark:99999/b1full?")).body).not.toContain("state:");
    const strict = await resolverWorld(
      (replica) =>
        replica.put(
          arkRecord("99999/b1gone", { state: "tombstoned" }),
          arkRecord("99999/b1urn", { state: "tombstoned", url: "urn:isbn:1" }),
        ),
      { SVC_TOMBSTONE_STATUS: "410" },
    );
    expect((await strict.get("/ark:99999/b1gone")).status).toBe(410);
    expect((await strict.get("/ark:99999/b1urn")).status).toBe(200);
    expect((await world.get("/ark:99999/b1moved/part")).headers.get("location")).toBe("https://t.example/why");
  });
});

describe("a table that is a moment behind its database", () => {
  test("A31a a name taken back since is not described: the record read now counts", async () => {
    const behind = await resolverWorld((replica) => replica.put(arkRecord("99999/b1x", { title: "Secret by now" })));
    for (const [changed, status] of [
      [{ state: "unpublished", publishedAt: null }, 404],
      [{ state: "purged", publishedAt: null }, 404],
      [{ state: "tombstoned", publishedAt: null }, 404],
      [{ state: "reserved", ...NEVER_PUBLIC }, 404],
      [{ state: "tombstoned" }, 200],
      [{ state: "published" }, 200],
    ] as const) {
      behind.replica.putQuietly(arkRecord("99999/b1x", { title: "Secret by now", ...changed }));
      for (const path of ["/ark:99999/b1x", "/ark:99999/b1x?info", "/ark:99999/b1x/part?"]) {
        const { status: said, body, headers } = await behind.get(path, { accept: "application/json" });
        expect([path, changed.state, said]).toEqual([path, changed.state, status]);
        if (status === 404) expect(body).not.toContain("Secret");
        expect(headers.get("link")).toMatch(/^<\/ark:99999\/b1x(?:\/part)?>; rel="describes"$/);
      }
    }
  });
});

describe("holds", () => {
  test("A42 the narrowest hold is told and its end is Retry-After, in every form", async () => {
    for (const [path, scope, seconds] of [
      ["/ark:66666/h2own", "ark", 10],
      ["/ark:66666/h2full", "shoulder", 3600],
      ["/ark:66666/k2full", "naan", 7200],
      ["/ark:99999/h2full/page/3", "shoulder", 7200],
      ["/ark:66666", "naan", 7200],
      ["/ark:44444/x", "naan", 7200],
      ["/ark:99999/k7new", "shoulder", 7200],
    ] as const) {
      for (const form of FORMS) {
        const { status, headers } = await world.get(path + form, JSON_ONLY);
        expect([path, form, status, headers.get("retry-after")]).toEqual([path, form, 200, String(seconds)]);
      }
      expect(JSON.parse((await world.get(path, JSON_ONLY)).body).hold.scope).toBe(scope);
    }
  });

  test("A42 when the narrowest hold is over the wider one counts, with no job in between", async () => {
    const at = async (now: string) => {
      world.now = now;
      const { status, body } = await world.get("/ark:66666/h2own", JSON_ONLY);
      return status === 200 ? JSON.parse(body).hold.scope : status;
    };
    expect(await at("2026-03-01T00:00:09.999Z")).toBe("ark");
    expect(await at("2026-03-01T00:00:10.000Z")).toBe("shoulder");
    expect(await at("2026-03-01T01:00:00.000Z")).toBe("naan");
    expect(await at(UNTIL)).toBe(302);
    world.now = NOW;
  });
});

describe("headers", () => {
  test("A39 every GET answer lets every site read it and exposes Link and THUMP-Status: redirects, refusals, pages and all", async () => {
    for (const path of [
      "/ark:99999/b1full",
      "/ark:99999/b1full/x?y=1",
      "/ark:12345/x",
      "/ark:55555/x",
      "/ark:99999/b1none",
      "/ark:99999/b1%zz",
      "/ark:99999",
      ...FORMS.map((form) => `/ark:99999/b1meta${form}`),
      "/.well-known/ark",
      "/",
      "/robots.txt",
      "/api/openapi.json",
      "/api/docs",
      "/api/redoc",
      "/nowhere",
    ]) {
      const { headers } = await world.get(path);
      expect([path, headers.get("access-control-allow-origin")]).toEqual([path, "*"]);
      expect([path, headers.get("access-control-expose-headers")]).toEqual([path, "Link, THUMP-Status"]);
      const options = await world.get(path, {}, "OPTIONS");
      if (path !== "/nowhere") expect([path, options.status, options.body]).toEqual([path, 204, ""]);
    }
  });

  test("A39 Vary stands on every media type of ?info and on the description in place of a redirect", async () => {
    for (const path of ["/ark:99999/b1full?info", "/ark:99999/b1meta", "/ark:99999/b1urn", "/ark:66666/k2full"]) {
      for (const accept of TYPES) {
        const { headers } = await world.get(path, { accept });
        expect([path, accept, headers.get("vary")]).toEqual([path, accept, "Accept, Accept-Language"]);
        expect(headers.get("content-type")?.startsWith(accept)).toBe(true);
        expect(headers.get("etag")).toMatch(/^"[0-9a-f]{24}"$/);
        expect(headers.get("last-modified")).toMatch(/ GMT$/);
      }
    }
  });
});

describe("the page that checks a name", () => {
  test("A4 A48 a check character is looked at in a checked shoulder of ours alone", async () => {
    const says = async (name: string) => {
      const { body } = await world.get(`/?ark=${encodeURIComponent(`ark:${name}`)}&do=check`);
      return [body.includes(en.front.checkFits), body.includes(en.front.checkWrong)];
    };
    expect(await says(`99999/b1abc${checkCharacter("99999/b1abc")}`)).toEqual([true, false]);
    expect(await says(`99999/b1abc${checkCharacter("99999/b1abc")}/page/3`)).toEqual([true, false]);
    expect(await says("99999/b1abc0")).toEqual([false, true]);
    for (const unchecked of ["99999/k7abc0", "55555/x6np1wh8k", "12345/x6np1wh8k", "12345/x6np1wh80", "99999/zz9x"]) {
      expect([unchecked, ...(await says(unchecked))]).toEqual([unchecked, false, false]);
    }
  });
});

describe("the mount prefix", () => {
  test("A49 a base address that holds the prefix and one that does not name the same addresses, with the prefix once", async () => {
    for (const base of ["https://ids.example/pid", "https://ids.example/pid/", "https://ids.example"]) {
      const mounted = await resolverWorld((replica) => replica.put(arkRecord("99999/b1x", { title: "A thing" })), {
        SVC_ROOT_PATH: "/pid",
        SVC_BASE_URL: base,
      });
      for (const prefix of ["", "/pid"]) {
        const inventory = JSON.parse((await mounted.get(`${prefix}/.well-known/ark`, JSON_ONLY)).body);
        expect([inventory.resolver_path, inventory.resolver]).toEqual(["/pid/", "https://ids.example/pid/"]);
        const page = await mounted.get(`${prefix}/ark:99999/b1x?info`);
        expect(page.body).toContain('"@id":"https://ids.example/pid/ark:99999/b1x"');
        expect(page.headers.get("link")).toBe('</pid/ark:99999/b1x>; rel="describes"');
        expect((await mounted.get(`${prefix}/ark:99999/b1x?`)).body).toContain("\nwhere: ark:99999/b1x\n");
      }
    }
  });
});

describe("what is asked for", () => {
  test("A28 the pattern of a route is no path: it is 404 like every other unknown one", async () => {
    for (const path of ["/*", "/*?x=1"]) {
      const { status, headers, body } = await world.get(path, JSON_ONLY);
      expect([status, headers.get("allow"), JSON.parse(body).code]).toEqual([404, null, "SVC-1101"]);
    }
  });

  test("A34 the trusted header counts wherever the front sent the request, and without it the URL does", async () => {
    const fronted = await resolverWorld(
      (replica) => replica.put(arkRecord("99999/b1full", { url: "https://t.example/full" })),
      { SVC_RAW_URI_HEADER: "X-Raw-URI" },
    );
    for (const path of ["/", "/robots.txt", "/healthz", "/anything", "/ark:99999/b1none"]) {
      const described = await fronted.get(path, { "x-raw-uri": "/ark:99999/b1full?" });
      expect([path, described.status, described.body.slice(0, 5)]).toEqual([path, 200, "erc:\n"]);
      const absolute = await fronted.get(path, { "x-raw-uri": "https://id.example.org/ark:99999/b1full/x" });
      expect([path, absolute.headers.get("location")]).toEqual([path, "https://t.example/full/x"]);
    }
    expect((await fronted.get("/ark:99999/b1full", { "x-raw-uri": "" })).status).toBe(302);
    expect((await fronted.get("/robots.txt")).body).toContain("User-agent");
    expect((await world.get("/ark:99999/b1full", { "x-raw-uri": "/ark:99999/b1full?" })).status).toBe(302);
  });

  test("A28 A39 what nobody foresaw about a name is 500 (1999), negotiated, with its headers and nothing from inside", async () => {
    const replica = memoryReplica();
    replica.put(arkRecord("99999/b1x"));
    const { needs, tables } = resolverNeeds({ config: readConfig({}), replica, log: quietLog });
    await tables.refreshNow();
    const describe = async () => {
      throw new Error("no connection to postgres://ark:hunter2@db/arks");
    };
    const handler = resolverApp({ ...needs, descriptions: { describe } });
    for (const accept of TYPES) {
      const request = new Request("http://id.example.org/ark:/99999/b1-x", {
        headers: { accept, "x-request-id": "r7" },
      });
      const response = await handler(request, { addressOf: () => "" });
      const body = await response.text();
      expect([response.status, body.includes("hunter2")]).toEqual([500, false]);
      expect(response.headers.get("content-type")?.startsWith(accept)).toBe(true);
      expect(response.headers.get("thump-status")).toBe("0.6 500 Internal Server Error");
      expect(response.headers.get("link")).toBe('</ark:99999/b1x>; rel="describes"');
      if (accept !== "application/json") continue;
      expect(JSON.parse(body)).toEqual({ code: "SVC-1999", message: "Internal error", detail: { request_id: "r7" } });
    }
  });
});
