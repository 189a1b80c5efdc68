// What the tests of item types share: the two shipped types, an item with a value in every place the full type shows,
// and arbitrary metadata.
import fc from "fast-check";
import { SHIPPED_ITEM_TYPES } from "../../../src/assets/item-types/index.ts";
import type { FileClaim } from "../../../src/model/files/described-package.ts";
import type { ItemTypeDefinition } from "../../../src/model/item-types/definition.ts";
import { readItemType } from "../../../src/model/item-types/read-definition.ts";
import {
  type Agent,
  EMPTY_METADATA,
  type Ident,
  type Metadata,
  type Text,
} from "../../../src/model/metadata/metadata.ts";

const [full, simple] = SHIPPED_ITEM_TYPES.map((json) => readItemType(json));
if (full === undefined || simple === undefined) throw new Error("The product ships two item types");
export const FULL: ItemTypeDefinition = full;
export const SIMPLE: ItemTypeDefinition = simple;

export const ARTICLE: Metadata = {
  ...EMPTY_METADATA,
  type: { id: "publication-article", label: "journal article", uri: "http://purl.org/coar/resource_type/c_6501" },
  titles: [
    { value: "日本の大学図書館", lang: "ja", kind: "main" },
    { value: "University libraries in Japan", lang: "en", kind: "translated" },
    { value: "図書館の一年", lang: "ja", kind: "alternative" },
  ],
  creators: [
    {
      kind: null,
      names: [
        { full: "山田, 太郎", family: "山田", given: "太郎", lang: "ja" },
        { full: "Yamada, Taro", family: "Yamada", given: "Taro", lang: "en" },
      ],
      alternatives: [{ value: "T. Yamada", lang: "en" }],
      ids: [{ scheme: "ORCID", value: "0000-0002-1825-0097", uri: "https://orcid.org/0000-0002-1825-0097" }],
      emails: ["taro@example.org"],
      affiliations: [
        { names: [{ value: "Example University", lang: "en" }], ids: [{ scheme: "ISNI", value: "0000000121581279" }] },
      ],
    },
  ],
  accessRights: { label: "open access", uri: "http://purl.org/coar/access_right/c_abf2" },
  apc: "Paid",
  rights: [{ text: [{ value: "CC BY 4.0", lang: "en" }], uri: "https://creativecommons.org/licenses/by/4.0/" }],
  subjects: [{ text: { value: "図書館", lang: "ja" }, scheme: "NDC" }],
  descriptions: [{ kind: "Abstract", value: "First line\nsecond line", lang: "en", html: false }],
  publishers: [{ names: [{ value: "Example Press", lang: "en" }], publisherType: "dc" }],
  dates: [
    { type: "Issued", date: "2024-04" },
    { type: "dcterms", date: "spring of 2024" },
  ],
  languages: ["jpn", "eng"],
  versionLabel: "1.0",
  versionType: { label: "VoR", uri: "http://purl.org/coar/version/c_970fb48d4fbd8a85" },
  identifiers: [{ scheme: "DOI", value: "https://doi.org/10.1234/abc" }],
  registration: { scheme: "JaLC", value: "10.1234/abc" },
  relations: [
    { type: "isPartOf", ident: { scheme: "ISSN", value: "1234-5678" }, titles: [{ value: "Series", lang: "en" }] },
  ],
  temporals: [{ value: "1923", lang: "en" }],
  locations: [{ point: { longitude: "139.7", latitude: "35.6" }, places: [{ value: "Tokyo" }], ids: [] }],
  funding: [
    {
      funder: { names: [{ value: "JSPS", lang: "en" }], ids: [{ scheme: "Crossref Funder", value: "501100001691" }] },
      award: { number: "JP1234", titles: [{ value: "A study", lang: "en" }] },
    },
  ],
  containers: [
    {
      titles: [{ value: "Journal of Examples", lang: "en" }],
      ids: [{ scheme: "EISSN", value: "2222-333X" }],
      volume: "12",
      issue: "3",
      pageStart: "1",
      pageEnd: "20",
      numPages: "20",
      place: "flat",
    },
    { titles: [{ value: "例雑誌", lang: "ja" }], ids: [], volume: "12", issued: "2024-04-01", place: "grouped" },
  ],
  degree: { number: "甲第1号", names: [{ value: "博士（文学）", lang: "ja" }], granted: "2024-03-25", grantors: [] },
  conferences: [
    {
      names: [{ value: "Examples 2024", lang: "en" }],
      sequence: "7",
      sponsors: [],
      date: { startYear: "2024", startMonth: "5", text: "May 2024", lang: "en" },
      venues: [],
      places: [{ value: "Kyoto", lang: "en" }],
      country: "JPN",
    },
  ],
  custom: { "1:item_1617620223087[0].subitem_1565671169640": "見出し" },
};

