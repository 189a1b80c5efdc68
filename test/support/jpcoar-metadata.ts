// Canonical metadata made at random: `anyMetadata` with whatever strings the types allow, `jpcoarMetadata` only with
// what JPCOAR 2.0 can hold.
import fc, { type Arbitrary } from "fast-check";
import * as choices from "../../src/formats/jpcoar/choices.ts";
import { isUri } from "../../src/formats/jpcoar/text-rules.ts";
import {
  type Agent,
  EMPTY_METADATA,
  type Ident,
  type Metadata,
  type Org,
  type Text,
  type Title,
} from "../../src/model/metadata/metadata.ts";
import { RESOURCE_TYPES, resourceTypeOf } from "../../src/model/metadata/resource-types.ts";
import { VERSION_TYPES } from "../../src/model/metadata/version-types.ts";
import { ACCESS_RIGHTS, type AccessRightsLabel } from "../../src/model/rights/access-rights.ts";

const few = <T>(one: Arbitrary<T>, max = 2): Arbitrary<T[]> => fc.array(one, { maxLength: max });
/** A record whose members are all optional where they are named in `optional`. */
const object = <T extends object>(members: { [K in keyof T]: Arbitrary<T[K]> }, required: (keyof T)[]): Arbitrary<T> =>
  // fast-check types the result by its own constraint; the members are those of T.
  fc.record(members, { requiredKeys: required }) as unknown as Arbitrary<T>;

type Words = { readonly word: Arbitrary<string>; readonly lang: Arbitrary<string>; readonly uri: Arbitrary<string> };

/** Words with anything in them that may break markup. */
const WILD: Words = {
  word: fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom(
      "",
      " ",
      "<b>&amp;</b>",
      "]]>",
      "題名",
      "12",
      "-3",
      "2020-01-01",
      "\u0000",
      "\uD800",
      "a@example.org",
    ),
  ),
  lang: fc.oneof(fc.constantFrom("ja", "en", "ja-Kana", "", "not a language", "日本"), fc.string({ maxLength: 5 })),
  uri: fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ maxLength: 12 }),
    fc.string({ unit: "binary", maxLength: 8 }).map((tail) => `http://example.org/${tail}`),
    fc.constantFrom(
      "",
      ":",
      "://",
      "http://[",
      "http://a:b/",
      "a b",
      "%zz",
      "#a#b",
      "//",
      "mailto:a@example.org",
      "1:2",
      "https://例え.jp/題?あ#い",
    ),
  ),
};

/** Words as a careful person writes them: no controls, nothing at the ends that a reader may take for layout. */
const TAME: Words = {
  word: fc
    .string({ unit: fc.constantFrom(..."abcXYZ 019<>&\"'題ーé😀-/.,;:()[]"), minLength: 1, maxLength: 14 })
    .map((text) => text.trim())
    .filter((text) => text !== ""),
  lang: fc.constantFrom("ja", "en", "ja-Kana", "ja-Latn", "fr"),
  uri: fc.webUrl({ withQueryParameters: true }).filter(isUri),
};

function makers({ word, lang, uri }: Words) {
  const text: Arbitrary<Text> = object<Text & object>({ value: word, lang }, ["value"]);
  const ident = (schemes: readonly string[], hasUri = true): Arbitrary<Ident> =>
    hasUri
      ? object<Ident & object>({ scheme: fc.constantFrom(...schemes), value: word, uri }, ["scheme", "value"])
      : fc.record({ scheme: fc.constantFrom(...schemes), value: word });
  const org: Arbitrary<Org> = fc.record({ names: few(text), ids: few(ident(choices.NAME_SCHEMES)) });
  return { text, ident, org };
}

