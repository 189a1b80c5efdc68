// One item for programs over HTTP (specification 3, "Item detail response" and "GET
// /api/{version}/records/{record_id}"; R2a, R2c, R2d, R2g, R9, R29).
import { describe, expect, test } from "bun:test";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import type { ItemContent } from "../../src/model/items/item.ts";
import { EMPTY_METADATA } from "../../src/model/metadata/metadata.ts";
import { ARTICLE } from "../model/item-types/support.ts";
import { crateFaults, entitiesOf } from "../support/crate-rules.ts";
import { aContent, aFile, titled } from "../support/world/items.ts";
import { type Answer, BASE_URL, INDEXES, RESOLVER_URL, type Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });

type Headers = Readonly<Record<string, string>>;
const read = (id: number | string, headers: Headers = {}, who: Who = null): Promise<Answer> =>
  world.ask(who, "GET", `/api/v1/records/${id}`, { headers });
type Detail = {
  readonly index: string;
  readonly rocrate: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
};
const detailOf = (answer: Answer): Detail => JSON.parse(answer.text);
const rootOf = (answer: Answer) => entitiesOf(detailOf(answer).rocrate).get("./") ?? {};

async function published(fields: Partial<ItemContent> = {}, who: "registered" | "manager" = "registered") {
  const viewer = await world.viewer(who);
  return (await world.items.createAndPublish(viewer, { content: aContent(fields) })).item;
}

