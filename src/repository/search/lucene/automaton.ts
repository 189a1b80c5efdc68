// Patterns from outside compared with words (R27; reference 2.6): wildcards and regular expressions in Lucene's manner.
// A pattern is compiled to a nondeterministic automaton with bounded states (Thompson). Its deterministic form is built
// while words are compared, and bounded too, so that a letter usually costs one step, and never more than the states of
// the pattern.
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
  matches(word: string): boolean;
  /** Steps of all comparisons until now: letters, and states visited to learn what a letter leads to. */
  steps(): number;
};

const STATES = 1_000;
/** States of the deterministic form that are kept: they are forgotten when there are more. */
const KNOWN_STATES = 500;
const REPEATS = 50;
const GROUPS = 20;

const broken = (what: string): never => {
  throw new BrokenQuery(what);
};

/** The states of a pattern, made part by part. */
class Machine {
  readonly states: State[] = [];

  empty(): Part {
    const at = this.#state(null);
    return { start: at, end: at };
  }

  one(letters: Letters): Part {
    const [start, end] = [this.#state(letters), this.#state(null)];
    this.#link(start, end);
    return { start, end };
  }

  chain(parts: readonly Part[]): Part {
    return parts.reduce((before, part) => {
      this.#link(before.end, part.start);
      return { start: before.start, end: part.end };
    }, this.empty());
  }

  either(parts: readonly Part[]): Part {
    const [start, end] = [this.#state(null), this.#state(null)];
    for (const part of parts) {
      this.#link(start, part.start);
      this.#link(part.end, end);
    }
    return { start, end };
  }

  many(part: Part): Part {
    const [start, end] = [this.#state(null), this.#state(null)];
    this.#link(start, part.start);
    this.#link(start, end);
    this.#link(part.end, start);
    return { start, end };
  }

  maybe(part: Part): Part {
    return this.either([part, this.empty()]);
  }

  #state(letters: Letters | null): number {
    if (this.states.length >= STATES) broken("the pattern is too large");
    return this.states.push({ letters, next: [] }) - 1;
  }

  #link(from: number, to: number): void {
    this.states[from]?.next.push(to);
  }
}

/**
 * A set of states of the pattern, and which set each class of letters leads to; undefined: not known yet, null: none.
 */
type KnownState = {
  readonly states: readonly number[];
  readonly isEnd: boolean;
  readonly next: (KnownState | null | undefined)[];
};

function compiledAutomaton(states: readonly State[], { start, end }: Part, prefix: string): Automaton {
  const classes = letterClasses(states);
  const known = new Map<string, KnownState>();
  const marks = new Uint32Array(states.length);
  let mark = 0;
  let steps = 0;

  /** All states that are reached without a letter. */
  function reach(from: number, into: number[]): void {
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (marks[at] === mark) continue;
      marks[at] = mark;
      steps += 1;
      into.push(at);
      if (states[at]?.letters === null) open.push(...(states[at]?.next ?? []));
    }
  }

  function knownState(reached: number[]): KnownState {
    // What has no letter leads nowhere from here.
    const kept = reached.filter((at) => at === end || states[at]?.letters !== null).sort((one, other) => one - other);
    const name = kept.join();
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= KNOWN_STATES) known.clear();
    const made: KnownState = { states: kept, isEnd: kept.includes(end), next: [] };
    known.set(name, made);
    return made;
  }

  function follow(from: KnownState, letterClass: number): KnownState | null {
    const code = classes.oneOf(letterClass);
    const reached: number[] = [];
    mark += 1;
    for (const at of from.states) {
      steps += 1;
      const { letters, next } = states[at] ?? { letters: null, next: [] };
      if (letters !== null && has(letters, code)) for (const way of next) reach(way, reached);
    }
    const next = reached.length === 0 ? null : knownState(reached);
    from.next[letterClass] = next;
    return next;
  }

  const first: number[] = [];
  mark += 1;
  reach(start, first);
  const begin = knownState(first);
  return {
    prefix,
    steps: () => steps,
    matches(word) {
      let now: KnownState = begin;
      for (const character of word) {
        steps += 1;
        const letterClass = classes.of(character.codePointAt(0) ?? 0);
        const known = now.next[letterClass];
        const next = known === undefined ? follow(now, letterClass) : known;
        if (next === null) return false;
        now = next;
      }
      return now.isEnd;
    },
  };
}

