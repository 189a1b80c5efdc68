// The first documents by the words of a query (R27; src/repository/search/index/scoring.ts): the places of each word are
// sets of slots. Documents in the places that matter most are scored first, the others as long as one of them may still
// be among the first (MaxScore): scores never fall with a further place, so that places bound them.
import type { IndexSchema } from "../../src/repository/search/document/document.ts";
import {
  type IndexQuery,
  type RankedPlace,
  type RankedWord,
  type Ranking,
  SCORE,
} from "../../src/repository/search/index/index-port.ts";
import { impactOf, lengthNorm, SCORE_STEP, weightOf, wholeScore } from "../../src/repository/search/index/scoring.ts";
import type { InParts } from "../../src/shared/time/event-loop.ts";
import type { Bitmap } from "./bitmap.ts";
import type { Columns } from "./columns.ts";
import { type Evaluating, evaluate, type Plan, plan, type Reading } from "./conditions.ts";
import type { QuestionRoom } from "./question-room.ts";
import {
  countAnyIn,
  countIn,
  inside,
  isList,
  placeOf,
  removeSet,
  type SlotList,
  type SlotRange,
  type SlotSet,
  shared,
} from "./slot-set.ts";

/** A ranking whose terms are read. */
export type RankingPlan = {
  readonly among: Plan;
  readonly words: readonly { readonly word: RankedWord; readonly places: readonly Plan[] }[];
  readonly weights: Ranking["weights"];
};

/** Reads the terms of a ranking. */
export function* planRanking(reading: Reading, { among, words, weights }: Ranking): InParts<RankingPlan> {
  const planned: { word: RankedWord; places: Plan[] }[] = [];
  for (const word of words) {
    const places: Plan[] = [];
    for (const { of } of word.places) places.push(yield* plan(reading, of));
    planned.push({ word, places });
  }
  return { among: yield* plan(reading, among), words: planned, weights };
}

type ScoredPlace = {
  readonly set: SlotSet;
  readonly weight: number;
  /** Which of the norms divides it; none: -1. */
  readonly norm: number;
  readonly isTitle: boolean;
};
type ScoredWord = {
  /** Without those that no document is in. */
  readonly places: readonly ScoredPlace[];
  readonly weight: number;
  readonly share: number;
  readonly isCounted: boolean;
};

/** The lengths by which texts are divided. `least`: no document divides by less. */
type Norm = {
  readonly lengths: Float64Array;
  readonly shorter: NonNullable<RankedPlace["shorter"]>;
  readonly least: number;
};
type ScoredRanking = {
  readonly words: readonly ScoredWord[];
  readonly norms: readonly Norm[];
  /** Of all counted words. */
  readonly whole: number;
};

/** What each word of a ranking weighs, where nothing is scored. */
export const weightsIn = (at: Evaluating, schema: IndexSchema, ranking: RankingPlan): readonly number[] =>
  scoredRanking(at, schema, ranking).words.map(({ weight }) => weight);

/**
 * How many slots, in how many ranges spread over all, and how many documents of them make a word common. Slots of one
 * import, or of one collection, lie together.
 */
export type Sample = { readonly slots: number; readonly ranges: number; readonly documents: number };
export const SPREAD_SLOTS: Sample = { slots: 65_536, ranges: 2, documents: 64 };

/** Null: all are few enough. */
export function rangesOf({ slots, ranges }: Sample, end: number): readonly SlotRange[] | null {
  if (end <= 2 * slots) return null;
  const size = Math.floor(slots / ranges / 32) * 32;
  return Array.from({ length: ranges }, (_, at): SlotRange => {
    const from = Math.floor((at * (end - size)) / Math.max(1, ranges - 1) / 32) * 32;
    return [from, from + size];
  });
}

/**
 * What each word of a ranking weighs, where nothing is scored and words may be counted roughly: a common one among some
 * slots of the index. A rare one is counted among all: nothing is derived from documents that `among` leaves out.
 */
