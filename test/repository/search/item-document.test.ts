// What a search index holds of an item (R4a, R27, R28, R34, R35; specification 3, rules 2 to 8).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Item } from "../../../src/model/items/item.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { FIELDS, type SearchDocument } from "../../../src/repository/search/document/document.ts";
import {
  type DocumentSource,
  documentMaker,
  documentMaking,
  sortText,
} from "../../../src/repository/search/document/item-document.ts";
import {
  FIELD_LIMITS,
  longItemWords,
  shortItemWords,
  type WordSource,
} from "../../../src/repository/search/document/item-words.ts";
import { facetKey, keyOf } from "../../../src/repository/search/document/keys.ts";
import { wordsOfQuery } from "../../../src/repository/search/document/tokens.ts";
import {
  facetField,
  identifierField,
  KEYS,
  NUMBERS,
  SORTS,
  searchSchema,
  TEXTS,
} from "../../../src/repository/search/settings/search-schema.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../../src/repository/search/settings/shipped-settings.ts";
import { runWithoutYielding } from "../../../src/shared/time/event-loop.ts";
import { arbitraryMetadata } from "../../support/arbitrary-metadata.ts";
import { ARTICLE, agentOf } from "../../support/cited-items.ts";
import { cpuMs } from "../../support/cpu-time.ts";
import { aContent, aFile } from "../../support/world/items.ts";

const NOW = "2026-11-20T10:00:00.000Z";
const TODAY = "2026-11-20";

function sourceOf(metadata: Metadata, more: Partial<DocumentSource> = {}, item: Partial<Item> = {}): DocumentSource {
  const content = aContent({ metadata });
  return {
    item: {
      id: 12,
      parentId: 11,
      versionIndex: 1,
      state: "published",
      revision: 1,
      content,
      ark: "99999/x8rd01",
      isLatest: true,
      createdAt: NOW,
      updatedAt: NOW,
      publishedAt: NOW,
      depositedBy: null,
      depositedOnBehalfOf: null,
      ...item,
    },
    parent: { id: 11, owner: 3, shared: [], communities: ["c1"], defaultCommunity: null, review: null, latest: 12 },
    content,
    lineages: [],
    itemType: null,
    fileTexts: new Map(),
    ...more,
  };
}

const make = documentMaker(SHIPPED_SEARCH_SETTINGS);
function made(source: DocumentSource, maker = make): SearchDocument {
  const document = maker(source, TODAY);
  if (document === null) throw new RangeError("There is no document");
  return document;
}

const has = (document: SearchDocument, field: string, words: string): boolean => {
  const tokens = new Set((document.texts[field] ?? "").split(" "));
  return wordsOfQuery(words).every((token) => tokens.has(token));
};
const hasKey = (document: SearchDocument, field: string, ...values: readonly string[]): boolean =>
  (document.keys[field] ?? []).includes(keyOf(...values));

const RICH: Metadata = {
  ...ARTICLE,
  subjects: [
    { text: { value: "情報爆発" }, scheme: "NDLSH" },
    { text: { value: "C++" }, scheme: "NDC" },
    { text: { value: "free" } },
  ],
  locations: [{ places: [{ value: "仙台市" }], ids: [] }],
  temporals: [{ value: "1868-1912" }],
  accessRights: { label: "open access" },
  versionType: { label: "VoR" },
  degree: {
    number: "甲第1号",
    names: [{ value: "博士（情報学）" }],
    granted: "2020-03",
    grantors: [{ names: [{ value: "東北大学" }], ids: [] }],
  },
  contributors: [agentOf({ role: "Distributor", names: [{ family: "山田", given: "花子", lang: "ja" }], authorId: 7 })],
  relations: [{ type: "references", ident: { scheme: "DOI", value: "10.5072/related" }, titles: [] }],
  custom: { "30001:item_9.own": "図書館独自の項目", "30001:item_10": [{ depth: ["tief"] }] },
  extra: [{ format: "x", path: "y", value: "hiddenextra" }],
};

