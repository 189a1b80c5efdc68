// Classes of hits for engines that do not score (R27b): each item is in one of them, and those come first whose items
// have more of what is rare.
import { expect, test } from "bun:test";
import { classesOf, countedWords, leadingOf } from "../../../src/repository/search/query/hit-classes.ts";
import { rankingOf } from "../../../src/repository/search/query/ranking.ts";
import { FIRST, firstOf } from "../../../src/repository/search/query/typed-first.ts";
import { isTrueOf } from "../../support/naive-index.ts";

const LETTERS = [..."abcdefgh"].map((letter) => letter.repeat(3));
type Texts = Readonly<Record<"title" | "all", readonly string[]>>;

function classOf({ title, all }: Texts, weights: readonly number[], words = LETTERS.slice(0, weights.length)): number {
  const ranking = [...rankingOf(words), firstOf({ kind: "token", field: "creator", token: "zzz" })];
  const texts = {
    title: title.join(" "),
    all: [...title, ...all].join(" "),
    creator: all.includes("zzz") ? "zzz" : "",
  };
  const document = { ...{ id: 1, parentId: 1, digest: "", keys: {}, labels: {}, numbers: {}, sorts: {} }, texts };
  const classes = classesOf(countedWords(ranking), weights, leadingOf(ranking));
  const met = classes.flatMap((of, at) => (isTrueOf(of, document) ? [at] : []));
  expect([title, all, met.length]).toEqual([title, all, 1]);
  return met[0] ?? -1;
}

test("R27b every item is in one class, whatever words it has", () => {
  for (const count of [1, 2, 3, 5, 7]) {
    const weights = LETTERS.slice(0, count).map((_word, at) => (at === 2 ? 0 : 1 + at));
    for (let has = 0; has < 2 ** count; has += 1) {
      const all = LETTERS.slice(0, count).filter((_word, at) => (has & (1 << at)) !== 0);
      for (const title of [[], all, all.slice(1)]) {
        classOf({ title, all }, weights);
        classOf({ title, all: [...all, "zzz"] }, weights);
      }
    }
  }
  expect(classesOf([], [], [])).toEqual([{ kind: "and", of: [] }]);
});

test("R27b what has more of the rarer words comes first, in the title before elsewhere, and an identifier before all", () => {
  const [a = "", b = "", c = ""] = LETTERS;
  const inOrder: readonly Texts[] = [
    { title: [], all: ["zzz"] },
    { title: [a, b, c], all: [] },
    { title: [a, b], all: [] },
    { title: [], all: [a, b] },
    { title: [a], all: [] },
    { title: [], all: [a] },
    { title: [], all: [c] },
    { title: [], all: [] },
  ];
  const places = inOrder.map((texts) => classOf(texts, [5, 3, 1]));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(new Set(places).size).toBe(inOrder.length);
  expect(FIRST).toBeGreaterThan(1);
});
