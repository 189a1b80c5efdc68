// Landing pages over HTTP: what they show, to whom, in which language, and what machines read in them (R19a, R2a, R2c,
// R2d, R4a).
import { describe, expect, test } from "bun:test";
import type { Access } from "../../src/model/items/item.ts";
import { anAgent } from "../support/world/authors.ts";
import { TODAY, titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });

const OPEN: Access = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" };
const EVIL = `<script>alert(1)</script>"'&`;

describe("the landing page", () => {
  test("R19a shows in both languages what the item is, its files, its ARK as the resolver's address, and how to cite it", async () => {
    const file = await world.file("paper.pdf", "%PDF-", { mediaType: "application/pdf" });
    const item = await world.publish({ metadata: titled("On Keeping Names"), files: [file] });
    const en = await world.visitor().get(`/records/${item.id}`);
    expect(en.status).toBe(200);
    expect(en.headers.get("content-language")).toBe("en");
    expect(en.text).toContain("<h1>On Keeping Names</h1>");
    expect(en.text).toContain(`https://ark.example.org/ark:${item.ark}`);
    expect(en.text).toContain(`href="/records/${item.id}/files/paper.pdf"`);
    expect(en.text).toContain("5 B");
    expect(en.text).toContain("Open access");
    expect(en.text).toContain("Doe, A. (2024). On Keeping Names. Test Repository. https://ark.example.org/");
    const ja = await world.visitor("ja").get(`/records/${item.id}`);
    expect(ja.headers.get("content-language")).toBe("ja");
    expect(ja.text).toContain('<html lang="ja">');
    expect(ja.text).toContain("このアイテムを引用する");
    expect((await world.visitor("ja").get(`/records/${item.id}?lang=en`)).text).toContain("Cite this");
  });

  test("R19a carries schema.org JSON-LD, citation_ meta tags and FAIR Signposting links", async () => {
    const file = await world.file("data.csv", "a,b", { mediaType: "text/csv" });
    const item = await world.publish({ metadata: titled("Marked up"), files: [file] });
    const { text, headers } = await world.visitor().get(`/records/${item.id}`);
    const block = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? "";
    const data = JSON.parse(block);
    expect(data.name).toBe("Marked up");
    expect(data["@id"]).toBe(`https://ark.example.org/ark:${item.ark}`);
    expect(text).toContain('<meta name="citation_title" content="Marked up">');
    expect(text).toContain('<meta name="citation_author" content="Doe, Ada">');
    const link = headers.get("link") ?? "";
    expect(link).toContain(`<https://ark.example.org/ark:${item.ark}>; rel="cite-as"`);
    expect(link).toContain(`/records/${item.id}/export/jpcoar>; rel="describedby"; type="application/xml"`);
    expect(link).toContain(`/records/${item.id}/files/data.csv>; rel="item"; type="text/csv"`);
  });

  test("R19a every text of a depositor is escaped, in the page, its head and its data", async () => {
    const affiliations = [{ names: [{ value: EVIL }], ids: [] }];
    const names = { names: [{ full: EVIL }], alternatives: [{ value: EVIL }] };
    const metadata = titled(EVIL, {
      creators: [anAgent({ ...names, ids: [{ scheme: EVIL, value: EVIL }], affiliations })],
      descriptions: [
        { value: EVIL, kind: EVIL, html: false },
        { value: "<b>bold</b><script>x()</script>", kind: "Abstract", html: true },
      ],
      subjects: [{ text: { value: EVIL, lang: EVIL }, uri: "javascript:alert(1)" }],
      relations: [{ type: EVIL, ident: { scheme: "URI", value: "javascript:alert(1)" }, titles: [{ value: EVIL }] }],
      identifiers: [{ scheme: "URI", value: "javascript:alert(1)" }],
    });
    const file = await world.file(`${EVIL.replaceAll("/", "")}.txt`, "x", { label: EVIL, license: EVIL });
    const item = await world.publish({ metadata, files: [file] });
    const { text, status } = await world.visitor().get(`/records/${item.id}`);
    expect(status).toBe(200);
    expect(text).not.toContain("<script>");
    // The data alone: scripts have an address of ours.
    expect(text.match(/<script(?! type="module" src="\/static\/)/g)?.length).toBe(1);
    expect(text).not.toMatch(/href="javascript:/i);
    expect(text).not.toContain('lang="<');
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;");
  });

  test("R2a a parent's number leads to the latest version the reader may read", async () => {
    const item = await world.publish({ metadata: titled("First version") });
    const parent = await world.visitor().get(`/records/${item.parentId}`);
    expect([parent.status, parent.headers.get("location")]).toEqual([302, `/records/${item.id}`]);
    const content = { ...item.content, metadata: titled("Second version") };
    if (item.content === null) throw new Error("It has content");
    const { item: next } = await world.items.newVersion(world.owner, item.id, {
      content: { ...item.content, ...content },
    });
    expect((await world.visitor().get(`/records/${item.parentId}`)).headers.get("location")).toBe(
      `/records/${next.id}`,
    );
    const old = await world.visitor().get(`/records/${item.id}`);
    expect(old.text).toContain("There is a newer version of this item.");
    expect(old.text).toContain(`<a href="/records/${next.id}">Go to the latest version</a>`);
    const latest = await world.visitor().get(`/records/${next.id}`);
    expect(latest.text).not.toContain("There is a newer version");
    expect(latest.text).toContain(`<a href="/records/${item.id}">Version 1</a>`);
  });

  test("R2d who may not read a record is asked to sign in, and reads it afterwards", async () => {
    const item = await world.publish({ access: { ...OPEN, record: "restricted" }, metadata: titled("Kept back") });
    const browser = world.visitor();
    const refused = await browser.get(`/records/${item.id}`);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain(`href="/account/login?return_to=%2Frecords%2F${item.id}"`);
    expect(refused.text).not.toContain("Kept back");
    const entered = await browser.signIn(await world.token(world.owner), `/records/${item.id}`);
    expect([entered.status, entered.headers.get("location")]).toEqual([303, `/records/${item.id}`]);
    const read = await browser.get(`/records/${item.id}`);
    expect(read.status).toBe(200);
    expect(read.text).toContain("Kept back");
    expect(read.text).toContain('<meta name="robots" content="noindex">');
    expect(read.text).not.toContain("ld+json");
  });

  test("R2d an embargoed item shows until when, and the files show why they are closed", async () => {
    const files = [
      await world.file("a.txt", "a"),
      await world.file("later.txt", "b", { access: "date", accessDate: "2099-05-06" }),
      await world.file("members.txt", "c", { access: "login" }),
      await world.file("never.txt", "d", { access: "closed" }),
    ];
    const mixed = await world.publish({ files });
    const { text } = await world.visitor().get(`/records/${mixed.id}`);
    expect(text).toContain("Opens on 6 May 2099");
    expect(text).toContain("For people who are signed in");
    expect(text).toContain("Closed");
    expect(text).not.toContain(`href="/records/${mixed.id}/files/never.txt"`);
    const embargoed = await world.publish({ files, access: { ...OPEN, embargoUntil: "2099-01-02" } });
    const page = await world.visitor().get(`/records/${embargoed.id}`);
    expect(page.text).toContain("Under embargo until 2 January 2099");
    expect(page.text).not.toContain('/files/a.txt"');
    expect(page.text.match(/Opens on 2 January 2099/g)?.length).toBe(2);
    // What opens later than the embargo ends shows its own day; what is closed stays closed.
    expect(page.text).toContain("Opens on 6 May 2099");
    expect(page.text.match(/>Closed</g)?.length).toBe(1);
    const link = page.headers.get("link") ?? "";
    expect(link).not.toContain("/files/");
  });

  test("R2d what the metadata state and what is so may differ: the page shows it", async () => {
    const metadata = titled("Stated", { accessRights: { label: "restricted access" } });
    const item = await world.publish({ metadata, files: [await world.file("x.txt", "x")] });
    const { text } = await world.visitor().get(`/records/${item.id}`);
    expect(text).toContain("The metadata states “restricted access”; in fact this item is under “open access”.");
    const ja = await world.visitor("ja").get(`/records/${item.id}`);
    expect(ja.text).toContain("「アクセス制限あり」とありますが、実際の公開状態は「オープンアクセス」です");
  });

  test("R2c a deleted item leaves a page with the fact, the reason, the note and the citation, and 410", async () => {
    const item = await world.publish({ metadata: titled("Taken away"), files: [await world.file("x.txt", "x")] });
    await world.items.remove(world.admin, item.id, { reason: "duplicate", note: "See <the other> one" });
    const page = await world.visitor().get(`/records/${item.id}`);
    expect(page.status).toBe(410);
    expect(page.text).toContain("This item was deleted");
    expect(page.text).toContain("Taken away");
    expect(page.text).toContain("See &lt;the other&gt; one");
    expect((await world.visitor().get(`/records/${item.id}/files/x.txt`)).status).toBe(410);
    expect((await world.visitor().get(`/records/${item.id}/export/jpcoar`)).status).toBe(410);
  });

  test("R2c what nobody published is a 404 for everybody but those who work on it", async () => {
    const draft = await world.items.createDraft(world.owner, { content: (await world.publish()).content ?? never() });
    const id = "item" in draft ? draft.item.id : never();
    expect((await world.visitor().get(`/records/${id}`)).status).toBe(404);
    const browser = world.visitor();
    await browser.signIn(await world.token(world.owner));
    const page = await browser.get(`/records/${id}`);
    expect([page.status, page.text.includes("Not published")]).toEqual([200, true]);
    expect(page.headers.get("link")).toBeNull();
  });

  test("R19a a page that the reader has already is answered 304", async () => {
    const item = await world.publish();
    const first = await world.visitor().get(`/records/${item.id}`);
    const etag = first.headers.get("etag") ?? "";
    const again = await world.visitor().get(`/records/${item.id}`, { "if-none-match": etag });
    expect([again.status, again.text]).toEqual([304, ""]);
    const other = await world.visitor("ja").get(`/records/${item.id}`, { "if-none-match": etag });
    expect(other.status).toBe(200);
  });

  test("R19a HEAD answers as GET does, without the page", async () => {
    const item = await world.publish();
    const got = await world.visitor().get(`/records/${item.id}`);
    const head = await world.visitor().head(`/records/${item.id}`);
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(String(new TextEncoder().encode(got.text).length));
    expect(head.headers.get("link")).toBe(got.headers.get("link"));
  });

  test.each(["/records/0", "/records/abc", "/records/999999", "/records/1e3", "/records/12345678901234567890"])(
    "%s is a 404 page",
    async (path) => {
      const page = await world.visitor().get(path);
      expect(page.status).toBe(404);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.text).toContain("There is no such page");
    },
  );

  test("R4a shows the fields of an item type that have no place in the model, under the labels the item type gives them", async () => {
    const stored = await world.store.settings.itemType(1);
    const definition = JSON.parse(JSON.stringify(stored?.definition ?? {}));
    definition.groups.push({
      key: "item_own",
      label: { en: "Field work", ja: "調査" },
      kind: "text",
      repeatable: false,
    });
    await world.store.transact((tx) =>
      tx.settings.saveItemType(
        { id: 1, name: { en: "Full", ja: "全項目" }, deleted: false, definition },
        "2026-11-20T10:00:00.000Z",
      ),
    );
    const type = await world.store.settings.itemType(1);
    const item = await world.publish({
      itemTypeVersion: type?.version ?? 0,
      metadata: titled("With own fields", { custom: { "1:item_own": "Summer 2019" } }),
    });
    const en = await world.visitor().get(`/records/${item.id}`);
    expect(en.text).toMatch(/<dt>Field work<\/dt><dd>Summer 2019<\/dd>/);
    expect((await world.visitor("ja").get(`/records/${item.id}`)).text).toContain("<dt>調査</dt>");
  });
});

describe("exports", () => {
  test("R19a an item is available as JPCOAR XML and as RO-Crate", async () => {
    const item = await world.publish({ metadata: titled("Exported"), files: [await world.file("x.txt", "x")] });
    const xml = await world.visitor().get(`/records/${item.id}/export/jpcoar`);
    expect([xml.status, xml.headers.get("content-type")]).toEqual([200, "application/xml; charset=utf-8"]);
    expect(xml.text).toContain("<dc:title");
    expect(xml.text).toContain(`http://repository.test/records/${item.id}/files/x.txt`);
    const crate = await world.visitor().get(`/records/${item.id}/export/ro-crate`);
    expect(crate.headers.get("content-type")).toBe("application/ld+json");
    const graph: { name?: { "@value"?: string }; "@id": string; contentUrl?: string }[] = JSON.parse(crate.text)[
      "@graph"
    ];
    expect(graph.some((entity) => entity.name?.["@value"] === "Exported")).toBe(true);
    expect((await world.visitor().get(`/records/${item.id}/export/marc`)).status).toBe(404);
  });
});

function never(): never {
  throw new Error("This cannot be");
}
