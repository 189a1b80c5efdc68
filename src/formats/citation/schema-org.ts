// The schema.org description of an item for its landing page (R19a). Mail addresses are never in it.

import { shortLanguage } from "../../model/metadata/language-codes.ts";
import { rightAddress } from "../../model/metadata/licenses.ts";
import { type Agent, type Ident, type Metadata, type Org, publicationDate } from "../../model/metadata/metadata.ts";
import { agentNames, citedTitle, inLanguage, namesIn, wordIn } from "../../model/metadata/reader-language.ts";
import { htmlToText } from "../../shared/html/html-text.ts";
import type { Json } from "../../shared/json/json.ts";
import { own } from "../../shared/objects.ts";
import { readDate } from "../csl/item.ts";
import { agentAddress, type CitedItem, citeAs, doiOf, identAddress, webAddress, workKind } from "./cited-item.ts";

type JsonObject = { readonly [key: string]: Json };

const TYPES: Readonly<Record<string, string>> = {
  audio: "AudioObject",
  dataset: "Dataset",
  image: "ImageObject",
  lesson: "LearningResource",
  poster: "Poster",
  presentation: "PresentationDigitalDocument",
  software: "SoftwareSourceCode",
  "software-computationalnotebook": "SoftwareSourceCode",
  video: "VideoObject",
  "publication-article": "ScholarlyArticle",
  "publication-book": "Book",
  "publication-conferencepaper": "ScholarlyArticle",
  "publication-datapaper": "ScholarlyArticle",
  "publication-dissertation": "Thesis",
  "publication-journal": "Periodical",
  "publication-peerreview": "Review",
  "publication-preprint": "ScholarlyArticle",
  "publication-report": "Report",
  "publication-section": "Chapter",
  "publication-technicalnote": "Report",
  "publication-thesis": "Thesis",
  "publication-workingpaper": "Report",
};

/** The schema.org type of an item; `CreativeWork` where no type matches. */
export function schemaOrgType(metadata: Metadata): string {
  const id = metadata.type?.id ?? "";
  if (metadata.type?.label?.toLowerCase() === "map") return "Map";
  return own(TYPES, id) ?? (id.startsWith("image-") ? "ImageObject" : "CreativeWork");
}

/** Members without a value are left out. */
function object(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const given: Record<string, Json> = {};
  for (const [key, value] of Object.entries(members)) {
    const isEmpty =
      value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) given[key] = value;
  }
  return given;
}

