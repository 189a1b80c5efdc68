// The known word a mistyped one was most likely meant to be: for messages to people at the command line and in files.

/** Characters of a word that are compared. */
const COMPARED = 40;

/** The word most like `word`, when one is at most a third of its length of edits away. */
export function nearest(word: string, words: readonly string[]): string | null {
  const sought = word.slice(0, COMPARED).toLowerCase();
  let best: string | null = null;
  let least = Math.max(1, Math.floor(sought.length / 3)) + 1;
  for (const candidate of words) {
    const distance = editDistance(sought, candidate.slice(0, COMPARED).toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Letters put in, left out, changed, or two neighbours in the wrong order. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const left = current[column - 1] ?? 0;
      const above = previous[column] ?? 0;
      const corner = previous[column - 1] ?? 0;
      const isTurned = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const turned = isTurned ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(left + 1, above + 1, corner + same, turned));
    }
    before = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
