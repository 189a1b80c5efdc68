// Patterns of strangers compared with words (R27; reference 2.6): wildcards and regular expressions in Lucene's manner as a set of states that is
// walked once for each letter of a word. No pattern, however it is written, takes more than its states times the letters.
import { most } from "../../../shared/limits.ts";
import { BrokenQuery } from "./lexer.ts";
import type { PatternPart } from "./query.ts";

type Letters = { readonly isNot: boolean; readonly ranges: readonly (readonly [from: number, to: number])[] };
const ANY: Letters = { isNot: true, ranges: [] };

/** What comes next: a letter of a set, or several ways without one. */
type State = { readonly letters: Letters | null; readonly next: number[] };

/** Beginning and end of a part; the end has no way on yet. */
type Part = { readonly start: number; readonly end: number };

export type Automaton = {
  /** What every word it is true of begins with. */
  readonly prefix: string;
  readonly states: number;
  matches(word: string): boolean;
};

const STATES = 2_000;
const REPEATS = 50;
const GROUPS = 20;

const broken = (what: string): never => {
  throw new BrokenQuery(what);
};

function machine() {
  const states: State[] = [];
  const state = (letters: Letters | null): number => {
    if (states.length >= STATES) broken("the pattern is too large");
    return states.push({ letters, next: [] }) - 1;
  };
  const link = (from: number, to: number): void => void states[from]?.next.push(to);
  const empty = (): Part => {
    const at = state(null);
    return { start: at, end: at };
  };
  const one = (letters: Letters): Part => {
    const [start, end] = [state(letters), state(null)];
    link(start, end);
    return { start, end };
  };
  const chain = (parts: readonly Part[]): Part =>
    parts.reduce((before, part) => {
      link(before.end, part.start);
      return { start: before.start, end: part.end };
    }, empty());
  const either = (parts: readonly Part[]): Part => {
    const [start, end] = [state(null), state(null)];
    for (const part of parts) {
      link(start, part.start);
      link(part.end, end);
    }
    return { start, end };
  };
  const many = (part: Part): Part => {
    const [start, end] = [state(null), state(null)];
    link(start, part.start);
    link(start, end);
    link(part.end, start);
    return { start, end };
  };
  const maybe = (part: Part): Part => either([part, empty()]);
  return { states, empty, one, chain, either, many, maybe };
}

type Machine = ReturnType<typeof machine>;

function walked(states: readonly State[], { start, end }: Part, prefix: string): Automaton {
  const marks = new Uint32Array(states.length);
  let mark = 0;
  /** All states that are reached without a letter. */
  const reach = (from: number, into: number[]): void => {
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (marks[at] === mark) continue;
      marks[at] = mark;
      into.push(at);
      if (states[at]?.letters === null) open.push(...(states[at]?.next ?? []));
    }
  };
  return {
    prefix,
    states: states.length,
    matches(word) {
      mark += 1;
      let now: number[] = [];
      reach(start, now);
      for (const character of word) {
        const code = character.codePointAt(0) ?? 0;
        const next: number[] = [];
        mark += 1;
        for (const at of now) {
          const { letters, next: ways } = states[at] ?? { letters: null, next: [] };
          if (letters !== null && has(letters, code)) for (const way of ways) reach(way, next);
        }
        if (next.length === 0) return false;
        now = next;
      }
      return now.includes(end);
    },
  };
}

const has = ({ isNot, ranges }: Letters, code: number): boolean =>
  ranges.some(([from, to]) => code >= from && code <= to) !== isNot;

const lettersOf = (character: string): Letters => {
  const code = character.codePointAt(0) ?? 0;
  return { isNot: false, ranges: [[code, code]] };
};

/** `fold`: how the words of the index are written. @throws BrokenQuery */
export function wildcardAutomaton(parts: readonly PatternPart[], fold: (text: string) => string): Automaton {
  const made = machine();
  const folded = parts.map((part) => (part.kind === "letters" ? fold(part.text) : part.kind));
  if (folded.join("").length > most("patternCharacters")) broken("the pattern is too long");
  const all = made.chain(
    parts.flatMap((part, at) => {
      if (part.kind === "many") return [made.many(made.one(ANY))];
      if (part.kind === "one") return [made.one(ANY)];
      return [...(folded[at] ?? "")].map((character) => made.one(lettersOf(character)));
    }),
  );
  const [first] = parts;
  return walked(made.states, all, first?.kind === "letters" ? (folded[0] ?? "") : "");
}

/** @throws BrokenQuery for what is none, and for what Lucene alone knows: `~`, `&`, `<1-9>`, `@`, `#`. */
export function regexAutomaton(source: string, fold: (text: string) => string): Automaton {
  if (source.length > most("patternCharacters")) broken("the expression is too long");
  const made = machine();
  const { part, prefix } = read([...source], made, fold);
  return walked(made.states, part, prefix);
}

