// Reading of foreign JSON member by member: what is missing or of another kind is absent, never an error (R14:
// completion never refuses).

import type { Text } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject } from "../../shared/json/read.ts";
import { maybe } from "../../shared/objects.ts";

export function member(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let at = value;
  for (const key of path) at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

export function text(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = member(value, ...path);
  if (typeof found === "number") return String(found);
  return typeof found === "string" && found.trim() !== "" ? found.trim() : undefined;
}

export function list(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = member(value, ...path);
  return isJsonArray(found) ? found.filter((each) => each !== null) : [];
}

export function textWith(value: string, lang: string | undefined): Text {
  return { value, ...maybe("lang", lang) };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: " " };

/** The words of marked-up text (JATS, HTML), without elements, entities decoded, white space closed up. */
export function withoutMarkup(markup: string): string {
  return markup
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      if (Number.isInteger(code))
        return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : " ";
      return ENTITIES[String(name).toLowerCase()] ?? whole;
    })
    .replace(/\s+/g, " ")
    .trim();
}

/** A date of parts `[2020, 1, 31]` as `2020-01-31`. */
export function dateOfParts(value: Json | undefined): string | undefined {
  const parts = list(list(value, "date-parts")[0]).map(Number);
  const [year, month, day] = parts;
  if (year === undefined || !Number.isInteger(year) || year < 1 || year > 9999) return undefined;
  const two = (part: number): string => String(part).padStart(2, "0");
  const isMonth = month !== undefined && Number.isInteger(month) && month >= 1 && month <= 12;
  const isDay = isMonth && day !== undefined && Number.isInteger(day) && day >= 1 && day <= 31;
  return String(year).padStart(4, "0") + (isMonth ? `-${two(month)}` : "") + (isDay ? `-${two(day)}` : "");
}
