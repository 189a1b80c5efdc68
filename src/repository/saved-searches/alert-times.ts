// When the alerts of saved searches run (issue 26): in the morning of the repository's day.
import { type Day, dayStart } from "../../shared/time/day.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import type { AlertFrequency } from "../store/saved-searches.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ALERT_HOUR = 6;
const DAYS: Readonly<Record<Exclude<AlertFrequency, "never">, number>> = { daily: 1, weekly: 7 };

export type AlertTimes = { readonly timeZone: string; readonly dayOf: (at: Instant) => Day };

/** The first morning at least as many days later; null for a search without alert. */
export function nextAlert({ timeZone }: Pick<AlertTimes, "timeZone">, frequency: AlertFrequency, at: Instant) {
  if (frequency === "never") return null;
  const morning = (day: number): Instant =>
    addMilliseconds(dayStart(timeZone, addMilliseconds(at, day * DAY_MS)), ALERT_HOUR * HOUR_MS);
  const days = DAYS[frequency];
  const first = morning(days - 1);
  return first > at ? first : morning(days);
}
