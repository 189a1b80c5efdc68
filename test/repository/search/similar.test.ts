// Items that are about the same (R27g), by an engine that ranks and by one that does not: it has no counts of words.
import { afterAll, expect, test } from "bun:test";
import { GUEST, REPOSITORY_OPERATOR } from "../../../src/auth/account.ts";
import { weightOf } from "../../../src/repository/search/index/scoring.ts";
import type { Finder } from "../../../src/repository/search/query/finder.ts";
import { relevantFirst } from "../../../src/repository/search/query/relevance.ts";
import { GuestWeights, similarItems } from "../../../src/repository/search/query/similar.ts";
import { openNaiveIndex } from "../../support/naive-index.ts";
import { aContent, titled } from "../../support/world/items.ts";
import { searching } from "../../support/world/search.ts";
import { setUpWorld } from "../../support/world.ts";

const world = setUpWorld({ items: { arks: false } });
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

test("R27g both find the same topic and neither the item itself; one that counts leaves out what is in most items", async () => {
  const owner = (await world.person([3])).account?.id ?? 0;
  const published = async (title: string) => {
    const content = aContent({ metadata: titled(title) });
    return (await world.items.createAndPublish(REPOSITORY_OPERATOR, { content, owner })).item;
  };
  const item = await published("Annual report: glaciers of Norway");
  const glaciers = await published("Annual report: melting glaciers in Norway");
  for (let at = 0; at < 30; at += 1) await published(`Annual report ${at}`);
  const results: number[][] = [];
  for (const ranks of [true, false]) {
    const search = await searching(world, async (schema) => ({ ...(await openNaiveIndex(schema)), ranks }));
    closing.push(() => search.close());
    const needs = { finder: relevantFirst(search.finder), mayWait: true, weights: new GuestWeights() };
    const source = {
      content: aContent({ metadata: titled("Annual report: glaciers of Norway") }),
      parentId: item.parentId,
    };
    const found = await similarItems(needs, GUEST, source, 25);
    results.push(found.items.map((hit) => hit.item.id));
    expect(found.words.includes("report")).toBe(!ranks);
  }
  const [counted = [], uncounted = []] = results;
  expect(counted).toEqual([glaciers.id]);
  expect([uncounted[0], uncounted.includes(item.id), uncounted.length]).toEqual([glaciers.id, false, 25]);
});

/** An engine with a million documents, in which so many have each word; what it is asked. */
function largeEngine(having: Readonly<Record<string, number>>) {
  const total = 1_000_000;
  const asked: { readonly counted: number; readonly terms: readonly string[] }[] = [];
  const isOf = (of: unknown, word: string): boolean => JSON.stringify(of).includes(`"${word}"`);
  const finder = {
    find: async (_: unknown, { where, ranking = [], page }: Parameters<Finder["find"]>[1]) => {
      const words = Object.keys(having);
      asked.push({ counted: page.size === 0 ? ranking.length : 0, terms: words.filter((word) => isOf(where, word)) });
      const weights = ranking.map(({ places }) => {
        const word = words.find((each) => isOf(places, each));
        return weightOf(word === undefined ? 0 : (having[word] ?? 0), total);
      });
      return { total, weights, items: [] } as unknown as Awaited<ReturnType<Finder["find"]>>;
    },
  };
  return { finder, asked };
}
const about = (title: string) => ({ content: aContent({ metadata: titled(title) }), parentId: 7 });

test("R27g of a large repository, words that too many documents have are left out, where others tell enough", async () => {
  const { finder, asked } = largeEngine({ glaciers: 900, norway: 49_000, melting: 60_000, winters: 400 });
  const needs = { finder, mayWait: true, weights: new GuestWeights() };
  const { words } = await similarItems(needs, GUEST, about("Melting glaciers, Norway, winters"), 5);
  expect(words).toEqual(["winters", "glaciers"]);
  expect(asked.at(-1)?.terms).toEqual(["glaciers", "winters"]);
  const wide = largeEngine({ norway: 49_000, melting: 60_000 });
  const found = await similarItems({ ...needs, finder: wide.finder }, REPOSITORY_OPERATOR, about("Melting Norway"), 5);
  expect(found.words).toEqual(["norway", "melting"]);
  // One word that few have does not decide alone, nor is it given up.
  const alone = largeEngine({ glaciers: 900, norway: 49_000, melting: 60_000 });
  const decided = await similarItems(
    { ...needs, finder: alone.finder },
    REPOSITORY_OPERATOR,
    about("Melting glaciers, Norway"),
    5,
  );
  expect(decided.words.toSorted()).toEqual(["glaciers", "melting", "norway"]);
  expect(decided.words[0]).toBe("glaciers");
});

test("R27g what words weigh is counted again when the repository is twice as large", () => {
  const weights = new GuestWeights(() => 0);
  weights.keep("glaciers", weightOf(40, 200), 200);
  expect(weights.of("glaciers")).toBe(weightOf(40, 200));
  weights.keep("fjords", weightOf(40, 400), 400);
  expect(weights.of("glaciers")).toBeDefined();
  weights.keep("fjords", weightOf(40, 401), 401);
  expect(weights.of("glaciers")).toBeUndefined();
});

test("R27g what common words weigh among what guests may see is counted once an hour, rare ones each time", async () => {
  const { finder, asked } = largeEngine({ glaciers: 900, norway: 4_000, fjords: 12 });
  let now = 0;
  const needs = { finder, mayWait: true, weights: new GuestWeights(() => now) };
  const counted = async (viewer = GUEST) => {
    asked.length = 0;
    await similarItems(needs, viewer, about("Glaciers, fjords, Norway"), 5);
    return asked[0]?.counted;
  };
  expect(await counted()).toBe(3);
  expect(await counted()).toBe(1);
  // Who may see more has other counts.
  expect(await counted(REPOSITORY_OPERATOR)).toBe(3);
  now = 60 * 60_000 + 1;
  expect(await counted()).toBe(3);
});
