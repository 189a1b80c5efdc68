// The words of one text as a document has them, in its title and in all of it.
import type { StemLanguage } from "../../src/repository/search/words/stems.ts";
import { noTriples, textWords, tripleTokens } from "../../src/repository/search/words/text-words.ts";
import { runWithoutYielding } from "../../src/shared/time/event-loop.ts";

const LIMITS = { characters: 10_000, tokens: 10_000 };

export function wordFields(
  texts: readonly string[],
  language: StemLanguage = "en",
  isShort = true,
): { readonly title: string; readonly all: string } {
  const written = texts.map((value) => ({ value, language }));
  const { tokens, forms, triples } = runWithoutYielding(textWords(written, LIMITS, isShort, noTriples()));
  const title = [...tokens.keys(), ...forms].join(" ");
  return { title, all: [title, ...tripleTokens(triples)].filter((part) => part !== "").join(" ") };
}
