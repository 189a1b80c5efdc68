// Moments as callers write them (RFC 3339) and as the service keeps them: UTC text with milliseconds and `Z` (A16,
// A17).
import type { Brand } from "../brand.ts";

/** A moment as UTC ISO 8601 text with milliseconds and `Z`: such texts sort by time, in the database as well. */
export type Instant = Brand<string, "instant">;

const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const DATE_ONLY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The instant an RFC 3339 text names; a date alone is the beginning of that day in UTC. Null when it names none. */
export function readInstant(text: string): Instant | null {
  const parts = RFC_3339.exec(text) ?? DATE_ONLY.exec(text);
  if (parts === null || !isDay(Number(parts[1]), Number(parts[2]), Number(parts[3]))) return null;
  const time = Date.parse(text.toUpperCase().replace(" ", "T"));
  if (Number.isNaN(time)) return null;
  const instant = new Date(time).toISOString();
  return instant.length === 24 ? instant : null;
}

/** False for days that no calendar has, which `Date.parse` would carry over into the next month. */
function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export function addMilliseconds(instant: Instant, milliseconds: number): Instant {
  return new Date(Date.parse(instant) + milliseconds).toISOString();
}
