// JPCOAR 2.0 XML to the canonical model (R3; specification "Package content rules", XML). Records of JPCOAR 1.0 are read too. The reader is
// generous: order does not matter, and what the schema has no place for is kept in `extra` and told in the notes.
import { type DescribedItem, DocumentError } from "../../domain/deposit/package.ts";
import {
  type Conference,
  type Container,
  type Degree,
  EMPTY_METADATA,
  type Funding,
  type ItemDate,
  type Location,
  type Metadata,
  type Publisher,
  type Relation,
  type Title,
} from "../../domain/items/metadata.ts";
import { resourceTypeOf } from "../../domain/items/resource-types.ts";
import { parseXml } from "../xml/parse.ts";
import type { RootName } from "../xml/peek.ts";
import {
  all,
  isJpcoarNamespace,
  maybe,
  type Node,
  one,
  type Stranger,
  strangers,
  texts,
  token,
  tokens,
  toNode,
  toText,
  words,
} from "./nodes.ts";
import {
  fileClaim,
  firstToken,
  readAccessRights,
  readContributor,
  readCreator,
  readDescription,
  readFile,
  readIdent,
  readIdents,
  readOrg,
  readRights,
  readRightsHolder,
  readSubject,
} from "./read-parts.ts";

/** More oddities of one document are counted, not told one by one. */
export const MAX_NOTES = 20;
/** Of what one document holds beyond the schema no more places are kept than these. */
export const MAX_EXTRA = 1_000;

/** Whether a root is that of a JPCOAR record (R13a). */
export function isJpcoarRoot(root: RootName): boolean {
  return root.name === "jpcoar" && isJpcoarNamespace(root.namespace);
}

/**
 * The item a JPCOAR record describes. Throws DocumentError when the document is not well-formed XML (parseXml) or its root is not `jpcoar:jpcoar`.
 * Whether required elements are there, and whether values are of the schema, is not checked. A record names no existing item: its identifiers are
 * the item's own.
 */
export function readJpcoar(xml: string | Uint8Array): { item: DescribedItem } {
  const root = parseXml(xml);
  if (!isJpcoarRoot(root)) {
    throw new DocumentError(
      `The XML document's root is "${root.name}" in the namespace "${root.namespace}"; "jpcoar" of JPCOAR 2.0 was expected`,
    );
  }
  const record = toNode(root);
  const odd = strangers(record);
  const kept = odd.filter((stranger) => stranger.value !== null);
  const extra = kept.slice(0, MAX_EXTRA).map(({ path, value }) => ({ format: "jpcoar", path, value }));
  return {
    item: {
      localId: "./",
      existing: { id: null, uri: null },
      itemType: null,
      metadata: { ...readMetadata(record), extra },
      instructions: {},
      settings: {},
      files: all(record, "jpcoar:file").map((file) => fileClaim(readFile(file))),
      notes: tell(odd),
    },
  };
}

function tell(odd: readonly Stranger[]): string[] {
  const notes = odd
    .slice(0, MAX_NOTES)
    .map(({ path, problem, value }) => `${path} ${problem}${value === null ? "" : "; it is kept aside"}`);
  const lost = odd.filter(({ value }) => value !== null).length - MAX_EXTRA;
  if (lost > 0)
    notes.push(`${lost} places of the record are neither of JPCOAR 2.0 nor kept aside; at most ${MAX_EXTRA} are`);
  if (odd.length > MAX_NOTES) notes.push(`${odd.length - MAX_NOTES} more places of the record are not of JPCOAR 2.0`);
  return notes;
}

