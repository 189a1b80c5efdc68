// Two words beside each other (R27; reference 2.6, phrases): an index knows which words an item has, not where; so that a phrase is found in its order
// the pairs of the texts an item is known by are words of an index too. Runs of Japanese and its like have their pairs among their tokens already.
import { isOfRun, tokensOf } from "./tokens.ts";

/** Between two words; no token has it. */
const BESIDE = "+";
/** Stands for every pair of what was not looked at. */
export const MORE_PAIRS = "+";
/** Pairs of an item: titles and names, and the beginning of what follows them. */
const PAIRS = 64;
/** Characters of texts that are looked at for them. */
const CHARACTERS = 2_000;

/** Words, and the single characters of a run, in their order. */
function units(text: string): readonly string[] {
  return tokensOf(text).filter((token) => !(token.length > 1 && isOfRun(token)));
}

/** The pairs of texts, and whether there are more than were taken. */
export function pairsIn(texts: Iterable<string>): ReadonlySet<string> {
  const pairs = new Set<string>();
  let left = CHARACTERS;
  for (const text of texts) {
    const taken = text.slice(0, Math.max(left, 0)).toWellFormed();
    const isCut = taken.length < text.length;
    left -= taken.length;
    let before: string | null = null;
    for (const unit of units(taken)) {
      if (before !== null && !(isOfRun(before) && isOfRun(unit))) {
        if (pairs.size >= PAIRS) return pairs.add(MORE_PAIRS);
        pairs.add(`${before}${BESIDE}${unit}`);
      }
      before = unit;
    }
    if (isCut) return pairs.add(MORE_PAIRS);
  }
  return pairs;
}

/** The pairs that must be in an item for a phrase to be in it: none where the words of it say it all. */
export const pairsOfPhrase = (phrase: string): readonly string[] =>
  [...pairsIn([phrase])].filter((pair) => pair !== MORE_PAIRS);
