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
