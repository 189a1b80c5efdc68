// Documents in foreign formats become records (issue "import of a record"): what each reader takes, what it says was lost, and that what we export is read
// as it was shown.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { writeBibtex } from "../../../src/formats/bibtex/write.ts";
import { writeCsl } from "../../../src/formats/csl/write.ts";
import { writeDataciteJson } from "../../../src/formats/datacite/write.ts";
import type { ExportedRecord } from "../../../src/formats/exported-record.ts";
import { readBibtex, texWords } from "../../../src/formats/import/bibtex-entries.ts";
import { IMPORT_FORMATS, type ImportFormat, readImport } from "../../../src/formats/import/read.ts";
import { openAccess } from "../../../src/formats/record/access.ts";
import { writeSchemaOrg } from "../../../src/formats/schema-org/write.ts";
import type { Metadata } from "../../../src/repository/model/metadata.ts";
import { isMetadata } from "../../../src/repository/model/metadata-schema.ts";
import { DocumentError } from "../../../src/shared/document-error.ts";
import type { JsonObject } from "../../../src/shared/json/read.ts";
import { cpuMs } from "../../support/cpu-time.ts";
import { readBody, SMALLEST, shown, shownCustom, TODAY } from "../../support/record-bodies.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
function works(format: ImportFormat, text: string) {
  return readImport(format, bytes(text)).map((work) => {
    if ("body" in work) throw new TypeError("A record of ours is no work of others");
    return work;
  });
}
const read = (format: ImportFormat, document: unknown) => {
  const [work] = works(format, typeof document === "string" ? document : JSON.stringify(document));
  if (work === undefined) throw new TypeError("Nothing was read");
  return { ...work, shown: shown(work.metadata), custom: shownCustom(work.metadata) };
};

describe("DataCite JSON", () => {
  const ATTRIBUTES = {
    doi: "10.5555/x",
    types: { resourceTypeGeneral: "Dataset", resourceType: "Survey" },
    creators: [
      {
        name: "Yamada, Hanako",
        nameType: "Personal",
        givenName: "Hanako",
        familyName: "Yamada",
        nameIdentifiers: [{ nameIdentifier: "https://orcid.org/0000-0002-1825-0097", nameIdentifierScheme: "ORCID" }],
        affiliation: [{ name: "Kyoto University" }],
      },
      { name: "NII", nameType: "Organizational" },
    ],
    titles: [
      { title: "A survey", lang: "en" },
      { title: "調査", titleType: "TranslatedTitle", lang: "ja" },
    ],
    publisher: { name: "Acme" },
    publicationYear: 2020,
    dates: [
      { date: "2020-06-01", dateType: "Issued" },
      { date: "2019", dateType: "Collected" },
      { date: "2018", dateType: "Other", dateInformation: "x" },
    ],
    descriptions: [
      { description: "What it is", descriptionType: "Abstract" },
      { description: "Series", descriptionType: "SeriesInformation" },
    ],
    relatedIdentifiers: [
      { relatedIdentifier: "10.5555/y", relatedIdentifierType: "DOI", relationType: "IsDescribedBy" },
    ],
    alternateIdentifiers: [{ alternateIdentifier: "ark:/13030/x1", alternateIdentifierType: "ARK" }],
    rightsList: [
      {
        rightsIdentifier: "cc-by-4.0",
        rightsIdentifierScheme: "SPDX",
        rightsUri: "https://creativecommons.org/licenses/by/4.0/legalcode",
      },
      { rights: "open access", rightsUri: "http://purl.org/coar/access_right/c_abf2" },
    ],
    language: "en",
    version: "1.0",
    schemaVersion: "http://datacite.org/schema/kernel-4",
    state: "findable",
    container: {},
    contentUrl: ["https://example.org/file"],
    colour: "red",
  };

  test("S3.6.72: what a DOI says becomes a record, wherever its attributes stand", () => {
    for (const document of [{ data: { id: "10.5555/x", type: "dois", attributes: ATTRIBUTES } }, ATTRIBUTES]) {
      const { shown, lost, metadata } = read("datacite-json", document);
      expect(shown).toMatchObject({
        resource_type: { id: "dataset" },
        title: "A survey",
        additional_titles: [{ title: "調査", type: { id: "translated-title" }, lang: { id: "jpn" } }],
        creators: [
          {
            person_or_org: {
              type: "personal",
              family_name: "Yamada",
              given_name: "Hanako",
              identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }],
            },
            affiliations: [{ name: "Kyoto University" }],
          },
          { person_or_org: { type: "organizational", name: "NII" } },
        ],
        publisher: "Acme",
        publication_date: "2020-06-01",
        dates: [
          { date: "2019", type: { id: "collected" } },
          { date: "2018", type: { id: "other" }, description: "x" },
        ],
        description: "What it is",
        additional_descriptions: [{ description: "Series", type: { id: "series-information" } }],
        identifiers: [
          { identifier: "10.5555/x", scheme: "doi" },
          { identifier: "ark:/13030/x1", scheme: "ark" },
        ],
        related_identifiers: [{ identifier: "10.5555/y", scheme: "doi", relation_type: { id: "isdescribedby" } }],
        rights: [{ id: "cc-by-4.0" }],
        languages: [{ id: "eng" }],
        version: "1.0",
      });
      expect(metadata.accessRights?.label).toBe("open access");
      expect(lost.map((path) => path.replace("data.attributes.", ""))).toEqual(["colour"]);
    }
  });
});

