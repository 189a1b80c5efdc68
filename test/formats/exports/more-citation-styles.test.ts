// Citations in Chicago, MLA, IEEE and SIST 02 (R19a) against tables from their manuals: no processor for them is here.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { citationStyle } from "../../../src/formats/citation/styles/styles.ts";
import type { CslItem, CslName } from "../../../src/formats/csl/item.ts";

const TWO: readonly CslName[] = [
  { family: "Adachi", given: "Jun" },
  { family: "Kitsuregawa", given: "Masaru Jean-Luc" },
];
const JAPANESE: readonly CslName[] = [
  { family: "安達", given: "淳" },
  { family: "喜連川", given: "優" },
];
const EDITORS: readonly CslName[] = [{ family: "Ed", given: "Itor" }];
const many = (count: number): CslName[] =>
  Array.from({ length: count }, (_, at) => ({ family: `Fam${at + 1}`, given: "Given Bob" }));

type Members = { readonly [Key in keyof CslItem]?: CslItem[Key] | undefined };
const BASE: Members = {
  ...{ id: "17", type: "dataset", title: "The title of it", author: TWO },
  issued: { "date-parts": [[2015, 10, 1]] },
  URL: "https://n2t.example.org/ark:99999/fk4x",
};
const JOURNAL: Members = {
  ...{ type: "article-journal", "container-title": "Journal of Info" },
  ...{ volume: "12", issue: "3", page: "34-57", DOI: "10.1/ab" },
};
const BOOK: Members = { type: "book", publisher: "Pub" };
const WORKS: Readonly<Record<string, Members>> = {
  "an article": JOURNAL,
  "an article without a volume": { ...JOURNAL, volume: undefined },
  "a Japanese article": { ...JOURNAL, author: JAPANESE, title: "情報爆発", "container-title": "情報学" },
  "a book with editor and edition": {
    ...BOOK,
    ...{ "publisher-place": "Tokyo", edition: "2", editor: EDITORS, "number-of-pages": "250" },
  },
  "an edited book": { ...BOOK, author: undefined, editor: EDITORS },
  "a Japanese book": {
    ...BOOK,
    ...{ author: JAPANESE, title: "情報学の本", publisher: "東京出版", edition: "2", "number-of-pages": "250" },
  },
  "a chapter": { type: "chapter", "container-title": "The Book", publisher: "Pub", page: "5-9", editor: EDITORS },
  "a thesis": { type: "thesis", genre: "Doctoral dissertation", publisher: "U Tokyo", archive: "Repo" },
  "a Japanese thesis": {
    ...{ type: "thesis", author: JAPANESE.slice(0, 1), title: "論文" },
    ...{ genre: "博士論文", publisher: "東京大学" },
  },
  "a data set with a DOI": { publisher: "Pub", version: "1.0", DOI: "10.1/ab" },
  software: { type: "software", publisher: "Pub", version: "1.0" },
  "a report": { type: "report", publisher: "Pub", number: "5" },
  "a paper in proceedings": {
    type: "paper-conference",
    "container-title": "Proc of X",
    page: "1-2",
    publisher: "Pub",
  },
  "a paper at a conference": { type: "paper-conference", "event-title": "X 2015", "event-place": "Tokyo" },
  "a data set of nobody": { author: undefined, publisher: "Pub" },
  "a data set without a date": { issued: undefined, publisher: "Pub" },
  "a data set with nothing but an address": { title: undefined, issued: undefined, author: undefined },
  "three authors": { author: many(3) },
  "seven authors": { author: many(7) },
  "eleven authors": { author: many(11) },
  "a title with its own mark": { ...JOURNAL, title: "Why?" },
  "an organization": { type: "report", author: [{ literal: "World Health Organization" }], publisher: "WHO" },
};
const STYLES = ["chicago-author-date", "chicago-notes-bibliography", "modern-language-association", "ieee", "sist02"];

const rows = readFileSync(join(import.meta.dirname, "..", "..", "vectors", "citations.txt"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(" | "));

test("Q.40 every style has an example of every work", () => {
  const expected = STYLES.flatMap((style) => Object.keys(WORKS).map((work) => `${style} | ${work}`));
  expect(rows.map(([style, work]) => `${style} | ${work}`).sort()).toEqual(expected.sort());
});

test.each(rows)("Q.40 %s: %s", (style = "", work = "", text = "") => {
  // Members that are undefined are not there.
  const item: CslItem = JSON.parse(JSON.stringify({ ...BASE, ...WORKS[work] }));
  const locale = /Japanese/.test(work) ? "ja" : "en-US";
  expect(citationStyle(style)?.write(item, locale)).toBe(text);
});

test("Q.40 each style is also found by the name that people use", () => {
  for (const name of ["Chicago", "MLA", "IEEE", "SIST02", "sist-02", "chicago-note-bibliography"])
    expect([name, citationStyle(name) === null]).toEqual([name, false]);
  expect(citationStyle("chicago-fullnote")).toBeNull();
});
