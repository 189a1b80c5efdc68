// The grouping elements of a JPCOAR record: relations, places, funding, sources, holdings, conferences, catalogues.

import type {
  Catalog,
  Conference,
  Container,
  Funding,
  Holding,
  Ident,
  Location,
  Relation,
  Text,
} from "../../model/metadata/metadata.ts";
import { withoutUndefined } from "../../shared/objects.ts";
import type { XmlElement } from "../../shared/xml/element.ts";
import {
  FUNDER_TYPES,
  HOLDING_SCHEMES,
  LICENSE_TYPES,
  RELATED_IDENTIFIER_TYPES,
  RELATION_TYPES,
  SOURCE_TYPES,
  STREAM_TYPES,
} from "./choices.ts";
import {
  choose,
  clean,
  element,
  type Notes,
  named,
  optional,
  optionalUri,
  resolvable,
  textElement,
  textElements,
  uriText,
} from "./elements.ts";
import { shown } from "./nodes.ts";
import { ELEMENTS } from "./schema.ts";
import { isLatitude, isLongitude, isPositiveInteger } from "./text-rules.ts";
import {
  writeAccessRights,
  writeAgent,
  writeDescription,
  writeFile,
  writeIdentifier,
  writeRight,
  writeSubject,
} from "./write-parts.ts";

