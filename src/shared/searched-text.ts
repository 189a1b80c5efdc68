// Texts in the form in which words are looked for in them: compatible characters are one, letters are small.

/** For a column that words are looked for in. */
export function searchedText(...texts: readonly string[]): string {
  return texts.join(" ").normalize("NFKC").toLowerCase().replaceAll("\0", "").toWellFormed();
}

/** A pattern for `like … escape '!'` that finds a word of `searchedText` anywhere. */
export function containing(word: string): string {
  return `%${searchedText(word).replace(/[!%_]/g, "!$&")}%`;
}
