// Members of the apply file beyond the fields everybody reads (src/shared/fields.ts), and how one row of it is read.
// Nothing is corrected silently, and every problem of a row is reported, not only the first.
import { Type } from "@sinclair/typebox";
import { FieldFault, quoted, unfit } from "../../shared/field-faults.ts";
import type { Field, Fields } from "../../shared/fields.ts";
import { isWebUrl } from "../../shared/http/web-url.ts";
import { isObject, memberOf } from "../../shared/objects.ts";
import { nearest } from "../../shared/text/nearest-word.ts";
import { type Instant, readInstant } from "../../shared/time/instant.ts";
import { parseNaan } from "../syntax.ts";

/** Something wrong with the file: where, and what. */
export type Problem = { readonly path: string; readonly message: string };

/** A field without which its row is none. */
type RequiredField<T> = Field<T> & { readonly required: true };

/** A row of the file. `undefined`: not in the file, so the stored value stays. */
export type Entry<F extends Fields> = { readonly path: string } & {
  readonly [K in keyof F]: F[K] extends RequiredField<infer T>
    ? T
    : F[K] extends Field<infer T>
      ? T | undefined
      : never;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const CONTROL = /[\u0000-\u001F\u007F]/;
const URL_MAX = 2048;

export function required<T>(field: Field<T>): RequiredField<T> {
  return { ...field, required: true };
}

/** One line of text as it is written; null means empty. */
export function line(max: number): Field<string> {
  return {
    schema: Type.String({ maxLength: max }),
    read(value, path) {
      if (value === null) return "";
      if (typeof value !== "string") throw unfit(path, value, "must be text");
      if (value.length > max) {
        throw new FieldFault(path, `must not be longer than ${max} characters (it has ${value.length})`);
      }
      if (CONTROL.test(value)) throw new FieldFault(path, "must not hold control characters or line breaks");
      return value;
    },
  };
}

/** One line of text that may not be empty or begin or end with blanks. */
export function filledLine(max: number): Field<string> {
  const { schema, read } = line(max);
  return {
    schema,
    read(value, path) {
      const text = read(value, path);
      if (text.trim() === "") throw new FieldFault(path, "must not be empty");
      if (text.trim() !== text) {
        throw new FieldFault(path, `must not begin or end with a blank: ${quoted(value)}`);
      }
      return text;
    },
  };
}

/** An absolute http or https URL; null and the empty string mean none. */
export const webUrl: Field<string> = {
  schema: Type.String({ maxLength: URL_MAX }),
  read(value, path) {
    const text = line(URL_MAX).read(value, path);
    if (text === "" || isWebUrl(text)) return text;
    throw unfit(path, value, "must be an absolute http or https URL");
  },
};

/** A list of different words out of a fixed set. */
export function someOf<const T extends string>(values: readonly T[]): Field<readonly T[]> {
  return {
    schema: Type.Array(Type.Union(values.map((each) => Type.Literal(each)))),
    read(value, path) {
      if (!Array.isArray(value)) throw unfit(path, value, "must be a list");
      const given = new Set<unknown>(value);
      const unknown = [...given].filter((word) => !values.some((known) => known === word));
      if (unknown.length > 0) {
        throw new FieldFault(path, `holds unknown ${unknown.map(quoted).join(", ")}; known: ${values.join(", ")}`);
      }
      return values.filter((known) => given.has(known));
    },
  };
}

/** The empty string and null both mean "none". */
export function orNone(field: Field<string>): Field<string | null> {
  return {
    schema: Type.Union([field.schema, Type.Null()]),
    read: (value, path) => (value === null || value === "" ? null : field.read(value, path)),
  };
}

/** A moment, RFC 3339 with a time zone, or a date alone (its first moment in UTC). */
export const instant: Field<Instant> = {
  schema: Type.String({ format: "date-time" }),
  read(value, path) {
    const read = typeof value === "string" ? readInstant(value) : null;
    if (read !== null) return read;
    throw unfit(path, value, "must be a moment like 2026-12-31T00:00:00Z or a date like 2026-12-31");
  },
};

export const naanText: Field<string> = {
  schema: Type.String(),
  read(value, path) {
    const naan = typeof value === "string" ? parseNaan(value) : null;
    if (naan !== null) return naan;
    const hint = typeof value === "number" ? " (write it in quotes)" : "";
    throw new FieldFault(path, `must be a NAAN: up to 16 of 0-9 and bcdfghjkmnpqrstvwxz, not ${quoted(value)}${hint}`);
  },
};

/**
 * Reads one row; every problem of it goes to `problems`. A row whose optional members are wrong is returned without
 * them, so that rows which speak of it are not blamed as well; one without its required members is null.
 */
export function readEntry<F extends Fields>(
  fields: F,
  value: unknown,
  path: string,
  problems: Problem[],
): Entry<F> | null {
  if (!isObject(value)) {
    problems.push({ path, message: `must be an object, not ${quoted(value)}` });
    return null;
  }
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) problems.push(unknownMember(name, path, Object.keys(fields)));
  }
  const entry: Record<string, unknown> = { path };
  let usable = true;
  for (const [name, field] of Object.entries(fields)) {
    const isRequired = "required" in field;
    try {
      if (Object.hasOwn(value, name)) entry[name] = field.read(memberOf(value, name), `${path}.${name}`);
      else if (isRequired) throw new FieldFault(path, `lacks the member ${quoted(name)}`);
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      problems.push({ path: error.path, message: error.sentence });
      usable &&= !isRequired;
    }
  }
  // The loop above has filled every required member of the table, and the others where they were given.
  return usable ? (entry as Entry<F>) : null;
}

export function unknownMember(name: string, path: string, known: readonly string[]): Problem {
  const near = nearest(name, known);
  const hint = near === null ? `known: ${known.join(", ")}` : `did you mean ${quoted(near)}?`;
  return { path: path === "" ? name : `${path}.${name}`, message: `is not known here; ${hint}` };
}
