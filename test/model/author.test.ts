// How names and identifiers of authors are compared (R20, R22): properties of the keys they are found by.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readIdentifier } from "../../src/formats/record/identifiers.ts";
import { authorKeys, identifierKey, nameKey } from "../../src/model/agents/author.ts";
import { formProblem } from "../../src/model/metadata/identifier-forms.ts";

const LATIN = "abcdefghijklmnopqrstuvwxyzàáâãäåçèéêëìíîïñòóôõöøùúûüýÿşžłđœæß";
const KATAKANA =
  "アイウエオカキクケコガギグゲゴサシスセソザジズゼゾタチツテトダヂヅデドナニヌネノハヒフヘホバビブベボパピプペポマミムメモヤユヨラリルレロワヲンヴァィゥェォャュョッー";
const KANJI = "山田太郎佐藤花子情報鈴木一二三四五六七八九十高橋渡辺斎藤";
const CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюя";
const GREEK = "αβγδεζηθικλμνξοπρστυφχψωάέήίόύώς";
const HANGUL = "김이박최정강조윤장임한오서신권황안송류홍";

const wordOf = (letters: string) =>
  fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 12 }).map((each) => each.join(""));
const word = fc.oneof(...[LATIN, KATAKANA, KANJI, CYRILLIC, GREEK, HANGUL].map(wordOf));

/** ASCII as wide letters. */
const wide = (text: string): string =>
  text.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)).replaceAll(" ", "\u3000");
const hiragana = (text: string): string =>
  text.replace(/[ァ-ヶ]/g, (each) => String.fromCharCode(each.charCodeAt(0) - 0x60));
const HALF: Readonly<Record<string, string>> = { ア: "ｱ", カ: "ｶ", ガ: "ｶﾞ", パ: "ﾊﾟ", ッ: "ｯ", ン: "ﾝ", ー: "ｰ" };
const half = (text: string): string => [...text].map((each) => HALF[each] ?? each).join("");
const bare = (text: string): string =>
  [...text]
    .map((each) =>
      /\p{scx=Latin}|\p{scx=Grek}|\p{scx=Cyrl}/u.test(each)
        ? each.normalize("NFD").replace(/[\u0300-\u036f]/g, "")
        : each,
    )
    .join("");

/** Ways in which one name is written; each is the same name. */
const WAYS: Readonly<Record<string, (text: string) => string>> = {
  "upper case": (text) => text.toUpperCase(),
  "lower case": (text) => text.toLowerCase(),
  "wide letters": wide,
  "half-width kana": half,
  hiragana,
  decomposed: (text) => text.normalize("NFD"),
  composed: (text) => text.normalize("NFC"),
  "without accents": bare,
  "with blanks": (text) => ` ${[...text].join(" ")}\u3000\t`,
  "with hyphens and points": (text) => `${[...text].join("-")}.`,
  "with a middle dot": (text) => `・${text}`,
};

describe("nameKey()", () => {
  test.each(Object.entries(WAYS))("R20 a name and the same name in %s are one", (_way, write) => {
    fc.assert(
      fc.property(word, (text) => {
        expect(nameKey(write(text))).toBe(nameKey(text));
      }),
    );
  });

  test("R20 ways together, and again, change nothing", () => {
    const ways = fc.array(fc.constantFrom(...Object.values(WAYS)), { maxLength: 4 });
    fc.assert(
      fc.property(word, ways, (text, all) => {
        const written = all.reduce((now, way) => way(now), text);
        expect(nameKey(written)).toBe(nameKey(text));
        expect(nameKey(nameKey(written))).toBe(nameKey(text));
      }),
    );
  });

  test("R20 whatever is sent has a key that an index can hold, and it is its own key", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (text) => {
        const key = nameKey(text);
        expect(key.length).toBeLessThanOrEqual(250);
        expect(key.isWellFormed()).toBe(true);
        expect(/[\p{Cc}\p{Z}]/u.test(key)).toBe(false);
        if (text.length <= 10) expect(nameKey(key)).toBe(key);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["ガトウ", "カトウ"],
    ["ヒロシ", "ピロシ"],
    ["斎藤", "斉藤"],
    ["山田", "田山"],
    ["Sato", "Saito"],
    ["王", "主"],
    ["김", "기"],
    ["й", "к"],
  ])("R20 %s and %s are two names", (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });

  test("R20 keys of unlike names are unlike", () => {
    const plain = wordOf(`${KATAKANA}${KANJI}${HANGUL}abcdefghijklmnopqrstuvwxyz`);
    fc.assert(
      fc.property(plain, plain, (one, other) => {
        expect(nameKey(one) === nameKey(other)).toBe(one === other);
      }),
    );
  });
});