/** Letters that every set of the pattern treats alike are one class. */
function letterClasses(states: readonly State[]) {
  const beginnings = new Set<number>();
  for (const { letters } of states) {
    for (const [from, to] of letters?.ranges ?? []) beginnings.add(from).add(to + 1);
  }
  const sorted = [...beginnings].sort((one, other) => one - other);
  return {
    of(code: number): number {
      let [low, high] = [0, sorted.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((sorted[middle] ?? 0) <= code) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    /** A letter of the class. Those before the first beginning are in no range. */
    oneOf: (letterClass: number): number => sorted[letterClass - 1] ?? -1,
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
  const made = new Machine();
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
  return compiledAutomaton(made.states, all, first?.kind === "letters" ? (folded[0] ?? "") : "");
}

/** @throws BrokenQuery for what is none, and for what Lucene alone knows: `~`, `&`, `<1-9>`, `@`, `#`. */
export function regexAutomaton(source: string, fold: (text: string) => string): Automaton {
  if (source.length > most("patternCharacters")) broken("the expression is too long");
  const made = new Machine();
  const { part, prefix } = new RegexReader([...source], made, fold).read();
  return compiledAutomaton(made.states, part, prefix);
}

const UNKNOWN: ReadonlySet<string> = new Set(["~", "&", "<", ">", "@", "#", '"', "^", "$"]);

class RegexReader {
  readonly #characters: readonly string[];
  readonly #made: Machine;
  readonly #fold: (text: string) => string;
  #at = 0;
  #prefix = "";
  #isPrefix = true;

  constructor(characters: readonly string[], made: Machine, fold: (text: string) => string) {
    this.#characters = characters;
    this.#made = made;
    this.#fold = fold;
  }

  /** The machine of the whole expression, and the text with which everything that fits it begins. */
  read(): { readonly part: Part; readonly prefix: string } {
    const part = this.#ways(0);
    if (this.#at < this.#characters.length) broken(") has no beginning");
    return { part, prefix: this.#prefix };
  }

  #here(): string | undefined {
    return this.#characters[this.#at];
  }

  #ways(depth: number): Part {
    if (depth > GROUPS) broken("the expression is nested too deeply");
    const all = [this.#sequence(depth)];
    while (this.#here() === "|") {
      this.#isPrefix = false;
      this.#prefix = depth === 0 ? "" : this.#prefix;
      this.#at += 1;
      all.push(this.#sequence(depth));
    }
    return all.length === 1 ? (all[0] ?? this.#made.empty()) : this.#made.either(all);
  }

  #sequence(depth: number): Part {
    const parts: Part[] = [];
    while (this.#here() !== undefined && this.#here() !== "|" && this.#here() !== ")")
      parts.push(this.#repeated(depth));
    return this.#made.chain(parts);
  }

  /** A part is made as often as it is repeated. */
  #repeated(depth: number): Part {
    const from = this.#at;
    const before = this.#prefix;
    let part = this.#single(depth);
    const end = this.#at;
    const again = (): Part => {
      const [back, kept, keptPrefix] = [this.#at, this.#isPrefix, this.#prefix];
      this.#at = from;
      this.#isPrefix = false;
      const made = this.#single(depth);
      [this.#at, this.#isPrefix, this.#prefix] = [back, kept, keptPrefix];
      return made;
    };
    for (let sign = this.#here(); sign === "*" || sign === "+" || sign === "?" || sign === "{"; sign = this.#here()) {
      if (this.#at !== end) broken("a repetition is repeated");
      this.#at += 1;
      this.#isPrefix = false;
      if (sign !== "+") this.#prefix = before;
      if (sign === "*") part = this.#made.many(part);
      else if (sign === "?") part = this.#made.maybe(part);
      else if (sign === "+") part = this.#made.chain([part, this.#made.many(again())]);
      else {
        const [least, greatest] = this.#counts();
        part = this.#made.chain([
          ...Array.from({ length: least }, (_, index) => (index === 0 ? part : again())),
          ...(greatest === null
            ? [this.#made.many(again())]
            : Array.from({ length: greatest - least }, () => this.#made.maybe(again()))),
        ]);
      }
    }
    return part;
  }

  /** `{2}`, `{2,}`, `{2,3}`, after the brace. */
  #counts(): [number, number | null] {
    const close = this.#characters.indexOf("}", this.#at);
    const [, least, comma, greatest] =
      /^(\d{1,2})(,?)(\d{0,2})$/.exec(this.#characters.slice(this.#at, close).join("")) ?? [];
    if (close < 0 || least === undefined) return broken("a repetition cannot be read");
    this.#at = close + 1;
    const from = Number(least);
    const to = comma === "" ? from : greatest === "" ? null : Number(greatest);
    if (from > REPEATS || (to !== null && (to < from || to > REPEATS))) broken("a repetition is too long");
    return [from, to];
  }

  #single(depth: number): Part {
    const character = this.#here() ?? broken("the expression ends too soon");
    this.#at += 1;
    if (character === "(") {
      this.#isPrefix = false;
      const group = this.#ways(depth + 1);
      if (this.#here() !== ")") broken(") is missing");
      this.#at += 1;
      return group;
    }
    if (character === ".") return this.#notPrefix(this.#made.one(ANY));
    if (character === "[") return this.#notPrefix(this.#made.one(this.#letterSet()));
    if (character === "\\") return this.#letter(this.#characters[this.#at++] ?? broken("nothing follows a backslash"));
    if (UNKNOWN.has(character) || "*+?{}]".includes(character)) broken(`${character} cannot be read`);
    return this.#letter(character);
  }

  #letter(character: string): Part {
    const written = this.#fold(character);
    if (this.#isPrefix) this.#prefix += written;
    return this.#made.chain([...written].map((each) => this.#made.one(lettersOf(each))));
  }

  #notPrefix(part: Part): Part {
    this.#isPrefix = false;
    return part;
  }

  /** `[a-z]`, `[^0-9]`, after the bracket. */
  #letterSet(): Letters {
    const isNot = this.#here() === "^";
    if (isNot) this.#at += 1;
    const ranges: [number, number][] = [];
    const one = (): number => {
      const character = this.#here() ?? broken("] is missing");
      this.#at += 1;
      const meant = character === "\\" ? (this.#characters[this.#at++] ?? broken("] is missing")) : character;
      return this.#fold(meant).codePointAt(0) ?? meant.codePointAt(0) ?? 0;
    };
    while (this.#here() !== "]") {
      const from = one();
      const isRange = this.#here() === "-" && this.#characters[this.#at + 1] !== "]";
      if (isRange) this.#at += 1;
      const to = isRange ? one() : from;
      if (to < from) broken("a range of letters ends before it begins");
      ranges.push([from, to]);
    }
    this.#at += 1;
    return { isNot, ranges };
  }
}