export function* roughWeights(
  reading: Reading,
  evaluating: Evaluating,
  { words, among }: Pick<Ranking, "words" | "among">,
  sample: Sample,
): InParts<readonly number[]> {
  // Once for all words: each time it takes several sets as large as the index.
  const seen = evaluate(evaluating, yield* plan(reading, among));
  const within = rangesOf(sample, evaluating.columns.end);
  const some = within === null ? null : inside(seen, within);
  const [documents, someDocuments] = [countIn(seen), some === null ? 0 : countIn(some)];
  const sampled = within === null ? reading : { ...reading, within };
  function* having(of: Reading, { places }: RankedWord, among: SlotSet): InParts<number> {
    const plans: Plan[] = [];
    for (const place of places) plans.push(yield* plan(of, place.of));
    return countAnyIn(
      plans.map((each) => evaluate(evaluating, each)).filter((set) => set.length > 0),
      among,
    );
  }
  const weights: number[] = [];
  for (const word of words) {
    const rough = some === null ? 0 : yield* having(sampled, word, some);
    // The share is that of all: a weight depends on little else.
    if (some !== null && rough >= sample.documents) weights.push(weightOf(rough, someDocuments));
    else weights.push(weightOf(yield* having(reading, word, seen), documents));
  }
  return weights;
}

function scoredRanking(evaluating: Evaluating, schema: IndexSchema, ranking: RankingPlan): ScoredRanking {
  const { columns } = evaluating;
  const { among, weights } = ranking;
  const seen = weights === null ? evaluate(evaluating, among) : null;
  const documents = seen === null ? 0 : countIn(seen);
  const norms: Norm[] = [];
  const normOf = (shorter: RankedPlace["shorter"]): number => {
    if (shorter === null) return -1;
    const known = norms.findIndex((norm) => norm.shorter === shorter);
    if (known >= 0) return known;
    const sort = schema.sorts.findIndex(({ name }) => name === shorter.by);
    const lengths = columns.sorts[sort];
    if (lengths === undefined) return -1;
    return norms.push({ lengths, shorter, least: lengthNorm(columns.least[sort] ?? 0, shorter) }) - 1;
  };
  const words = ranking.words.map(({ word, places: plans }, at): ScoredWord => {
    const places = word.places.flatMap(({ weight, shorter, isTitle }, of): ScoredPlace[] => {
      const place = plans[of];
      const set = place === undefined ? null : evaluate(evaluating, place);
      return set === null || set.length === 0 ? [] : [{ set, weight, norm: normOf(shorter), isTitle }];
    });
    const sets = places.map(({ set }) => set);
    const weight = seen === null ? (weights?.[at] ?? 0) : weightOf(countAnyIn(sets, seen), documents);
    return { places, weight, share: word.share, isCounted: word.isCounted };
  });
  let whole = 0;
  for (const { weight, isCounted } of words) if (isCounted) whole += weight;
  return { words, norms, whole };
}

/** Documents that are scored together. */
const CHUNK = 2_048;
/** Words of documents that are asked for without yielding: some tens of milliseconds. */
const ASKED_AT_ONCE = 2_000_000;

/** Where documents are scored, without yielding while it is used. */
export type ScoringRoom = {
  readonly found: Float64Array;
  readonly sums: Float64Array;
  readonly covered: Float64Array;
  readonly titled: Float64Array;
  /** Bits: the word is in the document, and in its title. */
  readonly states: Uint8Array;
  readonly divisors: Float64Array[];
  /** By slot. */
  scores: Float64Array;
};
const [IS_THERE, IN_TITLE] = [1, 2];

export const scoringRoom = (): ScoringRoom => ({
  ...{ found: new Float64Array(CHUNK), sums: new Float64Array(CHUNK), covered: new Float64Array(CHUNK) },
  ...{ titled: new Float64Array(CHUNK), states: new Uint8Array(CHUNK), divisors: [], scores: new Float64Array(0) },
});

export type FirstByScore = {
  /** Of the documents found, at least those of the page, in no order. */
  readonly slots: SlotList;
  /** By slot, of these documents: until the next question is scored. */
  readonly scores: Float64Array;
  /** What each word weighs. */
  readonly weights: readonly number[];
  /** How many documents were scored for it. */
  readonly scored: number;
};

