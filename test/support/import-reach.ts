// Which tests a change can reach: test files from which imports lead to a source file, those with the shortest way first.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isTestFile } from "../check-order.ts";
import { importsOf } from "./source.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** File → the files that import it, by their paths from the root of the project. Imports of types alone do not count. */
export function importersByFile(): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const path of globSync("{src,plugins,db,bench,test}/**/*.ts", { cwd: ROOT })) {
    for (const { target, typeOnly } of importsOf(readFileSync(join(ROOT, path), "utf8"))) {
      if (typeOnly || !target?.startsWith(".")) continue;
      const imported = relative(ROOT, join(ROOT, dirname(path), target));
      importers.set(imported, [...(importers.get(imported) ?? []), path]);
    }
  }
  return importers;
}

/** Test files that import one of the files, directly or through others, and those of the files that are tests themselves: nearest first. */
export function testsReaching(files: readonly string[], importers = importersByFile()): readonly string[] {
  const reached = new Set(files);
  // A set grows while it is walked: the nearest come first.
  for (const each of reached) for (const path of importers.get(each) ?? []) reached.add(path);
  return [...reached].filter(isTestFile);
}
