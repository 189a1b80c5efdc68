// Items in an embedded index, or in Typesense, asked through the use cases of the interfaces themselves, without a
// database: the finder's store returns what it would of public items.
import { join } from "node:path";
import { holdLock } from "../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../db/search/embedded-index.ts";
import { GUEST } from "../../src/auth/account.ts";
import type { Item, ItemContent, ItemOutline, ItemParent, WithParent } from "../../src/model/items/item.ts";
import type { Metadata } from "../../src/model/metadata/metadata.ts";
import { searchShowing } from "../../src/repository/pages/searching.ts";
import { LIST_QUERIES, recordLists } from "../../src/repository/record-lists/record-lists.ts";
import { documentMaker } from "../../src/repository/search/document/item-document.ts";
import type { OpenIndex, SearchIndex } from "../../src/repository/search/index/index-port.ts";
import type { Finder } from "../../src/repository/search/query/finder.ts";
import { type FindingNeeds, IndexFinder } from "../../src/repository/search/query/index-finder.ts";
import { parametersOf } from "../../src/repository/search/query/parameters.ts";
import { relevantFirst } from "../../src/repository/search/query/relevance.ts";
import { widening } from "../../src/repository/search/query/widening.ts";
import { searchSchema } from "../../src/repository/search/settings/search-schema.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../src/repository/search/settings/shipped-settings.ts";
import { isRefusal } from "../../src/shared/refusal.ts";

const NOW = "2026-11-20T10:00:00.000Z";
const TODAY = "2026-11-20";
const DOCUMENTS_AT_ONCE = 500;

export type FoundItem = { readonly id: number; readonly metadata: Metadata; readonly ark: string | null };
/** The numbers of the first hits, at most `size`, and how many there are. */
export type Answer = { readonly ids: readonly number[]; readonly total: number };
export type Interface = (query: string, size: number) => Promise<Answer>;
export type FindingWorld = {
  readonly interfaces: Readonly<Record<string, Interface>>;
  readonly index: SearchIndex;
  readonly finder: Finder;
  readonly close: () => Promise<void>;
};

const ACCESS: ItemContent["access"] = {
  record: "public",
  openDate: "2001-01-01",
  files: "public",
  embargoUntil: null,
  embargoReason: "",
};

function hitOf({ id, metadata, ark }: FoundItem): WithParent {
  const item: Item = {
    ...{ id, parentId: id, versionIndex: 1, state: "published", revision: 1, ark, isLatest: true },
    ...{ createdAt: NOW, updatedAt: NOW, publishedAt: NOW, depositedBy: null, depositedOnBehalfOf: null },
    content: { itemType: 30_002, itemTypeVersion: 1, metadata, access: ACCESS, indexes: [], settings: {}, files: [] },
  };
  const parent: ItemParent = {
    ...{ id, owner: 1, shared: [], communities: [], defaultCommunity: null, review: null, latest: id },
  };
  return { item, parent };
}

/** The same index without scores: hits come in the order of an engine that finds and sorts, as Typesense. */
export const withoutRanks =
  (open: OpenIndex): OpenIndex =>
  async (schema) => {
    const index = await open(schema);
    return new Proxy(index, {
      get(of, name) {
        if (name === "ranks") return false;
        // Neither does such an engine list its words.
        if (name === "wordsOf") return async () => null;
        const value: unknown = Reflect.get(of, name);
        return typeof value === "function" ? value.bind(of) : value;
      },
    });
  };

export const embeddedIn = (folder: string): OpenIndex =>
  openEmbeddedIndex({ folder: join(folder, "search"), hold: holdLock });

/** What an item would be in the database, as far as a finder asks. */
function storeOf(hits: ReadonlyMap<number, WithParent>) {
  const outlines = async (ids: readonly number[]): Promise<readonly WithParent<ItemOutline>[]> =>
    ids.flatMap((id) => hits.get(id) ?? []);
  const summariesOf = async (ids: readonly number[]) => (await outlines(ids)).map(({ item }) => item);
  const items = async (ids: readonly number[]) => ids.flatMap((id) => hits.get(id)?.item ?? []);
  return {
    items: { outlines, summariesOf, items, sizes: async () => [] },
    indexes: { treeRevision: async () => 1, lineages: async () => new Map() },
    communities: { community: async () => null },
    usage: { usageStats: async () => new Map() },
  };
}

