// A record as one entry of BibTeX (application/x-bibtex), in Unicode. A comment before the entry lists what the format
// has no place for.
import type { Metadata } from "../../model/metadata/metadata.ts";
import { htmlToText } from "../../shared/html/html-text.ts";
import { own } from "../../shared/objects.ts";
import { normalForm } from "../../shared/text/text.ts";
import { type CitedItem, citedOf, doiOf } from "../citation/cited-item.ts";
import { type CslItem, type CslName, cslItem, oneLine } from "../csl/item.ts";
import { leftOutOfCitation } from "../csl/write.ts";
import type { ExportedRecord, WrittenExport } from "../exported-record.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const KEY_NAME_MAX = 40;
/** At most this many omissions are listed in the comment. */
const OMISSIONS_MAX = 50;

/** "Family, Given"; a name that must stay whole is put in braces. */
function texName(name: CslName): string {
  if ("literal" in name) return `{${texText(name.literal)}}`;
  const parts = [name.family, name.given ?? ""].map((part) => protectPart(texText(part)));
  return name.given === undefined ? `{${texText(name.family)}}` : parts.join(", ");
}

/** A comma or the word "and" in one part of a name would end it. */
const protectPart = (part: string): string => (/,|(?:^|\s)and(?:\s|$)/i.test(part) ? `{${part}}` : part);

const texNames = (names: readonly CslName[] | undefined): string =>
  (names ?? [])
    .map(texName)
    .filter((name) => name !== "{}" && name !== ", ")
    .join(" and\n                  ");

/** At most this many letters of a name are used in a key. */
const NAME_READ = 1_000;

/** Letters of the first author's family name for the key: plain ones, in lower case. Others are omitted. */
function slug(name: string): string {
  const plain = normalForm(name.slice(0, NAME_READ), "NFKD").toLowerCase().replace(/\p{M}/gu, "");
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== "");
  return words.join("_").slice(0, KEY_NAME_MAX).replace(/_$/, "");
}

/** `family_year_id`; unknown parts are omitted. */
function keyOf({ id, author = [] }: CslItem, year: string): string {
  const [first] = author;
  const name = first === undefined ? "" : slug("literal" in first ? first.literal : first.family);
  return [name, year, id].filter((part) => part !== "").join("_");
}

const inBraces = (text: string): string => `{${text}}`;

function valuesOf(item: CslItem, cited: CitedItem): ReadonlyMap<Field, string> {
  const { metadata } = cited;
  const issued = item.issued !== undefined && "date-parts" in item.issued ? item.issued["date-parts"][0] : undefined;
  const [year, month] = issued ?? [];
  const text = (value: string | undefined): string => quotedOr(texText(value ?? ""));
  const container = text(item["container-title"]);
  const isProceedings = metadata.type?.id === "publication-conferenceproceeding";
  const notes = metadata.descriptions
    .filter(({ kind }) => kind.toLowerCase() === "other")
    .map(({ value, html }) => (html ? htmlToText(value) : value));
  const doi = doiOf(metadata);
  const all: readonly (readonly [Field, string])[] = [
    ["author", quotedOr(texNames(item.author))],
    // The authors of proceedings are their editors where no editor is named.
    ["editor", quotedOr(texNames(isProceedings ? (item.editor ?? item.author) : item.editor))],
    ["title", text(item.title)],
    ["journal", container],
    ["booktitle", container === "" ? text(item["event-title"]) : container],
    ["school", item.type === "thesis" ? text(item.publisher) : ""],
    ["publisher", text(item.publisher)],
    ["edition", text(item.edition)],
    ["volume", numberOr(texText(item.volume ?? ""))],
    ["number", numberOr(texText(item.issue ?? ""))],
    ["pages", text(item.page?.replace("-", "--"))],
    ["address", text(item["publisher-place"])],
    ["month", month === undefined ? "" : (MONTHS[month - 1] ?? "")],
    ["year", year === undefined || year < 0 ? "" : String(year)],
    ["note", text(notes.join(" "))],
    ["version", text(item.version)],
    ["venue", text(item["event-place"])],
    ["isbn", text(item.ISBN)],
    ["issn", text(item.ISSN)],
    ["type", text(item.type === "thesis" ? item.genre : undefined)],
    ["doi", doi === null ? "" : inBraces(texAddress(doi))],
    ["url", quotedOr(texAddress(item.URL ?? ""))],
    ["language", text(item.language)],
    ["keywords", text(item.keyword)],
    ["abstract", text(item.abstract)],
  ];
  return new Map(all.filter(([, value]) => value !== ""));
}

