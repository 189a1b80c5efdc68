// Conditions of the port as Typesense asks them (R27): words of one field through `q`, where it is quickest; everything
// else through `filter_by`, which has && and || of equal precedence, at most 100 operations, and no word for "not"
// before a parenthesis.
import type { IndexSchema, SortValue } from "../../repository/search/document/document.ts";
import { type Condition, IndexUnavailable, type Place, type SortBy } from "../../repository/search/index/index-port.ts";
import { ID_TEXT, keyField, NUMBER_OF_ITEM, numberField, sortField, sortPartField, textField } from "./collections.ts";
import {
  keyWritten,
  NO_TOKEN,
  numberWritten,
  partsThatTell,
  prefixWritten,
  SORT_TEXT_DIGITS,
  sortTextParts,
  sortTextWritten,
  tokenWritten,
} from "./values.ts";

/**
 * A text of filter_by with the number of its operations: conditions, and the operators between them. `repeats`:
 * Typesense may count a document several times, once for each of its numbers in a range.
 */
type FilterText = { readonly text: string; readonly operations: number; readonly repeats: boolean };
export type Filter = FilterText | "all" | "none";

/** The server allows 100; two of them are kept for {@link countedOnce}. */
const MAX_OPERATIONS = 98;
/** What one of several parts may take, so that few of them fit together. */
const MAX_OPERATIONS_OF_A_PART = 60;
/** Words in `q`: more were never seen to be all asked for. */
const MAX_WORDS = 8;
/** Words in one value of a filter, all of which are asked for. */
const MAX_WORDS_OF_A_VALUE = 200;
/** Documents that are named one by one. */
export const MAX_NAMED = 50_000;

/** The numbers of all documents a filter is true of, at most {@link MAX_NAMED}. */
export type NamesOf = (filter: string) => Promise<readonly string[]>;

const one = (text: string): Filter => ({ text, operations: 1, repeats: false });
const named = (ids: readonly string[]): Filter => (ids.length === 0 ? "none" : one(`${ID_TEXT}:=[${ids.join(",")}]`));

const joinedOperations = (filters: readonly { readonly operations: number }[]): number =>
  filters.reduce((sum, { operations }) => sum + operations, filters.length - 1);

/** An AND with a condition that every document fulfils once: Typesense counts once what both sides have. */
const countedOnce = ({ text, operations, repeats }: FilterText): FilterText =>
  repeats
    ? { text: `(${text} && ${ID_TEXT}:!=${NO_TOKEN})`, operations: operations + 2, repeats: false }
    : { text, operations, repeats };

function bracketed(kind: "and" | "or", filters: readonly FilterText[]): FilterText {
  const [only] = filters;
  if (only !== undefined && filters.length === 1) return only;
  const text = `(${filters.map((filter) => filter.text).join(kind === "and" ? " && " : " || ")})`;
  const repeats = kind === "and" ? filters.every((filter) => filter.repeats) : filters.some((filter) => filter.repeats);
  return { text, operations: joinedOperations(filters), repeats };
}

/** Portions that stay within the limit each. */
function portions(filters: readonly FilterText[], most: number): FilterText[][] {
  const all: FilterText[][] = [];
  for (const filter of filters) {
    const last = all.at(-1);
    if (last !== undefined && joinedOperations([...last, filter]) <= most) last.push(filter);
    else all.push([filter]);
  }
  return all;
}

