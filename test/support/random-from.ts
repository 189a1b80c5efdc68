// Choices by chance that come again with the same seed (mulberry32), for tests that change a world over and over.

export type Random = ReturnType<typeof randomFrom>;

/** Numbers from 0 to 1, the same for the same seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function randomFrom(seed: number) {
  const next = numbersFrom(seed);
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    isOne: (of: number): boolean => below(of) === 0,
    pick: <T>(list: readonly T[]): T => {
      const one = list[below(list.length)];
      if (one === undefined) throw new RangeError("There is nothing to pick from");
      return one;
    },
    some: <T>(list: readonly T[], share: number): readonly T[] => list.filter(() => next() < share),
  };
}
