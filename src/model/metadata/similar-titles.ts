// How alike two titles are (issue 25, likely duplicates): the share of pairs of neighbouring characters that both have,
// without regard to case, width, spaces and punctuation. Linear, and of the beginnings of long titles only.
import { normalised } from "./duplicate-keys.ts";

/** Characters that are compared. */
const COMPARED = 500;
/** A shorter title tells nothing. */
const SHORTEST = 4;
/** From here on two titles are very similar: a word more or less in ten, a letter here and there. */
export const VERY_SIMILAR = 0.85;

export type ComparedTitle = {
  readonly text: string;
  readonly pairs: ReadonlyMap<string, number>;
  readonly count: number;
};

/** Null: it is too short to be compared. */
export function comparedTitle(title: string): ComparedTitle | null {
  const characters = [...normalised(title, COMPARED)];
  if (characters.length < SHORTEST) return null;
  const pairs = new Map<string, number>();
  for (let at = 1; at < characters.length; at++) {
    const pair = `${characters[at - 1]}${characters[at]}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return { text: characters.join(""), pairs, count: characters.length - 1 };
}

/** From 0, nothing in common, to 1. */
export function titleLikeness(one: ComparedTitle, other: ComparedTitle): number {
  let common = 0;
  for (const [pair, times] of one.pairs) common += Math.min(times, other.pairs.get(pair) ?? 0);
  return (2 * common) / (one.count + other.count);
}
