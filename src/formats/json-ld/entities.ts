// Licences, subjects, places, journals and related works in the terms of schema.org.

import { licenseIdOf } from "../../model/metadata/licenses.ts";
import type {
  AccessRights,
  Container,
  Location,
  Metadata,
  Publisher,
  Relation,
  ResourceType,
  Right,
  Subject,
} from "../../model/metadata/metadata.ts";
import { accessRightsLabel } from "../../model/rights/access-rights.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject } from "../../shared/json/read.ts";
import { maybe, withoutUndefined } from "../../shared/objects.ts";
import { readOrg } from "./agents.ts";
import type { Graph } from "./graph.ts";
import {
  firstValues,
  identFromText,
  isLocalId,
  oneOrMany,
  plainText,
  readIdent,
  readText,
  readTexts,
  writeIdent,
  writeText,
} from "./values.ts";

const first = (of: Json, terms: string | readonly string[], graph: Graph): string | null =>
  plainText(firstValues(of, terms, graph)[0], graph);

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text);
}

function webIdOf(value: Json): string | null {
  const id = isJsonObject(value) ? value["@id"] : value;
  return typeof id === "string" && isWebAddress(id) ? id : null;
}

export function readRight(value: Json, graph: Graph): Right | null {
  const uri = webIdOf(value) ?? first(value, ["url", "rdf:resource"], graph);
  const named = isJsonObject(value) ? readTexts(value, value["@value"] === undefined ? "name" : "@value", graph) : [];
  const single = readText(value, graph);
  const isRepeated = single === null || single.value === uri;
  const text = named.length > 0 && single?.lang === undefined ? named : isRepeated ? [] : [single];
  const written = isJsonObject(value) ? first(value, "svc:licenseId", graph) : null;
  const id = written ?? (uri === null ? null : licenseIdOf(uri));
  return uri === null && text.length === 0 ? null : { ...maybe("id", id), text, ...maybe("uri", uri) };
}

export function writeRight(right: Right): Json {
  const [only] = right.text;
  if (right.uri === undefined && right.id === undefined && right.text.length === 1 && only) return writeText(only);
  const isId = right.uri !== undefined && isWebAddress(right.uri);
  return withoutUndefined({
    "@id": isId ? right.uri : undefined,
    "@type": "CreativeWork",
    name: oneOrMany(right.text.map(writeText)),
    url: isId ? undefined : right.uri,
    "svc:licenseId": right.id,
  });
}

export function readSubject(value: Json, graph: Graph): Subject | null {
  const text = readText(value, graph);
  if (!isJsonObject(value) || value["@value"] !== undefined) {
    if (text === null) return null;
    return isWebAddress(text.value) ? { uri: text.value } : { text };
  }
  const [name] = readTexts(value, "name", graph);
  const uri = first(value, ["url", "subjectURI", "jpcoar:subjectURI"], graph) ?? webIdOf(value);
  const subject = {
    ...maybe("id", first(value, "termCode", graph)),
    ...(name === undefined ? (text === null || text.value === uri ? {} : { text }) : { text: name }),
    ...maybe("scheme", first(value, ["inDefinedTermSet", "subjectScheme", "jpcoar:subjectScheme"], graph)),
    ...maybe("uri", uri),
  };
  return Object.keys(subject).length > 0 ? subject : null;
}

export function writeSubject(subject: Subject): Json {
  if (
    subject.text !== undefined &&
    subject.id === undefined &&
    subject.scheme === undefined &&
    subject.uri === undefined
  ) {
    return writeText(subject.text);
  }
  return withoutUndefined({
    "@type": "DefinedTerm",
    name: subject.text === undefined ? undefined : writeText(subject.text),
    termCode: subject.id,
    inDefinedTermSet: subject.scheme,
    url: subject.uri,
  });
}

export function readPublisher(value: Json, graph: Graph): Publisher | null {
  const org = readOrg(value, graph);
  return org === null || org.names.length === 0 ? null : { names: org.names };
}

export function writePublisher(publisher: Publisher): Json {
  return withoutUndefined({ "@type": "Organization", name: oneOrMany(publisher.names.map(writeText)) });
}

/** The mapping sets the type of the relation. */
export function readRelation(value: Json, graph: Graph): Relation | null {
  if (!isJsonObject(value) || value["@value"] !== undefined) {
    const text = readText(value, graph);
    if (text === null) return null;
    const ident = identFromText(text.value);
    return ident.scheme === "Local" ? { type: "", titles: [text] } : { type: "", ident, titles: [] };
  }
  const titles = readTexts(value, "name", graph);
  const [identifier] = graph.values(value, "identifier").flatMap((each) => readIdent(each, graph) ?? []);
  const address = webIdOf(value) ?? first(value, "url", graph);
  const ident = identifier ?? (address === null ? undefined : identFromText(address));
  return ident === undefined && titles.length === 0 ? null : { type: "", ...(ident ? { ident } : {}), titles };
}

