// `bun run check`: everything that must hold before a change is done. A file whose tests failed next to others is run
// once more alone.
//   --fast        without the test runs
//   --changed     the test files that a change since main can reach by imports, nearest first, on Bun and without PostgreSQL; `--most N`
//                 of them (30 if not set)
//   --deno-all    the whole suite on Deno too, not only what deno-files.ts names
// The last line is always `N passed, N failed` or `N passed, N failed, N skipped`; a failed step counts as one failure.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { inParts, isInCheck, isLong, isLongest, isWaiting, testFiles } from "./check-order.ts";
import { denoFiles } from "./deno-files.ts";
import { describedIn, reportOf } from "./described.ts";
import { type Counts, countBun, countDeno, failedOnBun, failedOnDeno, relevant, slowest } from "./runner-output.ts";
import { type Failure, runAgain } from "./second-run.ts";
import { testsReaching } from "./support/import-reach.ts";
import { startPostgres } from "./support/postgres.ts";
import { type Outcome, run } from "./support/run.ts";
import "./support/typesense/real-server.ts";

const ROOT = join(import.meta.dirname, "..");
const BIN = join(ROOT, "node_modules", ".bin");
const bun = (...args: string[]): string[] => [process.execPath, ...args];

type Env = Readonly<Record<string, string>>;
type Step = {
  readonly name: string;
  readonly command: readonly string[];
  /** Of a run of tests. */
  readonly tests?: Runner;
  readonly env?: Env;
};
type Runner = {
  readonly name: string;
  readonly command: (paths: readonly string[]) => readonly string[];
  /** Reads how many tests ran; null where the run did not get that far. */
  readonly count: typeof countBun;
  readonly failed: typeof failedOnBun;
};
type Ran = { readonly counts: Counts; readonly failures: readonly Failure[] };

const ON_BUN: Runner = {
  name: "Bun",
  command: (paths) => bun("test", ...paths.map((path) => `./${path}`)),
  count: countBun,
  failed: failedOnBun,
};
const ON_DENO: Runner = {
  name: "Deno",
  command: (paths) => [join(BIN, "deno"), ..."test --allow-all --no-check --no-prompt --quiet".split(" "), ...paths],
  count: countDeno,
  failed: failedOnDeno,
};

/** Part of the run on Bun too: there it is counted, here it fails early. */
const LAYERS: Step = {
  name: "layers, words, cited rules",
  command: bun("test", "./test/layers.test.ts", "./test/words.test.ts", "./test/coverage.test.ts"),
};

const FAST: readonly Step[] = [
  { name: "interface descriptions", command: bun("src/main/openapi/openapi.ts") },
  { name: "format, lint, order of imports", command: [join(BIN, "biome"), "check", "--error-on-warnings", "."] },
  {
    name: "types",
    command: [join(BIN, "tsc"), "--noEmit", "--incremental", "--tsBuildInfoFile", "node_modules/.cache/tsc.json"],
  },
  { name: "types of scripts", command: [join(BIN, "tsc"), "--noEmit", "--project", "src/pages/scripts"] },
  { name: "unused code and packages", command: [join(BIN, "knip"), "--no-progress", "--treat-config-hints-as-errors"] },
  LAYERS,
];

const BEFORE_TESTS: readonly Step[] = [
  ...FAST,
  // Its package puts the program into place when it first runs, and two that do so at once take it from each other.
  { name: "deno", command: [join(BIN, "deno"), "--version"] },
];

/** With this number of parts the rows end at about the same time; each part loads the product again. */
const PARTS = { deno: 4, plain: 4, long: 12 };
/** One more than the cores of a small machine: a part waits for the disk every now and then. */
const ROWS = 3;

/** The driver of PostgreSQL is the same everywhere: on Deno the tests that are of nothing else hold it. */
const NO_POSTGRES: Env = { ARKSTONE_TEST_PG: "none" };
const isOfPostgres = (path: string): boolean => path.includes("postgres");

type Tests = { readonly waiting: readonly Step[]; readonly others: readonly Step[] };

