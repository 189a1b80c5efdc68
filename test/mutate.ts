// Tries the tests with small faults: makes one in a copy of the project, runs the tests, and lists every fault that
// they let pass.
//   bun test/mutate.ts --files GLOB [--count N] [--seed S] [--most-tests N] -- [test files…]
// GLOB names files from the root of the project ("src/repository/communities/*.ts"; the option may be repeated).
// Without test files those are run that import the file. The project itself is never changed: the copy is in the
// system's folder of temporary files, and deleted at the end.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { importersByFile, testsReaching } from "./support/import-reach.ts";
import { temporaryFolder } from "./support/processes.ts";
import { randomFrom } from "./support/random-from.ts";
import { type Fault, faultsOf } from "./support/source-faults.ts";

const ROOT = join(import.meta.dirname, "..");
/** A fault that makes the tests never end is one they catch. */
const MOST_TIME_MS = 300_000;

type PlacedFault = Fault & { readonly file: string };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: "string", multiple: true, default: [] },
    count: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    "most-tests": { type: "string", default: "4" },
  },
});

/** Those whose program differs from the one that is there: not a change of types, and valid. */
function faultsIn(file: string): PlacedFault[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  const transpiler = new Bun.Transpiler({ loader: "ts", deadCodeElimination: false });
  const original = transpiler.transformSync(source);
  return faultsOf(source).flatMap((fault) => {
    try {
      return transpiler.transformSync(fault.text) === original ? [] : [{ ...fault, file }];
    } catch {
      return [];
    }
  });
}

function copyProject(folder: string): void {
  const listed = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: ROOT, encoding: "utf8" });
  for (const path of listed.stdout.split("\0").filter((each) => each !== "" && existsSync(join(ROOT, each)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
}

let running: ReturnType<typeof spawn> | null = null;

/** The first test that fails; null when all pass. */
async function firstFailure(folder: string, tests: readonly string[]): Promise<string | null> {
  const files = tests.map((path) => `./${path}`);
  const child = spawn(process.execPath, ["test", "--bail", ...files], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  running = child;
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (output += part));
  const timer = setTimeout(() => child.kill("SIGKILL"), MOST_TIME_MS);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  running = null;
  if (code === 0) return null;
  return /\(fail\) (.*)/.exec(output)?.[1] ?? output.trim().slice(-300);
}

function chosenFaults(files: readonly string[]): readonly PlacedFault[] {
  const random = randomFrom(Number(values.seed));
  const sampled = files.flatMap(faultsIn).map((fault) => [random.below(2 ** 32), fault] as const);
  return sampled
    .sort(([one], [other]) => one - other)
    .slice(0, Number(values.count))
    .map(([, fault]) => fault);
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").slice(0, 120);

async function tryFaults(folder: string): Promise<void> {
  const files = values.files.flatMap((glob) => globSync(glob, { cwd: ROOT })).sort();
  const faults = chosenFaults(files);
  if (faults.length === 0) throw new Error(`No file with a possible fault: "${values.files.join(" ")}"`);
  copyProject(folder);
  const importers = importersByFile();
  const whole = new Map<string, string | null>();
  const survivors: string[] = [];
  let tried = 0;
  for (const { file, kind, line, before, after, text } of faults) {
    const tests =
      positionals.length > 0 ? positionals : testsReaching([file], importers).slice(0, Number(values["most-tests"]));
    const name = tests.join(" ");
    if (!whole.has(name)) whole.set(name, tests.length === 0 ? "no test" : await firstFailure(folder, tests));
    const title = `${file}:${line} ${kind}: ${oneLine(before)} → ${oneLine(after)}`;
    if (whole.get(name) !== null) {
      console.log(`not tried  ${title}: without a fault ${whole.get(name)}`);
      continue;
    }
    tried += 1;
    const source = readFileSync(join(folder, file));
    writeFileSync(join(folder, file), text);
    const failure = await firstFailure(folder, tests);
    writeFileSync(join(folder, file), source);
    if (failure === null) survivors.push(title);
    console.log(failure === null ? `SURVIVED   ${title}` : `caught     ${title}\n           by ${oneLine(failure)}`);
  }
  console.log(`made ${tried}, caught ${tried - survivors.length}, survived ${survivors.length}`);
  for (const title of survivors) console.log(`SURVIVED   ${title}`);
  process.exitCode = survivors.length === 0 ? 0 : 1;
}

const folder = temporaryFolder("mutate");
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    running?.kill("SIGKILL");
    folder.remove();
    process.exit(130);
  });
}
try {
  await tryFaults(folder.path);
} finally {
  folder.remove();
}
