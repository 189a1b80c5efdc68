// The canonical model to a JPCOAR 2.0 record (R3, R29): whatever the metadata holds, the record is of the schema; what
// the schema has no place for is listed in the notes. Mail addresses are never printed.

import { languageOf } from "../../model/metadata/language-codes.ts";
import type { AccessRights, Ident, Metadata, Publisher, Title } from "../../model/metadata/metadata.ts";
import { printedResourceType } from "../../model/metadata/resource-types.ts";
import { VERSION_TYPES, versionTypeLabel } from "../../model/metadata/version-types.ts";
import { textOf, type XmlElement } from "../../shared/xml/element.ts";
import { printXml } from "../../shared/xml/print.ts";
import { REGISTRATION_TYPES } from "./choices.ts";
import { choose, clean, element, type Notes, notesKeeper, optionalUri, textElement, textElements } from "./elements.ts";
import { shown } from "./nodes.ts";
import { writePlainMembers } from "./plain-members.ts";
import { PREFIXES, ROOT_ORDER, SCHEMA_LOCATION } from "./schema.ts";
import { isCalendarDate } from "./text-rules.ts";
import {
  writeCatalog,
  writeConference,
  writeFunding,
  writeHolding,
  writeLocation,
  writeRelation,
  writeSources,
} from "./write-groups.ts";
import {
  type JpcoarFile,
  writeAccessRights,
  writeAgent,
  writeDescription,
  writeFile,
  writeIdentifier,
  writeOrg,
  writeRight,
  writeRightsHolder,
  writeSubject,
  writeTypedDate,
} from "./write-parts.ts";

export { type JpcoarFile, jpcoarFileOf } from "./write-parts.ts";

export type JpcoarInput = {
  readonly metadata: Metadata;
  readonly files: readonly JpcoarFile[];
  /** Address of the landing page; null only before it exists. */
  readonly landingPage: string | null;
  /** Address of the item's ARK at its resolver; null before it is minted. */
  readonly ark: string | null;
  /** What is printed when the depositor stated no access rights (R2d). */
  readonly accessRights: AccessRights | null;
};

/** The record as a document. `notes`: a sentence for each part it leaves out. */
export function writeJpcoar(input: JpcoarInput): { xml: string; notes: string[] } {
  const { record, notes } = jpcoarRecord(input);
  return { xml: printXml(record, { prefixes: PREFIXES, declaration: true, schemaLocation: SCHEMA_LOCATION }), notes };
}

/**
 * The record as an element, for documents that hold several: OAI-PMH, feeds. Print it with the PREFIXES of the schema.
 */
export function jpcoarRecord(input: JpcoarInput): { record: XmlElement; notes: string[] } {
  const notes = notesKeeper();
  const { metadata } = input;
  const children = [
    ...head(input, notes),
    ...middle(metadata, notes),
    ...identification(input, notes),
    ...rest(metadata, notes),
    ...input.files.map((file) => writeFile(file, notes)),
    metadata.catalog === undefined ? null : writeCatalog(metadata.catalog, notes),
    ...writePlainMembers(metadata, notes),
  ];
  noteLeftOut(metadata, notes);
  return { record: element("jpcoar:jpcoar", {}, inOrder(children)), notes: notes.list() };
}

/** Sorts the elements into the schema's order. */
function inOrder(children: Children): Children {
  const placed = children.map((child) => ({ child, place: child === null ? 0 : placeOf(child) }));
  return placed.sort((one, other) => one.place - other.place).map(({ child }) => child);
}

const placeOf = ({ namespace, name }: XmlElement): number =>
  ROOT_ORDER.get(`${PREFIXES[namespace] ?? ""}:${name}`) ?? 0;

type Children = readonly (XmlElement | null)[];

/** dc:title to jpcoar:rightsHolder. */
function head({ metadata, accessRights }: JpcoarInput, notes: Notes): Children {
  const stated = metadata.accessRights === undefined ? null : writeAccessRights(metadata.accessRights, notes);
  return [
    ...titles(metadata.titles, notes),
    ...metadata.creators.map((agent) => writeAgent("jpcoar:creator", agent, notes)),
    ...metadata.contributors.map((agent) => writeAgent("jpcoar:contributor", agent, notes)),
    stated ?? (accessRights === null ? null : writeAccessRights(accessRights, notes)),
    ...metadata.rights.flatMap((right) => writeRight(right, notes)),
    ...textElements("dc:rights", metadata.copyright === undefined ? [] : [{ value: metadata.copyright }], notes),
    ...metadata.rightsHolders.map((agent) => writeRightsHolder(agent, notes)),
  ];
}

/**
 * R3: main titles and their translations are dc:title, the first main one first; every other title is an alternative.
 */
