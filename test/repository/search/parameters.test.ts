// Parameters of item search (specification 3, "Query parameters" and rules 2 to 9; R10, R27, R28): what each finds
// among documents made of items.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Agent, EMPTY_METADATA, type Metadata, type Text } from "../../../src/model/metadata/metadata.ts";
import { documentMaker } from "../../../src/repository/search/document/item-document.ts";
import type { Condition } from "../../../src/repository/search/index/index-port.ts";
import {
  chosenOf,
  orderOf,
  pageOf,
  parametersOf,
  type SearchApi,
  sortOf,
  whereOf,
} from "../../../src/repository/search/query/parameters.ts";
import { rankingOf } from "../../../src/repository/search/query/ranking.ts";
import { searchSchema } from "../../../src/repository/search/settings/search-schema.ts";
import type { SearchSettings } from "../../../src/repository/search/settings/settings.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../../src/repository/search/settings/shipped-settings.ts";
import { ARTICLE, agentOf } from "../../support/cited-items.ts";
import { answerOf, isTrueOf } from "../../support/naive-index.ts";
import { aContent, aFile } from "../../support/world/items.ts";

const NOW = "2026-11-20T10:00:00.000Z";
const SETTINGS: SearchSettings = {
  ...SHIPPED_SEARCH_SETTINGS,
  fields: {
    text1: ["conferences.names.value"],
    integer_range1: ["containers.volume"],
    float_range1: ["sizes.value"],
    date_range1: ["dates[type=Submitted].date"],
  },
};
const THESIS: Metadata = {
  ...EMPTY_METADATA,
  type: { id: "publication-thesis", label: "doctoral thesis" },
  titles: [
    { value: "古文書データベースの構築", lang: "ja", kind: "main" },
    { value: "Old documents", lang: "en", kind: "alternative" },
  ],
  creators: [
    agentOf({
      authorId: 77,
      names: [{ family: "山田", given: "花子", lang: "ja" }],
      ids: [{ scheme: "ORCID", value: "0000-0001-5109-3700" }],
    }),
  ],
  contributors: [agentOf({ kind: "organizational", names: [{ full: "National Archive" }], role: "Distributor" })],
  rights: [{ text: [{ value: "In copyright" }], uri: "https://rightsstatements.org/vocab/InC/1.0/" }],
  subjects: [
    { text: { value: "歴史" }, scheme: "NDLSH" },
    { text: { value: "歴史" }, scheme: "Local" },
    { text: { value: "210.1" }, scheme: "NDC" },
  ],
  descriptions: [{ value: "Letters of the Edo period", kind: "Abstract", html: false }],
  dates: [
    { date: "2019-03", type: "Issued" },
    { date: "2018-12-24", type: "Submitted" },
  ],
  languages: ["jpn", "tha"],
  versionType: { label: "AM" },
  relations: [{ type: "isVersionOf", ident: { scheme: "DOI", value: "10.5555/thesis" }, titles: [] }],
  temporals: [{ value: "江戸時代" }],
  locations: [{ places: [{ value: "京都" }], ids: [] }],
  containers: [
    {
      titles: [{ value: "Bulletin of History" }],
      ids: [{ scheme: "NCID", value: "AN00123456" }],
      volume: "7",
      place: "flat",
    },
  ],
  degree: {
    ...{ number: "甲第12号", names: [{ value: "博士（文学）" }], granted: "2019-03-25" },
    grantors: [{ names: [{ value: "Kyoto University" }], ids: [] }],
  },
  conferences: [{ names: [{ value: "Digital Humanities" }], sponsors: [], venues: [], places: [] }],
  sizes: [{ value: "12.5" }],
};

const agentNamed = (name: string, more: Partial<Agent> = {}): Agent =>
  agentOf({ alternatives: [{ value: `${name}alternative` }], ...more });
