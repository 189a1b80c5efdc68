// Lists of records without HTTP (R1, R2d, R27, R37; specification 3, search_records, my_records,
// list_community_records): what the tool servers ask, and the guide's examples.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GUEST, REPOSITORY_OPERATOR, type Viewer } from "../../src/auth/account.ts";
import type { Access } from "../../src/model/items/item.ts";
import { aggregationsOf, chosenCondition } from "../../src/repository/record-lists/facets.ts";
import { listRequest } from "../../src/repository/record-lists/list-parameters.ts";
import { type RecordLists, recordLists, type ToolSearch } from "../../src/repository/record-lists/record-lists.ts";
import { recordEntries } from "../../src/repository/records/record-reading.ts";
import { relevantFirst } from "../../src/repository/search/query/relevance.ts";
import { aContent, memberOf, titled } from "../support/world/items.ts";
import { searching } from "../support/world/search.ts";
import { setUpWorld } from "../support/world.ts";

let lists: RecordLists;
let withoutWords: RecordLists;
let owner: Viewer;
let closing: () => Promise<void> = async () => {};
const ids: number[] = [];

const OPEN: Access = {
  record: "public",
  openDate: "2000-01-01",
  files: "public",
  embargoUntil: null,
  embargoReason: "",
};

async function publish(title: string, more: { readonly access?: Access; readonly indexes?: readonly number[] } = {}) {
  const { access = OPEN, indexes = [] } = more;
  const content = aContent({ metadata: titled(title, { publicationDate: "2017-05-01" }), access, indexes });
  const { item } = await world.items.createAndPublish(REPOSITORY_OPERATOR, { content, owner: owner.account?.id ?? 0 });
  ids.push(item.id);
  return item.id;
}

const world = setUpWorld({ items: { arks: false } });
beforeAll(async () => {
  owner = await world.person([3]);
  const { store, time } = world;
  const clock = { now: () => time.now };
  await publish("Tides and winds");
  await publish("Winds of the north", { indexes: [1] });
  await publish("Secret winds", { access: { ...OPEN, record: "restricted" } });
  await world.items.createDraft(owner, {
    content: aContent({ metadata: titled("Draft winds") }),
    owner: owner.account?.id ?? 0,
  });
  const search = await searching(world);
  const finder = relevantFirst(search.finder);
  const entriesOf = recordEntries({ clock });
  // Only lists of versions read a record, which tools ask by another way.
  const unread = () => Promise.reject(new RangeError("No record is read"));
  const needs = { store, finder, records: { read: unread, readDraft: unread }, entriesOf, today: () => "2026-11-22" };
  lists = recordLists(needs);
  withoutWords = recordLists({ ...needs, finder: { ...finder, wordsOf: async () => null } });
  closing = () => search.close();
});
afterAll(() => closing());

const titlesOf = async (viewer: Viewer, asked: ToolSearch) => {
  const found = await lists.searchRecords(viewer, asked);
  return found.views.map(({ content }) => content.metadata.titles[0]?.value);
};

