// Finding items (R1, R10, R28, R34): what was committed is found at once, pages and cursors, and nobody is shown what
// was hidden.
import { afterEach, describe, expect, test } from "bun:test";
import { GUEST, REPOSITORY_OPERATOR } from "../../../src/auth/account.ts";
import { FIELDS } from "../../../src/repository/search/document/document.ts";
import { numberKey } from "../../../src/repository/search/document/keys.ts";
import { KEYS, SORTS } from "../../../src/repository/search/settings/search-schema.ts";
import type { RepositoryStore } from "../../../src/repository/store/store.ts";
import { isRefusal } from "../../../src/shared/refusal.ts";
import { eventually } from "../../support/eventually.ts";
import { openNaiveIndex } from "../../support/naive-index.ts";
import { aContent, aFile, titled } from "../../support/world/items.ts";
import { asked, searching, words } from "../../support/world/search.ts";
import { openWorld } from "../../support/world.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const WHO = REPOSITORY_OPERATOR;

async function started(change: (store: RepositoryStore) => RepositoryStore = (store) => store) {
  const world = await openWorld({ items: { arks: false } });
  const owner = await world.person([3]);
  const search = await searching({ ...world, store: change(world.store) });
  closing.push(world.close, search.close);
  const publish = async (title: string, more: Parameters<typeof aContent>[0] = {}): Promise<number> => {
    const content = aContent({ metadata: titled(title), ...more });
    const { item } = await world.items.createAndPublish(WHO, { content, owner: owner.account?.id ?? 0 });
    return item.id;
  };
  return { ...world, ...search, owner, publish };
}

const refused = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    if (isRefusal(error, "invalid", "unavailable")) return `${error.kind}: ${error.message}`;
    throw error;
  }
  return "nothing was refused";
};

