// The words by which an item was found are marked, and nothing else (R27k): held to a plain search through the text.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { folded, spansOf } from "../../../src/repository/search/document/tokens.ts";
import type { Condition } from "../../../src/repository/search/index/index-port.ts";
import { type MarkedText, type MarkedWord, marked, marksOf } from "../../../src/repository/search/query/marking.ts";
import { readerQuery } from "../../../src/repository/search/query/reader-query.ts";
import { conditionsOfWords, inField } from "../../../src/repository/search/query/word-conditions.ts";
import { noTriples, textWords } from "../../../src/repository/search/words/text-words.ts";
import { runWithoutYielding } from "../../../src/shared/time/event-loop.ts";
import { cpuMs } from "../../support/cpu-time.ts";

const word = (text: string): MarkedWord => ({ text, field: null, isPhrase: false });
const found = (query: string, text: string, kind: MarkedText = {}): readonly string[] =>
  marked(text, marksOf(query.split(" ").map(word)), kind).flatMap((part) => (part.found ? [part.text] : []));
const asAsked = (query: string, text: string): readonly string[] =>
  marked(text, marksOf(query.split(" ").map(word))).flatMap(({ text: part, wordOf }) =>
    wordOf === undefined ? [] : [part],
  );

describe("R27k what is marked", () => {
  test.each([
    ["fishery", "Coastal fisheries and the fish", ["fisheries"], []],
    ["colour", "Color, colours and collar", ["Color", "colours"], []],
    ["Müller", "Mueller, Müller and Miller", ["Mueller", "Müller"], ["Müller"]],
    ["deepsea", "the deep-sea floor, deep in the sea", ["deep-sea"], []],
    ["deep-sea", "deepsea, deep sea", ["deepsea", "deep", "sea"], ["deep", "sea"]],
    ["OBrien", "O'Brien and Brien", ["O'Brien"], []],
    ["1000", "1,000 years and 1 000", ["1,000"], []],
    ["くじら", "クジラとくじら", ["クジラ", "くじら"], ["くじら"]],
    [
      "コンピュータ",
      "コンピューターとコンピュータ",
      ["コンピューター", "コンピュータ"],
      ["コンピュータ", "コンピュータ"],
    ],
    ["インターフェイス", "インターフェースの設計", ["インターフェース"], []],
    ["渡辺", "渡邊花子", ["渡邊"], ["渡邊"]],
    ["図書館", "図書と館、図書館", ["図書館"], ["図書館"]],
    ["H2O", "H2O and H₂O", ["H2O", "H₂O"], ["H2O", "H₂O"]],
    ["🐋", "Whales 🐋", ["🐋"], ["🐋"]],
    ["Hawaii", "Fishes of Hawaiʻi and Havana", ["Hawaiʻi"], []],
    ["alpha", "α and β", ["α"], []],
    ["α", "alpha, α, beta", ["alpha", "α"], ["α"]],
    ["constructor", "No constructor, no prototype", ["constructor"], ["constructor"]],
  ])("%s in %s", (query, text, all, asTyped) => {
    expect(found(query, text)).toEqual(all as string[]);
    if (query !== "コンピュータ") expect(asAsked(query, text)).toEqual(asTyped as string[]);
  });

  test("a stem is that of the language of the text", () => {
    expect(found("Haus", "Die Häuser", { language: "de" })).toEqual(["Häuser"]);
    expect(found("Haus", "Die Häuser", { language: "en" })).toEqual([]);
  });

  test("a person known by the first letter, and the other way round", () => {
    expect(found("J Smith", "Smith, John", { isName: true })).toEqual(["Smith", "John"]);
    expect(found("John Smith", "Smith, J.", { isName: true })).toEqual(["Smith", "J"]);
    expect(found("K Smith", "Smith, John", { isName: true })).toEqual(["Smith"]);
  });

  test("a phrase is marked whole, a word of a field in the field, and what hits must not have nowhere", () => {
    const read = (text: string) => marksOf(readerQuery(text, "q", inField("all"))?.marked ?? []);
    const parts = (text: string, query: string, kind: MarkedText = {}) =>
      marked(text, read(query), kind).flatMap((part) => (part.found ? [part.text] : []));
    expect(parts("the deep sea, sea of the deep", '"deep sea"')).toEqual(["deep sea"]);
    expect(parts("Tides and title", "title:tides", { field: "title" })).toEqual(["Tides"]);
    expect(parts("Tides and title", "title:tides", { field: "description" })).toEqual([]);
    expect(parts("Tides and winds of the year 2017", "tides -winds year:2017")).toEqual(["Tides"]);
    expect(parts("What is known of winds", "What is known of winds?")).toEqual(["winds"]);
  });
});

