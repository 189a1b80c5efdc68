// What the resolver as a whole answers, asked through settings, frame and plugins: descriptions, holds, tombstones,
// headers, languages, percent-encoding (specification 1, "Resolution", "Resolution description"; A4, A10, A16, A28,
// A31, A34, A37 to A39, A42, A48, A49).
import { afterAll, describe, expect, test } from "bun:test";
import { INFLECTIONS } from "../../src/ark/request-path.ts";
import { checkCharacter } from "../../src/ark/syntax.ts";
import { readConfig } from "../../src/config.ts";
import { serve } from "../../src/main/process/serve.ts";
import { resolverNeeds } from "../../src/main/resolver/resolver.ts";
import { resolverApp } from "../../src/main/resolver/resolver-app.ts";
import { en } from "../../src/resolver/pages/languages/en.ts";
import { arkRecord, memoryReplica, NEVER_PUBLIC, naanOf, shoulderOf, T0 } from "../support/memory-replica.ts";
import { quietLog } from "../support/quiet-log.ts";
import { type RawAnswer, rawClient } from "../support/raw-http.ts";
import { NOW } from "../support/world/resolver.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const UNTIL = "2026-03-05T00:00:00.000Z";
const PAGE = { accept: "text/html" };
const world = setUpWorld({
  resolver: {
    fill: (replica) => {
      replica.setPolicies(
        [naanOf("99999"), naanOf("77777", { authoritative: false, redirect: "https://seven.example" })],
        [shoulderOf("99999", "b1"), shoulderOf("99999", "u9", { checked: false })],
      );
      const encoded = { "u9a%2Fb": "encoded", "u9a/b": "slash", "u9a%2Db": "encoded-hyphen", u9ab: "no-hyphen" };
      const others = { "u9a%2Eb": "encoded-dot", "u9a.b": "dot", "u9a%252Fb": "encoded-percent", u9A: "upper" };
      replica.put(
        arkRecord("99999/b1full", { url: "https://t.example/full", who: "Ogawa, Mari", title: "A map", when: "1921" }),
        arkRecord("99999/b1bare", { title: "No target" }),
        arkRecord("99999/b1held", { url: "https://t.example/h", holdUntil: UNTIL, holdReason: "rights" }),
        arkRecord("99999/b1tomb", { state: "tombstoned", tombstonedAt: T0, title: "Lost" }),
        arkRecord("99999/b1page", { state: "tombstoned", tombstonedAt: T0, url: "https://t.example/why" }),
        arkRecord("99999/b1res", { state: "reserved", url: "https://t.example/r", ...NEVER_PUBLIC }),
        arkRecord("99999/b1back", { state: "unpublished", publishedAt: null }),
        ...Object.entries({ ...encoded, ...others }).map(([name, path]) =>
          arkRecord(`99999/${name}`, { url: `https://t.example/${path}` }),
        ),
      );
    },
  },
});
const ark = (name: string) => `/ark:99999/${name}`;

describe("the description", () => {
  test("L24 where is the ARK whatever the target is, in every form; a new target does not change it", async () => {
    const where = async (form: string) => {
      const { body } = await world.get(ark(`b1moved${form}`));
      return form === "?json" ? JSON.parse(body).where : /^where: (.*)$/m.exec(body)?.[1];
    };
    for (const url of ["https://one.example/", "https://two.example/", "urn:isbn:1", "https://x.example/ark:1/2", ""]) {
      world.replica.put(arkRecord("99999/b1moved", { url, title: "Moves" }));
      await world.tables.refreshNow();
      for (const form of ["?", "??", "?json"]) expect([form, await where(form)]).toEqual([form, "ark:99999/b1moved"]);
      const kernel = (await world.get(ark("b1moved?"))).body.split("\n").slice(1, 5);
      expect(kernel.map((line) => line.split(":")[0])).toEqual(["who", "what", "when", "where"]);
      const redirect = /^redirect: (.*)$/m.exec((await world.get(ark("b1moved?"))).body)?.[1];
      expect(redirect).toBe(url === "" ? undefined : url);
    }
  });

  test("L26 L53 L54 ? has no persistence statement; ??, ?info in all three types and ?json have", async () => {
    world.replica.put(arkRecord("99999/b1kept", { url: "https://t.example/", commitment: "Kept in three copies" }));
    await world.tables.refreshNow();
    const body = async (form: string, accept = "*/*") => (await world.get(ark(`b1kept${form}`), { accept })).body;
    expect(await body("?")).not.toContain("Kept in three copies");
    expect(await body("?")).not.toContain("erc-support");
    for (const [form, accept] of [
      ["??", "*/*"],
      ["?info", "text/html"],
      ["?info", "application/json"],
      ["?info", "text/plain"],
      ["?json", "*/*"],
    ] as const) {
      const text = await body(form, accept);
      expect([form, accept, text.includes("Kept in three copies")]).toEqual([form, accept, true]);
      expect([form, accept, text.includes("Permanent: Dynamic Content")]).toEqual([form, accept, true]);
    }
    expect(await body("?info", "application/json")).toBe(await body("?json"));
    expect(await body("?info", "text/plain")).toBe(await body("??"));
  });
});

