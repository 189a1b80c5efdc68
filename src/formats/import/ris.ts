// RIS read as records: each one is converted to an item of CSL, which the reader of CSL converts further.
import type { Metadata } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import { maybe, own } from "../../shared/objects.ts";
import { cslMetadata } from "./csl.ts";
import { japaneseName } from "./japanese-names.ts";
import { trackReads } from "./read-tracker.ts";
import { type RisRecord, readRis } from "./ris-records.ts";
import { NUMBERED, RIS_TYPES } from "./ris-types.ts";
import type { ImportedWork } from "./works.ts";

/** More precise types than CSL has. */
const IDS: Readonly<Record<string, string>> = { CONF: "publication-conferenceproceeding" };

/** Tags that are one member of CSL; of several for one member, the first in this list counts. */
const MEMBERS: readonly (readonly [member: string, tags: readonly string[]])[] = [
  ["title", ["TI", "T1", "CT"]],
  ["container-title", ["C3", "JF", "T2", "BT", "JO", "JA", "J1", "J2"]],
  ["volume", ["VL"]],
  ["issue", ["IS"]],
  ["abstract", ["AB", "N2"]],
  ["publisher", ["PB"]],
  ["publisher-place", ["CY", "PP"]],
  ["edition", ["ET"]],
  ["language", ["LA"]],
  ["DOI", ["DO"]],
  ["URL", ["UR"]],
];
/** Abbreviations of the title of a journal add nothing to it. */
const SHORTENED: ReadonlySet<string> = new Set(["JO", "JA", "J1", "J2"]);
const PEOPLE: readonly (readonly [member: string, tags: readonly string[]])[] = [
  ["author", ["AU", "A1"]],
  ["editor", ["A2", "A3", "ED"]],
  ["translator", ["A4"]],
];
/** Where the record came from, when it was read, and its number there. */
const AROUND: ReadonlySet<string> = new Set(["DB", "DP", "ID", "LB", "Y2", "RP", "ST"]);

type Values = ReadonlyMap<string, readonly string[]>;

export const importRis = (text: string): readonly ImportedWork[] => readRis(text).map(workOf);

function workOf(record: RisRecord): ImportedWork {
  const values = byTag(record);
  const used = new Set<string>(["KW", "N1", "TT", "SN", "SP", "EP"]);
  const lost: string[] = [];
  const lose = (tag: string, value: string): unknown =>
    lost.push(`${tag}: ${value.replaceAll("\n", " ").slice(0, 100)}`);
  const item: Record<string, Json> = { type: own(RIS_TYPES, record.type) ?? "document" };
  for (const [member, tags] of MEMBERS) {
    const found = tags.flatMap((tag) => (values.get(tag) ?? []).map((value) => ({ tag, value: plain(member, value) })));
    const [first, ...others] = found;
    if (first !== undefined) item[member] = first.value;
    for (const { tag, value } of others) if (value !== first?.value && !SHORTENED.has(tag)) lose(tag, value);
    for (const tag of tags) used.add(tag);
  }
  for (const [member, tags] of PEOPLE) {
    const people = tags.flatMap((tag) => values.get(tag) ?? []);
    if (people.length > 0) item[member] = people.map(nameOf);
    for (const tag of tags) used.add(tag);
  }
  const dated = issuedOf(values);
  for (const tag of ["PY", "Y1", "DA"]) used.add(tag);
  const [number] = NUMBERED.has(record.type) ? (values.get("M1") ?? values.get("IS") ?? []) : [];
  if (number !== undefined && values.has("M1")) used.add("M1");
  const watch = trackReads({
    ...item,
    ...maybe("issued", dated),
    ...maybe("number", number),
    ...pagesOf(record.type, values),
    ...serialsOf(values),
  });
  const metadata = cslMetadata(watch.document);
  for (const member of watch.unread()) lose(member, String(own(item, member) ?? number ?? ""));
  for (const [tag, all] of values) if (!used.has(tag) && !AROUND.has(tag)) for (const value of all) lose(tag, value);
  const id = own(IDS, record.type);
  return {
    metadata: { ...withLists(metadata, values), ...(id === undefined ? {} : { type: { id } }) },
    lost,
    line: record.line,
  };
}

