// The most that the metadata of an item may hold, whatever its format (R9a): checked before it is processed.
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

/** The first limit that an item exceeds, to be read after "The metadata"; null when it exceeds none. */
export function metadataExcess(metadata: Metadata): string | null {
  const authors = AUTHORS.reduce((sum, member) => sum + metadata[member].length, 0);
  if (authors > most("authors")) return `names ${authors} authors, the maximum is ${most("authors")}`;
  const usage = { characters: 0 };
  for (const [member, value] of Object.entries(metadata)) {
    const longest = AUTHORS.some((each) => each === member) ? most("authors") : most("values");
    const found = excess(value, { path: member, longest, isNaming: NAMING.has(member) }, usage);
    if (found !== null) return found;
  }
  return null;
}

type ValueContext = { readonly path: string; readonly longest: number; readonly isNaming: boolean };
type Usage = { characters: number };

function excess(value: unknown, context: ValueContext, usage: Usage): string | null {
  if (typeof value === "string") return isLonger(value, context.isNaming, usage) ? limitProblem(value, context) : null;
  if (typeof value !== "object" || value === null) return null;
  const { path, longest, isNaming } = context;
  if (Array.isArray(value)) {
    if (value.length > longest) return `has ${value.length} values in ${path}, the maximum is ${longest}`;
    const below = { path, longest: most("values"), isNaming };
    for (const each of value) {
      const found = excess(each, below, usage);
      if (found !== null) return found;
    }
    return null;
  }
  // Its values are JSON; a list of them as pairs would cost as much as all the rest.
  const members = value as Readonly<Record<string, unknown>>;
  for (const member of Object.keys(members)) {
    const each = members[member];
    const isNamed = isNaming || NAMING.has(member);
    // Most values are texts that are short enough: they need no path.
    if (typeof each === "string" && !isLonger(each, isNamed, usage)) continue;
    if (typeof each !== "string" && typeof each !== "object") continue;
    const below = { path: `${path}.${member}`, longest: most("values"), isNaming: isNamed };
    const found = typeof each === "string" ? limitProblem(each, below) : excess(each, below, usage);
    if (found !== null) return found;
  }
  return null;
}

const charactersOf = (isNaming: boolean): number => (isNaming ? most("nameCharacters") : most("valueCharacters"));

/** Counts a text; whether it, or all of them together, are too long. */
function isLonger(text: string, isNaming: boolean, usage: Usage): boolean {
  usage.characters += text.length;
  return text.length > charactersOf(isNaming) || usage.characters > most("metadataCharacters");
}

function limitProblem(text: string, { path, isNaming }: ValueContext): string {
  const characters = charactersOf(isNaming);
  if (text.length <= characters) return `have more than ${most("metadataCharacters")} characters`;
  return `has ${text.length} characters in ${path} ("${text.slice(0, 40)}…"), the maximum is ${characters}`;
}
