// Records as export writers take them (R38), made at random: metadata of every shape the model allows, metadata as
// careful people write them, and metadata with everything in them that exports stumble over.
import fc, { type Arbitrary } from "fast-check";
import { shippedVocabulary } from "../../src/assets/vocabularies/index.ts";
import type { ExportedFile, ExportedRecord } from "../../src/formats/exported-record.ts";
import { EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";
import { arbitraryMetadata } from "./arbitrary-metadata.ts";
import { anyMetadata, jpcoarMetadata } from "./jpcoar-metadata.ts";

const idsOf = (type: string): readonly string[] => shippedVocabulary(type).map(({ id }) => id);
const one = <T>(...values: readonly T[]): Arbitrary<T> => fc.constantFrom(...values);
const wordOf = (type: string): Arbitrary<string> => one(...idsOf(type), "no such word", "");
const few = <T>(each: Arbitrary<T>, maxLength = 3): Arbitrary<T[]> => fc.array(each, { maxLength });

/** Words that break what is written carelessly. */
const HOSTILE = [
  "<b>bold</b> & <i>more",
  "]]> --> <!-- -- -",
  "\u0000\u0001\u0008\u000B\u001F\u007F\u0085",
  "\uD800 half \uDFFF",
  "\uFFFE\uFFFF",
  "مرحبا بالعالم",
  "\u202Eright to left\u202C שלום",
  "e\u0301\u0327 👩‍👩‍👧‍👦 𠮷野家",
  "情報学研究　２０２４年",
  "quote \" apostrophe ' backslash \\ {brace} % $ _ # ~ ^ & tab\t",
  "line\nbreak\r\nreturn\rend",
  "--",
  "-",
  " ",
  "",
  "x".repeat(10_000),
  "あ".repeat(10_000),
  "&amp;&lt;script&gt;alert(1)&lt;/script&gt;",
  "<p>First</p><p>Second &mdash; third</p><script>no()</script>",
] as const;
const WORDS = fc.oneof(
  { weight: 5, arbitrary: one("Physics", "量子力学", "A study of names", "Ocean temperatures 1990–2020", "Étude") },
  { weight: 2, arbitrary: one(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);
const LANGUAGES = one(undefined, undefined, "en", "ja", "ja-Kana", "ja-Latn", "eng", "not a language", "");
const text = fc.record({ value: WORDS, lang: LANGUAGES }).map(bare);
const uri = one(
  "https://example.org/a?b=c&d=<e>#f",
  "http://例え.jp/題",
  "urn:isbn:9784000000000",
  "info:eu-repo/grantAgreement/EC/H2020/1",
  "http://[",
  "https:",
  "javascript:alert(1)",
  "https://example.org/%zz|{}",
  "no address",
  "\uD800",
  "",
);
const ident = fc
  .record({
    scheme: one(
      "orcid",
      "ORCID",
      "ror",
      "ROR",
      "isni",
      "gnd",
      "doi",
      "DOI",
      "handle",
      "HDL",
      "ark",
      "arxiv",
      "ads",
      "issn",
      "EISSN",
      "isbn",
      "pmid",
      "url",
      "URI",
      "urn",
      "cstr",
      "rrid",
      "igsn",
      "swhid",
      "Local",
      "no such scheme",
      "",
    ),
    value: fc.oneof(
      one(
        "0000-0002-1825-0097",
        "04wxnsj81",
        "https://ror.org/04wxnsj81",
        "10.1234/abc(d)<e>",
        "https://doi.org/10.5555/x",
        "10.1234.5/x",
        "123/456",
        "1234-5679",
        "978-4-00-000000-0",
        "arXiv:2101.00001",
        "ark:99999/x1",
        "2020NatAs...4...1S",
      ),
      WORDS,
      uri,
    ),
    uri: one(undefined, undefined, "https://orcid.org/0000-0002-1825-0097", "no address", "https://example.org/id"),
    schemeUri: one(undefined, undefined, "https://example.org/scheme", "none"),
  })
  .map(bare);
const org = fc.record({ names: few(text, 2), ids: few(ident, 2) });
const agent = (role: Arbitrary<string | undefined>) =>
  fc
    .record({
      kind: one("personal", "organizational", null),
      names: few(
        fc
          .record({
            full: fc.option(WORDS, { nil: undefined }),
            family: one(undefined, "山田", "Müller", "", "O’Neil-Łuk"),
            given: one(undefined, undefined, "花子", "J. R.", ""),
            lang: LANGUAGES,
          })
          .map(bare),
        2,
      ),
      alternatives: few(text, 1),
      ids: few(ident, 2),
      emails: one([], ["hidden@example.org"]),
      affiliations: few(org, 2),
      role,
    })
    .map(bare);
const DATES = [
  "2024",
  "2024-02",
  "2024-02-29",
  "2018/2020-09",
  "1939/1945",
  "2014/",
  "/2016-01-02",
  "../2016",
  "2020-01-01T10:00:00+09:00",
  "2020-01-01T10:00Z",
  "2023-02-29",
  "2021-13",
  "0000",
  "-0500",
  "12024",
  "昭和50年",
  "circa 1900",
  "2020-01-01/2019",
  "",
] as const;
const date = one(...DATES);
const number = fc.oneof(
  one("0", "-0", "139.7", "-60.63932", "180", "90", "1e-7", "+12.50"),
  one("181", "-91", "NaN", "x", "", "1e400"),
);
const position = fc.oneof(
  fc.tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -90, max: 90, noNaN: true })),
  one<unknown>([200, 5], ["1", 2], [], null, [1], [1, 2, 3]),
);
const ring = one<unknown>(
  [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [0, 0],
  ],
  [
    [0, 0],
    [2, 0],
    [1, 1],
    [0, 0],
  ],
  [
    [0, 0],
    [1, 1],
  ],
  [
    [139.1, 35.1],
    [139.9, 35.2],
    [139.5, 35.9],
    [139.3, 35.5],
    [139.1, 35.1],
  ],
  null,
);
const geometry = fc.oneof(
  fc.record({ type: fc.constant("Point"), coordinates: position }),
  fc.record({ type: fc.constant("MultiPoint"), coordinates: few(position) }),
  fc.record({ type: fc.constant("LineString"), coordinates: few(position) }),
  fc.record({ type: fc.constant("Polygon"), coordinates: few(ring) }),
  fc.record({ type: fc.constant("MultiPolygon"), coordinates: few(few(ring)) }),
  fc.record({
    type: fc.constant("GeometryCollection"),
    geometries: few(fc.record({ type: fc.constant("Point"), coordinates: position })),
  }),
  one<unknown>(null, 7, "x", [], {}, { type: "Polygon", coordinates: 7 }),
);
const optional = <T>(each: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(each, { nil: undefined });
const location = fc
  .record({
    point: optional(fc.record({ longitude: number, latitude: number })),
    box: optional(fc.record({ west: number, east: number, south: number, north: number })),
    geometry: optional(geometry),
    places: few(text, 2),
    ids: few(ident, 1),
    description: optional(text),
  })
  .map(bare);

/** Members that are undefined are not there. */
function bare<T extends object>(members: T): T {
  // Only members that may be missing are ever undefined.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

/** Metadata with all that records of research have, and with what breaks careless writers. */
const richMetadata: Arbitrary<Metadata> = fc
  .record({
    type: fc.option(
      fc
        .record({ id: wordOf("resourcetypes"), label: one(undefined, "journal article", "Photo", "題"), uri })
        .map(bare),
    ),
    titles: few(
      fc
        .record({ value: WORDS, lang: LANGUAGES, kind: one("main", "alternative", "subtitle", "translated", "other") })
        .map(bare),
      4,
    ),
    creators: few(agent(one(undefined, "editor", "x"))),
    contributors: few(agent(fc.oneof(wordOf("contributorsroles"), one(undefined, "ContactPerson", "RightsHolder")))),
    rightsHolders: few(agent(fc.constant(undefined)), 1),
    accessRights: optional(fc.record({ label: one("open access", "Embargoed Access", "unknown", ""), uri }).map(bare)),
    rights: few(
      fc
        .record({
          id: optional(wordOf("licenses")),
          text: few(text, 2),
          uri: optional(fc.oneof(uri, one("https://creativecommons.org/licenses/by/4.0/"))),
        })
        .map(bare),
    ),
    copyright: optional(WORDS),
    subjects: few(
      fc
        .record({
          id: optional(fc.oneof(uri, one("QA76", "NDC 007"))),
          text: optional(text),
          scheme: one(undefined, "MeSH", "NDC", ""),
          uri: optional(uri),
        })
        .map(bare),
    ),
    descriptions: few(
      fc
        .record({
          value: WORDS,
          lang: LANGUAGES,
          kind: fc.oneof(wordOf("descriptiontypes"), one("Abstract")),
          html: fc.boolean(),
        })
        .map(bare),
    ),
    publishers: few(fc.record({ names: few(text, 2), place: optional(text) }).map(bare), 2),
    publicationDate: optional(date),
    dates: few(
      fc
        .record({ date, type: fc.oneof(wordOf("datetypes"), one("Issued", "dcterms")), description: optional(text) })
        .map(bare),
    ),
    languages: few(one("jpn", "eng", "dan", "ja", "no code at all", "zxx", "")),
    versionLabel: optional(WORDS),
    versionType: optional(fc.record({ label: one("VoR", "AM", "x") })),
    identifiers: few(ident, 4),
    registration: optional(ident),
    relations: few(
      fc
        .record({
          type: fc.oneof(wordOf("relationtypes"), one("isFormatOf", "replaces", "inSeries")),
          ident: optional(ident),
          titles: few(text, 1),
          resourceType: optional(wordOf("resourcetypes")),
        })
        .map(bare),
    ),
    temporals: few(
      fc.oneof(
        text,
        date.map((value) => ({ value })),
      ),
      2,
    ),
    locations: few(location),
    funding: few(
      fc
        .record({
          funder: org,
          stream: optional(fc.record({ ids: few(ident, 1), names: few(text, 1) })),
          award: optional(fc.record({ number: optional(WORDS), uri: optional(uri), titles: few(text, 2) }).map(bare)),
        })
        .map(bare),
    ),
    containers: few(
      fc
        .record({
          titles: few(text, 2),
          ids: few(ident, 2),
          volume: optional(WORDS),
          issue: optional(WORDS),
          pageStart: one(undefined, "1", "e17"),
          pageEnd: one(undefined, "12"),
          numPages: one(undefined, "11"),
          issued: optional(date),
          place: one("flat", "grouped"),
        })
        .map(bare),
      2,
    ),
    degree: optional(
      fc
        .record({ number: optional(WORDS), names: few(text, 1), granted: optional(date), grantors: few(org, 1) })
        .map(bare),
    ),
    conferences: few(
      fc
        .record({
          names: few(text, 1),
          sequence: optional(WORDS),
          sponsors: few(text, 1),
          venues: few(text, 1),
          places: few(text, 1),
          country: one(undefined, "JPN"),
        })
        .map(bare),
      1,
    ),
    editions: few(text, 1),
    volumeTitles: few(text, 1),
    originalLanguages: few(one("jpn", "x"), 1),
    formats: few(fc.oneof(text, one({ value: "application/pdf" })), 2),
    sizes: few(fc.oneof(text, one({ value: "11 pages" })), 2),
    holdingAgent: optional(fc.record({ ids: few(ident, 1), names: few(text, 1) })),
    datasetSeries: optional(fc.boolean()),
    references: few(fc.record({ text: WORDS, ident: optional(ident) }).map(bare)),
  })
  // fast-check's records of optional members are wider than the model's, which bare() made true.
  .map((metadata) => ({ ...EMPTY_METADATA, ...bare(metadata) }) as unknown as Metadata);

const file: Arbitrary<ExportedFile> = fc.record({
  name: one("data.csv", "図 1/写真.png", 'a"b<c>&.pdf', "-- .txt", "x".repeat(200)),
  url: one("https://repo.example.org/records/7/files/data.csv", "https://repo.example.org/records/7/files/%E5%9B%B3"),
  mediaType: one(
    "text/csv",
    "image/png",
    "application/pdf",
    "text/plain; charset=utf-8",
    "application/x-無",
    "nonsense",
    "",
  ),
  sizeBytes: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  md5: one("d916d650dc8471cfccb92c807cdc5f98", null),
  sha256: one("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", null),
  access: one("open", "date", "login", "closed") as Arbitrary<ExportedFile["access"]>,
  isPublic: fc.boolean(),
});

export const RECORD: ExportedRecord = {
  id: 7,
  parentId: 5,
  versionIndex: 1,
  isLatest: true,
  metadata: EMPTY_METADATA,
  access: { record: "public", openDate: "2024-01-01", files: "public", embargoUntil: null, embargoReason: "" },
  status: "open",
  opensOn: null,
  files: [],
  filesEnabled: false,
  landingPage: "https://repo.example.org/records/7",
  parentPage: "https://repo.example.org/records/5",
  ark: "ark:99999/b1x7",
  arkUrl: "https://ark.example.org/ark:99999/b1x7",
  oai: "oai:repo.example.org:00000007",
  repositoryName: "Example Repository",
  baseUrl: "https://repo.example.org",
  createdAt: "2024-01-01T00:00:00.000Z",
  updatedAt: "2024-05-06T07:08:09.000Z",
  publishedAt: "2024-01-02T00:00:00.000Z",
  replaces: null,
  isReplacedBy: null,
  communities: [],
};

/** Facts of the record around its metadata. */
const recordOf = (metadata: Arbitrary<Metadata>): Arbitrary<ExportedRecord> =>
  fc
    .record({
      metadata,
      status: one("embargoed", "restricted", "metadata-only", "open") as Arbitrary<ExportedRecord["status"]>,
      opensOn: one(null, "2131-01-01"),
      files: few(file),
      filesEnabled: fc.boolean(),
      ark: fc.boolean(),
      oai: one("oai:repo.example.org:00000007", null),
      repositoryName: fc.oneof(one("Example Repository", ""), WORDS),
      publishedAt: one("2024-01-02T00:00:00.000Z", null),
      replaces: one("https://repo.example.org/records/6", null),
      isReplacedBy: one("https://repo.example.org/records/8", null),
      communities: few(fc.record({ slug: one("blr", "data-team"), title: WORDS }), 2),
      versionIndex: one(1, 2),
      isLatest: fc.boolean(),
    })
    .map(({ ark, ...facts }) => ({
      ...RECORD,
      ...facts,
      access: { ...RECORD.access, embargoUntil: facts.opensOn },
      ...(ark ? {} : { ark: null, arkUrl: null }),
    }));

/** Records of all kinds, the rich ones most often. */
const arbitraryRecord: Arbitrary<ExportedRecord> = recordOf(
  fc.oneof(
    { weight: 6, arbitrary: richMetadata },
    { weight: 2, arbitrary: anyMetadata },
    { weight: 1, arbitrary: jpcoarMetadata },
    { weight: 1, arbitrary: arbitraryMetadata },
  ),
);

/** This many records, the same ones in every run. */
export const sampleRecords = (count: number, seed = 20_241_122): readonly ExportedRecord[] =>
  fc.sample(arbitraryRecord, { numRuns: count, seed });
