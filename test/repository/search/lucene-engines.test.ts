// Compiled queries (R27, R28, R34; reference 2.6): whatever is asked of items, the embedded index, Typesense and the
// index of plain arrays find what a walk over the items finds.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { holdLock } from "../../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../../db/search/embedded-index.ts";
import { jsonLog } from "../../../src/adapters/log.ts";
import { typesenseIndex } from "../../../src/adapters/typesense-index.ts";
import type { Item } from "../../../src/model/items/item.ts";
import type { Metadata } from "../../../src/model/metadata/metadata.ts";
import type { SearchDocument } from "../../../src/repository/search/document/document.ts";
import { documentMaker } from "../../../src/repository/search/document/item-document.ts";
import { wordsOfMetadata } from "../../../src/repository/search/document/metadata-words.ts";
import type { OpenIndex, SearchIndex } from "../../../src/repository/search/index/index-port.ts";
import { asWords, parseLucene } from "../../../src/repository/search/lucene/parser.ts";
import { prepareQuery } from "../../../src/repository/search/lucene/prepare-query.ts";
import { printQuery } from "../../../src/repository/search/lucene/query.ts";
import { dayNumbers } from "../../../src/repository/search/query/days.ts";
import { searchSchema } from "../../../src/repository/search/settings/search-schema.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../../src/repository/search/settings/shipped-settings.ts";
import { isTrueOfItem, type PlainItem } from "../../support/lucene-evaluator.ts";
import { arbitraryLucene, DAY_PATH, LUCENE_WORDS } from "../../support/lucene-queries.ts";
import { openNaiveIndex } from "../../support/naive-index.ts";
import { collectionsInMemory } from "../../support/typesense/known-collections.ts";
import { standIn } from "../../support/typesense/substitute.ts";
import { aContent, titled } from "../../support/world/items.ts";

const NOW = "2026-11-20T10:00:00.000Z";
const ITEMS = 60;

const words = fc.array(fc.constantFrom(...LUCENE_WORDS, "sea", "shore", "calm"), { minLength: 1, maxLength: 4 });
const text = words.map((all) => all.join(" "));
const metadata: fc.Arbitrary<Metadata> = fc
  .record({
    title: text,
    description: fc.option(text, { nil: null }),
    subjects: fc.array(text, { maxLength: 2 }),
    type: fc.constantFrom("publication-article", "publication-book", "dataset", "image-figure"),
    languages: fc.uniqueArray(fc.constantFrom("eng", "jpn"), { maxLength: 2 }),
    date: fc.option(fc.constantFrom("2017", "2017-03-01", "2018-02-14/2019", "2018-02-28", "2019-07", "2021"), {
      nil: null,
    }),
  })
  .map(({ title, description, subjects, type, languages, date }) => {
    const { publicationDate: _, ...rest } = titled(title);
    return {
      ...rest,
      type: { id: type },
      creators: [],
      descriptions: description === null ? [] : [{ value: description, kind: "Abstract", html: false }],
      subjects: subjects.map((value) => ({ text: { value } })),
      languages,
      ...(date === null ? {} : { publicationDate: date }),
    };
  });

const make = documentMaker(SHIPPED_SEARCH_SETTINGS);

function documentOf(id: number, described: Metadata): SearchDocument {
  const content = aContent({ metadata: described });
  const item: Item = {
    ...{
      id,
      parentId: 1_000 + id,
      versionIndex: 1,
      state: "published",
      revision: 1,
      content,
      ark: null,
      isLatest: true,
    },
    ...{ createdAt: NOW, updatedAt: NOW, publishedAt: NOW, depositedBy: null, depositedOnBehalfOf: null },
  };
  const parent = {
    ...{ id: 1_000 + id, owner: 3, shared: [], communities: [], defaultCommunity: null, review: null, latest: id },
  };
  const source = { item, parent, content, lineages: [], itemType: null, fileTexts: new Map() };
  const document = make(source, "2026-11-20");
  if (document === null) throw new RangeError("There is no document");
  return document;
}

