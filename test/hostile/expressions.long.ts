// Every regular expression of the program over long texts made of what it is made of: none may read a text again and
// again (R9a).
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type Expression, expressionsOf } from "../support/source.ts";

const ROOT = join(import.meta.dirname, "../..");
const LENGTH = 30_000;
/** In one pass it takes well under a millisecond; again from every character, seconds. */
const MOST_MS = 50;

/** Expressions over texts that are cut before, by their beginning. */
const CUT: readonly { readonly file: string; readonly begins: string; readonly characters: number }[] = [
  // safeText() cuts what it masks.
  { file: "src/adapters/log.ts", begins: "\\beyJ", characters: 8_000 },
];

type Placed = Expression & { readonly file: string };

function everyExpression(): readonly Placed[] {
  return ["src", "db", "plugins"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => {
        const file = `${folder}/${name}`;
        return expressionsOf(readFileSync(join(ROOT, file), "utf8")).map((each) => ({ ...each, file }));
      }),
  );
}

const CLASSES: Readonly<Record<string, readonly string[]>> = {
  s: [" ", "\t"],
  S: ["x"],
  d: ["1"],
  D: ["x"],
  w: ["a"],
  W: ["-"],
  p: ["a"],
};

type Ingredients = {
  /** One or two for each class, and every literal character. */
  readonly characters: readonly string[];
  /** Characters that follow each other. */
  readonly words: readonly string[];
  /** All parts once, one after the other: near to what the expression matches. */
  readonly sample: string;
};

const PARTS =
  /\\[pP]\{[^}]*\}|\\u\{[0-9A-Fa-f]+\}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\.|\[(?:\\.|[^\]])*\]|\(\?<?[:=!]|\{\d*,?\d*\}|./gsu;

function standIns(part: string): readonly string[] {
  if (part.startsWith("[")) {
    if (part.startsWith("[^")) return ["x", part.charAt(2)];
    const inner = [...part.slice(1, -1).matchAll(PARTS)].flatMap(([each]) => standIns(each));
    return [...new Set(inner)].slice(0, 4);
  }
  if (part.startsWith("\\")) {
    const known = CLASSES[part.charAt(1)];
    if (known !== undefined) return known;
    return part.length > 2 || /[a-z]/i.test(part.charAt(1)) ? ["\t"] : [part.charAt(1)];
  }
  if (part === ".") return ["x"];
  return part.length > 1 || "^$*+?()|{}".includes(part) ? [] : [part];
}

function ingredients(source: string): Ingredients {
  const characters = new Set<string>(["x", " "]);
  const words: string[] = [];
  let word = "";
  let sample = "";
  for (const [part] of source.matchAll(PARTS)) {
    const found = standIns(part);
    for (const each of found) characters.add(each);
    sample += found[0] ?? "";
    if (found.length === 1 && !part.startsWith("[")) word += found[0];
    else if (part !== "?") {
      if (word.length > 1) words.push(word);
      word = "";
    }
  }
  words.push(word);
  const shown = [...new Set(words)].filter((each) => each.length > 1);
  return { characters: [...characters].slice(0, 12), words: shown.slice(0, 5), sample };
}

/** Long texts that fit an expression for long and then do not. */
function* longTexts({ source }: Expression, length: number): Generator<string> {
  const { characters, words, sample } = ingredients(source);
  const pairs = characters.flatMap((first) => characters.map((second) => (first === second ? first : first + second)));
  const more = words.flatMap((word) => characters.map((each) => word + each));
  for (const piece of [...pairs, ...words, ...more, sample || "x"].filter((each) => each !== "")) {
    const long = piece.repeat(Math.ceil(length / piece.length));
    for (const end of ["\n\0", "\0\n"]) {
      yield long + end;
      if (piece.length === 1) for (const before of ["x", sample, ...words]) yield before + long + end;
    }
  }
}

/** Of the processor, so that a busy machine makes nothing slow. */
function millisecondsOf(expression: Expression, text: string): number {
  const made = new RegExp(expression.source, expression.flags);
  const before = process.cpuUsage();
  if (expression.flags.includes("g")) text.replace(made, "");
  else made.exec(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The beginning of a text over which an expression takes too long, twice; null where there is none. */
function slowText(expression: Expression, length: number): string | null {
  for (const text of longTexts(expression, length)) {
    if (millisecondsOf(expression, text) > MOST_MS && millisecondsOf(expression, text) > MOST_MS) {
      return JSON.stringify(text.slice(0, 60));
    }
  }
  return null;
}

const repeats = ({ source }: Expression): boolean => /[*+]|\{\d+,/.test(source);

describe("R9a regular expressions", () => {
  test("R9a none of src, db and plugins goes over a long text more than once", () => {
    const all = everyExpression().filter(repeats);
    expect(all.length).toBeGreaterThan(150);
    const slow = all.flatMap((each) => {
      const cut = CUT.find(({ file, begins }) => each.file === file && each.source.startsWith(begins));
      const text = slowText(each, cut?.characters ?? LENGTH);
      return text === null ? [] : [`${each.file}:${each.line} /${each.source}/ over ${text}`];
    });
    expect(slow).toEqual([]);
  }, 240_000);

  test.each([
    ["/+$", "", LENGTH],
    ["\\s+hold$", "", LENGTH],
    ["^(.*?)\\s*\\((\\d{1,15})\\)$", "s", LENGTH],
    ["(?:^|\\/)ark:\\/?([0-9a-z]+\\/\\S+)$", "i", 4 * LENGTH],
    ["^([^:\\s][^:]*?)[ \\t]*:[ \\t]*(.*)$", "", LENGTH],
    ["#.*$", "", LENGTH],
    ["\\/records\\/(\\d{1,15})\\/?(?:[?#].*)?$", "", 4 * LENGTH],
    ["^(::)\\s*(.*)$|^(:?[^:]+):(.*)$", "", LENGTH],
    ["\\[[^\\]]*\\]", "g", 2 * LENGTH],
  ] as const)(
    "R9a /%s/%s would be found",
    (source, flags, length) => {
      expect(slowText({ source, flags, line: 1 }, length)).not.toBeNull();
    },
    60_000,
  );
});