describe("the tools search as their caller", () => {
  test("S3.6.235: guests find what is public, owners their drafts and restricted records, curators what is in their community", async () => {
    expect((await titlesOf(GUEST, { q: "winds" })).sort()).toEqual(["Tides and winds", "Winds of the north"]);
    const found = await lists.searchRecords(owner, { q: "winds", sort: "oldest" });
    expect(found.views.map(({ content, draft }) => [content.metadata.titles[0]?.value, draft !== null])).toEqual([
      ["Tides and winds", false],
      ["Winds of the north", false],
      ["Secret winds", false],
      ["Draft winds", true],
    ]);
    const curator = await world.person([3], { memberships: [memberOf(world, "curator")] } as Partial<Viewer>);
    expect(await titlesOf(curator, { community: world.community })).toEqual(["Winds of the north"]);
    expect(await titlesOf(await world.person([3]), { mine: true })).toEqual([]);
    expect((await titlesOf(owner, { mine: true })).length).toBe(4);
  });

  test("S3.6.235: an open edit is found and shown by nobody, but in the owner's own list; drafts of others are found by nobody", async () => {
    const [tides = 0, north = 0] = ids;
    for (const id of [tides, north]) {
      const metadata = titled(`Hurricane ${id}`, { publicationDate: "2017-05-01" });
      await world.items.saveDraft(owner, id, { content: aContent({ metadata, access: OPEN }) });
    }
    const other = await world.person([3]);
    const curator = await world.person([3], { memberships: [memberOf(world, "curator")] } as Partial<Viewer>);
    for (const viewer of [GUEST, other, curator, owner]) {
      expect(await titlesOf(viewer, { q: "hurricane" })).toEqual([]);
      const shown = await titlesOf(viewer, { q: "winds" });
      expect(shown).toEqual(expect.arrayContaining(["Tides and winds", "Winds of the north"]));
      expect(shown.includes("Draft winds")).toBe(viewer === owner);
      expect(shown.includes("Secret winds")).toBe(viewer === owner);
    }
    expect(await titlesOf(owner, { community: world.community })).toEqual(["Winds of the north"]);
    expect((await titlesOf(owner, { mine: true })).sort()).toEqual(
      ["Draft winds", `Hurricane ${tides}`, `Hurricane ${north}`, "Secret winds"].sort(),
    );
    for (const id of [tides, north]) await world.items.discardDraft(owner, id);
  });

  test("S3.6.235: the order, the page, the effective query and its mode are reported", async () => {
    const first = await lists.searchRecords(owner, { size: 2 });
    expect([
      first.total,
      first.views.length,
      first.sort,
      first.page,
      first.nextPage,
      first.mode,
      first.effective,
    ]).toEqual([...[4, 2, "newest", 1, 2, "lucene", ""]]);
    const last = await lists.searchRecords(owner, { size: 2, page: 2 });
    expect([last.views.length, last.nextPage]).toEqual([2, null]);
    const words = await lists.searchRecords(GUEST, { q: "(winds" });
    expect([words.mode, words.effective, words.sort, words.total]).toEqual(["words", "\\(winds", "bestmatch", 2]);
    expect(lists.searchRecords(GUEST, { sort: "nothing" })).rejects.toThrow("Invalid querystring parameters.");
    expect(lists.searchRecords(GUEST, { size: 0 })).rejects.toThrow("Invalid querystring parameters.");
    expect(lists.searchRecords(GUEST, { community: "nowhere" })).rejects.toThrow(
      "The persistent identifier does not exist.",
    );
  });

  test("S3.6.222: an engine that lists no words is asked for words, and the answer reports it", async () => {
    const { mode, total } = await withoutWords.searchRecords(GUEST, { q: "w?nds north" });
    expect([mode, total]).toEqual(["words", 1]);
    expect((await withoutWords.searchRecords(GUEST, { q: "win*" })).mode).toBe("lucene");
  });

  test("S3.6.221: every query of the guide is one, and finds what the guide promises", async () => {
    const guide = readFileSync(join(import.meta.dirname, "../../docs/record-search.md"), "utf8");
    const table = guide.split("| written | finds |")[1]?.split("\n\n")[0] ?? "";
    const written = table
      .split("\n")
      .flatMap((line) =>
        [...(line.split(/(?<!\\)\|(?= finds|.*\|$)/)[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, one]) => one ?? ""),
      );
    expect(written.length).toBeGreaterThan(15);
    for (const q of written) expect([q, (await lists.searchRecords(GUEST, { q })).mode]).toEqual([q, "lucene"]);
    const found: Readonly<Record<string, number>> = {
      ...{
        "tides winds": 2,
        "tides AND winds": 1,
        "winds NOT tides": 1,
        "winds -tides": 1,
        "(tides OR winds) AND north": 1,
      },
      ...{
        '"winds of the north"': 1,
        '"north winds"~5': 1,
        "metadata.title:tides": 1,
        "tid*": 1,
        "t?des": 1,
        "*orth": 1,
      },
      ...{ "/t[ij]des?/": 1, "tidse~": 1, "_exists_:metadata.funding": 0, "*:*": 2 },
      ...{ "metadata.publication_date:[2017 TO 2019}": 2, "metadata.title:(tides AND winds)": 1 },
    };
    for (const [q, total] of Object.entries(found)) {
      expect(written).toContain(q);
      expect([q, (await lists.searchRecords(GUEST, { q })).total]).toEqual([q, total]);
    }
  });
});

