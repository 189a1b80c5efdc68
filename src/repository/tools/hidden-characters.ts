// Characters of results that are invisible, change the direction of text, or carry a hidden message (R30; reference
// 5.10): a model reads them where a person does not. Results show each as `[U+202E]`, and what is sent back so is what
// was stored. Pure.

import { UNSEEN, withUnseenShown } from "../../model/files/file-names.ts";
import { isObject } from "../../shared/fields.ts";

/** Line breaks and tabs are text. */
const LAYOUT = /[\t\n\r]/;
const MARK = /\[U\+([0-9A-F]{4,6})\]/g;

/** The value, with every hidden character shown; `hasHidden`: there was one. */
export function withHiddenShown(value: unknown): { readonly value: unknown; readonly hasHidden: boolean } {
  let hasHidden = false;
  const shown = inTexts(value, (text) => {
    const plain = text.replace(UNSEEN, (each) => (LAYOUT.test(each) ? each : withUnseenShown(each)));
    hasHidden ||= plain !== text;
    return plain;
  });
  return { value: shown, hasHidden };
}

/** Whether a text may show hidden characters. */
export const isMarked = (text: string): boolean => text.search(MARK) !== -1;

/**
 * What was sent, with the marks of characters that `stored` holds read as these characters. A mark that is stored as it
 * is written stays one.
 */
export function withHiddenRestored<T>(sent: T, stored: unknown): T {
  const hidden = new Set<string>();
  inTexts(stored, (text) => {
    for (const each of text.match(UNSEEN) ?? []) hidden.add(each);
    return text;
  });
  if (hidden.size === 0) return sent;
  inTexts(stored, (text) => {
    for (const [, number = ""] of text.matchAll(MARK)) hidden.delete(characterOf(number));
    return text;
  });
  const restored = inTexts(sent, (text) =>
    text.replace(MARK, (mark, number: string) => (hidden.has(characterOf(number)) ? characterOf(number) : mark)),
  );
  // Nothing but texts was replaced.
  return restored as T;
}

function characterOf(hex: string): string {
  const number = Number.parseInt(hex, 16);
  return number <= 0x10_ffff ? String.fromCodePoint(number) : "";
}

function inTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => inTexts(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inTexts(each, change)]));
}