describe("headers", () => {
  const both = async (path: string, headers = {}, method = "GET") => {
    const answer = await world.get(path, headers, method);
    return [answer.status, answer.headers.get("thump-status"), answer.headers.get("link")];
  };

  test("L62 every form of a description, a hold, a tombstone and a 404 carry THUMP-Status and Link, with GET and HEAD", async () => {
    for (const method of ["GET", "HEAD"]) {
      for (const accept of ["*/*", "application/json", "text/html", "text/plain"]) {
        for (const [name, plain] of [
          ["b1full", null],
          ["b1full/page/3", null],
          ["b1bare", 200],
          ["b1bare/page/3", 200],
          ["b1held", 200],
          ["b1tomb", 200],
          ["b1tomb/page/3", 200],
          ["b1page", null],
        ] as const) {
          const link = `<${ark(name)}>; rel="describes"`;
          const forms = ["?", "??", "?info", "?json", ...(plain === null ? [] : [""])];
          for (const form of forms) {
            const answer = await both(ark(name) + form, { accept }, method);
            expect([name, form, accept, ...answer]).toEqual([name, form, accept, 200, "0.6 200 OK", link]);
          }
        }
        for (const name of ["b1res", "b1back", "b1typo", "u9none", "none", "b1back/page/3", "u9n%2Fo"]) {
          for (const form of ["", "?", "??", "?info", "?json"]) {
            const answer = await both(ark(name) + form, { accept }, method);
            const link = `<${ark(name)}>; rel="describes"`;
            expect([name, form, accept, ...answer]).toEqual([name, form, accept, 404, "0.6 404 Not Found", link]);
          }
        }
      }
    }
  });

  test("L62 a refusal of the method and a database that is away are answers about a name as well", async () => {
    const link = `<${ark("b1full")}>; rel="describes"`;
    expect(await both(ark("b1full"), {}, "POST")).toEqual([405, "0.6 405 Method Not Allowed", link]);
    world.replica.away = true;
    expect(await both(ark("b1full?"))).toEqual([503, "0.6 503 Service Unavailable", link]);
    world.replica.away = false;
  });

  test("L62 redirects carry neither: exact, passed through, to another NAAN, to the page of a tombstone", async () => {
    for (const path of [
      ark("b1full"),
      "/ARK:/99999/b1-full",
      ark("b1full/page/3"),
      ark("b1full?a=b"),
      ark("b1page"),
      "/ark:77777/x",
      "/ark:77777/x?info",
      "/ark:12345/x",
      "/ark:12345/x??",
      "/ark:12345",
    ]) {
      for (const method of ["GET", "HEAD"]) {
        expect([path, ...(await both(path, {}, method))]).toEqual([path, 302, null, null]);
      }
    }
  });

  test("L60 ?info, ?json and what replaces a redirect vary by Accept and Accept-Language, 304 included", async () => {
    for (const path of ["b1full?info", "b1full?json", "b1bare", "b1held", "b1tomb", "b1full?info&lang=ja"]) {
      for (const accept of ["text/html", "application/json", "text/plain", "image/png"]) {
        const first = await world.get(ark(path), { accept });
        const again = await world.get(ark(path), { accept, "if-none-match": first.headers.get("etag") ?? "" });
        for (const { headers } of [first, again]) expect(headers.get("vary")).toBe("Accept, Accept-Language");
        expect([first.status, again.status]).toEqual([200, 304]);
      }
    }
  });

  test("A39 to HEAD the length of the body is stated, not the length of none", async () => {
    for (const path of [ark("b1full?info"), ark("b1full?"), ark("b1bare"), ark("b1typo"), "/.well-known/ark"]) {
      const get = await world.get(path);
      const head = await world.get(path, {}, "HEAD");
      const length = String(new TextEncoder().encode(get.body).length);
      expect([path, head.body, head.headers.get("content-length")]).toEqual([path, "", length]);
    }
  });
});

