// A record by the OpenAIRE Guidelines for Literature Repositories 4.0 (R31, R38): elements of DataCite and Dublin Core
// with those of OpenAIRE around them. Written from the same description as DataCite 4.6; what the guidelines, which
// follow DataCite 4.1, have no place for is named in a comment. Every mandatory element is always there.
import { STATUS_RIGHTS } from "../../model/access/openness.ts";
import { languageOf } from "../../model/metadata/language-codes.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import { printedResourceType } from "../../model/metadata/resource-types.ts";
import { VERSION_TYPES, versionTypeLabel } from "../../model/metadata/version-types.ts";
import { accessRightsLabel, accessRightsOf } from "../../model/rights/access-rights.ts";
import { withoutUndefined } from "../../shared/objects.ts";
import { XML_NAMESPACE, type XmlElement } from "../../shared/xml/element.ts";
import { printXml } from "../../shared/xml/print.ts";
import { workKind } from "../citation/cited-item.ts";
import type { Contributor, Person } from "../datacite/agents.ts";
import type { DateType, IdentifierType, RelationType } from "../datacite/lists.ts";
import { type DataciteResource, dataciteResource } from "../datacite/resource.ts";
import { DATACITE_NAMESPACE, geoLocationElement } from "../datacite/write.ts";
import { firstText, trimmedText, trimmedWording, unique } from "../export-values.ts";
import type { ExportedFile, ExportedRecord, WrittenExport } from "../exported-record.ts";

export const OPENAIRE_NAMESPACE = "http://namespace.openaire.eu/schema/oaire/";
export const OPENAIRE_SCHEMA = "https://www.openaire.eu/schema/repo-lit/4.0/openaire.xsd";
const DC = "http://purl.org/dc/elements/1.1/";
const PREFIXES = { [OPENAIRE_NAMESPACE]: "oaire", [DATACITE_NAMESPACE]: "datacite", [DC]: "dc" };

type Attributes = Readonly<Record<string, string | undefined>>;
type Child = XmlElement | string | null;

/** Attributes without a value and children that are null or empty are left out; `lang` is `xml:lang`. */
function elementIn(namespace: string, name: string, attributes: Attributes, children: readonly Child[]): XmlElement {
  return {
    namespace,
    name,
    attributes: Object.entries(withoutUndefined(attributes)).map(([key, value = ""]) =>
      key === "lang" ? { namespace: XML_NAMESPACE, name: key, value } : { namespace: "", name: key, value },
    ),
    children: children.filter((child) => child !== null).filter((child) => child !== ""),
  };
}
const datacite = (name: string, attributes: Attributes, children: readonly Child[]): XmlElement =>
  elementIn(DATACITE_NAMESPACE, name, attributes, children);
const oaire = (name: string, attributes: Attributes, children: readonly Child[]): XmlElement =>
  elementIn(OPENAIRE_NAMESPACE, name, attributes, children);
const dc = (name: string, text: string, lang?: string): XmlElement => elementIn(DC, name, { lang }, [text]);

const optional = (name: string, value: string | undefined): XmlElement | null =>
  trimmedText(value) === "" ? null : oaire(name, {}, [trimmedText(value)]);

const list = <T>(name: string, values: readonly T[] | undefined, one: (value: T) => XmlElement): XmlElement | null =>
  values === undefined || values.length === 0 ? null : datacite(name, {}, values.map(one));

export function writeOpenaire(record: ExportedRecord): WrittenExport {
  const { resource, leftOut } = dataciteResource(record);
  const root = oaire("resource", {}, childrenOf(resource, record));
  const all = unique([...leftOut, ...leftOutOf(resource)]);
  const schemaLocation = `${OPENAIRE_NAMESPACE} ${OPENAIRE_SCHEMA}`;
  const text = printXml(root, { prefixes: PREFIXES, declaration: true, schemaLocation, comments: all });
  return { text, leftOut: all };
}

/** What DataCite 4.6 has and the guidelines have not. */
const NO_DATES: ReadonlySet<DateType> = new Set<DateType>(["Coverage", "Other", "Withdrawn"]);
const NO_IDENTIFIERS: ReadonlySet<IdentifierType> = new Set<IdentifierType>(["CSTR", "RRID", "w3id"]);
const NO_RELATIONS: ReadonlySet<RelationType> = new Set<RelationType>([
  "IsPublishedIn",
  "Obsoletes",
  "IsObsoletedBy",
  "Collects",
  "IsCollectedBy",
  "HasTranslation",
  "IsTranslationOf",
]);

const datesOf = ({ dates = [] }: DataciteResource) => dates.filter(({ dateType }) => !NO_DATES.has(dateType));
const relatedOf = ({ relatedIdentifiers = [] }: DataciteResource) =>
  relatedIdentifiers.filter(
    ({ relatedIdentifierType, relationType }) =>
      !NO_IDENTIFIERS.has(relatedIdentifierType) && !NO_RELATIONS.has(relationType),
  );

