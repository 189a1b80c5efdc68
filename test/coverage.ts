// The coverage table: which test holds which sentence of the specification. `bun test/coverage.ts` counts its rows,
// `--write FILE` writes it as Markdown; test/coverage.test.ts fails when a row is empty.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { codeOnly } from "./support/source.ts";

const TEST_FOLDER = import.meta.dirname;
const CITATION =
  /\b(?:L[1-9]\d?|A[1-9]\d?[a-z]?|R[1-9]\d?[a-z]?|S2\.A?\d{1,2}|S3\.[1-9O]\.[1-9]\d{0,2}|[PQ]\.[1-9]\d{0,2}|T\.[a-z]+(?:_[a-z]+)*\.[1-9]\d?|message (?:1\d|2[0-7]|[1-9]))\b/g;
const CITED_ANYWHERE = new RegExp(`${CITATION.source}|reference [1-9]\\.\\d{1,2}`, "g");
/** They speak of citations. */
const NO_CITATIONS: readonly string[] = ["coverage.ts", "coverage.test.ts"];

/** A row of a table in docs/spec: `| rule | statement | source |`. */
type Row = { readonly id: string; readonly sentence: string; readonly source: string };

const SPEC_FOLDER = join(TEST_FOLDER, "..", "docs", "spec");
const ROW = /^\| ((?:L|A|R|S2\.|S3\.|[PQ]\.|T\.|message |reference )[\w.]+) \| (.*[^\\]) \| ([^|]+) \|$/;

/** Every row of the tables in docs/spec, in the order of the files. */
export function specificationRows(): readonly Row[] {
  return readdirSync(SPEC_FOLDER)
    .sort()
    .flatMap((name) => readFileSync(join(SPEC_FOLDER, name), "utf8").split("\n"))
    .flatMap((line) => {
      const [, id = "", sentence = "", source = ""] = ROW.exec(line) ?? [];
      return id === "" ? [] : [{ id, sentence, source }];
    });
}

/** Rows that a test must hold: a reference is a fact about another system, not a rule of this one. */
export const coverageRows = (): readonly Row[] => specificationRows().filter(({ id }) => !id.startsWith("reference"));

/** What comments and names of tests in the whole project cite: rule → first file that cites it. */
export function citedRules(): ReadonlyMap<string, string> {
  const cited = new Map<string, string>();
  const root = join(TEST_FOLDER, "..");
  for (const folder of ["src", "plugins", "db", "bench", "test", "docs"]) {
    for (const path of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort()) {
      if (!/\.(?:ts|md)$/.test(path) || path.startsWith("spec/") || NO_CITATIONS.includes(path)) continue;
      const text = readFileSync(join(root, folder, path), "utf8");
      const places = path.endsWith(".md")
        ? [text]
        : (text.match(/\/\/.*|\/\*[\s\S]*?\*\/|(?:test|describe|it)\b.*/g) ?? []);
      for (const place of places) {
        for (const [rule] of place.matchAll(CITED_ANYWHERE)) if (!cited.has(rule)) cited.set(rule, `${folder}/${path}`);
      }
    }
  }
  return cited;
}

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return testFiles(path);
      return entry.name.endsWith(".ts") ? [path] : [];
    })
    .sort();
}

type Call = {
  readonly isSuite: boolean;
  /** Null where it is not a text literal. */
  readonly name: string | null;
  /** `each`, `skip`, `skipIf` and the like. */
  readonly modifiers: readonly string[];
  readonly from: number;
  readonly to: number;
};

