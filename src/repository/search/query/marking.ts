// Which parts of a text made it a hit (R27, R27k): the words of a query as they are written, and in the other forms that
// the index finds them by, so that a page can mark them and state the form. Words are compared folded, and forms are
// made by the functions that make those of documents. Pure, and linear in the text.
import { folded, isOfRun, type Span, searchedRun, spansOf, WORD_CHARACTERS, wordsOfQuery } from "../document/tokens.ts";
import type { Condition } from "../index/index-port.ts";
import { katakanaKey } from "../words/kana.ts";
import { withStandardKanji } from "../words/kanji-variants.ts";
import type { StemLanguage } from "../words/stems.ts";
import { eachForm, eachInitial, joinedFamily } from "../words/word-forms.ts";
import { conditionsOfWords, inOtherKana, katakanaParts } from "./word-conditions.ts";

export type Part = {
  readonly text: string;
  readonly found: boolean;
  /** Places in the list of words of those that it is another form of; absent: it is as it was asked for, or nothing. */
  readonly formOf?: readonly number[];
  /** Of those that it is as they are written. */
  readonly wordOf?: readonly number[];
};

/** A word or a phrase of a query. */
export type MarkedWord = {
  readonly text: string;
  /** The field of words that it is searched for in; null: anywhere. */
  readonly field: string | null;
  /** As it is written only; several words next to each other. */
  readonly isPhrase: boolean;
  /** It was put in the place of what was typed: where it is found, the hit states it. */
  readonly isCorrected?: boolean;
  /** Another word that is searched for in its place, too. */
  readonly also?: string;
  /** What begins so is a hit, too. */
  readonly beginning?: string;
  /** Hits need not have it: another word of the query is enough. */
  readonly isOptional?: boolean;
};

type Mark = { readonly word: number; readonly isForm: boolean; readonly field: string | null };
type Run = { readonly text: string; readonly mark: Mark };

export type Marks = {
  readonly words: readonly MarkedWord[];
  /** By token, and by the token of a form. */
  readonly tokens: ReadonlyMap<string, readonly Mark[]>;
  /** Of texts without spaces, longest first. */
  readonly runs: readonly Run[];
  readonly phrases: readonly { readonly tokens: readonly string[]; readonly mark: Mark }[];
  readonly beginnings?: readonly { readonly text: string; readonly mark: Mark }[];
};

/** A character with whatever belongs to it: combining marks, and the voicing of half-width kana. */
const UNITS = /[ヴゔ][ァィェォャュョぁぃぇぉゃゅょ]|[\s\S](?:[\p{M}\uff9e\uff9f])*/gu;
/** Characters that fold into themselves, but for variants of kanji: most of a Japanese text. */
const PLAIN = /^[\u3041-\u3093\u30a1-\u30f3\u30f5-\u30fa\u30fc\u4e00-\u9fff]$/;
const ASCII = /^[\0-\x7f]$/;

const foldedUnit = (unit: string): string =>
  PLAIN.test(unit) ? withStandardKanji(unit) : ASCII.test(unit) ? unit.toLowerCase() : folded(unit);

/** A text folded, and for each character of that where the unit it came from begins. */
type UnfoldedText = { readonly text: string; readonly from: readonly number[]; readonly to: readonly number[] };

function unfolded(text: string): UnfoldedText {
  const [from, to]: [number[], number[]] = [[], []];
  let all = "";
  for (const match of text.matchAll(UNITS)) {
    const unit = foldedUnit(match[0]);
    all += unit;
    for (let at = 0; at < unit.length; at += 1) {
      from.push(match.index);
      to.push(match.index + match[0].length);
    }
  }
  return { text: all, from, to };
}

/** No page marks more words than these, in more spellings of texts without spaces. */
const WORDS_MARKED = 20;
const RUNS_MARKED = 40;
const PHRASE_WORDS = 20;

