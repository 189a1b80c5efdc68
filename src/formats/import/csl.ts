// CSL-JSON (csl-data.json of CSL 1.0.2) read as records: one item, or a list of them.

import { languageOf } from "../../model/metadata/language-codes.ts";
import type { Agent, Container, Ident, Metadata } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray } from "../../shared/json/read.ts";
import { maybe, own } from "../../shared/objects.ts";
import { dateOfParts, list, member, text, withoutMarkup } from "../completion/foreign-json.ts";
import { trackReads } from "./read-tracker.ts";
import { type ImportedWork, wholeOf } from "./works.ts";

/** Types of CSL as ids of the vocabulary resourcetypes. */
const TYPES: Readonly<Record<string, string>> = {
  article: "publication-preprint",
  "article-journal": "publication-article",
  "article-magazine": "publication-article",
  "article-newspaper": "publication-other",
  book: "publication-book",
  chapter: "publication-section",
  classic: "publication-book",
  collection: "other",
  dataset: "dataset",
  document: "other",
  entry: "publication-section",
  "entry-dictionary": "publication-section",
  "entry-encyclopedia": "publication-section",
  event: "event",
  figure: "image-figure",
  graphic: "image",
  hearing: "other",
  interview: "other",
  map: "image-other",
  manuscript: "publication-other",
  motion_picture: "video",
  pamphlet: "publication-other",
  "paper-conference": "publication-conferencepaper",
  patent: "publication-patent",
  performance: "event",
  periodical: "publication-journal",
  post: "publication-other",
  "post-weblog": "publication-other",
  report: "publication-report",
  review: "publication-peerreview",
  "review-book": "publication-peerreview",
  software: "software",
  song: "audio",
  speech: "presentation",
  standard: "publication-standard",
  thesis: "publication-thesis",
  webpage: "other",
};

/** Types whose container is a journal, a newspaper or a site: their ISBN belongs to the work itself. */
const IN_JOURNALS = /^(?:article|periodical|post|review)/;

const cslTypeId = (type: string | undefined): string => own(TYPES, type ?? "") ?? "other";

function agentOf(value: Json): readonly Agent[] {
  const literal = text(value, "literal");
  const particle = [text(value, "dropping-particle"), text(value, "non-dropping-particle")].filter(
    (part) => part !== undefined,
  );
  const [family, given, suffix] = [text(value, "family"), text(value, "given"), text(value, "suffix")];
  const orcid = /(\d{4}-\d{4}-\d{4}-\d{3}[\dX])$/.exec(text(value, "ORCID") ?? "")?.[1];
  const name =
    literal === undefined
      ? {
          ...maybe("family", family === undefined ? undefined : [...particle, family].join(" ")),
          ...maybe(
            "given",
            given === undefined ? suffix : [given, suffix].filter((part) => part !== undefined).join(", "),
          ),
        }
      : { full: literal };
  if (Object.keys(name).length === 0) return [];
  return [
    {
      kind: literal === undefined ? "personal" : "organizational",
      names: [name],
      alternatives: [],
      ids: orcid === undefined ? [] : [{ scheme: "ORCID", value: orcid }],
      emails: [],
      affiliations: [],
    },
  ];
}

/** One date, or an interval by its two ends. */
function dateOf(value: Json | undefined): string | undefined {
  const parts = list(value, "date-parts");
  const [first, last] = parts.map((part) => dateOfParts({ "date-parts": [part] }));
  if (first !== undefined) return last === undefined ? first : `${first}/${last}`;
  return text(value, "raw") ?? text(value, "literal");
}

const identsOf = (value: string | undefined, scheme: string, between: RegExp): readonly Ident[] =>
  (value ?? "").split(between).flatMap((each) => (each === "" ? [] : [{ scheme, value: each }]));

/** What it appeared in: a book where it has an ISBN and is a part of one. */
function containerOf(item: Json, isPart: boolean): Container | null {
  const title = text(item, "container-title");
  const [volume, issue, page] = [text(item, "volume"), text(item, "issue"), text(item, "page")];
  const issns = identsOf(text(item, "ISSN"), "ISSN", /[\s,;]+/);
  const isbns = isPart ? identsOf(text(item, "ISBN"), "ISBN", /[\s,;]+/) : [];
  const numPages = text(item, "number-of-pages");
  if (
    title === undefined &&
    [volume, issue, page, numPages].every((each) => each === undefined) &&
    issns.length === 0 &&
    isbns.length === 0
  )
    return null;
  const [pageStart, pageEnd] = (page ?? "").split(/\s?[-–—]{1,2}\s?/, 2);
  return {
    titles: title === undefined ? [] : [{ value: withoutMarkup(title) }],
    ids: [...issns, ...isbns],
    ...maybe("volume", volume),
    ...maybe("issue", issue),
    ...maybe("pageStart", pageStart || undefined),
    ...maybe("pageEnd", pageEnd || undefined),
    ...maybe("numPages", numPages),
    place: "flat",
  };
}

