// The sort key `relevance` (R27, R28; specification 3, "sort"): hits with the words in their title first, in pages,
// behind cursors and in lists alike.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { GUEST, REPOSITORY_OPERATOR } from "../../../src/auth/account.ts";
import type { Finder } from "../../../src/repository/search/query/finder.ts";
import { firstOfAll, parametersOf } from "../../../src/repository/search/query/parameters.ts";
import { relevantFirst } from "../../../src/repository/search/query/relevance.ts";
import { SORTS, TEXTS } from "../../../src/repository/search/settings/search-schema.ts";
import { aContent, titled } from "../../support/world/items.ts";
import { asked, searching, words } from "../../support/world/search.ts";
import { setUpWorld } from "../../support/world.ts";

const world = setUpWorld({ items: { arks: false } });
let close: () => Promise<void> = async () => {};
let finder: Finder;
const inTitle: number[] = [];
const elsewhere: number[] = [];
beforeAll(async () => {
  const search = await searching(world);
  close = () => search.close();
  finder = relevantFirst(search.finder);
  for (let at = 0; at < 23; at += 1) {
    const described = { descriptions: [{ value: "of tides", kind: "Abstract", html: false }] };
    const metadata = at % 3 === 0 ? titled(`Tides ${at}`) : { ...titled(`Thing ${at}`), ...described };
    const { item } = await world.items.createAndPublish(REPOSITORY_OPERATOR, {
      content: aContent({ metadata }),
      owner: (await world.person([3])).account?.id ?? 0,
    });
    (at % 3 === 0 ? inTitle : elsewhere).unshift(item.id);
  }
});
afterAll(() => close());

const first = words("tides", TEXTS.title);
const question = (page: Parameters<typeof asked>[0]) => asked({ where: words("tides"), first, ...page });
const ids = (found: { readonly items: readonly { readonly item: { readonly id: number } }[] }) =>
  found.items.map(({ item }) => item.id);

test("R28 pages by their number and behind cursors tell the same, whatever their size", async () => {
  const all = [...inTitle, ...elsewhere];
  for (const size of [1, 3, 5, 8, 22, 23, 24, 100]) {
    const paged: number[] = [];
    for (let number = 1; paged.length < all.length; number += 1) {
      const found = await finder.find(GUEST, question({ page: { number, size } }));
      expect([found.total, ids(found).length > 0]).toEqual([all.length, true]);
      paged.push(...ids(found));
    }
    const followed: number[] = [];
    let found = await finder.find(GUEST, question({ page: { number: 1, size } }));
    for (;;) {
      followed.push(...ids(found));
      if (found.next === null) break;
      found = await finder.find(GUEST, question({ page: { cursor: found.next, size } }));
      expect([found.total, ids(found).length > 0]).toEqual([all.length, true]);
    }
    expect([size, paged, followed]).toEqual([size, all, all]);
  }
});

test("R27 other keys sort within the halves, lists have the same order, and without words nothing comes first", async () => {
  const sort = [{ field: SORTS.title, descending: true }];
  const found = await finder.find(GUEST, question({ sort, page: { number: 1, size: 50 } }));
  expect(new Set(ids(found).slice(0, inTitle.length))).toEqual(new Set(inTitle));
  const listed: number[] = [];
  for await (const items of finder.each(GUEST, { where: words("tides"), chosen: null, sort, first }, 4))
    listed.push(...ids({ items }));
  expect(listed).toEqual(ids(found));
  expect(firstOfAll(parametersOf("q=tides&sort=relevance"))).toEqual({ first });
  expect(firstOfAll(parametersOf("sort=relevance"))).toEqual({});
  expect(firstOfAll(parametersOf("q=tides&sort=wtl,relevance"))).toEqual({});
});
