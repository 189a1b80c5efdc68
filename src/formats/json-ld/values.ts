// Texts, identifiers and other small values as linked data writes them, read and written (RO-Crate 1.1, SWORD metadata
// documents).

import type { Ident, Text } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { maybe, withoutUndefined } from "../../shared/objects.ts";
import type { Graph } from "./graph.ts";

/**
 * A single value as characters: numbers and booleans as written, objects by what names them. Null when nothing does.
 */
export function plainText(value: Json | undefined, graph: Graph): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === undefined || !isJsonObject(value)) return null;
  for (const term of ["@value", "value", "name"]) {
    const [first] = graph.values(value, term);
    if (first !== undefined && !isJsonObject(first)) return plainText(first, graph);
  }
  const id = value["@id"];
  return typeof id === "string" && !isLocalId(id) ? id : null;
}

/** A text with its language: plain, as `{@value, @language}`, as `{value, language}`, or the name of an entity. */
export function readText(value: Json, graph: Graph): Text | null {
  const text = plainText(value, graph);
  if (text === null) return null;
  const lang = isJsonObject(value)
    ? [...graph.values(value, "@language"), ...graph.values(value, "language")].find((each) => typeof each === "string")
    : undefined;
  return typeof lang === "string" && lang !== "" ? { value: text, lang } : { value: text };
}

/** All texts of a term, or of the first of several terms that has any: vocabularies differ in what they call a name. */
export function readTexts(of: Json, terms: string | readonly string[], graph: Graph): readonly Text[] {
  return firstValues(of, terms, graph).flatMap((value) => readText(value, graph) ?? []);
}

/** The values of the first of these terms that has any. The terms after it stay unread. */
export function firstValues(of: Json, terms: string | readonly string[], graph: Graph): readonly Json[] {
  for (const term of typeof terms === "string" ? [terms] : terms) {
    const values = graph.values(of, term);
    if (values.length > 0) return values;
  }
  return [];
}

export function writeText(text: Text): Json {
  return text.lang === undefined ? text.value : { "@value": text.value, "@language": text.lang };
}

/** Several values of a term as JSON-LD writes them: none, one without brackets, or a list. */
export function oneOrMany(values: readonly Json[]): Json | undefined {
  return values.length > 1 ? values : values[0];
}

type Pattern = readonly [scheme: string, pattern: RegExp];

/** How identifiers look when no scheme is named. The first group is the value. */
const PATTERNS: readonly Pattern[] = [
  ["DOI", /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)(10\.\S+)$/i],
  ["DOI", /^(10\.\d{4,9}\/\S+)$/],
  ["ORCID", /^(?:https?:\/\/orcid\.org\/|orcid:)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])$/i],
  ["ROR", /^https?:\/\/ror\.org\/(0[a-z\d]{8})$/i],
  ["ISNI", /^https?:\/\/(?:www\.)?isni\.org\/(?:isni\/)?([\dX]{16})$/i],
  ["HDL", /^https?:\/\/hdl\.handle\.net\/(\S+)$/i],
  ["ARK", /^(?:https?:\/\/[^/]+\/)?(ark:\S+)$/i],
  ["ISBN", /^(?:urn:isbn:|isbn:)\s*([\dX-]{10,17})$/i],
  ["ISSN", /^(?:urn:issn:|issn:)?(\d{4}-\d{3}[\dX])$/i],
  ["URI", /^([a-z][a-z\d+.-]*:\S+)$/i],
];

/** The scheme of an identifier by its form; unknown forms have the scheme "Local". */
export function identFromText(text: string): Ident {
  const trimmed = text.trim();
  for (const [scheme, pattern] of PATTERNS) {
    const value = pattern.exec(trimmed)?.[1];
    if (value === undefined) continue;
    return /^https?:/i.test(trimmed) && scheme !== "URI" ? { scheme, value, uri: trimmed } : { scheme, value };
  }
  return { scheme: "Local", value: trimmed };
}

/** What the scheme of an identifier is called: in schema.org, and in JPCOAR by what it identifies. */
const SCHEME_TERMS = [
  "propertyID",
  ...["identifierType", "nameIdentifierScheme", "funderIdentifierType", "fundingStreamIdentifierType"].flatMap(
    (term) => [term, `jpcoar:${term}`],
  ),
];
const ADDRESS_TERMS = ["url", "nameIdentifierURI", "jpcoar:nameIdentifierURI", "rdf:resource"];

/** An identifier: characters, a link, or an object with its value, its scheme and its address. */
export function readIdent(value: Json, graph: Graph): Ident | null {
  if (!isJsonObject(value)) {
    const text = plainText(value, graph);
    return text === null ? null : identFromText(text);
  }
  const first = (terms: readonly string[]): string | null => plainText(firstValues(value, terms, graph)[0], graph);
  const written = first(["value", "@value"]);
  const uri = first(ADDRESS_TERMS);
  const scheme = first(SCHEME_TERMS);
  if (written === null) {
    const id = uri ?? (typeof value["@id"] === "string" ? value["@id"] : null);
    return id === null || isLocalId(id) ? null : identFromText(id);
  }
  const guessed = identFromText(written);
  return { scheme: scheme ?? guessed.scheme, value: scheme === null ? guessed.value : written, ...maybe("uri", uri) };
}

export function writeIdent(ident: Ident): JsonObject {
  return withoutUndefined({
    "@type": "PropertyValue",
    propertyID: ident.scheme,
    value: ident.value,
    url: ident.uri,
  });
}

/** Ids that mean something inside their document only. */
export function isLocalId(id: string): boolean {
  return id.startsWith("#") || id.startsWith("_:") || id.startsWith("./");
}
