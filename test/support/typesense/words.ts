// What q means: words that must all occur, phrases, excluded words; what is dropped and guessed by default.
import type { Collection, Stored } from "./collection.ts";
import type { Parameters } from "./parameters.ts";
import type { Field } from "./schema.ts";
import { type FieldMatch, PHRASES_ALONE, TOO_LONG, textMatch, WITHOUT_WORDS } from "./scores.ts";
import { tokensOf } from "./tokens.ts";
import { unseen } from "./unseen.ts";

/** More words than this were seen once only, four hundred at a time. */
const MAX_WORDS = 14;
const VERY_MANY_WORDS = 400;

type Query = {
  readonly words: readonly string[];
  readonly excluded: readonly string[];
  readonly phrases: readonly (readonly string[])[];
};

function readQuery(q: string, field: Field, stopwords: ReadonlySet<string>): Query {
  const phrases: string[][] = [];
  const rest = q.replace(/"([^"]*)"/g, (_whole, phrase: string) => {
    phrases.push(tokensOf(phrase, field, true));
    return " ";
  });
  const pieces = rest.split(/\s+/);
  const excluded = pieces.filter((piece) => piece.startsWith("-")).flatMap((piece) => tokensOf(piece, field, true));
  const words = pieces
    .filter((piece) => !piece.startsWith("-"))
    .flatMap((piece) => tokensOf(piece, field, true))
    .filter((word) => !stopwords.has(word));
  return { words, excluded, phrases: phrases.filter((phrase) => phrase.length > 0) };
}

/** A word of q as it is searched for: other words that count as it, with their differences. */
type Wanted = ReadonlyMap<string, number>;

/** One letter put in, left out, changed, or two neighbours swapped. */
function isOneAmiss(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1) return false;
  let from = 0;
  while (from < left.length && left[from] === right[from]) from += 1;
  const rest = (text: string, skip: number): string => text.slice(from + skip);
  const swapped = `${left[from + 1] ?? ""}${left[from] ?? ""}${rest(left, 2)}`;
  return [rest(left, 1) === rest(right, 1), rest(left, 1) === rest(right, 0), rest(left, 0) === rest(right, 1)].some(
    Boolean,
  )
    ? true
    : swapped === rest(right, 0);
}

function wantedOf(word: string, isLast: boolean, vocabulary: ReadonlySet<string>, parameters: Parameters): Wanted {
  const wanted = new Map<string, number>();
  if (isLast && parameters.prefix !== "false") {
    for (const one of vocabulary) if (one.startsWith(word)) wanted.set(one, 1);
  }
  if (vocabulary.has(word)) wanted.set(word, 0);
  if (wanted.size === 0 && parameters.num_typos !== "0" && word.length >= 4) {
    for (const one of vocabulary) if (isOneAmiss(word, one)) wanted.set(one, 2);
  }
  return wanted;
}

function fieldMatch(stored: Stored, field: Field, wanted: readonly Wanted[]): FieldMatch | null {
  const texts = stored.texts.get(field.name) ?? [];
  const matches = texts.flatMap((tokens) => {
    const places = wanted.map((one) => tokens.findIndex((token) => one.has(token)));
    const found = places.filter((place) => place >= 0);
    if (found.length === 0) return [];
    const amiss = wanted.map((one, at) => one.get(tokens[places[at] ?? -1] ?? "") ?? 0);
    const isWhole =
      !field.type.endsWith("[]") && tokens.length === wanted.length && places.every((place, at) => place === at);
    return [
      {
        words: found.length,
        span: Math.max(...found) - Math.min(...found),
        amiss: Math.max(...amiss),
        isWhole: isWhole && Math.max(...amiss) === 0,
      },
    ];
  });
  return matches.reduce<FieldMatch | null>(
    (best, one) => (best !== null && best.words >= one.words ? best : one),
    null,
  );
}

const hasPhrase = (tokens: readonly string[], phrase: readonly string[]): boolean =>
  tokens.some((_, from) => phrase.every((word, at) => tokens[from + at] === word));

export type Matches = {
  readonly scores: ReadonlyMap<Stored, bigint>;
  /** How many words were asked for; text_match_info counts from it. */
  readonly asked: number;
  readonly wanted: readonly Wanted[];
  readonly words: readonly string[];
};

