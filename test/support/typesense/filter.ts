// The grammar of filter_by as seen: && and || of equal precedence from left to right, conditions on strings, numbers,
// booleans and id.
import type { Collection, Stored } from "./collection.ts";
import type { Field, Value } from "./schema.ts";
import { tokensOf } from "./tokens.ts";
import { Refused, unseen } from "./unseen.ts";

/**
 * How often a filter counts a document; 0: it does not match. A range counts a document once per value in it, alone and
 * in an OR; next to a condition that counts it once, it is counted once (seen on a server built from the source of
 * 29.0).
 */
export type Filter = (stored: Stored) => number;

const MAX_OPERATIONS = 100;
const TOO_MANY =
  "`filter_by` has too many operations. Maximum allowed: 100. Use `--filter-by-max-ops` command line argument to customize this value.";
const UNPARSED = "Could not parse the filter query.";

type Piece = "(" | ")" | "&&" | "||" | { readonly field: string; readonly condition: string };

/** Where a condition ends: at an operator or parenthesis outside backticks and lists. */
function conditionEnd(text: string, from: number): number {
  let isQuoted = false;
  let isList = false;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === "`") isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (letter === "[") isList = true;
    if (letter === "]") isList = false;
    if (isList) continue;
    if (letter === "(") throw new Refused(400, UNPARSED);
    if (letter === ")" || text.startsWith("&&", at) || text.startsWith("||", at)) return at;
  }
  return text.length;
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; ) {
    const two = text.slice(at, at + 2);
    if (text[at] === " ") at += 1;
    else if (text[at] === "(" || text[at] === ")") pieces.push(text[at++] as "(" | ")");
    else if (two === "&&" || two === "||") {
      pieces.push(two);
      at += 2;
    } else {
      const [head, field = ""] = /^([\w.]+)\s*:/.exec(text.slice(at)) ?? [];
      if (head === undefined) throw new Refused(400, UNPARSED);
      const end = conditionEnd(text, at + head.length);
      pieces.push({ field, condition: text.slice(at + head.length, end).trim() });
      at = end;
    }
  }
  return pieces;
}

const without = (text: string): string => text.replaceAll("`", "").trim();

/** The values of `[a,b]`, cut at commas outside backticks, or the one value there is. */
function valuesOf(text: string): string[] {
  if (!text.startsWith("[")) return [without(text)];
  if (!text.endsWith("]")) unseen(`a list that ends with something else: ${text.slice(0, 80)}`);
  const values: string[] = [];
  let isQuoted = false;
  let value = "";
  for (const letter of text.slice(1, -1)) {
    if (letter === "`") isQuoted = !isQuoted;
    if (letter === "," && !isQuoted) {
      values.push(without(value));
      value = "";
    } else value += letter;
  }
  return [...values, without(value)];
}

type OneText = (tokens: readonly string[]) => boolean;

/** Words that a prefix is expanded to, unless more are requested; which of more it is, was not seen. */
const CANDIDATES = 4;

type Looking = { readonly collection: Collection; readonly candidates: number };

function requireFewWords({ collection, candidates }: Looking, field: Field, start: string): void {
  const words = new Set<string>();
  for (const { texts } of collection.documents()) {
    for (const token of (texts.get(field.name) ?? []).flat()) if (token.startsWith(start)) words.add(token);
    if (words.size > candidates) unseen(`which ${candidates} words "${start}*" expands to`);
  }
}

/** One value of a text condition: the beginning of a word, or words. */
type TextValue = { readonly words: readonly string[]; readonly isStart: boolean };

function textValue(value: string, field: Field, looking: Looking): TextValue {
  const isStart = value.endsWith("*");
  const words = tokensOf(isStart ? value.slice(0, -1) : value, field, true);
  if (words.length === 0) {
    throw new Refused(400, `Error with filter field \`${field.name}\`: Filter value cannot be empty.`);
  }
  if (isStart && words.length > 1) unseen("the beginning of several words in a filter");
  if (isStart) requireFewWords(looking, field, words[0] ?? "");
  return { words, isStart };
}

/**
 * Whether a text has one of the values: all its words in any order, or, where it is to be exact, these words and no
 * others.
 */
function hasOneOf(values: readonly TextValue[], isExact: boolean): OneText {
  const starts = values.filter(({ isStart }) => isStart).map(({ words: [start = ""] }) => start);
  const whole = values.filter(({ isStart }) => !isStart).map(({ words }) => words);
  const looked = isExact ? whole : whole.filter((words) => words.length === 1);
  const known = new Set(looked.map((words) => words.join(" ")));
  const several = isExact ? [] : whole.filter((words) => words.length > 1);
  return (tokens) =>
    (isExact ? known.has(tokens.join(" ")) : tokens.some((token) => known.has(token))) ||
    several.some((words) => words.every((word) => tokens.includes(word))) ||
    starts.some((start) => (isExact ? tokens.slice(0, 1) : tokens).some((token) => token.startsWith(start)));
}