function titles(all: readonly Title[], notes: Notes): XmlElement[] {
  const given = all.filter(({ value }) => value !== "");
  const first = given.find(({ kind }) => kind === "main") ?? given[0];
  if (first === undefined) {
    notes.add("The item has no title; the record's title is empty");
    return [element("dc:title", {}, [])];
  }
  const others = given.filter((title) => title !== first);
  for (const { kind, value } of others) {
    if (kind === "subtitle" || kind === "other") {
      notes.add(
        `The ${kind === "subtitle" ? "subtitle" : "title"} "${shown(value)}" is printed as an alternative title`,
      );
    }
  }
  const isTitle = ({ kind }: Title): boolean => kind === "main" || kind === "translated";
  return [
    textElement("dc:title", first, notes),
    ...textElements("dc:title", others.filter(isTitle), notes),
    ...textElements(
      "dcterms:alternative",
      others.filter((title) => !isTitle(title)),
      notes,
    ),
  ];
}

/** jpcoar:subject to dc:language. */
function middle(metadata: Metadata, notes: Notes): Children {
  const { typed, free } = dates(metadata, notes);
  const [plain, described] = publishers(metadata.publishers);
  return [
    ...metadata.subjects.map((subject) => writeSubject(subject, notes)),
    ...metadata.descriptions.map((description) => writeDescription(description, notes)),
    ...plain.flatMap((publisher) => textElements("dc:publisher", publisher.names, notes)),
    ...described.map((publisher) => writePublisher(publisher, notes)),
    ...typed,
    ...free,
    ...languages(metadata.languages, notes),
  ];
}

/** A publisher with a name only is dc:publisher. */
function publishers(all: readonly Publisher[]): [Publisher[], Publisher[]] {
  const isPlain = (publisher: Publisher): boolean =>
    publisher.publisherType !== "jpcoar" &&
    publisher.place === undefined &&
    publisher.description === undefined &&
    (publisher.countries ?? []).length +
      (publisher.morePlaces ?? []).length +
      (publisher.moreDescriptions ?? []).length ===
      0;
  return [all.filter(isPlain), all.filter((publisher) => !isPlain(publisher))];
}

function writePublisher(publisher: Publisher, notes: Notes): XmlElement {
  const { place, description, morePlaces = [], moreDescriptions = [], countries = [] } = publisher;
  const descriptions = description === undefined ? moreDescriptions : [description, ...moreDescriptions];
  const places = place === undefined ? morePlaces : [place, ...morePlaces];
  return element("jpcoar:publisher", {}, [
    ...textElements("jpcoar:publisherName", publisher.names, notes),
    ...textElements("jpcoar:publisherDescription", descriptions, notes),
    ...textElements("dcndl:location", places, notes),
    ...countries.map((country) => element("dcndl:publicationPlace", {}, [clean(country, notes)])),
  ]);
}

/**
 * R3: the date of publication as stated is an Issued date, before those of the list; else the date Issued, else when
 * the container appeared. Dates whose form or type the schema does not know are printed as they are, as dcterms:date.
 */
function dates(metadata: Metadata, notes: Notes): { typed: XmlElement[]; free: XmlElement[] } {
  const hasIssued = metadata.dates.some(({ type }) => type.toLowerCase() === "issued");
  const appeared = metadata.containers.find(({ issued }) => issued !== undefined)?.issued;
  const stated = metadata.publicationDate ?? (hasIssued ? undefined : appeared);
  const isStated = (date: { date: string; type: string }): boolean =>
    date.type.toLowerCase() === "issued" && date.date === stated;
  const all = [
    ...(stated === undefined || metadata.dates.some(isStated) ? [] : [{ date: stated, type: "Issued" }]),
    ...metadata.dates,
  ];
  const typed: XmlElement[] = [];
  const free: XmlElement[] = [];
  for (const date of all) {
    if (date.date === "") continue;
    if ("description" in date)
      notes.add(`JPCOAR 2.0 has no place for the description of the date "${shown(date.date)}"`);
    const printed = date.type === "dcterms" ? null : writeTypedDate(date);
    if (printed !== null) typed.push(printed);
    else {
      if (date.type !== "dcterms")
        notes.add(`The date "${shown(date.date)}" (${shown(date.type)}) is printed without its type`);
      const lang = "lang" in date && date.lang !== undefined ? { lang: date.lang } : {};
      free.push(textElement("dcterms:date", { value: date.date, ...lang }, notes));
    }
  }
  return { typed, free };
}

function languages(all: readonly string[], notes: Notes): XmlElement[] {
  return all.flatMap((language) => {
    const written = language.trim().toLowerCase();
    const code = written.length === 3 ? written : languageOf(written);
    if (/^[a-z]{3}$/.test(code)) return [element("dc:language", {}, [code])];
    notes.add(`The language "${shown(language)}" is not a code of three letters and is left out`);
    return [];
  });
}