describe("the language of pages", () => {
  const language = async (path: string, accept?: string) => {
    const { headers, body } = await world.get(path, { ...PAGE, ...(accept ? { "accept-language": accept } : {}) });
    expect(body).toContain(`<html lang="${headers.get("content-language")}">`);
    return headers.get("content-language");
  };

  test("L61 &lang= first, then Accept-Language, then the default: pages of names, of a NAAN and of refusals alike", async () => {
    for (const path of [ark("b1full"), "/ark:99999", ark("b1typo"), ark("b1back")]) {
      expect([path, await language(`${path}?info&lang=ja`, "en")]).toEqual([path, "ja"]);
      expect([path, await language(`${path}?info&lang=en`, "ja")]).toEqual([path, "en"]);
      expect([path, await language(`${path}?info`, "ja, en;q=0.5")]).toEqual([path, "ja"]);
      expect([path, await language(`${path}?info`, "de")]).toEqual([path, "en"]);
      expect([path, await language(`${path}?info`)]).toEqual([path, "en"]);
    }
    const japanese = await openWorld({
      resolver: { fill: (replica) => replica.put(arkRecord("99999/b1full")), env: { SVC_LANG: "ja" } },
    });
    expect((await japanese.get(ark("b1full?info"), PAGE)).headers.get("content-language")).toBe("ja");
  });

  test("L61 ?lang= alone is not an inflection and chooses nothing", async () => {
    expect((await world.get(ark("b1full?lang=ja"))).headers.get("location")).toBe("https://t.example/full?lang=ja");
    expect(await language(ark("b1bare?lang=ja"))).toBe("en");
  });
});

describe("percent-encoding, over the wire", () => {
  const server = serve({ fetch: (request, peer) => world.handler(request, peer), host: "127.0.0.1", port: 0 });
  const client = rawClient(server.port);
  afterAll(async () => {
    client.close();
    await server.stop(1000);
  });
  const get = async (target: string): Promise<RawAnswer> => {
    const answer = await client.send(`GET ${target} HTTP/1.1\r\nHost: id.example.org\r\n\r\n`);
    if (answer === null) throw new Error(`no answer to ${target}`);
    return answer;
  };

  test("L63 an encoded /, -, . or % is another name than the bare one; only the case of the hex digits is the same", async () => {
    for (const [name, target] of [
      ["u9a%2Fb", "encoded"],
      ["u9a%2fb", "encoded"],
      ["u9a/b", "slash"],
      ["u9a%2Db", "encoded-hyphen"],
      ["u9a%2db", "encoded-hyphen"],
      ["u9a-b", "no-hyphen"],
      ["u9a%2Eb", "encoded-dot"],
      ["u9a%2eb", "encoded-dot"],
      ["u9a.b", "dot"],
      ["u9a%252Fb", "encoded-percent"],
      ["u9a%252fb", null],
      ["u9A", "upper"],
      ["u9%41", null],
      ["u9%61b", null],
    ] as const) {
      const { status, headers } = await get(ark(name));
      const location = headers.get("location") ?? null;
      const expected = target === null ? [name, 404, null] : [name, 302, `https://t.example/${target}`];
      expect([name, status, location]).toEqual(expected);
    }
    expect(JSON.parse((await get(ark("u9a%2fb?json"))).body).where).toBe("ark:99999/u9a%2Fb");
    expect((await get(ark("u9a%2fb?"))).headers.get("link")).toBe(`<${ark("u9a%2Fb")}>; rel="describes"`);
  });

  test("L51 L63 what is passed through arrives as it was sent, and is described under the name as it was asked for", async () => {
    const sent = "/x%2fy%20z/%E5%9B%B3.pdf";
    expect((await get(ark(`b1full${sent}`))).headers.get("location")).toBe(`https://t.example/full${sent}`);
    expect(JSON.parse((await get(ark("b1full/x%2fy?json"))).body).where).toBe("ark:99999/b1full/x%2Fy");
  });

  test("L52 L59 a bare ? is seen in the request, and in the header that a front is trusted to send", async () => {
    expect((await get(ark("b1full?"))).body.startsWith("erc:\n")).toBe(true);
    expect((await get(ark("b1full"))).status).toBe(302);
    const full = arkRecord("99999/b1full", { url: "https://t.example/full" });
    const fronted = await openWorld({
      resolver: { fill: (replica) => replica.put(full), env: { SVC_RAW_URI_HEADER: "X-Raw-URI" } },
    });
    const through = (raw: string) => fronted.get(ark("b1full"), { "x-raw-uri": raw });
    expect((await through(ark("b1full?"))).body.startsWith("erc:\n")).toBe(true);
    expect((await through(ark("b1full??"))).body).toContain("\nerc-support:\n");
    expect((await through(ark("b1full"))).status).toBe(302);
    expect((await through(ark("b1full/p%2fq"))).headers.get("location")).toBe("https://t.example/full/p%2fq");
    // Without the setting nobody's header counts.
    expect((await world.get(ark("b1full"), { "x-raw-uri": ark("b1full?") })).status).toBe(302);
  });
});

