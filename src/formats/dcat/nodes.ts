// The parts of RDF/XML: nodes with a type and an optional address, properties that hold words, typed values, addresses
// or nodes.
import type { Text } from "../../model/metadata/metadata.ts";
import { own } from "../../shared/objects.ts";
import { XML_NAMESPACE, type XmlAttribute, type XmlElement } from "../../shared/xml/element.ts";
import { precisionOf, trimmedText, trimmedWording } from "../export-values.ts";

export const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
export const XSD = "http://www.w3.org/2001/XMLSchema#";
export const WKT = "http://www.opengis.net/ont/geosparql#wktLiteral";

/** Namespaces by their prefixes. */
const NAMESPACES = {
  rdf: RDF,
  adms: "http://www.w3.org/ns/adms#",
  citedcat: "https://w3id.org/citedcat-ap/",
  dcat: "http://www.w3.org/ns/dcat#",
  dct: "http://purl.org/dc/terms/",
  foaf: "http://xmlns.com/foaf/0.1/",
  gsp: "http://www.opengis.net/ont/geosparql#",
  locn: "http://www.w3.org/ns/locn#",
  org: "http://www.w3.org/ns/org#",
  owl: "http://www.w3.org/2002/07/owl#",
  prov: "http://www.w3.org/ns/prov#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  skos: "http://www.w3.org/2004/02/skos/core#",
  spdx: "http://spdx.org/rdf/terms#",
} as const;
type Prefix = keyof typeof NAMESPACES;
/** A term as people write it: `dct:title`. */
export type Term = `${Prefix}:${string}`;

export const PREFIXES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(NAMESPACES).map(([prefix, namespace]) => [namespace, prefix]),
);

function element(term: Term, attributes: readonly XmlAttribute[], children: XmlElement["children"]): XmlElement {
  const [prefix = "", name = ""] = term.split(":");
  return { namespace: own<string>(NAMESPACES, prefix) ?? "", name, attributes, children };
}

/** The address of a term. */
export function iriOf(term: Term): string {
  const [prefix = "", name = ""] = term.split(":");
  return (own<string>(NAMESPACES, prefix) ?? "") + name;
}

const rdf = (name: string, value: string): XmlAttribute => ({ namespace: RDF, name, value });

type Properties = readonly (XmlElement | null | readonly (XmlElement | null)[])[];

/** A node of a type. `about`: its address; null for one without. */
export function node(type: Term, about: string | null, properties: Properties): XmlElement {
  const children = properties.flat().filter((property) => property !== null);
  return element(type, about === null ? [] : [rdf("about", about)], children);
}

/** The address of a node; null for one without. */
export const aboutOf = ({ attributes }: XmlElement): string | null =>
  attributes.find(({ namespace, name }) => namespace === RDF && name === "about")?.value ?? null;

/** Words with their language; null for an empty text. */
export function words(term: Term, text: Text | string | undefined): XmlElement | null {
  const { value, lang } = trimmedWording(typeof text === "string" ? { value: text } : (text ?? { value: "" }));
  if (value === "") return null;
  return element(term, lang === undefined ? [] : [{ namespace: XML_NAMESPACE, name: "lang", value: lang }], [value]);
}

export const typed = (term: Term, datatype: string, value: string): XmlElement =>
  element(term, [rdf("datatype", datatype)], [value]);

export const link = (term: Term, address: string | null): XmlElement | null =>
  address === null ? null : element(term, [rdf("resource", address)], []);

export const holds = (term: Term, thing: XmlElement | null): XmlElement | null =>
  thing === null ? null : element(term, [], [thing]);

/** A date with the type that matches its precision; nothing for other texts. */
export function dated(term: Term, text: string): XmlElement | null {
  const date = trimmedText(text);
  const precision = precisionOf(date);
  if (precision === null) return null;
  const type = { year: "gYear", month: "gYearMonth", day: "date", moment: "dateTime" }[precision];
  const withSeconds = date.replace(/(T\d{2}:\d{2})(?=[Z+-])/, "$1:00");
  return typed(term, XSD + type, withSeconds);
}
