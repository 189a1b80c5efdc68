// Canonical metadata out of form values (R4, R4a): each value goes to the path its field names, what has none goes to
// `custom`.

import type { Static } from "@sinclair/typebox";
import { Check } from "@sinclair/typebox/value";
import type { Json } from "../../shared/json/json.ts";
import { isObject } from "../../shared/objects.ts";
import type { Day } from "../../shared/time/day.ts";
import { type InParts, runWithoutYielding } from "../../shared/time/event-loop.ts";
import type { FileClaim } from "../files/described-package.ts";
import { FILE_ACCESS } from "../items/item.ts";
import { EMPTY_METADATA, type Metadata, type Title } from "../metadata/metadata.ts";
import { resourceTypeOf } from "../metadata/resource-types.ts";
import {
  type Field,
  type FormValues,
  fullPath,
  type ItemTypeDefinition,
  meaningOf,
  type PathStep,
  resolvePath,
} from "./definition.ts";
import { FileClaims, ITEM_SHAPE, type Shape } from "./form-shape.ts";
import { keptFrom } from "./hidden-values.ts";
import type { MetadataPath, Step } from "./metadata-path.ts";
import { isAligned, toFormInParts } from "./to-form.ts";

type FormResult = {
  readonly metadata: Metadata;
  readonly files: readonly FileClaim[];
  /** `pubdate` as written; null when it is empty. */
  readonly openDate: Day | null;
  /** Values that were left out, one sentence each. */
  readonly notes: readonly string[];
};

/** A group's values: fields by definition, rows by index. */
type Row = Map<Field, Cell>;
type Cell = { value?: string; rows: Map<number, Row> };

/**
 * The metadata of a form. Values outside a field's choices and paths the item type does not have are left out and
 * noted; `validateItem` refuses them first where they are to be refused. With `previous`, an element whose shown form
 * is unchanged keeps its whole canonical value, and what no field shows stays (R3); without it the form is the whole
 * item (SWORD PUT).
 */
export const fromForm = (...form: Parameters<typeof fromFormInParts>): FormResult =>
  runWithoutYielding(fromFormInParts(...form));

/** The same in parts. */
export function* fromFormInParts(
  values: FormValues,
  definition: ItemTypeDefinition,
  previous?: Metadata,
): InParts<FormResult> {
  const notes: string[] = [];
  const builder = new MetadataBuilder(definition.id, notes);
  const root: Draft = {};
  yield* builder.fillInParts(definition.groups, yield* groupRows(values, definition, notes), root);
  const { files, openDate = null, type, ...rest } = yield* complete(root, notes);
  const built = {
    ...EMPTY_METADATA,
    // `complete` gives every member the shape of the canonical model (form-shape.ts, ITEM_SHAPE).
    ...rest,
    type: typeOf(type),
    custom: builder.custom,
  };
  const metadata = { ...built, titles: withKinds(built.titles) };
  function* through(other: Metadata): InParts<Metadata> {
    return (yield* fromFormInParts(yield* toFormInParts(other, definition), definition)).metadata;
  }
  return {
    metadata: previous === undefined ? metadata : yield* keptFrom(previous, metadata, through),
    files: filesOf(files),
    openDate: typeof openDate === "string" ? openDate : null,
    notes,
  };
}

function* groupRows(values: FormValues, definition: ItemTypeDefinition, notes: string[]): InParts<Row> {
  const root: Row = new Map();
  for (const [path, written] of Object.entries(values)) {
    const value = written.trim();
    if (value === "") continue;
    yield;
    const found = resolvePath(definition, path);
    if ("wrong" in found) notes.push(`${path} ${found.wrong}: "${shorten(value)}" was left out`);
    else putValue(root, found.way, value);
  }
  return root;
}

const inOrder = ({ rows }: Cell) => [...rows].sort(([left], [right]) => left - right);