function byTag({ values }: RisRecord): Values {
  const found = new Map<string, string[]>();
  for (const [tag, value] of values) {
    const known = found.get(tag);
    if (known === undefined) found.set(tag, [value]);
    else known.push(value);
  }
  return found;
}

/** Only an abstract has several lines; a DOI is often written as an address. */
function plain(member: string, value: string): string {
  if (member === "abstract") return value;
  const line = value.replace(/\s+/g, " ");
  return member === "DOI" ? line.replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, "") : line;
}

/** "Family, Given, Suffix"; without a comma it is an organization, or a name in Japanese. */
function nameOf(written: string): Json {
  const japanese = japaneseName(written);
  if (japanese !== null) return japanese;
  const [family = "", given = "", suffix = ""] = written.split(/[,，]/).map((part) => part.trim());
  if (given === "") return { literal: family };
  return { family, given, ...(suffix === "" ? {} : { suffix }) };
}

/** `2020/07/01/summer`, `2020-07-01`, `2020`; the most exact one that begins with the stated year. */
function issuedOf(values: Values): Json | undefined {
  const [year = ""] = [...(values.get("PY") ?? []), ...(values.get("Y1") ?? [])];
  const stated = ["DA", "PY", "Y1"].flatMap((tag) => values.get(tag) ?? []);
  const dates = stated.flatMap((written) => {
    const parts = /^(\d{4})(?:[/-](\d{1,2}))?(?:[/-](\d{1,2}))?(?:[/-]|$)/.exec(written)?.slice(1) ?? [];
    const numbers = parts.flatMap((part) => (part === undefined ? [] : [Number(part)]));
    return numbers.length > 0 && (year === "" || written.slice(0, 4) === year.slice(0, 4)) ? [numbers] : [];
  });
  const [best] = dates.toSorted((one, other) => other.length - one.length);
  if (best !== undefined) return { "date-parts": [best] };
  return stated[0] === undefined ? undefined : { raw: stated[0] };
}

/** First and last page; of a book `SP` is the number of its pages. */
function pagesOf(type: string, values: Values): Readonly<Record<string, string>> {
  const [first] = values.get("SP") ?? [];
  const [last] = values.get("EP") ?? [];
  if (first === undefined) return last === undefined ? {} : { page: last };
  if (/^(?:E|ED)?BOOK$/.test(type) && last === undefined && !/[-–]/.test(first)) return { "number-of-pages": first };
  return { page: last === undefined || /[-–]/.test(first) ? first : `${first}-${last}` };
}

const ISSN = /^\d{4}-?\d{3}[\dXx]$/;

/** `SN` is an ISSN or an ISBN, or several of them. */
function serialsOf(values: Values): Readonly<Record<string, string>> {
  const numbers = (values.get("SN") ?? [])
    .flatMap((value) => value.split(/[\s,;]+/))
    .filter((each) => /\d{4}/.test(each));
  const issns = numbers.filter((each) => ISSN.test(each)).join(" ");
  const isbns = numbers.filter((each) => !ISSN.test(each)).join(" ");
  return { ...(issns === "" ? {} : { ISSN: issns }), ...(isbns === "" ? {} : { ISBN: isbns }) };
}

/** What CSL has no list for: keywords with commas, notes, the title in another language. */
function withLists(metadata: Metadata, values: Values): Metadata {
  const keywords = (values.get("KW") ?? []).flatMap((value) => value.split(/[;\n]/)).map((word) => word.trim());
  const notes = values.get("N1") ?? [];
  return {
    ...metadata,
    titles: [
      ...metadata.titles,
      ...(values.get("TT") ?? []).map((value) => ({ value: plain("title", value), kind: "translated" as const })),
    ],
    subjects: [...new Set(keywords)].flatMap((value) => (value === "" ? [] : [{ text: { value } }])),
    descriptions: [...metadata.descriptions, ...notes.map((value) => ({ value, kind: "Other", html: false }))],
  };
}
