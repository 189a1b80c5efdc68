// Sets of slots as they are read and evaluated: few slots are a sorted list, many are bits (bitmap.ts). A list takes at
// most a quarter of the memory of bits, and work on it follows what is in it, not the size of the index. Sets are
// shared between questions: nothing here changes one that it is given.
import {
  addSlot,
  type Bitmap,
  bitmapFor,
  countBits,
  countSlots,
  hasSlot,
  intersect,
  removeSlot,
  slotsOf,
  subtract,
  unite,
} from "./bitmap.ts";

/** Slots, ascending, each once. */
export type SlotList = Int32Array<ArrayBuffer>;
export type SlotSet = SlotList | Bitmap;

export const NO_SLOTS: SlotList = new Int32Array(0);
/** A set with more than one in this many slots of the index is kept as bits. */
const SLOTS_PER_LISTED = 128;

export const isList = (set: SlotSet): set is SlotList => set instanceof Int32Array;

/** The most slots of a list, in an index of this many slots. */
export const longestList = (end: number): number => Math.floor(end / SLOTS_PER_LISTED);

export const countIn = (set: SlotSet): number => (isList(set) ? set.length : countSlots(set));

/** A copy, ascending. */
export const listOf = (set: SlotSet): SlotList => (isList(set) ? set.slice() : slotsOf(set));

/** A copy with room for this many slots. */
export function bitsOf(set: SlotSet, capacity: number): Bitmap {
  const bits = bitmapFor(capacity);
  setBits(bits, set);
  return bits;
}

/** Adds a set to bits that have room for it. */
export function setBits(bits: Bitmap, set: SlotSet): void {
  if (isList(set)) addList(bits, set);
  else unite(bits, set);
}

/** A copy of a set as bits, with room for all slots of the index. */
export type CopyBits = (set: SlotSet) => Bitmap;

function addList(bits: Bitmap, list: SlotList): void {
  for (let at = 0; at < list.length; at += 1) addSlot(bits, list[at] ?? 0);
}

/** Bits are changed here, for a caller that has made them. */
export function removeSet(bits: Bitmap, set: SlotSet): void {
  if (!isList(set)) subtract(bits, set);
  else for (let at = 0; at < set.length; at += 1) removeSlot(bits, set[at] ?? 0);
}

/** The first place in a list whose slot is not below this one. */
export function placeOf(list: SlotList, slot: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? 0) < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** From the first slot to the one before the last; both multiples of 32. */
export type SlotRange = readonly [from: number, to: number];

/** Those in one of the ranges, which are in their order. */
export function inside(set: SlotSet, ranges: readonly SlotRange[]): SlotSet {
  if (isList(set)) {
    const parts = ranges.map(([from, to]) => set.subarray(placeOf(set, from), placeOf(set, to)));
    const slots = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      slots.set(part, at);
      at += part.length;
    }
    return slots;
  }
  const bits = new Uint32Array(Math.max(set.length, (ranges.at(-1)?.[1] ?? 0) >>> 5));
  for (const [from, to] of ranges) bits.set(set.subarray(from >>> 5, to >>> 5), from >>> 5);
  return bits;
}

export const isIn = (set: SlotSet, slot: number): boolean =>
  isList(set) ? set[placeOf(set, slot)] === slot : hasSlot(set, slot);

/** Where lists are made before their length is known: what is returned is a copy of that length. */
let draft: SlotList = new Int32Array(0);

function draftOf(length: number): SlotList {
  if (draft.length < length) draft = new Int32Array(length * 2);
  return draft;
}

/** The slots of a list that are in a set (`isWanted`), or that are not. */
export function filtered(list: SlotList, set: SlotSet, isWanted: boolean): SlotList {
  const kept = draftOf(list.length);
  let count = 0;
  if (!isList(set)) {
    for (let at = 0; at < list.length; at += 1) {
      const slot = list[at] ?? 0;
      if (hasSlot(set, slot) === isWanted) kept[count++] = slot;
    }
    return kept.slice(0, count);
  }
  let other = placeOf(set, list[0] ?? 0);
  for (let at = 0; at < list.length; at += 1) {
    const slot = list[at] ?? 0;
    while (other < set.length && (set[other] ?? 0) < slot) other += 1;
    if ((other < set.length && set[other] === slot) === isWanted) kept[count++] = slot;
  }
  return kept.slice(0, count);
}

/** What is in any of the sets: a list as long as all of them together fit in one. */
export function united(sets: readonly SlotSet[], end: number, copyOf: CopyBits): SlotSet {
  const [first, ...others] = sets.filter((set) => set.length > 0);
  if (first === undefined) return NO_SLOTS;
  if (others.length === 0) return first;
  let listed = 0;
  for (const set of sets) listed += isList(set) ? set.length : Number.POSITIVE_INFINITY;
  if (listed <= longestList(end)) {
    return sets.filter(isList).reduce(merged, NO_SLOTS);
  }
  const bits = copyOf(first);
  for (const set of others) setBits(bits, set);
  return bits;
}

function merged(one: SlotList, other: SlotList): SlotList {
  if (other.length === 0) return one;
  // The next part of what is read from the file.
  if ((one.at(-1) ?? 0) < (other[0] ?? 0)) {
    const all = new Int32Array(one.length + other.length);
    all.set(one);
    all.set(other, one.length);
    return all;
  }
  const all = draftOf(one.length + other.length);
  let [left, right, count] = [0, 0, 0];
  while (left < one.length && right < other.length) {
    // A pair of them for each slot would be garbage.
    const low = one[left] ?? 0;
    const high = other[right] ?? 0;
    if (low <= high) left += 1;
    if (high <= low) right += 1;
    all[count++] = Math.min(low, high);
  }
  for (; left < one.length; left += 1) all[count++] = one[left] ?? 0;
  for (; right < other.length; right += 1) all[count++] = other[right] ?? 0;
  return all.slice(0, count);
}

/** What is in both sets. */
export function shared(one: SlotSet, other: SlotSet, copyOf: CopyBits): SlotSet {
  if (isList(one)) return filtered(one, other, true);
  if (isList(other)) return filtered(other, one, true);
  const bits = copyOf(one);
  intersect(bits, other);
  return bits;
}

/** How many of `seen` are in any of the sets. */
export function countAnyIn(sets: readonly SlotSet[], seen: SlotSet): number {
  if (isList(seen)) {
    const others = sets.reduce<SlotList>((left, set) => filtered(left, set, false), seen);
    return seen.length - others.length;
  }
  const wide = sets.filter((set): set is Bitmap => !isList(set));
  let count = 0;
  for (let word = 0; wide.length > 0 && word < seen.length; word += 1) {
    let any = 0;
    for (let at = 0; at < wide.length; at += 1) any |= wide[at]?.[word] ?? 0;
    any &= seen[word] ?? 0;
    if (any !== 0) count += countBits(any);
  }
  let others = sets.filter(isList).reduce((all, list) => merged(all, list), NO_SLOTS);
  for (const set of wide) others = filtered(others, set, false);
  return count + filtered(others, seen, true).length;
}

/** The same list with a slot, and without it. */
export const withSlot = (list: SlotList, slot: number): SlotList => merged(list, Int32Array.of(slot));
export const withoutSlot = (list: SlotList, slot: number): SlotList => filtered(list, Int32Array.of(slot), false);
