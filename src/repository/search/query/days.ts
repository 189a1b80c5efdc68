// Days as numbers (YYYYMMDD), as an index compares them, out of dates as people write them: of a year or a month the
// first and the last day.
import { isDay } from "../../../shared/time/day.ts";

export type DayRange = { readonly from: number; readonly to: number };

/** A year, a month or a day, with or without hyphens; of a moment, its day. */
const WRITTEN = /^(\d{4})(?:-?(\d{2})(?:-?(\d{2})(?:T[\d:.+Z-]{0,30})?)?)?$/;

/** Null for text that is not a date of the calendar. */
export function dayRange(text: string): DayRange | null {
  const [, year, month, day] = WRITTEN.exec(text.trim()) ?? [];
  if (year === undefined) return null;
  const first = `${year}-${month ?? "01"}-${day ?? "01"}`;
  if (!isDay(first)) return null;
  const last = day === undefined ? lastDay(Number(year), month === undefined ? 12 : Number(month)) : first;
  return { from: dayNumber(first), to: dayNumber(last) };
}

function lastDay(year: number, month: number): string {
  // The day before the first of the next month. Years below 100 mean themselves.
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.toISOString().slice(0, 10);
}

/** 20240229 for `2024-02-29`. */
export const dayNumber = (day: string): number => Number(day.slice(0, 10).replaceAll("-", ""));

/** Dates at most that are cached: the same ones come again and again. */
const KEPT = 20_000;
const KEPT_CHARACTERS = 25;
const kept = new Map<string, readonly number[]>();

/** The numbers a date of an item is found by: of a period both ends, of a year or month its first and last day. */
export function dayNumbers(text: string): readonly number[] {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const numbers = readNumbers(text);
  if (text.length <= KEPT_CHARACTERS) {
    if (kept.size >= KEPT) kept.clear();
    kept.set(text, numbers);
  }
  return numbers;
}

function readNumbers(text: string): readonly number[] {
  const ranges = text.split("/", 2).flatMap((part) => dayRange(part) ?? []);
  return [...new Set(ranges.flatMap(({ from, to }) => [from, to]))];
}