/** The runs of tests; those on Deno are the longest and come first. */
function testSteps(folder: string, everythingOnDeno: boolean): Tests {
  const few = everythingOnDeno ? "" : ", of what may differ";
  const onDeno = (name: string, files: readonly string[], env: Env): Step => ({
    name: `tests on Deno${few}, ${name}`,
    command: ON_DENO.command(files),
    tests: ON_DENO,
    env,
  });
  const onBun = (name: string, files: readonly string[]): Step => ({
    name: `tests on Bun, ${name}`,
    // Bun writes there how long each file took.
    command: [...ON_BUN.command(files), `--timings=${join(folder, `${name}.json`)}`, "--update-timings"],
    tests: ON_BUN,
  });
  const files = denoFiles(ROOT, everythingOnDeno).filter((path) => everythingOnDeno || isInCheck(path));
  const apart = everythingOnDeno ? [] : files.filter(isOfPostgres);
  const env = everythingOnDeno ? {} : NO_POSTGRES;
  const deno = files.filter((path) => !apart.includes(path));
  const all = testFiles(ROOT).filter(isInCheck);
  const inSteps = (name: string, some: readonly string[], parts: number, make: typeof onBun) => {
    const working = some.filter((path) => !isWaiting(path) && !isLongest(path));
    return inParts(working, parts).map((part, at) => make(`${name} ${at + 1} of ${parts}`, part));
  };
  return {
    waiting: [
      onBun("what waits", all.filter(isWaiting)),
      onDeno(
        "what waits",
        deno.filter((path) => isWaiting(path) || isLongest(path)),
        env,
      ),
    ],
    others: [
      onBun("the longest", all.filter(isLongest)),
      ...inSteps("part", deno, PARTS.deno, (name, part) => onDeno(name, part, env)),
      ...(apart.length > 0 ? [onDeno("on PostgreSQL", apart, {})] : []),
      ...inSteps(
        "plain part",
        all.filter((path) => !isLong(path)),
        PARTS.plain,
        onBun,
      ),
      ...inSteps("long part", all.filter(isLong), PARTS.long, onBun),
    ],
  };
}

function seconds(outcome: Outcome): string {
  return `${(outcome.ms / 1000).toFixed(1)} s`;
}

async function runStep(step: Step, env: Env): Promise<Ran> {
  const ran = await run(step.command, { cwd: ROOT, env: { ...env, ...step.env } });
  const outcome = { ...ran, output: stripVTControlCharacters(ran.output) };
  const counts = step.tests?.count(outcome.output) ?? null;
  const total = counts ?? { passed: 0, failed: 0, skipped: 0 };
  if (outcome.code === 0) {
    const detail = counts === null ? "ok" : `${counts.passed} passed, ${counts.skipped} skipped`;
    console.log(`${step.name} … ${detail} (${seconds(outcome)})`);
    return { counts: total, failures: [] };
  }
  console.log(`${step.name} … FAILED (${seconds(outcome)})\n${relevant(outcome.output)}`);
  const named = (step.tests?.failed(outcome.output) ?? []).map((file) => ({ ...file, runner: step.tests?.name ?? "" }));
  const isWhole = named.reduce((sum, { tests }) => sum + tests.length, 0) === total.failed;
  // A run that died without naming a failed test has failed all the same.
  return { counts: { ...total, failed: Math.max(total.failed, 1) }, failures: isWhole ? named : [] };
}

/** With a separate PostgreSQL, for roles belong to a whole server. The few tests of a standby start their own. */
async function withPostgres<T>(env: Env, work: (env: Env) => Promise<T>): Promise<T> {
  const postgres = await startPostgres();
  try {
    // "none" spares every test file the search for what was not found here.
    return await work({ ...env, ARKSTONE_TEST_PG: postgres?.env ?? "none" });
  } finally {
    await postgres?.stop();
  }
}

/** Files changed since the branch left main, and those that are not committed. */
function changedFiles(): readonly string[] {
  const git = (...args: string[]): string => spawnSync("git", args, { cwd: ROOT, encoding: "utf8" }).stdout;
  const base = git("merge-base", "HEAD", "main").trim();
  const committed = git("diff", "--name-only", "--diff-filter=d", ...(base === "" ? [] : [base]));
  const untracked = git("ls-files", "--others", "--exclude-standard");
  return `${committed}\n${untracked}`.split("\n").filter((path) => path !== "");
}

