// Words that few or no records have (R27f, Q.315, Q.316): the nearest word, as each interface states it, and where hits
// of it follow. What the caller may not see is suggested nowhere.
import { beforeAll, expect, test } from "bun:test";
import { manyGuests, takenApart, toolCalls } from "../support/tool-calls.ts";
import { aContent, titled } from "../support/world/items.ts";
import type { Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });
const { resultOf } = takenApart(toolCalls(manyGuests(world)));

const MANY = 20;
beforeAll(async () => {
  const viewer = await world.viewer("registered");
  const published = async (title: string, isOpen = true) => {
    const content = aContent({ metadata: titled(title) });
    const access = isOpen ? content.access : { ...content.access, record: "restricted" as const };
    await world.items.createAndPublish(viewer, { content: { ...content, access } });
  };
  await published("Sedimant of one lake");
  await published("Marine sedimant of the coast");
  for (let at = 0; at < MANY; at += 1) await published(`Sediment ${at}`);
  for (const title of ["Zirconium", "Zirconium again"]) await published(title, false);
});

type Found = {
  readonly hits: { readonly total: number; readonly hits: readonly object[] };
  readonly did_you_mean?: string;
};
const asked = async (path: string, q: string, more: Readonly<Record<string, string>> = {}, who: Who = null) => {
  const { status, json, text } = await world.ask(who, "GET", `${path}?${new URLSearchParams({ q, ...more })}`);
  expect(status).toBe(200);
  return { ...(json as unknown as Found), text };
};

test("Q.316 records and OpenSearch name the nearest word, and find what was asked for", async () => {
  for (const path of ["/api/records", "/api/opensearch/search"]) {
    const answers = [];
    for (const q of ["sedimant", "sedimnt", "sediment", '"sedimant"', "xylophone"]) {
      const { hits, did_you_mean } = await asked(path, q);
      answers.push([q, hits.total, did_you_mean]);
    }
    expect([path, answers]).toEqual([
      path,
      [
        ["sedimant", 2, "sediment"],
        ["sedimnt", 0, "sediment"],
        ["sediment", MANY, undefined],
        ['"sedimant"', 2, undefined],
        ["xylophone", 0, undefined],
      ],
    ]);
  }
  expect((await asked("/api/records", "sedimant", { sort: "newest" })).did_you_mean).toBeUndefined();
  expect((await asked("/api/records", "(sedimant AND lake)")).did_you_mean).toBe("(sediment AND lake)");
});

test("Q.316 feeds have it as a query in the role of a correction, escaped", async () => {
  const correction = (terms: string) => `<opensearch:Query role="correction" searchTerms="${terms}"/>`;
  for (const format of ["atom", "rss", "jpcoar"]) {
    const [wrong, right] = [
      await asked("/api/opensearch/search", "sedimant", { format }),
      await asked("/api/opensearch/search", "sediment", { format }),
    ];
    expect([format, wrong.text.includes(correction("sediment")), right.text.includes("correction")]).toEqual([
      ...[format, true, false],
    ]);
  }
  const { text } = await asked("/api/opensearch/search", "sedimant <a&b>", { format: "atom" });
  expect(text).toContain(correction("sediment &lt;a&amp;b&gt;"));
});

type Searched = {
  readonly total: number;
  readonly records: readonly { readonly title: string; readonly why?: string }[];
  readonly next_page?: number | null;
  readonly understood_as: string;
  readonly try?: readonly string[];
  readonly facets?: Readonly<Record<string, { readonly values: readonly { readonly count: number }[] }>>;
};
const searched = (query: string, more: object = {}): Promise<Searched> =>
  resultOf(null, "search_records", { query, ...more });

test("Q.315 of tools the records with the nearest word follow those with the word, on every page, and state it", async () => {
  const first = await searched("sedimant", { facets: true });
  expect(first.total).toBe(MANY + 2);
  expect(first.records).toHaveLength(10);
  const exactly = first.records.slice(0, 2).map(({ title, why }) => `${title}; ${why}`);
  expect(exactly.sort()).toEqual([
    "Marine sedimant of the coast; title: sedimant",
    "Sedimant of one lake; title: sedimant",
  ]);
  expect(first.records[2]?.why).toBe('title: sediment; "Sediment" is near to "sedimant"');
  expect(first.understood_as).toEndWith('Few have "sedimant": records with "sediment" follow.');
  expect(first.try).toContain('exactly the word as it is written: "sedimant"');
  expect(first.facets?.resource_type?.values.reduce((sum, { count }) => sum + count, 0)).toBe(MANY + 2);
  const [second, third] = [await searched("sedimant", { page: 2 }), await searched("sedimant", { page: 3 })];
  expect([second.total, second.records.length, third.total, third.records.length]).toEqual([22, 10, 22, 2]);
  const titles = new Set([first, second, third].flatMap(({ records }) => records.map(({ title }) => title)));
  expect(titles.size).toBe(MANY + 2);

  const none = await searched("sedimnt");
  expect([none.total, none.understood_as.endsWith('No record has "sedimnt": these have "sediment".')]).toEqual([
    ...[MANY, true],
  ]);
  const exact = await searched('"sedimant"');
  expect([exact.total, exact.try, exact.understood_as.includes("follow")]).toEqual([2, undefined, false]);
  expect((await searched("sedimant", { sort: "newest" })).total).toBe(2);
});

test("Q.315 of tools each of several words is corrected, however many records have another one", async () => {
  const { total, records, understood_as } = await searched("sedimnt lake");
  expect([total, records[0]?.title]).toEqual([MANY + 1, "Sedimant of one lake"]);
  expect(understood_as).toEndWith('Few have "sedimnt": records with "sediment" follow.');
  // Every record with the nearest word has another word of the query, too: the order alone changes.
  const { understood_as: covered, total: same } = await searched("coost marine sediment");
  expect([same, covered.endsWith('Few have "coost": records with "coast" follow.')]).toEqual([MANY + 1, true]);
  expect((await asked("/api/records", "sedimnt lake")).did_you_mean).toBe("sediment lake");
});

test("Q.315 Q.316 R2h what the caller may not see is suggested nowhere", async () => {
  for (const path of ["/api/records", "/api/opensearch/search"]) {
    expect([path, (await asked(path, "zirconiun")).did_you_mean]).toEqual([path, undefined]);
  }
  const among = await searched("zirconiun lake");
  expect([among.total, JSON.stringify(among).includes("zirconium")]).toEqual([1, false]);
  const { total, try: tries = [] } = await searched("zirconiun");
  expect([total, tries.some((each) => each.includes("zirconium"))]).toEqual([0, false]);
  expect((await asked("/api/records", "zirconiun", {}, "system")).did_you_mean).toBe("zirconium");
});
