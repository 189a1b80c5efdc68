// DataCite XML read back into the members that DataCite JSON has, so that the two can be compared. Reads what our
// writer writes, and no more.
import { textOf, XML_NAMESPACE, type XmlElement } from "../../src/shared/xml/element.ts";
import { parseXml } from "../../src/shared/xml/parse.ts";
import { attributeOf, childElements } from "./xml-elements.ts";

type Members = Record<string, unknown>;

const bare = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
const child = (element: XmlElement, name: string): XmlElement | undefined =>
  childElements(element).find((each) => each.name === name);
const all = (element: XmlElement, name: string): XmlElement[] =>
  childElements(element).filter((each) => each.name === name);
const text = (element: XmlElement | undefined): string | undefined =>
  element === undefined ? undefined : textOf(element);
const within = (root: XmlElement, list: string, one: string): XmlElement[] => {
  const parent = child(root, list);
  return parent === undefined ? [] : all(parent, one);
};

/** Attributes by the names JSON has for them. */
const attributes = (element: XmlElement): Members =>
  Object.fromEntries(
    element.attributes.map(({ namespace, name, value }) => [
      namespace === XML_NAMESPACE ? "lang" : name.replace(/URI$/, "Uri"),
      value,
    ]),
  );

/** The content of an element with text: its text under a name, and its attributes. An empty text is absent. */
const contentOf = (element: XmlElement, name: string): Members => {
  const value = textOf(element);
  return { ...(value === "" ? {} : { [name]: value }), ...attributes(element) };
};

function person(element: XmlElement): Members {
  const name = childElements(element).find((each) => /^(?:creator|contributor)Name$/.test(each.name));
  const identifiers = all(element, "nameIdentifier").map((each) => contentOf(each, "nameIdentifier"));
  const affiliation = all(element, "affiliation").map((each) => contentOf(each, "name"));
  return bare({
    ...attributes(element),
    ...(name === undefined ? {} : contentOf(name, "name")),
    givenName: text(child(element, "givenName")),
    familyName: text(child(element, "familyName")),
    nameIdentifiers: identifiers.length === 0 ? undefined : identifiers,
    affiliation: affiliation.length === 0 ? undefined : affiliation,
  });
}

const numbers = (element: XmlElement): Members =>
  Object.fromEntries(childElements(element).map((each) => [each.name, Number(textOf(each))]));

function geoLocation(element: XmlElement): Members {
  const part = (name: string): Members | undefined => {
    const found = child(element, name);
    return found === undefined ? undefined : numbers(found);
  };
  const polygon = child(element, "geoLocationPolygon");
  return bare({
    geoLocationPlace: text(child(element, "geoLocationPlace")),
    geoLocationPoint: part("geoLocationPoint"),
    geoLocationBox: part("geoLocationBox"),
    geoLocationPolygon:
      polygon === undefined ? undefined : childElements(polygon).map((each) => ({ polygonPoint: numbers(each) })),
  });
}

function funding(element: XmlElement): Members {
  const identifier = child(element, "funderIdentifier");
  const award = child(element, "awardNumber");
  return bare({
    funderName: text(child(element, "funderName")),
    ...(identifier === undefined ? {} : contentOf(identifier, "funderIdentifier")),
    ...(award === undefined ? {} : contentOf(award, "awardNumber")),
    awardTitle: text(child(element, "awardTitle")),
  });
}

function relatedItem(element: XmlElement): Members {
  const identifier = child(element, "relatedItemIdentifier");
  const plain = ["publicationYear", "volume", "issue", "firstPage", "lastPage"];
  return bare({
    ...attributes(element),
    relatedItemIdentifier: identifier === undefined ? undefined : contentOf(identifier, "relatedItemIdentifier"),
    titles: within(element, "titles", "title").map((each) => contentOf(each, "title")),
    ...Object.fromEntries(plain.map((name) => [name, text(child(element, name))])),
  });
}

export function readDataciteXml(document: string): unknown {
  const root = parseXml(document);
  const identifier = child(root, "identifier");
  const isDoi = identifier !== undefined && attributeOf(identifier, "identifierType") === "DOI";
  const first =
    identifier === undefined || isDoi
      ? []
      : [
          {
            alternateIdentifier: textOf(identifier),
            alternateIdentifierType: attributeOf(identifier, "identifierType"),
          },
        ];
  const listed = (list: string, one: string, read: (element: XmlElement) => unknown): unknown => {
    const found = within(root, list, one).map(read);
    return found.length === 0 ? undefined : found;
  };
  const alternates = within(root, "alternateIdentifiers", "alternateIdentifier").map((each) =>
    contentOf(each, "alternateIdentifier"),
  );
  const type = child(root, "resourceType");
  const publisher = child(root, "publisher");
  return bare({
    doi: isDoi ? text(identifier) : undefined,
    types: type === undefined ? undefined : { ...attributes(type), resourceType: textOf(type) },
    creators: listed("creators", "creator", person),
    titles: listed("titles", "title", (each) => contentOf(each, "title")),
    publisher: publisher === undefined ? undefined : contentOf(publisher, "name"),
    publicationYear: text(child(root, "publicationYear")),
    subjects: listed("subjects", "subject", (each) => contentOf(each, "subject")),
    contributors: listed("contributors", "contributor", person),
    dates: listed("dates", "date", (each) => contentOf(each, "date")),
    language: text(child(root, "language")),
    // The landing page comes first, then the ARK, whichever of the two identifies the document.
    alternateIdentifiers:
      first[0]?.alternateIdentifierType === "ARK" ? insertSecond(alternates, first) : [...first, ...alternates],
    relatedIdentifiers: listed("relatedIdentifiers", "relatedIdentifier", (each) =>
      contentOf(each, "relatedIdentifier"),
    ),
    relatedItems: listed("relatedItems", "relatedItem", relatedItem),
    sizes: listed("sizes", "size", textOf),
    formats: listed("formats", "format", textOf),
    version: text(child(root, "version")),
    rightsList: listed("rightsList", "rights", (each) => contentOf(each, "rights")),
    descriptions: listed("descriptions", "description", (each) => contentOf(each, "description")),
    geoLocations: listed("geoLocations", "geoLocation", geoLocation),
    fundingReferences: listed("fundingReferences", "fundingReference", funding),
    schemaVersion: root.namespace,
  });
}

const insertSecond = (list: readonly unknown[], second: readonly unknown[]): unknown[] => [
  ...list.slice(0, 1),
  ...second,
  ...list.slice(1),
];
