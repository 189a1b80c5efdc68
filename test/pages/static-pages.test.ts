// Static pages (Q.10 to Q.17) as readers, administrators, programs and the command line meet them.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { footerLinks } from "../../src/repository/administration/footer-links.ts";
import { most } from "../../src/shared/limits.ts";
import { arkstone } from "../support/command-line.ts";
import { csrfIn, type Visitor, visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });
let admin: Visitor;
let owner: Visitor;
let csrf = "";
let bearer = "";
const ENGLISH = { accept: "text/html", "accept-language": "en" };
const JAPANESE = { accept: "text/html", "accept-language": "ja" };
const guest = (path: string, headers: Readonly<Record<string, string>> = ENGLISH) => world.visitor().get(path, headers);

async function api(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const authorization = bearer === "" ? {} : { authorization: bearer };
  const answer = await world
    .visitor()
    .send(`/api/pages${path}`, { method, ...sent, headers: { ...authorization, ...headers } });
  return { ...answer, json: answer.text === "" ? null : JSON.parse(answer.text) };
}

/** The fields of the form of a page, as it is shown. */
async function typed(slug: string, fields: Readonly<Record<string, string>>) {
  const { text } = await admin.get(`/pages/${slug}/edit`, ENGLISH);
  const base = /name="base" value="(\d+)"/.exec(text)?.[1] ?? "";
  return { csrf, base, action: "save", ...fields };
}

beforeAll(async () => {
  admin = world.visitor();
  await admin.signIn(await world.token(world.admin));
  owner = world.visitor();
  await owner.signIn(await world.token(world.owner));
  csrf = csrfIn((await admin.get("/account/tokens")).text);
  bearer = `Bearer ${await world.token(world.admin)}`;
});

describe("a page that nobody wrote", () => {
  test("Q.10 is not found, and administrators are offered to write it", async () => {
    const [none, own, offered] = [
      await guest("/policy"),
      await owner.get("/policy"),
      await admin.get("/policy", ENGLISH),
    ];
    expect([none.status, own.status, offered.status]).toEqual([404, 404, 404]);
    expect([none.text, own.text].some((text) => text.includes("/pages/policy/edit"))).toBe(false);
    expect(offered.text).toContain('href="/pages/policy/edit"');
    for (const path of ["/about", "/contact", "/help", "/pages/other"]) expect((await guest(path)).status).toBe(404);
    expect((await admin.get("/pages/Not%20one")).status).toBe(404);
  });
});