describe("R27 words of a document", () => {
  const document = made(sourceOf(RICH));

  test.each<[string, string]>([
    [TEXTS.title, "情報爆発"],
    [TEXTS.title, "cyber infrastructure"],
    [TEXTS.creator, "安達淳"],
    [TEXTS.creator, "Kitsuregawa Masaru"],
    [TEXTS.creator, "0000-0002-1825-0097"],
    [TEXTS.contributor, "山田花子"],
    [TEXTS.description, "abstract"],
    [TEXTS.publisher, "press"],
    [TEXTS.subject, "情報爆発"],
    [TEXTS.sourceTitle, "information studies"],
    [TEXTS.degreeName, "博士"],
    [TEXTS.degreeGrantor, "東北大学"],
    [identifierField(0), "10.5072/related"],
    [identifierField(5), "1880-697X"],
    [FIELDS.all, "Cyber 安達淳 山田花子 東京大学 仙台市 1868 博士 NDC"],
    [FIELDS.all, "https://doi.org/10.15017/64495"],
    [FIELDS.all, "ark:99999/x8rd01"],
  ])("R27 %s holds %s", (field, words) => {
    // A scheme is not a word of the item.
    expect(has(document, field, words.replace(" NDC", ""))).toBe(true);
    expect(has(document, FIELDS.all, words.replace(" NDC", ""))).toBe(true);
  });

  test("R4a a library's own fields are found, R2g addresses of people and what no page shows are not", () => {
    expect(has(document, FIELDS.all, "図書館独自")).toBe(true);
    expect(has(document, FIELDS.all, "tief")).toBe(true);
    const words = document.texts[FIELDS.all]?.split(" ") ?? [];
    for (const silent of ["hiddenextra", "example", "main", "personal", "abstract2", "ndlsh", "pissn", "flat", "ja"]) {
      expect(words).not.toContain(silent);
    }
  });

  test("R35 words of files are behind those who may read them, of drafts behind the privileged", () => {
    const files = [
      aFile("a.txt", { sha256: "a".repeat(64) }),
      aFile("b.txt", { sha256: "b".repeat(64), access: "closed" }),
      aFile("c.txt", { sha256: "c".repeat(64), access: "date", accessDate: "2027-01-01" }),
    ];
    const fileTexts = new Map(files.map(({ name, sha256 }) => [sha256, `word ${name}`]));
    const content = aContent({ metadata: RICH, files });
    const source = sourceOf(RICH, { content, fileTexts });
    expect(made(source).texts[FIELDS.files]).toBe(
      [
        "f0zword f0za f0ztxt pzword pzb pztxt f20270101zword f20270101zc f20270101ztxt pzc",
        // Parts that a joiner parts are found as one word, too.
        "f0z~atxt pz~btxt f20270101z~ctxt pz~ctxt",
      ].join(" "),
    );
    expect(made(source).keys[FIELDS.fileClasses]).toEqual(["f0z", "pz", "f20270101z"]);
    const draft = made({ ...source, item: { ...source.item, state: "draft" } });
    expect(draft.texts[FIELDS.files]).toBe("pzword pza pztxt pzb pzc pz~atxt pz~btxt pz~ctxt");
    const kept = aContent({ metadata: RICH, files, settings: { textExtraction: { "a.txt": false, "c.txt": false } } });
    const document = made({ ...source, content: kept });
    expect(document.texts[FIELDS.files]).toBe("pzword pzb pztxt pz~btxt");
    expect(document.keys[FIELDS.fileClasses]).toEqual(["pz"]);
  });
});

