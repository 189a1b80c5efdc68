// Pages for people, the well-known address, robots (A38, A41, A47, A48, A49).
import { describe, expect, test } from "bun:test";
import { checkCharacter } from "../../src/ark/syntax.ts";
import { REPOSITORY_LANGUAGES } from "../../src/repository/pages/languages/index.ts";
import { en } from "../../src/resolver/pages/languages/en.ts";
import { LANGUAGES, textsOf } from "../../src/resolver/pages/languages/index.ts";
import { ja } from "../../src/resolver/pages/languages/ja.ts";
import { arkRecord, naanOf, shoulderOf } from "../support/memory-replica.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const UNTIL = "2026-03-05T00:00:00.000Z";
const EVIL = `</title></script><script>alert(1)</script><img src=x onerror=alert(1)>"'&`;
const PAGE = { accept: "text/html" };

const world = setUpWorld({
  resolver: {
    fill: (replica) => {
      const eight = { redirect: "https://eight.example", minter: "https://eight.example/mint" };
      const d9 = { minter: "https://d9.example/mint", about: "https://d9.example/" };
      replica.setPolicies(
        [
          naanOf("99999", { holdUntil: null }),
          naanOf("88888", { authoritative: false, ...eight }),
          naanOf("66666", { holdUntil: UNTIL, holdReason: "moving", policy: "" }),
          naanOf("55555", { holdUntil: "2026-01-01T00:00:00.000Z", holdReason: "over" }),
        ],
        [
          shoulderOf("99999", "b1"),
          shoulderOf("99999", "d9", { status: "delegated", ...d9 }),
          shoulderOf("99999", "f4", { redirect: "https://f4.example/${blade}" }),
          shoulderOf("99999", "h2", { holdUntil: UNTIL, holdReason: "inventory" }),
        ],
      );
      const work = { who: EVIL, title: EVIL, when: EVIL, type: EVIL, source: EVIL };
      const evil = { url: 'https://t.example/x?a="><script>', ...work };
      const links = { identifier: `javascript:alert(1)`, commitment: EVIL, relation: EVIL, format: EVIL };
      replica.put(
        arkRecord("99999/b1full", { url: "https://t.example/full", title: "A map", who: "Ogawa, Mari", when: "1921" }),
        arkRecord("99999/b1evil", { ...evil, ...links }),
        arkRecord("99999/b1held", { url: "https://t.example/h", holdUntil: UNTIL, holdReason: EVIL }),
        arkRecord("99999/b1tomb", { state: "tombstoned", title: "Lost", url: "https://t.example/why" }),
        arkRecord("99999/b1urn", { url: "urn:isbn:1", title: "Book" }),
      );
    },
  },
});