describe("writing", () => {
  test("Q.10 those who write pages, and nobody else, find their list at the foot of every page", async () => {
    const all = '<a href="/pages">Pages</a>';
    for (const path of ["/", "/search"]) {
      const shown = [await admin.get(path, ENGLISH), await owner.get(path, ENGLISH), await guest(path)];
      expect([path, ...shown.map(({ text }) => text.includes(all))]).toEqual([path, true, false, false]);
    }
  });

  test("Q.10 a form saves both languages; readers get theirs, under one canonical address", async () => {
    const saved = await admin.post(
      "/pages/about/edit",
      await typed("about", {
        ...{
          title: "About us",
          content: "# Aims\r\n\r\nWe keep *rivers*.",
          title_ja: "概要",
          content_ja: "川を守ります。",
        },
        ...{ footer: "2", message: "First words" },
      }),
    );
    expect([saved.status, saved.headers.get("location")]).toEqual([303, "/about?done=saved"]);
    const [en, ja] = [await guest("/about"), await guest("/about", JAPANESE)];
    expect(en.text).toContain("<h1>About us</h1>");
    expect(en.text).toContain("<h2>Aims</h2>");
    expect(en.text).toContain("We keep <em>rivers</em>.");
    expect(ja.text).toContain("<h1>概要</h1>");
    expect(ja.text).toContain("<p>川を守ります。</p>");
    for (const { text } of [en, ja]) expect(text).toMatch(/<link rel="canonical" href="https?:\/\/[^"]+\/about">/);
    expect([
      en.text.includes("/pages/about/edit"),
      (await admin.get("/about")).text.includes("/pages/about/edit"),
    ]).toEqual([false, true]);
    const moved = await guest("/pages/about");
    expect([moved.status, moved.headers.get("location")]).toEqual([302, "/about"]);
  });

  test("Q.10 a page in one language is shown in it to all, which is stated and marked", async () => {
    await admin.post(
      "/pages/terms-2/edit",
      await typed("terms-2", { title_ja: "利用規約", content_ja: "条件です。", footer: "1" }),
    );
    const en = await guest("/pages/terms-2");
    expect(en.text).toContain('<h1 lang="ja">利用規約</h1>');
    expect(en.text).toContain("This page is not written in English.");
    expect(en.text).toMatch(/<div lang="ja"><div class="markdown"><p>条件です。/);
    expect((await guest("/pages/terms-2", JAPANESE)).text).not.toContain('lang="ja">条件');
  });

  test("Q.14 pages with a place are linked at the foot of every page, in their order", async () => {
    for (const path of ["/", "/search", "/no/such/page"]) {
      const { text } = await guest(path);
      const foot = text.slice(text.indexOf('<footer class="foot">'));
      expect([path, foot]).toEqual([
        path,
        expect.stringMatching(/<a href="\/pages\/terms-2" lang="ja">利用規約<\/a> <a href="\/about">About us<\/a>/),
      ]);
    }
    expect((await guest("/search", JAPANESE)).text).toContain('<a href="/about">概要</a>');
  });

  test("Q.18 links of the settings come after the pages; what is no link stops the start", async () => {
    const links = "Library|https://library.example.org/?a=b; 規約 <1>|http://terms.example/x;y";
    const { text } = await visitor(world.under({ SVC_FOOTER_LINKS: links })).get("/search");
    expect(text).toContain(
      '<a href="https://library.example.org/?a=b">Library</a> <a href="http://terms.example/x;y">規約 &lt;1&gt;</a></p>',
    );
    for (const wrong of ["Library", "|https://a.example", "A|javascript:alert(1)", "A|https://a.example; B|x"]) {
      expect(() => readConfig({ SVC_FOOTER_LINKS: wrong })).toThrow("SVC_FOOTER_LINKS");
    }
    expect(readConfig({}).footerLinks).toEqual([]);
  });

  test("Q.11 HTML is text; links of scripts and other hosts' schemes are no links, those of the repository are", async () => {
    const content =
      "<script>alert(1)</script>\n\n[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example) [d](/search?q=x) [e](https://ok.example/) ![f](https://ok.example/p.png)\n\n<img src=x onerror=alert(1)>";
    await admin.post("/pages/hostile/edit", await typed("hostile", { title: "<b>T</b>", content }));
    const { text } = await guest("/pages/hostile");
    const main = text.slice(text.indexOf("<main"), text.indexOf("</main>"));
    expect(main).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(main).toContain("<h1>&lt;b&gt;T&lt;/b&gt;</h1>");
    expect([...main.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      "/search?q=x",
      "https://ok.example/",
      "https://ok.example/p.png",
    ]);
    expect(/<(?:script|img)/.test(main)).toBe(false);
  });

  test("Q.17 the preview shows what was typed and saves nothing", async () => {
    const before = await world.store.staticPages.pages();
    const fields = {
      title: "Plans",
      content: "## Soon\n\n**More**",
      title_ja: "計画",
      content_ja: "*もっと*",
      action: "preview",
    };
    const { status, text } = await admin.post("/pages/plans/edit", await typed("plans", fields));
    expect(status).toBe(200);
    expect(text).toContain("Preview: nothing is saved yet");
    expect(text).toContain("<strong>More</strong>");
    expect(text).toMatch(/<article lang="ja"><h2>計画<\/h2>/);
    expect(text).toContain("## Soon\n\n**More**</textarea>");
    expect(text.indexOf("<strong>More")).toBeLessThan(text.indexOf("<textarea"));
    expect(await world.store.staticPages.pages()).toEqual(before);
  });

  test("Q.12 a change of an earlier revision is refused, with what was typed", async () => {
    const fields = await typed("about", { title: "About us", content: "Mine", title_ja: "", content_ja: "" });
    await admin.post("/pages/about/edit", await typed("about", { title: "About us", content: "Theirs" }));
    const { status, text } = await admin.post("/pages/about/edit", fields);
    expect([
      status,
      text.includes("The page was changed since you opened it."),
      text.includes("Mine</textarea>"),
    ]).toEqual([412, true, true]);
    expect((await guest("/about")).text).toContain("<p>Theirs</p>");
  });

  test("Q.16 what is wrong is at its field, in the language of the page", async () => {
    const long = {
      title: "Long",
      content: "x".repeat(most("staticPageCharacters") + 1),
      footer: "0",
      title_ja: "長",
      content_ja: "長",
    };
    const { status, text } = await admin.post("/pages/long/edit?lang=ja", await typed("long", long));
    expect(status).toBe(400);
    for (const field of ["content", "footer"]) expect(text).toContain(`href="#${field}"`);
    expect([...text.matchAll(/class="wrong"[^>]*>([^<]*)</g)].map(([, words]) => words)).toEqual([
      "100000 文字以内で入力してください。",
      "1から999までの整数を入力してください（入力値：0）。",
    ]);
    const half = await admin.post(
      "/pages/half/edit?lang=ja",
      await typed("half", { title: "Half", content_ja: "半分" }),
    );
    expect(half.text).toContain("タイトルと同じ言語の本文を入力してください。");
    expect(half.text).toContain("本文と同じ言語のタイトルを入力してください。");
    const full = { title: "Most", content: "x".repeat(most("staticPageCharacters")) };
    expect((await admin.post("/pages/most/edit", await typed("most", full))).status).toBe(303);
  });

  test("Q.10 only administrators write, from their own page", async () => {
    const fields = { title: "Mine", content: "Mine", base: "0" };
    const own = csrfIn((await owner.get("/account/tokens")).text);
    for (const form of ["edit", "delete", "restore"]) {
      expect([
        form,
        (await owner.post(`/pages/about/${form}`, { csrf: own, revision: "1", ...fields })).status,
      ]).toEqual([form, 403]);
      expect([
        form,
        (await admin.post(`/pages/about/${form}`, { csrf: "none", revision: "1", ...fields })).status,
      ]).toEqual([form, 403]);
    }
    for (const page of ["edit", "revisions"]) {
      expect((await admin.get(`/pages/None/${page}`)).status).toBe(404);
      expect((await owner.get(`/pages/about/${page}`)).status).toBe(403);
    }
    expect((await admin.get("/pages?slug=new-one")).headers.get("location")).toBe("/pages/new-one/edit");
    const wrong = await admin.get("/pages?slug=New+one", ENGLISH);
    expect([wrong.status, wrong.text.includes('href="#slug"')]).toEqual([400, true]);
    expect((await guest("/pages?slug=new-one")).text).not.toContain('name="slug"');
  });
});

