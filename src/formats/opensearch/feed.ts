// The content of the feeds of OpenSearch, independent of their formats (specification 3, "OpenSearch documents"; R36):
// pure, of public metadata only.

import { withImprint } from "../../model/metadata/imprint.ts";
import { type Metadata, publicationDate } from "../../model/metadata/metadata.ts";
import { inLanguage, namesIn, nameText, titleIn } from "../../model/metadata/reader-language.ts";
import { printedResourceType } from "../../model/metadata/resource-types.ts";
import { htmlToText } from "../../shared/html/html-text.ts";
import type { Instant } from "../../shared/time/instant.ts";

/** An item of a feed. */
export type FeedItem = {
  readonly id: number;
  readonly landingPage: string;
  /** The record's identifier for harvesters, the same over all versions of the item. */
  readonly oaiRecord: string;
  /** Without addresses of people (src/model/metadata/public-metadata.ts). */
  readonly metadata: Metadata;
  readonly files: readonly { readonly url: string; readonly mediaType: string }[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type Feed = {
  /** The address of the request. */
  readonly address: string;
  /** Where people find the same. */
  readonly page: string;
  /** `Arkstone OpenSearch: 古文書`. */
  readonly title: string;
  readonly repositoryName: string;
  readonly language: string;
  readonly updatedAt: Instant;
  readonly total: number;
  /** Of the first item of this page, from 1. */
  readonly startIndex: number;
  readonly itemsPerPage: number;
  /** Where little was found, the words of the search with the nearest ones that items have. */
  readonly correction: string | null;
  /** The pages around this one. */
  readonly links: readonly { readonly rel: string; readonly href: string }[];
};

/** A feed in one format, generated in pieces, so that a long one is never whole in memory. */
export type FeedWriter = {
  readonly mediaType: string;
  /** `pages`: the landing pages of all items that follow. */
  readonly begin: (feed: Feed, pages: readonly string[]) => string;
  readonly item: (item: FeedItem, feed: Feed) => string;
  readonly end: () => string;
};

/** The program that generates the feed. */
export const GENERATOR = "Arkstone";

/** The fields of one item, in the order of the formats. */
export type Entry = {
  readonly title: string;
  readonly description: string;
  readonly authors: readonly string[];
  readonly publishers: readonly string[];
  readonly subjects: readonly string[];
  readonly types: readonly string[];
  readonly formats: readonly string[];
  readonly identifiers: readonly string[];
  readonly published: string | null;
  /** Names and values of prism elements, in their order. */
  readonly prism: readonly (readonly [name: string, value: string])[];
};

/**
 * Values of one kind that an entry lists, and characters of its description: a feed points to items, it does not carry
 * them.
 */
const VALUES = 100;
const DESCRIPTION_CHARACTERS = 10_000;

const some = (values: readonly (string | undefined)[]): readonly string[] =>
  [...new Set(values.flatMap((value) => (value === undefined || value.trim() === "" ? [] : [value.trim()])))].slice(
    0,
    VALUES,
  );

export function entryOf({ id, metadata, files, landingPage, createdAt, updatedAt }: FeedItem, language: string): Entry {
  const { creators, publishers, subjects, descriptions, formats, containers, type } = withImprint(metadata);
  const abstracts = descriptions.filter(({ kind }) => kind === "Abstract");
  const [description] = inLanguage(abstracts.length > 0 ? abstracts : descriptions, language);
  const published = publicationDate(metadata);
  const label = type === null ? undefined : (type.label ?? printedResourceType(type)?.label ?? type.id);
  const [container] = containers;
  const numbers = [
    ["publicationName", inLanguage(container?.titles ?? [], language)[0]?.value],
    ["issn", containers.flatMap(({ ids }) => ids).find(({ scheme }) => /ISSN/i.test(scheme))?.value],
    ["volume", container?.volume],
    ["number", container?.issue],
    ["startingPage", container?.pageStart],
    ["endingPage", container?.pageEnd],
    ["publicationDate", published ?? undefined],
  ] as const;
  return {
    title: titleIn(metadata, language)?.value.trim() || `${id}`,
    description: (description?.html ? htmlToText(description.value) : (description?.value ?? "")).slice(
      0,
      DESCRIPTION_CHARACTERS,
    ),
    authors: some(
      creators
        .slice(0, VALUES)
        .map(({ names, kind }) => namesIn(names, language).map((name) => nameText(name, kind))[0]),
    ),
    publishers: some(publishers.slice(0, VALUES).map(({ names }) => inLanguage(names, language)[0]?.value)),
    subjects: some(subjects.map(({ text }) => text?.value)),
    types: some([label]),
    formats: some([...files.map(({ mediaType }) => mediaType), ...formats.map(({ value }) => value)]),
    identifiers: some([`${id}`, ...files.map(({ url }) => url)]),
    published,
    prism: [
      ["aggregationType", containers.length > 0 ? "journal" : label === "book" ? "book" : "other"],
      ...numbers.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value] as const])),
      ["creationDate", createdAt],
      ["modificationDate", updatedAt],
      ["url", landingPage],
    ],
  };
}
