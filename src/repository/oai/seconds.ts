// Moments as harvesters write them (OAI-PMH 2.0 section 3.3): UTC, to the day or to the second.
import { isDay } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { Second } from "../store/harvest.ts";

type Granularity = "day" | "second";
export type UtcMoment = { readonly text: string; readonly granularity: Granularity };

const SECOND = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** Null for a text that names no moment of the calendar. */
export function readUtcMoment(text: string): UtcMoment | null {
  if (isDay(text)) return { text, granularity: "day" };
  const day = SECOND.exec(text)?.[1];
  return day !== undefined && isDay(day) ? { text, granularity: "second" } : null;
}

export const firstSecondOf = ({ text, granularity }: UtcMoment): Second =>
  granularity === "day" ? `${text}T00:00:00Z` : text;
export const lastSecondOf = ({ text, granularity }: UtcMoment): Second =>
  granularity === "day" ? `${text}T23:59:59Z` : text;

/** The second that contains a moment. */
export const secondOf = (at: Instant): Second => `${at.slice(0, 19)}Z`;
export const laterBy = (second: Second, seconds: number): Second =>
  secondOf(new Date(Date.parse(second) + seconds * 1000).toISOString());

// They sort as texts.
export const laterOf = (one: Second, other: Second): Second => [one, other].sort()[1] ?? one;
export const earlierOf = (one: Second, other: Second): Second => [one, other].sort()[0] ?? one;