/** Another one, of holds on names, shoulders and NAANs. */
const HOLDING_UNTIL = "2026-03-01T02:00:00.000Z";
const JSON_ONLY = { accept: "application/json" };
/** No inflection, then each of them. */
const FORMS = ["", ...INFLECTIONS.map(([query]) => `?${query}`)];
const TYPES = ["text/html", "application/json", "text/plain"];

const holding = setUpWorld({
  resolver: {
    fill: (replica) => {
      const held = { holdUntil: HOLDING_UNTIL, holdReason: "moving" };
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
      const own = { holdUntil: "2026-03-01T00:00:10.000Z", holdReason: "rights" };
      const heldNames = ["99999/h2full", "66666/h2full", "66666/k2full"];
      replica.put(
        arkRecord("99999/b1meta", { title: "A thing", metadata: "KEEP-THIS-INSIDE" }),
        arkRecord("99999/b1full", { url: "https://t.example/full", commitment: "Kept" }),
        arkRecord("99999/b1urn", { url: "urn:isbn:1" }),
        arkRecord("99999/b1gone", { state: "tombstoned", title: "Lost" }),
        arkRecord("99999/b1moved", { state: "tombstoned", url: "https://t.example/why" }),
        ...heldNames.map((name) => arkRecord(name, { url: "https://t.example/h" })),
        arkRecord("66666/h2own", { url: "https://t.example/h", ...own }),
      );
    },
  },
});

describe("what is stated", () => {
  test("A16 metadata is never published by the resolver, whatever is asked for", async () => {
    for (const form of FORMS) {
      for (const accept of TYPES) {
        const { status, body } = await holding.get(`/ark:99999/b1meta${form}`, { accept });
        expect(status).toBe(200);
        expect(body).not.toContain("KEEP-THIS-INSIDE");
        expect(body).toContain("A thing");
      }
    }
  });

  test("A37 without a policy address the statement leads to the ARK of the NAAN; without an organisation only the text is shown", async () => {
    const support = (await holding.get("/ark:99999/b1full??")).body.split("erc-support:\n")[1];
    expect(support).toBe("who: Example Archive\nwhat: Kept\nwhen: 20260102\nwhere: ark:99999\n");
  });

  test("A38 a hold in the document has scope, reason and until, and the page prints", async () => {
    const document = JSON.parse((await holding.get("/ark:66666/h2own?json")).body);
    expect(document.hold).toEqual({ scope: "ark", reason: "rights", until: "2026-03-01T00:00:10.000Z" });
    expect(document).toMatchObject({ redirect: "https://t.example/h", state: "published" });
    const [style = ""] = /\/static\/style-\w+\.css/.exec((await holding.get("/ark:99999/b1full?info")).body) ?? [];
    expect((await holding.get(style)).body).toContain("@media print");
  });

  test("A38 the members of the document of a NAAN are those of a name, and which NAAN it is and whether it is ours", async () => {
    const members = async (path: string) => Object.keys(JSON.parse((await holding.get(path)).body));
    const ofName = await members("/ark:99999/b1meta?json");
    expect(await members("/ark:99999?json")).toEqual(["ark", "naan", "authoritative", ...ofName.slice(1)]);
    expect(ofName.join(" ")).toBe(
      "ark who what when where type identifier format relation source commitment commitment_level commitment_label " +
        "na_policy state inherited_from suffix hold created_at updated_at",
    );
  });
});

