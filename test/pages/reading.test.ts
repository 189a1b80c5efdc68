// Pages as people read them (R13a, R19a, R2d, R40): names and titles in the reader's language, file names and licences
// in words, long lists folded.

import { describe, expect, test } from "bun:test";
import { type Agent, EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";
import { flattenName } from "../../src/repository/items/content.ts";
import { person } from "../support/cited-items.ts";
import { aFile, TODAY } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });

const ROMAN = ["", "A", "B", "C", "D", "E", "F", "G", "H", "I", "J"];
const suzuki = (number: number): Agent =>
  person("", "", {
    names: [
      { full: `鈴木, 一郎${number}`, lang: "ja" },
      { full: `Suzuki${ROMAN[number] ?? number}, Ichiro`, lang: "en" },
    ],
  });
const both = (more: Partial<Metadata> = {}): Metadata => ({
  ...EMPTY_METADATA,
  type: { id: "dataset", label: "dataset" },
  titles: [
    { value: "潮位の記録", lang: "ja", kind: "main" },
    { value: "Records of tides", lang: "en", kind: "translated" },
  ],
  creators: [suzuki(1), suzuki(2)],
  descriptions: [
    { value: "潮位を測った。", lang: "ja", kind: "Abstract", html: false },
    { value: "Tides were measured.", lang: "en", kind: "Abstract", html: false },
  ],
  publicationDate: "2020",
  ...more,
});
/** Files that share the bytes of one, so that many cost nothing. */
async function many(names: readonly string[]) {
  const { storageKey, sha256, md5, sizeBytes } = await world.file("one", "x");
  return names.map((name) => aFile(flattenName(name), { storageKey, sha256, md5, sizeBytes }));
}
const outside = (text: string, element: string): string =>
  text.replace(new RegExp(`<${element}[\\s>][\\s\\S]*?</${element}>`, "g"), "");

