// JPCOAR 2.0 XML to the canonical model (R3; specification "Package content rules", XML). Records of JPCOAR 1.0 are
// read too. The reader is generous: order does not matter, and what the schema has no place for is kept in `extra` and
// reported in the notes.
import type { DescribedItem, FileClaim } from "../../model/files/described-package.ts";
import { EMPTY_METADATA, type Metadata, type Title } from "../../model/metadata/metadata.ts";
import { resourceTypeOf } from "../../model/metadata/resource-types.ts";
import { DocumentError } from "../../shared/document-error.ts";
import { parseXml, type RootName } from "../../shared/xml/parse.ts";
import {
  all,
  isJpcoarNamespace,
  maybe,
  type Node,
  one,
  type Stranger,
  shown,
  strangers,
  texts,
  token,
  tokens,
  toNode,
} from "./nodes.ts";
import { readPlainMembers } from "./plain-members.ts";
import {
  readCatalog,
  readConference,
  readContainer,
  readDates,
  readDegree,
  readFunding,
  readLocation,
  readPublishers,
  readRelation,
} from "./read-groups.ts";
import {
  fileClaim,
  readAccessRights,
  readContributor,
  readCreator,
  readDescription,
  readFile,
  readIdent,
  readIdents,
  readRights,
  readRightsHolder,
  readSubject,
} from "./read-parts.ts";

/** At most this many deviations of one document are reported; the rest is counted. */
export const MAX_NOTES = 20;
/** At most this many places beyond the schema are kept of one document. */
export const MAX_EXTRA = 1_000;

/** Whether a root is that of a JPCOAR record (R13a). */
export function isJpcoarRoot(root: RootName): boolean {
  return root.name === "jpcoar" && isJpcoarNamespace(root.namespace);
}

/**
 * The item a JPCOAR record describes.
 *
 * @throws DocumentError when the document is not well-formed XML (parseXml) or its root is not `jpcoar:jpcoar`. Whether
 * required elements are there, and whether values are of the schema, is not checked. A record names no existing item
 * but by what its identifiers are (R13c).
 */
export function readJpcoar(xml: string | Uint8Array): { item: DescribedItem } {
  const root = parseXml(xml);
  if (!isJpcoarRoot(root)) {
    throw new DocumentError(
      `The XML document's root is "${root.name.slice(0, 100)}" in the namespace "${root.namespace}"; "jpcoar" of JPCOAR 2.0 was expected`,
    );
  }
  const record = toNode(root);
  const odd = strangers(record);
  const kept = odd.filter((stranger) => stranger.value !== null);
  const { files, notes } = readFiles(record);
  const extra = kept.slice(0, MAX_EXTRA).map(({ path, value }) => ({ format: "jpcoar", path, value }));
  return {
    item: {
      localId: "./",
      existing: { id: null, uri: null },
      itemType: null,
      metadata: { ...readMetadata(record), extra },
      instructions: {},
      settings: {},
      files,
      notes: [...strangerNotes(odd), ...notes],
    },
  };
}

/** Of files that would claim one path the first gets it; the others claim none, and that is reported. */
function readFiles(record: Node): { files: FileClaim[]; notes: string[] } {
  const claimed = new Set<string>();
  const notes: string[] = [];
  const files = all(record, "jpcoar:file").map((node): FileClaim => {
    const claim = fileClaim(readFile(node));
    if (claim.path === "" || !claimed.has(claim.path)) {
      claimed.add(claim.path);
      return claim;
    }
    if (notes.length < MAX_NOTES)
      notes.push(`More than one file of the record is "${shown(claim.path)}"; the first one counts`);
    return { ...claim, path: "" };
  });
  return { files, notes };
}

function strangerNotes(odd: readonly Stranger[]): string[] {
  const notes = odd
    .slice(0, MAX_NOTES)
    .map(({ path, problem, value }) => `${path} ${problem}${value === null ? "" : "; it is kept in extra"}`);
  const lost = odd.filter(({ value }) => value !== null).length - MAX_EXTRA;
  if (lost > 0)
    notes.push(
      `${lost} places of the record are neither in JPCOAR 2.0 nor kept in extra, which holds at most ${MAX_EXTRA}`,
    );
  if (odd.length > MAX_NOTES) notes.push(`${odd.length - MAX_NOTES} more places of the record are not in JPCOAR 2.0`);
  return notes;
}

function readMetadata(record: Node): Metadata {
  const type = one(record, "dc:type");
  const versionType = one(record, "oaire:version");
  const registration = readIdent(one(record, "jpcoar:identifierRegistration"), "identifierType");
  const accessRights = readAccessRights(one(record, "dcterms:accessRights"));
  const holdingAgent = one(record, "jpcoar:holdingAgent");
  const container = readContainer(record);
  const degree = readDegree(record);
  const catalog = one(record, "jpcoar:catalog");
  return {
    ...EMPTY_METADATA,
    ...readPlainMembers(record),
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
    ...(token(versionType) === ""
      ? {}
      : {
          versionType: { label: token(versionType), ...maybe("uri", versionType?.attributes["rdf:resource"]?.trim()) },
        }),
    identifiers: readIdents(record, "jpcoar:identifier", "identifierType"),
    ...(registration === null ? {} : { registration }),
    relations: all(record, "jpcoar:relation").map(readRelation),
    locations: all(record, "datacite:geoLocation").map(readLocation),
    funding: all(record, "jpcoar:fundingReference").map(readFunding),
    containers: container === null ? [] : [container],
    ...(degree === null ? {} : { degree }),
    conferences: all(record, "jpcoar:conference").map(readConference),
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
    ...(catalog === undefined ? {} : { catalog: readCatalog(catalog) }),
  };
}

/**
 * R3: the first dc:title is the main one, one in another language a translation; a further one of the same language is
 * another main title.
 */
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
