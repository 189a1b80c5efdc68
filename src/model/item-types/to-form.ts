// Form values from canonical metadata (R4a): derived on request, never stored.

import type { Json } from "../../shared/json/json.ts";
import { isJsonObject } from "../../shared/json/read.ts";
import type { Day } from "../../shared/time/day.ts";
import { type InParts, runWithoutYielding } from "../../shared/time/event-loop.ts";
import type { FileClaim } from "../files/described-package.ts";
import type { Metadata } from "../metadata/metadata.ts";
import { printedResourceType, resourceTypeRow } from "../metadata/resource-types.ts";
import {
  type Field,
  type FormValues,
  type Group,
  holdsValue,
  type ItemTypeDefinition,
  ownValues,
  shownGroups,
  valueFields,
  writtenAs,
} from "./definition.ts";
import type { MetadataPath, Step } from "./metadata-path.ts";

type JsonObject = { readonly [key: string]: Json };
type Entries = readonly (readonly [path: string, value: string])[];
/** `isLenient`: values outside the choices are shown too, for checks that only ask whether something is there. */
type FormOptions = { readonly isLenient: boolean; readonly only?: ReadonlySet<Group> };

/**
 * An identifier under another scheme, or a date of another type, would change its meaning: the whole row is left out.
 */
const DECISIVE = new Set(["scheme", "type"]);

/**
 * The values a form of this item type shows. What none of its fields can hold is not among them (`lostValues` lists
 * it): members without a field, values outside a field's choices. `openDate` is the day the record opens (`pubdate`).
 */
export const toForm = (...shown: Parameters<typeof toFormInParts>): FormValues =>
  runWithoutYielding(toFormInParts(...shown));

/** The same in parts. */
export function toFormInParts(
  metadata: Metadata,
  definition: ItemTypeDefinition,
  files: readonly FileClaim[] = [],
  openDate: Day | null = null,
): InParts<FormValues> {
  return shownValues(metadata, definition, files, openDate, { isLenient: false });
}

/**
 * As `toForm`, with the values outside a field's choices, of all groups or of these alone: for asking whether a
 * required field is filled.
 */
export function toFormWithAll(
  metadata: Metadata,
  definition: ItemTypeDefinition,
  files: readonly FileClaim[],
  openDate: Day | null,
  only: readonly Group[] = shownGroups(definition),
): FormValues {
  const options = { isLenient: true, only: new Set(only) };
  return runWithoutYielding(shownValues(metadata, definition, files, openDate, options));
}

function* shownValues(
  metadata: Metadata,
  definition: ItemTypeDefinition,
  files: readonly FileClaim[],
  openDate: Day | null,
  options: FormOptions,
): InParts<FormValues> {
  const groups = shownGroups(definition);
  const type = options.isLenient ? metadata.type : typeAmongChoices(metadata.type, groups);
  const source = shownSource({ ...metadata, type }, files, openDate);
  const requested = options.only === undefined ? groups : groups.filter((group) => options.only?.has(group) === true);
  const placed: Entries[] = [];
  for (const group of requested) {
    const isList = group.kind === null && group.repeatable && group.key !== null;
    if (isList) placed.push(yield* rowEntries(group, groups, source, group.key, options));
    else placed.push(fieldEntries(group, groups, source, "", options) ?? []);
    yield;
  }
  const own = ownValues(metadata, definition).map(({ path, value }): readonly [string, string] => [path, value]);
  return Object.fromEntries([...placed.flat(), ...own]);
}

/**
 * The canonical tree with the form's wording: the label of a type known by its id, the publication date as date Issued.
 */
function shownSource(metadata: Metadata, files: readonly FileClaim[], openDate: Day | null): JsonObject {
  const { type, publicationDate, dates } = metadata;
  const row = type === null || type.label !== undefined ? null : printedResourceType(type);
  const shownType = row === null ? type : { uri: row.uri, ...type, label: row.label };
  const isIssued = publicationDate === undefined || dates.some((date) => date.type === "Issued");
  const shownDates = isIssued ? dates : [...dates, { date: publicationDate, type: "Issued" }];
  return { ...metadata, type: shownType, dates: shownDates, files, openDate };
}

