// How Typesense cuts a text into tokens, as far as it was seen: fields without a locale, and `ja` with the readings
// below.
import type { Field } from "./schema.ts";
import { unseen } from "./unseen.ts";

/** truncate_len: the rest is not checked. */
const TOKEN_CHARACTERS = 100;

/** ASCII, Latin letters with accents, full-width forms, kana and Han: what else does to a token was not seen. */
const SEEN: readonly (readonly [from: number, to: number])[] = [
  [0, 0x24f],
  [0x2010, 0x2027],
  [0x3000, 0x30ff],
  [0x4e00, 0x9fff],
  [0xff01, 0xff9f],
  [0x1f4da, 0x1f4da],
];
const isSeen = (letter: string): boolean => {
  const code = letter.codePointAt(0) ?? 0;
  return SEEN.some(([from, to]) => code >= from && code <= to);
};
const FOLDED: { readonly [letter: string]: string } = { ß: "ss", ẞ: "ss" };

/**
 * Letters without case, accents and width; of ASCII only letters and digits are left, and the symbols a field keeps.
 */
export function normalToken(word: string, symbols: readonly string[] = []): string {
  if (![...word].every(isSeen)) unseen(`a token of other scripts ("${word.slice(0, 40)}")`);
  return [...word.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))]
    .map((letter) => FOLDED[letter] ?? (letter < "\u0250" ? letter.normalize("NFD").replace(/\p{M}/gu, "") : letter))
    .join("")
    .toLowerCase()
    .replace(/[^a-z0-9\u0080-\uffff]/g, (letter) => (symbols.includes(letter) ? letter : ""))
    .slice(0, TOKEN_CHARACTERS);
}

const SEGMENTS = new Intl.Segmenter("ja", { granularity: "word" });
const segments = (text: string): string[] => [...SEGMENTS.segment(text)].map(({ segment }) => segment);

/** The server turns Han into kana by a dictionary; these are the words of the recorded documents and requests. */
const READINGS: { readonly [word: string]: string } = {
  図書館: "としょかん",
  図書缶: "としょかん",
  図書: "としょ",
  缶: "かん",
  東京: "とうきょう",
  都立: "とりつ",
  蔵書: "ぞうしょ",
  検索: "けんさく",
  構築: "こうちく",
  研究: "けんきゅう",
  教育: "きょういく",
  利用: "りよう",
  量子: "りょうし",
  計算: "けいさん",
  気候: "きこう",
  変動: "へんどう",
  情報学: "じょうほうがく",
  に関する: "にかんする",
  図: "ず",
};

const katakanaAsHiragana = (word: string): string =>
  word.replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));

/** A word of a document that has no reading here is one token; a word of a request must have one. */
function japaneseTokens(text: string, isQuery: boolean): string[] {
  return segments(text).flatMap((word) => {
    if (/^[\uff66-\uff9f]+$/.test(word) || !/[\u3040-\u9fff]/.test(word)) return normalToken(word) || [];
    const reading = READINGS[word] ?? (/^[\u3040-\u30ff]+$/.test(word) ? word : undefined);
    if (reading === undefined && isQuery) unseen(`the reading of "${word}"`);
    return segments(katakanaAsHiragana(reading ?? word));
  });
}

/** The tokens of a text in this field; of a request's text where `isQuery`. */
export function tokensOf(text: string, field: Field, isQuery = false): string[] {
  if (field.locale === "ja") return japaneseTokens(text, isQuery);
  return text
    .split(/[ \n]+/)
    .map((word) => normalToken(word, field.symbols_to_index ?? []))
    .filter((token) => token !== "");
}