export function writeRelation(relation: Relation): Json {
  return withoutUndefined({
    "@type": "CreativeWork",
    name: oneOrMany(relation.titles.map(writeText)),
    identifier: relation.ident === undefined ? undefined : writeIdent(relation.ident),
  });
}

/** A relation as JPCOAR terms have it: {relationType, relatedIdentifier: {identifierType, value}, relatedTitle}. */
export function readJpcoarRelation(value: Json, graph: Graph): Relation | null {
  const [ident] = graph.values(value, "jpcoar:relatedIdentifier").flatMap((each) => readIdent(each, graph) ?? []);
  const [plain] = graph.values(value, "relatedIdentifier").flatMap((each) => readIdent(each, graph) ?? []);
  const titles = [...readTexts(value, "jpcoar:relatedTitle", graph), ...readTexts(value, "relatedTitle", graph)];
  const type = first(value, "relationType", graph) ?? first(value, "jpcoar:relationType", graph) ?? "";
  const found = ident ?? plain;
  return found === undefined && titles.length === 0 ? null : { type, ...(found ? { ident: found } : {}), titles };
}

export function writeJpcoarRelation(relation: Relation): Json {
  const { ident } = relation;
  return withoutUndefined({
    relationType: relation.type,
    relatedIdentifier: ident === undefined ? undefined : { identifierType: ident.scheme, value: ident.value },
    relatedTitle: oneOrMany(relation.titles.map(writeText)),
  });
}

export function readLocation(value: Json, graph: Graph): Location | null {
  if (!isJsonObject(value) || value["@value"] !== undefined) {
    const text = readText(value, graph);
    return text === null ? null : { places: [text], ids: [] };
  }
  const shapes = firstValues(value, ["geo", "datacite:geoLocationPoint", "geoLocationPoint"], graph);
  const pointOf = (shape: Json): Location["point"] | undefined => {
    const longitude = first(shape, ["longitude", "datacite:pointLongitude", "pointLongitude"], graph);
    const latitude = first(shape, ["latitude", "datacite:pointLatitude", "pointLatitude"], graph);
    return longitude === null || latitude === null ? undefined : { longitude, latitude };
  };
  const point = [value, ...shapes].map(pointOf).find((each) => each !== undefined);
  const box = shapes.map((shape) => boxOf(first(shape, "box", graph))).find((each) => each !== undefined);
  const location = {
    ...withoutUndefined({ point, box }),
    places: readTexts(value, ["name", "datacite:geoLocationPlace", "geoLocationPlace"], graph),
    ids: graph.values(value, "identifier").flatMap((each) => readIdent(each, graph) ?? []),
    ...descriptionOf(value, graph),
  };
  const isEmpty = Object.keys(location).length === 2 && location.places.length + location.ids.length === 0;
  return isEmpty ? null : location;
}

function descriptionOf(place: Json, graph: Graph): { readonly description?: { value: string; lang?: string } } {
  const [description] = readTexts(place, "description", graph);
  return description === undefined ? {} : { description };
}

/** A GeoShape's box: "south west north east", commas allowed. */
function boxOf(text: string | null): Location["box"] | undefined {
  const [south, west, north, east, ...rest] = (text ?? "").trim().split(/[\s,]+/);
  if (!south || !west || !north || !east || rest.length > 0) return undefined;
  return { west, east, south, north };
}

export function writeLocation(location: Location): Json {
  const { point, box } = location;
  const shapes: Json[] = [];
  if (point) shapes.push({ "@type": "GeoCoordinates", latitude: point.latitude, longitude: point.longitude });
  if (box) shapes.push({ "@type": "GeoShape", box: `${box.south} ${box.west} ${box.north} ${box.east}` });
  return withoutUndefined({
    "@type": "Place",
    name: oneOrMany(location.places.map(writeText)),
    description: location.description === undefined ? undefined : writeText(location.description),
    identifier: oneOrMany(location.ids.map(writeIdent)),
    geo: oneOrMany(shapes),
  });
}

