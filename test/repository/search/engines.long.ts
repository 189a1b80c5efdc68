// Both engines of the search index (R27, R28, R34): the embedded one keeps the contract too, and whatever is asked of
// items in Japanese and English, both answer the same: total, facets, order and page. Where SVC_TYPESENSE_URL names a
// real Typesense, it is asked as well.
import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { holdLock } from "../../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../../db/search/embedded-index.ts";
import { jsonLog } from "../../../src/adapters/log.ts";
import { typesenseIndex } from "../../../src/adapters/typesense-index.ts";
import type { IndexSchema, SearchDocument } from "../../../src/repository/search/document/document.ts";
import { sortText } from "../../../src/repository/search/document/item-document.ts";
import { facetKey, keyOf } from "../../../src/repository/search/document/keys.ts";
import type {
  Condition,
  IndexAnswer,
  IndexQuery,
  SearchIndex,
  SortBy,
} from "../../../src/repository/search/index/index-port.ts";
import { allOf, parseQueryText } from "../../../src/repository/search/query/query-text.ts";
import { readerQuery } from "../../../src/repository/search/query/reader-query.ts";
import { inField, textCondition } from "../../../src/repository/search/query/word-conditions.ts";
import { collectionsInMemory } from "../../support/typesense/known-collections.ts";
import { clearedOf, REAL_TYPESENSE } from "../../support/typesense/real-server.ts";
import { standIn } from "../../support/typesense/substitute.ts";
import { wordFields } from "../../support/word-fields.ts";
import { type EnginePlace, indexContract } from "./index-contract.ts";

const log = jsonLog("error", () => {});
const newFolder = (): string => mkdtempSync(join(tmpdir(), "search-engines-"));

