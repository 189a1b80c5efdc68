// Records as OpenAIRE XML (R38): whatever a record holds, the mandatory elements are there, and every value of a
// controlled list is one of the guidelines. Lists are written after the guidelines 4.0.
import { describe, expect, test } from "bun:test";
import { writeOpenaire } from "../../../src/formats/openaire/write.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { textOf, type XmlElement } from "../../../src/shared/xml/element.ts";
import { parseXml } from "../../../src/shared/xml/parse.ts";
import { sampleRecords } from "../../support/exported-records.ts";
import { childElements } from "../../support/xml-elements.ts";

const OAIRE = "http://namespace.openaire.eu/schema/oaire/";
const DATACITE = "http://datacite.org/schema/kernel-4";
const DC = "http://purl.org/dc/elements/1.1/";

/** The elements of the application profile, how often each may be there, and how often it must. */
const PROFILE: readonly (readonly [namespace: string, names: string, least: number, most: number])[] = [
  [DATACITE, "titles identifier rights", 1, 1],
  [OAIRE, "resourceType", 1, 1],
  [DC, "language publisher", 1, Number.POSITIVE_INFINITY],
  [DC, "description format coverage", 0, Number.POSITIVE_INFINITY],
  [DATACITE, "creators contributors alternateIdentifiers relatedIdentifiers dates subjects sizes geoLocations", 0, 1],
  [OAIRE, "fundingReferences version licenseCondition citationTitle citationVolume citationIssue", 0, 1],
  [OAIRE, "citationStartPage citationEndPage citationEdition citationConferencePlace citationConferenceDate", 0, 1],
  [OAIRE, "file", 0, Number.POSITIVE_INFINITY],
];

/** Values of attributes by `element attribute`, as patterns. */
const LISTS: Readonly<Record<string, RegExp>> = {
  "title titleType": /^(?:AlternativeTitle|Subtitle|TranslatedTitle|Other)$/,
  "creatorName nameType": /^(?:Organizational|Personal)$/,
  "contributorName nameType": /^(?:Organizational|Personal)$/,
  "contributor contributorType":
    /^(?:ContactPerson|Data(?:Collector|Curator|Manager)|Distributor|Editor|HostingInstitution|Other|Producer|Project(?:Leader|Manager|Member)|Registration(?:Agency|Authority)|RelatedPerson|ResearchGroup|RightsHolder|Researcher|Sponsor|Supervisor|WorkPackageLeader)$/,
  "date dateType": /^(?:Accepted|Available|Collected|Copyrighted|Created|Issued|Submitted|Updated|Valid)$/,
  "relatedIdentifier relatedIdentifierType":
    /^(?:ARK|arXiv|bibcode|DOI|EAN13|E?ISSN|Handle|IGSN|ISBN|ISTC|LISSN|LSID|PISSN|PMID|PURL|UPC|URL|URN|WOS)$/,
  "relatedIdentifier relationType":
    /^(?:IsCitedBy|Cites|Is(?:SupplementTo|SupplementedBy)|IsContinuedBy|Continues|IsDescribedBy|Describes|HasVersion|Is(?:New|Previous)?VersionOf|IsPartOf|HasPart|IsReferencedBy|References|IsDocumentedBy|Documents|IsCompiledBy|Compiles|IsVariantFormOf|IsOriginalFormOf|IsIdenticalTo|HasMetadata|IsMetadataFor|Reviews|IsReviewedBy|IsDerivedFrom|IsSourceOf|IsRequiredBy|Requires)$/,
  "identifier identifierType": /^(?:DOI|URN|PURL|URL|HANDLE|ARK)$/,
  "rights rightsURI": /^http:\/\/purl\.org\/coar\/access_right\/c_(?:abf2|f1cf|16ec|14cb)$/,
  "file accessRightsURI": /^http:\/\/purl\.org\/coar\/access_right\/c_(?:abf2|f1cf|16ec|14cb)$/,
  "file objectType": /^(?:fulltext|dataset|software|other)$/,
  "resourceType resourceTypeGeneral": /^(?:literature|dataset|software|other research product)$/,
  "resourceType uri": /^http:\/\/purl\.org\/coar\/resource_type\/[\w-]+$/,
  "version uri": /^http:\/\/purl\.org\/coar\/version\/c_[0-9a-f]{16}$/,
  "funderIdentifier funderIdentifierType": /^(?:ISNI|GRID|Crossref Funder ID|ROR|Other)$/,
};
const records = sampleRecords(300, 26);

const below = (element: XmlElement): readonly XmlElement[] =>
  childElements(element).flatMap((child) => [child, ...below(child)]);

