// The one reader of what comes from outside: a field is a schema, a reader and the sentence that states what a value
// must be. Bodies, settings, the apply file, item types and their descriptions are put together from fields.

import { type SchemaOptions, type TSchema, Type } from "@sinclair/typebox";
import { Refusal } from "./refusal.ts";
import { nearest } from "./text/nearest-word.ts";

/** `read` throws FieldFault that names `path` and the value. */
export type Field<T> = { readonly schema: TSchema; readonly read: (value: unknown, path: string) => T };
export type Fields = { readonly [name: string]: Field<unknown> };
export type FieldValues<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

/** What a value must be and is not. Interfaces with their own wording use the parts. */
export class FieldFault extends Refusal {
  readonly path: string;
  /** What holds there: `must be true or false`. */
  readonly rule: string;
  /** The value as it is returned; null where the rule is enough. */
  readonly shown: string | null;

  constructor(path: string, rule: string, shown: string | null = null) {
    super("invalid", `${path} ${sentenceOf(rule, shown)}`.trimEnd());
    this.path = path;
    this.rule = rule;
    this.shown = shown;
  }

  /** The sentence behind the path. */
  get sentence(): string {
    return sentenceOf(this.rule, this.shown);
  }
}

const sentenceOf = (rule: string, shown: string | null): string => (shown === null ? rule : `${rule}, not ${shown}`);

/** Characters of a value that an error quotes. */
const QUOTED_MAX = 100;

/**
 * A value as an error returns it: short, well-formed, and never the inside of an object or list, which may be of any
 * depth.
 */
export function quoted(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  const text = typeof value === "string" ? value.slice(0, QUOTED_MAX + 1).toWellFormed() : String(value);
  const short = text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text;
  return typeof value === "string" ? JSON.stringify(short) : short;
}

/** The fault of a value that breaks a rule: `must be true or false, not 7`. */
export function unfit(path: string, value: unknown, rule: string): FieldFault {
  return new FieldFault(path, rule, quoted(value));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member of that name; undefined where the object itself has none. */
export function memberOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** What a description adds to the rule of a field: `description`, `default`, `example`. */
type FieldDescription = Pick<SchemaOptions, "description" | "default"> & { readonly example?: unknown };

/**
 * Text of one line without control characters, trimmed. `form`: what else it must be, as a pattern and in words for
 * messages.
 */
export function text(limits: {
  readonly min?: number;
  readonly max: number;
  readonly form?: { readonly pattern: RegExp; readonly words: string };
}): Field<string> {
  const { min = 0, max, form } = limits;
  const pattern = form?.pattern;
  const rule = `must be ${form === undefined ? "text" : `${form.words},`} of ${min} to ${max} characters`;
  return {
    schema: Type.String({
      minLength: min,
      maxLength: max,
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    }),
    read(value, path) {
      if (typeof value !== "string") throw unfit(path, value, rule);
      const trimmed = value.trim();
      const fits = trimmed.length >= min && trimmed.length <= max && pattern?.test(trimmed) !== false;
      if (!fits || /\p{Cc}/u.test(trimmed) || !trimmed.isWellFormed()) throw unfit(path, value, rule);
      return trimmed;
    },
  };
}

/**
 * Text as it is written, over as many lines as it likes: `max` characters that every database can keep; not empty where
 * `filled`.
 */
export function words(max: number, about: FieldDescription = {}, filled = false): Field<string> {
  return {
    schema: Type.String({ ...about, maxLength: max }),
    read(value, path) {
      if (typeof value !== "string") throw unfit(path, value, "must be a string");
      if (filled && value === "") throw unfit(path, value, "must not be empty");
      if (value.length > max && [...value].length > max) throw unfit(path, value, `may have ${max} characters at most`);
      if (value.includes("\0") || !value.isWellFormed()) throw unfit(path, value, "must be text without NUL");
      return value;
    },
  };
}

const NO_END = Number.MAX_SAFE_INTEGER;

/** A whole number; without `max` up to the largest safe integer. */
export function whole(min: number, max: number = NO_END, about: FieldDescription = {}): Field<number> {
  const range = max === NO_END ? `of ${min} or more` : `from ${min} to ${max}`;
  return {
    schema: Type.Integer({ ...about, minimum: min, ...(max === NO_END ? {} : { maximum: max }) }),
    read(value, path) {
      // -0 is 0.
      if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max) return value + 0;
      throw unfit(path, value, `must be a whole number ${range}`);
    },
  };
}

/** A number the database gave out. */
export const idField: Field<number> = { ...whole(1), schema: Type.Integer({ minimum: 1, maximum: NO_END }) };

export function boolean(about: FieldDescription = {}): Field<boolean> {
  return {
    schema: Type.Boolean(about),
    read(value, path) {
      if (typeof value === "boolean") return value;
      throw unfit(path, value, "must be true or false");
    },
  };
}

export const flag = boolean();

export function oneOf<const T extends string | number>(values: readonly T[]): Field<T> {
  return {
    schema: Type.Union(values.map((each) => Type.Literal(each))),
    read(value, path) {
      const found = values.find((each) => each === value);
      if (found === undefined) throw unfit(path, value, `must be one of ${values.join(", ")}`);
      return found;
    },
  };
}

