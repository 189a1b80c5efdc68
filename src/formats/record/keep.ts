// Writing through an interface that shows less never erases what it cannot show (R3): a list that a client sends is
// read over the stored one. What comes back as it was shown keeps its whole value, even where this interface would not
// accept it as new; what is not shown keeps its place.

import type { Field } from "../../shared/fields.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject } from "../../shared/json/read.ts";
import { type InParts, runWithoutYielding } from "../../shared/time/event-loop.ts";
import type { RecordInput } from "./record-input.ts";

/** The stored entry: `same` where a name or identifier matches, `place` where only the position in the list does. */
export type PreviousEntry<T> = { readonly kind: "same" | "place"; readonly value: T };

/** A list of the metadata in the form of this interface. */
export type ListFormat<T> = {
  /** As the tools' model has it; null for what it cannot show. */
  readonly show: (value: T, index: number) => Json | null;
  /** Null for an invalid entry; it is reported. */
  readonly read: (sent: Json, path: string, to: RecordInput, before: PreviousEntry<T> | null) => T | null;
  /** What identifies an entry that was changed: a name, an identifier. */
  readonly names?: (sent: Json) => readonly string[];
  /** The list as it is sent. */
  readonly list: Field<readonly Json[]>;
};

/** Deeper than any part of the model. */
const DEEPEST = 12;
/** Members that only answers add to an id. */
const ADDED: ReadonlySet<string> = new Set(["title", "props", "icon", "description", "scheme", "identifiers"]);

/**
 * The content of a part in one form: members sorted, without those that only answers have. Null for one that is too
 * deep.
 */
