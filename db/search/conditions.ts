// From a condition to the set of documents it is true of (R27, R28), in two steps: terms are read, with pauses; then
// sets are united and intersected without yielding, so that the answer is that of one moment. Conditions of rare words
// alone are one query of the full text table.

import { FIELDS, type IndexSchema } from "../../src/repository/search/document/document.ts";
import type { Condition } from "../../src/repository/search/index/index-port.ts";
import type { InParts } from "../../src/shared/time/event-loop.ts";
import { type Bitmap, intersect } from "./bitmap.ts";
import type { Columns } from "./columns.ts";
import type { Posting } from "./kept-postings.ts";
import { type PostingSet, type Postings, TERMS_ASKED_AT_ONCE, type TermQuestion } from "./postings.ts";
import {
  type CopyBits,
  filtered,
  isList,
  NO_SLOTS,
  removeSet,
  type SlotList,
  type SlotRange,
  type SlotSet,
  united,
} from "./slot-set.ts";
import { quoted, type Terms } from "./terms.ts";

/** The compilers of conditions have separate limits, which are lower. */
const MAX_PARTS = 20_000;
const MAX_DEPTH = 200;
/** How deep a question to the full text table may be nested. */
const MAX_QUESTION_DEPTH = 6;
/** Fields of which almost every question asks for a key. */
const ALWAYS_ASKED: readonly string[] = [FIELDS.visibility, FIELDS.standing, FIELDS.itemType];

/** A condition whose terms are read. */
export type Plan =
  | { readonly kind: "all" | "none" }
  | { readonly kind: "posting"; readonly posting: Posting }
  | { readonly kind: "range"; readonly field: number; readonly from: number; readonly to: number }
  | { readonly kind: "and" | "or"; readonly of: readonly Plan[] }
  | { readonly kind: "not"; readonly of: Plan };

type Question = TermQuestion & { readonly depth: number };

export type Reading = {
  readonly schema: IndexSchema;
  readonly terms: Terms;
  readonly postings: Postings;
  readonly held: PostingSet;
  /** Only slots in these ranges are read, where that is enough for the caller. */
  readonly within?: readonly SlotRange[];
};

/**
 * Reads the terms of a condition.
 * @throws TypeError for a field the schema does not have, RangeError for a condition past all limits.
 */
export function* plan(reading: Reading, condition: Condition): InParts<Plan> {
  let parts = 0;
  const { schema, terms, postings, held, within } = reading;

  function* planOne(one: Condition, depth: number): InParts<Plan> {
    parts += 1;
    if (parts > MAX_PARTS || depth > MAX_DEPTH) throw new RangeError("Cannot evaluate a condition with too many parts");
    switch (one.kind) {
      case "and":
      case "or":
        return yield* planMany(one.kind, one.of, depth);
      case "not":
        return { kind: "not", of: yield* planOne(one.of, depth + 1) };
      case "prefix": {
        if (one.prefix === "") {
          return { kind: "posting", posting: yield* postings.ofTerm(held, terms.ofAnyToken(one.field)) };
        }
        const prefix = terms.ofToken(one.field, one.prefix);
        return prefix === null ? NONE : { kind: "posting", posting: yield* postings.ofPrefix(held, prefix) };
      }
      case "range": {
        const field = schema.numbers.indexOf(one.field);
        if (field < 0) throw new TypeError(`Cannot look into "${one.field}": the index has no such field of numbers`);
        return {
          kind: "range",
          field,
          from: one.from ?? Number.NEGATIVE_INFINITY,
          to: one.to ?? Number.POSITIVE_INFINITY,
        };
      }
      case "token":
      case "key": {
        const question = questionOf(reading, one);
        return question === null ? yield* planTerms(one) : yield* planQuestion(question);
      }
    }
  }

  function* planMany(kind: "and" | "or", of: readonly Condition[], depth: number): InParts<Plan> {
    const flat = flattened(kind, of, depth);
    parts += flat.length;
    const questions: Question[] = [];
    const plans: Plan[] = [];
    for (const each of flat) {
      const question = questionOf(reading, each);
      if (question === null) plans.push(yield* planOne(each, depth + 1));
      else questions.push(question);
    }
    for (const question of joined(kind, questions)) plans.push(yield* planQuestion(question));
    return { kind, of: plans };
  }

  function* planQuestion(question: Question): InParts<Plan> {
    if (question.terms.length === 0) return NONE;
    return { kind: "posting", posting: yield* postings.ofExpression(held, question, within) };
  }

  /** A token, or keys, of which some are known already. */
  function* planTerms(one: Condition & { readonly kind: "token" | "key" }): InParts<Plan> {
    const unknown: string[] = [];
    const plans: Plan[] = [];
    const isOftenCommon = ALWAYS_ASKED.includes(one.field);
    for (const term of termsOf(reading, one)) {
      if (!postings.isForItself(held, term, isOftenCommon)) unknown.push(term);
      else plans.push({ kind: "posting", posting: yield* postings.ofTerm(held, term, within) });
    }
    if (unknown.length > 0) plans.push({ kind: "posting", posting: yield* postings.ofAnyTerm(held, unknown, within) });
    return { kind: "or", of: plans };
  }

  return yield* planOne(condition, 0);
}

