// Text for formats with one line per value: no line breaks, no control characters, nothing that strict readers refuse.
import { exchangedText } from "../../shared/text/text.ts";

/** Control characters count as white space: writers use them as separators, and readers do not see them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed.
const SPACE = /[\s\u0000-\u001F\u007F-\u009F]+/g;

export const oneLine = (text: string): string => exchangedText(text).replace(SPACE, " ").trim();