export function essence(value: Json, depth = 0): string | null {
  if (depth > DEEPEST) return null;
  if (isJsonArray(value)) {
    const parts = value.map((each) => essence(each, depth + 1));
    return parts.includes(null) ? null : `[${parts.join()}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  const isReference = typeof value.id === "string";
  const isPerson = value.type === "personal";
  const parts: string[] = [];
  for (const name of Object.keys(value).sort()) {
    if ((isReference && ADDED.has(name)) || (isPerson && name === "name")) continue;
    const member = value[name];
    const part = member === undefined ? null : essence(member, depth + 1);
    if (part === null) return null;
    parts.push(`${JSON.stringify(name)}:${part}`);
  }
  return `{${parts.join()}}`;
}

/** Whether two parts have the same content. */
export function hasSameContent(one: Json | null | undefined, other: Json | null | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const content = essence(one);
  return content !== null && content === essence(other);
}

type ShownEntry = { readonly index: number; readonly json: Json };
type PlacedEntry<T> = { readonly value: T; readonly from: number | null };

/** The list that was sent, read over the stored one. Without a list, all entries that were shown are removed. */
export function* readListInParts<T>(
  format: ListFormat<T>,
  sent: Json | undefined,
  before: readonly T[],
  path: string,
  to: RecordInput,
): InParts<readonly T[]> {
  const shown: ShownEntry[] = [];
  for (const [index, value] of before.entries()) {
    const json = format.show(value, index);
    if (json !== null) shown.push({ index, json });
    yield;
  }
  const list = (sent === undefined ? null : to.read(format.list, sent, path)) ?? [];
  const placed = yield* place(format, list, before, shown, path, to);
  yield;
  return weave(before, shown, placed);
}

/** The same of a list inside an entry of another one. */
export function readList<T>(...list: Parameters<typeof readListInParts<T>>): readonly T[] {
  return runWithoutYielding(readListInParts(...list));
}

/** Entries under the words they are found by; each is taken once, in the order of the list. */
function* queues(shown: readonly ShownEntry[], words: (json: Json) => readonly string[]) {
  const taken = new Set<number>();
  const waiting = new Map<string, number[]>();
  for (const { index, json } of shown.toReversed()) {
    yield;
    for (const word of words(json)) {
      const queue = waiting.get(word);
      if (queue === undefined) waiting.set(word, [index]);
      else queue.push(index);
    }
  }
  return {
    taken,
    take(word: string | null | undefined): number | null {
      const queue = word === null || word === undefined ? undefined : waiting.get(word);
      for (let index = queue?.pop(); index !== undefined; index = queue?.pop()) {
        if (taken.has(index)) continue;
        taken.add(index);
        return index;
      }
      return null;
    },
  };
}

function* place<T>(
  format: ListFormat<T>,
  list: readonly Json[],
  before: readonly T[],
  shown: readonly ShownEntry[],
  path: string,
  to: RecordInput,
): InParts<readonly PlacedEntry<T>[]> {
  const whole = yield* queues(shown, (json) => [essence(json) ?? ""]);
  const kept: (number | null)[] = [];
  for (const json of list) {
    kept.push(whole.take(essence(json)));
    yield;
  }
  const names = format.names ?? (() => []);
  const named = yield* queues(
    shown.filter(({ index }) => !whole.taken.has(index)),
    names,
  );
  const same: (number | null)[] = [];
  for (const [at, json] of list.entries()) {
    same.push(kept[at] === null ? firstOf(names(json), named.take) : null);
    yield;
  }
  const placed: PlacedEntry<T>[] = [];
  for (const [at, json] of list.entries()) {
    yield;
    const index = kept[at] ?? null;
    const old = index === null ? undefined : before[index];
    if (index !== null && old !== undefined) placed.push({ value: old, from: index });
    else {
      const from = same[at] ?? entryAtSamePlace(shown[at], whole.taken, named.taken);
      const one = { isSame: same[at] !== null, path: `${path}.${at}`, to, retake: whole.take };
      placed.push(...readOne(format, json, before, from, one));
    }
  }
  return placed;
}

/** The first entry that one of these names finds. */
function firstOf(names: readonly string[], take: (name: string) => number | null): number | null {
  for (const name of names) {
    const index = take(name);
    if (index !== null) return index;
  }
  return null;
}

function entryAtSamePlace(
  at: ShownEntry | undefined,
  kept: ReadonlySet<number>,
  named: ReadonlySet<number>,
): number | null {
  return at === undefined || kept.has(at.index) || named.has(at.index) ? null : at.index;
}

type EntryContext = {
  readonly isSame: boolean;
  readonly path: string;
  readonly to: RecordInput;
  readonly retake: (key: string | null) => number | null;
};

function readOne<T>(
  format: ListFormat<T>,
  json: Json,
  before: readonly T[],
  from: number | null,
  { isSame, path, to, retake }: EntryContext,
): PlacedEntry<T>[] {
  const old = from === null ? undefined : before[from];
  const value = format.read(json, path, to, old === undefined ? null : { kind: isSame ? "same" : "place", value: old });
  if (value === null) return [];
  // Another spelling of what was shown: a scheme that was left out, an address before an identifier.
  const again = format.show(value, -1);
  const index = again === null ? null : retake(essence(again));
  const whole = index === null ? undefined : before[index];
  return whole === undefined ? [{ value, from }] : [{ value: whole, from: index }];
}

/** A hidden entry follows the entry it followed before; where that one was removed, the one before it. */
function weave<T>(before: readonly T[], shown: readonly ShownEntry[], placed: readonly PlacedEntry<T>[]): readonly T[] {
  const alive = new Set(placed.map(({ from }) => from));
  const isShown = new Set(shown.map(({ index }) => index));
  const hiddenAfter = new Map<number, T[]>();
  let anchor = -1;
  for (const [index, value] of before.entries()) {
    if (isShown.has(index)) {
      if (alive.has(index)) anchor = index;
      continue;
    }
    const hidden = hiddenAfter.get(anchor);
    if (hidden === undefined) hiddenAfter.set(anchor, [value]);
    else hidden.push(value);
  }
  if (hiddenAfter.size === 0) return placed.map(({ value }) => value);
  const following = (from: number | null): readonly T[] => (from === null ? [] : (hiddenAfter.get(from) ?? []));
  return [...following(-1), ...placed.flatMap(({ value, from }) => [value, ...following(from)])];
}