const CALL = /\b(test|it|describe)(?=[.(])/g;
const NAME = /^\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/;
const NEVER: readonly string[] = ["skip", "todo"];
const SOMETIMES: readonly string[] = ["skipIf", "if"];

/** Every call of `test` and `describe` in a source text, outer ones first. */
function callsOf(source: string): Call[] {
  const code = codeOnly(source);
  return [...code.matchAll(CALL)].flatMap((match) => {
    const modifiers: string[] = [];
    for (let at = match.index + match[0].length; ; ) {
      if (code[at] === ".") {
        const [word = ""] = /^\w+/.exec(code.slice(at + 1)) ?? [];
        modifiers.push(word);
        at += word.length + 1;
        if (code[at] === "<") at = behindTypes(code, at);
      }
      if (code[at] !== "(") return [];
      const end = closing(code, at);
      // The rows of `each` and the condition of `skipIf` come before the call that names the test.
      if (code[end] !== "(" && code[end] !== ".") {
        const [, quoted, template] = NAME.exec(source.slice(at + 1, end)) ?? [];
        const name = quoted ?? template ?? null;
        return [{ isSuite: match[1] === "describe", name, modifiers, from: match.index, to: end }];
      }
      at = end;
    }
  });
}

/** Behind the types that `each` may be given. */
function behindTypes(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === "<") depth += 1;
    if (code[at] === ">" && code[at - 1] !== "=") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return code.length;
}

/** Behind the parenthesis that closes the one at `open`. */
function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === "(") depth += 1;
    if (code[at] === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return code.length;
}

type Holder = {
  readonly name: string;
  /** The suite that cites the number, where the test itself does not. */
  readonly suite: string | null;
  /** The test is skipped where something it needs is missing. */
  readonly isSometimes: boolean;
};

/**
 * The numbers that the names of tests in a source text cite, each with the tests that hold it. What a suite cites is
 * held by the tests inside of it; a suite without any, and whatever is always skipped, holds nothing.
 */
export function citationsOf(source: string): Map<string, Holder[]> {
  const calls = callsOf(source);
  const found = new Map<string, Holder[]>();
  for (const test of calls.filter(({ isSuite }) => !isSuite)) {
    const around = calls.filter(({ isSuite, from, to }) => isSuite && from < test.from && to >= test.to);
    const modifiers = [...around, test].flatMap((call) => call.modifiers);
    if (modifiers.some((word) => NEVER.includes(word))) continue;
    const isSometimes = modifiers.some((word) => SOMETIMES.includes(word));
    const own = test.name ?? "";
    const cited = new Map<string, string | null>();
    for (const suite of around) for (const id of citedIn(suite.name)) cited.set(id, suite.name);
    for (const id of citedIn(own)) cited.set(id, null);
    for (const [id, suite] of cited) found.set(id, [...(found.get(id) ?? []), { name: own, suite, isSometimes }]);
  }
  return found;
}

function citedIn(name: string | null): readonly string[] {
  return name?.match(CITATION) ?? [];
}

/** Row id → one place a file, or a suite in it: `file: suite › names of the tests`. */
export function coverage(): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const file of testFiles(TEST_FOLDER)) {
    if (file.endsWith("coverage.test.ts") || file.endsWith("coverage.ts")) continue;
    for (const [id, holders] of citationsOf(readFileSync(file, "utf8"))) {
      const suites = [...new Set(holders.map(({ suite }) => suite))];
      const here = suites.map((suite) => {
        const names = holders.filter((each) => each.suite === suite).map(shown);
        return `\`${relative(TEST_FOLDER, file)}\`: ${suite === null ? "" : `${suite} › `}${names.join("; ")}`;
      });
      places.set(id, [...(places.get(id) ?? []), ...here]);
    }
  }
  return places;
}

function shown({ name, isSometimes }: Holder): string {
  return `${name.replaceAll("\\", "")}${isSometimes ? " *(where it can run)*" : ""}`;
}

function cell(places: readonly string[]): string {
  return places.map((place) => place.replaceAll("|", "\\|").replaceAll("\n", " ")).join("<br>");
}

function coverageTable(): string {
  const places = coverage();
  const lines = coverageRows().map((row) => `| ${row.id} | ${row.sentence} | ${cell(places.get(row.id) ?? [])} |`);
  return ["| row | sentence | held by |", "|---|---|---|", ...lines].join("\n");
}

if (import.meta.main) {
  const [option, file] = process.argv.slice(2);
  if (option === "--write" && file !== undefined) writeFileSync(file, `${coverageTable()}\n`);
  const places = coverage();
  const empty = coverageRows().filter((row) => !places.has(row.id));
  process.stdout.write(
    `${coverageRows().length} rows, ${empty.length} empty: ${empty.map((row) => row.id).join(" ")}\n`,
  );
}