/** Parts joined; where they are too many, portions of them are asked first, and what they found is named. */
async function joined(
  kind: "and" | "or",
  parts: readonly Filter[],
  names: NamesOf,
  most = MAX_OPERATIONS_OF_A_PART,
): Promise<Filter> {
  const [nothing, everything] = kind === "and" ? (["none", "all"] as const) : (["all", "none"] as const);
  if (parts.includes(nothing)) return nothing;
  const written = parts.filter((part): part is FilterText => typeof part !== "string");
  if (written.length === 0) return everything;
  if (written.length === 1 || joinedOperations(written) <= most) return bracketed(kind, written);
  let found: Set<string> | null = null;
  for (const portion of portions(written, MAX_OPERATIONS - 2)) {
    // Of what was found before only: the last portion may be of one common word.
    const before: Filter = kind === "and" && found !== null ? named([...found]) : "all";
    if (before === "none") return "none";
    const ids: readonly string[] = await names(
      countedOnce(bracketed(kind, before === "all" ? portion : [before, ...portion])).text,
    );
    if (kind === "and" || found === null) found = new Set(ids);
    else for (const id of ids) found.add(id);
    if (found.size > MAX_NAMED)
      throw new IndexUnavailable(`Cannot ask Typesense for more than ${MAX_NAMED} alternatives at once`);
  }
  return named([...(found ?? [])]);
}

const NUMBER_ENDS = { from: numberWritten(-Number.MAX_VALUE), to: numberWritten(Number.MAX_VALUE) };

export type Question = { readonly words: readonly string[]; readonly field: string; readonly filter: Filter };

/** Words of one field, of which all must be there. */
type Words = { readonly field: string; readonly words: readonly string[] };

/** A token, or an AND of tokens of one field; null for everything else. */
function wordsOf(condition: Condition): Words | null {
  if (condition.kind === "token") {
    return isWord(condition.token) ? { field: condition.field, words: [tokenWritten(condition.token)] } : null;
  }
  const [first] = condition.kind === "and" ? condition.of : [];
  if (condition.kind !== "and" || first?.kind !== "token" || condition.of.length > MAX_WORDS_OF_A_VALUE) return null;
  const words = condition.of.flatMap((each) =>
    each.kind === "token" && each.field === first.field && isWord(each.token) ? [tokenWritten(each.token)] : [],
  );
  return words.length === condition.of.length ? { field: first.field, words: [...new Set(words)] } : null;
}

/** Those that are words of the same field together, in the order in which the fields come. */
function byField<Value extends { readonly field: string }>(all: readonly Value[]): [string, Value[]][] {
  const groups = new Map<string, Value[]>();
  for (const each of all) groups.set(each.field, [...(groups.get(each.field) ?? []), each]);
  return [...groups];
}

export class ConditionCompiler {
  readonly #schema: IndexSchema;
  readonly #names: NamesOf;

  constructor(schema: IndexSchema, names: NamesOf) {
    this.#schema = schema;
    this.#names = names;
  }

  /** `q` with the field it is searched in, and the filter next to it. */
  async question(conditions: readonly Condition[], others: readonly Filter[]): Promise<Question> {
    const parts = conditions.flatMap((condition) => flattened("and", condition));
    const field = fieldOfMostWords(parts);
    const isAsked = (part: Condition): boolean => part.kind === "token" && part.field === field && isWord(part.token);
    const asked = parts.filter(isAsked).slice(0, MAX_WORDS);
    const rest = parts.filter((part) => !asked.includes(part));
    const words = [...new Set(asked.flatMap((part) => wordsOf(part)?.words ?? []))];
    if (field !== "") this.#requireField("texts", field);
    const filters = [
      ...others,
      ...this.#wordFilters(
        rest.flatMap((part) => wordsOf(part) ?? []),
        "and",
        false,
      ),
    ];
    for (const part of rest) if (wordsOf(part) === null) filters.push(await this.#filterOf(part, false));
    const filter = await joined("and", filters, this.#names, MAX_OPERATIONS);
    return { words, field: textField(field), filter: typeof filter === "string" ? filter : countedOnce(filter) };
  }

  #requireField(kind: "texts" | "keys" | "numbers", name: string): void {
    if (!this.#schema[kind].includes(name)) {
      throw new TypeError(`Cannot look into "${name}": the index has no such field of ${kind}`);
    }
  }

