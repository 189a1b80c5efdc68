// What is wrong with a value that came from outside: where, what holds there, and what kind of fault it is, so that each
// interface can word it as its specification fixes. Readers of fields (fields.ts) throw these.

import { isObject } from "./objects.ts";
import { Refusal } from "./refusal.ts";

/** What kind of fault it is, for interfaces that have their own sentences. */
export type FaultReason =
  | { readonly kind: "missing" | "null" | "other" }
  /** A member that is none of `known`. */
  | { readonly kind: "unknown"; readonly name: string; readonly known: readonly string[] }
  | { readonly kind: "type"; readonly type: "text" | "number" | "flag" | "list" | "object" }
  | { readonly kind: "length"; readonly min: number; readonly max: number; readonly short: boolean }
  | { readonly kind: "choice"; readonly values: readonly (string | number)[] }
  /** A sentence that the specification fixes, in every interface. */
  | { readonly kind: "sentence"; readonly sentence: string };

const OTHER: FaultReason = { kind: "other" };

/** Faults of one body that are reported; the others are not searched for. */
const FAULTS_MOST = 100;

/** What a value must be and is not. Interfaces with their own wording use the parts. */
export class FieldFault extends Refusal {
  readonly path: string;
  /** What holds there: `must be true or false`. */
  readonly rule: string;
  /** The value as it is returned; null where the rule is enough. */
  readonly shown: string | null;
  readonly reason: FaultReason;
  /** This fault and the others of the same body, in the order of its fields. */
  all: readonly FieldFault[] = [this];

  constructor(
    path: string,
    rule: string,
    shown: string | null = null,
    reason: FaultReason = OTHER,
    message = `${path} ${sentenceOf(rule, shown)}`.trimEnd(),
  ) {
    super("invalid", message);
    this.path = path;
    this.rule = rule;
    this.shown = shown;
    this.reason = reason;
  }

  /** The same fault in the sentence of an interface. */
  worded(message: string, path = this.path): FieldFault {
    return new FieldFault(path, this.rule, this.shown, this.reason, message);
  }

  /** The sentence behind the path. */
  get sentence(): string {
    return sentenceOf(this.rule, this.shown);
  }
}

/** The faults of a body, found part by part: the first one is thrown and has all of them. */
export class FaultList {
  readonly #found: FieldFault[] = [];
  readonly #most: number;

  constructor(most: number = FAULTS_MOST) {
    this.#most = most;
  }

  /** Notes a fault. @throws FieldFault where there are as many as are reported */
  add(fault: FieldFault): void {
    this.#found.push(...fault.all);
    if (this.#found.length >= this.#most) this.end();
  }

  /** What `read` returns; undefined where it found faults, which are noted. */
  collect<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      this.add(error);
      return undefined;
    }
  }

  /** @throws FieldFault where there was a fault */
  end(): void {
    const [first] = this.#found;
    if (first === undefined) return;
    first.all = this.#found.slice(0, this.#most);
    throw first;
  }
}

/** The fault of a value for which the specification fixes the sentence. */
export function faultSentence(path: string, ...sentences: readonly string[]): FieldFault {
  const faults = sentences.map((each) => new FieldFault(path, each, null, { kind: "sentence", sentence: each }));
  const [first = new FieldFault(path, "")] = faults;
  first.all = faults;
  return first;
}

export const NO_TEXT: FaultReason = { kind: "type", type: "text" };

const sentenceOf = (rule: string, shown: string | null): string => (shown === null ? rule : `${rule}, not ${shown}`);

/** Characters of a value that an error quotes. */
export const QUOTED_MAX = 100;

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
export function unfit(path: string, value: unknown, rule: string, reason: FaultReason = OTHER): FieldFault {
  return new FieldFault(path, rule, quoted(value), value === null ? { kind: "null" } : reason);
}

/** The path of a fault of the body as a whole. */
export const BODY = "The body";
