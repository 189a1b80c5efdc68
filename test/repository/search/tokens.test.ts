// How text becomes tokens (R27): vectors, and what holds of every text.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  folded,
  spansIn,
  spansOf,
  tokenField,
  tokenSet,
  tokensOf,
  tokensOfSpans,
  whollyFolded,
  wordsOfQuery,
} from "../../../src/repository/search/document/tokens.ts";
import { cpuMs } from "../../support/cpu-time.ts";

const LIMITS = { characters: 100_000, tokens: 10_000 };
const has = (text: string, word: string): boolean => {
  const tokens = tokenSet([text], LIMITS);
  const asked = wordsOfQuery(word);
  return asked.length > 0 && asked.every((token) => tokens.has(token));
};

describe("R27 tokensOf()", () => {
  test.each<[string, string]>([
    ["Quantum Library 2024", "quantum library 2024"],
    ["C++ and O’Brien's", "c and o brien s"],
    ["state-of-the-art", "state of the art"],
    ["", ""],
    ["!!! — “”", ""],
    // Accents, ligatures, letters that no normalization takes apart, both kinds of sigma.
    ["Müller Économie Straße STRASSE", "muller economie strasse strasse"],
    ["ﬁnanz Œuvre Łódź İstanbul ısı Þing", "finanz oeuvre lodz istanbul isi thing"],
    ["ΣΊΣΥΦΟΣ σίσυφος", "σισυφοσ σισυφοσ"],
    ["Ёлка", "елка"],
    ["שָׁלוֹם كِتَـاب", "שלום كتاب"],
    // Words of two parts that are shown as one, and two words with a space that nobody sees.
    ["Da\u00adten zu\u200bletzt", "daten zu letzt"],
    ["Qurʼān", "qur an"],
    // Signs of Indic scripts are not accents.
    ["हिन्दी", "हिन्दी"],
    ["図書館", "図 図書 書 書館 館"],
    ["図", "図"],
    ["第3回", "第 3 回"],
    ["人々と〇", "人 人々 々 々と と と〇 〇"],
    ["ﾃﾞｰﾀ", "デ デー ー ータ タ"],
    ["ガ が", "ガ が"],
    ["か\u3099", "が"],
    ["ラ〜メン", "ラ ラー ー ーメ メ メン ン"],
    ["すごーーい", "す すご ご ごー ー ーい い"],
    ["１０月〜１２月", "10 月 12 月"],
    ["東京、大阪・京都", "東 東京 京 大 大阪 阪 京 京都 都"],
    ["葛\u{e0100}城", "葛 葛城 城"],
    ["𠮷野家", "吉 吉野 野 野家 家"],
    ["𩸽料理", "𩸽 𩸽料 料 料理 理"],
    ["Whales 🐋🐳!", "whales 🐋 🐋🐳 🐳"],
    ["한국어 도서관", "한 한국 국 국어 어 도 도서 서 서관 관"],
    ["ไทย", "ไ ไท ท ทย ย"],
    ["㈱アーク", "株 ア アー ー ーク ク"],
    ["\ud800 lone \udc00", "lone"],
  ])("%s", (text, tokens) => {
    expect([...tokensOf(text)].join(" ")).toBe(tokens);
  });
});

/** Texts in which every way of reading meets every other: scripts, marks, cases, dashes, halves of characters. */
const mixedText = fc.array(
  fc.oneof(
    fc.constantFrom(..."aZ9 -'’éßıÆ\u0301\u3099\u200b\u00ad図書館々〇、。「」・ーー―—−〜ｱﾞＡかカヶヷ한ไा𠮷\ud842\udfb7"),
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    fc.integer({ min: 0x2fff, max: 0x3200 }).map((code) => String.fromCharCode(code)),
    fc.constant("w".repeat(60)),
  ),
  { maxLength: 30 },
);

