// What an item must have for the words of a query to be found in it (R27): each word as it is written, or another form
// of it (src/repository/search/words). Forms are tokens that a word alone could not have, so that the
// ranking can tell them from the word itself. Words between quotation marks are found as they are written only.

import { FIELDS } from "../document/document.ts";
import { folded, type Span, searchedRun, spansOf, tokensOfSpan, WORD_CHARACTERS } from "../document/tokens.ts";
import type { Condition } from "../index/index-port.ts";
import { TEXTS } from "../settings/search-schema.ts";
import { IS_HIRAGANA, IS_KATAKANA, inHiragana, inKatakana, katakanaKey } from "../words/kana.ts";
import { GREEK_LETTERS } from "../words/spellings.ts";
import { keysOfWord, languageKeys } from "../words/stems.ts";
import { formToken, initialForm, MORE_TRIPLES, shortenedForm, triplesOf } from "../words/word-forms.ts";
import { allOf, anyOf, type QueryText, sizeOf } from "./query-text.ts";
import { isStopWord } from "./stop-words.ts";

/**
 * Where the tokens of one word are searched for: `tokens` is never empty. `adjacent`: the same with three characters in
 * a row instead of two, for fields that have them; where not all of these were taken, the pairs are enough.
 */
export type WordPlace = (tokens: readonly string[], adjacent?: readonly string[]) => Condition;

const WITH_TRIPLES: ReadonlySet<string> = new Set([FIELDS.all, FIELDS.files]);
/** Fields whose words are all in `FIELDS.all`. */
const PARTS_OF_ALL: ReadonlySet<string> = new Set(Object.values(TEXTS));

export function inField(field: string): WordPlace {
  const all = (tokens: readonly string[], name = field): Condition =>
    allOf(tokens.map((token) => ({ kind: "token", field: name, token })));
  return (tokens, adjacent = tokens) => {
    if (adjacent === tokens) return all(tokens);
    if (WITH_TRIPLES.has(field)) return anyOf([all(adjacent), all([MORE_TRIPLES, ...tokens])]);
    if (!PARTS_OF_ALL.has(field)) return all(tokens);
    return allOf([all(tokens), anyOf([all(adjacent, FIELDS.all), all([MORE_TRIPLES], FIELDS.all)])]);
  };
}

/** Tokens of a query up to which other forms of its words are searched for, too. */
export const PARTS_WITH_FORMS = 450;

/**
 * The condition of a query on the searched fields. A word without letters and digits adds no condition; alone it is
 * found nowhere. `isExact`: words are searched for as they are written.
 */
export function textCondition(query: QueryText, place: WordPlace, isExact = false): Condition {
  const alternatives = query.flatMap((group) => {
    const words = wordConditions(group, place, isExact);
    return words.length === 0 ? [] : [allOf(words)];
  });
  const condition = anyOf(alternatives);
  return isExact || sizeOf(condition) <= PARTS_WITH_FORMS ? condition : textCondition(query, place, true);
}

/** Words of a query whose other forms are searched for; parts of one word, and characters of a run. */
const WORDS_WITH_FORMS = 20;
const PARTS = 8;
const RUN_CHARACTERS = 40;
/** Names that may be the family name of initials. */
const FAMILIES = 4;

type QueryWord = { readonly spans: readonly Span[]; readonly isExact: boolean; readonly hasApostrophe: boolean };

/** Words that follow each other, without those that have nothing to search for. */
export const wordConditions = (words: readonly string[], place: WordPlace, isExact: boolean): readonly Condition[] =>
  conditionsOfWords(words, place, isExact).flatMap((condition) => condition ?? []);

/** One for each word; null: there is nothing in it to search for. */
export function conditionsOfWords(
  words: readonly string[],
  place: WordPlace,
  isExact: boolean,
): readonly (Condition | null)[] {
  const read = queryWords(words, isExact);
  const single = (at: number): string => {
    const word = read[at];
    const [only, more] = word?.spans ?? [];
    return only === undefined || more !== undefined || only.isRun || word?.isExact ? "" : only.text;
  };
  const families = read.flatMap((_word, at) => (single(at).length > INITIALS ? single(at) : [])).slice(0, FAMILIES);
  return read.map((word, at) => {
    if (word.spans.length === 0) return null;
    if (word.isExact || at >= WORDS_WITH_FORMS || word.spans.length > PARTS) return exactly(word.spans, place);
    const neighbours = { before: single(at - 1), after: single(at + 1), families };
    return word.spans.length === 1
      ? partCondition(word.spans[0], neighbours, place)
      : wholeCondition(word, neighbours, place);
  });
}
/** Letters of initials: J, JP. */
const INITIALS = 2;

