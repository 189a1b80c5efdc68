// While the index has not followed what was committed (R34, R2h): no total, facet, page or cursor tells of an item that
// is hidden now, in either engine, and only questions that could be touched wait, once.
import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holdLock } from "../../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../../db/search/embedded-index.ts";
import { jsonLog } from "../../../src/adapters/log.ts";
import { typesenseIndex } from "../../../src/adapters/typesense-index.ts";
import { GUEST, REPOSITORY_OPERATOR, type Viewer } from "../../../src/auth/account.ts";
import { FIELDS } from "../../../src/repository/search/document/document.ts";
import type { OpenIndex } from "../../../src/repository/search/index/index-port.ts";
import type { ItemQuery } from "../../../src/repository/search/query/finder.ts";
import { rankingOf } from "../../../src/repository/search/query/ranking.ts";
import { relevantFirst } from "../../../src/repository/search/query/relevance.ts";
import { SORTS } from "../../../src/repository/search/settings/search-schema.ts";
import { eventually } from "../../support/eventually.ts";
import { openNaiveIndex } from "../../support/naive-index.ts";
import { collectionsInMemory } from "../../support/typesense/known-collections.ts";
import { standIn } from "../../support/typesense/substitute.ts";
import { aContent, titled } from "../../support/world/items.ts";
import { asked, searching, words } from "../../support/world/search.ts";
import { openWorld } from "../../support/world.ts";

const WHO = REPOSITORY_OPERATOR;
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const ENGINES: Readonly<Record<string, () => Promise<OpenIndex>>> = {
  "the embedded index": async () => {
    const folder = mkdtempSync(join(tmpdir(), "arkstone-unfollowed-"));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    return openEmbeddedIndex({ folder, hold: holdLock });
  },
  Typesense: async () => {
    const server = await standIn({ adminKey: "key" });
    closing.push(() => server.stop());
    return typesenseIndex({
      urls: [server.url],
      apiKey: "key",
      name: "items",
      collections: collectionsInMemory(),
      log: jsonLog("error", () => {}),
    });
  },
  "an index of plain arrays": async () => openNaiveIndex,
};

/** An index that follows only while `gate` is open. */
async function started(open: OpenIndex, waitMs: number) {
  const world = await openWorld({ items: { arks: false } });
  const owner = await world.person([3]);
  const gate = { isOpen: true };
  const gated: OpenIndex = async (schema) => {
    const index = await open(schema);
    return {
      engine: index.engine,
      ranks: index.ranks,
      query: (query) => index.query(query),
      complete: (query) => index.complete(query),
      keysOf: (field, prefix, limit) => index.keysOf(field, prefix, limit),
      wordsOf: (field, prefix, after, limit) => index.wordsOf(field, prefix, after, limit),
      position: () => index.position(),
      unfinished: () => index.unfinished(),
      build: (position, goesOn) => index.build(position, goesOn),
      digests: (after, limit) => index.digests(after, limit),
      status: () => index.status(),
      close: () => index.close(),
      async apply(batch) {
        await eventually("the gate is open", () => gate.isOpen);
        await index.apply(batch);
      },
    };
  };
  const search = await searching(world, gated, { waitMs, pollMs: 5 });
  closing.push(world.close, search.close, () => {
    gate.isOpen = true;
  });
  const finder = relevantFirst(search.finder);
  const publish = async (title: string, more: Parameters<typeof aContent>[0] = {}, language = "eng") => {
    const content = aContent({ metadata: titled(title, { languages: [language] }), ...more });
    return (await world.items.createAndPublish(WHO, { content, owner: owner.account?.id ?? 0 })).item.id;
  };
  const setIndex = (id: number, publicState: boolean) =>
    world.store.transact(async (tx) => {
      const index = await tx.indexes.index(id);
      if (index !== null) await tx.indexes.updateIndex({ ...index, publicState });
      await tx.indexes.raiseTreeRevision();
    });
  const caughtUp = () =>
    eventually("the index has followed", async () => {
      // The first index of a server is built after the start.
      if ((await search.find(GUEST).catch(() => null)) === null) return false;
      return (await search.follower.unfollowed()).kind === "nothing";
    });
  const find = (viewer: Viewer, given: Partial<ItemQuery> = {}) => finder.find(viewer, asked(given));
  return { ...world, ...search, finder, find, gate, owner, publish, setIndex, caughtUp };
}
type Started = Awaited<ReturnType<typeof started>>;

