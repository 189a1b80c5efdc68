// Filling in the fields of a form from a suggestion (R42, P.142): the row around the field where somebody typed becomes
// what was chosen, or only its empty fields are filled. Names go by their language, identifiers by their scheme.
import { EMPTY_METADATA } from "../metadata/metadata.ts";
import type { Field, ItemTypeDefinition, Label, PathStep } from "./definition.ts";
import { enteredGroups, type FormTree, hasValue, nameOf, treeOf, wayTo } from "./form-tree.ts";
import { suggestedFields } from "./suggested-fields.ts";
import { toForm } from "./to-form.ts";

/** `all`: values that are there are replaced; `empty`: they stay. */
export type FillMode = "all" | "empty";

export type FillChange = {
  readonly name: string;
  readonly labels: readonly { readonly label: Label; readonly row: number | null }[];
  readonly before: string;
  readonly after: string;
};

export type Filling = {
  readonly tree: FormTree;
  readonly changes: readonly FillChange[];
  /** Another field than the one typed in has a value that would be replaced. */
  readonly replaces: boolean;
  /** What the field typed in then has. */
  readonly text: string;
};

const NO_ROW: FormTree = new Map();

/**
 * What becomes of a form when a suggestion is taken in the field `name`. `values`: the element in several wordings of
 * its schemes; the one is taken of which the item type can hold most. Null: the field has no suggestions.
 */
export function fillForm(
  tree: FormTree,
  definition: ItemTypeDefinition,
  name: string,
  values: readonly unknown[],
  mode: FillMode,
): Filling | null {
  const groups = enteredGroups(definition);
  const way = wayTo(groups, name) ?? [];
  const field = way.at(-1)?.field;
  const suggested = field === undefined ? undefined : suggestedFields(definition).get(field);
  if (suggested === undefined) return null;
  const { put } = suggested;
  const end = put === null ? way.length - 1 : suggested.depth === null ? 0 : suggested.depth + 1;
  const [above, below] = [way.slice(0, end), way.slice(end)];
  const rowOf = (value: unknown): FormTree => {
    if (put === null) return new Map(below.map((step) => [step.field, { value: String(value), rows: [] }]));
    return rowAt(treeOf(toForm({ ...EMPTY_METADATA, ...put(value) }, definition), definition), above, () => 0);
  };
  const given = values.map(rowOf).reduce((best, each) => (countOf(each) > countOf(best) ? each : best), NO_ROW);
  const current = rowAt(tree, above, ({ index }) => index);
  const row = fillRow(above.at(-1)?.field.fields ?? groups, { current, given, anchor: below, mode });
  const changes = changesOf(current, row, above);
  const typed = new Set(typedNames(above, below));
  const filled = withRow(tree, above, row);
  return {
    tree: filled,
    changes,
    text: typedIn(filled, definition, name)?.text ?? "",
    replaces: changes.some((change) => change.before !== "" && !typed.has(change.name)),
  };
}

/** What is typed in a field that has suggestions, and where they come from; null: it has none. */
export function typedIn(tree: FormTree, definition: ItemTypeDefinition, name: string) {
  const way = wayTo(enteredGroups(definition), name) ?? [];
  const field = way.at(-1)?.field;
  const source = field === undefined ? undefined : suggestedFields(definition).get(field)?.source;
  if (field === undefined || source === undefined) return null;
  return { source, text: rowAt(tree, way.slice(0, -1), ({ index }) => index).get(field)?.value ?? "" };
}

function rowAt(tree: FormTree, [step, ...below]: readonly PathStep[], indexOf: (step: PathStep) => number): FormTree {
  if (step === undefined) return tree;
  return rowAt(tree.get(step.field)?.rows[indexOf(step)] ?? NO_ROW, below, indexOf);
}

function withRow(tree: FormTree, [step, ...below]: readonly PathStep[], row: FormTree): FormTree {
  if (step === undefined) return row;
  const rows = [...(tree.get(step.field)?.rows ?? [])];
  while (rows.length <= step.index) rows.push(NO_ROW);
  rows[step.index] = withRow(rows[step.index] ?? NO_ROW, below, row);
  return new Map([...tree, [step.field, { value: "", rows }]]);
}

