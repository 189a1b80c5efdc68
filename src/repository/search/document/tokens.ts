// Text cut into tokens (R27): once, by us, for documents and for queries, so that every engine compares bytes and gives
// equal answers. A token holds letters, digits and combining marks only, all of them folded: width, case, accents and
// forms of normalization tell nothing apart. Words of scripts that put spaces between them are tokens whole; runs of
// the others (Han, kana, Hangul, Thai and their like, and emoji) are found by any part: a document has each single
// character of a run and each two neighbouring ones. Variants of a character are one character (kanji-variants.ts).
import { boundedCompatible, normalForm } from "../../../shared/text/text.ts";
import { withStandardKanji } from "../words/kanji-variants.ts";

/**
 * Characters of a word that is one token; a longer one is cut into pieces of this length. Engines cut tokens at 100.
 */
export const WORD_CHARACTERS = 48;

/**
 * Written without spaces between words, or with endings grown together with them. Kana have the long vowel mark in
 * common.
 */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Hangul}\p{sc=Yi}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}ー`;
/** Pictures, without the signs that texts have for other reasons: ©, ®, arrows, dashes. */
const EMOJI = String.raw`[[\p{Extended_Pictographic}\p{Regional_Indicator}]--[\0-\u22ff\u3030\u303d]]`;
/** What makes up a run, and what makes up a word. Punctuation of these scripts belongs to neither. */
const RUN_CHARACTER = String.raw`[[[${UNSPACED}]&&[\p{L}\p{N}\p{M}]]${EMOJI}]`;
const RUNS = new RegExp(
  String.raw`(${RUN_CHARACTER}+)|([[\p{L}\p{N}]--[${UNSPACED}]][[\p{L}\p{N}\p{M}]--[${UNSPACED}]]*)`,
  "gv",
);

const [UNSEEN_YET, RUN, LETTER, MARK, OTHER] = [0, 1, 2, 3, 4];
const IN_RUN = new RegExp(RUN_CHARACTER, "v");
const IS_LETTER = /[\p{L}\p{N}]/u;
const IS_MARK = /\p{M}/u;
/**
 * What each character of one code unit is to `RUNS`, as far as texts had it: an expression that is asked for each of
 * them costs several times as much.
 */
const kinds = new Uint8Array(2 ** 16);
const SURROGATES = /[\ud800-\udfff]/;

const BEYOND_ASCII = /[^\0-\x7f]/;
/** ASCII, Han, kana and their punctuation that fold into themselves except for the case, whatever is next to them. */
const FOLDED_CJK = /^[\0-\x7f\u3001\u3002\u3005\u300c-\u300f\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff]*$/;
const TWO_LONG_VOWELS = "ーー";
/** Characters that take no accent and fold into themselves: most of a Japanese text, which is spared the rest. */
const BEYOND_CJK = /[^\0-\x7f\u2000-\u206f\u3000-\u9fff\uac00-\ud7af]/;
/**
 * Accents, points of Hebrew and Arabic, marks that choose a variant of a character: people who search do not type them.
 */
const ACCENTS = /[[\p{M}&&[\p{sc=Inherited}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Cyrillic}]]--[\u3099-\u309a]]|\u0640/gv;
/** Letters that no normalization takes apart, as they are typed without them. */
const PLAIN: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ς: "σ",
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");
/** Invisible, also inside a word: soft hyphens, joiners, marks of direction. A space of no width is a space. */
const UNSEEN = /(?!\u200b)\p{Cf}/gu;
/** Apostrophes that Unicode counts as letters; they part words as the others do. */
const LETTER_APOSTROPHES = /[\u02b9-\u02cf]/g;
/** Dashes that people write after kana for the long vowel mark, and several of it. */
const LONG_VOWELS = /(?:ー|(?<=[\p{sc=Hiragana}\p{sc=Katakana}])[―—─−〜])[ー―—─−〜]*/gu;
/** A katakana word of four characters and more is written with or without the mark at its end. */
const KATAKANA_END = /(?<=[\p{sc=Katakana}][\p{sc=Katakana}ー]{2})ー$/u;

/** The sound v, which is also written as b: ヴァイオリン, バイオリン. */
const V_SOUNDS = /[ヴゔ]([ァィェォャュョぁぃぇぉゃゅょ]?)/g;
const HAS_V_SOUND = /[ヴゔ]/;
const B_SOUNDS: Readonly<Record<string, string>> = {
  ...{ ヴ: "ブ", ヴァ: "バ", ヴィ: "ビ", ヴェ: "ベ", ヴォ: "ボ", ヴャ: "ビャ", ヴュ: "ビュ", ヴョ: "ビョ" },
  ...{ ゔ: "ぶ", ゔぁ: "ば", ゔぃ: "び", ゔぇ: "べ", ゔぉ: "ぼ", ゔゃ: "びゃ", ゔゅ: "びゅ", ゔょ: "びょ" },
};

/** Characters and sounds that are written in several ways. */
function withStandardForms(text: string): string {
  const standard = withStandardKanji(text);
  return HAS_V_SOUND.test(standard) ? standard.replace(V_SOUNDS, (sound) => B_SOUNDS[sound] ?? sound) : standard;
}

/** One way of writing for all that look or read alike. */
export function folded(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  if (FOLDED_CJK.test(text) && !text.includes(TWO_LONG_VOWELS)) return withStandardForms(text.toLowerCase());
  return whollyFolded(text);
}

/** The same of any text, step by step: what the shorter ways are held to. */
export function whollyFolded(text: string): string {
  // Both cases are needed: upper case separates characters that lower case does not, and the other way round.
  const lower = boundedCompatible(text.replace(UNSEEN, "")).toUpperCase().toLowerCase();
  return withStandardForms((BEYOND_CJK.test(lower) ? withoutAccents(lower) : lower).replace(LONG_VOWELS, "ー"));
}

function withoutAccents(text: string): string {
  const apart = normalForm(text.replace(LETTER_APOSTROPHES, "'"), "NFD").replace(ACCENTS, "");
  return normalForm(apart, "NFC").replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
}

/** Pieces of a long word; most words are one. */
export function piecesOf(word: string): readonly string[] {
  if (word.length <= WORD_CHARACTERS) return [word];
  const characters = [...word];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += WORD_CHARACTERS) {
    pieces.push(characters.slice(at, at + WORD_CHARACTERS).join(""));
  }
  return pieces;
}

/** Tokens of a text as a document has them: in their order, some several times. */
export const tokensOf = (text: string): readonly string[] => tokensOfSpans(spansOf(folded(text)));

/** The same of the words and runs of a text. */
export function tokensOfSpans(spans: readonly Span[]): readonly string[] {
  const tokens: string[] = [];
  for (const { text, isRun } of spans) {
    if (isRun) takeRun(tokens, text);
    else if (text.length <= WORD_CHARACTERS) tokens.push(text);
    else tokens.push(...piecesOf(text));
  }
  return tokens;
}

/** A word or a run of a folded text, and where it begins. */
export type Span = { readonly text: string; readonly from: number; readonly isRun: boolean };

/** The words and runs of a folded text, in their order. */
export const spansOf = (plain: string): readonly Span[] =>
  SURROGATES.test(plain) ? spansIn(plain) : scannedSpans(plain);

/** Spans by `RUNS` alone: what the faster way is held to. */
export function spansIn(plain: string): readonly Span[] {
  const spans: Span[] = [];
  for (const { 0: text, 1: run, index } of plain.matchAll(RUNS)) {
    spans.push({ text, from: index, isRun: run !== undefined });
  }
  return spans;
}

/** The same for a text of which each character is one code unit. */
function scannedSpans(plain: string): readonly Span[] {
  const spans: Span[] = [];
  let from = -1;
  let isRun = false;
  for (let at = 0; at <= plain.length; at += 1) {
    const kind = at < plain.length ? kindOf(plain.charCodeAt(at)) : OTHER;
    const goesOn = from >= 0 && (isRun ? kind === RUN : kind === LETTER || kind === MARK);
    if (goesOn) continue;
    if (from >= 0) spans.push({ text: plain.slice(from, at), from, isRun });
    from = kind === RUN || kind === LETTER ? at : -1;
    isRun = kind === RUN;
  }
  return spans;
}

function takeRun(tokens: string[], run: string): void {
  if (SURROGATES.test(run)) {
    let before = "";
    for (const character of run) {
      if (before !== "") tokens.push(before + character);
      tokens.push(character);
      before = character;
    }
    return;
  }
  let before = 0;
  for (let at = 0; at < run.length; at += 1) {
    const code = run.charCodeAt(at);
    if (at > 0) tokens.push(pairOf(before, code));
    tokens.push(characterOf(code));
    before = code;
  }
}

// Tokens of runs come again and again: the same text each time costs less than a new one.
const KEPT_PAIRS = 50_000;
const CODE_UNITS = 2 ** 16;
const keptCharacters = new Map<number, string>();
const keptPairs = new Map<number, string>();

const characterOf = (code: number): string => {
  const known = keptCharacters.get(code);
  if (known !== undefined) return known;
  const character = String.fromCharCode(code);
  keptCharacters.set(code, character);
  return character;
};

function pairOf(first: number, second: number): string {
  const name = first * CODE_UNITS + second;
  const known = keptPairs.get(name);
  if (known !== undefined) return known;
  if (keptPairs.size >= KEPT_PAIRS) keptPairs.clear();
  const pair = String.fromCharCode(first, second);
  keptPairs.set(name, pair);
  return pair;
}

function kindOf(code: number): number {
  const known = kinds[code] ?? OTHER;
  if (known !== UNSEEN_YET) return known;
  const character = String.fromCharCode(code);
  const kind = IN_RUN.test(character)
    ? RUN
    : IS_LETTER.test(character)
      ? LETTER
      : IS_MARK.test(character)
        ? MARK
        : OTHER;
  kinds[code] = kind;
  return kind;
}

/** Whether a token is of a script without spaces. */
export function isOfRun(token: string): boolean {
  const code = token.charCodeAt(0);
  if (code <= LAST_OF_ASCII) return false;
  return isSurrogate(code) ? IN_RUN.test(token) : kindOf(code) === RUN;
}
const LAST_OF_ASCII = 0x7f;
const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/**
 * Tokens all of which a document must have for a word of a query to be found in it: a single character of a run is
 * itself, a longer run its pairs. Empty: there is nothing in the word that could be searched for, as in one of
 * punctuation.
 */
export const wordsOfQuery = (word: string): readonly string[] => [
  ...new Set(spansOf(folded(word)).flatMap(tokensOfSpan)),
];

/** The same of one word or run. */
export const tokensOfSpan = ({ text, isRun }: Pick<Span, "text" | "isRun">): readonly string[] =>
  isRun ? pairs([...searchedRun(text)]) : piecesOf(text);

/** A run as it is searched for: without the mark at its end that is written or not. */
export const searchedRun = (run: string): string => run.replace(KATAKANA_END, "");

const pairs = (run: readonly string[]): readonly string[] =>
  run.length === 1 ? run : run.slice(1).map((character, at) => `${run[at]}${character}`);

/** How much of a field is taken: whatever a stranger deposits, a document stays small. */
export type TokenLimits = {
  /** Of the texts as they are given. */
  readonly characters: number;
  readonly tokens: number;
};

/**
 * Each token of the texts once, with a space between two: what a field of words of a document holds. Once the limits
 * are reached the rest is left.
 */
export function tokenField(texts: Iterable<string>, limits: TokenLimits): string {
  return [...tokenSet(texts, limits)].join(" ");
}

/** Characters of a text that are cut together: after the last token that is taken little more is read. */
const PIECE = 20_000;
/** Before the end of a piece a blank is searched for. */
const LONGEST_WORD = 100;
/** Where there is none: the last character is in the next piece, too, so that no two of a run are parted. */
const OVERLAP = 2;

function* readPieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE;
    if (end >= text.length) {
      yield text.slice(at).toWellFormed();
      return;
    }
    const blank = text.slice(end - LONGEST_WORD, end).search(/\s\S*$/);
    const cut = blank === -1 ? end : end - LONGEST_WORD + blank;
    yield text.slice(at, cut).toWellFormed();
    at = blank === -1 ? cut - OVERLAP : cut;
  }
}

export function tokenSet(texts: Iterable<string>, { characters, tokens }: TokenLimits): ReadonlySet<string> {
  const found = new Set<string>();
  let left = characters;
  for (const text of texts) {
    for (const piece of boundedPieces(text, left)) {
      for (const token of tokensOf(piece)) {
        if (found.size >= tokens) return found;
        found.add(token);
      }
    }
    left -= text.length;
    if (left <= 0) break;
  }
  return found;
}

/** A text in pieces that are cut by themselves, up to a number of characters. Most texts are one piece. */
export function boundedPieces(text: string, characters: number): Iterable<string> {
  const taken = text.length <= characters ? text : text.slice(0, characters);
  return taken.length <= PIECE ? [taken.toWellFormed()] : readPieces(taken.toWellFormed());
}