describe("GET /api/{version}/records/{record_id}", () => {
  test("S3.2.1 S3.2.2 S3.2.12 answers guests with index, rocrate and metadata, as JSON", async () => {
    const item = await published({ indexes: [INDEXES.open] });
    const answer = await read(item.id);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(Object.keys(answer.json)).toEqual(["index", "rocrate", "metadata"]);
    expect(detailOf(answer).index).toBe("1");
  });

  test("S3.2.1 the index is the first one the reader may browse, and none is none", async () => {
    const item = await published({ indexes: [INDEXES.hidden, INDEXES.open] });
    expect(detailOf(await read(item.id)).index).toBe(`${INDEXES.open}`);
    expect(detailOf(await read(item.id, {}, "registered")).index).toBe(`${INDEXES.hidden}`);
    expect(detailOf(await read((await published()).id)).index).toBe("");
  });

  test("S3.2.3 S3.2.4 S3.2.5 R5 R29 the crate has root, descriptor, tabs, sections, subsections and files, and is a valid RO-Crate 1.1", async () => {
    const files = [aFile("data set.csv", { mediaType: "text/csv" }), aFile("図.png", { access: "closed" })];
    const item = await published({ metadata: ARTICLE, files, indexes: [INDEXES.open] });
    const answer = await read(item.id);
    const { rocrate } = detailOf(answer);
    expect(crateFaults(rocrate)).toEqual([]);
    const entities = entitiesOf(rocrate);
    const kinds = new Set([...entities.values()].map(({ additionalType }) => additionalType));
    for (const kind of ["tab", "section", "subsection"]) expect(kinds.has(kind)).toBe(true);
    const root = rootOf(answer);
    expect(root.name).toEqual(["University libraries in Japan"]);
    expect(root.creator).toEqual(["Yamada, Taro"]);
    expect(root.subjectOf).toEqual([{ "@id": `${BASE_URL}/records/${item.id}` }]);
    expect(root.identifier).toContain(`${RESOLVER_URL}/ark:${item.ark}`);
    const expected = { additionalType: "section", name: "Title", text: ["University libraries in Japan"] };
    expect(entities.get("Overview/Title/")).toMatchObject(expected);
    for (const [id, entity] of entities) {
      const own = ["@id", "@type", "name", "additionalType", "datePublished", "accessMode", "dateCreated"];
      const others = Object.entries(entity).filter(([key]) => !own.includes(key) && id !== "ro-crate-metadata.json");
      for (const [key, value] of others) expect([id, key, Array.isArray(value)]).toEqual([id, key, true]);
    }
    const url = `${BASE_URL}/records/${item.id}/files/data%20set.csv`;
    expect(root.mainEntity).toContainEqual({ "@id": url });
    const file = { name: ["data set.csv"], encodingFormat: ["text/csv"], contentSize: ["12 B"] };
    expect(entities.get(url)).toEqual({ "@id": url, "@type": "File", ...file, accessMode: "open_access" });
    expect(entities.get(`${BASE_URL}/records/${item.id}/files/${encodeURIComponent("図.png")}`)?.accessMode).toBe(
      "open_no",
    );
  });

  test("S3.2.6 R4a metadata are under the labels of the form, as lists, the name of the item type first", async () => {
    const custom = { "1:item_1617620223087[0].subitem_1565671169640": "Chapter one" };
    const item = await published({ metadata: { ...ARTICLE, custom } });
    const { metadata } = detailOf(await read(item.id));
    expect(Object.keys(metadata)[0]).toBe("Item Type");
    expect(metadata["Item Type"]).toBe("Default item type (full)");
    expect(metadata.Title).toEqual([
      { Title: "日本の大学図書館", Language: "ja" },
      { Title: "University libraries in Japan", Language: "en" },
    ]);
    expect(metadata["Resource Type"]).toEqual([
      { "Resource Type": "journal article", "Resource Type Identifier": "http://purl.org/coar/resource_type/c_6501" },
    ]);
    expect(metadata.Creator).toMatchObject([
      { "Creator Name": [{ Name: "山田, 太郎", Language: "ja" }, { Name: "Yamada, Taro" }] },
    ]);
    expect(metadata.Heading).toEqual([{ "Banner Headline": "Chapter one" }]);
    expect(Object.keys(metadata)).not.toContain("PubDate");
    for (const [label, value] of Object.entries(metadata))
      expect([label, Array.isArray(value)]).toEqual([label, !["Item Type", "hasRequestmailAddress"].includes(label)]);
  });

  test("S3.2.11 values and labels come in the language asked for, in English where none is, or where there is none in it", async () => {
    const item = await published({ metadata: ARTICLE });
    const ja = await read(item.id, { "accept-language": "ja,en;q=0.8" });
    expect(rootOf(ja).name).toEqual(["日本の大学図書館"]);
    expect(detailOf(ja).metadata.アイテムタイプ).toBeUndefined();
    expect(detailOf(ja).metadata["Item Type"]).toBe("デフォルトアイテムタイプ（フル）");
    expect(detailOf(ja).metadata.タイトル).toContainEqual({ タイトル: "日本の大学図書館", 言語: "ja" });
    expect(entitiesOf(detailOf(ja).rocrate).get("Overview/")?.name).toBe("概要");
    const german = await read(item.id, { "accept-language": "de" });
    expect(rootOf(german).name).toEqual(["University libraries in Japan"]);
    expect(detailOf(german).metadata).toHaveProperty("Title");
    expect(ja.headers.get("vary")).toContain("Accept-Language");
  });

  test.each([
    "",
    ";",
    "*",
    "ja;q=x",
    "x".repeat(5_000),
    "ja;q=0",
    "%00",
    "__proto__",
    '"',
    "ja;q=1.5,en;q=-3",
    "ja-".repeat(500),
  ])("S3.2.11 an odd Accept-Language (%p) is answered all the same", async (language) => {
    const item = await published();
    const answer = await read(item.id, { "accept-language": language });
    expect(answer.status).toBe(200);
    expect(crateFaults(detailOf(answer).rocrate)).toEqual([]);
  });

  test("S3.2.7 R14 hasRequestmailAddress shows whether there is one, and never which", async () => {
    const without = await published();
    const item = await published({
      settings: { requestMail: ["ask@example.org"], feedbackMail: ["back@example.org"] },
    });
    expect(detailOf(await read(without.id)).metadata.hasRequestmailAddress).toBe(false);
    const answer = await read(item.id);
    expect(detailOf(answer).metadata.hasRequestmailAddress).toBe(true);
    expect(answer.text).not.toContain("@example.org");
  });

  test("R2g addresses of people are for whose item it is; hashes of files are in neither", async () => {
    const item = await published({ metadata: ARTICLE, files: [aFile("a.txt", { access: "closed" })] });
    const guest = await read(item.id);
    const owner = await read(item.id, {}, "registered");
    expect(guest.text).not.toContain("taro@example.org");
    expect(owner.text).toContain("taro@example.org");
    expect(`${guest.text}${owner.text}`).not.toContain("ab".repeat(32));
  });

  test("S3.2.13 pretty=true is the same, indented by four blanks", async () => {
    const item = await published();
    const plain = await read(item.id);
    const pretty = await world.ask(null, "GET", `/api/v1/records/${item.id}?pretty=true`);
    expect(pretty.text).toBe(JSON.stringify(plain.json, null, 4));
    expect((await world.ask(null, "GET", `/api/v1/records/${item.id}?pretty=false`)).text).toBe(plain.text);
  });

  test.each([
    "0",
    "-1",
    "999999999",
    "1000000000",
    "99999999999999999999",
    "abc",
    "1.0",
    "%00",
    "%F0",
    "1%2F2",
    "1'--",
  ])("S3.2.14 R9 %s is the number of no item: 404 with code, message and status", async (id) => {
    const answer = await read(id);
    const expected = [404, { code: 404, status: 404, message: "This Item does not found" }];
    expect([answer.status, answer.json]).toEqual(expected);
  });

  test("S3.2.17 R9 another version of the interface is 400", async () => {
    const item = await published();
    const answer = await world.ask(null, "GET", `/api/v2/records/${item.id}`);
    expect(answer).toMatchObject({ status: 400, json: { code: 400, message: "This API version does not found" } });
    expect((await world.ask(null, "PATCH", `/api/v1/records/${item.id}`)).json.code).toBe(405);
  });

  test("S3.2.15 R9 too many requests are 429 in the same shape, with Retry-After", async () => {
    const item = await published();
    const narrow = world.under({ SVC_RATE_PER_MINUTE: "1" });
    await narrow.ask(null, "GET", `/api/v1/records/${item.id}`);
    const late = await narrow.ask(null, "GET", `/api/v1/records/${item.id}`);
    expect([late.status, late.json.code, late.headers.has("retry-after")]).toEqual([429, 429, true]);
  });

  test("R29 an item type without an RO-Crate mapping has no detail: 404", async () => {
    const viewer = await world.viewer("system");
    const definition = {
      format: "arkstone-item-type-1",
      name: { en: "Bare" },
      groups: [{ key: "t", label: { en: "T" }, kind: "text" }],
    };
    const made = await world.ask("system", "POST", "/api/v1/admin/item-types", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ definition }),
    });
    const content = aContent({ itemType: Number(made.json.id) });
    const { item } = await world.items.createAndPublish(viewer, { content });
    expect((await read(item.id)).status).toBe(404);
    await world.ask("system", "PUT", `/api/v1/admin/item-types/${made.json.id}`, {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ definition: { ...definition, roCrate: { root: { name: "t" } } } }),
    });
    expect((await read(item.id)).status).toBe(200);
  });
});

