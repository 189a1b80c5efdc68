// What an item type requires of an item: required fields, choices and dates (message 11), what its fields cannot hold
// (R4a).

import type { Json } from "../../shared/json/json.ts";
import { type Day, isDay } from "../../shared/time/day.ts";
import type { FileClaim } from "../files/described-package.ts";
import type { Metadata } from "../metadata/metadata.ts";
import {
  type Field,
  type FormValues,
  holdsValue,
  type ItemTypeDefinition,
  meaningOf,
  resolvePath,
  shownGroups,
  valueFields,
} from "./definition.ts";
import { fromForm } from "./from-form.ts";
import { pathWithoutIndices } from "./metadata-path.ts";
import { toForm, toFormWithAll } from "./to-form.ts";

/** A value that an item type does not admit. `path` is the property path with indices. */
type ValueProblem = {
  readonly path: string;
  readonly label: string;
  readonly value: string;
  readonly problem: string;
};

/** A canonical value that no field of an item type can hold. `path` is its path in the canonical metadata. */
type LostValue = { readonly path: string; readonly value: Json };

/**
 * Names of the required fields that have no value: the English label of a group that is empty, `Group: Field` where a
 * row lacks one. `openDate`: absent is not required; null or "" is missing. The values themselves are not checked.
 */
export function missingRequired(
  metadata: Metadata,
  definition: ItemTypeDefinition,
  files: readonly FileClaim[] = [],
  openDate?: Day | null,
): readonly string[] {
  // Groups without required fields are skipped: one of them may have thousands of rows.
  const asking = shownGroups(definition).filter(
    (group) => group.required || valueFields(group).some((field) => field.required),
  );
  const filled = filledFields(toFormWithAll(metadata, definition, files, openDate ?? null, asking), definition);
  const missing = new Set<string>();
  for (const group of asking) {
    const isOpenDate = group.metadataPath?.kind === "path" && group.metadataPath.text === "openDate";
    if (isOpenDate && openDate === undefined) continue;
    const rows = filled.get(group) ?? new Map<number, ReadonlySet<Field>>();
    if (group.required && rows.size === 0) missing.add(group.label.en);
    const required = valueFields(group).filter((field) => field.required && field !== group);
    for (const fields of rows.values()) {
      for (const field of required) if (!fields.has(field)) missing.add(`${group.label.en}: ${field.label.en}`);
    }
  }
  return [...missing];
}

/** The fields that have a value, by group and row. */
function filledFields(
  values: FormValues,
  definition: ItemTypeDefinition,
): ReadonlyMap<Field, ReadonlyMap<number, ReadonlySet<Field>>> {
  const filled = new Map<Field, Map<number, Set<Field>>>();
  for (const path of Object.keys(values)) {
    const found = resolvePath(definition, path);
    const [first] = "way" in found ? found.way : [];
    if (first === undefined || !("field" in found)) continue;
    const rows = filled.get(first.field) ?? new Map<number, Set<Field>>();
    filled.set(first.field, rows);
    const row = rows.get(first.index) ?? new Set<Field>();
    rows.set(first.index, row.add(found.field));
  }
  return filled;
}

/** Every value that is not one of its field's choices, or not a day where a whole day is required. */
export function validateItem(values: FormValues, definition: ItemTypeDefinition): readonly ValueProblem[] {
  const problems: ValueProblem[] = [];
  for (const [path, written] of Object.entries(values)) {
    const value = written.trim();
    const found = resolvePath(definition, path);
    if (value === "" || !("field" in found)) continue;
    const problem = problemWith(found.field, value);
    if (problem !== null) problems.push({ path, label: found.field.label.en, value, problem });
  }
  return problems;
}

/** Why a value does not fit a field, to be read after the value; null when it does. */
export function problemWith(field: Field, value: string): string | null {
  if (meaningOf(field, value) === null) {
    const some = field.choices.slice(0, 10).map((choice) => choice.value);
    return `is not one of the choices (${some.join(", ")}${field.choices.length > some.length ? ", …" : ""})`;
  }
  if (field.kind === "day" && !isDay(value)) return "is not a day written as YYYY-MM-DD";
  return field.metadataPath?.kind === "constant" && field.metadataPath.value !== value
    ? `must be "${field.metadataPath.value}"`
    : null;
}

/**
 * The canonical values that no field of the type can hold (R4a): they stay on the landing page and in exports, are in
 * no form and no spreadsheet, and a PUT of a spreadsheet loses them.
 */
