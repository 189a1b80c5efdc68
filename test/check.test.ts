// The check command counts what the runners say: a run it cannot read is a failure, never a silent pass.
import { describe, expect, test } from "bun:test";
import { countBun, countDeno } from "./check.ts";

describe("counting test runs", () => {
  test("Bun ends with a line for each kind of outcome", () => {
    expect(countBun("(pass) a\n\n 12 pass\n 1 skip\n 2 todo\n 3 fail\n 40 expect() calls\nRan 18 tests")).toEqual({
      passed: 12,
      failed: 3,
      skipped: 3,
    });
    expect(countBun(" 5 pass\n 0 fail\n")).toEqual({ passed: 5, failed: 0, skipped: 0 });
  });

  test("Deno ends with one line", () => {
    expect(countDeno("x ... ok (1ms)\n\nok | 12 passed | 0 failed | 3 ignored (2s)\n")).toEqual({
      passed: 12,
      failed: 0,
      skipped: 3,
    });
    expect(countDeno("FAILED | 7 passed (2 steps) | 1 failed (1s)")).toEqual({ passed: 7, failed: 1, skipped: 0 });
  });

  test("what a test prints is not taken for the end of the run", () => {
    expect(countBun("I saw 3 passengers\n 2 pass\n 0 fail")).toEqual({ passed: 2, failed: 0, skipped: 0 });
  });

  test("a run that broke off counts nothing", () => {
    expect(countBun("error: Cannot find module")).toBeNull();
    expect(countDeno("error: Uncaught SyntaxError")).toBeNull();
  });
});