describe("Who may read a detail", () => {
  test("S3.2.12 R2d what the reader may not read is 403, as long as it is not public, in no open index, or not open yet", async () => {
    const open = { record: "public", openDate: "2026-01-01", files: "public" } as const;
    const access = { ...open, embargoUntil: null, embargoReason: "" };
    const closed = [
      await published({ access: { ...access, record: "restricted" } }),
      await published({ access: { ...access, openDate: "2999-01-01" } }),
      await published({ indexes: [INDEXES.hidden] }),
    ];
    for (const { id } of closed) {
      const guest = await read(id);
      expect([guest.status, guest.json]).toEqual([403, { code: 403, status: 403, message: "Permission denied" }]);
      expect((await read(id, {}, "other")).status).toBe(403);
      expect((await read(id, {}, "registered")).status).toBe(200);
      expect((await read(id, {}, "admin")).status).toBe(200);
    }
  });

  test("R2d R37 a draft is 404 for others and shown to whose it is, under another ETag with each saving of other words", async () => {
    const viewer = await world.viewer("registered");
    const { item } = await world.items.createDraft(viewer, { content: aContent({ metadata: titled("First words") }) });
    expect((await read(item.id)).status).toBe(404);
    expect((await read(item.id, {}, "other")).status).toBe(404);
    const before = await read(item.id, {}, "registered");
    expect(rootOf(before).name).toEqual(["First words"]);
    await world.items.saveDraft(viewer, item.id, { content: aContent({ metadata: titled("Other words") }) });
    const after = await read(item.id, { "if-none-match": before.headers.get("etag") ?? "" }, "registered");
    expect(after.status).toBe(200);
  });

  test("S3.2.16 R2c a deleted record is 410 for everybody who asks", async () => {
    const item = await published();
    await world.items.remove(REPOSITORY_OPERATOR, item.id);
    for (const who of [null, "registered", "system"] as const) {
      const answer = await read(item.id, {}, who);
      expect([answer.status, answer.json.code]).toEqual([410, 410]);
    }
  });

  test("S3.2.12 a token needs the scope item:read; one that is none is 401", async () => {
    const item = await published();
    const narrow = await world.token("registered", ["deposit:write"]);
    expect((await read(item.id, {}, narrow)).status).toBe(403);
    expect((await read(item.id, {}, await world.token("registered", ["item:read"]))).status).toBe(200);
    const wrong = await read(item.id, {}, { token: "svc_nobody_00000000000000000000" });
    expect([wrong.status, wrong.json.code, wrong.headers.has("www-authenticate")]).toEqual([401, 401, true]);
  });

  test("S3.2.14 R2a a parent's number means the latest version the reader may read, and names it", async () => {
    const viewer = await world.viewer("registered");
    const first = await published({ metadata: titled("One") });
    const restricted = { ...aContent().access, record: "restricted" as const };
    const { item: second } = await world.items.newVersion(viewer, first.id, {
      content: aContent({ metadata: titled("Two"), access: restricted }),
    });
    const guest = await read(first.parentId);
    expect([guest.status, rootOf(guest).name]).toEqual([200, ["One"]]);
    expect(guest.headers.get("content-location")).toBe(`/api/v1/records/${first.id}`);
    expect(rootOf(await read(first.parentId, {}, "registered")).name).toEqual(["Two"]);
    expect((await read(second.id)).status).toBe(403);
    expect((await read(first.id)).headers.has("content-location")).toBe(false);
  });
});

