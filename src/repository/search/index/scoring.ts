// How a document is scored by the words of a query (R27): BM25 over weighted fields. The fields of one word are added
// up before they saturate, so that a word in title and description counts little more than one in the title. What a
// word weighs falls with the number of documents that have it. Documents with more of the words come before others.

/** What many occurrences of a word come to at most, against the first: the lower, the sooner it saturates. */
const SATURATION = 1.2;
/** How much a document gains that has all words, and one that has all of them in its title. */
const ALL_WORDS = 0.6;
const ALL_IN_TITLE = 0.5;
/** Scores that differ by less are equal: then the date decides. */
const STEPS = 100;
export const SCORE_STEP = 1 / STEPS;

/** The weight of a word that `having` of the documents have. */
export const weightOf = (having: number, documents: number): number =>
  Math.round(Math.log(1 + Math.max(0, documents - having + 0.5) / (having + 0.5)) * WEIGHT_STEPS) / WEIGHT_STEPS;
/** How many of the documents have a word of this weight, about. */
export const havingOf = (weight: number, documents: number): number =>
  Math.max(0, (documents + 1) / Math.exp(weight) - 0.5);
/** Cursors hold weights: they are short numbers. */
const WEIGHT_STEPS = 1_000;

/** What the places of a word that a document has come to, weighed and added up. */
export const impactOf = (sum: number): number => sum / (sum + SATURATION);

/** Divides the weight of a word in a text of this length. */
export const lengthNorm = (
  length: number,
  { mean, share }: { readonly mean: number; readonly share: number },
): number => 1 - share + (share * length) / mean;

/** `whole`: the weights of all counted words; `covered`, `titled`: of those that are there, and that are in the title. */
export function wholeScore(sum: number, whole: number, covered: number, titled: number): number {
  if (whole === 0) return Math.round(sum * STEPS) / STEPS;
  const all = covered / whole;
  const inTitle = titled / whole;
  return Math.round(sum * (1 + ALL_WORDS * all * all + ALL_IN_TITLE * inTitle * inTitle) * STEPS) / STEPS;
}
