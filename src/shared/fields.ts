// The one reader of what comes from outside: a field is a schema, a reader and the sentence that states what a value
// must be. Bodies, settings, the apply file, item types and their descriptions are put together from fields.

import { type SchemaOptions, type TSchema, Type } from "@sinclair/typebox";
import {
  BODY,
  FaultList,
  type FaultReason,
  FieldFault,
  faultSentence,
  NO_TEXT,
  QUOTED_MAX,
  unfit,
} from "./field-faults.ts";
import { isObject, memberOf } from "./objects.ts";
import { nearest } from "./text/nearest-word.ts";

/** `read` throws FieldFault that names `path` and the value. `optional`: an object need not have it. */
export type Field<T> = {
  readonly schema: TSchema;
  readonly read: (value: unknown, path: string) => T;
  readonly optional?: boolean;
};
export type OptionalField<T> = Field<T> & { readonly optional: true };
export type Fields = { readonly [name: string]: Field<unknown> };
export type ValueOf<F> = F extends Field<infer T> ? T : never;
export type FieldValues<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { readonly optional: true } ? never : K]: ValueOf<F[K]>;
} & { readonly [K in keyof F as F[K] extends { readonly optional: true } ? K : never]?: ValueOf<F[K]> };

/**
 * What a caller sent, read when the use case calls it: after the caller's rights are known, so that a fault of a body
 * never tells a stranger that something exists. @throws FieldFault with all faults
 */
export type Sent<T> = () => T;

/** The field with faults in other sentences: those of an interface with its own wording. */
export const worded = <T>(field: Field<T>, inWords: (fault: FieldFault) => FieldFault): Field<T> => ({
  ...field,
  read(value, path) {
    try {
      return field.read(value, path);
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      const all = error.all.map(inWords);
      const [first = error] = all;
      first.all = all;
      throw first;
    }
  },
});

/** A field with rules that depend on what is stored: described without it, and read when the use case knows it. */
export function dependent<Known, T>(fieldOf: (known: Known) => Field<T>, none: Known): Field<(known: Known) => T> {
  // Many bodies are read with the same knowledge.
  let last = { known: none, field: fieldOf(none) };
  return {
    schema: last.field.schema,
    read: (value, path) => (known) => {
      if (last.known !== known) last = { known, field: fieldOf(known) };
      return last.field.read(value, path);
    },
  };
}

/** The fields as members that an object need not have. */
export const optionalFields = <F extends Fields>(
  fields: F,
): { readonly [K in keyof F]: OptionalField<ValueOf<F[K]>> } =>
  // Each field stays what it was.
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)])) as never;

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
      if (typeof value !== "string") throw unfit(path, value, "must be a string", NO_TEXT);
      if (filled && value === "") throw unfit(path, value, "must not be empty");
      if (value.length > max && [...value].length > max) {
        const reason: FaultReason = { kind: "length", min: 0, max, short: false };
        throw unfit(path, value, `may have ${max} characters at most`, reason);
      }
      if (value.includes("\0") || !value.isWellFormed()) throw unfit(path, value, "must be text without NUL");
      return value;
    },
  };
}

/**
 * Text of one line or more as the records interface takes it: NUL removed, trimmed, then `min` to `max` characters.
 * `sentence`: the sentence about a length that does not fit, where the specification fixes it.
 */
export function trimmed(limits: {
  readonly min?: number;
  readonly max: number;
  readonly sentence?: string;
  readonly about?: FieldDescription;
}): Field<string> {
  const { min = 0, max, sentence, about = {} } = limits;
  return {
    schema: Type.String({ ...about, ...(min === 0 ? {} : { minLength: min }), maxLength: max }),
    read(value, path) {
      if (typeof value !== "string") throw unfit(path, value, "must be text", NO_TEXT);
      const text = value.replaceAll("\0", "").toWellFormed().trim();
      const characters = text.length > max ? [...text].length : text.length;
      if (characters >= min && characters <= max) return text;
      if (sentence !== undefined) throw faultSentence(path, sentence);
      const reason: FaultReason = { kind: "length", min, max, short: characters < min };
      throw unfit(path, value, `must be text of ${min} to ${max} characters`, reason);
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
      throw unfit(path, value, "must be true or false", { kind: "type", type: "flag" });
    },
  };
}

export const flag = boolean();

