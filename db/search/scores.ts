// Scores of documents by the words of a query (R27; src/repository/search/index/scoring.ts): the places of each word are
// sets of slots, and each found document is asked for the places it is in.
import type { IndexSchema } from "../../src/repository/search/document/document.ts";
import type { RankedPlace, RankedWord, Ranking } from "../../src/repository/search/index/index-port.ts";
import { impactOf, lengthNorm, weightOf, wholeScore } from "../../src/repository/search/index/scoring.ts";
import type { InParts } from "../../src/shared/time/event-loop.ts";
import { type Bitmap, bitmapFor, countShared, countSlots, unite } from "./bitmap.ts";
import type { Columns } from "./columns.ts";
import { evaluate, type Plan, plan, type Reading } from "./conditions.ts";

/** A ranking whose terms are read. */
export type RankingPlan = {
  readonly among: Plan;
  readonly words: readonly { readonly word: RankedWord; readonly places: readonly Plan[] }[];
  readonly weights: Ranking["weights"];
};

export type Scores = {
  /** By slot, of the documents that were scored. */
  readonly bySlot: Float64Array;
  /** What each word weighs. */
  readonly weights: readonly number[];
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

/** A word as it is asked of each slot: what it has of one kind is in arrays. */
type ScoredWord = {
  /** Slots with the word in any of its places. */
  readonly anywhere: Bitmap;
  readonly places: readonly Bitmap[];
  readonly weights: readonly number[];
  /** For each place which of the norms divides it; none: -1. */
  readonly norms: readonly number[];
  readonly inTitle: readonly boolean[];
  readonly weight: number;
  readonly share: number;
  readonly isCounted: boolean;
};

/** The lengths by which texts are divided. */
type Norm = { readonly lengths: Float64Array; readonly shorter: NonNullable<RankedPlace["shorter"]> };
type ScoredRanking = { readonly words: readonly ScoredWord[]; readonly norms: readonly Norm[] };

/** What each word of a ranking weighs, where nothing is scored. */
export const weightsIn = (columns: Columns, schema: IndexSchema, ranking: RankingPlan): readonly number[] =>
  scoredRanking(columns, schema, ranking).words.map(({ weight }) => weight);

/** Words of documents that are asked for without yielding: some tens of milliseconds. */
const ASKED_AT_ONCE = 2_000_000;

/** Whether scoring this amount is done in several parts. */
export const isScoredInParts = ({ words }: RankingPlan, documents: number): boolean =>
  words.length * documents > ASKED_AT_ONCE;

/** Scores these documents. `bySlot` has room for all slots; what it held of others stays. */
export function* scoresOf(
  { columns, schema }: { readonly columns: Columns; readonly schema: IndexSchema },
  ranking: RankingPlan,
  slots: Int32Array,
  bySlot: Float64Array,
): InParts<Scores> {
  const scored = scoredRanking(columns, schema, ranking);
  const { words } = scored;
  let whole = 0;
  for (const { weight, isCounted } of words) if (isCounted) whole += weight;
  const divisors = new Float64Array(scored.norms.length);
  const atOnce = Math.max(1, Math.floor(ASKED_AT_ONCE / Math.max(1, words.length)));
  for (let from = 0; from < slots.length; from += atOnce) {
    if (from > 0) yield;
    const end = Math.min(slots.length, from + atOnce);
    for (let at = from; at < end; at += 1) {
      const slot = slots[at] ?? 0;
      bySlot[slot] = scoreOf(slot, scored, divisors, whole);
    }
  }
  return { bySlot, weights: words.map(({ weight }) => weight) };
}

/** By index: this is done for every hit. */
function scoreOf(slot: number, { words, norms }: ScoredRanking, divisors: Float64Array, whole: number): number {
  const [at32, bit] = [slot >>> 5, 1 << (slot & 31)];
  for (let at = 0; at < norms.length; at += 1) {
    const norm = norms[at];
    if (norm !== undefined) divisors[at] = lengthNorm(norm.lengths[slot] ?? 0, norm.shorter);
  }
  let [sum, covered, titled] = [0, 0, 0];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (((word.anywhere[at32] ?? 0) & bit) === 0) continue;
    const { places, weights, inTitle } = word;
    let [found, isInTitle] = [0, false];
    for (let place = 0; place < places.length; place += 1) {
      if (((places[place]?.[at32] ?? 0) & bit) === 0) continue;
      const norm = word.norms[place] ?? -1;
      found += norm < 0 ? (weights[place] ?? 0) : (weights[place] ?? 0) / (divisors[norm] ?? 1);
      if (inTitle[place] === true) isInTitle = true;
    }
    sum += word.weight * word.share * impactOf(found);
    if (!word.isCounted) continue;
    covered += word.weight;
    if (isInTitle) titled += word.weight;
  }
  return wholeScore(sum, whole, covered, titled);
}

/** The documents of a place; null: there is none. Sets that only have to be read are not copied. */
function bitsOf(columns: Columns, place: Plan | undefined): Bitmap | null {
  if (place === undefined || isNone(place)) return null;
  const [only, ...others] = place.kind === "or" || place.kind === "and" ? place.of : [];
  if (only !== undefined && others.length === 0) return bitsOf(columns, only);
  return place.kind === "posting" ? place.posting.bits : evaluate(columns, place);
}

/** Whether no document can be in it, as far as that is seen without uniting sets. */
function isNone(place: Plan): boolean {
  if (place.kind === "posting") return place.posting.bits.every((word) => word === 0);
  if (place.kind === "or") return place.of.every(isNone);
  return place.kind === "and" ? place.of.some(isNone) : place.kind === "none";
}

function scoredRanking(columns: Columns, schema: IndexSchema, { among, words, weights }: RankingPlan): ScoredRanking {
  const seen = weights === null ? evaluate(columns, among) : null;
  const documents = seen === null ? 0 : countSlots(seen);
  const norms: Norm[] = [];
  const normOf = (shorter: RankedPlace["shorter"]): number => {
    if (shorter === null) return -1;
    const known = norms.findIndex((norm) => norm.shorter === shorter);
    if (known >= 0) return known;
    const lengths = columns.sorts[schema.sorts.findIndex(({ name }) => name === shorter.by)];
    return lengths === undefined ? -1 : norms.push({ lengths, shorter }) - 1;
  };
  const scored = words.map(({ word, places: plans }, at): ScoredWord => {
    // Most words are in some of the places only: the others are not asked for each document.
    const there = word.places.flatMap((place, of) => {
      const bits = bitsOf(columns, plans[of]);
      return bits === null ? [] : [{ ...place, bits }];
    });
    const [first, ...others] = there;
    const anywhere = first !== undefined && others.length === 0 ? first.bits : bitmapFor(columns.capacity);
    if (others.length > 0) for (const { bits } of there) unite(anywhere, bits);
    return {
      ...{ anywhere, share: word.share, isCounted: word.isCounted },
      places: there.map(({ bits }) => bits),
      weights: there.map(({ weight: each }) => each),
      norms: there.map(({ shorter }) => normOf(shorter)),
      inTitle: there.map(({ isTitle }) => isTitle),
      weight: seen === null ? (weights?.[at] ?? 0) : weightOf(countShared(anywhere, seen), documents),
    };
  });
  return { words: scored, norms };
}
