// A record as CSL has it (csl-data.json of Citation Style Language 1.0.2): what is exported as CSL-JSON, and what
// citations and BibTeX are written from.

import { shortLanguage } from "../../model/metadata/language-codes.ts";
import { type Agent, type AgentName, type Metadata, publicationDate } from "../../model/metadata/metadata.ts";
import { citedTitle, inLanguage, namesIn, nameText, wordIn } from "../../model/metadata/reader-language.ts";
import { htmlToText } from "../../shared/html/html-text.ts";
import { own } from "../../shared/objects.ts";
import { exchangedText } from "../../shared/text/text.ts";
import { type CitedItem, doiOf, workKind } from "../citation/cited-item.ts";
import { citationWords, thesisKind } from "../citation/words.ts";

type CslDate = { readonly "date-parts": readonly DateParts[] } | { readonly literal: string };

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

// A date of publication as CSL and BibTeX have it: numbers of year, month and day (EDTF level 0, intervals included),
// or words.

export type DateParts = readonly [year: number, month?: number, day?: number];

/** One date, or the two ends of an interval; null for words. */
type Dates = readonly [DateParts] | readonly [DateParts, DateParts];

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `2015`, `2015-10`, `2015-10-01`, also with a time after it; an invalid month or day is omitted. */
function dateParts(text: string): DateParts | null {
  const match = /^(-?\d{4})(?:-(\d{2})(?:-(\d{2})(?:T.*)?)?)?$/.exec(text.trim());
  if (match === null) return null;
  const [year, month, day] = match.slice(1).map(Number);
  // Citations have no year 0.
  if (year === undefined || year === 0) return null;
  const days = month === undefined ? undefined : DAYS[month - 1];
  if (month === undefined || days === undefined) return [year];
  if (day === undefined || Number.isNaN(day) || day < 1 || day > days) return [year, month];
  return [year, month, day];
}

/** The date as it is written; of an interval with one end open or in words, the other end. */
export function readDate(text: string): Dates | null {
  const ends = text.split("/");
  if (ends.length > 2) return null;
  const [first, second] = ends.map(dateParts).filter((each) => each !== null);
  if (first === undefined) return null;
  return second === undefined ? [first] : [first, second];
}

/** Both ends with the precision of the less precise one: processors refuse ranges such as 2018/2020-09. */
export function evenly(dates: Dates): { readonly dates: Dates; readonly isCut: boolean } {
  const [first, second] = dates;
  if (second === undefined || first.length === second.length) return { dates, isCut: false };
  const count = Math.min(first.length, second.length);
  const cut = ([year, month]: DateParts): DateParts => (count === 1 || month === undefined ? [year] : [year, month]);
  return { dates: [cut(first), cut(second)], isCut: true };
}

// Agents as citations name them: family and given name apart where the record has them so, else one text that nobody
// takes apart.

export type CslName = { readonly family: string; readonly given?: string } | { readonly literal: string };

function nameOf(agent: Agent, name: AgentName): CslName | null {
  const whole = oneLine(nameText(name, agent.kind));
  if (agent.kind === "organizational") return whole === "" ? null : { literal: whole };
  const stated = [oneLine(name.family ?? ""), oneLine(name.given ?? "")] as const;
  const written = oneLine(name.full ?? "")
    .split(/[,，]/)
    .map((part) => part.trim());
  const [family = "", given = ""] = stated[0] === "" ? (written.length === 2 ? written : []) : stated;
  if (family !== "" && given !== "") return { family, given };
  if (stated[0] !== "" && oneLine(name.full ?? "") === "") return { family: stated[0] };
  return whole === "" ? null : { literal: whole };
}

/** In the order of the record; agents without a name are left out. */
function cslNames(agents: readonly Agent[], lang: string | undefined): readonly CslName[] {
  return agents.flatMap((agent) => {
    const [name] = namesIn(agent.names, lang);
    const named = name === undefined ? null : nameOf(agent, name);
    return named ?? [];
  });
}

// Text for formats with one line per value: no line breaks, no control characters, nothing that strict readers refuse.

/** Control characters count as white space: writers use them as separators, and readers do not see them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed.
const SPACE = /[\s\u0000-\u001F\u007F-\u009F]+/g;

export const oneLine = (text: string): string => exchangedText(text).replace(SPACE, " ").trim();
