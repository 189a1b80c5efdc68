// The vocabulary entries that a record names (R6a). They are listed without a lookup, so that a use case reads them all
// in one statement and hands them to reader and writer.
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject } from "../../shared/json/read.ts";
import { own } from "../../shared/own-entry.ts";

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