describe("R34 what was committed is found at once", () => {
  test("R34 published, revised, withdrawn, restored, in another version", async () => {
    const { items, publish, ids, store } = await started();
    expect(await ids(GUEST)).toEqual([]);
    const id = await publish("Tides of the North Sea");
    expect(await ids(GUEST, { where: words("tides sea") })).toEqual([id]);
    expect(await ids(GUEST, { where: words("tides lake") })).toEqual([]);
    await items.revise(WHO, id, { content: aContent({ metadata: titled("図書館のデータベース") }) });
    expect(await ids(GUEST, { where: words("tides") })).toEqual([]);
    expect(await ids(GUEST, { where: words("書館 データベース") })).toEqual([id]);
    await items.remove(WHO, id);
    expect(await ids(GUEST)).toEqual([]);
    await items.restore(WHO, id);
    expect(await ids(GUEST)).toEqual([id]);
    const { item } = await items.newVersion(WHO, id, { content: aContent({ metadata: titled("Second") }) });
    expect(await ids(GUEST)).toEqual([item.id]);
    expect(await ids(GUEST, { standing: "all" })).toEqual([item.id, id]);
    const parent = (await store.items.item(id))?.parentId ?? 0;
    const byParent = { kind: "key", field: KEYS.number, anyOf: [numberKey(parent)] } as const;
    expect(await ids(GUEST, { where: byParent, standing: "all" })).toEqual([item.id, id]);
  });

  test("R34 drafts by those who may read them alone, and only when they are asked for", async () => {
    const { items, ids, owner } = await started();
    const { item } = await items.createDraft(owner, { content: aContent({ metadata: titled("Unfinished work") }) });
    expect(await ids(owner)).toEqual([]);
    expect(await ids(owner, { standing: "drafts", where: words("unfinished") })).toEqual([item.id]);
    expect(await ids(WHO, { standing: "latest-and-drafts" })).toEqual([item.id]);
    expect(await ids(GUEST, { standing: "latest-and-drafts" })).toEqual([]);
    await items.discardDraft(owner, item.id);
    expect(await ids(owner, { standing: "drafts" })).toEqual([]);
  });

  test("R34 R2d an index that others may browse is as good as a change of all that is in and below it", async () => {
    const { publish, ids, store } = await started();
    const inside = await publish("Inside", { indexes: [11] });
    const outside = await publish("Outside", { indexes: [2] });
    const set = (publicState: boolean) =>
      store.transact(async (tx) => {
        const index = await tx.indexes.index(1);
        if (index !== null) await tx.indexes.updateIndex({ ...index, publicState });
        await tx.indexes.raiseTreeRevision();
      });
    const under = { kind: "key", field: FIELDS.under, anyOf: ["1"] } as const;
    expect(await ids(GUEST)).toEqual([outside, inside]);
    expect(await ids(GUEST, { where: under })).toEqual([inside]);
    await set(false);
    expect(await ids(GUEST)).toEqual([outside]);
    expect(await ids(WHO, { where: under })).toEqual([inside]);
    await set(true);
    expect(await ids(GUEST)).toEqual([outside, inside]);
  });

  test("R34 R2d an embargo and an opening day end at midnight without anything being written", async () => {
    const { publish, ids, time, store } = await started();
    time.now = "2026-11-20T23:59:59.000Z";
    const access = {
      record: "public",
      openDate: "2026-11-21",
      files: "public",
      embargoUntil: null,
      embargoReason: "",
    } as const;
    const opening = await publish("Opening", { access });
    const closed = await publish("Embargoed", {
      access: { ...access, record: "restricted", openDate: "2026-01-01", embargoUntil: "2026-11-22" },
    });
    expect(await ids(GUEST)).toEqual([]);
    const head = await store.changes.head();
    time.now = "2026-11-21T00:00:00.000Z";
    expect(await ids(GUEST)).toEqual([opening]);
    time.now = "2026-11-22T00:00:00.000Z";
    expect(await ids(GUEST)).toEqual([closed, opening]);
    expect(await store.changes.head()).toBe(head);
  });

  test("R34 days that have come leave no keys behind: an index knows few of them however long it follows", async () => {
    const { publish, ids, time, follower, owner, store } = await started();
    const sha256 = "ab".repeat(32);
    for (let day = 10; day < 30; day += 1) {
      const openDate = `2027-01-${day}`;
      const files = [aFile("a.txt", { sha256, access: "date", accessDate: openDate })];
      await publish("Opening", { access: { ...aContent().access, openDate }, files });
    }
    const extraction = { sha256, state: "done", reason: "", reader: 1, text: "word" } as const;
    await store.transact((tx) => tx.fullText.saveText({ ...extraction, at: time.now }));
    const keys = async (): Promise<readonly number[]> => {
      const { index } = follower.answering();
      const known = [FIELDS.visibility, FIELDS.fileClasses].map((field) => index.keysOf(field, "", 1_000));
      return (await Promise.all(known)).map(({ length }) => length);
    };
    expect(await ids(owner)).toHaveLength(20);
    // Whose each is, the days, and the class of the privileged.
    expect(await keys()).toEqual([21, 21]);
    time.now = "2027-01-24T12:00:00.000Z";
    expect(await ids(GUEST)).toHaveLength(15);
    await eventually("the days are gone", async () => (await keys()).join() === "7,7");
    expect(await ids(GUEST)).toHaveLength(15);
    expect(await ids(GUEST, { where: words("word", FIELDS.files) })).toHaveLength(15);
  });

  test("R35 words of files are found by those who may read the file now", async () => {
    const { publish, ids, time, store, owner } = await started();
    const sha256 = "ab".repeat(32);
    const files = [aFile("a.pdf", { sha256, access: "date", accessDate: "2027-01-01" })];
    const id = await publish("Report", { files });
    await store.transact((tx) =>
      tx.fullText.saveText({ sha256, state: "done", reason: "", reader: 1, at: time.now, text: "secret 量子計算" }),
    );
    const where = words("子計", FIELDS.files);
    expect(await ids(GUEST, { where })).toEqual([]);
    expect(await ids(owner, { where })).toEqual([id]);
    time.now = "2027-01-01T00:00:00.000Z";
    expect(await ids(GUEST, { where })).toEqual([id]);
  });
});

