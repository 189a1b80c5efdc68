// Words under a language of two letters, as the tools' model has titles and descriptions of licences and awards.

import { languageOf, shortLanguage } from "../../model/metadata/language-codes.ts";
import type { Text } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { hasSameContent } from "./keep.ts";
import { FAULT_MESSAGES, type Reading, textAt } from "./reading.ts";

/** Titles and descriptions of licences have a key of two letters for their language. */
export const worded = ({ value, lang }: Text): JsonObject => {
  const short = lang === undefined ? "en" : shortLanguage(languageOf(lang));
  return { [/^[a-z]{2}$/.test(short) ? short : "en"]: value };
};

export function wordingAt(sent: Json | undefined, path: string, to: Reading, before: Text | undefined): Text | null {
  if (sent === undefined) return null;
  if (before !== undefined && hasSameContent(sent, worded(before))) return before;
  if (!isJsonObject(sent)) {
    to.fault(path, sent === null ? FAULT_MESSAGES.null : "Not a valid mapping type.");
    return null;
  }
  const [[lang, value] = ["", undefined], ...more] = Object.entries(sent);
  if (value === undefined) return null;
  if (more.length > 0 || !/^[a-z]{2}$/.test(lang) || languageOf(lang) === lang) {
    to.fault(path, more.length > 0 ? "Only one value is accepted." : "Not a valid locale.");
    return null;
  }
  const text = textAt(value, `${path}.${lang}`, to);
  return text === null || text === "" ? null : { value: text, lang };
}