describe("pages of names", () => {
  test("A38 L54 the page shows who, what, when, where, and leads on, in every language", async () => {
    for (const texts of LANGUAGES.map(textsOf)) {
      const { headers, body } = await world.get(`/ark:99999/b1full?info&lang=${texts.tag}`, PAGE);
      expect(headers.get("content-language")).toBe(texts.tag);
      expect(body).toContain(`<html lang="${texts.tag}">`);
      for (const text of [
        "A map",
        "Ogawa, Mari",
        "1921",
        "ark:99999/b1full",
        texts.name.open,
        texts.levels["permanent-dynamic"],
      ]) {
        expect(body).toContain(text);
      }
      expect(body).toContain('href="https://t.example/full"');
      expect(body).toContain('href="/ark:99999/b1full?json"');
      expect(body).not.toContain("noindex");
    }
  });

  test("A38 no page runs a script, and nothing comes from elsewhere", async () => {
    for (const path of [
      "/ark:99999/b1full?info",
      "/ark:99999/b1evil?info",
      "/ark:99999/b1held",
      "/ark:99999/b1tomb?info",
      "/ark:99999/b1none",
      "/ark:99999",
      "/",
    ]) {
      const { headers, body } = await world.get(path, PAGE);
      const policy = headers.get("content-security-policy") ?? "";
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "style-src 'self'"]) {
        expect(policy).toContain(part);
      }
      expect(policy).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(body.replaceAll('<script type="application/ld+json">', "")).not.toMatch(/<script/i);
      expect(body.match(/<link rel="stylesheet" href="[^"]*"/g)).toEqual([expect.stringContaining('"/static/style-')]);
      expect(body).not.toMatch(/<(?:style|img|iframe|object|embed)|<[a-z][^>]*\s(?:on\w+|style)=/i);
    }
  });

  test("A38 every stored value is escaped, in the page and in its data block", async () => {
    const { body } = await world.get("/ark:99999/b1evil?info", PAGE);
    expect(body).not.toContain("<img");
    expect(body).not.toContain('href="javascript');
    expect(body).toContain("&lt;/title&gt;&lt;/script&gt;");
    const block = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? "";
    expect(block).not.toContain("<");
    expect(JSON.parse(block)).toMatchObject({ "@context": "https://schema.org", name: EVIL });
  });

  test("A38 the data block is schema.org JSON-LD with the ARK as identifier", async () => {
    const { body } = await world.get("/ark:99999/b1full?info", PAGE);
    const block = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? "";
    const identifier = [{ "@type": "PropertyValue", propertyID: "ARK", value: "ark:99999/b1full" }];
    const work = { name: "A map", creator: "Ogawa, Mari", url: "https://t.example/full" };
    const id = { "@type": "CreativeWork", "@id": "https://id.example.org/ark:99999/b1full" };
    expect(JSON.parse(block)).toMatchObject({ ...id, identifier, ...work });
  });

  test("A38 A39 tombstones, holds and 404 are noindex and state what happened", async () => {
    for (const [path, texts] of [
      ["/ark:99999/b1tomb?info", [en.tombstone.heading, 'href="https://t.example/why"']],
      ["/ark:99999/b1held", [en.hold.heading, en.hold.scopes.ark]],
      ["/ark:99999/b1none", [en.problem.notFound, "SVC-1403"]],
      ["/ark:66666?info", [en.hold.heading, "moving"]],
    ] as const) {
      const { body } = await world.get(path, PAGE);
      expect(body).toContain('<meta name="robots" content="noindex">');
      for (const text of texts) expect(body).toContain(text);
    }
    const held = (await world.get("/ark:99999/b1held", PAGE)).body;
    expect(held).not.toContain('href="https://t.example/h"');
  });

  test("A35 a target that is not a web address is shown and not linked", async () => {
    const { body } = await world.get("/ark:99999/b1urn", PAGE);
    expect(body).toContain("urn:isbn:1");
    expect(body).not.toContain('href="urn:');
  });

  test("A38 every language has a text for everything", () => {
    const shape = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shape);
      if (typeof value === "function") return "function";
      if (typeof value === "object" && value !== null) {
        return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shape(each)]));
      }
      expect(String(value).trim()).not.toBe("");
      return typeof value;
    };
    for (const tag of LANGUAGES) expect([tag, shape(textsOf(tag))]).toEqual([tag, shape(en)]);
    expect(REPOSITORY_LANGUAGES).toEqual(LANGUAGES);
  });
});

describe("the front page", () => {
  const ask = (query: string, headers = {}) => world.get(`/?${query}`, headers);
  const encoded = encodeURIComponent;

  test("A48 is a form without script, in two languages", async () => {
    const english = await world.get("/");
    expect(english.status).toBe(200);
    expect(english.body).toContain(en.front.heading);
    expect(english.body).toContain('<form method="get" action="/">');
    expect((await world.get("/", { "accept-language": "ja" })).body).toContain(ja.front.heading);
    expect((await ask("lang=ja")).body).toContain(ja.front.heading);
  });

  test("A48 A4 checks a pasted ARK: whose it is, its check character, where it leads", async () => {
    const found = (await ask(`ark=${encoded("https://x.example/ARK:/99999/b1-full")}&do=check`)).body;
    expect(found).toContain("ark:99999/b1full");
    expect(found).toContain("https://t.example/full");
    expect(found).toContain("Example Archive");
    const wrong = (await ask(`ark=${encoded("ark:99999/b1xyz9")}`)).body;
    expect(wrong).toContain(en.front.checkWrong);
    expect(wrong).toContain("SVC-1403");
    const right = `99999/b1xyz9${checkCharacter("99999/b1xyz9")}`;
    expect((await ask(`ark=${encoded(right)}`)).body).toContain(en.front.checkFits);
    const foreign = (await ask(`ark=${encoded("ark:12345/x6")}`)).body;
    expect(foreign).toContain(en.front.assignerUnknown);
    expect(foreign).toContain("https://n2t.net/ark:12345/x6");
    for (const text of ["hello", EVIL, "ark:", "ark:aeiou/x", "12345"]) {
      const { status, body } = await ask(`ark=${encoded(text)}`);
      expect(status).toBe(200);
      expect(body).toContain(en.front.notAnArk);
      expect(body).not.toContain("<img");
    }
  });

  test("A48 resolves: to the name at this service, as it was pasted", async () => {
    const location = async (text: string) => {
      const { status, headers } = await ask(`ark=${encoded(text)}&do=resolve`);
      return [status, headers.get("location")];
    };
    expect(await location("https://x.example/y/ark:/99999/b1-full/p%2f1?info")).toEqual([
      302,
      "/ark:99999/b1-full/p%2f1?info",
    ]);
    expect(await location(" 99999/b1full\n")).toEqual([302, "/ark:99999/b1full"]);
    expect(await location("ark:99999/b1\r\nSet-Cookie: x=1")).toEqual([302, "/ark:99999/b1Set-Cookie:%20x=1"]);
    expect((await location("hello"))[0]).toBe(200);
  });

  test("A48 robots may read descriptions, not follow redirects", async () => {
    const { headers, body } = await world.get("/robots.txt");
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(body).toBe(
      "User-agent: *\nAllow: /ark:*??\nAllow: /ark:*?info\nAllow: /ark:*?json\nAllow: /$\nDisallow: /ark:\nDisallow: /api/\n",
    );
  });
});

