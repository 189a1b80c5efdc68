// Unqualified Dublin Core for harvesters (R31, R36; oai_dc.xsd): whatever the metadata hold, only the fifteen elements with text come out.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type OaiDcInput, writeOaiDc } from "../../src/formats/oai-dc/write.ts";
import { EMPTY_METADATA, type Metadata } from "../../src/repository/model/metadata.ts";
import { parseXml } from "../../src/shared/xml/parse.ts";
import { arbitraryMetadata } from "../support/arbitrary-metadata.ts";
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
const written = (metadata: Metadata, more: Partial<OaiDcInput> = {}) =>
  parseXml(
    writeOaiDc({
      metadata,
      mediaTypes: [],
      landingPage: "https://repo.example.org/records/7",
      ark: null,
      accessRights: { label: "open access", uri: "http://purl.org/coar/access_right/c_abf2" },
      ...more,
    }),
  );

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
      mediaTypes: ["application/pdf", "application/pdf"],
      ark: "https://ark.example.org/ark:99999/x",
    });
    const of = (name: string): readonly string[] => texts(root, name);
    expect(of("title")).toEqual(["Main", "別題"]);
    expect(of("creator")).toEqual(["山田, 花子", "Yamada, Hanako"]);
    expect(of("subject")).toEqual(["Physics", "http://example.org/subject"]);
    expect(of("description")).toEqual(["An abstract"]);
    expect(of("publisher")).toEqual(["A press"]);
    expect(of("contributor")).toEqual(["A lab"]);
    expect(of("date")).toEqual(["2024-05", "2023-01-01"]);
    expect(of("type")).toEqual(["journal article", "http://purl.org/coar/resource_type/c_6501"]);
    expect(of("format")).toEqual(["application/pdf"]);
    expect(of("identifier")).toEqual([
      "https://repo.example.org/records/7",
      "https://ark.example.org/ark:99999/x",
      "https://doi.org/10.1234/x",
      "PMID:77",
    ]);
    expect(of("source")).toEqual(["A journal, 3(2), 10-19", "ISSN:1234-5679"]);
    expect(of("language")).toEqual(["jpn"]);
    expect(of("relation")).toEqual(["https://hdl.handle.net/123/4", "A series"]);
    expect(of("coverage")).toEqual(["Edo period", "Kyoto", "east=135.7; north=35.0"]);
    expect(of("rights")).toEqual([
      "open access",
      "http://purl.org/coar/access_right/c_abf2",
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
});