const quotedOr = (text: string): string => (text === "" ? "" : inBraces(text));
/** Numbers need no braces. */
const numberOr = (text: string): string => (/^\d{1,9}$/.test(text) ? text : quotedOr(text));

/** A comment line, which readers do not read as an entry. */
const comment = (text: string): string => `% ${oneLine(text).replaceAll("@", "(at)")}\n`;

/** `id` ends the key. In the language of the title where no reader is named. */
export function bibtexEntry(id: string, cited: CitedItem, reader?: string): string {
  const item = cslItem(id, cited, reader);
  const values = valuesOf(item, cited);
  const { name, required, optional } = entryTypeOf(cited.metadata, (field) => values.has(field));
  // Each field appears once, though a type may name it twice.
  const fields = new Set([...required, ...optional, ...placesOf(cited.metadata)]);
  const rows = [...fields].flatMap((field) => {
    const value = values.get(field);
    return value === undefined ? [] : [`  ${field.padEnd(12)} = ${value}`];
  });
  return `@${name}{${keyOf(item, values.get("year") ?? "")},\n${rows.join(",\n")},\n}\n`;
}

export function writeBibtex(record: ExportedRecord): WrittenExport {
  const leftOut = leftOutOfCitation(record);
  const head = leftOut.slice(0, OMISSIONS_MAX).map(comment).join("");
  return { text: head + bibtexEntry(String(record.id), citedOf(record)), leftOut };
}

// Text as a value of BibTeX: the special characters of TeX are escaped, everything else stays as it is in Unicode.

const ESCAPED: Readonly<Record<string, string>> = {
  "&": "\\&",
  "%": "\\%",
  $: "\\$",
  _: "\\_",
  "#": "\\#",
  "{": "\\{",
  "}": "\\}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "\\": "\\textbackslash{}",
};

/**
 * Braces of the text itself are escaped too; readers that count them need them in pairs, so an unpaired one is omitted.
 */
export function texText(text: string): string {
  const line = oneLine(text);
  const unpaired = unpairedBraces(line);
  let written = "";
  let at = 0;
  for (const character of line) {
    written += unpaired.has(at) ? "" : (ESCAPED[character] ?? character);
    at += character.length;
  }
  return written.trim();
}

function unpairedBraces(text: string): ReadonlySet<number> {
  const unpaired = new Set<number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "{") open.push(at);
    else if (text[at] === "}" && open.pop() === undefined) unpaired.add(at);
  }
  for (const at of open) unpaired.add(at);
  return unpaired;
}

/**
 * An address or a DOI, which readers take as written. White space and what would end the value are percent-encoded.
 */
