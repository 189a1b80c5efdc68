// By which words of a title records are found that may describe the same work (issue 25), in a repository of any size.
import { expect, test } from "bun:test";
import { GUEST } from "../../src/auth/account.ts";
import { likelyDuplicates } from "../../src/repository/record-lists/likely-duplicates.ts";
import type { Condition } from "../../src/repository/search/index/index-port.ts";
import { weightOf } from "../../src/repository/search/index/scoring.ts";
import type { Finder, ItemQuery } from "../../src/repository/search/query/finder.ts";

const TOTAL = 1_000_000;

function tokensOf(condition: Condition): readonly string[] {
  if (condition.kind === "token") return [condition.token];
  return condition.kind === "and" || condition.kind === "or" ? condition.of.flatMap(tokensOf) : [];
}

/** What is asked of an engine in which so many documents have each word; null: it weighs nothing. */
async function askedFor(title: string, having: Readonly<Record<string, number>> | null): Promise<readonly ItemQuery[]> {
  const asked: ItemQuery[] = [];
  const find: Finder["find"] = async (_, query) => {
    asked.push(query);
    const words = (query.ranking ?? []).flatMap(({ places }) => places.flatMap(({ of }) => tokensOf(of)));
    const weights = having === null ? undefined : words.map((word) => weightOf(having[word] ?? 0, TOTAL));
    return { total: TOTAL, items: [], facets: [], next: null, ...(weights === undefined ? {} : { weights }) };
  };
  const store = { items: { summariesOf: async () => [] } } as unknown as Parameters<
    typeof likelyDuplicates
  >[0]["store"];
  await likelyDuplicates({ finder: { find }, store }).likely(GUEST, {
    titles: [title],
    identifiers: [],
    year: null,
    of: null,
  });
  return asked;
}

const NOTHING: Condition = { kind: "or", of: [] };
const rankedBy = (query: ItemQuery | undefined): readonly string[] =>
  (query?.ranking ?? []).flatMap(({ places }) => places.flatMap(({ of }) => tokensOf(of))).toSorted();

const title = "Annual report of glaciers and fjords near Tromsø";
const COMMON = { annual: 300_000, report: 200_000 };

test("R9b words that many documents have are not asked for where two others can be", async () => {
  const [counted, found] = await askedFor(title, { ...COMMON, glaciers: 900, fjords: 400, near: 50_000, tromso: 12 });
  expect([counted?.page.size, counted?.isRough]).toEqual([0, true]);
  const words = [...new Set(tokensOf(found?.where ?? NOTHING))];
  expect(words.toSorted()).toEqual(["fjords", "glaciers", "tromso"]);
  // Two of the three.
  expect(found?.where.kind === "or" && found.where.of.map(({ kind }) => kind)).toEqual(["and", "and"]);
  // A title of a series, or a shorter one, has the same words.
  expect(rankedBy(found)).toEqual(["annual", "fjords", "glaciers", "near", "report", "tromso"]);
});

test("a word that no record has may be mistyped: it is not one of those that decide", async () => {
  const two = "Annual reprot of glacers: glaciers, fjords, Tromsø";
  const [, found] = await askedFor(two, { ...COMMON, glaciers: 900, fjords: 400, tromso: 12 });
  expect([...new Set(tokensOf(found?.where ?? NOTHING))].toSorted()).toEqual(["fjords", "glaciers", "tromso"]);
  const [, all] = await askedFor("Annual report of glaceirs", { ...COMMON });
  expect([...new Set(tokensOf(all?.where ?? NOTHING))].toSorted()).toEqual(["annual", "glaceirs", "report"]);
});

test("a number tells a title from the others of its series, though it is not one of the longest words", async () => {
  const series =
    "Proceedings of the international symposium on environmental monitoring, agricultural research, northern regions, hydrological stations 2009";
  const [, found] = await askedFor(series, {});
  expect(rankedBy(found)).toContain("2009");
});

test("of two words that few have either is enough: the other one may be written otherwise", async () => {
  const [, found] = await askedFor("Annual report: glaciers, fjords", { ...COMMON, glaciers: 900, fjords: 400 });
  expect(found?.where.kind === "or" && found.where.of.map(({ kind }) => kind)).toEqual(["token", "token"]);
});

test.each([
  ["all of them are common", { annual: 300_000, report: 200_000, glaciers: 40_000, fjords: 30_000 }],
  ["an engine weighs nothing", null],
] as const)("two of all words are asked for where %s", async (_, having) => {
  const [, found] = await askedFor("Annual report: glaciers, fjords", having);
  const words = new Set(tokensOf(found?.where ?? NOTHING));
  expect([...words].toSorted()).toEqual(["annual", "fjords", "glaciers", "report"]);
  expect(found?.where.kind === "or" && found.where.of.every(({ kind }) => kind === "and")).toBe(true);
});
