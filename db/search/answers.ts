// Facets and pages of a set of documents (R28): how many have which key, and the first of them by the sort. Only what
// is shown is ever sorted.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { IndexSchema, Key } from "../../src/repository/search/document/document.ts";
import {
  type FacetCount,
  type IndexQuery,
  type Place,
  SCORE,
  type SortBy,
} from "../../src/repository/search/index/index-port.ts";
import { type Columns, countedFields, type KeyColumn } from "./columns.ts";
import { textIn } from "./index-database.ts";
import type { QuestionRoom } from "./question-room.ts";
import { countIn, isList, removeSet, type SlotSet } from "./slot-set.ts";
import type { SortTexts } from "./sort-texts.ts";

const KEYS_KNOWN = 50_000;

type Slots = Int32Array<ArrayBuffer>;
type KnownKey = { readonly key: Key; readonly label: string };

export type FacetCounting = {
  readonly count: (field: string, size: number) => FacetCount[];
  /** Nothing more is counted. */
  readonly end: () => void;
};

export class Facets {
  readonly #columns: Columns;
  readonly #counted: readonly string[];
  readonly #facets: readonly string[];
  readonly #read: StatementSync;
  readonly #known = new Map<number, KnownKey>();
  /** All zero between two questions. */
  #counts = new Int32Array(0);
  #touched = new Int32Array(0);

  constructor(reader: DatabaseSync, columns: Columns, schema: IndexSchema) {
    this.#columns = columns;
    this.#counted = countedFields(schema);
    this.#facets = schema.facets;
    this.#read = reader.prepare("select key, label from facet_key where number = ?");
  }

  /** A key that is shown under another label from now on. */
  forget(key: number): void {
    this.#known.delete(key);
  }

  /** Counts fields over a set. What most documents are in is counted by those that are not. */
  of(found: SlotSet, room: QuestionRoom): FacetCounting {
    const { live, documents } = this.#columns;
    const isMost = countIn(found) * 2 > documents;
    const others = isMost ? room.copyOf(live) : null;
    if (others !== null) removeSet(others, found);
    const counted = others ?? found;
    const slots = isList(counted) ? counted : room.listOf(counted);
    return {
      count: (field, size) => this.#count(slots, isMost, field, size),
      end: () => room.release(slots),
    };
  }

  /** @throws TypeError for a field that is not a facet */
  #count(slots: Slots, isOfTheOthers: boolean, field: string, size: number): FacetCount[] {
    const index = this.#counted.indexOf(field);
    const column = this.#columns.keys[index];
    if (column === undefined || !this.#facets.includes(field)) {
      throw new TypeError(`Cannot count "${field}": it is not a facet`);
    }
    if (this.#counts.length <= this.#columns.keyCount) {
      this.#counts = new Int32Array(this.#columns.beginnings.length);
      this.#touched = new Int32Array(this.#columns.beginnings.length);
    }
    const different = isOfTheOthers ? this.#countWithout(slots, column, index) : this.#countAmong(slots, column);
    const keys = this.#touched.subarray(0, different);
    const isBefore = (left: number, right: number): boolean => this.#isBefore(left, right);
    const order = { counts: this.#counts, beginnings: this.#columns.beginnings, isBefore };
    const first = mostOf(keys, size, order).map((number) => {
      const { key, label } = this.#key(number);
      return { key, label, count: this.#counts[number] ?? 0 };
    });
    // By index: an iterator costs more than all the rest of it.
    for (let at = 0; at < different; at += 1) this.#counts[this.#touched[at] ?? 0] = 0;
    return first;
  }

  /** Counts the keys of these documents; returns how many different ones there are. */
  #countAmong(slots: Slots, { heads, pool }: KeyColumn): number {
    const counts = this.#counts;
    const touched = this.#touched;
    let different = 0;
    for (let index = 0; index < slots.length; index += 1) {
      const head = heads[slots[index] ?? 0] ?? 0;
      if (head > 0) {
        const before = counts[head] ?? 0;
        if (before === 0) touched[different++] = head;
        counts[head] = before + 1;
      } else if (head < 0) {
        const end = (pool[-head] ?? 0) - head;
        for (let at = 1 - head; at <= end; at += 1) {
          const key = pool[at] ?? 0;
          const before = counts[key] ?? 0;
          if (before === 0) touched[different++] = key;
          counts[key] = before + 1;
        }
      }
    }
    return different;
  }

