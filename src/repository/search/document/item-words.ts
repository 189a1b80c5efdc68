// The words of an item's metadata (R27), by field: tokens, forms, pairs of neighbours, and how long title and description
// are. Most items are short, and are read in one go with words that are kept; a long one is read in parts, with a limit
// for each.

import type { Agent, Metadata, Text } from "../../../model/metadata/metadata.ts";
import { closedName } from "../../../model/metadata/reader-language.ts";
import { htmlToText } from "../../../shared/html/html-text.ts";
import type { InParts } from "../../../shared/time/event-loop.ts";
import { RECORD_TEXTS } from "../detail/record-schema.ts";
import { pairsIn } from "../query/word-pairs.ts";
import { REPEATED, SORTS, TEXTS } from "../settings/search-schema.ts";
import { joinedTerms, repeatedTerms, ShortTexts } from "../words/short-texts.ts";
import { type StemLanguage, stemLanguageOf } from "../words/stems.ts";
import { FORMS, noTriples, type ReadTexts, textWords, tripleTokens, type WordText } from "../words/text-words.ts";
import { eachInitial, joinedFamily, type PersonName } from "../words/word-forms.ts";
import { FIELDS } from "./document.ts";
import { wordsOfMetadata } from "./metadata-words.ts";
import { folded, spansOf, tokensOf } from "./tokens.ts";

/** How much of an item is found: what goes beyond is shown, and found by the rest. */
export const FIELD_LIMITS = { characters: 100_000, tokens: 20_000 } as const;
/** Characters of descriptions with markup that are searched for words: there may be none in all of them. */
const MARKED_CHARACTERS = 400_000;
/** Agents of a field whose names are found by first letters. */
const AGENTS = 1_000;

const values = (texts: readonly Text[]): readonly string[] => texts.map(({ value }) => value);

/** Names in every language and writing, also without the space between family and given name. */
function* agentTexts(agents: readonly Agent[]): Generator<WordText> {
  const named = (value: string): WordText => ({ value, language: "none" });
  for (const { names, alternatives, ids, kind } of agents) {
    for (const name of names) {
      yield named(name.full ?? "");
      yield named(name.family ?? "");
      yield named(name.given ?? "");
      const written = closedName(name, kind);
      yield named(written);
      // Pages keep two parts in katakana apart; a reading is also typed as one word.
      if (READING.test(written)) yield named(written.replace(" ", ""));
    }
    for (const value of [...values(alternatives), ...values(ids)]) yield named(value);
  }
}

const READING = /^[\u30a1-\u30faー]+ [\u30a1-\u30faー]+$/;

/** Forms of a person's name: with initials, and with a family name of several words as one. */
function eachNameForm(name: PersonName, take: (form: string) => void): void {
  eachInitial(name, take);
  const family = joinedFamily(name);
  if (family !== null) take(family.form);
}

function* plainTexts(descriptions: Metadata["descriptions"]): Generator<Text> {
  let left = MARKED_CHARACTERS;
  for (const { value, html, ...text } of descriptions) {
    if (!html) yield { ...text, value };
    else {
      const marked = value.length <= left ? value : value.slice(0, left).toWellFormed();
      left -= marked.length;
      yield { ...text, value: htmlToText(marked) };
    }
  }
}

/** Texts without a language have the first one of the item. */
export const itemLanguage = ({ languages }: Metadata): StemLanguage => stemLanguageOf(languages[0]);

/** Made as they are asked for: of a very long item only the first are. */
function fieldTexts(metadata: Metadata): Readonly<Record<string, Iterable<WordText>>> {
  const { titles, creators, contributors, descriptions, publishers, subjects, containers, degree } = metadata;
  const language = itemLanguage(metadata);
  function* inLanguage(texts: Iterable<Text>): Generator<WordText> {
    for (const { value, lang } of texts)
      yield { value, language: lang === undefined ? language : stemLanguageOf(lang) };
  }
  return {
    [TEXTS.title]: inLanguage(titles),
    [TEXTS.creator]: agentTexts(creators),
    [TEXTS.contributor]: agentTexts(contributors),
    [TEXTS.description]: inLanguage(plainTexts(descriptions)),
    [TEXTS.publisher]: inLanguage(publishers.flatMap(({ names }) => names)),
    [TEXTS.subject]: inLanguage(subjects.flatMap(({ text }) => text ?? [])),
    [TEXTS.sourceTitle]: inLanguage(containers.flatMap(({ titles: of }) => of)),
    [TEXTS.degreeName]: inLanguage(degree?.names ?? []),
    [TEXTS.degreeGrantor]: inLanguage((degree?.grantors ?? []).flatMap(({ names }) => names)),
  };
}

/** Fields of which any two neighbouring words may be written as one. */
const SHORT_FIELDS: ReadonlySet<string> = new Set([TEXTS.title, TEXTS.subject]);

/** Persons are found by the first letters of their given names; organizations have none. */
function agentsIn(field: string, { creators, contributors }: Metadata): readonly Agent[] {
  const agents = field === TEXTS.creator ? creators : field === TEXTS.contributor ? contributors : [];
  return agents.slice(0, AGENTS).filter(({ kind }) => kind !== "organizational");
}

/**
 * Texts in the order in which their pairs are taken: descriptions are long, and repeat in other words what comes before
 * them.
 */
function* shortFirst(read: ReadonlyMap<string, readonly string[]>, others: Iterable<string>): Generator<string> {
  for (const [field, texts] of read) if (field !== TEXTS.description) yield* texts;
  yield* others;
  yield* read.get(TEXTS.description) ?? [];
}

