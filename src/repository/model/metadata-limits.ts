// What the metadata of an item may hold at most, whichever format they came in (R9a): looked at before anything is made of them.
import { most } from "../../shared/limits.ts";
import type { Metadata } from "./metadata.ts";

/** Members whose texts are names or identifiers, and those of everything below them. */
const NAMING: ReadonlySet<string> = new Set([
  "names",
  "alternatives",
  "ids",
  "emails",
  "ident",
  "identifiers",
  "registration",
  "languages",
  "originalLanguages",
  "uri",
]);
const AUTHORS = ["creators", "contributors", "rightsHolders"] as const;

/** What is more than an item may have, to be read after "the metadata"; null when nothing is. */
export function metadataExcess(metadata: Metadata): string | null {
  const authors = AUTHORS.reduce((sum, member) => sum + metadata[member].length, 0);
  if (authors > most("authors")) return `name ${authors} authors, ${most("authors")} are the most`;
  const seen = { characters: 0 };
  for (const [member, value] of Object.entries(metadata)) {
    const longest = AUTHORS.some((each) => each === member) ? most("authors") : most("values");
    const found = excess(value, { path: member, longest, isNaming: NAMING.has(member) }, seen);
    if (found !== null) return found;
  }
  return null;
}

type Looking = { readonly path: string; readonly longest: number; readonly isNaming: boolean };

function excess(value: unknown, { path, longest, isNaming }: Looking, seen: { characters: number }): string | null {
  if (typeof value === "string") {
    const characters = isNaming ? most("nameCharacters") : most("valueCharacters");
    if (value.length > characters) {
      return `have ${value.length} characters in ${path} ("${value.slice(0, 40)}…"), ${characters} are the most`;
    }
    seen.characters += value.length;
    const all = most("metadataCharacters");
    return seen.characters > all ? `have more than ${all} characters` : null;
  }
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value) && value.length > longest) {
    return `have ${value.length} values in ${path}, ${longest} are the most`;
  }
  for (const [member, each] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const below = typeof member === "number" ? path : `${path}.${member}`;
    const naming = isNaming || (typeof member === "string" && NAMING.has(member));
    const found = excess(each, { path: below, longest: most("values"), isNaming: naming }, seen);
    if (found !== null) return found;
  }
  return null;
}
