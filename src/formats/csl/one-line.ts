// Text for documents of one line a value: no line breaks, no control characters, nothing that strict readers refuse.
import { exchangedText } from "../../shared/exchanged-text.ts";

/** Control characters are white space here: they are separators to whoever wrote them, and nothing to who reads. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is taken away.
const SPACE = /[\s\u0000-\u001F\u007F-\u009F]+/g;

export const oneLine = (text: string): string => exchangedText(text).replace(SPACE, " ").trim();
