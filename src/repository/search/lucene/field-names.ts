// Names of fields in a query that nothing is known by (R27, R30): the records interface finds nothing by them, the
// tools refuse them and name the field that was meant.

import { type FieldError, RECORD_SENTENCES } from "../../../model/input/record-refusals.ts";
import { Refusal } from "../../../shared/refusal.ts";
import { nearest } from "../../../shared/text/nearest-word.ts";
import { parseLucene } from "./parser.ts";
import type { LuceneQuery } from "./query.ts";

/** Names that one refusal quotes, and characters of each. */
const QUOTED = 10;
const CHARACTERS = 80;

/**
 * @throws Refusal `invalid` for a query with a name that is not known. `argument`: the name by which the caller sent
 * the query.
 */
export function requireKnownNames(
  argument: string,
  query: string,
  isKnown: (name: string) => boolean,
  names: readonly string[],
): void {
  const parsed = parseLucene(query, argument).query;
  const unknown = [...new Set(parsed === null ? [] : namesIn(parsed))].filter((name) => !isKnown(name));
  if (unknown.length === 0) return;
  const messages = unknown.slice(0, QUOTED).map((name) => sentenceOf(name.slice(0, CHARACTERS), names));
  const errors: readonly FieldError[] = [{ field: argument, messages }];
  throw new Refusal("invalid", RECORD_SENTENCES.query, { detail: { errors } });
}

function sentenceOf(name: string, names: readonly string[]): string {
  const meant = names.find((each) => each.endsWith(`.${name}`)) ?? nearest(name, names);
  const others = meant === null ? "Put words with a colon that are not a field in quotes." : `Did you mean ${meant}?`;
  return `"${name}" is not a field that is searched. ${others}`;
}

function namesIn(query: LuceneQuery): readonly string[] {
  switch (query.kind) {
    case "exists":
      return [query.path];
    case "field":
      return [query.path, ...namesIn(query.of)];
    case "boost":
    case "not":
      return namesIn(query.of);
    case "and":
      return query.of.flatMap(namesIn);
    case "group":
      return query.clauses.flatMap(({ of }) => namesIn(of));
    default:
      return [];
  }
}