describe("CSL-JSON", () => {
  test("S3.6.73: items become records, each with what was lost of it", () => {
    const item = {
      id: "a",
      type: "article-journal",
      title: "On names",
      author: [{ family: "Beethoven", given: "Ludwig", "non-dropping-particle": "van" }, { literal: "The group" }],
      editor: [{ family: "Ed", given: "Itor" }],
      issued: { "date-parts": [[2020, 3, 4]] },
      "container-title": "Nature",
      volume: 12,
      issue: "3",
      page: "10-20",
      ISSN: "0028-0836",
      DOI: "10.5555/x",
      language: "en",
      keyword: "names, arks",
      abstract: "<p>Short</p>",
      "call-number": "QA1",
    };
    const [work, second] = works("csl", JSON.stringify([item, { ...item, title: "Another" }]));
    expect(shown(work?.metadata as Metadata)).toMatchObject({
      resource_type: { id: "publication-article" },
      title: "On names",
      creators: [
        { person_or_org: { type: "personal", family_name: "van Beethoven", given_name: "Ludwig" } },
        { person_or_org: { type: "organizational", name: "The group" } },
      ],
      contributors: [{ person_or_org: { name: "Ed, Itor" }, role: { id: "editor" } }],
      publication_date: "2020-03-04",
      identifiers: [{ identifier: "10.5555/x", scheme: "doi" }],
      languages: [{ id: "eng" }],
      subjects: [{ subject: "names" }, { subject: "arks" }],
      description: "Short",
    });
    expect(shownCustom(work?.metadata as Metadata)).toEqual({
      "journal:journal": { title: "Nature", volume: "12", issue: "3", pages: "10-20", issn: "0028-0836" },
    });
    expect(work?.lost).toEqual(["call-number"]);
    expect(second?.metadata.titles[0]?.value).toBe("Another");
  });
});

describe("BibTeX", () => {
  const ENTRY = `% exported @comment{x}
@string{acme = "Acme Press"}
@preamble{"x"}
@inproceedings{key1,
  author    = {van Beethoven, Ludwig and {The Research Group} and Knuth, Donald E. and Erd{\\H o}s P{\\'a}l},
  title     = "A {Title} with \\"U \\& \\% --",
  booktitle = {Proceedings of {X}},
  publisher = acme # { Ltd},
  year = 2020, month = mar,
  pages = {1--10},
  doi = {10.5555/a_b},
  keywords = {a; b},
  note = {Remark},
  file = {x.pdf}
}

@misc(key2, title = {Second}, year = {1999})`;

  test("S3.6.74: entries become records: macros, accents, names, what was lost, the line", () => {
    const [first, second] = works("bibtex", ENTRY);
    expect(shown(first?.metadata as Metadata)).toMatchObject({
      resource_type: { id: "publication-conferencepaper" },
      title: "A Title with Ü & % --",
      creators: [
        { person_or_org: { family_name: "van Beethoven", given_name: "Ludwig" } },
        { person_or_org: { type: "organizational", name: "The Research Group" } },
        { person_or_org: { family_name: "Knuth", given_name: "Donald E." } },
        { person_or_org: { family_name: "Pál", given_name: "Erdős" } },
      ],
      publisher: "Acme Press Ltd",
      publication_date: "2020-03",
      identifiers: [{ identifier: "10.5555/a_b", scheme: "doi" }],
      subjects: [{ subject: "a" }, { subject: "b" }],
      additional_descriptions: [{ description: "Remark", type: { id: "other" } }],
    });
    expect(first?.lost).toEqual(["file: x.pdf"]);
    expect([first?.line, second?.line]).toEqual([4, 17]);
    expect(second?.metadata.titles[0]?.value).toBe("Second");
  });

  test.each([
    ["@article{x, title = {never closed", "Line 1: a brace is never closed"],
    ['@article{x,\n title = "never', "Line 2: a quote is never closed"],
    ["@article{x,\n title {x}}", 'Line 2: the field "title" has no value'],
    ["@article{x, title = }", "Line 1: a field has no value"],
    ["@article{x, title = {a}", "Line 1: the entry never ends"],
    ["no entry", "The document holds no work"],
  ])("S3.6.74: of %j is said %j", (text, said) => {
    expect(() => works("bibtex", text)).toThrow(said);
  });

  test("S3.6.74: TeX is written out", () => {
    expect(texWords("{\\'e}{\\`{a}} \\v{c} \\c{c} \\ss{} \\o\\ \\textasciitilde{} a~b \\LaTeX")).toBe(
      "éà č ç ß ø ~ a b",
    );
  });
});

