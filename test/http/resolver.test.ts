// The resolver over HTTP: redirects, descriptions, headers, methods (specification 1, "Resolution"; A31 to A44).
import { describe, expect, test } from "bun:test";
import { thumpStatus } from "../../plugins/resolver/answers.ts";
import { readConfig } from "../../src/config.ts";
import { composeResolver } from "../../src/main/resolver/resolver.ts";
import { ERRORS } from "../../src/shared/errors.ts";
import { arkRecord, NEVER_PUBLIC, naanOf, shoulderOf, T0 } from "../support/memory-replica.ts";
import { quietLog } from "../support/quiet-log.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const UNTIL = "2026-03-01T01:00:00.000Z";
const WORK = { who: "Ogawa, Mari", title: "A map of the harbour", when: "1921", type: "Map" };
const FULL = arkRecord("99999/b1full", { url: "https://t.example/full", ...WORK, commitment: "Kept in three copies" });

const world = setUpWorld({
  resolver: {
    fill: (replica) => {
      replica.setPolicies(
        [
          naanOf("99999", { policyUrl: "https://policy.example/" }),
          naanOf("77777", { authoritative: false, redirect: "https://seven.example" }),
        ],
        [shoulderOf("99999", "b1"), shoulderOf("99999", "h2", { holdUntil: UNTIL, holdReason: "inventory" })],
      );
      const held = { holdUntil: UNTIL, holdReason: "rights\ncheck" };
      replica.put(
        FULL,
        arkRecord("99999/b1bare"),
        arkRecord("99999/b1urn", { url: "urn:isbn:4", title: "Book" }),
        arkRecord("99999/b1evil", { who: "a%\r\nerc-support:\nwho: forged", title: "(:unkn) anonymous" }),
        arkRecord("99999/b1held", { url: "https://t.example/held", ...held, title: "Held" }),
        arkRecord("99999/h2x", { url: "https://t.example/h2x" }),
        arkRecord("99999/b1tomb", { state: "tombstoned", tombstonedAt: T0, title: "Lost" }),
        arkRecord("99999/b1page", { state: "tombstoned", tombstonedAt: T0, url: "https://t.example/why" }),
        arkRecord("99999/b1res", { state: "reserved", url: "https://t.example/res", ...NEVER_PUBLIC }),
        arkRecord("99999/b1back", { state: "unpublished", publishedAt: null }),
      );
    },
  },
});

describe("redirects", () => {
  test("L50 L66 A39 a published name leads to its target, without any credential, and reveals nothing else about it", async () => {
    const { status, headers } = await world.get("/ark:99999/b1full");
    expect(status).toBe(302);
    expect(headers.get("location")).toBe("https://t.example/full");
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toBe("Link, THUMP-Status");
    expect(headers.get("thump-status")).toBe(null);
    expect(headers.get("link")).toBe(null);
  });

  test("L5 L51 a deep reference goes on to the target, with its query", async () => {
    const { status, headers } = await world.get("/ark:/99999/b1full/page/3?zoom=2");
    expect([status, headers.get("location")]).toEqual([302, "https://t.example/full/page/3?zoom=2"]);
  });

  test("L56 an unknown NAAN goes to the global resolver, a known one to its own", async () => {
    expect((await world.get("/ark:/12345/x6-np")).headers.get("location")).toBe("https://n2t.net/ark:12345/x6-np");
    expect((await world.get("/ark:77777/a-b?info")).headers.get("location")).toBe(
      "https://seven.example/ark:77777/a-b?info",
    );
  });

  test("A39 redirects may be cached as long as the setting allows", async () => {
    const cached = await openWorld({
      resolver: { fill: (replica) => replica.put(FULL), env: { SVC_REDIRECT_MAX_AGE: "60" } },
    });
    expect((await cached.get("/ark:99999/b1full")).headers.get("cache-control")).toBe("max-age=60");
    expect((await cached.get("/ark:99999/b1full/x")).headers.get("cache-control")).toBe("max-age=60");
  });
});