/** Scores documents until no other one can be on the page. */
export function* firstByScore(
  index: {
    readonly columns: Columns;
    readonly schema: IndexSchema;
    readonly room: ScoringRoom;
    readonly sets: QuestionRoom;
  },
  plans: RankingPlan,
  found: SlotSet,
  page: Pick<IndexQuery, "sort" | "after" | "offset" | "limit">,
): InParts<FirstByScore> {
  const { columns, schema, room, sets } = index;
  const ranking = scoredRanking({ columns, copyOf: sets.copyOf }, schema, plans);
  const best = bestScores(page, countIn(found));
  const kept: { readonly slots: number[]; readonly scores: number[] } = { slots: [], scores: [] };
  let [asked, scored] = [0, 0];
  for (const set of best.isBounded && !isList(found) ? mostFirst(ranking, found, best, sets) : [found]) {
    const slots = isList(set) ? set : sets.listOf(set);
    // A part of the index is walked through to find them.
    asked += columns.end >>> 5;
    scored += slots.length;
    for (let from = 0; from < slots.length; from += CHUNK) {
      const some = slots.subarray(from, from + CHUNK);
      scoreChunk(some, ranking, room);
      for (let at = 0; at < some.length; at += 1) {
        const score = room.sums[at] ?? 0;
        if (!best.add(score)) continue;
        kept.slots.push(some[at] ?? 0);
        kept.scores.push(score);
      }
      asked += some.length * ranking.words.length;
      if (asked < ASKED_AT_ONCE) continue;
      yield;
      asked = 0;
    }
    sets.release(slots);
  }
  if (room.scores.length < columns.capacity) room.scores = new Float64Array(columns.capacity);
  const { scores } = room;
  const slots = new Int32Array(kept.slots.length);
  let count = 0;
  for (let at = 0; at < kept.slots.length; at += 1) {
    const score = kept.scores[at] ?? 0;
    if (score < best.least()) continue;
    const slot = kept.slots[at] ?? 0;
    scores[slot] = score;
    slots[count++] = slot;
  }
  return { slots: slots.slice(0, count), scores, weights: ranking.words.map(({ weight }) => weight), scored };
}

/** Documents in the place that matters most, then those in the next one, until no other one can be among the best. */
function* mostFirst(
  ranking: ScoredRanking,
  found: Bitmap,
  best: BestScores,
  { copyOf }: QuestionRoom,
): Generator<SlotSet, void> {
  const left = copyOf(found);
  const places = ranking.words.flatMap((word) => word.places.map((place) => ({ word, place })));
  places.sort((one, other) => alone(other, ranking.norms) - alone(one, ranking.norms));
  const others = new Set(places.map(({ place }) => place));
  for (const { place } of places) {
    if (mostWithin(others, ranking) + SCORE_STEP < best.least()) return;
    const next = shared(place.set, left, copyOf);
    yield next;
    removeSet(left, next);
    others.delete(place);
  }
  if (best.least() <= 0) yield left;
}

/** What a place adds, without others: in which order places are asked. */
const alone = (
  { word, place }: { readonly word: ScoredWord; readonly place: ScoredPlace },
  norms: readonly Norm[],
): number =>
  word.weight * word.share * (place.isTitle ? 2 : 1) * impactOf(place.weight / (norms[place.norm]?.least ?? 1));

/** The highest score of a document that is in these places and in no others. */
function mostWithin(places: ReadonlySet<ScoredPlace>, { words, norms, whole }: ScoredRanking): number {
  let [sum, covered, titled] = [0, 0, 0];
  for (const word of words) {
    let [found, isInTitle] = [0, false];
    for (const place of word.places) {
      if (!places.has(place)) continue;
      found += place.weight / (norms[place.norm]?.least ?? 1);
      isInTitle ||= place.isTitle;
    }
    if (found === 0) continue;
    sum += word.weight * word.share * impactOf(found);
    if (!word.isCounted) continue;
    covered += word.weight;
    if (isInTitle) titled += word.weight;
  }
  return wholeScore(sum, whole, covered, titled);
}

