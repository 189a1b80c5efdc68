// Citations in styles (R38, R19a): over hand-picked and random records the same as a processor of the Citation Style
// Language writes, but for what is named.
import { describe, expect, test } from "bun:test";
import process from "node:process";
import fc from "fast-check";
import { CITATION_STYLES, citationStyle, DEFAULT_STYLE } from "../../../src/formats/citation/styles/styles.ts";
import { writeCitation } from "../../../src/formats/citation/write.ts";
import type { CslItem, CslName } from "../../../src/formats/csl/item.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { PROCESSED_STYLES, processed } from "../../support/citation-processor.ts";
import { ARTICLE, person } from "../../support/cited-items.ts";
import { RECORD, sampleRecords } from "../../support/exported-records.ts";

const COUNT = process.env.ARKSTONE_SLOW === "1" ? 2_000 : 60;
const STYLES = CITATION_STYLES.map(({ id }) => id);
const ours = (item: CslItem, style: string): string => citationStyle(style)?.write(item, "en-US") ?? "";

const TWO: readonly CslName[] = [
  { family: "Adachi", given: "Jun" },
  { family: "Kitsuregawa", given: "Masaru Jean-Luc" },
];
const many = (count: number): CslName[] =>
  Array.from({ length: count }, (_, at) => ({ family: `Fam${at + 1}`, given: "Given Bob" }));
const BASE: CslItem = {
  id: "17",
  type: "dataset",
  title: "The title of it",
  author: TWO,
  issued: { "date-parts": [[2015, 10, 1]] },
  URL: "https://n2t.example.org/ark:99999/fk4x",
};
const JOURNAL = { "container-title": "Journal of Info", volume: "12", issue: "3", page: "34-57", DOI: "10.1/ab" };
const EDITORS: readonly CslName[] = [{ family: "Ed", given: "Itor" }];

type Members = { readonly [Key in keyof CslItem]?: CslItem[Key] | undefined };
const PICKED: Readonly<Record<string, Members>> = {
  "an article": { type: "article-journal", ...JOURNAL },
  "an article without DOI": { type: "article-journal", ...JOURNAL, DOI: undefined },
  "an article without issue": { type: "article-journal", ...JOURNAL, issue: undefined },
  "an article with a number for pages": { type: "article-journal", ...JOURNAL, page: "e12" },
  "a data set with version": { publisher: "Pub", version: "1.0", DOI: "10.1/ab" },
  "a data set": { publisher: "Pub" },
  software: { type: "software", publisher: "Pub", version: "1.0" },
  "a book": { type: "book", publisher: "Pub", "publisher-place": "Tokyo" },
  "a book with editor and edition": { type: "book", publisher: "Pub", edition: "2", editor: EDITORS },
  "an edited book": { type: "book", author: undefined, publisher: "Pub", editor: EDITORS },
  "a chapter": { type: "chapter", "container-title": "The Book", publisher: "Pub", page: "5-9", editor: EDITORS },
  "a chapter without editors": { type: "chapter", "container-title": "The Book", publisher: "Pub", page: "5" },
  "a chapter of nobody in an edited book": {
    type: "chapter",
    author: undefined,
    "container-title": "The Book",
    publisher: "Pub",
    editor: EDITORS,
  },
  "a chapter of a volume": {
    type: "chapter",
    "container-title": "The Book",
    volume: "2",
    publisher: "Pub",
    edition: "3",
  },
  "a thesis": { type: "thesis", genre: "Doctoral dissertation", publisher: "U Tokyo", archive: "Example Repository" },
  "a thesis of nobody": { type: "thesis", genre: "Master’s thesis", archive: "Example Repository" },
  "a report": { type: "report", publisher: "Pub" },
  "a paper of a conference": {
    type: "paper-conference",
    "container-title": "Proc of X",
    page: "1-2",
    publisher: "Pub",
  },
  "a preprint": { type: "article", publisher: "Example Repository" },
  "a document": { type: "document", publisher: "Pub", version: "2" },
  "a figure": { type: "figure", publisher: "Pub" },
  "an image": { type: "graphic", publisher: "Pub" },
  "a map": { type: "map", publisher: "Pub" },
  "an interval of years": { issued: { "date-parts": [[2018], [2020]] }, publisher: "Pub" },
  "a date in words": { issued: { literal: "spring 1923" }, publisher: "Pub" },
  "an organisation": { type: "report", author: [{ literal: "World Health Organization" }], publisher: "Pub" },
  "three authors": { author: many(3), publisher: "P" },
  "four authors": { author: many(4), publisher: "P" },
  "seven authors": { author: many(7), publisher: "P" },
  "twenty authors": { author: many(20), publisher: "P" },
  "twenty-one authors": { author: many(21), publisher: "P" },
  "a title with its own mark": { title: "Why?", publisher: "Pub" },
  "names without spaces": {
    author: [
      { family: "山田", given: "花子" },
      { family: "鈴木", given: "一郎" },
    ],
    publisher: "P",
  },
};