const contentOf = (names: readonly { familyName?: string; firstName?: string }[]) => ({
  emailInfo: [],
  authorIdInfo: [],
  authorNameInfo: names.map((each) => ({ language: "en", nameShowFlg: true, ...each })),
  affiliationInfo: [],
});

describe("authorKeys()", () => {
  test("R20 an author is found by either order of a name, with and without blank, and by each part alone", () => {
    fc.assert(
      fc.property(word, word, (familyName, firstName) => {
        const keys = authorKeys(contentOf([{ familyName, firstName }]));
        const full = keys.filter(({ kind }) => kind === "full").map(({ key }) => key);
        for (const asked of [
          `${familyName} ${firstName}`,
          `${firstName}${familyName}`,
          `${familyName}, ${firstName}`,
        ]) {
          expect(full).toContain(nameKey(asked));
        }
        expect(keys).toContainEqual({ kind: "family", key: nameKey(familyName) });
        expect(keys).toContainEqual({ kind: "given", key: nameKey(firstName) });
      }),
    );
  });

  test("R20 a part that is missing is not a key, and each key is there once", () => {
    expect(authorKeys(contentOf([{ familyName: "A" }, { familyName: "a" }, { firstName: "-" }, {}]))).toEqual([
      { kind: "family", key: "a" },
      { kind: "full", key: "a" },
    ]);
  });

  test("R20 R6a every identifier but LOCAL ones, and every name and identifier of every affiliation, is a key", () => {
    const affiliation = (titles: readonly string[], ids: readonly string[]) => ({
      affiliationNameInfo: titles.map((affiliationName) => ({
        ...{ affiliationName, affiliationNameLang: "en", affiliationNameShowFlg: false },
      })),
      identifierInfo: ids.map((affiliationId) => ({
        ...{ affiliationIdType: "ROR", affiliationId, identifierShowFlg: false },
      })),
      affiliationPeriodInfo: [],
    });
    const identifier = (idType: string, authorId: string) => ({ idType, authorId, authorIdShowFlg: false });
    const keys = authorKeys({
      ...contentOf([]),
      authorIdInfo: [identifier("AID", "1-2"), identifier("LOCAL", "7"), identifier("NRID", "3")],
      affiliationInfo: [
        affiliation(["Tokyo", "-", "東京"], ["057zh3y96", "04ksd4g47"]),
        affiliation([], []),
        affiliation(["N I I", "Tokyo"], ["https://ror.org/04KSD4G47", "01an7q238"]),
      ],
    });
    expect(keys.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
      "identifier aid:1-2",
      "identifier nrid:3",
      "affiliation tokyo",
      "affiliation 東京",
      "affiliation ror:057zh3y96",
      "affiliation ror:04ksd4g47",
      "affiliation nii",
      "affiliation ror:01an7q238",
    ]);
  });
});

