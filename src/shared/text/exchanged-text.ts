// Text that every reader of UTF-8 accepts: strict ones, such as biber, refuse a whole file for one noncharacter (Unicode 23.7) or half of a pair.

const REFUSED = /[\p{Noncharacter_Code_Point}\p{Surrogate}]/gu;
const MAY_BE_REFUSED = /[\uD800-\uDFFF\uFDD0-\uFDEF\uFFFE\uFFFF]/;

/** The text with U+FFFD for every noncharacter and lone surrogate. */
export const exchangedText = (text: string): string =>
  MAY_BE_REFUSED.test(text) ? text.replace(REFUSED, "\u{FFFD}") : text;

/** A JSON document whose texts every reader accepts. */
export const exchangedJson = (value: unknown): string =>
  `${JSON.stringify(value, (_, each: unknown) => (typeof each === "string" ? exchangedText(each) : each), 2)}\n`;