/** An item of CSL, which was perhaps made of another format, as metadata. */
export function cslMetadata(item: Json): Metadata {
  const type = cslTypeId(text(item, "type"));
  const title = text(item, "title");
  const [abstract, publisher, place] = [text(item, "abstract"), text(item, "publisher"), text(item, "publisher-place")];
  const [language, url, doi] = [text(item, "language"), text(item, "URL"), text(item, "DOI")];
  const isPart = text(item, "container-title") !== undefined && !IN_JOURNALS.test(text(item, "type") ?? "");
  const container = containerOf(item, isPart);
  const isThesis = type === "publication-thesis";
  const genre = isThesis ? text(item, "genre") : undefined;
  const people = (name: string, role: string) =>
    list(item, name)
      .flatMap(agentOf)
      .map((agent) => ({ ...agent, role }));
  const [event, eventPlace] = [text(item, "event-title") ?? text(item, "event"), text(item, "event-place")];
  const edition = text(item, "edition");
  const degree = {
    names: genre === undefined ? [] : [{ value: genre }],
    grantors: isThesis && publisher !== undefined ? [{ names: [{ value: publisher }], ids: [] }] : [],
    ...maybe("number", isThesis ? text(item, "number") : undefined),
  };
  const hasDegree = degree.names.length + degree.grantors.length > 0 || degree.number !== undefined;
  const hasPublisher = (publisher !== undefined && !isThesis) || place !== undefined;
  return wholeOf({
    type: { id: type },
    titles: title === undefined ? [] : [{ value: withoutMarkup(title), kind: "main" }],
    creators: list(item, "author").flatMap(agentOf),
    contributors: [...people("editor", "Editor"), ...people("translator", "Translator")],
    ...maybe("publicationDate", dateOf(member(item, "issued"))),
    descriptions: abstract === undefined ? [] : [{ value: withoutMarkup(abstract), kind: "Abstract", html: false }],
    publishers: hasPublisher
      ? [
          {
            names: publisher === undefined || isThesis ? [] : [{ value: publisher }],
            ...maybe("place", place === undefined ? undefined : { value: place }),
          },
        ]
      : [],
    languages: language === undefined ? [] : [languageOf(language)],
    ...maybe("versionLabel", text(item, "version")),
    subjects: (text(item, "keyword") ?? "")
      .split(/[,;]/)
      .map((each) => each.trim())
      .flatMap((value) => (value === "" ? [] : [{ text: { value } }])),
    identifiers: [
      ...(doi === undefined ? [] : [{ scheme: "DOI", value: doi }]),
      ...(url === undefined ? [] : [{ scheme: /\/ark:/i.test(url) ? "ARK" : "URI", value: url }]),
      ...(isPart ? [] : identsOf(text(item, "ISBN"), "ISBN", /[\s,;]+/)),
      ...identsOf(text(item, "PMID"), "PMID", /\s+/),
    ],
    containers: container === null ? [] : [container],
    conferences:
      event === undefined && eventPlace === undefined
        ? []
        : [
            {
              names: event === undefined ? [] : [{ value: event }],
              sponsors: [],
              venues: [],
              places: eventPlace === undefined ? [] : [{ value: eventPlace }],
            },
          ],
    editions: edition === undefined ? [] : [{ value: edition }],
    ...maybe("degree", hasDegree ? degree : undefined),
    references: [],
  });
}

/** Names of the item, and where its data came from. */
const AROUND = /^(?:id|citation-key|citation-label|source|archive|accessed|custom|categories)(?:\.|$)/;

export function importCsl(document: Json): readonly ImportedWork[] {
  return (isJsonArray(document) ? document : [document]).map((item) => {
    const watch = trackReads(item);
    const metadata = cslMetadata(watch.document);
    return { metadata, lost: watch.unread().filter((path) => !AROUND.test(path)), line: 1 };
  });
}
