// A query that is an identifier (R27e): the items that have it, themselves or by their people and journals, are found
// next to those with its words, and come first.
import { keyOf } from "../document/keys.ts";
import type { Condition, RankedWord } from "../index/index-port.ts";
import { KEYS } from "../settings/search-schema.ts";
import { identifierNames } from "../words/identifiers.ts";
import { anyOf } from "./query-text.ts";
import { firstOf } from "./typed-first.ts";

/** Null: the text is not an identifier. */
function identifierCondition(text: string): Condition | null {
  const names = identifierNames(text);
  return names.length === 0 ? null : { kind: "key", field: KEYS.named, anyOf: names.map((name) => keyOf(name)) };
}

export function orIdentified(words: Condition, text: string): Condition {
  const identified = identifierCondition(text);
  return identified === null ? words : anyOf([words, identified]);
}

/** Puts the items of an identifier before those with words of it. */
export function identifierRanking(text: string): readonly RankedWord[] {
  const of = identifierCondition(text);
  return of === null ? [] : [firstOf(of)];
}
