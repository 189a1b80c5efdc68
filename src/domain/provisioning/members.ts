// How one member of the apply file is read: a table of small readers (issue "Provisioning as data").
// Every reader gives back a value or says in one sentence what is wrong; nothing is corrected silently.

import type { Instant } from "../ark/record.ts";
import { parseNaan } from "../ark/syntax.ts";
import { readInstant } from "../instant.ts";
import { nearest } from "../nearest.ts";
import { isWebUrl } from "../web-url.ts";

/** Something wrong with the file: where, and what. */
export type Problem = { readonly place: string; readonly message: string };

type Read<T> = { readonly value: T } | { readonly wrong: string };
export type Member<T, R extends boolean = false> = {
  readonly required: R;
  readonly read: (value: unknown) => Read<T>;
};
export type Members = { readonly [name: string]: Member<unknown, boolean> };
/** A row of the file. `undefined`: the file does not say, so what is stored stays. */
export type Entry<M extends Members> = { readonly place: string } & {
  readonly [K in keyof M]: M[K] extends Member<infer T, infer R> ? (R extends true ? T : T | undefined) : never;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001F\u007F]/;

const wrong = (sentence: string): { readonly wrong: string } => ({ wrong: sentence });

export function required<T>(member: Member<T>): Member<T, true> {
  return { required: true, read: member.read };
}

/** The value quoted as it stands in the file, cut off when long. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** One line of text; null means empty. */
export function line(max: number): Member<string> {
  return {
    required: false,
    read: (value) => {
      if (value === null) return { value: "" };
      if (typeof value !== "string") return wrong(`must be text, not ${quote(value)}`);
      if (value.length > max) return wrong(`must not be longer than ${max} characters (it has ${value.length})`);
      if (CONTROL.test(value)) return wrong("must not hold control characters or line breaks");
      return { value };
    },
  };
}

/** One line of text that may not be empty or begin or end with blanks. */
export function filledLine(max: number): Member<string> {
  const inner = line(max);
  return {
    required: false,
    read: (value) => {
      const read = inner.read(value);
      if ("wrong" in read) return read;
      if (read.value.trim() === "") return wrong("must not be empty");
      if (read.value.trim() !== read.value) return wrong(`must not begin or end with a blank: ${quote(value)}`);
      return read;
    },
  };
}

/** An absolute http or https URL; null and the empty string mean none. */
export const webUrl: Member<string> = {
  required: false,
  read: (value) => {
    const read = line(2048).read(value);
    if ("wrong" in read || read.value === "") return read;
    return isWebUrl(read.value) ? read : wrong(`must be an absolute http or https URL, not ${quote(value)}`);
  },
};

export const flag: Member<boolean> = {
  required: false,
  read: (value) => (typeof value === "boolean" ? { value } : wrong(`must be true or false, not ${quote(value)}`)),
};

export function oneOf<const T extends string>(values: readonly T[]): Member<T> {
  return {
    required: false,
    read: (value) => {
      const found = values.find((candidate) => candidate === value);
      return found === undefined ? wrong(`must be one of ${values.join(", ")}, not ${quote(value)}`) : { value: found };
    },
  };
}

/** A list of different words out of a fixed set. */
export function someOf<const T extends string>(values: readonly T[]): Member<readonly T[]> {
  return {
    required: false,
    read: (value) => {
      if (!Array.isArray(value)) return wrong(`must be a list, not ${quote(value)}`);
      const unknown = value.filter((word) => !values.some((known) => known === word));
      if (unknown.length > 0)
        return wrong(`holds unknown ${unknown.map(quote).join(", ")}; known: ${values.join(", ")}`);
      return { value: values.filter((known) => value.includes(known)) };
    },
  };
}

export function wholeNumber(min: number, max: number): Member<number> {
  return {
    required: false,
    read: (value) =>
      typeof value === "number" && Number.isInteger(value) && value >= min && value <= max
        ? { value }
        : wrong(`must be a whole number from ${min} to ${max}, not ${quote(value)}`),
  };
}

export function orNull<T>(member: Member<T>): Member<T | null> {
  return { required: false, read: (value) => (value === null ? { value: null } : member.read(value)) };
}

/** The empty string and null both mean "none". */
export function orNone(member: Member<string>): Member<string | null> {
  return { required: false, read: (value) => (value === null || value === "" ? { value: null } : member.read(value)) };
}

/** A moment, RFC 3339 with a time zone, or a date alone (its first moment in UTC). */
export const instant: Member<Instant> = {
  required: false,
  read: (value) => {
    const read = typeof value === "string" ? readInstant(value) : null;
    if (read !== null) return { value: read };
    return wrong(`must be a moment like 2026-12-31T00:00:00Z or a date like 2026-12-31, not ${quote(value)}`);
  },
};

export const naanText: Member<string> = {
  required: false,
  read: (value) => {
    const naan = typeof value === "string" ? parseNaan(value) : null;
    if (naan !== null) return { value: naan };
    const hint = typeof value === "number" ? " (write it in quotes)" : "";
    return wrong(`must be a NAAN: up to 16 of 0-9 and bcdfghjkmnpqrstvwxz, not ${quote(value)}${hint}`);
  },
};

/**
 * Reads one row; every problem of it goes to `problems`. A row whose optional members are wrong is given back without them,
 * so that rows which speak of it are not blamed as well; one without its required members is null.
 */
export function readEntry<M extends Members>(
  members: M,
  value: unknown,
  place: string,
  problems: Problem[],
): Entry<M> | null {
  if (!isObject(value)) {
    problems.push({ place, message: `must be an object, not ${quote(value)}` });
    return null;
  }
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(members, name)) problems.push(unknownMember(name, place, Object.keys(members)));
  }
  const entry: Record<string, unknown> = { place };
  let usable = true;
  for (const [name, member] of Object.entries(members)) {
    if (!Object.hasOwn(value, name)) {
      if (member.required) problems.push({ place, message: `lacks the member ${quote(name)}` });
      usable &&= !member.required;
      continue;
    }
    const read = member.read(value[name]);
    if ("wrong" in read) {
      problems.push({ place: `${place}.${name}`, message: read.wrong });
      usable &&= !member.required;
    } else entry[name] = read.value;
  }
  // The loop above has filled every required member of the table, and the others where they were given.
  return usable ? (entry as Entry<M>) : null;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function unknownMember(name: string, place: string, known: readonly string[]): Problem {
  const near = nearest(name, known);
  const hint = near === null ? `known: ${known.join(", ")}` : `did you mean ${quote(near)}?`;
  return { place: place === "" ? name : `${place}.${name}`, message: `is not known here; ${hint}` };
}