const name: fc.Arbitrary<CslName> = fc.record({
  family: fc.constantFrom("Adachi", "O’Brien", "Müller", "Smith-Jones", "de Vries", "Łuk"),
  given: fc.constantFrom("Jun", "Masaru Jean-Luc", "A. B.", "Élodie", "B."),
});
const people = fc.oneof(
  { weight: 5, arbitrary: fc.array(name, { minLength: 1, maxLength: 22 }) },
  { weight: 1, arbitrary: fc.constant<CslName[]>([{ literal: "Acme Inc." }]) },
);
const maybe = <T>(each: fc.Arbitrary<T>) => fc.option(each, { nil: undefined });
const DATES = [[[2015, 10, 1]], [[2015, 10]], [[1999]], [[2018], [2020]]] as const;
const shared = {
  title: fc.constantFrom("Tides", "Records of Tides", "Why now?", "Sea, sun and sand", "Data 2.0", "潮位の記録"),
  author: people,
  issued: fc.constantFrom(...DATES).map((parts) => ({ "date-parts": parts })),
  DOI: maybe(fc.constant("10.1/ab")),
};
const publisher = fc.constantFrom("Press", "The University of Tokyo");
const numbers = { volume: fc.constant("12"), issue: maybe(fc.constant("3")), page: fc.constantFrom("34-57", "e12") };
const container = fc.constantFrom("Journal of Info", "Proceedings of X");
const KINDS = [
  fc.record({ type: fc.constant("article-journal"), ...shared, ...numbers, "container-title": container }),
  fc.record({
    type: fc.constant("chapter"),
    ...{ ...shared, publisher, "container-title": container },
    editor: maybe(fc.array(name, { minLength: 1, maxLength: 2 })),
    page: numbers.page,
  }),
  fc.record({
    type: fc.constant("book"),
    ...{ ...shared, publisher },
    edition: maybe(fc.constantFrom("2", "3", "11")),
    editor: maybe(fc.array(name, { minLength: 1, maxLength: 2 })),
  }),
  fc.record({ type: fc.constantFrom("dataset", "software"), ...shared, publisher, version: maybe(fc.constant("1.0")) }),
  fc.record({ type: fc.constantFrom("report", "article", "figure", "graphic", "map"), ...shared, publisher }),
] as const;
const anyItem: fc.Arbitrary<CslItem> = fc
  .oneof(...KINDS)
  // Members that are undefined are not there.
  .map((item) => JSON.parse(JSON.stringify({ ...BASE, ...item })));

describe("citation styles", () => {
  for (const style of PROCESSED_STYLES) {
    test.each(Object.entries(PICKED))(`S3.6.212 ${style}: %s`, (_, members) => {
      const item: CslItem = JSON.parse(JSON.stringify({ ...BASE, ...members }));
      expect(ours(item, style)).toBe(processed(item, style));
    });

    test(`S3.6.212 ${style}: ${COUNT} random records`, () => {
      for (const item of fc.sample(anyItem, { numRuns: COUNT, seed: 7 })) {
        expect(ours(item, style)).toBe(processed(item, style));
      }
    });
  }

  // What follows is not as the processor has it, for a reason.
  test("S3.6.213 APA puts what a work is behind the title also where nobody made it, as its manual does", () => {
    const { author: _, ...anonymous } = BASE;
    expect(ours(anonymous, "apa")).toBe("The title of it [Dataset]. (2015). https://n2t.example.org/ark:99999/fk4x");
  });

  test("S3.6.213 APA names a person who is author and publisher once", () => {
    const name = "World Health Organization";
    expect(ours({ ...BASE, type: "report", author: [{ literal: name }], publisher: name }, "apa")).toBe(
      "World Health Organization. (2015). The title of it. https://n2t.example.org/ark:99999/fk4x",
    );
  });

  test.each([
    ["apa", "Adachi, J., & Kitsuregawa, M. J.-L. (n.d.). [Untitled] [Dataset]. https://n2t.example.org/ark:99999/fk4x"],
    [
      "harvard-cite-them-right",
      "Adachi, J. and Kitsuregawa, M.J.-L. (no date) [Untitled]. Available at: https://n2t.example.org/ark:99999/fk4x.",
    ],
    [
      "vancouver",
      "Adachi J, Kitsuregawa MJL. [Untitled] [Internet]. Available from: https://n2t.example.org/ark:99999/fk4x",
    ],
  ])("S3.6.213 %s without title and date shows that there is none", (style, text) => {
    const { title: _, issued: __, ...bare } = BASE;
    expect(ours(bare, style)).toBe(text);
  });
});