const FACETS = [{ field: "facet3", size: 10 }];

/** Everything that a question tells, by each way it can be asked. */
async function search({ finder }: Pick<Started, "finder">, viewer: Viewer, where: ItemQuery["where"]) {
  const ask = (more: Partial<ItemQuery>) => finder.find(viewer, asked({ where, facets: FACETS, ...more }));
  const ranking = rankingOf(["secret"]);
  const whole = await ask({});
  const ids: readonly number[] = whole.items.map(({ item }) => item.id);
  const labels: readonly string[] = (whole.facets[0] ?? []).map(({ label, count }) => `${label} ${count}`).sort();
  const ways: readonly Partial<ItemQuery>[] = [
    { page: { number: 1, size: 0 } },
    { page: { number: 1, size: 1 } },
    { page: { number: 2, size: 1 } },
    { ranking, page: { number: 1, size: 0 } },
    { ranking, page: { number: 1, size: 1 } },
    { ranking, page: { number: 1, size: 100 } },
    { sort: [{ field: SORTS.title, descending: false }], page: { number: 1, size: 2 } },
    { standing: "all" },
  ];
  for (const way of ways) {
    const found = await ask(way);
    expect([way, found.total, found.facets]).toEqual([way, whole.total, whole.facets]);
    const isLast = found.items.some(({ item }) => item.id === whole.items.at(-1)?.item.id);
    if (way.page !== undefined && "number" in way.page && way.page.size === 1) {
      expect([way, found.next === null]).toEqual([way, way.page.number >= whole.total]);
    } else if (isLast && way.sort === undefined) expect([way, found.next]).toEqual([way, null]);
  }
  return { total: whole.total, ids, labels };
}

for (const [name, open] of Object.entries(ENGINES)) {
  describe(`R34 R2h hiding does not wait, in ${name}`, () => {
    test("what is hidden is in no total, facet, page or cursor, and what is visible is in all of them", async () => {
      const to = await started(await open(), 20);
      const { publish, setIndex, gate, owner, items } = to;
      const inside = [
        await publish("Secret tides", { indexes: [11] }, "jpn"),
        await publish("Secret winds", { indexes: [11] }),
      ];
      const both = await publish("Secret shores", { indexes: [11, 2] }, "fra");
      const outside = await publish("Open secret", { indexes: [2] });
      const withdrawn = await publish("Secret lake", { indexes: [2] }, "deu");
      const restricted = await publish("Secret sea", { indexes: [2] }, "deu");
      await to.caughtUp();
      const exact = words("secret tides");
      const before = [restricted, withdrawn, outside, both, ...inside.toReversed()];
      expect(await search(to, GUEST, words("secret"))).toEqual({
        ...{ total: 6, ids: before, labels: ["deu 2", "eng 2", "fra 1", "jpn 1"] },
      });
      gate.isOpen = false;
      await setIndex(1, false);
      await items.remove(WHO, withdrawn);
      const content = aContent({ metadata: titled("Secret sea", { languages: ["deu"] }), indexes: [2] });
      await items.revise(WHO, restricted, {
        content: { ...content, access: { ...content.access, record: "restricted" } },
      });
      const hidden = { total: 0, ids: [], labels: [] };
      expect(await search(to, GUEST, exact)).toEqual(hidden);
      expect(await search(to, GUEST, words("secret lake"))).toEqual(hidden);
      expect(await search(to, GUEST, words("secret sea"))).toEqual(hidden);
      expect(await search(to, GUEST, words("secret"))).toEqual({
        total: 2,
        ids: [outside, both],
        labels: ["eng 1", "fra 1"],
      });
      expect(await search(to, owner, words("secret"))).toMatchObject({
        total: 5,
        ids: before.filter((id) => id !== withdrawn),
      });
      expect(await search(to, owner, exact)).toEqual({ total: 1, ids: inside.slice(0, 1), labels: ["jpn 1"] });
      const listed: number[] = [];
      for await (const some of to.finder.each(GUEST, { where: words("secret"), chosen: null, sort: [] }, 2)) {
        listed.push(...some.map(({ item }) => item.id));
      }
      expect(listed).toEqual([outside, both]);
      gate.isOpen = true;
      await to.caughtUp();
      expect(await search(to, GUEST, words("secret"))).toEqual({
        total: 2,
        ids: [outside, both],
        labels: ["eng 1", "fra 1"],
      });
      expect(await search(to, GUEST, exact)).toEqual(hidden);
    });
  });
}

