// Robots by their User-Agent (R39): the patterns of the COUNTER list, read as the few forms they are written in and compared without backtracking, so
// that whatever a stranger sends costs the length of it. Pure.

/** One character of a pattern: any, or one of some, or none of some. Lower case. */
type Part = "any" | { readonly oneOf: string; readonly not: boolean };
type Sequence = { readonly parts: readonly Part[]; readonly atStart: boolean; readonly atEnd: boolean };

/** Longest part of a User-Agent that is read. */
const CHARACTERS = 512;
/** What a pattern's choices may come to. */
const SEQUENCES = 64;

/**
 * True for a User-Agent that a pattern of the list finds; one that is not sent is empty, which the list finds too.
 *
 * @throws TypeError for a pattern that cannot be read
 */
export function robotTest(patterns: readonly string[]): (userAgent: string | null) => boolean {
  const words: string[] = [];
  const sequences: Sequence[] = [];
  for (const each of patterns.flatMap(sequencesOf)) {
    const found = wordsOf(each);
    if (found === null) sequences.push(each);
    else words.push(...found);
  }
  const tree = treeOf(words);
  return (userAgent) => {
    const text = (userAgent ?? "").slice(0, CHARACTERS).toLowerCase();
    return hasWord(tree, text) || sequences.some((each) => isIn(text, each));
  };
}

/** Words by their characters, one behind the other. */
type Tree = { isEnd: boolean; readonly next: Map<number, Tree> };

function treeOf(words: readonly string[]): Tree {
  const tree: Tree = { isEnd: false, next: new Map() };
  for (const word of words) {
    let at = tree;
    for (let i = 0; i < word.length; i += 1) {
      const code = word.charCodeAt(i);
      const below = at.next.get(code) ?? { isEnd: false, next: new Map() };
      at.next.set(code, below);
      at = below;
    }
    at.isEnd = true;
  }
  return tree;
}

/** From each character as far as some word goes on: the longest word bounds it. */
function hasWord(tree: Tree, text: string): boolean {
  for (let from = 0; from < text.length; from += 1) {
    let at: Tree | undefined = tree;
    for (let i = from; at !== undefined && i < text.length; i += 1) {
      at = at.next.get(text.charCodeAt(i));
      if (at?.isEnd === true) return true;
    }
  }
  return false;
}

/** The pattern as plain texts that may occur anywhere, one per choice; null where it contains more, or has too many. */
function wordsOf({ parts, atStart, atEnd }: Sequence): readonly string[] | null {
  if (atStart || atEnd) return null;
  let words: readonly string[] = [""];
  for (const part of parts) {
    if (part === "any" || part.not) return null;
    words = words.flatMap((word) => [...part.oneOf].map((character) => word + character));
    if (words.length > SEQUENCES) return null;
  }
  return words;
}

function isIn(text: string, { parts, atStart, atEnd }: Sequence): boolean {
  const last = text.length - parts.length;
  const to = atStart ? Math.min(0, last) : last;
  for (let at = atEnd ? Math.max(0, last) : 0; at <= to; at += 1) {
    if ((!atEnd || at === last) && standsAt(text, at, parts)) return true;
  }
  return false;
}

function standsAt(text: string, at: number, parts: readonly Part[]): boolean {
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i];
    if (part === undefined || !holds(part, text.charAt(at + i))) return false;
  }
  return true;
}

const holds = (part: Part, character: string): boolean => part === "any" || part.oneOf.includes(character) !== part.not;

const DIGITS = "0123456789";
const BLANKS = " \t";

/** Every way in which the choices of a pattern can be taken. */
function sequencesOf(pattern: string): readonly Sequence[] {
  const atStart = pattern.startsWith("^");
  const atEnd = pattern.endsWith("$") && !pattern.endsWith("\\$");
  const inner = pattern.slice(atStart ? 1 : 0, atEnd ? -1 : undefined);
  let made: readonly (readonly Part[])[] = [[]];
  for (let at = 0; at < inner.length; ) {
    const { part, length } = partAt(inner, at, pattern);
    at += length;
    const repeat = /^\{(\d),(\d)\}/.exec(inner.slice(at));
    const [least, most] =
      repeat !== null ? [Number(repeat[1]), Number(repeat[2])] : inner[at] === "?" ? [0, 1] : [1, 1];
    at += repeat?.[0].length ?? (inner[at] === "?" ? 1 : 0);
    const choices = Array.from({ length: most - least + 1 }, (_, more) => times(part, least + more));
    made = made.flatMap((before) => choices.map((choice) => [...before, ...choice]));
    if (made.length > SEQUENCES) throw new TypeError(`The pattern ${pattern} has too many choices`);
  }
  return made.map((parts) => ({ parts, atStart, atEnd }));
}

const times = (parts: readonly Part[], count: number): readonly Part[] =>
  Array.from({ length: count }, () => parts).flat();

/** A part of a pattern and how long it is written: a character, a class, a group of single characters, or a group that is a text. */
function partAt(
  text: string,
  at: number,
  pattern: string,
): { readonly part: readonly Part[]; readonly length: number } {
  const character = text.charAt(at);
  if (character === "\\") return { part: [escaped(text.charAt(at + 1), pattern)], length: 2 };
  if (character === ".") return { part: ["any"], length: 1 };
  if (character === "[") {
    const end = text.indexOf("]", at + 1);
    if (end < 0) throw new TypeError(`The pattern ${pattern} has a class without an end`);
    const not = text.charAt(at + 1) === "^";
    return { part: [{ oneOf: classOf(text.slice(at + (not ? 2 : 1), end)), not }], length: end - at + 1 };
  }
  if (character === "(") {
    const end = text.indexOf(")", at + 1);
    if (end < 0) throw new TypeError(`The pattern ${pattern} has a group without an end`);
    const choices = text.slice(at + 1, end).split("|");
    if (choices.length === 1) return { part: [...(choices[0] ?? "").toLowerCase()].map(exactly), length: end - at + 1 };
    return { part: [{ oneOf: choices.map(classOf).join(""), not: false }], length: end - at + 1 };
  }
  if ("*+?{}|".includes(character)) throw new TypeError(`The pattern ${pattern} is of a form nobody knows`);
  return { part: [exactly(character.toLowerCase())], length: 1 };
}

const exactly = (character: string): Part => ({ oneOf: character, not: false });

function escaped(character: string, pattern: string): Part {
  if (character === "d") return { oneOf: DIGITS, not: false };
  if (character === "s") return { oneOf: BLANKS, not: false };
  if (character === "" || /[a-z0-9]/i.test(character))
    throw new TypeError(`The pattern ${pattern} is of a form nobody knows`);
  return exactly(character);
}

/** `\s`, `\+`, `0-9` and characters as they are. */
const classOf = (text: string): string =>
  text.replace("0-9", DIGITS).replaceAll("\\s", BLANKS).replaceAll("\\d", DIGITS).replaceAll("\\", "").toLowerCase();
