// The most frequent keys of a set of documents, in order, without sorting the rest (R28): nearly all keys have few
// documents, so keys are grouped by their counts, and only keys with equal counts are compared as numbers.
import { firstOf } from "./first-of.ts";

export type CountedKeys = {
  /** How many documents have a key, by its number: 1 at least. */
  readonly counts: Int32Array;
  /** The first characters of a key as a number from 0 below 2^53, by its number. */
  readonly beginnings: Float64Array;
  /** Orders keys wholly: by count, the highest first, then by beginning, then by the rest of the key. */
  readonly isBefore: (left: number, right: number) => boolean;
};

/** Keys with at least this many documents are few, and are compared one by one. */
const MANY = 256;
/**
 * The low part of a beginning that is left out where it is sorted together with the position of its key; a list is
 * never as long.
 */
const COARSE = 2 ** 21;
/** Lists that are sorted by comparing key with key. */
const SHORT = 12;

/** At most `size` of them, the first first. */
export function mostOf(keys: Int32Array, size: number, counted: CountedKeys): number[] {
  if (size >= COARSE || keys.length >= COARSE) return firstOf(keys, size, counted.isBefore);
  const { counts } = counted;
  const ends = new Int32Array(MANY + 1);
  for (let index = 0; index < keys.length; index += 1) {
    const level = Math.min(counts[keys[index] ?? 0] ?? 0, MANY);
    ends[level] = (ends[level] ?? 0) + 1;
  }
  // Levels from the highest on until there are enough; `ends` becomes where the keys of each level begin.
  let [lowest, laid] = [MANY + 1, 0];
  while (lowest > 1 && laid < size) {
    lowest -= 1;
    const length = ends[lowest] ?? 0;
    ends[lowest] = laid;
    laid += length;
  }
  const placed = new Int32Array(laid);
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] ?? 0;
    const level = Math.min(counts[key] ?? 0, MANY);
    if (level < lowest) continue;
    const at = ends[level] ?? 0;
    placed[at] = key;
    ends[level] = at + 1;
  }
  const most: number[] = [];
  for (let [level, begin] = [MANY, 0]; level >= lowest && most.length < size; level -= 1) {
    const end = ends[level] ?? 0;
    if (end > begin) add(most, placed.subarray(begin, end), size, level === MANY, counted);
    begin = end;
  }
  return most;
}

/** Adds keys of one level in their order, as many as there is room for. */
function add(most: number[], level: Int32Array, size: number, areMany: boolean, counted: CountedKeys): void {
  const room = size - most.length;
  if (areMany || level.length <= SHORT) {
    for (const key of firstOf(level, room, counted.isBefore)) most.push(key);
    return;
  }
  const { beginnings, isBefore } = counted;
  const order = new Float64Array(level.length);
  for (let index = 0; index < level.length; index += 1) {
    order[index] = Math.floor((beginnings[level[index] ?? 0] ?? 0) / COARSE) * COARSE + index;
  }
  order.sort();
  const coarseOf = (at: number): number => Math.floor((order[at] ?? 0) / COARSE) * COARSE;
  for (let at = 0; at < order.length && most.length < size; ) {
    const coarse = coarseOf(at);
    let end = at + 1;
    while (end < order.length && (order[end] ?? 0) < coarse + COARSE) end += 1;
    if (end === at + 1) most.push(level[(order[at] ?? 0) - coarse] ?? 0);
    else {
      const alike = Int32Array.from(order.subarray(at, end), (each) => level[each - coarse] ?? 0);
      for (const key of firstOf(alike, size - most.length, isBefore)) most.push(key);
    }
    at = end;
  }
}
