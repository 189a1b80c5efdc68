// EZID's batch download, CSV and ANVL, as rows to import (EZID API guide, "Batch download", "Internal metadata", "Metadata profiles").
import { type AnvlDialect, type AnvlRecord, anvlText } from "../anvl-reader.ts";
import { type Elements, type ForeignRow, firstOf, foreignRow, leftovers } from "./foreign-name.ts";

/** By profile, in the order in which they are tried: what EZID shows of a record, and the elements it is made of. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  who: ["erc.who", "dc.creator", "datacite.creator", "_mappedCreator"],
  title: ["erc.what", "dc.title", "datacite.title", "_mappedTitle"],
  when: ["erc.when", "dc.date", "datacite.publicationyear", "_mappedDate"],
  type: ["dc.type", "datacite.resourcetype", "_mappedType"],
};

/** XML records: nothing here reads them, and they are too long to store with the rest. */
const NOT_KEPT = ["datacite", "crossref"];
const CARRIED: ReadonlySet<string> = new Set([
  ...["_id", "_target", "_status", "_profile", "erc", ...NOT_KEPT],
  ...Object.values(FIELDS).flat(),
]);

/** A record starts with `:: ` and the identifier. */
export const EZID_ANVL: AnvlDialect = { starts: (line) => line.startsWith("::"), encoded: true };

/** What is wrong with the columns of a CSV download, or null. Without the status nobody can tell public names from others. */
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
  const texts = Object.entries(FIELDS).map(([field, names]) => [field, firstOf(described, inOrder(names, profile))]);
  const url = targetOf(elements._target ?? "");
  const row = {
    ark,
    url,
    ...Object.fromEntries(texts),
    metadata: leftovers(elements, CARRIED),
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