/** The description. It lists every file in `files`: pass only those that everybody may read. */
export function schemaOrg(item: CitedItem, reader?: string): JsonObject {
  const { metadata } = item;
  const { title: cited, lang } = citedTitle(metadata, reader);
  const title = cited?.value ?? "";
  const isData = workKind(metadata) === "data";
  const rightAddresses = metadata.rights.flatMap((right) => rightAddress(right) ?? []);
  const licenses = [...new Set(rightAddresses.flatMap((address) => webAddress(address) ?? []))];
  const files = item.files.map((file) =>
    object({
      "@type": isData ? "DataDownload" : "MediaObject",
      name: file.name,
      contentUrl: file.url,
      encodingFormat: file.mediaType,
      contentSize: file.sizeBytes === null ? undefined : `${file.sizeBytes} B`,
    }),
  );
  const type = schemaOrgType(metadata);
  const { isPartOf = [], ...relations } = relatedWorks(metadata);
  const wholes = [...containers(metadata, lang), ...isPartOf];
  const repository = object({ "@type": isData ? "DataCatalog" : "Organization", name: item.repositoryName });
  return object({
    "@context": "https://schema.org",
    "@type": type,
    "@id": citeAs(item),
    url: item.landingPage,
    identifier: identifiers(item),
    name: title,
    alternateName: metadata.titles
      .slice(0, VALUES_MAX)
      .map(({ value }) => value)
      .filter((value) => value !== title),
    description: inLanguage(metadata.descriptions, lang)
      .filter(({ kind }) => kind === "Abstract" || metadata.descriptions.length === 1)
      .map(({ value, html }) => (html ? htmlToText(value) : value)),
    author: people(metadata.creators, lang),
    editor: people(metadata.contributors.filter(isEditor), lang),
    contributor: people(
      metadata.contributors.filter((agent) => !isEditor(agent)),
      lang,
    ),
    copyrightHolder: people(metadata.rightsHolders, lang),
    copyrightNotice: metadata.copyright,
    publisher: organization(
      metadata.publishers[0] === undefined ? null : { names: metadata.publishers[0].names, ids: [] },
      lang,
    ),
    datePublished: calendarDate(publicationDate(metadata)),
    dateCreated: calendarDate(metadata.dates.find(({ type }) => type === "Created")?.date ?? null) ?? item.publishedAt,
    dateModified: item.updatedAt,
    version: metadata.versionLabel,
    inLanguage: metadata.languages.map(shortLanguage),
    keywords: metadata.subjects.slice(0, VALUES_MAX).flatMap(({ text }) => text?.value ?? []),
    license: licenses.length === 1 ? licenses[0] : licenses,
    ...relations,
    ...pagesOf(metadata, type),
    isPartOf: wholes.length === 1 ? wholes[0] : wholes,
    ...(isData
      ? { distribution: files, includedInDataCatalog: repository }
      : { encoding: files, provider: repository }),
    isAccessibleForFree: item.files.length > 0 ? true : undefined,
    temporalCoverage: metadata.temporals.slice(0, VALUES_MAX).map(({ value }) => value),
    spatialCoverage: places(metadata),
    funding: metadata.funding.slice(0, VALUES_MAX).map((each) =>
      object({
        "@type": "Grant",
        funder: organization(each.funder, lang),
        identifier: each.award?.number,
        name: wordIn(each.award?.titles ?? [], lang) || undefined,
        url: each.award?.uri === undefined ? undefined : (webAddress(each.award.uri) ?? undefined),
      }),
    ),
  });
}

const isEditor = ({ role }: Agent): boolean => role?.toLowerCase() === "editor";

const people = (agents: readonly Agent[], lang: string | undefined): JsonObject[] =>
  agents
    .slice(0, VALUES_MAX)
    .map((agent) => person(agent, lang))
    .filter((each) => each !== null);

/** A date of the calendar, of an interval the earlier one, as precise as it is stated; null for words. */
function calendarDate(written: string | null): string | undefined {
  const [read] = readDate(written?.trim() ?? "") ?? [];
  if (read === undefined || read[0] < 0) return undefined;
  return read.map((part, at) => String(part).padStart(at === 0 ? 4 : 2, "0")).join("-");
}

/** How other works are related, in the words of schema.org; other relations have none. */
const RELATIONS: Readonly<Record<string, string>> = {
  ispartof: "isPartOf",
  haspart: "hasPart",
  cites: "citation",
  references: "citation",
  isderivedfrom: "isBasedOn",
  isvariantformof: "sameAs",
  isidenticalto: "sameAs",
  isversionof: "exampleOfWork",
};

/** References without an address are listed among the cited works as they are written. */
function relatedWorks(metadata: Metadata): Readonly<Record<string, readonly Json[]>> {
  const byMember: Record<string, Json[]> = {};
  const add = (member: string, value: Json): void => {
    const values = byMember[member] ?? [];
    byMember[member] = values;
    if (values.length < VALUES_MAX) values.push(value);
  };
  for (const { type, ident, titles } of metadata.relations) {
    const member = own(RELATIONS, type.toLowerCase());
    const address = ident === undefined ? null : identAddress(ident);
    if (member === undefined || address === null) continue;
    add(
      member,
      member === "sameAs" ? address : object({ "@type": "CreativeWork", "@id": address, name: titles[0]?.value }),
    );
  }
  for (const { text } of metadata.references) add("citation", text);
  return byMember;
}

