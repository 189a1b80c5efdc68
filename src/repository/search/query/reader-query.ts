// What people type into the search box (R27c): words, phrases in quotation marks, `-` before what should not be there,
// OR between alternatives, the name of a field before a colon, years. Any text is a query. All words are searched for
// but stop words; where few items have them all, items with some of them follow. Pure.
import { most } from "../../../shared/limits.ts";
import { Refusal } from "../../../shared/refusal.ts";
import { FIELDS } from "../document/document.ts";
import { folded, spansOf, WORD_CHARACTERS, wordsOfQuery } from "../document/tokens.ts";
import type { Condition } from "../index/index-port.ts";
import { conditionOf, identifierIn } from "../lucene/conditions.ts";
import { SCHEMES } from "../lucene/query.ts";
import { NUMBERS, TEXTS } from "../settings/search-schema.ts";
import { dayRange } from "./days.ts";
import type { ItemQuery } from "./finder.ts";
import { orIdentified } from "./identifier-query.ts";
import type { MarkedWord } from "./marking.ts";
import { allOf, anyOf, sizeOf } from "./query-text.ts";
import { rankingOf } from "./ranking.ts";
import { isStopWord } from "./stop-words.ts";
import { conditionsOfWords, inField, PARTS_WITH_FORMS, textCondition, type WordPlace } from "./word-conditions.ts";
import { partsOf } from "./word-parts.ts";

/** How a query was understood, for its reader. */
export type QueryReading = {
  /** What is searched for, as it was typed; empty where the query is no more than its words. */
  readonly searched: readonly string[];
  /** Stop words that were left out. */
  readonly ignored: readonly string[];
  /** Names before a colon that are not fields. */
  readonly unknown: readonly string[];
};

export type ReaderQuery = {
  readonly where: Condition;
  /** Items with some of the words; null: there is nothing to leave out. */
  readonly wider: ItemQuery["wider"] | null;
  /** Items with words that begin like those of the query, and those with the words; null: there are no such words. */
  readonly beginnings: Condition | null;
  /** Words by which hits are ranked. */
  readonly ranked: readonly string[];
  /** Words and phrases that hits are marked by: none that is left out, and none that hits must not have. */
  readonly marked: readonly MarkedWord[];
  readonly reading: QueryReading;
};

type Term = {
  readonly isWithout: boolean;
  readonly field: string;
  readonly isPhrase: boolean;
  readonly text: string;
  readonly typed: string;
};

const FIELD_NAMES: Readonly<Record<string, string>> = {
  ...{ title: TEXTS.title, タイトル: TEXTS.title, 題名: TEXTS.title },
  ...{ creator: TEXTS.creator, author: TEXTS.creator, 著者: TEXTS.creator, 作成者: TEXTS.creator },
  ...{ contributor: TEXTS.contributor, editor: TEXTS.contributor, 寄与者: TEXTS.contributor },
  ...{ subject: TEXTS.subject, keyword: TEXTS.subject, 主題: TEXTS.subject, キーワード: TEXTS.subject },
  ...{ description: TEXTS.description, abstract: TEXTS.description, 抄録: TEXTS.description, 内容: TEXTS.description },
  ...{ publisher: TEXTS.publisher, 出版者: TEXTS.publisher, 出版社: TEXTS.publisher },
  ...{ journal: TEXTS.sourceTitle, 雑誌: TEXTS.sourceTitle, 掲載誌: TEXTS.sourceTitle },
  ...{ year: NUMBERS.published, date: NUMBERS.published, 年: NUMBERS.published, 出版年: NUMBERS.published },
};
/** Identifiers are written so: what is before the colon is a part of them. */
const IDENTIFIER_KINDS: ReadonlySet<string> = new Set([
  ...SCHEMES,
  ..."isbn issn orcid ror handle pmid arxiv".split(" "),
]);
const OPERATORS: ReadonlySet<string> = new Set(["OR", "|"]);
/** A sign, the name of a field, and a phrase or a word. */
const TERM = /(-?)(?:(\p{L}{1,20})[:：])?(?:"([^"]*)"|(\S+))/gu;
const QUOTES = /[“”„‟«»＂]/g;
const PLAIN: QueryReading = { searched: [], ignored: [], unknown: [] };

/**
 * `place`: where words without a field are searched for; `isExact`: as they are written, which is how very many words
 * are. Throws invalid for a text that is too long.
 */
