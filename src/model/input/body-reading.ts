// Bodies of the records interface other than records (R37): communities, members, requests, comments. Every member that
// is wrong is named, with the sentence that clients of existing record repositories know.
import { isObject, memberOf } from "../../shared/fields.ts";
import { type FieldError, invalidRecord, RECORD_SENTENCES } from "./record-refusals.ts";

const SENTENCES = {
  missing: RECORD_SENTENCES.missing,
  empty: "Field may not be null.",
  text: "Not a valid string.",
  flag: "Not a valid boolean.",
  list: "Not a valid list.",
  shape: "Invalid input type.",
  unknown: "Unknown field.",
} as const;

type TextRule = {
  readonly min?: number;
  readonly max?: number;
  /** The sentence for a value that is too short or too long. */
  readonly length?: string;
  readonly required?: boolean;
};

export type BodyReading = {
  /** Notes that something is wrong. */
  readonly fail: (field: string, ...messages: readonly string[]) => null;
  /**
   * An object; null where there is none, or another thing. Other members than `known` are refused where those are
   * given.
   */
  readonly object: (
    value: unknown,
    field: string,
    rule?: { readonly required?: boolean; readonly known?: readonly string[] },
  ) => object | null;
  /** Trimmed; null where it is absent or does not fit. */
  readonly text: (value: unknown, field: string, rule?: TextRule) => string | null;
  readonly choice: <T extends string>(
    value: unknown,
    field: string,
    choices: readonly T[],
    required?: boolean,
  ) => T | null;
  readonly flag: (value: unknown, field: string) => boolean | null;
  /** Null where it is absent; `most` members. */
  readonly list: (value: unknown, field: string, most: number, required?: boolean) => readonly unknown[] | null;
  /** @throws Refusal `invalid` naming everything that was wrong. */
  readonly end: () => void;
};

export function bodyReading(): BodyReading {
  const errors: FieldError[] = [];
  const fail = (field: string, ...messages: readonly string[]): null => {
    errors.push({ field, messages });
    return null;
  };

  /** Whether there is something to read; reports a required member that is missing. */
  function isThere(value: unknown, field: string, required: boolean): boolean {
    if (value === undefined) {
      if (required) fail(field, SENTENCES.missing);
      return false;
    }
    if (value === null) fail(field, SENTENCES.empty);
    return value !== null;
  }

  return {
    fail,
    object(value, field, { required = false, known } = {}) {
      if (!isThere(value, field, required)) return null;
      if (!isObject(value)) return fail(field, SENTENCES.shape);
      for (const name of Object.keys(value)) {
        if (known?.includes(name) === false) fail(`${field}.${name.slice(0, 100)}`, SENTENCES.unknown);
      }
      return value;
    },
    text(value, field, { min = 0, max = Number.MAX_SAFE_INTEGER, length, required = false } = {}) {
      if (!isThere(value, field, required)) return null;
      if (typeof value !== "string") return fail(field, SENTENCES.text);
      const text = value.replaceAll("\0", "").toWellFormed().trim();
      const characters = text.length > max ? [...text].length : text.length;
      if (characters < min) return fail(field, length ?? `Shorter than minimum length ${min}.`);
      if (characters > max) return fail(field, length ?? `Longer than maximum length ${max}.`);
      return text;
    },
    choice(value, field, choices, required = false) {
      if (!isThere(value, field, required)) return null;
      if (typeof value !== "string") return fail(field, SENTENCES.text);
      const found = choices.find((each) => each === value);
      return found ?? fail(field, `Must be one of: ${choices.join(", ")}.`);
    },
    flag(value, field) {
      if (!isThere(value, field, false)) return null;
      return typeof value === "boolean" ? value : fail(field, SENTENCES.flag);
    },
    list(value, field, most, required = false) {
      if (!isThere(value, field, required)) return null;
      if (!Array.isArray(value)) return fail(field, SENTENCES.list);
      if (value.length > most) return fail(field, `Longer than maximum length ${most}.`);
      return value;
    },
    end() {
      if (errors.length > 0) throw invalidRecord(errors);
    },
  };
}

/** The body as an object. @throws Refusal `invalid` for an absent body, and for any other value. */
export function bodyObject(body: unknown): object {
  if (isObject(body)) return body;
  throw invalidRecord([{ field: "_schema", messages: [SENTENCES.shape] }]);
}

/**
 * An id as text, whether it was sent as text or as a number; "" where there is none. Anything else is for the reader to
 * refuse.
 */
export const idText = (value: unknown): unknown => (typeof value === "number" ? String(value) : (value ?? ""));

/** A member by its name, of an object or of undefined. */
export const partOf = (value: object | null, name: string): unknown =>
  value === null ? undefined : memberOf(value, name);
