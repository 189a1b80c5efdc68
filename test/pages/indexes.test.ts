// Index pages, the front page, feeds, site maps and unknown addresses (R24, R32, R19a, R2d, R9).
import { describe, expect, test } from "bun:test";
import { titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });

/** Titles in the last feed that the head of a page names. */
async function alternateOf(path: string): Promise<readonly string[]> {
  const { text } = await world.visitor().get(path);
  const [, feed = ""] =
    [...text.matchAll(/<link rel="alternate" type="application\/atom\+xml"[^>]* href="([^"]+)"/g)].at(-1) ?? [];
  const answer = await world.visitor().get(feed.replaceAll("&amp;", "&"));
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/atom+xml; charset=utf-8"]);
  return [...answer.text.matchAll(/<title[^>]*>(Found by \d+|The very newest)</g)]
    .map(([, title = ""]) => title)
    .sort();
}

describe("index pages", () => {
  test("R24 the top level shows what may be browsed, in the reader's language", async () => {
    await world.index({ id: 500, indexName: "公開", indexNameEnglish: "Open <shelf>" });
    await world.index({ id: 501, indexNameEnglish: "Hidden", publicState: false });
    const { text } = await world.visitor().get("/index");
    expect(text).toContain("Sample Index");
    expect(text).toContain("Open &lt;shelf&gt;");
    expect(text).not.toContain("Hidden");
    const ja = await world.visitor("ja").get("/index");
    expect(ja.text).toContain("サンプル");
    expect(ja.text).toContain("公開");
    const admin = world.visitor();
    await admin.signIn(await world.token(world.admin));
    expect((await admin.get("/index")).text).toContain("Hidden");
  });

  test("R24 an index shows where it lies, its comment and its children", async () => {
    await world.index({ id: 510, indexNameEnglish: "Faculty" });
    await world.index({ id: 511, parent: 510, indexNameEnglish: "Department", comment: "What we <do>" });
    await world.index({ id: 512, parent: 511, indexNameEnglish: "Theses" });
    const { text } = await world.visitor().get("/index/511");
    expect(text).toContain('<a href="/index/510">Faculty</a>');
    expect(text).toContain('<a href="/index/512">Theses</a>');
    expect(text).toContain("What we &lt;do&gt;");
  });

  test("R24 display_format 2 is a table of contents: one level more", async () => {
    await world.index({ id: 520, indexNameEnglish: "Contents", displayFormat: "2" });
    await world.index({ id: 521, parent: 520, indexNameEnglish: "Chapter" });
    await world.index({ id: 522, parent: 521, indexNameEnglish: "Section" });
    expect((await world.visitor().get("/index/520")).text).toContain('<a href="/index/522">Section</a>');
    await world.index({ id: 523, indexNameEnglish: "List", displayFormat: "1" });
    await world.index({ id: 524, parent: 523, indexNameEnglish: "Chapter" });
    await world.index({ id: 525, parent: 524, indexNameEnglish: "Section" });
    expect((await world.visitor().get("/index/523")).text).not.toContain("/index/525");
  });

  test("R24 more_check shows display_no children at first, the others on demand", async () => {
    await world.index({ id: 530, indexNameEnglish: "Many", moreCheck: true, displayNo: 2 });
    for (let id = 531; id <= 535; id += 1) await world.index({ id, parent: 530, indexNameEnglish: `Child ${id}` });
    const { text } = await world.visitor().get("/index/530");
    const folded = text.slice(text.indexOf("<details>"));
    expect(folded).toContain("<summary>Show 3 more</summary>");
    expect(folded).toContain("Child 533");
    expect(folded).not.toContain("Child 532");
  });

  test("R24 R2d items page by key, and hold nothing the reader may not read", async () => {
    await world.index({ id: 540, indexNameEnglish: "Long" });
    for (let i = 1; i <= 25; i += 1) await world.publish({ indexes: [540], metadata: titled(`Shelved number ${i};`) });
    const restricted = {
      record: "restricted",
      openDate: "2026-01-01",
      files: "public",
      embargoUntil: null,
      embargoReason: "",
    } as const;
    await world.publish({ indexes: [540], access: restricted, metadata: titled("Secret item") });
    const first = await world.visitor().get("/index/540");
    expect(first.text).toContain("Shelved number 25;");
    expect(first.text).not.toContain("Shelved number 5;");
    expect(first.text).not.toContain("Secret item");
    const newest = '<a href="/index/540">Newest items</a>';
    expect(first.text).not.toContain(newest);
    const next = /href="(\/index\/540\?before=\d+)"/.exec(first.text)?.[1] ?? "";
    const second = await world.visitor().get(next);
    expect(second.text).toContain("Shelved number 5;");
    expect(second.text).not.toContain("Shelved number 6;");
    expect(second.text).not.toContain(`rel="next"`);
    expect(second.text).toContain(newest);
    const own = world.visitor();
    await own.signIn(await world.token(world.owner));
    expect((await own.get("/index/540")).text).toContain("Secret item");
  });

  test("R24 an index that is not for the reader is 403, an unknown one 404", async () => {
    await world.index({ id: 550, publicState: false });
    await world.index({ id: 551, parent: 550 });
    expect((await world.visitor().get("/index/551")).status).toBe(403);
    for (const id of ["999", "0", "x", "1.5"]) expect((await world.visitor().get(`/index/${id}`)).status).toBe(404);
  });

  test("R24 rss_status shows the feed link, and the feed is there", async () => {
    await world.index({ id: 560, indexNameEnglish: "Fed", rssStatus: true });
    await world.index({ id: 561, indexNameEnglish: "Unfed" });
    await world.publish({ indexes: [560], metadata: titled("In <the> feed") });
    expect((await world.visitor().get("/index/560")).text).toContain('<a href="/index/560/feed">Feed</a>');
    const feed = await world.visitor().get("/index/560/feed");
    expect(feed.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    expect(feed.text).toContain("<title>In &lt;the&gt; feed</title>");
    expect((await world.visitor().get("/index/561")).text).not.toContain("/feed");
    expect((await world.visitor().get("/index/561/feed")).status).toBe(404);
  });

  test("R24 R36 R40 an index leads to the search of what is in it and below, with facets, and to the feed of that", async () => {
    await world.index({ id: 570, indexNameEnglish: "Searched" });
    await world.index({ id: 571, parent: 570, indexNameEnglish: "Below" });
    for (const id of [570, 571]) {
      await world.publish({ indexes: [id], metadata: titled(`Found by ${id}`, { languages: ["eng"] }) });
    }
    const { text } = await world.visitor().get("/index/570");
    const search = /<a href="([^"]+)">Narrow down what is in this index/.exec(text)?.[1] ?? "";
    const found = (await world.visitor().get(search)).text;
    for (const response of ["Found by 570", "Found by 571", 'name="Language" value="eng"', "2 items"]) {
      expect(found).toContain(response);
    }
    expect(await alternateOf("/index/570")).toEqual(["Found by 570", "Found by 571"]);
  });
});

