// Dates as EDTF (ISO 8601-2) level 0 writes them: a day, a month, a year, a moment, an interval of the first three. One
// end of an interval may be open, as the records of existing repositories have it.
import { isDay } from "./day.ts";

export type EdtfDate = {
  readonly kind: "date" | "moment" | "interval";
  /** First and last day of the date; null where the interval is open. */
  readonly first: string | null;
  readonly last: string | null;
};

const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/;
/** Longer texts are not dates of level 0. */
const LONGEST = 60;

function dayOf(text: string): EdtfDate | null {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return null;
  const first = `${year}-${month ?? "01"}-${day ?? "01"}`;
  if (!isDay(first)) return null;
  const lastOfMonth = (of: string): string => `${year}-${of}-${lengthOfMonth(Number(year), Number(of))}`;
  const last = day === undefined ? lastOfMonth(month ?? "12") : first;
  return { kind: "date", first, last };
}

function lengthOfMonth(year: number, month: number): number {
  const next = new Date(Date.UTC(2000, month, 0));
  next.setUTCFullYear(year, month, 0);
  return next.getUTCDate();
}

/**
 * The date of level 0 that a text holds; null for anything else, and for an interval whose end is before its beginning.
 */
export function readEdtf(text: string): EdtfDate | null {
  if (text.length > LONGEST) return null;
  const day = MOMENT.exec(text)?.[1];
  if (day !== undefined) return isDay(day) ? { kind: "moment", first: day, last: day } : null;
  const [from = "", to, ...more] = text.split("/");
  if (to === undefined) return dayOf(from);
  if (more.length > 0 || (from === "" && to === "")) return null;
  const [begins, ends] = [dayOf(from), dayOf(to)];
  if ((from !== "" && begins === null) || (to !== "" && ends === null)) return null;
  const [first, last] = [begins?.first ?? null, ends?.last ?? null];
  return first !== null && last !== null && last < first ? null : { kind: "interval", first, last };
}