describe("R28 keys of a document", () => {
  const document = made(sourceOf(RICH));

  test("R28 values are found exactly, choices by what they mean", () => {
    expect(hasKey(document, KEYS.exactTitle, "情報爆発")).toBe(true);
    expect(hasKey(document, KEYS.exactTitle, "research on cyber infrastructure")).toBe(false);
    expect(hasKey(document, KEYS.subject, "NDLSH", "情報爆発")).toBe(true);
    expect(hasKey(document, KEYS.subject, "NDC", "情報爆発")).toBe(false);
    expect(hasKey(document, KEYS.subject, "NDC", "C")).toBe(false);
    expect(hasKey(document, KEYS.subject, "Other", "free")).toBe(true);
    expect(hasKey(document, KEYS.spatial, "仙台市")).toBe(true);
    expect(hasKey(document, KEYS.temporal, "1868-1912")).toBe(true);
    expect(hasKey(document, KEYS.dissertationNumber, "甲第1号")).toBe(true);
    expect(hasKey(document, KEYS.creatorIdentifier, "0000-0002-1825-0097")).toBe(true);
    expect(hasKey(document, KEYS.type, "journal article")).toBe(true);
    expect(hasKey(document, KEYS.language, "eng")).toBe(true);
    expect(hasKey(document, KEYS.version, "published")).toBe(true);
    expect(hasKey(document, KEYS.license, "license_0")).toBe(true);
    expect(hasKey(document, KEYS.identifier, "doi:10.15017/64495")).toBe(true);
    expect(hasKey(document, KEYS.identifier, "ark:99999/x8rd01")).toBe(true);
    expect(document.keys[KEYS.person]).toEqual(["7"]);
    expect(document.keys[KEYS.number]).toEqual(["12", "11"]);
  });

  test("R28 what no choice means is the choice of all others", () => {
    const other = made(
      sourceOf({
        ...EMPTY_METADATA,
        type: { id: "x", label: "papyrus" },
        languages: ["akk"],
        rights: [{ text: [], uri: "https://example.org/terms" }],
      }),
    );
    expect(hasKey(other, KEYS.type, "other")).toBe(true);
    expect(hasKey(other, KEYS.language, "other")).toBe(true);
    expect(hasKey(other, KEYS.license, "license_free")).toBe(true);
    const tool = made(sourceOf({ ...EMPTY_METADATA, type: { id: "publication-article" } }));
    expect(hasKey(tool, KEYS.type, "journal article")).toBe(true);
  });

  test("R28 the eight facets have their values and the words for them", () => {
    const shown = SHIPPED_SEARCH_SETTINGS.facets.map((facet) => [
      facet.name.en,
      (document.keys[facetField(facet)] ?? []).map((key) => document.labels[key] ?? key),
    ]);
    expect(Object.fromEntries(shown)).toEqual({
      "Resource Type": ["publication-article"],
      Year: ["2015"],
      Language: ["eng"],
      Access: ["m"],
      Community: ["c1"],
      Index: [],
      Creator: ["安達 淳", "Adachi, Jun", "Kitsuregawa, Masaru Jean-Luc"],
      Subject: ["情報爆発", "C++", "free"],
    });
    expect(document.keys.facet8).toContain(facetKey("C++"));
  });

  test("R34 each version has its own document, and what was deleted has none", () => {
    const source = sourceOf(RICH);
    const standing = (item: Partial<Item>, latest: number | null) => {
      const one = make({ ...source, item: { ...source.item, ...item }, parent: { ...source.parent, latest } }, TODAY);
      return one?.keys[FIELDS.standing]?.[0] ?? null;
    };
    expect([
      standing({}, 12),
      standing({}, 13),
      standing({ state: "draft" }, null),
      standing({ state: "deleted" }, null),
    ]).toEqual(["latest", "old", "draft", null]);
  });
});