const countOf = (row: FormTree): number =>
  [...row.values()].reduce(
    (sum, { value, rows }) => sum + Number(value !== "") + rows.reduce((inner, each) => inner + countOf(each), 0),
    0,
  );

/** The field that was typed in, and the language next to it: what was typed was a question. */
function typedNames(above: readonly PathStep[], below: readonly PathStep[]): readonly string[] {
  const row = [...above, ...below.slice(0, -1)];
  const last = below.at(-1);
  if (last === undefined) return [];
  const siblings = row.at(-1)?.field.fields ?? [];
  return [last.field, ...siblings.filter(isLanguage)].map((field) => nameOf([...row, { field, index: 0 }]));
}

const lastName = ({ metadataPath }: Field): string =>
  metadataPath?.kind === "path" ? (metadataPath.steps.at(-1)?.name ?? "") : "";
const isLanguage = (field: Field): boolean => lastName(field) === "lang";
/** Of two rows with the same, one is the other. */
const isKey = (field: Field): boolean => isLanguage(field) || lastName(field) === "scheme";
const placeOf = ({ metadataPath }: Field): string => (metadataPath?.kind === "path" ? metadataPath.text : "");

type RowFilling = {
  readonly current: FormTree;
  readonly given: FormTree;
  /** The rest of the way to the field that was typed in; empty: it is elsewhere. */
  readonly anchor: readonly PathStep[];
  readonly mode: FillMode;
};

function fillRow(fields: readonly Field[], { current, given, anchor, mode }: RowFilling): FormTree {
  const next = new Map(current);
  const isTypedIn = anchor.length === 1;
  for (const field of fields) {
    const cell = given.get(field);
    if (cell === undefined || field.repeatable) continue;
    const rest = anchor[0]?.field === field ? anchor.slice(1) : [];
    const here = current.get(field);
    if (field.kind === null) {
      const inner = { current: here?.rows[0] ?? NO_ROW, given: cell.rows[0] ?? NO_ROW, anchor: rest, mode };
      next.set(field, { value: "", rows: [fillRow(field.fields, inner)] });
    } else if (cell.value !== "") {
      const isFree = isTypedIn && (anchor[0]?.field === field || isLanguage(field));
      if (mode === "all" || isFree || (here?.value ?? "") === "") next.set(field, { value: cell.value, rows: [] });
    }
  }
  // Several lists may show parts of one list of the metadata: their rows belong together.
  for (const lists of Map.groupBy(fields.filter(isList), placeOf).values()) {
    if (lists.some((list) => given.has(list))) fillLists(lists, { current, given, anchor, mode }, next);
  }
  return next;
}

const isList = ({ kind, repeatable }: Field): boolean => kind === null && repeatable;

/** The rows with one number of several lists. */
type JoinedRow = ReadonlyMap<Field, FormTree>;

function joinedRows(lists: readonly Field[], tree: FormTree): readonly JoinedRow[] {
  const count = Math.max(0, ...lists.map((list) => tree.get(list)?.rows.length ?? 0));
  return Array.from(
    { length: count },
    (_, at) => new Map(lists.map((list) => [list, tree.get(list)?.rows[at] ?? NO_ROW])),
  );
}

const isFilled = (row: JoinedRow): boolean => [...row.values()].some(hasValue);

/** Languages and schemes of a row; "" where it has none. */
function keyOf(row: JoinedRow): string {
  const keys = [...row].flatMap(([list, tree]) =>
    list.fields.flatMap((field) => {
      const value = isKey(field) ? (tree.get(field)?.value ?? "") : "";
      return value === "" ? [] : [value];
    }),
  );
  return keys[0] ?? "";
}

function textsIn(tree: FormTree): readonly string[] {
  return [...tree].flatMap(([field, { value, rows }]) => [
    ...(value === "" || isKey(field) ? [] : [value]),
    ...rows.flatMap(textsIn),
  ]);
}
const sharesText = (one: JoinedRow, other: JoinedRow): boolean => {
  const texts = new Set([...one.values()].flatMap(textsIn));
  return [...other.values()].flatMap(textsIn).some((text) => texts.has(text));
};