export function writeRelation(relation: Relation, notes: Notes): XmlElement | null {
  const relationType = optional(RELATION_TYPES, relation.type, "relation type", notes);
  if (relation.resourceType !== undefined) notes.add("JPCOAR 2.0 has no place for the resource type of a relation");
  const parts = [
    relation.ident === undefined ? null : relatedIdentifier(relation.ident, notes),
    ...textElements("jpcoar:relatedTitle", relation.titles, notes),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : element("jpcoar:relation", { relationType }, parts);
}

/** A scheme the schema does not know is printed as URI when the identifier has an address. */
function relatedIdentifier(ident: Ident, notes: Notes): XmlElement | null {
  const type = choose(RELATED_IDENTIFIER_TYPES, ident.scheme);
  const value = ident.value === "" ? (ident.uri ?? "") : ident.value;
  const address =
    type === null ? (ident.uri ?? (/^[a-z][a-z0-9+.-]*:/i.test(value) ? value : "")) : resolvable(type, value);
  const uri = address === "" ? null : uriText(address);
  if (uri === null || uri === "") {
    notes.add(`The related identifier ${named(ident)} has no place in JPCOAR 2.0`);
    return null;
  }
  return element("jpcoar:relatedIdentifier", { identifierType: type ?? "URI" }, [uri]);
}

export function writeLocation(location: Location, notes: Notes): XmlElement | null {
  const { point, box } = location;
  const isPoint = point !== undefined && isLongitude(point.longitude) && isLatitude(point.latitude);
  const isBox =
    box !== undefined && [box.west, box.east].every(isLongitude) && [box.south, box.north].every(isLatitude);
  if ((point !== undefined && !isPoint) || (box !== undefined && !isBox)) {
    notes.add("A place whose degrees are out of range is left out");
  }
  if (location.geometry !== undefined) notes.add("JPCOAR 2.0 has no place for the geometry of a location");
  if (location.ids.length > 0) notes.add("JPCOAR 2.0 has no place for identifiers of a location");
  if (location.description !== undefined) notes.add("JPCOAR 2.0 has no place for the description of a location");
  const degrees = (name: string, value: string): XmlElement => element(`datacite:${name}`, {}, [value]);
  const parts = [
    isPoint
      ? element("datacite:geoLocationPoint", {}, [
          degrees("pointLongitude", point.longitude),
          degrees("pointLatitude", point.latitude),
        ])
      : null,
    isBox
      ? element("datacite:geoLocationBox", {}, [
          degrees("westBoundLongitude", box.west),
          degrees("eastBoundLongitude", box.east),
          degrees("southBoundLatitude", box.south),
          degrees("northBoundLatitude", box.north),
        ])
      : null,
    // The schema has no language for places.
    ...location.places
      .filter(({ value }) => value !== "")
      .map(({ value }) => element("datacite:geoLocationPlace", {}, [clean(value, notes)])),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : element("datacite:geoLocation", {}, parts);
}

export function writeFunding(funding: Funding, notes: Notes): XmlElement {
  const { funder, stream, award } = funding;
  const [funderId, ...moreFunders] = funder.ids;
  const [streamId, ...moreStreams] = stream?.ids ?? [];
  for (const ident of [...moreFunders, ...moreStreams]) {
    notes.add(`JPCOAR 2.0 has a place for one identifier of a funder or programme; ${named(ident)} is left out`);
  }
  const names = textElements("jpcoar:funderName", funder.names, notes);
  if (names.length === 0) notes.add("A funder has no name; the record's funder name is empty");
  const awardURI = optionalUri(award?.uri, "award's address", notes);
  const hasAward = awardURI !== undefined || [award?.number ?? "", award?.numberType ?? ""].some((text) => text !== "");
  return element("jpcoar:fundingReference", {}, [
    funderId === undefined ? null : funderIdentifier(funderId, notes),
    ...(names.length === 0 ? [element("jpcoar:funderName", {}, [])] : names),
    streamId === undefined
      ? null
      : element(
          "jpcoar:fundingStreamIdentifier",
          {
            fundingStreamIdentifierType: optional(STREAM_TYPES, streamId.scheme, "scheme of a programme", notes),
            fundingStreamIdentifierTypeURI: optionalUri(streamId.schemeUri, "scheme's address", notes),
          },
          [clean(streamId.value === "" ? (streamId.uri ?? "") : streamId.value, notes)],
        ),
    ...textElements("jpcoar:fundingStream", stream?.names ?? [], notes),
    hasAward
      ? element("jpcoar:awardNumber", { awardURI, awardNumberType: cleanOptional(award?.numberType, notes) }, [
          clean(award?.number ?? "", notes),
        ])
      : null,
    ...textElements("jpcoar:awardTitle", award?.titles ?? [], notes),
  ]);
}

function cleanOptional(text: string | undefined, notes: Notes): string | undefined {
  return text === undefined || text === "" ? undefined : clean(text, notes);
}

function funderIdentifier(ident: Ident, notes: Notes): XmlElement {
  const type = choose(FUNDER_TYPES, ident.scheme);
  if (type === null) notes.add(`The scheme of the funder identifier ${named(ident)} is printed as Other`);
  const schemeUri = optionalUri(ident.schemeUri, "scheme's address", notes);
  return element(
    "jpcoar:funderIdentifier",
    { funderIdentifierType: type ?? "Other", funderIdentifierTypeURI: schemeUri },
    [clean(ident.value === "" ? (ident.uri ?? "") : ident.value, notes)],
  );
}

const NUMBERS = ["volume", "issue", "numPages", "pageStart", "pageEnd"] as const;
const WORDS: Readonly<Record<(typeof NUMBERS)[number], string>> = {
  volume: "volume",
  issue: "issue",
  numPages: "number of pages",
  pageStart: "first page",
  pageEnd: "last page",
};

/**
 * R4a: an item type has two groups for what the item appeared in, the record has one. Titles and identifiers may
 * repeat, so all are printed, each once; of volume, issue and pages the first is printed and another is noted. Pages
 * must be positive integers; others are noted.
 */
export function writeSources(
  containers: readonly Container[],
  notes: Notes,
): { sourceIds: XmlElement[]; sourceTitles: XmlElement[]; numbers: XmlElement[] } {
  const titles = new Map<string, Text>();
  const ids = new Map<string, XmlElement>();
  for (const container of containers) {
    for (const title of container.titles) titles.set(`${title.lang ?? ""} ${title.value}`, title);
    for (const ident of container.ids) {
      const type = choose(SOURCE_TYPES, ident.scheme);
      if (type === null) notes.add(`The source identifier ${named(ident)} has no place in JPCOAR 2.0`);
      else if (ident.value !== "") {
        const written = element("jpcoar:sourceIdentifier", { identifierType: type }, [clean(ident.value, notes)]);
        ids.set(`${type} ${ident.value}`, written);
      }
    }
  }
  return {
    sourceIds: [...ids.values()],
    sourceTitles: textElements("jpcoar:sourceTitle", [...titles.values()], notes),
    numbers: NUMBERS.flatMap((name) => sourceNumber(name, containers, notes)),
  };
}

function sourceNumber(name: (typeof NUMBERS)[number], containers: readonly Container[], notes: Notes): XmlElement[] {
  const given = containers.map((container) => container[name] ?? "").filter((value) => value !== "");
  const isNumber = ELEMENTS[`jpcoar:${name}`]?.text === isPositiveInteger;
  const isPrintable = (value: string): boolean => !isNumber || isPositiveInteger(value.trim());
  const printable = given.filter(isPrintable);
  for (const value of given.filter((each) => !isPrintable(each))) {
    notes.add(`The ${WORDS[name]} "${shown(value)}" is not a positive integer and is left out`);
  }
  const [first, ...others] = printable;
  for (const value of others.filter((each) => each !== first)) {
    notes.add(`JPCOAR 2.0 has a place for one ${WORDS[name]}; "${shown(value)}" is left out`);
  }
  if (first === undefined) return [];
  return [element(`jpcoar:${name}`, {}, [clean(isNumber ? first.trim() : first, notes)])];
}

export function writeHolding(holding: Holding, notes: Notes): XmlElement | null {
  const usable = holding.ids.filter((ident) => choose(HOLDING_SCHEMES, ident.scheme) !== null);
  const [ident] = usable;
  for (const other of holding.ids.filter((each) => each !== ident)) {
    notes.add(`The holding agent's identifier ${named(other)} has no place in JPCOAR 2.0`);
  }
  const parts = [
    ident === undefined
      ? null
      : element(
          "jpcoar:holdingAgentNameIdentifier",
          {
            nameIdentifierScheme: choose(HOLDING_SCHEMES, ident.scheme) ?? undefined,
            nameIdentifierURI: optionalUri(ident.uri, "holding agent's address", notes),
          },
          [clean(ident.value, notes)],
        ),
    ...textElements("jpcoar:holdingAgentName", holding.names, notes),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : element("jpcoar:holdingAgent", {}, parts);
}

const DATE_PARTS = ["startDay", "startMonth", "startYear", "endDay", "endMonth", "endYear"] as const;

export function writeConference(conference: Conference, notes: Notes): XmlElement | null {
  const { sequence = "", country = "" } = conference;
  const isSequence = isPositiveInteger(sequence.trim());
  if (sequence !== "" && !isSequence) {
    notes.add(`The conference sequence "${shown(sequence)}" is not a positive integer and is left out`);
  }
  const isCountry = /^[A-Z]{3}$/.test(country.trim());
  if (country !== "" && !isCountry) {
    notes.add(`The conference country "${shown(country)}" is not a code of three upper-case letters and is left out`);
  }
  const parts = [
    ...textElements("jpcoar:conferenceName", conference.names, notes),
    isSequence ? element("jpcoar:conferenceSequence", {}, [sequence.trim()]) : null,
    ...textElements("jpcoar:conferenceSponsor", conference.sponsors, notes),
    conferenceDate(conference.date, notes),
    ...textElements("jpcoar:conferenceVenue", conference.venues, notes),
    ...textElements("jpcoar:conferencePlace", conference.places, notes),
    isCountry ? element("jpcoar:conferenceCountry", {}, [country.trim()]) : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : element("jpcoar:conference", {}, parts);
}

function conferenceDate(date: Conference["date"], notes: Notes): XmlElement | null {
  if (date === undefined) return null;
  const parts: Record<string, string> = {};
  for (const part of DATE_PARTS) {
    const value = date[part]?.trim() ?? "";
    if (value === "") continue;
    if (ELEMENTS["jpcoar:conferenceDate"]?.attributes[part]?.(value) === true) parts[part] = value;
    else notes.add(`The ${part} "${shown(value)}" of a conference is not possible and is left out`);
  }
  if ((date.text ?? "") === "" && Object.keys(parts).length === 0) return null;
  const text = { value: date.text ?? "", ...(date.lang === undefined ? {} : { lang: date.lang }) };
  return textElement("jpcoar:conferenceDate", text, notes, parts);
}

export function writeCatalog(catalog: Catalog, notes: Notes): XmlElement {
  const [file, ...moreFiles] = catalog.files;
  if (moreFiles.length > 0) notes.add("JPCOAR 2.0 has a place for one file of a catalogue");
  return element("jpcoar:catalog", {}, [
    ...catalog.contributors.map((agent) => writeAgent("jpcoar:contributor", agent, notes)),
    ...catalog.ids.map((ident) => writeIdentifier(ident, notes)),
    ...textElements("dc:title", catalog.titles, notes),
    ...catalog.descriptions.map((description) => writeDescription(description, notes)),
    ...catalog.subjects.map((subject) => writeSubject(subject, notes)),
    ...catalog.licenses.map(({ type, uri, text }) => {
      const licenseType = choose(LICENSE_TYPES, type);
      if (licenseType === null)
        notes.add(`The licence type "${shown(type ?? "")}" of a catalogue is printed as metadata`);
      return textElement("jpcoar:license", text, notes, {
        licenseType: licenseType ?? "metadata",
        "rdf:resource": optionalUri(uri, "licence's address", notes),
      });
    }),
    ...catalog.rights.flatMap((right) => writeRight(right, notes)),
    catalog.accessRights === undefined ? null : writeAccessRights(catalog.accessRights, notes),
    file === undefined
      ? null
      : writeFile(
          {
            url: file.uri,
            mimeType: file.mimeType ?? null,
            sizeBytes: null,
            ...withoutUndefined({
              objectType: file.objectType,
              label: file.label,
              extents: file.extents,
              dates: file.dates,
              version: file.version,
            }),
          },
          notes,
        ),
  ]);
}
