// The grouping elements of a JPCOAR record: publishers, dates, relations, places, funding, sources, degree,
// conferences, catalogues.

import type {
  Conference,
  Container,
  Degree,
  Funding,
  ItemDate,
  Location,
  Metadata,
  Publisher,
  Relation,
} from "../../model/metadata/metadata.ts";
import { withoutUndefined } from "../../shared/objects.ts";
import { all, maybe, type Node, one, texts, token, tokens, toText, words } from "./nodes.ts";
import {
  firstToken,
  readAccessRights,
  readContributor,
  readDescription,
  readFile,
  readIdent,
  readIdents,
  readOrg,
  readRights,
  readSubject,
} from "./read-parts.ts";

export function readPublishers(record: Node): Publisher[] {
  return [
    ...texts(record, "dc:publisher").map((name): Publisher => ({ names: [name], publisherType: "dc" })),
    ...all(record, "jpcoar:publisher").map((node): Publisher => {
      const [place, ...morePlaces] = texts(node, "dcndl:location");
      const [description, ...moreDescriptions] = texts(node, "jpcoar:publisherDescription");
      const countries = tokens(node, "dcndl:publicationPlace");
      return {
        names: texts(node, "jpcoar:publisherName"),
        ...withoutUndefined({ place, description }),
        ...(morePlaces.length === 0 ? {} : { morePlaces }),
        ...(moreDescriptions.length === 0 ? {} : { moreDescriptions }),
        ...(countries.length === 0 ? {} : { countries }),
        publisherType: "jpcoar",
      };
    }),
  ];
}

export function readDates(record: Node): ItemDate[] {
  const typed = all(record, "datacite:date").map((node): ItemDate => {
    return { date: token(node), type: node.attributes.dateType?.trim() ?? "" };
  });
  const free = texts(record, "dcterms:date").map(({ value, lang }): ItemDate => {
    return { date: value, type: "dcterms", ...maybe("lang", lang) };
  });
  return [...typed.filter(({ date }) => date !== ""), ...free];
}

export function readRelation(node: Node): Relation {
  const ident = readIdent(one(node, "jpcoar:relatedIdentifier"), "identifierType");
  return {
    type: node.attributes.relationType?.trim() ?? "",
    ...(ident === null ? {} : { ident }),
    titles: texts(node, "jpcoar:relatedTitle"),
  };
}

export function readLocation(node: Node): Location {
  const point = one(node, "datacite:geoLocationPoint");
  const box = one(node, "datacite:geoLocationBox");
  const in_ = (parent: Node, name: string): string => token(one(parent, `datacite:${name}`));
  return {
    ...(point === undefined
      ? {}
      : { point: { longitude: in_(point, "pointLongitude"), latitude: in_(point, "pointLatitude") } }),
    ...(box === undefined
      ? {}
      : {
          box: {
            west: in_(box, "westBoundLongitude"),
            east: in_(box, "eastBoundLongitude"),
            south: in_(box, "southBoundLatitude"),
            north: in_(box, "northBoundLatitude"),
          },
        }),
    places: texts(node, "datacite:geoLocationPlace"),
    ids: [],
  };
}

export function readFunding(node: Node): Funding {
  const funder = readIdent(
    one(node, "jpcoar:funderIdentifier"),
    "funderIdentifierType",
    undefined,
    "funderIdentifierTypeURI",
  );
  const stream = readIdent(
    one(node, "jpcoar:fundingStreamIdentifier"),
    "fundingStreamIdentifierType",
    undefined,
    "fundingStreamIdentifierTypeURI",
  );
  const streams = texts(node, "jpcoar:fundingStream");
  const award = one(node, "jpcoar:awardNumber");
  const titles = texts(node, "jpcoar:awardTitle");
  return {
    funder: { names: texts(node, "jpcoar:funderName"), ids: funder === null ? [] : [funder] },
    ...(stream === null && streams.length === 0
      ? {}
      : { stream: { ids: stream === null ? [] : [stream], names: streams } }),
    ...(award === undefined && titles.length === 0
      ? {}
      : {
          award: {
            ...maybe("number", token(award)),
            ...maybe("numberType", award?.attributes.awardNumberType?.trim()),
            ...maybe("uri", award?.attributes.awardURI?.trim()),
            titles,
          },
        }),
  };
}

/**
 * What the item appeared in. A record has these elements once, so there is one container, as if from the groups of
 * single fields (R4a).
 */
export function readContainer(record: Node): Container | null {
  const container: Container = {
    titles: texts(record, "jpcoar:sourceTitle"),
    ids: readIdents(record, "jpcoar:sourceIdentifier", "identifierType"),
    ...maybe("volume", words(one(record, "jpcoar:volume"))),
    ...maybe("issue", words(one(record, "jpcoar:issue"))),
    ...maybe("numPages", firstToken(record, "jpcoar:numPages")),
    ...maybe("pageStart", firstToken(record, "jpcoar:pageStart")),
    ...maybe("pageEnd", firstToken(record, "jpcoar:pageEnd")),
    place: "flat",
  };
  const { titles, ids, place, ...numbers } = container;
  return titles.length + ids.length + Object.keys(numbers).length === 0 ? null : container;
}

export function readDegree(record: Node): Degree | null {
  const number = words(one(record, "dcndl:dissertationNumber"));
  const names = texts(record, "dcndl:degreeName");
  const granted = token(one(record, "dcndl:dateGranted"));
  const grantors = all(record, "jpcoar:degreeGrantor").map((node) => readOrg(node, "jpcoar:degreeGrantorName"));
  if (number === "" && granted === "" && names.length + grantors.length === 0) return null;
  return { ...maybe("number", number), names, ...maybe("granted", granted), grantors };
}

const DATE_PARTS = ["startYear", "startMonth", "startDay", "endYear", "endMonth", "endDay"] as const;

export function readConference(node: Node): Conference {
  const date = one(node, "jpcoar:conferenceDate");
  const parts: Partial<Record<(typeof DATE_PARTS)[number], string>> = {};
  for (const part of DATE_PARTS) Object.assign(parts, maybe(part, date?.attributes[part]?.trim()));
  const text = date === undefined ? undefined : toText(date);
  return {
    names: texts(node, "jpcoar:conferenceName"),
    ...maybe("sequence", token(one(node, "jpcoar:conferenceSequence"))),
    sponsors: texts(node, "jpcoar:conferenceSponsor"),
    ...(text === undefined ? {} : { date: { ...maybe("text", text.value), ...maybe("lang", text.lang), ...parts } }),
    venues: texts(node, "jpcoar:conferenceVenue"),
    places: texts(node, "jpcoar:conferencePlace"),
    ...maybe("country", token(one(node, "jpcoar:conferenceCountry"))),
  };
}

export function readCatalog(node: Node): NonNullable<Metadata["catalog"]> {
  const accessRights = readAccessRights(one(node, "dcterms:accessRights"));
  return {
    contributors: all(node, "jpcoar:contributor").map(readContributor),
    ids: readIdents(node, "jpcoar:identifier", "identifierType"),
    titles: texts(node, "dc:title"),
    descriptions: all(node, "datacite:description").map(readDescription),
    subjects: all(node, "jpcoar:subject").map(readSubject),
    licenses: all(node, "jpcoar:license").map((each) => ({
      ...maybe("type", each.attributes.licenseType?.trim()),
      ...maybe("uri", each.attributes["rdf:resource"]?.trim()),
      text: toText(each),
    })),
    rights: readRights(all(node, "dc:rights")),
    ...(accessRights === undefined ? {} : { accessRights }),
    files: all(node, "jpcoar:file").slice(0, 1).map(readFile),
  };
}
