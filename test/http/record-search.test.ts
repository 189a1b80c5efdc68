// Item search over HTTP (specification 3, "GET /api/{version}/records"; R1, R9, R10, R27 to R28, R34), with items as
// people deposit them.
import { beforeAll, describe, expect, test } from "bun:test";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import type { ItemContent } from "../../src/model/items/item.ts";
import { EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";
import { crateFaults, entitiesOf } from "../support/crate-rules.ts";
import { cratePackage } from "../support/deposit-requests.ts";
import { NOW } from "../support/seed.ts";
import { aContent, aFile, titled } from "../support/world/items.ts";
import { type Answer, INDEXES, RESOLVER_URL, recidOf, type Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const ids: Record<string, number> = {};
const world = setUpWorld({ repository: true });
beforeAll(async () => {
  for (const [name, metadata] of Object.entries(ITEMS)) {
    ids[name] = await published({ metadata, indexes: [name === "hidden" ? INDEXES.hidden : INDEXES.below] });
  }
});

const subject = (value: string) => ({ text: { value }, scheme: "NDC" });
const item = (title: string, language: string, subjects: string[], publicationDate?: string, ...years: string[]) => ({
  ...titled(title),
  languages: [language],
  subjects: subjects.map(subject),
  ...(publicationDate === undefined ? {} : { publicationDate, temporals: years.map((value) => ({ value })) }),
});
const ITEMS: Readonly<Record<string, Metadata>> = {
  letters: item("Letters of the Edo period", "eng", ["history", "letters"], "2020-05-01", "1800", "1700"),
  archive: item("古文書のデータベース", "jpn", ["history"], "2018", "1750"),
  maps: item("Maps of Kyoto", "eng", ["maps"], "2022-12"),
  hidden: item("Hidden history", "eng", ["history", "secret"]),
};

async function published(fields: Partial<ItemContent>): Promise<number> {
  const viewer = await world.viewer("registered");
  return (await world.items.createAndPublish(viewer, { content: aContent(fields) })).item.id;
}

type Body = {
  readonly total_results: number;
  readonly count_results: number;
  readonly cursor: string | null;
  readonly page: number | null;
  readonly search_results: readonly { readonly id: string; readonly metadata: unknown }[];
  readonly aggregations: Readonly<Record<string, { readonly buckets: readonly { key: string; doc_count: number }[] }>>;
};
type Headers = Readonly<Record<string, string>>;
const ask = (query: string, who: Who = null, headers: Headers = {}): Promise<Answer> =>
  world.ask(who, "GET", `/api/v1/records${query === "" ? "" : `?${query}`}`, { headers });
async function found(query: string, who: Who = null): Promise<Body> {
  const answer = await ask(query, who);
  expect([query, answer.status, answer.status === 200 ? "" : answer.text]).toEqual([query, 200, ""]);
  return JSON.parse(answer.text);
}
const named = (body: Body) =>
  body.search_results.map(({ id }) => Object.keys(ids).find((name) => ids[name] === Number(id)) ?? id);
const encoded = (parameters: Readonly<Record<string, string>>) => new URLSearchParams(parameters).toString();

describe("the answer", () => {
  test("S3.1.38 the members of the body: totals, cursor, page, results with id and RO-Crate, aggregations", async () => {
    const body = await found("q=letters");
    expect(Object.keys(body)).toEqual([
      ...["total_results", "count_results", "cursor", "page", "search_results", "aggregations"],
    ]);
    expect(body).toMatchObject({ total_results: 1, count_results: 1, page: 1 });
    const [hit] = body.search_results;
    expect(hit?.id).toBe(String(ids.letters));
    expect(crateFaults(hit?.metadata)).toEqual([]);
    expect(entitiesOf(hit?.metadata).get("./")?.["@type"]).toEqual("Dataset");
    expect(Object.keys(body.aggregations)).toEqual([
      ...["Resource Type", "Year", "Language", "Access", "Community", "Index", "Creator", "Subject"],
    ]);
    expect(await found("q=nothinglikethis")).toMatchObject({ total_results: 0, count_results: 0, search_results: [] });
    for (const [page, count] of [
      ["size=1", 1],
      ["size=2", 2],
      ["size=2&page=2", 1],
      ["size=2&page=3", 0],
    ] as const) {
      const part = await found(`iid=40&${page}`);
      expect([page, part.total_results, part.count_results, part.search_results.length]).toEqual([
        ...[page, 3, count, count],
      ]);
    }
  });

  test("S3.1.38 R29 the crate of each hit has the address of the hit's own ARK", async () => {
    const { search_results } = await found("q=history&sort=wtl", "registered");
    expect(search_results).toHaveLength(3);
    for (const { id, metadata } of search_results) {
      const { ark } = await world.item(Number(id));
      expect(ark).not.toBeNull();
      expect(entitiesOf(metadata).get("./")?.identifier).toEqual([`${RESOLVER_URL}/ark:${ark}`]);
    }
  });

  test("S3.1.39 it is JSON that nobody keeps: no-store, no-cache, Expires 0; HEAD has no body", async () => {
    const { headers } = await ask("q=letters");
    expect(["content-type", "cache-control", "pragma", "expires", "vary"].map((name) => headers.get(name))).toEqual([
      ...["application/json; charset=utf-8", "no-store", "no-cache", "0", "Authorization, Accept-Language"],
    ]);
    const head = await world.ask(null, "HEAD", "/api/v1/records");
    expect([head.status, head.text, head.headers.get("cache-control")]).toEqual([200, "", "no-store"]);
  });

  test("S3.1.40 pretty is the same body, indented by four", async () => {
    for (const query of ["sort=wtl", "q=nothinglikethis"]) {
      const [plain, pretty] = [await ask(query), await ask(`${query}&pretty=true`)];
      expect(pretty.text).toBe(JSON.stringify(JSON.parse(plain.text), null, 4));
      expect((await ask(`${query}&pretty=false`)).text).toBe(plain.text);
    }
  });

  test("S3.1.41 Accept-Language chooses the words of the crate, en by default", async () => {
    const titles = [
      { value: "Bilingual thing", lang: "en", kind: "main" },
      { value: "二言語のもの", lang: "ja", kind: "translated" },
    ] as const;
    const id = await published({ indexes: [INDEXES.open], metadata: { ...EMPTY_METADATA, titles } });
    const textIn = async (language: string | null) =>
      (await ask("title=bilingual", null, language === null ? {} : { "accept-language": language })).text;
    expect(await textIn("ja")).toContain("二言語のもの");
    expect(await textIn(null)).toContain("Bilingual thing");
    await world.items.remove(REPOSITORY_OPERATOR, id);
  });
});

describe("rules", () => {
  test("S3.1.1 only items of types with an RO-Crate mapping are found, and others as soon as there is one", async () => {
    const made = await world.ask("system", "POST", "/api/v1/admin/item-types", {
      body: JSON.stringify({ definition: { ...BARE_TYPE } }),
    });
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    const itemType = Number(made.json.id);
    const metadata = titled("Unmapped thing");
    const id = await published({ itemType, itemTypeVersion: 1, metadata, indexes: [INDEXES.open] });
    const mappedOne = await published({ metadata: titled("Mapped thing"), indexes: [INDEXES.open] });
    const listedTitles = async () => {
      const columns = ["name", "title"].map((roCrateKey) => ({ name: { en: roCrateKey }, roCrateKey }));
      const { text } = await world.ask(null, "POST", "/api/v1/records/list?q=thing", { body: JSON.stringify(columns) });
      return text.split("\n").flatMap((line) => /\w+ thing/.exec(line)?.[0] ?? []);
    };
    for (const who of [null, "registered", "system"] as const) {
      expect(named(await found("q=thing", who))).toEqual([`${mappedOne}`]);
      expect((await found("title=unmapped", who)).total_results).toBe(0);
    }
    expect(await listedTitles()).toEqual(["Mapped thing"]);
    const roCrate = { root: { title: "item_1.subitem_1" }, file: {} };
    const mapped = await world.ask("system", "PUT", `/api/v1/admin/item-types/${itemType}`, {
      body: JSON.stringify({ definition: { ...BARE_TYPE, roCrate } }),
    });
    expect([mapped.status, mapped.status === 200 ? "" : mapped.text]).toEqual([200, ""]);
    world.time.now = new Date(Date.parse(world.time.now) + 2_000).toISOString();
    const body = await found("q=unmapped");
    expect(entitiesOf(body.search_results[0]?.metadata).get("./")).toMatchObject({ title: ["Unmapped thing"] });
    expect(named(await found("q=thing"))).toEqual([`${mappedOne}`, `${id}`]);
    expect(await listedTitles()).toEqual(["Mapped thing", "Unmapped thing"]);
    for (const each of [id, mappedOne]) await world.items.remove(REPOSITORY_OPERATOR, each);
  });

  test("S3.1.7 R28 without sort the newest number comes first; sort keys order, and the number comes last", async () => {
    expect(named(await found("Subject=history&Subject=maps&Subject=letters"))).toEqual(["maps", "archive", "letters"]);
    expect(named(await found("iid=40&sort=pyear"))).toEqual(["archive", "letters", "maps"]);
    expect(named(await found("iid=40&sort=-pyear,wtl"))).toEqual(["maps", "letters", "archive"]);
    expect(named(await found("iid=40&sort=wtl"))).toEqual(["letters", "maps", "archive"]);
    expect(named(await found("iid=40&sort=controlnumber"))).toEqual(["letters", "archive", "maps"]);
    expect(named(await found("iid=40&sort=temporal"))).toEqual(["maps", "archive", "letters"]);
    expect(named(await found("iid=40&sort=-temporal"))).toEqual(["letters", "archive", "maps"]);
    expect(named(await found("iid=40&sort=itemType"))).toEqual(["maps", "archive", "letters"]);
    expect(named(await found("iid=40&sort=no_such_key"))).toEqual(["maps", "archive", "letters"]);
  });

  test("S3.1.7 R10 R28 pages by number and by cursor give every hit once; a cursor's page is null; page wins over cursor", async () => {
    for (const sort of ["", "&sort=pyear", "&sort=-wtl,creator"]) {
      const whole = named(await found(`iid=40${sort}`));
      const pages: string[] = [];
      for (const page of [1, 2, 3, 4]) pages.push(...named(await found(`iid=40${sort}&size=1&page=${page}`)));
      expect([sort, pages]).toEqual([sort, whole]);
      const followed: string[] = [];
      for (let cursor: string | null = null, round = 0; round < 5; round += 1) {
        const next: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const body: Body = await found(`iid=40${sort}&size=1${next}`);
        expect([body.page, body.total_results]).toEqual([cursor === null ? 1 : null, 3]);
        followed.push(...named(body));
        cursor = body.cursor;
        if (cursor === null) break;
      }
      expect([sort, followed]).toEqual([sort, whole]);
    }
    const both = await found(`iid=40&size=1&page=2&cursor=${ids.archive}`);
    expect([both.page, named(both)]).toEqual([2, ["archive"]]);
    expect(named(await found(`iid=40&cursor=${ids.archive}`))).toEqual(["letters"]);
  });

  test("S3.1.7 R28 a cursor that is none is 400 in the shape of the interface", async () => {
    for (const cursor of ["x", "%00", "eyJhIjoxfQ", "-5", "1.5"]) {
      const { status, json } = await ask(`cursor=${cursor}`);
      expect([cursor, status, json]).toEqual([cursor, 400, { code: 400, status: 400, message: expect.any(String) }]);
    }
    expect((await ask(`cursor=${ids.archive}&sort=wtl`)).status).toBe(400);
  });

  test("S3.1.8 R28 facets are counted before they are chosen, by descending count, only over what the caller may read", async () => {
    const body = await found(encoded({ iid: "40", Subject: "maps" }));
    expect(named(body)).toEqual(["maps"]);
    expect(body.total_results).toBe(1);
    expect(body.aggregations.Subject?.buckets).toEqual([
      { key: "history", doc_count: 2 },
      ...[
        { key: "letters", doc_count: 1 },
        { key: "maps", doc_count: 1 },
      ].sort((one, other) => counted(body).indexOf(one.key) - counted(body).indexOf(other.key)),
    ]);
    expect(body.aggregations["Language"]?.buckets).toEqual([
      { key: "eng", doc_count: 2 },
      { key: "jpn", doc_count: 1 },
    ]);
    expect(JSON.stringify((await found("")).aggregations)).not.toContain("secret");
    expect(counted(await found("", "registered"))).toContain("secret");
  });

  test("S3.1.8 R2h R48 years, access and indexes are counted; hidden indexes are nobody's value but an administrator's", async () => {
    const id = await published({ metadata: item("Filed twice", "eng", []), indexes: [INDEXES.open, INDEXES.hidden] });
    const keys = (body: Body, name: string) => (body.aggregations[name]?.buckets ?? []).map(({ key }) => key).sort();
    const seen = await found("q=filed+twice");
    expect(keys(seen, "Index")).toEqual([String(INDEXES.open)]);
    expect(keys(await found("q=filed+twice", "system"), "Index")).toEqual(["1", String(INDEXES.hidden)]);
    expect(seen.aggregations.Access?.buckets).toEqual([{ key: "metadata-only", doc_count: 1 }]);
    expect(keys(await found("iid=40"), "Year")).toEqual(["2018", "2020", "2022"]);
    expect(named(await found("iid=40&Year_from=2019&Year_to=2021"))).toEqual(["letters"]);
    expect(named(await found("iid=40&Year_from=2019&Access=metadata-only")).sort()).toEqual(["letters", "maps"]);
    expect((await found("iid=40&Access=open")).total_results).toBe(0);
    await world.remove("system", id);
  });

  const counted = (body: Body) => (body.aggregations.Subject?.buckets ?? []).map(({ key }) => key);

  test("S3.1.8 at most the bucket size; a facet that is off is neither counted nor a parameter", async () => {
    const narrow = world.under({ SVC_ADMIN_FACET_SEARCH_SETTING_BUCKET_SIZE: "1" });
    const { json } = await narrow.ask(null, "GET", "/api/v1/records?iid=40");
    expect(json).toMatchObject({ aggregations: { Subject: { buckets: [{ key: "history", doc_count: 2 }] } } });
  });

  test("S3.1.9 R10 a window above the display limit is a JSON error with code and message", async () => {
    for (const window of ["size=10001", "page=501&size=20", "size=10001&cursor=5", "page=99999999999999999999"]) {
      const { status, json } = await ask(window);
      const expected = [400, { code: 400, status: 400, message: "Maximum number of results have been reached." }];
      expect([status, json]).toEqual(expected);
    }
    expect((await ask("page=500&size=20")).status).toBe(200);
  });
});

describe("who finds what", () => {
  test("S3.1.42 R2d results follow role and permission: guests, owners, administrators", async () => {
    expect(named(await found("q=history"))).toEqual(["archive", "letters"]);
    expect(named(await found("q=history", "registered"))).toEqual(["hidden", "archive", "letters"]);
    expect(named(await found("q=history", "admin"))).toEqual(["hidden", "archive", "letters"]);
    expect(named(await found("q=history", "other"))).toEqual(["archive", "letters"]);
  });

  test("S3.1.42 R2g an address of a person in a library's own field is shown to those who look after the item alone", async () => {
    const definition = {
      format: "arkstone-item-type-1",
      name: { en: "Letters" },
      groups: ["Note", "Place"].map((en) => ({ key: en.toLowerCase(), label: { en }, kind: "text" })),
      roCrate: { root: { email: "note", locationCreated: "place" } },
    };
    const itemType = await world.store.transact(async (tx) => {
      const made = { id: 0, name: { en: "Letters", ja: "Letters" }, deleted: false, definition };
      return (await tx.settings.saveItemType(made, NOW)).id;
    });
    const custom = { [`${itemType}:note`]: "ada@example.org", [`${itemType}:place`]: "Uji" };
    const metadata = { ...titled("Correspondence kept privately"), custom };
    const ours = await published({ itemType, metadata, indexes: [INDEXES.below] });
    world.time.now = new Date(Date.parse(world.time.now) + 2_000).toISOString();
    const shownTo = async (who: Who): Promise<readonly boolean[]> => {
      const { search_results: hits } = await found(encoded({ title: "Correspondence kept privately" }), who);
      expect(hits.map(({ id }) => id)).toEqual([`${ours}`]);
      const text = JSON.stringify(hits);
      return [text.includes("ada@example.org"), text.includes("Uji")];
    };
    // The owner's answer is not kept for the guest who asks next.
    for (const who of [null, "registered", null, "general", "system"] as const) {
      expect([who, await shownTo(who)]).toEqual([who, [who === "registered" || who === "system", true]]);
    }
    await world.items.remove(REPOSITORY_OPERATOR, ours);
  });

  test("S3.1.43 guests may ask; a token needs item:read, and must be one", async () => {
    const narrow = await world.token("registered", ["item:create"], null);
    const refusedBody = (code: number) => ({ code, status: code, message: expect.any(String) });
    const forbidden = await ask("", narrow);
    expect([forbidden.status, forbidden.json]).toEqual([403, refusedBody(403)]);
    const unknown = await ask("", { token: "svc_nobody" });
    expect([unknown.status, unknown.json]).toEqual([401, refusedBody(401)]);
    const reader = await world.token("registered", ["item:read"], null);
    expect(named(await found("q=history", reader))).toContain("hidden");
  });

  test("S3.1.44 R9 requests are limited, in the shape of the interface", async () => {
    const limited = world.under({ SVC_RATE_PER_MINUTE: "2" });
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1)
      statuses.push((await limited.ask(null, "GET", "/api/v1/records")).status);
    const last = await limited.ask(null, "GET", "/api/v1/records");
    expect([...statuses, last.status]).toEqual([200, 200, 429, 429]);
    const expected = [{ code: 429, status: 429, message: expect.any(String) }, expect.stringMatching(/^\d+$/)];
    expect([last.json, last.headers.get("retry-after")]).toEqual(expected);
  });

  test("S3.1.45 R9 an unknown version is 400, another method 405", async () => {
    const { status, json } = await world.ask(null, "GET", "/api/v2/records");
    expect([status, json]).toEqual([400, { code: 400, status: 400, message: "This API version does not found" }]);
    expect((await world.ask(null, "PATCH", "/api/v1/records")).status).toBeGreaterThanOrEqual(404);
  });
});

describe("words of files", () => {
  test("R35 S3.1.11 search_type 0 finds words of files the caller may read, 1 does not; nobody finds others", async () => {
    const viewer = await world.viewer("registered");
    const files = [
      aFile("open.txt", { sha256: "0a".repeat(32) }),
      aFile("closed.txt", { sha256: "0b".repeat(32), access: "closed" }),
      aFile("members.txt", { sha256: "0c".repeat(32), access: "login" }),
    ];
    const content = aContent({ metadata: titled("Field notes"), files, indexes: [INDEXES.open] });
    const { item } = await world.items.createAndPublish(viewer, { content });
    for (const [sha256, text] of [
      ["0a", "ammonites in limestone"],
      ["0b", "coordinates of the quarry"],
      ["0c", "names of the diggers"],
    ] as const) {
      const read = { sha256: sha256.repeat(32), text, state: "done" as const, reason: "", reader: 1, at: NOW };
      expect(await world.store.transact((tx) => tx.fullText.saveText(read))).toBe(true);
    }
    const total = async (query: string, who: Who = null) => (await found(query, who)).total_results;
    expect(await total("q=ammonites+notes")).toBe(1);
    expect(await total("q=ammonites&search_type=0")).toBe(1);
    expect(await total("q=ammonites&search_type=1")).toBe(0);
    expect(await total("title=ammonites")).toBe(0);
    expect([await total("q=quarry"), await total("q=quarry", "other"), await total("q=quarry", "registered")]).toEqual([
      ...[0, 0, 1],
    ]);
    expect([await total("q=diggers"), await total("q=diggers", "other")]).toEqual([0, 1]);
    await world.items.remove(viewer, item.id);
    expect(await total("q=ammonites")).toBe(0);
  });
});

describe("what is kept of hits", () => {
  test("R2b R9a one language's text is not another's, a change is shown, and what was destroyed is not", async () => {
    const titles = (en: string, ja: string): Metadata["titles"] => [
      { value: en, lang: "en", kind: "main" },
      { value: ja, lang: "ja", kind: "translated" },
    ];
    const content = (...words: readonly [string, string]) =>
      aContent({ metadata: { ...titled("", { titles: titles(...words) }) }, indexes: [INDEXES.open] });
    const viewer = await world.viewer("registered");
    const { item } = await world.items.createAndPublish(viewer, {
      content: content("Trilobites of Kyoto", "京都の三葉虫"),
    });
    const shown = async (language: string) => (await ask("iid=1", null, { "accept-language": language })).text;
    for (let round = 0; round < 2; round += 1) {
      expect(await shown("en")).toContain("Trilobites of Kyoto");
      expect(await shown("en")).not.toContain("三葉虫");
      expect(await shown("ja")).toContain("京都の三葉虫");
    }
    await world.items.revise(viewer, item.id, { content: content("Trilobites of Nara", "奈良の三葉虫") });
    expect(await shown("en")).toContain("Trilobites of Nara");
    expect(await shown("ja")).toContain("奈良の三葉虫");
    await world.items.erase(REPOSITORY_OPERATOR, item.id, { revision: null, file: null });
    expect((await shown("en")) + (await shown("ja"))).not.toMatch(/Trilobites|三葉虫/);
  });
});

describe("what is deposited is found, and what is hidden is not", () => {
  test("R1 R34 a deposit over SWORD is found at once, changed at once, and gone at once", async () => {
    const deposited = await world.deposit("admin", cratePackage());
    expect(deposited.status).toBe(201);
    const id = recidOf(deposited);
    const all = await found("");
    expect(all.search_results.map((hit) => hit.id)).toContain(String(id));
    await world.store.transact(async () => {});
    expect((await world.remove("admin", id)).status).toBe(204);
    expect((await found("")).search_results.map((hit) => hit.id)).not.toContain(String(id));
  });

  test("R34 a facet and a free field are there when their setting is: the index is rebuilt, and answers meanwhile", async () => {
    const set = (path: string, body: object) =>
      world.ask("system", "PUT", `/api/v1/admin/${path}`, { body: JSON.stringify(body) });
    expect((await found("text1=kyoto&iid=40")).total_results).toBe(3);
    expect((await set("search-fields/text1", { sources: ["titles.value"] })).status).toBe(200);
    expect((await set("facets/3", { active: false })).status).toBe(200);
    for (let round = 0; round < 100; round += 1) {
      const { total_results, aggregations } = await found("text1=kyoto&iid=40");
      // An index may be whole between the two settings.
      if (total_results === 1 && !Object.hasOwn(aggregations, "Language")) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const body = await found("text1=kyoto&iid=40");
    expect(named(body)).toEqual(["maps"]);
    expect(Object.keys(body.aggregations)).not.toContain("Language");
    expect((await found(encoded({ iid: "40", Language: "jpn" }))).total_results).toBe(3);
  });
});

/** An item type without an RO-Crate mapping. */
const label = { en: "Title", ja: "タイトル" };
const text = { key: "subitem_1", label, kind: "text", place: "value", required: true };
const group = { key: "item_1", label, repeatable: true, required: true, place: "titles[kind=main]", fields: [text] };
const BARE_TYPE = { format: "arkstone-item-type-1", name: { en: "Bare", ja: "素" }, groups: [group] };