const NONE: Plan = { kind: "none" };
const ALL: Plan = { kind: "all" };

/** Conditions under one of the same kind become its direct parts. */
function flattened(kind: "and" | "or", of: readonly Condition[], depth: number): Condition[] {
  if (depth > MAX_DEPTH) throw new RangeError("Cannot ask a condition that is nested so deeply");
  return of.flatMap((each) => (each.kind === kind ? flattened(kind, each.of, depth + 1) : [each]));
}

function termsOf({ terms }: Reading, one: Condition & { readonly kind: "token" | "key" }): string[] {
  const found =
    one.kind === "token"
      ? [one.token === "" ? null : terms.ofToken(one.field, one.token)]
      : one.anyOf.map((key) => terms.ofKey(one.field, key));
  return [...new Set(found)].filter((term) => term !== null);
}

/** Null: it asks for something else than terms, or some of them are better asked for by themselves. */
function questionOf(reading: Reading, condition: Condition): Question | null {
  if (condition.kind === "token" || condition.kind === "key") {
    const terms = termsOf(reading, condition);
    const isOftenCommon = ALWAYS_ASKED.includes(condition.field);
    if (terms.length > TERMS_ASKED_AT_ONCE) return null;
    if (terms.some((term) => reading.postings.isForItself(reading.held, term, isOftenCommon))) return null;
    return {
      expression: terms.map(quoted).join(" OR "),
      terms,
      depth: 1,
      matches: (present) => terms.some((term) => present.has(term)),
    };
  }
  if (condition.kind !== "and" && condition.kind !== "or") return null;
  if (condition.of.length === 0 || condition.of.length > TERMS_ASKED_AT_ONCE) return null;
  const questions: Question[] = [];
  for (const each of condition.of) {
    const question = questionOf(reading, each);
    if (question === null) return null;
    questions.push(question);
  }
  const [whole, more] = joined(condition.kind, questions);
  return more === undefined ? (whole ?? null) : null;
}

/** Questions as one, where they are not too many for that. */
function joined(kind: "and" | "or", questions: readonly Question[]): Question[] {
  const groups: Question[][] = [];
  let room = 0;
  for (const question of questions) {
    // A question without a term is true of no document.
    if (question.terms.length === 0 && kind === "or") continue;
    const group = groups.at(-1);
    if (group === undefined || question.terms.length >= room || question.depth >= MAX_QUESTION_DEPTH) {
      groups.push([question]);
      room = question.depth >= MAX_QUESTION_DEPTH ? 0 : TERMS_ASKED_AT_ONCE - question.terms.length;
    } else {
      group.push(question);
      room -= question.terms.length;
    }
  }
  return groups.map((group) => join(kind, group));
}