describe("JSON-LD", () => {
  const creator = (name: string, id?: string) => ({
    "@type": "Person",
    ...(id === undefined ? {} : { "@id": id }),
    name,
  });
  const ORCIDS = ["https://orcid.org/0000-0002-1825-0097", "https://orcid.org/0000-0001-5109-3700"] as const;
  test.each<[string, readonly object[], readonly object[], readonly string[]]>([
    ["the same people", [creator("A"), creator("B")], [creator("B"), creator("A")], ["A", "B"]],
    ["other people", [creator("A"), creator("B")], [creator("C"), creator("B")], ["A", "B", "C"]],
    ["no authors", [], [creator("A"), creator("A")], ["A", "A"]],
    ["two authors of one name", [creator("A"), creator("A")], [creator("A")], ["A", "A"]],
    ["one iD, two spellings", [creator("A", ORCIDS[0])], [creator("Aa", ORCIDS[0])], ["A"]],
    ["one name, two iDs", [creator("A", ORCIDS[0])], [creator("A", ORCIDS[1])], ["A", "A"]],
    [
      "an iD under one term",
      [creator("A", ORCIDS[0]), creator("B")],
      [creator("A"), creator("B", ORCIDS[1])],
      ["A", "B"],
    ],
  ])("S3.6.75: author and creator of %s", (_, author, creators, expected) => {
    const { metadata } = read("jsonld", {
      "@context": "https://schema.org",
      "@type": "Book",
      name: "T",
      author,
      creator: creators,
    });
    expect(metadata.creators.map(({ names }) => names[0]?.full)).toEqual([...expected]);
  });

  test("S3.6.75: a description in the words of schema.org becomes a record", () => {
    const { shown, custom, lost } = read("jsonld", {
      "@context": "https://schema.org",
      "@type": "ScholarlyArticle",
      "@id": "https://doi.org/10.5555/x",
      name: "On names",
      alternateName: "Names",
      author: [
        {
          "@type": "Person",
          familyName: "Yamada",
          givenName: "Hanako",
          "@id": "https://orcid.org/0000-0002-1825-0097",
          affiliation: { "@type": "Organization", name: "Kyoto University" },
        },
      ],
      publisher: { "@type": "Organization", name: "Acme" },
      datePublished: "2020-03-04",
      inLanguage: "en",
      keywords: ["names", "arks"],
      license: "https://creativecommons.org/licenses/by/4.0/",
      description: "Short",
      isPartOf: {
        "@type": "PublicationIssue",
        issueNumber: "3",
        isPartOf: {
          "@type": "PublicationVolume",
          volumeNumber: "12",
          isPartOf: { "@type": "Periodical", name: "Nature", issn: "0028-0836" },
        },
      },
      pageStart: "10",
      pageEnd: "20",
      audience: "people",
      url: "https://example.org/1",
    });
    expect(shown).toMatchObject({
      resource_type: { id: "publication-article" },
      title: "On names",
      additional_titles: [{ title: "Names", type: { id: "alternative-title" } }],
      creators: [
        {
          person_or_org: {
            family_name: "Yamada",
            given_name: "Hanako",
            identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }],
          },
          affiliations: [{ name: "Kyoto University" }],
        },
      ],
      publisher: "Acme",
      publication_date: "2020-03-04",
      languages: [{ id: "eng" }],
      subjects: [{ subject: "names" }, { subject: "arks" }],
      rights: [{ id: "cc-by-4.0" }],
      identifiers: [{ identifier: "10.5555/x", scheme: "doi" }],
    });
    expect(custom).toEqual({
      "journal:journal": { title: "Nature", volume: "12", issue: "3", pages: "10-20", issn: "0028-0836" },
    });
    expect(lost).toEqual(["audience"]);
  });
});

