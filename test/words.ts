// `bun run words`: counts the words that this project does not use (test/support/plain-words.ts), in comments, texts
// and guides.
//   bun run words [--list] [--word NAME] [PATH …]
// --list prints each place instead of counts; --word narrows to one row of the list. Without PATH all source, tests and
// guides are read.
import { statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { AREAS, AVOIDED_WORDS, avoidedWordsOfFiles } from "./support/plain-words.ts";

const ROOT = join(import.meta.dirname, "..");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false }, word: { type: "string" } },
});

const globsOf = (path: string): string => (statSync(join(ROOT, path)).isDirectory() ? `${path}/**/*.{ts,md}` : path);

const areas = positionals.length === 0 ? Object.entries(AREAS) : [["", positionals.map(globsOf)] as const];
let total = 0;
for (const [name, globs] of areas) {
  const found = avoidedWordsOfFiles(globs).filter(({ word }) => values.word === undefined || word.name === values.word);
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