describe("inflections", () => {
  test("L52 L24 L25 A37 a bare ? answers the kernel in order, with the target behind it", async () => {
    const { status, headers, body } = await world.get("/ark:99999/b1full?");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(body).toBe(
      "erc:\nwho: Ogawa, Mari\nwhat: A map of the harbour\nwhen: 1921\nwhere: ark:99999/b1full\nredirect: https://t.example/full\n",
    );
  });

  test("L53 L26 A37 ?? adds the persistence statement", async () => {
    const kernel = (await world.get("/ark:99999/b1full?")).body;
    const { body } = await world.get("/ark:99999/b1full??");
    expect(body).toBe(
      `${kernel}erc-support:\nwho: org-a\nwhat: Permanent: Dynamic Content: Kept in three copies\nwhen: 20260102\nwhere: https://policy.example/\n`,
    );
  });

  test("L25 A37 without a target there is no redirect, an empty value is (:unav), a code is passed on", async () => {
    expect((await world.get("/ark:99999/b1bare?")).body).toBe(
      "erc:\nwho: (:unav)\nwhat: (:unav)\nwhen: (:unav)\nwhere: ark:99999/b1bare\n",
    );
    expect((await world.get("/ark:99999/b1evil?")).body).toContain("\nwhat: (:unkn) anonymous\n");
  });

  test("A37 no stored value can forge a line", async () => {
    const { body } = await world.get("/ark:99999/b1evil?");
    expect(body).toContain("who: a%25%0D%0Aerc-support:%0Awho: forged\n");
    expect(body.split("\n").length).toBe(6);
  });

  test("L54 L60 ?info is a page by default, JSON and ANVL by Accept", async () => {
    const type = async (accept?: string) => {
      const { headers } = await world.get("/ark:99999/b1full?info", accept === undefined ? {} : { accept });
      expect(headers.get("vary")).toBe("Accept, Accept-Language");
      return headers.get("content-type")?.split(";")[0];
    };
    for (const accept of [undefined, "*/*", "text/html,application/xml;q=0.9,*/*;q=0.8", "image/png", "text/*"]) {
      expect(await type(accept)).toBe("text/html");
    }
    for (const accept of [
      "application/json",
      "application/json, text/plain, */*",
      "application/*",
      "text/html;q=0.5, application/json",
    ]) {
      expect(await type(accept)).toBe("application/json");
    }
    expect(await type("text/plain")).toBe("text/plain");
    expect((await world.get("/ark:99999/b1full?info", { accept: "text/plain" })).body).toBe(
      (await world.get("/ark:99999/b1full??")).body,
    );
  });

  test("L55 A38 ?json is the whole document, whatever Accept contains", async () => {
    const { headers, body } = await world.get("/ark:99999/b1full?json", { accept: "text/html" });
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("vary")).toBe("Accept, Accept-Language");
    const { title: what, ...work } = WORK;
    const absent = { identifier: "", format: "", relation: "", source: "" };
    const level = { commitment_level: "permanent-dynamic", commitment_label: "Permanent: Dynamic Content" };
    const state = { state: "published", inherited_from: null, suffix: null, hold: null };
    const commitment = { commitment: "Kept in three copies", ...level, na_policy: "NP | NR, OP, CC | 2026" };
    const names = { ark: "ark:99999/b1full", where: "ark:99999/b1full", what };
    const redirect = { redirect: "https://t.example/full", redirect_safe: true };
    const rest = { ...commitment, ...state, created_at: T0, updated_at: T0 };
    expect(JSON.parse(body)).toEqual({ ...names, ...work, ...absent, ...redirect, ...rest });
  });

  test("L25 A35 without a target the document has no redirect; an unsafe one is marked", async () => {
    const bare = JSON.parse((await world.get("/ark:99999/b1bare?json")).body);
    expect("redirect" in bare || "redirect_safe" in bare).toBe(false);
    const expected = { redirect: "urn:isbn:4", redirect_safe: false };
    expect(JSON.parse((await world.get("/ark:99999/b1urn?json")).body)).toMatchObject(expected);
  });

  test("A36 a passed-through name has its ancestor's description under its own name", async () => {
    const document = JSON.parse((await world.get("/ark:99999/b1full/page-3?json")).body);
    const below = { inherited_from: "ark:99999/b1full", suffix: "/page-3" };
    const ark = "ark:99999/b1full/page3";
    expect(document).toMatchObject({ ark, where: ark, what: "A map of the harbour", ...below });
    expect(document).toMatchObject({ redirect: "https://t.example/full/page-3" });
  });

  test("L61 the language goes by lang, then Accept-Language, then the default", async () => {
    const language = async (path: string, header?: string) =>
      (await world.get(path, header === undefined ? {} : { "accept-language": header })).headers.get(
        "content-language",
      );
    expect(await language("/ark:99999/b1full?info&lang=ja", "en")).toBe("ja");
    expect(await language("/ark:99999/b1full?info&lang=de", "ja")).toBe("ja");
    expect(await language("/ark:99999/b1full?info", "fr, ja-JP;q=0.5, en;q=0.3")).toBe("ja");
    expect(await language("/ark:99999/b1full?info", "fr")).toBe("en");
    expect(await language("/ark:99999/b1full?info")).toBe("en");
    const label = JSON.parse((await world.get("/ark:99999/b1full?json&lang=ja")).body).commitment_label;
    expect(label).toBe("永続：内容は更新されることがある");
  });
});