  #tokenFilter(field: string, token: string, isNot: boolean): Filter {
    this.#requireField("texts", field);
    if (!isWord(token)) return isNot ? "all" : "none";
    return one(`${textField(field)}:${isNot ? "!" : ""}${tokenWritten(token)}`);
  }

  #prefixFilter(field: string, prefix: string, isNot: boolean): Filter {
    this.#requireField("texts", field);
    if (prefix.includes(" ")) return isNot ? "all" : "none";
    if (prefix === "") return one(`${textField(field)}:${isNot ? "" : "!"}${NO_TOKEN}`);
    return one(`${textField(field)}:${isNot ? "!" : ""}${prefixWritten(prefix)}*`);
  }

  #keyFilter(field: string, anyOf: readonly string[], isNot: boolean): Filter {
    this.#requireField("keys", field);
    const keys = [...new Set(anyOf.map(keyWritten).filter((key) => key !== null))];
    if (keys.length === 0) return isNot ? "all" : "none";
    return one(`${keyField(field)}:${isNot ? "!" : ""}=[${keys.join(",")}]`);
  }

  #rangeFilter(field: string, from: number | null, to: number | null, isNot: boolean): Filter {
    this.#requireField("numbers", field);
    if (from !== null && to !== null && from > to) return isNot ? "all" : "none";
    const least = from === null ? NUMBER_ENDS.from : numberWritten(from);
    const most = to === null ? NUMBER_ENDS.to : numberWritten(to);
    const text = `${numberField(field)}:${isNot ? "!=" : ""}[${least}..${most}]`;
    return { text, operations: 1, repeats: !isNot };
  }

  /** Words of one field of which all, some or none must be there are one operation, however many they are. */
  #wordFilters(all: readonly Words[], kind: "and" | "or", isNot: boolean): Filter[] {
    return byField(all).flatMap(([field, group]) => {
      this.#requireField("texts", field);
      const isAll = kind === "and" && !isNot;
      const values = isAll
        ? chunks([...new Set(group.flatMap(({ words }) => words))], MAX_WORDS_OF_A_VALUE).map((words) =>
            words.join(" "),
          )
        : [`${isNot ? "!" : ""}[${[...new Set(group.map(({ words }) => words.join(" ")))].join(",")}]`];
      return values.map((value) => one(`${textField(field)}:${value}`));
    });
  }

  async #filterOf(condition: Condition, isNot: boolean): Promise<Filter> {
    switch (condition.kind) {
      case "not":
        return this.#filterOf(condition.of, !isNot);
      case "token":
        return this.#tokenFilter(condition.field, condition.token, isNot);
      case "prefix":
        return this.#prefixFilter(condition.field, condition.prefix, isNot);
      case "key":
        return this.#keyFilter(condition.field, condition.anyOf, isNot);
      case "range":
        return this.#rangeFilter(condition.field, condition.from, condition.to, isNot);
      default:
        return this.#joinedOf(condition.kind, condition.of, isNot);
    }
  }

  /** "Not all" is "some not", and "none" is "all not". */
  async #joinedOf(kind: "and" | "or", nested: readonly Condition[], isNot: boolean): Promise<Filter> {
    const of = nested.flatMap((each) => flattened(kind, each));
    // Some of "not all of these words" is not a list of words.
    const together = kind === "and" && isNot ? [] : of.flatMap((each) => wordsOf(each) ?? []);
    const apart = together.length === 0 ? of : of.filter((each) => wordsOf(each) === null);
    const parts = this.#wordFilters(together, kind, isNot);
    for (const each of apart) parts.push(await this.#filterOf(each, isNot));
    return joined((kind === "and") === isNot ? "or" : "and", parts, this.#names);
  }
}

const isWord = (token: string): boolean => token !== "" && !token.includes(" ");

/**
 * The parts of an AND in an AND, or of an OR in an OR; words of one field that all must occur stay together in an OR.
 */
