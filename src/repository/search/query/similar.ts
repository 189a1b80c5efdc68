// Items that are about the same as an item (R27g): its most telling words, by where it has them and how rare they are
// among what the caller may see, asked as one ranked query of the same index. Work is bounded whatever the item is: the
// beginnings of its texts are read, the first of their words counted, a few of these asked for.
import { ROLES, type Viewer } from "../../../auth/account.ts";
import type { ItemContent } from "../../../model/items/item.ts";
import type { Metadata, Text } from "../../../model/metadata/metadata.ts";
import { htmlToText } from "../../../shared/html/html-text.ts";
import type { ParentId } from "../../../shared/ids.ts";
import { RecentValues } from "../../../shared/recent-values.ts";
import { RECORD_FACETS, RECORD_TEXTS } from "../detail/record-schema.ts";
import { FIELDS } from "../document/document.ts";
import { facetKey, numberKey } from "../document/keys.ts";
import { CODE_SEPARATOR, valueWord } from "../document/record-fields.ts";
import { folded, type Span, spansOf, tokensOfSpan, WORD_CHARACTERS } from "../document/tokens.ts";
import type { Condition, RankedWord } from "../index/index-port.ts";
import { havingOf, weightOf } from "../index/scoring.ts";
import { KEYS, TEXTS } from "../settings/search-schema.ts";
import { katakanaKey } from "../words/kana.ts";
import { keyOfWord, languageKey, type StemLanguage, stemLanguageOf } from "../words/stems.ts";
import { formToken } from "../words/word-forms.ts";
import { affordable } from "./affordable-words.ts";
import type { Finder, SearchPage } from "./finder.ts";
import { allOf, anyOf, twoOf } from "./query-text.ts";
import { IN_TEXT, IN_TITLE, NEWEST_WORK } from "./ranking.ts";
import { isStopWord } from "./stop-words.ts";

/** Words whose rarity is counted, and the words and subjects that are asked for. */
const COUNTED = 24;
const SUBJECTS_COUNTED = 8;
const TELLING = { subjects: 4, words: 7 } as const;
/** Characters of all titles, subjects and descriptions that are read. */
const READ = { title: 2_000, subject: 4_000, description: 20_000 } as const;
/** The weight of an occurrence of a word by where it is, how many count in each text, and the weight of a subject. */
const SALIENCE = { title: 3, subject: 3, description: 1 } as const;
const OCCURRENCES = 3;
const SUBJECT_SALIENCE = 6;
/** A word in more of the other items than these, and than this share of them, tells nothing; nor does a weightless one. */
const COMMON = { items: 20, share: 0.1 } as const;
const LEAST_WEIGHT = 0.6;
const LETTERS = 3;
/** Words that are asked for, two of them at once, where few documents have at most one. */
const LEAST_WORDS = 3;
/** Words whose weights are kept, at least and twice as many at most; for how long; and how many documents have such a word. */
const KEPT = { words: 10_000, ms: 60 * 60_000, documents: 20 } as const;

type Candidate = {
  /** Tells it from all others. */
  readonly name: string;
  /** As the item has it, folded. */
  readonly text: string;
  readonly salience: number;
  readonly has: Condition;
  readonly ranked: RankedWord;
};

export type SimilarItems = {
  readonly items: SearchPage["items"];
  /** The words that decided. */
  readonly words: readonly string[];
};

const NOTHING_SIMILAR: SimilarItems = { items: [], words: [] };

/** What common words weigh among what guests may see, as it was counted within an hour: items have most of them in common. */
export class GuestWeights {
  readonly #nowMs: () => number;
  #weights = new RecentValues<number>(KEPT.words);
  #sinceMs = 0;
  #total = 0;

  /** `nowMs`: a clock that only moves forward. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  of(name: string): number | undefined {
    if (this.#nowMs() - this.#sinceMs > KEPT.ms) {
      this.#weights = new RecentValues<number>(KEPT.words);
      this.#sinceMs = this.#nowMs();
    }
    return this.#weights.get(name);
  }

  /**
   * `total`: of the documents among which it was counted. A word that few have is counted again at once; all are when the
   * repository is half or twice as large.
   */
  keep(name: string, weight: number, total: number): void {
    if (total > 2 * this.#total || total < this.#total / 2) {
      this.#weights = new RecentValues<number>(KEPT.words);
      this.#total = total;
    }
    if (havingOf(weight, total) >= KEPT.documents) this.#weights.set(name, weight);
  }
}

type Needs = { readonly finder: Pick<Finder, "find">; readonly mayWait: boolean; readonly weights: GuestWeights };
type Source = { readonly content: Pick<ItemContent, "metadata">; readonly parentId: ParentId };

/** Everything but this and its versions. */
export const otherThan = (parentId: ParentId): Condition => ({
  kind: "not",
  of: { kind: "key", field: KEYS.number, anyOf: [numberKey(parentId)] },
});