describe("descriptions in place of a redirect", () => {
  test("L50 A35 a name without web target is described, negotiated like ?info", async () => {
    for (const path of ["/ark:99999/b1bare", "/ark:99999/b1urn"]) {
      const { status, headers } = await world.get(path, { accept: "application/json" });
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(headers.get("vary")).toBe("Accept, Accept-Language");
    }
  });

  test("A42 A37 a held name is described, with the time to come back", async () => {
    const { status, headers, body } = await world.get("/ark:99999/b1held", { accept: "text/plain" });
    expect(status).toBe(200);
    expect(headers.get("retry-after")).toBe("3600");
    expect(body).toContain(
      "redirect: https://t.example/held\nhold: rights%0Acheck\nhold-until: 2026-03-01T01:00:00.000Z\nhold-scope: ark\n",
    );
    const byShoulder = await world.get("/ark:99999/h2x", { accept: "application/json" });
    expect(JSON.parse(byShoulder.body).hold).toEqual({ scope: "shoulder", reason: "inventory", until: UNTIL });
    world.now = UNTIL;
    expect((await world.get("/ark:99999/b1held")).status).toBe(302);
    expect((await world.get("/ark:99999/h2x")).status).toBe(302);
    world.now = "2026-03-01T00:00:00.000Z";
  });

  test("L36 L2 A10 a tombstone keeps its description and leads nowhere, or to the page that explains", async () => {
    const { status, body } = await world.get("/ark:99999/b1tomb/part", { accept: "application/json" });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ what: "Lost", state: "tombstoned" });
    expect((await world.get("/ark:99999/b1page/part")).headers.get("location")).toBe("https://t.example/why");
    const tomb = arkRecord("99999/b1tomb", { state: "tombstoned" });
    const gone = await openWorld({
      resolver: { fill: (replica) => replica.put(tomb), env: { SVC_TOMBSTONE_STATUS: "410" } },
    });
    const strict = await gone.get("/ark:99999/b1tomb");
    expect([strict.status, strict.headers.get("thump-status")]).toEqual([410, "0.6 410 Gone"]);
    expect((await gone.get("/ark:99999/b1tomb?info")).status).toBe(200);
  });

  test("A40 a NAAN alone is described when it is known, else handed on", async () => {
    const { status, headers, body } = await world.get("/ark:99999?json");
    expect(status).toBe(200);
    const policy = { authoritative: true, who: "Example Archive", na_policy: "NP | NR, OP, CC | 2026" };
    expect(JSON.parse(body)).toMatchObject({ ark: "ark:99999", naan: "99999", ...policy });
    const foreign = await world.get("/ark:77777", { accept: "application/json" });
    const expected = { ark: "ark:77777", naan: "77777", authoritative: false, hold: null };
    expect(JSON.parse(foreign.body)).toMatchObject(expected);
    const name = JSON.parse((await world.get("/ark:99999/b1full?json")).body);
    expect([name.naan, name.authoritative]).toEqual([undefined, undefined]);
    const alone = await openWorld({ resolver: { env: { SVC_GLOBAL_RESOLVER: "" } } });
    const unknown = await alone.get("/ark:12345", { accept: "application/json" });
    expect([unknown.status, JSON.parse(unknown.body).detail]).toEqual([
      404,
      { ark: "ark:12345", naan: "12345", authoritative: false },
    ]);
    expect(headers.get("link")).toBe('</ark:99999>; rel="describes"');
    expect((await world.get("/ark:12345/")).headers.get("location")).toBe("https://n2t.net/ark:12345/");
  });
});

