// Words that this project does not use, and what to write instead (CONTRIBUTING.md, "Style"). Texts that a
// specification fixes are exceptions.
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** Where the words are searched for. Source and guides contain none of them. */
export const AREAS = {
  source: ["src/**/*.ts", "plugins/**/*.ts", "db/**/*.ts", "client/*.ts"],
  tests: ["test/**/*.ts", "bench/**/*.ts"],
  guides: ["*.md", "docs/**/*.md", "bench/*.md", "client/*.md", "examples/*.md"],
} as const;

/** They name the words themselves. */
const EXEMPT = new Set([
  // Types of RIS.
  "src/formats/import/ris-types.ts",
  "test/support/plain-words.ts",
  "test/words.test.ts",
  "CONTRIBUTING.md",
  // A list of words.
  "src/repository/search/query/stop-words.ts",
]);

/** One row: a pattern, what it is called in the output, and what to write instead. */
export type AvoidedWord = { readonly name: string; readonly pattern: RegExp; readonly instead: string };

const row = (name: string, pattern: RegExp, instead: string): AvoidedWord => ({ name, pattern, instead });

/** What no text or comment contains. Every pattern has the flags `g` and `i`. */
export const AVOIDED_WORDS: readonly AvoidedWord[] = [
  row("anew", /\banew\b/gi, "again; rebuilt, regenerated, rewritten"),
  row("is had", /\b(?:is|are|was|were|be) had\b/gi, "is available in, is returned by"),
  row("told", /\btold\b/gi, "returned, reported, receives"),
  row("hears", /\bhears?\b/gi, "receives"),
  row("beside, aside", /\b(?:beside|aside)\b/gi, "next to, in parallel with; in the background"),
  row("whoever", /\bwho(?:ever|soever)\b|\bthe asker\b/gi, "the caller, the client, the user"),
  row("he, his, him", /\b(?:he|his|him)\b/gi, "they, their, them"),
  row(
    "at one go",
    /\bat one go\b|\bholds? the process\b|\bnobody is held\b/gi,
    "without yielding; blocks the event loop",
  ),
  row(
    "given back",
    /\b(?:taken?|takes|took|given?|gives|gave|taking|giving) (?:\w+ )?back\b/gi,
    "rolled back, reverted; returned, returns",
  ),
  row("goes away", /\bgo(?:es)? away\b|\bthrown? away\b|\bthrows away\b/gi, "is deleted, is discarded"),
  row("wish", /\bwish(?:es|ed)?\b/gi, "enqueue, request"),
  row("so many", /\bso (?:many|much)\b/gi, "at most N"),
  row("is no …", /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|such\b|other\b)[a-z]/gi, "is not a …"),
  row("none of them", /\bnone of them\b/gi, "is not …; neither"),
  row("door", /\bdoors?\b/gi, "endpoint, interface"),
  row("house, law", /\bthe (?:whole )?house\b|\bthe law\b/gi, "the code base, the specification"),
  row("drawn, given out", /\bdraws?\b|\bdrawn\b|\bg(?:iven|ives?) out\b/gi, "generated, assigned"),
  row("looked at, looked for", /\blook(?:s|ed|ing)? (?:at|for)\b/gi, "checked, searched for"),
  row("small letters", /\b(?:small|large|capital) letters?\b/gi, "lower case, upper case"),
  row("octets", /\boctets?\b(?!-stream)/gi, "bytes"),
  row("of its own", /\bof (?:its|their|his|our|your|my|one's) own\b|\bof ours\b/gi, "separate, dedicated; our"),
  row("on its way", /\bon (?:its|their) way\b|\bwhat is to come\b/gi, "pending, in progress"),
  row(
    "stands, lies",
    /\bstands?\b(?! ?-?by)|\bstood\b|\bl(?:ies|ie|ay) (?:in|on|at|under|there)\b/gi,
    "is, is stored in",
  ),
  row("says", /\bsays?\b|\bsaid\b/gi, "sets, specifies, states, means"),
];

/** Texts that stay as they are, with the specification or the published interface that fixes them. */
const FIXED_PHRASES: readonly { readonly phrase: string; readonly source: string }[] = [
  { phrase: "address article aside blockquote", source: "names of HTML elements" },
  { phrase: "ha hau,he heb,hi hin", source: "ISO 639-1" },
  { phrase: "said: answer", source: "member of `arkstone health --json`" },
  { phrase: '"STAND",', source: "a type of RIS" },
  { phrase: "`STAND`", source: "a type of RIS" },
  { phrase: "octets: sizeBytes", source: "member of `arkstone search status --json`" },
];

/** Parts of names (`writeAside`, `full_text_wished`) that no name in source or tests has. */
const AVOIDED_PARTS =
  /^(?:anew|told|hears?|aside|beside|whoever|wish(?:es|ed)?|doors?|laws?|drawn|octets?|unsaid|house|houses)$/;

/** Names that stay: they are stored in databases, or published. */
const FIXED_NAMES: readonly { readonly name: string; readonly source: string }[] = [
  { name: "beside_database", source: "stored in the mark of a storage" },
  { name: "wished_again", source: "a column of the table job" },
  { name: "community_told", source: "a trigger of migration 12" },
  { name: "octet_length", source: "a function of SQL" },
  { name: "OCTET_STREAM", source: "a media type" },
];

/** All names of a source text that have an avoided part, each once. */
export function avoidedNamesIn(source: string): readonly string[] {
  const names = new Set(source.match(/[A-Za-z]\w*/g));
  for (const { name } of FIXED_NAMES) names.delete(name);
  const parts = (name: string): readonly string[] => name.split(/_|(?<=[a-z0-9])(?=[A-Z])/);
  return [...names].filter((name) => {
    const all = parts(name);
    return all.length > 1 && all.some((part) => AVOIDED_PARTS.test(part.toLowerCase()));
  });
}

/** Where a word was found. */
export type FoundWord = { readonly word: AvoidedWord; readonly line: number; readonly text: string };

/** All avoided words of a text, in the order of its lines. */
export function avoidedWordsIn(text: string): readonly FoundWord[] {
  const checked = FIXED_PHRASES.reduce((rest, { phrase }) => rest.replaceAll(phrase, ""), text);
  return checked
    .split("\n")
    .flatMap((line, at) =>
      AVOIDED_WORDS.flatMap((word) =>
        [...line.matchAll(word.pattern)].map(() => ({ word, line: at + 1, text: line.trim() })),
      ),
    );
}

/** Names of the files that match, and names in them, that have an avoided part. */
export function avoidedNamesOfFiles(globs: readonly string[]): readonly string[] {
  return globSync([...globs], { cwd: ROOT })
    .filter((file) => !EXEMPT.has(file))
    .sort()
    .flatMap((file) =>
      avoidedNamesIn(`${basename(file).replaceAll("-", "_")}\n${readFileSync(join(ROOT, file), "utf8")}`).map(
        (name) => `${file}: ${name}`,
      ),
    );
}

/** All avoided words of the files that match, in the order of their paths. */
export function avoidedWordsOfFiles(globs: readonly string[]): readonly (FoundWord & { readonly file: string })[] {
  return globSync([...globs], { cwd: ROOT })
    .filter((file) => !EXEMPT.has(file))
    .sort()
    .flatMap((file) => avoidedWordsIn(readFileSync(join(ROOT, file), "utf8")).map((found) => ({ ...found, file })));
}
