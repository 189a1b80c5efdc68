// The check command reads the output of the runners: a run it cannot read is a failure, never a silent pass.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { inParts, isLong, SLOW, testFiles, WAITING } from "./check-order.ts";
import { DIFFERENCES } from "./deno-differences.ts";
import { denoFiles, denoPaths } from "./deno-files.ts";
import { occurredAnswers, reportOf } from "./described.ts";
import { countBun, countDeno, failedOnBun, failedOnDeno, slowest } from "./runner-output.ts";
import { type Failure, runAgain } from "./second-run.ts";
import { importersByFile, testsReaching } from "./support/import-reach.ts";
import { run } from "./support/run.ts";

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

describe("what runs on Bun", () => {
  test("is every file of tests, each in one part", () => {
    const files = testFiles(ROOT);
    const found = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:test|long)\.ts$/.test(name))
      .map((name) => join("test", name));
    expect(files).toEqual(found.toSorted());
    expect(inParts(files, 8).flat().toSorted()).toEqual(found.toSorted());
    for (const { paths } of [...WAITING, ...SLOW])
      for (const path of paths) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
  });

  test("what starts servers and commands, and what waits, is not in plain `bun test`", () => {
    const starts =
      /\b(?:startRole|startNginx|startSwift|startBrowser|buildInto|stdioClient|stallWatch|installation\.start)\(/;
    const plain = testFiles(ROOT).filter((path) => !isLong(path) && !path.endsWith("check.test.ts"));
    expect(plain.filter((path) => starts.test(readFileSync(join(ROOT, path), "utf8")))).toEqual([]);
    expect([...WAITING, ...SLOW].flatMap(({ paths }) => paths).filter((path) => !isLong(path))).toEqual([]);
  });
});

test.skipIf("Deno" in globalThis)("scripts of package.json run where Bun is not on the PATH", async () => {
  const command = [process.execPath, "run", "words", "CODE_OF_CONDUCT.md"];
  const { code, output } = await run(command, { cwd: ROOT, env: { PATH: "/usr/bin:/bin" } });
  expect([code, output]).toEqual([0, "0\n"]);
});

test("what is done more often, or only, in the slow ring is in the folders that `bun run slow` names", () => {
  const { scripts }: { scripts: { slow: string } } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const folders = scripts.slow.match(/(?<= \.\/)test\/\w+/g) ?? [];
  const slow = testFiles(ROOT).filter((path) =>
    /from "[./]+support\/slow-ring\.ts"/.test(readFileSync(join(ROOT, path), "utf8")),
  );
  slow.push(...SLOW.flatMap(({ paths }) => paths));
  expect(slow.length).toBeGreaterThan(5);
  expect(slow.filter((path) => !folders.some((folder) => path.startsWith(`${folder}/`)))).toEqual([]);
});

const BUN_SAYS = `bun test v1.4.4

test/c.test.ts:

# Unhandled error between tests
-------------------------------
error: Cannot find module './not-there.ts'
-------------------------------

test/a.test.ts:
(pass) group > good
error: expect(received).toBe(expected)
Received: 1
(fail) group > bad [of] two [7.32ms]
(skip) group > skipped

test/b.test.ts:
(pass) good [0.01ms]
error: hook
(fail) (unnamed)

2 tests failed:
(fail) group > bad [of] two [7.32ms]
(fail) (unnamed)

 2 pass
 1 skip
 3 fail
 1 error
Ran 5 tests across 3 files. [50.00ms]
`;

const DENO_SAYS = `running 3 tests from ./test/a.test.ts
group > good ... ok (18ms)
group > bad ... one ... FAILED (8ms)
group > skipped ... ignored (0ms)
running 1 test from ./test/b.test.ts
good ... ok (15ms)
running 2 tests from ./test/d.test.ts
unhandled ...
Uncaught error from ./test/d.test.ts FAILED
unhandled ... cancelled (0ms)
good ... cancelled (0ms)

 ERRORS 

group > bad ... one => ./test/support/bun-test-on-deno.ts:103:3
error: Error: expect(received).toBe(expected)

Received: 1
    at file:///project/test/a.test.ts:4:39

./test/d.test.ts (uncaught error)
error: Error: late
This error was not caught from a test.

 FAILURES 

group > bad ... one => ./test/support/bun-test-on-deno.ts:103:3
./test/d.test.ts (uncaught error)

FAILED | 2 passed | 4 failed | 1 ignored (667ms)
`;

describe("what failed in a run of tests", () => {
  test("is reported by Bun under the path of the file, once, also where a file cannot be read", () => {
    const failed = failedOnBun(BUN_SAYS);
    expect(failed.map(({ path, tests }) => [path, tests])).toEqual([
      ["test/c.test.ts", ["Unhandled error"]],
      ["test/a.test.ts", ["group > bad [of] two"]],
      ["test/b.test.ts", ["(unnamed)"]],
    ]);
    expect(failed.flatMap(({ tests }) => tests)).toHaveLength(countBun(BUN_SAYS)?.failed ?? 0);
    expect(failed[1]?.output).toContain("Received: 1");
    expect(failed[1]?.output).not.toContain("good");
  });

  test("is reported by Deno under the path of the file, and why at the end", () => {
    const failed = failedOnDeno(DENO_SAYS);
    expect(failed.map(({ path, tests }) => [path, tests])).toEqual([
      ["test/a.test.ts", ["group > bad ... one"]],
      ["test/d.test.ts", ["Uncaught error", "unhandled", "good"]],
    ]);
    expect(failed.flatMap(({ tests }) => tests)).toHaveLength(countDeno(DENO_SAYS)?.failed ?? 0);
    expect(failed[0]?.output).toContain("Received: 1");
    expect(failed[0]?.output).not.toContain("late");
    expect(failed[1]?.output).toContain("Error: late");
  });

  test("is nothing where all passed", () => {
    expect(failedOnBun("test/a.test.ts:\n(pass) (fail) is a word [1ms]\n 1 pass\n 0 fail")).toEqual([]);
    expect(failedOnDeno("running 1 test from ./test/a.test.ts\ngood ... ok (1ms)\n")).toEqual([]);
  });
});

