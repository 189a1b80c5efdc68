// Words that are nearly written alike (R27; reference 2.6, fuzzy words). Pure.

/** Letters that may differ by default: none in a very short word. */
export const editsFor = (word: string): number => (word.length < 3 ? 0 : word.length < 6 ? 1 : 2);

/** Whether at most `edits` letters are missing, added, different, or swapped with the next. */
export function isNear(one: string, other: string, edits: number): boolean {
  const [left, right] = [[...one], [...other]];
  if (Math.abs(left.length - right.length) > edits) return false;
  let before: number[] = [];
  let now = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row += 1) {
    const next = [row];
    let least = row;
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (now[column - 1] ?? 0) + (isSame ? 0 : 1),
        (now[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
      );
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwap) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      next.push(cost);
      least = Math.min(least, cost);
    }
    if (least > edits) return false;
    before = now;
    now = next;
  }
  return (now[right.length] ?? 0) <= edits;
}
