// What an item is found by beyond its words as they are written (R27): forms of words, and three characters in a row of
// texts without spaces. They are tokens like others, so that every engine finds the same; a mark before a form keeps it
// apart from words, so that the word itself weighs more. A form that is the word itself is left out: queries ask for
// it without the mark, too (query/word-conditions.ts).
import { RecentValues } from "../../../shared/recent-values.ts";
import { folded, type Span, WORD_CHARACTERS } from "../document/tokens.ts";
import { IS_KATAKANA, katakanaKey } from "./kana.ts";
import { GREEK_LETTERS, spelled } from "./spellings.ts";
import { formOfWord, kept, languageKey, type StemLanguage } from "./stems.ts";

/** Before a form; no token begins so. Patterns and the beginnings of words do not meet it. */
export const FORM_MARK = "~";
export const formToken = (form: string): string => FORM_MARK + form;
/** Means every three characters of a text of which not all were taken. */
export const MORE_TRIPLES = `${FORM_MARK}${FORM_MARK}`;
/**
 * A family name with the first letter of the given name. Of a person who is known by that letter only, which a query
 * with the whole given name asks for; and of any person, which a query with the letter asks for.
 */
export const initialForm = (family: string, initial: string): string => formToken(`${spelledName(family)}.${initial}`);
export const shortenedForm = (family: string, initials: string): string =>
  formToken(`${spelledName(family)}:${initials}`);

const keptNames = new RecentValues<string>(10_000);
const spelledName = (family: string): string => keptNames.get(family) ?? keptNames.set(family, spelled(family));

/** What joins two parts of one word: deep-sea, O'Brien, U.S., 1,000. */
const JOINERS: ReadonlySet<string> = new Set([..."-‐‑–'’.,/_·&"]);
/** Between the digits of a number alone: a text has commas between words. */
const DIGIT_JOINERS = ",";
const DIGITS = /^\d+$/;
/** The dot between the parts of a loan word: データ・ベース. */
const MIDDLE_DOT = "・";
const KATAKANA_WORDS = /[\u30a1-\u30faー]{3,48}/g;
const HAS_KATAKANA = /[\u30a1-\u30fa]/;
const KATAKANA = 2;
const TRIPLE = 3;

export type FormOptions = {
  readonly language: StemLanguage;
  /** A title or a subject, of which any two neighbouring words may be written as one: covid 19, data base. */
  readonly isShort: boolean;
  /** An identifier, a date: its parts are not words, and nobody writes them as one but as the whole. */
  readonly isIdentifier?: boolean;
};

/** Whether a text is an identifier or a date, by its characters. */
export const isLikeIdentifier = (text: string): boolean => /\d/.test(text) && !/\s/.test(text);

/** Words that are not parts of longer ones, unlike those of online, offshore, login. */
const UNJOINED: ReadonlySet<string> = new Set(
  "a an and the of or its is are was were for with from as at und der die das des dem den von et de du des la le les del con".split(
    " ",
  ),
);

/**
 * Called with each form, and with where what has it begins and ends in the folded text. `isJoined`: of several words that
 * may be written as one.
 */
export type FormSink = (form: string, from: number, to: number, isJoined?: boolean) => void;

/** The forms of all words of a folded text, as tokens. */
export function eachForm(
  plain: string,
  spans: readonly Span[],
  { language, isShort, isIdentifier = false }: FormOptions,
  take: FormSink,
): void {
  let before: Span | null = null;
  let chain = "";
  let chainFrom = 0;
  const takeJoined = (joined: string, from: number, to: number): void => {
    if (joined.length <= WORD_CHARACTERS) take(formToken(languageKey(joined, language)), from, to, true);
  };
  for (const span of spans) {
    const { text, from, isRun } = span;
    const to = from + text.length;
    if (isRun) eachKatakana(span, before, plain, take);
    else if (text.length <= WORD_CHARACTERS) {
      const token = tokenOfForm(text, language);
      if (token !== null) take(token, from, to);
    }
    if (isIdentifier) {
      before = span;
      continue;
    }
    const gap = before === null || isRun || before.isRun ? "" : gapIn(plain, before.from + before.text.length, from);
    const isJoined = before !== null && isJoining(gap, before.text, text);
    chain = isJoined ? chain + text : text;
    if (!isJoined) chainFrom = from;
    if (
      before !== null &&
      (isJoined || (isShort && gap === " " && !UNJOINED.has(text) && !UNJOINED.has(before.text)))
    ) {
      takeJoined(before.text + text, before.from, to);
      if (isJoined && chain.length > before.text.length + text.length) takeJoined(chain, chainFrom, to);
    }
    before = span;
  }
}

/** The form of a word of a text as a token; null where it has none but itself. */
const tokenOfForm = kept((word, language) => {
  const form = word.length === 1 ? (GREEK_LETTERS.get(word) ?? null) : formOfWord(word, language);
  return form === null ? null : formToken(form);
});

/** What joins words is one character; any other gap is the same to forms. */
const gapIn = (plain: string, from: number, to: number): string => (to - from === 1 ? plain.charAt(from) : "");