export const FILES: readonly FileClaim[] = [
  { path: "paper.pdf", mediaType: "application/pdf", access: "open", extents: ["12 KB"], license: "CC-BY-4.0" },
  {
    path: "data/table.csv",
    access: "date",
    accessDate: "2030-01-01",
    groups: ["3", "7"],
    dates: [{ type: "Created", date: "2024" }],
  },
];

const words = fc
  .string({ minLength: 1, maxLength: 12, unit: "grapheme" })
  .map((text) => text.trim())
  .filter((text) => text !== "");
const lang = fc.option(fc.constantFrom("ja", "en", "de", "pt-BR"), { nil: undefined });
const without = <T extends object>(value: T): T =>
  // The same members but for those that are undefined: what JSON would keep.
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
const text: fc.Arbitrary<Text> = fc.record({ value: words, lang }).map((value) => without(value) as Text);
const texts = fc.array(text, { maxLength: 3 });
const ident = (schemes: readonly string[]): fc.Arbitrary<Ident> =>
  fc.record({ scheme: fc.constantFrom(...schemes), value: words });
const agent: fc.Arbitrary<Agent> = fc
  .record({
    names: fc.array(
      fc.record({ full: fc.option(words, { nil: undefined }), family: words, given: words, lang }).map(without),
      {
        maxLength: 3,
      },
    ),
    alternatives: texts,
    ids: fc.array(ident(["ORCID", "ROR"]), { maxLength: 2 }),
    emails: fc.array(words, { maxLength: 2 }),
    affiliations: fc.array(fc.record({ names: texts, ids: fc.array(ident(["ISNI", "ROR"]), { maxLength: 2 }) }), {
      maxLength: 2,
    }),
    authorId: fc.option(fc.integer({ min: 1 }), { nil: undefined }),
  })
  .map((value) => ({ ...without(value), kind: null }) as Agent);

/** Metadata of every kind: values a form can hold among values it cannot. */
export const anyMetadata: fc.Arbitrary<Metadata> = fc
  .record({
    titles: fc.array(
      fc
        .record({ value: words, lang, kind: fc.constantFrom("main", "translated", "alternative", "subtitle", "other") })
        .map(without),
      { maxLength: 4 },
    ),
    creators: fc.array(agent, { maxLength: 3 }),
    contributors: fc.array(agent, { maxLength: 2 }),
    rights: fc.array(fc.record({ text: texts, uri: fc.option(words, { nil: undefined }) }).map(without), {
      maxLength: 2,
    }),
    publishers: fc.array(fc.record({ names: texts }), { maxLength: 2 }),
    dates: fc.array(fc.record({ date: words, type: fc.constantFrom("Issued", "Created", "dcterms", "Coverage") }), {
      maxLength: 3,
    }),
    languages: fc.array(fc.constantFrom("jpn", "eng", "deu", "xyz"), { maxLength: 3 }),
    relations: fc.array(
      fc.record({ type: fc.constantFrom("isPartOf", "inSeries"), ident: ident(["DOI", "CRID"]), titles: texts }),
      { maxLength: 2 },
    ),
    containers: fc.array(
      fc.record({
        titles: texts,
        ids: fc.array(ident(["ISSN", "ISBN"]), { maxLength: 2 }),
        volume: words,
        place: fc.constantFrom("flat", "grouped"),
      }),
      { maxLength: 3 },
    ),
    publicationDate: fc.option(words, { nil: undefined }),
  })
  // Every member is one of the model's, built just above.
  .map((members) => ({ ...EMPTY_METADATA, ...without(members) }) as unknown as Metadata);
