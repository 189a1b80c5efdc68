// `bun run words`: counts the words that this project does not use (test/support/plain-words.ts), in comments, texts and guides.
//   bun run words [--list] [--word NAME] [PATH …]
// --list prints each place instead of counts; --word narrows to one row of the list. Without PATH all source, tests and guides are read.
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { AVOIDED_WORDS, avoidedWordsIn, type FoundWord } from "./support/plain-words.ts";

const ROOT = join(import.meta.dirname, "..");
const AREAS = {
  source: ["src/**/*.ts", "plugins/**/*.ts", "db/**/*.ts"],
  tests: ["test/**/*.ts", "bench/**/*.ts"],
  guides: ["*.md", "docs/**/*.md", "bench/*.md"],
};
/** They name the words themselves. */
const EXEMPT = new Set(["test/support/plain-words.ts", "CONTRIBUTING.md"]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false }, word: { type: "string" } },
});

const globsOf = (path: string): string => (statSync(join(ROOT, path)).isDirectory() ? `${path}/**/*.{ts,md}` : path);

function foundIn(globs: readonly string[]): readonly (FoundWord & { readonly file: string })[] {
  return globSync([...globs], { cwd: ROOT })
    .filter((file) => !EXEMPT.has(file))
    .sort()
    .flatMap((file) => avoidedWordsIn(readFileSync(join(ROOT, file), "utf8")).map((found) => ({ ...found, file })))
    .filter(({ word }) => values.word === undefined || word.name === values.word);
}

const areas = positionals.length === 0 ? Object.entries(AREAS) : [["", positionals.map(globsOf)] as const];
let total = 0;
for (const [name, globs] of areas) {
  const found = foundIn(globs);
  total += found.length;
  if (values.list) {
    for (const { file, line, word, text } of found)
      console.log(`${file}:${line} [${word.name} → ${word.instead}] ${text}`);
    continue;
  }
  console.log(`${name === "" ? "" : `${name}: `}${found.length}`);
  for (const word of AVOIDED_WORDS) {
    const count = found.filter((each) => each.word === word).length;
    if (count > 0) console.log(`  ${String(count).padStart(5)}  ${word.name}  → ${word.instead}`);
  }
}
process.exitCode = total === 0 ? 0 : 1;