describe("borders of lists and facets", () => {
  const counted = (of: readonly (readonly [string, number])[]) =>
    of.map(([label, count]) => ({ key: label, label, count }));
  const bucketsOf = (name: "subject" | "publication_date", counts: ReturnType<typeof counted>) =>
    aggregationsOf([name], [counts], new Map([[name, ["s02"]]]), () => undefined)[name]?.buckets ?? [];

  test("S3.6.224: the ten most frequent values are shown, equal ones by their letters, and the chosen one is marked", () => {
    const values = Array.from({ length: 12 }, (_, at) => [`s${String(at).padStart(2, "0")}`, at < 3 ? 1 : 2] as const);
    const shown = bucketsOf("subject", counted(values.toReversed()));
    expect(shown.map(({ key, doc_count, is_selected }) => `${key} ${doc_count}${is_selected ? "!" : ""}`)).toEqual([
      ...["s03 2", "s04 2", "s05 2", "s06 2", "s07 2", "s08 2", "s09 2", "s10 2", "s11 2", "s00 1"],
    ]);
    expect(bucketsOf("subject", counted(values.slice(0, 3))).map(({ is_selected }) => is_selected)).toEqual([
      ...[false, false, true],
    ]);
  });

  test("S3.6.224: years without records are counted as 0 where the years are 500 at most, and no years are none", () => {
    const years = (...of: readonly string[]) =>
      bucketsOf("publication_date", counted(of.map((year) => [year, 3]))).map(({ key, doc_count }) => [key, doc_count]);
    expect(years("2003", "2001")).toEqual([
      ["2001", 3],
      ["2002", 0],
      ["2003", 3],
    ]);
    expect([years("1500", "1999").length, years("1500", "2000").length]).toEqual([500, 2]);
    expect(years("0868")).toEqual([["0868", 3]]);
    expect(years()).toEqual([]);
  });

  test("S3.6.226: the first 100 chosen values are read, pages end with the 10,000th hit, and every wrong parameter is named", () => {
    const defaults = { withQuery: "bestmatch", without: "newest" } as const;
    const read = (text: string) => listRequest(new URLSearchParams(text), defaults);
    const many = Array.from({ length: 101 }, (_, at) => `subject=s${at}`).join("&");
    const { chosen } = read(`language=&nosuch=x&${many}`);
    expect([...chosen.keys()]).toEqual(["subject"]);
    expect(chosen.get("subject")).toEqual(Array.from({ length: 100 }, (_, at) => `s${at}`));
    expect([...read("f=language:eng&language=jpn&f=resource_type:a+inner:b&f=nothing").chosen]).toEqual([
      ["language", ["eng", "jpn"]],
      ["resource_type", ["a::b"]],
    ]);
    expect([read("page=100&size=100").page, read("size=10000").size, read("").size]).toEqual([100, 10_000, 25]);
    for (const text of ["page=10001&size=1", "size=10001", "page=2&size=5001", "page=-1", "size=0", "allversions="]) {
      expect(() => read(text)).toThrow("Invalid querystring parameters.");
    }
    expect([read("allversions=T").allVersions, read("allversions=off").allVersions]).toEqual([true, false]);
    expect([read("shared_with_me=1").sharedWithMe, read("shared_with_me=no").sharedWithMe]).toEqual([true, false]);
    expect(read("").sharedWithMe).toBeNull();
    expect([read("sort=&q=x").sort, read("sort=&q=%20").sort]).toEqual(["bestmatch", "newest"]);
  });

  test("S3.6.224: a facet that a list does not have is not a condition, and several are joined by AND", () => {
    const chosen = new Map([
      ["language", ["eng", "jpn"]],
      ["is_published", ["true"]],
    ] as const);
    expect(chosenCondition(chosen, ["subject"])).toBeNull();
    expect(chosenCondition(chosen, ["language"])).toMatchObject({ kind: "key", field: "rflanguage" });
    expect(chosenCondition(chosen, ["language", "is_published"])).toMatchObject({
      kind: "and",
      of: [{ field: "rflanguage" }, { field: "rfpublished" }],
    });
  });

  test("S3.6.225: a page that is followed by another one names it, and the last one does not", async () => {
    const next = async (size: number, page: number) =>
      (await lists.searchRecords(GUEST, { q: "winds", size, page })).nextPage;
    expect([await next(1, 1), await next(1, 2), await next(2, 1), await next(1, 3)]).toEqual([2, null, null, null]);
  });
});

test("S3.6.231 the label of an identifier is not the name of a field, a misspelt name is", async () => {
  for (const q of [
    "DOI: 10.5072/none",
    "ISBN-13: 978 4 00 310101 8",
    "isbn:9784003101018",
    "<https://doi.org/10.5072/x>",
  ]) {
    expect([q, await titlesOf(GUEST, { q })]).toEqual([q, []]);
  }
  await expect(titlesOf(GUEST, { q: "tittle:2019" })).rejects.toThrow();
});

test("R27e alternatives next to each other are found where a record has them as one word", async () => {
  await publish("Deepwater currents");
  expect(await titlesOf(GUEST, { q: "deep water" })).toEqual(["Deepwater currents"]);
  expect(await titlesOf(GUEST, { q: "+deep +water" })).toEqual([]);
});