/** dc:type to jpcoar:relation. */
function identification(input: JpcoarInput, notes: Notes): Children {
  const { metadata } = input;
  const { registration } = metadata;
  const registrar = registration === undefined ? null : choose(REGISTRATION_TYPES, registration.scheme);
  if (registration !== undefined && registrar === null) {
    notes.add(
      `The registration of "${shown(registration.value)}" at "${shown(registration.scheme)}" has no place in JPCOAR 2.0`,
    );
  }
  return [
    resourceType(metadata, notes),
    versionType(metadata, notes),
    ...identifiers(input, notes),
    registration === undefined || registrar === null
      ? null
      : element("jpcoar:identifierRegistration", { identifierType: registrar }, [clean(registration.value, notes)]),
    ...metadata.relations.map((relation) => writeRelation(relation, notes)),
    ...metadata.references.map(({ text, ident }) =>
      writeRelation(
        { type: "references", ...(ident === undefined ? {} : { ident }), titles: [{ value: text }] },
        notes,
      ),
    ),
  ];
}

const OTHER_TYPE = { label: "other", uri: "http://purl.org/coar/resource_type/c_1843" };

function resourceType({ type }: Metadata, notes: Notes): XmlElement {
  const row = type === null ? null : printedResourceType(type);
  const written = type?.label ?? type?.id ?? "";
  if (row === null) {
    notes.add(
      `The resource type ${written === "" ? "is missing" : `"${shown(written)}" is not known`}; "other" is printed`,
    );
  } else if (type?.label !== undefined && type.label.toLowerCase() !== row.label.toLowerCase()) {
    notes.add(`The resource type "${shown(type.label)}" is printed as "${row.label}"`);
  }
  const isOwn = type?.label?.toLowerCase() === row?.label.toLowerCase();
  const uri = isOwn ? optionalUri(type?.uri, "resource type's address", notes) : undefined;
  return element("dc:type", { "rdf:resource": uri ?? (row ?? OTHER_TYPE).uri }, [(row ?? OTHER_TYPE).label]);
}

function versionType({ versionType: stated }: Metadata, notes: Notes): XmlElement | null {
  if (stated === undefined) return null;
  const label = versionTypeLabel(stated.label, stated.uri);
  if (label === null) {
    notes.add(`The version type "${shown(stated.label)}" is not in JPCOAR 2.0 and is left out`);
    return null;
  }
  const uri = optionalUri(stated.uri, "version type's address", notes);
  return element("oaire:version", { "rdf:resource": uri ?? VERSION_TYPES[label] }, [label]);
}

/** The item's own identifiers, then its ARK and its landing page; each address once. */
function identifiers({ metadata, ark, landingPage }: JpcoarInput, notes: Notes): XmlElement[] {
  const own: Ident[] = [ark, landingPage].flatMap((value) => (value === null ? [] : [{ scheme: "URI", value }]));
  const printed = new Map<string, XmlElement>();
  for (const ident of [...metadata.identifiers, ...own]) {
    const written = writeIdentifier(ident, notes);
    const address = written === null ? "" : textOf(written);
    if (written !== null && !printed.has(address)) printed.set(address, written);
  }
  if (printed.size > 0) return [...printed.values()];
  notes.add("The item has no identifier; the record's identifier is empty");
  return [element("jpcoar:identifier", { identifierType: "URI" }, [])];
}

/** datacite:geoLocation to jpcoar:conference. */
function rest(metadata: Metadata, notes: Notes): Children {
  const { sourceIds, sourceTitles, numbers } = writeSources(metadata.containers, notes);
  return [
    ...metadata.locations.map((location) => writeLocation(location, notes)),
    ...metadata.funding.map((funding) => writeFunding(funding, notes)),
    ...sourceIds,
    metadata.holdingAgent === undefined ? null : writeHolding(metadata.holdingAgent, notes),
    ...sourceTitles,
    ...numbers,
    ...degree(metadata, notes),
    ...metadata.conferences.map((conference) => writeConference(conference, notes)),
  ];
}

function degree({ degree: given }: Metadata, notes: Notes): Children {
  if (given === undefined) return [];
  const { number = "", granted = "" } = given;
  const isPrinted = isCalendarDate(granted.trim());
  if (granted !== "" && !isPrinted)
    notes.add(`The date of granting "${shown(granted)}" is not a year, month or day and is left out`);
  return [
    number === "" ? null : element("dcndl:dissertationNumber", {}, [clean(number, notes)]),
    ...textElements("dcndl:degreeName", given.names, notes),
    isPrinted ? element("dcndl:dateGranted", {}, [granted.trim()]) : null,
    ...given.grantors.map((org) => writeOrg("jpcoar:degreeGrantor", "jpcoar:degreeGrantorName", org, notes)),
  ];
}

function noteLeftOut(metadata: Metadata, notes: Notes): void {
  if (metadata.apc !== undefined) notes.add("JPCOAR 2.0 has no place for the APC");
  const fields = Object.keys(metadata.custom).length;
  if (fields > 0)
    notes.add(`JPCOAR 2.0 has no place for ${fields} further field${fields === 1 ? "" : "s"} of the item type`);
  const kept = metadata.extra.length;
  if (kept > 0)
    notes.add(
      `${kept} value${kept === 1 ? " that was" : "s that were"} kept in extra ${kept === 1 ? "is" : "are"} left out`,
    );
}
