// What the test runners of Bun and Deno print: how many tests ran, which failed in which file, what the failure was.

export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

export type FailedFile = {
  readonly path: string;
  /** As the runner names them, in the order of the file. */
  readonly tests: readonly string[];
  /** Their output. */
  readonly output: string;
};

/** Bun ends with ` 12 pass`, ` 1 skip`, ` 0 fail` on separate lines. */
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

const BUN_FILE = /^(test\/\S+\.(?:test|long)\.ts):$/;
/** Where a file could not be read no test of it has a name. */
const BUN_FAILED = /^(?:\(fail\) (.*?)(?: \[[\d.]+ms\])?|# (Unhandled error) between tests)$/;

/**
 * Bun heads the lines of a file with its path, and the failures with what was wrong above them; at the end it may
 * repeat them under a count.
 */
export function failedOnBun(output: string): readonly FailedFile[] {
  const lines = output.split("\n");
  const end = lines.findIndex((line) => /^\d+ tests? failed:$|^ *\d+ pass$/.test(line));
  return filesOf(end === -1 ? lines : lines.slice(0, end), BUN_FILE).flatMap(({ path, lines: section }) => {
    const tests = section.flatMap((line) => BUN_FAILED.exec(line)?.slice(1).find(Boolean) ?? []);
    return tests.length === 0 ? [] : [{ path, tests, output: relevant(section.join("\n")) }];
  });
}

const DENO_FILE = /^running \d+ tests? from \.\/(\S+)$/;
const DENO_FAILED = /^(?:(.*) \.\.\. |(Uncaught error) from \S+ )(?:FAILED|cancelled)(?: \(.*\))?$/;

/** Deno heads the lines of a file with its path, and explains the failures at the end, under ERRORS. */
export function failedOnDeno(output: string): readonly FailedFile[] {
  const [run = "", errors = ""] = output.split(/\n (?:ERRORS|FAILURES) \n/);
  const reasons = errors.split(/\n(?=\S.* => \.\/|\.\/\S+ \(uncaught error\))/);
  return filesOf(run.split("\n"), DENO_FILE).flatMap(({ path, lines }) => {
    const tests = lines.flatMap((line) => DENO_FAILED.exec(line)?.slice(1).find(Boolean) ?? []);
    const heads = [...tests.map((name) => `${name} => `), `./${path} (uncaught error)`];
    const found = reasons.filter((reason) => heads.some((head) => reason.trimStart().startsWith(head)));
    return tests.length === 0 ? [] : [{ path, tests, output: found.join("\n").trim() }];
  });
}

function filesOf(lines: readonly string[], head: RegExp) {
  const files: { readonly path: string; readonly lines: string[] }[] = [];
  for (const line of lines) {
    const path = head.exec(line)?.[1];
    if (path === undefined) files.at(-1)?.lines.push(line);
    else files.push({ path, lines: [] });
  }
  return files;
}

/** The part of a failed run worth reading: what failed, without the lines of what passed. */
export function relevant(output: string): string {
  const lines = output.split("\n").filter((line) => !/^\(pass\)|^\(skip\)| \.\.\. (?:ok|ignored) /.test(line));
  const MOST_LINES = 200;
  return lines.length <= MOST_LINES ? lines.join("\n") : ["…", ...lines.slice(-MOST_LINES)].join("\n");
}

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
