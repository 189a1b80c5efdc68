// DataCite 4.6 as JSON and as XML (R38), written from one description of the resource.

import { withoutUndefined } from "../../shared/objects.ts";
import { exchangedJson } from "../../shared/text/text.ts";
import { XML_NAMESPACE, type XmlElement } from "../../shared/xml/element.ts";
import { printXml } from "../../shared/xml/print.ts";
import type { ExportedRecord, WrittenExport } from "../exported-record.ts";
import type { Contributor, Person } from "./agents.ts";
import type { GeoBox, GeoLocation, GeoPoint } from "./places.ts";
import type { DataciteTitle, RelatedItem } from "./relations.ts";
import { type DataciteResource, dataciteResource } from "./resource.ts";

export const DATACITE_NAMESPACE = "http://datacite.org/schema/kernel-4";
export const DATACITE_SCHEMA = "http://schema.datacite.org/meta/kernel-4.6/metadata.xsd";

export function writeDataciteJson(record: ExportedRecord): WrittenExport {
  const { resource, leftOut } = dataciteResource(record);
  return { text: exchangedJson(resource), leftOut };
}

export function writeDataciteXml(record: ExportedRecord): WrittenExport {
  const { resource, leftOut } = dataciteResource(record);
  const text = printXml(element("resource", {}, childrenOf(resource, record)), {
    prefixes: { [DATACITE_NAMESPACE]: "" },
    declaration: true,
    schemaLocation: `${DATACITE_NAMESPACE} ${DATACITE_SCHEMA}`,
    comments: leftOut,
  });
  return { text, leftOut };
}

type Attributes = Readonly<Record<string, string | undefined>>;
type Child = XmlElement | string | null;

/** Attributes without a value and children that are null are left out; `lang` is `xml:lang`. */
function element(name: string, attributes: Attributes, children: readonly Child[]): XmlElement {
  return {
    namespace: DATACITE_NAMESPACE,
    name,
    attributes: Object.entries(withoutUndefined(attributes)).map(([key, value = ""]) =>
      key === "lang" ? { namespace: XML_NAMESPACE, name: key, value } : { namespace: "", name: key, value },
    ),
    children: children.filter((child) => child !== null).filter((child) => child !== ""),
  };
}

const optional = (name: string, value: string | undefined): XmlElement | null =>
  value === undefined ? null : element(name, {}, [value]);

function listElement<T>(name: string, list: readonly T[] | undefined, one: (each: T) => XmlElement): XmlElement | null {
  return list === undefined || list.length === 0 ? null : element(name, {}, list.map(one));
}

/** The DOI, else the ARK, else the landing page: what the item is cited by. */
function identifierOf({ doi }: DataciteResource, { ark, landingPage }: ExportedRecord): readonly [string, string] {
  if (doi !== undefined) return [doi, "DOI"];
  return ark === null ? [landingPage, "URL"] : [ark, "ARK"];
}