function fillLists(
  lists: readonly Field[],
  { current, given, anchor: [step, ...rest], mode }: RowFilling,
  next: Map<Field, { readonly value: string; readonly rows: readonly FormTree[] }>,
): void {
  const [before, rows] = [joinedRows(lists, current), joinedRows(lists, given).filter(isFilled)];
  const typedAt = step !== undefined && lists.includes(step.field) ? step.index : -1;
  const places = placesFor(rows, before, typedAt, mode, lists);
  const count = Math.max(before.length, ...places.map(({ at }) => at + 1));
  const byPlace = new Map(places.map((each) => [each.at, each]));
  for (const list of lists) {
    const made = Array.from({ length: count }, (_, at): FormTree => {
      const was = before[at]?.get(list) ?? NO_ROW;
      const place = byPlace.get(at);
      // Rows that the suggestion does not have: another person's, or the text that was looked up.
      const isTypedIn = at === typedAt && list === step?.field;
      if (place === undefined) return isTypedIn || (mode === "all" && rows.length > 0) ? NO_ROW : was;
      const row = place.row.get(list) ?? NO_ROW;
      if (place.isOther) return row;
      const anchor = isTypedIn ? rest : [];
      return fillRow(list.fields, { current: was, given: row, anchor, mode });
    });
    next.set(list, { value: "", rows: made });
  }
}

type RowPlace = {
  readonly row: JoinedRow;
  readonly at: number;
  /** What was there is about something else. */
  readonly isOther: boolean;
};

/** Where each row goes: to the one with its key, the one typed in, one that shares a text, an empty one, or a new one. */
function placesFor(
  rows: readonly JoinedRow[],
  before: readonly JoinedRow[],
  typedAt: number,
  mode: FillMode,
  lists: readonly Field[],
): readonly RowPlace[] {
  const places = new Map<JoinedRow, RowPlace>();
  const taken = new Set<number>();
  const put = (row: JoinedRow, at: number, isOther = false): void => {
    if (at === -1 || taken.has(at) || places.has(row)) return;
    places.set(row, { row, at, isOther });
    taken.add(at);
  };
  const first = (fits: (row: JoinedRow, at: number) => boolean): number =>
    before.findIndex((row, at) => !taken.has(at) && fits(row, at));
  const hasKeys = lists.some(({ fields }) => fields.some(isKey));
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== "")
      put(
        row,
        first((other) => keyOf(other) === key),
      );
  }
  if (typedAt !== -1) for (const row of rows) put(row, typedAt);
  if (!hasKeys)
    for (const row of rows)
      put(
        row,
        first((other) => sharesText(row, other)),
      );
  for (const row of rows)
    put(
      row,
      first((other) => !isFilled(other)),
    );
  let end = Math.max(before.length, typedAt + 1);
  for (const row of rows) {
    if (places.has(row)) continue;
    const isTaken = !hasKeys && first(isFilled) !== -1;
    if (isTaken && mode === "empty") continue;
    if (isTaken) put(row, first(isFilled), true);
    else {
      put(row, end);
      end += 1;
    }
  }
  return [...places.values()];
}

function changesOf(before: FormTree, after: FormTree, above: readonly PathStep[]): readonly FillChange[] {
  const fields = new Set([...before.keys(), ...after.keys()]);
  return [...fields].flatMap((field): readonly FillChange[] => {
    const [was, is] = [before.get(field), after.get(field)];
    if (field.kind !== null) {
      const [old, text] = [was?.value ?? "", is?.value ?? ""];
      const way = [...above, { field, index: 0 }];
      return old === text ? [] : [{ name: nameOf(way), labels: labelsOf(way), before: old, after: text }];
    }
    const count = Math.max(was?.rows.length ?? 0, is?.rows.length ?? 0);
    return Array.from({ length: count }, (_, index) =>
      changesOf(was?.rows[index] ?? NO_ROW, is?.rows[index] ?? NO_ROW, [...above, { field, index }]),
    ).flat();
  });
}

const labelsOf = (way: readonly PathStep[]): FillChange["labels"] =>
  way.map(({ field, index }) => ({ label: field.label, row: field.repeatable ? index + 1 : null }));