describe("R34 hiding never waits for the index", () => {
  test("R34 a hit that was hidden since is left out, the total is less by as many, and the page is filled from behind", async () => {
    let isSilent = false;
    // What another process commits while this one has not heard of it yet.
    const { items, publish, find } = await started((store) => {
      let last = "";
      const head = async (): Promise<string> => {
        if (!isSilent) last = await store.changes.head();
        return last;
      };
      return { ...store, changes: { ...store.changes, head } };
    });
    const ids: number[] = [];
    for (let at = 0; at < 12; at += 1) ids.push(await publish(`Thing ${at}`));
    const newest = ids.toReversed();
    expect((await find(GUEST)).total).toBe(12);
    isSilent = true;
    for (const id of newest.slice(0, 3)) await items.remove(WHO, id);
    await items.setPublic(WHO, newest[4] ?? 0, false);
    const page = await find(GUEST, { page: { number: 1, size: 5 } });
    expect(page.items.map(({ item }) => item.id)).toEqual([3, 5, 6, 7, 8].map((at) => newest[at] ?? 0));
    expect(page.total).toBe(8);
    const rest = await find(GUEST, { page: { cursor: page.next ?? "", size: 100 } });
    expect(rest.items.map(({ item }) => item.id)).toEqual(newest.slice(9));
    expect(rest.next).toBe(null);
  });

  test("R34 a page is filled however many were hidden before it", async () => {
    let isSilent = false;
    const { items, publish, find } = await started((store) => {
      let last = "";
      const head = async (): Promise<string> => {
        if (!isSilent) last = await store.changes.head();
        return last;
      };
      return { ...store, changes: { ...store.changes, head } };
    });
    const first = await publish("The first");
    const others: number[] = [];
    for (let at = 0; at < 40; at += 1) others.push(await publish(`Thing ${at}`));
    expect((await find(GUEST)).total).toBe(41);
    isSilent = true;
    for (const id of others) await items.remove(WHO, id);
    const page = await find(GUEST, { page: { number: 1, size: 1 } });
    expect(page.items.map(({ item }) => item.id)).toEqual([first]);
    expect(page.total).toBe(1);
  });
});