describe("R27 numbers and sorts of a document", () => {
  test("R27 dates are days, free fields are what their settings state", () => {
    const settings = {
      ...SHIPPED_SEARCH_SETTINGS,
      fields: {
        text2: ["editions.value"],
        integer_range1: ["containers.volume"],
        float_range1: ["containers.issue"],
        date_range5: ["dates[type=Issued].date"],
      },
    };
    const metadata = { ...RICH, editions: [{ value: "Knuth 1968" }] };
    const document = made(sourceOf(metadata), documentMaker(settings));
    // Of the sources of fd_attr "Issued" is the sixth.
    expect(document.numbers).toMatchObject({
      [NUMBERS.dateGranted]: [20200301, 20200331],
      [NUMBERS.published]: [20151001],
      [NUMBERS.created]: [20261120],
      integerrange1: [12],
      floatrange1: [3],
      daterange5: [20151001],
      fd5: [20151001],
    });
    expect(document.texts).toMatchObject({ text2: "knuth 1968" });
  });

  test("R27 texts are sorted as their folded letters are", () => {
    const words = ["", "a", "Ab", "Äc", "b", "Ｂa", "z", "あ", "図書"];
    expect([...words].sort((a, b) => (sortText(a) < sortText(b) ? -1 : 1))).toEqual(words);
    expect(sortText("図".repeat(100))).toHaveLength(80);
  });

  test("S3.1.7 each sort has the value of its key, of several values the first", () => {
    const [first, second] = ["2026-01-02T03:04:05.678Z", "2026-02-03T04:05:06.789Z"];
    const temporals = [{ value: "Meiji" }, { value: "Edo" }];
    const source = sourceOf({ ...RICH, temporals }, {}, { createdAt: first, updatedAt: second });
    const content = { ...source.content, itemType: 30_001 };
    expect(made({ ...source, content }).sorts).toMatchObject({
      [SORTS.title]: sortText("Research on Cyber Infrastructure"),
      [SORTS.creator]: sortText("安達 淳"),
      [SORTS.updated]: Date.parse(second),
      [SORTS.created]: Date.parse(first),
      [SORTS.published]: 20151001,
      [SORTS.opened]: Number(content.access.openDate.replaceAll("-", "")),
      [SORTS.itemType]: 30_001,
      [SORTS.temporal]: sortText("Meiji"),
    });
    expect(made(sourceOf({ ...RICH, temporals: [], creators: [] })).sorts).toMatchObject({
      [SORTS.creator]: "",
      [SORTS.temporal]: "",
    });
  });
});

describe("R34 whatever an item contains", () => {
  test("R34 its document has the fields of the schema and nothing else, is the same again, and another one where the item differs", () => {
    const schema = searchSchema(SHIPPED_SEARCH_SETTINGS);
    fc.assert(
      fc.property(arbitraryMetadata, (metadata) => {
        const document = made(sourceOf(metadata));
        expect(Object.keys(document.texts).sort()).toEqual([...schema.texts].sort());
        expect(Object.keys(document.keys).sort()).toEqual([...schema.keys].sort());
        expect(Object.keys(document.numbers).sort()).toEqual([...schema.numbers].sort());
        expect(Object.keys(document.sorts).sort()).toEqual(schema.sorts.map(({ name }) => name).sort());
        for (const keys of Object.values(document.keys))
          for (const key of keys) expect(key).toMatch(/^[a-z0-9]{1,64}$/);
        for (const numbers of Object.values(document.numbers)) expect(numbers.every(Number.isFinite)).toBe(true);
        expect(made(sourceOf(structuredClone(metadata))).digest).toBe(document.digest);
        const other = made(
          sourceOf({ ...metadata, titles: [...metadata.titles, { value: "something else", kind: "other" }] }),
        );
        expect(other.digest).not.toBe(document.digest);
      }),
    );
  });

  test("R9a an item with very much metadata makes a document of limited size in limited time", async () => {
    const text = Array.from({ length: 100_000 }, (_, at) => `wort${at}`).join(" ");
    const giant: Metadata = {
      ...RICH,
      descriptions: Array.from({ length: 20 }, () => ({ value: text, kind: "Abstract", html: false })),
      subjects: Array.from({ length: 10_000 }, (_, at) => ({ text: { value: `subject ${at}` } })),
    };
    let document: SearchDocument | null = null;
    const ms = await cpuMs(() => {
      document = made(sourceOf(giant));
    });
    expect(ms).toBeLessThan(1_000);
    const { texts, keys, labels } = document ?? made(sourceOf(giant));
    for (const written of Object.values(texts))
      expect(written.split(" ").length).toBeLessThanOrEqual(2 * FIELD_LIMITS.tokens);
    for (const some of Object.values(keys)) expect(some.length).toBeLessThanOrEqual(1_000);
    expect(Object.keys(labels).length).toBeLessThan(1_020);
  });

  const crowd = Array.from({ length: 20_000 }, (_, at) => ({
    ...{ kind: "personal" as const, names: [{ family: `Family${at}`, given: "Given" }], alternatives: [], emails: [] },
    ...{ ids: [{ scheme: "ORCID", value: `0000-0002-1825-${at}` }], affiliations: [] },
  }));
  const han = Array.from({ length: 400_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))).join(
    "",
  );
  const marked = (count: number, value: string): Metadata["descriptions"] =>
    Array.from({ length: count }, () => ({ value, kind: "Abstract", html: true }));
  test.each<readonly [string, Partial<Metadata>]>([
    ["20,000 authors", { creators: crowd }],
    ["descriptions with markup of eight million characters", { descriptions: marked(8, "<p>a b".repeat(170_000)) }],
    ["markup without any words", { descriptions: marked(8, "<p>".repeat(340_000)) }],
    [
      "10,000 subjects",
      { subjects: Array.from({ length: 10_000 }, (_, at) => ({ text: { value: `subject ${at}` } })) },
    ],
    ["long Japanese titles", { titles: Array.from({ length: 10 }, () => ({ value: han, kind: "main" })) }],
  ])("R9a a document of %s is made in short parts, and is the same as without yielding", async (_, metadata) => {
    const files = Array.from({ length: 10_000 }, (_, at) => aFile(`file ${at}.txt`));
    const long = { ...ARTICLE, ...metadata };
    const content = aContent({ metadata: long, files });
    const source = sourceOf(long, { content, fileTexts: new Map([[files[0]?.sha256 ?? "", han]]) });
    const work = documentMaking(SHIPPED_SEARCH_SETTINGS)(source, TODAY);
    const steps: IteratorResult<void, SearchDocument | null>[] = [];
    let longest = 0;
    while (steps.at(-1)?.done !== true) {
      const ms = await cpuMs(() => {
        steps.push(work.next());
      });
      longest = Math.max(longest, ms);
    }
    expect(longest).toBeLessThan(250);
    expect(steps.at(-1)?.value).toEqual(made(source));
  });
});