describe("the front page", () => {
  test("R32 states what this is, shows the newest items the reader may see, and the indexes", async () => {
    await world.publish({ metadata: titled("The very newest") });
    const { text, status } = await world.visitor().get("/");
    expect(status).toBe(200);
    expect(text).toContain("<h1>Test Repository</h1>");
    expect(text).toContain("The very newest");
    expect(await alternateOf("/")).toContain("The very newest");
    expect(text).toContain("Sample Index");
  });
});

describe("machines", () => {
  test("R19a the site map names what guests may read, and nothing else", async () => {
    const open = await world.publish();
    const restricted = {
      record: "restricted",
      openDate: "2026-01-01",
      files: "public",
      embargoUntil: null,
      embargoReason: "",
    } as const;
    const closed = await world.publish({ access: restricted });
    const list = await world.visitor().get("/sitemap.xml");
    expect(list.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    const [, address] = /<loc>http:\/\/repository\.test(\/sitemap\/\d+)<\/loc>/.exec(list.text) ?? [];
    const { text } = await world.visitor().get(address ?? "");
    expect(text).toContain(`<loc>http://repository.test/records/${open.id}</loc>`);
    expect(text).not.toContain(`/records/${closed.id}<`);
    expect(text.trim().endsWith("</urlset>")).toBe(true);
    expect((await world.visitor().get("/sitemap/x")).status).toBe(404);
  });

  test("R19a robots.txt closes accounts, activities and interfaces, and names the site map", async () => {
    const { text } = await world.visitor().get("/robots.txt");
    expect(text).toContain("Disallow: /account/");
    expect(text).toContain("Sitemap: http://repository.test/sitemap.xml");
    expect(text).not.toContain("Disallow: /records");
  });
});

describe("unknown addresses", () => {
  test("R9 browsers get a page, programs the shape of the interface they meant", async () => {
    const page = await world.visitor("ja").get("/nowhere");
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(page.text).toContain("ページが見つかりません");
    const program = await world.visitor().get("/nowhere", { accept: "application/json" });
    expect([program.status, JSON.parse(program.text).code]).toEqual([404, 404]);
    const api = await world.visitor().get("/api/nowhere");
    expect([api.status, api.headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
    const sword = await world.visitor().get("/sword/nowhere");
    expect(JSON.parse(sword.text)["@type"]).toBeDefined();
  });

  test("R9 a wrong method on a page is a page with Allow", async () => {
    const answer = await world.visitor().send("/index", { method: "DELETE" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("every page keeps scripts, frames and referrers out", async () => {
    for (const path of ["/", "/index", "/index/1", "/account/login", "/nowhere", "/records/999999"]) {
      const { headers } = await world.visitor().get(path);
      const policy = headers.get("content-security-policy") ?? "";
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ]) {
        expect([path, policy.includes(part)]).toEqual([path, true]);
      }
      const expected = [path, "nosniff", "no-referrer"];
      expect([path, headers.get("x-content-type-options"), headers.get("referrer-policy")]).toEqual(expected);
    }
  });
});
