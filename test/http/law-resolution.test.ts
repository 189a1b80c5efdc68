// Resolution, rule by rule (law, "Resolution (resolver role only)", "Resolution description").
import { afterAll, describe, expect, test } from "bun:test";
import { serve } from "../../src/main/serve.ts";
import { arkRecord, NEVER_PUBLIC, naanOf, shoulderOf, T0 } from "../support/memory-replica.ts";
import { type RawAnswer, rawClient } from "../support/raw-http.ts";
import { resolverWorld } from "../support/resolver-world.ts";

const UNTIL = "2026-03-05T00:00:00.000Z";
const PAGE = { accept: "text/html" };
const world = await resolverWorld((replica) => {
  replica.setPolicies(
    [naanOf("99999"), naanOf("77777", { authoritative: false, redirect: "https://seven.example" })],
    [shoulderOf("99999", "b1"), shoulderOf("99999", "u9", { checked: false })],
  );
  replica.put(
    arkRecord("99999/b1full", { url: "https://t.example/full", who: "Ogawa, Mari", title: "A map", when: "1921" }),
    arkRecord("99999/b1bare", { title: "No target" }),
    arkRecord("99999/b1held", { url: "https://t.example/h", holdUntil: UNTIL, holdReason: "rights" }),
    arkRecord("99999/b1tomb", { state: "tombstoned", tombstonedAt: T0, title: "Lost" }),
    arkRecord("99999/b1page", { state: "tombstoned", tombstonedAt: T0, url: "https://t.example/why" }),
    arkRecord("99999/b1res", { state: "reserved", url: "https://t.example/r", ...NEVER_PUBLIC }),
    arkRecord("99999/b1back", { state: "unpublished", publishedAt: null }),
    arkRecord("99999/u9a%2Fb", { url: "https://t.example/encoded" }),
    arkRecord("99999/u9a/b", { url: "https://t.example/slash" }),
    arkRecord("99999/u9a%2Db", { url: "https://t.example/encoded-hyphen" }),
    arkRecord("99999/u9ab", { url: "https://t.example/no-hyphen" }),
    arkRecord("99999/u9a%2Eb", { url: "https://t.example/encoded-dot" }),
    arkRecord("99999/u9a.b", { url: "https://t.example/dot" }),
    arkRecord("99999/u9a%252Fb", { url: "https://t.example/encoded-percent" }),
    arkRecord("99999/u9A", { url: "https://t.example/upper" }),
  );
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

  test("L60 ?info, ?json and what stands in for a redirect vary by Accept and Accept-Language, 304 included", async () => {
    for (const path of ["b1full?info", "b1full?json", "b1bare", "b1held", "b1tomb", "b1full?info&lang=ja"]) {
      for (const accept of ["text/html", "application/json", "text/plain", "image/png"]) {
        const first = await world.get(ark(path), { accept });
        const again = await world.get(ark(path), { accept, "if-none-match": first.headers.get("etag") ?? "" });
        for (const { headers } of [first, again]) expect(headers.get("vary")).toBe("Accept, Accept-Language");
        expect([first.status, again.status]).toEqual([200, 304]);
      }
    }
  });

  test("A39 to HEAD the length of the body is said, not the length of none", async () => {
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
    const japanese = await resolverWorld((replica) => replica.put(arkRecord("99999/b1full")), { SVC_LANG: "ja" });
    expect((await japanese.get(ark("b1full?info"), PAGE)).headers.get("content-language")).toBe("ja");
  });

  test("L61 ?lang= alone is no inflection and chooses nothing", async () => {
    expect((await world.get(ark("b1full?lang=ja"))).headers.get("location")).toBe("https://t.example/full?lang=ja");
    expect(await language(ark("b1bare?lang=ja"))).toBe("en");
  });
});

describe("percent-encoding, over the wire", () => {
  const server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
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
    const fronted = await resolverWorld(
      (replica) => replica.put(arkRecord("99999/b1full", { url: "https://t.example/full" })),
      { SVC_RAW_URI_HEADER: "X-Raw-URI" },
    );
    const through = (raw: string) => fronted.get(ark("b1full"), { "x-raw-uri": raw });
    expect((await through(ark("b1full?"))).body.startsWith("erc:\n")).toBe(true);
    expect((await through(ark("b1full??"))).body).toContain("\nerc-support:\n");
    expect((await through(ark("b1full"))).status).toBe(302);
    expect((await through(ark("b1full/p%2fq"))).headers.get("location")).toBe("https://t.example/full/p%2fq");
    // Without the setting nobody's header counts.
    expect((await world.get(ark("b1full"), { "x-raw-uri": ark("b1full?") })).status).toBe(302);
  });
});
