// Forms of texts, each made in linear time: Unicode normal forms (UAX #15), ends cut off, words as they are searched,
// what is exchanged.

// Normalization sorts marks that follow each other by insertion: 100,000 of them take 20 seconds. No text that somebody
// reads has more than 30 in a row (UAX #15, section 13); what follows these is left out of the normal form.

export type NormalForm = "NFC" | "NFD" | "NFKC" | "NFKD";

/** Marks, and the two letters whose normal form begins with one. */
const MARK = String.raw`[\p{M}\u0e33\u0eb3\uff9e\uff9f]`;
const LONG_RUN = new RegExp(`${MARK}{31}`, "u");
const END_OF_RUN = new RegExp(`(${MARK}{30})${MARK}+`, "gu");

/** Whether normalization would take long over the marks of a text. */
export const hasLongMarkRun = (text: string): boolean => LONG_RUN.test(text);

/** The normal form of a text, which every caller takes instead of `String.prototype.normalize`. */
export function normalForm(text: string, form: NormalForm): string {
  return (hasLongMarkRun(text) ? text.replace(END_OF_RUN, "$1") : text).normalize(form);
}

/** A character expands to up to 18 others, in a text that means something for far fewer. */
const EXPANSION = 4;
const SHORT = 100;

/** The compatible form of a limited number of characters of a text, no longer than texts that mean something become. */
export function boundedCompatible(text: string, characters: number = text.length): string {
  const read = text.length > characters ? text.slice(0, characters).toWellFormed() : text;
  return normalForm(read, "NFKC").slice(0, read.length * EXPANSION + SHORT);
}

/**
 * The text without the characters at its end that are among these, in one pass: an expression of the form `X+$` begins
 * again at every X of a text that goes on behind.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** For a column in which words are searched: compatible characters are one, letters are lower case. */
export function searchedText(...texts: readonly string[]): string {
  return normalForm(texts.join(" "), "NFKC").toLowerCase().replaceAll("\0", "").toWellFormed();
}

/** A pattern for `like … escape '!'` that finds a word of `searchedText` anywhere. */
export function containing(word: string): string {
  return `%${searchedText(word).replace(/[!%_]/g, "!$&")}%`;
}

// Text that every reader of UTF-8 accepts: strict ones, such as biber, refuse a whole file for one noncharacter
// (Unicode 23.7) or half of a pair.

const REFUSED = /[\p{Noncharacter_Code_Point}\p{Surrogate}]/gu;
const MAY_BE_REFUSED = /[\uD800-\uDFFF\uFDD0-\uFDEF\uFFFE\uFFFF]/;

/** The text with U+FFFD for every noncharacter and lone surrogate. */
export const exchangedText = (text: string): string =>
  MAY_BE_REFUSED.test(text) ? text.replace(REFUSED, "\u{FFFD}") : text;

/** A JSON document whose texts every reader accepts. */
export const exchangedJson = (value: unknown): string =>
  `${JSON.stringify(value, (_, each: unknown) => (typeof each === "string" ? exchangedText(each) : each), 2)}\n`;
