// What changed within a text.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { textDifference } from "../../src/shared/text/text-difference.ts";

const shown = (before: string, after: string): string =>
  textDifference(before, after)
    .map(({ kind, text }) => (kind === "same" ? text : kind === "gone" ? `[-${text}]` : `[+${text}]`))
    .join("");

test.each([
  ["the old tide tables", "the new tide tables", "the [-old][+new] tide tables"],
  ["tides", "tides", "tides"],
  ["", "new", "[+new]"],
  ["gone", "", "[-gone]"],
  ["one two three", "one three", "one [-two ]three"],
  ["潮汐表の研究", "潮位表の研究", "潮[-汐][+位]表の研究"],
  ["Tide, 1998.", "Tide, 1999.", "Tide, [-1998][+1999]."],
  ["", "", ""],
])("P.210 %j and %j differ by %j", (before, after, expected) => {
  expect(shown(before, after)).toBe(expected);
});

const side = (parts: ReturnType<typeof textDifference>, left: "gone" | "new"): string =>
  parts.map(({ kind, text }) => (kind === left ? "" : text)).join("");

test("P.210 what is the same and what went is the first text, what is the same and what came the second", () => {
  const text = fc.array(fc.constantFrom("a", "b", "潮", " ", "tide", ".", "\n", "😀", "é"), { maxLength: 40 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [before, after] = [one.join(""), other.join("")];
      const parts = textDifference(before, after);
      expect([side(parts, "new"), side(parts, "gone")]).toEqual([before, after]);
      // No part is empty, and no two neighbours are of one kind.
      expect(parts.every(({ text }) => text !== "")).toBe(true);
      expect(parts.every(({ kind }, at) => kind !== parts[at + 1]?.kind)).toBe(true);
    }),
  );
});

test("P.210 as few words change as possible", () => {
  const word = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 9 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      const parts = textDifference(one.join(" "), other.join(" "));
      const changed = parts.filter(({ kind }) => kind !== "same").flatMap(({ text }) => text.match(/\s+|\w+/g) ?? []);
      const [left, right] = [one, other].map((words) => words.join(" ").match(/\s+|\w+/g) ?? []);
      expect(changed.length).toBe((left?.length ?? 0) + (right?.length ?? 0) - 2 * common(left ?? [], right ?? []));
    }),
  );
});

/** Length of the longest common subsequence, the plain way. */
function common(one: readonly string[], other: readonly string[]): number {
  const rows = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
  one.forEach((word, i) => {
    other.forEach((each, j) => {
      const longer = Math.max(rows[i]?.[j + 1] ?? 0, rows[i + 1]?.[j] ?? 0);
      const row = rows[i + 1];
      if (row !== undefined) row[j + 1] = word === each ? (rows[i]?.[j] ?? 0) + 1 : longer;
    });
  });
  return rows[one.length]?.[other.length] ?? 0;
}

test("P.210 long texts that have little in common are shown whole", () => {
  const short = textDifference("a b ".repeat(2_000), "c d ".repeat(2_000));
  expect(short.map(({ kind }) => kind)).toEqual(["gone", "new", "same"]);
  const [before, after] = ["a b ".repeat(200_000), "c d ".repeat(200_000)];
  expect(textDifference(before, after).map(({ kind }) => kind)).toEqual(["gone", "new"]);
});