describe("R34 R2h a large change", () => {
  test("of documents that a change touches the first are counted, and a cursor leads to all that are visible", async () => {
    const to = await started(openNaiveIndex, 10);
    const visible: number[] = [];
    for (let at = 0; at < 260; at += 1) {
      visible.unshift(await to.publish(`Secret ${at}`, { indexes: [2] }));
      await to.publish(`Secret ${at}`, { indexes: [11] });
    }
    await to.caughtUp();
    to.gate.isOpen = false;
    await to.setIndex(1, false);
    await to.setIndex(2, false);
    await to.setIndex(2, true);
    let page = await to.find(GUEST, { facets: FACETS, page: { number: 1, size: 100 } });
    // Of the first 500 by the sort each second one is hidden.
    expect([page.total, page.facets[0]?.map(({ count }) => count)]).toEqual([250, [250]]);
    const listed = page.items.map(({ item }) => item.id);
    while (page.next !== null) {
      page = await to.find(GUEST, { page: { cursor: page.next, size: 100 } });
      listed.push(...page.items.map(({ item }) => item.id));
    }
    expect(listed).toEqual(visible);
  });

  test("where more changes wait than are known one by one, nothing that is hidden is counted", async () => {
    const to = await started(openNaiveIndex, 10);
    for (let at = 0; at < 30; at += 1) await to.publish(`Secret ${at}`, { indexes: [at % 2 === 0 ? 11 : 2] });
    await to.caughtUp();
    to.gate.isOpen = false;
    await to.setIndex(1, false);
    expect((await to.find(GUEST, { facets: FACETS })).total).toBe(15);
    // More changes than are known one by one: any document may be wrong.
    await to.store.transact(async (tx) => {
      const index = await tx.indexes.index(2);
      for (let at = 0; at < 5_001 && index !== null; at += 1) {
        await tx.indexes.updateIndex({ ...index, publicState: at % 2 === 1 });
      }
      await tx.indexes.raiseTreeRevision();
    });
    expect((await to.follower.unfollowed()).kind).toBe("everything");
    const nothing = await to.find(GUEST, { facets: FACETS });
    expect([nothing.total, nothing.items, nothing.facets]).toEqual([0, [], [[]]]);
    await to.setIndex(2, true);
    const found = await to.find(GUEST, { facets: FACETS, page: { number: 2, size: 10 } });
    expect([found.total, found.items.length, found.facets[0]?.map(({ count }) => count)]).toEqual([15, 5, [15]]);
  });

  test("of the tree touches its items until their last part is followed", async () => {
    const to = await started(openNaiveIndex, 10);
    for (let at = 0; at < 3; at += 1) await to.publish(`Secret ${at}`, { indexes: [11] });
    await to.caughtUp();
    to.gate.isOpen = false;
    await to.setIndex(11, false);
    // The feed is read at once; the documents of the index are replaced after it.
    for (let round = 0; round < 20; round += 1) {
      const { total, facets } = await to.find(GUEST, { facets: FACETS });
      expect([total, facets]).toEqual([0, [[]]]);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(to.follower.metrics().queue).toBe(1);
    to.gate.isOpen = true;
    await to.caughtUp();
    expect(to.follower.metrics().queue).toBe(0);
  });
});

describe("R34 waiting for the index", () => {
  const WAIT_MS = 137;
  /** How often something waited for the index. */
  function waiting() {
    const spy = spyOn(globalThis, "setTimeout");
    closing.push(() => void spy.mockRestore());
    return () => spy.mock.calls.filter(([, ms]) => ms === WAIT_MS).length;
  }

  test("a question that the change cannot touch does not wait, one that it can waits once, and none after it waited in vain", async () => {
    const to = await started(openNaiveIndex, WAIT_MS);
    await to.publish("Inside tides", { indexes: [11] });
    await to.publish("Restricted tides", { indexes: [11], access: { ...aContent().access, record: "restricted" } });
    await to.publish("Outside winds", { indexes: [2] });
    await to.caughtUp();
    const waits = waiting();
    to.gate.isOpen = false;
    await to.setIndex(1, false);
    const totals = [(await to.find(GUEST, { where: words("winds") })).total];
    totals.push((await to.find(GUEST, { where: words("restricted tides") })).total);
    expect([waits(), totals]).toEqual([0, [1, 0]]);
    const ranking = rankingOf(["tides"]);
    expect((await to.find(GUEST, { where: words("tides"), ranking })).total).toBe(0);
    expect(waits()).toBe(1);
    for (let round = 0; round < 10; round += 1) {
      await to.find(GUEST, { where: words("tides"), ranking });
      await to.find(GUEST);
    }
    for await (const _ of to.finder.each(GUEST, { where: words("tides"), chosen: null, sort: [] }, 10));
    expect(waits()).toBe(1);
    // While a large change is followed, other changes are not waited for either.
    await to.publish("Later tides");
    expect((await to.find(GUEST, { where: words("tides") })).total).toBe(0);
    expect(waits()).toBe(1);
    to.gate.isOpen = true;
    await to.caughtUp();
    const before = waits();
    await to.publish("Last tides");
    expect((await to.find(GUEST, { where: words("tides"), ranking, page: { number: 1, size: 1 } })).total).toBe(2);
    expect(waits()).toBe(before + 1);
  });

  test("a question about places in the tree waits for a change of the tree", async () => {
    const to = await started(openNaiveIndex, WAIT_MS);
    await to.publish("Inside", { indexes: [11] });
    await to.caughtUp();
    const waits = waiting();
    to.gate.isOpen = false;
    await to.setIndex(3, true);
    const under = { kind: "key", field: FIELDS.under, anyOf: ["3"] } as const;
    expect((await to.find(GUEST, { where: words("inside") })).total).toBe(1);
    expect(waits()).toBe(0);
    await to.find(GUEST, { where: under });
    expect(waits()).toBe(1);
  });

  test("a small change that is late is waited for once, and another one again", async () => {
    const to = await started(openNaiveIndex, WAIT_MS);
    await to.caughtUp();
    const waits = waiting();
    to.gate.isOpen = false;
    await to.publish("One");
    for (let round = 0; round < 3; round += 1) expect((await to.find(GUEST)).total).toBe(0);
    expect(waits()).toBe(1);
    await to.publish("Two");
    for (let round = 0; round < 3; round += 1) expect((await to.find(GUEST)).total).toBe(0);
    expect(waits()).toBe(2);
    to.gate.isOpen = true;
    await to.caughtUp();
    expect((await to.find(GUEST)).total).toBe(2);
  });
});
