// Makes the coverage table of test/README.md: which test holds which sentence of the specification.
// `bun test/coverage.ts --write` rewrites it; test/coverage.test.ts fails when it is stale or a row is empty.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const TEST_FOLDER = import.meta.dirname;
const README = join(TEST_FOLDER, "README.md");
const BEGIN = "<!-- coverage table: made by `bun test/coverage.ts --write` -->";
const END = "<!-- end of the coverage table -->";
const CITATION = /\b(?:L[1-9]\d?|A[1-9]\d?[a-d]?|R[1-9]\d?[a-f]?|S2\.\d{1,2}|message (?:1\d|2[0-7]|[1-9]))\b/g;
const TEST_NAME = /\b(?:test|describe)(?:\.each\([\s\S]{0,4000}?\))?\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;

export type Row = { readonly id: string; readonly sentence: string };

export function coverageRows(): Row[] {
  return readFileSync(join(TEST_FOLDER, "coverage-rows.txt"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [id = "", sentence = ""] = line.split("\t");
      return { id, sentence };
    });
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

/** The numbers that the names of tests in a source text cite, each with the first few names. */
export function citationsOf(source: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const match of source.matchAll(TEST_NAME)) {
    const name = match[1] ?? match[2] ?? "";
    for (const id of new Set(name.match(CITATION) ?? [])) {
      found.set(id, [...(found.get(id) ?? []), name]);
    }
  }
  return found;
}

/** Row id → places, as `file: name of the test`. */
export function coverage(): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const file of testFiles(TEST_FOLDER)) {
    if (file.endsWith("coverage.test.ts") || file.endsWith("coverage.ts")) continue;
    for (const [id, names] of citationsOf(readFileSync(file, "utf8"))) {
      const seen = places.get(id) ?? [];
      for (const name of names) seen.push(`\`${relative(TEST_FOLDER, file)}\`: ${name.replaceAll("\\", "")}`);
      places.set(id, seen);
    }
  }
  return places;
}

const PLACES_SHOWN = 4;

function cell(places: readonly string[]): string {
  const shown = places.slice(0, PLACES_SHOWN).map((place) => place.replaceAll("|", "\\|").replaceAll("\n", " "));
  const more = places.length - shown.length;
  return shown.join("<br>") + (more > 0 ? `<br>and ${more} more` : "");
}

export function coverageTable(): string {
  const places = coverage();
  const lines = coverageRows().map((row) => `| ${row.id} | ${row.sentence} | ${cell(places.get(row.id) ?? [])} |`);
  return ["| row | sentence | held by |", "|---|---|---|", ...lines].join("\n");
}

/** test/README.md with its table made anew. */
export function readmeWithTable(readme: string): string {
  const from = readme.indexOf(BEGIN);
  const to = readme.indexOf(END);
  if (from === -1 || to === -1) throw new Error("test/README.md lacks the marks of the coverage table");
  return `${readme.slice(0, from + BEGIN.length)}\n\n${coverageTable()}\n\n${readme.slice(to)}`;
}

export const readReadme = (): string => readFileSync(README, "utf8");

if (import.meta.main) {
  if (process.argv.includes("--write")) writeFileSync(README, readmeWithTable(readReadme()));
  const places = coverage();
  const empty = coverageRows().filter((row) => !places.has(row.id));
  process.stdout.write(
    `${coverageRows().length} rows, ${empty.length} empty: ${empty.map((row) => row.id).join(" ")}\n`,
  );
}
