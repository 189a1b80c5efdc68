// Unicode normal forms (UAX #15) in linear time. Normalization sorts marks that follow each other by insertion: 100,000 of them take 20 seconds. No
// text that somebody reads has more than 30 in a row (UAX #15, section 13); what follows these is left out of the normal form.

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
