// Best matches first (R27b, R28; specification 3, "sort"): in pages, behind cursors and in lists alike, by an engine that
// ranks and by one that does not.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { GUEST, REPOSITORY_OPERATOR } from "../../../src/auth/account.ts";
import type { Finder } from "../../../src/repository/search/query/finder.ts";
import { orderOf, parametersOf } from "../../../src/repository/search/query/parameters.ts";
import { NEWEST_WORK, rankingOf } from "../../../src/repository/search/query/ranking.ts";
import { relevantFirst } from "../../../src/repository/search/query/relevance.ts";
import { SORTS } from "../../../src/repository/search/settings/search-schema.ts";
import { openNaiveIndex } from "../../support/naive-index.ts";
import { aContent, titled } from "../../support/world/items.ts";
import { asked, searching, words } from "../../support/world/search.ts";
import { setUpWorld } from "../../support/world.ts";

const world = setUpWorld({ items: { arks: false } });
const closing: (() => Promise<void>)[] = [];
const finders = new Map<boolean, Finder>();
const inTitle: number[] = [];
const elsewhere: number[] = [];
beforeAll(async () => {
  for (let at = 0; at < 23; at += 1) {
    const described = { descriptions: [{ value: "of tides", kind: "Abstract", html: false }] };
    const metadata = at % 3 === 0 ? titled(`Tides ${at}`) : { ...titled(`Thing ${at}`), ...described };
    const { item } = await world.items.createAndPublish(REPOSITORY_OPERATOR, {
      content: aContent({ metadata }),
      owner: (await world.person([3])).account?.id ?? 0,
    });
    (at % 3 === 0 ? inTitle : elsewhere).unshift(item.id);
  }
  for (const ranks of [true, false]) {
    const search = await searching(world, async (schema) => ({ ...(await openNaiveIndex(schema)), ranks }));
    closing.push(() => search.close());
    finders.set(ranks, relevantFirst(search.finder));
  }
});
afterAll(async () => {
  for (const close of closing) await close();
});

const ranking = rankingOf(["tides"]);
const question = (page: Parameters<typeof asked>[0]) => asked({ where: words("tides"), ranking, ...page });
const ids = (found: { readonly items: readonly { readonly item: { readonly id: number } }[] }) =>
  found.items.map(({ item }) => item.id);

describe.each([
  ["an engine that ranks", true],
  ["an engine that does not rank", false],
] as const)("%s", (_name, ranks) => {
  const finder = (): Finder => {
    const found = finders.get(ranks);
    if (found === undefined) throw new RangeError("No finder");
    return found;
  };

  test("R28 pages by their number and behind cursors tell the same, whatever their size", async () => {
    const all = [...inTitle, ...elsewhere];
    for (const size of [1, 3, 5, 8, 22, 23, 24, 100]) {
      const paged: number[] = [];
      for (let number = 1; paged.length < all.length; number += 1) {
        const found = await finder().find(GUEST, question({ page: { number, size } }));
        expect([found.total, ids(found).length > 0]).toEqual([all.length, true]);
        paged.push(...ids(found));
      }
      const followed: number[] = [];
      let found = await finder().find(GUEST, question({ page: { number: 1, size } }));
      for (;;) {
        followed.push(...ids(found));
        if (found.next === null) break;
        found = await finder().find(GUEST, question({ page: { cursor: found.next, size } }));
        expect([found.total, ids(found).length > 0]).toEqual([all.length, true]);
      }
      expect([size, paged, followed]).toEqual([size, all, all]);
    }
  });

  test("R27b other keys sort within the halves, lists have the same order, and without words nothing comes first", async () => {
    const sort = [{ field: SORTS.title, descending: true }];
    const found = await finder().find(GUEST, question({ sort, page: { number: 1, size: 50 } }));
    expect(new Set(ids(found).slice(0, inTitle.length))).toEqual(new Set(inTitle));
    const listed: number[] = [];
    for await (const items of finder().each(GUEST, { where: words("tides"), chosen: null, sort, ranking }, 4))
      listed.push(...ids({ items }));
    expect(listed).toEqual(ids(found));
  });
});

test("R27b a sort by relevance has the words of q, and without words nothing is a better match", () => {
  const order = (query: string) => orderOf(parametersOf(query), "on request");
  expect(order("q=tides&sort=relevance")).toEqual({ sort: [NEWEST_WORK], ranking });
  expect(order("q=tides&sort=relevance,wtl")).toEqual({ sort: [{ field: SORTS.title, descending: false }], ranking });
  expect(order("sort=relevance")).toEqual({ sort: [] });
  expect(order("q=tides")).toEqual({ sort: [] });
  expect(orderOf(parametersOf("q=tides"), "always")).toEqual({ sort: [NEWEST_WORK], ranking });
  expect(orderOf(parametersOf("q=tides&sort=wtl"), "always")).toEqual(order("q=tides&sort=wtl"));
});
