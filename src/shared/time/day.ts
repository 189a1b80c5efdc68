// Calendar days in the repository's time zone (R2d, SVC_TIME_ZONE).
import type { Brand } from "../brand.ts";
import type { Instant } from "./instant.ts";

/** A calendar day, `YYYY-MM-DD`, in the repository's time zone (SVC_TIME_ZONE). */
export type Day = Brand<string, "day">;

const formats = new Map<string, Intl.DateTimeFormat>();
/** The minute that was asked about last in a time zone, and its day: days begin with a minute. */
const latest = new Map<string, { readonly minute: number; readonly day: Day }>();
const MINUTE_MS = 60_000;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  // The calendar and the digits are named: otherwise they are the machine's.
  const made = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  formats.set(timeZone, made);
  return made;
}

/**
 * The day it is at this moment in an IANA time zone, `YYYY-MM-DD`.
 *
 * @throws RangeError for an unknown time zone, or a text that is not a timestamp.
 */
export function dayIn(timeZone: string, instant: Instant): Day {
  const minute = Math.floor(Date.parse(instant) / MINUTE_MS);
  const known = latest.get(timeZone);
  if (known?.minute === minute) return known.day;
  const parts = formatOf(timeZone).formatToParts(new Date(instant));
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? "";
  const day = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
  latest.set(timeZone, { minute, day });
  return day;
}

/** The first minute of the day that it is at this moment. Days are as long as clocks are put forward or back. */
export function dayStart(timeZone: string, instant: Instant): Instant {
  const format = formatOf(timeZone);
  const now = Math.floor(Date.parse(instant) / MINUTE_MS);
  const today = format.format(now * MINUTE_MS);
  let [before, within] = [now - LONGEST_DAY_MINUTES, now];
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (format.format(middle * MINUTE_MS) === today) within = middle;
    else before = middle;
  }
  return new Date(within * MINUTE_MS).toISOString();
}

/** The first minute of a day. */
export function momentOf(timeZone: string, day: Day): Instant {
  const noon = `${day}T12:00:00.000Z`;
  // East of UTC+12 the next day has begun by then.
  return dayStart(timeZone, dayIn(timeZone, noon) === day ? noon : `${day}T00:00:00.000Z`);
}

/** No time zone has a day longer than two: some have had one twice. */
const LONGEST_DAY_MINUTES = 2 * 24 * 60;

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** True for a day the calendar has, written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const parts = DAY.exec(text);
  if (parts === null) return false;
  const [, year, month, day] = parts.map(Number);
  const time = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day));
  time.setUTCFullYear(year ?? 0);
  return time.toISOString().slice(0, 10) === text;
}

export const laterDay = (one: Day, other: Day): Day => (one > other ? one : other);
