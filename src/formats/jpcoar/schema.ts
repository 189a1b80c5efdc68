// What the JPCOAR 2.0 schema allows, as a table: attributes, order and number of children, and what a text may be. The
// writer takes its choices from here, the reader finds with it what a document holds beyond the schema.

import {
  CONTRIBUTOR_TYPES,
  DATE_TYPES,
  DESCRIPTION_TYPES,
  FUNDER_TYPES,
  HOLDING_SCHEMES,
  IDENTIFIER_TYPES,
  LICENSE_TYPES,
  NAME_SCHEMES,
  NAME_TYPES,
  OBJECT_TYPES,
  REGISTRATION_TYPES,
  RELATED_IDENTIFIER_TYPES,
  RELATION_TYPES,
  SOURCE_TYPES,
  STREAM_TYPES,
  SUBJECT_SCHEMES,
} from "./choices.ts";
import {
  isCalendarDate,
  isDate,
  isLanguage,
  isLatitude,
  isLongitude,
  isPositiveInteger,
  isUri,
  type TextRule,
} from "./text-rules.ts";

const JPCOAR_2 = "https://github.com/JPCOAR/schema/blob/master/2.0/";

/** The prefix by which each namespace is called in this folder and in what is printed. */
export const PREFIXES: Readonly<Record<string, string>> = {
  [JPCOAR_2]: "jpcoar",
  "http://purl.org/dc/elements/1.1/": "dc",
  "http://purl.org/dc/terms/": "dcterms",
  "https://schema.datacite.org/meta/kernel-4/": "datacite",
  "http://namespace.openaire.eu/schema/oaire/": "oaire",
  "http://ndl.go.jp/dcndl/terms/": "dcndl",
  "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
};
export const SCHEMA_LOCATION = `${JPCOAR_2} jpcoar_scm.xsd`;

type ElementRule = {
  /** Name of each attribute and what its value may be. */
  readonly attributes: Readonly<Record<string, TextRule>>;
  readonly required: readonly string[];
  /** Children in the order of the schema; `max` null: any number. Absent: the element holds text. */
  readonly children?: readonly (readonly [name: string, min: number, max: number | null])[];
  readonly text?: TextRule;
};

const any: TextRule = () => true;
const oneOf =
  (choices: readonly string[]): TextRule =>
  (text) =>
    choices.includes(text);
const pattern =
  (expression: RegExp): TextRule =>
  (text) =>
    expression.test(text);
const between =
  (low: number, high: number): TextRule =>
  (text) =>
    isPositiveInteger(text) && Number(text) >= low && Number(text) <= high;

const ACCESS_LABELS = ["embargoed access", "metadata only access", "open access", "restricted access"];
const VERSION_LABELS = ["AO", "SMUR", "AM", "P", "VoR", "CVoR", "EVoR", "NA"];

const lang = { "xml:lang": isLanguage };
const words: ElementRule = { attributes: {}, required: [] };
const text: ElementRule = { attributes: lang, required: [] };
const list = (
  children: NonNullable<ElementRule["children"]>,
  attributes: ElementRule["attributes"] = {},
): ElementRule => ({ attributes, required: [], children });
const typedElement = (
  attribute: string,
  choices: readonly string[],
  rule: TextRule = any,
  more: ElementRule["attributes"] = {},
): ElementRule => ({ attributes: { [attribute]: oneOf(choices), ...more }, required: [attribute], text: rule });
const number: ElementRule = { ...words, text: isPositiveInteger };
const resource = { "rdf:resource": isUri };

