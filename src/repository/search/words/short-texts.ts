// The words of a short document (R27), as most are. Words come again and again: each is one object, found by its text,
// and what a field and a document have of it is a number on that object, without a set for each. Nothing here
// pauses: two documents that were made by turns would take each other's numbers.

import { RecentValues } from "../../../shared/recent-values.ts";
import { folded, type Span, spansOf, tokensOfSpans } from "../document/tokens.ts";
import type { StemLanguage } from "./stems.ts";
import { FORMS, TRIPLES, type WordText } from "./text-words.ts";
import { eachForm, eachTriple, isLikeIdentifier } from "./word-forms.ts";

/** A token, a form, or three characters in a row. */
export type Term = {
  readonly text: string;
  /** The field that had it last, and how often. */
  field: number;
  count: number;
  /** The document that had it last. */
  document: number;
};

/** Characters of all texts of a document that is short; each text costs some more. */
const CHARACTERS = 8_000;
const TEXT_COSTS = 10;
/** All that are kept, and their characters; then all are forgotten at once, between two documents. */
const TERMS = 100_000;
const TERM_CHARACTERS = 2_000_000;
/**
 * Names, subjects, journals: texts of many items, which are cut once in a while. Bounded by their characters, in all
 * languages together.
 */
export const CHARACTERS_KEPT = 400_000;
const TEXT_CHARACTERS = 200;

type CutText = {
  readonly spans: readonly Span[];
  readonly tokens: readonly Term[];
  readonly forms: readonly Term[];
  readonly triples: readonly Term[];
};
const noTexts = () => new RecentValues<CutText>(CHARACTERS_KEPT, (key) => key.length);

const terms = new Map<string, Term>();
let termCharacters = 0;
let texts = noTexts();
/** Terms of the document that is made now which hardly any other has. */
const rare = new Map<string, Term>();
let last = 0;

const newTerm = (text: string): Term => ({ text, field: 0, count: 0, document: 0 });

function termOf(text: string): Term {
  const known = terms.get(text);
  if (known !== undefined) return known;
  const term = rare.get(text) ?? newTerm(text);
  terms.set(text, term);
  termCharacters += text.length;
  return term;
}

function rareTermOf(text: string): Term {
  const known = terms.get(text) ?? rare.get(text);
  if (known !== undefined) return known;
  const term = newTerm(text);
  rare.set(text, term);
  return term;
}

function cutText(text: string, language: StemLanguage, isShort: boolean, isCommon: boolean): CutText {
  const plain = folded(text.toWellFormed());
  const spans = spansOf(plain);
  const forms: Term[] = [];
  const isIdentifier = !isShort && isLikeIdentifier(plain);
  eachForm(plain, spans, { language, isShort, isIdentifier }, (form, _from, _to, isJoined = false) => {
    forms.push(isJoined && !isCommon ? rareTermOf(form) : termOf(form));
  });
  const triples: Term[] = [];
  eachTriple(spans, (triple) => triples.push(isCommon ? termOf(triple) : rareTermOf(triple)) > 0);
  return { spans, tokens: tokensOfSpans(spans).map(termOf), forms, triples };
}

function keptText(text: string, language: StemLanguage, isShort: boolean): CutText {
  const key = `${language}${isShort ? "+" : " "}${text}`;
  return texts.get(key) ?? texts.set(key, cutText(text, language, isShort, true));
}

/** What is kept of other documents. */
export const keptWords = () => ({ texts: texts.size, terms: terms.size });

export type FieldWords = {
  readonly tokens: readonly Term[];
  readonly forms: Term[];
  /** How many words there are, each as often as it is there. */
  readonly length: number;
};

/** The words of one document, which nothing may interrupt until its texts are read. */
export class ShortTexts {
  readonly tokens: Term[] = [];
  readonly forms: Term[] = [];
  readonly triples: Term[] = [];
  /** By text, of all that were read. */
  readonly spans = new Map<string, readonly Span[]>();
  readonly #document: number;
  readonly #most: number;
  #field = 0;
  #left = CHARACTERS;

  /** `most`: tokens of a field, and of the document. */
  constructor(most: number) {
    if (terms.size > TERMS || termCharacters > TERM_CHARACTERS) {
      terms.clear();
      termCharacters = 0;
      texts = noTexts();
    }
    rare.clear();
    last += 1;
    this.#document = last;
    this.#most = most;
  }

  /** Null: the document is not short. */
  field(written: Iterable<WordText>, isShort: boolean, areCommon: boolean, values: string[] = []): FieldWords | null {
    last += 1;
    this.#field = last;
    const field: { tokens: Term[]; forms: Term[]; length: number } = { tokens: [], forms: [], length: 0 };
    for (const { value, language } of written) {
      this.#left -= value.length + TEXT_COSTS;
      if (this.#left < 0) return null;
      if (value === "") continue;
      values.push(value);
      const isCommon = areCommon && value.length <= TEXT_CHARACTERS;
      const cut = isCommon ? keptText(value, language, isShort) : cutText(value, language, isShort, false);
      this.spans.set(value, cut.spans);
      this.#takeTokens(cut.tokens, field.tokens);
      field.length += cut.tokens.length;
      for (const form of cut.forms) this.#takeForm(form, field.forms);
      for (const triple of cut.triples) this.#takeOnce(triple, this.triples);
    }
    return this.isShort() ? field : null;
  }

  /** Whether nothing has to be left out. */
  isShort(): boolean {
    return this.tokens.length <= this.#most && this.forms.length <= FORMS && this.triples.length <= TRIPLES;
  }

  /** Another form of the field that was read last. */
  addForm(form: string, field: FieldWords): void {
    this.#takeForm(termOf(form), field.forms);
  }

  /** Tokens of no field. */
  addTokens(tokens: readonly string[]): void {
    for (const token of tokens) this.#takeOnce(rareTermOf(token), this.tokens);
  }

  #takeTokens(from: readonly Term[], tokens: Term[]): void {
    for (const term of from) {
      if (term.field === this.#field) {
        term.count += 1;
        continue;
      }
      term.field = this.#field;
      term.count = 1;
      tokens.push(term);
      this.#takeOnce(term, this.tokens);
    }
  }

  #takeForm(term: Term, forms: Term[]): void {
    if (term.field === this.#field) return;
    term.field = this.#field;
    forms.push(term);
    this.#takeOnce(term, this.forms);
  }

  #takeOnce(term: Term, all: Term[]): void {
    if (term.document === this.#document) return;
    term.document = this.#document;
    all.push(term);
  }
}

/** Of several lists, with a space between two. */
export function joinedTerms(...all: readonly (readonly Term[])[]): string {
  const texts: string[] = [];
  for (const some of all) for (const { text } of some) texts.push(text);
  return texts.join(" ");
}

/** Those that the field has more than once, right after it was read. */
export const repeatedTerms = (tokens: readonly Term[]): readonly Term[] => tokens.filter(({ count }) => count > 1);