describe("tombstones", () => {
  test("A10 every form of the description states that the object is gone", async () => {
    for (const path of ["/ark:99999/b1gone", "/ark:99999/b1gone/part", "/ark:99999/b1moved"]) {
      for (const form of path === "/ark:99999/b1moved" ? FORMS.slice(1) : FORMS) {
        for (const accept of TYPES) {
          const { status, headers, body } = await holding.get(path + form, { accept });
          const type = headers.get("content-type")?.split(";")[0];
          expect([path, form, status]).toEqual([path, form, 200]);
          if (type === "application/json") expect(JSON.parse(body).state).toBe("tombstoned");
          else if (type === "text/html") expect(body).toContain(en.tombstone.heading);
          else expect(body.split("erc-support:")[0]).toMatch(/\nstate: tombstoned\n$/);
        }
      }
    }
    expect((await holding.get("/ark:99999/b1full?")).body).not.toContain("state:");
    const gone = arkRecord("99999/b1gone", { state: "tombstoned" });
    const urn = arkRecord("99999/b1urn", { state: "tombstoned", url: "urn:isbn:1" });
    const strict = await openWorld({
      resolver: { fill: (replica) => replica.put(gone, urn), env: { SVC_TOMBSTONE_STATUS: "410" } },
    });
    expect((await strict.get("/ark:99999/b1gone")).status).toBe(410);
    expect((await strict.get("/ark:99999/b1urn")).status).toBe(200);
    expect((await holding.get("/ark:99999/b1moved/part")).headers.get("location")).toBe("https://t.example/why");
  });
});

describe("a table that is a moment behind its database", () => {
  test("A31a a name withdrawn since is not described: the record read now counts", async () => {
    const behind = await openWorld({
      resolver: { fill: (replica) => replica.put(arkRecord("99999/b1x", { title: "Secret by now" })) },
    });
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
        const { status: reply, body, headers } = await behind.get(path, { accept: "application/json" });
        expect([path, changed.state, reply]).toEqual([path, changed.state, status]);
        if (status === 404) expect(body).not.toContain("Secret");
        expect(headers.get("link")).toMatch(/^<\/ark:99999\/b1x(?:\/part)?>; rel="describes"$/);
      }
    }
  });
});

describe("holds", () => {
  test("A42 the narrowest hold is shown and its end is Retry-After, in every form", async () => {
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
        const { status, headers } = await holding.get(path + form, JSON_ONLY);
        expect([path, form, status, headers.get("retry-after")]).toEqual([path, form, 200, String(seconds)]);
      }
      expect(JSON.parse((await holding.get(path, JSON_ONLY)).body).hold.scope).toBe(scope);
    }
  });

  test("A42 when the narrowest hold is over the wider one counts, with no job in between", async () => {
    const at = async (now: string) => {
      holding.now = now;
      const { status, body } = await holding.get("/ark:66666/h2own", JSON_ONLY);
      return status === 200 ? JSON.parse(body).hold.scope : status;
    };
    expect(await at("2026-03-01T00:00:09.999Z")).toBe("ark");
    expect(await at("2026-03-01T00:00:10.000Z")).toBe("shoulder");
    expect(await at("2026-03-01T01:00:00.000Z")).toBe("naan");
    expect(await at(HOLDING_UNTIL)).toBe(302);
    holding.now = NOW;
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
      const { headers } = await holding.get(path);
      expect([path, headers.get("access-control-allow-origin")]).toEqual([path, "*"]);
      expect([path, headers.get("access-control-expose-headers")]).toEqual([path, "Link, THUMP-Status"]);
      const options = await holding.get(path, {}, "OPTIONS");
      if (path !== "/nowhere") expect([path, options.status, options.body]).toEqual([path, 204, ""]);
    }
  });

  test("A39 Vary is on every media type of ?info and on the description in place of a redirect", async () => {
    for (const path of ["/ark:99999/b1full?info", "/ark:99999/b1meta", "/ark:99999/b1urn", "/ark:66666/k2full"]) {
      for (const accept of TYPES) {
        const { headers } = await holding.get(path, { accept });
        expect([path, accept, headers.get("vary")]).toEqual([path, accept, "Accept, Accept-Language"]);
        expect(headers.get("content-type")?.startsWith(accept)).toBe(true);
        expect(headers.get("etag")).toMatch(/^"[0-9a-f]{24}"$/);
        expect(headers.get("last-modified")).toMatch(/ GMT$/);
      }
    }
  });
});