describe("a foreign NAAN that is held", () => {
  test("A42 A36 its names are described with the hold instead of forwarded, in every form, until it ends", async () => {
    const held = await openWorld({
      resolver: {
        fill: (replica) => {
          const hold = { holdUntil: UNTIL, holdReason: "They are moving" };
          replica.setPolicies(
            [naanOf("99999"), naanOf("77777", { authoritative: false, redirect: "https://seven.example", ...hold })],
            [],
          );
        },
      },
    });
    for (const path of ["/ark:77777/x1-y", "/ark:/77777/x/y.z", "/ark:77777", "/ark:77777/x?json", "/ark:77777/x??"]) {
      const { status, headers, body } = await held.get(path, { accept: "application/json" });
      expect([path, status, headers.get("retry-after"), headers.get("location")]).toEqual([path, 200, "3600", null]);
      expect(body).toContain("They are moving");
    }
    const about = JSON.parse((await held.get("/ark:77777/x?json")).body);
    expect(about).toMatchObject({ naan: "77777", authoritative: false, hold: { scope: "naan", until: UNTIL } });
    const inventory = JSON.parse((await held.get("/.well-known/ark", { accept: "application/json" })).body);
    expect(inventory.held).toEqual([{ scope: "naan", target: "77777", until: UNTIL, reason: "They are moving" }]);
    held.now = UNTIL;
    expect((await held.get("/ark:77777/x1-y")).headers.get("location")).toBe("https://seven.example/ark:77777/x1-y");
  });
});

describe("headers", () => {
  test("L62 A28 THUMP-Status has the reason phrase of every status there is", () => {
    for (const { status } of Object.values(ERRORS)) expect(thumpStatus(status)).toMatch(/^0\.6 \d{3} (?!Error)[A-Z]/);
  });

  test("L62 A39 every answer about a name carries THUMP-Status and Link, a 400 the first alone", async () => {
    const about = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await world.get(path, headers);
      return [answer.status, answer.headers.get("thump-status"), answer.headers.get("link")];
    };
    for (const path of ["b1full?", "b1full??", "b1full?info", "b1full?json", "b1bare", "b1held", "b1tomb"]) {
      const name = path.replace(/\?.*/, "");
      expect(await about(`/ark:/99999/${path}`)).toEqual([200, "0.6 200 OK", `</ark:99999/${name}>; rel="describes"`]);
    }
    const expected = [404, "0.6 404 Not Found", '</ark:99999/b1back>; rel="describes"'];
    expect(await about("/ark:99999/b1back")).toEqual(expected);
    expect(await about("/ark:99999/b1%zz")).toEqual([400, "0.6 400 Bad Request", null]);
    const { headers } = await world.get("/ark:99999/b1full?");
    expect(await about("/ark:99999/b1full?", { "if-none-match": headers.get("etag") ?? "" })).toEqual([
      304,
      "0.6 304 Not Modified",
      '</ark:99999/b1full>; rel="describes"',
    ]);
  });

  test("A39 the link is well formed whatever was asked for, and begins with the mount prefix", async () => {
    const mounted = await openWorld({ resolver: { env: { SVC_ROOT_PATH: "/pid" } } });
    const link = (await mounted.get("/pid/ark:99999/b1a%22b%3Ec")).headers.get("link");
    expect(link).toBe('</pid/ark:99999/b1a%22b%3Ec>; rel="describes"');
    expect((await mounted.get("/ark:99999/b1x")).headers.get("link")).toBe('</pid/ark:99999/b1x>; rel="describes"');
  });

  test("A39 ETags differ by media type and language, and both validators give 304", async () => {
    const tag = async (path: string, headers: Record<string, string>) =>
      (await world.get(path, headers)).headers.get("etag");
    const tags = new Set([
      await tag("/ark:99999/b1full?info", { accept: "text/html" }),
      await tag("/ark:99999/b1full?info&lang=ja", { accept: "text/html" }),
      await tag("/ark:99999/b1full?info", { accept: "application/json" }),
      await tag("/ark:99999/b1full?info", { accept: "text/plain" }),
    ]);
    expect(tags.size).toBe(4);
    const first = await world.get("/ark:99999/b1full?json");
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("last-modified")).toBe("Fri, 02 Jan 2026 03:04:05 GMT");
    for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const again = await world.get("/ark:99999/b1full?json", { "if-none-match": condition });
      expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, "", etag]);
    }
    const since = (when: string, more = {}) =>
      world.get("/ark:99999/b1full?json", { "if-modified-since": when, ...more });
    expect((await since("Fri, 02 Jan 2026 03:04:05 GMT")).status).toBe(304);
    expect((await since("Fri, 02 Jan 2026 03:04:04 GMT")).status).toBe(200);
    expect((await since("yesterday")).status).toBe(200);
    expect((await since("Fri, 02 Jan 2026 03:04:05 GMT", { "if-none-match": '"other"' })).status).toBe(200);
  });

  test("A39 Last-Modified follows the end of a hold", async () => {
    const held = await openWorld({
      resolver: { fill: (replica) => replica.put(arkRecord("99999/b1x", { holdUntil: "2026-02-20T00:00:00.000Z" })) },
    });
    expect((await held.get("/ark:99999/b1x?")).headers.get("last-modified")).toBe("Fri, 20 Feb 2026 00:00:00 GMT");
  });

  test("A39 HEAD is GET without a body", async () => {
    for (const path of [
      "/ark:99999/b1full",
      "/ark:99999/b1full?info",
      "/ark:99999/b1nope",
      "/ark:99999/b1bare",
      "/.well-known/ark",
      "/",
    ]) {
      const get = await world.get(path);
      const head = await world.get(path, {}, "HEAD");
      expect([path, head.status, head.body]).toEqual([path, get.status, ""]);
      for (const name of ["content-type", "location", "etag", "link", "thump-status", "vary", "cache-control"]) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
    }
  });

  test("A39 OPTIONS is 204, other methods 405 with Allow", async () => {
    const options = await world.get("/ark:99999/b1full", {}, "OPTIONS");
    expect([options.status, options.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await world.get("/ark:99999/b1full", { accept: "application/json" }, method);
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      expect(JSON.parse(answer.body)).toMatchObject({ code: "SVC-1102" });
    }
  });

  test("A39 the request id is echoed, on redirects as well", async () => {
    for (const path of ["/ark:99999/b1full", "/ark:99999/b1full/x", "/ark:99999/b1full?"]) {
      expect((await world.get(path, { "x-request-id": "abc-1" })).headers.get("x-request-id")).toBe("abc-1");
    }
  });
});

