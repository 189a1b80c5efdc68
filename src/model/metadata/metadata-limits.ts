// The most that the metadata of an item may hold, whatever its format (R9a): checked before it is processed.

import { most } from "../../shared/limits.ts";
import { cut } from "../items/summary.ts";
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

// The part of an item's metadata that a page, or a hit of a search, gives to machines (R9a): no list, no text and no
// head of a page grows without end; the exports hold all of it.

/** Values of a member, people in all roles together, and values of any list inside of one. */
const SHOWN_VALUES = 500;
const SHOWN_INNER_VALUES = 50;
const TEXT_CHARACTERS = 50_000;
/** Texts of one member, and of the whole page. */
const TEXTS_OF_MEMBER = 2_000;
const TEXTS_OF_PAGE = 20_000;
const CHARACTERS_OF_PAGE = 2_000_000;
/** Members that are never shown. */
const UNSHOWN: ReadonlySet<string> = new Set(["custom", "extra", "emails"]);
const PEOPLE: ReadonlySet<string> = new Set(["creators", "contributors", "rightsHolders"]);

/** The metadata itself where it is within the limits. */
export function boundedMetadata(metadata: Metadata): Metadata {
  const page = { texts: TEXTS_OF_PAGE, characters: CHARACTERS_OF_PAGE, isCut: false };
  const bounded: Record<string, unknown> = { ...metadata };
  let people = SHOWN_VALUES;
  // People last: there may be thousands, and they must not displace everything else on a page.
  const members = Object.entries(metadata).filter(([member]) => !UNSHOWN.has(member));
  for (const [member, value] of members.filter(([member]) => !PEOPLE.has(member))) {
    bounded[member] = boundedValue(value, SHOWN_VALUES, budgetOf(page, TEXTS_OF_MEMBER));
  }
  for (const [member, value] of members.filter(([member]) => PEOPLE.has(member))) {
    const shown = boundedValue(value, people, budgetOf(page, TEXTS_OF_PAGE));
    if (Array.isArray(shown)) people -= shown.length;
    bounded[member] = shown;
  }
  // Made member by member from metadata: lists are shorter, texts are shorter, nothing else.
  return page.isCut ? (bounded as Metadata) : metadata;
}

type Page = { texts: number; characters: number; isCut: boolean };
type Budget = { readonly page: Page; texts: number };

const budgetOf = (page: Page, texts: number): Budget => ({ page, texts });

function boundedValue(value: unknown, longest: number, budget: Budget): unknown {
  if (typeof value === "string") return boundedText(value, budget);
  if (Array.isArray(value)) {
    const kept: unknown[] = [];
    for (const each of value) {
      if (kept.length === longest || budget.texts <= 0 || budget.page.texts <= 0) {
        budget.page.isCut = true;
        break;
      }
      kept.push(boundedValue(each, SHOWN_INNER_VALUES, budget));
    }
    return kept;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      UNSHOWN.has(key) ? each : boundedValue(each, SHOWN_INNER_VALUES, budget),
    ]),
  );
}

function boundedText(text: string, budget: Budget): string {
  const { page } = budget;
  budget.texts -= 1;
  page.texts -= 1;
  const kept = cut(text, Math.max(1, Math.min(TEXT_CHARACTERS, page.characters)));
  page.characters -= kept.length;
  if (kept.length < text.length) page.isCut = true;
  return kept;
}