function leftOutOf(resource: DataciteResource): readonly string[] {
  const sentences = {
    "Dates of other kinds": (resource.dates ?? []).length > datesOf(resource).length,
    "Related identifiers of other kinds": (resource.relatedIdentifiers ?? []).length > relatedOf(resource).length,
    "Identifiers of affiliations": [...resource.creators, ...(resource.contributors ?? [])].some(
      ({ affiliation = [] }) => affiliation.some((each) => each.affiliationIdentifier !== undefined),
    ),
    "Titles of related items": (resource.relatedItems ?? []).length > 0,
  };
  return Object.entries(sentences).flatMap(([what, isThere]) =>
    isThere ? [`${what} left out: OpenAIRE has no place for them`] : [],
  );
}

function childrenOf(resource: DataciteResource, record: ExportedRecord): readonly (XmlElement | null)[] {
  const { metadata, files } = record;
  const identifier = identifierOf(resource, record);
  return [
    list("titles", resource.titles, ({ title, titleType, lang }) => datacite("title", { lang, titleType }, [title])),
    list("creators", resource.creators, (creator) => datacite("creator", {}, personParts("creatorName", creator))),
    list("contributors", resource.contributors, contributorElement),
    fundingOf(resource),
    list(
      "alternateIdentifiers",
      (resource.alternateIdentifiers ?? []).filter((each) => each.alternateIdentifier !== identifier.children[0]),
      ({ alternateIdentifier, ...type }) => datacite("alternateIdentifier", type, [alternateIdentifier]),
    ),
    list("relatedIdentifiers", relatedOf(resource), ({ relatedIdentifier, resourceTypeGeneral: _, ...types }) =>
      datacite("relatedIdentifier", types, [relatedIdentifier]),
    ),
    list("dates", datesOf(resource), ({ date, dateType, dateInformation }) =>
      datacite("date", { dateType, dateInformation }, [date]),
    ),
    ...languagesOf(metadata).map((language) => dc("language", language)),
    dc("publisher", resource.publisher.name, resource.publisher.lang),
    resourceTypeOf(resource, metadata),
    ...(resource.descriptions ?? []).map(({ description, lang }) => dc("description", description, lang)),
    ...(resource.formats ?? []).map((format) => dc("format", format)),
    identifier,
    rightsOf(record),
    list("subjects", resource.subjects, ({ subject, subjectScheme, valueUri, lang }) =>
      datacite("subject", { lang, subjectScheme, valueURI: valueUri }, [subject]),
    ),
    licenseOf(resource),
    ...metadata.temporals
      .map(trimmedWording)
      .flatMap(({ value, lang }) => (value === "" ? [] : [dc("coverage", value, lang)])),
    list("sizes", resource.sizes, (size) => datacite("size", {}, [size])),
    list("geoLocations", resource.geoLocations, geoLocationElement),
    versionOf(metadata),
    ...files.map((file) => fileElement(file, generalType(resource))),
    ...citationOf(metadata),
  ];
}

/** The address that leads here: the DOI's, else the ARK's, else that of the landing page. */
function identifierOf({ doi }: DataciteResource, { arkUrl, landingPage }: ExportedRecord): XmlElement {
  const [address, identifierType] =
    doi !== undefined ? [`https://doi.org/${doi}`, "DOI"] : arkUrl !== null ? [arkUrl, "ARK"] : [landingPage, "URL"];
  return datacite("identifier", { identifierType }, [address]);
}

/** The guidelines require one; `und` is the code for a language that is not known (ISO 639-3). */
function languagesOf({ languages }: Metadata): readonly string[] {
  const stated = unique(languages.map((code) => languageOf(trimmedText(code))).filter((code) => code !== ""));
  return stated.length === 0 ? ["und"] : stated;
}

function personParts(nameElement: string, person: Person): readonly (XmlElement | null)[] {
  const { name, nameType, givenName, familyName, nameIdentifiers = [], affiliation = [] } = person;
  return [
    datacite(nameElement, { nameType }, [name]),
    givenName === undefined ? null : datacite("givenName", {}, [givenName]),
    familyName === undefined ? null : datacite("familyName", {}, [familyName]),
    ...nameIdentifiers.map(({ nameIdentifier, nameIdentifierScheme, schemeUri }) =>
      datacite("nameIdentifier", { nameIdentifierScheme, schemeURI: schemeUri }, [nameIdentifier]),
    ),
    ...affiliation.map((each) => datacite("affiliation", {}, [each.name])),
  ];
}

/** DataCite added translators later. */
function contributorElement(contributor: Contributor): XmlElement {
  const { contributorType } = contributor;
  const type = contributorType === "Translator" ? "Other" : contributorType;
  return datacite("contributor", { contributorType: type }, personParts("contributorName", contributor));
}