describe("revisions", () => {
  test("Q.12 who, when and why; two compared; an older one restored; a deleted page too", async () => {
    const list = (await admin.get("/pages/about/revisions", ENGLISH)).text;
    expect(list).toContain("First words");
    expect(list).toContain("Revision 2");
    const compared = (await admin.get("/pages/about/revisions?from=1&to=2", ENGLISH)).text;
    expect(compared).toContain("From revision 1 to revision 2");
    expect(compared).toMatch(/<del>.*?We/s);
    expect(compared).toMatch(/<ins>.*?Theirs/s);
    for (const asked of ["from=1&to=99", "from=x&to=1"])
      expect((await admin.get(`/pages/about/revisions?${asked}`)).status).toBe(404);
    const gone = await admin.post("/pages/about/delete", { csrf, base: "2" });
    expect([gone.status, gone.headers.get("location"), (await guest("/about")).status]).toEqual([
      303,
      "/pages?done=deleted",
      404,
    ]);
    expect((await guest("/")).text).not.toContain(">About us</a>");
    expect((await admin.get("/pages/about/edit", ENGLISH)).text).toContain("This page is deleted.");
    const back = await admin.post("/pages/about/restore", { csrf, revision: "1" });
    expect([back.status, (await guest("/about")).text.includes("<em>rivers</em>")]).toEqual([303, true]);
    const lines = await world.store.staticPages.pageRevisions("about");
    expect(lines.map(({ revision, isDeleted, message }) => [revision, isDeleted, message])).toEqual([
      [4, false, "Restored from revision 1"],
      [3, true, ""],
      [2, false, ""],
      [1, false, "First words"],
    ]);
    const actions = (await world.store.events("page:about", 10)).map(({ action }) => action);
    expect(actions.sort()).toEqual(["page-delete", "page-set", "page-set", "page-set"]);
  });
});