/** Every element by its name, as the schema declares it. */
export const ELEMENTS: Readonly<Record<string, ElementRule>> = {
  "jpcoar:jpcoar": list([
    ["dc:title", 1, null],
    ["dcterms:alternative", 0, null],
    ["jpcoar:creator", 0, null],
    ["jpcoar:contributor", 0, null],
    ["dcterms:accessRights", 0, 1],
    ["dc:rights", 0, null],
    ["jpcoar:rightsHolder", 0, null],
    ["jpcoar:subject", 0, null],
    ["datacite:description", 0, null],
    ["dc:publisher", 0, null],
    ["jpcoar:publisher", 0, null],
    ["datacite:date", 0, null],
    ["dcterms:date", 0, null],
    ["dc:language", 0, null],
    ["dc:type", 1, 1],
    ["datacite:version", 0, 1],
    ["oaire:version", 0, 1],
    ["jpcoar:identifier", 1, null],
    ["jpcoar:identifierRegistration", 0, 1],
    ["jpcoar:relation", 0, null],
    ["dcterms:temporal", 0, null],
    ["datacite:geoLocation", 0, null],
    ["jpcoar:fundingReference", 0, null],
    ["jpcoar:sourceIdentifier", 0, null],
    ["dcndl:edition", 0, null],
    ["dcndl:volumeTitle", 0, null],
    ["dcndl:originalLanguage", 0, null],
    ["dcterms:extent", 0, null],
    ["jpcoar:format", 0, null],
    ["jpcoar:holdingAgent", 0, 1],
    ["jpcoar:datasetSeries", 0, 1],
    ["jpcoar:sourceTitle", 0, null],
    ["jpcoar:volume", 0, 1],
    ["jpcoar:issue", 0, 1],
    ["jpcoar:numPages", 0, 1],
    ["jpcoar:pageStart", 0, 1],
    ["jpcoar:pageEnd", 0, 1],
    ["dcndl:dissertationNumber", 0, 1],
    ["dcndl:degreeName", 0, null],
    ["dcndl:dateGranted", 0, 1],
    ["jpcoar:degreeGrantor", 0, null],
    ["jpcoar:conference", 0, null],
    ["jpcoar:file", 0, null],
    ["jpcoar:catalog", 0, 1],
  ]),
  "dc:title": text,
  "dcterms:alternative": text,
  "jpcoar:creator": list(
    [
      ["jpcoar:nameIdentifier", 0, null],
      ["jpcoar:creatorName", 0, null],
      ["jpcoar:familyName", 0, null],
      ["jpcoar:givenName", 0, null],
      ["jpcoar:creatorAlternative", 0, null],
      ["jpcoar:affiliation", 0, null],
    ],
    { creatorType: any },
  ),
  "jpcoar:contributor": list(
    [
      ["jpcoar:nameIdentifier", 0, null],
      ["jpcoar:contributorName", 0, null],
      ["jpcoar:familyName", 0, null],
      ["jpcoar:givenName", 0, null],
      ["jpcoar:contributorAlternative", 0, null],
      ["jpcoar:affiliation", 0, null],
    ],
    { contributorType: oneOf(CONTRIBUTOR_TYPES) },
  ),
  "jpcoar:nameIdentifier": typedElement("nameIdentifierScheme", NAME_SCHEMES, any, { nameIdentifierURI: isUri }),
  "jpcoar:creatorName": { attributes: { ...lang, nameType: oneOf(NAME_TYPES) }, required: [] },
  "jpcoar:contributorName": { attributes: { ...lang, nameType: oneOf(NAME_TYPES) }, required: [] },
  "jpcoar:familyName": text,
  "jpcoar:givenName": text,
  "jpcoar:creatorAlternative": text,
  "jpcoar:contributorAlternative": text,
  "jpcoar:affiliation": list([
    ["jpcoar:nameIdentifier", 0, null],
    ["jpcoar:affiliationName", 0, null],
  ]),
  "jpcoar:affiliationName": text,
  "dcterms:accessRights": { attributes: resource, required: [], text: oneOf(ACCESS_LABELS) },
  "dc:rights": { attributes: { ...lang, ...resource }, required: [] },
  "jpcoar:rightsHolder": list([
    ["jpcoar:nameIdentifier", 0, null],
    ["jpcoar:rightsHolderName", 0, null],
  ]),
  "jpcoar:rightsHolderName": text,
  "jpcoar:subject": typedElement("subjectScheme", SUBJECT_SCHEMES, any, { ...lang, subjectURI: isUri }),
  "datacite:description": typedElement("descriptionType", DESCRIPTION_TYPES, any, lang),
  "dc:publisher": text,
  "jpcoar:publisher": list([
    ["jpcoar:publisherName", 0, null],
    ["jpcoar:publisherDescription", 0, null],
    ["dcndl:location", 0, null],
    ["dcndl:publicationPlace", 0, null],
  ]),
  "jpcoar:publisherName": text,
  "jpcoar:publisherDescription": text,
  "dcndl:location": text,
  "dcndl:publicationPlace": words,
  "datacite:date": typedElement("dateType", DATE_TYPES, isDate),
  "dcterms:date": text,
  "dc:language": { ...words, text: pattern(/^[a-z]{3}$/) },
  // The choices of dc:type are in the table of resource types, which the writer uses.
  "dc:type": { attributes: resource, required: ["rdf:resource"] },
  "datacite:version": words,
  "oaire:version": { attributes: resource, required: ["rdf:resource"], text: oneOf(VERSION_LABELS) },
  "jpcoar:identifier": typedElement("identifierType", IDENTIFIER_TYPES, isUri),
  "jpcoar:identifierRegistration": typedElement("identifierType", REGISTRATION_TYPES),
  "jpcoar:relation": list(
    [
      ["jpcoar:relatedIdentifier", 0, 1],
      ["jpcoar:relatedTitle", 0, null],
    ],
    { relationType: oneOf(RELATION_TYPES) },
  ),
  "jpcoar:relatedIdentifier": typedElement("identifierType", RELATED_IDENTIFIER_TYPES, isUri),
  "jpcoar:relatedTitle": text,
  "dcterms:temporal": text,
  "datacite:geoLocation": list([
    ["datacite:geoLocationPoint", 0, 1],
    ["datacite:geoLocationBox", 0, 1],
    ["datacite:geoLocationPlace", 0, null],
  ]),
  "datacite:geoLocationPoint": list([
    ["datacite:pointLongitude", 1, 1],
    ["datacite:pointLatitude", 1, 1],
  ]),
  "datacite:geoLocationBox": list([
    ["datacite:westBoundLongitude", 1, 1],
    ["datacite:eastBoundLongitude", 1, 1],
    ["datacite:southBoundLatitude", 1, 1],
    ["datacite:northBoundLatitude", 1, 1],
  ]),
  "datacite:pointLongitude": { ...words, text: isLongitude },
  "datacite:pointLatitude": { ...words, text: isLatitude },
  "datacite:westBoundLongitude": { ...words, text: isLongitude },
  "datacite:eastBoundLongitude": { ...words, text: isLongitude },
  "datacite:southBoundLatitude": { ...words, text: isLatitude },
  "datacite:northBoundLatitude": { ...words, text: isLatitude },
  "datacite:geoLocationPlace": words,
  "jpcoar:fundingReference": list([
    ["jpcoar:funderIdentifier", 0, 1],
    ["jpcoar:funderName", 1, null],
    ["jpcoar:fundingStreamIdentifier", 0, 1],
    ["jpcoar:fundingStream", 0, null],
    ["jpcoar:awardNumber", 0, 1],
    ["jpcoar:awardTitle", 0, null],
  ]),
  "jpcoar:funderIdentifier": typedElement("funderIdentifierType", FUNDER_TYPES, any, {
    funderIdentifierTypeURI: isUri,
  }),
  "jpcoar:funderName": text,
  "jpcoar:fundingStreamIdentifier": {
    attributes: { fundingStreamIdentifierType: oneOf(STREAM_TYPES), fundingStreamIdentifierTypeURI: isUri },
    required: [],
  },
  "jpcoar:fundingStream": text,
  "jpcoar:awardNumber": { attributes: { awardURI: isUri, awardNumberType: any }, required: [] },
  "jpcoar:awardTitle": text,
  "jpcoar:sourceIdentifier": typedElement("identifierType", SOURCE_TYPES),
  "dcndl:edition": text,
  "dcndl:volumeTitle": text,
  "dcndl:originalLanguage": words,
  "dcterms:extent": text,
  "jpcoar:format": text,
  "jpcoar:holdingAgent": list([
    ["jpcoar:holdingAgentNameIdentifier", 0, 1],
    ["jpcoar:holdingAgentName", 0, null],
  ]),
  "jpcoar:holdingAgentNameIdentifier": typedElement("nameIdentifierScheme", HOLDING_SCHEMES, any, {
    ...lang,
    nameIdentifierURI: isUri,
  }),
  "jpcoar:holdingAgentName": text,
  "jpcoar:datasetSeries": { ...words, text: oneOf(["True", "False"]) },
  "jpcoar:sourceTitle": text,
  "jpcoar:volume": words,
  "jpcoar:issue": words,
  "jpcoar:numPages": number,
  "jpcoar:pageStart": number,
  "jpcoar:pageEnd": number,
  "dcndl:dissertationNumber": words,
  "dcndl:degreeName": text,
  "dcndl:dateGranted": { ...words, text: isCalendarDate },
  "jpcoar:degreeGrantor": list([
    ["jpcoar:nameIdentifier", 0, null],
    ["jpcoar:degreeGrantorName", 0, null],
  ]),
  "jpcoar:degreeGrantorName": text,
  "jpcoar:conference": list([
    ["jpcoar:conferenceName", 0, null],
    ["jpcoar:conferenceSequence", 0, 1],
    ["jpcoar:conferenceSponsor", 0, null],
    ["jpcoar:conferenceDate", 0, 1],
    ["jpcoar:conferenceVenue", 0, null],
    ["jpcoar:conferencePlace", 0, null],
    ["jpcoar:conferenceCountry", 0, 1],
  ]),
  "jpcoar:conferenceName": text,
  "jpcoar:conferenceSequence": number,
  "jpcoar:conferenceSponsor": text,
  "jpcoar:conferenceDate": {
    attributes: {
      ...lang,
      startDay: between(1, 31),
      startMonth: between(1, 12),
      startYear: between(1400, 2200),
      endDay: between(1, 31),
      endMonth: between(1, 12),
      endYear: between(1400, 2200),
    },
    required: [],
  },
  "jpcoar:conferenceVenue": text,
  "jpcoar:conferencePlace": text,
  "jpcoar:conferenceCountry": { ...words, text: pattern(/^[A-Z]{3}$/) },
  "jpcoar:file": list([
    ["jpcoar:URI", 0, 1],
    ["jpcoar:mimeType", 0, 1],
    ["jpcoar:extent", 0, null],
    ["datacite:date", 0, null],
    ["datacite:version", 0, 1],
  ]),
  "jpcoar:URI": { attributes: { objectType: oneOf(OBJECT_TYPES), label: any }, required: [], text: isUri },
  "jpcoar:mimeType": words,
  "jpcoar:extent": words,
  "jpcoar:catalog": list([
    ["jpcoar:contributor", 0, null],
    ["jpcoar:identifier", 0, null],
    ["dc:title", 0, null],
    ["datacite:description", 0, null],
    ["jpcoar:subject", 0, null],
    ["jpcoar:license", 0, null],
    ["dc:rights", 0, null],
    ["dcterms:accessRights", 0, 1],
    ["jpcoar:file", 0, 1],
  ]),
  "jpcoar:license": typedElement("licenseType", LICENSE_TYPES, any, { ...lang, ...resource }),
};

/** The position of each element in a record. */
export const ROOT_ORDER: ReadonlyMap<string, number> = new Map(
  (ELEMENTS["jpcoar:jpcoar"]?.children ?? []).map(([name], at) => [name, at]),
);