const inTwo = (one: string, other: string): readonly Text[] => [
  { value: one, lang: "en" },
  { value: other, lang: "ja" },
];
/** Several of everything, and each word in one place alone. */
const SEVERAL: Metadata = {
  ...EMPTY_METADATA,
  titles: [
    { value: "titleone", lang: "en", kind: "main" },
    { value: "titletwo", lang: "ja", kind: "alternative" },
  ],
  creators: [
    agentNamed("makerone", { names: [{ full: "makerone" }, { family: "makertwo", given: "makerthree" }] }),
    agentNamed("makerfour", {
      names: [{ full: "makerfour" }],
      ids: [
        { scheme: "ORCID", value: "0000-0000-0000-0001" },
        { scheme: "ISNI", value: "0000-0000-0000-0002" },
      ],
    }),
  ],
  contributors: [
    agentNamed("helperone", { names: [{ full: "helperone" }, { full: "helpertwo" }] }),
    agentNamed("helperthree", { names: [{ full: "helperthree" }] }),
  ],
  subjects: [
    { text: { value: "subjectone" }, scheme: "NDC" },
    { text: { value: "subjecttwo" }, scheme: "BSH" },
  ],
  descriptions: [
    { value: "<strong>wordsone</strong>", kind: "Abstract", html: true },
    { value: "wordstwo <wordsthree>", kind: "Other", html: false },
  ],
  publishers: [{ names: inTwo("pressone", "presstwo") }, { names: inTwo("pressthree", "pressfour") }],
  temporals: inTwo("periodone", "periodtwo"),
  locations: [
    { places: inTwo("placeone", "placetwo"), ids: [] },
    { places: inTwo("placethree", "placefour"), ids: [] },
  ],
  containers: [
    { titles: inTwo("journalone", "journaltwo"), ids: [], place: "flat" },
    { titles: inTwo("journalthree", "journalfour"), ids: [], place: "grouped" },
  ],
  degree: {
    ...{ number: "numberone", names: inTwo("degreeone", "degreetwo") },
    grantors: [
      { names: inTwo("grantorone", "grantortwo"), ids: [] },
      { names: inTwo("grantorthree", "grantorfour"), ids: [] },
    ],
  },
};
/** By parameter, every word that finds the item: all other words of this table do not. */
const FINDS: Readonly<Record<string, readonly string[]>> = {
  title: ["titleone", "titletwo"],
  creator: ["makerone", "makertwo", "makerthree", "makerfour", "makeronealternative", "makerfouralternative"],
  des: ["wordsone", "wordstwo", "wordsthree"],
  publisher: ["pressone", "presstwo", "pressthree", "pressfour"],
  cname: ["helperone", "helpertwo", "helperthree", "helperonealternative", "helperthreealternative"],
  srctitle: ["journalone", "journaltwo", "journalthree", "journalfour"],
  degreename: ["degreeone", "degreetwo"],
  dgname: ["grantorone", "grantortwo", "grantorthree", "grantorfour"],
  spatial: ["placeone", "placetwo", "placethree", "placefour"],
  temporal: ["periodone", "periodtwo"],
  dissno: ["numberone"],
  mimetype: ["text/one", "text/two", "text/three"],
  wid: ["0000-0000-0000-0001", "0000-0000-0000-0002"],
};

const make = documentMaker(SETTINGS);
function documentOf(
  id: number,
  metadata: Metadata,
  index: number,
  mediaTypes: readonly string[] = ["application/pdf"],
) {
  const files = mediaTypes.map((mediaType, at) => aFile(`${at}.pdf`, { mediaType }));
  const content = { ...aContent({ metadata }), files };
  const lineage = [
    { id: index, parent: 5 },
    { id: 5, parent: 0 },
  ].map((node) => ({
    ...{
      ...node,
      publicState: true,
      publicDate: null,
      browsingRole: [-99],
      browsingGroup: [],
      owner: 1,
      deleted: false,
    },
  }));
  const item = {
    ...{ id, parentId: id + 100, versionIndex: 1, state: "published" as const, revision: 1, content, ark: null },
    ...{
      isLatest: true,
      createdAt: NOW,
      updatedAt: NOW,
      publishedAt: NOW,
      depositedBy: null,
      depositedOnBehalfOf: null,
    },
  };
  const ties = { shared: [], communities: [], defaultCommunity: null, review: null };
  const parent = { id: id + 100, owner: 1, ...ties, latest: id };
  const document = make(
    { item, parent, content, lineages: [lineage as never], itemType: null, fileTexts: new Map() },
    "2026-11-20",
  );
  if (document === null) throw new RangeError("No document");
  return document;
}

