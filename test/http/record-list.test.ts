// Lists of search hits over HTTP (specification 3, "POST /api/{version}/records/list"; R1, R2d, R9, R10, R29, R34),
// with items as people deposit them.
import { beforeAll, describe, expect, test } from "bun:test";
import type { ItemContent } from "../../src/model/items/item.ts";
import { onPostgres } from "../support/databases.ts";
import { eventually } from "../support/eventually.ts";
import { aContent, titled } from "../support/world/items.ts";
import { type Answer, INDEXES, RESOLVER_URL, type Who } from "../support/world/repository.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

/** Since a test began to count. */
const statements: string[] = [];
const world = setUpWorld({ repository: { onStatement: (text) => statements.push(text) } });
beforeAll(async () => {
  // The index is opened in parallel with the server.
  await eventually("lists are answered", async () => (await list("q=x")).status === 200);
});

type Asked = {
  readonly who?: Who;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};
const TITLE = { name: { en: "Title", ja: "タイトル" }, roCrateKey: "name" };
const list = (query: string, { who = null, body = [TITLE], headers = {} }: Asked = {}): Promise<Answer> =>
  world.ask(who, "POST", `/api/v1/records/list${query === "" ? "" : `?${query}`}`, {
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
/** The lines behind the headings. */
const rowsOf = ({ text }: Answer): readonly string[] => text.split("\n").slice(1, -1);

async function published(title: string, fields: Partial<ItemContent> = {}): Promise<number> {
  const viewer = await world.viewer("registered");
  const content = aContent({ metadata: titled(title), indexes: [INDEXES.open], ...fields });
  return (await world.items.createAndPublish(viewer, { content })).item.id;
}

describe("POST /api/{version}/records/list", () => {
  test("S3.3.4 S3.3.9 R29 guests get a table as an attachment: headings, then a line a hit, newest first", async () => {
    await published("Herons of Uji");
    await published("Herons of Nara");
    const answer = await list("q=herons", { body: [TITLE, { name: { en: "Creator" }, roCrateKey: "creator" }] });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/tab-separated-values; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="search_result.tsv"');
    expect(answer.text).toBe("Title\tCreator\nHerons of Nara\tDoe, Ada\nHerons of Uji\tDoe, Ada\n");
  });

  test("S3.3.4 R29 without a hit: 200 with the line of headings alone", async () => {
    const answer = await list("q=nothinglikethis");
    expect([answer.status, answer.text]).toEqual([200, "Title\n"]);
  });

  test("S3.3.4 R29 the column of identifiers has the address of each item's ARK", async () => {
    const ids = [await published("Stork of Sado"), await published("Stork of Toyama")];
    const arks = await Promise.all(ids.map(async (id) => `${RESOLVER_URL}/ark:${(await world.item(id)).ark}`));
    const answer = await list("q=stork&sort=wtl", { body: [TITLE, { name: { en: "Id" }, roCrateKey: "identifier" }] });
    expect(rowsOf(answer)).toEqual([`Stork of Sado\t${arks[0]}`, `Stork of Toyama\t${arks[1]}`]);
    expect(arks).not.toContain(`${RESOLVER_URL}/ark:null`);
  });

  test("S3.3.5 the same parameters narrow and sort as those of item search", async () => {
    await published("Cranes A");
    await published("Cranes B");
    await published("Cranes C", { metadata: titled("Cranes C", { languages: ["jpn"] }) });
    expect(rowsOf(await list("q=cranes&sort=wtl"))).toEqual(["Cranes A", "Cranes B", "Cranes C"]);
    expect(rowsOf(await list("q=cranes&sort=-wtl"))).toEqual(["Cranes C", "Cranes B", "Cranes A"]);
    expect(rowsOf(await list("title=cranes&lang=jpn"))).toEqual(["Cranes C"]);
    expect(rowsOf(await list("q=cranes&search_type=1&title=A"))).toEqual(["Cranes A"]);
    expect(rowsOf(await list(`q=cranes&iid=${INDEXES.closed}`))).toEqual([]);
    expect(rowsOf(await list("q=cranes&Language=jpn"))).toEqual(["Cranes C"]);
  });

  test("R2h by an index that the caller may not see nothing is found, in the list and in item search", async () => {
    await published("Spoonbills in two places", { indexes: [INDEXES.open, INDEXES.hidden] });
    const both = async (query: string) => {
      const { text } = await world.ask(null, "GET", `/api/v1/records?${query}`);
      return [rowsOf(await list(query)).length, JSON.parse(text).total_results];
    };
    expect(await both(`q=spoonbills&iid=${INDEXES.open}`)).toEqual([1, 1]);
    expect(await both(`q=spoonbills&iid=${INDEXES.hidden}`)).toEqual([0, 0]);
  });

  test("S3.3.6 R10 page, cursor and size are not used, whatever their values: all hits are there, page after page", async () => {
    const titles = Array.from({ length: 230 }, (_, at) => `Sparrow ${at}`);
    for (const title of titles) await published(title);
    for (const pages of ["", "&page=2&size=5", "&cursor=nonsense", "&page=-1&size=999999999", "&size=x"]) {
      const rows = rowsOf(await list(`q=sparrow${pages}`));
      expect([pages, rows.length]).toEqual([pages, titles.length]);
      expect(rows.toReversed()).toEqual(titles);
    }
  });

  test("R29 a hit costs no additional statement: hits are found, checked and read together", async () => {
    const counted = async (query: string) => {
      await list(query);
      statements.length = 0;
      const { length } = rowsOf(await list(query));
      return { hits: length, statements: statements.length };
    };
    for (let at = 0; at < 20; at++) await published(`Plover ${at}`);
    const few = await counted("q=plover&title=7");
    const many = await counted("q=plover");
    expect([few.hits, many.hits]).toEqual([1, 20]);
    expect(many.statements - few.statements).toBeLessThanOrEqual(2);
    expect(many.statements).toBeLessThanOrEqual(20);
    const pages = await counted("q=sparrow");
    expect(pages.hits).toBe(230);
    expect(pages.statements - few.statements).toBeLessThanOrEqual(Math.ceil(pages.hits / 25) * 2 + 10);
  });

  test("S3.3.8 headings come in the language asked for, in English where none is", async () => {
    expect((await list("q=nothing", { headers: { "accept-language": "ja,en;q=0.8" } })).text).toBe("タイトル\n");
    expect((await list("q=nothing", { headers: { "accept-language": "fr" } })).text).toBe("Title\n");
  });

  test("S3.3.9 R2d a caller's list has what the caller may read, and nothing else", async () => {
    const restricted = { ...aContent().access, record: "restricted" as const };
    await published("Egret open");
    await published("Egret closed", { access: restricted });
    await published("Egret hidden", { indexes: [INDEXES.hidden] });
    expect(rowsOf(await list("q=egret"))).toEqual(["Egret open"]);
    expect(rowsOf(await list("q=egret", { who: "other" }))).toEqual(["Egret open"]);
    const all = ["Egret hidden", "Egret closed", "Egret open"];
    expect(rowsOf(await list("q=egret", { who: "registered" }))).toEqual(all);
    expect(rowsOf(await list("q=egret", { who: "admin" }))).toEqual(all);
  });

  test("S3.3.9 a token needs the scope item:read; one that is none is 401", async () => {
    expect((await list("", { who: await world.token("registered", ["deposit:write"]) })).status).toBe(403);
    expect((await list("q=x", { who: await world.token("registered", ["item:read"]) })).status).toBe(200);
    expect((await list("", { who: { token: "svc_nobody_00000000000000000000" } })).status).toBe(401);
  });

  test("S3.3.10 R9 too many requests are 429 with Retry-After; another version is 400, another method 405", async () => {
    const narrow = world.under({ SVC_RATE_PER_MINUTE: "1" });
    const body = { headers: { "content-type": "application/json" }, body: JSON.stringify([TITLE]) };
    await narrow.ask(null, "POST", "/api/v1/records/list?q=x", body);
    const late = await narrow.ask(null, "POST", "/api/v1/records/list?q=x", body);
    expect([late.status, late.json.code, late.headers.has("retry-after")]).toEqual([429, 429, true]);
    const other = await world.ask(null, "POST", "/api/v2/records/list", body);
    expect([other.status, other.json.message]).toEqual([400, "This API version does not found"]);
    expect((await world.ask(null, "PUT", "/api/v1/records/list", body)).json.code).toBe(405);
  });

  test.each<readonly [string, unknown]>([
    ["nothing", ""],
    ["no JSON", "{"],
    ["an object", {}],
    ["no column", []],
    ["a column that is none", [7]],
    ["10,000 columns", Array(10_000).fill(TITLE)],
    ["a long name", [{ ...TITLE, name: { en: "x".repeat(100_000) } }]],
    ["a deep body", "[".repeat(100_000)],
    ["a deep column", `[{"name":{"en":"x"},"roCrateKey":"x","more":${"[".repeat(50)}${"]".repeat(50)}}]`],
    ["half a character", '[{"name":{"en":"\\ud800"},"roCrateKey":"name"}]'],
  ])("S3.3.11 R9 a body that is %s is 400 with code, message and status", async (_what, body) => {
    const answer = await list("q=x", { body });
    expect([answer.status, answer.json.code, answer.json.status]).toEqual([400, 400, 400]);
    expect(typeof answer.json.message).toBe("string");
  });

  test.each([
    "q=(",
    "q=%00",
    "q=%F0%9F",
    "sort=;;",
    "iid=x",
    "q=%22",
    "q=OR",
    "lang=__proto__",
    "title=%ED%A0%80",
    "q=a".repeat(50),
  ])("S3.3.5 R9 odd parameters (%s) are answered or refused, never with 5xx", async (query) => {
    expect([200, 400]).toContain((await list(query)).status);
  });
});

describe("Conditional requests for a list", () => {
  test("S3.3.7 R29 the ETag holds as long as nothing changes; a client that has it gets 304", async () => {
    const id = await published("Ibis one");
    const first = await list("q=ibis");
    const etag = first.headers.get("etag") ?? "";
    const again = await list("q=ibis", { headers: { "if-none-match": `"other", W/${etag}` } });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    for (const other of ["q=stork&sort=wtl", "q=heron", "title=ibis"]) {
      expect((await list(other, { headers: { "if-none-match": etag } })).status).toBe(200);
    }
    const conditions = { "if-none-match": etag };
    expect((await list("q=ibis", { headers: conditions, who: "registered" })).status).toBe(200);
    expect((await list("q=ibis", { headers: { ...conditions, "accept-language": "ja" } })).status).toBe(200);
    const columns = [{ ...TITLE, roCrateKey: "creator" }];
    expect((await list("q=ibis", { headers: conditions, body: columns })).status).toBe(200);
    const renamed = [{ ...TITLE, name: { ...TITLE.name, en: "Name" } }];
    const other = await list("q=ibis", { headers: conditions, body: renamed });
    expect([other.status, other.text]).toEqual([200, "Name\nIbis one\n"]);
    await world.items.setPublic(await world.viewer("registered"), id, false);
    const hidden = await list("q=ibis", { headers: conditions });
    expect([hidden.status, rowsOf(hidden)]).toEqual([200, []]);
  });

  test("S3.3.7 R2d a day that has passed is a change: a record opens without one", async () => {
    const tomorrow = new Date(Date.parse(world.time.now) + 86_400_000).toISOString();
    await published("Jackdaw", { access: { ...aContent().access, openDate: tomorrow.slice(0, 10) } });
    const before = await list("q=jackdaw");
    expect(rowsOf(before)).toEqual([]);
    const today = world.time.now;
    world.time.now = tomorrow;
    const after = await list("q=jackdaw", { headers: { "if-none-match": before.headers.get("etag") ?? "" } });
    world.time.now = today;
    expect([after.status, rowsOf(after)]).toEqual([200, ["Jackdaw"]]);
  });

  test("S3.3.7 R29 what the reader may do and how item types are shown are part of the ETag", async () => {
    const first = await list("q=ibis", { who: "other" });
    const conditions = { "if-none-match": first.headers.get("etag") ?? "" };
    expect((await list("q=ibis", { who: "other", headers: conditions })).status).toBe(304);
    const { account } = world.people.other;
    await world.store.transact((tx) => tx.accounts.saveAccount({ ...account, roles: [...account.roles, 1] }));
    expect((await list("q=ibis", { who: "other", headers: conditions })).status).toBe(200);
    await world.store.transact((tx) => tx.accounts.saveAccount(account));
    expect((await list("q=ibis", { who: "other", headers: conditions })).status).toBe(304);
    const groups = [{ key: "note", label: { en: "Note" }, kind: "text" }];
    const definition = { format: "arkstone-item-type-1", name: { en: "Notes" }, groups };
    const made = { id: 0, name: { en: "Notes", ja: "Notes" }, deleted: false, definition };
    await world.store.transact((tx) => tx.settings.saveItemType(made, world.time.now));
    expect((await list("q=ibis", { who: "other", headers: conditions })).status).toBe(200);
  });

  test("S3.3.7 Last-Modified is the last change, and of the days after it midnight", async () => {
    const start = world.time.now;
    await published("Ibis two");
    const changed = Date.parse((await world.store.changes.changedAt()) ?? "");
    const modified = async (now: number) => {
      world.time.now = new Date(now).toISOString();
      const { headers } = await list("q=ibis");
      world.time.now = start;
      return Date.parse(headers.get("last-modified") ?? "");
    };
    expect(await modified(changed)).toBe(Math.floor(changed / 1_000) * 1_000);
    const day = 86_400_000;
    expect(await modified(changed + 2 * day)).toBe(Math.floor((changed + 2 * day) / day) * day);
  });

  test("S3.3.7 Last-Modified is when something changed last; If-Modified-Since counts where there is no If-None-Match", async () => {
    const first = await list("q=ibis");
    const at = first.headers.get("last-modified") ?? "";
    expect(new Date(at).toUTCString()).toBe(at);
    expect((await list("q=ibis", { headers: { "if-modified-since": at } })).status).toBe(304);
    expect((await list("q=ibis", { headers: { "if-modified-since": "Thu, 01 Jan 2015 00:00:00 GMT" } })).status).toBe(
      200,
    );
    expect((await list("q=ibis", { headers: { "if-modified-since": "yesterday" } })).status).toBe(200);
    const both = { "if-modified-since": at, "if-none-match": '"other"' };
    expect((await list("q=ibis", { headers: both })).status).toBe(200);
  });
});

onPostgres("the list", (database) => {
  test("S3.3.7 R29 the ETag holds too until something changes", async () => {
    const other = await openWorld({ repository: true, database });
    const listed = (headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
      const json = { "content-type": "application/json", ...headers };
      return other.ask(null, "POST", "/api/v1/records/list?q=ibis", { headers: json, body: JSON.stringify([TITLE]) });
    };
    await eventually("lists are answered", async () => (await listed()).status === 200);
    const owner = await other.viewer("registered");
    const { item } = await other.items.createAndPublish(owner, { content: aContent({ metadata: titled("Ibis") }) });
    const { headers, text } = await listed();
    expect(text).toBe("Title\nIbis\n");
    const etag = { "if-none-match": headers.get("etag") ?? "" };
    expect((await listed(etag)).status).toBe(304);
    await other.items.remove(await other.viewer("system"), item.id);
    const after = await listed(etag);
    expect([after.status, after.text]).toEqual([200, "Title\n"]);
  });
});