function join(kind: "and" | "or", questions: readonly Question[]): Question {
  const [only, ...others] = questions;
  if (only !== undefined && others.length === 0) return only;
  const isAnd = kind === "and";
  const isNone = isAnd && questions.some(({ terms }) => terms.length === 0);
  return {
    expression: questions.map(({ expression }) => `(${expression})`).join(isAnd ? " AND " : " OR "),
    terms: isNone ? [] : questions.flatMap(({ terms }) => terms),
    depth: 1 + Math.max(...questions.map(({ depth }) => depth)),
    matches: isAnd
      ? (present) => questions.every(({ matches }) => matches(present))
      : (present) => questions.some(({ matches }) => matches(present)),
  };
}

/** Where plans are evaluated: sets that are made on the way are copies of a question. */
export type Evaluating = { readonly columns: Columns; readonly copyOf: CopyBits };

/** The documents for which a plan is true: a set that must not be changed. */
export function evaluate(at: Evaluating, plan: Plan): SlotSet {
  const { columns, copyOf } = at;
  switch (plan.kind) {
    case "none":
      return NO_SLOTS;
    case "all":
      return columns.live;
    case "posting":
      return plan.posting.slots;
    case "range":
      return columns.numbers[plan.field]?.addRange(copyOf(NO_SLOTS), plan.from, plan.to) ?? NO_SLOTS;
    case "not": {
      const bits = copyOf(columns.live);
      removeFrom(at, bits, plan.of);
      return bits;
    }
    case "or":
      return united(
        plan.of.map((each) => evaluate(at, each)),
        columns.end,
        copyOf,
      );
    case "and":
      return evaluateAll(at, plan.of);
  }
}

/** Where one part is true of few documents, only these are asked for the others. */
function evaluateAll(at: Evaluating, parts: readonly Plan[]): SlotSet {
  const sized = parts.map((part) => ({ part, most: mostDocuments(part) }));
  sized.sort((left, right) => (left.most < right.most ? -1 : Number(left.most > right.most)));
  const wanted = sized.filter(({ part }) => part.kind !== "not").map(({ part }) => part);
  const [first = ALL, ...others] = wanted;
  let found = evaluate(at, first);
  let isCopy = false;
  for (const each of [...others, ...parts.filter(({ kind }) => kind === "not")]) {
    if (isList(found)) {
      found = among(at, each, found);
      continue;
    }
    const set = each.kind === "not" ? null : evaluate(at, each);
    if (set !== null && isList(set)) {
      found = filtered(set, found, true);
      continue;
    }
    const bits: Bitmap = isCopy ? found : at.copyOf(found);
    [found, isCopy] = [bits, true];
    if (set !== null) intersect(bits, set);
    else if (each.kind === "not") removeFrom(at, bits, each.of);
  }
  return found;
}

/** Of how many documents a plan is true at most, where that is few and known without evaluating it. */
function mostDocuments(plan: Plan): number {
  switch (plan.kind) {
    case "none":
      return 0;
    case "posting":
      return isList(plan.posting.slots) ? plan.posting.slots.length : Number.POSITIVE_INFINITY;
    case "or":
      return plan.of.reduce((sum, each) => sum + mostDocuments(each), 0);
    case "and":
      return plan.of.reduce((least, each) => Math.min(least, mostDocuments(each)), Number.POSITIVE_INFINITY);
    default:
      return Number.POSITIVE_INFINITY;
  }
}

/** The documents of a list for which a plan is true. */
function among(at: Evaluating, plan: Plan, list: SlotList): SlotList {
  if (list.length === 0) return list;
  switch (plan.kind) {
    case "not":
      return filtered(list, among(at, plan.of, list), false);
    case "or": {
      let left = list;
      for (const each of plan.of) left = filtered(left, among(at, each, left), false);
      return filtered(list, left, false);
    }
    case "and":
      return plan.of.reduce((left, each) => among(at, each, left), list);
    case "range": {
      const column = at.columns.numbers[plan.field];
      return list.filter((slot) => column?.isInRange(slot, plan.from, plan.to) ?? false);
    }
    default:
      return filtered(list, evaluate(at, plan), true);
  }
}

const removeFrom = (at: Evaluating, bits: Bitmap, plan: Plan): void => removeSet(bits, evaluate(at, plan));