const ARTICLE_ID = 1;
const THESIS_ID = 2;
const DOCUMENTS = [documentOf(ARTICLE_ID, ARTICLE, 10), documentOf(THESIS_ID, THESIS, 20)];

/** Of three files, in an order without meaning. */
const OF_SEVERAL = documentOf(3, SEVERAL, 30, FINDS.mimetype);

function found(query: string, api: SearchApi = "records", documents = DOCUMENTS): readonly number[] {
  const parameters = parametersOf(query);
  const [where, chosen] = [whereOf(parameters, SETTINGS, api), chosenOf(parameters, SETTINGS)];
  return documents
    .filter((each) => isTrueOf(where, each) && (chosen === null || isTrueOf(chosen, each)))
    .map(({ id }) => id);
}
const query = (parameters: Readonly<Record<string, string>>): string => new URLSearchParams(parameters).toString();

const BOTH = [ARTICLE_ID, THESIS_ID];
const [FIRST, SECOND] = [[ARTICLE_ID], [THESIS_ID]];
const NONE: readonly number[] = [];

/** Which of both documents each query finds; a query is written plain: `title=Old documents&exact_title_match=true`. */
const finds = (cases: Readonly<Record<string, readonly number[]>>): void => {
  const encoded = (plain: string) => query(Object.fromEntries(plain.split("&").map((each) => each.split("="))));
  expect(Object.keys(cases).map((plain) => [plain, found(encoded(plain))])).toEqual(Object.entries(cases));
};

