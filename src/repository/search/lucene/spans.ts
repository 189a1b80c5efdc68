// What a written number, day or moment covers (R27; reference 2.6, partial dates): a year all its days, a minute all
// its milliseconds. Pure.
import { isDay } from "../../../shared/time/day.ts";
import { dayRange } from "../query/days.ts";

export type Span = { readonly from: number; readonly to: number };

const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;

export function spanOf(text: string, kind: "number" | "instant" | "day"): Span | null {
  if (kind === "day") return dayRange(text);
  if (kind === "instant") return instantSpan(text);
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? { from: number, to: number } : null;
}

const DAY_MS = 86_400_000;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** From the first millisecond of a year, month, day, minute, second to its last (UTC if no zone is stated). */
function instantSpan(text: string): Span | null {
  const [, day, minute, second, fraction, zone = "Z"] = MOMENT.exec(text) ?? [];
  if (day !== undefined) {
    if (!isDay(day)) return null;
    const from = Date.parse(`${day}T${minute}:${second ?? "00"}${fraction?.slice(0, 4) ?? ""}${zone}`);
    if (Number.isNaN(from)) return null;
    return { from, to: from + (fraction !== undefined ? 0 : second !== undefined ? 999 : 59_999) };
  }
  const days = dayRange(text);
  if (days === null) return null;
  return { from: startOfDay(days.from), to: startOfDay(days.to) + DAY_MS - 1 };
}

function startOfDay(number: number): number {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(number / 10_000), (Math.floor(number / 100) % 100) - 1, number % 100);
  return date.getTime();
}
