// The vocabulary entries that a record names (R6a). They are listed without a lookup, so that a use case reads them all
// in one statement and hands them to reader and writer.
import type { Metadata } from "../../model/metadata/metadata.ts";
import type { Field } from "../../shared/fields.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject } from "../../shared/json/read.ts";
import { own } from "../../shared/objects.ts";
import { type InParts, runWithoutYielding } from "../../shared/time/event-loop.ts";
import { METADATA, writeMetadataInParts } from "./record.ts";
import { type EntryName, entryKey, NO_ENTRIES } from "./record-input.ts";

/** What fields of the model may have besides. */
type PlacedField = Field<unknown> & {
  readonly vocabulary?: string;
  readonly item?: Field<unknown>;
  readonly fields?: Readonly<Record<string, Field<unknown>>>;
};
type Place = { readonly steps: readonly string[]; readonly type: string };

/** Members that name an entry, `*` for each of a list, and the vocabulary it is of. */
function placesOf({ vocabulary: type, item, fields = {} }: PlacedField, steps: readonly string[]): readonly Place[] {
  if (type !== undefined) return [{ steps, type }];
  if (item !== undefined) return placesOf(item, [...steps, "*"]);
  return Object.entries(fields).flatMap(([name, field]) => placesOf(field, [...steps, name]));
}
const PLACES = placesOf(METADATA, []);

/** No id of a vocabulary is longer. */
const ID_CHARACTERS = 500;

/** Every entry that the metadata of a record in the tools' model name, each once. */
export function namedEntries(body: Json): readonly EntryName[] {
  const metadata = isJsonObject(body) ? own(body, "metadata") : undefined;
  if (metadata === undefined) return [];
  const found = new Map<string, EntryName>();
  for (const { steps, type } of PLACES) {
    for (const value of valuesAt(metadata, steps)) {
      const id = isJsonObject(value) ? own(value, "id") : undefined;
      if (typeof id !== "string" || id === "" || id.length > ID_CHARACTERS) continue;
      found.set(entryKey(type, id.trim()), { type, id: id.trim() });
    }
  }
  return [...found.values()];
}

function valuesAt(value: Json, steps: readonly string[]): readonly Json[] {
  let values: readonly Json[] = [value];
  for (const step of steps) {
    values = values.flatMap((each) => {
      if (step === "*") return isJsonArray(each) ? each : [];
      const member = isJsonObject(each) ? own(each, step) : undefined;
      return member === undefined ? [] : [member];
    });
  }
  return values;
}

/** The entries whose titles a record shows, to be read in one statement before it is written. */
export function* shownEntriesInParts(metadata: Metadata): InParts<readonly EntryName[]> {
  const written = yield* writeMetadataInParts(metadata, NO_ENTRIES);
  yield;
  return namedEntries({ metadata: written });
}

export function shownEntries(metadata: Metadata): readonly EntryName[] {
  return runWithoutYielding(shownEntriesInParts(metadata));
}
