// The resolver's two interfaces, the fast path and the app, answer alike; and what reaches them over the wire on each
// runtime (A39, A43).
import { afterAll, describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import fc from "fast-check";
import { resolver } from "../../plugins/resolver/resolver.ts";
import { serve } from "../../src/main/process/serve.ts";
import { descriptions } from "../../src/resolver/descriptions.ts";
import { arkRecord, NEVER_PUBLIC, naanOf, shoulderOf } from "../support/memory-replica.ts";
import { rawClient } from "../support/raw-http.ts";
import { NOW } from "../support/world/resolver.ts";
import { setUpWorld } from "../support/world.ts";

const UNTIL = "2026-03-05T00:00:00.000Z";
const world = setUpWorld({
  resolver: {
    fill: (replica) => {
      const held = { holdUntil: UNTIL, holdReason: "x" };
      replica.setPolicies(
        [naanOf("99999"), naanOf("88888"), naanOf("77777", held)],
        [shoulderOf("99999", "b1"), shoulderOf("88888", "h2", held), shoulderOf("88888", "k2")],
      );
      replica.put(
        arkRecord("99999/b1a", { url: "https://t.example/a" }),
        arkRecord("99999/b1a/b", { url: "http://t.example/a?b=1#c" }),
        arkRecord("99999/b1u", { url: "https://t.example/ü x" }),
        arkRecord("99999/b1n"),
        arkRecord("99999/b1f", { url: "ftp://t.example/f" }),
        arkRecord("99999/b1h", { url: "https://t.example/h", holdUntil: UNTIL }),
        arkRecord("99999/b1r", { url: "https://t.example/r", state: "reserved", ...NEVER_PUBLIC }),
        arkRecord("99999/b1w", { url: "https://t.example/w", state: "unpublished", publishedAt: null }),
        arkRecord("99999/b1t", { url: "https://t.example/t", state: "tombstoned" }),
        arkRecord("99999/b1s", { url: "https://id.example.org/ark:99999/b1s" }),
        arkRecord("88888/h2a", { url: "https://t.example/held" }),
        arkRecord("88888/k2a", { url: "https://t.example/free" }),
        arkRecord("77777/k2a", { url: "https://t.example/held" }),
      );
    },
  },
});

const clock = { now: () => NOW };
function endpoints(settings: {
  readonly rootPath: string;
  readonly redirectMaxAgeSeconds: number;
  readonly rawUriHeader?: string;
}) {
  const links = { baseUrl: "https://id.example.org", globalResolver: "https://n2t.net", rawUriHeader: null };
  const sent = { allowedHosts: new Set<string>(), resolveUnpublished: false };
  const usual = { ...sent, tombstoneStatus: 200, lang: "en" } as const;
  const described = descriptions({ replica: world.replica, clock, resolveUnpublished: false });
  const all = { ...links, ...usual, ...settings };
  const needs = { tables: world.tables, clock, descriptions: described, addressRate: null };
  const { plugin, hot } = resolver({ ...needs, settings: all });
  const app = new Elysia({ handler: { standardHostname: false } }).use(plugin);
  return { hot, app };
}

describe("the two interfaces", () => {
  const plain = ["99999/b1a", "99999/b1a/b", "88888/k2a", "99999/b1a"];
  const others = ["b1u", "b1n", "b1f", "b1h", "b1r", "b1w", "b1t", "b1s", "b1-a", "b1zz", ""].map(
    (name) => `99999/${name}`,
  );
  const names = [...plain, ...plain, ...others, "88888/h2a", "77777/k2a", "12345/x", "99999"];
  const tails = ["/", "/p/3", ".pdf", "?", "??", "?info", "?a=b", "/..", "%2f", "-"];
  const request = fc.record({
    prefix: fc.constantFrom("", "", "/pid", "/x"),
    label: fc.constantFrom("/ark:", "/ark:", "/ark:", "/ark:/", "/ARK:", "/ark%3A", "/ark://"),
    name: fc.constantFrom(...names),
    tail: fc.constantFrom(...Array<string>(12).fill(""), ...tails),
    method: fc.constantFrom("GET", "GET", "GET", "HEAD", "POST"),
    host: fc.constantFrom("http://a", "https://id.example.org", "http://ark:8080", "http://[::1]:8001"),
  });

  test("A39 L50 what the fast path answers, the app answers the same; it leaves the rest alone", async () => {
    const setups = [
      endpoints({ rootPath: "", redirectMaxAgeSeconds: 0 }),
      endpoints({ rootPath: "/pid", redirectMaxAgeSeconds: 60 }),
    ];
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(request, fc.constantFrom(...setups), async (asked, { hot, app }) => {
        const url = asked.host + asked.prefix + asked.label + asked.name + asked.tail;
        const make = () => new Request(url, { method: asked.method });
        const fast = hot(make());
        if (fast === null) return;
        answered += 1;
        const slow = await app.handle(make());
        expect(fast.status).toBe(slow.status);
        expect([...fast.headers]).toEqual([...slow.headers]);
        expect(asked.method).toBe("GET");
      }),
      { numRuns: 2000 },
    );
    expect(answered).toBeGreaterThan(40);
  });

  test("A42 L50 the fast path takes plain redirects, with both labels, and nothing that is on hold", () => {
    const { hot } = endpoints({ rootPath: "/pid", redirectMaxAgeSeconds: 0 });
    const location = (path: string) => hot(new Request(`http://a${path}`))?.headers.get("location") ?? null;
    expect(location("/ark:99999/b1a")).toBe("https://t.example/a");
    expect(location("/ark:/99999/b1a")).toBe("https://t.example/a");
    expect(location("/pid/ark:88888/k2a")).toBe(null);
    expect(location("/pid/ark:99999/b1a/b")).toBe("http://t.example/a?b=1#c");
    for (const path of ["b1h", "b1u", "b1n", "b1f", "b1r", "b1w", "b1t", "b1s", "b1a?", "b1a/x", "b1-a"]) {
      expect(location(`/ark:99999/${path}`)).toBe(null);
    }
    expect(location("/ark:77777/k2a")).toBe(null);
  });
});

