// The values of a form as people see them (R4): fields and rows, also empty ones, and the names that its fields have
// when it is sent: `creator.0.names.1.name`. Every row of a field that repeats has its number; other groups have none.
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { own } from "../../shared/objects.ts";
import {
  type Field,
  type FormValues,
  fullPath,
  INDEX_MAX,
  type ItemTypeDefinition,
  type PathStep,
  resolvePath,
  shownGroups,
} from "./definition.ts";

/** A value, or the rows of a group: one where it does not repeat. */
type FormCell = { readonly value: string; readonly rows: readonly FormTree[] };
export type FormTree = ReadonlyMap<Field, FormCell>;

/** The same while it is filled. */
export type RowsInWork = Map<Field, CellInWork>;
type CellInWork = { value: string | null; readonly rows: Map<number, RowsInWork> };

/** What a person does not enter here: files are uploaded, and a record opens on the day of its first publishing. */
const ELSEWHERE: ReadonlySet<string> = new Set(["files", "openDate"]);

/** The groups of the form of a draft. */
export const enteredGroups = (definition: ItemTypeDefinition): readonly Field[] =>
  shownGroups(definition).filter(
    ({ metadataPath }) => metadataPath?.kind !== "path" || !ELSEWHERE.has(metadataPath.text),
  );

export const nameOf = (way: readonly PathStep[]): string =>
  way.map(({ field, index }) => `${field.key ?? ""}${field.repeatable ? `.${index}` : ""}`).join(".");

/** Characters of a name. */
const NAME_MAX = 1_000;
const ROW = /^\.(0|[1-9]\d{0,4})(?=\.|$)/;

const byKey = new WeakMap<readonly Field[], ReadonlyMap<string, Field>>();

function fieldsByKey(fields: readonly Field[]): ReadonlyMap<string, Field> {
  const known = byKey.get(fields);
  if (known !== undefined) return known;
  const made = new Map(fields.flatMap((field) => (field.key === null ? [] : [[field.key, field] as const])));
  byKey.set(fields, made);
  return made;
}

/** The steps to a field, or to a group without the number of a row (-1 in the last step); null for an unknown name. */
export function wayTo(groups: readonly Field[], name: string): readonly PathStep[] | null {
  if (name.length > NAME_MAX) return null;
  const way: PathStep[] = [];
  let fields = groups;
  let rest = name;
  for (;;) {
    const field = fieldAt(fields, rest);
    if (field?.key === null || field === undefined) return null;
    rest = rest.slice(field.key.length);
    if (rest === "") {
      way.push({ field, index: field.repeatable ? -1 : 0 });
      return way;
    }
    const [dotted, digits] = (field.repeatable ? ROW.exec(rest) : null) ?? ["", "0"];
    const index = Number(digits);
    if (field.repeatable && (dotted === "" || index > INDEX_MAX)) return null;
    way.push({ field, index });
    rest = rest.slice(dotted.length);
    if (rest === "") return way;
    if (!rest.startsWith(".") || field.kind !== null) return null;
    rest = rest.slice(1);
    fields = field.fields;
  }
}

/** A few keys contain a dot (`date[0].dateValue`). */
function fieldAt(fields: readonly Field[], rest: string): Field | undefined {
  const known = fieldsByKey(fields);
  const first = rest.indexOf(".");
  if (first === -1) return known.get(rest);
  const second = rest.indexOf(".", first + 1);
  return known.get(rest.slice(0, first)) ?? known.get(second === -1 ? rest : rest.slice(0, second));
}

/** Puts a value in its place. @returns false where there is one already */
export function putValue(root: RowsInWork, way: readonly PathStep[], value: string): boolean {
  let row = root;
  for (const [depth, { field, index }] of way.entries()) {
    const cell = row.get(field) ?? { value: null, rows: new Map<number, RowsInWork>() };
    row.set(field, cell);
    if (depth === way.length - 1) {
      if (cell.value !== null) return false;
      cell.value = value;
      return true;
    }
    const next = cell.rows.get(index) ?? new Map();
    cell.rows.set(index, next);
    row = next;
  }
  return false;
}

/** Rows in the order of their numbers; numbers that are left out are closed up. */
export function finishTree(root: RowsInWork): FormTree {
  const cells = [...root].map(([field, { value, rows }]) => {
    const sorted = [...rows].sort(([left], [right]) => left - right).map(([, row]) => finishTree(row));
    return [field, { value: value ?? "", rows: sorted }] as const;
  });
  return new Map(cells);
}

