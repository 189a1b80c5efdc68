// BibTeX read as records: each entry is converted to an item of CSL, which the reader of CSL converts further.
import { DocumentError } from "../../shared/document-error.ts";
import type { Json } from "../../shared/json/json.ts";
import { most } from "../../shared/limits.ts";
import { maybe, own } from "../../shared/objects.ts";
import { type BibtexEntry, readBibtex, texWords } from "./bibtex-entries.ts";
import { cslMetadata } from "./csl.ts";
import { japaneseName } from "./japanese-names.ts";
import { trackReads } from "./read-tracker.ts";
import type { ImportedWork } from "./works.ts";

const TYPES: Readonly<Record<string, string>> = {
  article: "article-journal",
  book: "book",
  booklet: "book",
  conference: "paper-conference",
  dataset: "dataset",
  inbook: "chapter",
  incollection: "chapter",
  inproceedings: "paper-conference",
  manual: "report",
  mastersthesis: "thesis",
  online: "webpage",
  phdthesis: "thesis",
  proceedings: "book",
  software: "software",
  techreport: "report",
  thesis: "thesis",
  unpublished: "article",
};

/** More precise types than CSL has. */
const IDS: Readonly<Record<string, string>> = {
  manual: "publication-technicalnote",
  techreport: "publication-technicalnote",
  phdthesis: "publication-dissertation",
  proceedings: "publication-conferenceproceeding",
};

/** Fields that are one member of CSL. */
const MEMBERS: Readonly<Record<string, string>> = {
  title: "title",
  journal: "container-title",
  journaltitle: "container-title",
  booktitle: "container-title",
  school: "publisher",
  institution: "publisher",
  publisher: "publisher",
  organization: "publisher",
  edition: "edition",
  volume: "volume",
  number: "issue",
  issue: "issue",
  pages: "page",
  address: "publisher-place",
  location: "publisher-place",
  version: "version",
  venue: "event-place",
  isbn: "ISBN",
  issn: "ISSN",
  doi: "DOI",
  url: "URL",
  type: "genre",
  language: "language",
  keywords: "keyword",
  abstract: "abstract",
  pagetotal: "number-of-pages",
};
const ADDRESSES: ReadonlySet<string> = new Set(["doi", "url"]);
const DATED: ReadonlySet<string> = new Set(["year", "month", "day", "date"]);

/** Names at the top level of braces, parted by the word "and". */
function partNames(tex: string): readonly string[] {
  const names: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < tex.length; at++) {
    const character = tex[at];
    if (character === "\\") at++;
    else if (character === "{") depth++;
    else if (character === "}") depth--;
    else if (depth === 0 && /\s/.test(character ?? "") && /^\sand\s/i.test(tex.slice(at, at + 5))) {
      names.push(tex.slice(start, at));
      // Counted before it is processed.
      if (names.length > most("authors")) throw new DocumentError(`A field names more than ${most("authors")} people`);
      start = at + 4;
      at += 3;
    }
  }
  return [...names, tex.slice(start)].map((name) => name.trim()).filter((name) => name !== "");
}

/** "Family, Given", "Family, Jr, Given", "Given Family"; in braces a name that is not taken apart. */
function nameOf(tex: string): Json {
  if (/^\{.*\}$/s.test(tex) && isOneGroup(tex)) return { literal: texWords(tex) };
  const parts = topLevel(tex, ",").map(texWords);
  const [family = "", second = "", third] = parts;
  if (parts.length > 1)
    return { family, given: third === undefined ? second : third, ...(third === undefined ? {} : { suffix: second }) };
  const words = topLevel(tex, " ")
    .map(texWords)
    .filter((word) => word !== "");
  const japanese = japaneseName(words.join(" "));
  if (japanese !== null) return japanese;
  // A word in lower case begins the family name: Ludwig van Beethoven.
  const small = words.findIndex((word, index) => index > 0 && /^\p{Ll}/u.test(word));
  const from = small === -1 ? words.length - 1 : small;
  const given = words.slice(0, from).join(" ");
  return { family: words.slice(from).join(" "), ...(given === "" ? {} : { given }) };
}