export function readerQuery(text: string, name: string, place: WordPlace, isExact = false): ReaderQuery | null {
  if (text.length > most("queryCharacters")) {
    throw new Refusal("invalid", `${name} may have ${most("queryCharacters")} characters at most`);
  }
  const terms = termsOf(text);
  if (terms.length === 0) return null;
  const alternatives = alternativesOf(terms);
  const wanted = alternatives.flat().filter(({ isWithout }) => !isWithout);
  const without = alternatives.flat().filter(({ isWithout }) => isWithout);
  const excluded = without.flatMap((term): readonly Condition[] => {
    const of = conditionOfTerm(term, place, true);
    return of === null ? [] : [{ kind: "not", of }];
  });
  const ignored = new Set<Term>();
  const groups = alternatives.flatMap((group) => {
    const kept = deciding(group.filter(({ isWithout }) => !isWithout));
    for (const term of group) if (!term.isWithout && !kept.includes(term)) ignored.add(term);
    const free = kept.filter(isFree);
    const words = conditionsOfWords(
      free.map(({ text: word }) => word),
      place,
      isExact,
    );
    const conditions = kept.flatMap((term) =>
      isFree(term)
        ? (orIdentifier(words[free.indexOf(term)] ?? null, term.text) ?? [])
        : (conditionOfTerm(term, place, isExact) ?? []),
    );
    return conditions.length === 0 ? [] : [allOf(conditions)];
  });
  const asked = groups.length > 0 || wanted.length > 0 ? [orIdentified(anyOf(groups), text)] : [];
  const free = wanted.filter((term) => !ignored.has(term) && isFree(term));
  const where = allOf([...asked, ...excluded]);
  if (!isExact && sizeOf(where) > PARTS_WITH_FORMS) return readerQuery(text, name, place, true);
  return {
    where,
    wider: alternatives.length > 1 ? null : widerOf(terms, free, { asked, excluded, place }),
    beginnings: alternatives.length > 1 || isExact ? null : beginningsOf(terms, free, { asked, excluded, place }),
    marked: wanted
      .filter((term) => !ignored.has(term) && term.field !== NUMBERS.published)
      .map((term) => ({
        ...markedWord(term),
        ...(alternatives.length > 1 ? { isOptional: true } : {}),
      })),
    ranked: wanted.filter(isRanked).map(({ text: words }) => words),
    reading: readingOf(terms, ignored),
  };
}

const markedWord = ({ text, field, isPhrase }: Term): MarkedWord => ({
  text,
  field: field === "" ? null : field,
  isPhrase,
});

function termsOf(text: string): readonly Term[] {
  const terms: Term[] = [];
  for (const [typed, sign, prefix = "", phrase, word = ""] of text.replace(QUOTES, '"').matchAll(TERM)) {
    const name = prefix.toLowerCase();
    const field = Object.hasOwn(FIELD_NAMES, name) ? (FIELD_NAMES[name] ?? "") : "";
    const isKnown =
      prefix === "" || (field !== "" && (field !== NUMBERS.published || yearsIn(phrase ?? word) !== null));
    const isWithout = sign === "-" && (phrase ?? word) !== "";
    const written = phrase ?? word;
    terms.push({
      isWithout,
      field: isKnown ? field : "",
      isPhrase: phrase !== undefined && isKnown,
      text: isKnown ? written : `${prefix}:${written}`,
      typed,
    });
  }
  return terms;
}

/** OR is between two terms; at an end, or next to another one, it is a word like others. */
function alternativesOf(terms: readonly Term[]): readonly (readonly Term[])[] {
  const isOperator = (at: number): boolean => {
    const term = terms[at];
    return term !== undefined && OPERATORS.has(term.typed);
  };
  const alternatives: Term[][] = [[]];
  for (const [at, term] of terms.entries()) {
    const separates = isOperator(at) && at > 0 && at < terms.length - 1 && !isOperator(at - 1) && !isOperator(at + 1);
    if (separates) alternatives.push([]);
    else alternatives.at(-1)?.push(term);
  }
  return alternatives;
}

const isRanked = ({ field, isWithout }: Term): boolean => field !== NUMBERS.published && !isWithout;

const isFree = ({ field, isPhrase }: Term): boolean => field === "" && !isPhrase;

/** Whether a term is of stop words alone: it is left out where others are with it. */
function isSilent(term: Term): boolean {
  if (!isFree(term)) return false;
  const tokens = wordsOfQuery(term.text);
  return tokens.length > 0 && tokens.every(isStopWord) && !INITIAL.test(term.text);
}
/** The first letter of a given name: S, M. and so on; A and I without a full stop are words. */
const INITIAL = /^(?![AI]$)\p{Lu}\.?,?$/u;

function deciding(terms: readonly Term[]): readonly Term[] {
  const saying = terms.filter((term) => !isSilent(term));
  return saying.some((term) => wordsOfQuery(term.text).length > 0) ? saying : terms;
}

/** Null: nothing in it could be searched for. */
function conditionOfTerm({ field, isPhrase, text }: Term, place: WordPlace, isExact = false): Condition | null {
  if (field === NUMBERS.published) return yearsIn(text);
  const tokens = wordsOfQuery(text);
  if (tokens.length === 0) return null;
  const within = field === "" ? place : inField(field);
  if (!isPhrase) {
    const words = textCondition([[text]], within, isExact);
    return field === "" ? orIdentifier(words, text) : words;
  }
  const words = textCondition([text.split(/\s+/u)], within, true);
  const lookups = { expanded: () => [], communityOf: () => null, isExact: true };
  const phrase = conditionOf({ kind: "phrase", text, slop: null }, lookups);
  if (field !== "") return allOf([words, phrase]);
  // An index does not know where words of files are.
  return anyOf([phrase, allOf([words, allOf(tokens.map((token) => inField(FIELDS.files)([token])))])]);
}