/** Rows that the form of one item shows; further ones stay as they are, unseen. */
const ROWS_MAX = most("values");

/**
 * The tree of form values (`toForm`). Where several lists show parts of one element their rows are side by side: a row
 * that is left out in one of them is an empty row.
 */
export function treeOf(values: FormValues, definition: ItemTypeDefinition): FormTree {
  const groups = new Set(enteredGroups(definition));
  const root: RowsInWork = new Map();
  for (const [path, value] of Object.entries(values)) {
    const found = resolvePath(definition, path);
    if (!("way" in found)) continue;
    const [first] = found.way;
    if (first === undefined || !groups.has(first.field)) continue;
    let row = root;
    for (const { field, index } of found.way) {
      const cell = row.get(field) ?? { value: null, rows: new Map<number, RowsInWork>() };
      row.set(field, cell);
      if (field.kind !== null) break;
      for (let before = cell.rows.size; before < Math.min(index, ROWS_MAX); before += 1) {
        if (!cell.rows.has(before)) cell.rows.set(before, new Map());
      }
      const next = cell.rows.get(index) ?? new Map();
      cell.rows.set(index, next);
      row = next;
    }
    putValue(root, found.way, value);
  }
  return finishTree(root);
}

/** The form values of a tree (`fromForm`), without empty ones. */
export function valuesOf(tree: FormTree): FormValues {
  return Object.fromEntries(entriesOf(tree, []));
}

function* entriesOf(tree: FormTree, above: readonly PathStep[]): Generator<[string, string]> {
  for (const [field, { value, rows }] of tree) {
    if (field.kind !== null) {
      if (value !== "") yield [fullPath([...above, { field, index: 0 }]), value];
      continue;
    }
    for (const [index, row] of rows.entries()) yield* entriesOf(row, [...above, { field, index }]);
  }
}

/** The values of a tree as JSON: rows of a field that repeats are a list, empty ones at its end are left out. */
export function treeJson(tree: FormTree): JsonObject {
  const members: [string, Json][] = [];
  for (const [field, { value, rows }] of tree) {
    const name = field.key ?? "";
    const [row] = rows;
    if (field.kind !== null) {
      if (value !== "") members.push([name, value]);
    } else if (!field.repeatable) {
      if (row !== undefined && hasValue(row)) members.push([name, treeJson(row)]);
    } else {
      const filled = rows.slice(0, rows.findLastIndex(hasValue) + 1);
      if (filled.length > 0) members.push([name, filled.map(treeJson)]);
    }
  }
  return Object.fromEntries(members);
}

/** The tree of such JSON. */
export function jsonTree(json: Json, fields: readonly Field[]): FormTree {
  if (!isJsonObject(json)) return BLANK;
  const cells = fields.flatMap((field): readonly (readonly [Field, FormCell])[] => {
    const value = field.key === null ? undefined : own(json, field.key);
    if (value === undefined) return [];
    if (field.kind !== null) return [[field, { value: typeof value === "string" ? value : "", rows: [] }]];
    const rows = isJsonArray(value) ? value : [value];
    return [[field, { value: "", rows: rows.map((row) => jsonTree(row, field.fields)) }]];
  });
  return new Map(cells);
}

/** Whether anything is filled in. */
export const hasValue = (row: FormTree): boolean =>
  [...row.values()].some(({ value, rows }) => value !== "" || rows.some(hasValue));

/** What a button of a group does to its rows; `blank` is an empty row. */
export type RowsChange = (rows: readonly FormTree[], blank: FormTree) => readonly FormTree[];

/** The tree after a change of the group of this name; null where no group that repeats has it. */
export function withRows(
  tree: FormTree,
  definition: ItemTypeDefinition,
  group: string,
  change: RowsChange,
): FormTree | null {
  const way = wayTo(enteredGroups(definition), group);
  const last = way?.at(-1);
  if (way === null || last === undefined || last.index !== -1 || last.field.kind !== null) return null;
  return changed(tree, way, change);
}

function changed(tree: FormTree, [step, ...below]: readonly PathStep[], change: RowsChange): FormTree {
  if (step === undefined) return tree;
  const rows = tree.get(step.field)?.rows ?? [];
  // What a form shows without any row is one empty row.
  const shown = rows.length === 0 ? [BLANK] : rows;
  const next =
    below.length === 0
      ? change(shown, BLANK)
      : shown.map((row, at) => (at === step.index ? changed(row, below, change) : row));
  return new Map([...tree, [step.field, { value: "", rows: next }]]);
}

const BLANK: FormTree = new Map();