function queryWords(words: readonly string[], isExact: boolean): readonly QueryWord[] {
  let isQuoted = false;
  const read: QueryWord[] = [];
  for (const word of words) {
    if (OPENING.test(word)) isQuoted = true;
    const plain = folded(word);
    const spans = spansOf(plain);
    read.push({ spans, isExact: isExact || isQuoted, hasApostrophe: APOSTROPHE.test(plain) });
    if (CLOSING.test(word)) isQuoted = false;
  }
  return read;
}
const OPENING = /^["“”„]/;
const CLOSING = /["“”]$/;
const APOSTROPHE = /['’]/;

/** Three characters in a row where there are as many, and whether there are. */
function adjacentOf(spans: readonly Span[], tokens: readonly string[]): readonly string[] {
  if (tokens.length > ADJACENT) return tokens;
  const triples = spans.flatMap(({ text, isRun }) => (isRun ? triplesOf(searchedRun(text)) : []));
  if (triples.length === 0) return tokens;
  const covered = new Set(triples.flatMap((text) => tokensOfSpan({ text, isRun: true })));
  return [...new Set([...triples, ...tokens.filter((token) => !covered.has(token))])];
}
/** Tokens of a word whose characters are asked for in a row: nobody types longer ones. */
const ADJACENT = 64;

function exactly(spans: readonly Span[], place: WordPlace): Condition {
  const tokens = [...new Set(spans.flatMap(tokensOfSpan))];
  return place(tokens, adjacentOf(spans, tokens));
}

type Neighbours = { readonly before: string; readonly after: string; readonly families: readonly string[] };

function partCondition(span: Span | undefined, neighbours: Neighbours, place: WordPlace): Condition {
  if (span === undefined) return anyOf([]);
  if (span.isRun) return anyOf([exactly([span], place), ...runForms(span, place)]);
  if (span.text.length > WORD_CHARACTERS) return exactly([span], place);
  const { text } = span;
  const { before, after, families } = neighbours;
  const joined = [...(before === "" ? [] : [before + text]), ...(after === "" ? [] : [text + after])];
  const names =
    text.length <= INITIALS
      ? families.map((family) => shortenedForm(family, text))
      : [before, after].filter((family) => family !== "").map((family) => initialForm(family, text.charAt(0)));
  const others = [...formsOf(text), ...joined.flatMap(wholeForms), ...names];
  return anyOf([text, ...new Set(others.filter((form) => form !== text))].map((token) => place([token])));
}

/**
 * A word in its other forms, as an item has them: marked, or the form itself where it is a word. The word is not one of
 * them.
 */
export function formsOf(word: string): readonly string[] {
  const letter = GREEK_LETTERS.get(word);
  if (letter !== undefined) return [letter, formToken(letter)];
  if (word.length > WORD_CHARACTERS || word.length < 2) return [];
  const forms = new Set([formToken(word), ...languageKeys(word).map(formToken), ...keysOfWord(word)]);
  forms.delete(word);
  return [...forms];
}

/** Two words of a query as one, as an item may have them: Mc Allister, deep water. None: they are not two such words. */
export function joinedPair(before: string, after: string): readonly string[] {
  const words = [before, after].map((word) => spansOf(folded(word)));
  const [first, second] = words.map(([span, more]) =>
    span === undefined || more !== undefined || span.isRun ? null : span,
  );
  if (first === null || second === null || first === undefined || second === undefined) return [];
  if (isStopWord(first.text) || isStopWord(second.text)) return [];
  const whole = first.text + second.text;
  return whole.length > WORD_CHARACTERS ? [] : [whole, formToken(whole)];
}

/** Parts of a word, or two words, written as one. */
const wholeForms = (whole: string): readonly string[] =>
  whole.length > WORD_CHARACTERS ? [] : [...new Set([whole, formToken(whole), ...languageKeys(whole).map(formToken)])];

/** A word of several parts: all of them, the parts written as one, or without what is elided. */
function wholeCondition({ spans, hasApostrophe }: QueryWord, neighbours: Neighbours, place: WordPlace): Condition {
  const alone = { ...neighbours, before: "", after: "" };
  const parts = spans.map((span) => partCondition(span, alone, place));
  const alternatives = [allOf(parts), ...joinedForms(spans, place)];
  const [first, last] = [spans[0]?.text ?? "", spans.at(-1)?.text ?? ""];
  if (hasApostrophe && ELIDED.has(first)) alternatives.push(allOf(parts.slice(1)));
  if (hasApostrophe && last === POSSESSIVE) alternatives.push(allOf(parts.slice(0, -1)));
  return anyOf(alternatives);
}
/** French and Italian articles and pronouns before a vowel, and the English possessive. */
const ELIDED: ReadonlySet<string> = new Set("l d j m n s t c qu dell all nell sull un".split(" "));
const POSSESSIVE = "s";

/**
 * What a word of several parts, or of a text without spaces, is found by but not as it is written; null: nothing else.
 */
export function otherForms(word: string, place: WordPlace): Condition | null {
  const spans = spansOf(folded(word));
  const [only, more] = spans;
  if (only === undefined || spans.length > PARTS) return null;
  const forms = more === undefined ? (only.isRun ? runForms(only, place) : []) : joinedForms(spans, place);
  return forms.length === 0 ? null : anyOf(forms);
}

function joinedForms(spans: readonly Span[], place: WordPlace): readonly Condition[] {
  const whole = spans.map(({ text }) => text).join("");
  if (spans.every(({ isRun }) => !isRun)) return wholeForms(whole).map((token) => place([token]));
  const key = spans.every(({ text }) => IS_KATAKANA.test(text)) ? katakanaKey(whole) : null;
  return key === null ? [] : [place([formToken(key)])];
}

// --- texts without spaces

/** A run with its kana as they are written in the other script; null: they are not written in it. */
export function inOtherKana(text: string): string | null {
  if (text.length > RUN_CHARACTERS) return null;
  if (IS_KATAKANA.test(text)) return text.length >= HIRAGANA_WORD ? inHiragana(text) : null;
  if (IS_HIRAGANA.test(text)) return text.length >= KATAKANA_WORD ? inKatakana(text) : null;
  const other = text.replace(NATIVE_KATAKANA, inHiragana);
  const moved = other === text ? text.replace(FIRST_HIRAGANA, inKatakana) : other;
  return moved === text ? null : moved;
}
/** Next to other characters: words without the mark for long vowels, which loan words have (`HIRAGANA_WORD`). */
const NATIVE_KATAKANA = /(?<![\u30a1-\u30faー])[\u30a1-\u30fa]{3,}(?![\u30a1-\u30faー])/g;
/** A word that a run begins with, without the particle after it (`KATAKANA_WORD`): リンゴ栽培, クジラの生態. */
const FIRST_HIRAGANA = /^[\u3041-\u3096]{2,}?(?=[のとはがをにでやもへ]?[^\u3041-\u3096ー])/;

function runForms({ text }: Span, place: WordPlace): readonly Condition[] {
  if (text.length > RUN_CHARACTERS) return [];
  const other = inOtherKana(text);
  const written = (run: string): Condition => exactly([{ text: run, from: 0, isRun: true }], place);
  const keyed = (word: string): readonly Condition[] => {
    const key = katakanaKey(word);
    return key === null ? [] : [place([formToken(key)])];
  };
  if (IS_KATAKANA.test(text)) {
    return [...keyed(text), ...(other === null ? [] : [written(other)])];
  }
  if (IS_HIRAGANA.test(text)) return other === null ? [] : [written(other), ...keyed(other)];
  const moved = other === null ? [] : [written(other)];
  const parts = katakanaParts(text);
  const keys = parts.map(katakanaKey);
  if (keys.every((key) => key === null)) return moved;
  const tokens = parts.flatMap((part, at) => {
    const key = keys[at] ?? null;
    return key === null ? tokensOfSpan({ text: part, isRun: true }) : [formToken(key)];
  });
  return [place([...new Set(tokens)]), ...moved];
}
/** Katakana words, and what is between them. */
export const katakanaParts = (text: string): readonly string[] => text.match(KATAKANA_OR_NOT) ?? [];
const KATAKANA_OR_NOT = /[\u30a1-\u30faー]+|[^\u30a1-\u30faー]+/g;
/**
 * Characters from which on a word may be in the other script: two hiragana in a row are the ending of some word almost
 * everywhere, so that ビル would find 伸びる. Of the judged set (bench/finding) カニ would find 634 of 3,000 items, all of
 * them by 明らかに and the like, and none by the animal.
 */
const HIRAGANA_WORD = 3;
const KATAKANA_WORD = 2;
