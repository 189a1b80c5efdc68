// What people type into the search box (R27c): which items it finds, what is left out, and what its reader is shown.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { RECORD_TEXTS } from "../../../src/repository/search/detail/record-schema.ts";
import type { SearchDocument } from "../../../src/repository/search/document/document.ts";
import { FIELDS } from "../../../src/repository/search/document/document.ts";
import { tokensOf } from "../../../src/repository/search/document/tokens.ts";
import { parametersOf } from "../../../src/repository/search/query/parameters.ts";
import { anyOf, sizeOf } from "../../../src/repository/search/query/query-text.ts";
import { readerQuery } from "../../../src/repository/search/query/reader-query.ts";
import { readerQuestion } from "../../../src/repository/search/query/reader-question.ts";
import { inField } from "../../../src/repository/search/query/word-conditions.ts";
import { pairsIn } from "../../../src/repository/search/query/word-pairs.ts";
import { NUMBERS, TEXTS } from "../../../src/repository/search/settings/search-schema.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../../src/repository/search/settings/shipped-settings.ts";
import { cpuMs } from "../../support/cpu-time.ts";
import { isTrueOf } from "../../support/naive-index.ts";

const anywhere = (tokens: readonly string[]) => anyOf([inField(FIELDS.all)(tokens), inField(FIELDS.files)(tokens)]);

type Given = { readonly title: string; readonly author?: string; readonly year?: number; readonly file?: string };
function documentOf(given: Given, at: number): SearchDocument {
  const { title, author = "", year = 2000, file = "" } = given;
  const words = (text: string): string => [...new Set(tokensOf(text))].join(" ");
  return {
    ...{ id: at + 1, parentId: at + 1, digest: "", keys: {}, labels: {}, sorts: {} },
    texts: {
      [FIELDS.all]: words(`${title} ${author}`),
      [FIELDS.files]: words(file),
      [TEXTS.title]: words(title),
      [TEXTS.creator]: words(author),
      [RECORD_TEXTS.pairs]: [...pairsIn([title, author])].join(" "),
    },
    numbers: { [NUMBERS.published]: [year * 10_000 + 101] },
  };
}
const DOCUMENTS = [
  { title: "Winds of the deep sea", author: "Ada Moss", year: 2009 },
  { title: "Sea winds, deep and shallow", author: "Bo Field", year: 2012 },
  { title: "Tides", author: "Ada Moss", year: 2015 },
  { title: "Moss and fern", author: "Bo Field", year: 2020, file: "deep water of the sea" },
  { title: "沖縄における水田の歴史", year: 1999 },
  { title: "水田の土", year: 1999 },
].map(documentOf);

const found = (text: string): readonly number[] => {
  const query = readerQuery(text, "q", anywhere);
  return query === null ? [] : DOCUMENTS.filter((each) => isTrueOf(query.where, each)).map(({ id }) => id);
};
const widened = (text: string): readonly number[] | null => {
  const wider = readerQuery(text, "q", anywhere)?.wider ?? null;
  return wider === null ? null : DOCUMENTS.filter((each) => isTrueOf(wider.where, each)).map(({ id }) => id);
};