function putValue(root: Row, way: readonly PathStep[], value: string): void {
  let row = root;
  for (const [depth, { field, index }] of way.entries()) {
    const cell = row.get(field) ?? { rows: new Map<number, Row>() };
    row.set(field, cell);
    if (depth === way.length - 1) cell.value = value;
    const next = cell.rows.get(index) ?? new Map<Field, Cell>();
    if (field.kind === null) cell.rows.set(index, next);
    row = next;
  }
}

/** Elements of one list by the row they were made for. */
type BuiltRows = {
  readonly rows: Map<number, Draft>;
  /** Rows from the lowest to the highest. */
  readonly order: number[];
  /** Elements of the list that were made for no row, where all of these come before the others. */
  before: number;
  /**
   * By language, in the order they came to have it; and how many of them no longer fit an element with these members.
   */
  readonly byLanguage: Map<string, Draft[]>;
  readonly passed: Map<string, number>;
};

/** Fills drafts of canonical elements from rows; keeps which row made which element. */
class MetadataBuilder {
  readonly custom: Record<string, Json> = {};
  /** Elements made for a list, by its scope, its path and the row. */
  readonly #built = new Map<Draft, Map<string, BuiltRows>>();
  readonly #typeId: number;
  readonly #notes: string[];

  constructor(typeId: number, notes: string[]) {
    this.#typeId = typeId;
    this.#notes = notes;
  }

  /** All groups, with a pause after each of their rows. */
  *fillInParts(groups: readonly Field[], root: Row, scope: Draft): InParts<void> {
    for (const group of groups) {
      const cell = root.get(group);
      if (cell === undefined) continue;
      for (const [index, inner] of inOrder(cell)) {
        this.#row(group, groups, index, inner, scope, []);
        yield;
      }
      if (cell.value !== undefined) this.#leaf(group, cell.value, scope, [{ field: group, index: 0 }]);
    }
  }

  #row(
    field: Field,
    siblings: readonly Field[],
    index: number,
    row: Row,
    scope: Draft,
    way: readonly PathStep[],
  ): void {
    const path = [...way, { field, index }];
    if (field.metadataPath === null) this.fill(field.fields, row, scope, path);
    else if (!field.repeatable) this.fill(field.fields, row, objectAt(scope, field.metadataPath), path);
    else this.#element(field, siblings, index, row, scope, path);
  }

  fill(fields: readonly Field[], row: Row, scope: Draft, way: readonly PathStep[]): void {
    for (const field of fields) {
      const cell = row.get(field);
      if (cell === undefined) continue;
      for (const [index, inner] of inOrder(cell)) this.#row(field, fields, index, inner, scope, way);
      if (cell.value !== undefined) this.#leaf(field, cell.value, scope, [...way, { field, index: 0 }]);
    }
  }

  #element(
    field: Field,
    siblings: readonly Field[],
    index: number,
    row: Row,
    scope: Draft,
    way: readonly PathStep[],
  ): void {
    if (field.metadataPath?.kind !== "path") return;
    const element: Draft = {};
    const filter = field.metadataPath.steps.at(-1)?.filter ?? null;
    if (filter !== null) element[filter.member] = filter.values[0];
    this.fill(field.fields, row, element, way);
    const list = listAt(scope, field.metadataPath);
    if (!isAligned(field, siblings)) {
      list.push(element);
      return;
    }
    const built = this.#rowsOf(scope, field.metadataPath.text, list.length);
    const partner = partnerOf(built, index, element);
    if (partner === null) addRow(built, list, built.rows.has(index) ? (built.order.at(-1) ?? -1) + 1 : index, element);
    else {
      const isNewLanguage = partner.lang === undefined;
      Object.assign(partner, element);
      if (isNewLanguage) noteLanguage(built, partner);
    }
  }

  #rowsOf(scope: Draft, path: string, before: number): BuiltRows {
    const paths = this.#built.get(scope) ?? new Map<string, BuiltRows>();
    this.#built.set(scope, paths);
    const built = paths.get(path) ?? {
      rows: new Map<number, Draft>(),
      order: [],
      before,
      byLanguage: new Map<string, Draft[]>(),
      passed: new Map<string, number>(),
    };
    paths.set(path, built);
    return built;
  }

  #leaf(field: Field, written: string, scope: Draft, way: readonly PathStep[]): void {
    const value = meaningOf(field, written);
    if (value === null)
      this.#notes.push(`${fullPath(way)} "${shorten(written)}" is not one of its choices and was left out`);
    else if (field.metadataPath === null) this.custom[`${this.#typeId}:${fullPath(way)}`] = value;
    else setText(scope, field.metadataPath, value);
  }
}