describe("what each parameter finds", () => {
  // Words of identifiers are searched for in `creator`, and exactly in `wid`.
  const both = (parameter: string): readonly string[] =>
    parameter === "creator" ? [...(FINDS.creator ?? []), ...(FINDS.wid ?? [])] : (FINDS[parameter] ?? []);

  test.each(Object.keys(FINDS))(
    "S3.1.12 S3.1.13 S3.1.15 S3.1.16 S3.1.17 S3.1.18 S3.1.20 S3.1.22 S3.1.25 S3.1.28 S3.1.29 S3.1.30 S3.1.31 %s: every value in every language, and nothing of other fields",
    (parameter) => {
      const all = Object.values(FINDS).flat();
      const hits = all.filter((word) => found(query({ [parameter]: word }), "records", [OF_SEVERAL]).length > 0);
      expect(hits).toEqual(all.filter((word) => both(parameter).includes(word)));
      expect(found(query({ [parameter]: both(parameter)[0] ?? "" }))).toEqual(NONE);
    },
  );

  test("S3.1.16 S3.1.10 names of elements of markup are not among the words of a description", () => {
    expect(found(query({ des: "strong" }), "records", [OF_SEVERAL])).toEqual(NONE);
    expect(found(query({ q: "strong" }), "records", [OF_SEVERAL])).toEqual(NONE);
  });

  test("R27 of a field of keys the first 1,000 values are found", () => {
    const temporals = Array.from({ length: 1_001 }, (_, at) => ({ value: `period ${at}` }));
    const long = documentOf(4, { ...EMPTY_METADATA, temporals }, 40);
    expect([0, 999, 1_000].map((at) => found(query({ temporal: `period ${at}` }), "records", [long]).length)).toEqual([
      1, 1, 0,
    ]);
  });

  test.each(["q", "q&search_type=1"])("S3.1.10 %s: every word of the metadata, in whatever field", (name) => {
    const [parameter = "", more = ""] = name.split("&");
    const words = Object.entries(FINDS).flatMap(([of, each]) => (of === "mimetype" ? [] : each));
    const hits = words.filter(
      (word) => found(`${query({ [parameter]: word })}&${more}`, "records", [OF_SEVERAL]).length > 0,
    );
    expect(hits).toEqual(words);
    expect(found(query({ q: "titleone elsewhere" }), "records", [OF_SEVERAL])).toEqual(NONE);
  });

  test("S3.1.10 q: words of all metadata", () => {
    finds({
      "q=cyber infrastructure": FIRST,
      "q=古文書 Edo": SECOND,
      "q=cyber OR 古文書": BOTH,
      "q=infrastru": NONE,
    });
  });

  test("S3.1.11 search_type: 1 looks into metadata alone, everything else into files too", () => {
    finds({ "q=cyber&search_type=1": FIRST, "q=cyber&search_type=7": FIRST });
  });

  test("S3.1.12 title: words of titles of every kind", () => {
    finds({ "title=research cyber": FIRST, "title=情報": FIRST, "title=edo": NONE });
  });

  test("S3.1.3 exact_title_match: the whole of a title or alternative title", () => {
    finds({
      "title=Old documents&exact_title_match=true": SECOND,
      "title=古文書データベースの構築&exact_title_match=TRUE": SECOND,
      "title=Old&exact_title_match=true": NONE,
      "title=old documents&exact_title_match=true": NONE,
      "title=Old OR documents&exact_title_match=true": NONE,
      "title=old&exact_title_match=false": SECOND,
    });
  });

  test("S3.1.13 creator: names and identifiers", () => {
    finds({ "creator=adachi": FIRST, "creator=山田花子": SECOND, "creator=0000-0001-5109-3700": SECOND });
  });

  test("S3.1.14 subject with sbjscheme: exactly, under one of the schemes", () => {
    finds({
      "subject=歴史&sbjscheme=7": SECOND,
      "subject=歴史&sbjscheme=NDLSH": SECOND,
      "subject=歴史&sbjscheme=NDC,ndlsh": SECOND,
      "subject=歴史&sbjscheme=NDC": NONE,
      "subject=歴史&sbjscheme=Other": SECOND,
      "subject=歴&sbjscheme=7": NONE,
    });
  });

  test("S3.1.15 spatial: exactly", () => {
    finds({ "spatial=京都": SECOND, "spatial=京": NONE });
  });

  test("S3.1.16 des: words of descriptions", () => {
    finds({ "des=letters period": SECOND, "des=abstract": FIRST });
  });

  test("S3.1.17 publisher: words", () => {
    finds({ "publisher=press": FIRST });
  });

  test("S3.1.18 cname: words of contributors", () => {
    finds({ "cname=national archive": SECOND });
  });

  test("S3.1.19 fd_attr with filedate_from and filedate_to", () => {
    finds({
      "fd_attr=Issued&filedate_from=20190301&filedate_to=20190331": SECOND,
      "fd_attr=Issued,Submitted&filedate_from=2018&filedate_to=2018": SECOND,
      "fd_attr=Created&filedate_from=2018&filedate_to=2019": NONE,
      "fd_attr=0&filedate_from=1000&filedate_to=9999": NONE,
    });
  });

  test("S3.1.20 mimetype: exactly", () => {
    finds({ "mimetype=application/pdf": BOTH, "mimetype=application": NONE });
  });

  test("S3.1.21 id with id_attr: words of identifiers of the kinds", () => {
    finds({
      "id=10.5555/thesis&id_attr=doi": SECOND,
      "id=10.5555/thesis&id_attr=ISBN,DOI": SECOND,
      "id=AN00123456&id_attr=NCID": SECOND,
      "id=10.15017&id_attr=URI": FIRST,
      "id=10.5555/thesis&id_attr=ISBN": NONE,
    });
  });

  test("S3.1.22 srctitle: words", () => {
    finds({ "srctitle=history OR journal": BOTH });
  });

  test("S3.1.23 type: a place in the list or a label", () => {
    finds({ "type=4": FIRST, "type=journal article,37": BOTH, "type=Doctoral Thesis": SECOND });
  });

  test("S3.1.24 lang: codes, and other for the rest", () => {
    finds({ "lang=jpn": SECOND, "lang=other": SECOND, "lang=eng,fra": FIRST });
  });

  test("S3.1.25 temporal: exactly", () => {
    finds({ "temporal=江戸時代": SECOND });
  });

  test("S3.1.26 dategranted_from and _to", () => {
    finds({
      "dategranted_from=20190325&dategranted_to=20190325": SECOND,
      "dategranted_from=2019-03&dategranted_to=2019-03": SECOND,
      "dategranted_from=2020&dategranted_to=2021": NONE,
    });
  });

  test("S3.1.27 version: words that mean version types", () => {
    finds({ "version=accepted": SECOND, "version=published": NONE });
  });

  test("S3.1.28 dissno: exactly", () => {
    finds({ "dissno=甲第12号": SECOND });
  });

  test("S3.1.29 degreename: words", () => {
    finds({ "degreename=文学": SECOND });
  });

  test("S3.1.30 dgname: words", () => {
    finds({ "dgname=kyoto": SECOND });
  });

  test("S3.1.31 wid: an identifier of a creator", () => {
    finds({ "wid=0000-0002-1825-0097": FIRST, "wid=2": NONE });
  });

  test("S3.1.32 iid: an index and all below it", () => {
    finds({ "iid=10": FIRST, "iid=5": BOTH, "iid=none": NONE });
  });

  test("S3.1.33 license: choices of the list", () => {
    finds({ "license=license_0": FIRST, "license=license_0,license_free": BOTH });
  });

  test("R40 author: items linked to a person of the author database", () => {
    finds({ "author=77": SECOND, "author=7": NONE, "author=山田": NONE });
  });

  test("S3.1.34 text1 to text10: words of assigned fields", () => {
    finds({ "text1=humanities": SECOND });
  });

  test("S3.1.35 integer_range1 to 5", () => {
    finds({
      "integer_range1_from=10&integer_range1_to=12": FIRST,
      "integer_range1_from=-5&integer_range1_to=7": SECOND,
    });
  });

  test("S3.1.36 float_range1 to 5", () => {
    finds({ "float_range1_from=12.4&float_range1_to=1.26e1": SECOND });
  });

  test("S3.1.37 date_range1 to 5", () => {
    finds({ "date_range1_from=20181224&date_range1_to=20181224": SECOND });
  });
});