describe("words of short items", () => {
  const item = (metadata: Metadata): WordSource => ({ metadata, ark: "99999/x8rd01" });
  const inParts = (source: WordSource) => runWithoutYielding(longItemWords(source));

  test("R27 they are those that any item has, whatever items were read before", () => {
    fc.assert(
      fc.property(fc.array(arbitraryMetadata, { minLength: 1, maxLength: 4 }), (several) => {
        for (const metadata of several) {
          const short = shortItemWords(item(metadata));
          if (short !== null) expect(short).toEqual(inParts(item(metadata)));
        }
      }),
      { numRuns: 200 },
    );
  });

  test("R27 an item of several languages and scripts, with names, has the same words twice in a row", () => {
    const metadata: Metadata = {
      ...ARTICLE,
      titles: [
        { value: "Deep-sea mining of manganese: deep sea, コンピュータ", kind: "main", lang: "en" },
        { value: "量子コンピューターの基礎 東京大学", kind: "translated", lang: "ja" },
      ],
      descriptions: [{ value: "<p>Mining, mined, mines. 東京大学 🐋🏽</p>", kind: "Abstract", html: true, lang: "de" }],
      subjects: [{ text: { value: "deep sea" } }, { text: { value: "deepsea" } }, { text: { value: "~mine" } }],
    };
    const expected = inParts(item(metadata));
    expect([shortItemWords(item(metadata)), shortItemWords(item(metadata))]).toEqual([expected, expected]);
    expect(expected.texts[FIELDS.all]).toContain("~deepsea");
  });

  test("R27 what was kept is forgotten at a limit, and the words are the same", () => {
    const before = shortItemWords(item(ARTICLE));
    expect(before).not.toBeNull();
    for (let at = 0; at < 300; at += 1) {
      const value = Array.from({ length: 600 }, (_, of) => `w${(at * 600 + of).toString(36)}`).join(" ");
      const other = { ...EMPTY_METADATA, titles: [{ value, kind: "main" as const }] };
      if (at % 30 === 0) expect(shortItemWords(item(other))).toEqual(inParts(item(other)));
      else shortItemWords(item(other));
    }
    expect(shortItemWords(item(ARTICLE))).toEqual(before);
  });

  test.each([
    ["a long title", { titles: [{ value: "word ".repeat(2_000), kind: "main" as const }] }],
    [
      "many authors without a name",
      { creators: Array.from({ length: 5_000 }, () => agentOf({ names: [{ full: "" }] })) },
    ],
  ])("R9a an item with %s is not read in one go", (_, more) => {
    expect(shortItemWords(item({ ...ARTICLE, ...more }))).toBeNull();
  });
});