function identifiers(item: CitedItem): Json[] {
  const doi = doiOf(item.metadata);
  const own: Ident[] = [
    ...(item.ark === null ? [] : [{ scheme: "ARK", value: item.ark }]),
    ...(doi === null ? [] : [{ scheme: "DOI", value: doi }]),
    ...item.metadata.identifiers.filter(({ scheme }) => scheme.toUpperCase() !== "DOI"),
  ];
  return own.map((ident) =>
    object({
      "@type": "PropertyValue",
      propertyID: ident.scheme,
      value: ident.value,
      url: identAddress(ident) ?? undefined,
    }),
  );
}

/** At most this many values of one field; search engines use no more. */
const VALUES_MAX = 500;
/** At most this many names of one agent. */
const NAMES_MAX = 50;

function person(agent: Agent, lang: string | undefined): JsonObject | null {
  const [name] = namesIn(agent.names, lang);
  const [shown, ...others] = agentNames({ ...agent, alternatives: [] }, lang, NAMES_MAX);
  if (name === undefined || shown === undefined) return null;
  const isPerson = agent.kind !== "organizational";
  return object({
    "@type": isPerson ? "Person" : "Organization",
    "@id": agentAddress(agent.ids) ?? undefined,
    name: shown.text,
    familyName: isPerson ? name.family : undefined,
    givenName: isPerson ? name.given : undefined,
    alternateName: [...new Set(others.map(({ text }) => text).filter((text) => text !== shown.text))],
    affiliation: isPerson
      ? agent.affiliations
          .slice(0, NAMES_MAX)
          .map((org) => organization(org, lang) ?? null)
          .filter((org) => org !== null)
      : [],
  });
}

function organization(org: Org | null, lang: string | undefined): JsonObject | undefined {
  const name = wordIn(org?.names ?? [], lang);
  if (org === null || name === "") return undefined;
  return object({ "@type": "Organization", "@id": agentAddress(org.ids) ?? undefined, name });
}

/** The journal, its volume and issue as schema.org nests them; the book. */
function containers(metadata: Metadata, lang: string | undefined): JsonObject[] {
  const [first] = metadata.containers;
  const title = wordIn(first?.titles ?? [], lang);
  if (first === undefined || title === "") return [];
  const valuesOf = (scheme: RegExp) => first.ids.filter((ident) => scheme.test(ident.scheme)).map(({ value }) => value);
  const [issn, isbn] = [valuesOf(/issn$/i), valuesOf(/^isbn$/i)];
  const kind = workKind(metadata);
  const isSerial = issn.length > 0 || first.volume !== undefined || first.issue !== undefined;
  if (kind === "part" || (kind === "conference" && !isSerial)) return [object({ "@type": "Book", name: title, isbn })];
  const whole = object({ "@type": "Periodical", name: title, issn });
  const volume =
    first.volume === undefined
      ? whole
      : object({ "@type": "PublicationVolume", volumeNumber: first.volume, isPartOf: whole });
  return [
    first.issue === undefined
      ? volume
      : object({ "@type": "PublicationIssue", issueNumber: first.issue, isPartOf: volume }),
  ];
}

/** Only articles and chapters have pages. */
function pagesOf({ containers: [first] }: Metadata, type: string): Readonly<Record<string, Json | undefined>> {
  if (first === undefined || (type !== "ScholarlyArticle" && type !== "Chapter")) return {};
  return { pageStart: first.pageStart, pageEnd: first.pageEnd };
}

function places(metadata: Metadata): Json[] {
  return metadata.locations.slice(0, VALUES_MAX).flatMap(({ point, box, places: names }) => {
    const geo =
      box !== undefined
        ? { "@type": "GeoShape", box: `${box.south} ${box.west} ${box.north} ${box.east}` }
        : point === undefined
          ? undefined
          : { "@type": "GeoCoordinates", latitude: point.latitude, longitude: point.longitude };
    const place = object({ "@type": "Place", name: names.map(({ value }) => value), geo });
    return Object.keys(place).length > 1 ? [place] : [];
  });
}