const texAddress = (address: string): string =>
  oneLine(address).replace(/[{}\\\s]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

// Which entry of BibTeX a record is: by its type, the first whose required fields it has, else `misc`.

type Field =
  | "author"
  | "editor"
  | "title"
  | "journal"
  | "booktitle"
  | "school"
  | "publisher"
  | "institution"
  | "edition"
  | "volume"
  | "number"
  | "pages"
  | "address"
  | "month"
  | "year"
  | "note"
  | "version"
  | "venue"
  | "isbn"
  | "issn"
  | "doi"
  | "url"
  | "type"
  | "language"
  | "keywords"
  | "abstract";

type EntryType = {
  readonly name: string;
  readonly required: readonly Field[];
  readonly optional: readonly Field[];
};

const ALWAYS: readonly Field[] = ["month", "note", "isbn", "issn", "doi", "url", "language", "keywords", "abstract"];

const entry = (name: string, required: readonly Field[], optional: readonly Field[]): EntryType => ({
  name,
  required,
  optional: [...optional, ...ALWAYS],
});

const ARTICLE = entry("article", ["author", "title", "journal", "year"], ["volume", "number", "pages"]);
const BOOK = entry("book", ["author", "title", "publisher", "year"], ["editor", "edition", "volume", "address"]);
const EDITED_BOOK = entry("book", ["editor", "title", "publisher", "year"], ["edition", "volume", "address"]);
const BOOKLET = entry("booklet", ["title"], ["author", "address", "year"]);
const IN_PROCEEDINGS = entry(
  "inproceedings",
  ["author", "title", "booktitle", "year"],
  ["editor", "volume", "number", "pages", "publisher", "address", "venue"],
);
const PROCEEDINGS = entry("proceedings", ["title", "year"], ["editor", "publisher", "volume", "address"]);
const IN_COLLECTION = entry(
  "incollection",
  ["author", "title", "booktitle", "year", "publisher"],
  ["editor", "edition", "volume", "number", "pages", "address"],
);
const IN_BOOK = entry(
  "inbook",
  ["author", "title", "pages", "year", "publisher"],
  ["editor", "edition", "volume", "number", "address"],
);
const UNPUBLISHED = entry("unpublished", ["author", "title", "note"], ["year"]);
const THESIS = entry("phdthesis", ["author", "title", "school", "year"], ["address", "type"]);
const MASTERS_THESIS = { ...THESIS, name: "mastersthesis" };
const MANUAL = entry("manual", ["title"], ["author", "edition", "address", "year"]);
const SOFTWARE = entry("software", [], ["author", "title", "publisher", "version", "year"]);
const DATASET = { ...SOFTWARE, name: "dataset" };
const MISC = entry("misc", [], ["author", "editor", "title", "publisher", "version", "year"]);

const BY_TYPE: Readonly<Record<string, readonly EntryType[]>> = {
  "publication-article": [ARTICLE],
  "publication-datapaper": [ARTICLE],
  "publication-book": [BOOK, EDITED_BOOK, BOOKLET],
  "publication-conferencepaper": [IN_PROCEEDINGS],
  "publication-conferenceproceeding": [PROCEEDINGS],
  "publication-section": [IN_COLLECTION, IN_BOOK],
  "publication-preprint": [UNPUBLISHED],
  "publication-workingpaper": [UNPUBLISHED],
  "publication-thesis": [THESIS],
  "publication-dissertation": [THESIS],
  "publication-technicalnote": [MANUAL],
  software: [SOFTWARE],
  "software-computationalnotebook": [SOFTWARE],
  dataset: [DATASET],
};

/**
 * Of works that appear in a book the title of what they appeared in is that of a book; of all others that of a journal.
 */
const IN_BOOKS: readonly string[] = ["publication-section", "publication-conferencepaper", "publication-book"];

/**
 * What every entry states of where the work appeared, whichever type it has: the fields that styles expect come first.
 */
const placesOf = ({ type }: Metadata): readonly Field[] => [
  IN_BOOKS.includes(type?.id ?? "") ? "booktitle" : "journal",
  "volume",
  "number",
  "pages",
];

function entryTypeOf({ type }: Metadata, has: (field: Field) => boolean): EntryType {
  const suiting = own(BY_TYPE, type?.id ?? "")?.find(({ required }) => required.every(has)) ?? MISC;
  const isMaster = suiting === THESIS && (type?.label?.toLowerCase().startsWith("master") ?? false);
  return isMaster ? MASTERS_THESIS : suiting;
}
