// Texts in the form in which words are looked for in them: compatible characters are one, letters are small.
import { normalForm } from "./normal-form.ts";

/** For a column that words are looked for in. */
export function searchedText(...texts: readonly string[]): string {
  return normalForm(texts.join(" "), "NFKC").toLowerCase().replaceAll("\0", "").toWellFormed();
}

/** A pattern for `like … escape '!'` that finds a word of `searchedText` anywhere. */
export function containing(word: string): string {
  return `%${searchedText(word).replace(/[!%_]/g, "!$&")}%`;
}