function readMetadata(record: Node): Metadata {
  const type = one(record, "dc:type");
  const versionType = one(record, "oaire:version");
  const registration = readIdent(one(record, "jpcoar:identifierRegistration"), "identifierType");
  const accessRights = readAccessRights(one(record, "dcterms:accessRights"));
  const holdingAgent = one(record, "jpcoar:holdingAgent");
  const series = token(one(record, "jpcoar:datasetSeries")).toLowerCase();
  const container = readContainer(record);
  const degree = readDegree(record);
  const catalog = one(record, "jpcoar:catalog");
  return {
    ...EMPTY_METADATA,
    type: type === undefined ? null : resourceTypeOf(token(type), type.attributes["rdf:resource"]),
    titles: readTitles(record),
    creators: all(record, "jpcoar:creator").map(readCreator),
    contributors: all(record, "jpcoar:contributor").map(readContributor),
    rightsHolders: all(record, "jpcoar:rightsHolder").map(readRightsHolder),
    ...(accessRights === undefined ? {} : { accessRights }),
    ...maybe("apc", token(one(record, "rioxxterms:apc"))),
    rights: readRights(all(record, "dc:rights")),
    subjects: all(record, "jpcoar:subject").map(readSubject),
    descriptions: all(record, "datacite:description")
      .map(readDescription)
      .filter(({ value }) => value !== ""),
    publishers: readPublishers(record),
    dates: readDates(record),
    languages: tokens(record, "dc:language"),
    ...maybe("versionLabel", words(one(record, "datacite:version"))),
    ...(token(versionType) === ""
      ? {}
      : {
          versionType: { label: token(versionType), ...maybe("uri", versionType?.attributes["rdf:resource"]?.trim()) },
        }),
    identifiers: readIdents(record, "jpcoar:identifier", "identifierType"),
    ...(registration === null ? {} : { registration }),
    relations: all(record, "jpcoar:relation").map(readRelation),
    temporals: texts(record, "dcterms:temporal"),
    locations: all(record, "datacite:geoLocation").map(readLocation),
    funding: all(record, "jpcoar:fundingReference").map(readFunding),
    containers: container === null ? [] : [container],
    ...(degree === null ? {} : { degree }),
    conferences: all(record, "jpcoar:conference").map(readConference),
    editions: texts(record, "dcndl:edition"),
    volumeTitles: texts(record, "dcndl:volumeTitle"),
    originalLanguages: tokens(record, "dcndl:originalLanguage"),
    formats: texts(record, "jpcoar:format"),
    sizes: texts(record, "dcterms:extent"),
    ...(holdingAgent === undefined
      ? {}
      : {
          holdingAgent: {
            ids: readIdents(
              holdingAgent,
              "jpcoar:holdingAgentNameIdentifier",
              "nameIdentifierScheme",
              "nameIdentifierURI",
            ).slice(0, 1),
            names: texts(holdingAgent, "jpcoar:holdingAgentName"),
          },
        }),
    ...(series === "true" || series === "false" ? { datasetSeries: series === "true" } : {}),
    ...(catalog === undefined ? {} : { catalog: readCatalog(catalog) }),
  };
}

/** R3: the first dc:title is the main one, one in another language a translation; a further one of the same language is another main title. */
function readTitles(record: Node): Title[] {
  const titles = texts(record, "dc:title");
  const main = titles[0];
  return [
    ...titles.map(
      (title): Title => ({
        ...title,
        kind: title === main || title.lang === undefined || title.lang === main?.lang ? "main" : "translated",
      }),
    ),
    ...texts(record, "dcterms:alternative").map((title): Title => ({ ...title, kind: "alternative" })),
  ];
}

function readPublishers(record: Node): Publisher[] {
  return [
    ...texts(record, "dc:publisher").map((name): Publisher => ({ names: [name], publisherType: "dc" })),
    ...all(record, "jpcoar:publisher").map((node): Publisher => {
      const [place, ...morePlaces] = texts(node, "dcndl:location");
      const [description, ...moreDescriptions] = texts(node, "jpcoar:publisherDescription");
      const countries = tokens(node, "dcndl:publicationPlace");
      return {
        names: texts(node, "jpcoar:publisherName"),
        ...(place === undefined ? {} : { place }),
        ...(description === undefined ? {} : { description }),
        ...(morePlaces.length === 0 ? {} : { morePlaces }),
        ...(moreDescriptions.length === 0 ? {} : { moreDescriptions }),
        ...(countries.length === 0 ? {} : { countries }),
        publisherType: "jpcoar",
      };
    }),
  ];
}

function readDates(record: Node): ItemDate[] {
  const typed = all(record, "datacite:date").map((node): ItemDate => {
    return { date: token(node), type: node.attributes.dateType?.trim() ?? "" };
  });
  const free = texts(record, "dcterms:date").map(({ value, lang }): ItemDate => {
    return { date: value, type: "dcterms", ...maybe("lang", lang) };
  });
  return [...typed.filter(({ date }) => date !== ""), ...free];
}

function readRelation(node: Node): Relation {
  const ident = readIdent(one(node, "jpcoar:relatedIdentifier"), "identifierType");
  return {
    type: node.attributes.relationType?.trim() ?? "",
    ...(ident === null ? {} : { ident }),
    titles: texts(node, "jpcoar:relatedTitle"),
  };
}

function readLocation(node: Node): Location {
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

function readFunding(node: Node): Funding {
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

/** What the item appeared in: the elements stand once in a record, so there is one container, as if from the groups of single fields (R4a). */
function readContainer(record: Node): Container | null {
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

function readDegree(record: Node): Degree | null {
  const number = words(one(record, "dcndl:dissertationNumber"));
  const names = texts(record, "dcndl:degreeName");
  const granted = token(one(record, "dcndl:dateGranted"));
  const grantors = all(record, "jpcoar:degreeGrantor").map((node) => readOrg(node, "jpcoar:degreeGrantorName"));
  if (number === "" && granted === "" && names.length + grantors.length === 0) return null;
  return { ...maybe("number", number), names, ...maybe("granted", granted), grantors };
}

const DATE_PARTS = ["startYear", "startMonth", "startDay", "endYear", "endMonth", "endDay"] as const;

function readConference(node: Node): Conference {
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

function readCatalog(node: Node): NonNullable<Metadata["catalog"]> {
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
