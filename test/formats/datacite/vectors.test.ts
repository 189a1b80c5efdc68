// Where writers of DataCite go wrong, each with a vector (R38): keys, numbers, lists, years, dates, identifiers,
// markup.
import { describe, expect, test } from "bun:test";
import { dataciteResource } from "../../../src/formats/datacite/resource.ts";
import { writeDataciteJson, writeDataciteXml } from "../../../src/formats/datacite/write.ts";
import type { ExportedRecord } from "../../../src/formats/exported-record.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { agentOf } from "../../support/cited-items.ts";
import { RECORD } from "../../support/exported-records.ts";

const of = (metadata: Partial<Metadata>, more: Partial<ExportedRecord> = {}) =>
  dataciteResource({ ...RECORD, ...more, metadata: { ...EMPTY_METADATA, ...metadata } });
const resourceOf = (metadata: Partial<Metadata>, more: Partial<ExportedRecord> = {}) => of(metadata, more).resource;
const AGENT = agentOf({ names: [], emails: ["a@example.org"] });

describe("DataCite 4.6", () => {
  test("S3.6.183 sizes and formats are those of the record and its files, without empty ones", () => {
    const { sizes, formats } = resourceOf({
      sizes: [{ value: " 3 pages " }, { value: " " }],
      formats: [{ value: "" }, { value: "text/csv " }],
    });
    const ofFiles = RECORD.files.map(({ mediaType }) => mediaType);
    expect([sizes, formats]).toEqual([["3 pages"], ["text/csv", ...ofFiles]]);
  });

  test("S3.6.183 keys are those of DataCite: valueUri, awardUri, funderIdentifier, rightsUri, schemeUri", () => {
    const { subjects, fundingReferences, rightsList } = resourceOf({
      subjects: [
        { text: { value: "Abdominal Injuries" }, scheme: "MeSH", uri: "http://id.nlm.nih.gov/mesh/A-D000007" },
      ],
      funding: [
        {
          funder: { names: [{ value: "European Commission" }], ids: [{ scheme: "ror", value: "00k4n6c32" }] },
          award: {
            number: "111023",
            uri: "https://cordis.europa.eu/project/id/111023",
            titles: [{ value: "Meaning" }],
          },
        },
      ],
      rights: [
        { id: "cc-by-4.0", text: [] },
        { text: [{ value: "A custom license" }], uri: "https://custom.example.org/" },
      ],
      copyright: "2025 © Author(s)",
    });
    expect(subjects).toEqual([
      { subject: "Abdominal Injuries", subjectScheme: "MeSH", valueUri: "http://id.nlm.nih.gov/mesh/A-D000007" },
    ]);
    expect(fundingReferences).toEqual([
      {
        funderName: "European Commission",
        funderIdentifier: "https://ror.org/00k4n6c32",
        funderIdentifierType: "ROR",
        awardNumber: "111023",
        awardUri: "https://cordis.europa.eu/project/id/111023",
        awardTitle: "Meaning",
      },
    ]);
    expect(rightsList).toEqual([
      {
        rights: "Creative Commons Attribution 4.0 International",
        rightsUri: "https://creativecommons.org/licenses/by/4.0/",
        rightsIdentifier: "cc-by-4.0",
        rightsIdentifierScheme: "spdx",
        schemeUri: "https://spdx.org/licenses/",
      },
      { rights: "A custom license", rightsUri: "https://custom.example.org/" },
      { rights: "open access", rightsUri: "http://purl.org/coar/access_right/c_abf2" },
      { rights: "2025 © Author(s)", rightsUri: "http://rightsstatements.org/vocab/InC/1.0/" },
    ]);
  });

  test("S3.6.183 the main title comes first, one in another language is a translation, further forms have their type", () => {
    const { titles } = resourceOf({
      titles: [
        { value: "Alt", kind: "alternative", lang: "ja" },
        { value: "Main", kind: "main", lang: "en" },
        { value: "Second", kind: "main", lang: "en-GB" },
        { value: "題", kind: "main", lang: "ja" },
        { value: "Sub", kind: "subtitle", lang: "en" },
        { value: " ", kind: "other" },
        { value: "Titel", kind: "translated", lang: "de" },
      ],
    });
    expect(titles.map(({ title, titleType = null }) => [title, titleType])).toEqual([
      ["Main", null],
      ["Alt", "AlternativeTitle"],
      ["Second", null],
      ["題", "TranslatedTitle"],
      ["Sub", "Subtitle"],
      ["Titel", "TranslatedTitle"],
    ]);
  });

  test("S3.6.183 coordinates are numbers; a rectangle is a box, other rings are polygons, places stand by themselves", () => {
    const ring = (...points: (readonly [number, number])[]) =>
      points.map(([longitude, latitude]) => [longitude, latitude]);
    const { geoLocations } = resourceOf({
      locations: [
        {
          point: { longitude: "-32.94682", latitude: "-60.63932" },
          places: [{ value: "A bay" }, { value: "湾" }],
          ids: [],
        },
        { point: { longitude: "181", latitude: "0" }, places: [], ids: [] },
        {
          geometry: {
            type: "Polygon",
            coordinates: [ring([-105, 33], [-106, 33], [-106, 34], [-105, 34], [-105, 33])],
          },
          places: [],
          ids: [],
        },
        {
          geometry: { type: "Polygon", coordinates: [ring([0, 0], [2, 0], [1, 1], [0, 0])] },
          places: [],
          ids: [],
        },
        { geometry: { type: "LineString", coordinates: [[0, 0]] }, places: [], ids: [] },
      ],
    });
    expect(geoLocations).toEqual([
      { geoLocationPlace: "A bay", geoLocationPoint: { pointLongitude: -32.94682, pointLatitude: -60.63932 } },
      { geoLocationPlace: "湾" },
      {
        geoLocationBox: {
          westBoundLongitude: -106,
          eastBoundLongitude: -105,
          southBoundLatitude: 33,
          northBoundLatitude: 34,
        },
      },
      {
        geoLocationPolygon: [
          { polygonPoint: { pointLongitude: 0, pointLatitude: 0 } },
          { polygonPoint: { pointLongitude: 2, pointLatitude: 0 } },
          { polygonPoint: { pointLongitude: 1, pointLatitude: 1 } },
          { polygonPoint: { pointLongitude: 0, pointLatitude: 0 } },
        ],
      },
    ]);
  });

  test("S3.6.183 the general type is the vocabulary's, and what is not stated is reported as unknown", () => {
    const typeOf = (id: string) => resourceOf({ type: { id } }).types.resourceTypeGeneral;
    expect(["image-photo", "publication-article", "software", "no such type"].map(typeOf)).toEqual([
      "Image",
      "JournalArticle",
      "Software",
      "Other",
    ]);
    const { resource, leftOut } = of({});
    expect(resource.creators).toEqual([{ name: "(:unav)" }]);
    expect(resource.titles).toEqual([{ title: "(:unav)" }]);
    expect(resource.publisher).toEqual({ name: "Example Repository" });
    expect(resource.publicationYear).toBe("2024");
    expect(leftOut).toContain("No creator is stated: DataCite requires one, written as (:unav)");
  });

  test("S3.6.183 the year is that of the earlier bound, dates keep their intervals, and what is not a date is left out", () => {
    const { resource, leftOut } = of(
      {
        publicationDate: "2018/2020-09",
        dates: [
          { date: "1939/1945", type: "other", description: { value: "A date" } },
          { date: "2023-02-29", type: "created" },
          { date: "昭和50年", type: "dcterms" },
        ],
      },
      { opensOn: "2131-01-01", status: "embargoed" },
    );
    expect(resource.publicationYear).toBe("2018");
    expect(resource.dates).toEqual([
      { date: "2018/2020-09", dateType: "Issued" },
      { date: "1939/1945", dateType: "Other", dateInformation: "A date" },
      { date: "2131-01-01", dateType: "Available" },
      { date: "2024-05-06", dateType: "Updated" },
    ]);
    expect(leftOut.filter((sentence) => sentence.includes("no form that DataCite knows"))).toHaveLength(2);
  });

  test("S3.6.183 R38 a DOI of the metadata is the resource's own, further ones and handles are next to it, the ARK always", () => {
    const { doi, alternateIdentifiers } = resourceOf({
      identifiers: [
        { scheme: "doi", value: "https://doi.org/10.1234/abc" },
        { scheme: "doi", value: "10.5555/second" },
        { scheme: "handle", value: "123/456" },
        { scheme: "ads", value: "1924MNRAS..84..308E" },
      ],
    });
    expect(doi).toBe("10.1234/abc");
    expect(alternateIdentifiers?.map((each) => `${each.alternateIdentifierType} ${each.alternateIdentifier}`)).toEqual([
      "URL https://repo.example.org/records/7",
      "ARK ark:99999/b1x7",
      "URL https://ark.example.org/ark:99999/b1x7",
      "oai oai:repo.example.org:00000007",
      "DOI 10.5555/second",
      "Handle 123/456",
      "bibcode 1924MNRAS..84..308E",
    ]);
    expect(writeDataciteXml({ ...RECORD, metadata: EMPTY_METADATA }).text).toContain(
      '<identifier identifierType="ARK">ark:99999/b1x7</identifier>',
    );
  });

  test("S3.6.183 people: names without a given name, ORCID and ROR with where their schemes are described, no mail address", () => {
    const { creators, contributors } = resourceOf({
      creators: [
        {
          ...AGENT,
          names: [{ family: "Nielsen", given: "Lars Holm" }],
          ids: [{ scheme: "orcid", value: "0000-0001-8135-3489" }],
          affiliations: [
            { names: [{ value: "CERN" }], ids: [{ scheme: "ror", value: "01ggx4157" }] },
            { names: [{ value: "free-text" }], ids: [] },
          ],
        },
        { ...AGENT, names: [{ family: "紫式部", lang: "ja" }] },
        { ...AGENT, kind: "organizational", names: [{ full: "国立国会図書館", lang: "ja" }] },
      ],
      contributors: [{ ...AGENT, names: [{ full: "A, B" }], role: "datamanager" }],
      rightsHolders: [{ ...AGENT, names: [{ full: "C" }] }],
    });
    expect(creators).toEqual([
      {
        name: "Nielsen, Lars Holm",
        nameType: "Personal",
        givenName: "Lars Holm",
        familyName: "Nielsen",
        nameIdentifiers: [
          {
            nameIdentifier: "0000-0001-8135-3489",
            nameIdentifierScheme: "ORCID",
            schemeUri: "https://orcid.org/",
          },
        ],
        affiliation: [
          {
            name: "CERN",
            affiliationIdentifier: "https://ror.org/01ggx4157",
            affiliationIdentifierScheme: "ROR",
            schemeUri: "https://ror.org/",
          },
          { name: "free-text" },
        ],
      },
      { name: "紫式部", nameType: "Personal", familyName: "紫式部", lang: "ja" },
      { name: "国立国会図書館", nameType: "Organizational", lang: "ja" },
    ]);
    expect(contributors?.map(({ contributorType, name }) => `${contributorType} ${name}`)).toEqual([
      "DataManager A, B",
      "RightsHolder C",
    ]);
  });

  test("S3.6.183 relations by their DataCite names, versions and communities among them, what it appeared in as a related item", () => {
    const { relatedIdentifiers, relatedItems } = resourceOf(
      {
        type: { id: "publication-article" },
        relations: [
          {
            type: "iscitedby",
            ident: { scheme: "doi", value: "10.1234/foo.bar" },
            titles: [],
            resourceType: "dataset",
          },
          { type: "isFormatOf", ident: { scheme: "Local", value: "x", uri: "https://example.org/x" }, titles: [] },
          { type: "no such relation", ident: { scheme: "doi", value: "10.1234/gone" }, titles: [] },
        ],
        containers: [
          {
            titles: [{ value: "A journal", lang: "en" }],
            ids: [{ scheme: "issn", value: "1234-5679" }],
            ...{ volume: "5", issue: "10", pageStart: "100", pageEnd: "102", issued: "2020-09", place: "flat" },
          },
        ],
      },
      { replaces: "https://repo.example.org/records/6", communities: [{ slug: "blr", title: "B" }] },
    );
    const related = relatedIdentifiers?.map((each) => [
      `${each.relationType} ${each.relatedIdentifierType} ${each.relatedIdentifier}`,
      each.resourceTypeGeneral,
    ]);
    expect(related).toEqual([
      ["IsCitedBy DOI 10.1234/foo.bar", "Dataset"],
      ["IsVariantFormOf URL https://example.org/x", undefined],
      ["IsVersionOf URL https://repo.example.org/records/5", undefined],
      ["IsNewVersionOf URL https://repo.example.org/records/6", undefined],
      ["IsPartOf URL https://repo.example.org/api/communities/blr", undefined],
      ["IsPartOf ISSN 1234-5679", "Collection"],
    ]);
    expect(relatedItems).toEqual([
      {
        relatedItemType: "Journal",
        relationType: "IsPublishedIn",
        relatedItemIdentifier: { relatedItemIdentifier: "1234-5679", relatedItemIdentifierType: "ISSN" },
        titles: [{ title: "A journal", lang: "en" }],
        publicationYear: "2020",
        volume: "5",
        issue: "10",
        firstPage: "100",
        lastPage: "102",
      },
    ]);
  });

  test("S3.6.183 markup of a description becomes text once", () => {
    const metadata = {
      ...EMPTY_METADATA,
      descriptions: [
        { value: "<h1>A &amp; B</h1> <p>with &lt;b&gt;</p>", kind: "Abstract", html: true },
        { value: "a < b & c", kind: "Methods", html: false, lang: "en" },
      ],
    };
    expect(resourceOf(metadata).descriptions).toEqual([
      { description: "A & B\nwith <b>", descriptionType: "Abstract" },
      { description: "a < b & c", descriptionType: "Methods", lang: "en" },
    ]);
    const { text } = writeDataciteXml({ ...RECORD, metadata });
    expect(text).toContain('<description descriptionType="Abstract">A &amp; B\nwith &lt;b&gt;</description>');
  });

  test("S3.6.194 R38 what is left out is in comments of the XML, never with two hyphens, and is reported next to the JSON", () => {
    const metadata: Metadata = {
      ...EMPTY_METADATA,
      degree: { names: [{ value: "PhD" }], grantors: [] },
      dates: [{ date: "--", type: "x" }],
    };
    const xml = writeDataciteXml({ ...RECORD, metadata });
    expect(xml.text).toContain("<!-- Degree left out: the format has no place for it -->");
    expect(xml.text).toContain('<!-- The date "- -" has no form that DataCite knows and is left out -->');
    expect(writeDataciteJson({ ...RECORD, metadata }).leftOut).toEqual(xml.leftOut);
  });
});