const wild = makers(WILD);
const loose: Arbitrary<Ident> = object<Ident & object>(
  {
    scheme: fc.oneof(
      fc.constantFrom("ORCID", "doi", "HDL", "URI", "ISBN", "issn", "Crossref Funder", "ark", ""),
      WILD.word,
    ),
    value: fc.oneof(WILD.word, WILD.uri),
    uri: WILD.uri,
    schemeUri: WILD.uri,
  },
  ["scheme", "value"],
);
const looseOrg: Arbitrary<Org> = fc.record({ names: few(wild.text), ids: few(loose) });
const looseAgent: Arbitrary<Agent> = object<Agent & object>(
  {
    kind: fc.constantFrom("personal", "organizational", null),
    names: few(
      fc.record({ full: WILD.word, family: WILD.word, given: WILD.word, lang: WILD.lang }, { requiredKeys: [] }),
    ),
    alternatives: few(wild.text),
    ids: few(loose),
    emails: few(fc.constant("hidden@example.org"), 1),
    affiliations: few(looseOrg),
    role: WILD.word,
  },
  ["kind", "names", "alternatives", "ids", "emails", "affiliations"],
);
const looseType = fc.record(
  {
    id: fc.oneof(fc.constantFrom("dataset", "publication-article", "video"), WILD.word),
    label: WILD.word,
    uri: WILD.uri,
  },
  { requiredKeys: ["id"] },
);

/** Metadata with any strings at all in it; every member is there now and then. */
export const anyMetadata: Arbitrary<Metadata> = fc
  .record(
    {
      type: fc.option(looseType),
      titles: few(
        fc.record({
          value: WILD.word,
          lang: WILD.lang,
          kind: fc.constantFrom("main", "alternative", "subtitle", "translated", "other") as Arbitrary<Title["kind"]>,
        }),
        3,
      ),
      creators: few(looseAgent),
      contributors: few(looseAgent),
      rightsHolders: few(looseAgent),
      accessRights: fc.record({ label: WILD.word, uri: WILD.uri }),
      apc: WILD.word,
      rights: few(fc.record({ id: WILD.word, text: few(wild.text), uri: WILD.uri }, { requiredKeys: ["text"] })),
      copyright: WILD.word,
      subjects: few(
        fc.record({ id: WILD.word, text: wild.text, scheme: WILD.word, uri: WILD.uri }, { requiredKeys: [] }),
      ),
      descriptions: few(fc.record({ value: WILD.word, lang: WILD.lang, kind: WILD.word, html: fc.boolean() })),
      publishers: few(
        fc.record(
          {
            names: few(wild.text),
            place: wild.text,
            description: wild.text,
            countries: few(WILD.word),
            publisherType: fc.constantFrom("dc", "jpcoar"),
          },
          { requiredKeys: ["names"] },
        ),
      ),
      publicationDate: WILD.word,
      dates: few(
        fc.record({
          date: WILD.word,
          type: fc.oneof(fc.constantFrom("Issued", "created", "dcterms"), WILD.word),
          lang: WILD.lang,
        }),
      ),
      languages: few(fc.oneof(fc.constantFrom("jpn", "ENG", "ja"), WILD.word)),
      versionLabel: WILD.word,
      versionType: fc.record({ label: fc.oneof(fc.constantFrom("VoR", "am"), WILD.word), uri: WILD.uri }),
      identifiers: few(loose, 4),
      registration: loose,
      relations: few(
        fc.record(
          { type: WILD.word, ident: loose, titles: few(wild.text), resourceType: WILD.word },
          { requiredKeys: ["type", "titles"] },
        ),
      ),
      temporals: few(wild.text),
      locations: few(
        fc.record(
          {
            point: fc.record({ longitude: WILD.word, latitude: WILD.word }),
            box: fc.record({ west: WILD.word, east: fc.constant("9"), south: fc.constant("-95"), north: WILD.word }),
            places: few(wild.text),
            ids: few(loose),
          },
          { requiredKeys: ["places", "ids"] },
        ),
      ),
      funding: few(
        fc.record(
          {
            funder: looseOrg,
            stream: fc.record({ ids: few(loose), names: few(wild.text) }),
            award: fc.record({ number: WILD.word, numberType: WILD.word, uri: WILD.uri, titles: few(wild.text) }),
          },
          { requiredKeys: ["funder"] },
        ),
      ),
      containers: few(
        fc.record(
          {
            titles: few(wild.text),
            ids: few(loose),
            volume: WILD.word,
            issue: WILD.word,
            pageStart: WILD.word,
            pageEnd: fc.constantFrom("0", "1", "e17", "+7", "-1", "007"),
            numPages: WILD.word,
            issued: WILD.word,
            place: fc.constantFrom("flat", "grouped"),
          },
          { requiredKeys: ["titles", "ids", "place"] },
        ),
      ),
      degree: fc.record({
        number: WILD.word,
        names: few(wild.text),
        granted: fc.oneof(fc.constantFrom("2020-02-30", "2020-02-29", "0000", "2021"), WILD.word),
        grantors: few(looseOrg),
      }),
      conferences: few(
        fc.record({
          names: few(wild.text),
          sequence: WILD.word,
          sponsors: few(wild.text),
          date: fc.record({
            text: WILD.word,
            lang: WILD.lang,
            startYear: fc.constantFrom("1399", "2016", "02016"),
            startMonth: fc.constantFrom("0", "02", "13"),
            startDay: WILD.word,
          }),
          venues: few(wild.text),
          places: few(wild.text),
          country: fc.constantFrom("JPN", "jp", ""),
        }),
      ),
      editions: few(wild.text),
      volumeTitles: few(wild.text),
      originalLanguages: few(WILD.word),
      formats: few(wild.text),
      sizes: few(wild.text),
      holdingAgent: fc.record({ ids: few(loose), names: few(wild.text) }),
      datasetSeries: fc.boolean(),
      catalog: fc.record({
        contributors: few(looseAgent),
        ids: few(loose),
        titles: few(wild.text),
        descriptions: few(fc.record({ value: WILD.word, kind: WILD.word, html: fc.boolean() })),
        subjects: few(fc.record({ text: wild.text })),
        licenses: few(fc.record({ type: WILD.word, uri: WILD.uri, text: wild.text })),
        rights: few(fc.record({ text: few(wild.text), uri: WILD.uri })),
        files: few(fc.record({ uri: WILD.uri, objectType: WILD.word })),
      }),
      references: few(fc.record({ text: WILD.word, ident: loose }, { requiredKeys: ["text"] })),
      custom: fc.dictionary(WILD.word, WILD.word, { maxKeys: 2 }),
    },
    { requiredKeys: [] },
  )
  // fast-check's optional members may not be undefined, which the types of the parts cannot express.
  .map((metadata) => ({ ...EMPTY_METADATA, ...metadata }) as unknown as Metadata);

