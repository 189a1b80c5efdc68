// A record as CSL has it (csl-data.json of Citation Style Language 1.0.2): what is exported as CSL-JSON, and what
// citations and BibTeX are written from.

import { shortLanguage } from "../../model/metadata/language-codes.ts";
import { type Metadata, publicationDate } from "../../model/metadata/metadata.ts";
import { citedTitle, inLanguage, wordIn } from "../../model/metadata/reader-language.ts";
import { own } from "../../shared/fields.ts";
import { htmlToText } from "../../shared/html/html-text.ts";
import { type CitedItem, doiOf, workKind } from "../citation/cited-item.ts";
import { citationWords, thesisKind } from "../citation/words.ts";
import { type DateParts, evenly, readDate } from "./date.ts";
import { type CslName, cslNames } from "./names.ts";
import { oneLine } from "./one-line.ts";

export type CslDate = { readonly "date-parts": readonly DateParts[] } | { readonly literal: string };

/** Members are named as the schema names them. */
export type CslItem = {
  readonly id: string;
  readonly type: string;
  readonly title?: string;
  readonly author?: readonly CslName[];
  readonly editor?: readonly CslName[];
  readonly translator?: readonly CslName[];
  readonly issued?: CslDate;
  readonly "container-title"?: string;
  readonly volume?: string;
  readonly issue?: string;
  readonly page?: string;
  readonly "number-of-pages"?: string;
  readonly edition?: string;
  readonly publisher?: string;
  readonly "publisher-place"?: string;
  readonly version?: string;
  readonly genre?: string;
  readonly number?: string;
  readonly "event-title"?: string;
  readonly "event-place"?: string;
  readonly archive?: string;
  readonly source?: string;
  readonly DOI?: string;
  readonly ISBN?: string;
  readonly ISSN?: string;
  readonly URL?: string;
  readonly language?: string;
  readonly keyword?: string;
  readonly abstract?: string;
};

/** By id of the vocabulary resourcetypes; all other types are `document`. */
const TYPES: Readonly<Record<string, string>> = {
  "publication-annotationcollection": "document",
  "publication-article": "article-journal",
  "publication-book": "book",
  "publication-conferencepaper": "paper-conference",
  "publication-conferenceproceeding": "book",
  "publication-datamanagementplan": "report",
  "publication-datapaper": "article-journal",
  "publication-deliverable": "report",
  "publication-dissertation": "thesis",
  "publication-journal": "periodical",
  "publication-milestone": "report",
  "publication-patent": "patent",
  "publication-peerreview": "review",
  "publication-preprint": "article",
  "publication-proposal": "report",
  "publication-report": "report",
  "publication-section": "chapter",
  "publication-softwaredocumentation": "report",
  "publication-standard": "standard",
  "publication-taxonomictreatment": "article-journal",
  "publication-technicalnote": "report",
  "publication-thesis": "thesis",
  "publication-workingpaper": "report",
  audio: "song",
  dataset: "dataset",
  event: "event",
  image: "figure",
  "image-diagram": "figure",
  "image-drawing": "graphic",
  "image-figure": "figure",
  "image-other": "graphic",
  "image-photo": "graphic",
  "image-plot": "figure",
  lesson: "speech",
  poster: "graphic",
  presentation: "speech",
  software: "software",
  "software-computationalnotebook": "software",
  video: "motion_picture",
  workflow: "software",
};

function cslType({ type }: Metadata): string {
  const label = type?.label?.toLowerCase();
  if (label === "map" || label === "cartographic material") return "map";
  if (label === "newspaper") return "article-newspaper";
  return own(TYPES, type?.id ?? "") ?? "document";
}

const valuesOf = (metadata: Metadata, scheme: RegExp): readonly string[] =>
  [...metadata.identifiers, ...metadata.containers.flatMap(({ ids }) => ids)]
    .filter((ident) => scheme.test(ident.scheme))
    .map(({ value }) => oneLine(value).replace(/^urn:(?:isbn|issn):/i, ""));

const joinValues = (values: readonly string[], between: string): string =>
  [...new Set(values.filter((value) => value !== ""))].join(between);