function plain(id: number, described: Metadata): PlainItem {
  const titles = described.titles.map(({ value }) => value);
  const descriptions = described.descriptions.map(({ value }) => value);
  const subjects = described.subjects.flatMap((subject) => subject.text?.value ?? []);
  const days = dayNumbers(described.publicationDate ?? "");
  return {
    id,
    texts: {
      "": wordsOfMetadata(described),
      "metadata.title": titles,
      "metadata.description": descriptions,
      "metadata.subjects.subject": subjects,
    },
    values: {
      "metadata.resource_type.id": described.type === null ? [] : [described.type.id],
      "metadata.languages.id": described.languages,
    },
    days: { [DAY_PATH]: days.length === 0 ? null : [Math.min(...days), Math.max(...days)] },
  };
}

async function holds(open: OpenIndex, runs: number): Promise<{ readonly exactly: number; readonly found: number }> {
  const all = fc.sample(metadata, { numRuns: ITEMS, seed: 13 });
  const items = all.map((described, at) => plain(at + 1, described));
  const filled = async (engine: OpenIndex): Promise<SearchIndex> => {
    const made = await engine(searchSchema(SHIPPED_SEARCH_SETTINGS));
    const building = await made.build();
    await building.add(all.map((described, at) => documentOf(at + 1, described)));
    await building.finish({ epoch: "e1", horizon: "1" });
    return made;
  };
  const index = await filled(open);
  const plainIndex = await filled(openNaiveIndex);
  const needs = {
    finder: { wordsOf: (...asked: Parameters<SearchIndex["wordsOf"]>) => index.wordsOf(...asked) },
    communities: { community: async () => null },
  };
  let [exactly, found] = [0, 0];
  await fc.assert(
    fc.asyncProperty(arbitraryLucene, async (query) => {
      const written = printQuery(query);
      const { where, mode } = await prepareQuery(needs, written);
      const meant = mode === "words" ? asWords(written).query : parseLucene(written).query;
      const right = items.filter((item) => meant !== null && isTrueOfItem(meant, item) === true).map(({ id }) => id);
      const asked = { where, chosen: null, sort: [{ field: "id", descending: false }], after: null, offset: 0 };
      const { hits, total } = await index.query({ ...asked, limit: ITEMS, facets: [] });
      const ids = hits.map(({ id }) => id);
      // As words a query finds their other forms, too, which the judge of queries does not know: the plain index does.
      const byForms = async () => (await plainIndex.query({ ...asked, limit: ITEMS, facets: [] })).hits;
      const expected = mode === "words" ? (await byForms()).map(({ id }) => id) : right;
      expect([written, mode, ids]).toEqual([written, mode, expected]);
      expect(right.filter((id) => !ids.includes(id))).toEqual([]);
      expect(total).toBe(ids.length);
      if (mode === "lucene") exactly += 1;
      if (right.length > 0 && right.length < ITEMS) found += 1;
    }),
    { numRuns: runs },
  );
  await index.close();
  await plainIndex.close();
  return { exactly, found };
}

describe("R27 R34: a query finds what is true of it", () => {
  test("S3.6.232: in an index of plain arrays, all exactly", async () => {
    const { exactly, found } = await holds(openNaiveIndex, 400);
    expect(exactly).toBe(400);
    expect(found).toBeGreaterThan(100);
  });

  test("S3.6.232: in the embedded index, all exactly", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lucene-engines-"));
    const { exactly, found } = await holds(openEmbeddedIndex({ folder: join(folder, "search"), hold: holdLock }), 400);
    expect(exactly).toBe(400);
    expect(found).toBeGreaterThan(100);
    rmSync(folder, { recursive: true, force: true });
  });

  test("S3.6.232: in Typesense, and as words where it lists none", async () => {
    const server = await standIn({ adminKey: "key" });
    const log = jsonLog("error", () => {});
    const { exactly, found } = await holds(
      typesenseIndex({ urls: [server.url], apiKey: "key", name: "lucene", collections: collectionsInMemory(), log }),
      200,
    );
    await server.stop();
    expect(server.unseen).toEqual([]);
    expect(exactly).toBeGreaterThan(80);
    expect(found).toBeGreaterThan(50);
  });
});
