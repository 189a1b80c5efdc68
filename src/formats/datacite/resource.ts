// A record as DataCite 4.6 describes a resource (R38; DataCite Metadata Schema 4.6): one description, written as JSON
// and as XML. What it requires and the metadata does not have is written as unknown, never invented.

import { STATUS_RIGHTS } from "../../model/access/openness.ts";
import { rightAddress } from "../../model/metadata/licenses.ts";
import { type Metadata, publicationDate, type Title } from "../../model/metadata/metadata.ts";
import { primaryLanguage } from "../../model/metadata/reader-language.ts";
import { accessRightsLabel, accessRightsOf } from "../../model/rights/access-rights.ts";
import { withoutUndefined } from "../../shared/objects.ts";
import {
  absoluteUri,
  firstText,
  plainDescription,
  trimmedText,
  trimmedWording,
  unique,
  yearOf,
} from "../export-values.ts";
import type { ExportedRecord } from "../exported-record.ts";
import { type Notes, notesKeeper } from "../jpcoar/elements.ts";
import { shown } from "../jpcoar/nodes.ts";
import { isLanguage } from "../jpcoar/text-rules.ts";
import { leftOutBut, leftOutRest } from "../left-out.ts";
import { licenseWord, resourceTypeWord } from "../vocabulary-words.ts";
import {
  type Contributor,
  contributorsOf,
  creatorsOf,
  type FundingReference,
  fundingOf,
  type Person,
  UNKNOWN,
} from "./agents.ts";
import {
  type DateType,
  type DescriptionType,
  dateTypeOf,
  descriptionTypeOf,
  type ResourceTypeGeneral,
  resourceTypeGeneralOf,
  type TitleType,
} from "./lists.ts";
import { type GeoLocation, geoLocationsOf } from "./places.ts";
import {
  type AlternateIdentifier,
  alternateIdentifiersOf,
  type DataciteTitle,
  dataciteDate,
  type RelatedIdentifier,
  type RelatedItem,
  registeredDoi,
  relatedIdentifiersOf,
  relatedItemsOf,
} from "./relations.ts";

export type DataciteResource = {
  readonly doi?: string;
  readonly types: { readonly resourceTypeGeneral: ResourceTypeGeneral; readonly resourceType: string };
  readonly creators: readonly Person[];
  readonly titles: readonly DataciteTitle[];
  readonly publisher: { readonly name: string; readonly lang?: string };
  readonly publicationYear: string;
  readonly subjects?: readonly Subject[];
  readonly contributors?: readonly Contributor[];
  readonly dates?: readonly DataciteDate[];
  readonly language?: string;
  readonly alternateIdentifiers?: readonly AlternateIdentifier[];
  readonly relatedIdentifiers?: readonly RelatedIdentifier[];
  readonly relatedItems?: readonly RelatedItem[];
  readonly sizes?: readonly string[];
  readonly formats?: readonly string[];
  readonly version?: string;
  readonly rightsList?: readonly Rights[];
  readonly descriptions?: readonly DataciteDescription[];
  readonly geoLocations?: readonly GeoLocation[];
  readonly fundingReferences?: readonly FundingReference[];
  readonly schemaVersion: "http://datacite.org/schema/kernel-4";
};
type Subject = {
  readonly subject: string;
  readonly subjectScheme?: string;
  readonly valueUri?: string;
  readonly classificationCode?: string;
  readonly lang?: string;
};
type DataciteDate = { readonly date: string; readonly dateType: DateType; readonly dateInformation?: string };
type Rights = {
  readonly rights?: string;
  readonly rightsUri?: string;
  readonly rightsIdentifier?: string;
  readonly rightsIdentifierScheme?: string;
  readonly schemeUri?: string;
  readonly lang?: string;
};
type DataciteDescription = {
  readonly description: string;
  readonly descriptionType: DescriptionType;
  readonly lang?: string;
};

/** Members that DataCite holds completely, or that the writer handles itself. */
const CARRIED: ReadonlySet<keyof Metadata> = new Set([
  ...(["type", "titles", "creators", "contributors", "rightsHolders", "accessRights", "rights", "copyright"] as const),
  ...(["subjects", "descriptions", "publishers", "publicationDate", "dates", "languages", "versionLabel"] as const),
  ...(["identifiers", "relations", "temporals", "locations", "funding", "containers", "formats", "sizes"] as const),
  "references",
]);