/** A journal, volume or issue that the item appeared in, written as one entity. */
export function readContainer(value: Json, graph: Graph): Container | null {
  if (!isJsonObject(value)) return null;
  const issn = graph.values(value, "issn").flatMap((each) => plainText(each, graph) ?? []);
  const ids = graph.values(value, "identifier").flatMap((each) => readIdent(each, graph) ?? []);
  return {
    titles: readTexts(value, "name", graph),
    ids: [...ids, ...issn.map((each) => ({ scheme: "ISSN", value: each }))],
    ...maybe("volume", first(value, "volumeNumber", graph)),
    ...maybe("issue", first(value, "issueNumber", graph)),
    ...maybe("pageStart", first(value, "pageStart", graph)),
    ...maybe("pageEnd", first(value, "pageEnd", graph)),
    ...maybe("numPages", first(value, "numberOfPages", graph)),
    ...maybe("issued", first(value, "datePublished", graph)),
    place: "flat",
  };
}

export function writeContainer(container: Container): Json {
  return withoutUndefined({
    "@type": "PublicationIssue",
    name: oneOrMany(container.titles.map(writeText)),
    identifier: oneOrMany(container.ids.map(writeIdent)),
    volumeNumber: container.volume,
    issueNumber: container.issue,
    pageStart: container.pageStart,
    pageEnd: container.pageEnd,
    numberOfPages: container.numPages,
    datePublished: container.issued,
  });
}

export function readReference(value: Json, graph: Graph): Metadata["references"][number] | null {
  const text = plainText(value, graph);
  if (text === null || isLocalId(text)) return null;
  const [given] = isJsonObject(value)
    ? graph.values(value, "identifier").flatMap((each) => readIdent(each, graph) ?? [])
    : [];
  const address = webIdOf(value);
  const ident = given ?? (address === null ? undefined : identFromText(address));
  return { text, ...(ident === undefined ? {} : { ident }) };
}

export function writeReference(reference: Metadata["references"][number]): Json {
  if (reference.ident === undefined) return reference.text;
  return { "@type": "CreativeWork", name: reference.text, identifier: writeIdent(reference.ident) };
}

export function readAccessRights(value: Json, graph: Graph): AccessRights | null {
  const label = plainText(value, graph);
  const uri = webIdOf(value) ?? first(value, "rdf:resource", graph);
  if (label === null) return null;
  return { label: accessRightsLabel(label, uri ?? label) ?? label, ...maybe("uri", uri) };
}

export function writeAccessRights(rights: AccessRights): Json {
  if (rights.uri === undefined) return rights.label;
  return withoutUndefined({
    "@id": isWebAddress(rights.uri) ? rights.uri : undefined,
    "@type": "DefinedTerm",
    name: rights.label,
  });
}

/**
 * A resource type by its label or its COAR address; which id of the vocabulary it has is decided where the vocabulary
 * is known.
 */
export function readResourceType(value: Json, graph: Graph): ResourceType | null {
  const code = isJsonObject(value) ? first(value, "termCode", graph) : null;
  const label = plainText(value, graph) ?? code;
  if (label === null) return null;
  const uri = webIdOf(value) ?? first(value, "rdf:resource", graph);
  return {
    id: code ?? label,
    ...maybe("label", code === null || label !== code ? (label === uri ? null : label) : null),
    ...maybe("uri", uri),
  };
}

export function writeResourceType(type: ResourceType): Json {
  return withoutUndefined({
    "@id": type.uri !== undefined && isWebAddress(type.uri) ? type.uri : undefined,
    "@type": "DefinedTerm",
    name: type.label,
    termCode: type.id,
  });
}

/** A description with its type, as DataCite's and JPCOAR's terms have it: {value, language, descriptionType}. */
export function readDescription(value: Json, graph: Graph): Metadata["descriptions"][number] | null {
  const text = readText(value, graph);
  if (text === null) return null;
  const kind = first(value, ["descriptionType", "datacite:descriptionType"], graph);
  return { ...text, kind: kind ?? "Abstract", html: false };
}

export function writeDescription(description: Metadata["descriptions"][number]): Json {
  const { value, lang, kind } = description;
  return withoutUndefined({ value, language: lang, descriptionType: kind });
}

/** A date with its type: {value, dateType}. */
export function readDate(value: Json, graph: Graph): Metadata["dates"][number] | null {
  const date = plainText(value, graph);
  if (date === null) return null;
  return { date, type: first(value, ["dateType", "datacite:dateType"], graph) ?? "dcterms" };
}

export function writeDate({ date, type }: Metadata["dates"][number]): Json {
  return { value: date, dateType: type };
}

/** The kind of a version, in the vocabulary of JPCOAR: {value, rdf:resource}. */
export function readVersionType(value: Json, graph: Graph): NonNullable<Metadata["versionType"]> | null {
  const label = plainText(value, graph);
  return label === null ? null : { label, ...maybe("uri", first(value, "rdf:resource", graph)) };
}

export function writeVersionType({ label, uri }: NonNullable<Metadata["versionType"]>): Json {
  return withoutUndefined({ value: label, "rdf:resource": uri });
}