const UNKNOWN: ReadonlySet<string> = new Set(["~", "&", "<", ">", "@", "#", '"', "^", "$"]);

function read(
  characters: readonly string[],
  made: Machine,
  fold: (text: string) => string,
): { part: Part; prefix: string } {
  let at = 0;
  let prefix = "";
  let isPrefix = true;
  const here = (): string | undefined => characters[at];

  function ways(depth: number): Part {
    if (depth > GROUPS) broken("the expression is nested too deeply");
    const all = [sequence(depth)];
    while (here() === "|") {
      isPrefix = false;
      prefix = depth === 0 ? "" : prefix;
      at += 1;
      all.push(sequence(depth));
    }
    return all.length === 1 ? (all[0] ?? made.empty()) : made.either(all);
  }

  function sequence(depth: number): Part {
    const parts: Part[] = [];
    while (here() !== undefined && here() !== "|" && here() !== ")") parts.push(repeated(depth));
    return made.chain(parts);
  }

  /** A part is made as often as it is repeated. */
  function repeated(depth: number): Part {
    const from = at;
    const before = prefix;
    let part = single(depth);
    const end = at;
    const again = (): Part => {
      const [back, kept, keptPrefix] = [at, isPrefix, prefix];
      at = from;
      isPrefix = false;
      const made = single(depth);
      [at, isPrefix, prefix] = [back, kept, keptPrefix];
      return made;
    };
    for (let sign = here(); sign === "*" || sign === "+" || sign === "?" || sign === "{"; sign = here()) {
      if (at !== end) broken("a repetition is repeated");
      at += 1;
      isPrefix = false;
      if (sign !== "+") prefix = before;
      if (sign === "*") part = made.many(part);
      else if (sign === "?") part = made.maybe(part);
      else if (sign === "+") part = made.chain([part, made.many(again())]);
      else {
        const [least, greatest] = counts();
        part = made.chain([
          ...Array.from({ length: least }, (_, index) => (index === 0 ? part : again())),
          ...(greatest === null
            ? [made.many(again())]
            : Array.from({ length: greatest - least }, () => made.maybe(again()))),
        ]);
      }
    }
    return part;
  }

  /** `{2}`, `{2,}`, `{2,3}`, behind the brace. */
  function counts(): [number, number | null] {
    const close = characters.indexOf("}", at);
    const [, least, comma, greatest] = /^(\d{1,2})(,?)(\d{0,2})$/.exec(characters.slice(at, close).join("")) ?? [];
    if (close < 0 || least === undefined) return broken("a repetition cannot be read");
    at = close + 1;
    const from = Number(least);
    const to = comma === "" ? from : greatest === "" ? null : Number(greatest);
    if (from > REPEATS || (to !== null && (to < from || to > REPEATS))) broken("a repetition is too long");
    return [from, to];
  }

  function single(depth: number): Part {
    const character = here() ?? broken("the expression ends too soon");
    at += 1;
    if (character === "(") {
      isPrefix = false;
      const group = ways(depth + 1);
      if (here() !== ")") broken(") is missing");
      at += 1;
      return group;
    }
    if (character === ".") return notPrefix(made.one(ANY));
    if (character === "[") return notPrefix(made.one(letterSet()));
    if (character === "\\") return letter(characters[at++] ?? broken("nothing stands behind a backslash"));
    if (UNKNOWN.has(character) || "*+?{}]".includes(character)) broken(`${character} cannot be read`);
    return letter(character);
  }

  function letter(character: string): Part {
    const written = fold(character);
    if (isPrefix) prefix += written;
    return made.chain([...written].map((each) => made.one(lettersOf(each))));
  }

  function notPrefix(part: Part): Part {
    isPrefix = false;
    return part;
  }

  /** `[a-z]`, `[^0-9]`, behind the bracket. */
  function letterSet(): Letters {
    const isNot = here() === "^";
    if (isNot) at += 1;
    const ranges: [number, number][] = [];
    const one = (): number => {
      const character = here() ?? broken("] is missing");
      at += 1;
      const meant = character === "\\" ? (characters[at++] ?? broken("] is missing")) : character;
      return fold(meant).codePointAt(0) ?? meant.codePointAt(0) ?? 0;
    };
    while (here() !== "]") {
      const from = one();
      const isRange = here() === "-" && characters[at + 1] !== "]";
      if (isRange) at += 1;
      const to = isRange ? one() : from;
      if (to < from) broken("a range of letters ends before it begins");
      ranges.push([from, to]);
    }
    at += 1;
    return { isNot, ranges };
  }

  const part = ways(0);
  if (at < characters.length) broken(") has no beginning");
  return { part, prefix };
}