/** Records as people enter them. */
const WORD = fc.constantFrom(
  "Physics",
  "量子力学",
  "A study of names",
  "Étude & more",
  "100 % of $5_a",
  "O'Neill",
  "Data {set}",
  "x < y",
);
const body = fc.record({
  title: WORD,
  publication_date: fc.constantFrom("2020", "2020-03", "2020-03-04"),
  resource_type: fc
    .constantFrom("dataset", "publication-article", "publication-book", "software")
    .map((id) => ({ id })),
  creators: fc.array(
    fc.oneof(
      fc
        .record({
          family_name: fc.constantFrom("Yamada", "山田", "van Beethoven", "Erdős"),
          given_name: fc.constantFrom("Hanako", "花子", "P. J."),
        })
        .map((name) => ({ person_or_org: { type: "personal", ...name } })),
      fc
        .constantFrom("Acme and Sons, Inc.", "国立情報学研究所")
        .map((name) => ({ person_or_org: { type: "organizational", name } })),
    ),
    { minLength: 1, maxLength: 3 },
  ),
  publisher: fc.constantFrom("Acme", "京都大学"),
  description: fc.constantFrom("Plain words", "<p>With <b>markup</b> &amp; more</p>"),
  languages: fc.constantFrom("eng", "jpn").map((id) => [{ id }]),
  version: fc.constantFrom("1.0", "2"),
  subjects: fc
    .uniqueArray(fc.constantFrom("one", "two", "三"), { maxLength: 3 })
    .map((all) => all.map((subject) => ({ subject }))),
  identifiers: fc.constant([{ identifier: "10.5555/x", scheme: "doi" }]),
});

function exported(metadata: Metadata): ExportedRecord {
  return {
    ...{
      id: 12,
      parentId: 11,
      versionIndex: 1,
      isLatest: true,
      metadata,
      access: openAccess(TODAY),
      status: "metadata-only",
      opensOn: null,
    },
    ...{
      files: [],
      filesEnabled: false,
      landingPage: "https://repo.example.org/records/12",
      parentPage: "https://repo.example.org/records/11",
    },
    ...{ ark: null, arkUrl: null, oai: null, repositoryName: "Repo", baseUrl: "https://repo.example.org" },
    ...{
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
      publishedAt: "2026-01-01T00:00:00.000Z",
    },
    ...{ replaces: null, isReplacedBy: null, communities: [] },
  };
}

const MEMBERS = ["title", "publication_date", "creators", "languages", "subjects"] as const;
const CASES: readonly [ImportFormat, (record: ExportedRecord) => { readonly text: string }, readonly string[]][] = [
  ["datacite-json", writeDataciteJson, [...MEMBERS, "publisher", "version", "resource_type"]],
  ["csl", writeCsl, [...MEMBERS, "publisher", "version", "resource_type"]],
  ["bibtex", writeBibtex, ["title", "languages", "subjects"]],
  ["jsonld", writeSchemaOrg, [...MEMBERS, "publisher", "version", "resource_type"]],
];

