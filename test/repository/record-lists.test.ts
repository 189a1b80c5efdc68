// Lists of records without HTTP (R1, R2d, R27, R37; specification 3, search_records, my_records, list_community_records): what the tool servers ask, and
// the guide's examples.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GUEST, REPOSITORY_OPERATOR, type Viewer } from "../../src/auth/account.ts";
import type { Access } from "../../src/repository/model/item.ts";
import { type RecordLists, recordLists, type ToolSearch } from "../../src/repository/record-lists/record-lists.ts";
import { recordEntries } from "../../src/repository/records/record-entries.ts";
import { relevantFirst } from "../../src/repository/search/relevance.ts";
import { aContent, itemsWorld, memberOf, titled, type World } from "../support/items-world.ts";
import { searching } from "../support/search-world.ts";

let world: World;
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

beforeAll(async () => {
  world = await itemsWorld({ arks: false });
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
  closing = async () => {
    await search.close();
    await world.close();
  };
});
afterAll(() => closing());

const titlesOf = async (viewer: Viewer, asked: ToolSearch) => {
  const found = await lists.searchRecords(viewer, asked);
  return found.views.map(({ content }) => content.metadata.titles[0]?.value);
};

describe("the tools search as their caller", () => {
  test("S3.6.235: guests find what is public, an owner his drafts and what he restricted, a curator what is in his community", async () => {
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

  test("S3.6.235: the order, the page, the effective query and its mode are told", async () => {
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

  test("S3.6.222: an engine that lists no words is asked for words, and the answer says so", async () => {
    const { mode, total } = await withoutWords.searchRecords(GUEST, { q: "w?nds north" });
    expect([mode, total]).toEqual(["words", 1]);
    expect((await withoutWords.searchRecords(GUEST, { q: "win*" })).mode).toBe("lucene");
  });

  test("S3.6.221: every query of the guide is one, and finds what it says", async () => {
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