describe("the page that checks a name", () => {
  test("A4 A48 a check character is verified in our checked shoulders alone", async () => {
    const answerOf = async (name: string) => {
      const { body } = await holding.get(`/?ark=${encodeURIComponent(`ark:${name}`)}&do=check`);
      return [body.includes(en.front.checkFits), body.includes(en.front.checkWrong)];
    };
    expect(await answerOf(`99999/b1abc${checkCharacter("99999/b1abc")}`)).toEqual([true, false]);
    expect(await answerOf(`99999/b1abc${checkCharacter("99999/b1abc")}/page/3`)).toEqual([true, false]);
    expect(await answerOf("99999/b1abc0")).toEqual([false, true]);
    for (const unchecked of ["99999/k7abc0", "55555/x6np1wh8k", "12345/x6np1wh8k", "12345/x6np1wh80", "99999/zz9x"]) {
      expect([unchecked, ...(await answerOf(unchecked))]).toEqual([unchecked, false, false]);
    }
  });
});

describe("the mount prefix", () => {
  test("A49 a base address that holds the prefix and one that does not name the same addresses, with the prefix once", async () => {
    for (const base of ["https://ids.example/pid", "https://ids.example/pid/", "https://ids.example"]) {
      const fill = (replica: typeof world.replica) => replica.put(arkRecord("99999/b1x", { title: "A thing" }));
      const mounted = await openWorld({ resolver: { fill, env: { SVC_ROOT_PATH: "/pid", SVC_BASE_URL: base } } });
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
  test("A28 the pattern of a route is not a path: it is 404 like every other unknown one", async () => {
    for (const path of ["/*", "/*?x=1"]) {
      const { status, headers, body } = await holding.get(path, JSON_ONLY);
      expect([status, headers.get("allow"), JSON.parse(body).code]).toEqual([404, null, "SVC-1101"]);
    }
  });

  test("A34 the trusted header counts wherever the front sent the request, and without it the URL does", async () => {
    const full = arkRecord("99999/b1full", { url: "https://t.example/full" });
    const fronted = await openWorld({
      resolver: { fill: (replica) => replica.put(full), env: { SVC_RAW_URI_HEADER: "X-Raw-URI" } },
    });
    for (const path of ["/", "/robots.txt", "/healthz", "/anything", "/ark:99999/b1none"]) {
      const described = await fronted.get(path, { "x-raw-uri": "/ark:99999/b1full?" });
      expect([path, described.status, described.body.slice(0, 5)]).toEqual([path, 200, "erc:\n"]);
      const absolute = await fronted.get(path, { "x-raw-uri": "https://id.example.org/ark:99999/b1full/x" });
      expect([path, absolute.headers.get("location")]).toEqual([path, "https://t.example/full/x"]);
    }
    expect((await fronted.get("/ark:99999/b1full", { "x-raw-uri": "" })).status).toBe(302);
    expect((await fronted.get("/robots.txt")).body).toContain("User-agent");
    expect((await holding.get("/ark:99999/b1full", { "x-raw-uri": "/ark:99999/b1full?" })).status).toBe(302);
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