describe("Conditional requests for a detail", () => {
  test("S3.2.8 S3.2.10 R29 the ETag is of the version and the language; a client that has it gets 304 without a body", async () => {
    const viewer = await world.viewer("registered");
    const item = await published({ metadata: ARTICLE });
    const first = await read(item.id);
    const etag = first.headers.get("etag") ?? "";
    expect(etag.startsWith(`"${item.id}.1.`)).toBe(true);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await read(item.id, { "if-none-match": tags });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    }
    for (const tags of ['"other"', "", ",,,", `${"x".repeat(4_000)}`, `"${item.id}.1`]) {
      expect((await read(item.id, { "if-none-match": tags })).status).toBe(200);
    }
    const ja = await read(item.id, { "accept-language": "ja", "if-none-match": etag });
    expect(ja.status).toBe(200);
    await world.items.revise(viewer, item.id, { content: aContent({ metadata: titled("Changed") }) });
    const changed = await read(item.id, { "if-none-match": etag });
    expect([changed.status, changed.headers.get("etag")?.startsWith(`"${item.id}.2.`)]).toEqual([200, true]);
  });

  test("S3.2.9 S3.2.10 Last-Modified is when the item was updated; If-Modified-Since counts where there is no If-None-Match", async () => {
    const item = await published();
    const first = await read(item.id);
    const at = first.headers.get("last-modified") ?? "";
    expect(at).toBe(new Date(item.updatedAt).toUTCString());
    expect((await read(item.id, { "if-modified-since": at })).status).toBe(304);
    expect((await read(item.id, { "if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT" })).status).toBe(304);
    expect((await read(item.id, { "if-modified-since": "Thu, 01 Jan 2015 00:00:00 GMT" })).status).toBe(200);
    expect((await read(item.id, { "if-modified-since": "yesterday" })).status).toBe(200);
    expect((await read(item.id, { "if-modified-since": at, "if-none-match": '"other"' })).status).toBe(200);
  });

  test("S3.2.10 R2d nobody gets 304 for what they may not read any more", async () => {
    const viewer = await world.viewer("registered");
    const item = await published();
    const etag = (await read(item.id)).headers.get("etag") ?? "";
    await world.items.setPublic(viewer, item.id, false);
    expect((await read(item.id, { "if-none-match": etag })).status).toBe(403);
    expect((await read(item.id, { "if-none-match": "*" })).status).toBe(403);
  });

  test("S3.2.8 HEAD has the headers and no body", async () => {
    const item = await published();
    const head = await world.ask(null, "HEAD", `/api/v1/records/${item.id}`);
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("etag")).toBe((await read(item.id)).headers.get("etag"));
  });
});

test("R9a S3.2.3 an item with very many files is written outside the server's thread, and no less valid", async () => {
  const files = Array.from({ length: 1_000 }, (_, at) => aFile(`file ${at}.txt`));
  const answer = await read((await published({ files })).id);
  expect(answer.status).toBe(200);
  const { rocrate } = detailOf(answer);
  expect(crateFaults(rocrate)).toEqual([]);
  expect(entitiesOf(rocrate).size).toBeGreaterThan(1_000);
});

test("S3.2.2 an item without any metadata has a valid crate as well", async () => {
  const item = await published({ metadata: EMPTY_METADATA });
  const answer = await read(item.id);
  expect(crateFaults(detailOf(answer).rocrate)).toEqual([]);
  expect(Object.keys(detailOf(answer).metadata)).toEqual(["Item Type", "hasRequestmailAddress"]);
});
