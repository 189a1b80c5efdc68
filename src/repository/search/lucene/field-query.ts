// A query in Lucene's manner over a table that is small enough for the database alone (R27, R37): its meaning, as
// conditions on the fields of that table. What such a table cannot be asked (expressions, how alike words are) finds
// the word as it is, or nothing.
import { type FieldCondition, NO_MATCH } from "../../../model/input/field-conditions.ts";
import { parseLucene } from "./parser.ts";
import type { Bound, LuceneQuery, PatternPart } from "./query.ts";

/** What a name in a query means. */
type QueryField =
  /** Words that are part of the field. */
  | { readonly words: string }
  /** The whole value. */
  | { readonly exact: string }
  /** A moment, of which a query may name the beginning: a year, a day. */
  | { readonly time: string }
  | { readonly each: (value: string) => FieldCondition };

export type QueryFields = {
  /** Fields that are searched if a word has no name before it. */
  readonly everywhere: QueryField;
  /** By the name as it is typed. */
  readonly named: Readonly<Record<string, QueryField>>;
};

/** Behind every text that begins so. */
const LAST = "~";

export function fieldConditionOf(text: string, fields: QueryFields): FieldCondition {
  const { query } = parseLucene(text);
  return query === null ? { kind: "everything" } : compiled(query, fields.everywhere, fields.named);
}

function compiled(query: LuceneQuery, field: QueryField, named: QueryFields["named"]): FieldCondition {
  const inside = (each: LuceneQuery): FieldCondition => compiled(each, field, named);
  switch (query.kind) {
    case "all":
      return { kind: "everything" };
    case "word":
    case "phrase":
    case "fuzzy":
      return having(field, query.text);
    case "pattern":
      return matching(field, query.parts);
    case "regex":
      return NO_MATCH;
    case "range":
      return between(field, query.from, query.to);
    case "exists":
      return Object.hasOwn(named, query.path) ? { kind: "everything" } : NO_MATCH;
    case "field": {
      const other = Object.hasOwn(named, query.path) ? named[query.path] : undefined;
      return other === undefined ? NO_MATCH : compiled(query.of, other, named);
    }
    case "boost":
      return inside(query.of);
    case "and":
      return { kind: "all", of: query.of.map(inside) };
    case "not":
      return { kind: "not", of: inside(query.of) };
    case "group": {
      const of = (occur: string): readonly FieldCondition[] =>
        query.clauses.filter((clause) => clause.occur === occur).map((clause) => inside(clause.of));
      const [must, should] = [of("must"), of("should")];
      const not = of("not").map((each): FieldCondition => ({ kind: "not", of: each }));
      // Where one must be there, those that may be are not asked for.
      const wanted: readonly FieldCondition[] =
        must.length > 0 ? must : should.length > 0 ? [{ kind: "any", of: should }] : [];
      return { kind: "all", of: [...wanted, ...not] };
    }
  }
}

function having(field: QueryField, text: string): FieldCondition {
  if ("words" in field) return { kind: "contains", field: field.words, text };
  if ("exact" in field) return { kind: "is", field: field.exact, value: text };
  if ("time" in field) return { kind: "between", field: field.time, from: text, to: text + LAST };
  return field.each(text);
}

/** Literal letters, with anything between: of a field that is compared whole, only its beginning. */
function matching(field: QueryField, parts: readonly PatternPart[]): FieldCondition {
  const letters = parts.flatMap((part) => (part.kind === "letters" ? [part.text] : []));
  if (letters.length === 0) return { kind: "everything" };
  if ("words" in field) {
    return { kind: "all", of: letters.map((text) => ({ kind: "contains", field: field.words, text })) };
  }
  const [first] = parts;
  const name = "exact" in field ? field.exact : "time" in field ? field.time : null;
  if (name === null || first?.kind !== "letters") return NO_MATCH;
  return { kind: "between", field: name, from: first.text, to: first.text + LAST };
}

function between(field: QueryField, from: Bound, to: Bound): FieldCondition {
  const name = "time" in field ? field.time : "exact" in field ? field.exact : null;
  if (name === null) return NO_MATCH;
  // Words with this beginning sort after the bound itself: inside the range if the bound is included, outside if not.
  const [start, end] = [from.value, to.value];
  return {
    kind: "between",
    field: name,
    from: start === null ? null : from.included ? start : start + LAST,
    to: end === null ? null : to.included ? end + LAST : end,
  };
}