const { text, ident, org } = makers(TAME);
/** JPCOAR joins names by language, so one agent has each language at most once. */
const names = fc.uniqueArray(
  fc.record(
    { full: TAME.word, family: TAME.word, given: TAME.word, lang: TAME.lang },
    { requiredKeys: ["full", "lang"] },
  ),
  { maxLength: 3, selector: ({ lang }) => lang },
);
const agent = (roles: Arbitrary<string>): Arbitrary<Agent> =>
  fc
    .record(
      {
        kind: fc.constantFrom("personal", "organizational", null),
        names: names.filter((list) => list.length > 0),
        alternatives: few(text),
        ids: few(ident(choices.NAME_SCHEMES)),
        emails: fc.constant([]),
        affiliations: few(org.filter((each) => each.names.length + each.ids.length > 0)),
        role: roles,
      },
      { requiredKeys: ["kind", "names", "alternatives", "ids", "emails", "affiliations"] },
    )
    .map((each) => each as unknown as Agent);
const date = fc.constantFrom(
  "2015",
  "2015-10",
  "2015-10-01",
  "2014/2016",
  "2014/",
  "/2016-01-02",
  "2020-01-01T10:00:00+09:00",
);
const positive = fc.integer({ min: 1, max: 99999 }).map(String);
const choice = <T>(list: readonly T[]): Arbitrary<T> => fc.constantFrom(...list);
const current = RESOURCE_TYPES.filter((type) => type.current);
const degrees = (limit: number): Arbitrary<string> =>
  fc.integer({ min: -limit, max: limit }).map((whole) => `${whole}.0`);