describe("what is left out, and what is combined", () => {
  test.each([
    { type: "47" },
    { type: "no such type" },
    { lang: "xxx" },
    { version: "AM" },
    { license: "," },
    { fd_attr: "Yesterday", filedate_from: "20190101", filedate_to: "20191231" },
    { subject: "歴史", sbjscheme: "99" },
  ])("S3.1.4 an unusable value of a list is ignored: %j", (parameters) => {
    expect(found(query(parameters))).toEqual(BOTH);
  });

  test("S3.1.4 usable values next to unusable ones count", () => {
    expect(found(query({ type: "47,zzz,37" }))).toEqual(SECOND);
  });

  test.each([
    { subject: "歴史" },
    { sbjscheme: "NDLSH" },
    { fd_attr: "Created" },
    { fd_attr: "Issued", filedate_from: "20990101" },
    { filedate_from: "20990101", filedate_to: "20991231" },
    { id: "nothing like it" },
    { id_attr: "ISBN" },
    { dategranted_from: "20990101" },
    { dategranted_to: "19000101" },
    { dategranted_from: "2099-13-01", dategranted_to: "2099-12-31" },
    { integer_range1_from: "99" },
    { integer_range1_from: "99", integer_range1_to: "x" },
    { integer_range1_from: "1.5", integer_range1_to: "1.5" },
    { float_range1_to: "-1" },
    { float_range1_from: "NaN", float_range1_to: "Infinity" },
    { date_range1_from: "20990101" },
    { text2: "nothing is assigned" },
    { integer_range2_from: "1", integer_range2_to: "1" },
    { date_range5_from: "20990101", date_range5_to: "20990101" },
  ])("S3.1.5 a set that is not complete, or has no field, is not used: %j", (parameters) => {
    expect(found(query(parameters))).toEqual(BOTH);
  });

  test("S3.1.6 several fields are AND, several values of a choice are OR, a field repeated is AND", () => {
    expect(found(query({ title: "old", creator: "山田" }))).toEqual(SECOND);
    expect(found(query({ title: "old", creator: "adachi" }))).toEqual(NONE);
    expect(found("type=4&type=37")).toEqual(BOTH);
    expect(found("title=old&title=documents")).toEqual(SECOND);
    expect(found("title=old&title=cyber")).toEqual(NONE);
  });

  test("S3.1.8 a facet is compared exactly; repeated it is OR, several are AND, and AND with fields", () => {
    expect(found(query({ Subject: "歴史" }))).toEqual(SECOND);
    expect(found(query({ Subject: "歴" }))).toEqual(NONE);
    expect(found(query({ Subject: "Data Mining" }))).toEqual(NONE);
    expect(found("Subject=data+mining&Subject=%E6%AD%B4%E5%8F%B2")).toEqual(BOTH);
    expect(found(`${query({ Subject: "歴史" })}&${query({ Language: "jpn", Creator: "山田 花子" })}`)).toEqual(SECOND);
    expect(found(query({ Subject: "歴史", Language: "eng" }))).toEqual(NONE);
    expect(found(query({ Subject: "歴史", title: "cyber" }))).toEqual(NONE);
    expect(found(query({ topic: "no facet of this name" }))).toEqual(BOTH);
  });

  test("S3.1.8 R28 a facet of years is chosen by its ends, too; what is not a year counts as not sent", () => {
    expect(found("Year_from=1900&Year_to=2100")).toEqual(BOTH);
    expect(found("Year_from=1800&Year_to=1801")).toEqual(NONE);
    expect(found("Year_from=2100&Year_to=1900")).toEqual(NONE);
    expect(found("Year_from=x&Year_to=-1")).toEqual(BOTH);
    expect(found("Year_to=1801")).toEqual(NONE);
    expect(found("Subject_from=1800&Subject_to=1801")).toEqual(BOTH);
  });

  test("S3.4.7 wid is the number of an item in OpenSearch, Iid and iid an index, keyword is words", () => {
    expect(found("wid=2", "opensearch")).toEqual(SECOND);
    expect(found("wid=102", "opensearch")).toEqual(SECOND);
    expect(found("wid=x", "opensearch")).toEqual(NONE);
    expect(found("Iid=20", "opensearch")).toEqual(SECOND);
    expect(found("iid=20", "opensearch")).toEqual(SECOND);
    expect(found("keyword=cyber", "opensearch")).toEqual(FIRST);
    expect(found("q=cyber&des=letters", "opensearch")).toEqual(NONE);
  });
});