export function lostValues(
  metadata: Metadata,
  definition: ItemTypeDefinition,
  files: readonly FileClaim[] = [],
): readonly LostValue[] {
  const back = fromForm(toForm(metadata, definition, files), definition);
  const kept = new Map<string, number>();
  const everything = (item: Metadata, claims: readonly FileClaim[]): readonly Leaf[] => [
    ...leaves({ ...item, type: typeWithoutId(item) }, ""),
    ...leaves(claims, "files"),
  ];
  for (const leaf of everything(back.metadata, back.files)) kept.set(leaf.what, (kept.get(leaf.what) ?? 0) + 1);
  const issued = back.metadata.dates.find((date) => date.type === "Issued")?.date;
  const lost: LostValue[] = [];
  for (const { what, path, value } of everything(metadata, files)) {
    const count = kept.get(what) ?? 0;
    if (count > 0) kept.set(what, count - 1);
    else if (path !== "publicationDate" || value !== issued) lost.push({ path, value });
  }
  return lost;
}

/** The values that the item no longer has anywhere. */
export function goneFrom(now: unknown, lost: readonly LostValue[]): readonly LostValue[] {
  if (lost.length === 0) return [];
  const kept = new Set<unknown>();
  const waiting: unknown[] = [now];
  for (let at = 0; at < waiting.length; at++) {
    const value = waiting[at];
    if (typeof value !== "object" || value === null) kept.add(value);
    else for (const each of Object.values(value)) waiting.push(each);
  }
  return lost.filter(({ value }) => !kept.has(value));
}

/** The id of a type follows from its label and URI; only where it has neither is it a separate value. */
function typeWithoutId({ type }: Metadata): Json {
  return type?.label === undefined ? null : { label: type.label, uri: type.uri ?? null };
}

type Leaf = { readonly what: string; readonly path: string; readonly value: Json };

/** Members that record only where a value came from; readers lose nothing without them. */
const SOURCE_MARKS = new Set(["place", "publisherType"]);

/** Every value that is not empty, with its path without indices and its place. */
function leaves(value: Json | undefined, path: string): readonly Leaf[] {
  if (value === undefined || value === null || value === "" || value === false) return [];
  if (typeof value !== "object") return [{ what: `${pathWithoutIndices(path)}=${JSON.stringify(value)}`, path, value }];
  if (Array.isArray(value)) return value.flatMap((each: Json, index) => leaves(each, `${path}[${index}]`));
  return Object.entries(value)
    .filter(([name, each]) => !SOURCE_MARKS.has(name) || typeof each !== "string")
    .flatMap(([name, each]) => leaves(each, path === "" ? name : `${path}.${name}`));
}

// What a new version of an item type removes (R4a: removing a field that holds data is refused with the count).

/** A field that is gone, or that now shows another path in the metadata. `path` is without indices. */
type LostField = { readonly path: string; readonly label: string };

type FieldPath = LostField & { readonly metadataPath: string };

export function lostFields(before: ItemTypeDefinition, after: ItemTypeDefinition): readonly LostField[] {
  const is = new Map(fieldPaths(after).map((field) => [field.path, field.metadataPath]));
  return fieldPaths(before).filter(({ path, metadataPath }) => is.get(path) !== metadataPath);
}

/** Every field with a value, and its place. Constants are not data. */
function fieldPaths(definition: ItemTypeDefinition): readonly FieldPath[] {
  return shownGroups(definition).flatMap((group) => below(group, { label: "", metadataPath: "" }));
}

function below(field: Field, above: { readonly label: string; readonly metadataPath: string }): readonly FieldPath[] {
  if (field.metadataPath?.kind === "constant") return [];
  const label = above.label === "" ? field.label.en : `${above.label}.${field.label.en}`;
  if (!holdsValue(field)) {
    const metadataPath =
      field.metadataPath?.kind === "path" ? `${above.metadataPath}.${field.metadataPath.text}` : above.metadataPath;
    return field.fields.flatMap((each) => below(each, { label, metadataPath }));
  }
  // A field without a metadata path keeps its value under its property path, wherever its group is.
  const own = field.metadataPath === null ? "custom" : `${above.metadataPath}.${field.metadataPath.kind}`;
  return [
    {
      path: pathWithoutIndices(field.path),
      label,
      metadataPath: field.metadataPath?.kind === "path" ? `${own}.${field.metadataPath.text}` : own,
    },
  ];
}
