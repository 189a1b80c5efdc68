// Reading a record in the tools' model member by member (R37): a member that is not as it should be is left out and
// reported under its path, in the words clients of this model know; the others are read.

import { own } from "../../shared/fields.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";

export type RecordFault = { readonly field: string; readonly messages: readonly string[] };

export const FAULT_MESSAGES = {
  missing: "Missing data for required field.",
  null: "Field may not be null.",
  notText: "Not a valid string.",
  notList: "Not a valid list.",
  notTruth: "Not a valid boolean.",
  notNumber: "Not a valid number.",
  notObject: "Invalid input type.",
  unknown: "Unknown field.",
  notUrl: "Not a valid URL.",
  date: "Please provide a valid date or interval.",
} as const;

export type RecordInput = {
  readonly entries: Entries;
  readonly fault: (field: string, message: string) => void;
};

type FaultList = RecordInput & { readonly faults: () => readonly RecordFault[] };

/** At most this many faults of one record are reported. */
const FAULTS_MAX = most("recordFaults");
const FIELD_CHARACTERS = 200;

export function recordInput(entries: Entries): FaultList {
  const found = new Map<string, string[]>();
  return {
    entries,
    fault(field, message) {
      const at = field.slice(0, FIELD_CHARACTERS);
      const messages = found.get(at);
      if (messages !== undefined) {
        if (!messages.includes(message)) messages.push(message);
      } else if (found.size < FAULTS_MAX) found.set(at, [message]);
    },
    faults: () => [...found].map(([field, messages]) => ({ field, messages })),
  };
}

/** Characters that XML cannot hold, unpaired surrogates and the space without width: they are never intended. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const UNMEANT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u200b\ufffe\uffff]/g;

/** A text without characters that are never intended. */
const cleanText = (text: string): string => text.toWellFormed().replace(UNMEANT, "").trim();

type TextRule = { readonly characters?: number };

/** A text; null where it is absent or invalid. */
export function textAt(
  value: Json | undefined,
  path: string,
  to: RecordInput,
  { characters = most("nameCharacters") }: TextRule = {},
): string | null {
  if (value === undefined) return null;
  if (typeof value !== "string") {
    to.fault(path, value === null ? FAULT_MESSAGES.null : FAULT_MESSAGES.notText);
    return null;
  }
  if (value.length > characters) {
    to.fault(path, `Longer than maximum length ${characters}.`);
    return null;
  }
  return cleanText(value);
}

/** A text that must be there; null where it is not. */
export function neededText(value: Json | undefined, path: string, to: RecordInput, rule: TextRule = {}): string | null {
  if (value === undefined) to.fault(path, FAULT_MESSAGES.missing);
  return textAt(value, path, to, rule);
}

/** A text of at least `shortest` characters; shorter ones are reported. */
export function atLeast(shortest: number, text: string | null, path: string, to: RecordInput): string | null {
  if (text === null || [...text.slice(0, shortest * 2)].length >= shortest) return text;
  to.fault(path, `Shorter than minimum length ${shortest}.`);
  return null;
}

/**
 * An object; null for anything else. Members outside `known` are reported; those that only answers have may be sent
 * back.
 */
export function objectAt(
  value: Json | undefined,
  path: string,
  known: readonly string[],
  to: RecordInput,
): JsonObject | null {
  if (value === undefined) return null;
  if (value === null) {
    to.fault(path, FAULT_MESSAGES.null);
    return null;
  }
  if (!isJsonObject(value)) {
    to.fault(`${path}._schema`, FAULT_MESSAGES.notObject);
    return null;
  }
  for (const name of Object.keys(value)) if (!known.includes(name)) to.fault(`${path}.${name}`, FAULT_MESSAGES.unknown);
  return value;
}

/** A list; null for anything else, and for one with more than an item may have. */
export function listAt(
  value: Json | undefined,
  path: string,
  to: RecordInput,
  longest: number = most("values"),
): readonly Json[] | null {
  if (value === undefined) return null;
  if (!isJsonArray(value)) {
    to.fault(path, value === null ? FAULT_MESSAGES.null : FAULT_MESSAGES.notList);
    return null;
  }
  if (value.length <= longest) return value;
  to.fault(path, `Longer than maximum length ${longest}.`);
  return null;
}

