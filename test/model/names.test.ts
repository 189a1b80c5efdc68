// How names of people are written, and which of several wordings a reader gets (R19a): pages, lists, citations, tags
// and feeds ask the same rules.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Agent, type AgentName, EMPTY_METADATA, type Title } from "../../src/model/metadata/metadata.ts";
import {
  agentNames,
  citedLanguage,
  citedTitle,
  closedName,
  inLanguage,
  isEastAsianName,
  namesIn,
  nameText,
  peopleIn,
  titleIn,
} from "../../src/model/metadata/reader-language.ts";
import { person } from "../support/cited-items.ts";
import { cpuMs } from "../support/cpu-time.ts";

describe("nameText()", () => {
  test.each<[AgentName, string]>([
    // Family and given name, by two fields or with either comma.
    [{ family: "山田", given: "花子", lang: "ja" }, "山田 花子"],
    [{ full: "山田, 花子", lang: "ja" }, "山田 花子"],
    [{ full: "山田，花子" }, "山田 花子"],
    [{ full: "やまだ, はなこ", lang: "ja-Kana" }, "やまだ はなこ"],
    [{ full: "ヤマダ, ハナコ", lang: "ja-Kana" }, "ヤマダ ハナコ"],
    [{ full: "佐々木, 一〆" }, "佐々木 一〆"],
    // What has no comma is as it was written, blanks tidied.
    [{ full: "山田花子", lang: "ja" }, "山田花子"],
    [{ full: "山田　花子" }, "山田 花子"],
    [{ full: " 山田  花子\n" }, "山田 花子"],
    [{ full: "山田花子", family: "山田", given: "花子" }, "山田 花子"],
    // Chinese and Korean names are one word.
    [{ family: "王", given: "小明", lang: "zh" }, "王小明"],
    [{ full: "王, 小明", lang: "zh-Hant" }, "王小明"],
    [{ full: "홍, 길동" }, "홍길동"],
    [{ family: "김", given: "철수", lang: "ko" }, "김철수"],
    [{ family: "金", given: "大中", lang: "ko" }, "金大中"],
    [{ full: "남궁 옥분", lang: "ko" }, "남궁 옥분"],
    // Foreign names in katakana keep their dot and their order.
    [{ full: "エイダ・ラブレス", lang: "ja" }, "エイダ・ラブレス"],
    [{ family: "ガルシア゠マルケス", given: "ガブリエル" }, "ガルシア゠マルケス ガブリエル"],
    [{ full: "ラブレス, エイダ" }, "ラブレス エイダ"],
    // Only one part.
    [{ family: "山田" }, "山田"],
    [{ given: "花子" }, "花子"],
    [{ full: "山田," }, "山田"],
    // Mixed scripts: the family name decides.
    [{ family: "山田", given: "Hanako", lang: "ja" }, "山田 Hanako"],
    [{ full: "Smith, 花子", lang: "ja" }, "Smith, 花子"],
    [{ full: "Smith, John", lang: "ja" }, "Smith, John"],
    // Latin names are as they were.
    [{ family: "Adachi", given: "Jun", lang: "en" }, "Adachi, Jun"],
    [{ full: "Adachi, Jun" }, "Adachi, Jun"],
    [{ full: "Jun Adachi" }, "Jun Adachi"],
    [{ family: "Plato" }, "Plato"],
    [{ full: "山田, 花子, 博士" }, "山田, 花子, 博士"],
    [{ full: "Иванов, Иван" }, "Иванов, Иван"],
    [{}, ""],
  ])("R19a writes %j as %s", (name, written) => {
    expect(nameText(name, "personal")).toBe(written);
    expect(nameText(name, null)).toBe(written);
  });

  test("R19a an organisation's name is as it is, comma included", () => {
    expect(nameText({ full: "東京大学, 工学部", lang: "ja" }, "organizational")).toBe("東京大学, 工学部");
    expect(nameText({ family: "国立情報学研究所" }, "organizational")).toBe("国立情報学研究所");
  });

  test("R19a no name in Han, kana or Hangul ever gets a comma, and nothing of it is lost", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."山田花子々やまダヰー홍길동王"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, fc.constantFrom("ja", "zh", "ko", "en", undefined), (family, given, lang) => {
        const tagged = lang === undefined ? {} : { lang };
        const written = [
          nameText({ family, given, ...tagged }, "personal"),
          nameText({ full: `${family}, ${given}`, ...tagged }, "personal"),
        ];
        for (const text of written) {
          expect(text).not.toMatch(/[,，]/);
          expect(text.replaceAll(" ", "")).toBe(family + given);
        }
      }),
    );
  });

  test("R9a a name of a million blanks, commas or letters is written at once", async () => {
    for (const full of [" ".repeat(1_000_000), ",".repeat(1_000_000), " ,".repeat(500_000), "山".repeat(1_000_000)]) {
      const ms = await cpuMs(() => {
        nameText({ full }, null);
        namesIn([{ full }, { full: "山田", lang: "ja" }], "en");
      });
      expect(ms).toBeLessThan(1_000);
    }
  });
});

