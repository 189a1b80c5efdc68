// Unqualified Dublin Core for harvesters (R31, R36; oai_dc.xsd): whatever the metadata hold, only the fifteen elements with text come out.
import { describe, expect, test } from "bun:test";
import process from "node:process";
import fc from "fast-check";
import type { ExportedRecord } from "../../src/formats/exported-record.ts";
import { writeOaiDc } from "../../src/formats/oai-dc/write.ts";
import { EMPTY_METADATA, type Metadata } from "../../src/repository/model/metadata.ts";
import { textOf } from "../../src/shared/xml/element.ts";
import { parseXml } from "../../src/shared/xml/parse.ts";
import { arbitraryMetadata } from "../support/arbitrary-metadata.ts";
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
    {
      kind: "personal",
      names: [
        { family: "山田", given: "花子", lang: "ja" },
        { full: "Yamada, Hanako", lang: "en" },
      ],
      alternatives: [],
      ids: [],
      emails: ["hanako@example.org"],
      affiliations: [],
    },
  ],
  contributors: [
    { kind: "organizational", names: [{ full: "A lab" }], alternatives: [], ids: [], emails: [], affiliations: [] },
  ],
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

  test("S3.6.185 R38 access and the end of an embargo stand in the words of OpenAIRE, metadata alone are closed access", () => {
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

  test("S3.6.194 R38 what the fifteen elements have no place for stands in a comment", () => {
    const { text, leftOut } = writeOaiDc({ ...RECORD, metadata: FULL });
    expect(leftOut).toEqual(["Kinds of related things left out: Dublin Core has no place for them"]);
    expect(text).toContain(`<!-- ${leftOut[0]} -->`);
  });
});
