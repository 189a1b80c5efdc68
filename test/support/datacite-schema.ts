// The JSON Schema of DataCite 4.6, written after datacite-v4.6.json of the public datacite library (BSD 3-Clause); its
// lists are those of the XSD.
import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2019.js";
import addFormats from "ajv-formats";
import { exportVector } from "./export-judges.ts";

const XSD = readFileSync(exportVector("datacite-4.6.xsd"), "utf8");

/** The values of a list of the XSD. */
export function listOf(name: string): readonly string[] {
  const [, body = ""] = XSD.split(`<xs:simpleType name="${name}">`);
  const [list = ""] = body.split("</xs:simpleType>");
  return [...list.matchAll(/<xs:enumeration value="([^"]*)"/g)].map(([, value = ""]) => value);
}

type Schema = Readonly<Record<string, unknown>>;
const text: Schema = { type: "string" };
const uri: Schema = { type: "string", format: "uri" };
const oneOf = (list: string): Schema => ({ type: "string", enum: listOf(list) });
const closed = (properties: Readonly<Record<string, Schema>>, ...required: string[]): Schema => ({
  type: "object",
  additionalProperties: false,
  properties,
  required,
});
const listed = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, uniqueItems: true, ...more });
const degrees = (most: number): Schema => ({ type: "number", minimum: -most, maximum: most });
const DATE: Schema = {
  type: "string",
  anyOf: ["year", "yearmonth", "date", "datetime", "year-range", "yearmonth-range", "date-range", "datetime-range"].map(
    (format) => ({ format }),
  ),
};
const YEAR: Schema = { type: "string", pattern: "^[0-9]{4}$" };
const PERSON = {
  name: text,
  nameType: oneOf("nameType"),
  givenName: text,
  familyName: text,
  nameIdentifiers: listed(
    closed(
      { nameIdentifier: text, nameIdentifierScheme: text, schemeUri: uri },
      "nameIdentifier",
      "nameIdentifierScheme",
    ),
  ),
  affiliation: listed(
    closed({ name: text, affiliationIdentifier: text, affiliationIdentifierScheme: text, schemeUri: uri }, "name"),
  ),
  lang: text,
};
const creator = closed(PERSON, "name");
const contributor = closed({ ...PERSON, contributorType: oneOf("contributorType") }, "name", "contributorType");
const titles = listed(closed({ title: text, titleType: oneOf("titleType"), lang: text }, "title"), { minItems: 1 });
const point = closed({ pointLongitude: degrees(180), pointLatitude: degrees(90) }, "pointLongitude", "pointLatitude");
const BOX = {
  westBoundLongitude: degrees(180),
  eastBoundLongitude: degrees(180),
  southBoundLatitude: degrees(90),
  northBoundLatitude: degrees(90),
};

const DATACITE_SCHEMA_JSON: Schema = {
  ...closed(
    {
      doi: { type: "string", pattern: "^10[.][0-9]{4,9}[/][^\\s]+$" },
      prefix: text,
      suffix: text,
      url: uri,
      types: closed({ resourceType: text, resourceTypeGeneral: oneOf("resourceType") }, "resourceTypeGeneral"),
      creators: { type: "array", items: creator, minItems: 1 },
      titles,
      publisher: closed(
        { name: text, publisherIdentifier: text, publisherIdentifierScheme: text, schemeUri: uri, lang: text },
        "name",
      ),
      publicationYear: YEAR,
      subjects: listed(
        closed(
          { subject: text, subjectScheme: text, schemeUri: uri, valueUri: uri, classificationCode: text, lang: text },
          "subject",
        ),
      ),
      contributors: { type: "array", items: contributor },
      dates: listed(closed({ date: DATE, dateType: oneOf("dateType"), dateInformation: text }, "date", "dateType")),
      language: text,
      alternateIdentifiers: listed(
        closed(
          { alternateIdentifier: text, alternateIdentifierType: text },
          "alternateIdentifier",
          "alternateIdentifierType",
        ),
      ),
      // Of relations without metadata schemes: those have separate members, which we never write.
      relatedIdentifiers: {
        type: "array",
        items: closed(
          {
            relatedIdentifier: text,
            relatedIdentifierType: oneOf("relatedIdentifierType"),
            relationType: oneOf("relationType"),
            resourceTypeGeneral: oneOf("resourceType"),
          },
          "relatedIdentifier",
          "relatedIdentifierType",
          "relationType",
        ),
      },
      relatedItems: listed(
        closed(
          {
            relatedItemType: oneOf("resourceType"),
            relationType: oneOf("relationType"),
            relatedItemIdentifier: closed(
              { relatedItemIdentifier: text, relatedItemIdentifierType: oneOf("relatedIdentifierType") },
              "relatedItemIdentifier",
              "relatedItemIdentifierType",
            ),
            creators: { type: "array", items: creator },
            contributors: { type: "array", items: contributor },
            titles,
            publicationYear: YEAR,
            ...{ volume: text, issue: text, firstPage: text, lastPage: text, edition: text, publisher: text },
            ...{ number: text, numberType: oneOf("numberType") },
          },
          "titles",
          "relatedItemType",
          "relationType",
        ),
      ),
      sizes: listed(text),
      formats: listed(text),
      version: text,
      rightsList: listed(
        closed({
          ...{ rights: text, rightsUri: uri, rightsIdentifier: text, rightsIdentifierScheme: text },
          ...{ schemeUri: uri, lang: text },
        }),
      ),
      descriptions: listed(
        closed(
          { description: text, descriptionType: oneOf("descriptionType"), lang: text },
          "description",
          "descriptionType",
        ),
      ),
      geoLocations: listed(
        closed({
          geoLocationPlace: text,
          geoLocationPoint: point,
          geoLocationBox: closed(BOX, ...Object.keys(BOX)),
          geoLocationPolygon: { type: "array", items: closed({ polygonPoint: point, inPolygonPoint: point }) },
        }),
      ),
      fundingReferences: listed(
        closed(
          {
            ...{ funderName: text, funderIdentifier: text, funderIdentifierType: oneOf("funderIdentifierType") },
            ...{ awardNumber: text, awardUri: uri, awardTitle: text },
          },
          "funderName",
        ),
      ),
      schemaVersion: { const: "http://datacite.org/schema/kernel-4" },
    },
    ...["creators", "titles", "publisher", "publicationYear", "types", "schemaVersion"],
  ),
};

const YEARS = String.raw`\d{4}`;
const MONTHS = `${YEARS}-(?:0[1-9]|1[0-2])`;
const DAYS = String.raw`${MONTHS}-(?:0[1-9]|[12]\d|3[01])`;
const MOMENTS = String.raw`${DAYS}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})`;
const ANY = `(?:${MOMENTS}|${DAYS}|${MONTHS}|${YEARS})`;

/** What is wrong with a document by the JSON Schema; nothing is []. */
export function dataciteJudge(): (document: string) => readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const formats = { year: YEARS, yearmonth: MONTHS, date: DAYS, datetime: MOMENTS };
  for (const [name, form] of Object.entries(formats)) ajv.addFormat(name, new RegExp(`^${form}$`));
  // An interval of RKMS-ISO8601 may have bounds of two kinds, and one that is open.
  for (const name of Object.keys(formats)) ajv.addFormat(`${name}-range`, new RegExp(`^(?:${ANY}/${ANY}?|/${ANY})$`));
  const judge = ajv.compile(DATACITE_SCHEMA_JSON);
  return (document) =>
    judge(JSON.parse(document))
      ? []
      : (judge.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