/** Members without a value are left out. */
function withoutEmpty(members: { readonly [Key in keyof CslItem]: CslItem[Key] | "" | undefined }): CslItem {
  const given = Object.entries(members).filter(
    ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
  // Only optional members are removed: `id` and `type` are never empty.
  return Object.fromEntries(given) as CslItem;
}

/** `isCut`: one end of the interval of publication is more exact than the date returned. */
export function issuedOf(metadata: Metadata): { readonly issued?: CslDate; readonly isCut: boolean } {
  const written = oneLine(publicationDate(metadata) ?? "");
  const read = readDate(written);
  if (read !== null) {
    const { dates, isCut } = evenly(read);
    return { issued: { "date-parts": dates }, isCut };
  }
  return written === "" ? { isCut: false } : { issued: { literal: written }, isCut: false };
}

/** The publisher: of a thesis the institution that granted the degree; the repository if there is no other. */
function publisherOf({ metadata, repositoryName }: CitedItem, lang: string | undefined): string {
  const stated = wordIn(
    metadata.publishers.flatMap(({ names }) => names),
    lang,
  );
  if (workKind(metadata) === "thesis") return wordIn(metadata.degree?.grantors[0]?.names ?? [], lang) || stated;
  const isElsewhere = wordIn(metadata.containers[0]?.titles ?? [], lang) !== "";
  return stated || (isElsewhere ? "" : repositoryName);
}

/** Descriptions as plain text, those in the language of the citation first. */
function abstractOf(metadata: Metadata, lang: string | undefined): string {
  const abstracts = metadata.descriptions.filter(({ kind }) => kind.toLowerCase() === "abstract");
  const [first] = inLanguage(abstracts, lang);
  if (first === undefined) return "";
  return (first.html ? htmlToText(first.value) : first.value).toWellFormed().trim();
}

/**
 * `id` is how other records refer to it. All of it is in one language; `reader` and `isAsked` choose it (`citedTitle`).
 */
export function cslItem(id: string, item: CitedItem, reader?: string, isAsked = false): CslItem {
  const { metadata } = item;
  const { title, lang } = citedTitle(metadata, reader, isAsked);
  const [container] = metadata.containers;
  const [conference] = metadata.conferences;
  const text = (value: string | undefined): string => oneLine(value ?? "");
  const isThesis = workKind(metadata) === "thesis";
  const words = citationWords(lang);
  const named = (role: string) =>
    cslNames(
      metadata.contributors.filter((agent) => agent.role?.toLowerCase() === role),
      lang,
    );
  return withoutEmpty({
    id,
    type: cslType(metadata),
    title: text(title?.value),
    author: cslNames(metadata.creators, lang),
    editor: named("editor"),
    translator: named("translator"),
    issued: issuedOf(metadata).issued,
    "container-title": text(wordIn(container?.titles ?? [], lang)),
    volume: text(container?.volume),
    issue: text(container?.issue),
    page: [text(container?.pageStart), text(container?.pageEnd)].filter((page) => page !== "").join("-"),
    "number-of-pages": text(container?.numPages),
    edition: text(wordIn(metadata.editions, lang)),
    publisher: text(publisherOf(item, lang)),
    "publisher-place": text(metadata.publishers[0]?.place?.value),
    version: text(metadata.versionLabel).replace(/^v(?:ersion)?\.?\s*(?=\d)/i, ""),
    genre: isThesis ? words.theses[thesisKind(metadata)] : own(words.genres, metadata.type?.id ?? ""),
    number: isThesis ? text(metadata.degree?.number) : undefined,
    "event-title": text(wordIn(conference?.names ?? [], lang)),
    "event-place": text(wordIn([...(conference?.places ?? []), ...(conference?.venues ?? [])], lang)),
    archive: isThesis ? text(item.repositoryName) : undefined,
    source: text(item.repositoryName),
    DOI: doiOf(metadata) ?? undefined,
    ISBN: joinValues(valuesOf(metadata, /^isbn$/i), " "),
    ISSN: joinValues(valuesOf(metadata, /issn$/i), " "),
    URL: item.ark ?? item.landingPage,
    language: metadata.languages[0] === undefined ? undefined : shortLanguage(metadata.languages[0]),
    keyword: joinValues(
      metadata.subjects.map((subject) => text(subject.text?.value)),
      ", ",
    ),
    abstract: abstractOf(metadata, lang),
  });
}