describe("what we export is read as it was shown", () => {
  for (const [format, write, members] of CASES) {
    test(`S3.6.77: an export as ${format} read again shows the same`, () => {
      fc.assert(
        fc.property(body, (metadata) => {
          const record = readBody({ metadata: metadata as unknown as JsonObject });
          expect(record.errors).toEqual([]);
          const before = shown(record.metadata);
          const after = read(format, write(exported(record.metadata)).text).shown;
          for (const member of members) expect({ [member]: after[member] }).toEqual({ [member]: before[member] });
          const doi = JSON.stringify(after.identifiers);
          expect(doi).toContain("10.5555/x");
        }),
        { numRuns: process.env.ARKSTONE_SLOW === "1" ? 3_000 : 100 },
      );
    });
  }

  test("S3.6.76: a record of ours is taken whole, but for what it has only where it was made", () => {
    const document = {
      id: "12",
      links: { self: "x" },
      parent: { id: "11", communities: { ids: ["c"] } },
      pids: { ark: { identifier: "ark:99999/x" } },
      metadata: SMALLEST,
      custom_fields: { "journal:journal": { title: "Nature" } },
      access: { record: "public", files: "public", status: "open" },
      files: { enabled: true, entries: { "a.txt": { size: 3 } } },
      ui: { x: 1 },
    };
    const [work] = readImport("json", bytes(JSON.stringify(document)));
    expect(work).toEqual({
      body: { metadata: SMALLEST, custom_fields: document.custom_fields, access: document.access },
      lost: ["files", "parent.communities", "pids"],
      line: 1,
    });
  });
});

describe("hostile documents", () => {
  const HOSTILE: readonly string[] = [
    "{".repeat(100_000),
    `{"a":${"[".repeat(100_000)}`,
    "@".repeat(200_000),
    `@article{x,${"a={".repeat(50_000)}`,
    `@article{x, author = {${"a and ".repeat(50_000)}}}`,
    `@article{x, title = {${"\\'".repeat(100_000)}}}`,
    `${"%".repeat(100_000)}@`,
    `@a{${"x".repeat(500_000)}`,
    "\u0000",
    "[]",
    "[1]",
    "null",
    '{"__proto__": {"title": "x"}}',
    `{"@graph": [{"@id": "#a", "name": {"@id": "#a"}}]}`,
    `{"creators": ${JSON.stringify(Array.from({ length: 5_000 }, () => ({ name: "A, B", affiliation: ["x"] })))}}`,
    `{"descriptions": ${JSON.stringify(Array.from({ length: 20_000 }, () => ({ description: "x", descriptionType: "Abstract" })))}}`,
    `{"relatedIdentifiers": ${JSON.stringify(Array.from({ length: 20_000 }, () => ({ relatedIdentifier: "10.1/x", relationType: "Cites", resourceTypeGeneral: "Dataset" })))}}`,
    `{"author": ${JSON.stringify(Array.from({ length: 5_000 }, () => ({ family: "A" })))}}`,
  ];

  for (const format of IMPORT_FORMATS) {
    test(`S3.6.78: ${format} refuses or reads hostile documents at once`, async () => {
      for (const text of HOSTILE) {
        let works: ReturnType<typeof readImport> = [];
        const took = await cpuMs(() => {
          try {
            works = readImport(format, bytes(text));
          } catch (error) {
            expect(error).toBeInstanceOf(DocumentError);
          }
        });
        for (const work of works) if ("metadata" in work) expect(isMetadata(work.metadata)).toBe(true);
        expect(took).toBeLessThan(1_500);
      }
    });

    test(`S3.6.78: ${format} reads or refuses any JSON`, () => {
      const names =
        "data attributes titles title creators name types author family issued date-parts @graph @id @type metadata rightsList container relatedIdentifiers keyword isPartOf".split(
          " ",
        );
      const { value } = fc.letrec((tie) => ({
        value: fc.oneof(
          { depthSize: "small" },
          fc.jsonValue({ maxDepth: 1 }),
          fc.array(tie("value"), { maxLength: 3 }),
          fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 5 }),
        ),
      }));
      fc.assert(
        fc.property(value, (document) => {
          try {
            for (const work of readImport(format, bytes(JSON.stringify(document))))
              if ("metadata" in work) expect(isMetadata(work.metadata)).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(DocumentError);
          }
        }),
        { numRuns: process.env.ARKSTONE_SLOW === "1" ? 10_000 : 200 },
      );
    });
  }

  test("S3.6.78: any text is BibTeX or is refused with its line", () => {
    const piece = fc.constantFrom(
      "@article{",
      "@string{",
      "x",
      ",",
      "=",
      "{",
      "}",
      '"',
      "#",
      "\\",
      "%",
      "\n",
      " and ",
      "(",
      ")",
      "@",
      "2020",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        try {
          readBibtex(pieces.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(DocumentError);
          expect(String(error)).toMatch(/Line \d+: /);
        }
      }),
      { numRuns: 500 },
    );
  });
});
