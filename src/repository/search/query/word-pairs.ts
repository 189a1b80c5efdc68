// Two neighbouring words (R27; reference 2.6, phrases): an index knows which words an item has, not where; so that a
// phrase is found in its order the pairs of the texts an item is known by are words of an index too. Runs of Japanese
// and its like have their pairs among their tokens already.
import { folded, piecesOf, type Span, spansOf, WORD_CHARACTERS } from "../document/tokens.ts";

/** Between two words; no token has it. */
const PAIR_SEPARATOR = "+";
/** Means every pair of the text that was not read. */
export const MORE_PAIRS = "+";
/** Pairs of an item: titles and names, and the beginning of what follows them. */
const PAIRS = 64;
/** Characters of texts that are read for them. */
const CHARACTERS = 2_000;

/** The pairs of texts, and whether there are more than were taken. `read`: the words and runs of one. */
export function pairsIn(
  texts: Iterable<string>,
  read: (text: string) => readonly Span[] = (text) => spansOf(folded(text)),
): ReadonlySet<string> {
  const pairs = new Set<string>();
  let left = CHARACTERS;
  for (const text of texts) {
    const isCut = text.length > left;
    let before = "";
    let isAfterRun = false;
    for (const span of isCut ? spansOf(folded(text.slice(0, left).toWellFormed())) : read(text)) {
      const { isRun } = span;
      for (const word of wordsOfSpan(span)) {
        if (before !== "" && !(isAfterRun && isRun)) {
          if (pairs.size >= PAIRS) return pairs.add(MORE_PAIRS);
          pairs.add(`${before}${PAIR_SEPARATOR}${word}`);
        }
        before = word;
        isAfterRun = isRun;
      }
    }
    if (isCut) return pairs.add(MORE_PAIRS);
    left -= text.length;
  }
  return pairs;
}

const SURROGATES = /[\ud800-\udfff]/;

/** Of a run its ends: pairs of what is between them are tokens already. */
function wordsOfSpan({ text, isRun }: Span): readonly string[] {
  if (!isRun) return text.length <= WORD_CHARACTERS ? [text] : piecesOf(text);
  if (text.length === 1) return [text];
  if (!SURROGATES.test(text)) return [text.charAt(0), text.charAt(text.length - 1)];
  const characters = [...text];
  return [...characters.slice(0, 1), ...characters.slice(1).slice(-1)];
}

/** The pairs that must be in an item for a phrase to be in it: none where its words are enough. */
export const pairsOfPhrase = (phrase: string): readonly string[] =>
  [...pairsIn([phrase])].filter((pair) => pair !== MORE_PAIRS);
