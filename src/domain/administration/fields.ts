// Fields of what an administrator sets (R17): each reads its value from JSON, refuses what it cannot be, naming place and value, and
// describes itself for the interface description.
import { type TSchema, Type } from "@sinclair/typebox";
import { nearest } from "../nearest.ts";
import { RepositoryRefusal } from "../repository/refusal.ts";

/** `read` throws RepositoryRefusal (invalid) that names `place` and the value. */
export type Field<T> = { readonly schema: TSchema; readonly read: (value: unknown, place: string) => T };
export type Fields = { readonly [name: string]: Field<unknown> };
export type Read<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

/** Characters of a value that an error quotes. */
const QUOTED_MAX = 100;

export function unfit(place: string, value: unknown, rule: string): RepositoryRefusal {
  const quoted = JSON.stringify(value) ?? "nothing";
  const short = quoted.length > QUOTED_MAX ? `${quoted.slice(0, QUOTED_MAX)}…` : quoted;
  return new RepositoryRefusal("invalid", `${place} ${rule}, not ${short}`);
}

/** Text of one line without control characters, trimmed. */
export function text(limits: {
  readonly min?: number;
  readonly max: number;
  readonly pattern?: RegExp;
}): Field<string> {
  const { min = 0, max, pattern } = limits;
  const rule = `must be text of ${min} to ${max} characters${pattern === undefined ? "" : ` like ${pattern.source}`}`;
  return {
    schema: Type.String({
      minLength: min,
      maxLength: max,
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    }),
    read(value, place) {
      if (typeof value !== "string") throw unfit(place, value, rule);
      const trimmed = value.trim();
      const fits = trimmed.length >= min && trimmed.length <= max && pattern?.test(trimmed) !== false;
      if (!fits || /\p{Cc}/u.test(trimmed) || !trimmed.isWellFormed()) throw unfit(place, value, rule);
      return trimmed;
    },
  };
}

export function whole(min: number, max: number): Field<number> {
  return {
    schema: Type.Integer({ minimum: min, maximum: max }),
    read(value, place) {
      if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max) return value;
      throw unfit(place, value, `must be a whole number from ${min} to ${max}`);
    },
  };
}

/** A number the database gave out. */
export const idField = whole(1, Number.MAX_SAFE_INTEGER);

export const flag: Field<boolean> = {
  schema: Type.Boolean(),
  read(value, place) {
    if (typeof value === "boolean") return value;
    throw unfit(place, value, "must be true or false");
  },
};

export function oneOf<const T extends string | number>(values: readonly T[]): Field<T> {
  return {
    schema: Type.Union(values.map((each) => Type.Literal(each))),
    read(value, place) {
      const found = values.find((each) => each === value);
      if (found === undefined) throw unfit(place, value, `must be one of ${values.join(", ")}`);
      return found;
    },
  };
}

/** Each value once, at most `max`. */
export function listOf<T>(item: Field<T>, max: number): Field<readonly T[]> {
  return {
    schema: Type.Array(item.schema, { maxItems: max }),
    read(value, place) {
      if (!Array.isArray(value)) throw unfit(place, value, "must be a list");
      if (value.length > max) throw unfit(place, value.length, `must have at most ${max} entries`);
      const read = value.map((each, index) => item.read(each, `${place}[${index}]`));
      return read.filter((each, index) => typeof each === "object" || read.indexOf(each) === index);
    },
  };
}

export function orNull<T>(item: Field<T>): Field<T | null> {
  return {
    schema: Type.Union([item.schema, Type.Null()]),
    read: (value, place) => (value === null ? null : item.read(value, place)),
  };
}

/** A text for each name, such as `props` of a vocabulary entry. */
export function textRecord(limits: {
  readonly entries: number;
  readonly max: number;
}): Field<Readonly<Record<string, string>>> {
  const [name, entry] = [text({ min: 1, max: 100 }), text({ max: limits.max })];
  return {
    schema: Type.Record(Type.String(), entry.schema),
    read(value, place) {
      const entries = Object.entries(objectOf(value, place));
      if (entries.length > limits.entries)
        throw unfit(place, entries.length, `must have at most ${limits.entries} members`);
      return Object.fromEntries(
        entries.map(([key, each]) => [name.read(key, place), entry.read(each, `${place}.${key}`)]),
      );
    },
  };
}

/** Any JSON object, looked at elsewhere. */
export const free: Field<object> = {
  schema: Type.Object({}, { additionalProperties: true }),
  read: (value, place) => objectOf(value, place),
};

/** An object with all of these members and no other. */
export function object<F extends Fields>(fields: F): Field<Read<F>> {
  return {
    schema: Type.Object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema]))),
    read(value, place) {
      const given = objectOf(value, place);
      refuseUnknown(Object.keys(given), Object.keys(fields), place);
      const read = Object.entries(fields).map(([name, field]) => {
        const at = place === "" ? name : `${place}.${name}`;
        const member = Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined;
        if (member === undefined) throw new RepositoryRefusal("invalid", `${at} is missing`);
        return [name, field.read(member, at)];
      });
      // Every name of `fields` was read with its own field just above.
      return Object.fromEntries(read) as Read<F>;
    },
  };
}

export function objectOf(value: unknown, place: string): object {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw unfit(place === "" ? "The body" : place, value, "must be an object");
}

function refuseUnknown(given: readonly string[], known: readonly string[], place: string): void {
  const stray = given.find((name) => !known.includes(name));
  if (stray === undefined) return;
  const near = nearest(stray, known);
  const meant = near === null ? `; there are ${known.join(", ")}` : `: did you mean ${near}?`;
  const where = place === "" ? "" : ` in ${place}`;
  throw new RepositoryRefusal("invalid", `Unknown member "${stray.slice(0, QUOTED_MAX)}"${where}${meant}`);
}

/** Text in both languages of the pages. */
export const bilingual = (max: number) => object({ en: text({ min: 1, max }), ja: text({ min: 1, max }) });

/**
 * What a record becomes: the members that were sent over those it has (or starts with). Members only the repository sets (`own`) may
 * stand there, as GET gave them, and change nothing.
 */
export function changed<F extends Fields>(
  fields: F,
  before: { readonly [K in keyof F]?: unknown },
  sent: unknown,
  own: readonly string[],
): Read<F> {
  const given = Object.entries(objectOf(sent, "")).filter(([name]) => !own.includes(name));
  return object(fields).read({ ...before, ...Object.fromEntries(given) }, "");
}
