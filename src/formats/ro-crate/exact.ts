// How a crate carries canonical metadata without loss (R3, R19b). What schema.org has terms for is written in those
// terms, for everybody. Where reading them again would not give the same (a title's position, a second name in one
// language, a degree), the member is added as it is, as a JSON literal under our own prefix: `svc:creators`. A reader
// believes that literal only while the public terms are still what would be written for it; an edit of the public
// terms is an edit of the item.

import { type Metadata, mainTitle, publicationDate } from "../../model/metadata/metadata.ts";
import {
  isMetadata,
  METADATA_MEMBERS,
  type MetadataMember,
  memberProblem,
} from "../../model/metadata/metadata-schema.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import type { Day } from "../../shared/time/day.ts";
import { graphBuilder } from "../json-ld/flatten.ts";
import { type Graph, openGraph } from "../json-ld/graph.ts";
import type { Mapping } from "../mapping/compile.ts";
import { areEqualValues } from "../mapping/equal-values.ts";
import { type MappedRecord, readMapped } from "../mapping/read.ts";
import { writeMapped } from "../mapping/write.ts";
import { ABSENT_TERM, PUBDATE_TERM, ROOT_ID } from "./terms.ts";

/**
 * Identifiers that name the document's subject and do not come from the depositor: this repository's ARK, an item's id.
 */
type OwnIdentifiers = ReadonlySet<string>;

/** The public terms of metadata: what a mapping writes, and what RO-Crate demands of a root beyond that. */
export function publicTerms(mapping: Mapping, metadata: Metadata, pubdate: Day | null): JsonObject {
  const terms = new Map(Object.entries(writeMapped(mapping, metadata, pubdate)));
  const title = mainTitle(metadata);
  if (!terms.has("name") && title !== "") terms.set("name", title);
  const published = publicationDate(metadata) ?? pubdate;
  if (!terms.has("datePublished") && published !== null) terms.set("datePublished", published);
  if (pubdate !== null) terms.set(PUBDATE_TERM, pubdate);
  return Object.fromEntries(terms);
}

/** Reads the public terms of an entity. */
export function readPublicTerms(
  mapping: Mapping,
  entity: JsonObject,
  graph: Graph,
  today: Day,
  own: OwnIdentifiers,
): MappedRecord {
  const mapped = readMapped(mapping, entity, graph, today);
  const identifiers = mapped.metadata.identifiers.filter(({ value, uri }) => !own.has(value) && !own.has(uri ?? value));
  return { ...mapped, metadata: { ...mapped.metadata, identifiers } };
}

/** The literals that are needed next to the public terms so that nothing is lost. */
export function exactTerms(mapping: Mapping, metadata: Metadata, pubdate: Day | null, own: OwnIdentifiers): JsonObject {
  const shown = shownAgain(mapping, metadata, pubdate, own);
  const terms = new Map<string, Json>();
  const absent: string[] = [];
  for (const member of METADATA_MEMBERS) {
    const value = metadata[member];
    if (areEqualValues(value, memberOf(shown, member))) continue;
    if (value === undefined) absent.push(member);
    else terms.set(`svc:${member}`, { "@type": "@json", "@value": value });
  }
  if (absent.length > 0) terms.set(ABSENT_TERM, absent);
  return Object.fromEntries(terms);
}

/** What a reader would read from the public terms alone, once they are in a flat graph. */
function shownAgain(mapping: Mapping, metadata: Metadata, pubdate: Day | null, own: OwnIdentifiers): Metadata {
  const flat = graphBuilder();
  flat.add({ "@id": ROOT_ID, ...publicTerms(mapping, metadata, pubdate) });
  const graph = openGraph({ "@graph": flat.entities() }, "crate");
  const root = graph.entities.get(ROOT_ID);
  if (root === undefined) throw new TypeError("A crate lost its root");
  return readPublicTerms(mapping, root, graph, pubdate ?? "", own).metadata;
}

/** Members from the literals of an entity; undefined for those the entity marks as absent. */
type Literals = ReadonlyMap<MetadataMember, unknown>;

function literalsOf(entity: JsonObject, graph: Graph): Literals {
  const literals = new Map<MetadataMember, unknown>();
  for (const member of METADATA_MEMBERS) {
    const [literal] = graph.peek(entity, `svc:${member}`);
    if (!isJsonObject(literal) || literal["@type"] !== "@json" || literal["@value"] === undefined) continue;
    if (memberProblem(member, literal["@value"]) !== null) continue;
    graph.markRead(entity, `svc:${member}`);
    literals.set(member, literal["@value"]);
  }
  for (const name of graph.values(entity, ABSENT_TERM)) {
    const member = METADATA_MEMBERS.find((each) => each === name);
    if (member !== undefined) literals.set(member, undefined);
  }
  return literals;
}

/** The metadata of an entity: its literals where they still match the public terms, else the public terms. */
export function withLiterals(
  mapping: Mapping,
  entity: JsonObject,
  graph: Graph,
  shown: MappedRecord,
  own: OwnIdentifiers,
): { readonly metadata: Metadata; readonly outdated: readonly MetadataMember[] } {
  const literals = literalsOf(entity, graph);
  if (literals.size === 0) return { metadata: shown.metadata, outdated: [] };
  const claimed = metadataWith(shown.metadata, literals);
  const again = shownAgain(mapping, claimed, shown.pubdate, own);
  const outdated = [...literals.keys()].filter(
    (member) => !areEqualValues(memberOf(again, member), memberOf(shown.metadata, member)),
  );
  const believed = new Map([...literals].filter(([member]) => !outdated.includes(member)));
  for (const head of mapping.heads.filter(({ member }) => isBelieved(believed, member))) {
    for (const { source } of head.entries) {
      if (source.kind === "path" && source.steps[0] !== undefined) graph.markBelow(entity, source.steps[0].name);
    }
  }
  return { metadata: metadataWith(shown.metadata, believed), outdated };
}

function isBelieved(believed: Literals, name: string): boolean {
  return [...believed.keys()].some((member) => member === name);
}

function metadataWith(metadata: Metadata, literals: Literals): Metadata {
  const members = new Map<string, unknown>(Object.entries(metadata));
  for (const [member, value] of literals) {
    if (value === undefined) members.delete(member);
    else members.set(member, value);
  }
  const whole = Object.fromEntries(members);
  return isMetadata(whole) ? whole : metadata;
}

function memberOf(metadata: Metadata, member: MetadataMember): unknown {
  return metadata[member];
}
