// Japanese eras since the one-era-one-reign rule of 1868: their names and their exact days. Days are Gregorian; the
// day on which an emperor died belongs to both eras, as documents of that day bear either name.
import type { Day } from "./day.ts";

export type Era = {
  readonly ja: string;
  readonly en: string;
  /** Latin initial, as on forms: `H31.4.30`. */
  readonly initial: string;
  readonly first: Day;
  /** Null: it has not ended. */
  readonly last: Day | null;
};

/** Oldest first. */
export const ERAS: readonly Era[] = [
  { ja: "明治", en: "Meiji", initial: "M", first: "1868-10-23", last: "1912-07-30" },
  { ja: "大正", en: "Taisho", initial: "T", first: "1912-07-30", last: "1926-12-25" },
  { ja: "昭和", en: "Showa", initial: "S", first: "1926-12-25", last: "1989-01-07" },
  { ja: "平成", en: "Heisei", initial: "H", first: "1989-01-08", last: "2019-04-30" },
  { ja: "令和", en: "Reiwa", initial: "R", first: "2019-05-01", last: null },
];

/** Until the end of 1872 the calendar was lunisolar: months and days of Meiji 1 to 5 are not those of 1868 to 1872. */
export const FIRST_SOLAR_YEAR = 1873;

export const yearOf = (day: string): number => Number(day.slice(0, 4));

/** The year of the Gregorian calendar in which a year of an era begins. */
export const gregorianYear = (era: Era, year: number): number => yearOf(era.first) + year - 1;

/**
 * Whether an era has any day of this year, month or day, written `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. Texts of the same
 * length sort by time.
 */
export const hasDate = ({ first, last }: Era, date: string): boolean =>
  date >= first.slice(0, date.length) && (last === null || date <= last.slice(0, date.length));

/** The latest era that has some of this date; null: it was before all of them. */
export const eraOf = (date: string): Era | null => ERAS.findLast((era) => hasDate(era, date)) ?? null;

/** `1` is written 元. */
export const eraYearText = (era: Era, date: string): { readonly en: string; readonly ja: string } => {
  const year = yearOf(date) - yearOf(era.first) + 1;
  return { en: `${era.en} ${year}`, ja: `${era.ja}${year === 1 ? "元" : year}年` };
};
