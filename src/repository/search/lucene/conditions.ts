// From a query in Lucene's manner to conditions of the index (R27, R28; reference 2.6), which both engines answer
// alike. Pure: the words that match patterns, and the community that a slug names, are parameters; a first walk over
// the query collects which are needed.

import { identifierText } from "../../../model/metadata/duplicate-keys.ts";
import { normalForm } from "../../../shared/text/text.ts";
import { RECORD_TEXTS } from "../detail/record-schema.ts";
import { keyOf } from "../document/keys.ts";
import { CODE_SEPARATOR, valueWord } from "../document/record-fields.ts";
import { folded, isOfRun, wordsOfQuery } from "../document/tokens.ts";
import type { Condition } from "../index/index-port.ts";
import { allOf, anyOf, NOTHING } from "../query/query-text.ts";
import { inField, joinedPair, wordConditions } from "../query/word-conditions.ts";
import { MORE_PAIRS, pairsOfPhrase } from "../query/word-pairs.ts";
import { KEYS } from "../settings/search-schema.ts";
import { type Automaton, regexAutomaton, wildcardAutomaton } from "./automaton.ts";
import { EVERYWHERE, memberMark, type Place, placesOf } from "./member-fields.ts";
import { editsFor, isNear } from "./nearness.ts";
import type { Bound, LuceneQuery, PatternPart } from "./query.ts";
import { type Span, spanOf } from "./spans.ts";

/** Words of a field of the index that begin so, and which of them are meant. */
export type Expansion = {
  readonly field: string;
  /** What all of them begin with, the code of a member included. */
  readonly prefix: string;
  readonly code: string;
} & Comparison;

/** How words, without the code of their member, are compared. */
type Comparison = {
  readonly matches: (word: string) => boolean;
  /** Steps of all comparisons until now. */
  readonly steps: () => number;
};

export type Lookups = {
  /** Tokens, codes included. */
  readonly expanded: (expansion: Expansion) => readonly string[];
  readonly communityOf: (slug: string) => string | null;
  /** Words are searched for as they are written, not in other forms. */
  readonly isExact: boolean;
};

const EVERYTHING: Condition = { kind: "and", of: [] };

/**
 * What must be true of a document. `unnamed`: where words without a name are searched for. @throws BrokenQuery for an
 * invalid pattern.
 */
export function conditionOf(query: LuceneQuery, lookups: Lookups, unnamed: Place = EVERYWHERE): Condition {
  return compiled(query, [unnamed], { ...lookups, unnamed }) ?? NOTHING;
}

type Compiling = Lookups & { readonly unnamed: Place };

/** Null: it has no meaning, as a word without letters. */
function compiled(query: LuceneQuery, places: readonly Place[], to: Compiling): Condition | null {
  const each = (of: readonly LuceneQuery[]): readonly Condition[] =>
    of.flatMap((one) => compiled(one, places, to) ?? []);
  switch (query.kind) {
    case "boost":
      return compiled(query.of, places, to);
    case "field":
      if (query.of.kind === "all" && memberMark(query.path) !== null) return existingMember(query.path);
      return compiled(query.of, query.path === "*" ? [to.unnamed] : placesOf(query.path), to);
    case "exists":
      return existingMember(query.path);
    case "and": {
      const of = each(query.of);
      return of.length === 0 ? null : allOf(of);
    }
    case "not": {
      const of = compiled(query.of, places, to);
      return of === null ? null : { kind: "not", of };
    }
    case "group":
      return groupOf(query.clauses, (one) => compiled(one, places, to), joinedIn(query.clauses, places, to));
    case "all":
      return places.includes(to.unnamed) ? EVERYTHING : anyOf(places.map(existing));
    default: {
      const found = places.flatMap((place) => leafIn(query, place, to) ?? []);
      const isSilent = found.length === 0 && places.length > 0 && isWordless(query);
      return isSilent ? null : anyOf(found);
    }
  }
}

const isWordless = (query: LuceneQuery): boolean =>
  (query.kind === "word" || query.kind === "phrase" || query.kind === "fuzzy") && wordsOfQuery(query.text).length === 0;

type Clauses = (LuceneQuery & { kind: "group" })["clauses"];

/** Alternatives next to each other that a record has as one word. */
function joinedIn(clauses: Clauses, places: readonly Place[], to: Compiling): readonly Condition[] {
  const wordAt = (at: number): string => {
    const { occur, of } = clauses[at] ?? {};
    return occur === "should" && of?.kind === "word" ? of.text : "";
  };
  const fields = to.isExact
    ? []
    : places.flatMap((place) => (place.kind === "words" && place.code === "" ? place.field : []));
  const tokens = fields.length === 0 ? [] : clauses.flatMap((_clause, at) => joinedPair(wordAt(at - 1), wordAt(at)));
  return fields.flatMap((field) => tokens.map((token) => inField(field)([token])));
}

