// Work of which only a few run at the same time, because each of them takes much memory; more wait, in the order they
// came.

export type FewAtOnce = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function fewAtOnce(most: number): FewAtOnce {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((begin) => waiting.push(begin));
    else running += 1;
    try {
      return await work();
    } finally {
      // The next one takes over the place.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
