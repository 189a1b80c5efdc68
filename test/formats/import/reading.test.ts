// Documents in foreign formats become records (issue "import of a record"): what each reader takes, what it reports as
// lost, and that what we export is read as it was shown.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { writeBibtex } from "../../../src/formats/bibtex/write.ts";
import { writeCsl } from "../../../src/formats/csl/write.ts";
import { writeDataciteJson, writeDataciteXml } from "../../../src/formats/datacite/write.ts";
import type { ExportedRecord } from "../../../src/formats/exported-record.ts";
import { readBibtex, texWords } from "../../../src/formats/import/bibtex-entries.ts";
import { IMPORT_FORMATS, type ImportFormat, readImport } from "../../../src/formats/import/read.ts";
import { writeRis } from "../../../src/formats/ris/write.ts";
import { writeSchemaOrg } from "../../../src/formats/schema-org/write.ts";
import type { Metadata } from "../../../src/model/metadata/metadata.ts";
import { isMetadata } from "../../../src/model/metadata/metadata-schema.ts";
import { DocumentError } from "../../../src/shared/document-error.ts";
import type { JsonObject } from "../../../src/shared/json/read.ts";
import { cpuMs } from "../../support/cpu-time.ts";
import { RECORD } from "../../support/exported-records.ts";
import { readBody, SMALLEST, shown, shownCustom } from "../../support/record-bodies.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
function works(format: ImportFormat, text: string) {
  return readImport(format, bytes(text)).map((work) => {
    if ("body" in work) throw new TypeError("Our own record is not a foreign work");
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

  test("S3.6.72: the metadata of a DOI become a record, wherever its attributes are", () => {
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

describe("DataCite JSON, list by list", () => {
  const metadataOf = (document: object): Metadata => read("datacite-json", document).metadata;
  const named = (value: string) => ({ names: [{ value }] });

  test("S3.6.72: people have all names, identifiers and affiliations, and a kind", () => {
    const orcid = { nameIdentifier: "0000-0002-1825-0097", nameIdentifierScheme: "ORCID" };
    const isni = { nameIdentifier: "https://isni.org/isni/0000000121032683/", nameIdentifierScheme: "ISNI" };
    const ror = { affiliationIdentifier: "https://ror.org/04ksd4g47", affiliationIdentifierScheme: "ROR" };
    const { creators, contributors } = metadataOf({
      creators: [
        {
          name: "Yamada, Hanako",
          nameIdentifiers: [orcid, { nameIdentifierScheme: "GND" }, isni],
          affiliation: ["Kyoto University", { name: "NII", ...ror }, {}],
        },
        ...[{ name: "Acme" }, {}, { familyName: "Doe" }, { givenName: "Plato" }],
        { name: "Plato", nameType: "Personal" },
      ],
      contributors: [
        { name: "Ed, Itor", contributorType: "Editor" },
        { name: "Lab, Inc.", nameType: "Organizational", contributorType: "DataCollector" },
        { name: "Nobody" },
      ],
    });
    expect(creators.map(({ kind, names }) => [kind, names[0]])).toEqual([
      ["personal", { full: "Yamada, Hanako" }],
      ["organizational", { full: "Acme" }],
      ["personal", { family: "Doe" }],
      ["personal", { given: "Plato" }],
      ["personal", { full: "Plato" }],
    ]);
    expect(creators.flatMap(({ ids, affiliations }) => [...ids, ...affiliations])).toEqual([
      { scheme: "ORCID", value: "0000-0002-1825-0097" },
      { scheme: "ISNI", value: "0000000121032683", uri: isni.nameIdentifier },
      { ...named("Kyoto University"), ids: [] },
      { ...named("NII"), ids: [{ scheme: "ROR", value: "https://ror.org/04ksd4g47" }] },
    ]);
    expect(contributors.map(({ kind, names: [name], role }) => [kind, name?.full, role])).toEqual([
      ["personal", "Ed, Itor", "Editor"],
      ["organizational", "Lab, Inc.", "DataCollector"],
      ["organizational", "Nobody", undefined],
    ]);
  });

  test("S3.6.72: texts, subjects, dates, sizes and formats are all read, empty ones left out", () => {
    const found = metadataOf({
      titles: [
        { title: "A" },
        ...["Subtitle", "AlternativeTitle", "Other", "Odd"].map((titleType) => ({ title: titleType, titleType })),
        {},
      ],
      descriptions: [
        { description: "<b>What</b> &amp; why", descriptionType: "Abstract", lang: "en" },
        { descriptionType: "Other" },
        ...["SeriesInformation", "Methods", "TechnicalInfo", "TableOfContents", "Odd"].map((descriptionType) => ({
          ...{ description: descriptionType, descriptionType },
        })),
      ],
      subjects: [
        { subject: "one", subjectScheme: "NDC", valueUri: "https://a.example.org/1" },
        ...[{ subjectScheme: "LCSH" }, { subject: "two", lang: "en" }],
      ],
      dates: [
        ...[{ date: "2019", dateType: "Collected" }, { date: "2018", dateType: "Issued" }, { dateType: "Valid" }],
        ...[{ date: "2017" }, { date: "2016", dateType: "Issued" }],
      ],
      ...{ publicationYear: 2018, publisher: "Acme", version: 2, language: "ja" },
      ...{ sizes: ["3 pages", " ", "2 MB"], formats: ["text/plain", "", "a/b"] },
    });
    expect(found.titles).toEqual([
      { value: "A", kind: "main" },
      { value: "Subtitle", kind: "subtitle" },
      { value: "AlternativeTitle", kind: "alternative" },
      { value: "Other", kind: "other" },
      { value: "Odd", kind: "main" },
    ]);
    expect(found.descriptions).toEqual([
      { value: "What & why", lang: "en", kind: "Abstract", html: false },
      ...["SeriesInformation", "Methods", "TechnicalInfo", "TableOfContents"].map((kind) => ({
        ...{ value: kind, kind, html: false },
      })),
      { value: "Odd", kind: "Other", html: false },
    ]);
    expect(found.subjects).toEqual([
      { text: { value: "one" }, scheme: "NDC", uri: "https://a.example.org/1" },
      { text: { value: "two", lang: "en" } },
    ]);
    // The date of publication is not repeated, another date of that type stays.
    expect(found.dates).toEqual([
      { date: "2019", type: "Collected" },
      { date: "2017", type: "dcterms" },
      { date: "2016", type: "Issued" },
    ]);
    expect([found.publicationDate, found.versionLabel, found.languages]).toEqual(["2018", "2", ["jpn"]]);
    expect(found.publishers).toEqual([named("Acme")]);
    expect([found.sizes, found.formats]).toEqual([
      [{ value: "3 pages" }, { value: "2 MB" }],
      [{ value: "text/plain" }, { value: "a/b" }],
    ]);
    const only = { publicationYear: 2020, dates: [{ date: "2019", dateType: "Valid" }] };
    expect(metadataOf(only).publicationDate).toBe("2020");
  });

  test("S3.6.72: identifiers, relations, licences, places, grants and the journal, and what of them is lost", () => {
    const { metadata, lost } = read("datacite-json", {
      doi: "10.5555/X",
      identifiers: [
        { identifier: "10.5555/x", identifierType: "DOI" },
        ...[{ identifier: "https://a.example.org/1", identifierType: "URL" }, { identifierType: "ISBN" }],
      ],
      alternateIdentifiers: [
        { alternateIdentifier: "11234/1", alternateIdentifierType: "Handle" },
        ...[{ alternateIdentifierType: "Local" }, { alternateIdentifier: "L-1" }],
      ],
      relatedIdentifiers: [
        {
          ...{ relatedIdentifier: "10.5555/y", relatedIdentifierType: "DOI", relationType: "Cites" },
          resourceTypeGeneral: "Software",
        },
        {
          ...{ relatedIdentifier: "https://a.example.org/z", relatedIdentifierType: "URL" },
          relationType: "IsNewVersionOf",
        },
        ...[{ relatedIdentifier: "q", relationType: "Nonsense" }, { relationType: "Cites" }],
      ],
      rightsList: [
        { rightsIdentifier: "CC-BY-4.0", rightsIdentifierScheme: "SPDX" },
        { rights: "Zero", rightsUri: "https://creativecommons.org/publicdomain/zero/1.0/" },
        { rights: "Own terms", rightsURI: "https://a.example.org/t", lang: "en" },
        { rights: "(c) Acme", rightsUri: "http://rightsstatements.org/vocab/InC/1.0/" },
        ...[{ rights: "x", rightsIdentifier: "abc", rightsIdentifierScheme: "own" }, {}],
      ],
      geoLocations: [
        ...[{ geoLocationPlace: "Kyoto" }, { geoLocationPoint: { pointLongitude: 135.7, pointLatitude: "35" } }],
        {
          geoLocationBox: {
            ...{ westBoundLongitude: 1, eastBoundLongitude: 2, southBoundLatitude: 3, northBoundLatitude: 4 },
          },
        },
        ...[{ geoLocationPoint: { pointLongitude: 1 } }, { geoLocationBox: { westBoundLongitude: 1 } }],
      ],
      fundingReferences: [
        {
          ...{ funderName: "JSPS", funderIdentifier: "10.13039/1", funderIdentifierType: "Crossref Funder ID" },
          ...{ awardNumber: "12", awardUri: "https://a.example.org/12", awardTitle: "Award" },
        },
        ...[{ funderName: "Other" }, { awardNumber: "13" }],
        { funderIdentifier: "https://ror.org/1", funderIdentifierType: "ROR", awardTitle: "Title" },
      ],
      container: {
        ...{ title: "Nature", identifier: "0028-0836", volume: 12, issue: "3", firstPage: "10", lastPage: "20" },
      },
    });
    expect(metadata.identifiers).toEqual([
      { scheme: "DOI", value: "10.5555/x" },
      { scheme: "URI", value: "https://a.example.org/1" },
      { scheme: "HDL", value: "11234/1" },
      { scheme: "Other", value: "L-1" },
    ]);
    expect(metadata.relations).toEqual([
      { type: "Cites", ident: { scheme: "DOI", value: "10.5555/y" }, titles: [], resourceType: "software" },
      { type: "IsNewVersionOf", ident: { scheme: "URI", value: "https://a.example.org/z" }, titles: [] },
    ]);
    expect(metadata.rights).toEqual([
      { id: "cc-by-4.0", text: [] },
      { id: "cc0-1.0", text: [], uri: "https://creativecommons.org/publicdomain/zero/1.0/" },
      { text: [{ value: "Own terms", lang: "en" }], uri: "https://a.example.org/t" },
      { text: [{ value: "x" }] },
    ]);
    expect(metadata.copyright).toBe("(c) Acme");
    expect(metadata.locations).toEqual([
      { places: [{ value: "Kyoto" }], ids: [] },
      { point: { longitude: "135.7", latitude: "35" }, places: [], ids: [] },
      { box: { west: "1", east: "2", south: "3", north: "4" }, places: [], ids: [] },
    ]);
    expect(metadata.funding).toEqual([
      {
        funder: { ...named("JSPS"), ids: [{ scheme: "Crossref Funder", value: "10.13039/1" }] },
        award: { number: "12", uri: "https://a.example.org/12", titles: [{ value: "Award" }] },
      },
      { funder: { ...named("Other"), ids: [] } },
      {
        funder: { names: [], ids: [{ scheme: "ROR", value: "https://ror.org/1" }] },
        award: { titles: [{ value: "Title" }] },
      },
    ]);
    expect(metadata.containers).toEqual([
      {
        titles: [{ value: "Nature" }],
        ids: [{ scheme: "ISSN", value: "0028-0836" }],
        ...{ volume: "12", issue: "3", pageStart: "10", pageEnd: "20", place: "flat" },
      },
    ]);
    expect(lost).toContain("relatedIdentifiers: 1 of 4");
    expect(metadataOf({ container: { title: "B", identifier: "1-1", identifierType: "ISBN" } }).containers).toEqual([
      { titles: [{ value: "B" }], ids: [{ scheme: "ISBN", value: "1-1" }], place: "flat" },
    ]);
  });

  test.each<[object, string | undefined]>([
    [{ resourceTypeGeneral: "Text", resourceType: "journal article" }, "publication-article"],
    [{ resourceTypeGeneral: "Text" }, "publication"],
    [{ resourceTypeGeneral: "Image", resourceType: "Plot" }, "image-plot"],
    [{ resourceTypeGeneral: "Image", resourceType: "Unknown" }, "image"],
    [{ resourceTypeGeneral: "JournalArticle" }, "publication-article"],
    [{ resourceTypeGeneral: "Other" }, undefined],
    [{}, undefined],
  ])("S3.6.72: the type %j is %s", (types, id) => {
    expect(metadataOf({ types }).type?.id).toBe(id);
  });
});

describe("CSL-JSON", () => {
  test("S3.6.73: theses have a degree, parts of books a book, articles a journal; each list has all its values", () => {
    const [isbn, issn] = ["978-3-16-148410-0", "0028-0836"];
    const found = works(
      "csl",
      JSON.stringify([
        {
          ...{ type: "thesis", title: "A <i>T</i>", genre: "PhD", number: "1", publisher: "Kyoto U" },
          ...{
            "publisher-place": "Kyoto",
            URL: "https://ark.example.org/ark:/13030/x1",
            PMID: "1 2",
            ISBN: "1-1, 2-2",
          },
          author: [
            {
              ...{ family: "Humboldt", given: "A.", "dropping-particle": "von", suffix: "Jr" },
              ORCID: "https://orcid.org/0000-0002-1825-0097",
            },
            ...[{}, { given: "Only" }],
          ],
          issued: {
            "date-parts": [
              [2020, 1],
              ["2021", "2", "3"],
            ],
          },
        },
        {
          ...{
            type: "chapter",
            "container-title": "Book",
            ISBN: `${isbn} 2-2`,
            ISSN: `${issn};1234-5679`,
            page: "1–3",
          },
          ...{ genre: "x", publisher: "P", edition: 2, version: 1, "number-of-pages": 200, keyword: "a; ;b" },
          ...{ "event-title": "Conf", "event-place": "Tokyo", URL: "https://a.example.org", number: "7" },
          ...{ editor: [{ family: "Ed" }, { literal: "Board" }], translator: [{ family: "Tr" }, { family: "An" }] },
          issued: { raw: "in press" },
        },
        { type: "article-journal", "container-title": "Nature", volume: "1", ISBN: isbn, ISSN: issn },
        { type: "book", ISBN: isbn, issued: { literal: "spring" }, event: "Old", "publisher-place": "Y" },
        ...[{ page: "5" }, { type: "nonsense", "event-place": "X" }, { ISSN: issn }, { "number-of-pages": 3 }],
      ]),
    );
    const [thesis, chapter, article, book, pages, event, serial, numbered] = found.map(({ metadata }) => metadata);
    expect([thesis?.type?.id, thesis?.titles, thesis?.publicationDate]).toEqual([
      "publication-thesis",
      [{ value: "A T", kind: "main" }],
      "2020-01/2021-02-03",
    ]);
    expect(thesis?.creators.map(({ names, ids }) => [names[0], ids])).toEqual([
      [{ family: "von Humboldt", given: "A., Jr" }, [{ scheme: "ORCID", value: "0000-0002-1825-0097" }]],
      [{ given: "Only" }, []],
    ]);
    expect(thesis?.degree).toEqual({
      names: [{ value: "PhD" }],
      grantors: [{ names: [{ value: "Kyoto U" }], ids: [] }],
      number: "1",
    });
    expect(thesis?.publishers).toEqual([{ names: [], place: { value: "Kyoto" } }]);
    expect(thesis?.identifiers.map(({ scheme, value }) => `${scheme} ${value}`)).toEqual([
      "ARK https://ark.example.org/ark:/13030/x1",
      ...["ISBN 1-1", "ISBN 2-2", "PMID 1", "PMID 2"],
    ]);
    expect([thesis?.containers, thesis?.conferences, found[0]?.lost]).toEqual([[], [], []]);

    expect(chapter?.contributors.map(({ names: [name], role }) => [name?.full ?? name?.family, role])).toEqual([
      ["Ed", "Editor"],
      ["Board", "Editor"],
      ["Tr", "Translator"],
      ["An", "Translator"],
    ]);
    expect(chapter).toMatchObject({
      publicationDate: "in press",
      publishers: [{ names: [{ value: "P" }] }],
      subjects: [{ text: { value: "a" } }, { text: { value: "b" } }],
      identifiers: [{ scheme: "URI", value: "https://a.example.org" }],
      conferences: [{ names: [{ value: "Conf" }], places: [{ value: "Tokyo" }] }],
      editions: [{ value: "2" }],
      versionLabel: "1",
    });
    expect(chapter?.containers).toEqual([
      {
        titles: [{ value: "Book" }],
        ids: [
          ...[issn, "1234-5679"].map((value) => ({ scheme: "ISSN", value })),
          ...[isbn, "2-2"].map((value) => ({ scheme: "ISBN", value })),
        ],
        ...{ pageStart: "1", pageEnd: "3", numPages: "200", place: "flat" },
      },
    ]);
    expect([chapter?.degree, found[1]?.lost]).toEqual([undefined, ["genre", "number"]]);

    expect(shownCustom(article as Metadata)).toEqual({
      "journal:journal": { title: "Nature", volume: "1", issn },
    });
    expect([article?.identifiers, book?.identifiers]).toEqual([
      [{ scheme: "ISBN", value: isbn }],
      [{ scheme: "ISBN", value: isbn }],
    ]);
    expect([book?.publicationDate, book?.containers, book?.conferences[0]?.names]).toEqual([
      "spring",
      [],
      [{ value: "Old" }],
    ]);
    expect(book?.publishers).toEqual([{ names: [], place: { value: "Y" } }]);
    expect(pages?.containers).toEqual([{ titles: [], ids: [], pageStart: "5", place: "flat" }]);
    expect(event).toMatchObject({ type: { id: "other" }, conferences: [{ names: [], places: [{ value: "X" }] }] });
    expect(serial?.containers).toEqual([{ titles: [], ids: [{ scheme: "ISSN", value: issn }], place: "flat" }]);
    expect(numbered?.containers).toEqual([{ titles: [], ids: [], numPages: "3", place: "flat" }]);
  });

  test("S3.6.73: what is not an item in a list is refused, as are more than 1,000", () => {
    expect(() => works("csl", '[{"title": "A"}, 1]')).toThrow("The document holds something that is not an item");
    const items = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ title: "A" })));
    expect(works("csl", ` ${items(1_000)}`)).toHaveLength(1_000);
    expect(() => works("csl", items(1_001))).toThrow("The document holds more than 1000 works");
  });

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

  test("S3.6.74: names are taken apart as BibTeX does, and others are reported", () => {
    const author =
      "A and and {B, C} AND Doe, Jr, John and Plato and Jean {de la} Fontaine and {\\'E}mile {and} Co and D and others";
    const [first, second] = works(
      "bibtex",
      `@book{a, author = {${author}}, editor = "Ed, Itor and {Board}", translator = {Tr, An and Other, An}}
       @book{b, author = {others and Roe, Bo}}`,
    );
    expect(first?.metadata.creators.map(({ kind, names }) => [kind, names[0]])).toEqual([
      ["personal", { family: "A" }],
      ["organizational", { full: "B, C" }],
      ["personal", { family: "Doe", given: "John, Jr" }],
      ["personal", { family: "Plato" }],
      ["personal", { family: "de la Fontaine", given: "Jean" }],
      ["personal", { family: "and Co", given: "Émile" }],
      ["personal", { family: "D" }],
    ]);
    expect(first?.metadata.contributors.map(({ names: [name], role }) => [name, role])).toEqual([
      [{ family: "Ed", given: "Itor" }, "Editor"],
      [{ full: "Board" }, "Editor"],
      [{ family: "Tr", given: "An" }, "Translator"],
      [{ family: "Other", given: "An" }, "Translator"],
    ]);
    expect(first?.lost).toEqual(["author: others"]);
    expect(second?.metadata.creators.map(({ names }) => names[0]?.family)).toEqual(["others", "Roe"]);
  });

  test.each<[string, string | undefined, readonly string[]]>([
    ["date = {2020-03/2020-05}, year = 1999", "2020-03/2020-05", []],
    ["year = 2020, month = dec, day = 31", "2020-12-31", []],
    ['year = 2020, month = "March", day = 7', "2020-03-07", []],
    ["year = {2020}, month = {1}", "2020-01", []],
    ["year = 2020, month = 12, day = 32", "2020-12", ["day: 32"]],
    ["year = 2020, month = 12, day = 0", "2020-12", ["day: 0"]],
    ["year = 2020, month = 12, day = {x}", "2020-12", ["day: x"]],
    ["year = 2020, month = 13, day = 3", "2020", ["month: 13", "day: 3"]],
    ["year = 2020, month = {spring}", "2020", ["month: spring"]],
    ["year = {in press}, month = jan", "in press", ["month: 1"]],
    ["month = {0}", undefined, ["month: 0"]],
  ])("S3.6.74: the date of %s is %s", (fields, date, lost) => {
    const [work] = works("bibtex", `@book{x, ${fields}}`);
    expect([work?.metadata.publicationDate, work?.lost]).toEqual([date, lost]);
  });

  test("S3.6.74: each kind of entry has its type, each field its place or a line among what was lost", () => {
    const [article, thesis, upper, ...typed] = works(
      "bibtex",
      `@comment{ @book{no, title = {no}} }
@string(acme = {Acme})
@article{a, journal = {J}, booktitle = {BT}, journaltitle = {J}, publisher = {P}, organization = {O}, type = {Ty},
  number = 3, volume = 4, pages = {1---2}, isbn = {1-1}, issn = {2-2}, note = {N}, abstract = {Ab}, edition = {2},
  url = {https://a.example.org/a\\_b\\%20}, doi = {10.5555/x\\_y}, address = {Kyoto}, venue = {Tokyo}, title = {}}
@phdthesis(b, school = {Kyoto U}, type = {PhD}, pagetotal = 99)
@Book{g, TITLE = acme # " and " # {Z}, title = {second}, version = {1.0}, keywords = {a, b}, language = {ja}}
@techreport{c, institution = {I}}
@proceedings{d, title = {P}}
@manual{e, title = {M}}
@nonsense{f, title = {X}}
@dataset{h, title = {X}}
@mastersthesis{i, title = {X}}`,
    );
    expect(article?.lost).toEqual(["booktitle: BT", "organization: O", "type: Ty"]);
    expect(article?.metadata).toMatchObject({
      titles: [],
      publishers: [{ names: [{ value: "P" }], place: { value: "Kyoto" } }],
      conferences: [{ names: [], places: [{ value: "Tokyo" }] }],
      descriptions: [
        { value: "Ab", kind: "Abstract" },
        { value: "N", kind: "Other" },
      ],
      identifiers: [
        { scheme: "DOI", value: "10.5555/x_y" },
        { scheme: "URI", value: "https://a.example.org/a_b%20" },
        { scheme: "ISBN", value: "1-1" },
      ],
      containers: [
        {
          titles: [{ value: "J" }],
          ids: [{ scheme: "ISSN", value: "2-2" }],
          ...{ volume: "4", issue: "3", pageStart: "1", pageEnd: "2" },
        },
      ],
      editions: [{ value: "2" }],
    });
    expect(thesis).toMatchObject({
      metadata: {
        degree: { names: [{ value: "PhD" }], grantors: [{ names: [{ value: "Kyoto U" }] }] },
        ...{ publishers: [], containers: [{ numPages: "99" }] },
      },
      ...{ lost: [], line: 6 },
    });
    expect(upper?.metadata).toMatchObject({
      ...{ titles: [{ value: "Acme and Z" }], versionLabel: "1.0", languages: ["jpn"] },
      subjects: [{ text: { value: "a" } }, { text: { value: "b" } }],
    });
    expect(typed[0]?.metadata.publishers).toEqual([{ names: [{ value: "I" }] }]);
    expect([article, thesis, upper, ...typed].map((work) => work?.metadata.type?.id)).toEqual([
      ...["publication-article", "publication-dissertation", "publication-book", "publication-technicalnote"],
      ...["publication-conferenceproceeding", "publication-technicalnote", "other", "dataset", "publication-thesis"],
    ]);
  });

  test.each([
    ["@article{x, title = {never closed", "Line 1: a brace is never closed"],
    ['@article{x,\n title = "never', "Line 2: a quote is never closed"],
    ["@article{x,\n title {x}}", 'Line 2: the field "title" has no value'],
    ["@article{x, title = }", "Line 1: a field has no value"],
    ["@article{x, title = {a}", "Line 1: the entry never ends"],
    ["no entry", "The document holds no work"],
  ])("S3.6.74: %j gives %j", (text, message) => {
    expect(() => works("bibtex", text)).toThrow(message);
  });

  test("S3.6.74: TeX is written out", () => {
    expect(texWords("{\\'e}{\\`{a}} \\v{c} \\c{c} \\ss{} \\o\\ \\textasciitilde{} a~b \\LaTeX")).toBe(
      "éà č ç ß ø ~ a b",
    );
  });
});

describe("JSON-LD", () => {
  const creator = (name: string, id?: string) => ({ "@type": "Person", ...(id && { "@id": id }), name });
  const ORCIDS = ["https://orcid.org/0000-0002-1825-0097", "https://orcid.org/0000-0001-5109-3700"] as const;
  test.each<[string, readonly object[], readonly object[], string]>([
    ["the same people", [creator("A"), creator("B")], [creator("B"), creator("A")], "A B"],
    ["other people", [creator("A"), creator("B")], [creator("C"), creator("B")], "A B C"],
    ["no authors", [], [creator("A"), creator("A")], "A A"],
    ["two authors of one name", [creator("A"), creator("A")], [creator("A")], "A A"],
    ["one iD, two spellings", [creator("A", ORCIDS[0])], [creator("Aa", ORCIDS[0])], "A"],
    ["one name, two iDs", [creator("A", ORCIDS[0])], [creator("A", ORCIDS[1])], "A A"],
    ["an iD under one term", [creator("A", ORCIDS[0]), creator("B")], [creator("A"), creator("B", ORCIDS[1])], "A B"],
  ])("S3.6.75: author and creator of %s", (_, author, creators, expected) => {
    const work = { "@context": "https://schema.org", "@type": "Book", name: "T", author, creator: creators };
    expect(
      read("jsonld", work)
        .metadata.creators.map(({ names }) => names[0]?.full)
        .join(" "),
    ).toBe(expected);
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

describe("JSON-LD, list by list", () => {
  const shared = { "@id": "#p", "@type": "Person", name: "P" };
  const ORGS = [{}, { name: "Q" }, "R", "https://ror.org/04ksd4g47", "https://isni.org/isni/0000000121032683"];
  const WORK = {
    ...{ "@id": "https://a.example.org/w", "@type": ["CreativeWork", "Thesis"], headline: "H", version: "2" },
    ...{ name: ["A", { "@language": "ja", "@value": "あ" }, "B"], alternateName: ["C", "D"] },
    author: [{ "@id": "#p" }, { "@type": "Organization", name: "O", affiliation: ORGS, additionalType: "x" }],
    contributor: [{ name: ["C1", "C one"] }, { name: "C2" }],
    editor: [{ name: "E1" }, { name: "E2" }],
    translator: [
      { "@type": "Person", name: "T1" },
      { "@type": "Person", familyName: "T", givenName: "2", name: "2 T" },
      { "@type": "Person", familyName: "T3", name: "T3" },
    ],
    publisher: [{ "@type": "Organization", name: "P1" }, "P2", {}],
    ...{ datePublished: "2020-03-04T05:06:07Z", copyrightNotice: "(c)", pagination: "10–20", dateModified: "2021" },
    inLanguage: ["en", { "@type": "Language", alternateName: "ja", name: "Japanese" }],
    keywords: ["a, b", "c;d", " "],
    license: [
      "https://creativecommons.org/licenses/by/4.0/",
      { "@id": "https://a.example.org/t", "@type": "CreativeWork", name: "Own" },
      "Some words",
      { "@type": "CreativeWork", name: "N", url: "https://creativecommons.org/publicdomain/zero/1.0/" },
      { "@type": "CreativeWork", name: "Named" },
    ],
    isbn: ["1-1", "2-2"],
    identifier: [
      "https://doi.org/10.5555/x",
      { "@type": "PropertyValue", propertyID: "ARK", value: "ark:99999/x" },
      "https://doi.org/10.5555/X",
      ...["./a", "#b", "_:c"].map((id) => ({ "@id": id })),
    ],
    description: ["<b>D</b>", "E"],
    temporalCoverage: ["2019", "2020/2021"],
    spatialCoverage: [
      { "@type": "Place", name: "Kyoto" },
      ...["1 2 3 4", "1 2 3", "1 2 3 4 5"].map((box) => ({ "@type": "Place", geo: { "@type": "GeoShape", box } })),
    ],
    funding: [
      { "@type": "Grant", identifier: "12", funder: { name: "F1" } },
      { "@type": "Grant", funder: { name: "F2" } },
    ],
    citation: ["X", { "@type": "CreativeWork", "@id": "https://doi.org/10.5555/z", name: "Z" }],
    isPartOf: {
      ...{ "@type": "Book", name: "Bk", isbn: ["3-3", "4-4"], issn: ["0028-0836", "1234-5679"] },
      isPartOf: { "@type": "BookSeries", name: "Series" },
    },
    audience: "people",
  };

  test("S3.6.75: in a graph the work is found, and each list has all its values", () => {
    const { metadata, lost } = read("jsonld", { "@context": "https://schema.org", "@graph": [shared, WORK] });
    const values = (list: readonly { readonly value: string }[]) => list.map(({ value }) => value);
    expect(metadata.type?.id).toBe("publication-thesis");
    expect(metadata.titles).toEqual([
      { value: "A", kind: "main" },
      { value: "あ", lang: "ja", kind: "translated" },
      { value: "B", kind: "translated" },
      { value: "C", kind: "alternative" },
      { value: "D", kind: "alternative" },
    ]);
    const people = [...metadata.creators, ...metadata.contributors];
    expect(people.map(({ kind, names: [name], role }) => [kind, name?.full ?? name, role])).toEqual([
      ["personal", "P", undefined],
      ["organizational", "O", undefined],
      ["organizational", "C1", "Other"],
      ["organizational", "C2", "Other"],
      ["organizational", "E1", "Editor"],
      ["organizational", "E2", "Editor"],
      ["personal", "T1", "Translator"],
      ["personal", { family: "T", given: "2" }, "Translator"],
      ["personal", { family: "T3" }, "Translator"],
    ]);
    expect(metadata.contributors[0]?.names).toEqual([{ full: "C1" }, { full: "C one" }]);
    const named = (value: string) => ({ names: [{ value }], ids: [] });
    expect(metadata.creators[1]?.affiliations).toMatchObject([
      ...[named("Q"), named("R"), { names: [], ids: [{ scheme: "ROR" }] }, { names: [], ids: [{ scheme: "ISNI" }] }],
    ]);
    expect(metadata.publishers).toEqual([{ names: [{ value: "P1" }] }, { names: [{ value: "P2" }] }]);
    expect(metadata).toMatchObject({ publicationDate: "2020-03-04", versionLabel: "2", copyright: "(c)" });
    expect(metadata.languages).toEqual(["eng", "jpn"]);
    expect(values(metadata.subjects.flatMap(({ text }) => text ?? []))).toEqual(["a", "b", "c", "d"]);
    expect(metadata.rights).toEqual([
      { id: "cc-by-4.0", text: [], uri: "https://creativecommons.org/licenses/by/4.0/" },
      { text: [{ value: "Own" }], uri: "https://a.example.org/t" },
      { text: [{ value: "Some words" }] },
      { id: "cc0-1.0", text: [], uri: "https://creativecommons.org/publicdomain/zero/1.0/" },
      { text: [{ value: "Named" }] },
    ]);
    expect(metadata.identifiers.map(({ scheme, value }) => `${scheme} ${value}`)).toEqual([
      ...["DOI 10.5555/x", "ARK ark:99999/x", "URI https://a.example.org/w", "ISBN 1-1", "ISBN 2-2"],
    ]);
    expect(metadata.descriptions).toEqual(["D", "E"].map((value) => ({ value, kind: "Abstract", html: false })));
    expect(values(metadata.temporals)).toEqual(["2019", "2020/2021"]);
    expect(metadata.locations).toEqual([
      { places: [{ value: "Kyoto" }], ids: [] },
      { box: { west: "2", east: "4", south: "1", north: "3" }, places: [], ids: [] },
    ]);
    expect(metadata.funding).toEqual([
      { funder: { names: [{ value: "F1" }], ids: [] }, award: { number: "12", titles: [] } },
      { funder: { names: [{ value: "F2" }], ids: [] } },
    ]);
    expect(metadata.references).toMatchObject([{ text: "X" }, { text: "Z", ident: { value: "10.5555/z" } }]);
    expect(metadata.containers).toEqual([
      {
        titles: [{ value: "Bk" }],
        ids: [
          ...["0028-0836", "1234-5679"].map((value) => ({ scheme: "ISSN", value })),
          ...["3-3", "4-4"].map((value) => ({ scheme: "ISBN", value })),
        ],
        ...{ pageStart: "10", pageEnd: "20", place: "flat" },
      },
    ]);
    expect(lost.toSorted()).toEqual([
      ...["audience", "author[1].additionalType", "headline", "inLanguage[1].name", "isPartOf[0].isPartOf[0].name"],
    ]);
  });

  test("S3.6.75: without a type that is known the first entity is the work, of a crate its root", () => {
    const graph = (...entities: readonly object[]) =>
      read("jsonld", { "@context": "https://schema.org", "@graph": entities }).metadata;
    expect(graph({ "@id": "#a", name: "A" }, { "@id": "#b", name: "B" }).titles[0]?.value).toBe("A");
    const plain = { "@id": "#b", "@type": "CreativeWork", name: "B" };
    expect(graph({ "@id": "#a", name: "A" }, plain, WORK).titles[0]?.value).toBe("B");
    for (const id of ["ro-crate-metadata.json", "https://a.example.org/ro-crate-metadata.jsonld"]) {
      const descriptor = { "@id": id, "@type": "CreativeWork", about: { "@id": "./" } };
      const crate = graph(plain, shared, descriptor, { "@id": "./", "@type": "Dataset", name: "Root" });
      expect([crate.titles[0]?.value, crate.type?.id]).toEqual(["Root", "dataset"]);
    }
    const paged = { "@type": "Nonsense", name: "N", pageStart: "5", isPartOf: { "@type": "Periodical" } };
    expect(read("jsonld", paged).metadata).toMatchObject({
      type: { id: "other" },
      containers: [{ titles: [], ids: [], pageStart: "5" }],
    });
    expect(read("jsonld", { name: "N", isPartOf: {} }).metadata.containers).toEqual([]);
    expect(() => works("jsonld", '{"version": "1", "keywords": "x"}')).toThrow("The document holds no work");
    expect(read("jsonld", { identifier: "x" }).metadata.identifiers).toHaveLength(1);
  });
});

/** Records as people enter them. */
const WORD = fc.constantFrom(
  ...["Physics", "量子力学", "A study of names", "Étude & more", "100 % of $5_a", "O'Neill", "Data {set}", "x < y"],
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

const exported = (metadata: Metadata): ExportedRecord => ({ ...RECORD, metadata, files: [], filesEnabled: false });

const MEMBERS = ["title", "publication_date", "creators", "languages", "subjects"] as const;
const CASES: readonly [ImportFormat, (record: ExportedRecord) => { readonly text: string }, readonly string[]][] = [
  ["datacite-json", writeDataciteJson, [...MEMBERS, "publisher", "version", "resource_type"]],
  ["datacite-xml", writeDataciteXml, [...MEMBERS, "publisher", "version", "resource_type"]],
  ["csl", writeCsl, [...MEMBERS, "publisher", "version", "resource_type"]],
  ["bibtex", writeBibtex, ["title", "languages", "subjects"]],
  ["ris", writeRis, ["title", "publication_date", "languages", "subjects"]],
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

  test("S3.6.76: our record is taken whole, but for what it has only where it was made", () => {
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
    const piece = fc.constantFrom("\n", " and ", ...'@article{ @string{ x , = { } " # \\ % ( ) @ 2020'.split(" "));
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
