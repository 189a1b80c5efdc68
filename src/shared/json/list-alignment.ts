// Which element of a list has become which of another one, when only the two lists are known: equal elements first,
// wherever they are; then elements that share the most uncommon members; then those that replaced others in place. The
// work grows with the number of elements, never with its square.
import { type InParts, runWithoutYielding } from "../time/event-loop.ts";
import type { Json } from "./json.ts";
import { isJsonObject } from "./read.ts";
import { sortedText } from "./sorted-text.ts";

type List = readonly Json[];
export type TextOf = (value: Json | undefined) => string;

/** Members that more elements than this have alike do not identify one. */
const COMMON = 8;

/** Texts of values, each computed once. */
export function textsOf(): TextOf {
  const known = new WeakMap<object, string>();
  return (value) => {
    if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
    const text = known.get(value) ?? sortedText(value);
    known.set(value, text);
    return text;
  };
}

/** For each element of `before` its position in `after`; -1: it was removed. */
export const alignLists = (before: List, after: List, textOf: TextOf): readonly number[] =>
  runWithoutYielding(alignInParts(before, after, textOf));

/** The same in parts. */
export function* alignInParts(before: List, after: List, textOf: TextOf): InParts<readonly number[]> {
  const matches: number[] = before.map(() => -1);
  const taken = new Set<number>();
  const match = (from: number, to: number): void => {
    matches[from] = to;
    taken.add(to);
  };
  yield* matchEqual(before, after, textOf, match);
  yield* matchAlike(before, after, textOf, { matches, taken, match });
  matchInPlace(before, after, { matches, taken, match });
  return matches;
}

type Matching = {
  readonly matches: readonly number[];
  readonly taken: ReadonlySet<number>;
  readonly match: (from: number, to: number) => void;
};

/** The first of several equal ones is the first of the others. */
function* matchEqual(before: List, after: List, textOf: TextOf, match: Matching["match"]): InParts<void> {
  const positions = new Map<string, number[]>();
  for (const at of [...after.keys()].reverse()) {
    const text = textOf(after[at]);
    const alike = positions.get(text) ?? [];
    positions.set(text, alike);
    alike.push(at);
    yield;
  }
  for (const [from, element] of before.entries()) {
    yield;
    const to = positions.get(textOf(element))?.pop();
    if (to !== undefined) match(from, to);
  }
}

function* matchAlike(before: List, after: List, textOf: TextOf, { matches, taken, match }: Matching): InParts<void> {
  const having = new Map<string, number[]>();
  for (const [at, element] of after.entries()) {
    if (taken.has(at)) continue;
    yield;
    for (const member of memberTexts(element, textOf)) {
      const alike = having.get(member) ?? [];
      having.set(member, alike);
      if (alike.length <= COMMON) alike.push(at);
    }
  }
  for (const [from, element] of before.entries()) {
    if (matches[from] !== -1) continue;
    yield;
    const shared = new Map<number, number>();
    for (const member of memberTexts(element, textOf)) {
      const alike = having.get(member) ?? [];
      if (alike.length > COMMON) continue;
      for (const at of alike) if (!taken.has(at)) shared.set(at, (shared.get(at) ?? 0) + 1);
    }
    const [best] = [...shared].sort(
      ([a, many], [b, other]) => other - many || Math.abs(a - from) - Math.abs(b - from) || a - b,
    );
    if (best !== undefined) match(from, best[0]);
  }
}

const memberTexts = (element: Json, textOf: TextOf): readonly string[] =>
  isJsonObject(element)
    ? Object.entries(element).flatMap(([name, value]) => (isEmpty(value) ? [] : [`${name} ${textOf(value)}`]))
    : [];

/** Nothing by which an element is known. */
export const isEmpty = (value: Json): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/** As many elements between the same neighbours are the same elements with other content. */
function matchInPlace(before: List, after: List, { matches, taken, match }: Matching): void {
  let from = 0;
  while (from < before.length) {
    if (matches[from] !== -1) {
      from += 1;
      continue;
    }
    let end = from;
    while (end < before.length && matches[end] === -1) end += 1;
    const start = from === 0 ? 0 : (matches[from - 1] ?? -1) + 1;
    let stop = start;
    while (stop < after.length && !taken.has(stop)) stop += 1;
    if (stop - start === end - from) for (let step = 0; step < end - from; step += 1) match(from + step, start + step);
    from = end;
  }
}
