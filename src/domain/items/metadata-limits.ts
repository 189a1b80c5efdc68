// What the metadata of an item may hold at most, whichever format they came in (R9a): looked at before anything is made of them.
import { most } from "../limits.ts";
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
  for (const [member, value] of Object.entries(metadata)) {
    const longest = AUTHORS.some((each) => each === member) ? most("authors") : most("values");
    const found = excess(value, member, longest, NAMING.has(member));
    if (found !== null) return found;
  }
  return null;
}

function excess(value: unknown, place: string, longest: number, isNaming: boolean): string | null {
  if (typeof value === "string") {
    const characters = isNaming ? most("nameCharacters") : most("valueCharacters");
    if (value.length <= characters) return null;
    return `have ${value.length} characters in ${place} ("${value.slice(0, 40)}…"), ${characters} are the most`;
  }
  if (Array.isArray(value)) {
    if (value.length > longest) return `have ${value.length} values in ${place}, ${longest} are the most`;
    for (const each of value) {
      const found = excess(each, place, most("values"), isNaming);
      if (found !== null) return found;
    }
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  for (const [member, each] of Object.entries(value)) {
    const found = excess(each, `${place}.${member}`, most("values"), isNaming || NAMING.has(member));
    if (found !== null) return found;
  }
  return null;
}