function childrenOf(resource: DataciteResource, record: ExportedRecord): readonly (XmlElement | null)[] {
  const [identifier, identifierType] = identifierOf(resource, record);
  const alternates = (resource.alternateIdentifiers ?? []).filter(
    (each) => each.alternateIdentifier !== identifier || each.alternateIdentifierType !== identifierType,
  );
  const { types, publisher } = resource;
  return [
    element("identifier", { identifierType }, [identifier]),
    listElement("alternateIdentifiers", alternates, ({ alternateIdentifier, ...type }) =>
      element("alternateIdentifier", type, [alternateIdentifier]),
    ),
    listElement("creators", resource.creators, (creator) =>
      element("creator", {}, personParts("creatorName", creator)),
    ),
    listElement("titles", resource.titles, titleElement),
    element("publisher", { lang: publisher.lang }, [publisher.name]),
    element("publicationYear", {}, [resource.publicationYear]),
    listElement("subjects", resource.subjects, ({ subject, valueUri, ...more }) =>
      element("subject", { ...more, valueURI: valueUri }, [subject]),
    ),
    listElement("contributors", resource.contributors, contributorElement),
    listElement("dates", resource.dates, ({ date, ...more }) => element("date", more, [date])),
    optional("language", resource.language),
    element("resourceType", { resourceTypeGeneral: types.resourceTypeGeneral }, [types.resourceType]),
    listElement("relatedIdentifiers", resource.relatedIdentifiers, ({ relatedIdentifier, ...more }) =>
      element("relatedIdentifier", more, [relatedIdentifier]),
    ),
    listElement("sizes", resource.sizes, (size) => element("size", {}, [size])),
    listElement("formats", resource.formats, (format) => element("format", {}, [format])),
    optional("version", resource.version),
    listElement("rightsList", resource.rightsList, ({ rights, rightsUri, schemeUri, ...more }) =>
      element("rights", { rightsURI: rightsUri, ...more, schemeURI: schemeUri }, [rights ?? null]),
    ),
    listElement("descriptions", resource.descriptions, ({ description, ...more }) =>
      element("description", more, [description]),
    ),
    listElement("geoLocations", resource.geoLocations, geoLocationElement),
    listElement("fundingReferences", resource.fundingReferences, (reference) =>
      element("fundingReference", {}, [
        element("funderName", {}, [reference.funderName]),
        reference.funderIdentifier === undefined
          ? null
          : element("funderIdentifier", { funderIdentifierType: reference.funderIdentifierType }, [
              reference.funderIdentifier,
            ]),
        // The address of an award hangs on its number.
        reference.awardNumber === undefined && reference.awardUri === undefined
          ? null
          : element("awardNumber", { awardURI: reference.awardUri }, [reference.awardNumber ?? null]),
        optional("awardTitle", reference.awardTitle),
      ]),
    ),
    listElement("relatedItems", resource.relatedItems, relatedItemElement),
  ];
}

function personParts(nameElement: string, person: Person): readonly (XmlElement | null)[] {
  return [
    element(nameElement, { nameType: person.nameType, lang: person.lang }, [person.name]),
    optional("givenName", person.givenName),
    optional("familyName", person.familyName),
    ...(person.nameIdentifiers ?? []).map(({ nameIdentifier, nameIdentifierScheme, schemeUri }) =>
      element("nameIdentifier", { nameIdentifierScheme, schemeURI: schemeUri }, [nameIdentifier]),
    ),
    ...(person.affiliation ?? []).map(({ name, schemeUri, ...more }) =>
      element("affiliation", { ...more, schemeURI: schemeUri }, [name]),
    ),
  ];
}

const contributorElement = (contributor: Contributor): XmlElement =>
  element("contributor", { contributorType: contributor.contributorType }, personParts("contributorName", contributor));

const titleElement = ({ title, titleType, lang }: DataciteTitle): XmlElement =>
  element("title", { lang, titleType }, [title]);

const pointParts = ({ pointLongitude, pointLatitude }: GeoPoint): readonly XmlElement[] => [
  element("pointLongitude", {}, [String(pointLongitude)]),
  element("pointLatitude", {}, [String(pointLatitude)]),
];

const boxParts = (box: GeoBox): readonly XmlElement[] =>
  Object.entries(box).map(([side, degrees]) => element(side, {}, [String(degrees)]));

export function geoLocationElement(location: GeoLocation): XmlElement {
  const { geoLocationPlace, geoLocationPoint, geoLocationBox, geoLocationPolygon } = location;
  return element("geoLocation", {}, [
    optional("geoLocationPlace", geoLocationPlace),
    geoLocationPoint === undefined ? null : element("geoLocationPoint", {}, pointParts(geoLocationPoint)),
    geoLocationBox === undefined ? null : element("geoLocationBox", {}, boxParts(geoLocationBox)),
    geoLocationPolygon === undefined
      ? null
      : element(
          "geoLocationPolygon",
          {},
          geoLocationPolygon.map(({ polygonPoint }) => element("polygonPoint", {}, pointParts(polygonPoint))),
        ),
  ]);
}

function relatedItemElement(item: RelatedItem): XmlElement {
  const { relatedItemType, relationType, relatedItemIdentifier: identifier } = item;
  return element("relatedItem", { relatedItemType, relationType }, [
    identifier === undefined
      ? null
      : element("relatedItemIdentifier", { relatedItemIdentifierType: identifier.relatedItemIdentifierType }, [
          identifier.relatedItemIdentifier,
        ]),
    listElement("titles", item.titles, titleElement),
    optional("publicationYear", item.publicationYear),
    optional("volume", item.volume),
    optional("issue", item.issue),
    optional("firstPage", item.firstPage),
    optional("lastPage", item.lastPage),
  ]);
}