/** Puts a new element into the list, in the order of the rows, after those that were made for no row. */
function addRow(built: BuiltRows, list: Draft[], row: number, element: Draft): void {
  const { rows, order } = built;
  const position = firstAbove(order, row);
  if (position < order.length && list.length - order.length !== built.before) {
    const known = new Set(rows.values());
    const others = list.filter((each) => !known.has(each));
    const sorted = [...rows].sort(([left], [right]) => left - right).map(([, each]) => each);
    for (const [at, each] of [...others, ...sorted].entries()) list[at] = each;
    built.before = others.length;
  }
  list.splice(list.length - (order.length - position), 0, element);
  order.splice(position, 0, row);
  rows.set(row, element);
  noteLanguage(built, element);
}

/** The position of the first number above this one in ascending numbers. */
function firstAbove(numbers: readonly number[], number: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) > number) high = middle;
    else low = middle + 1;
  }
  return low;
}

function noteLanguage(built: BuiltRows, element: Draft): void {
  if (typeof element.lang !== "string") return;
  const known = built.byLanguage.get(element.lang) ?? [];
  built.byLanguage.set(element.lang, known);
  known.push(element);
}

/**
 * The element of another list that belongs to the same entity: in the same row if it fits, else in the same language.
 */
function partnerOf({ rows, byLanguage, passed }: BuiltRows, index: number, element: Draft): Draft | null {
  const names = Object.keys(element);
  const fits = (other: Draft): boolean =>
    names.every((name) => other[name] === undefined || (name === "lang" && other.lang === element.lang));
  const sameRow = rows.get(index);
  if (sameRow === undefined || fits(sameRow)) return sameRow ?? null;
  if (typeof element.lang !== "string") return null;
  const others = byLanguage.get(element.lang) ?? [];
  // Elements only gain members: one that does not fit once never does, and is not checked again.
  const kind = `${element.lang} ${names.join()}`;
  let at = passed.get(kind) ?? 0;
  while (at < others.length && !fits(others[at] ?? {})) at++;
  passed.set(kind, at);
  return others[at] ?? null;
}

function setText(scope: Draft, path: MetadataPath, value: string): void {
  if (path.kind === "self") scope["."] = value;
  else if (path.kind === "shown") scope.full = value;
  else if (path.kind === "path") {
    const last = path.steps.at(-1);
    if (last !== undefined) walk(scope, path.steps.slice(0, -1))[last.name] = value;
  }
}

function objectAt(scope: Draft, path: MetadataPath): Draft {
  return path.kind === "path" ? walk(scope, path.steps) : scope;
}

function listAt(scope: Draft, path: { readonly steps: readonly Step[] }): Draft[] {
  const last = path.steps.at(-1);
  return last === undefined ? [] : listIn(walk(scope, path.steps.slice(0, -1)), last.name);
}

function walk(scope: Draft, steps: readonly Step[]): Draft {
  let at = scope;
  for (const step of steps) at = step.first ? firstOf(listIn(at, step.name), step) : objectIn(at, step.name);
  return at;
}

