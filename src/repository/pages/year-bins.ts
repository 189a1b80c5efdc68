// The years of hits as a small histogram: at most 30 bars, each of one year or of equally many.

export type YearBin = { readonly from: number; readonly to: number; readonly count: number };

const BARS = 30;
const WIDTHS = [1, 2, 5, 10, 20, 50, 100, 200, 500] as const;

/** Every bar from the first to the last, also those that nothing is in. An item of a period is in each of its years. */
export function yearBins(counts: readonly { readonly value: string; readonly count: number }[]): readonly YearBin[] {
  const years = counts.flatMap(({ value, count }) => (/^\d{4}$/.test(value) ? [{ year: Number(value), count }] : []));
  if (years.length === 0) return [];
  const first = Math.min(...years.map(({ year }) => year));
  const last = Math.max(...years.map(({ year }) => year));
  const width = WIDTHS.find((each) => Math.floor(last / each) - Math.floor(first / each) < BARS) ?? 1_000;
  const begin = Math.floor(first / width);
  const sums = Array.from({ length: Math.floor(last / width) - begin + 1 }, () => 0);
  for (const { year, count } of years) {
    const at = Math.floor(year / width) - begin;
    sums[at] = (sums[at] ?? 0) + count;
  }
  return sums.map((count, at) => ({ from: (begin + at) * width, to: (begin + at + 1) * width - 1, count }));
}