function fundingOf({ fundingReferences = [] }: DataciteResource): XmlElement | null {
  if (fundingReferences.length === 0) return null;
  return oaire(
    "fundingReferences",
    {},
    fundingReferences.map(({ funderName, funderIdentifier, funderIdentifierType, awardNumber, awardUri, awardTitle }) =>
      oaire("fundingReference", {}, [
        oaire("funderName", {}, [funderName]),
        funderIdentifier === undefined ? null : oaire("funderIdentifier", { funderIdentifierType }, [funderIdentifier]),
        awardNumber === undefined && awardUri === undefined
          ? null
          : oaire("awardNumber", { awardURI: awardUri }, [awardNumber ?? null]),
        optional("awardTitle", awardTitle),
      ]),
    ),
  );
}

type GeneralType = "literature" | "dataset" | "software" | "other research product";

/** Of the general types of DataCite those that are not literature. */
const GENERAL_TYPES: Readonly<Partial<Record<DataciteResource["types"]["resourceTypeGeneral"], GeneralType>>> = {
  Dataset: "dataset",
  Software: "software",
  ComputationalNotebook: "software",
  Audiovisual: "other research product",
  Award: "other research product",
  Collection: "other research product",
  Event: "other research product",
  Image: "other research product",
  Instrument: "other research product",
  InteractiveResource: "other research product",
  Model: "other research product",
  PhysicalObject: "other research product",
  Project: "other research product",
  Service: "other research product",
  Sound: "other research product",
  StudyRegistration: "other research product",
  Workflow: "other research product",
  Other: "other research product",
};

const generalType = ({ types }: DataciteResource): GeneralType =>
  GENERAL_TYPES[types.resourceTypeGeneral] ?? "literature";

const OTHER_TYPE = { label: "other", uri: "http://purl.org/coar/resource_type/c_1843" };

function resourceTypeOf(resource: DataciteResource, { type }: Metadata): XmlElement {
  const { label, uri } = (type === null ? null : printedResourceType(type)) ?? OTHER_TYPE;
  return oaire("resourceType", { resourceTypeGeneral: generalType(resource), uri }, [label]);
}

function rightsOf({ metadata, status }: ExportedRecord): XmlElement {
  const stated = metadata.accessRights;
  const label = stated === undefined ? null : accessRightsLabel(stated.label, stated.uri);
  const access = label === null ? STATUS_RIGHTS[status] : accessRightsOf(label);
  return datacite("rights", { rightsURI: access.uri }, [access.label]);
}

/** One licence; it counts from the day on which the item is open where that is stated. */
function licenseOf(resource: DataciteResource): XmlElement | null {
  const access: readonly string[] = Object.values(STATUS_RIGHTS).map(({ uri }) => uri);
  const [license] = (resource.rightsList ?? []).filter(
    ({ rights, rightsUri }) => (rights ?? rightsUri) !== undefined && !access.includes(rightsUri ?? ""),
  );
  if (license === undefined) return null;
  const startDate = resource.dates?.find(({ dateType }) => dateType === "Available")?.date;
  const isDay = startDate !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(startDate);
  return oaire("licenseCondition", { uri: license.rightsUri, startDate: isDay ? startDate : undefined }, [
    license.rights ?? license.rightsUri ?? "",
  ]);
}

/** The stage of an article in the journal's process, else the label of the version. */
function versionOf({ versionType, versionLabel }: Metadata): XmlElement | null {
  const label = versionType === undefined ? null : versionTypeLabel(versionType.label, versionType.uri);
  return label === null ? optional("version", versionLabel) : oaire("version", { uri: VERSION_TYPES[label] }, [label]);
}

const OBJECT_TYPES: Readonly<Record<GeneralType, string>> = {
  literature: "fulltext",
  dataset: "dataset",
  software: "software",
  "other research product": "other",
};

function fileElement({ url, mediaType, isPublic, access }: ExportedFile, general: GeneralType): XmlElement {
  const { uri } = STATUS_RIGHTS[isPublic ? "open" : access === "date" ? "embargoed" : "restricted"];
  const objectType = OBJECT_TYPES[general];
  return oaire("file", { accessRightsURI: uri, mimeType: mediaType, objectType }, [url]);
}

/** Where it appeared: the first journal, book or volume, and the first conference. */
function citationOf(metadata: Metadata): readonly (XmlElement | null)[] {
  const [container] = metadata.containers;
  const [conference] = metadata.conferences;
  const start = conference?.date;
  const day = [start?.startYear, start?.startMonth, start?.startDay].map(trimmedText).filter((part) => part !== "");
  return [
    optional("citationTitle", container === undefined ? undefined : firstText(container.titles)?.value),
    optional("citationVolume", container?.volume),
    optional("citationIssue", container?.issue),
    optional("citationStartPage", container?.pageStart),
    optional("citationEndPage", container?.pageEnd),
    workKind(metadata) === "book" ? optional("citationEdition", firstText(metadata.editions)?.value) : null,
    optional("citationConferencePlace", conference === undefined ? undefined : firstText(conference.places)?.value),
    optional("citationConferenceDate", trimmedText(start?.text) || day.join("-")),
  ];
}