describe("closedName()", () => {
  test.each<[AgentName, string]>([
    [{ family: "山田", given: "花子" }, "山田花子"],
    [{ full: "山田　花子" }, "山田花子"],
    [{ full: "山田花子" }, "山田花子"],
    [{ family: "山田", given: "ハナコ" }, "山田ハナコ"],
    [{ full: "ラブレス, エイダ" }, "ラブレス エイダ"],
    [{ full: "エイダ・ラブレス" }, "エイダ・ラブレス"],
    [{ full: "Adachi, Jun" }, "Adachi, Jun"],
  ])("R19a a citation writes %j as %s", (name, written) => {
    expect(closedName(name, "personal")).toBe(written);
  });
});

describe("the reader's language", () => {
  const both: Agent = person("", "", {
    names: [
      { full: "鈴木, 一郎", lang: "ja" },
      { full: "スズキ, イチロウ", lang: "ja-Kana" },
      { full: "Suzuki, Ichiro", lang: "en" },
    ],
  });

  test.each<[string, readonly (string | undefined)[], string | undefined]>([
    ["en", ["ja", "en"], "en"],
    ["ja", ["en", "ja"], "ja"],
    ["ja", ["en", "ja-Kana", "ja"], "ja"],
    ["ja", ["en", "ja-Kana"], "ja-Kana"],
    ["ja", ["en", "ja-JP"], "ja-JP"],
    ["ja", ["en", "JA"], "JA"],
    ["en", ["ja", "ja-Latn"], "ja-Latn"],
    ["en", ["ja-Kana", "ja"], "ja"],
    ["ja", ["ja-Latn", "en"], "en"],
    ["en", ["fr", "de"], "fr"],
  ])("R19a who reads %s gets of %j the one in %s", (tag, langs, expected) => {
    const texts = langs.map((lang) => ({ value: "x", ...(lang === undefined ? {} : { lang }) }));
    expect(inLanguage(texts, tag)[0]?.lang).toBe(expected);
  });

  test("R19a an empty wording is never the first", () => {
    expect(
      inLanguage(
        [
          { value: " ", lang: "en" },
          { value: "潮位", lang: "ja" },
        ],
        "en",
      )[0]?.value,
    ).toBe("潮位");
    expect(inLanguage([{ value: "" }, { value: "ヤマダ", lang: "ja-Kana" }], "en")[0]?.value).toBe("ヤマダ");
  });

  test("R19a the language of an unmarked text is known by its letters, and nothing is lost or doubled", () => {
    expect(inLanguage([{ value: "Tide" }, { value: "潮位" }], "ja").map(({ value }) => value)).toEqual([
      "潮位",
      "Tide",
    ]);
    expect(inLanguage([{ value: "潮位" }, { value: "Tide" }], "en").map(({ value }) => value)).toEqual([
      "Tide",
      "潮位",
    ]);
    expect(inLanguage([{ value: "조석" }, { value: "潮汐" }], "ja").map(({ value }) => value)).toEqual([
      "潮汐",
      "조석",
    ]);
    const many = Array.from({ length: 3_000 }, (_, index) => ({ value: `${index}`, lang: index % 2 ? "ja" : "en" }));
    expect(inLanguage(many, "ja").toSorted((a, b) => Number(a.value) - Number(b.value))).toEqual(many);
  });

  test("R19a all names of one agent: the reader's first, the others behind it", () => {
    expect(agentNames(both, "en", 9).map(({ text }) => text)).toEqual([
      "Suzuki, Ichiro",
      "鈴木 一郎",
      "スズキ イチロウ",
    ]);
    expect(agentNames(both, "ja", 9).map(({ text }) => text)).toEqual([
      "鈴木 一郎",
      "スズキ イチロウ",
      "Suzuki, Ichiro",
    ]);
    expect(peopleIn([both, person("Adachi", "Jun")], "ja", 9)).toEqual(["鈴木 一郎", "Adachi, Jun"]);
    expect(peopleIn([both, both, both], "ja", 2)).toHaveLength(2);
    const nameless = person("", "", { alternatives: [{ value: "T. M." }] });
    expect(peopleIn([nameless], "en", 9)).toEqual(["T. M."]);
  });

  test.each<[string, readonly Title[], string]>([
    [
      "ja",
      [
        { value: "E", lang: "en", kind: "main" },
        { value: "J", lang: "ja", kind: "main" },
      ],
      "J",
    ],
    [
      "ja",
      [
        { value: "E", lang: "en", kind: "main" },
        { value: "J", lang: "ja", kind: "translated" },
      ],
      "J",
    ],
    [
      "ja",
      [
        { value: "E", lang: "en", kind: "main" },
        { value: "J", lang: "ja", kind: "subtitle" },
      ],
      "E",
    ],
    [
      "en",
      [
        { value: "潮位", kind: "main" },
        { value: "Tide", kind: "translated" },
      ],
      "潮位",
    ],
    [
      "en",
      [
        { value: "潮位", kind: "main" },
        { value: "Tide", kind: "main" },
      ],
      "Tide",
    ],
    [
      "en",
      [
        { value: "Gezeiten", kind: "main" },
        { value: "Tide", lang: "en", kind: "main" },
        { value: "Tides", lang: "en", kind: "translated" },
      ],
      "Gezeiten",
    ],
    [
      "en",
      [
        { value: "J", lang: "ja", kind: "main" },
        { value: "L", lang: "ja-Latn", kind: "translated" },
      ],
      "J",
    ],
    ["en", [{ value: "A", lang: "de", kind: "alternative" }], "A"],
  ])("R3 R19a who reads %s sees of %j the title %s", (tag, titles, expected) => {
    expect(titleIn({ ...EMPTY_METADATA, titles }, tag)?.value).toBe(expected);
  });

  const translated = (value: string, lang: string): Title => ({ value, lang, kind: "translated" });
  const GERMAN = [main("Gezeiten"), translated("Tides", "en"), translated("潮位", "ja")];
  test.each<[string, readonly string[], readonly Title[], string]>([
    ["en", ["deu"], GERMAN, "Tides"],
    ["ja", ["deu"], GERMAN, "潮位"],
    ["fr", ["deu"], GERMAN, "Gezeiten"],
    ["en", ["eng"], GERMAN, "Gezeiten"],
    ["en", [], GERMAN, "Tides"],
    // Letters of another script show that the item's language is not that of its title.
    ["en", ["eng"], [main("潮位"), translated("Tides", "en")], "Tides"],
    ["de", ["deu"], [main("潮位", "ja"), translated("Gezeiten", "de")], "Gezeiten"],
  ])("R19a who asks for %s by name gets of an item in %j the title of %j: %s", (tag, languages, titles, expected) => {
    expect(titleIn({ ...EMPTY_METADATA, languages, titles }, tag, true)?.value).toBe(expected);
    expect(citedTitle({ ...EMPTY_METADATA, languages, titles }, tag, true).title?.value).toBe(expected);
    expect(citedTitle({ ...EMPTY_METADATA, languages, titles }, undefined).title).toEqual(titles[0] ?? null);
  });

  test.each([
    [["deu"], "Gezeiten", "de"],
    [["rus", "eng"], "Приливы", "ru"],
    [["jpn"], "DNA解析", "ja"],
    [["zho"], "潮汐", "zh"],
    [["eng"], "潮汐", "ja"],
    [[], "Tides", "en"],
    [[], "Приливы", undefined],
  ])("R19a the citation of an item in %j with the title %s is in %p", (languages, value, expected) => {
    const metadata = { ...EMPTY_METADATA, languages, titles: [main(value), translated("Other", "en")] };
    expect(citedTitle(metadata, undefined).lang).toBe(expected as string);
  });

  test.each<[string, string | undefined, readonly Title[], readonly Agent[], string | undefined]>([
    ["the reader's, where title and names have it", "en", [main("潮位", "ja"), main("Tide", "en")], [both], "en"],
    ["the title's, where it has one language", "en", [main("潮位", "ja")], [both], "ja"],
    [
      "that of the names, where no name is in the reader's",
      "en",
      [main("潮位", "ja"), main("Tide", "en")],
      [person("", "", { names: [{ full: "鈴木, 一郎", lang: "ja" }] })],
      "ja",
    ],
    ["the main title's, without a reader", undefined, [main("潮位", "ja"), main("Tide", "en")], [both], "ja"],
    ["known by the letters", "en", [main("潮位の記録")], [both], "ja"],
    ["known by the letters", "ja", [main("Tide")], [both], "en"],
  ])("R19a the language of a citation is %s", (_, reader, titles, creators, expected) => {
    expect(citedLanguage({ ...EMPTY_METADATA, titles, creators }, reader)).toBe(expected);
  });
});

function main(value: string, lang?: string): Title {
  return { value, kind: "main", ...(lang === undefined ? {} : { lang }) };
}

test("R19a no name in ASCII is an East Asian one: such names are written without asking what letters they have", () => {
  const part = fc.string({ unit: "binary-ascii", maxLength: 12 });
  fc.assert(
    fc.property(fc.record({ full: part, family: part, given: part }, { requiredKeys: [] }), (name) => {
      expect(isEastAsianName(name)).toBe(false);
    }),
  );
});
