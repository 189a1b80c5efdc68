// Typing errors (R27f): which word is meant, from what the reader may see alone, by a bounded number of lookups.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { GUEST, REPOSITORY_OPERATOR } from "../../../src/auth/account.ts";
import type { Metadata } from "../../../src/model/metadata/metadata.ts";
import { FIELDS } from "../../../src/repository/search/document/document.ts";
import type { Finder } from "../../../src/repository/search/query/finder.ts";
import { correctedText } from "../../../src/repository/search/query/spelling.ts";
import { inField } from "../../../src/repository/search/query/word-conditions.ts";
import { aContent, titled } from "../../support/world/items.ts";
import { searching } from "../../support/world/search.ts";
import { setUpWorld } from "../../support/world.ts";

const world = setUpWorld({ items: { arks: false } });
let finder: Finder;
let publish: (title: string, isOpen?: boolean, more?: Partial<Metadata>) => Promise<void>;
let close: () => Promise<void> = async () => {};
const calls = { find: 0, wordsOf: 0 };

beforeAll(async () => {
  const search = await searching(world);
  close = () => search.close();
  finder = search.finder;
  const owner = (await world.person([3])).account?.id ?? 0;
  publish = async (title, isOpen = true, more = {}) => {
    const plain = aContent({ metadata: titled(title, more) });
    const content = isOpen ? plain : { ...plain, access: { ...plain.access, record: "restricted" as const } };
    await world.items.createAndPublish(REPOSITORY_OPERATOR, { content, owner });
    // What is written is followed before it is asked for.
    await search.ids(GUEST);
  };
  for (const title of ["Repository metadata", "Climate change", "Fisheries of the coast", "The coast", "図書館"]) {
    await publish(title);
  }
  for (const title of ["Zirconium", "Climatic coats", "Coats"]) await publish(title, false);
  // A query that nothing was found for has waited for the index.
  expect(await search.ids(GUEST)).toHaveLength(5);
});
afterAll(() => close());

const corrected = (text: string, viewer = GUEST): Promise<string | null> => {
  const counting = {
    find: (...given: Parameters<Finder["find"]>) => {
      calls.find += 1;
      return finder.find(...given);
    },
    wordsOf: (...given: Parameters<Finder["wordsOf"]>) => {
      calls.wordsOf += 1;
      return finder.wordsOf(...given);
    },
  };
  return correctedText({ finder: counting, viewer, place: inField(FIELDS.all), items: world.store.items }, text);
};

test.each([
  // Damerau (1964): four kinds of single errors are most of all.
  ["left out", "repositry", "repository"],
  ["put in", "metaddata", "metadata"],
  ["changed", "climote change", "climate change"],
  ["swapped", "fihseries", "fisheries"],
  ["the first letter", "limate", "climate"],
  ["the first letters swapped", "erpository", "repository"],
  ["two errors in a long word", "repositroyy", "repository"],
  ["several words", "climte chnge of the coast", "climate change of the coast"],
  ["case and spaces", "  Climte  CHANGE", "  climate  CHANGE"],
  ["a form of a word that is there", "repositories", null],
  ["right already", "climate change", null],
  ["nothing near", "xylophone", null],
  ["a short word", "clm", null],
  ["in quotation marks", '"climte" change', null],
  ["after a sign or the name of a field", "-climte title:climte", null],
  ["a text without spaces", "図書舘の", null],
] as const)("R27f %s: %s", async (_what, typed, meant) => {
  expect(await corrected(typed)).toBe(meant);
});

test("R27f a word that few items have gives way to one next to it that ten times as many have, one error away", async () => {
  expect(await corrected("gliese")).toBe(null);
  await publish("Glacier of 1900");
  await publish("Glacier and Glaciar");
  expect(await corrected("glaciar")).toBe(null);
  for (let at = 0; at < 9; at += 1) await publish(`Glacier ${at}`);
  expect([await corrected("glaciar"), await corrected("glaciar 1900"), await corrected("glaciers")]).toEqual([
    "glacier",
    "glacier 1900",
    null,
  ]);
  for (let at = 0; at < 4; at += 1) await publish(`Glaciar ${at}`);
  expect(await corrected("glaciar")).toBe(null);
});

test("R27f a loan word is corrected by the nearest in katakana, as it is written", async () => {
  await publish("データベースの設計");
  await publish("コンピューターの歴史");
  expect([
    await corrected("データベスー"),
    await corrected("データーベイズ"),
    await corrected("コンピョーター"),
    await corrected("データ"),
    await corrected("シーラカンス"),
  ]).toEqual([null, "データベース", "コンピューター", null, null]);
});

test("R27f a family name that few have gives way to one that is read in the same way", async () => {
  const person = (family: string, reading: string) => ({
    creators: [
      {
        kind: "personal" as const,
        names: [
          { family, given: "花子", lang: "ja" },
          { family: reading, given: "ハナコ", lang: "ja-Kana" },
        ],
        ...{ alternatives: [], ids: [], emails: [], affiliations: [] },
      },
    ],
  });
  await publish("One", true, person("綿鍋", "ワタナベ"));
  await publish("Two", true, person("毛利", "モウリ"));
  expect(await corrected("綿鍋")).toBe(null);
  for (let at = 0; at < 10; at += 1) await publish(`Of ${at}`, true, person("渡辺", "ワタナベ"));
  expect([await corrected("綿鍋"), await corrected("毛利"), await corrected("渡辺")]).toEqual(["渡辺", null, null]);
});

test("R27f R2h words of what the reader may not see are not suggested, whatever else is near", async () => {
  expect([await corrected("zirconiun"), await corrected("zirconiun", REPOSITORY_OPERATOR)]).toEqual([
    null,
    "zirconium",
  ]);
  expect([await corrected("coasts coatt"), await corrected("climatc")]).toEqual(["coasts coast", "climate"]);
});

test("R27f the work is bounded, however long the query", async () => {
  Object.assign(calls, { find: 0, wordsOf: 0 });
  const long = Array.from({ length: 200 }, (_, at) => `climte${"abcdefghij"[at % 10]}xq`).join(" ");
  await corrected(long);
  expect(calls.wordsOf).toBeGreaterThan(100);
  expect(calls.wordsOf).toBeLessThanOrEqual(8 * 180);
  expect(calls.find).toBeLessThanOrEqual(8 * 7);
});