indexContract("The embedded index", async (): Promise<EnginePlace> => {
  const folder = newFolder();
  return {
    open: openEmbeddedIndex({ folder: join(folder, "search"), hold: holdLock }),
    dispose: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

const SCHEMA: IndexSchema = {
  version: 1,
  texts: ["all", "title"],
  keys: ["visibility", "standing", "itemtype", "under", "fileclasses", "subject", "language", "kind"],
  facets: ["subject", "language", "kind"],
  numbers: ["issued", "pages"],
  sorts: [
    { name: "sorttitle", type: "text" },
    { name: "sortissued", type: "number" },
    { name: "sortscore", type: "number" },
  ],
};

const SUBJECTS_JA =
  "図書館 データベース 機械学習 気候変動 日本文学 量子計算 地震観測 オープンアクセス 東京都立図書館 でーたべーす ﾃﾞｰﾀ".split(
    " ",
  );
const PATTERNS_JA = [
  "の利用に関する研究",
  "における評価手法",
  "の歴史的考察",
  "と教育",
  "入門",
  "",
  "・第２版",
  "（改訂）",
];
const WORDS_EN =
  "library libraries quantum Climate CHANGE research data usage study studies naïve Müller Mueller C++ O'Brien OBrien state-of-the-art deepsea deep-sea colour colors くじら クジラ コンピュータ コンピューター 渡邊 渡辺 2024 Ångström жизнь 도서관 zebra".split(
    " ",
  );
const SUBJECTS = [
  "情報学",
  "Library & Information",
  "C++",
  "C",
  "Économie",
  "Economie",
  "医学",
  "Law, Politics",
  "`tick`",
  "長い".repeat(100),
];
const LANGUAGES = ["jpn", "eng", "kor"];

const title = fc.oneof(
  fc.tuple(fc.constantFrom(...SUBJECTS_JA), fc.constantFrom(...PATTERNS_JA)).map((parts) => parts.join("")),
  fc.array(fc.constantFrom(...WORDS_EN), { minLength: 1, maxLength: 5 }).map((words) => words.join(" ")),
);

const item = fc.record({
  titles: fc.array(title, { minLength: 1, maxLength: 2 }),
  description: fc.array(title, { maxLength: 4 }).map((all) => all.join("。")),
  subjects: fc.uniqueArray(fc.constantFrom(...SUBJECTS), { maxLength: 3 }),
  language: fc.constantFrom(...LANGUAGES),
  kind: fc.constantFrom("article", "thesis", "dataset"),
  issued: fc.uniqueArray(fc.integer({ min: 20_200_101, max: 20_200_120 }), { maxLength: 2 }),
  pages: fc.option(fc.oneof(fc.integer({ min: -3, max: 40 }), fc.double({ min: -1, max: 1, noNaN: true })), {
    nil: null,
  }),
  isPublic: fc.boolean(),
});

function documentOf(id: number, made: typeof item extends fc.Arbitrary<infer Item> ? Item : never): SearchDocument {
  const { titles, subjects, language, kind, issued, pages, isPublic } = made;
  const labels = [...subjects, language, kind].map((value) => [facetKey(value), value]);
  return {
    id,
    parentId: Math.ceil(id / 2),
    digest: `d${id}`,
    texts: {
      title: wordFields(titles).title,
      all: wordFields([...titles, made.description, ...subjects]).all,
    },
    keys: {
      visibility: isPublic ? ["open"] : [`owner${id % 7}`],
      standing: ["latest"],
      subject: subjects.map(facetKey),
      language: [facetKey(language)],
      kind: [facetKey(kind)],
      under: [String(id % 5), "1000"],
    },
    labels: Object.fromEntries(labels),
    numbers: { issued, ...(pages === null ? {} : { pages: [pages] }) },
    sorts: { sorttitle: sortText(titles[0] ?? ""), sortissued: issued[0] ?? 0, sortscore: pages ?? 0 },
  };
}

const word = fc.oneof(
  fc.constantFrom(...SUBJECTS_JA, ...WORDS_EN, "研究", "図", "館", "利用", "missing", "!!!"),
  fc
    .constantFrom(...SUBJECTS_JA)
    .chain((text) => fc.integer({ min: 1, max: 3 }).map((length) => text.slice(1, 1 + length))),
);
const typed = fc
  .array(fc.tuple(word, fc.constantFrom(" ", " ", " ", " OR ", " | ", " (")), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.flat().slice(0, -1).join(""));

const plainWords: fc.Arbitrary<Condition> = fc.tuple(typed, fc.constantFrom("all", "title")).map(([text, field]) => {
  const query = parseQueryText(text, "q");
  return query === null ? { kind: "and", of: [] } : textCondition(query, inField(field));
});
/** As the search page reads it: signs, names of fields, alternatives, and words that may be left out. */
const readerWords: fc.Arbitrary<Condition> = fc
  .tuple(
    fc.array(
      fc
        .tuple(
          fc.constantFrom("", "", "", "-", "title:", "タイトル:"),
          word,
          fc.constantFrom(" ", " ", " the ", " OR "),
        )
        .map((parts) => parts.join("")),
      { minLength: 1, maxLength: 4 },
    ),
    fc.boolean(),
  )
  .map(([parts, isWider]) => {
    const read = readerQuery(parts.join("").trim(), "q", inField("all"));
    const where = (isWider ? read?.wider?.where : read?.where) ?? { kind: "and", of: [] };
    // Phrases and identifiers are searched for in fields that these documents do not have.
    return /"field":"(?!all"|title")/.test(JSON.stringify(where)) ? { kind: "and", of: [] } : where;
  });
const words = fc.oneof(plainWords, readerWords);
const keyCondition = (field: string, values: readonly string[], most: number): fc.Arbitrary<Condition> =>
  fc
    .uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: most })
    .map((some) => ({ kind: "key", field, anyOf: some }));
const subjects = keyCondition("subject", [...SUBJECTS.map(facetKey), keyOf("missing")], 3);
const languages = keyCondition("language", LANGUAGES.map(facetKey), 2);
const range: fc.Arbitrary<Condition> = fc
  .record({
    field: fc.constantFrom("issued", "pages"),
    from: fc.option(
      fc.oneof(fc.integer({ min: 20_200_095, max: 20_200_115 }), fc.double({ min: -2, max: 40, noNaN: true })),
      { nil: null },
    ),
    to: fc.option(
      fc.oneof(fc.integer({ min: 20_200_105, max: 20_200_125 }), fc.double({ min: -1, max: 20, noNaN: true })),
      { nil: null },
    ),
  })
  .map((bounds) => ({ kind: "range", ...bounds }));
const startOfWord: fc.Arbitrary<Condition> = fc
  .constantFrom("lib", "ж", "жиз", "도", "z", "q", "デ", "st")
  .map((prefix) => ({ kind: "prefix", field: "all", prefix }));
const maybeNot = (condition: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> =>
  fc.tuple(condition, fc.integer({ min: 0, max: 4 })).map(([of, chance]) => (chance === 0 ? { kind: "not", of } : of));
const seen = fc
  .uniqueArray(fc.constantFrom("owner1", "owner2", "owner3"), { maxLength: 2 })
  .map((owners): Condition => ({ kind: "key", field: "visibility", anyOf: ["open", ...owners] }));

const where = fc
  .tuple(seen, words, fc.array(maybeNot(fc.oneof(subjects, languages, range, startOfWord, words)), { maxLength: 2 }))
  .map(([visible, asked, more]) => allOf([visible, asked, ...more]));
const sort: fc.Arbitrary<SortBy[]> = fc.uniqueArray(
  fc.record({ field: fc.constantFrom("sorttitle", "sortissued", "sortscore", "id"), descending: fc.boolean() }),
  { maxLength: 3, selector: ({ field }) => field },
);
const query: fc.Arbitrary<IndexQuery> = fc.record({
  where,
  chosen: fc.option(fc.oneof(subjects, languages), { nil: null }),
  sort,
  after: fc.constant(null),
  offset: fc.constantFrom(0, 0, 20),
  limit: fc.constant(20),
  facets: fc.constantFrom(
    [],
    ["subject", "language", "kind"].map((field) => ({ field, size: 100 })),
    [{ field: "subject", size: 2 }],
  ),
});

const ITEMS = 300;
const QUERIES = 2000;

async function filled(index: SearchIndex, documents: readonly SearchDocument[]): Promise<SearchIndex> {
  const building = await index.build();
  await building.add(documents);
  await building.finish({ epoch: "e1", horizon: "1" });
  return index;
}

/** The first page, and where it has an end, the page behind its last hit. */
async function pagesOf(index: SearchIndex, asked: IndexQuery): Promise<IndexAnswer[]> {
  const first = await index.query(asked);
  const after = first.hits.at(-1);
  return after === undefined ? [first] : [first, await index.query({ ...asked, offset: 0, after })];
}

/** How many of the questions found something, so that equality is not that of nothing. */
async function compared(open: (documents: readonly SearchDocument[]) => Promise<SearchIndex>): Promise<number> {
  const folder = newFolder();
  const documents = fc.sample(item, { numRuns: ITEMS, seed: 28 }).map((made, at) => documentOf(at + 1, made));
  const embedded = await filled(
    await openEmbeddedIndex({ folder: join(folder, "search"), hold: holdLock })(SCHEMA),
    documents,
  );
  const other = await open(documents);
  let found = 0;
  try {
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const [left, right] = [await pagesOf(embedded, asked), await pagesOf(other, asked)];
        expect(right).toEqual(left);
        if ((left[0]?.total ?? 0) > 0) found += 1;
      }),
      { numRuns: QUERIES },
    );
  } finally {
    await embedded.close();
    await other.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return found;
}

describe("R34 both engines answer alike", () => {
  test("R27 R28 R34 2,000 questions to items in Japanese and English: total, facets, order, first page and the one behind it", async () => {
    const server = await standIn({ adminKey: "key" });
    const found = await compared(async (documents) =>
      filled(
        await typesenseIndex({
          urls: [server.url],
          apiKey: "key",
          name: "items",
          collections: collectionsInMemory(),
          log,
        })(SCHEMA),
        documents,
      ),
    );
    await server.stop();
    expect(server.unseen).toEqual([]);
    expect(found).toBeGreaterThan(QUERIES / 4);
  }, 300_000);

  const real = REAL_TYPESENSE;
  test.skipIf(real === null)(
    "R27 R28 R34 the same of a real Typesense",
    async () => {
      if (real === null) return;
      const name = `engines${randomBytes(6).toString("hex")}`;
      const open = typesenseIndex({ ...real, name, collections: collectionsInMemory(), log });
      const found = await compared(async (documents) => filled(await open(SCHEMA), documents));
      await clearedOf(real, name);
      expect(found).toBeGreaterThan(QUERIES / 4);
    },
    600_000,
  );
});
