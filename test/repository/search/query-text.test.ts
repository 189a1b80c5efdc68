// The query language of item search (R27, R27a; specification 3, rule 2): its rules by examples, and against a naive
// reader of the same sentences.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { SearchDocument } from "../../../src/repository/search/document/document.ts";
import { parseQueryText, sizeOf } from "../../../src/repository/search/query/query-text.ts";
import { inField, textCondition } from "../../../src/repository/search/query/word-conditions.ts";
import { isTrueOf } from "../../support/naive-index.ts";
import { wordFields } from "../../support/word-fields.ts";

const documentOf = (text: string): SearchDocument => ({
  ...{ id: 1, parentId: 1, digest: "", keys: {}, labels: {}, numbers: {}, sorts: {} },
  texts: wordFields([text]),
});

function finds(query: string, text: string): boolean {
  const parsed = parseQueryText(query, "q");
  return parsed === null || isTrueOf(textCondition(parsed, inField("title")), documentOf(text));
}

const FOX = "The quick brown fox jumps over the lazy dog";

describe("the query language of item search", () => {
  test.each([
    ["words are AND", "quick fox", true],
    ["words are AND", "quick cat", false],
    ["OR between two words", "cat OR fox", true],
    ["a pipe between two words", "cat | fox", true],
    ["neither", "cat OR cow", false],
    ["AND binds tighter", "cat fox OR quick dog", true],
    ["AND binds tighter", "cat OR fox cow", false],
    ["AND binds tighter", "fox cow OR cat quick OR dog cow", false],
    ["lower case is a word", "cat or fox", false],
    ["without spaces it is text", "cat|fox", false],
    ["a leading OR is a word", "OR fox", false],
    ["a trailing OR is a word", "fox OR", false],
    ["a doubled OR is words", "cat OR OR fox", false],
    ["a doubled pipe has no word to search for", "quick || fox", true],
    ["a pipe at the end has no word to search for", "quick |", true],
    ["parentheses are punctuation where there is no OR", "(quick) (fox", true],
    ["parentheses are not supported next to OR", "quick (brown OR fox) jumps", false],
    ["one alternative without parentheses is found", "quick (brown OR lazy dog", true],
    ["punctuation alone finds nothing", "!!! ???", false],
    ["a wide space is a space", "quick\u3000fox", true],
    ["a wide space is a space next to OR", "cat\u3000OR\u3000fox", true],
    ["letters of any width and case", "ＱＵＩＣＫ Fox", true],
    ["no word in the middle of another", "fo", false],
    ["no wildcards", "qui*", false],
    ["no words of an engine", "quick AND cat", false],
    ["no NEAR, no NOT, no columns", "title:cat OR NOT dogs", false],
  ])("S3.1.2 R27a %s: %s is %p", (_why, query, found) => {
    expect(finds(query, FOX)).toBe(found);
  });

  test("S3.1.2 Japanese is found by any part of a text, and words of several scripts together", () => {
    const text = "日本語の古文書データベースの構築 Kyoto";
    for (const found of ["古文書", "日本", "書", "データベース kyoto", "万葉集 OR 古文書", "ﾃﾞｰﾀﾍﾞｰｽ"]) {
      expect([found, finds(found, text)]).toEqual([found, true]);
    }
    for (const missing of ["古書", "本日", "万葉集 OR 平家", "古文書 大阪"]) {
      expect([missing, finds(missing, text)]).toEqual([missing, false]);
    }
  });

  test("S3.1.2 blanks ask for nothing; a text that is too long is refused with the figure", () => {
    expect(parseQueryText(" \t\u3000\n", "q")).toBeNull();
    expect(() => parseQueryText("a".repeat(1_001), "title")).toThrow("title may have 1000 characters at most");
    expect(parseQueryText("a ".repeat(500), "title")).toHaveLength(1);
  });

  test("R27 property: a query is what a naive reader of the sentences takes it for", () => {
    const word = fc.constantFrom(
      "cat",
      "fox",
      "dog",
      "OR",
      "|",
      "or",
      "(cat",
      "fox)",
      "(",
      "…",
      "日本",
      "本語",
      "語",
      "a|b",
    );
    const space = fc.constantFrom(" ", "  ", "\t", "\u3000");
    const query = fc.array(fc.tuple(space, word), { maxLength: 9 }).map((parts) => parts.flat().join(""));
    const text = fc.subarray(["cat", "fox", "dog", "or", "日本語", "b", "a"]).map((words) => words.join(" "));
    fc.assert(
      fc.property(query, text, (asked, held) => {
        expect([asked, held, finds(asked, held)]).toEqual([asked, held, naive(asked, held)]);
      }),
      { numRuns: 3_000 },
    );
  });

  test("R27 property: whatever is sent is read without fault, and costs no more than it is long", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (asked) => {
        const parsed = parseQueryText(asked, "q");
        if (parsed !== null)
          expect(sizeOf(textCondition(parsed, inField("title")))).toBeLessThanOrEqual(400 + 54 * asked.length);
      }),
    );
  });
});

/**
 * The sentences of rule 2 and R27a, read on the text itself: parts between operators, words between blanks, searched
 * for in the text as it is.
 */
function naive(asked: string, held: string): boolean {
  const plain = ` ${asked.replaceAll(/\s+/gu, " ").trim()} `;
  if (plain.trim() === "") return true;
  const parts: string[] = [];
  let rest = plain;
  for (;;) {
    const operator = [...rest.matchAll(/ (?:OR|\|)(?= )/g)].find(({ 0: found, index }) => {
      const before = rest.slice(0, index).split(" ").at(-1);
      const after = rest.slice(index + found.length + 1).split(" ")[0];
      const isWord = (text: string | undefined) => text !== undefined && text !== "" && text !== "OR" && text !== "|";
      return isWord(before) && isWord(after);
    });
    if (operator === undefined) break;
    parts.push(rest.slice(0, operator.index));
    rest = rest.slice(operator.index + operator[0].length);
  }
  parts.push(rest);
  return parts.some((part) => {
    const words = part.split(" ").filter((each) => each !== "");
    if (parts.length > 1 && words.some((each) => each.startsWith("(") || each.endsWith(")"))) return false;
    const letters = words.flatMap((each) => each.toLowerCase().match(/[a-z]+|[\u3040-\u9fff]+/g) ?? []);
    return letters.length > 0 && letters.every((each) => hasWord(held, each));
  });
}

function hasWord(held: string, word: string): boolean {
  return /[a-z]/.test(word) ? held.split(" ").includes(word) : held.includes(word);
}
