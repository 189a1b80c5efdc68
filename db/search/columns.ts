// What sorting, counting and ranges need of every document, in memory (R28): typed arrays by slot, the document's
// number inside the index, so that the garbage collector has nothing to walk. They are read from the rows of the file
// at the start, and follow each change after its commit.
import { RECORD_FACETS } from "../../src/repository/search/detail/record-schema.ts";
import { FIELDS, type IndexSchema, type Key } from "../../src/repository/search/document/document.ts";
import { addSlot, type Bitmap, bitmapFor, removeSlot, widened } from "./bitmap.ts";

/** Fields whose keys are asked for by their beginning, for each question: few, and all known by heart. */
export const KNOWN_BY_HEART: readonly string[] = [FIELDS.visibility, FIELDS.fileClasses, RECORD_FACETS.access];
const GROWTH = 1.25;
const LEAST_SLOTS = 1024;
/** Bytes of unused room before the keys of documents with several keys are compacted. */
const WASTE_KEPT = 65_536;

/** Fields of keys that have a column: those that are counted, and those whose keys are asked for. */
export function countedFields(schema: IndexSchema): string[] {
  return schema.keys.filter((field) => schema.facets.includes(field) || KNOWN_BY_HEART.includes(field));
}

/** Numbers of keys by slot: a single key is stored in its slot, several are in a pool after their count. */
export class KeyColumn {
  heads = new Int32Array(0);
  pool = new Int32Array(16);
  #used = 1;
  #wasted = 0;

  widen(slots: number): void {
    this.heads = copied(this.heads, new Int32Array(slots));
  }

