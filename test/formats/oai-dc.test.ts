// Unqualified Dublin Core for harvesters (R31, R36; oai_dc.xsd): whatever the metadata hold, only the fifteen elements
// with text come out.
import { describe, expect, test } from "bun:test";
import process from "node:process";
import fc from "fast-check";
import type { ExportedRecord } from "../../src/formats/exported-record.ts";
import { writeOaiDc } from "../../src/formats/oai-dc/write.ts";
import { type Agent, EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";
import { textOf } from "../../src/shared/xml/element.ts";
import { parseXml } from "../../src/shared/xml/parse.ts";
import { arbitraryMetadata } from "../support/arbitrary-metadata.ts";
import { agentOf } from "../support/cited-items.ts";
import { hasXmllint, xsdErrors } from "../support/export-judges.ts";
import { RECORD, sampleRecords } from "../support/exported-records.ts";
import { texts } from "../support/oai-answers.ts";
import { childElements } from "../support/xml-elements.ts";

const ELEMENTS = [
  "title",
  "creator",
  "subject",
  "description",
  "publisher",
  "contributor",
  "date",
  "type",
  "format",
  "identifier",
  "source",
  "language",
  "relation",
  "coverage",
  "rights",
];
const written = (metadata: Metadata, more: Partial<ExportedRecord> = {}) =>
  parseXml(writeOaiDc({ ...RECORD, ark: null, arkUrl: null, oai: null, metadata, ...more }).text);

const aFile = (mediaType: string): ExportedRecord["files"][number] => ({
  ...{ name: "a.pdf", url: "https://repo.example.org/records/7/files/a.pdf", mediaType, sizeBytes: 9 },
  ...{ md5: null, sha256: null, access: "open", isPublic: true },
});

const FULL: Metadata = {
  ...EMPTY_METADATA,
  type: { id: "publication-article", label: "journal article", uri: "http://purl.org/coar/resource_type/c_6501" },
  titles: [
    { value: "別題", lang: "ja", kind: "alternative" },
    { value: "Main", lang: "en", kind: "main" },
  ],
  creators: [
    agentOf({
      names: [
        { family: "山田", given: "花子", lang: "ja" },
        { full: "Yamada, Hanako", lang: "en" },
      ],
      emails: ["hanako@example.org"],
    }),
  ],
  contributors: [agentOf({ kind: "organizational", names: [{ full: "A lab" }] })],
  subjects: [{ text: { value: "Physics", lang: "en" } }, { uri: "http://example.org/subject" }],
  descriptions: [{ value: "<p>An <b>abstract</b></p>", kind: "Abstract", html: true }],
  publishers: [{ names: [{ value: "A press" }] }],
  publicationDate: "2024-05",
  dates: [{ date: "2023-01-01", type: "Accepted" }],
  languages: ["jpn"],
  identifiers: [
    { scheme: "DOI", value: "10.1234/x" },
    { scheme: "PMID", value: "77" },
  ],
  relations: [{ type: "isPartOf", ident: { scheme: "HDL", value: "123/4" }, titles: [{ value: "A series" }] }],
  temporals: [{ value: "Edo period" }],
  locations: [{ places: [{ value: "Kyoto" }], ids: [], point: { longitude: "135.7", latitude: "35.0" } }],
  containers: [
    {
      titles: [{ value: "A journal", lang: "en" }],
      ids: [{ scheme: "ISSN", value: "1234-5679" }],
      volume: "3",
      issue: "2",
      pageStart: "10",
      pageEnd: "19",
      place: "flat",
    },
  ],
  rights: [{ id: "cc-by-4.0", text: [] }],
};

describe("writeOaiDc()", () => {
  test("S3.O.9 R31 every element from the metadata, the main title and the date of publication first, no mail address", () => {
    const root = written(FULL, {
      files: [aFile("application/pdf"), aFile("application/pdf")],
      arkUrl: "https://ark.example.org/ark:99999/x",
      oai: "oai:repo.example.org:00000007",
      communities: [{ slug: "blr", title: "Biodiversity" }],
    });
    const of = (name: string): readonly string[] => texts(root, name);
    expect(of("title")).toEqual(["Main", "別題"]);
    expect(of("creator")).toEqual(["山田, 花子", "Yamada, Hanako"]);
    expect(of("subject")).toEqual(["Physics", "http://example.org/subject"]);
    expect(of("description")).toEqual(["An abstract"]);
    expect(of("publisher")).toEqual(["A press"]);
    expect(of("contributor")).toEqual(["A lab"]);
    expect(of("date")).toEqual(["2024-05", "2023-01-01"]);
    expect(of("type")).toEqual([
      "journal article",
      "http://purl.org/coar/resource_type/c_6501",
      "info:eu-repo/semantics/article",
    ]);
    expect(of("format")).toEqual(["application/pdf"]);
    expect(of("identifier")).toEqual([
      "https://repo.example.org/records/7",
      "https://ark.example.org/ark:99999/x",
      "oai:repo.example.org:00000007",
      "https://doi.org/10.1234/x",
      "PMID:77",
    ]);
    expect(of("source")).toEqual(["A journal, 3(2), 10-19, (2024-05)", "ISSN:1234-5679"]);
    expect(of("language")).toEqual(["jpn"]);
    expect(of("relation")).toEqual([
      "https://hdl.handle.net/123/4",
      "A series",
      "https://repo.example.org/api/communities/blr",
    ]);
    expect(of("coverage")).toEqual(["Edo period", "Kyoto", "east=135.7; north=35.0"]);
    expect(of("rights")).toEqual([
      "info:eu-repo/semantics/openAccess",
      "open access",
      "http://purl.org/coar/access_right/c_abf2",
      "Creative Commons Attribution 4.0 International",
      "https://creativecommons.org/licenses/by/4.0/",
    ]);
    expect(childElements(root).map(({ name }) => name)).toEqual(
      childElements(root)
        .map(({ name }) => name)
        .toSorted((one, other) => ELEMENTS.indexOf(one) - ELEMENTS.indexOf(other)),
    );
  });

  test("S3.O.9 R31 every element has every value: people with all their names, dates, kinds of things, places and files", () => {
    const two = (en: string, ja: string) => [
      { value: en, lang: "en" },
      { value: ja, lang: "ja" },
    ];
    const agent = (full: string): Agent => ({
      ...{ kind: null, alternatives: [{ value: `${full} alias` }], ids: [], emails: [], affiliations: [] },
      names: full === "" ? [] : [{ full, lang: "en" }],
    });
    const part = { titles: [], ids: [], place: "grouped" as const };
    const root = written(
      {
        ...EMPTY_METADATA,
        type: { id: "publication-thesis" },
        versionType: { label: "AM", uri: "http://purl.org/coar/version/c_ab4af688f83e57aa" },
        titles: [
          { value: "First", lang: "en", kind: "main" },
          { value: "Second", kind: "subtitle" },
          { value: "Third", kind: "main" },
        ],
        creators: [agent("A. One"), agent("B. Two"), { ...agent(""), alternatives: two("Only alias", "別名") }],
        contributors: [agent("C. Three"), agent("D. Four")],
        rightsHolders: [agent("E. Five"), agent("F. Six")],
        subjects: ["one", "two"].map((value) => ({ text: { value } })),
        descriptions: two("An abstract", "抄録").map((each) => ({ ...each, kind: "Abstract", html: false })),
        publishers: [{ names: two("A press", "一社") }, { names: two("B press", "二社") }],
        publicationDate: "2024-05",
        dates: [
          { date: "2023-01-01", type: "Accepted" },
          { date: "2024-06-01", type: "Issued" },
          { date: "2024-05", type: "Created" },
        ],
        degree: { names: [], grantors: [], granted: "2024-03-25" },
        languages: ["jpn", "eng"],
        relations: ["10.5555/a", "10.5555/b"].map((value) => ({
          ...{ type: "cites", ident: { scheme: "DOI", value }, titles: two(`About ${value}`, `${value}について`) },
        })),
        references: [{ text: "A cited work" }, { text: "", ident: { scheme: "Handle", value: "123/4" } }],
        temporals: two("Edo", "江戸"),
        locations: [
          { places: two("Kyoto", "京都"), ids: [] },
          { places: [{ value: "Osaka" }], ids: [], box: { west: "1", east: "2", south: "3", north: "4" } },
        ],
        containers: [
          { ...part, titles: two("A journal", "雑誌"), volume: "3", issued: "2024" },
          { ...part, titles: [{ value: "A series" }], pageStart: "7", ids: [{ scheme: "ISSN", value: "1234-5679" }] },
        ],
        formats: [{ value: "print" }, { value: "microfilm" }],
        sizes: [{ value: "10 pages" }, { value: "2 maps" }],
        rights: [
          { id: "cc-by-4.0", text: [] },
          { text: [{ value: "Ask first" }], uri: "https://example.org/terms" },
        ],
      },
      {
        files: [aFile("application/pdf"), aFile("text/csv")],
        communities: ["blr", "c2"].map((slug) => ({ slug, title: slug })),
        ...{ status: "embargoed", opensOn: "2030-01-01" },
      },
    );
    const of = (name: string): readonly string[] => texts(root, name);
    expect(of("title")).toEqual(["First", "Third", "Second"]);
    expect(of("creator")).toEqual(["A. One", "B. Two", "Only alias"]);
    expect(of("contributor")).toEqual(["C. Three", "D. Four", "E. Five", "F. Six"]);
    expect(of("subject")).toEqual(["one", "two"]);
    expect(of("description")).toEqual(["An abstract", "抄録"]);
    expect(of("publisher")).toEqual(["A press", "一社", "B press", "二社"]);
    expect(of("date")).toEqual([
      ...["2024-05", "2024-06-01", "2024-03-25", "info:eu-repo/date/embargoEnd/2030-01-01", "2023-01-01"],
    ]);
    expect(of("type")).toContain("AM");
    expect(of("type").at(-1)).toBe("http://purl.org/coar/version/c_ab4af688f83e57aa");
    expect(of("format")).toEqual(["print", "microfilm", "10 pages", "2 maps", "application/pdf", "text/csv"]);
    expect(of("language")).toEqual(["jpn", "eng"]);
    expect(of("relation")).toEqual([
      ...["https://doi.org/10.5555/a", "About 10.5555/a", "10.5555/aについて"],
      ...["https://doi.org/10.5555/b", "About 10.5555/b", "10.5555/bについて"],
      ...["A cited work", "https://hdl.handle.net/123/4"],
      ...["https://repo.example.org/api/communities/blr", "https://repo.example.org/api/communities/c2"],
    ]);
    expect(of("coverage")).toEqual([
      ...["Edo", "江戸", "Kyoto", "京都", "Osaka", "westlimit=1; southlimit=3; eastlimit=2; northlimit=4"],
    ]);
    expect(of("source")).toEqual([
      ...["A journal, 3, (2024)", "雑誌, 3, (2024)", "A series, 7, (2024-05)", "ISSN:1234-5679"],
    ]);
    expect(of("rights")).toContain("info:eu-repo/semantics/embargoedAccess");
    expect(of("rights").slice(-4)).toEqual([
      ...["Creative Commons Attribution 4.0 International", "https://creativecommons.org/licenses/by/4.0/"],
      ...["Ask first", "https://example.org/terms"],
    ]);
  });

  test("S3.O.9 R36 whatever the metadata hold, the record has only elements of oai_dc, with words in them", () => {
    fc.assert(
      fc.property(arbitraryMetadata, (metadata) => {
        for (const element of childElements(written(metadata))) {
          expect(element.namespace).toBe("http://purl.org/dc/elements/1.1/");
          expect(ELEMENTS).toContain(element.name);
          expect(childElements(element)).toEqual([]);
          for (const { name, value } of element.attributes) {
            expect(name).toBe("lang");
            expect(value).toMatch(/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test("S3.6.184 R38 records of all kinds are a dc of the fifteen elements, flat, with a language at most", () => {
    for (const record of sampleRecords(200)) {
      const root = parseXml(writeOaiDc(record).text);
      expect([root.name, root.namespace]).toEqual(["dc", "http://www.openarchives.org/OAI/2.0/oai_dc/"]);
      for (const element of childElements(root)) {
        expect([element.namespace, ELEMENTS.includes(element.name)]).toEqual([
          "http://purl.org/dc/elements/1.1/",
          true,
        ]);
        expect(childElements(element)).toEqual([]);
        expect(textOf(element).trim()).not.toBe("");
        expect(element.attributes.filter(({ name }) => name !== "lang")).toEqual([]);
      }
      expect(childElements(root).map(({ name }) => name)).toContain("rights");
    }
  });

  const COUNT = process.env.ARKSTONE_SLOW === "1" ? 10_000 : 500;
  test.skipIf(!hasXmllint)(`S3.6.184 R38 ${COUNT} records of all kinds are valid by oai_dc.xsd`, () => {
    const documents = sampleRecords(COUNT).map((record) => writeOaiDc(record).text);
    expect(xsdErrors("oai-dc.xsd", documents)).toBe("");
  });

  test("S3.6.185 R38 access and the end of an embargo are in the words of OpenAIRE, metadata alone are closed access", () => {
    const rightsOf = (more: Partial<ExportedRecord>) => texts(written(EMPTY_METADATA, more), "rights")[0];
    expect(rightsOf({ status: "open" })).toBe("info:eu-repo/semantics/openAccess");
    expect(rightsOf({ status: "restricted" })).toBe("info:eu-repo/semantics/restrictedAccess");
    expect(rightsOf({ status: "metadata-only" })).toBe("info:eu-repo/semantics/closedAccess");
    const embargoed = written(
      { ...EMPTY_METADATA, publicationDate: "2018/2020-09" },
      { status: "embargoed", opensOn: "2131-01-01" },
    );
    expect(texts(embargoed, "rights")[0]).toBe("info:eu-repo/semantics/embargoedAccess");
    expect(texts(embargoed, "date")).toEqual(["2018/2020-09", "info:eu-repo/date/embargoEnd/2131-01-01"]);
  });

  test("S3.6.185 R38 markup of a description becomes text once", () => {
    const descriptions = [
      { value: "<h1>A description</h1> <p>with HTML &amp; &lt;tags&gt;</p>", kind: "Abstract", html: true },
    ];
    const { text } = writeOaiDc({ ...RECORD, metadata: { ...EMPTY_METADATA, descriptions } });
    expect(text).toContain("<dc:description>A description\nwith HTML &amp; &lt;tags&gt;</dc:description>");
  });

  test("S3.6.194 R38 what the fifteen elements have no place for is in a comment", () => {
    const { text, leftOut } = writeOaiDc({ ...RECORD, metadata: FULL });
    expect(leftOut).toEqual(["Kinds of related things left out: Dublin Core has no place for them"]);
    expect(text).toContain(`<!-- ${leftOut[0]} -->`);
  });
});