export async function findingWorld(
  folder: string,
  items: readonly FoundItem[],
  open?: OpenIndex,
): Promise<FindingWorld> {
  const settings = SHIPPED_SEARCH_SETTINGS;
  const schema = searchSchema(settings);
  const index = await (open ?? embeddedIn(folder))(schema);
  const make = documentMaker(settings);
  const hits = new Map(items.map((item) => [item.id, hitOf(item)]));
  const building = await index.build();
  const all = [...hits.values()];
  for (let from = 0; from < all.length; from += DOCUMENTS_AT_ONCE) {
    const documents = all.slice(from, from + DOCUMENTS_AT_ONCE).flatMap(({ item, parent }) => {
      const { content } = item;
      if (content === null) return [];
      const facts = { lineages: [], itemType: null, fileTexts: new Map<string, string>() };
      return make({ item, parent, content, ...facts }, TODAY) ?? [];
    });
    await building.add(documents);
  }
  await building.finish({ epoch: "bench", horizon: "0" });
  // The parts of the store and of the follower that are asked for public items alone.
  const store = storeOf(hits) as unknown as FindingNeeds["store"] & Parameters<typeof recordLists>[0]["store"];
  const follower = {
    answering: () => ({ index, schema, settings }),
    unfollowed: async () => ({ kind: "nothing" }),
    settled: async () => {},
    doubt: () => {},
  } as unknown as FindingNeeds["follower"];
  const found = new IndexFinder({ store, follower, clock: { now: () => NOW }, timeZone: "UTC" });
  const finder = widening(relevantFirst(found));
  return { interfaces: interfacesOn(finder, store), index, finder, close: () => index.close() };
}

function interfacesOn(finder: Finder, store: Parameters<typeof recordLists>[0]["store"]) {
  let last: readonly number[] = [];
  const noting: Finder = {
    ranks: () => finder.ranks(),
    settings: () => finder.settings(),
    wordsOf: (...given) => finder.wordsOf(...given),
    complete: (...given) => finder.complete(...given),
    each: (...given) => finder.each(...given),
    async find(viewer, finding) {
      const found = await finder.find(viewer, finding);
      if (found.items.length > 0) last = found.items.map(({ item }) => item.id);
      return found;
    },
  };
  const today = (): string => TODAY;
  const showing = searchShowing({
    ...{ finder: noting, store: store as never, today },
    reasons: { of: async () => new Map() },
    values: {
      of: async (_viewer, facets) =>
        facets.map(({ counts }) => counts.map(({ label, count }) => ({ value: label, count, names: null }))),
      searched: async (_viewer, parameters) => parameters,
    },
  });
  const needs = { store, finder: noting, records: {}, entriesOf: async () => ({ get: () => undefined }), today };
  const lists = recordLists(needs as unknown as Parameters<typeof recordLists>[0]);
  // A query that is refused, as one that is too long, finds nothing.
  const orNothing = async <A extends { readonly total: number }>(asked: Promise<A>): Promise<A | null> =>
    await asked.catch((error: unknown) => {
      if (isRefusal(error, "invalid")) return null;
      throw error;
    });
  const answer = async (size: number, ask: () => Promise<{ readonly total: number }>): Promise<Answer> => {
    last = [];
    const total = (await orNothing(ask()))?.total ?? 0;
    return { ids: total === 0 ? [] : last.slice(0, size), total };
  };
  const page: Interface = (query, size) =>
    answer(size, () =>
      showing.search(GUEST, parametersOf(new URLSearchParams({ q: query, size: String(size) }).toString())),
    );
  const records: Interface = (query, size) =>
    answer(size, () => {
      const sent = new URLSearchParams({ q: query, size: String(size) });
      const scope = { kind: "published", withDrafts: false } as const;
      return lists.search(GUEST, scope, LIST_QUERIES.published.read(sent), "without facets");
    });
  const tools: Interface = async (q, size) => {
    const found = await orNothing(lists.searchRecords(GUEST, { q, size, titles: false }));
    return { ids: found?.views.map(({ item }) => item.id) ?? [], total: found?.total ?? 0 };
  };
  return { page, records, tools };
}