describe("sorts and pages", () => {
  test("S3.1.7 sort keys in their order, descending behind a hyphen; unknown ones are left out", () => {
    expect(sortOf(parametersOf("sort=-pyear,wtl,custom_sort,relevance,-wtl,constructor"))).toEqual([
      { field: "sortpublished", descending: true },
      { field: "sorttitle", descending: false },
    ]);
    const keys = "controlnumber,wtl,creator,upd,createdate,pyear,publish_date,itemType,temporal";
    const sorts = sortOf(parametersOf(`sort=${keys}`)).map(({ field }) => field);
    const known = ["id", ...searchSchema(SETTINGS).sorts.map(({ name }) => name)];
    expect([sorts.length, sorts.filter((field) => !known.includes(field))]).toEqual([9, []]);
    expect(sortOf(parametersOf(""))).toEqual([]);
  });

  test("S3.1.7 relevance, up or down, ranks by the words of q where it is the first key alone", () => {
    const rank = (sort: string, q = "old documents") => orderOf(parametersOf(query({ q, sort })), "on request").ranking;
    for (const sort of ["relevance", "-relevance", " relevance ,wtl"])
      expect([sort, rank(sort)]).toEqual([sort, rankingOf(["old", "documents"])]);
    for (const sort of ["wtl,relevance", "wtl", "", "--relevance"])
      expect([sort, rank(sort)]).toEqual([sort, undefined]);
    expect(rank("relevance", "")).toBeUndefined();
  });

  test("S3.1.7 R10 page and size, or a cursor; page wins; what is not a number is as if it was not sent", () => {
    expect(pageOf(parametersOf(""), 20)).toEqual({ number: 1, size: 20 });
    expect(pageOf(parametersOf("page=3&size=7&cursor=x"), 20)).toEqual({ number: 3, size: 7 });
    expect(pageOf(parametersOf("cursor=x&size=7"), 20)).toEqual({ cursor: "x", size: 7 });
    expect(pageOf(parametersOf("page=abc&size=-1"), 20)).toEqual({ number: 1, size: 20 });
    expect(pageOf(parametersOf("page=0&size=0&cursor=12"), 20)).toEqual({ cursor: "12", size: 20 });
  });

  test("S3.1.9 R10 a window above the limit is refused, with a cursor a size above it", () => {
    const words = "Maximum number of results have been reached.";
    for (const window of [
      "size=10001",
      "size=10001&cursor=x",
      "page=2&size=5001",
      "page=501",
      `page=${"9".repeat(400)}`,
    ]) {
      expect(() => pageOf(parametersOf(window), 20)).toThrow(words);
    }
    for (const window of ["size=10000", "page=2&size=5000", "page=500", "size=10000&cursor=x"]) {
      expect(pageOf(parametersOf(window), 20)).toBeDefined();
    }
  });
});