describe("refusals", () => {
  test("A47 404 and 400 are text unless JSON or a page is preferred", async () => {
    const answer = async (path: string, accept?: string) => {
      const { status, headers, body } = await world.get(path, accept === undefined ? {} : { accept });
      expect(headers.get("cache-control")).toBe("no-store");
      return { status, type: headers.get("content-type"), body };
    };
    const text = "SVC-1402 ark:99999/b1back No such name\n";
    for (const accept of [
      undefined,
      "*/*",
      "text/plain",
      "application/json, text/plain",
      "application/json, text/html",
      "image/png",
    ]) {
      const expected = { status: 404, type: "text/plain; charset=utf-8", body: text };
      expect(await answer("/ark:99999/b1back", accept)).toEqual(expected);
    }
    const json = await answer("/ark:99999/b1back", "application/json");
    expect(json.type).toBe("application/json; charset=utf-8");
    const expected = { code: "SVC-1402", message: "No such name", detail: { ark: "ark:99999/b1back" } };
    expect(JSON.parse(json.body)).toEqual(expected);
    const page = await answer("/ark:99999/b1back", "text/html,application/xhtml+xml,*/*;q=0.8");
    expect(page.type).toBe("text/html; charset=utf-8");
    expect(page.body).toContain('<meta name="robots" content="noindex">');
    expect(await answer("/ark:99999/b1mistake")).toMatchObject({
      status: 404,
      body: expect.stringContaining("SVC-1403"),
    });
    expect(await answer("/ark:99a99/x")).toMatchObject({ status: 400, body: expect.stringContaining("SVC-1001") });
    expect((await answer("/ark:99a99/x")).body).toContain("A NAAN is made of digits and the letters");
    expect(await answer(`/ark:99999/b1full/${"x".repeat(4100)}`)).toMatchObject({
      status: 400,
      body: expect.stringContaining("SVC-1004"),
    });
  });

  test("L27 a reserved name is answered byte for byte as one never seen", async () => {
    const strip = (body: string) => body.replaceAll(/b1re[st]/g, "b1…");
    for (const accept of ["*/*", "application/json", "text/html"]) {
      const reserved = await world.get("/ark:99999/b1res", { accept });
      const unknown = await world.get("/ark:99999/b1ret", { accept });
      expect(reserved.status).toBe(404);
      expect(unknown.status).toBe(404);
      expect(strip(reserved.body)).toBe(strip(unknown.body));
      expect([...reserved.headers.keys()]).toEqual([...unknown.headers.keys()]);
    }
  });

  test("L27 A49 a resolver of a closed network resolves reserved names", async () => {
    const reserved = arkRecord("99999/b1res", { state: "reserved", url: "https://t.example/res", ...NEVER_PUBLIC });
    const back = arkRecord("99999/b1back", { state: "unpublished", publishedAt: null });
    const closed = await openWorld({
      resolver: { fill: (replica) => replica.put(reserved, back), env: { SVC_RESOLVE_UNPUBLISHED: "1" } },
    });
    expect((await closed.get("/ark:99999/b1res")).headers.get("location")).toBe("https://t.example/res");
    expect(JSON.parse((await closed.get("/ark:99999/b1res?json")).body).state).toBe("reserved");
    expect((await closed.get("/ark:99999/b1back")).status).toBe(404);
  });

  test("A31c a redirect that would lead back here is a 404 that names the missing NAAN", async () => {
    const loop = naanOf("55555", { authoritative: false, redirect: "https://id.example.org" });
    const looped = await openWorld({ resolver: { fill: (replica) => replica.setPolicies([loop], []) } });
    const { status, body } = await looped.get("/ark:55555/x");
    expect(status).toBe(404);
    expect(body).toBe("SVC-1402 ark:55555/x No such name\nNAAN 55555 is missing from the list of this resolver\n");
  });

  test("A2 L6 every other path is an ordinary 404; there is no minting here", async () => {
    for (const path of [
      "/ark",
      "/ark/99999/b1full",
      "//ark:99999/b1full",
      "/x/ark:99999/b1full",
      "/api/mint",
      "/oauth/token",
    ]) {
      const answer = await world.get(path, { accept: "application/json" });
      expect([path, answer.status, JSON.parse(answer.body).code]).toEqual([path, 404, "SVC-1101"]);
    }
    expect((await world.get("/api/mint", { accept: "application/json" }, "POST")).status).toBe(404);
  });
});

