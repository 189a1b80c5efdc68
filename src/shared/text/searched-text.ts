// Texts in the form in which words are searched: compatible characters are one, letters are lower case.
import { normalForm } from "./normal-form.ts";

/** For a column in which words are searched. */
export function searchedText(...texts: readonly string[]): string {
  return normalForm(texts.join(" "), "NFKC").toLowerCase().replaceAll("\0", "").toWellFormed();
}

/** A pattern for `like … escape '!'` that finds a word of `searchedText` anywhere. */
export function containing(word: string): string {
  return `%${searchedText(word).replace(/[!%_]/g, "!$&")}%`;
}