/**
 * A resource type under a label the item type offers: its own, else one with the same COAR address or the same id
 * ("conference output" is offered as "conference object" by the full type). Left as it is when there is none.
 */
function typeAmongChoices(type: Metadata["type"], groups: readonly Group[]): Metadata["type"] {
  const group = groups.find((each) => placeText(each) === "type");
  const choices = group?.fields.find((field) => placeText(field) === "label")?.choices ?? [];
  const label = type?.label ?? (type === null ? undefined : printedResourceType(type)?.label);
  if (type === null || label === undefined || choices.length === 0) return type;
  if (choices.some((choice) => choice.means === label)) return type;
  const known = resourceTypeRow(label, type.uri);
  const rows = choices.flatMap((choice) => resourceTypeRow(choice.means, undefined) ?? []);
  const near =
    rows.find((row) => row.uri === known?.uri) ?? rows.find((row) => row.id === type.id && row.id !== "other");
  return near === undefined ? type : { id: type.id, label: near.label, uri: near.uri };
}

/**
 * Entries of a field and everything below; null when the group around it cannot be shown without changing its meaning.
 */
function fieldEntries(
  field: Field,
  siblings: readonly Field[],
  scope: Json,
  at: string,
  options: FormOptions,
): Entries | null {
  const path = field.key === null ? at : at === "" ? field.key : `${at}.${field.key}`;
  if (field.kind !== null) return leafEntries(field, scope, path, options);
  if (field.repeatable) return runWithoutYielding(rowEntries(field, siblings, scope, path, options));
  const inner = field.metadataPath === null ? scope : valueAt(scope, field.metadataPath);
  return inner === undefined || inner === null ? [] : (groupEntries(field, inner, path, options) ?? []);
}

/** Of a group that repeats, with a pause after each row. */
function* rowEntries(
  field: Field,
  siblings: readonly Field[],
  scope: Json,
  path: string,
  options: FormOptions,
): InParts<Entries> {
  if (field.metadataPath === null) return [];
  const keepsIndex = isAligned(field, siblings);
  const rows: Entries[] = [];
  for (const [index, element] of elementsAt(scope, field.metadataPath).entries()) {
    const here = `${path}[${keepsIndex ? index : rows.length}]`;
    const row = groupEntries(field, element, here, options) ?? [];
    if (row.length > 0 && !isEmptyRow(field, row, here)) rows.push(row);
    yield;
  }
  return rows.flat();
}

/** Entries of the fields of a group; constants appear with values only. */
function groupEntries(group: Field, scope: Json, at: string, options: FormOptions): Entries | null {
  const entries: (readonly [string, string])[] = [];
  for (const field of group.fields) {
    const found = fieldEntries(field, group.fields, scope, at, options);
    if (found === null) return null;
    for (const entry of found) entries.push(entry);
  }
  if (entries.length === 0) return entries;
  for (const field of group.fields) {
    if (field.metadataPath?.kind === "constant" && field.key !== null)
      entries.push([`${at}.${field.key}`, field.metadataPath.value]);
  }
  return entries;
}

/** Members that only qualify others. */
const QUALIFIERS = new Set(["lang", "scheme", "type", "kind", "role"]);

/**
 * A language without words, a scheme without an identifier: the words are in another list, or no field can show them.
 */
function isEmptyRow(group: Field, row: Entries, at: string): boolean {
  const fields = group.fields.filter(
    (field) => field.metadataPath?.kind === "path" && QUALIFIERS.has(lastName(field.metadataPath)),
  );
  return row.every(([path]) => fields.some((field) => path === `${at}.${field.key}`));
}

