// Choices that are the same at every run: numbers from a seed (mulberry32), for the data of the demonstration.

export type Chance = ReturnType<typeof chanceFrom>;

export function chanceFrom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  const pick = <T>(list: readonly T[]): T => {
    const one = list[below(list.length)];
    if (one === undefined) throw new RangeError("There is nothing to pick from");
    return one;
  };
  return {
    next,
    below,
    pick,
    isOne: (of: number): boolean => below(of) === 0,
    /** `count` different members of a list that has as many. */
    several<T>(list: readonly T[], count: number): readonly T[] {
      const left = [...list];
      return Array.from({ length: Math.min(count, list.length) }, () => left.splice(below(left.length), 1)).flat();
    },
  };
}
