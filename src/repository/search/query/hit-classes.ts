// Classes of hits in the order of their rank, as conditions (R27): which of the words a hit has, and whether all of them
// are in its title. For engines that find and sort, but do not score. Pure.
import type { Condition, RankedPlace, RankedWord } from "../index/index-port.ts";
import { impactOf, wholeScore } from "../index/scoring.ts";
import { allOf, anyOf } from "./query-text.ts";
import { FIRST } from "./typed-first.ts";

/** Words at most that decide which hits come first, and the rarest ones, by which classes differ. */
const RANKED = 10;
const RAREST = 5;

type Word = { readonly title: Condition; readonly anywhere: Condition };
type WeighedWord = Word & { readonly weight: number };

/** What a word has in the places of a hit that has it, and of one with all its words in the title (ranking.ts). */
const SUMS = { anywhere: 1.5, title: 3 } as const;

export function countedWords(ranking: readonly RankedWord[]): readonly Word[] {
  const within = ({ places }: RankedWord, isMeant: (place: RankedPlace) => boolean): Condition =>
    anyOf(places.filter(isMeant).map(({ of }) => of));
  return ranking
    .filter(({ isCounted }) => isCounted)
    .slice(0, RANKED)
    .map((word) => ({ title: within(word, ({ isTitle }) => isTitle), anywhere: within(word, () => true) }));
}

/** What comes before all words: items of an identifier, and what was typed before what may be meant. */
export const leadingOf = (ranking: readonly RankedWord[]): readonly Condition[] =>
  ranking.filter(({ share }) => share >= FIRST).flatMap(({ places }) => places.map(({ of }) => of));

const no = (condition: Condition): Condition => ({ kind: "not", of: condition });
const sumOf = (words: readonly WeighedWord[]): number => words.reduce((sum, { weight }) => sum + weight, 0);

/** Each item meets one of them. `weights`: of the words; 0: no item has it. */
export function classesOf(
  words: readonly Word[],
  weights: readonly number[],
  leading: readonly Condition[],
): readonly Condition[] {
  const weighed = words
    .map((word, at) => ({ ...word, weight: weights[at] ?? 0 }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  const patterns = patternsOf(weighed.slice(0, RAREST));
  const classes = weighed.length <= RAREST ? patterns : wholeFirst(weighed, patterns);
  if (leading.length === 0) return classes;
  const first = anyOf(leading);
  return [...classes.map((of) => allOf([first, of])), ...classes.map((of) => allOf([no(first), of]))];
}

/** By their scores, as the embedded index scores texts of the usual length. */
function patternsOf(words: readonly WeighedWord[]): readonly Condition[] {
  const whole = sumOf(words);
  const classes: { readonly of: Condition; readonly score: number }[] = [];
  for (let pattern = 0; pattern < 2 ** words.length; pattern += 1) {
    const having = words.filter((_word, at) => (pattern & (1 << at)) !== 0);
    const lacking = words.filter((word) => !having.includes(word)).map(({ anywhere }) => no(anywhere));
    const covered = sumOf(having);
    const inTitle = allOf(having.map(({ title }) => title));
    const scored = (sum: number, titled: number): number => wholeScore(covered * impactOf(sum), whole, covered, titled);
    if (having.length === 0) classes.push({ of: allOf(lacking), score: 0 });
    else {
      const anywhere = allOf([...having.map((word) => word.anywhere), no(inTitle), ...lacking]);
      classes.push({ of: allOf([inTitle, ...lacking]), score: scored(SUMS.title, covered) });
      classes.push({ of: anywhere, score: scored(SUMS.anywhere, 0) });
    }
  }
  return classes.sort((one, other) => other.score - one.score).map(({ of }) => of);
}

/** Before the others those with all words, in the title and elsewhere. */
function wholeFirst(words: readonly Word[], classes: readonly Condition[]): readonly Condition[] {
  const anywhere = allOf(words.map((word) => word.anywhere));
  const inTitle = allOf(words.map(({ title }) => title));
  return [inTitle, allOf([anywhere, no(inTitle)]), ...classes.map((of) => allOf([of, no(anywhere)]))];
}