/** The documents that have every word, each in any of the fields. */
function scoresOf(
  documents: readonly Stored[],
  fields: readonly Field[],
  wanted: readonly Wanted[],
): Map<Stored, bigint> {
  const scores = new Map<Stored, bigint>();
  for (const stored of documents) {
    const all = fields.flatMap((field) => stored.texts.get(field.name) ?? []).flat();
    if (!wanted.every((one) => all.some((token) => one.has(token)))) continue;
    const found = fields.map((field) => fieldMatch(stored, field, wanted)).filter((match) => match !== null);
    scores.set(stored, textMatch(wanted.length, found));
  }
  return scores;
}

const equally = (documents: readonly Stored[], score: bigint): Map<Stored, bigint> =>
  new Map(documents.map((stored) => [stored, score]));

const vocabularyOf = (collection: Collection, fields: readonly Field[]): ReadonlySet<string> =>
  new Set(
    collection.documents().flatMap((stored) => fields.flatMap((field) => (stored.texts.get(field.name) ?? []).flat())),
  );

export type Vocabulary = { readonly stopwords: ReadonlySet<string>; readonly synonyms: readonly (readonly string[])[] };

export function matchesOf(
  collection: Collection,
  documents: readonly Stored[],
  parameters: Parameters,
  fields: readonly Field[],
  { stopwords, synonyms }: Vocabulary,
): Matches {
  const [first] = fields;
  if (first === undefined) throw new TypeError("a query without fields is refused before");
  const text = parameters.q ?? "";
  const { words, excluded, phrases } = readQuery(text, first, stopwords);
  const isJapanese = fields.some(({ locale }) => locale === "ja");
  // Seen twice: on such a field a word to leave out leaves nothing.
  if (isJapanese && excluded.length > 0) return { scores: new Map(), asked: words.length, wanted: [], words };
  // Seen once: what is declared to be cut already is not turned into kana, and the documents are.
  if (parameters.pre_segmented_query === "true") return { scores: new Map(), asked: 1, wanted: [], words };
  const has = (stored: Stored, holds: (tokens: readonly string[]) => boolean): boolean =>
    fields.some((field) => (stored.texts.get(field.name) ?? []).some(holds));
  // A phrase that is nowhere is dropped.
  const somewhere = phrases.filter((phrase) =>
    collection.documents().some((one) => has(one, (tokens) => hasPhrase(tokens, phrase))),
  );
  const isAlone = phrases.length === 1 && somewhere.length === 0 && words.length === 0;
  const left = isAlone
    ? []
    : documents.filter(
        (stored) =>
          somewhere.every((phrase) => has(stored, (tokens) => hasPhrase(tokens, phrase))) &&
          !has(stored, (tokens) => excluded.some((word) => tokens.includes(word))),
      );
  if (parameters.infix === "always") {
    const inside = left.filter((stored) =>
      has(stored, (tokens) => tokens.some((token) => token.includes(words[0] ?? ""))),
    );
    const tokens = inside.flatMap((stored) => fields.flatMap((field) => (stored.texts.get(field.name) ?? []).flat()));
    const holding = new Map(tokens.filter((token) => token.includes(words[0] ?? "")).map((token) => [token, 0]));
    return { scores: equally(inside, WITHOUT_WORDS), asked: 1, wanted: [holding], words };
  }
  const ofPhrases = somewhere.flat().map((word): Wanted => new Map([[word, 0]]));
  if (words.length === 0) {
    const score = phrases.length > 0 ? PHRASES_ALONE : WITHOUT_WORDS;
    return { scores: equally(left, score), asked: 1, wanted: ofPhrases, words };
  }
  if (words.length > MAX_WORDS && words.length < VERY_MANY_WORDS) unseen(`${words.length} words in q`);
  const isGuessed = parameters.prefix !== "false" || parameters.num_typos !== "0";
  const vocabulary = isGuessed ? vocabularyOf(collection, fields) : new Set(words);
  const wanted = words.map((word, at) => {
    const alike = synonyms.find((group) => group.includes(word));
    if (alike !== undefined) return new Map(alike.map((one) => [one, 0]));
    return wantedOf(word, at === words.length - 1, vocabulary, parameters);
  });
  let scores = scoresOf(left, fields, wanted);
  for (let kept = words.length - 1; scores.size === 0 && kept > 0 && parameters.drop_tokens_threshold !== "0"; kept--) {
    scores = scoresOf(left, fields, wanted.slice(0, kept));
  }
  if (words.length >= VERY_MANY_WORDS) scores = equally([...scores.keys()], TOO_LONG);
  return { scores, asked: words.length, wanted: [...wanted, ...ofPhrases], words };
}