describe("writeCitation()", () => {
  const of = (metadata: Partial<Metadata>, style: string | null, locale: string | null): string =>
    writeCitation({ ...RECORD, metadata: { ...EMPTY_METADATA, ...metadata } }, style, locale).text;

  test("S3.6.214 the style is Harvard's and the words American English when none are asked for", () => {
    expect(DEFAULT_STYLE).toBe("harvard-cite-them-right");
    expect(of(ARTICLE, null, null)).toBe(
      "Adachi, J. and Kitsuregawa, M.J.-L. (2015) “Research on Cyber Infrastructure,” Journal of Information Studies, 12(3), pp. 34–57. Available at: https://doi.org/10.15017/64495. https://ark.example.org/ark:99999/b1x7.\n",
    );
  });

  test("S3.6.214 British English has its own marks", () => {
    expect(of(ARTICLE, null, "en-GB")).toContain("(2015) ‘Research on Cyber Infrastructure’, Journal of");
  });

  test("S3.6.214 letters of a style may be large, and styles have names that other repositories use", () => {
    expect(of(ARTICLE, "APA", null)).toBe(of(ARTICLE, "apa", null));
    expect(of(ARTICLE, "harvard1", null)).toBe(of(ARTICLE, null, null));
  });

  test.each(["no-such-style", "", "../apa", "__proto__", "constructor"])("S3.6.214 there is no style %p", (style) => {
    const refusal = (() => {
      try {
        return of(ARTICLE, style, null);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ kind: "invalid", message: "Citation string style not found." });
  });

  const both: Partial<Metadata> = {
    type: { id: "dataset" },
    titles: [
      { value: "潮位の記録", lang: "ja", kind: "main" },
      { value: "Records of tides", lang: "en", kind: "translated" },
    ],
    creators: [
      person("", "", {
        names: [
          { full: "山田, 花子", lang: "ja" },
          { full: "Yamada, Hanako", lang: "en" },
        ],
      }),
    ],
    publishers: [
      {
        names: [
          { value: "潮位出版", lang: "ja" },
          { value: "Tide Press", lang: "en" },
        ],
      },
    ],
    publicationDate: "2020",
    versionLabel: "2",
  };
  const URL = "https://ark.example.org/ark:99999/b1x7";
  test.each([
    ["apa", "ja", `山田花子 (2020). 潮位の記録 (バージョン 2) [データセット]. 潮位出版. ${URL}\n`],
    ["apa", "en-US", `Yamada, H. (2020). Records of tides (Version 2) [Dataset]. Tide Press. ${URL}\n`],
    ["harvard-cite-them-right", "ja-JP", `山田花子 (2020) 「潮位の記録」. 潮位出版. 入手先: ${URL}.\n`],
    ["harvard-cite-them-right", "en-US", `Yamada, H. (2020) “Records of tides.” Tide Press. Available at: ${URL}.\n`],
    ["vancouver", "en-US", `Yamada H. Records of tides [Internet]. Tide Press; 2020. Available from: ${URL}\n`],
    ["harvard-cite-them-right", null, `山田花子 (2020) “潮位の記録.” 潮位出版. Available at: ${URL}.\n`],
  ])("S3.6.215 %s for who reads %p", (style, locale, text) => {
    expect(of(both, style, locale)).toBe(text);
  });

  test("S3.6.195 R38 the ARK follows the DOI once; an item without ARK or without DOI has one address", () => {
    for (const style of STYLES) {
      const withDoi = of(ARTICLE, style, null);
      expect(withDoi).toMatch(/10\.15017\/64495\.? https:\/\/ark\.example\.org\/ark:99999\/b1x7\.?\n$/);
      expect(of({ ...ARTICLE, identifiers: [] }, style, null).split(URL)).toHaveLength(2);
      const bare = writeCitation({ ...RECORD, ark: null, arkUrl: null, metadata: ARTICLE }, style, null).text;
      expect([bare.includes("ark:"), bare.includes("10.15017/64495")]).toEqual([false, true]);
    }
  });

  test("S3.6.215 R2g any record is one line in every style, and no mail address is in it", () => {
    for (const record of sampleRecords(200)) {
      for (const style of STYLES) {
        const { text } = writeCitation(record, style, null);
        expect(text).toMatch(/^[^\p{Cc}]+\n$/u);
        expect(text).not.toContain("hidden@example.org");
      }
    }
  });
});
