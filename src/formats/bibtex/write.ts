// A record as one entry of BibTeX (application/x-bibtex), in Unicode. A comment before the entry lists what the format
// has no place for.

import { htmlToText } from "../../shared/html/html-text.ts";
import { normalForm } from "../../shared/text/text.ts";
import { type CitedItem, doiOf } from "../citation/cited-item.ts";
import { citedOf } from "../citation/cited-record.ts";
import { type CslItem, cslItem } from "../csl/item.ts";
import type { CslName } from "../csl/names.ts";
import { oneLine } from "../csl/one-line.ts";
import { leftOutOfCitation } from "../csl/write.ts";
import type { ExportedRecord, WrittenExport } from "../exported-record.ts";
import { entryTypeOf, type Field, placesOf } from "./entry-types.ts";
import { texAddress, texText } from "./escape.ts";

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