export function oneOf<const T extends string | number>(values: readonly T[], about: FieldDescription = {}): Field<T> {
  return {
    schema: Type.Union(
      values.map((each) => Type.Literal(each)),
      about,
    ),
    read(value, path) {
      const found = values.find((each) => each === value);
      if (found !== undefined) return found;
      const reason: FaultReason =
        typeof value === "string" || typeof value === "number" ? { kind: "choice", values } : NO_TEXT;
      throw unfit(path, value, `must be one of ${values.join(", ")}`, reason);
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
  throw unfit(path, value, "must be a list", { kind: "type", type: "list" });
}

/** At most `max` values in their order; a value may be repeated. */
export function sequenceOf<T>(item: Field<T>, max: number): Field<readonly T[]> {
  return {
    schema: Type.Array(item.schema, { maxItems: max }),
    read(value, path) {
      const list = anyListOf(value, path);
      if (list.length > max) {
        const reason: FaultReason = { kind: "length", min: 0, max, short: false };
        throw unfit(path, list.length, `must have at most ${max} entries`, reason);
      }
      const faults = new FaultList();
      const read = list.map((each, index) => faults.collect(() => item.read(each, `${path}[${index}]`)));
      faults.end();
      // Where a member could not be read, `end` has thrown.
      return read as readonly T[];
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

/** A body in the shape of `field` that the use case reads itself, once it has looked up what the body names. */
export const unread = (field: Field<unknown>): Field<unknown> => ({ ...field, read: (value) => value });

/** A member that an object need not have. */
export function optional<F extends Field<unknown>>(field: F): F & { readonly optional: true } {
  return { ...field, schema: Type.Optional(field.schema), optional: true };
}

/** The field with one sentence for whatever is wrong, where the specification fixes it. */
export const withSentence = <T>(field: Field<T>, sentence: string): Field<T> => ({
  ...field,
  read(value, path) {
    try {
      return field.read(value, path);
    } catch (error) {
      throw error instanceof FieldFault ? faultSentence(path, sentence) : error;
    }
  },
});

/** The field with a separate rule after it; `then` throws FieldFault, or returns what the value becomes. */
export function refined<T, U>(field: Field<T>, then: (value: T, path: string) => U): Field<U> {
  return { schema: field.schema, read: (value, path) => then(field.read(value, path), path) };
}

type ObjectRule = SchemaOptions & {
  /** Members that are none of these: refused, unless the interface ignores them. */
  readonly others?: "ignored";
};

/** An object with all of these members, but for the optional ones, and no other. */
export function object<F extends Fields>(fields: F, rule: ObjectRule = {}): Field<FieldValues<F>> {
  const { others, ...about } = rule;
  const schemas = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema]));
  return {
    schema: Type.Object(schemas, { ...about, additionalProperties: others === "ignored" }),
    read(value, path) {
      const given = objectOf(value, path);
      const faults = new FaultList();
      if (others === undefined) faults.collect(() => refuseUnknown(given, Object.keys(fields), path));
      const read: [string, unknown][] = [];
      for (const [name, field] of Object.entries(fields)) {
        const at = path === "" ? name : `${path}.${name}`;
        const member = memberOf(given, name);
        if (member !== undefined) read.push([name, faults.collect(() => field.read(member, at))]);
        else if (field.optional !== true) faults.add(new FieldFault(at, "is missing", null, { kind: "missing" }));
      }
      faults.end();
      // Every name of `fields` was read with its own field just above.
      return Object.fromEntries(read) as FieldValues<F>;
    },
  };
}

export function objectOf(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw unfit(path === "" ? BODY : path, value, "must be an object", { kind: "type", type: "object" });
}

/** Throws FieldFault for each member that is none of `known`, with the one that was probably meant. */
function refuseUnknown(given: object, known: readonly string[], path: string): void {
  const faults = new FaultList();
  for (const stray of Object.keys(given)) {
    if (!known.includes(stray)) faults.add(unknownMember(stray, known, path));
  }
  faults.end();
}

function unknownMember(name: string, known: readonly string[], path: string): FieldFault {
  const stray = name.slice(0, QUOTED_MAX);
  const near = nearest(stray, known);
  const meant = near === null ? `; there are ${known.join(", ")}` : `: did you mean ${near}?`;
  const where = path === "" ? "" : ` in ${path}`;
  const message = `Unknown member "${stray}"${where}${meant}`;
  return new FieldFault(path === "" ? stray : `${path}.${stray}`, "", null, { kind: "unknown", name, known }, message);
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