  set(slot: number, values: readonly number[], from: number, count: number): void {
    if (count <= 1) {
      this.heads[slot] = count === 0 ? 0 : (values[from] ?? 0);
      return;
    }
    if (this.#used + count + 1 > this.pool.length) this.#makeRoom(count + 1);
    this.heads[slot] = -this.#used;
    this.pool[this.#used] = count;
    for (let index = 0; index < count; index += 1) this.pool[this.#used + 1 + index] = values[from + index] ?? 0;
    this.#used += count + 1;
  }

  clear(slot: number): void {
    const head = this.heads[slot] ?? 0;
    if (head < 0) this.#wasted += 1 + (this.pool[-head] ?? 0);
    this.heads[slot] = 0;
  }

  each(slot: number, tell: (key: number) => void): void {
    const head = this.heads[slot] ?? 0;
    if (head > 0) tell(head);
    if (head >= 0) return;
    const count = this.pool[-head] ?? 0;
    for (let index = 1; index <= count; index += 1) tell(this.pool[index - head] ?? 0);
  }

  #makeRoom(more: number): void {
    const isWorthMoving = this.#wasted > WASTE_KEPT && this.#wasted * 2 > this.#used;
    const old = this.pool;
    const left = this.#used - (isWorthMoving ? this.#wasted : 0);
    this.pool = new Int32Array(Math.ceil((left + more) * GROWTH) + LEAST_SLOTS);
    if (!isWorthMoving) {
      this.pool.set(old.subarray(0, this.#used));
      return;
    }
    this.#used = 1;
    this.#wasted = 0;
    for (let slot = 0; slot < this.heads.length; slot += 1) {
      const head = this.heads[slot] ?? 0;
      if (head >= 0) continue;
      const count = old[-head] ?? 0;
      this.pool.set(old.subarray(-head, -head + count + 1), this.#used);
      this.heads[slot] = -this.#used;
      this.#used += count + 1;
    }
  }
}

/**
 * Numbers of a field by slot: the first one in its place, NaN for none, and the others of the few documents that have
 * several.
 */
class NumberColumn {
  first = new Float64Array(0);
  readonly more = new Map<number, number[]>();

  widen(slots: number): void {
    const had = this.first.length;
    this.first = copied(this.first, new Float64Array(slots)).fill(Number.NaN, had);
  }

  add(slot: number, value: number): void {
    if (Number.isNaN(this.first[slot] ?? 0)) {
      this.first[slot] = value;
      return;
    }
    const more = this.more.get(slot);
    if (more === undefined) this.more.set(slot, [value]);
    else more.push(value);
  }

  clear(slot: number): void {
    this.first[slot] = Number.NaN;
    this.more.delete(slot);
  }

  /** Adds documents with a number in the range, ends included. */
  addRange(bits: Bitmap, from: number, to: number): Bitmap {
    const { first } = this;
    for (let slot = 0; slot < first.length; slot += 1) {
      const value = first[slot] ?? Number.NaN;
      if (value >= from && value <= to) addSlot(bits, slot);
    }
    for (const [slot, values] of this.more) {
      if (values.some((value) => value >= from && value <= to)) addSlot(bits, slot);
    }
    return bits;
  }

  isInRange(slot: number, from: number, to: number): boolean {
    const isWithin = (value: number): boolean => value >= from && value <= to;
    return isWithin(this.first[slot] ?? Number.NaN) || (this.more.get(slot)?.some(isWithin) ?? false);
  }
}

function copied<Column extends Int32Array | Float64Array | Uint16Array>(from: Column, into: Column): Column {
  into.set(from);
  return into;
}

export class Columns {
  /** Slots there is room for: the same for every column. */
  capacity = 0;
  /** Behind the highest slot in use. */
  end = 1;
  documents = 0;
  /** Rises with every change of a document. */
  changes = 0;
  live: Bitmap = bitmapFor(0);
  ids = new Float64Array(0);
  /** Number, or number of the text, by the schema's sorts. */
  readonly sorts: Float64Array<ArrayBuffer>[];
  /** No document has less by this sort; that of one that is gone may be kept. */
  readonly least: number[];
  readonly keys: readonly KeyColumn[];
  readonly numbers: (NumberColumn | null)[];
  /** How many documents have a key, by its number. */
  uses = new Int32Array(LEAST_SLOTS);
  /** The first characters of a key as a number, by the number of the key; keys with equal counts are sorted by it. */
  beginnings = new Float64Array(LEAST_SLOTS);
  /** Which counted field a key is of, by its number. */
  fields = new Uint16Array(LEAST_SLOTS);
  /** The highest number of a key. */
  keyCount = 0;
  readonly #free: number[] = [];

  constructor(schema: IndexSchema) {
    const counted = countedFields(schema);
    this.keys = counted.map(() => new KeyColumn());
    this.sorts = schema.sorts.map(() => new Float64Array(0));
    this.least = schema.sorts.map(() => Number.POSITIVE_INFINITY);
    this.numbers = schema.numbers.map(() => null);
  }

  /** A slot that no document has. It is reserved until a document is written there, or it is released. */
  takeSlot(): number {
    const slot = this.#free.pop() ?? this.end;
    if (slot === this.end) this.end += 1;
    return slot;
  }

  giveBack(slot: number): void {
    this.#free.push(slot);
  }

  reserve(slots: number): void {
    if (slots <= this.capacity) return;
    this.capacity = slots;
    this.live = widened(this.live, slots);
    this.ids = copied(this.ids, new Float64Array(slots));
    for (const [index, sort] of this.sorts.entries()) this.sorts[index] = copied(sort, new Float64Array(slots));
    for (const column of this.keys) column.widen(slots);
    for (const column of this.numbers) column?.widen(slots);
  }

  /** A key gets its number before a document has it. */
  addKey(number: number, counted: number, beginning: number): void {
    if (number >= this.beginnings.length) {
      const room = Math.ceil(number * GROWTH) + LEAST_SLOTS;
      this.uses = copied(this.uses, new Int32Array(room));
      this.beginnings = copied(this.beginnings, new Float64Array(room));
      this.fields = copied(this.fields, new Uint16Array(room));
    }
    this.keyCount = Math.max(this.keyCount, number);
    this.beginnings[number] = beginning;
    this.fields[number] = counted;
  }

  /** Writes the document whose row begins at `at` (see document-rows.ts); returns where the row ends. */
  put(row: readonly number[], at: number): number {
    const slot = row[at] ?? 0;
    if (slot >= this.capacity) this.reserve(Math.ceil(slot * GROWTH) + LEAST_SLOTS);
    if (this.ids[slot] !== 0) this.#clear(slot);
    this.end = Math.max(this.end, slot + 1);
    this.documents += 1;
    this.changes += 1;
    addSlot(this.live, slot);
    this.ids[slot] = row[at + 1] ?? 0;
    let next = at + 2;
    for (const column of this.keys) {
      const count = row[next] ?? 0;
      column.set(slot, row, next + 1, count);
      for (let index = 1; index <= count; index += 1) this.#use(row[next + index] ?? 0, 1);
      next += count + 1;
    }
    for (let index = 0; index < this.sorts.length; index += 1) {
      const sort = this.sorts[index];
      const value = row[next] ?? 0;
      if (sort !== undefined) sort[slot] = value;
      if (value < (this.least[index] ?? 0)) this.least[index] = value;
      next += 1;
    }
    const numbers = row[next] ?? 0;
    next += 1;
    for (let index = 0; index < numbers; index += 1) {
      this.#numbersOf(row[next] ?? 0).add(slot, row[next + 1] ?? 0);
      next += 2;
    }
    return next;
  }

  remove(slot: number): void {
    this.#clear(slot);
    this.ids[slot] = 0;
    this.giveBack(slot);
  }

  /** Slots below the highest that no document has, after all rows were put. */
  findFreeSlots(): void {
    for (let slot = this.end - 1; slot > 0; slot -= 1) if (this.ids[slot] === 0) this.giveBack(slot);
  }

  #clear(slot: number): void {
    this.documents -= 1;
    this.changes += 1;
    removeSlot(this.live, slot);
    for (const column of this.keys) {
      column.each(slot, (key) => this.#use(key, -1));
      column.clear(slot);
    }
    for (const column of this.numbers) column?.clear(slot);
  }

  #use(key: number, by: number): void {
    this.uses[key] = (this.uses[key] ?? 0) + by;
  }

  #numbersOf(field: number): NumberColumn {
    const known = this.numbers[field];
    if (known !== undefined && known !== null) return known;
    const made = new NumberColumn();
    made.widen(this.capacity);
    this.numbers[field] = made;
    return made;
  }
}

const CHARACTERS_COMPARED = 10;
const [ZERO, SMALL_A] = [48, 97];

/** The first ten characters of a key (digits before letters, nothing before both) as a number below 2^53. */
export function beginningOf(key: Key): number {
  let number = 0;
  for (let index = 0; index < CHARACTERS_COMPARED; index += 1) {
    const code = key.charCodeAt(index);
    const rank = Number.isNaN(code) ? 0 : code < SMALL_A ? code - ZERO + 1 : code - SMALL_A + 11;
    number = number * 37 + rank;
  }
  return number;
}