function groupOf(
  clauses: Clauses,
  compile: (query: LuceneQuery) => Condition | null,
  joined: readonly Condition[],
): Condition | null {
  const of = (occur: (typeof clauses)[number]["occur"]): readonly Condition[] =>
    clauses.filter((clause) => clause.occur === occur).flatMap((clause) => compile(clause.of) ?? []);
  const [must, should, not] = [of("must"), of("should"), of("not")];
  const asked = must.length > 0 ? must : should.length > 0 ? [anyOf([...should, ...joined])] : [];
  const all = [...asked, ...not.map((each): Condition => ({ kind: "not", of: each }))];
  return all.length === 0 ? null : allOf(all);
}

type Leaf = Exclude<LuceneQuery, { readonly kind: "boost" | "field" | "exists" | "and" | "not" | "group" | "all" }>;

function existingMember(path: string): Condition {
  const token = memberMark(path);
  return token === null ? anyOf(placesOf(path).map(existing)) : { kind: "token", field: RECORD_TEXTS.members, token };
}

function existing(place: Place): Condition {
  switch (place.kind) {
    case "words":
      return { kind: "prefix", field: place.field, prefix: place.code === "" ? "" : `${place.code}${CODE_SEPARATOR}` };
    case "whole":
      return { kind: "prefix", field: RECORD_TEXTS.members, prefix: `${place.code}${CODE_SEPARATOR}` };
    case "number":
    case "instant":
    case "day":
      return { kind: "range", field: place.field, from: null, to: null };
    case "slug":
      return { kind: "prefix", field: RECORD_TEXTS.members, prefix: `co${CODE_SEPARATOR}` };
    default:
      return EVERYTHING;
  }
}

function leafIn(leaf: Leaf, place: Place, to: Compiling): Condition | null {
  switch (place.kind) {
    case "words":
      return inWords(leaf, place, to);
    case "whole":
      return inWhole(leaf, place.code, to);
    case "number":
    case "instant":
    case "day":
      return inNumbers(leaf, place);
    case "key":
      return "text" in leaf ? { kind: "key", field: place.field, anyOf: [place.keyOf(leaf.text)] } : NOTHING;
    case "slug": {
      const id = "text" in leaf ? to.communityOf(leaf.text) : null;
      return id === null ? NOTHING : inWhole({ kind: "word", text: id }, "co", to);
    }
    case "states":
      return "text" in leaf && Object.hasOwn(place.states, leaf.text) ? (place.states[leaf.text] ?? NOTHING) : NOTHING;
  }
}

// --- words

type Words = Place & { readonly kind: "words" };

function inWords(leaf: Leaf, place: Words, to: Compiling): Condition | null {
  const { field, code } = place;
  const withCode = (token: string): string => (code === "" ? token : `${code}${CODE_SEPARATOR}${token}`);
  const token = (one: string): Condition => ({ kind: "token", field, token: withCode(one) });
  const expanded = (prefix: string, comparison: Comparison): Condition =>
    anyToken(field, to.expanded({ field, prefix: withCode(prefix), code: withCode(""), ...comparison }));
  switch (leaf.kind) {
    case "word": {
      const tokens = wordsOfQuery(leaf.text);
      if (tokens.length === 0) return null;
      const all =
        code === "" ? allOf(wordConditions([leaf.text], inField(field), to.isExact)) : allOf(tokens.map(token));
      const identifier = place === EVERYWHERE ? identifierIn(leaf.text) : null;
      return identifier === null ? all : anyOf([all, identifier]);
    }
    case "phrase": {
      const tokens = wordsOfQuery(leaf.text);
      if (tokens.length === 0) return null;
      const pairs = place.hasPairs && (leaf.slop ?? 0) === 0 ? pairsOfPhrase(leaf.text) : [];
      const pair = (one: string): Condition => ({ kind: "token", field: RECORD_TEXTS.pairs, token: one });
      const pairConditions = pairs.length === 0 ? [] : [anyOf([allOf(pairs.map(pair)), pair(MORE_PAIRS)])];
      return allOf([...tokens.map(token), ...pairConditions]);
    }
    case "pattern": {
      const start = startOf(leaf.parts);
      if (start === null) return patterned(wildcardAutomaton(leaf.parts, folded), expanded);
      const tokens = wordsOfQuery(start);
      const last = tokens.at(-1);
      if (last === undefined) return existing(place);
      return allOf([...tokens.slice(0, -1).map(token), { kind: "prefix", field, prefix: withCode(last) }]);
    }
    case "regex":
      return patterned(regexAutomaton(leaf.source, folded), expanded);
    case "fuzzy": {
      const tokens = wordsOfQuery(leaf.text);
      if (tokens.length === 0) return null;
      return allOf(
        tokens.map((word) => {
          const edits = isOfRun(word) ? 0 : (leaf.edits ?? editsFor(word));
          if (edits === 0) return token(word);
          const [first = ""] = word;
          return expanded(first, nearComparison(word, edits));
        }),
      );
    }
    case "range":
      return expanded("", rangeComparison(leaf.from, leaf.to, folded));
  }
}

const patterned = (
  { prefix, ...comparison }: Automaton,
  expanded: (prefix: string, comparison: Comparison) => Condition,
): Condition => expanded(prefix, comparison);