/** Words that anything has to have to be a hit; those next to each other may be one word in it. */
export function marksOf(words: readonly MarkedWord[]): Marks {
  const taken = words.filter(({ text }) => hasWords(text)).slice(0, WORDS_MARKED);
  const tokens = new Map<string, Mark[]>();
  const runs: Run[] = [];
  const phrases: { tokens: readonly string[]; mark: Mark }[] = [];
  const beginnings: { text: string; mark: Mark }[] = [];
  const note = (token: string, mark: Mark): void => {
    const known = tokens.get(token) ?? [];
    if (known.every(({ word }) => word !== mark.word)) tokens.set(token, [...known, mark]);
  };
  const conditions = conditionsOfWords(
    taken.map(({ text, isPhrase, field }) => (isPhrase || field !== null ? `"${text}"` : text)),
    (all) => ({ kind: "and", of: all.map((token) => ({ kind: "token", field: "", token })) }),
    false,
  );
  for (const [word, { text, field, isPhrase, isCorrected = false, also, beginning }] of taken.entries()) {
    const mark = { word, isForm: isCorrected, field };
    const form = { word, isForm: true, field };
    const spans = spansOf(folded(text));
    if (isPhrase && spans.length > 1 && spans.every(({ isRun }) => !isRun)) {
      phrases.push({ tokens: spans.slice(0, PHRASE_WORDS).map((span) => span.text), mark });
      continue;
    }
    const written = new Set(wordsOfQuery(text));
    const [condition = null] = field === null ? [conditions[word]] : ofField(text, isPhrase);
    for (const token of condition === null ? [] : tokensIn(condition)) {
      if (!isOfRun(token)) note(token, written.has(token) ? mark : form);
    }
    for (const span of spans) if (span.isRun) runs.push(...spellingsOf(span, mark, isPhrase ? null : form));
    if (beginning !== undefined) beginnings.push({ text: beginning, mark: form });
    if (also === undefined) continue;
    for (const token of ofField(also, false).flatMap((each) => (each === null ? [] : [...tokensIn(each)]))) {
      if (!isOfRun(token)) note(token, form);
    }
    for (const span of spansOf(folded(also))) if (span.isRun) runs.push(...spellingsOf(span, form, form));
  }
  runs.sort((one, other) => other.text.length - one.text.length);
  return { words: taken, tokens, runs: runs.slice(0, RUNS_MARKED), phrases, beginnings };
}

/** Something that a text could have: no punctuation alone, and no word that the index has in pieces. */
function hasWords(text: string): boolean {
  const spans = spansOf(folded(text));
  return spans.length > 0 && spans.every((span) => span.isRun || span.text.length <= WORD_CHARACTERS);
}

const ofField = (text: string, isPhrase: boolean): readonly (Condition | null)[] =>
  conditionsOfWords(
    [isPhrase ? `"${text}"` : text],
    (all) => ({ kind: "and", of: all.map((token) => ({ kind: "token", field: "", token })) }),
    false,
  );

function* tokensIn(condition: Condition): Generator<string> {
  if (condition.kind === "token") yield condition.token;
  else if (condition.kind === "and" || condition.kind === "or") for (const each of condition.of) yield* tokensIn(each);
}

function spellingsOf({ text }: Span, mark: Mark, form: Mark | null): readonly Run[] {
  const other = form === null ? null : inOtherKana(text);
  const parts = form === null ? [] : katakanaParts(text);
  const hasKeys = parts.length > 1 && parts.some((part) => katakanaKey(part) !== null);
  return [
    { text: searchedRun(text), mark },
    ...(form === null || other === null ? [] : [{ text: other, mark: form }]),
    // Katakana words have a key; what is between them is as it is written.
    ...(form === null || !hasKeys
      ? []
      : parts.filter((part) => part.length > 1).map((part) => ({ text: part, mark: form }))),
  ];
}

type Found = { start: number; end: number; readonly marks: Set<Mark> };

export type MarkedText = {
  /** The field of words that the text is in. */
  readonly field?: string;
  readonly language?: StemLanguage;
  /** A title or a subject (word-forms.ts). */
  readonly isShort?: boolean;
  /** The text is the name of a person. */
  readonly isName?: boolean;
};