type BestScores = {
  /** False: the page may need all of them. */
  readonly isBounded: boolean;
  /** The lowest score that can be on the page. */
  least(): number;
  /** False: one with this score is not on the page. */
  add(score: number): boolean;
};

/** The highest scores of a page, in a heap whose root is the lowest of them. */
function bestScores({ sort, after, offset, limit }: Parameters<typeof firstByScore>[3], found: number): BestScores {
  const count = offset + limit;
  const [first] = sort;
  if (first?.field !== SCORE || !first.descending || count * 4 > found) {
    return { isBounded: false, least: () => Number.NEGATIVE_INFINITY, add: () => true };
  }
  // Which of those with the score of the cursor come after it is not known here: they are kept, and not counted.
  const highest = after === null ? Number.POSITIVE_INFINITY : Number(after.sort[0]);
  const heap = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  const root = (): number => heap[0] ?? Number.NEGATIVE_INFINITY;
  return {
    isBounded: true,
    least: root,
    add(score) {
      if (score > highest || score < root()) return false;
      if (score < highest && score > root()) sink(heap, score);
      return true;
    },
  };
}

/** Puts a number in the place of the root, and lets it sink to where it belongs. */
function sink(heap: Float64Array, number: number): void {
  let at = 0;
  for (let below = 1; below < heap.length; below = at * 2 + 1) {
    if (below + 1 < heap.length && (heap[below + 1] ?? 0) < (heap[below] ?? 0)) below += 1;
    if ((heap[below] ?? 0) >= number) break;
    heap[at] = heap[below] ?? 0;
    at = below;
  }
  heap[at] = number;
}

/** Scores at most a chunk of slots, ascending, word by word: `sums` of the room holds what they come to. */
function scoreChunk(slots: SlotList, { words, norms, whole }: ScoredRanking, room: ScoringRoom): void {
  const { found, sums, covered, titled, states } = room;
  const count = slots.length;
  for (const array of [sums, covered, titled]) array.fill(0, 0, count);
  for (const [at, { lengths, shorter }] of norms.entries()) {
    const divisors = room.divisors[at] ?? new Float64Array(CHUNK);
    room.divisors[at] = divisors;
    for (let each = 0; each < count; each += 1) divisors[each] = lengthNorm(lengths[slots[each] ?? 0] ?? 0, shorter);
  }
  for (const { places, weight, share, isCounted } of words) {
    found.fill(0, 0, count);
    states.fill(0, 0, count);
    for (const place of places) addPlace(slots, place, room);
    for (let at = 0; at < count; at += 1) {
      const state = states[at] ?? 0;
      if (state === 0) continue;
      sums[at] = (sums[at] ?? 0) + weight * share * impactOf(found[at] ?? 0);
      if (!isCounted) continue;
      covered[at] = (covered[at] ?? 0) + weight;
      if ((state & IN_TITLE) !== 0) titled[at] = (titled[at] ?? 0) + weight;
    }
  }
  for (let at = 0; at < count; at += 1) {
    sums[at] = wholeScore(sums[at] ?? 0, whole, covered[at] ?? 0, titled[at] ?? 0);
  }
}

/** By index: this is done for every document that is scored. */
function addPlace(slots: SlotList, place: ScoredPlace, { found, states, divisors }: ScoringRoom): void {
  const { set, weight, norm } = place;
  const divided = divisors[norm];
  const state = place.isTitle ? IS_THERE | IN_TITLE : IS_THERE;
  const add = (at: number): void => {
    found[at] = (found[at] ?? 0) + (divided === undefined ? weight : weight / (divided[at] ?? 1));
    states[at] = (states[at] ?? 0) | state;
  };
  if (!isList(set)) {
    for (let at = 0; at < slots.length; at += 1) {
      const slot = slots[at] ?? 0;
      if ((((set[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 1) add(at);
    }
    return;
  }
  let other = placeOf(set, slots[0] ?? 0);
  for (let at = 0; at < slots.length && other < set.length; ) {
    // A pair of them for each document would be garbage.
    const slot = slots[at] ?? 0;
    const next = set[other] ?? 0;
    if (slot === next) add(at);
    if (slot <= next) at += 1;
    if (next <= slot) other += 1;
  }
}