/** Written out: an array between the two costs more than the text. */
export function joined(...all: readonly Iterable<string>[]): string {
  let text = "";
  for (const tokens of all) for (const token of tokens) text = text === "" ? token : `${text} ${token}`;
  return text;
}

function* repeated(counts: ReadonlyMap<string, number>): Generator<string> {
  for (const [token, count] of counts) if (count > 1) yield token;
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

function addUpTo(limit: number, to: Set<string>, some: Iterable<string>): void {
  for (const each of some) {
    if (to.size >= limit) return;
    to.add(each);
  }
}

type ItemWords = {
  readonly texts: Readonly<Record<string, string>>;
  readonly lengths: Readonly<Record<string, number>>;
};

/** What the words of an item are made of. */
export type WordSource = { readonly metadata: Metadata; readonly ark: string | null };

const arkTokens = (ark: string | null): readonly string[] => tokensOf(ark === null ? "" : `ark:${ark}`);
/** Texts of titles and descriptions are those of one item alone. */
const areCommon = (field: string): boolean => field !== TEXTS.title && field !== TEXTS.description;
/** A description has nothing but its text. */
const otherTexts = (metadata: Metadata): readonly string[] => wordsOfMetadata({ ...metadata, descriptions: [] });

export function* itemWords(source: WordSource): InParts<ItemWords> {
  return shortItemWords(source) ?? (yield* longItemWords(source));
}

/** Null: the item is not short. */
export function shortItemWords({ metadata, ark }: WordSource): ItemWords | null {
  const words = new ShortTexts(FIELD_LIMITS.tokens);
  const texts: Record<string, string> = {};
  const lengths = { [SORTS.length]: 0, [SORTS.titleLength]: 0 };
  const read = new Map<string, string[]>();
  for (const [name, written] of Object.entries(fieldTexts(metadata))) {
    const values: string[] = [];
    read.set(name, values);
    const field = words.field(written, SHORT_FIELDS.has(name), areCommon(name), values);
    if (field === null) return null;
    for (const agent of agentsIn(name, metadata))
      for (const each of agent.names) eachNameForm(each, (form) => words.addForm(form, field));
    texts[name] = joinedTerms(field.tokens, field.forms);
    if (areCommon(name)) continue;
    lengths[SORTS.length] += field.length;
    if (name === TEXTS.title) lengths[SORTS.titleLength] = field.length;
    else texts[REPEATED] = joinedTerms(repeatedTerms(field.tokens));
  }
  const others = otherTexts(metadata).filter((text) => !words.spans.has(text));
  const language = itemLanguage(metadata);
  const rest = words.field(
    others.map((value) => ({ value, language })),
    false,
    true,
  );
  if (rest === null) return null;
  const pairs = pairsIn(shortFirst(read, others), (text) => words.spans.get(text) ?? spansOf(folded(text)));
  texts[RECORD_TEXTS.pairs] = joined(pairs);
  words.addTokens(arkTokens(ark));
  texts[FIELDS.all] = joinedTerms(words.tokens, words.forms, words.triples);
  return words.isShort() ? { texts, lengths } : null;
}

/** The same of any item: what the shorter way is held to. */
export function* longItemWords({ metadata, ark }: WordSource): InParts<ItemWords> {
  const texts: Record<string, string> = {};
  const all = new Set<string>();
  const allForms = new Set<string>();
  const triples = noTriples();
  // Most texts of the metadata have a separate field: they are cut once.
  const spans: ReadTexts["spans"] = new Map();
  const read = new Map<string, string[]>();
  const lengths = { [SORTS.length]: 0, [SORTS.titleLength]: 0 };
  for (const [name, written] of Object.entries(fieldTexts(metadata))) {
    yield;
    const values: string[] = [];
    read.set(name, values);
    const { tokens, forms } = yield* textWords(written, FIELD_LIMITS, SHORT_FIELDS.has(name), triples, {
      values,
      spans,
    });
    for (const agent of agentsIn(name, metadata))
      for (const each of agent.names) eachNameForm(each, (form) => forms.add(form));
    texts[name] = joined(tokens.keys(), forms);
    for (const token of tokens.keys()) all.add(token);
    addUpTo(FORMS, allForms, forms);
    if (areCommon(name)) continue;
    const length = sumOf(tokens);
    lengths[SORTS.length] += length;
    if (name === TEXTS.title) lengths[SORTS.titleLength] = length;
    else texts[REPEATED] = joined(repeated(tokens));
  }
  yield;
  const others = otherTexts(metadata).filter((text) => !spans.has(text));
  const language = itemLanguage(metadata);
  const written = others.map((value) => ({ value, language }));
  const rest = yield* textWords(written, FIELD_LIMITS, false, triples, { values: [], spans });
  for (const token of rest.tokens.keys()) all.add(token);
  addUpTo(FORMS, allForms, rest.forms);
  const pairs = pairsIn(shortFirst(read, others), (text) => spans.get(text) ?? spansOf(folded(text)));
  texts[RECORD_TEXTS.pairs] = joined(pairs);
  yield;
  for (const token of arkTokens(ark)) all.add(token);
  const taken = all.size <= FIELD_LIMITS.tokens ? all : [...all].slice(0, FIELD_LIMITS.tokens);
  texts[FIELDS.all] = joined(taken, allForms, tripleTokens(triples));
  return { texts, lengths };
}
