// By which words, and where, the hits of a query are ranked (R27; specification 3, "sort"): each token of the query in
// the fields of an item, weighed, and pairs of neighbouring words. Pure; how scores are made of it: scoring.ts.
import { RECORD_TEXTS } from "../detail/record-schema.ts";
import { FIELDS } from "../document/document.ts";
import { isOfRun, wordsOfQuery } from "../document/tokens.ts";
import type { Condition, RankedPlace, RankedWord, SortBy } from "../index/index-port.ts";
import { REPEATED, SORTS, TEXTS } from "../settings/search-schema.ts";
import { allOf, anyOf } from "./query-text.ts";
import { isOfParticles, isStopWord } from "./stop-words.ts";
import { formsOf, joinedPair, otherForms } from "./word-conditions.ts";
import { pairsOfPhrase } from "./word-pairs.ts";
import { isHiraganaWord } from "./word-parts.ts";

/** Words, and pairs of them, by which a query ranks at most: the first ones. */
const WORDS = 64;
const PAIRS = 16;
const PAIR_SHARE = 0.25;

/** Usual lengths of titles and of texts, in tokens. */
export const IN_TEXT = { by: SORTS.length, mean: 120, share: 0.6 } as const;
export const IN_TITLE = { by: SORTS.titleLength, mean: 12, share: 0.4 } as const;

/** Fields that are read together count once. */
type Field = Omit<RankedPlace, "of"> & { readonly fields: readonly string[] };

const FIELD_WEIGHTS: readonly Field[] = [
  { fields: [FIELDS.all], weight: 1, shorter: IN_TEXT, isTitle: false },
  { fields: [REPEATED], weight: 1.5, shorter: IN_TEXT, isTitle: false },
  { fields: [TEXTS.title], weight: 2, shorter: IN_TITLE, isTitle: true },
  { fields: [TEXTS.creator, TEXTS.subject], weight: 1.2, shorter: null, isTitle: false },
  { fields: [FIELDS.files], weight: 0.4, shorter: null, isTitle: false },
];

const inFields = (fields: readonly string[], token: string): Condition =>
  anyOf(fields.map((field) => ({ kind: "token", field, token })));

/** Where other forms of a word are searched for, in items that do not have the word itself there. */
const FORM_WEIGHTS: readonly Field[] = [
  { fields: [FIELDS.all], weight: 0.6, shorter: IN_TEXT, isTitle: false },
  { fields: [TEXTS.title], weight: 1.2, shorter: IN_TITLE, isTitle: true },
];

function wordOf(token: string, times: number): RankedWord {
  const forms = isOfRun(token) ? [] : formsOf(token);
  const other = FORM_WEIGHTS.map(({ fields, ...place }) => ({
    ...place,
    of: allOf([anyOf(forms.map((form) => inFields(fields, form))), { kind: "not", of: inFields(fields, token) }]),
  }));
  return {
    places: [
      ...FIELD_WEIGHTS.map(({ fields, ...place }) => ({ ...place, of: inFields(fields, token) })),
      ...(forms.length === 0 ? [] : other),
    ],
    share: times,
    isCounted: true,
  };
}

/** A word that counts in titles alone; `among`: of documents that have this too. */
export const titleWord = (token: string, among: readonly Condition[] = []): RankedWord => ({
  places: [{ of: allOf([inFields([TEXTS.title], token), ...among]), weight: 1, shorter: IN_TITLE, isTitle: true }],
  share: 1,
  isCounted: true,
});

/** A word written otherwise as a whole: parted, or in other kana. */
function otherWord(text: string): readonly RankedWord[] {
  const places = FORM_WEIGHTS.flatMap(({ fields, ...place }) => {
    const of = otherForms(text, (tokens) => allOf(tokens.map((token) => inFields(fields, token))));
    return of === null ? [] : [{ ...place, of }];
  });
  return places.length === 0 ? [] : [{ places, share: 1, isCounted: false }];
}

/** Two words that an item may have as one. */
function joinedWord(before: string, after: string): readonly RankedWord[] {
  const whole = joinedPair(before, after);
  if (whole.length === 0) return [];
  const places = FORM_WEIGHTS.map(({ fields, ...place }) => ({
    ...place,
    of: anyOf(whole.map((token) => inFields(fields, token))),
  }));
  return [{ places, share: 1, isCounted: false }];
}

const pairOf = (pair: string): RankedWord => ({
  places: [{ of: inFields([RECORD_TEXTS.pairs], pair), weight: 2, shorter: null, isTitle: false }],
  share: PAIR_SHARE,
  isCounted: false,
});

/** Hits that match as well: the newest work first. */
export const NEWEST_WORK: SortBy = { field: SORTS.published, descending: true };

/** `texts`: words and phrases of a query, each on its own; neighbours in the query count as a pair. */
export function rankingOf(texts: readonly string[]): readonly RankedWord[] {
  const times = new Map<string, number>();
  for (const text of texts) for (const token of wordsOfQuery(text)) times.set(token, (times.get(token) ?? 0) + 1);
  const words = new Set(texts.filter(isHiraganaWord).flatMap((text) => wordsOfQuery(text)));
  const tokens = deciding([...times.keys()], words).slice(0, WORDS);
  const known = new Set(tokens);
  const pairs = pairsOfPhrase(texts.join(" ")).filter((pair) =>
    pair.split(PAIR_SEPARATOR).every((one) => known.has(one)),
  );
  const others = texts
    .slice(0, PAIRS)
    .flatMap((text, at) => [...otherWord(text), ...joinedWord(texts[at - 1] ?? "", text)]);
  return [
    ...tokens.map((token) => wordOf(token, times.get(token) ?? 1)),
    ...pairs.slice(0, PAIRS).map(pairOf),
    ...others,
  ];
}
const PAIR_SEPARATOR = "+";

/** Without stop words, unless there are no others. `words`: what looks like particles, and is of words in hiragana. */
function deciding(tokens: readonly string[], words: ReadonlySet<string>): readonly string[] {
  const isSilent = (token: string): boolean =>
    isOfRun(token) ? isOfParticles(token) && !words.has(token) : isStopWord(token);
  const saying = tokens.filter((token) => !isSilent(token));
  return saying.length === 0 ? tokens : saying;
}