describe("links at the foot", () => {
  test("Q.14 they are read at most every 30 seconds, once for pages that come together, and kept where reading fails", async () => {
    let [now, reads, fails] = [0, 0, false];
    const line = { revision: 1, at: world.time.now, accountId: null, message: "", titleJa: "", isDeleted: false };
    const pages = async () => {
      reads += 1;
      if (fails) throw new RangeError("The database is away");
      const [one, two] = [
        { ...line, slug: "help", titleEn: `Help ${reads}`, footer: 2 },
        { ...line, slug: "terms", titleEn: "Terms", footer: 1 },
      ];
      return [one, two, { ...one, slug: "gone", isDeleted: true }, { ...one, slug: "apart", footer: null }];
    };
    const footer = footerLinks({ pages, now: () => now });
    await Promise.all([footer.refresh(), footer.refresh()]);
    now = 29_999;
    await footer.refresh();
    const paths = () => footer.links().map(({ path, titleEn }) => [path, titleEn]);
    expect([reads, paths()]).toEqual([
      1,
      [
        ["/pages/terms", "Terms"],
        ["/help", "Help 1"],
      ],
    ]);
    fails = true;
    now = 30_000;
    await footer.refresh();
    expect([reads, paths()[1]]).toEqual([2, ["/help", "Help 1"]]);
    fails = false;
    await footer.refresh();
    expect([reads, paths()[1]]).toEqual([3, ["/help", "Help 3"]]);
    footer.forget();
    await footer.refresh();
    expect([reads, paths()[1]]).toEqual([4, ["/help", "Help 4"]]);
  });
});

