// What changed within a text, word by word (E. W. Myers, "An O(ND) difference algorithm and its variations", 1986).
// Work is limited: texts that differ in very many words are shown as one that went and one that came.

export type TextPart = { readonly kind: "same" | "gone" | "new"; readonly text: string };

/** Longer texts are not compared word by word. */
const CHARACTERS_MOST = 60_000;
/** Words of one text that are compared, and differences between two that are followed. */
const WORDS_MOST = 4_000;
const DIFFERENCES_MOST = 300;

/** Words, the spaces between them, and each character of scripts that have no spaces. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+|\s+|[^\p{L}\p{M}\p{N}\s]/gu;

/**
 * Parts in reading order: those of kind `same` and `gone` make up `before`, those of kind `same` and `new` make up
 * `after`.
 */
export function textDifference(before: string, after: string): readonly TextPart[] {
  if (before === after) return before === "" ? [] : [{ kind: "same", text: before }];
  if (before.length > CHARACTERS_MOST || after.length > CHARACTERS_MOST) {
    return joined([
      { kind: "gone", text: before },
      { kind: "new", text: after },
    ]);
  }
  const [one, other] = [before.match(WORD) ?? [], after.match(WORD) ?? []];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  const shorter = Math.min(one.length, other.length) - start;
  while (end < shorter && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const steps = left.length > WORDS_MOST || right.length > WORDS_MOST ? null : shortestEdit(left, right);
  const middle: readonly TextPart[] = steps ?? [
    { kind: "gone", text: left.join("") },
    { kind: "new", text: right.join("") },
  ];
  return joined([
    { kind: "same", text: one.slice(0, start).join("") },
    ...middle,
    { kind: "same", text: one.slice(one.length - end).join("") },
  ]);
}

/** Null when more words differ than are followed. */
function shortestEdit(one: readonly string[], other: readonly string[]): readonly TextPart[] | null {
  const most = Math.min(one.length + other.length, DIFFERENCES_MOST);
  const offset = most + 1;
  const reached = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let depth = 0; depth <= most; depth += 1) {
    trace.push(reached.slice());
    for (let k = -depth; k <= depth; k += 2) {
      let x = isDown(reached, offset, k, depth) ? at(reached, offset + k + 1) : at(reached, offset + k - 1) + 1;
      while (x < one.length && x - k < other.length && one[x] === other[x - k]) x += 1;
      reached[offset + k] = x;
      if (x >= one.length && x - k >= other.length) return tracedBack(trace, one, other, offset);
    }
  }
  return null;
}

const at = (list: Int32Array, index: number): number => list[index] ?? 0;

/** A word of the second text comes in, rather than one of the first going. */
const isDown = (reached: Int32Array, offset: number, k: number, depth: number): boolean =>
  k === -depth || (k !== depth && at(reached, offset + k - 1) < at(reached, offset + k + 1));

function tracedBack(
  trace: readonly Int32Array[],
  one: readonly string[],
  other: readonly string[],
  offset: number,
): readonly TextPart[] {
  const parts: TextPart[] = [];
  let [x, y] = [one.length, other.length];
  for (let depth = trace.length - 1; depth >= 0; depth -= 1) {
    const reached = trace[depth] ?? new Int32Array();
    const k = x - y;
    const down = isDown(reached, offset, k, depth);
    const before = down ? k + 1 : k - 1;
    const fromX = depth === 0 ? 0 : at(reached, offset + before);
    const fromY = depth === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      parts.push({ kind: "same", text: one[x] ?? "" });
    }
    if (depth === 0) break;
    parts.push(down ? { kind: "new", text: other[fromY] ?? "" } : { kind: "gone", text: one[fromX] ?? "" });
    [x, y] = [fromX, fromY];
  }
  return parts.reverse();
}

/** Neighbours of one kind in one part; within a change what went comes first. */
function joined(parts: readonly TextPart[]): readonly TextPart[] {
  const all: TextPart[] = [];
  let [gone, came] = ["", ""];
  const flush = (): void => {
    if (gone !== "") all.push({ kind: "gone", text: gone });
    if (came !== "") all.push({ kind: "new", text: came });
    [gone, came] = ["", ""];
  };
  for (const { kind, text } of parts) {
    if (text === "") continue;
    if (kind === "gone") gone += text;
    else if (kind === "new") came += text;
    else {
      flush();
      const last = all.at(-1);
      if (last?.kind === "same") all[all.length - 1] = { kind, text: last.text + text };
      else all.push({ kind, text });
    }
  }
  flush();
  return all;
}
