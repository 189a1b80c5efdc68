// Two changes of one value brought together (R42): what one side changed is taken, by field; a field that both sides
// changed to different values is a conflict. Elements of lists are found again by what they hold
// (list-alignment.ts), so that one side may add, remove or move elements while the other edits them. Which side is
// called mine makes no difference to what is merged.

import { own } from "../objects.ts";
import type { InParts } from "../time/event-loop.ts";
import type { Json } from "./json.ts";
import { alignInParts, isEmpty, type TextOf, textsOf } from "./list-alignment.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "./read.ts";

type Value = Json | undefined;
type Path = readonly (string | number)[];

/** Undefined: the field is absent on that side. Positions in lists are those of `mine` where it has the element. */
export type Conflict = { readonly path: Path; readonly base: Value; readonly mine: Value; readonly theirs: Value };
export type Side = "mine" | "theirs";
export type Merge = { readonly value: Value; readonly conflicts: readonly Conflict[] };

/** `decided`: the side whose value a field in conflict has in the result. */
export function* mergeInParts(base: Value, mine: Value, theirs: Value, decided: Side): InParts<Merge> {
  const conflicts: Conflict[] = [];
  const merging = { textOf: textsOf(), decided, conflicts };
  const value = yield* mergeValues(merging, { base, mine, theirs }, []);
  return { value, conflicts };
}

type Merging = { readonly textOf: TextOf; readonly decided: Side; readonly conflicts: Conflict[] };
type Sides<T = Value> = { readonly base: T; readonly mine: T; readonly theirs: T };

function* mergeValues(merging: Merging, sides: Sides, path: Path): InParts<Value> {
  const { base, mine, theirs } = sides;
  // Texts of large values are long work, each.
  const ofBase = merging.textOf(base);
  yield;
  const ofMine = merging.textOf(mine);
  yield;
  const ofTheirs = merging.textOf(theirs);
  if (ofTheirs === ofBase) return mine;
  if (ofMine === ofBase || ofMine === ofTheirs) return theirs;
  yield;
  if (isJsonObject(mine) && isJsonObject(theirs) && (base === undefined || isJsonObject(base))) {
    return yield* mergeObjects(merging, { base: base ?? {}, mine, theirs }, path);
  }
  if (isJsonArray(mine) && isJsonArray(theirs) && (base === undefined || isJsonArray(base))) {
    return yield* mergeLists(merging, { base: base ?? [], mine, theirs }, path);
  }
  return noteConflict(merging, sides, path);
}

function noteConflict({ conflicts, decided }: Merging, sides: Sides, path: Path): Value {
  conflicts.push({ path, ...sides });
  return sides[decided];
}

function* mergeObjects(merging: Merging, { base, mine, theirs }: Sides<JsonObject>, path: Path): InParts<Json> {
  const members: [string, Json][] = [];
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const sides = { base: own(base, name), mine: own(mine, name), theirs: own(theirs, name) };
    const value = yield* mergeValues(merging, sides, [...path, name]);
    if (value !== undefined) members.push([name, value]);
  }
  return Object.fromEntries(members);
}

type List = readonly Json[];

/** One element that is in the base and on both sides. */
type Common = { readonly base: number; readonly mine: number; readonly theirs: number };

function* mergeLists(merging: Merging, lists: Sides<List>, path: Path): InParts<Value> {
  const toMine = yield* alignInParts(lists.base, lists.mine, merging.textOf);
  const toTheirs = yield* alignInParts(lists.base, lists.theirs, merging.textOf);
  const common = commonElements(toMine, toTheirs);
  const order = mergedOrder(common);
  if (order === null) return noteConflict(merging, lists, path);
  const extraOf = (side: Side, matches: readonly number[]) => extras(merging, lists, { side, matches, common, path });
  const [ofMine, ofTheirs] = [extraOf("mine", toMine), extraOf("theirs", toTheirs)];
  const added = mergeExtras(merging.textOf, [null, ...order.map(({ base }) => base)], ofMine, ofTheirs);
  const merged: Json[] = [...(added.get(null) ?? [])];
  for (const { base, mine, theirs } of order) {
    const sides = { base: lists.base[base], mine: lists.mine[mine], theirs: lists.theirs[theirs] };
    const value = yield* mergeElements(merging, sides, [...path, mine]);
    if (value !== undefined) merged.push(value);
    for (const each of added.get(base) ?? []) merged.push(each);
  }
  return merged;
}

/** What replaced an element is not mixed with what the other side made of it. */
function* mergeElements(merging: Merging, sides: Sides, path: Path): InParts<Value> {
  const { base, mine, theirs } = sides;
  const { textOf } = merging;
  const isMixed = isEditOf(base, mine, textOf) && isEditOf(base, theirs, textOf);
  const isOneSided = [mine, theirs].some((side) => textOf(side) === textOf(base)) || textOf(mine) === textOf(theirs);
  if (isMixed || isOneSided) return yield* mergeValues(merging, sides, path);
  return noteConflict(merging, sides, path);
}

/** Whether half of what an object holds is as it was; other values are fields by themselves. */
function isEditOf(base: Value, side: Value, textOf: TextOf): boolean {
  if (!isJsonObject(base) || !isJsonObject(side)) return true;
  const held = Object.entries(base).filter(([, value]) => !isEmpty(value));
  const same = held.filter(([name, value]) => textOf(own(side, name)) === textOf(value));
  return same.length > 0 && same.length * 2 >= held.length;
}

function commonElements(toMine: readonly number[], toTheirs: readonly number[]): readonly Common[] {
  return toMine.flatMap((mine, base) => {
    const theirs = toTheirs[base] ?? -1;
    return mine === -1 || theirs === -1 ? [] : [{ base, mine, theirs }];
  });
}