const flattened = (kind: "and" | "or", condition: Condition): readonly Condition[] =>
  condition.kind === kind ? condition.of.flatMap((each) => flattened(kind, each)) : [condition];

function fieldOfMostWords(parts: readonly Condition[]): string {
  const counts = new Map<string, number>();
  for (const part of parts) {
    if (part.kind === "token" && isWord(part.token)) counts.set(part.field, (counts.get(part.field) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? "";
}

function chunks<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size));
}

/** Numbers after a value and equal to it, as a filter compares them; no `same`: nothing is equal to it. */
type Chain = { readonly behind: string; readonly same: string | null };

const INT64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };

/** Items after a number, which has to be whole for Typesense: after 1.5 is from 2 on, and before it up to 1. */
function chainOfNumbers(value: number, descending: boolean): Chain {
  const border = BigInt(descending ? Math.ceil(value) : Math.floor(value));
  const whole = border < INT64.least ? INT64.least : border > INT64.most ? INT64.most : border;
  const same = Number.isSafeInteger(value) ? `${NUMBER_OF_ITEM}:=${whole}` : null;
  return { behind: `${NUMBER_OF_ITEM}:${descending ? "<" : ">"}${whole}`, same };
}

/** Behind a value and equal to it, as a filter compares them: a text part by part. */
function chainOf({ field, descending }: SortBy, value: string | number, isText: boolean): Chain {
  const sign = descending ? "<" : ">";
  if (field === "id") return chainOfNumbers(Number(value), descending);
  if (!isText) {
    const number = numberWritten(Number(value));
    return { behind: `${sortField(field)}:${sign}${number}`, same: `${sortField(field)}:=${number}` };
  }
  const text = String(value).slice(0, SORT_TEXT_DIGITS);
  const parts = sortTextParts(text).slice(0, partsThatTell(text));
  const behind = parts.reduceRight((rest, part, at) => {
    const name = sortPartField(field, at);
    const here = `${name}:${sign}${part}`;
    return rest === "" ? here : `(${here} || (${name}:=${part} && ${rest}))`;
  }, "");
  return { behind, same: `${sortField(field)}:=${sortTextWritten(text)}` };
}

const asFilter = (text: string): Filter => ({
  text,
  operations: (text.match(/:[<>=]|&&|\|\|/g) ?? []).length,
  repeats: false,
});

const chainsOf = (schema: IndexSchema, sort: readonly SortBy[], values: readonly SortValue[]): Chain[] =>
  sort.map((by, at) => {
    const isText = schema.sorts.some(({ name, type }) => name === by.field && type === "text");
    return chainOf(by, values[at] ?? 0, isText);
  });

/** What lies behind values: the first one further on, or equal and the next one further on, and so on. */
const behindValues = (schema: IndexSchema, sort: readonly SortBy[], values: readonly SortValue[]): Filter =>
  asFilter(
    chainsOf(schema, sort, values).reduceRight(
      (rest, { behind, same }) => (rest === "" || same === null ? behind : `(${behind} || (${same} && ${rest}))`),
      "",
    ),
  );

/** What lies behind a place (R28), down to the number. */
export const behindPlace = (schema: IndexSchema, sort: readonly SortBy[], place: Place): Filter =>
  behindValues(
    schema,
    [...sort, { field: "id", descending: true }],
    [...sort.map((_, at) => place.sort[at] ?? 0), place.id],
  );

export const beforeValues = (schema: IndexSchema, sort: readonly SortBy[], values: readonly SortValue[]): Filter =>
  behindValues(
    schema,
    sort.map(({ field, descending }) => ({ field, descending: !descending })),
    values,
  );

export const withValues = (schema: IndexSchema, sort: readonly SortBy[], values: readonly SortValue[]): Filter =>
  asFilter(
    chainsOf(schema, sort, values)
      .map(({ same }) => same)
      .join(" && "),
  );
