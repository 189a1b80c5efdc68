// A newer version that a caller may not read does not exist for that caller (R2h, R2d): the newest that may be read is
// the latest, in every list.
import { expect, test } from "bun:test";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { toolCalls } from "../support/tool-calls.ts";
import { aContent, titled } from "../support/world/items.ts";
import { INDEXES, type PersonName } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const WHO = REPOSITORY_OPERATOR;
const world = setUpWorld({ repository: true });

type Hit = { readonly id: string; readonly versions: { readonly index: number; readonly is_latest: boolean } };
const content = (title: string, more: { readonly record?: "restricted"; readonly embargoUntil?: string } = {}) => {
  const plain = aContent({ metadata: titled(title), indexes: [INDEXES.open] });
  return { ...plain, access: { ...plain.access, ...more } };
};

async function listed(who: PersonName | null, path: string): Promise<readonly string[]> {
  const { status, text } = await world.ask(who, "GET", path);
  expect([path, status]).toEqual([path, 200]);
  const hits: readonly Hit[] = JSON.parse(text).hits.hits;
  return hits.map(({ id, versions }) => `${id} ${versions.index} ${versions.is_latest}`);
}

test("R2h guests find the newest version that they may read, the owner the newest of all, and it is the latest to each", async () => {
  const owner = world.people.registered.account.id;
  const first = (await world.items.createAndPublish(WHO, { content: content("First quartz"), owner })).item.id;
  const second = (await world.items.newVersion(WHO, first, { content: content("Second quartz") })).item.id;
  const third = (
    await world.items.newVersion(WHO, second, { content: content("Third quartz", { record: "restricted" }) })
  ).item.id;
  const fourth = (
    await world.items.newVersion(WHO, third, {
      content: content("Fourth quartz", { record: "restricted", embargoUntil: "2026-11-25" }),
    })
  ).item.id;
  const other = (await world.items.createAndPublish(WHO, { content: content("Quartz alone"), owner })).item.id;

  const { call } = toolCalls(world);
  async function latestTo(who: PersonName | null, id: number, title: string, versions: readonly string[]) {
    const alone = `${other} 1 true`;
    expect(await listed(who, "/api/records?q=quartz&sort=oldest")).toEqual([versions[0] ?? "", alone].sort());
    expect(await listed(who, `/api/records/${first}/versions`)).toEqual(versions);
    expect(await listed(who, "/api/records?q=quartz&sort=oldest&allversions=true")).toEqual(
      [...versions, alone].sort(),
    );
    const items = JSON.parse((await world.ask(who, "GET", "/api/v1/records?q=quartz")).text);
    expect(items.search_results.map((hit: Hit) => hit.id)).toEqual([`${other}`, `${id}`]);
    expect(items.total_results).toBe(2);
    const page = (await world.ask(who, "GET", "/search?q=quartz")).text;
    expect([page.includes(`/records/${id}"`), page.includes("2 items")]).toEqual([true, true]);
    const feed = (await world.ask(who, "GET", "/api/opensearch/search?q=quartz&format=atom")).text;
    expect([feed.includes(title), /totalResults>2</.test(feed)]).toEqual([true, true]);
    const { records } = (await call(who, "search_records", { query: "quartz" })).structuredContent;
    const answer = records.map(({ recid, version }: { recid: string; version: object }) => [recid, version]);
    expect(Object.fromEntries(answer)).toEqual({
      [`${id}`]: { index: Number(versions[0]?.split(" ")[1]), is_latest: true },
      [`${other}`]: { index: 1, is_latest: true },
    });
  }

  const all = [`${fourth} 4 true`, `${third} 3 false`, `${second} 2 false`, `${first} 1 false`];
  for (const who of [null, "other"] as const)
    await latestTo(who, second, "Second", [`${second} 2 true`, `${first} 1 false`]);
  for (const who of ["registered", "admin"] as const) await latestTo(who, fourth, "Fourth", all);
  // The embargo of the fourth ends without anything being written.
  world.time.now = "2026-11-25T00:00:00.000Z";
  await latestTo(null, fourth, "Fourth", [`${fourth} 4 true`, `${second} 2 false`, `${first} 1 false`]);
  await latestTo("registered", fourth, "Fourth", all);
});