function leafEntries(field: Field, scope: Json, path: string, options: FormOptions): Entries | null {
  if (!holdsValue(field) || field.metadataPath === null || field.metadataPath.kind === "constant") return [];
  const value = textAt(scope, field.metadataPath);
  if (value === null || value === "" || value === field.absent) return [];
  const written = writtenAs(field, value) ?? (options.isLenient ? value : null);
  if (written !== null) return [[path, written]];
  return DECISIVE.has(lastName(field.metadataPath)) ? null : [];
}

/** Asked for every list of every item: it follows from the fields, which never change. */
const aligned = new WeakMap<Field, boolean>();

/**
 * Rows keep the place of their element where several lists show parts of one element, or where values in `custom` are
 * kept by row.
 */
export function isAligned(field: Field, siblings: readonly Field[]): boolean {
  const known = aligned.get(field) ?? mustAlign(field, siblings);
  aligned.set(field, known);
  return known;
}

function mustAlign(field: Field, siblings: readonly Field[]): boolean {
  const text = placeText(field);
  const sharing = siblings.filter((each) => each.repeatable && placeText(each) === text);
  return sharing.length > 1 || valueFields(field).some((each) => each.metadataPath === null);
}

function placeText(field: Field): string | null {
  return field.metadataPath?.kind === "path" ? field.metadataPath.text : null;
}

function lastName(metadataPath: MetadataPath): string {
  return metadataPath.kind === "path" ? (metadataPath.steps.at(-1)?.name ?? "") : "";
}

function textAt(scope: Json, metadataPath: MetadataPath): string | null {
  const value =
    metadataPath.kind === "self"
      ? scope
      : metadataPath.kind === "shown"
        ? shownName(scope)
        : valueAt(scope, metadataPath);
  if (Array.isArray(value)) return value.map(String).join(",");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** The full name, or family and given name where only these are known. */
function shownName(scope: Json): string | undefined {
  const full = member(scope, "full");
  if (typeof full === "string") return full;
  const parts = [member(scope, "family"), member(scope, "given")].filter((part) => typeof part === "string");
  return parts.length === 0 ? undefined : parts.join(", ");
}

function valueAt(scope: Json, metadataPath: MetadataPath): Json | undefined {
  let at: Json | undefined = scope;
  for (const step of metadataPath.kind === "path" ? metadataPath.steps : [])
    at = at === undefined ? undefined : stepInto(at, step);
  return at;
}

function stepInto(scope: Json, step: Step): Json | undefined {
  const next = member(scope, step.name);
  return step.first ? elementsOf(next, step)[0] : next;
}

function elementsAt(scope: Json, metadataPath: MetadataPath): readonly Json[] {
  if (metadataPath.kind !== "path") return [];
  let at: Json | undefined = scope;
  for (const step of metadataPath.steps.slice(0, -1)) at = at === undefined ? undefined : stepInto(at, step);
  const last = metadataPath.steps.at(-1);
  return at === undefined || last === undefined ? [] : elementsOf(member(at, last.name), last);
}

/**
 * The elements of a list a step admits, one of the first kind in front; repeated for each element of the member `each`.
 */
function elementsOf(list: Json | undefined, step: Step): readonly Json[] {
  if (!Array.isArray(list)) return [];
  const { filter, each } = step;
  // Array.isArray returns `any` for readonly arrays.
  const all: readonly Json[] = list;
  if (each !== null) return all.flatMap((element) => repeatElement(element, each));
  if (filter === null) return all;
  const memberOf = (element: Json): string => String(member(element, filter.member));
  const admitted = all.filter((element) => filter.values.includes(memberOf(element)));
  const first = admitted.find((element) => memberOf(element) === filter.values[0]);
  return first === undefined ? admitted : [first, ...admitted.filter((element) => element !== first)];
}

function repeatElement(element: Json, each: string): readonly Json[] {
  const inner = member(element, each);
  if (!Array.isArray(inner) || inner.length < 2 || !isJsonObject(element)) return [element];
  return inner.map((one: Json) => ({ ...element, [each]: [one] }));
}

function member(scope: Json | undefined, name: string): Json | undefined {
  return isJsonObject(scope) && Object.hasOwn(scope, name) ? scope[name] : undefined;
}