describe("identifiers", () => {
  test.each([
    ["ORCID", "0000-0002-1694-233X", "https://orcid.org/0000-0002-1694-233x"],
    ["ORCID", "0000-0002-1694-233X", "http://orcid.org/0000-0002-1694-233X/"],
    ["orcid", "0000-0002-1694-233X", "000000021694233X"],
    ["ISNI", "0000 0001 2150 090X", "http://www.isni.org/isni/000000012150090x"],
    ["ROR", "057zh3y96", "https://ror.org/057ZH3Y96"],
    ["VIAF", "１２３", "123"],
  ])("R22 %s %s and %s are one", (scheme, one, other) => {
    expect(identifierKey(scheme, one)).toBe(identifierKey(scheme.toUpperCase(), other));
  });

  test("R22 hyphens tell identifiers of other schemes apart, and schemes identifiers", () => {
    expect(identifierKey("AID", "1-2")).not.toBe(identifierKey("AID", "12"));
    expect(identifierKey("AID", "12")).not.toBe(identifierKey("NRID", "12"));
  });

  /** ISO 7064 MOD 11-2, by its definition: the weighted sum of all sixteen leaves 1. */
  const isWhole = (digits: string): boolean =>
    [...digits].reduce((sum, each, at) => (sum + (each === "X" ? 10 : Number(each)) * 2 ** (15 - at)) % 11, 0) === 1;

  test("R22 of eleven check characters one is right, in ORCID and ISNI alike", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{15}$/), (digits) => {
        const right = [..."0123456789X"].filter((check) => formProblem("isni", digits + check) === null);
        expect(right).toEqual([..."0123456789X"].filter((check) => isWhole(digits + check)));
        const orcid = `${digits}${right[0]}`.replace(/(.{4})(?=.)/g, "$1-");
        const isIssued = readIdentifier("people", "orcid", orcid) !== "identifier";
        expect([orcid, formProblem("orcid", orcid) === null]).toEqual([orcid, isIssued]);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 15_000_000, max: 35_000_000 }), (number) => {
        const digits = String(number).padStart(15, "0");
        const right = [..."0123456789X"].filter(
          (check) => formProblem("orcid", (digits + check).replace(/(.{4})(?=.)/g, "$1-")) === null,
        );
        expect(right).toEqual([..."0123456789X"].filter((check) => isWhole(digits + check)));
      }),
    );
  });

  test.each([
    ["0000-0002-1825-0097", true],
    ["https://orcid.org/0000-0002-1825-0097", true],
    ["http://www.orcid.org/0000-0002-1825-0097", true],
    ["0009-0000-0000-0009", true],
    ["0000-0002-1825-0098", false],
    ["0000-0000-0000-0001", false],
    ["0000-0004-0000-0004", false],
    ["https://example.org/0000-0002-1825-0097", false],
    ["orcid:0000-0002-1825-0097", false],
  ])("R22 authors take the ORCID %s as records do: %p", (orcid, isTaken) => {
    expect([
      formProblem("orcid", orcid) === null,
      typeof readIdentifier("people", "orcid", orcid) !== "string",
    ]).toEqual([isTaken, isTaken]);
  });

  test("R20 R9a a long name is compared by its first letters, whatever they are written with", () => {
    for (const [letter, plain] of [
      ["a", "a"],
      ["É", "e"],
      ["가", "가"],
      ["ｶﾞ", "ガ"],
      ["が", "ガ"],
      ["Σ.", "σ"],
    ] as const) {
      const [one, other] = [letter.repeat(300), `${letter.repeat(300)}x`];
      expect([letter, nameKey(one)]).toEqual([letter, plain.repeat(250)]);
      expect(nameKey(other)).toBe(nameKey(one));
    }
    expect(nameKey(`${" ".repeat(9_000)}${"e\u0301".repeat(100)}`)).toBe("e".repeat(100));
    expect(nameKey(`${"x".repeat(63)}e${"\u0301".repeat(200)}y`)).toBe(`${"x".repeat(63)}ey`);
    expect(nameKey("\ufdfa".repeat(10_000))).toBe(nameKey("\ufdfa".repeat(20)));
  });

  test.each(["04ksd4g47", "057zh3y96", "05dxps055", "01an7q238", "https://ror.org/02mhbdp94", "04KSD4G47"])(
    "R22 %s is a ROR, and with two other check digits it is none",
    (ror) => {
      expect(formProblem("ror", ror)).toBeNull();
      const others = Array.from({ length: 100 }, (_, at) => ror.slice(0, -2) + String(at).padStart(2, "0"));
      expect(others.filter((each) => formProblem("ror", each) === null)).toEqual([ror]);
    },
  );

  test.each(["", "1", "04ksd4g4", "14ksd4g47", "04ksd4gl7", "04ksd4g478"])("R22 %p is not a ROR", (text) => {
    expect(formProblem("ror", text)).not.toBeNull();
  });
});