describe("R27c the search box", () => {
  test.each([
    ["deep sea", [1, 2, 4]],
    ['"deep sea"', [1, 4]],
    ["“deep sea”", [1, 4]],
    ["winds -deep", []],
    ["winds -shallow", [1]],
    ['sea -"deep sea"', [2]],
    ["-winds", [3, 4, 5, 6]],
    ["tides OR fern", [3, 4]],
    ["tides | fern", [3, 4]],
    ["tides or fern", []],
    ["OR tides", [3]],
    ["moss", [1, 3, 4]],
    ["author:moss", [1, 3]],
    ["title:moss", [4]],
    ['author:"Ada Moss" winds', [1]],
    ["著者:moss タイトル：tides", [3]],
    ["-author:moss sea", [2, 4]],
    ["year:2012", [2]],
    ["moss year:2010-2019", [3]],
    ["year:2012..", [2, 3, 4]],
    ["年:..1999", [5, 6]],
    ["year:soon", []],
    ["what are the tides?", [3]],
    ["水田", [5, 6]],
    ["winds - deep", [1, 2]],
    ["(winds) deep!", [1, 2]],
    ["...", []],
  ] as const)("%s finds %j", (text, expected) => {
    expect(found(text)).toEqual([...expected]);
  });

  test("words that are not all in one item are alternatives, beside what was asked for otherwise", () => {
    expect(widened("tides fern")).toEqual([3, 4]);
    expect(widened("winds fern -shallow")).toEqual([1, 4]);
    expect(widened("winds fern author:field")).toEqual([2, 4]);
    expect(widened("沖縄の水田はどうですか")).toEqual([5, 6]);
    expect([widened("tides"), widened("author:moss"), widened("tides OR fern"), widened('"deep sea"')]).toEqual([
      ...[null, null, null, null],
    ]);
    const below = (text: string) => readerQuery(text, "q", anywhere)?.wider?.below;
    expect([below("winds tides"), below("winds tides moss"), below("winds tides moss fern")]).toEqual([1, 1, 5]);
  });

  test("the reader is shown what was left out, and which name is not a field", () => {
    const reading = (text: string) => readerQuery(text, "q", anywhere)?.reading;
    expect(reading("deep sea")).toEqual({ searched: [], ignored: [], unknown: [] });
    expect(reading("what is the sea -winds")).toEqual({
      searched: ["sea", "-winds"],
      ignored: ["what", "is", "the"],
      unknown: [],
    });
    expect(reading("colour:blue doi:10.5072/x https://example.org")?.unknown).toEqual(["colour"]);
    expect(reading("year:soon")?.unknown).toEqual(["year"]);
  });

  test("Q.318 initials are asked for, articles and letters in lower case are not", () => {
    const ignored = (text: string) => readerQuery(text, "q", anywhere)?.reading.ignored;
    expect([ignored("S Moss"), ignored("Moss, M."), ignored("A. Moss"), ignored("Moss A.")]).toEqual([[], [], [], []]);
    expect([ignored("A moss"), ignored("moss I"), ignored("m moss")]).toEqual([["A"], ["I"], ["m"]]);
  });

  test("any text is a query, read in linear time, and what is too long is refused", async () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'"-:| ORaé水の[](){}~*^') })), (text) => {
        readerQuery(text, "q", anywhere);
      }),
    );
    const took = await cpuMs(() => {
      for (const piece of ['"', "-", "a:", "水", 'a" ', "OR ", "年:"])
        readerQuery(piece.repeat(Math.floor(1000 / piece.length)), "q", anywhere);
    });
    expect(took).toBeLessThan(250);
    expect(() => readerQuery("a".repeat(1001), "q", anywhere)).toThrow("1000 characters at most");
  });

  test("beginnings of words are searched for where they are not too many to compare", () => {
    const beginningsOf = (queries: number) => {
      const query = Array.from({ length: queries }, (_, at) => `q=wor${String.fromCharCode(97 + (at % 26))}d`).join(
        "&",
      );
      return readerQuestion(parametersOf(query), SHIPPED_SEARCH_SETTINGS, "records").beginnings;
    };
    const some = beginningsOf(40);
    expect([some === null ? 0 : sizeOf(some) > 300, beginningsOf(90)]).toEqual([true, null]);
  });

  test("OpenSearch reads words in the same way and is not widened; another order is not either", () => {
    const ask = (query: string, api: "records" | "opensearch") =>
      readerQuestion(parametersOf(query), SHIPPED_SEARCH_SETTINGS, api);
    const [page, open] = [ask("q=winds+fern", "records"), ask("q=winds+fern", "opensearch")];
    expect([open.where, open.ranking]).toEqual([page.where, page.ranking]);
    expect([page.wider === undefined, open.wider === undefined]).toEqual([false, true]);
    expect(ask("q=winds+fern&sort=wtl", "records").wider).toBeUndefined();
    expect(ask("keyword=winds", "opensearch").ranking).toEqual(ask("q=winds", "opensearch").ranking);
  });
});