function firstOf(list: Draft[], { filter }: Step): Draft {
  const found = list.find((each) => filter === null || filter.values.some((value) => each[filter.member] === value));
  if (found !== undefined) return found;
  const built: Draft = filter === null ? {} : { [filter.member]: filter.values[0] };
  list.push(built);
  return built;
}

function listIn(scope: Draft, name: string): Draft[] {
  const found = scope[name];
  if (Array.isArray(found)) return found;
  // The definition was checked against the shape of the model: a path that repeats is a list of drafts.
  if (found !== undefined) throw new TypeError(`The draft of ${name} is not a list`);
  const list: Draft[] = [];
  scope[name] = list;
  return list;
}

function objectIn(scope: Draft, name: string): Draft {
  const found = scope[name];
  if (isObject(found)) return found;
  if (found !== undefined) throw new TypeError(`The draft of ${name} is not an object`);
  const object: Draft = {};
  scope[name] = object;
  return object;
}

function typeOf(type: unknown): Metadata["type"] {
  if (!isObject(type)) return null;
  const { label, uri } = type;
  return resourceTypeOf(typeof label === "string" ? label : "", typeof uri === "string" ? uri : undefined);
}

/** A second title in another language translates the first (R3). */
function withKinds(titles: readonly Title[]): readonly Title[] {
  const main = titles.find((title) => title.kind === "main");
  return titles.map((title) =>
    title.kind === "main" && title.lang !== undefined && title.lang !== main?.lang
      ? { ...title, kind: "translated" }
      : title,
  );
}

/** The files that the form names, as `complete` returns them. */
function filesOf(files: unknown = []): readonly FileClaim[] {
  if (!Check(FileClaims, files)) throw new TypeError("A form produced something that is not a list of files");
  return files.map(withAccess);
}

function withAccess({ access, ...rest }: Static<typeof FileClaims>[number]): FileClaim {
  const known = FILE_ACCESS.find((each) => each === access);
  return {
    ...rest,
    path: rest.path === "" ? (rest.url ?? "") : rest.path,
    ...(known === undefined ? {} : { access: known }),
  };
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

// Completes drafts of canonical elements: required members are added, empty elements are left out (form-shape.ts,
// ITEM_SHAPE).

/** Members as they were written: texts, drafts, lists of drafts. A plain value of a list has the key ".". */
type Draft = { [member: string]: string | Draft | Draft[] | undefined };

/**
 * The members of an item with everything the canonical model requires. Values that mean nothing alone are left out and
 * noted.
 */
function* complete(root: Draft, notes: string[]): InParts<Readonly<Record<string, unknown>>> {
  const whole: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(ITEM_SHAPE.members)) {
    const value = root[name] === undefined ? undefined : completeValue(shape, root[name], name, notes);
    if (value !== undefined) whole[name] = value;
    yield;
  }
  return whole;
}

function completeValue(shape: Shape, draft: Draft[string], at: string, notes: string[]): unknown {
  if (typeof shape === "string") return isObject(draft) ? draft["."] : draft;
  if ("list" in shape) {
    const elements =
      typeof draft === "string" ? draft.split(",").map((each) => each.trim()) : Array.isArray(draft) ? draft : [];
    const whole = elements
      .map((each) => completeValue(shape.list, each, at, notes))
      .filter((each) => each !== undefined);
    return whole.length === 0 ? undefined : whole;
  }
  if (!isObject(draft)) return undefined;
  const members: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(shape.members)) {
    const value = draft[name] === undefined ? undefined : completeValue(inner, draft[name], `${at}.${name}`, notes);
    if (value !== undefined) members[name] = value;
  }
  if (shape.needs.every((names) => names.some((name) => members[name] !== undefined)))
    return { ...shape.fill, ...members };
  const alone = Object.entries(members).filter(([name]) => name !== "place" && name !== "kind");
  if (alone.length > 0)
    notes.push(`${at}: ${JSON.stringify(Object.fromEntries(alone))} has no meaning by itself and was left out`);
  return undefined;
}
