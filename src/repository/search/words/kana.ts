// Kana that are written in several ways (R27): hiragana and katakana, and the long vowels and foreign sounds of loan
// words, for which the Cabinet notice 2 of 1991 allows several forms. Texts are folded before (tokens.ts).

const FIRST_HIRAGANA = 0x3041;
const LAST_HIRAGANA = 0x3096;
const DISTANCE = 0x60;

export const IS_HIRAGANA = /^[\u3041-\u3096ー]+$/;
export const IS_KATAKANA = /^[\u30a1-\u30faー]+$/;

/** Each kana in the other script, the mark for long vowels as it is. */
export function inKatakana(text: string): string {
  return moved(text, FIRST_HIRAGANA, LAST_HIRAGANA, DISTANCE);
}
export function inHiragana(text: string): string {
  return moved(text, FIRST_HIRAGANA + DISTANCE, LAST_HIRAGANA + DISTANCE, -DISTANCE);
}

function moved(text: string, first: number, last: number, distance: number): string {
  let all = "";
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    all += code >= first && code <= last ? String.fromCharCode(code + distance) : text.charAt(at);
  }
  return all;
}

/** Sounds of the notice, and what they are replaced by: ディジタル, デジタル; テレフォン, テレホン; ダイヤ, ダイア. */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ディ|デイ/g, "デ"],
  [/ティ|テイ/g, "チ"],
  [/トゥ/g, "ツ"],
  [/ドゥ/g, "ド"],
  [/ツァ/g, "ツア"],
  [/ファ/g, "ハ"],
  [/フィ/g, "ヒ"],
  [/フェ/g, "ヘ"],
  [/フォ/g, "ホ"],
  [/ウ[ィイ]/g, "ウイ"],
  [/ウ[ェエ]/g, "ウエ"],
  [/ウ[ォオ]/g, "ウオ"],
  [/([クグ])[ァィェォ]/g, "$1"],
  [/シェ/g, "セ"],
  [/ジェ/g, "ゼ"],
  [/チェ/g, "チエ"],
  [/ヂ/g, "ジ"],
  [/ヅ/g, "ズ"],
  [/ヲ/g, "オ"],
  [/([イキシチニヒミリギジビピ])ヤ/g, "$1ア"],
  [/シュミレ/g, "シミュレ"],
];
/** Long vowels: the mark, and a vowel that lengthens the one before it (メイル, ボウル). */
const LONG = /ー|(?<=[エケセテネヘメレゲゼデベペェ])[イィ]|(?<=[オコソトノホモヨロゴゾドボポョ])[ウゥ]/g;

/**
 * One key for a katakana word in all its forms; null for one that has no others. Whole words are compared by it, not
 * parts of them, and the shortest not at all: ビル is not ビール.
 */
export function katakanaKey(word: string): string | null {
  if (word.length < KEYED || !IS_KATAKANA.test(word)) return null;
  let key = word;
  for (const [sound, replacement] of SOUNDS) key = key.replace(sound, replacement);
  const short = key.replace(LONG, "");
  return short.length < KEYED - 1 ? null : short;
}
/** Characters of a katakana word that has a key. */
const KEYED = 3;