/** Null where no test is within reach. */
function changedStep(most: number): Step | null {
  const changed = changedFiles();
  const reached = testsReaching(changed.filter((path) => path.endsWith(".ts")));
  const guides = changed.some((path) => path.endsWith(".md")) ? ["test/deploy/guides.test.ts"] : [];
  // Long ones only where they were changed themselves.
  const files = [...new Set([...guides, ...reached])].filter((path) => !isLong(path) || changed.includes(path));
  const chosen = files.slice(0, most);
  console.log(`${changed.length} files changed, ${files.length} test files within reach, ${chosen.length} run`);
  if (chosen.length === 0) return null;
  // The workers do not have the time that test/support/default-timeout.ts sets.
  const command = [...ON_BUN.command(chosen), "--parallel", "--no-isolate", "--timeout=60000"];
  return { name: "tests of what changed", command, tests: ON_BUN, env: NO_POSTGRES };
}

/** Each row takes the next free step; waiting steps run in parallel. */
async function inRows({ waiting, others }: Tests, env: Env): Promise<readonly Ran[]> {
  const left = [...others];
  const row = (steps: Step[]) =>
    withPostgres(env, async (own) => {
      const ran: Ran[] = [];
      for (let step = steps.shift(); step !== undefined; step = steps.shift()) ran.push(await runStep(step, own));
      return ran;
    });
  return (await Promise.all([row([...waiting]), ...Array.from({ length: ROWS }, () => row(left))])).flat();
}

/** Whether all tests of the file pass when nothing else runs. */
async function passesAlone({ path, runner }: Failure, env: Env): Promise<boolean> {
  const { command, count } = runner === ON_DENO.name ? ON_DENO : ON_BUN;
  const { code, output } = await withPostgres(env, (own) => run(command([path]), { cwd: ROOT, env: own }));
  const passed = code === 0 && (count(stripVTControlCharacters(output))?.passed ?? 0) > 0;
  if (!passed) console.log(relevant(stripVTControlCharacters(output)));
  return passed;
}

/** One more test: each answer that the interface description states must have occurred in those that ran. */
function requireAnswers(folder: string): Ran {
  const found = describedIn(folder);
  const failed = found.unmet.length > 0 ? 1 : 0;
  console.log(`described answers … ${failed > 0 ? "FAILED, no test saw\n" : ""}${reportOf(found)}`);
  return { counts: { passed: 1 - failed, failed, skipped: 0 }, failures: [] };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      fast: { type: "boolean", default: false },
      changed: { type: "boolean", default: false },
      most: { type: "string", default: "30" },
      "deno-all": { type: "boolean", default: false },
    },
  });
  const fast = values.fast || values.changed;
  const folder = mkdtempSync(join(tmpdir(), "arkstone-check-"));
  const seen = mkdtempSync(join(tmpdir(), "arkstone-seen-"));
  const env: Env = { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ARKSTONE_SEEN: seen };
  const ran: Ran[] = [];
  try {
    for (const step of fast ? [...FAST.slice(0, -1), { ...LAYERS, tests: ON_BUN }] : BEFORE_TESTS) {
      ran.push(await runStep(step, env));
    }
    const changed = values.changed ? changedStep(Number(values.most)) : null;
    if (changed !== null) ran.push(await runStep(changed, env));
    if (!fast) {
      ran.push(...(await inRows(testSteps(folder, values["deno-all"]), env)));
      const timings = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
      console.log(["slowest files on Bun:", ...slowest(timings)].join("\n"));
    }
    const failures = fast ? [] : ran.flatMap(({ failures: each }) => each);
    const { excused, messages } = await runAgain(failures, (failure) => passesAlone(failure, env));
    for (const line of messages) console.log(line);
    // Last, for a file that was run again may have seen more.
    if (!fast) ran.push(requireAnswers(seen));
    const sum = (of: keyof Counts): number => ran.reduce((total, { counts }) => total + counts[of], 0);
    const failed = sum("failed") - excused;
    const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
    console.log(`${sum("passed") + excused} passed, ${failed} failed${skipped}`);
    return failed > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(seen, { recursive: true, force: true });
  }
}

if (import.meta.main) process.exitCode = await main();
