// Names as other services export them, before their import (docs/moving.md): arklet, EZID, Noid.

import { type AnvlDialect, type AnvlRecord, anvlText } from "./anvl.ts";
import { type ImportRow, rowOfObject } from "./import-row.ts";
import type { ImportIn } from "./inputs.ts";

/**
 * The row to import, and why the name is to be unpublished afterwards; null for a name that stays as it is imported.
 */
type ForeignName = { readonly value: ImportIn; readonly unavailable: string | null };
export type ForeignRow = ForeignName | { readonly wrong: string };
export type Elements = { readonly [name: string]: string };

/** Everything without a dedicated field, as one JSON text; the resolver never shows it. Empty where nothing is left. */
function leftovers(elements: Elements, carried: ReadonlySet<string>): string {
  const left = Object.entries(elements).filter(([name, value]) => !carried.has(name) && value !== "");
  return left.length === 0 ? "" : JSON.stringify(Object.fromEntries(left));
}

function foreignRow(fields: { readonly [field: string]: unknown }, unavailable: string | null = null): ForeignRow {
  const row: ImportRow = rowOfObject(fields);
  return "wrong" in row ? row : { value: row.value, unavailable };
}

/** The first of these elements that holds anything. */
function firstOf(elements: Elements, names: readonly string[]): string {
  for (const name of names) {
    const value = elements[name]?.trim() ?? "";
    if (value !== "") return value;
  }
  return "";
}

// The table of names of arklet (`ark_ark`) and of its forks as CSV, as rows to import.

/** Columns that mean here what they mean there. */
const SAME = ["url", "title", "type", "identifier", "format", "relation", "source", "who", "when"] as const;
const ARKLET_CARRIED: ReadonlySet<string> = new Set([
  ...[
    "ark",
    "naan_id",
    "naan",
    "shoulder",
    "assigned_name",
    "metadata",
    "commitment",
    "rights",
    "created_at",
    "updated_at",
  ],
  ...SAME,
]);

/** What is wrong with the columns, or null. */
export function arkletHeaderProblem(columns: readonly string[]): string | null {
  return columns.includes("ark") && columns.includes("url")
    ? null
    : 'The columns ark and url are missing: export the table with its header ("copy ark_ark to stdout csv header")';
}

/** One row. arklet knows no states: a name is public from the moment it is made. */
export function arkletName(row: Elements): ForeignRow {
  const fields = Object.fromEntries(SAME.map((field) => [field, row[field]?.trim() ?? ""]));
  const left = leftovers(row, ARKLET_CARRIED);
  const metadata = row.metadata ?? "";
  return foreignRow({
    ...fields,
    ark: keyOf(row),
    // One of the forks has renamed the column.
    commitment: row.commitment || row.rights || "",
    metadata: left === "" ? metadata : metadata === "" ? left : `${metadata}\n${left}`,
  });
}

/** `12345/b1xyz`, put together from its parts where the shoulder was entered without its slash. */
function keyOf(row: Elements): string {
  const ark = row.ark?.trim() ?? "";
  const naan = row.naan_id ?? row.naan ?? "";
  if (ark.includes("/") || naan === "") return ark;
  return `${naan}/${row.shoulder ?? ""}${row.assigned_name ?? ""}`;
}

// EZID's batch download, CSV and ANVL, as rows to import (EZID API guide, "Batch download", "Internal metadata",
// "Metadata profiles").

/** By profile, in the order in which they are tried: what EZID shows of a record, and the elements it is made of. */
const EZID_FIELDS: Readonly<Record<string, readonly string[]>> = {
  who: ["erc.who", "dc.creator", "datacite.creator", "_mappedCreator"],
  title: ["erc.what", "dc.title", "datacite.title", "_mappedTitle"],
  when: ["erc.when", "dc.date", "datacite.publicationyear", "_mappedDate"],
  type: ["dc.type", "datacite.resourcetype", "_mappedType"],
};

/** XML records: nothing here reads them, and they are too long to store with the rest. */
const NOT_KEPT = ["datacite", "crossref"];
const EZID_CARRIED: ReadonlySet<string> = new Set([
  ...["_id", "_target", "_status", "_profile", "erc", ...NOT_KEPT],
  ...Object.values(EZID_FIELDS).flat(),
]);

/** A record starts with `:: ` and the identifier. */
export const EZID_ANVL: AnvlDialect = { starts: (line) => line.startsWith("::"), encoded: true };

/**
 * What is wrong with the columns of a CSV download, or null. Without the status nobody can tell public names from
 * others.
 */
export function ezidHeaderProblem(columns: readonly string[]): string | null {
  for (const column of ["_id", "_status", "_target"]) {
    if (!columns.includes(column)) return `The column ${column} is missing: ask EZID for it (column=${column})`;
  }
  return null;
}