/** The most similar first, at most `size`; never a version of the same item. `content`: as the viewer may read it. */
export async function similarItems(
  needs: Needs,
  viewer: Viewer,
  { content, parentId }: Source,
  size: number,
): Promise<SimilarItems> {
  const subjects = subjectsOf(content.metadata);
  const words = wordsOf(content.metadata);
  if (subjects.length + words.length === 0) return NOTHING_SIMILAR;
  const others = otherThan(parentId);
  const rated = await ratedCandidates(needs, viewer, [...subjects, ...words], others);
  const telling = {
    subjects: rated.filter(({ one }) => subjects.includes(one)).slice(0, TELLING.subjects),
    words: rated.filter(({ one }) => words.includes(one)).slice(0, TELLING.words),
  };
  const { decided, asked } = questionOf(telling.subjects, telling.words);
  if (asked === null) return NOTHING_SIMILAR;
  const { items } = await needs.finder.find(viewer, {
    ...{ where: allOf([asked, others]), chosen: null, sort: [NEWEST_WORK], facets: [] },
    ranking: decided.map(({ ranked }) => ranked),
    page: { number: 1, size },
    mayWait: false,
  });
  return { items, words: decided.map(({ text }) => text) };
}

/** `having`: how many documents have it, about; 0 where nothing is counted. */
type Rated = { readonly one: Candidate; readonly rate: number; readonly having: number };

/** Those that tell something, the most telling first. */
async function ratedCandidates(
  { finder, mayWait, weights: kept }: Needs,
  viewer: Viewer,
  candidates: readonly Candidate[],
  others: Condition,
): Promise<readonly Rated[]> {
  const isGuest = isPlainGuest(viewer);
  const known = new Map(candidates.map((one) => [one, isGuest ? kept.of(one.name) : undefined]));
  const unknown = candidates.filter((one) => known.get(one) === undefined);
  const { total, weights } = await finder.find(viewer, {
    ...{ where: others, chosen: null, sort: [], facets: [], page: { number: 1, size: 0 }, mayWait },
    ranking: unknown.map(({ has, ranked }) => ({ ...ranked, places: [placeOf(allOf([has, others]))] })),
    isRough: true,
  });
  for (const [at, one] of unknown.entries()) {
    const weight = weights?.[at];
    if (weight === undefined) continue;
    known.set(one, weight);
    if (isGuest) kept.keep(one.name, weight, total);
  }
  return tellingOf(known, total);
}

/** Sees what everybody sees. */
const isPlainGuest = ({ account, roles, links }: Viewer): boolean =>
  account === null && links === undefined && roles.every((role) => role === ROLES.guest);

/**
 * Of a large repository, what tells less is left out. Where two words are left, either is enough; where one is or none,
 * others decide with it.
 */
function questionOf(subjects: readonly Rated[], words: readonly Rated[]) {
  const few = affordable([...subjects, ...words]);
  const leftOut = (words.length > 0 ? words : subjects).filter((each) => !few.includes(each));
  const others = few.length < 2 ? leftOut.slice(0, LEAST_WORDS) : [];
  const asked = [...few, ...others];
  const among = (some: readonly Rated[]) => asked.filter((each) => some.includes(each)).map(({ one }) => one);
  return {
    decided: asked.map(({ one }) => one),
    asked: conditionOf(among(subjects), among(words), others.length === 0 && leftOut.length > 0),
  };
}

/** Those that some other item has and that few have, the most telling first. Where nothing is weighed, the salient. */
function tellingOf(candidates: ReadonlyMap<Candidate, number | undefined>, total: number): readonly Rated[] {
  // The item itself may be among the documents of which the rarity is counted, or not.
  const unknown = (weightOf(0, total) + weightOf(1, total)) / 2;
  const least = Math.max(LEAST_WEIGHT, weightOf(Math.max(COMMON.items, total * COMMON.share), total));
  const rated = [...candidates].flatMap(([one, weight]): Rated[] => {
    if (weight === undefined) return [{ one, rate: one.salience, having: 0 }];
    const isTelling = weight < unknown && weight >= least;
    return isTelling ? [{ one, rate: one.salience * weight, having: havingOf(weight, total) }] : [];
  });
  return rated.sort((left, right) => right.rate - left.rate);
}

/** One of the subjects, or two of the words; `isEither`: of two words one. Null: there is nothing to ask for. */
function conditionOf(subjects: readonly Candidate[], words: readonly Candidate[], isEither: boolean): Condition | null {
  const has = words.map((word) => word.has);
  const any = [...subjects.map((subject) => subject.has), ...(isEither && has.length === 2 ? has : twoOf(has))];
  return any.length === 0 ? null : anyOf(any);
}

const placeOf = (of: Condition, weight = 1) => ({ of, weight, shorter: null, isTitle: false });

// --- subjects, as they are written or by their address

/** The code of a subject's identifier among the members of an item (record-fields.ts). */
const SUBJECT_CODE = "si";

