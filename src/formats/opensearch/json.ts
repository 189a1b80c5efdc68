// Search results as JSON (specification 3: "not shown"; the shape existing repositories answer with): hits with the
// members that feeds are made from, without what only the repository knows and without addresses of people.

import { withImprint } from "../../model/metadata/imprint.ts";
import type { Agent, Ident, Text } from "../../model/metadata/metadata.ts";
import { nameText } from "../../model/metadata/reader-language.ts";
import { printedResourceType } from "../../model/metadata/resource-types.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import { withoutUndefined } from "../../shared/objects.ts";
import type { FeedItem } from "./feed.ts";

const values = (texts: readonly Text[]): readonly string[] => texts.map(({ value }) => value);
const identifiers = (idents: readonly Ident[], type: string): readonly JsonObject[] =>
  idents.map(({ value, uri, scheme }) => ({ value: value || (uri ?? ""), [type]: scheme }));

const agents = (list: readonly Agent[], role: string): readonly JsonObject[] =>
  list.map((agent) => ({
    names: agent.names.map((name) => nameText(name, agent.kind)),
    nameIdentifier: identifiers(agent.ids, "nameIdentifierScheme"),
    affiliation: agent.affiliations.flatMap(({ names }) => values(names)),
    ...(agent.role === undefined ? {} : { [role]: agent.role }),
  }));

/** Members without a value are left out. */
const withoutEmpty = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => !(Array.isArray(value) && value.length === 0)));

function source({ id, metadata, files }: FeedItem): JsonObject {
  const { titles, containers, degree, dates, locations, funding } = withImprint(metadata);
  const of = (kinds: readonly string[]) => values(titles.filter(({ kind }) => kinds.includes(kind)));
  const parts = (member: "volume" | "issue" | "numPages" | "pageStart" | "pageEnd") =>
    containers.flatMap((container) => container[member] ?? []);
  const { type, accessRights, versionType } = metadata;
  return withoutEmpty({
    control_number: `${id}`,
    title: of(["main", "translated"]),
    alternative: of(["alternative", "subtitle", "other"]),
    creator: agents(metadata.creators, "creatorType"),
    contributor: agents(metadata.contributors, "contributorType"),
    accessRights: accessRights === undefined ? [] : [accessRights.label],
    rights: metadata.rights.flatMap(({ text, uri, id: license }) => [...values(text), uri ?? license ?? []].flat()),
    subject: metadata.subjects.map(({ text, scheme, uri }) =>
      withoutUndefined({ value: text?.value ?? uri ?? "", subjectScheme: scheme }),
    ),
    description: metadata.descriptions.map(({ value, kind }) => ({ value, descriptionType: kind })),
    publisher: metadata.publishers.flatMap(({ names }) => values(names)),
    date: dates.map(({ date, type: dateType }) => ({ value: date, dateType })),
    language: metadata.languages,
    type: type === null ? [] : [type.label ?? printedResourceType(type)?.label ?? type.id],
    versionType: versionType === undefined ? [] : [versionType.label],
    identifier: identifiers(metadata.identifiers, "identifierType"),
    relation: metadata.relations.map(({ type: relationType, ident, titles: names }) =>
      withoutUndefined({
        relationType,
        relatedTitle: values(names),
        relatedIdentifier: ident === undefined ? undefined : identifiers([ident], "identifierType"),
      }),
    ),
    temporal: values(metadata.temporals),
    geoLocation: locations.map(({ places, point, box }) =>
      withoutUndefined({ geoLocationPlace: values(places), geoLocationPoint: point, geoLocationBox: box }),
    ),
    fundingReference: funding.map(({ funder, award }) =>
      withoutUndefined({
        funderName: values(funder.names),
        awardNumber: award?.number,
        awardTitle: award === undefined ? undefined : values(award.titles),
      }),
    ),
    sourceIdentifier: containers.flatMap(({ ids }) => identifiers(ids, "identifierType")),
    sourceTitle: containers.flatMap(({ titles: names }) => values(names)),
    volume: parts("volume"),
    issue: parts("issue"),
    numPages: parts("numPages"),
    pageStart: parts("pageStart"),
    pageEnd: parts("pageEnd"),
    dissertationNumber: degree?.number === undefined ? [] : [degree.number],
    degreeName: values(degree?.names ?? []),
    dateGranted: degree?.granted === undefined ? [] : [degree.granted],
    degreeGrantor: (degree?.grantors ?? []).flatMap(({ names }) => values(names)),
    conference: metadata.conferences.flatMap(({ names }) => values(names)),
    file: files.map(({ url, mediaType }) => ({ URI: url, mimeType: mediaType })),
  });
}

/** One hit. */
export function jsonHit(item: FeedItem): JsonObject {
  const { id, landingPage, oaiRecord, createdAt, updatedAt } = item;
  return {
    id,
    metadata: source(item),
    links: { self: landingPage, oai: oaiRecord },
    created: createdAt,
    updated: updatedAt,
  };
}
