// The schema.org description of an item for its landing page (R19a). Mail addresses are never in it.

import { agentNames } from "../../repository/model/agent-names.ts";
import { licenseAddress } from "../../repository/model/licenses.ts";
import { type Agent, type Ident, type Metadata, type Org, publicationDate } from "../../repository/model/metadata.ts";
import { citedLanguage, inLanguage, namesIn, titleIn, wordIn } from "../../repository/model/reader-language.ts";
import { htmlToText } from "../../shared/html-text.ts";
import type { Json } from "../../shared/json/json.ts";
import { own } from "../../shared/own-entry.ts";
import { shortLanguage } from "../mapping/languages.ts";
import { agentAddress, type CitedItem, citeAs, doiOf, identAddress, webAddress, workKind } from "./cited-item.ts";

type JsonObject = { readonly [key: string]: Json };

const TYPES: Readonly<Record<string, string>> = {
  audio: "AudioObject",
  dataset: "Dataset",
  event: "Event",
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

/** The schema.org type of an item: `CreativeWork` where there is none of its own. */
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

/** The description. Only `files` that were handed in are told, so hand in those that everybody may read. */
export function schemaOrg(item: CitedItem, reader?: string): JsonObject {
  const { metadata } = item;
  const lang = citedLanguage(metadata, reader);
  const title = titleIn(metadata, lang)?.value ?? "";
  const isData = workKind(metadata) === "data";
  const rightAddresses = metadata.rights.flatMap(
    ({ id, uri }) => uri ?? (id === undefined ? null : licenseAddress(id)) ?? [],
  );
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
  const repository = object({ "@type": isData ? "DataCatalog" : "Organization", name: item.repositoryName });
  return object({
    "@context": "https://schema.org",
    "@type": schemaOrgType(metadata),
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
    author: metadata.creators
      .slice(0, VALUES_MAX)
      .map((agent) => person(agent, lang))
      .filter((each) => each !== null),
    contributor: metadata.contributors
      .slice(0, VALUES_MAX)
      .map((agent) => person(agent, lang))
      .filter((each) => each !== null),
    publisher: organization(
      metadata.publishers[0] === undefined ? null : { names: metadata.publishers[0].names, ids: [] },
      lang,
    ),
    datePublished: publicationDate(metadata) ?? undefined,
    dateModified: item.updatedAt,
    version: metadata.versionLabel,
    inLanguage: metadata.languages.map(shortLanguage),
    keywords: metadata.subjects.slice(0, VALUES_MAX).flatMap(({ text }) => text?.value ?? []),
    license: licenses.length === 1 ? licenses[0] : licenses,
    ...container(metadata, lang),
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
    citation: metadata.references.slice(0, VALUES_MAX).map(({ text }) => text),
  });
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

/** Values of one field beyond this number add nothing to what a search engine knows. */
const VALUES_MAX = 500;
/** Names of one agent beyond this number are left out. */
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

/** The journal, its volume and issue as schema.org nests them, and the pages. */
function container(metadata: Metadata, lang: string | undefined): Readonly<Record<string, Json | undefined>> {
  const [first] = metadata.containers;
  const title = wordIn(first?.titles ?? [], lang);
  if (first === undefined || title === "") return {};
  const issn = first.ids.filter(({ scheme }) => scheme.toUpperCase().endsWith("ISSN")).map(({ value }) => value);
  const isBook = workKind(metadata) === "part";
  const whole = object({ "@type": isBook ? "Book" : "Periodical", name: title, issn });
  const volume =
    first.volume === undefined
      ? whole
      : object({ "@type": "PublicationVolume", volumeNumber: first.volume, isPartOf: whole });
  const issue =
    first.issue === undefined
      ? volume
      : object({ "@type": "PublicationIssue", issueNumber: first.issue, isPartOf: volume });
  return { isPartOf: issue, pageStart: first.pageStart, pageEnd: first.pageEnd };
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
