// Items that are about the same (R27g), by an engine that ranks and by one that does not: it has no counts of words.
import { afterAll, expect, test } from "bun:test";
import { GUEST, REPOSITORY_OPERATOR } from "../../../src/auth/account.ts";
import { relevantFirst } from "../../../src/repository/search/query/relevance.ts";
import { similarItems } from "../../../src/repository/search/query/similar.ts";
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
    const needs = { finder: relevantFirst(search.finder), mayWait: true };
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
