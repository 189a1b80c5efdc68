// When a job that failed is tried again (R8).
import { describe, expect, test } from "bun:test";
import {
  afterFailure,
  ERROR_TEXT_MAX,
  errorText,
  HopelessJob,
  LONGEST_RETRY_MS,
  retryDelayMs,
} from "../../src/jobs/job.ts";

const NOW = "2026-11-20T12:00:00.000Z";

describe("jobs that failed", () => {
  test("R8 are tried again after 5 s, 10 s, 20 s, … up to an hour, each up to a fifth longer", () => {
    for (const id of [1, 2, 77, 123_456_789]) {
      for (const [attempt, least] of [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600].entries()) {
        const delay = retryDelayMs(id, attempt + 1) / 1000;
        expect(delay >= least && delay <= least * 1.2).toBe(true);
      }
      expect(retryDelayMs(id, 100_000)).toBeLessThanOrEqual(LONGEST_RETRY_MS * 1.2);
    }
  });

  test("R8 that failed together do not come back together", () => {
    const delays = new Set(Array.from({ length: 100 }, (_, id) => retryDelayMs(id, 1)));
    expect(delays.size).toBeGreaterThan(80);
  });

  test.each([
    [1, 3, "waiting"],
    [2, 3, "waiting"],
    [3, 3, "failed"],
    [4, 3, "failed"],
    [1_000_000, null, "waiting"],
  ] as const)("R8 after attempt %d of at most %p it is %s", (attempts, most, state) => {
    expect(afterFailure({ id: 1, attempts }, most, new Error("no answer"), NOW).state).toBe(state);
  });

  test("R8 a hopeless one is not tried again", () => {
    expect(afterFailure({ id: 1, attempts: 1 }, null, new HopelessJob("there is no such item"), NOW)).toEqual({
      state: "failed",
    });
  });

  test("the text of an error fits into its row, whatever it is", () => {
    expect(errorText(new Error("x".repeat(10_000))).length).toBe(ERROR_TEXT_MAX);
    expect([errorText(new Error("")), errorText(undefined), errorText("a\0b\ud800")]).toEqual([
      "failed without a word",
      "undefined",
      "ab\ufffd",
    ]);
  });
});
