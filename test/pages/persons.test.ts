// Pages of persons (R6a, R20 to R22, R40): everybody's page, and the list and the form of those who look after authors.
import { beforeAll, describe, expect, test } from "bun:test";
import { REPOSITORY_SCOPES } from "../../src/auth/account.ts";
import { anAgent } from "../support/world/authors.ts";
import { titled } from "../support/world/items.ts";
import { BASE, type Visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

let admin: Visitor;
let csrf = "";
const world = setUpWorld({ pages: true });
beforeAll(async () => {
  admin = world.visitor();
  await admin.signIn(await world.token(world.admin));
  csrf = csrfIn((await admin.get("/authors/new")).text);
});

const csrfIn = (text: string): string => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? "";
const FORM = {
  "n.0.language": "en",
  "n.0.familyName": "Lovelace",
  "n.0.firstName": "Ada",
  "n.0.show": "true",
  "n.1.language": "ja",
  "n.1.familyName": "ラブレス",
  "n.1.firstName": "エイダ",
  "n.1.show": "true",
  "i.0.type": "ORCID",
  "i.0.value": "0000-0002-1825-0097",
  "i.0.show": "true",
  "m.0": "ada@example.org",
  "a.0.n.0.language": "en",
  "a.0.n.0.value": "Analytical <Engine>",
  "a.0.n.0.show": "true",
  "a.0.p.0.from": "1840-01-01",
  "a.0.p.0.to": "1850-12-31",
};
/** Returns the number of the person. */
async function made(fields: Readonly<Record<string, string>> = FORM): Promise<number> {
  const { status, headers } = await admin.post("/authors/new/edit", { csrf, ...fields });
  expect(status).toBe(303);
  return Number(/\/authors\/(\d+)$/.exec(headers.get("location") ?? "")?.[1]);
}

describe("the page of a person", () => {
  test("R40 R20 names in all languages, identifiers that lead on, affiliations with periods, items; no mail address for everybody", async () => {
    const id = await made();
    const item = await world.publish({ metadata: titled("By Ada", { creators: [anAgent({ authorId: id })] }) });
    const { status, text } = await world.visitor().get(`/authors/${id}`);
    expect(status).toBe(200);
    expect(text).toContain("<h1>Lovelace, Ada</h1>");
    expect(text).toContain('<li lang="ja">ラブレス エイダ</li>');
    expect(text).toContain('href="https://orcid.org/0000-0002-1825-0097"');
    expect(text).toContain('class="orcid"');
    expect(text).toContain("Analytical &lt;Engine&gt;");
    expect(text).toContain("1840-01-01 – 1850-12-31");
    expect(text).toContain(`href="/records/${item.id}"`);
    expect(text).toContain(`/api/opensearch/search?author=${id}&amp;format=atom`);
    expect(text).not.toContain("ada@example.org");
    expect(text).not.toContain("LOCAL");
    const { "n.0.show": _shown, ...hidden } = FORM;
    const other = await world.visitor().get(`/authors/${await made(hidden)}`);
    const expected = [false, true];
    expect([other.text.includes("Lovelace"), other.text.includes('<h1 lang="ja">ラブレス エイダ</h1>')]).toEqual(
      expected,
    );
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? "{}");
    expect(data).toMatchObject({ "@type": "Person", familyName: "Lovelace", givenName: "Ada", name: "Lovelace, Ada" });
    expect(data.sameAs).toEqual(["https://orcid.org/0000-0002-1825-0097"]);
    expect((await world.visitor("ja").get(`/authors/${id}`)).text).toContain("<h1>ラブレス エイダ</h1>");
    expect((await admin.get(`/authors/${id}`)).text).toContain("ada@example.org");
    expect((await world.visitor().get(`/records/${item.id}`)).text).toContain(`href="/authors/${id}"`);
    expect((await world.visitor().get(`/search?author=${id}`)).text).toContain("By Ada");
  });

  test("R6a R22 who was merged leads to who stays, who was deleted is gone, nobody is not found", async () => {
    const other = { "n.0.language": "en", "n.0.familyName": "Other", "n.0.show": "true" };
    const [one, two] = [await made(other), await made(other)];
    const merged = await admin.post(`/authors/${one}/merge`, { csrf, into: `${two}` });
    expect([merged.status, merged.headers.get("location")]).toEqual([303, `/authors/${two}`]);
    const moved = await world.visitor().get(`/authors/${one}`);
    expect([moved.status, moved.headers.get("location")]).toEqual([302, `/authors/${two}`]);
    expect((await admin.post(`/authors/${two}/delete`, { csrf })).status).toBe(400);
    expect((await admin.post(`/authors/${two}/delete`, { csrf, sure: "yes" })).status).toBe(303);
    expect((await world.visitor().get(`/authors/${two}`)).status).toBe(410);
    for (const odd of ["999999", "0", "-1", "x", "99999999999999999999", "%00"]) {
      expect([odd, (await world.visitor().get(`/authors/${odd}`)).status]).toEqual([odd, 404]);
    }
  });
});

