// DCAT-AP 3 in RDF/XML (R38): whatever a record holds, it is RDF that the profile's shapes find nothing wrong with; and
// where writers go wrong.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import process from "node:process";
import { writeDcat } from "../../../src/formats/dcat/write.ts";
import type { ExportedRecord } from "../../../src/formats/exported-record.ts";
import { type Agent, EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { agentOf } from "../../support/cited-items.ts";
import { exportVector } from "../../support/export-judges.ts";
import { RECORD, sampleRecords } from "../../support/exported-records.ts";
import { dcatJudge, readRdf } from "../../support/rdf-judge.ts";

const COUNT = process.env.ARKSTONE_SLOW === "1" ? 2_000 : 300;
const DCT = "http://purl.org/dc/terms/";
const DCAT = "http://www.w3.org/ns/dcat#";
const TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

const written = (metadata: Partial<Metadata>, more: Partial<ExportedRecord> = {}) =>
  writeDcat({ ...RECORD, ...more, metadata: { ...EMPTY_METADATA, ...metadata } });

/** Values of a property, typed ones with the last part of their type. */
async function valuesOf(text: string, property: string): Promise<readonly string[]> {
  const store = await readRdf(text);
  return store.getQuads(null, property, null, null).map(({ object }) => {
    if (object.termType !== "Literal") return object.value;
    const type = object.datatype.value.split("#")[1] ?? "";
    return type === "string" || type === "langString" ? object.value : `${object.value}^^${type}`;
  });
}

const namedAgent = (kind: Agent["kind"], name: Agent["names"][number], more: Partial<Agent> = {}): Agent =>
  agentOf({ kind, names: [name], emails: ["a@example.org"], ...more });
const named = (...values: string[]) => ({ names: values.map((value) => ({ value })), ids: [] });
/** A record with several values of everything, some of them empty. */
const MANY: Partial<Metadata> = {
  type: { id: "image-photo" },
  titles: [
    { value: "Alt", kind: "alternative" },
    { value: "Main", kind: "main", lang: "en" },
    { value: "訳", kind: "translated", lang: "ja" },
  ],
  creators: [
    namedAgent(
      "organizational",
      { full: "Acme" },
      {
        ids: [
          { scheme: "ror", value: "00k4n6c32" },
          { scheme: "ISNI", value: "0000000121032683" },
        ],
      },
    ),
    namedAgent(
      "personal",
      { family: "Doe", given: "Ann", lang: "en" },
      {
        alternatives: [{ value: "A. D." }, { value: "Annie" }],
        affiliations: [named("CERN", "欧州"), { names: [], ids: [{ scheme: "ror", value: "04ksd4g47" }] }, named()],
      },
    ),
    namedAgent(null, {}),
  ],
  contributors: [
    namedAgent("personal", { full: "Roe, Bo" }, { role: "DataCollector" }),
    namedAgent(null, { full: "Lab" }, { role: "editor" }),
    namedAgent("personal", { full: "None" }),
  ],
  rightsHolders: [namedAgent("organizational", { full: "H1" }), namedAgent("personal", { full: "H2" })],
  publishers: [named(""), named("", "Press"), named("Other press")],
  descriptions: [
    { value: "How", kind: "Methods", html: false },
    { value: "<p>What</p>", kind: "Abstract", html: true },
    { value: "1. One", kind: "TableOfContents", html: false },
    { value: "More", kind: "Other", lang: "en", html: false },
  ],
  languages: ["eng", "jpn", "eng", "x"],
  subjects: [
    { text: { value: "one" } },
    { text: { value: "two" }, scheme: "NDC", uri: "https://a.example.org/2" },
    { text: { value: "three" }, id: "https://a.example.org/3" },
  ],
  identifiers: [
    { scheme: "doi", value: "10.1234/abc" },
    { scheme: "isbn", value: "978-3-16-148410-0" },
    { scheme: "url", value: "https://a.example.org/x" },
  ],
  relations: [
    { type: "Cites", ident: { scheme: "doi", value: "10.1234/y" }, titles: [] },
    { type: "isPartOf", ident: { scheme: "url", value: "https://a.example.org/p" }, titles: [] },
    { type: "nonsense", ident: { scheme: "url", value: "https://a.example.org/q" }, titles: [] },
    { type: "Cites", titles: [{ value: "T" }] },
  ],
  references: [{ text: "A text" }, { text: "B", ident: { scheme: "doi", value: "10.1234/z" } }],
  containers: [
    {
      titles: [{ value: "J1" }, { value: "誌" }],
      ids: [
        { scheme: "ISSN", value: "0028-0836" },
        { scheme: "NCID", value: "AN1" },
      ],
      volume: "1",
      place: "flat",
    },
    { titles: [], ids: [], place: "flat" },
    { titles: [{ value: "J2" }], ids: [], place: "flat" },
  ],
  versionLabel: "2.0",
  funding: [
    {
      funder: { names: [{ value: "F1" }], ids: [{ scheme: "ror", value: "00k4n6c32" }] },
      stream: { names: [{ value: "S" }], ids: [] },
      award: { number: "12", titles: [{ value: "Award" }, { value: "賞" }], uri: "https://a.example.org/12" },
    },
    { funder: named("F2") },
    { funder: named(), award: { titles: [{ value: "Only" }] } },
  ],
  temporals: [{ value: "2019/2020" }, { value: "昭和" }],
  sizes: [{ value: "3 pages" }, { value: "2 MB" }],
  formats: [{ value: "text/plain" }, { value: "paper" }],
  dates: [
    { date: "2019", type: "Created" },
    { date: "2018-01", type: "Accepted" },
    { date: "2017", type: "Collected" },
    { date: "2016/2017", type: "Valid" },
    { date: "2015", type: "Other" },
    { date: "spring", type: "Valid" },
    { date: "2014", type: "Updated" },
  ],
  rights: [{ text: [] }, { id: "cc-by-4.0", text: [] }, { text: [{ value: "Own" }], uri: "https://a.example.org/t" }],
  copyright: "(c)",
  publicationDate: "/2020-09",
  locations: [
    { box: { west: "1", east: "2", south: "3", north: "4" }, places: [{ value: "Here" }], ids: [] },
    { point: { longitude: "5", latitude: "6" }, places: [], ids: [] },
  ],
};
const AROUND: Partial<ExportedRecord> = {
  communities: [
    { slug: "a b", title: "A" },
    { slug: "c", title: "C" },
  ],
  replaces: "https://repo.example.org/records/5",
  isReplacedBy: "https://repo.example.org/records/9",
  opensOn: "2030-01-01",
  oai: "oai:repo.example.org:7",
  files: [
    {
      name: "a.txt",
      url: "https://repo.example.org/records/7/files/a.txt",
      mediaType: "Text/Plain; charset=utf-8",
      sizeBytes: 3,
      md5: "00",
      sha256: "ab",
      access: "open",
      isPublic: true,
    },
    {
      name: "b",
      url: "https://repo.example.org/records/7/files/b",
      mediaType: "nonsense",
      sizeBytes: 0,
      md5: "cd",
      sha256: null,
      access: "open",
      isPublic: true,
    },
    {
      name: "c",
      url: "https://repo.example.org/records/7/files/c",
      mediaType: "a/b",
      sizeBytes: 0,
      md5: null,
      sha256: null,
      access: "open",
      isPublic: true,
    },
  ],
};

describe("DCAT-AP 3", () => {
  test("S3.6.190 S3.6.191 a record with several values of everything is written whole, word for word", async () => {
    const { text, leftOut } = written(MANY, AROUND);
    expect(text).toBe(readFileSync(exportVector("dcat-many.rdf"), "utf8"));
    expect(leftOut).toEqual([
      "Publisher: 2 of 3 left out: the format has a place for 1",
      "Of the interval of publication the earlier date is written",
      'The date "spring" has no form that DCAT-AP knows and is left out',
      "Titles of related works, and identifiers without an address, left out",
      "Volume, issue, pages and date of what it appeared in left out",
    ]);
    expect(await dcatJudge()(text)).toEqual([]);
  });

  test(`S3.6.190 R38 the shapes of the profile find nothing wrong with ${COUNT} records of all kinds`, async () => {
    const judge = dcatJudge();
    for (const record of sampleRecords(COUNT)) expect(await judge(writeDcat(record).text)).toEqual([]);
  }, 120_000);

  test("S3.6.190 the judge finds what is wrong", async () => {
    const { text } = written({ titles: [{ value: "A title", kind: "main" }] });
    const judge = dcatJudge();
    expect(await judge(text)).toEqual([]);
    expect(await judge(text.replace(/<dct:title>.*<\/dct:title>/, ""))).toHaveLength(1);
    expect(await judge(text.replace(/<dct:description>.*<\/dct:description>/, ""))).toHaveLength(1);
  });

  test("S3.6.191 every data set has a title and a description, and no related thing is called a data set", async () => {
    const { text, leftOut } = written({
      relations: [
        { type: "iscitedby", ident: { scheme: "doi", value: "10.1234/foo.bar" }, titles: [], resourceType: "dataset" },
      ],
    });
    const store = await readRdf(text);
    expect(store.getQuads(null, TYPE, `${DCAT}Dataset`, null)).toHaveLength(1);
    expect(await valuesOf(text, `${DCT}title`)).toEqual(["(:unav)"]);
    expect(await valuesOf(text, `${DCT}description`)).toEqual(["(:unav)"]);
    expect(await valuesOf(text, `${DCT}isReferencedBy`)).toEqual(["https://doi.org/10.1234/foo.bar"]);
    expect(leftOut).toContain("No description is stated: DCAT-AP requires one, written as the title");
  });

  test("S3.6.191 a size is a number of bytes, a media type is its address at IANA, a checksum is hexadecimal", async () => {
    const { text } = written(
      { rights: [{ id: "cc-by-4.0", text: [] }] },
      {
        files: [
          {
            ...{
              name: "data.csv",
              url: "https://repo.example.org/records/7/files/data.csv",
              mediaType: "text/csv; charset=utf-8",
            },
            ...{ sizeBytes: 9, md5: "d916d650dc8471cfccb92c807cdc5f98", sha256: null, access: "open", isPublic: true },
          },
        ],
      },
    );
    expect(await valuesOf(text, `${DCAT}byteSize`)).toEqual(["9^^nonNegativeInteger"]);
    expect(await valuesOf(text, `${DCAT}mediaType`)).toEqual(["https://www.iana.org/assignments/media-types/text/csv"]);
    expect(await valuesOf(text, `${DCAT}downloadURL`)).toEqual(["https://repo.example.org/records/7/files/data.csv"]);
    expect(await valuesOf(text, `${DCAT}accessURL`)).toEqual(["https://repo.example.org/records/7"]);
    expect(await valuesOf(text, "http://spdx.org/rdf/terms#checksumValue")).toEqual([
      "d916d650dc8471cfccb92c807cdc5f98^^hexBinary",
    ]);
    expect(await valuesOf(text, `${DCT}license`)).toEqual(["https://creativecommons.org/licenses/by/4.0/"]);
  });

  test("S3.6.191 R9a licence and rights are described once, however many files there are", async () => {
    const file = (name: string): ExportedRecord["files"][number] => ({
      ...{ name, url: `https://repo.example.org/records/7/files/${name}`, mediaType: "text/plain", sizeBytes: 1 },
      ...{ md5: null, sha256: null, access: "open", isPublic: true },
    });
    const rights = [{ text: [{ value: "Our own licence" }] }, { id: "cc-by-4.0", text: [] }];
    const { text } = written({ rights, copyright: "© 2025" }, { files: [file("a.txt"), file("b.txt")] });
    expect(await valuesOf(text, `${DCT}license`)).toEqual(Array(2).fill("https://repo.example.org/records/7#license"));
    expect(await valuesOf(text, `${DCT}rights`)).toEqual(Array(2).fill("https://repo.example.org/records/7#rights"));
    expect(text.match(/© 2025/g)).toHaveLength(1);
    expect(await dcatJudge()(text)).toEqual([]);
  });

  test("S3.6.191 there is one date of publication, typed as exactly as it is stated, and intervals are periods", async () => {
    const issued = async (publicationDate: string) => valuesOf(written({ publicationDate }).text, `${DCT}issued`);
    expect(await issued("2018/2020-09")).toEqual(["2018^^gYear"]);
    expect(await issued("2020-06-01")).toEqual(["2020-06-01^^date"]);
    expect(await issued("2020-06")).toEqual(["2020-06^^gYearMonth"]);
    expect(await issued("昭和50年")).toEqual([]);
    const { text } = written({
      dates: [
        { date: "1939/1945-05", type: "collected" },
        { date: "2020-01-01T10:00Z", type: "created" },
      ],
    });
    expect(await valuesOf(text, `${DCAT}startDate`)).toEqual(["1939^^gYear"]);
    expect(await valuesOf(text, `${DCAT}endDate`)).toEqual(["1945-05^^gYearMonth"]);
    expect(await valuesOf(text, `${DCT}created`)).toEqual(["2020-01-01T10:00:00Z^^dateTime"]);
  });

  test("S3.6.191 degrees have the longitude first, rings end where they begin", async () => {
    const { text } = written({
      locations: [
        { point: { longitude: "-32.94682", latitude: "-60.63932" }, places: [{ value: "A bay", lang: "en" }], ids: [] },
        {
          geometry: {
            type: "Polygon",
            coordinates: [
              [
                [0, 0],
                [2, 0],
                [1, 1],
                [0.5, 0.5],
              ],
            ],
          },
          places: [],
          ids: [],
        },
      ],
    });
    expect(await valuesOf(text, `${DCAT}centroid`)).toEqual(["POINT(-32.94682 -60.63932)^^wktLiteral"]);
    expect(await valuesOf(text, "http://www.opengis.net/ont/geosparql#asWKT")).toEqual([
      "POLYGON((0 0,2 0,1 1,0.5 0.5,0 0))^^wktLiteral",
    ]);
  });

  test("S3.6.191 R38 the DOI represents the item, else the ARK; identifiers, people and licences have their addresses", async () => {
    const { text } = written({
      identifiers: [{ scheme: "doi", value: "10.1234/abc" }],
      languages: ["dan"],
      creators: [
        namedAgent(
          "personal",
          { family: "Nielsen", given: "Lars Holm" },
          {
            affiliations: [{ names: [{ value: "CERN" }], ids: [] }],
            ids: [{ scheme: "orcid", value: "0000-0001-8135-3489" }],
          },
        ),
      ],
    });
    expect(await valuesOf(text, `${DCT}identifier`)).toEqual([
      "https://doi.org/10.1234/abc",
      "orcid:0000-0001-8135-3489",
    ]);
    expect(await valuesOf(text, "http://www.w3.org/2002/07/owl#sameAs")).toEqual([
      "https://ark.example.org/ark:99999/b1x7",
    ]);
    expect(await valuesOf(text, `${DCT}creator`)).toEqual(["https://orcid.org/0000-0001-8135-3489"]);
    expect(await valuesOf(text, `${DCT}language`)).toEqual([
      "http://publications.europa.eu/resource/authority/language/DAN",
    ]);
    expect(text).not.toContain("a@example.org");
    expect(written({}).text).toContain('<dcat:Dataset rdf:about="https://ark.example.org/ark:99999/b1x7">');
  });
});