/** The order of the side that moved elements; null where both moved them in different ways. */
function mergedOrder(common: readonly Common[]): readonly Common[] | null {
  const inMine = [...common].sort((one, other) => one.mine - other.mine);
  const inTheirs = [...common].sort((one, other) => one.theirs - other.theirs);
  const isSame = (one: readonly Common[], other: readonly Common[]): boolean =>
    one.every((each, at) => each === other[at]);
  if (isSame(inMine, common) || isSame(inMine, inTheirs)) return inTheirs;
  return isSame(inTheirs, common) ? inMine : null;
}

/** Elements of one side only, by the common element that they follow; null: they come first. */
type Extras = Map<number | null, Json[]>;

/**
 * What one side added. What it has edited and the other side has removed is a conflict; what it left as it was is
 * removed.
 */
function extras(
  { textOf, decided, conflicts }: Merging,
  lists: Sides<List>,
  of: {
    readonly side: Side;
    readonly matches: readonly number[];
    readonly common: readonly Common[];
    readonly path: Path;
  },
): Extras {
  const { side, matches, common, path } = of;
  const commonAt = new Map(common.map((each) => [each[side], each.base]));
  const baseAt = new Map([...matches.entries()].map(([base, at]) => [at, base]));
  const found: Extras = new Map();
  let after: number | null = null;
  for (const [at, element] of lists[side].entries()) {
    const shared = commonAt.get(at);
    if (shared !== undefined) {
      after = shared;
      continue;
    }
    const from = baseAt.get(at);
    if (from !== undefined) {
      const base = lists.base[from];
      if (textOf(base) === textOf(element)) continue;
      const values = side === "mine" ? { mine: element, theirs: undefined } : { mine: undefined, theirs: element };
      conflicts.push({ path: [...path, at], base, ...values });
      if (decided !== side) continue;
    }
    const run: Json[] = found.get(after) ?? [];
    found.set(after, run);
    run.push(element);
  }
  return found;
}

/**
 * The elements that the sides added, both after one common element in the order of their texts. What both added is
 * added once, at the earlier place.
 */
function mergeExtras(
  textOf: TextOf,
  anchors: readonly (number | null)[],
  mine: Extras,
  theirs: Extras,
): ReadonlyMap<number | null, readonly Json[]> {
  const merged = new Map<number | null, readonly Json[]>();
  /** By text, how many of each side were added so far; the larger number is what the result has. */
  const counts = new Map<string, { mine: number; theirs: number; added: number }>();
  const isNew = (element: Json, side: Side): boolean => {
    const text = textOf(element);
    const count = counts.get(text) ?? { mine: 0, theirs: 0, added: 0 };
    counts.set(text, count);
    count[side] += 1;
    if (count[side] <= count.added) return false;
    count.added += 1;
    return true;
  };
  for (const anchor of anchors) {
    const runs = [
      { side: "mine" as const, run: mine.get(anchor) ?? [] },
      { side: "theirs" as const, run: theirs.get(anchor) ?? [] },
    ].sort((one, other) => (textOf(one.run as Json) < textOf(other.run as Json) ? -1 : 1));
    merged.set(
      anchor,
      runs.flatMap(({ side, run }) => run.filter((element) => isNew(element, side))),
    );
  }
  return merged;
}

// What one value has that another one has not.

/** `moved`: the elements of a list are the same in another order; both lists are given whole. */
export type Difference = {
  readonly path: Path;
  readonly kind: "added" | "removed" | "changed" | "moved";
  readonly before: Value;
  readonly after: Value;
};

/** Field by field; positions in lists are those of `after`, of removed elements those of `before`. */
export function* differencesInParts(before: Value, after: Value): InParts<readonly Difference[]> {
  const found: Difference[] = [];
  yield* compareValues({ textOf: textsOf(), found }, before, after, []);
  return found;
}

type Comparing = { readonly textOf: TextOf; readonly found: Difference[] };

function* compareValues(comparing: Comparing, before: Value, after: Value, path: Path): InParts<void> {
  const { textOf, found } = comparing;
  const ofBefore = textOf(before);
  yield;
  if (ofBefore === textOf(after)) return;
  yield;
  if (isJsonObject(before) && isJsonObject(after)) {
    const [one, other] = [before, after];
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      yield* compareValues(comparing, own(one, name), own(other, name), [...path, name]);
    }
  } else if (isJsonArray(before) && isJsonArray(after)) yield* compareLists(comparing, before, after, path);
  else found.push({ path, kind: kindOf(before, after), before, after });
}

const kindOf = (before: Value, after: Value): Difference["kind"] =>
  before === undefined ? "added" : after === undefined ? "removed" : "changed";

function* compareLists(comparing: Comparing, before: List, after: List, path: Path): InParts<void> {
  const { textOf, found } = comparing;
  const matches = yield* alignInParts(before, after, textOf);
  const kept = matches.filter((at) => at !== -1);
  if (kept.some((at, index) => index > 0 && at < (kept[index - 1] ?? 0))) {
    found.push({ path, kind: "moved", before, after });
  }
  for (const [from, to] of matches.entries()) {
    if (to === -1) found.push({ path: [...path, from], kind: "removed", before: before[from], after: undefined });
    else yield* compareValues(comparing, before[from], after[to], [...path, to]);
  }
  const known = new Set(matches);
  for (const [at, element] of after.entries()) {
    if (!known.has(at)) found.push({ path: [...path, at], kind: "added", before: undefined, after: element });
  }
}
