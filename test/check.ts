// `bun run check`: everything that must hold before a change is done. `--fast` leaves the test runs out, `--deno-all` runs
// the whole suite on Deno too, not only what deno-files.ts names.
// The last line is always `N passed, N failed` or `N passed, N failed, N skipped`; a failed step counts as one failure.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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

/** Parts of the run on Bun; the last one goes behind the run on Deno, which takes about as long as two of them. */
const PARTS = 4;

const onBun = (folder: string, part: number): Step => ({
  name: `tests on Bun, part ${part} of ${PARTS}`,
  command: bun("test", `--shard=${part}/${PARTS}`, `--timings=${timingsOf(folder, part)}`, "--update-timings"),
  count: countBun,
});

const onDeno = (everything: boolean): Step => ({
  name: everything ? "tests on Deno" : "tests on Deno, of what may differ",
  command: [
    join(BIN, "deno"),
    ..."test --allow-all --no-check --no-prompt --quiet".split(" "),
    ...denoPaths(everything),
  ],
  count: countDeno,
});

/** File that Bun writes how long each test file of a part took. */
const timingsOf = (folder: string, part: number): string => join(folder, `timings-${part}.json`);

/** Most tests wait for processes more than they compute: two rows of runs go side by side. */
const rows = (folder: string, everythingOnDeno: boolean): readonly (readonly Step[])[] => {
  const parts = Array.from({ length: PARTS }, (_, index) => onBun(folder, index + 1));
  return [parts.slice(0, -1), [onDeno(everythingOnDeno), ...parts.slice(-1)]];
};

const SLOWEST = 10;

type Timings = { readonly files: Readonly<Record<string, number>> };

/** The test files that took longest, of what Bun wrote (`{files: {path: milliseconds}}`), part by part; a line each. */
export function slowest(timings: readonly string[]): readonly string[] {
  const files = timings.flatMap((text) => {
    const { files }: Timings = JSON.parse(text);
    return Object.entries(files);
  });
  return files
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

/** Runs of tests one after the other with a PostgreSQL of their own, primary and standby: roles belong to a whole server. */
async function runRow(steps: readonly Step[], env: Readonly<Record<string, string>>): Promise<readonly Counts[]> {
  const postgres = await startPostgres({ standby: true });
  const counted: Counts[] = [];
  try {
    // "none" spares every test file the search for what was not found here.
    const withPostgres = { ...env, ARKSTONE_TEST_PG: postgres?.env ?? "none" };
    for (const step of steps) counted.push(await runStep(step, withPostgres));
  } finally {
    await postgres?.stop();
  }
  return counted;
}

async function main(): Promise<number> {
  const fast = process.argv.includes("--fast");
  const env: Record<string, string> = { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  const folder = mkdtempSync(join(tmpdir(), "arkstone-check-"));
  const counted: Counts[] = [];
  try {
    for (const step of fast ? [...FAST.slice(0, -1), { ...LAYERS, count: countBun }] : BEFORE_TESTS) {
      counted.push(await runStep(step, env));
    }
    if (!fast) {
      const both = rows(folder, process.argv.includes("--deno-all")).map((row) => runRow(row, env));
      counted.push(...(await Promise.all(both)).flat());
      const timings = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
      console.log(["slowest files on Bun:", ...slowest(timings)].join("\n"));
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
