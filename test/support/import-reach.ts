// Which tests a change can reach: test files from which imports lead to a source file, those with the shortest way
// first.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isTestFile } from "../check-order.ts";
import { importsOf } from "./source.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const WORLD = "test/support/world.ts";

/**
 * File → the files that import it, by their paths from the root of the project. Imports of types alone do not count. A
 * test imports the files of the features that its world names, and no other feature.
 */
export function importersByFile(): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  const features = featureFiles();
  for (const path of globSync("{src,plugins,db,bench,test}/**/*.ts", { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, path), "utf8");
    const imported = importsOf(text)
      .filter(({ target, typeOnly }) => !typeOnly && target?.startsWith("."))
      .map(({ target }) => relative(ROOT, join(ROOT, dirname(path), target ?? "")));
    // The features are named soon after the opening brace.
    const given = [...text.matchAll(/World\((?:(?:async )?\(\) => \()?\{/g)].map(({ index }) =>
      text.slice(index, index + 400),
    );
    const named = [...features].filter(([name]) => given.some((part) => new RegExp(`\\b${name}\\b`).test(part)));
    const all = path === WORLD ? [] : [...imported, ...named.map(([, file]) => file)];
    for (const file of new Set(all)) importers.set(file, [...(importers.get(file) ?? []), path]);
  }
  return importers;
}

/** The file of each feature, as the tables of the world name it. */
function featureFiles(): ReadonlyMap<string, string> {
  const lines = readFileSync(join(ROOT, WORLD), "utf8").matchAll(/^ {2}(\w+): async .*"\.\/(world\/[\w-]+\.ts)"/gm);
  return new Map([...lines].map(([, name = "", file]) => [name, `test/support/${file}`]));
}

/** Words of a path that name its subject, in the singular. */
function subjectsOf(path: string): readonly string[] {
  const words = path.split(/[^a-z0-9]+/i).map((word) => word.replace(/s$/, ""));
  return words.filter(
    (word) => !["src", "plugin", "db", "test", "long", "t", "http", "repository", "index"].includes(word),
  );
}

/**
 * Test files that import one of the files, directly or through others, and those of the files that are tests
 * themselves: nearest first. A word that both paths have counts as much as three imports less: hundreds of tests reach
 * most files, through the whole application.
 */
export function testsReaching(files: readonly string[], importers = importersByFile()): readonly string[] {
  const steps = new Map(files.map((path) => [path, 0]));
  // A map grows while it is walked.
  for (const [each, step] of steps) {
    for (const path of importers.get(each) ?? []) if (!steps.has(path)) steps.set(path, step + 1);
  }
  const subjects = new Set(files.flatMap(subjectsOf));
  const distance = (path: string): number =>
    (steps.get(path) ?? 0) - 3 * new Set(subjectsOf(path).filter((word) => subjects.has(word))).size;
  return [...steps.keys()].filter(isTestFile).toSorted((a, b) => distance(a) - distance(b));
}