function isJoining(gap: string, before: string, after: string): boolean {
  if (!JOINERS.has(gap)) return false;
  return !DIGIT_JOINERS.includes(gap) || (DIGITS.test(before) && DIGITS.test(after));
}

function eachKatakana(run: Span, before: Span | null, plain: string, take: FormSink): void {
  if (run.text.length < KATAKANA) return;
  const to = run.from + run.text.length;
  if (!HAS_KATAKANA.test(run.text)) return;
  for (const { 0: word, index } of run.text.matchAll(KATAKANA_WORDS)) {
    const key = katakanaKey(word);
    if (key !== null) take(formToken(key), run.from + index, run.from + index + word.length);
  }
  if (before?.isRun !== true || !IS_KATAKANA.test(run.text) || !IS_KATAKANA.test(before.text)) return;
  if (plain.slice(before.from + before.text.length, run.from) !== MIDDLE_DOT) return;
  const whole = before.text + run.text;
  const key = whole.length > WORD_CHARACTERS ? null : katakanaKey(whole);
  if (key !== null) take(formToken(key), before.from, to);
}

/** Adds the triples of the runs of a folded text; false: there are more than the limit. */
export const addTriples = (triples: Set<string>, spans: readonly Span[], limit: number): boolean =>
  eachTriple(spans, (triple) => {
    if (triples.size >= limit) return false;
    triples.add(triple);
    return true;
  });

/** Calls `take` with each until it returns false; false: it did. */
export function eachTriple(spans: readonly Span[], take: (triple: string) => boolean): boolean {
  for (const { text, isRun } of spans) {
    if (!isRun || text.length < TRIPLE) continue;
    for (const triple of triplesOf(text)) if (!take(triple)) return false;
  }
  return true;
}

const SURROGATE = /[\ud800-\udfff]/;
const HIRAGANA = /[\u3041-\u309f]+/;

/**
 * Each three characters in a row without hiragana among them: those are particles and endings, half of a Japanese text,
 * and what people search for is between them.
 */
export function triplesOf(run: string): readonly string[] {
  const triples: string[] = [];
  for (const part of run.length < TRIPLE ? [] : run.split(HIRAGANA)) {
    const characters = SURROGATE.test(part) ? [...part] : part;
    for (let at = TRIPLE; at <= characters.length; at += 1) {
      const three = characters.slice(at - TRIPLE, at);
      triples.push(typeof three === "string" ? three : three.join(""));
    }
  }
  return triples;
}

// --- names

export type PersonName = { readonly full?: string | undefined; readonly family?: string; readonly given?: string };

const LATIN_WORDS = /[\p{sc=Latin}]+/gu;
/** Given names of one person. */
const GIVEN_NAMES = 5;

/** What a person is searched for by whose given names are shortened, in the item or in a query; each with its name. */
export function eachInitial(name: PersonName, take: (form: string, given: string) => void): void {
  const [family, given] = partsOf(name);
  const names = [...folded(given).matchAll(LATIN_WORDS)].slice(0, GIVEN_NAMES).map(([word]) => word);
  const initials = names.map((word) => word.charAt(0));
  const [first = ""] = initials;
  if (first === "") return;
  const isShortened = names.every((word) => word.length <= LETTERS);
  const families = [...folded(family).matchAll(LATIN_WORDS)].slice(0, GIVEN_NAMES).map(([word]) => word);
  const whole = joinedFamily(name)?.words.join("") ?? "";
  for (const word of whole === "" ? families : [...families, whole]) {
    if (word.length < 2) continue;
    if (isShortened) take(initialForm(word, first), names[0] ?? "");
    for (const [at, initial] of initials.entries()) take(shortenedForm(word, initial), names[at] ?? "");
    if (initials.length > 1) take(shortenedForm(word, initials.join("")), names[0] ?? "");
  }
}
/** Of a given name that is initials alone: J, JP. */
const LETTERS = 2;

/** A family name of several words, and the form of it as one: Mac Gregor, van den Berg. Null: it is one word. */
export function joinedFamily(name: PersonName): { readonly form: string; readonly words: readonly string[] } | null {
  const [family] = partsOf(name);
  if (!family.includes(" ")) return null;
  const words = [...folded(family).matchAll(LATIN_WORDS)].slice(0, FAMILY_WORDS + 1).map(([word]) => word);
  const whole = words.join("");
  if (words.length < 2 || words.length > FAMILY_WORDS || whole.length > WORD_CHARACTERS) return null;
  return { form: formToken(whole), words };
}
const FAMILY_WORDS = 4;

/** "Smith, John" or "John Smith", where the parts are not given. */
function partsOf({ full = "", family = "", given = "" }: PersonName): readonly [family: string, given: string] {
  if (given !== "" || full === "") return [family, given];
  const comma = full.indexOf(",");
  if (comma >= 0) return [full.slice(0, comma), full.slice(comma + 1)];
  const space = full.lastIndexOf(" ");
  return space < 0 ? [full, ""] : [full.slice(space + 1), full.slice(0, space)];
}
