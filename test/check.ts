// `bun run check`: everything that must hold before a change is done (house style 44). `--fast` leaves the test runs out, `--deno-all` runs
// the whole suite on Deno too, not only what deno-files.ts names.
// The last line is always `N passed, N failed` or `N passed, N failed, N skipped`; a failed step counts as one failure.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { denoPaths } from "./deno-files.ts";
import { startPostgres } from "./support/postgres.ts";
import { type Outcome, run } from "./support/run.ts";

const ROOT = join(import.meta.dirname, "..");
const BIN = join(ROOT, "node_modules", ".bin");
const bun = (...args: string[]): string[] => [process.execPath, ...args];

type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };
type Step = {
  readonly name: string;
  readonly command: readonly string[];
  /** Reads how many tests ran out of the output; null where the step is no test run, or did not get that far. */
  readonly count?: (output: string) => Counts | null;
};

/** Part of the run on Bun too: there it is counted, here it fails early. */
const LAYERS: Step = { name: "layers", command: bun("test", "test/layers.test.ts") };

const FAST: readonly Step[] = [
  { name: "format", command: [join(BIN, "biome"), "format", "."] },
  { name: "lint", command: [join(BIN, "biome"), "lint", "--error-on-warnings", "."] },
  { name: "types", command: [join(BIN, "tsc"), "--noEmit"] },
  LAYERS,
];

const BEFORE_TESTS: readonly Step[] = [...FAST, { name: "openapi", command: bun("src/main/openapi.ts", "--check") }];

/** `timings`: file that Bun writes how long each test file took. */
const runs = (timings: string, everythingOnDeno: boolean): readonly Step[] => [
  {
    name: "tests on Bun",
    command: bun("test", `--timings=${timings}`, "--update-timings"),
    count: countBun,
  },
  {
    name: everythingOnDeno ? "tests on Deno" : "tests on Deno, of what may differ",
    command: [
      join(BIN, "deno"),
      ..."test --allow-all --no-check --no-prompt --quiet".split(" "),
      ...denoPaths(everythingOnDeno),
    ],
    count: countDeno,
  },
];

const SLOWEST = 10;

/** The test files that took longest, of what Bun wrote (`{files: {path: milliseconds}}`); a line each. */
export function slowest(timings: string): readonly string[] {
  const { files }: { readonly files: Readonly<Record<string, number>> } = JSON.parse(timings);
  return Object.entries(files)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SLOWEST)
    .map(([path, ms]) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${path}`);
}

/** Bun ends with ` 12 pass`, ` 1 skip`, ` 0 fail` on lines of their own. */
export function countBun(output: string): Counts | null {
  const last = (word: string): number | null => {
    const found = [...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, "gm"))].at(-1)?.[1];
    return found === undefined ? null : Number(found);
  };
  const passed = last("pass");
  if (passed === null) return null;
  return { passed, failed: last("fail") ?? 0, skipped: (last("skip") ?? 0) + (last("todo") ?? 0) };
}

/** Deno ends with `ok | 12 passed | 0 failed | 1 ignored (2s)`. */
export function countDeno(output: string): Counts | null {
  const line = [...output.matchAll(/^(?:ok|FAILED) \| (\d+) passed.*$/gm)].at(-1)?.[0];
  if (line === undefined) return null;
  const number = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  return { passed: number("passed"), failed: number("failed"), skipped: number("ignored") };
}

/** The part of a failed run worth reading: what failed, without the lines of what passed. */
function relevant(output: string): string {
  const lines = output.split("\n").filter((line) => !/^\(pass\)|^\(skip\)| \.\.\. (?:ok|ignored) /.test(line));
  const MOST_LINES = 200;
  return lines.length <= MOST_LINES ? lines.join("\n") : ["…", ...lines.slice(-MOST_LINES)].join("\n");
}

function seconds(outcome: Outcome): string {
  return `${(outcome.ms / 1000).toFixed(1)} s`;
}

async function runStep(step: Step, env: Readonly<Record<string, string>>): Promise<Counts> {
  const ran = await run(step.command, { cwd: ROOT, env });
  const outcome = { ...ran, output: stripVTControlCharacters(ran.output) };
  const counts = step.count?.(outcome.output) ?? null;
  const total = counts ?? { passed: 0, failed: 0, skipped: 0 };
  if (outcome.code === 0) {
    const detail = counts === null ? "ok" : `${counts.passed} passed, ${counts.skipped} skipped`;
    console.log(`${step.name} … ${detail} (${seconds(outcome)})`);
    return total;
  }
  console.log(`${step.name} … FAILED (${seconds(outcome)})\n${relevant(outcome.output)}`);
  // A run that died without naming a failed test has failed all the same.
  return { ...total, failed: Math.max(total.failed, 1) };
}

/** A run of tests with a PostgreSQL of its own, primary and standby: roles belong to a whole server. */
async function runTests(step: Step, env: Readonly<Record<string, string>>): Promise<Counts> {
  const postgres = await startPostgres({ standby: true });
  try {
    // "none" spares every test file the search for what was not found here.
    return await runStep(step, { ...env, ARKSTONE_TEST_PG: postgres?.env ?? "none" });
  } finally {
    await postgres?.stop();
  }
}

async function main(): Promise<number> {
  const fast = process.argv.includes("--fast");
  const env: Record<string, string> = { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  const folder = mkdtempSync(join(tmpdir(), "arkstone-check-"));
  const timings = join(folder, "timings.json");
  const counted: Counts[] = [];
  try {
    for (const step of fast ? [...FAST.slice(0, -1), { ...LAYERS, count: countBun }] : BEFORE_TESTS) {
      counted.push(await runStep(step, env));
    }
    if (!fast) {
      // Most tests wait for processes more than they compute: the two runtimes go side by side.
      const both = runs(timings, process.argv.includes("--deno-all")).map((step) => runTests(step, env));
      counted.push(...(await Promise.all(both)));
    }
    if (existsSync(timings)) {
      console.log(["slowest files on Bun:", ...slowest(readFileSync(timings, "utf8"))].join("\n"));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const sum = (of: keyof Counts): number => counted.reduce((total, each) => total + each[of], 0);
  const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
  console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped}`);
  return sum("failed") > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = await main();