function stringFilter(field: Field, condition: string, looking: Looking): Filter {
  const [, sign = "", rest = ""] = /^(!=|!|=|>)?\s*(.*)$/s.exec(condition) ?? [];
  if (/^[!<]/.test(rest)) unseen(`the condition "${condition.slice(0, 80)}"`);
  const isExact = sign === "=" || sign === "!=";
  const holds = hasOneOf(
    valuesOf(rest).map((value) => textValue(value, field, looking)),
    isExact,
  );
  const matches = (stored: Stored): boolean => (stored.texts.get(field.name) ?? []).some(holds);
  return sign.startsWith("!") ? (stored) => Number(!matches(stored)) : (stored) => Number(matches(stored));
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const WHOLE = /^-?\d+$/;
const INT64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };
const exactNumber = (text: string): number | bigint => (/^-?\d{16,}$/.test(text) ? BigInt(text) : Number(text));
const COMPARED: { readonly [sign: string]: (value: number | bigint, to: number | bigint) => boolean } = {
  "=": (value, to) => value === to,
  ">": (value, to) => value > to,
  "<": (value, to) => value < to,
  ">=": (value, to) => value >= to,
  "<=": (value, to) => value <= to,
};

function numberFilter(field: Field, condition: string): Filter {
  const bad = (): never => {
    throw new Refused(400, `Error with filter field \`${field.name}\`: Numerical field has an invalid comparator.`);
  };
  const numberOf = (text: string): number | bigint => {
    const isInt64 = field.type.startsWith("int64");
    const isRefused = isInt64 && (!WHOLE.test(text) || BigInt(text) < INT64.least || BigInt(text) > INT64.most);
    if (isRefused && /^-?\d/.test(text)) {
      throw new Refused(400, `Error with filter field \`${field.name}\`: Not an int64.`);
    }
    return NUMBER.test(text) ? exactNumber(text) : bad();
  };
  const numbers = (stored: Stored): (number | bigint)[] =>
    [stored.document[field.name] ?? []]
      .flat()
      .filter((one: Value) => typeof one === "number" || typeof one === "bigint");
  const [, sign = "", rest = ""] = /^(>=|<=|=|>|<|!=)?\s*(.*)$/s.exec(condition) ?? [];
  const isNot = sign === "!=";
  if (isNot && !rest.startsWith("[")) unseen("!= on a number");
  const some =
    (holds: (value: number | bigint) => boolean): Filter =>
    (stored) => {
      const times = new Set(numbers(stored).filter(holds)).size;
      return isNot ? Number(times === 0) : times;
    };
  if (rest.startsWith("[")) {
    if (sign !== "" && sign !== "=" && !isNot) unseen(`"${sign}" before a list of numbers`);
    const parts = valuesOf(rest).map((part) => part.split("..").map(numberOf));
    return some((value) => parts.some(([from = 0, to = from]) => value >= from && value <= to));
  }
  const value = without(rest);
  const to = numberOf(value);
  const compared = COMPARED[sign] ?? unseen("a number without a sign in a filter");
  return some((one) => compared(one, to));
}

function booleanFilter(field: Field, condition: string): Filter {
  const [, word] = /^=\s*(true|false)$/.exec(condition) ?? [];
  if (word === undefined) unseen(`the condition "${condition.slice(0, 80)}" on a boolean`);
  return (stored) => Number(stored.document[field.name] === (word === "true"));
}

function idFilter(condition: string): Filter {
  const [, rest = ""] = /^=?\s*(.*)$/s.exec(condition) ?? [];
  if (rest === "" || /^[!<>=]/.test(rest)) unseen(`the condition "${condition.slice(0, 80)}" on id`);
  const ids = new Set(valuesOf(rest));
  return (stored) => Number(ids.has(stored.id));
}

function conditionFilter(looking: Looking, { field: name, condition }: { field: string; condition: string }): Filter {
  if (name === "id") return idFilter(condition);
  const field = looking.collection.fieldOf(name);
  if (field === undefined) throw new Refused(400, `Could not find a filter field named \`${name}\` in the schema.`);
  if (field.type.startsWith("string")) return stringFilter(field, condition, looking);
  return field.type === "bool" ? booleanFilter(field, condition) : numberFilter(field, condition);
}

export function readFilter(text: string, collection: Collection, candidates: number = CANDIDATES): Filter {
  if (text.trim() === "") return () => 1;
  const pieces = piecesOf(text);
  const parentheses = pieces.filter((piece) => piece === "(" || piece === ")").length;
  if (pieces.length - parentheses > MAX_OPERATIONS) throw new Refused(400, TOO_MANY);
  if (pieces.filter((piece) => piece === "(").length * 2 !== parentheses) {
    throw new Refused(400, "Could not parse the filter query: unbalanced parentheses.");
  }
  let at = 0;
  const operand = (operator: string): Filter => {
    const piece = pieces[at++];
    if (piece === undefined && operator !== "") {
      throw new Refused(400, `Could not parse the filter query: unbalanced \`${operator}\` operands.`);
    }
    if (piece === "(") {
      const inner = chain();
      if (pieces[at++] !== ")") throw new Refused(400, UNPARSED);
      return inner;
    }
    if (piece === undefined || typeof piece === "string") throw new Refused(400, UNPARSED);
    return conditionFilter({ collection, candidates }, piece);
  };
  const chain = (): Filter => {
    let left = operand("");
    for (let operator = pieces[at]; operator === "&&" || operator === "||"; operator = pieces[at]) {
      at += 1;
      const [before, after] = [left, operand(operator)];
      left =
        operator === "&&" ? (one) => Math.min(before(one), after(one)) : (one) => Math.max(before(one), after(one));
    }
    return left;
  };
  const filter = chain();
  if (at < pieces.length) throw new Refused(400, UNPARSED);
  return filter;
}