describe("what a token reads of persons", () => {
  const byToken = async (scopes: readonly string[], path: string, viewer = world.admin) => {
    const authorization = `Bearer ${await world.token(viewer, scopes)}`;
    const request = new Request(`${BASE}${path}`, { headers: { authorization, accept: "text/html" } });
    const response = await world.handler(request, { addressOf: () => "192.0.2.9" });
    return { status: response.status, text: await response.text() };
  };

  test("R6d the list and the form, which show mail addresses, need author:search; no other scope opens them", async () => {
    const [id, other] = [await made(), await made({ ...FORM, "m.0": "second@example.org" })];
    const others = REPOSITORY_SCOPES.filter((scope) => scope !== "author:search");
    for (const path of ["/authors", "/authors/new", `/authors/${id}/edit`, `/authors/${other}/edit`]) {
      expect([path, (await byToken(["author:search"], path)).status]).toEqual([path, 200]);
      const { status, text } = await byToken(others, path);
      expect([path, status, /(?:ada|second)@example/.test(text)]).toEqual([path, 403, false]);
    }
    expect((await byToken(["author:search"], `/authors/${other}/edit`)).text).toContain("second@example.org");
    expect((await byToken(REPOSITORY_SCOPES, "/authors", world.owner)).status).toBe(403);
  });

  test("R6d the page of a person shows mail addresses to a token with author:search, not to one that reads items", async () => {
    const id = await made();
    const reading = await byToken(["item:read"], `/authors/${id}`);
    expect([reading.status, reading.text.includes("ada@example.org")]).toEqual([200, false]);
    const both = await byToken(["item:read", "author:search"], `/authors/${id}`);
    expect([both.status, both.text.includes("ada@example.org")]).toEqual([200, true]);
  });

  test("R20 its linked data names the public address, whatever name a client gives the host", async () => {
    const id = await made();
    const request = new Request(`http://evil.example/authors/${id}`, { headers: { host: "evil.example" } });
    const response = await world.handler(request, { addressOf: () => "192.0.2.9" });
    const text = await response.text();
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? "{}");
    expect([data["@id"], data.url]).toEqual([`${BASE}/authors/${id}`, `${BASE}/authors/${id}`]);
    expect(text).not.toContain("evil.example");
  });
});

describe("looking after authors", () => {
  test("R20 the list finds names in either order, and is for those who look after authors", async () => {
    const id = await made({ ...FORM, "n.0.familyName": "Hopper", "n.0.firstName": "Grace" });
    expect((await admin.get("/authors?name=grace+hopper")).text).toContain(`href="/authors/${id}"`);
    expect((await admin.get("/authors?name=ＨＯＰＰＥＲ+Grace")).text).toContain(`href="/authors/${id}"`);
    expect((await admin.get("/authors?name=nonesuch")).text).toContain("Nobody was found.");
    expect((await world.visitor().get("/authors")).status).toBe(303);
    const own = world.visitor();
    await own.signIn(await world.token(world.owner));
    expect((await own.get("/authors")).status).toBe(403);
    expect((await own.get(`/authors/${id}/edit`)).status).toBe(403);
    expect(
      (await own.post(`/authors/${id}/delete`, { csrf: csrfIn((await own.get("/")).text), sure: "yes" })).status,
    ).toBe(403);
    expect((await admin.post(`/authors/${id}/delete`, { csrf: "no", sure: "yes" })).status).toBe(403);
  });

  test("R21 R22 the form holds everything that is stored, and shows what is wrong with what was sent", async () => {
    const id = await made();
    // Without what a script adds entries from.
    const page = (await admin.get(`/authors/${id}/edit`)).text.replace(/<template>.*?<\/template>/gs, "");
    const sent = new Map(
      [...page.matchAll(/<input type="text" id="([^"]+)" name="[^"]+"(?: value="([^"]*)")?/g)].map(
        ([, name = "", value = ""]) => [name, value],
      ),
    );
    for (const [, name = "", options = ""] of page.matchAll(/<select id="([^"]+)"[^>]*>(.*?)<\/select>/g)) {
      sent.set(name, /value="([^"]*)" selected/.exec(options)?.[1] ?? "");
    }
    for (const [, name = ""] of page.matchAll(
      /<input type="checkbox" id="[^"]+" name="([^"]+)" value="true" checked>/g,
    ))
      sent.set(name, "true");
    const fields = Object.fromEntries(
      [...sent].map(([name, value]) => [name, value.replaceAll("&lt;", "<").replaceAll("&gt;", ">")]),
    );
    const before = await world.store.authors.author(id);
    expect((await admin.post(`/authors/${id}/edit`, { csrf, ...fields })).status).toBe(303);
    expect((await world.store.authors.author(id))?.content).toEqual(before?.content);
    const wrong = await admin.post(`/authors/${id}/edit`, { csrf, ...fields, "i.1.value": "0000-0002-1825-0098" });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('role="alert"');
    expect((await world.store.authors.author(id))?.content).toEqual(before?.content);
  });
});