describe("names and titles", () => {
  test("R19a the reader's language comes first in head, list of creators, citation, tags, data, lists and feed", async () => {
    await world.index({ id: 70, indexNameEnglish: "Tides", indexName: "潮位", rssStatus: true });
    const item = await world.publish({ metadata: both(), indexes: [70] });
    for (const [lang, title, name, other] of [
      ["ja", "潮位の記録", "鈴木 一郎1", "SuzukiA, Ichiro"],
      ["en", "Records of tides", "SuzukiA, Ichiro", "鈴木 一郎1"],
    ] as const) {
      const { text } = await world.visitor(lang).get(`/records/${item.id}`);
      expect(text).toContain(`<title>${title} · `);
      expect(text).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`));
      expect(text).toContain(`<p class="people">${name}`);
      const creators = /<dt id="field-creators">.*?<\/dt><dd>(.*?)<\/dd>/.exec(text)?.[1] ?? "";
      expect(creators.indexOf(name)).toBeGreaterThan(-1);
      expect(creators.indexOf(name)).toBeLessThan(creators.indexOf(other));
      expect(text).toContain(`<meta name="citation_author" content="${name}">`);
      expect(text).toContain(`<meta name="citation_title" content="${title}">`);
      expect(JSON.parse(/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? "").author[0].name).toBe(name);
      const cited =
        lang === "ja" ? "鈴木一郎1・鈴木一郎2 (2020). 潮位の記録" : "SuzukiA, I., &amp; SuzukiB, I. (2020). Records";
      expect(text).toContain(`<p class="cite">${cited}`);
      for (const path of ["/", "/index/70", "/index/70/feed"]) {
        const list = (await world.visitor(lang).get(path)).text;
        expect(list).toContain(title);
        expect(list).toContain(name);
        expect(list).not.toContain(other);
      }
      const feed = (await world.visitor(lang).get("/index/70/feed")).text;
      expect(feed).toContain(lang === "ja" ? "潮位を測った。" : "Tides were measured.");
    }
  });

  test("R5 R19a the description of its ARK names people without a comma too", async () => {
    const item = await world.publish({ metadata: both() });
    const ark = item.ark ?? "";
    const expected = { title: "潮位の記録", who: "鈴木 一郎1; 鈴木 一郎2" };
    expect((await world.store.arks.arks([ark])).get(ark)).toMatchObject(expected);
  });
});

describe("licences", () => {
  test("R19a a licence is shown by its name in the reader's language and linked, known by id or address; other text stays", async () => {
    const by = "https://creativecommons.org/licenses/by/4.0/";
    const files = [
      await world.file("a.txt", "a", { license: "cc-by-4.0" }),
      await world.file("b.txt", "b", { license: by }),
      await world.file("c.txt", "c", { license: "Ask the archive" }),
      await world.file("d.txt", "d", { license: "javascript:alert(1)" }),
    ];
    const rights = [
      { text: [], uri: "https://creativecommons.org/licenses/by/4.0/legalcode" },
      { id: "cc-by-sa-4.0", text: [{ value: "cc-by-sa-4.0" }] },
      { id: "mit", text: [{ value: "© 2020 The Archive" }] },
      { text: [{ value: "All rights reserved" }] },
    ];
    const item = await world.publish({ metadata: both({ rights }), files });
    const en = (await world.visitor().get(`/records/${item.id}`)).text;
    const ja = (await world.visitor("ja").get(`/records/${item.id}`)).text;
    const shownRights = /<dt id="field-rights">.*?<\/dt><dd>(.*?)<\/dd>/.exec(en)?.[1] ?? "";
    expect(shownRights).toContain(">Creative Commons Attribution 4.0 International</a>");
    expect(shownRights).toContain(">Creative Commons Attribution-ShareAlike 4.0 International</a>");
    expect(shownRights).not.toContain(">cc-by-sa-4.0<");
    expect(shownRights).toContain("© 2020 The Archive");
    expect(shownRights).toContain("All rights reserved");
    const link = `<a href="${by}" rel="license nofollow noopener">`;
    expect(en.split(`${link}Creative Commons Attribution 4.0 International</a>`)).toHaveLength(3);
    expect(ja.split(`${link}クリエイティブ・コモンズ 表示 4.0 国際</a>`)).toHaveLength(3);
    expect(en).toContain('<span class="soft">Ask the archive</span>');
    expect(en).not.toContain('href="javascript');
  });
});

describe("licences of the repository", () => {
  test("R6a R19a the label of this repository's vocabulary is shown, by id and by address, also where it rewords a shipped one", async () => {
    const title = { en: "Reading room only", ja: "館内利用" };
    const own = { type: "licenses", id: "house-1", title, props: { url: "https://example.org/house-licence" } };
    const isc = { type: "licenses", id: "isc", title: { en: "ISC, as we call it", ja: "当館の ISC" }, props: {} };
    await world.store.transact((tx) => tx.communities.saveVocabulary([own, isc], world.time.now));
    const files = [
      await world.file("a.txt", "a", { license: "house-1" }),
      await world.file("b.txt", "b", { license: "https://example.org/house-licence/" }),
      await world.file("c.txt", "c", { license: "isc" }),
    ];
    const rights = [
      { id: "house-1", text: [] },
      { text: [], uri: "https://example.org/house-licence" },
    ];
    const item = await world.publish({ metadata: both({ rights }), files });
    for (const [lang, house, isc] of [
      ["en", "Reading room only", "ISC, as we call it"],
      ["ja", "館内利用", "当館の ISC"],
    ] as const) {
      const { text } = await world.visitor(lang).get(`/records/${item.id}`);
      expect(text.match(new RegExp(`href="https://example.org/house-licence/?"[^>]*>${house}</a>`, "g"))).toHaveLength(
        4,
      );
      expect(text).toContain(`>${isc}</a>`);
      const rows = (await world.visitor(lang).get(`/records/${item.id}/values/rights`)).text;
      expect(rows).toContain(`>${house}</a>`);
      expect((await world.visitor(lang).get(`/records/${item.id}/files`)).text).toContain(`>${house}</a>`);
    }
  });
});

describe("the badge", () => {
  test("R2d an item with open, closed and embargoed files is partly open, with the day, on its page and in lists", async () => {
    await world.index({ id: 71, indexNameEnglish: "Mixed", indexName: "混在" });
    const files = [
      await world.file("a.txt", "a"),
      await world.file("b.txt", "b", { access: "closed" }),
      await world.file("c.txt", "c", { access: "date", accessDate: "2099-05-06" }),
    ];
    const item = await world.publish({ files, indexes: [71] });
    const none = await world.publish({ files: files.slice(1), indexes: [71] });
    for (const [lang, mixed, later] of [
      ["en", "Partly open; more opens on 6 May 2099", "Partly open from 6 May 2099"],
      ["ja", "一部公開（2099年5月6日に追加公開）", "2099年5月6日から一部公開"],
    ] as const) {
      expect((await world.visitor(lang).get(`/records/${item.id}`)).text).toContain(
        `<span class="badge warn">${mixed}</span>`,
      );
      expect((await world.visitor(lang).get(`/records/${none.id}`)).text).toContain(
        `<span class="badge warn">${later}</span>`,
      );
      const list = (await world.visitor(lang).get("/index/71")).text;
      expect(list).toContain(mixed);
      expect(list).toContain(later);
    }
    const stated = both({ accessRights: { label: "restricted access" } });
    const answer = await world.publish({ metadata: stated, files });
    expect((await world.visitor().get(`/records/${answer.id}`)).text).toContain(
      "The metadata states “restricted access”; in fact this item is under “Partly open; more opens on 6 May 2099”.",
    );
  });
});

describe("file names", () => {
  test("R13a R19a are shown as people wrote them, and their addresses stay", async () => {
    const [tide, photo] = [await world.file("data%2Ftide_2020.csv", "1,2"), await world.file("写真.png", "x")];
    const item = await world.publish({ metadata: both(), files: [tide, photo] });
    const { text } = await world.visitor().get(`/records/${item.id}`);
    expect(text).toContain(
      `<a href="/records/${item.id}/files/data%252Ftide_2020.csv"><bdi class="name">data/tide_2020.csv</bdi></a>`,
    );
    expect(text).toContain(
      `<a href="/records/${item.id}/files/%E5%86%99%E7%9C%9F.png"><bdi class="name">写真.png</bdi></a>`,
    );
    expect(JSON.parse(/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? "").distribution[0].name).toBe(
      "data/tide_2020.csv",
    );
    const got = await world.visitor().get(`/records/${item.id}/files/data%252Ftide_2020.csv?download=1`);
    expect([got.text, got.headers.get("content-disposition")]).toEqual(["1,2", 'attachment; filename="tide_2020.csv"']);
    const missing = await world.visitor().get(`/records/${item.id}/files/data%252Fnone.csv`);
    expect(missing.text).toContain("has no file &quot;data/none.csv&quot;");
    expect((await world.visitor().get(`/records/${item.id}/export/jpcoar`)).text).toContain(
      'label="data/tide_2020.csv"',
    );
  });

  test("R19a a hostile name is harmless and seen for what it is", async () => {
    const long = `${"長".repeat(300)}.txt`;
    const misleading = ["a\u202Efdp.exe", "<img src=x onerror=alert(1)>.txt", "&quot;.txt", "x/\u2066y.txt"];
    const names = [...misleading, long, "a  b.txt"];
    const files = await many(names);
    const item = await world.publish({ files });
    const { text } = await world.visitor().get(`/records/${item.id}`);
    expect(text).toContain('<bdi class="name">a[U+202E]fdp.exe</bdi>');
    expect(text).toContain('<bdi class="name">&lt;img src=x onerror=alert(1)&gt;.txt</bdi>');
    expect(text).toContain('<bdi class="name">&amp;quot;.txt</bdi>');
    expect(text).toContain(`<bdi class="name">${long}</bdi>`);
    expect(text).toContain('<bdi class="name">a  b.txt</bdi>');
    expect(text).toContain('<bdi class="name">x/[U+2066]y.txt</bdi>');
    expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    const got = await world
      .visitor()
      .head(`/records/${item.id}/files/${encodeURIComponent(names[0] ?? "")}?download=1`);
    expect(got.headers.get("content-disposition")).toBe('attachment; filename="a_fdp.exe"');
  });

  test("R13a above about ten files folders are folders; below, paths in one table", async () => {
    const few = await world.publish({ files: await many(["a/1.txt", "a/2.txt", "b/3.txt"]) });
    const page = (await world.visitor().get(`/records/${few.id}`)).text;
    expect(page).not.toContain('<details class="folder');
    expect(page).toContain(">b/3.txt</bdi>");
    const names = [
      "readme.txt",
      ...Array.from({ length: 8 }, (_, at) => `data/raw/${at}.csv`),
      "data/all.csv",
      "図/写真.png",
    ];
    const tree = await world.publish({ files: await many(names) });
    const { text } = await world.visitor().get(`/records/${tree.id}`);
    expect(text).toContain('<summary><bdi class="name">data</bdi> <span class="kind">(9 files, 9 B)</span></summary>');
    expect(text).toContain('<summary><bdi class="name">raw</bdi> <span class="kind">(8 files, 8 B)</span></summary>');
    expect(text).toContain(">写真.png</bdi>");
    expect(text).toContain(`href="/records/${tree.id}/files/data%252Fraw%252F7.csv"`);
    expect(outside(text, "details")).toContain(">readme.txt</bdi>");
  });
});

describe("long lists", () => {
  test("R40 thirty creators and two hundred files fold, and everything is on the page without script", async () => {
    const creators = Array.from({ length: 30 }, (_, at) => suzuki(at + 1));
    const files = await many(Array.from({ length: 200 }, (_, at) => `file ${String(at).padStart(3, "0")}.csv`));
    const item = await world.publish({ metadata: both({ creators }), files });
    const { text } = await world.visitor().get(`/records/${item.id}`);
    expect(text).toContain('SuzukiJ, Ichiro <a href="#field-creators">and 20 others</a></p>');
    const seen = outside(text, "details");
    const ofCreators = /<dt id="field-creators">.*?<\/dd>/;
    expect((ofCreators.exec(seen)?.[0].match(/<li>/g) ?? []).length).toBe(10);
    expect((ofCreators.exec(text)?.[0].match(/<li>/g) ?? []).length).toBe(30);
    expect(text).toContain("<summary>Show 20 more</summary>");
    expect((seen.match(/class="name">file/g) ?? []).length).toBe(20);
    expect((text.match(/class="name">file/g) ?? []).length).toBe(200);
    expect(text).toContain("<summary>Show 180 more files</summary>");
    expect((await world.visitor("ja").get(`/records/${item.id}`)).text).toContain("ほか 180 件のファイルを表示");
  });

  test("R9a R40 ten thousand files: the landing page stays small, every folder and every file has a page that leads to it", async () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `run ${Math.floor(at / 2_500)}/${at}.csv`);
    const item = await world.publish({ metadata: both(), files: await many(names) });
    const landing = await world.visitor().get(`/records/${item.id}`);
    expect(landing.text.length).toBeLessThan(100_000);
    expect(landing.text).toContain(`<a href="/records/${item.id}/files">Show all 10,000 files</a>`);
    const top = (await world.visitor().get(`/records/${item.id}/files`)).text;
    expect(top).toContain(
      `<a href="/records/${item.id}/files?folder=run%203"><bdi class="name">run 3</bdi></a> <span class="kind">(2,500 files, 2.4 KiB)</span>`,
    );
    const reached = new Set<string>();
    for (let page = 1; page <= 13; page += 1) {
      const { text, status } = await world.visitor().get(`/records/${item.id}/files?folder=run%203&page=${page}`);
      expect([status, text.length < 150_000]).toEqual([200, true]);
      for (const [, name = ""] of text.matchAll(/files\/run%25203%252F(\d+)\.csv"/g)) reached.add(name);
    }
    expect(reached.size).toBe(2_500);
    for (const wrong of ["?folder=none", "?folder=run%203&page=14", `?folder=${"a/".repeat(300)}`]) {
      expect((await world.visitor().get(`/records/${item.id}/files${wrong}`)).status).toBe(404);
    }
  });

  test("R9a R40 six thousand creators: five thousand are read page by page, the page states where the rest is", async () => {
    const creators = Array.from({ length: 6_000 }, (_, at) => person(`Family${at + 1}`, "Given"));
    const item = await world.publish({ metadata: both({ creators }) });
    const landing = await world.visitor().get(`/records/${item.id}`);
    expect(landing.text.length).toBeLessThan(300_000);
    expect(landing.text).toContain(`<a href="/records/${item.id}/values/creators">Show all 6,000</a>`);
    expect(landing.text).toContain("Family19, G., … Family6000, G. (2020).");
    const first = (await world.visitor().get(`/records/${item.id}/values/creators`)).text;
    expect(first).toContain("Family100, Given");
    expect(first).not.toContain("Family101, Given");
    expect(first).toContain(`<a href="/records/${item.id}/values/creators?page=2" rel="next">`);
    const last = (await world.visitor().get(`/records/${item.id}/values/creators?page=50`)).text;
    expect(last).toContain("Family5000, Given");
    expect(last).toContain("1,000 more are in the exports of this item only.");
    for (const wrong of ["creators?page=51", "none", "constructor", "extra"]) {
      expect((await world.visitor().get(`/records/${item.id}/values/${wrong}`)).status).toBe(404);
    }
  });

  test("R2a R40 the number that ties versions together leads to the same page of the latest one", async () => {
    const item = await world.publish({ metadata: both(), files: await many(["a/1.txt"]) });
    for (const rest of ["files?folder=a", "values/creators"]) {
      const { status, headers } = await world.visitor().get(`/records/${item.parentId}/${rest}`);
      expect([status, headers.get("location")]).toEqual([302, `/records/${item.id}/${rest}`]);
    }
  });

  test("R2d R40 pages of files and values are closed to who may not read the item", async () => {
    const access = {
      record: "restricted",
      openDate: TODAY,
      files: "public",
      embargoUntil: null,
      embargoReason: "",
    } as const;
    const item = await world.publish({ metadata: both(), files: await many(["hidden-folder/1.txt"]), access });
    for (const path of ["files", "values/creators"]) {
      const { status, text } = await world.visitor().get(`/records/${item.id}/${path}`);
      expect(status).toBe(403);
      expect(text).not.toMatch(/hidden-folder|鈴木/);
    }
  });

  test("R16 R40 who decides about a deposit with very many files and creators reaches them all", async () => {
    const creators = Array.from({ length: 150 }, (_, at) => person(`Family${at + 1}`, "Given"));
    const files = await many(Array.from({ length: 300 }, (_, at) => `in/${at}.csv`));
    const { id } = await world.pending({ metadata: both({ creators }), files });
    const admin = world.visitor();
    await admin.signIn(await world.token(world.admin));
    const page = (await admin.get(`/workflow/activity/detail/${id}`)).text;
    expect(page).toContain(`<a href="/workflow/activity/detail/${id}/files">Show all 300 files</a>`);
    expect(page).toContain(`<a href="/workflow/activity/detail/${id}/values/creators">Show all 150</a>`);
    const listed = (await admin.get(`/workflow/activity/detail/${id}/files?folder=in&page=2`)).text;
    expect(listed).toContain(`href="/workflow/activity/detail/${id}/files/in%252F299.csv"`);
    expect((await admin.get(`/workflow/activity/detail/${id}/values/creators?page=2`)).text).toContain(
      "Family150, Given",
    );
    expect((await world.visitor().get(`/workflow/activity/detail/${id}/files`)).status).not.toBe(200);
  });
});