describe("what failed in parallel with other tests", () => {
  const failure = (path: string, tests: readonly string[]): Failure => ({
    path,
    tests,
    output: `reason of ${path}`,
    runner: "Bun",
  });

  test("counts as passed where its file passes alone, and is reported with the first failure", async () => {
    const files = [failure("test/a.test.ts", ["one", "two"]), failure("test/b.test.ts", ["three"])];
    const { excused, messages } = await runAgain(files, async ({ path }) => path === "test/a.test.ts");
    expect(excused).toBe(2);
    expect(messages).toEqual([
      "reason of test/a.test.ts",
      "failed in parallel and passed alone: test/a.test.ts on Bun, one",
      "failed in parallel and passed alone: test/a.test.ts on Bun, two",
      "failed again alone: test/b.test.ts on Bun",
    ]);
  });

  test("is run again one file after the other", async () => {
    let [now, most] = [0, 0];
    const files = ["a", "b", "c"].map((name) => failure(`test/${name}.test.ts`, ["one"]));
    const { excused } = await runAgain(files, async () => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
      return true;
    });
    expect([excused, most]).toEqual([3, 1]);
  });

  test("is a failure where it is more than three files", async () => {
    const files = ["a", "b", "c", "d"].map((name) => failure(`test/${name}.test.ts`, ["one"]));
    const { excused, messages } = await runAgain(files, () => Promise.reject(new Error("not to be run")));
    expect([excused, messages]).toEqual([0, ["4 files failed: none is run again, 3 would be"]]);
  });
});

describe("what runs on Deno", () => {
  test("A43 every path that is named is there, and holds tests", () => {
    const files = testFiles(ROOT);
    const holdsTests = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`));
    expect(denoPaths().filter((path) => !holdsTests(path))).toEqual([]);
  });

  test("A43 every file is run, once", () => {
    const files = denoFiles(ROOT, true);
    expect(files).toContain("test/contracts/storage-local.test.ts");
    expect(files.length).toBeGreaterThan(200);
    const some = denoFiles(ROOT, false);
    expect(some.filter((path) => !files.includes(path))).toEqual([]);
    for (const paths of [files, some]) expect(new Set(paths).size).toBe(paths.length);
  });

  test("A43 every test file that asks for its runtime is among them", () => {
    const asking = DIFFERENCES.flatMap(({ files }) => files).filter((path) => testFiles(ROOT).includes(path));
    expect(asking.length).toBeGreaterThan(1);
    expect(asking.filter((path) => !denoPaths().some((each) => path.startsWith(each)))).toEqual([]);
  });
});

test("the slowest files come first, ten of them", () => {
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`test/${index}.test.ts`, index * 1000]));
  const lines = slowest([JSON.stringify({ version: 1, files }), '{"version":1,"files":{"test/other.test.ts":1}}']);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe("    11.0 s  test/11.test.ts");
});

describe("testsReaching()", () => {
  const importers = new Map([
    ["src/a.ts", ["src/b.ts", "test/near.test.ts"]],
    ["src/b.ts", ["src/a.ts", "test/support/help.ts"]],
    ["test/support/help.ts", ["test/far.test.ts"]],
    ["src/other.ts", ["test/other.test.ts"]],
  ]);

  test("finds the tests that imports lead to, the nearest first, through circles and helpers, and no others", () => {
    expect(testsReaching(["src/a.ts"], importers)).toEqual(["test/near.test.ts", "test/far.test.ts"]);
    expect(testsReaching(["test/near.test.ts", "src/other.ts"], importers)).toEqual([
      "test/near.test.ts",
      "test/other.test.ts",
    ]);
    expect(testsReaching(["docs/README.md"], importers)).toEqual([]);
  });

  test("finds a test for the features that its world names, and not for the others", () => {
    const all = importersByFile();
    const resolver = testsReaching(["test/support/world/resolver.ts"], all);
    expect(resolver).toContain("test/http/resolver.test.ts");
    expect(resolver).not.toContain("test/http/sword-codes.test.ts");
    expect(testsReaching(["test/support/world/repository.ts"], all)).toContain("test/http/sword-codes.test.ts");
  });

  test("finds this file for what it imports", () => {
    expect(testsReaching(["test/check-order.ts"])).toContain("test/check.test.ts");
  });
});

describe("occurredAnswers()", () => {
  test("counts what is described, and names what nobody saw", () => {
    const $ref = "#/components/responses/Errors";
    const operation = { operationId: "read", responses: { 200: { description: "It" }, default: { $ref } } };
    const description = {
      paths: { "/a": { get: operation, delete: { ...operation, operationId: "remove" } } },
      components: { responses: { Errors: { description: "429: Too many in 100: wait; 500: Internal error" } } },
    };
    const seen = ["read 200", "read 429", "read 500", "remove 429", "remove 500", "remove 503", "other 200", ""];
    const found = occurredAnswers(seen, description);
    expect(found).toEqual({ all: 6, unmet: ["remove 200"] });
    expect(reportOf(found)).toBe("remove 200\n5 of 6 described answers occurred");
  });
});