describe("with the database away", () => {
  test("A44 plain redirects go on, descriptions are 503, and back again", async () => {
    const world = await openWorld({ resolver: { fill: (replica) => replica.put(FULL) } });
    world.replica.away = true;
    await world.tables.refreshNow();
    expect((await world.get("/ark:99999/b1full")).status).toBe(302);
    expect((await world.get("/ark:99999/b1full/x")).status).toBe(302);
    const away = await world.get("/ark:99999/b1full?", { accept: "application/json" });
    expect(away.status).toBe(503);
    expect(JSON.parse(away.body)).toMatchObject({ code: "SVC-1901" });
    expect(Number(away.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await world.get("/readyz")).status).toBe(503);
    world.replica.away = false;
    await world.tables.refreshNow();
    expect((await world.get("/ark:99999/b1full?")).status).toBe(200);
    expect((await world.get("/readyz")).status).toBe(200);
  });

  test("A44 before the table is loaded every name is 503", async () => {
    const replica = (await openWorld({ resolver: true })).replica;
    const { handler } = composeResolver({ config: readConfig({}), replica, log: quietLog });
    const response = await handler(new Request("http://id.example.org/ark:99999/b1full"), { addressOf: () => "" });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("SVC-1901");
  });
});

test("A34 L59 the raw request of a trusted front is read instead of the URL", async () => {
  const world = await openWorld({
    resolver: { fill: (replica) => replica.put(FULL), env: { SVC_RAW_URI_HEADER: "X-Original-URI" } },
  });
  const described = await world.get("/ark:99999/b1full", { "x-original-uri": "/ark:99999/b1full?" });
  expect(described.body.startsWith("erc:\n")).toBe(true);
  expect((await world.get("/ark:99999/b1full", { "x-original-uri": "/ark:99999/b1full/../x" })).status).toBe(400);
  expect((await world.get("/ark:99999/b1full")).status).toBe(302);
  expect((await world.get("/ark:99999/b1full?")).status).toBe(200);
});