/** The entry an object names by its id; null, and reported, where it does not exist. */
export function entryAt(value: Json | undefined, path: string, type: string, to: RecordInput): Entry | null {
  const sent = objectAt(value, path, ["id", "title", "props", "icon", "description", "subject", "scheme", "name"], to);
  if (sent === null) return null;
  const id = neededText(own(sent, "id"), `${path}.id`, to);
  if (id === null) return null;
  const entry = to.entries.get(type, id);
  if (entry === undefined) to.fault(`${path}.id`, `Invalid value ${id.slice(0, 100)}.`);
  return entry ?? null;
}

/** The same for a required entry. */
export function neededEntry(value: Json | undefined, path: string, type: string, to: RecordInput): Entry | null {
  if (value === undefined) to.fault(path, FAULT_MESSAGES.missing);
  return entryAt(value, path, type, to);
}

// The vocabulary entries that a record names (R6a). They are listed without a lookup, so that a use case reads them all
// in one statement and hands them to reader and writer.

/** An entry of a vocabulary by its name. */
export type EntryName = { readonly type: string; readonly id: string };

export type Entry = EntryName & {
  readonly title: Readonly<Record<string, string>>;
  readonly props: Readonly<Record<string, string>>;
};

export type Entries = { readonly get: (type: string, id: string) => Entry | undefined };

const keyOf = (type: string, id: string): string => `${type}\n${id}`;

/** A title that is not known is "" in the table of vocabularies, and no title. */
const titled = (entry: Entry): Entry => ({
  ...entry,
  title: Object.fromEntries(Object.entries(entry.title).filter(([, title]) => title !== "")),
});

export function entriesOf(found: readonly Entry[]): Entries {
  const byKey = new Map(found.map((entry) => [keyOf(entry.type, entry.id), titled(entry)]));
  return { get: (type, id) => byKey.get(keyOf(type, id)) };
}

export const NO_ENTRIES: Entries = { get: () => undefined };

/** Members of the metadata that name an entry, `*` for each of a list, and the vocabulary it is of. */
const PLACES: readonly (readonly [path: string, type: string])[] = [
  ["resource_type", "resourcetypes"],
  ["creators.*.role", "creatorsroles"],
  ["creators.*.affiliations.*", "affiliations"],
  ["contributors.*.role", "contributorsroles"],
  ["contributors.*.affiliations.*", "affiliations"],
  ["additional_titles.*.type", "titletypes"],
  ["additional_titles.*.lang", "languages"],
  ["additional_descriptions.*.type", "descriptiontypes"],
  ["additional_descriptions.*.lang", "languages"],
  ["subjects.*", "subjects"],
  ["languages.*", "languages"],
  ["dates.*.type", "datetypes"],
  ["related_identifiers.*.relation_type", "relationtypes"],
  ["related_identifiers.*.resource_type", "resourcetypes"],
  ["rights.*", "licenses"],
  ["funding.*.funder", "funders"],
  ["funding.*.award", "awards"],
];
const STEPS = PLACES.map(([path, type]) => ({ steps: path.split("."), type }));

/** No id of a vocabulary is longer. */
const ID_CHARACTERS = 500;

/** Every entry that the metadata of a record in the tools' model name, each once. */
export function namedEntries(body: Json): readonly EntryName[] {
  const metadata = isJsonObject(body) ? own(body, "metadata") : undefined;
  if (metadata === undefined) return [];
  const named = new Map<string, EntryName>();
  for (const { steps, type } of STEPS) {
    for (const place of placesAt(metadata, steps)) {
      const id = isJsonObject(place) ? own(place, "id") : undefined;
      if (typeof id !== "string" || id === "" || id.length > ID_CHARACTERS) continue;
      named.set(keyOf(type, id.trim()), { type, id: id.trim() });
    }
  }
  return [...named.values()];
}

function placesAt(value: Json, steps: readonly string[]): readonly Json[] {
  let places: readonly Json[] = [value];
  for (const step of steps) {
    places = places.flatMap((place) => {
      if (step === "*") return isJsonArray(place) ? place : [];
      const member = isJsonObject(place) ? own(place, step) : undefined;
      return member === undefined ? [] : [member];
    });
  }
  return places;
}

/** An entry as a record shows it: its titles only where the entry is known. */
export function shownEntry(entries: Entries, type: string, id: string): { readonly id: string; readonly title?: Json } {
  const entry = entries.get(type, id);
  return entry === undefined ? { id } : { id, title: entry.title };
}
