// Parameters of lists that grow (R9b): each once, none that is unknown, and pages of a bounded size.
import { quoted } from "../../shared/fields.ts";
import { Refusal } from "../../shared/refusal.ts";
import { nearest } from "../../shared/text/nearest-word.ts";
import { type Instant, readInstant } from "../../shared/time/instant.ts";

export const LIST_DEFAULT = 50;
export const LIST_MAX = 500;
/** Characters of one parameter. */
const PARAMETER_MAX = 500;

export type Parameters = { readonly [name: string]: string | undefined };

/** @throws Refusal `invalid` for a parameter that is unknown, sent twice, empty or too long */
export function readParameters(sent: URLSearchParams, known: readonly string[]): Parameters {
  const read = new Map<string, string>();
  for (const [name, value] of sent) {
    if (!known.includes(name)) {
      const near = nearest(name, known);
      const hint = near === null ? `known are ${known.join(", ")}` : `did you mean ${near}?`;
      throw new Refusal("invalid", `Unknown parameter ${quoted(name)}: ${hint}`);
    }
    if (read.has(name)) throw new Refusal("invalid", `${name} must be sent once`);
    if (value === "" || value.length > PARAMETER_MAX || value.includes("\0") || !value.isWellFormed()) {
      throw new Refusal("invalid", `${name} must be text of 1 to ${PARAMETER_MAX} characters, not ${quoted(value)}`);
    }
    read.set(name, value);
  }
  return Object.fromEntries(read);
}

export function limitIn({ limit }: Parameters): number {
  return numberIn({ limit }, "limit", LIST_MAX) ?? LIST_DEFAULT;
}

export function numberIn(given: Parameters, name: string, max: number = Number.MAX_SAFE_INTEGER): number | undefined {
  const text = given[name];
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,15}$/.test(text) && Number(text) <= max) return Number(text);
  const range = max === Number.MAX_SAFE_INTEGER ? "of 1 or more" : `from 1 to ${max}`;
  throw new Refusal("invalid", `${name} must be a whole number ${range}, not ${quoted(text)}`);
}

export function oneOfIn<const T extends string>(given: Parameters, name: string, values: readonly T[]): T | undefined {
  const text = given[name];
  const found = values.find((each) => each === text);
  if (text === undefined || found !== undefined) return found;
  throw new Refusal("invalid", `${name} must be one of ${values.join(", ")}, not ${quoted(text)}`);
}

export function momentIn(given: Parameters, name: string): Instant | undefined {
  const text = given[name];
  if (text === undefined) return undefined;
  const moment = readInstant(text);
  if (moment !== null) return moment;
  throw new Refusal("invalid", `${name} must be a day or a moment like 2026-01-31T12:00:00Z, not ${quoted(text)}`);
}

/** The cursor of the next page is part of the page before it. */
export const unknownCursor = (cursor: string): Refusal =>
  new Refusal("invalid", `cursor must be "next" of the page before, not ${quoted(cursor)}`);