// --- the oracle

const WORDS = [
  "fishery",
  "fisheries",
  "deep",
  "sea",
  "deepsea",
  "colour",
  "color",
  "data",
  "base",
  "database",
  "study",
];
const RUNS = ["図書館", "くじら", "クジラ", "データ", "データー", "渡辺", "の研究"];
const JOINERS = [" ", ", ", "-", " and "];

function* tokensIn(condition: Condition | null): Generator<string> {
  if (condition?.kind === "token") yield condition.token;
  else if (condition?.kind === "and" || condition?.kind === "or") for (const of of condition.of) yield* tokensIn(of);
}

/** Tokens of a text as a document has them. */
const indexed = (text: string): ReadonlySet<string> => {
  const limits = { characters: 1_000, tokens: 1_000 };
  const texts = [{ value: text, language: "en" as const }];
  const { tokens, forms } = runWithoutYielding(textWords(texts, limits, false, noTriples()));
  return new Set([...tokens.keys(), ...forms]);
};

/** Each word, and each two and three neighbours, asked for by themselves: which of their letters a query is found by. */
function plainMarks(query: readonly string[], text: string): ReadonlySet<number> {
  const conditions = conditionsOfWords(query, inField("x"), false);
  const wanted = new Set(conditions.flatMap((condition) => [...tokensIn(condition)]));
  const spans = spansOf(folded(text)).filter(({ isRun }) => !isRun);
  const letters = new Set<number>();
  const mark = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) letters.add(at);
  };
  for (let first = 0; first < spans.length; first += 1) {
    for (let last = first; last < Math.min(first + 3, spans.length); last += 1) {
      const [from, to] = [spans[first]?.from ?? 0, (spans[last]?.from ?? 0) + (spans[last]?.text.length ?? 0)];
      const inner = new Set(
        last === first
          ? []
          : [
              ...indexed(text.slice(spans[first + 1]?.from, to)),
              ...indexed(text.slice(from, (spans[last - 1]?.from ?? 0) + (spans[last - 1]?.text.length ?? 0))),
            ],
      );
      const own = [...indexed(text.slice(from, to))].filter((token) => !inner.has(token));
      if (own.some((token) => wanted.has(token))) mark(from, to);
    }
  }
  return letters;
}

test("R27k of texts with spaces exactly the words are marked by which the index finds them", () => {
  const texts = fc.array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...JOINERS)), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...WORDS, "deep-sea"), { minLength: 1, maxLength: 3 }),
      texts,
      (query, parts) => {
        const text = parts.flat().join("");
        const letters = new Set<number>();
        let at = 0;
        for (const part of marked(text, marksOf(query.map(word)))) {
          if (part.found) for (let more = 0; more < part.text.length; more += 1) letters.add(at + more);
          at += part.text.length;
        }
        expect([query, text, [...letters]]).toEqual([query, text, [...plainMarks(query, text)].sort((a, b) => a - b)]);
      },
    ),
    { numRuns: 500 },
  );
});

test("R27k of texts without spaces what is marked is found by the query, and what is written so is marked", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...RUNS),
      fc.array(fc.constantFrom(...RUNS), { minLength: 1, maxLength: 4 }),
      (query, parts) => {
        const text = parts.join("、");
        const marks = marksOf([word(query)]);
        const all = marked(text, marks);
        expect(all.map((part) => part.text).join("")).toBe(text);
        const wanted = new Set([...tokensIn(conditionsOfWords([query], inField("x"), false)[0] ?? null)]);
        for (const part of all) {
          if (part.found) expect([...indexed(part.text)].some((token) => wanted.has(token))).toBe(true);
          else expect(part.text.includes(query)).toBe(false);
        }
      },
    ),
  );
});

test("R27k what no text could have is no word to search for", () => {
  expect(marksOf(["?", "", "—", "tides", "x".repeat(49)].map(word)).words.map(({ text }) => text)).toEqual(["tides"]);
});

test("R27k marking is linear in the text, and of very many words only the first are marked", async () => {
  const query = Array.from({ length: 2_000 }, (_, at) => word(`w${at}`));
  const marks = marksOf(query);
  expect(marks.words).toHaveLength(20);
  const text = "w1 deep-sea fisheries 図書館のデータ ".repeat(500);
  const once = await cpuMs(() => marked(text, marks));
  const eight = await cpuMs(() => marked(text.repeat(8), marks));
  expect(eight).toBeLessThan(20 * Math.max(once, 10));
});
