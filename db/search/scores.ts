// Scores of documents by the words of a query (R27; src/repository/search/index/scoring.ts): the places of each word are
// sets of slots, and each found document is asked for the places it is in.
import type { IndexSchema } from "../../src/repository/search/document/document.ts";
import type { RankedWord, Ranking } from "../../src/repository/search/index/index-port.ts";
import { impactOf, lengthNorm, weightOf, wholeScore } from "../../src/repository/search/index/scoring.ts";
import type { InParts } from "../../src/shared/time/event-loop.ts";
import { type Bitmap, countSlots } from "./bitmap.ts";
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

type ScoredPlace = {
  readonly bits: Bitmap;
  readonly weight: number;
  readonly isTitle: boolean;
  /** The lengths that it is divided by, already as divisors; null: it is not. */
  readonly lengths: Float64Array | null;
  readonly norm: { readonly mean: number; readonly share: number };
};
type ScoredWord = {
  readonly places: readonly ScoredPlace[];
  readonly weight: number;
  readonly share: number;
  readonly isCounted: boolean;
};

const NO_NORM = { mean: 1, share: 0 };

/** Scores these documents. `bySlot` has room for all slots; what it held of others stays. */
export function scoresOf(
  columns: Columns,
  schema: IndexSchema,
  ranking: RankingPlan,
  slots: Int32Array,
  bySlot: Float64Array,
): Scores {
  const words = scoredWords(columns, schema, ranking);
  let whole = 0;
  for (const { weight, isCounted } of words) if (isCounted) whole += weight;
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? 0;
    bySlot[slot] = scoreOf(slot, words, whole);
  }
  return { bySlot, weights: words.map(({ weight }) => weight) };
}

/** By index: this is done for every hit. */
function scoreOf(slot: number, words: readonly ScoredWord[], whole: number): number {
  const [word32, bit] = [slot >>> 5, slot & 31];
  let [sum, covered, titled] = [0, 0, 0];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const { places } = word;
    let [found, isInTitle] = [0, false];
    for (let place = 0; place < places.length; place += 1) {
      const one = places[place];
      if (one === undefined || (((one.bits[word32] ?? 0) >>> bit) & 1) === 0) continue;
      found += one.lengths === null ? one.weight : one.weight / lengthNorm(one.lengths[slot] ?? 0, one.norm);
      if (one.isTitle) isInTitle = true;
    }
    if (found === 0) continue;
    sum += word.weight * word.share * impactOf(found);
    if (!word.isCounted) continue;
    covered += word.weight;
    if (isInTitle) titled += word.weight;
  }
  return wholeScore(sum, whole, covered, titled);
}

function scoredWords(columns: Columns, schema: IndexSchema, { among, words, weights }: RankingPlan): ScoredWord[] {
  const seen = weights === null ? evaluate(columns, among) : null;
  const documents = seen === null ? 0 : countSlots(seen);
  return words.map(({ word, places }, at) => {
    const scored = places.map((place, number): ScoredPlace => {
      const { weight = 0, shorter = null, isTitle = false } = word.places[number] ?? {};
      const sort = shorter === null ? -1 : schema.sorts.findIndex(({ name }) => name === shorter.by);
      return {
        bits: place.kind === "posting" ? place.posting.bits : evaluate(columns, place),
        weight,
        isTitle,
        lengths: columns.sorts[sort] ?? null,
        norm: shorter ?? NO_NORM,
      };
    });
    const weight = seen === null ? (weights?.[at] ?? 0) : weightOf(countAmong(seen, scored), documents);
    return { places: scored, weight, share: word.share, isCounted: word.isCounted };
  });
}

/** How many of these documents are in one of the places. */
function countAmong(seen: Bitmap, places: readonly ScoredPlace[]): number {
  const united = seen.slice();
  for (let at = 0; at < united.length; at += 1) {
    let any = 0;
    for (let place = 0; place < places.length; place += 1) any |= places[place]?.bits[at] ?? 0;
    united[at] = (united[at] ?? 0) & any;
  }
  return countSlots(united);
}