/** A text of Chinese characters, no two alike. */
const HAN = String.fromCodePoint(...Array.from({ length: 600 }, (_, at) => 0x4e00 + at));

describe("limits and odd values", () => {
  test("R27 a text, parts and parameters beyond their limits are refused with the figure", () => {
    const refused = (sent: string, words: string) =>
      expect(() => {
        const parameters = parametersOf(sent);
        chosenOf(parameters, SETTINGS);
        whereOf(parameters, SETTINGS);
      }).toThrow(words);
    refused(query({ q: "a".repeat(1_001) }), "q may have 1000 characters at most");
    const mediaTypes = (count: number) => Array.from({ length: count }, () => "mimetype=x").join("&");
    const choices = (count: number) => `Subject=${Array.from({ length: count }, (_, at) => at).join("&Subject=")}`;
    expect(() => whereOf(parametersOf(mediaTypes(500)), SETTINGS)).not.toThrow();
    expect(() => chosenOf(parametersOf(choices(500)), SETTINGS)).not.toThrow();
    refused(query({ q: HAN, title: HAN }), "1000 words and values at most");
    const pairs = (count: number) => Array.from({ length: count }, () => "title=ab+cd").join("&");
    expect(() => whereOf(parametersOf(`${pairs(498)}&title=a+b+c+d`), SETTINGS)).not.toThrow();
    refused(`${pairs(498)}&title=a+b+c+d+e`, "1000 words and values at most");
    // Of a list between commas, as many values are read as a search may compare.
    const types = (unknown: number) => query({ type: `${"zzz,".repeat(unknown)}37` });
    expect([999, 1_000].map((unknown) => found(types(unknown)))).toEqual([SECOND, BOTH]);
    refused(Array.from({ length: 450 }, () => `creator=${"a+b+c"}`).join("&"), "1000 words and values at most");
    refused("a&".repeat(600), "500 parameters at most");
    refused(Array.from({ length: 10_000 }, (_, at) => `Subject=${at}`).join("&"), "500 parameters at most");
  });

  test("R27 property: whatever is sent is a condition that fields of the index answer, or a refusal; never a fault", () => {
    const schema = searchSchema(SETTINGS);
    const fields = new Set([...schema.texts, ...schema.keys, ...schema.numbers]);
    const named = (condition: Condition): readonly string[] =>
      condition.kind === "and" || condition.kind === "or"
        ? condition.of.flatMap(named)
        : condition.kind === "not"
          ? named(condition.of)
          : "field" in condition
            ? [condition.field]
            : [];
    const name = fc.constantFrom(
      "q",
      "title",
      "type",
      "subject",
      "sbjscheme",
      "filedate_from",
      "filedate_to",
      "fd_attr",
      "Subject",
      "size",
      "page",
      "sort",
      "iid",
      "wid",
      "float_range1_from",
      "float_range1_to",
      "id",
      "id_attr",
      "__proto__",
    );
    const odd = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.constantFrom(
        "'; drop table item; --",
        '"unclosed',
        "title:*",
        "NEAR(a b, 3)",
        "{!lucene}",
        "a* OR b*",
        "\u0000",
        "\ud800",
        "-1",
        "1e999",
        "%",
        "(((",
        "&&title:=x",
        "[1..9]",
        "`x`",
        ",",
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, odd), { maxLength: 12 }), (pairs) => {
        const parameters = parametersOf(new URLSearchParams(pairs.map(([key, value]) => [key, value])).toString());
        const [where, chosen] = [whereOf(parameters, SETTINGS), chosenOf(parameters, SETTINGS)];
        for (const condition of chosen === null ? [where] : [where, chosen]) {
          expect(named(condition).filter((field) => !fields.has(field))).toEqual([]);
        }
        const asked = { where, chosen, sort: sortOf(parameters), after: null, offset: 0, limit: 20, facets: [] };
        expect(answerOf(DOCUMENTS, asked).total).toBeLessThanOrEqual(2);
      }),
      { numRuns: 1_000 },
    );
  });
});
