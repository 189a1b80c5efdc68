// Lists of Noid as rows to import: what `noid mint` and `noid fetch` print, or one name a line with or without its target.
import type { AnvlDialect, AnvlRecord } from "../anvl-reader.ts";
import { type Elements, type ForeignRow, firstOf, foreignRow, leftovers } from "./foreign-name.ts";

/** Noid binds whatever its users name; these names are common. */
const TARGETS = ["goto", ":goto", "mygoto", "_target", "target", "url", "location", "where"];
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  who: ["who", "creator", "author"],
  title: ["what", "title"],
  when: ["when", "date"],
  type: ["type"],
};
const CARRIED: ReadonlySet<string> = new Set(["id", "circ", "note", ...TARGETS, ...Object.values(FIELDS).flat()]);

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
 * One name. Noid knows no publication: a name that leads somewhere is public, one that leads nowhere is reserved until somebody gives it
 * a target and publishes it.
 */
export function noidRecord(record: AnvlRecord): ForeignRow {
  const elements: Elements = Object.fromEntries(Array.from(record, ([name, value]) => [name.toLowerCase(), value]));
  // `noid fetch` writes " hold" behind a name that is held back.
  const id = elements.id ?? "";
  const ark = /\shold$/.test(id) ? id.slice(0, -"hold".length).trimEnd() : id;
  const url = firstOf(elements, TARGETS);
  const texts = Object.entries(FIELDS).map(([field, names]) => [field, firstOf(elements, names)]);
  const metadata = leftovers(elements, CARRIED);
  return foreignRow({ ark, url, ...Object.fromEntries(texts), metadata, reserve: url === "" });
}