/** Metadata that a JPCOAR record can hold without loss, in the order in which a record returns it. */
export const jpcoarMetadata: Arbitrary<Metadata> = fc
  .record(
    {
      type: choice(current).map(({ label, uri }) => resourceTypeOf(label, uri)),
      titles: fc
        .tuple(text, few(fc.record({ value: TAME.word, lang: TAME.lang })), few(text))
        .map(([main, more, alternatives]): Title[] => [
          { ...main, kind: "main" },
          ...more.map((title): Title => ({ ...title, kind: title.lang === main.lang ? "main" : "translated" })),
          ...alternatives.map((title): Title => ({ ...title, kind: "alternative" })),
        ]),
      creators: few(agent(TAME.word)),
      contributors: few(agent(choice(choices.CONTRIBUTOR_TYPES))),
      accessRights: choice(Object.keys(ACCESS_RIGHTS) as AccessRightsLabel[]).map((label) => ({
        label,
        uri: ACCESS_RIGHTS[label],
      })),
      rights: few(fc.record({ text: text.map((each) => [each]) }), 1),
      subjects: few(
        fc.record(
          { text, scheme: choice(choices.SUBJECT_SCHEMES), uri: TAME.uri },
          { requiredKeys: ["text", "scheme"] },
        ),
      ),
      descriptions: few(
        fc.record({
          value: TAME.word,
          lang: TAME.lang,
          kind: choice(choices.DESCRIPTION_TYPES),
          html: fc.constant(false),
        }),
      ),
      publishers: fc
        .tuple(
          few(text),
          few(
            fc.record(
              { names: few(text), place: text, description: text, countries: fc.constant(["JPN"]) },
              { requiredKeys: ["names", "place"] },
            ),
          ),
        )
        .map(([plain, described]) => [
          ...plain.map((name) => ({ names: [name], publisherType: "dc" })),
          ...described.map((each) => ({ ...each, publisherType: "jpcoar" })),
        ]),
      dates: fc
        .tuple(
          few(fc.record({ date, type: choice(choices.DATE_TYPES) })),
          few(fc.record({ date: TAME.word, type: fc.constant("dcterms"), lang: TAME.lang })),
        )
        .map(([typed, free]) => [...typed, ...free]),
      languages: few(choice(["jpn", "eng", "fra"])),
      versionLabel: TAME.word,
      versionType: choice(Object.entries(VERSION_TYPES)).map(([label, uri]) => ({ label, uri })),
      identifiers: fc.uniqueArray(fc.record({ scheme: choice(choices.IDENTIFIER_TYPES), value: TAME.uri }), {
        minLength: 1,
        maxLength: 3,
        selector: ({ value }) => value,
      }),
      registration: ident(choices.REGISTRATION_TYPES, false),
      relations: few(
        fc.record(
          {
            type: choice(choices.RELATION_TYPES),
            ident: fc.record({ scheme: choice(choices.RELATED_IDENTIFIER_TYPES), value: TAME.uri }),
            titles: few(text),
          },
          { requiredKeys: ["type", "ident", "titles"] },
        ),
      ),
      temporals: few(text),
      locations: few(
        fc.record(
          {
            point: fc.record({ longitude: degrees(180), latitude: degrees(90) }),
            box: fc.record({ west: degrees(180), east: degrees(180), south: degrees(90), north: degrees(90) }),
            places: fc.array(
              TAME.word.map((value) => ({ value })),
              { minLength: 1, maxLength: 2 },
            ),
            ids: fc.constant([]),
          },
          { requiredKeys: ["places", "ids"] },
        ),
      ),
      funding: few(
        fc.record(
          {
            funder: fc.record({
              names: fc.array(text, { minLength: 1, maxLength: 2 }),
              ids: few(
                fc.record(
                  { scheme: choice(choices.FUNDER_TYPES), value: TAME.word, schemeUri: TAME.uri },
                  { requiredKeys: ["scheme", "value"] },
                ),
                1,
              ),
            }),
            stream: fc.record({
              ids: few(fc.record({ scheme: choice(choices.STREAM_TYPES), value: TAME.word }), 1),
              names: fc.array(text, { minLength: 1, maxLength: 2 }),
            }),
            award: fc.record(
              { number: TAME.word, numberType: TAME.word, uri: TAME.uri, titles: few(text) },
              { requiredKeys: ["number", "titles"] },
            ),
          },
          { requiredKeys: ["funder"] },
        ),
      ),
      containers: few(
        fc.record(
          {
            titles: fc.uniqueArray(text, { maxLength: 2, selector: (each) => `${each.lang} ${each.value}` }),
            ids: fc.uniqueArray(ident(choices.SOURCE_TYPES, false), {
              maxLength: 2,
              selector: (each) => `${each.scheme} ${each.value}`,
            }),
            volume: TAME.word,
            issue: TAME.word,
            numPages: positive,
            pageStart: positive,
            pageEnd: positive,
            place: fc.constant("flat"),
          },
          { requiredKeys: ["titles", "ids", "volume", "place"] },
        ),
        1,
      ),
      degree: fc.record({
        number: TAME.word,
        names: few(text),
        granted: choice(["2017-03-25", "2017-03", "2017"]),
        grantors: few(org.filter((each) => each.ids.length > 0)),
      }),
      conferences: few(
        fc.record(
          {
            names: fc.array(text, { minLength: 1, maxLength: 2 }),
            sequence: positive,
            sponsors: few(text),
            date: fc.record(
              {
                text: TAME.word,
                lang: TAME.lang,
                startYear: fc.constant("2016"),
                startMonth: fc.constant("02"),
                startDay: fc.constant("29"),
                endYear: fc.constant("2016"),
              },
              { requiredKeys: ["text"] },
            ),
            venues: few(text),
            places: few(text),
            country: fc.constant("JPN"),
          },
          { requiredKeys: ["names", "sponsors", "venues", "places"] },
        ),
      ),
      editions: few(text),
      volumeTitles: few(text),
      originalLanguages: few(TAME.word),
      formats: few(text),
      sizes: few(text),
      holdingAgent: fc.record({
        ids: few(ident(choices.HOLDING_SCHEMES), 1),
        names: fc.array(text, { minLength: 1, maxLength: 2 }),
      }),
      datasetSeries: fc.boolean(),
      catalog: fc.record({
        contributors: few(agent(choice(choices.CONTRIBUTOR_TYPES))),
        ids: few(fc.record({ scheme: choice(choices.IDENTIFIER_TYPES), value: TAME.uri })),
        titles: few(text),
        descriptions: few(
          fc.record({ value: TAME.word, kind: choice(choices.DESCRIPTION_TYPES), html: fc.constant(false) }),
        ),
        subjects: few(fc.record({ text, scheme: choice(choices.SUBJECT_SCHEMES) })),
        licenses: few(fc.record({ type: choice(choices.LICENSE_TYPES), uri: TAME.uri, text })),
        rights: few(fc.record({ text: text.map((each) => [each]) }), 1),
        accessRights: fc.constant({ label: "open access", uri: ACCESS_RIGHTS["open access"] }),
        files: few(fc.record({ uri: TAME.uri, objectType: choice(choices.OBJECT_TYPES), label: TAME.word }), 1),
      }),
    },
    { requiredKeys: ["type", "titles", "identifiers"] },
  )
  // As above.
  .map((metadata) => ({ ...EMPTY_METADATA, ...metadata }) as unknown as Metadata);