/** Each value once, at most `max`. */
export function listOf<T>(item: Field<T>, max: number): Field<readonly T[]> {
  const every = sequenceOf(item, max);
  return {
    schema: every.schema,
    read(value, path) {
      const seen = new Set<T>();
      const isFirst = (each: T): boolean => seen.size !== seen.add(each).size;
      return every.read(value, path).filter((each) => typeof each === "object" || isFirst(each));
    },
  };
}

/** A list whose members are read elsewhere. */
export function anyListOf(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw unfit(path, value, "must be a list");
}

/** At most `max` values in their order; a value may be repeated. */
export function sequenceOf<T>(item: Field<T>, max: number): Field<readonly T[]> {
  return {
    schema: Type.Array(item.schema, { maxItems: max }),
    read(value, path) {
      const list = anyListOf(value, path);
      if (list.length > max) throw unfit(path, list.length, `must have at most ${max} entries`);
      return list.map((each, index) => item.read(each, `${path}[${index}]`));
    },
  };
}

export function orNull<T>(item: Field<T>): Field<T | null> {
  return {
    schema: Type.Union([item.schema, Type.Null()]),
    read: (value, path) => (value === null ? null : item.read(value, path)),
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
    read(value, path) {
      const entries = Object.entries(objectOf(value, path));
      if (entries.length > limits.entries)
        throw unfit(path, entries.length, `must have at most ${limits.entries} members`);
      return Object.fromEntries(
        entries.map(([key, each]) => [name.read(key, path), entry.read(each, `${path}.${key}`)]),
      );
    },
  };
}

/** Any JSON object, checked elsewhere. */
export const free: Field<object> = {
  schema: Type.Object({}, { additionalProperties: true }),
  read: (value, path) => objectOf(value, path),
};

/** An object with all of these members and no other. */
export function object<F extends Fields>(fields: F): Field<FieldValues<F>> {
  return {
    schema: Type.Object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema]))),
    read(value, path) {
      const given = objectOf(value, path);
      refuseUnknown(given, Object.keys(fields), path);
      const read = Object.entries(fields).map(([name, field]) => {
        const at = path === "" ? name : `${path}.${name}`;
        const member = memberOf(given, name);
        if (member === undefined) throw new FieldFault(at, "is missing");
        return [name, field.read(member, at)];
      });
      // Every name of `fields` was read with its own field just above.
      return Object.fromEntries(read) as FieldValues<F>;
    },
  };
}

/** The members of `given` that these fields know, read; the others are ignored. */
export function presentOf<F extends Fields>(fields: F, given: object, path: string): Partial<FieldValues<F>> {
  const read = Object.entries(fields)
    .filter(([name]) => Object.hasOwn(given, name))
    .map(([name, field]) => [name, field.read(memberOf(given, name), `${path}.${name}`)]);
  // Every name that is there was read with its own field just above.
  return Object.fromEntries(read) as Partial<FieldValues<F>>;
}

export function objectOf(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw unfit(path === "" ? "The body" : path, value, "must be an object");
}

/** Throws FieldFault for a member that is none of `known`, with the one that was probably meant. */
function refuseUnknown(given: object, known: readonly string[], path: string): void {
  const stray = Object.keys(given).find((name) => !known.includes(name));
  if (stray === undefined) return;
  const near = nearest(stray, known);
  const meant = near === null ? `; there are ${known.join(", ")}` : `: did you mean ${near}?`;
  const where = path === "" ? "" : ` in ${path}`;
  throw new FieldFault(`Unknown member "${stray.slice(0, QUOTED_MAX)}"${where}${meant}`, "");
}

/** Text in both languages of the pages. */
export const bilingual = (max: number) => object({ en: text({ min: 1, max }), ja: text({ min: 1, max }) });

/**
 * What a record becomes: the members that were sent over those it has (or starts with). Members only the repository
 * sets (`own`) may be present, as GET returned them, and change nothing.
 */
export function changed<F extends Fields>(
  fields: F,
  before: { readonly [K in keyof F]?: unknown },
  sent: unknown,
  own: readonly string[],
): FieldValues<F> {
  const given = Object.entries(objectOf(sent, "")).filter(([name]) => !own.includes(name));
  return object(fields).read({ ...before, ...Object.fromEntries(given) }, "");
}

/**
 * The entry of a table under `key`; undefined where the table itself has none: `toString` and its like are on every
 * object.
 */
export function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

type Optional<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];
/** Members of T that may be undefined may be missing; the others are what they were. */
type WithoutUndefined<T> = Omit<T, Optional<T>> & { [K in Optional<T>]?: Exclude<T[K], undefined> };

/** The same members in the same order, without those that are undefined. */
export function withoutUndefined<T extends object>(members: T): WithoutUndefined<T> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  // Only members that are undefined are left out.
  return Object.fromEntries(present) as WithoutUndefined<T>;
}

/** `{key: value}`, or nothing when the value is absent; for spreading into objects with optional members. */
export function maybe<K extends string, Value>(key: K, value: Value | null | undefined): { readonly [P in K]?: Value } {
  return value === null || value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: Value }); // computed keys lose their type
}