describe("R10 R28 pages", () => {
  test("R28 pages by number and by cursor show every item once, in the order of the sort, then by number descending", async () => {
    const { publish, find, finder } = await started();
    for (let at = 0; at < 23; at += 1) await publish(["Beta", "alpha", "Ähre"][at % 3] ?? "");
    const sorts = [[], [{ field: SORTS.title, descending: false }], [{ field: SORTS.title, descending: true }]];
    for (const sort of sorts) {
      const whole = (await find(GUEST, { sort })).items.map(({ item }) => item.id);
      expect(whole).toHaveLength(23);
      const byNumber: number[] = [];
      for (let number = 1; number <= 5; number += 1) {
        byNumber.push(...(await find(GUEST, { sort, page: { number, size: 5 } })).items.map(({ item }) => item.id));
      }
      expect(byNumber).toEqual(whole);
      const byCursor: number[] = [];
      for (let page = await find(GUEST, { sort, page: { number: 1, size: 4 } }); ; ) {
        byCursor.push(...page.items.map(({ item }) => item.id));
        expect(page.total).toBe(23);
        if (page.next === null) break;
        page = await find(GUEST, { sort, page: { cursor: page.next, size: 4 } });
      }
      expect(byCursor).toEqual(whole);
      const each: number[] = [];
      for await (const some of finder.each(GUEST, { where: asked().where, chosen: null, sort }, 7)) {
        each.push(...some.map(({ item }) => item.id));
      }
      expect(each).toEqual(whole);
    }
    const all = (await find(GUEST)).items.map(({ item }) => item.id);
    const bare = await find(GUEST, { page: { cursor: String(all[9]), size: 100 } });
    expect(bare.items.map(({ item }) => item.id)).toEqual(all.slice(10));
  });

  test("R10 R28 a window that is too deep, and a cursor of something else, are refused", async () => {
    const { publish, finder, find } = await started();
    for (const title of ["a", "b", "c"]) await publish(title);
    const at = (page: Parameters<typeof find>[1]) => refused(find(GUEST, page));
    expect(await at({ page: { number: 1, size: 10_000 } })).toBe("nothing was refused");
    expect(await at({ page: { number: 1, size: 10_001 } })).toMatch(/^invalid/);
    expect(await at({ page: { number: 501, size: 20 } })).toMatch(/^invalid/);
    expect(await at({ page: { number: 0, size: 20 } })).toMatch(/^invalid/);
    expect(await at({ page: { number: 1, size: -1 } })).toMatch(/^invalid/);
    expect(await at({ page: { cursor: "1", size: 10_001 } })).toMatch(/^invalid/);
    const sort = [{ field: SORTS.title, descending: false }];
    const next = (await find(GUEST, { sort, page: { number: 1, size: 1 } })).next ?? "";
    expect(await at({ sort, page: { cursor: next, size: 1 } })).toBe("nothing was refused");
    for (const page of [
      { cursor: next, size: 1 },
      { cursor: "3", size: 1 },
    ]) {
      const other = { sort: [{ field: SORTS.creator, descending: true }] };
      expect(await at({ ...other, page })).toMatch(/^invalid/);
    }
    expect(await at({ sort, where: words("a"), page: { cursor: next, size: 1 } })).toMatch(/^invalid/);
    for (const cursor of [
      "",
      "-1",
      "x",
      "1.5",
      "%%%",
      "W10",
      btoa("[null]"),
      btoa("{}"),
      "9".repeat(16),
      "a".repeat(100_000),
    ]) {
      expect(await at({ page: { cursor, size: 1 } })).toMatch(/^invalid/);
    }
    // Of the same question, with a number that no item has.
    const whole = (await find(GUEST, { page: { number: 1, size: 1 } })).next ?? "";
    expect(await at({ page: { cursor: whole, size: 1 } })).toBe("nothing was refused");
    const [question] = JSON.parse(atob(whole.replaceAll("-", "+").replaceAll("_", "/")));
    for (const id of [1.5, 1e300, null, "2"]) {
      expect(await at({ page: { cursor: btoa(JSON.stringify([question, id])), size: 1 } })).toMatch(/^invalid/);
    }
    expect((await finder.settings()).facets).toHaveLength(8);
  });

  test("R28 facets are counted before one is chosen, over what the viewer may see", async () => {
    const { publish, find } = await started();
    const spoken = (languages: readonly string[]) => ({ metadata: titled("Text", { languages }) });
    for (const languages of [["jpn"], ["jpn", "eng"], ["eng"], ["jpn"]]) await publish("", spoken(languages));
    const secret = aContent().access;
    await publish("", { ...spoken(["fra"]), access: { ...secret, record: "restricted" } });
    const facets = [
      { field: "facet3", size: 10 },
      { field: "facet99", size: 10 },
    ];
    const counts = async (viewer: typeof GUEST, chosen: string | null) => {
      const found = await find(viewer, {
        facets,
        chosen: chosen === null ? null : { kind: "key", field: "facet3", anyOf: [chosen] },
      });
      return {
        total: found.total,
        counts: found.facets.map((facet) => facet.map(({ label, count }) => `${label} ${count}`)),
      };
    };
    const public3 = [["jpn 3", "eng 2"], []];
    expect(await counts(GUEST, null)).toEqual({ total: 4, counts: public3 });
    const english = (await find(GUEST, { facets })).facets[0]?.find(({ label }) => label === "eng")?.key ?? "";
    expect(await counts(GUEST, english)).toEqual({ total: 2, counts: public3 });
    expect((await counts(WHO, null)).counts[0]).toEqual(["jpn 3", "eng 2", "fra 1"]);
  });
});

describe("R34 an index that is not there", () => {
  test("R34 searching is refused while there is no index, and goes on when there is one", async () => {
    const world = await openWorld({ items: { arks: false } });
    closing.push(world.close);
    let isAway = true;
    const search = await searching(
      world,
      async (schema) => {
        if (isAway) throw new TypeError("Cannot open");
        return await openNaiveIndex(schema);
      },
      { pollMs: 20, waitMs: 50 },
    );
    closing.push(search.close);
    expect(await refused(search.find(GUEST))).toBe("unavailable: Searching is not possible at this moment");
    expect(await refused(search.finder.settings())).toMatch(/^unavailable/);
    isAway = false;
    for (let tries = 0; tries < 200 && (await refused(search.find(GUEST))) !== "nothing was refused"; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect((await search.find(GUEST)).total).toBe(0);
  });
});