function topLevel(tex: string, between: string): readonly string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < tex.length; at++) {
    const character = tex[at];
    if (character === "\\") at++;
    else if (character === "{") depth++;
    else if (character === "}") depth--;
    else if (depth === 0 && character === between) {
      parts.push(tex.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, tex.slice(start)];
}

/** Whether the first brace is closed by the last. */
function isOneGroup(tex: string): boolean {
  let depth = 0;
  for (let at = 0; at < tex.length; at++) {
    const character = tex[at];
    if (character === "\\") at++;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at === tex.length - 1;
  }
  return false;
}

/** The date of issue, and the fields it does not use. */
function issuedOf({ fields }: BibtexEntry): { readonly issued?: Json; readonly unused: readonly string[] } {
  const words = (name: string): string => texWords(fields.get(name) ?? "");
  const [date, year, month] = [words("date"), words("year"), monthOf(words("month"))];
  if (date !== "") return { issued: { raw: date }, unused: [] };
  if (!/^\d{4}$/.test(year))
    return { ...maybe("issued", year === "" ? undefined : { raw: year }), unused: ["month", "day"] };
  if (month === null) return { issued: { "date-parts": [[Number(year)]] }, unused: ["month", "day"] };
  const day = Number(words("day"));
  const isDay = Number.isInteger(day) && day >= 1 && day <= 31;
  return { issued: { "date-parts": [[Number(year), month, ...(isDay ? [day] : [])]] }, unused: isDay ? [] : ["day"] };
}

const NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function monthOf(written: string): number | null {
  const number = /^\d{1,2}$/.test(written) ? Number(written) : NAMES.indexOf(written.slice(0, 3).toLowerCase()) + 1;
  return number >= 1 && number <= 12 ? number : null;
}

function workOf(entry: BibtexEntry): ImportedWork {
  const item: Record<string, Json> = { type: own(TYPES, entry.type) ?? "document" };
  const lost: string[] = [];
  const lose = (name: string, value: string): unknown => value !== "" && lost.push(`${name}: ${value.slice(0, 100)}`);
  /** Fields by the members of CSL that they became. */
  const fields = new Map<string, string>();
  for (const [name, tex] of entry.fields) {
    const to = own(MEMBERS, name);
    // Addresses are kept as written, except for what TeX needs escaped.
    const value = ADDRESSES.has(name) ? tex.trim().replace(/\\([%#&_~])/g, "$1") : texWords(tex);
    if (name === "author" || name === "editor" || name === "translator") {
      const names = partNames(tex);
      // The word for people who are not named.
      if (names.at(-1) === "others") lose(name, "others");
      item[name] = (names.at(-1) === "others" ? names.slice(0, -1) : names).map(nameOf);
    } else if (DATED.has(name) || name === "note" || value === "") continue;
    else if (to === undefined || (item[to] !== undefined && item[to] !== value)) lose(name, value);
    else {
      item[to] = name === "pages" ? value.replace(/-{2,}/g, "-") : value;
      fields.set(to, name);
    }
  }
  const { issued, unused } = issuedOf(entry);
  for (const name of unused) lose(name, texWords(entry.fields.get(name) ?? ""));
  const watch = trackReads({ ...item, ...maybe("issued", issued) });
  const metadata = cslMetadata(watch.document);
  for (const member of watch.unread()) lose(fields.get(member) ?? "", String(fields.has(member) ? item[member] : ""));
  const note = texWords(entry.fields.get("note") ?? "");
  const id = own(IDS, entry.type);
  return {
    metadata: {
      ...metadata,
      ...(id === undefined ? {} : { type: { id } }),
      descriptions:
        note === "" ? metadata.descriptions : [...metadata.descriptions, { value: note, kind: "Other", html: false }],
    },
    lost,
    line: entry.line,
  };
}

export const importBibtex = (text: string): readonly ImportedWork[] => readBibtex(text).map(workOf);
