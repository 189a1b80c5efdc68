// Lines of a page as text (R35): a PDF knows lines, not words and paragraphs, and a word that is broken between two
// lines would be found by nobody.

const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆、。，．・「」『』（）`;
const ACROSS_CJK = new RegExp(`([${CJK}])[ \\t]*\\n[ \\t]*(?=[${CJK}])`, "gu");
const HYPHENATED = /(\p{Ll})[-\u2010]\n[ \t]*(?=\p{Ll})/gu;

/**
 * Chinese and Japanese have no space between lines; a word that was hyphenated at the end of a line is joined again.
 */
export function joinedLines(text: string): string {
  return text.replace(ACROSS_CJK, "$1").replace(HYPHENATED, "$1");
}