describe("over the interface", () => {
  test("Q.13 pages are listed, read, replaced by revision and deleted", async () => {
    const made = await api("PUT", "/help", { title: "Help", content: "Ask **us**", footer: 9, message: "New" });
    expect([made.status, made.headers.get("etag")]).toEqual([200, '"1"']);
    expect(made.json).toMatchObject({
      id: "help",
      url: "/help",
      title: "Help",
      title_ja: "",
      content_ja: "",
      footer: 9,
      revision_id: 1,
    });
    const listed = (await api("GET", "")).json.hits;
    expect(listed.hits.map(({ id }: { id: string }) => id)).toEqual(["about", "help", "hostile", "most", "terms-2"]);
    expect([listed.total, "content" in listed.hits[0]]).toEqual([5, false]);
    const changed = await api("PUT", "/help", { title: "Help", content: "More" }, { "if-match": '"1"' });
    expect([changed.json.revision_id, changed.json.footer]).toEqual([2, null]);
    const old = await api("PUT", "/help", { title: "Help", content: "Lost" }, { "if-match": '"1"' });
    expect([old.status, (await api("GET", "/help")).json.content]).toEqual([412, "More"]);
    const { hits } = (await api("GET", "/help/revisions")).json;
    expect(hits.hits.map(({ revision_id, message }: Record<string, unknown>) => [revision_id, message])).toEqual([
      [2, ""],
      [1, "New"],
    ]);
    expect(hits.hits[0].created_by).toEqual({ user: String(world.admin.account?.id) });
    expect((await api("DELETE", "/help", undefined, { "if-match": '"1"' })).status).toBe(412);
    expect((await api("DELETE", "/help", undefined, { "if-match": '"2"' })).status).toBe(204);
    for (const [method, path] of [
      ["GET", "/help"],
      ["DELETE", "/help"],
      ["GET", "/None"],
      ["PUT", "/None"],
      ["GET", "/none/revisions"],
    ] as const) {
      expect([method, path, (await api(method, path, method === "PUT" ? {} : undefined)).status]).toEqual([
        method,
        path,
        404,
      ]);
    }
    const wrong = await api("PUT", "/help", { title: 1, content: "x", other: 2 });
    expect([wrong.status, wrong.json.errors.map(({ field }: { field: string }) => field).sort()]).toEqual([
      400,
      ["other", "title"],
    ]);
  });

  test("Q.16 of a page the newest 500 revisions are kept", async () => {
    await world.store.transact(async (tx) => {
      const page = await tx.staticPages.page("help", 1);
      if (page === null) throw new TypeError("It was written");
      for (const revision of [201, 202, 700]) await tx.staticPages.insertPage({ ...page, revision });
    });
    expect((await api("PUT", "/help", { title: "Help", content: "Newest" })).json.revision_id).toBe(701);
    const kept = await world.store.staticPages.pageRevisions("help");
    expect(kept.map(({ revision }) => revision)).toEqual([701, 700, 202]);
  });

  test("Q.16 there are no more pages than are allowed, and rights are those of administrators", async () => {
    const there = (await world.store.staticPages.pages()).length;
    for (let at = there; at < most("staticPages"); at += 1) {
      expect((await api("PUT", `/page-${at}`, { title: `${at}`, content: "x" })).status).toBe(200);
    }
    const more = await api("PUT", "/one-more", { title: "x", content: "x" });
    expect([more.status, more.json.message]).toEqual([
      409,
      "There are at most 100 pages, deleted ones too: rewrite one",
    ]);
    expect((await api("PUT", "/about", { title: "About", content: "x" })).status).toBe(200);
    const own = { authorization: `Bearer ${await world.token(world.owner)}` };
    expect((await api("PUT", "/about", { title: "x", content: "x" }, own)).status).toBe(403);
    expect((await api("GET", "/about/revisions", undefined, own)).status).toBe(403);
  });
});

describe("on the command line", () => {
  const commands = setUpWorld({ repository: true });
  const ark = (...args: string[]) =>
    arkstone({ SVC_DATABASE_URL: commands.config.databaseUrl, SVC_BASE_URL: "https://repo.example.org" }, args);

  test("Q.15 texts come from files; what is not given stays", async () => {
    const [en, ja] = ["en.md", "ja.md"].map((name) => join(commands.folder, name));
    await Promise.all([writeFile(en ?? "", "# Aims\n"), writeFile(ja ?? "", "目的\n")]);
    const titles = ["--title-en", "About", "--title-ja", "概要"];
    const made = await ark("page", "set", "about", ...titles, "--en", en ?? "", "--ja", ja ?? "", "--footer", "3");
    expect([made.code, made.err]).toEqual([0, ""]);
    await ark("page", "set", "about", "--title-en", "About us", "--message", "Better");
    const shown = JSON.parse((await ark("page", "get", "about", "--json")).out);
    expect(shown).toMatchObject({
      title: "About us",
      content: "# Aims\n",
      content_ja: "目的\n",
      footer: 3,
      revision_id: 2,
    });
    expect((await ark("page", "list")).out).toContain("About us");
    const wrong = await ark("page", "set", "help", "--title-en", "Help");
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("A title needs a text in its language")]);
    expect((await ark("page", "set", "help", "--en", join(commands.folder, "none.md"))).code).toBe(1);
    expect((await ark("page", "remove", "about")).out).toBe("Deleted about.\n");
    expect((await ark("page", "get", "about")).code).toBe(1);
    expect(JSON.parse((await ark("page", "list", "--json")).out)).toEqual([]);
  });
});
