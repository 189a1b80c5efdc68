// The check command counts what the runners say: a run it cannot read is a failure, never a silent pass.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { countBun, countDeno, slowest } from "./check.ts";
import { DIFFERENCES } from "./deno-differences.ts";
import { denoPaths } from "./deno-files.ts";

const ROOT = join(import.meta.dirname, "..");

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

describe("what runs on Deno", () => {
  test("A43 every path that is named is there, and holds tests", () => {
    const holdsTests = (path: string): boolean =>
      path.endsWith(".test.ts")
        ? existsSync(join(ROOT, path))
        : readdirSync(join(ROOT, path), { recursive: true }).some((name) => String(name).endsWith(".test.ts"));
    expect(denoPaths(false).filter((path) => !holdsTests(path))).toEqual([]);
    expect(denoPaths(true)).toEqual(["test/"]);
  });

  test("A43 every test file that asks for its runtime is among them", () => {
    const asking = DIFFERENCES.flatMap(({ files }) => files).filter((path) => path.endsWith(".test.ts"));
    expect(asking.length).toBeGreaterThan(1);
    expect(asking.filter((path) => !denoPaths(false).some((each) => path.startsWith(each)))).toEqual([]);
  });
});

test("the slowest files come first, ten of them", () => {
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`test/${index}.test.ts`, index * 1000]));
  const lines = slowest([JSON.stringify({ version: 1, files }), '{"version":1,"files":{"test/other.test.ts":1}}']);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe("    11.0 s  test/11.test.ts");
});