  /** Counts the keys of all documents but these. */
  #countWithout(slots: Slots, column: KeyColumn, counted: number): number {
    this.#countAmong(slots, column);
    const { uses, fields, keyCount } = this.#columns;
    let different = 0;
    for (let key = 1; key <= keyCount; key += 1) {
      if (fields[key] !== counted) continue;
      const count = (uses[key] ?? 0) - (this.#counts[key] ?? 0);
      this.#counts[key] = count;
      if (count > 0) this.#touched[different++] = key;
    }
    return different;
  }

  /** Most documents first, then by key. */
  #isBefore(left: number, right: number): boolean {
    const more = (this.#counts[left] ?? 0) - (this.#counts[right] ?? 0);
    if (more !== 0) return more > 0;
    const order = (this.#columns.beginnings[left] ?? 0) - (this.#columns.beginnings[right] ?? 0);
    return order === 0 ? this.#key(left).key < this.#key(right).key : order < 0;
  }

  #key(number: number): KnownKey {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const row = this.#read.get(number);
    const read = { key: textIn(row, "key"), label: textIn(row, "label") };
    if (this.#known.size >= KEYS_KNOWN) this.#known.clear();
    this.#known.set(number, read);
    return read;
  }
}

type SortColumn = {
  readonly descending: boolean;
  /** What is compared. */
  readonly rankOf: (slot: number) => number;
  readonly rankOfShown: (value: Place["sort"][number]) => number;
  readonly shown: (slot: number) => Place["sort"][number];
};

/**
 * The hits of a page; what `slots` holds is not theirs afterwards.
 * @throws TypeError for a sort that is not in the schema, or a place of another sort.
 */
export function hitsOf(
  columns: Columns,
  texts: SortTexts,
  schema: IndexSchema,
  slots: Slots,
  { sort, after, offset, limit }: Pick<IndexQuery, "sort" | "after" | "offset" | "limit">,
  scores: Float64Array | null = null,
): Place[] {
  if (limit === 0) return [];
  const by = sort.map((each) =>
    each.field === SCORE ? scoreColumn(scores, each.descending) : sortColumn(columns, texts, schema, each),
  );
  const { ids } = columns;
  const behind = after === null ? slots : slotsBehind(ids, by, slots, after);
  const isBefore = (left: number, right: number): boolean => {
    // By index: this is done for every hit, and an iterator costs more than the comparison.
    for (let index = 0; index < by.length; index += 1) {
      const column = by[index];
      if (column === undefined) break;
      const order = column.rankOf(left) - column.rankOf(right);
      if (order !== 0) return column.descending ? order > 0 : order < 0;
    }
    return (ids[left] ?? 0) > (ids[right] ?? 0);
  };
  return firstOf(behind, offset + limit, isBefore)
    .slice(offset)
    .map((slot) => ({ sort: by.map(({ shown }) => shown(slot)), id: ids[slot] ?? 0 }));
}

/**
 * The slots that come after a place, moved to the front of what they are taken from: a list of all hits asks for them
 * page by page.
 */
function slotsBehind(ids: Float64Array, by: readonly SortColumn[], slots: Slots, after: Place): Slots {
  if (after.sort.length !== by.length) throw new TypeError("Cannot go on behind a place of another sort");
  const [first, ...others] = by.map((column, index) => ({
    ...column,
    place: column.rankOfShown(after.sort[index] ?? 0),
  }));
  let count = 0;
  for (let index = 0; index < slots.length; index += 1) {
    const slot = slots[index] ?? 0;
    let order = first === undefined ? 0 : signOf(first, slot);
    for (let next = 0; order === 0 && next < others.length; next += 1) {
      const column = others[next];
      if (column !== undefined) order = signOf(column, slot);
    }
    if (order > 0 || (order === 0 && (ids[slot] ?? 0) < after.id)) slots[count++] = slot;
  }
  return slots.subarray(0, count);
}

/** Above 0: the slot comes after the place. */
function signOf({ rankOf, place, descending }: SortColumn & { readonly place: number }, slot: number): number {
  const order = rankOf(slot) - place;
  return descending ? -order : order;
}

function scoreColumn(scores: Float64Array | null, descending: boolean): SortColumn {
  if (scores === null) throw new TypeError("Cannot sort by the score: the question has no ranking");
  const scoreOf = (slot: number): number => scores[slot] ?? 0;
  return { descending, rankOf: scoreOf, rankOfShown: Number, shown: scoreOf };
}

function sortColumn(
  columns: Columns,
  texts: SortTexts,
  schema: IndexSchema,
  { field, descending }: SortBy,
): SortColumn {
  const { ids } = columns;
  if (field === "id")
    return { descending, rankOf: (slot) => ids[slot] ?? 0, rankOfShown: Number, shown: (slot) => ids[slot] ?? 0 };
  const index = schema.sorts.findIndex(({ name }) => name === field);
  const column = columns.sorts[index];
  if (column === undefined) throw new TypeError(`Cannot sort by "${field}": the index has no such sort`);
  const numberOf = (slot: number): number => column[slot] ?? 0;
  if (schema.sorts[index]?.type === "number")
    return { descending, rankOf: numberOf, rankOfShown: Number, shown: numberOf };
  const { ranks } = texts;
  return {
    descending,
    rankOf: (slot) => ranks[numberOf(slot)] ?? 0,
    rankOfShown: (value) => texts.rankOf(index, String(value)),
    shown: (slot) => texts.textOf(numberOf(slot)),
  };
}

// The most frequent keys of a set of documents, in order, without sorting the rest (R28): nearly all keys have few
// documents, so keys are grouped by their counts, and only keys with equal counts are compared as numbers.

type CountedKeys = {
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

// The first few of many numbers by an order, without sorting the rest.

/** At most `count` of them, the first first. `isBefore` orders them wholly. */
export function firstOf(
  numbers: Int32Array,
  count: number,
  isBefore: (left: number, right: number) => boolean,
): number[] {
  const compare = (left: number, right: number): number => (left === right ? 0 : isBefore(left, right) ? -1 : 1);
  if (count <= 0) return [];
  if (count * 4 >= numbers.length) return [...numbers].sort(compare).slice(0, count);
  // A heap whose root is the last of the first ones so far. It begins at the end: there are the newest documents, which
  // are mostly asked for first, and later ones are rejected with one comparison.
  const others = numbers.length - count;
  const heap = [...numbers.subarray(others)].sort((left, right) => compare(right, left));
  let last = heap[0] ?? 0;
  for (let index = others - 1; index >= 0; index -= 1) {
    const each = numbers[index] ?? 0;
    if (!isBefore(each, last)) continue;
    sink(heap, each, isBefore);
    last = heap[0] ?? 0;
  }
  return heap.sort(compare);
}

/** Puts a number in the place of the root, and lets it sink to where it belongs. */
function sink(heap: number[], number: number, isBefore: (left: number, right: number) => boolean): void {
  let at = 0;
  for (;;) {
    let below = at * 2 + 1;
    if (below >= heap.length) break;
    const other = below + 1;
    if (other < heap.length && isBefore(heap[below] ?? 0, heap[other] ?? 0)) below = other;
    const child = heap[below] ?? 0;
    if (!isBefore(number, child)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = number;
}