describe("R27 faster ways", () => {
  test("R27: a text is cut as the expression for runs and words cuts it", () => {
    fc.assert(
      fc.property(mixedText, (parts) => {
        const text = parts.join("");
        expect(tokensOf(text)).toEqual(tokensOfSpans(spansIn(folded(text))));
        expect(spansOf(folded(text))).toEqual(spansIn(folded(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  test("R27: each character that is spared the whole folding folds into the same by it", () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      const character = String.fromCharCode(code);
      for (const text of [character, `カ${character}ー`, `${character}${character}`]) {
        const whole = whollyFolded(text);
        if (folded(text) !== whole) expect([code, folded(text)]).toEqual([code, whole]);
      }
    }
  });

  test("R27: texts that are spared the whole folding fold into the same by it", () => {
    fc.assert(
      fc.property(mixedText, (parts) => {
        const text = parts.join("");
        expect(folded(text)).toBe(whollyFolded(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("R27 wordsOfQuery()", () => {
  test.each<[string, readonly string[]]>([
    ["図", ["図"]],
    ["図書館", ["図書", "書館"]],
    ["Müller-Lüdenscheidt", ["muller", "ludenscheidt"]],
    ["AI研究", ["ai", "研究"]],
    ["コンピューター", ["コン", "ンピ", "ピュ", "ュー", "ータ"]],
    ["コピー", ["コピ", "ピー"]],
    ["(+)", []],
  ])("%s", (word, tokens) => {
    expect(wordsOfQuery(word)).toEqual(tokens);
  });

  test("R27 a katakana word is found with and without the mark at its end, and by the mark itself", () => {
    expect(["コンピュータ", "コンピューター", "ター", "ー"].map((word) => has("コンピューター入門", word))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(has("コンピュータ入門", "コンピューター")).toBe(true);
    expect(has("ビル", "ビール")).toBe(false);
  });
});

const JAPANESE = fc.constantFrom(..."図書館の本をデータベースーで研究する々〇ｶﾞﾞー、。・「」〜～―髙﨑𠮷野がガゞヶ0１aＡ");
const japanese = fc.array(JAPANESE, { minLength: 1, maxLength: 30 });
const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  japanese.map((all) => all.join("")),
);
const tokensAsText = (text: string): string => [...tokensOf(text)].join(" ");

describe("R27 what holds of every text", () => {
  test("R27 any part of a run of Japanese is found", () => {
    // Folded first: a mark that ends up behind another character makes one character of the two.
    const run = fc
      .array(fc.constantFrom(..."図書館の本をデータベースーで研究する々〇髙﨑𠮷野がガゞヶ한국어"), {
        minLength: 1,
        maxLength: 30,
      })
      .chain((all) =>
        fc
          .tuple(fc.constant(all), fc.nat(all.length - 1))
          .chain(([, from]) =>
            fc.tuple(fc.constant(all), fc.constant(from), fc.integer({ min: from + 1, max: all.length })),
          ),
      );
    fc.assert(
      fc.property(run, ([all, from, to]) => {
        expect(has(all.join(""), all.slice(from, to).join(""))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("R27 every word of a text is found in it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const word of text.split(/[\s\u3000]+/)) {
          const asked = wordsOfQuery(word);
          expect(asked.length === 0 || has(text, word)).toBe(true);
        }
      }),
    );
  });

  test("R27 forms of normalization, case and width make no difference", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = tokensAsText(text);
        for (const form of ["NFC", "NFD", "NFKC", "NFKD"]) expect(tokensAsText(text.normalize(form))).toBe(tokens);
      }),
    );
    const letters = fc.string({ unit: fc.constantFrom(..."abcxyzäöüéñçšžøæœßσςаяёіїγδէ ") });
    fc.assert(
      fc.property(letters, (text) => {
        expect(tokensAsText(text.toUpperCase())).toBe(tokensAsText(text));
      }),
    );
    const ascii = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(ascii, (text) => {
        const wide = text.replace(/./g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
        expect(tokensAsText(wide)).toBe(tokensAsText(text));
      }),
    );
  });

  test("R27 a token is folded, has no space, is short, and its own token", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const token of tokensOf(text)) {
          expect(token).toMatch(/^[\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{Regional_Indicator}]{1,48}$/u);
          expect([...tokensOf(token)]).toContain(token);
        }
      }),
    );
  });
});

describe("R27 limits", () => {
  test("R27 a field ends with the characters or the tokens it may have", () => {
    expect(tokenField(["one two", "two three four"], { characters: 100, tokens: 3 })).toBe("one two three");
    expect(tokenField(["one two", "three", "four"], { characters: 10, tokens: 100 })).toBe("one two thr");
    const long = "a".repeat(1_000);
    expect([...tokensOf(long)].every((token) => token.length <= 48)).toBe(true);
    expect(has(`x ${long}`, long)).toBe(true);
  });

  test("R27 a long text has the tokens of all its parts, wherever it is read on from", () => {
    const limits = { characters: 1_000_000, tokens: 1_000_000 };
    const words = Array.from({ length: 20_000 }, (_, at) => `word${at}`);
    expect([...tokenSet([words.join(" ")], limits)]).toEqual(words);
    const run = Array.from({ length: 45_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))).join(
      "",
    );
    expect(new Set(tokenSet([run], limits))).toEqual(new Set(tokensOf(run)));
    const beyond = "\u{20000}\u{20001}\u{20002}".repeat(15_000);
    expect(new Set(tokenSet([beyond], limits))).toEqual(new Set(tokensOf(beyond)));
  });

  test.each([
    ["letters", "a"],
    ["accents", "\u0301"],
    ["kana and marks", "かー"],
    ["dashes", "ー"],
    ["unseen characters", "\u00ad"],
    ["expanding characters", "\ufdfa"],
    ["spaces", " "],
  ])("R27 the time for %s rises with their number and no faster", async (_what, unit) => {
    const text = unit.repeat(200_000);
    expect(await cpuMs(() => tokenSet([text], { characters: 200_000, tokens: 20_000 }))).toBeLessThan(1_500);
  });
});
