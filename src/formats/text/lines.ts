// Lines of a page as text (R35): a PDF knows lines, not words and paragraphs, and a word that is broken between two
// lines would be found by nobody.

const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆、。，．・「」『』（）`;
const ACROSS_CJK = new RegExp(`([${CJK}])[ \\t]*\\n[ \\t]*(?=[${CJK}])`, "gu");
const HYPHENATED = /(\p{Ll})[-\u2010]\n[ \t]*(?=\p{Ll})/gu;

/** Between two pages of a text, so that a word can be found on its page. */
export const PAGE_END = "\f";
/** A word or a sentence that goes on on the next page: the page ends behind it. */
const CJK_ACROSS_PAGES = new RegExp(`([${CJK}])[ \\t\\n]{0,9}\\f\\n?[ \\t]{0,9}([${CJK}]{1,200})`, "gu");
const WORD_ACROSS_PAGES = /(\p{Ll})[-\u2010][ \t\n]{0,9}\f\n?[ \t]{0,9}(\p{L}{1,50})/gu;

/**
 * Chinese and Japanese have no space between lines; a word that was hyphenated at the end of a line is joined again.
 */
export function joinedLines(text: string): string {
  return text
    .replace(ACROSS_CJK, "$1")
    .replace(HYPHENATED, "$1")
    .replace(CJK_ACROSS_PAGES, "$1$2\f")
    .replace(WORD_ACROSS_PAGES, "$1$2\f");
}
