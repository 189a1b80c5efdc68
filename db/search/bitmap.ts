// Sets of slots (numbers of documents inside the index) as bits: united and intersected word by word. A set may be
// shorter than another: what lies behind its end is not in it. `into` is never shorter than the other.

export type Bitmap = Uint32Array<ArrayBuffer>;

export const bitmapFor = (slots: number): Bitmap => new Uint32Array((slots >>> 5) + 1);

/** The same set with room for more. */
export function widened(bits: Bitmap, slots: number): Bitmap {
  const wide = bitmapFor(slots);
  wide.set(bits);
  return wide;
}

export function addSlot(bits: Bitmap, slot: number): void {
  const word = slot >>> 5;
  bits[word] = (bits[word] ?? 0) | (1 << (slot & 31));
}

export const hasSlot = (bits: Bitmap, slot: number): boolean => (((bits[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 1;

export function removeSlot(bits: Bitmap, slot: number): void {
  const word = slot >>> 5;
  bits[word] = (bits[word] ?? 0) & ~(1 << (slot & 31));
}

export function intersect(into: Bitmap, other: Bitmap): void {
  const shared = Math.min(into.length, other.length);
  for (let word = 0; word < shared; word += 1) into[word] = (into[word] ?? 0) & (other[word] ?? 0);
  into.fill(0, shared);
}

export function unite(into: Bitmap, other: Bitmap): void {
  for (let word = 0; word < other.length; word += 1) into[word] = (into[word] ?? 0) | (other[word] ?? 0);
}

export function subtract(into: Bitmap, other: Bitmap): void {
  const shared = Math.min(into.length, other.length);
  for (let word = 0; word < shared; word += 1) into[word] = (into[word] ?? 0) & ~(other[word] ?? 0);
}

export function countSlots(bits: Bitmap): number {
  let count = 0;
  for (let word = 0; word < bits.length; word += 1) {
    const left = bits[word] ?? 0;
    if (left !== 0) count += countBits(left);
  }
  return count;
}

export function countBits(word: number): number {
  let left = word - ((word >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The slots of the set, ascending. */
export const slotsOf = (bits: Bitmap): Int32Array<ArrayBuffer> => slotsInto(new Int32Array(countSlots(bits)), bits);

/** Writes them into a list that has room for all of them. */
export function slotsInto(slots: Int32Array<ArrayBuffer>, bits: Bitmap): Int32Array<ArrayBuffer> {
  let at = 0;
  for (let word = 0; word < bits.length; word += 1) {
    let left = bits[word] ?? 0;
    while (left !== 0) {
      const lowest = left & -left;
      slots[at] = word * 32 + (31 - Math.clz32(lowest));
      at += 1;
      left ^= lowest;
    }
  }
  return slots;
}