export function dataciteResource(record: ExportedRecord): {
  readonly resource: DataciteResource;
  readonly leftOut: readonly string[];
} {
  const { metadata } = record;
  const notes = notesKeeper();
  const doi = registeredDoi(metadata);
  const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : unique(list));
  const resource: DataciteResource = withoutUndefined({
    doi: doi ?? undefined,
    types: typesOf(metadata),
    creators: creatorsOf(metadata.creators, notes),
    titles: titlesOf(metadata.titles, notes),
    publisher: publisherOf(record, notes),
    publicationYear: publicationYear(record, notes),
    subjects: some(subjectsOf(metadata.subjects)),
    contributors: some(contributorsOf(metadata.contributors, metadata.rightsHolders, notes)),
    dates: some(datesOf(record, notes)),
    language: metadata.languages.map(trimmedText).find((code) => code !== "" && isLanguage(code)),
    alternateIdentifiers: some(alternateIdentifiersOf(record, doi)),
    relatedIdentifiers: some(relatedIdentifiersOf(record, notes)),
    relatedItems: some(relatedItemsOf(record, notes)),
    sizes: some(metadata.sizes.map(({ value }) => trimmedText(value)).filter((size) => size !== "")),
    formats: some(
      [
        ...metadata.formats.map(({ value }) => trimmedText(value)),
        ...record.files.map(({ mediaType }) => trimmedText(mediaType)),
      ].filter((format) => format !== ""),
    ),
    version: trimmedText(metadata.versionLabel) || undefined,
    rightsList: some(rightsOf(record)),
    descriptions: some(descriptionsOf(metadata.descriptions, notes)),
    geoLocations: some(geoLocationsOf(metadata.locations, notes)),
    fundingReferences: some(fundingOf(metadata.funding, notes)),
    schemaVersion: "http://datacite.org/schema/kernel-4" as const,
  });
  const rest = [
    ...leftOutBut(metadata, CARRIED),
    ...leftOutRest("Language", metadata.languages.length, 1),
    ...leftOutRest("Publisher", metadata.publishers.length, 1),
  ];
  return { resource, leftOut: [...rest, ...notes.list()] };
}

function typesOf({ type }: Metadata): DataciteResource["types"] {
  const word = resourceTypeWord(type);
  const label = trimmedText(type?.label);
  return {
    resourceTypeGeneral: resourceTypeGeneralOf(word?.props.datacite_general) ?? "Other",
    resourceType: label === "" ? word?.props.datacite_type || (word?.title.en ?? trimmedText(type?.id)) : label,
  };
}

const TITLE_TYPES: Readonly<Record<Title["kind"], TitleType | undefined>> = {
  main: undefined,
  alternative: "AlternativeTitle",
  subtitle: "Subtitle",
  translated: "TranslatedTitle",
  other: "Other",
};

/** The main title first; a second one in another language is a translation of it (R3). */
function titlesOf(titles: readonly Title[], notes: Notes): readonly DataciteTitle[] {
  const stated = titles.filter(({ value }) => trimmedText(value) !== "");
  const main = stated.find(({ kind }) => kind === "main");
  const tagOf = ({ lang }: Title): string => primaryLanguage(lang ?? "");
  const ordered = main === undefined ? stated : [main, ...stated.filter((title) => title !== main)];
  const listed = ordered.map((title) => {
    const { value, lang } = trimmedWording(title);
    const isTranslated = main !== undefined && title.kind === "main" && tagOf(title) !== tagOf(main);
    return withoutUndefined({
      title: value,
      titleType: isTranslated ? ("TranslatedTitle" as const) : TITLE_TYPES[title.kind],
      lang,
    });
  });
  if (listed.length > 0) return unique(listed);
  notes.add(`No title is stated: DataCite requires one, written as ${UNKNOWN}`);
  return [{ title: UNKNOWN }];
}

/** The repository, which holds and distributes the item, is its publisher where the metadata names nobody. */
function publisherOf({ metadata, repositoryName }: ExportedRecord, notes: Notes): DataciteResource["publisher"] {
  for (const { names, place, description } of metadata.publishers) {
    if (place !== undefined || description !== undefined)
      notes.add("Places and descriptions of the publisher left out: DataCite has no place for them");
    const name = firstText(names);
    if (names.length > 1) notes.add("DataCite has a place for one name of the publisher: others are left out");
    if (name !== null) return withoutUndefined({ name: name.value, lang: name.lang });
  }
  return { name: trimmedText(repositoryName) || UNKNOWN };
}