function orIdentifier(words: Condition | null, text: string): Condition | null {
  const identifier = words === null ? null : identifierIn(text);
  return words === null || identifier === null ? words : anyOf([words, identifier]);
}

/** `2017`, `2010-2019`, `2010..2019`, `2010..`, `..2019`. */
const YEARS = /^(\d{4})?(?:(-|\.\.|–|~|～)(\d{4})?)?$/;

function yearsIn(text: string): Condition | null {
  const [, first = "", separator = "", last = ""] = YEARS.exec(text.trim()) ?? [];
  if (first === "" && last === "") return null;
  const end = separator === "" ? first : last;
  const from = first === "" ? null : (dayRange(first)?.from ?? null);
  const to = end === "" ? null : (dayRange(end)?.to ?? null);
  return { kind: "range", field: NUMBERS.published, from, to };
}

type AskedTerms = {
  readonly asked: readonly Condition[];
  readonly excluded: readonly Condition[];
  readonly place: WordPlace;
};

/** Items with some of the free words: what else is asked for stays. */
function widerOf(
  terms: readonly Term[],
  free: readonly Term[],
  { asked, excluded, place }: AskedTerms,
): ReaderQuery["wider"] {
  const parts = [...new Set(free.flatMap(({ text }) => partsOf(text)))];
  const [first] = free;
  const isWhole = parts.length === 1 && free.length === 1 && parts[0] === first?.text;
  if (parts.length === 0 || isWhole) return null;
  const bound = terms.filter((term) => !isFree(term) && !term.isWithout);
  const needed = bound.flatMap((term) => conditionOfTerm(term, place) ?? []);
  const some = textCondition(
    parts.map((part) => [part]),
    place,
  );
  const where = allOf([anyOf([...asked, allOf([some, ...needed])]), ...excluded]);
  const ranked = terms.flatMap((term) =>
    term.isWithout ? [] : isFree(term) ? partsOf(term.text) : isRanked(term) ? [term.text] : [],
  );
  return { where, below: parts.length >= MANY_PARTS ? FEW_HITS : 1, ranking: rankingOf(ranked) };
}
/** Words of a query whose beginnings are searched for, and their letters. */
const BEGUN = 5;
const BEGUN_LETTERS = 4;
const LETTERS = /^\p{L}+$/u;

/** What the words of an item begin with; null: a short word, a number, or a text without spaces. */
export function beginningOf(text: string): string | null {
  const [span, more] = spansOf(folded(text));
  if (span === undefined || more !== undefined || span.isRun || !LETTERS.test(span.text)) return null;
  return span.text.length >= BEGUN_LETTERS && span.text.length <= WORD_CHARACTERS ? span.text : null;
}

function beginningsOf(
  terms: readonly Term[],
  free: readonly Term[],
  { asked, excluded, place }: AskedTerms,
): Condition | null {
  const begun = free.map(({ text }) => beginningOf(text));
  if (free.length > BEGUN || begun.every((each) => each === null)) return null;
  const bound = terms.filter((term) => !isFree(term) && !term.isWithout);
  const words = free.flatMap((term, at) => {
    const prefix = begun[at] ?? null;
    const of = conditionOfTerm(term, place);
    const beginning: readonly Condition[] = prefix === null ? [] : [{ kind: "prefix", field: FIELDS.all, prefix }];
    return of === null ? [] : [anyOf([of, ...beginning])];
  });
  const needed = bound.flatMap((term) => conditionOfTerm(term, place) ?? []);
  return allOf([anyOf([...asked, allOf([...words, ...needed])]), ...excluded]);
}

/** Of a question some words are mostly not those of the items; a few words that are found are meant as they are. */
const MANY_PARTS = 4;
const FEW_HITS = 5;

function readingOf(terms: readonly Term[], ignored: ReadonlySet<Term>): QueryReading {
  const unknown = terms.flatMap(({ field, text, typed }) => {
    const [, name = ""] = /^-?(\p{L}{1,20})[:：]\S/u.exec(typed) ?? [];
    const isField = name === "" || field !== "" || IDENTIFIER_KINDS.has(name.toLowerCase());
    return isField || !text.startsWith(`${name}:`) ? [] : [name];
  });
  const isPlain = terms.every((term) => isFree(term) && !term.isWithout && !OPERATORS.has(term.typed));
  if (isPlain && ignored.size === 0 && unknown.length === 0) return PLAIN;
  return {
    searched: terms.filter((term) => !ignored.has(term)).map(({ typed }) => typed),
    ignored: [...new Set([...ignored].map(({ text }) => text))],
    unknown: [...new Set(unknown)],
  };
}