export function ezidRecord(record: AnvlRecord): ForeignRow {
  const { "::": _id = "", ...elements } = Object.fromEntries(record);
  return ezidName({ ...elements, _id });
}

/** One identifier by the names of its elements. */
export function ezidName(elements: Elements): ForeignRow {
  const ark = elements._id?.trim() ?? "";
  if (!/^ark:/i.test(ark)) return { wrong: `${JSON.stringify(ark)} is not an ARK: only ARKs can be moved here` };
  const status = statusOf(elements._status ?? "");
  if ("wrong" in status) return status;
  const described = { ...elements, ...blockOf(elements.erc ?? "") };
  const profile = elements._profile?.trim() ?? "";
  const texts = Object.entries(EZID_FIELDS).map(([field, names]) => [
    field,
    firstOf(described, inOrder(names, profile)),
  ]);
  const url = targetOf(elements._target ?? "");
  const row = {
    ark,
    url,
    ...Object.fromEntries(texts),
    metadata: leftovers(elements, EZID_CARRIED),
    reserve: status.reserve,
  };
  return foreignRow(row, status.unavailable);
}

/** The elements of the record's own profile come first. */
function inOrder(names: readonly string[], profile: string): readonly string[] {
  const own = names.filter((name) => name.startsWith(`${profile}.`));
  return [...own, ...names.filter((name) => !own.includes(name))];
}

type Status = { readonly reserve: boolean; readonly unavailable: string | null } | { readonly wrong: string };

/** `public`, `reserved`, `unavailable`, `unavailable | reason`. */
function statusOf(text: string): Status {
  const [word = "", ...reason] = text.split("|");
  const status = word.trim();
  if (status === "public") return { reserve: false, unavailable: null };
  if (status === "reserved") return { reserve: true, unavailable: null };
  if (status === "unavailable") {
    return { reserve: false, unavailable: reason.join("|").trim().slice(0, 500) || "Unavailable in EZID" };
  }
  return { wrong: `has status ${JSON.stringify(text)}: public, reserved and unavailable are known` };
}

/** Without a target EZID sends people to its page about the identifier, which will not outlive the move. */
function targetOf(text: string): string {
  const target = text.trim();
  return /^https?:\/\/(?:[a-z-]+\.)?ezid(?:-[a-z]+)?\.cdlib\.org\/id\//i.test(target) ? "" : target;
}

/** The element `erc` holds a whole record: lines of label and value. */
function blockOf(text: string): Elements {
  const elements: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const [, label, value] = /^\s*(who|what|when)\s*:(.*)$/i.exec(line) ?? [];
    if (label !== undefined && value !== undefined) elements[`erc.${label.toLowerCase()}`] = anvlText(value.trim());
  }
  return elements;
}

// Lists of Noid as rows to import: what `noid mint` and `noid fetch` print, or one name a line with or without its
// target.

/** Noid binds whatever its users name; these names are common. */
const TARGETS = ["goto", ":goto", "mygoto", "_target", "target", "url", "location", "where"];
const NOID_FIELDS: Readonly<Record<string, readonly string[]>> = {
  who: ["who", "creator", "author"],
  title: ["what", "title"],
  when: ["when", "date"],
  type: ["type"],
};
const NOID_CARRIED: ReadonlySet<string> = new Set([
  "id",
  "circ",
  "note",
  ...TARGETS,
  ...Object.values(NOID_FIELDS).flat(),
]);

/** Each line of a plain list, and each line `id:`, begins a name. Noid prints values as they are. */
export const NOID_LIST: AnvlDialect = {
  starts: (line) => /^id:/i.test(line) || isPlain(line),
  encoded: false,
  rewrite: (line) => {
    if (!isPlain(line)) return [line];
    const [name = "", target = ""] = line.trim().split(/\s+/);
    return [`id: ${name}`, `goto: ${target}`];
  },
};

function isPlain(line: string): boolean {
  return /^(?:ark:\/?)?[0-9bcdfghjkmnpqrstvwxz]{1,16}\/\S+(?:\s+\S+)?\s*$/i.test(line);
}

/**
 * One name. Noid knows no publication: a name that leads somewhere is public, one that leads nowhere is reserved until
 * somebody gives it a target and publishes it.
 */
export function noidRecord(record: AnvlRecord): ForeignRow {
  const elements: Elements = Object.fromEntries(Array.from(record, ([name, value]) => [name.toLowerCase(), value]));
  // `noid fetch` writes " hold" behind a name that is held back.
  const id = elements.id ?? "";
  const ark = /\shold$/.test(id) ? id.slice(0, -"hold".length).trimEnd() : id;
  const url = firstOf(elements, TARGETS);
  const texts = Object.entries(NOID_FIELDS).map(([field, names]) => [field, firstOf(elements, names)]);
  const metadata = leftovers(elements, NOID_CARRIED);
  return foreignRow({ ark, url, ...Object.fromEntries(texts), metadata, reserve: url === "" });
}
