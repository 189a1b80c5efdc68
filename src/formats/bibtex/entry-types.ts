// Which entry of BibTeX a record is: by its type, the first whose required fields it has, else `misc`.
import type { Metadata } from "../../model/metadata/metadata.ts";
import { own } from "../../shared/fields.ts";

export type Field =
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

export type EntryType = {
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
export const placesOf = ({ type }: Metadata): readonly Field[] => [
  IN_BOOKS.includes(type?.id ?? "") ? "booktitle" : "journal",
  "volume",
  "number",
  "pages",
];

export function entryTypeOf({ type }: Metadata, has: (field: Field) => boolean): EntryType {
  const suiting = own(BY_TYPE, type?.id ?? "")?.find(({ required }) => required.every(has)) ?? MISC;
  const isMaster = suiting === THESIS && (type?.label?.toLowerCase().startsWith("master") ?? false);
  return isMaster ? MASTERS_THESIS : suiting;
}