describe("a trusted raw-URI header", () => {
  const quick = (path: string, sent: string | null) =>
    endpoints({ rootPath: "", redirectMaxAgeSeconds: 0, rawUriHeader: "x-original-uri" }).hot(
      new Request(`http://id.example.org${path}`, sent === null ? {} : { headers: { "x-original-uri": sent } }),
    );

  test("A34 the fast path is taken where it answers exactly the request, and only there", () => {
    const name = "/ark:99999/b1a";
    for (const sent of [null, "", name]) expect(quick(name, sent)?.headers.get("location")).toBe("https://t.example/a");
    for (const sent of ["/ark:99999/b1n", `${name}?`, `/x${name}`, "a", `http://id.example.org${name}`]) {
      expect([sent, quick(name, sent)]).toEqual([sent, null]);
    }
  });
});

describe("over the wire", () => {
  const server = serve({ fetch: (request, peer) => world.handler(request, peer), host: "127.0.0.1", port: 0 });
  const client = rawClient(server.port);
  const isDeno = "Deno" in globalThis;
  afterAll(async () => {
    client.close();
    await server.stop(1000);
  });
  const get = async (target: string) => {
    const answer = await client.send(`GET ${target} HTTP/1.1\r\nHost: id.example.org\r\n\r\n`);
    if (answer === null) throw new Error(`no answer to ${target}`);
    return answer;
  };

  test("L52 L53 A34 a bare ? and ?? arrive", async () => {
    expect((await get("/ark:99999/b1a?")).body.startsWith("erc:\n")).toBe(true);
    expect((await get("/ark:99999/b1a??")).body).toContain("\nerc-support:\n");
    expect((await get("/ark:99999/b1a")).status).toBe(302);
  });

  test("L63 percent-encoding arrives as it was sent, encoded slashes and dashes included", async () => {
    expect((await get("/ark:99999/b1a/p%2fq%2E%41")).headers.get("location")).toBe("https://t.example/a/p%2fq%2E%41");
    expect((await get("/ark:99999/b1%E2%80%90a")).headers.get("location")).toBe("https://t.example/a");
  });

  test("A43 .. segments: Deno shows them and they are refused; Bun resolves them before our code runs", async () => {
    for (const target of ["/ark:99999/b1n/../b1a", "/ark:99999/b1n/%2e%2E/b1a"]) {
      const { status, headers } = await get(target);
      if (isDeno) expect(status).toBe(400);
      else expect([status, headers.get("location")]).toEqual([302, "https://t.example/a"]);
    }
    expect((await get("/ark:99999/b1a/a..%2Fx")).headers.get("location")).toBe("https://t.example/a/a..%2Fx");
  });

  test("A43 A3 bytes outside a URI path: encoded in the redirect, or refused by the runtime, never sent on raw", async () => {
    const utf8 = (await get("/ark:99999/b1a/\xc3\xb1")).headers.get("location");
    expect(utf8).toBe("https://t.example/a/%C3%B1");
    const other = await get('/ark:99999/b1a/"<>^`{|}');
    expect(other.headers.get("location")).toBe("https://t.example/a/%22%3C%3E%5E%60%7B%7C%7D");
    const backslash = (await get("/ark:99999/b1a/x\\y")).headers.get("location");
    expect(backslash).toBe(isDeno ? "https://t.example/a/x%5Cy" : "https://t.example/a/x/y");
    const broken = await client.send("GET /ark:99999/b1a/\xf1 HTTP/1.1\r\nHost: h\r\n\r\n");
    if (isDeno) expect(broken?.status).toBe(400);
    else expect(broken?.headers.get("location")).toBe("https://t.example/a/%EF%BF%BD");
  });

  test("A39 304 and 204 have no body on either runtime", async () => {
    const etag = (await get("/ark:99999/b1n?")).headers.get("etag") ?? "";
    const fresh = await client.send(`GET /ark:99999/b1n? HTTP/1.1\r\nHost: h\r\nIf-None-Match: ${etag}\r\n\r\n`);
    expect(fresh?.status).toBe(304);
    expect((await client.send("OPTIONS /ark:99999/b1n HTTP/1.1\r\nHost: h\r\n\r\n"))?.status).toBe(204);
    expect((await client.send("HEAD /ark:99999/b1n HTTP/1.1\r\nHost: h\r\n\r\n"))?.status).toBe(200);
    expect((await get("/ark:99999/b1a")).status).toBe(302);
  });
});