function* foundIn(text: string, marks: Marks, kind: MarkedText): Generator<readonly [from: number, to: number, Mark]> {
  const { field, language = "en", isShort = false, isName = false } = kind;
  const asked = ({ field: only }: Mark): boolean => only === null || only === field;
  const spans = spansOf(text);
  for (const [at, span] of spans.entries()) {
    const to = span.from + span.text.length;
    if (span.isRun) {
      for (const { text: run, mark } of marks.runs) {
        if (!asked(mark)) continue;
        for (let from = span.text.indexOf(run); from >= 0; from = span.text.indexOf(run, from + run.length)) {
          yield [span.from + from, span.from + from + run.length, mark];
        }
      }
      continue;
    }
    for (const mark of marks.tokens.get(span.text) ?? []) if (asked(mark)) yield [span.from, to, mark];
    for (const { text: begin, mark } of marks.beginnings ?? []) {
      if (asked(mark) && span.text.startsWith(begin) && span.text !== begin) yield [span.from, to, mark];
    }
    for (const { tokens, mark } of marks.phrases) {
      const isHere = asked(mark) && tokens.every((token, more) => spans[at + more]?.text === token);
      const last = isHere ? spans[at + tokens.length - 1] : undefined;
      if (last !== undefined) yield [span.from, last.from + last.text.length, mark];
    }
  }
  if (marks.tokens.size === 0) return;
  const forms: [from: number, to: number, Mark][] = [];
  const take = (form: string, from: number, to: number): void => {
    for (const mark of marks.tokens.get(form) ?? []) if (asked(mark)) forms.push([from, to, mark]);
  };
  if (isName) {
    eachInitial({ full: text }, (form, given) => {
      const span = spans.find((each) => each.text === given);
      if (span !== undefined) take(form, span.from, span.from + span.text.length);
    });
    const { form = "", words = [] } = joinedFamily({ full: text }) ?? {};
    const at = spans.findIndex((_span, first) => words.every((word, more) => spans[first + more]?.text === word));
    const [first, last] = [spans[at], spans[at + words.length - 1]];
    if (words.length > 0 && first !== undefined && last !== undefined)
      take(form, first.from, last.from + last.text.length);
  }
  eachForm(text, spans, { language: isName ? "none" : language, isShort }, take);
  yield* forms;
}

function spansIn({ text, from, to }: UnfoldedText, marks: Marks, kind: MarkedText): readonly Found[] {
  const spans: Found[] = [];
  for (const [start, end, mark] of foundIn(text, marks, kind)) {
    spans.push({ start: from[start] ?? 0, end: to[end - 1] ?? 0, marks: new Set([mark]) });
  }
  spans.sort((one, other) => one.start - other.start || other.end - one.end);
  const joined: Found[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last !== undefined && span.start < last.end) {
      last.end = Math.max(last.end, span.end);
      for (const mark of span.marks) last.marks.add(mark);
    } else joined.push(span);
  }
  return joined;
}

export const hasMarks = ({ tokens, runs, phrases }: Marks): boolean =>
  tokens.size > 0 || runs.length > 0 || phrases.length > 0;

/** The whole text in parts. Put together again they are the text. */
export function marked(text: string, marks: Marks, kind: MarkedText = {}): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end, marks: of } of hasMarks(marks) ? spansIn(unfolded(text), marks, kind) : []) {
    if (start > at) parts.push({ text: text.slice(at, start), found: false });
    const wordOf = [...new Set([...of].filter(({ isForm }) => !isForm).map(({ word }) => word))];
    const formOf = [...new Set([...of].map(({ word }) => word))].filter((word) => !wordOf.includes(word));
    parts.push({
      ...{ text: text.slice(start, end), found: true },
      ...(wordOf.length === 0 ? {} : { wordOf }),
      ...(formOf.length === 0 ? {} : { formOf }),
    });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), found: false });
  return parts;
}

/** As much of a text as a line of a list shows: from a little before the first word that was found. */
export function snippet(text: string, marks: Marks, characters: number, kind: MarkedText = {}): readonly Part[] {
  const whole = text.replace(/\s+/gu, " ").trim();
  if (whole.length <= characters) return marked(whole, marks, kind);
  const [first] = hasMarks(marks) ? spansIn(unfolded(whole), marks, kind) : [];
  const begin = wordStart(whole, Math.max(0, Math.min((first?.start ?? 0) - BEFORE, whole.length - characters)));
  const cut = whole.slice(begin, begin + characters).toWellFormed();
  const parts = marked(cut.replaceAll("\uFFFD", ""), marks, kind);
  const more = begin + characters < whole.length;
  return [
    ...(begin > 0 ? [{ text: "… ", found: false }] : []),
    ...parts,
    ...(more ? [{ text: " …", found: false }] : []),
  ];
}
/** Characters shown before the first word that was found, and how far a cut moves to the beginning of a word. */
const BEFORE = 60;
const WORD = 20;

function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.indexOf(" ", at);
  return space >= 0 && space - at < WORD ? space + 1 : at;
}
