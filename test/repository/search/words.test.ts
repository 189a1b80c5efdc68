// Words as people write them (R27): for each step a table of examples with its source, what is found by a query and
// what is not. A query is read and a text is cut by the functions that items and questions go through.
import { describe, expect, test } from "bun:test";
import { tokenField } from "../../../src/repository/search/document/tokens.ts";
import { marked, piecesOf } from "../../../src/repository/search/query/marking.ts";
import { inField, parseQueryText, textCondition } from "../../../src/repository/search/query/query-text.ts";
import { KANJI_VARIANTS, withStandardKanji } from "../../../src/repository/search/words/kanji-variants.ts";
import { isTrueOf } from "../../support/naive-index.ts";

const LIMITS = { characters: 10_000, tokens: 10_000 };

function finds(query: string, text: string): boolean {
  const parsed = parseQueryText(query, "q");
  const document = {
    ...{ id: 1, parentId: 1, digest: "", keys: {}, labels: {}, numbers: {}, sorts: {} },
    texts: { title: tokenField([text], LIMITS) },
  };
  return parsed !== null && isTrueOf(textCondition(parsed, inField("title")), document);
}

type Examples = readonly (readonly [query: string, text: string, isFound: boolean])[];

/** Each is found the other way round, too, unless `oneWay` is set. */
function examples(source: string, all: Examples, oneWay = false): void {
  test.each(all)(`R27 ${source}: %s in %s is %p`, (query, text, isFound) => {
    expect(finds(query, text)).toBe(isFound);
    if (!oneWay) expect(finds(text, query)).toBe(isFound);
  });
}

describe("old and new kanji, and variants of names", () => {
  examples("Cabinet notice 2 of 2010, forms in brackets", [
    ["国学院", "國學院", true],
    ["広島", "廣島", true],
    ["図書館", "圖書館", true],
    ["弁護", "辯護", true],
    ["芸術", "藝術", true],
    ["台湾", "臺灣", true],
    ["竜", "龍", true],
    ["広島", "福島", false],
  ]);
  examples("forms of family names, as NDL authorities have them", [
    ["渡辺", "渡邊", true],
    ["渡辺", "渡邉", true],
    ["渡邉", "渡邊", true],
    ["斎藤", "齋藤", true],
    ["斎藤", "斉藤", true],
    ["斉藤", "齊藤", true],
    ["沢田", "澤田", true],
    ["高橋", "髙𣘺", true],
    ["吉野", "𠮷野", true],
    ["山崎", "山﨑", true],
    ["中島", "中嶋", true],
    ["桑原", "桒原", true],
    ["渡辺", "渡部", false],
    ["伊藤", "伊東", false],
  ]);

  test("R27 no form is replaced by one that is replaced itself, and no text becomes longer", () => {
    for (const [variant, standard] of KANJI_VARIANTS) {
      expect([variant, KANJI_VARIANTS.has(standard), standard.length <= variant.length]).toEqual([
        variant,
        false,
        true,
      ]);
      expect(withStandardKanji(`あ${variant}い${variant}`)).toBe(`あ${standard}い${standard}`);
    }
    expect(withStandardKanji("図書館で本を読む")).toBe("図書館で本を読む");
  });
});

describe("kana", () => {
  examples("Cabinet notice 2 of 1991, loan words: ヴ may be written バ", [
    ["バイオリン", "ヴァイオリン", true],
    ["ベートーベン", "ベートーヴェン", true],
    ["ビーナス", "ヴィーナス", true],
    ["レビュー", "レヴュー", true],
    ["バイオリン", "ハイオリン", false],
  ]);
  examples("Unicode UAX 15, compatible forms", [
    ["データベース", "ﾃﾞｰﾀﾍﾞｰｽ", true],
    ["ABC", "ＡＢＣ", true],
    ["第1回", "第１回", true],
    ["データ", "デタ", false],
  ]);
});

describe("emoji", () => {
  examples(
    "Unicode UTS 51",
    [
      ["🐋", "Whales 🐋 of the Arctic", true],
      ["❤", "I ❤️ archives", true],
      ["🇯🇵", "研究🇯🇵日本", true],
      ["🐋", "Whales 🐳", false],
    ],
    true,
  );
  test("R27 signs of rights and trademarks are not words", () => {
    expect(parseQueryText("©", "q")).toEqual([["©"]]);
    expect(finds("©", "© 2024")).toBe(false);
  });
});

test("R27 what was found by a variant is marked as it is written", () => {
  const found = (query: string, text: string): readonly string[] =>
    marked(text, piecesOf([query])).flatMap((part) => (part.found ? [part.text] : []));
  expect(found("渡辺", "著者は渡邊花子")).toEqual(["渡邊"]);
  expect(found("吉野", "𠮷野家")).toEqual(["𠮷野"]);
  expect(found("バイオリン", "ヴァイオリンの歴史")).toEqual(["ヴァイオリン"]);
});
