// Which earlier states of a draft are kept (src/model/items/draft-history.ts; R42).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type DraftRevisionLine, surplusRevisions } from "../../src/model/items/draft-history.ts";
import { most } from "../../src/shared/limits.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";

const NOW = "2026-05-01T12:00:00.000Z";
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** States saved so long before now, oldest first; `by` names the account of each. */
const saved = (before: readonly number[], by: readonly number[] = [], characters = 1_000): DraftRevisionLine[] =>
  before.map((ms, index) => ({
    ...{ counter: index + 1, savedAt: addMilliseconds(NOW, -ms), by: by[index] ?? 1, characters },
  }));
const kept = (lines: readonly DraftRevisionLine[]) => {
  const surplus = surplusRevisions(lines, NOW);
  return lines.map(({ counter }) => counter).filter((counter) => !surplus.has(counter));
};

describe("surplusRevisions()", () => {
  test("P.108: after an hour, of states that follow each other within a minute the last stays", () => {
    const burst = [3 * HOUR, 3 * HOUR - 10 * SECOND, 3 * HOUR - 20 * SECOND];
    expect(kept(saved([...burst, 2 * HOUR, 2 * HOUR - 59 * SECOND, 0]))).toEqual([3, 5, 6]);
  });

  test("P.108: every state before a pause of a minute stays, and so does the last one of each person", () => {
    expect(kept(saved([3 * HOUR, 3 * HOUR - MINUTE, 3 * HOUR - 2 * MINUTE, 0]))).toEqual([1, 2, 3, 4]);
    const turns = [3 * HOUR, 3 * HOUR - SECOND, 3 * HOUR - 2 * SECOND, 0];
    expect(kept(saved(turns, [1, 2, 1, 1]))).toEqual([1, 2, 3, 4]);
  });

  test("P.108: somebody who never pauses has a state for every ten minutes", () => {
    const half = Array.from({ length: 60 }, (_, index) => 4 * HOUR - index * 30 * SECOND);
    expect(kept(saved([...half, 0]))).toEqual([20, 40, 60, 61]);
  });

  test("P.108: within the last hour every state stays: another window may be based on it", () => {
    const lines = saved(Array.from({ length: 100 }, (_, index) => (100 - index) * SECOND));
    expect(kept(lines)).toHaveLength(100);
  });

  test("P.108: states end after 30 days, but for the present one", () => {
    expect(kept(saved([31 * DAY, 30 * DAY + 1, 30 * DAY, 29 * DAY, 0]))).toEqual([3, 4, 5]);
    expect(kept(saved([40 * DAY, 31 * DAY]))).toEqual([2]);
  });

  test("P.108: of too many, what was saved between pauses goes before the oldest", () => {
    const pauses = Array.from({ length: 150 }, (_, index) => (200 - index) * HOUR);
    const burst = Array.from({ length: 100 }, (_, index) => (100 - index) * SECOND);
    const left = kept(saved([...pauses, ...burst]));
    expect(left).toHaveLength(most("draftRevisions"));
    expect(left.slice(0, 150)).toEqual(pauses.map((_, index) => index + 1));
    expect(left.at(-1)).toBe(250);
    const many = Array.from({ length: 300 }, (_, index) => (400 - index) * HOUR);
    expect(kept(saved(many))).toEqual(Array.from({ length: most("draftRevisions") }, (_, index) => index + 101));
  });

  test("P.108: long states have a limit together", () => {
    const long = 8 * 1_048_576;
    const left = kept(
      saved(
        Array.from({ length: 20 }, (_, index) => (20 - index) * HOUR),
        [],
        long,
      ),
    );
    expect(left).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
  });

  test("P.108: the present state always stays, and what stays once stays when it is asked again", () => {
    const times = fc.array(fc.integer({ min: 0, max: 40 * DAY }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(times, fc.array(fc.constantFrom(1, 2), { maxLength: 400 }), (before, by) => {
        const lines = saved(
          before.toSorted((a, b) => b - a),
          by,
        );
        const left = new Set(kept(lines));
        expect(left.has(lines.length)).toBeTrue();
        expect(left.size).toBeLessThanOrEqual(most("draftRevisions"));
      }),
    );
  });
});