describe("/.well-known/ark", () => {
  test("L57 L64 A41 is the root path as text for none, */*, ties and unknown types", async () => {
    for (const accept of [undefined, "*/*", "application/json, text/plain", "application/xml", "text/html"]) {
      const { status, headers, body } = await world.get("/.well-known/ark", accept === undefined ? {} : { accept });
      expect([status, body]).toEqual([200, "/\n"]);
      expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(headers.get("vary")).toBe("Accept");
      expect(headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  test("L58 A41 is the inventory as JSON when that is asked for", async () => {
    const { headers, body } = await world.get("/.well-known/ark", { accept: "application/json" });
    expect(headers.get("vary")).toBe("Accept");
    const policy = "NP | NR, OP, CC | 2026";
    const own = { authoritative: true, redirect: null, minter: null };
    const eight = { authoritative: false, redirect: "https://eight.example", minter: "https://eight.example/mint" };
    const d9 = { status: "delegated", minter: "https://d9.example/mint", about: "https://d9.example/", redirect: null };
    const f4 = { status: "active", minter: null, about: null, redirect: "https://f4.example/${blade}" };
    expect(JSON.parse(body)).toEqual({
      resolver_path: "/",
      resolver: "https://id.example.org/",
      global_resolver: "https://n2t.net",
      naans: [
        { naan: "55555", ...own, policy },
        { naan: "66666", ...own, policy: null },
        { naan: "88888", ...eight, policy },
        { naan: "99999", ...own, policy },
      ],
      delegated_shoulders: [
        { naan: "99999", shoulder: "d9", ...d9 },
        { naan: "99999", shoulder: "f4", ...f4 },
      ],
      held: [
        { scope: "naan", target: "66666", until: UNTIL, reason: "moving" },
        { scope: "shoulder", target: "99999/h2", until: UNTIL, reason: "inventory" },
      ],
    });
  });

  test("L64 A49 under a mount prefix the root path is the prefix, and all own links carry it", async () => {
    const full = arkRecord("99999/b1full", { url: "https://t.example/full", title: "A map" });
    const env = { SVC_ROOT_PATH: "/pid", SVC_GLOBAL_RESOLVER: "" };
    const mounted = await openWorld({ resolver: { fill: (replica) => replica.put(full), env } });
    for (const path of ["/.well-known/ark", "/pid/.well-known/ark"])
      expect((await mounted.get(path)).body).toBe("/pid/\n");
    const inventory = JSON.parse((await mounted.get("/.well-known/ark", { accept: "application/json" })).body);
    expect(inventory).toMatchObject({
      resolver_path: "/pid/",
      resolver: "https://id.example.org/pid/",
      global_resolver: null,
    });
    for (const path of [
      "/pid/ark:99999/b1full?info",
      "/ark:99999/b1full?info",
      "/pid/",
      "/ark:99999/b1none",
      "/pid/?ark=ark:99999/b1full",
    ]) {
      const { body } = await mounted.get(path, PAGE);
      const links = [...body.matchAll(/(?:href|action)="(\/[^"]*)"/g)].map((match) => match[1] ?? "");
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) expect(link.startsWith("/pid/")).toBe(true);
    }
    expect((await mounted.get("/pid/?ark=99999/b1full&do=resolve")).headers.get("location")).toBe(
      "/pid/ark:99999/b1full",
    );
    expect((await mounted.get("/robots.txt")).body).toContain("Disallow: /pid/ark:\n");
    expect((await mounted.get("/pid/ark:99999/b1full")).headers.get("location")).toBe("https://t.example/full");
  });
});
