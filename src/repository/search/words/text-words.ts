// The words of texts as a document has them (R27): tokens, their forms, and three characters in a row, each text folded
// once. Limited before work is done: what goes beyond is shown, and found by the rest.

import type { InParts } from "../../../shared/time/event-loop.ts";
import { boundedPieces, folded, type Span, spansOf, type TokenLimits, tokensOfSpans } from "../document/tokens.ts";
import type { StemLanguage } from "./stems.ts";
import { addTriples, eachForm, isLikeIdentifier, MORE_TRIPLES } from "./word-forms.ts";

export type WordText = { readonly value: string; readonly language: StemLanguage };

export type TextWords = {
  /** With how often each is in the texts. */
  readonly tokens: ReadonlyMap<string, number>;
  readonly forms: Set<string>;
  /** Shared by several texts. */
  readonly triples: Triples;
};

export type Triples = { readonly found: Set<string>; isWhole: boolean };

/** Forms of a field, and three characters in a row of the metadata of an item, or of one file. */
export const FORMS = 10_000;
export const TRIPLES = 10_000;

/** Characters of a text after which others may run, and up to which its words are kept for its pairs. */
const SHORT = 2_000;

export const noTriples = (): Triples => ({ found: new Set(), isWhole: true });

/** Texts that were read, each with its words and runs where it is short: they are read again for pairs of words. */
export type ReadTexts = {
  readonly values: string[];
  readonly spans: Map<string, readonly Span[] | null>;
};

/** `isShort`: see `eachForm`. `triples`: those of texts before, to which these are added. */
export function* textWords(
  texts: Iterable<WordText>,
  { characters, tokens: most }: TokenLimits,
  isShort: boolean,
  triples: Triples,
  { values, spans: known }: ReadTexts = { values: [], spans: new Map() },
): InParts<TextWords> {
  const tokens = new Map<string, number>();
  const forms = new Set<string>();
  let left = characters;
  for (const { value, language } of texts) {
    // Parts of names that a person lacks.
    if (value === "") continue;
    values.push(value);
    known.set(value, null);
    for (const piece of boundedPieces(value, left)) {
      const plain = folded(piece);
      const spans = spansOf(plain);
      if (piece.length === value.length && value.length <= SHORT) known.set(value, spans);
      if (!countUpTo(most, tokens, tokensOfSpans(spans))) return { tokens, forms, triples: withoutRest(triples) };
      if (forms.size < FORMS) {
        const isIdentifier = !isShort && isLikeIdentifier(plain);
        eachForm(plain, spans, { language, isShort, isIdentifier }, (form) => forms.add(form));
      }
      if (triples.isWhole) triples.isWhole = addTriples(triples.found, spans, TRIPLES);
      if (plain.length > SHORT) yield;
    }
    left -= value.length;
    if (left <= 0) break;
  }
  return { tokens, forms, triples };
}

/** False: there are more than that many. */
function countUpTo(most: number, counts: Map<string, number>, tokens: readonly string[]): boolean {
  for (const token of tokens) {
    const count = counts.get(token);
    if (count === undefined && counts.size >= most) return false;
    counts.set(token, (count ?? 0) + 1);
  }
  return true;
}

function withoutRest(triples: Triples): Triples {
  triples.isWhole = false;
  return triples;
}

/** As tokens: all of them, or none and that there are more. */
export const tripleTokens = ({ found, isWhole }: Triples): Iterable<string> => (isWhole ? found : [MORE_TRIPLES]);
