// Lists of records over HTTP (R10, R37; specification 3, search_records, my_records, list_versions,
// list_community_records; reference 2.6).
import { beforeAll, describe, expect, test } from "bun:test";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { aContent, itemsOn, titled } from "../support/world/items.ts";
import { INDEXES, type PersonName, type Who } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { setUpWorld } from "../support/world.ts";

const ids = { tides: "", winds: "", japan: "", draft: "", first: "", second: "" };

type Bucket = {
  readonly key: string;
  readonly doc_count: number;
  readonly label: string;
  readonly is_selected: boolean;
  readonly inner?: { readonly buckets: readonly Bucket[] };
};
type Hit = {
  readonly id: string;
  readonly status: string;
  readonly is_draft: boolean;
  readonly versions: { readonly index: number; readonly is_latest: boolean };
  readonly metadata: { readonly title: string };
};
type List = {
  readonly hits: { readonly hits: readonly Hit[]; readonly total: number };
  readonly aggregations: Readonly<Record<string, { readonly buckets: readonly Bucket[]; readonly label: string }>>;
  readonly sortBy: string;
  readonly links: Readonly<Record<string, string>>;
  readonly message: string;
  readonly errors: readonly { readonly field: string; readonly messages: readonly string[] }[];
};

const call = (who: Who, method: string, path: string, body?: unknown) =>
  world.ask(who, method, path, {
    headers: { "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });

async function listed(who: Who, path: string, parameters: Readonly<Record<string, string>> = {}): Promise<List> {
  const answer = await call(who, "GET", `${path}?${new URLSearchParams(parameters)}`);
  expect([answer.status, answer.text.slice(0, 500)]).toEqual([200, answer.text.slice(0, 500)]);
  return answer.json as unknown as List;
}
const titlesOf = ({ hits }: List): string[] => hits.hits.map(({ metadata }) => metadata.title);
const found = async (q: string, more: Readonly<Record<string, string>> = {}) =>
  titlesOf(await listed(null, "/api/records", { q, ...more }));

async function drafted(who: PersonName, metadata: object): Promise<string> {
  const answer = await call(who, "POST", "/api/records", { metadata, files: { enabled: false } });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return (answer.json as unknown as Hit).id;
}
/** A file of a draft, sent and committed. */
async function uploaded(who: PersonName, id: string, key: string): Promise<void> {
  const files = `/api/records/${id}/draft/files`;
  await call(who, "POST", files, [{ key }]);
  const headers = { "content-type": "application/octet-stream" };
  await world.ask(who, "PUT", `${files}/${key}/content`, { headers, body: key });
  expect((await call(who, "POST", `${files}/${key}/commit`)).status).toBe(200);
}
async function published(who: PersonName, metadata: object, keys: readonly string[] = [], access: string = "public") {
  const id = await drafted(who, metadata);
  if (keys.length > 0) {
    const body = { metadata, files: { enabled: true }, access: { record: "public", files: access } };
    expect((await call(who, "PUT", `/api/records/${id}/draft`, body)).status).toBe(200);
    for (const key of keys) await uploaded(who, id, key);
  }
  const answer = await call(who, "POST", `/api/records/${id}/draft/actions/publish`);
  expect([answer.status, answer.text]).toEqual([202, answer.text]);
  return id;
}

const answerOf = (title: string, year: string, type = "publication-article", family = "Doe") => ({
  resource_type: { id: type },
  title,
  publication_date: year,
  creators: [{ person_or_org: { type: "personal", family_name: family, given_name: "Ann" } }],
});

const world = setUpWorld({ repository: true });
beforeAll(async () => {
  const english = { languages: [{ id: "eng" }], subjects: [{ subject: "Sea" }] };
  ids.tides = await published("registered", { ...answerOf("On tides and winds", "2017-03-01"), ...english });
  const winds = {
    ...answerOf("Winds of the north", "2018", "dataset", "Roe"),
    languages: [{ id: "eng" }, { id: "deu" }],
    subjects: ["Sea", "Air", "Ice", "Sun"].map((subject) => ({ subject })),
  };
  ids.winds = await published("registered", winds, ["a.PDF", "b.csv"]);
  const japan = { ...answerOf("図書館の利用", "2019-05", "publication-book"), languages: [{ id: "jpn" }] };
  ids.japan = await published("registered", japan, ["c.pdf"], "restricted");
  ids.draft = await drafted("registered", answerOf("A draft on tides", "2020"));
  const edited = await published("registered", answerOf("Old versions", "2001"));
  ids.first = edited;
  const next = await call("registered", "POST", `/api/records/${edited}/versions`);
  const second = (next.json as unknown as Hit).id;
  await call("registered", "PUT", `/api/records/${second}/draft`, {
    metadata: answerOf("New versions", "2002"),
    files: { enabled: false },
  });
  expect((await call("registered", "POST", `/api/records/${second}/draft/actions/publish`)).status).toBe(202);
  ids.second = second;
});

describe("GET /api/records", () => {
  test("S3.6.220: guests see published records, the latest versions, the newest first", async () => {
    const list = await listed(null, "/api/records");
    expect(titlesOf(list)).toEqual(["New versions", "図書館の利用", "Winds of the north", "On tides and winds"]);
    expect([list.hits.total, list.sortBy]).toEqual([4, "newest"]);
    const expected = { id: ids.second, status: "published", versions: { index: 2, is_latest: true } };
    expect(list.hits.hits[0]).toMatchObject(expected);
    expect(titlesOf(await listed(null, "/api/records", { allversions: "false" }))).toEqual(titlesOf(list));
    const all = await listed(null, "/api/records", { allversions: "true", sort: "oldest" });
    const newest = ["On tides and winds", "Winds of the north", "図書館の利用", "Old versions", "New versions"];
    expect(titlesOf(all)).toEqual(newest);
  });

  test("S3.6.221: words are alternatives and the best match comes first; operators, fields, ranges and phrases narrow", async () => {
    const first = await listed(null, "/api/records", { q: "tides winds" });
    expect([titlesOf(first), first.sortBy]).toEqual([["On tides and winds", "Winds of the north"], "bestmatch"]);
    expect(await found("north AND winds")).toEqual(["Winds of the north"]);
    expect(await found("winds -tides")).toEqual(["Winds of the north"]);
    expect(await found("metadata.title:tides")).toEqual(["On tides and winds"]);
    expect(await found("metadata.creators.person_or_org.name:roe")).toEqual(["Winds of the north"]);
    expect(await found("metadata.publication_date:[2018 TO 2019]", { sort: "oldest" })).toEqual([
      "Winds of the north",
      "図書館の利用",
    ]);
    expect(await found("metadata.publication_date:[2017 TO 2018}")).toEqual(["On tides and winds"]);
    expect(await found('"winds of"')).toEqual(["Winds of the north"]);
    expect(await found('"of winds"')).toEqual([]);
    expect(await found('"north winds"~5')).toEqual(["Winds of the north"]);
    const expected = ["On tides and winds", "図書館の利用", "New versions"];
    expect(await found("metadata.resource_type.id:publication*", { sort: "oldest" })).toEqual(expected);
    expect(await found(`id:${ids.winds}`)).toEqual(["Winds of the north"]);
    expect(await found("図書館")).toEqual(["図書館の利用"]);
    expect(await found("nosuchfield:winds")).toEqual([]);
    expect(await found("is_published:false")).toEqual([]);
    expect((await found("_exists_:metadata.title")).length).toBe(4);
    expect(await found("_exists_:metadata.funding")).toEqual([]);
  });

  test("S3.6.222: wildcards, regular expressions and fuzzy words mean words of the index", async () => {
    expect(await found("w?nds north")).toEqual(["Winds of the north", "On tides and winds"]);
    expect(await found("metadata.title:*orth")).toEqual(["Winds of the north"]);
    expect(await found("/t[ij]de(s|z)/")).toEqual(["On tides and winds"]);
    expect(await found("tidse~")).toEqual(["On tides and winds"]);
    expect(await found("metadata.resource_type.id:/data.+/")).toEqual(["Winds of the north"]);
  });

  test("S3.6.223: what is not a query is taken as words", async () => {
    expect(await found("(tides")).toEqual(["On tides and winds"]);
    expect(await found("north AND")).toEqual(["Winds of the north", "On tides and winds"]);
    expect(await found("!!!")).toEqual([]);
  });

  test("S3.6.224: facets are counted over what was found, and chosen by their parameters", async () => {
    const { aggregations } = await listed(null, "/api/records");
    expect(Object.keys(aggregations)).toEqual([
      ...["publication_date", "access_status", "file_type", "resource_type", "language", "subject"],
    ]);
    expect(aggregations.access_status).toEqual({
      label: "Access status",
      buckets: [
        { key: "metadata-only", doc_count: 2, label: "Metadata-only", is_selected: false },
        { key: "open", doc_count: 1, label: "Open", is_selected: false },
        { key: "restricted", doc_count: 1, label: "Restricted", is_selected: false },
      ],
    });
    const counted = (name: string) =>
      aggregations[name]?.buckets.map(({ key, doc_count, label }) => [key, doc_count, label]);
    expect(counted("language")).toEqual([
      ["eng", 2, "English"],
      ["deu", 1, "German"],
      ["jpn", 1, "Japanese"],
    ]);
    expect(counted("subject")?.map((row) => row.join())).toEqual(["Sea,2,Sea", "Air,1,Air", "Ice,1,Ice", "Sun,1,Sun"]);
    // The type of a restricted file is not counted.
    expect(counted("file_type")).toEqual([
      ["csv", 1, "CSV"],
      ["pdf", 1, "PDF"],
    ]);
    const [, dataset] = aggregations.resource_type?.buckets ?? [];
    expect(dataset).toMatchObject({ key: "dataset", doc_count: 1, label: "Dataset", inner: { buckets: [] } });
    const years = aggregations.publication_date?.buckets.map(({ key, doc_count }) => `${key}: ${doc_count}`);
    expect(years?.slice(-4)).toEqual(["2016: 0", "2017: 1", "2018: 1", "2019: 1"]);
    const chosen = await listed(null, "/api/records", { resource_type: "publication::publication-book" });
    expect(titlesOf(chosen)).toEqual(["図書館の利用"]);
    const [publication] = chosen.aggregations.resource_type?.buckets ?? [];
    expect(publication).toMatchObject({ key: "publication", doc_count: 3, label: "Publication", is_selected: false });
    const inner = publication?.inner?.buckets.map(
      ({ key, doc_count, is_selected }) => `${key} ${doc_count} ${is_selected}`,
    );
    expect(inner).toEqual(["publication-article 2 false", "publication-book 1 true"]);
    const choosing = async (query: string) =>
      titlesOf((await call(null, "GET", `/api/records?sort=oldest&${query}`)).json as unknown as List);
    const [tides, winds, japan, newest] = ["On tides and winds", "Winds of the north", "図書館の利用", "New versions"];
    for (const [query, titles] of [
      ["resource_type=publication", [tides, japan, newest]],
      ["resource_type=publication::publication-book&resource_type=dataset", [winds, japan]],
      [
        "resource_type=publication::publication-book&resource_type=publication::publication-article",
        [tides, japan, newest],
      ],
      ["language=eng&language=jpn", [tides, winds, japan]],
      ["language=eng&subject=Ice", [winds]],
      ["language=jpn&subject=Ice", []],
      ["file_type=CSV&file_type=pdf", [winds]],
      ["file_type=nothing", []],
      ["access_status=restricted&access_status=open", [winds, japan]],
      ["publication_date=2017&publication_date=2019", [tides, japan]],
      ["publication_date=[2017..2018)", [tides]],
      ["publication_date=..2017", [tides, newest].toSorted()],
    ] as const) {
      const found = await choosing(query);
      expect([query, query.includes("..2017") ? found.toSorted() : found]).toEqual([query, [...titles] as string[]]);
    }
    const other = await listed(null, "/api/records", { f: "resource_type:publication+inner:publication-book" });
    expect(titlesOf(other)).toEqual(["図書館の利用"]);
    expect(titlesOf(await listed(null, "/api/records", { publication_date: "2017..2018", sort: "oldest" }))).toEqual([
      "On tides and winds",
      "Winds of the north",
    ]);
    expect(titlesOf(await listed(null, "/api/records", { publication_date: "(2017..2018]" }))).toEqual([
      "Winds of the north",
    ]);
  });

  test("S3.6.225: pages have links to themselves and to those next to them", async () => {
    const first = await listed(null, "/api/records", { size: "2", q: "" });
    expect(Object.keys(first.links)).toEqual(["self", "next"]);
    expect(first.links.self).toMatch(/\/api\/records\?page=1&q=&size=2&sort=newest$/);
    const next = new URL(first.links.next ?? "");
    const second = await listed(null, next.pathname, Object.fromEntries(next.searchParams));
    expect(Object.keys(second.links)).toEqual(["prev", "self"]);
    expect([...titlesOf(first), ...titlesOf(second)]).toEqual(titlesOf(await listed(null, "/api/records")));
    const third = await listed(null, "/api/records", { size: "1", page: "3", sort: "oldest" });
    const expected = [expect.stringContaining("page=2&"), expect.stringContaining("page=4&")];
    expect([third.links.prev, third.links.next]).toEqual(expected);
    // A last page that is not full.
    const most = await listed(null, "/api/records", { size: "3" });
    expect(most.links.next).toContain("page=2&");
    expect(titlesOf(await listed(null, "/api/records", { size: "3", page: "2" }))).toEqual(["On tides and winds"]);
  });

  test("S3.6.226: parameters that are wrong are named, and no page lies beyond 10,000 hits", async () => {
    for (const { query, field, message } of [
      { query: "page=0", field: "page", message: "Must be greater than or equal to 1." },
      { query: "size=x", field: "size", message: "Not a valid integer." },
      { query: `page=${"9".repeat(16)}`, field: "page", message: "Not a valid integer." },
      { query: "page=101&size=100", field: "page", message: "Invalid pagination parameters." },
      { query: "sort=nothing", field: "sort", message: "Invalid sort option 'nothing'." },
      { query: "suggest=x", field: "suggest", message: "Invalid 'suggest' parameter." },
      { query: "allversions=perhaps", field: "allversions", message: "Not a valid boolean." },
      { query: `q=${"a".repeat(10_001)}`, field: "q", message: "Longer than maximum length 10000." },
    ]) {
      const answer = await call(null, "GET", `/api/records?${query}`);
      expect([query.slice(0, 30), answer.status, answer.json]).toEqual([
        query.slice(0, 30),
        400,
        { status: 400, message: "Invalid querystring parameters.", errors: [{ field, messages: [message] }] },
      ]);
    }
    expect((await call(null, "GET", "/api/records?page=100&size=100")).status).toBe(200);
    const both = await call(null, "GET", "/api/records?page=0&sort=nothing");
    expect((both.json as unknown as List).errors.map(({ field }) => field)).toEqual(["page", "sort"]);
  });

  test("S3.6.226: R9a a query with too many patterns is refused in every list, and one with few is answered", async () => {
    const q = (count: number): string => encodeURIComponent(Array(count).fill("/t(.{0,9}){0,9}s/").join(" OR "));
    for (const [who, path] of [
      [null, "/api/records"],
      ["registered", "/api/user/records"],
      [null, "/api/communities"],
      ["registered", "/api/requests"],
    ] as const) {
      const refused = await call(who, "GET", `${path}?q=${q(290)}`);
      expect([path, refused.status, refused.text]).toEqual([path, 400, refused.text]);
      expect([path, refused.text]).toEqual([path, expect.stringContaining("q has 290 patterns")]);
      expect([path, (await call(who, "GET", `${path}?q=${q(2)}`)).status]).toEqual([path, 200]);
    }
    expect(await found("/t(.{0,9}){0,9}des/")).toEqual(await found("tides"));
  });
});

describe("the order of a list", () => {
  test("S3.6.234: every order is one, and without words nothing is the best match", async () => {
    for (const sort of ["newest", "oldest", "updated-desc", "updated-asc", "version", "mostviewed", "mostdownloaded"]) {
      const list = await listed(null, "/api/records", { sort });
      expect([sort, list.sortBy, list.hits.total]).toEqual([sort, sort, 4]);
    }
    expect((await listed(null, "/api/records", { sort: "bestmatch" })).sortBy).toBe("newest");
    expect((await listed(null, "/api/records", { sort: "bestmatch", q: "winds" })).sortBy).toBe("bestmatch");
    expect((await listed(null, "/api/records", { q: "winds", sort: "oldest" })).sortBy).toBe("oldest");
    const oldest = titlesOf(await listed(null, "/api/records", { sort: "oldest" }));
    expect(titlesOf(await listed(null, "/api/records", { sort: "newest" }))).toEqual(oldest.reverse());
    expect(titlesOf(await listed(null, "/api/records", { sort: "version" }))[0]).toBe("New versions");
    const changed = titlesOf(await listed(null, "/api/records", { sort: "updated-asc" }));
    expect(changed).toEqual(["On tides and winds", "Winds of the north", "図書館の利用", "New versions"]);
    expect(titlesOf(await listed(null, "/api/records", { sort: "updated-desc" }))).toEqual(changed.reverse());
  });
});

describe("what a list shows", () => {
  test("S3.6.236: with Accept application/vnd.inveniordm.v1+json each hit has labels, in the language of its reader", async () => {
    for (const [language, label] of [
      ["en", "Metadata-only"],
      ["ja", "メタデータのみ"],
    ] as const) {
      for (let time = 0; time < 2; time += 1) {
        const headers = { accept: "application/vnd.inveniordm.v1+json", "accept-language": language };
        const answer = await world.ask(null, "GET", "/api/records?q=tides", { headers });
        expect(answer.headers.get("content-type")).toBe("application/vnd.inveniordm.v1+json");
        const [hit] = (JSON.parse(answer.text) as { hits: { hits: { ui: object }[] } }).hits.hits;
        expect(hit?.ui).toMatchObject({ access_status: { id: "metadata-only", title_l10n: label } });
      }
    }
    const [plain] = (await listed(null, "/api/records", { q: "tides" })).hits.hits;
    expect(plain).not.toHaveProperty("ui");
  });

  test("S3.6.237: a hit is the record as it is read, and mail addresses are shown to nobody else", async () => {
    const list = await listed(null, "/api/records", { q: `id:${ids.winds}` });
    const read = await call(null, "GET", `/api/records/${ids.winds}`);
    expect(list.hits.hits[0]).toEqual(read.json as unknown as Hit);
    // Files that may be read and that may not, versions and single records, for a guest, a stranger and the owner.
    for (const who of [null, "other", "registered"] as const) {
      const { hits } = (await listed(who, "/api/records", { allversions: "true" })).hits;
      expect(hits.length).toBe(5);
      for (const hit of hits) expect(hit).toEqual((await call(who, "GET", `/api/records/${hit.id}`)).json as never);
    }
  });
});

describe("GET /api/user/records", () => {
  test("S3.6.227: a person's drafts and records, one entry each, what was changed last first", async () => {
    const list = await listed("registered", "/api/user/records");
    expect([titlesOf(list), list.sortBy]).toEqual([
      ["New versions", "A draft on tides", "図書館の利用", "Winds of the north", "On tides and winds"],
      "updated-desc",
    ]);
    expect(list.aggregations.is_published?.buckets.map(({ key, doc_count }) => [key, doc_count])).toEqual([
      ["true", 4],
      ["false", 1],
    ]);
    expect(titlesOf(await listed("registered", "/api/user/records", { is_published: "false" }))).toEqual([
      "A draft on tides",
    ]);
    expect(titlesOf(await listed("registered", "/api/user/records", { q: "tides AND is_draft:true" }))).toEqual([
      "A draft on tides",
    ]);
    expect((await listed("registered", "/api/user/records", { q: "tides" })).sortBy).toBe("bestmatch");
    expect(titlesOf(await listed("registered", "/api/user/records", { allversions: "true" }))).toContain(
      "Old versions",
    );
    expect(titlesOf(await listed("stranger", "/api/user/records"))).toEqual([]);
    expect((await call(null, "GET", "/api/user/records")).status).toBe(401);
  });

  test("S3.6.227: what others share is listed where it is asked for, as it is published, and never what is one's own", async () => {
    const shared = await published("other", answerOf("Shared by another", "2015"));
    const grants = [{ permission: "view", subject: { type: "user", id: String(world.people.registered.account.id) } }];
    expect((await call("other", "POST", `/api/records/${shared}/access/grants`, { grants })).status).toBe(201);
    await call("other", "POST", `/api/records/${shared}/draft`);
    await call("other", "PUT", `/api/records/${shared}/draft`, {
      metadata: answerOf("Shared, being changed", "2015"),
      files: { enabled: false },
    });
    for (const [who, query, titles] of [
      ["registered", { shared_with_me: "true" }, ["Shared by another"]],
      ["other", { shared_with_me: "true" }, []],
      ["other", {}, ["Shared, being changed"]],
      ["stranger", { shared_with_me: "true" }, []],
    ] as const) {
      expect([who, titlesOf(await listed(who, "/api/user/records", query))]).toEqual([who, [...titles]]);
    }
    expect(titlesOf(await listed("registered", "/api/user/records"))).not.toContain("Shared by another");
    await call("admin", "DELETE", `/api/records/${shared}`, {});
  });

  test("S3.6.227: records of others are in nobody's own list; what was changed comes before what was made later", async () => {
    const later = () => {
      world.time.now = addMilliseconds(world.time.now, 60_000);
    };
    const first = await published("approver", answerOf("First of two", "2001"));
    later();
    const draft = await drafted("approver", answerOf("Draft of the other", "2003"));
    later();
    const last = await published("approver", answerOf("Last of two", "2002"));
    later();
    const foreign = await drafted("stranger", answerOf("Of a stranger", "2004"));
    const own = async (who: PersonName, parameters: Readonly<Record<string, string>> = {}) =>
      (await listed(who, "/api/user/records", parameters)).hits.hits.map(({ id, is_draft }) => [id, is_draft]);
    expect(await own("approver")).toEqual([
      [last, false],
      [draft, true],
      [first, false],
    ]);
    for (const [id, title] of [
      [first, "First, changed"],
      [draft, "Draft, changed"],
    ] as const) {
      later();
      if (id === first) await call("approver", "POST", `/api/records/${id}/draft`);
      await call("approver", "PUT", `/api/records/${id}/draft`, {
        metadata: answerOf(title, "2001"),
        files: { enabled: false },
      });
      if (id === first) await call("approver", "POST", `/api/records/${id}/draft/actions/publish`);
    }
    expect(await own("approver")).toEqual([
      [draft, true],
      [first, false],
      [last, false],
    ]);
    expect(await own("approver", { sort: "newest" })).not.toEqual(await own("approver"));
    expect(await own("approver", { size: "1", page: "2" })).toEqual([[first, false]]);
    expect(await own("stranger")).toEqual([[foreign, true]]);
    // An administrator sees all of them, and owns none.
    expect(await own("admin")).toEqual([]);
    for (const id of [first, last]) {
      await call("admin", "DELETE", `/api/records/${id}/delete`, { removal_reason: { id: "spam" } });
    }
    expect(await own("approver")).toEqual([[draft, true]]);
    await call("approver", "DELETE", `/api/records/${draft}/draft`);
    await call("stranger", "DELETE", `/api/records/${foreign}/draft`);
    expect(await own("approver")).toEqual([]);
  });

  test("S3.6.235: a search shows what is published, to its owner too, and never an edit that is not published", async () => {
    for (const id of [ids.tides, ids.winds]) {
      await call("registered", "POST", `/api/records/${id}/draft`);
      const edit = { metadata: answerOf(`Unpublished ${id}`, "2017"), files: { enabled: false } };
      expect((await call("registered", "PUT", `/api/records/${id}/draft`, edit)).status).toBe(200);
    }
    for (const who of [null, "stranger", "admin", "registered"] as const) {
      const all = titlesOf(await listed(who, "/api/records", { size: "100" }));
      expect([who, all.filter((title) => title.startsWith("Unpublished"))]).toEqual([who, []]);
      expect(all).toEqual(expect.arrayContaining(["On tides and winds", "Winds of the north"]));
      expect(titlesOf(await listed(who, "/api/records", { q: "unpublished" }))).toEqual([]);
    }
    for (const id of [ids.tides, ids.winds]) await call("registered", "DELETE", `/api/records/${id}/draft`);
  });

  test("S3.6.228: of what is being changed the draft is shown, of what gets a new version that one; a draft just saved is in the next list", async () => {
    await call("registered", "POST", `/api/records/${ids.tides}/draft`);
    await call("registered", "PUT", `/api/records/${ids.tides}/draft`, {
      metadata: answerOf("On tides, changed", "2017"),
      files: { enabled: false },
    });
    const list = await listed("registered", "/api/user/records");
    const hit = list.hits.hits.find(({ id }) => id === ids.tides);
    expect(hit).toMatchObject({ is_draft: true, metadata: { title: "On tides, changed" } });
    expect(await found("changed")).toEqual([]);
    // Only the caller's list shows what is not published.
    expect(titlesOf(await listed("registered", "/api/records"))).toContain("On tides and winds");
    await call("registered", "DELETE", `/api/records/${ids.tides}/draft`);
    const version = await call("registered", "POST", `/api/records/${ids.winds}/versions`);
    const { id } = version.json as unknown as Hit;
    const after = await listed("registered", "/api/user/records");
    expect(after.hits.hits.map((each) => each.id)).toContain(id);
    expect(after.hits.hits.map((each) => each.id)).not.toContain(ids.winds);
    expect(titlesOf(await listed(null, "/api/records"))).toContain("Winds of the north");
    await call("registered", "DELETE", `/api/records/${id}/draft`);
    expect((await listed("registered", "/api/user/records")).hits.hits.map((each) => each.id)).toContain(ids.winds);
  });
});

describe("GET /api/records/{id}/versions", () => {
  test("S3.6.229: all versions of a record by any of them, the newest first", async () => {
    for (const id of [ids.first, ids.second]) {
      const list = await listed(null, `/api/records/${id}/versions`);
      const versions = list.hits.hits.map((hit) => [hit.id, hit.versions.index, hit.versions.is_latest].join(" "));
      expect([versions, list.sortBy]).toEqual([[`${ids.second} 2 true`, `${ids.first} 1 false`], "version"]);
      expect(list.aggregations).toBeUndefined();
      expect(await listed(null, `/api/records/${id}/versions`, { q: "versions" })).toMatchObject({
        hits: { total: 2 },
        sortBy: "version",
      });
    }
    expect((await call(null, "GET", `/api/records/${ids.draft}/versions`)).status).toBe(404);
    expect((await call(null, "GET", "/api/records/999999/versions")).status).toBe(404);
    expect((await listed("registered", `/api/records/${ids.draft}/versions`)).hits.total).toBe(0);
  });
});

describe("GET /api/communities/{id}/records", () => {
  test("S3.6.230: the records of a community, by its slug or number; a restricted one tells its people only", async () => {
    const body = { slug: "closed-one", metadata: { title: "Closed" }, access: { visibility: "restricted" } };
    const made = await call("registered", "POST", "/api/communities", body);
    expect([made.status, made.text]).toEqual([201, made.text]);
    const { id } = made.json as unknown as { readonly id: string };
    for (const name of ["closed-one", id]) {
      expect((await call(null, "GET", `/api/communities/${name}/records`)).status).toBe(403);
      expect((await listed("registered", `/api/communities/${name}/records`)).hits.total).toBe(0);
      expect((await listed("admin", `/api/communities/${name}/records`)).hits.total).toBe(0);
      // Not for members of another community either.
      for (const who of ["other", "curator"] as const) {
        expect([who, (await call(who, "GET", `/api/communities/${name}/records`)).status]).toEqual([who, 403]);
      }
    }
  });

  test("S3.6.230: the published records of a community and of what is below it, and no others", async () => {
    const items = itemsOn(world.store, world.time, { arks: false });
    const admin = await world.viewer("admin");
    for (const [title, index] of [
      ["In the community", INDEXES.community],
      ["Below it", INDEXES.below],
      ["Elsewhere", INDEXES.open],
    ] as const) {
      await items.createAndPublish(admin, { content: aContent({ metadata: titled(title), indexes: [index] }) });
    }
    await items.createDraft(admin, {
      content: aContent({ metadata: titled("A draft in it"), indexes: [INDEXES.community] }),
    });
    for (const who of [null, "other", "curator", "admin"] as const) {
      const titles = titlesOf(await listed(who, `/api/communities/${COMMUNITY}/records`));
      expect([who, titles.toSorted()]).toEqual([who, ["Below it", "In the community"]]);
    }
    expect(titlesOf(await listed(null, `/api/communities/${COMMUNITY}/records`, { q: "below" }))).toEqual(["Below it"]);
  });

  test("S3.6.230: a community that is not there is 404", async () => {
    const answer = await call(null, "GET", "/api/communities/nowhere/records");
    const expected = [404, { status: 404, message: "The persistent identifier does not exist." }];
    expect([answer.status, answer.json]).toEqual(expected);
  });
});
