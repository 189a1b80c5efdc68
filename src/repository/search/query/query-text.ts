// The query language of the records interface and of its like (R27, R27a; specification 3, rule 2): words are AND, ` OR
// ` and ` | ` between two words separate alternatives, AND binds tighter. Pure: text to alternatives, which
// word-conditions.ts makes a condition on the words of a field.
import { most } from "../../../shared/limits.ts";
import { Refusal } from "../../../shared/refusal.ts";
import type { Condition } from "../index/index-port.ts";

/** The words of each alternative, of which one must be found whole. None: nothing is found. */
export type QueryText = readonly (readonly string[])[];

const OPERATORS: ReadonlySet<string> = new Set(["OR", "|"]);

/** What a text asks for; null for one of blanks, which asks for nothing. Throws invalid for one that is too long. */
export function parseQueryText(text: string, name: string): QueryText | null {
  if (text.length > most("queryCharacters")) {
    throw new Refusal("invalid", `${name} may have ${most("queryCharacters")} characters at most`);
  }
  const words = text.split(/\s+/u).filter((word) => word !== "");
  if (words.length === 0) return null;
  const alternatives: string[][] = [[]];
  for (const [index, word] of words.entries()) {
    if (separates(words, index)) alternatives.push([]);
    else alternatives.at(-1)?.push(word);
  }
  // Parentheses are not supported: in a query with alternatives a word that would open or close a group is found
  // nowhere.
  return alternatives.length === 1 ? alternatives : alternatives.filter((group) => !group.some(isBracketed));
}

/** An operator is between two words; at an end, or next to another one, it is a word like others. */
function separates(words: readonly string[], index: number): boolean {
  const isOperator = (at: number): boolean => OPERATORS.has(words[at] ?? "");
  return isOperator(index) && index > 0 && index < words.length - 1 && !isOperator(index - 1) && !isOperator(index + 1);
}

const isBracketed = (word: string): boolean => word.startsWith("(") || word.endsWith(")");

export const NOTHING: Condition = { kind: "or", of: [] };

export const allOf = (of: readonly Condition[]): Condition => (of.length === 1 && of[0] ? of[0] : { kind: "and", of });
export const anyOf = (of: readonly Condition[]): Condition => (of.length === 1 && of[0] ? of[0] : { kind: "or", of });

/** Alternatives that hold where two of these do, or the only one. */
export const twoOf = (of: readonly Condition[]): readonly Condition[] =>
  of.length === 1 ? of : of.slice(0, -1).map((one, at) => allOf([one, anyOf(of.slice(at + 1))]));

/** How many tokens, keys and ranges a condition has: what a query may cost is known before it is asked. */
export function sizeOf(condition: Condition): number {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.of.reduce((sum, each) => sum + sizeOf(each), 0);
    case "not":
      return sizeOf(condition.of);
    case "key":
      return condition.anyOf.length;
    default:
      return 1;
  }
}