function nearComparison(word: string, edits: number): Comparison {
  let steps = 0;
  return {
    matches(other) {
      // Words of another length are excluded at once: a letter is one or two units of a text.
      const isComparable = other.length <= 2 * (word.length + edits) && word.length <= 2 * (other.length + edits);
      steps += isComparable ? word.length * other.length : 1;
      return isComparable && isNear(word, other, edits);
    },
    steps: () => steps,
  };
}

/** The text before the only `*` of a pattern, at its end; null for another pattern. */
function startOf(parts: readonly PatternPart[]): string | null {
  const [first, last] = parts;
  return parts.length === 2 && first?.kind === "letters" && last?.kind === "many" ? first.text : null;
}

const anyToken = (field: string, tokens: readonly string[]): Condition =>
  anyOf(tokens.map((token) => ({ kind: "token", field, token })));

const IDENTIFIER = /^(?:(doi|hdl|ark):|https?:\/\/|10\.\d{4,9}\/)/i;

/** An address or an identifier, as an item has it in whatever spelling. */
export function identifierIn(text: string): Condition | null {
  const scheme = IDENTIFIER.exec(text);
  const spelled = scheme === null ? null : identifierText({ scheme: scheme[1] ?? "", value: text });
  return spelled === null ? null : { kind: "key", field: KEYS.identifier, anyOf: [keyOf(spelled)] };
}

function rangeComparison(from: Bound, to: Bound, fold: (text: string) => string): Comparison {
  const [least, most] = [from.value === null ? null : fold(from.value), to.value === null ? null : fold(to.value)];
  let steps = 0;
  return {
    matches(word) {
      steps += 1;
      return (
        (least === null || word > least || (from.included && word === least)) &&
        (most === null || word < most || (to.included && word === most))
      );
    },
    steps: () => steps,
  };
}

// --- whole values

function inWhole(leaf: Leaf, code: string, to: Compiling): Condition {
  const field = RECORD_TEXTS.members;
  const withCode = (word: string): string => `${code}${CODE_SEPARATOR}${word}`;
  const expanded = (prefix: string, comparison: Comparison): Condition =>
    anyToken(field, to.expanded({ field, prefix: withCode(prefix), code: withCode(""), ...comparison }));
  switch (leaf.kind) {
    case "word":
    case "phrase": {
      const word = valueWord(leaf.text);
      return word === "" ? NOTHING : { kind: "token", field, token: withCode(word) };
    }
    case "pattern": {
      const start = startOf(leaf.parts);
      if (start !== null) return { kind: "prefix", field, prefix: withCode(valueWord(start)) };
      return patterned(wildcardAutomaton(leaf.parts, valueLetters), expanded);
    }
    case "regex":
      return patterned(regexAutomaton(leaf.source, valueLetters), expanded);
    case "fuzzy": {
      const word = valueWord(leaf.text);
      const edits = leaf.edits ?? editsFor(word);
      return expanded(edits === 0 ? word : word.slice(0, 1), nearComparison(word, edits));
    }
    case "range":
      return expanded("", rangeComparison(leaf.from, leaf.to, valueWord));
  }
}

/** Letters of a pattern as whole values have them. */
const valueLetters = (text: string): string => normalForm(text, "NFKC").toLowerCase().replace(/\s/gu, "_");

// --- numbers, moments and days

type NumericPlace = Place & { readonly kind: "number" | "instant" | "day" };

function inNumbers(leaf: Leaf, place: NumericPlace): Condition {
  if (leaf.kind === "range") {
    const [from, to] = [endIn(leaf.from, place), endIn(leaf.to, place)];
    if (from === undefined || to === undefined) return NOTHING;
    const least = from === null ? null : leaf.from.included ? from.from : nextAfter(from.to, place);
    const most = to === null ? null : leaf.to.included ? to.to : nextBefore(to.from, place);
    return spanned(place, least, most);
  }
  const text =
    leaf.kind === "pattern" ? (startOf(leaf.parts) ?? "").replace(/-$/, "") : "text" in leaf ? leaf.text : "";
  const span = spanOf(text, place.kind);
  return span === null ? NOTHING : spanned(place, span.from, span.to);
}

/** Undefined: it is not a number or date. */
function endIn({ value }: Bound, place: NumericPlace): Span | null | undefined {
  return value === null ? null : (spanOf(value, place.kind) ?? undefined);
}

const nextAfter = (value: number, { kind }: NumericPlace): number => (kind === "number" ? value + SMALLEST : value + 1);
const nextBefore = (value: number, { kind }: NumericPlace): number =>
  kind === "number" ? value - SMALLEST : value - 1;
/** Numbers are whole. */
const SMALLEST = 0.5;

/**
 * Of a period both ends are numbers of the document: it is in a range if it does not end before it, nor begin after it.
 */
function spanned({ kind, field }: NumericPlace, from: number | null, to: number | null): Condition {
  if (from !== null && to !== null && from > to) return NOTHING;
  if (kind !== "day" || from === null || to === null) return { kind: "range", field, from, to };
  return allOf([
    { kind: "range", field, from, to: null },
    { kind: "range", field, from: null, to },
  ]);
}