const openaire = (metadata: Partial<Metadata>, more: Partial<(typeof records)[number]> = {}): XmlElement => {
  const [record] = records;
  if (record === undefined) throw new Error("There is no record");
  return parseXml(writeOpenaire({ ...record, files: [], metadata: { ...EMPTY_METADATA, ...metadata }, ...more }).text);
};
const namedIn = (root: XmlElement, name: string): readonly XmlElement[] =>
  below(root).filter((element) => element.name === name);

describe("OpenAIRE XML", () => {
  test("Q.202 R38 elements are those of the application profile, mandatory ones always, each in its namespace", () => {
    for (const record of records) {
      const root = parseXml(writeOpenaire(record).text);
      expect([root.name, root.namespace]).toEqual(["resource", OAIRE]);
      const children = childElements(root).map(({ name, namespace }) => `${namespace} ${name}`);
      const rows = PROFILE.flatMap(([namespace, names, least, most]) =>
        names.split(" ").map((name) => ({ key: `${namespace} ${name}`, least, most })),
      );
      expect(children.filter((child) => !rows.some(({ key }) => key === child))).toEqual([]);
      for (const { key, least, most } of rows) {
        const count = children.filter((child) => child === key).length;
        expect([key, count >= least && count <= most]).toEqual([key, true]);
      }
    }
  });

  test("Q.202 R38 values of controlled lists are those of the guidelines, and no element is empty", () => {
    const seen = new Set<string>();
    for (const record of records) {
      for (const element of below(parseXml(writeOpenaire(record).text))) {
        for (const { name, value, namespace } of element.attributes) {
          const key = `${element.name} ${name}`;
          if (namespace !== "" || LISTS[key] === undefined) continue;
          seen.add(key);
          expect([key, value, LISTS[key].test(value)]).toEqual([key, value, true]);
        }
        if (element.name !== "awardNumber")
          expect([element.name, textOf(element) !== ""]).toEqual([element.name, true]);
      }
    }
    expect([...seen].toSorted()).toEqual(Object.keys(LISTS).toSorted());
  });

  test("Q.202 an article: stage, journal and pages, funder, licence with its day, file with its access", () => {
    const root = openaire(
      {
        type: { id: "publication-article", label: "journal article" },
        titles: [{ value: "Tides", kind: "main", lang: "en" }],
        languages: ["eng"],
        versionType: { label: "AM" },
        versionLabel: "2",
        containers: [
          {
            titles: [{ value: "Journal of Tides" }],
            ids: [{ scheme: "ISSN", value: "1234-5679" }],
            volume: "7",
            issue: "2",
            pageStart: "11",
            pageEnd: "19",
            place: "flat",
          },
        ],
        rights: [
          { id: "cc-by-4.0", text: [{ value: "CC BY 4.0" }], uri: "https://creativecommons.org/licenses/by/4.0/" },
        ],
        dates: [
          { date: "2026-03-01", type: "Available" },
          { date: "2020", type: "Coverage" },
        ],
      },
      { status: "open" },
    );
    const one = (name: string) => namedIn(root, name).map((element) => textOf(element));
    expect([one("version"), one("citationTitle"), one("citationVolume"), one("citationIssue")]).toEqual([
      ["AM"],
      ["Journal of Tides"],
      ["7"],
      ["2"],
    ]);
    expect([one("citationStartPage"), one("citationEndPage"), one("language"), one("resourceType")]).toEqual([
      ["11"],
      ["19"],
      ["eng"],
      ["journal article"],
    ]);
    const license = namedIn(root, "licenseCondition")[0];
    expect(license?.attributes.map(({ name, value }) => [name, value])).toEqual([
      ["uri", "https://creativecommons.org/licenses/by/4.0/"],
      ["startDate", "2026-03-01"],
    ]);
    expect(one("date")).not.toContain("2020");
    const types = namedIn(root, "relatedIdentifier").map(({ attributes }) => attributes.map(({ value }) => value));
    expect(types).toContainEqual(["ISSN", "IsPartOf"]);
    expect(writeOpenaire(records[0] ?? Object.create(null)).text).toStartWith('<?xml version="1.0" encoding="UTF-8"?>');
  });

  test("Q.202 nothing stated: no creator is invented besides DataCite's word, the language is und, the type is other", () => {
    const root = openaire({}, { ark: null, arkUrl: null });
    expect(namedIn(root, "language").map(textOf)).toEqual(["und"]);
    expect(namedIn(root, "resourceType").map(textOf)).toEqual(["other"]);
    expect(namedIn(root, "creatorName").map(textOf)).toEqual(["(:unav)"]);
    const [identifier] = namedIn(root, "identifier");
    expect(identifier?.attributes.map(({ value }) => value)).toEqual(["URL"]);
  });
});