function publicationYear({ metadata, publishedAt, createdAt }: ExportedRecord, notes: Notes): string {
  const stated = yearOf(publicationDate(metadata));
  if (stated !== null) return stated;
  notes.add(
    "No year of publication is stated: DataCite requires one, written as the year the record was published here",
  );
  return yearOf(publishedAt ?? createdAt) ?? "0000";
}

function subjectsOf(subjects: Metadata["subjects"]): readonly Subject[] {
  return subjects.flatMap(({ id, text, scheme, uri }) => {
    const words = text === undefined ? { value: "", lang: undefined } : trimmedWording(text);
    const subject = words.value || trimmedText(id) || trimmedText(uri);
    const code = trimmedText(id);
    if (subject === "") return [];
    return [
      withoutUndefined({
        subject,
        subjectScheme: trimmedText(scheme) || undefined,
        valueUri: absoluteUri(uri) ?? absoluteUri(id) ?? undefined,
        classificationCode: code !== subject && /^[\w.-]+$/.test(code) ? code : undefined,
        lang: words.lang,
      }),
    ];
  });
}

/** When it was published, its dates, when it opens, and when the record was last changed. */
function datesOf(record: ExportedRecord, notes: Notes): readonly DataciteDate[] {
  const { metadata, updatedAt, opensOn } = record;
  const listed: DataciteDate[] = [];
  const add = (text: string, dateType: DateType, dateInformation?: string): void => {
    const date = dataciteDate(text);
    if (date !== null) listed.push(withoutUndefined({ date, dateType, dateInformation }));
    else if (trimmedText(text) !== "")
      notes.add(`The date "${shown(text)}" has no form that DataCite knows and is left out`);
  };
  const hasDate = (type: DateType): boolean => listed.some(({ dateType }) => dateType === type);
  const published = publicationDate(metadata);
  if (published !== null) add(published, "Issued");
  for (const { date, type, description } of metadata.dates) {
    const dateType = dateTypeOf(type) ?? "Other";
    // The date of publication is written once, whether it is stated by itself or among the dates.
    if (dateType === "Issued" && trimmedText(date) === trimmedText(published ?? undefined) && description === undefined)
      continue;
    add(date, dateType, trimmedText(description?.value) || undefined);
  }
  for (const { value } of metadata.temporals) add(value, "Coverage");
  if (opensOn !== null && !hasDate("Available")) add(opensOn, "Available");
  if (!hasDate("Updated")) add(updatedAt.slice(0, 10), "Updated");
  return listed;
}

const SPDX = "https://spdx.org/licenses/";

/** Licences in each of their wordings, then how open the item is, then the statement of copyright. */
function rightsOf({ metadata, status }: ExportedRecord): readonly Rights[] {
  const licenses = metadata.rights.flatMap((right): readonly Rights[] => {
    const word = licenseWord(right);
    const address = rightAddress(right) ?? word?.props.url;
    const members = withoutUndefined({
      rightsUri: absoluteUri(address ?? undefined) ?? undefined,
      rightsIdentifier: (word?.id ?? trimmedText(right.id)) || undefined,
      ...((word?.props.spdx ?? "") === "" ? {} : { rightsIdentifierScheme: "spdx", schemeUri: SPDX }),
    });
    const texts = right.text.map(trimmedWording).filter(({ value }) => value !== "");
    const wordings = texts.length > 0 || word === null ? texts : [{ value: word.title.en, lang: undefined }];
    if (wordings.length > 0)
      return wordings.map(({ value, lang }) => withoutUndefined({ rights: value, ...members, lang }));
    return Object.keys(members).length === 0 ? [] : [members];
  });
  const stated = metadata.accessRights;
  const label = stated === undefined ? null : accessRightsLabel(stated.label, stated.uri);
  const access = label === null ? STATUS_RIGHTS[status] : accessRightsOf(label);
  const copyright = trimmedText(metadata.copyright);
  return [
    ...licenses,
    { rights: access.label, rightsUri: access.uri },
    ...(copyright === "" ? [] : [{ rights: copyright, rightsUri: "http://rightsstatements.org/vocab/InC/1.0/" }]),
  ];
}

function descriptionsOf(descriptions: Metadata["descriptions"], notes: Notes): readonly DataciteDescription[] {
  return descriptions.flatMap((each) => {
    const description = plainDescription(each);
    if (description === "") return [];
    const descriptionType = descriptionTypeOf(each.kind);
    if (descriptionType === null)
      notes.add(`The description type "${shown(each.kind)}" is not in DataCite's list: written as Other`);
    return [
      withoutUndefined({ description, descriptionType: descriptionType ?? "Other", lang: trimmedWording(each).lang }),
    ];
  });
}
