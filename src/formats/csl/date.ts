// A date of publication as CSL and BibTeX have it: numbers of year, month and day (EDTF level 0, intervals included),
// or words.

export type DateParts = readonly [year: number, month?: number, day?: number];

/** One date, or the two ends of an interval; null for words. */
type Dates = readonly [DateParts] | readonly [DateParts, DateParts];

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `2015`, `2015-10`, `2015-10-01`, also with a time after it; an invalid month or day is omitted. */
function dateParts(text: string): DateParts | null {
  const match = /^(-?\d{4})(?:-(\d{2})(?:-(\d{2})(?:T.*)?)?)?$/.exec(text.trim());
  if (match === null) return null;
  const [year, month, day] = match.slice(1).map(Number);
  // Citations have no year 0.
  if (year === undefined || year === 0) return null;
  const days = month === undefined ? undefined : DAYS[month - 1];
  if (month === undefined || days === undefined) return [year];
  if (day === undefined || Number.isNaN(day) || day < 1 || day > days) return [year, month];
  return [year, month, day];
}

/** The date as it is written; of an interval with one end open or in words, the other end. */
export function readDate(text: string): Dates | null {
  const ends = text.split("/");
  if (ends.length > 2) return null;
  const [first, second] = ends.map(dateParts).filter((each) => each !== null);
  if (first === undefined) return null;
  return second === undefined ? [first] : [first, second];
}

/** Both ends with the precision of the less precise one: processors refuse ranges such as 2018/2020-09. */
export function evenly(dates: Dates): { readonly dates: Dates; readonly isCut: boolean } {
  const [first, second] = dates;
  if (second === undefined || first.length === second.length) return { dates, isCut: false };
  const count = Math.min(first.length, second.length);
  const cut = ([year, month]: DateParts): DateParts => (count === 1 || month === undefined ? [year] : [year, month]);
  return { dates: [cut(first), cut(second)], isCut: true };
}