function subjectsOf({ subjects }: Metadata): readonly Candidate[] {
  return subjects.slice(0, SUBJECTS_COUNTED).flatMap(({ text, id, uri }): Candidate[] => {
    const label = (text?.value ?? "").trim();
    const named = [id, uri].flatMap((name) => {
      const word = name === undefined ? "" : valueWord(name);
      return word === "" ? [] : [token(RECORD_TEXTS.members, `${SUBJECT_CODE}${CODE_SEPARATOR}${word}`)];
    });
    const written: readonly Condition[] =
      label === "" ? [] : [{ kind: "key", field: RECORD_FACETS.subject, anyOf: [facetKey(label)] }];
    const of = [...written, ...named];
    if (of.length === 0) return [];
    const has = anyOf(of);
    const ranked = { places: [placeOf(has, 2)], share: 1, isCounted: true };
    return [{ name: JSON.stringify(of), text: folded(label), has, ranked, salience: SUBJECT_SALIENCE }];
  });
}

// --- words

type NotedWord = { readonly text: string; readonly language: StemLanguage; salience: number };

function wordsOf(metadata: Metadata): readonly Candidate[] {
  const noted = new Map<string, NotedWord>();
  const texts = {
    title: metadata.titles,
    subject: metadata.subjects.slice(0, TEXTS_READ).flatMap(({ text }) => text ?? []),
    description: plainDescriptions(metadata),
  };
  const language = stemLanguageOf(metadata.languages[0]);
  for (const field of ["title", "subject", "description"] as const) {
    let left: number = READ[field];
    for (const { value, lang } of texts[field]) {
      const of = lang === undefined ? language : stemLanguageOf(lang);
      note(noted, wordsIn(value.slice(0, left).toWellFormed()), of, SALIENCE[field]);
      left -= value.length;
      if (left <= 0) break;
    }
  }
  return [...noted.values()]
    .sort((left, right) => right.salience - left.salience)
    .slice(0, COUNTED)
    .map(candidateOf);
}
/** Subjects, and descriptions, of which words are read. */
const TEXTS_READ = 200;

function note(noted: Map<string, NotedWord>, words: Iterable<string>, language: StemLanguage, salience: number): void {
  const times = new Map<string, number>();
  for (const text of words) {
    const count = times.get(text) ?? 0;
    times.set(text, count + 1);
    if (count >= OCCURRENCES) continue;
    const known = noted.get(text);
    if (known === undefined) noted.set(text, { text, language, salience });
    else known.salience += salience;
  }
}

function* plainDescriptions({ descriptions }: Metadata): Generator<Text> {
  let left: number = READ.description;
  for (const { value, html, ...text } of descriptions.slice(0, TEXTS_READ)) {
    const read = value.slice(0, left).toWellFormed();
    left -= read.length;
    yield { ...text, value: html ? htmlToText(read) : read };
  }
}

/** Words that may be telling: no stop words and numbers; of runs katakana words, and two characters without hiragana. */
function* wordsIn(text: string): Generator<string> {
  for (const span of spansOf(folded(text))) {
    if (span.isRun) yield* wordsOfRun(span);
    else if (span.text.length >= LETTERS && span.text.length <= WORD_CHARACTERS && !isSilent(span.text))
      yield span.text;
  }
}

const isSilent = (word: string): boolean => isStopWord(word) || /^\p{N}+$/u.test(word);

const RUN_PARTS = /[\u30a1-\u30faー]+|[^\u3041-\u309f\u30a1-\u30faー]+/g;
const KATAKANA = /^[\u30a1-\u30faー]/;

function* wordsOfRun({ text }: Span): Generator<string> {
  for (const [part] of text.matchAll(RUN_PARTS)) {
    if (!KATAKANA.test(part)) {
      const pairs = [...part].length > 1 ? tokensOfSpan({ text: part, isRun: true }) : [];
      // Most words have two characters: pairs of the end of one and the beginning of the next mean nothing.
      for (const [at, pair] of pairs.entries()) if (at % 2 === 0 || at === pairs.length - 1) yield pair;
    } else if (part.length <= WORD_CHARACTERS && katakanaKey(part) !== null) yield part;
  }
}

const token = (field: string, of: string): Condition => ({ kind: "token", field, token: of });

/** A word, found in its other forms as well. */
function candidateOf({ text, language, salience }: NotedWord): Candidate {
  const key = KATAKANA.test(text) ? katakanaKey(text) : null;
  const forms = key === null ? new Set([formToken(languageKey(text, language)), keyOfWord(text, language)]) : [];
  const written = key === null ? text : formToken(key);
  const others = [...forms].filter((form) => form !== text).map((form) => token(FIELDS.all, form));
  const inAll = token(FIELDS.all, written);
  const places = [
    { of: inAll, weight: 1, shorter: IN_TEXT, isTitle: false },
    { of: token(TEXTS.title, written), weight: 2, shorter: IN_TITLE, isTitle: true },
    { of: token(TEXTS.subject, written), weight: 1.2, shorter: null, isTitle: false },
    { of: allOf([anyOf(others), { kind: "not" as const, of: inAll }]), weight: 0.6, shorter: IN_TEXT, isTitle: false },
  ];
  const ranked: RankedWord = { places, share: 1, isCounted: true };
  return { name: `${language} ${text}`, text, has: anyOf([inAll, ...others]), ranked, salience };
}
