// DataCite XML (kernel 3 and 4) read as a record: the elements become the members of DataCite JSON, which its reader
// takes and reports as lost.
import { DocumentError } from "../../shared/document-error.ts";
import type { Json } from "../../shared/json/json.ts";
import { own } from "../../shared/objects.ts";
import { textOf, type XmlElement } from "../../shared/xml/element.ts";
import { parseXml } from "../../shared/xml/parse.ts";
import { importDatacite } from "./datacite.ts";
import type { ImportedWork } from "./works.ts";

type Members = Record<string, Json>;

/** Lists of elements with text and attributes: the member that holds the text. */
const TEXT_LISTS: Readonly<Record<string, string>> = {
  titles: "title",
  subjects: "subject",
  dates: "date",
  alternateIdentifiers: "alternateIdentifier",
  relatedIdentifiers: "relatedIdentifier",
  rightsList: "rights",
  descriptions: "description",
};
/** Lists of elements that hold elements. */
const OBJECT_LISTS: ReadonlySet<string> = new Set(["geoLocations", "fundingReferences", "relatedItems"]);
const WORD_LISTS: ReadonlySet<string> = new Set(["sizes", "formats"]);
/** JSON spells these otherwise. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  rightsURI: "rightsUri",
  valueURI: "valueUri",
  schemeURI: "schemeUri",
  awardURI: "awardUri",
};

/** @throws DocumentError for another document, naming its root, and for XML that is not well-formed */
export function importDataciteXml(bytes: Uint8Array): ImportedWork {
  const root = parseXml(bytes);
  if (root.name !== "resource" || !/^https?:\/\/datacite\.org\/schema\/kernel-[34]/.test(root.namespace)) {
    throw new DocumentError(
      `The XML document's root is "${root.name.slice(0, 100)}" in the namespace "${root.namespace.slice(0, 100)}"; "resource" of DataCite was expected`,
    );
  }
  return importDatacite(resourceOf(root));
}

const elementsOf = ({ children }: XmlElement): readonly XmlElement[] =>
  children.filter((child) => typeof child !== "string");

/** Breaks of a description are lines. */
const wordsOf = (element: XmlElement): string =>
  element.children
    .map((child) => (typeof child === "string" ? child : child.name === "br" ? "\n" : textOf(child)))
    .join("")
    .trim();

const attributesOf = ({ attributes }: XmlElement): Members =>
  Object.fromEntries(
    attributes
      .filter(({ name }) => name !== "schemaLocation")
      .map(({ name, value }) => [own(ATTRIBUTES, name) ?? name, value]),
  );

function resourceOf(root: XmlElement): Members {
  const members: Members = {};
  const identifiers: Json[] = [];
  for (const element of elementsOf(root)) {
    const { name } = element;
    const words = wordsOf(element);
    const attributes = attributesOf(element);
    const text = own(TEXT_LISTS, name);
    if (name === "identifier") {
      if (attributes.identifierType === "DOI") members.doi = words;
      else identifiers.push({ identifier: words, ...attributes });
    } else if (name === "creators" || name === "contributors") members[name] = elementsOf(element).map(personOf);
    else if (name === "publisher") members.publisher = { name: words, ...attributes };
    else if (name === "resourceType") members.types = { ...attributes, resourceType: words };
    else if (text !== undefined) {
      members[name] = elementsOf(element).map((each) => ({ [text]: wordsOf(each), ...attributesOf(each) }));
    } else if (WORD_LISTS.has(name)) members[name] = elementsOf(element).map(wordsOf);
    else if (OBJECT_LISTS.has(name)) members[name] = elementsOf(element).map(objectOf);
    else members[name] = elementsOf(element).length === 0 ? words : objectOf(element);
  }
  return identifiers.length === 0 ? members : { ...members, identifiers };
}

/** A creator or contributor: JSON has the name and its attributes among the other members. */
function personOf(element: XmlElement): Json {
  const members: Members = attributesOf(element);
  const nameIdentifiers: Json[] = [];
  const affiliation: Json[] = [];
  for (const part of elementsOf(element)) {
    const words = wordsOf(part);
    if (/^(?:creator|contributor)Name$/.test(part.name)) Object.assign(members, { name: words, ...attributesOf(part) });
    else if (part.name === "nameIdentifier") nameIdentifiers.push({ nameIdentifier: words, ...attributesOf(part) });
    else if (part.name === "affiliation") affiliation.push({ name: words, ...attributesOf(part) });
    else members[part.name] = words;
  }
  return { ...members, nameIdentifiers, affiliation };
}

/** An element as an object: its attributes, and its parts by name; parts without parts are texts. */
function objectOf(element: XmlElement): Json {
  const members: Members = attributesOf(element);
  for (const part of elementsOf(element)) {
    const value = elementsOf(part).length > 0 ? objectOf(part) : pointOf(part);
    // The attributes of a part are members next to it, as JSON has them.
    if (typeof value === "string") Object.assign(members, attributesOf(part));
    const before = own(members, part.name);
    members[part.name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value];
  }
  return members;
}

/** Kernel 3 has the coordinates of a point, or of a box, in one text. */
function pointOf(part: XmlElement): Json {
  const words = wordsOf(part);
  const [south, west, north, east] = words.split(/\s+/);
  if (part.name === "geoLocationPoint") return { pointLatitude: south ?? "", pointLongitude: west ?? "" };
  if (part.name !== "geoLocationBox") return words;
  return {
    southBoundLatitude: south ?? "",
    westBoundLongitude: west ?? "",
    northBoundLatitude: north ?? "",
    eastBoundLongitude: east ?? "",
  };
}
