// Queries in Lucene's manner (R27; specification 3, search_records; reference 2.6): tokens to their meaning. Words are
// alternatives, operators are written in upper case, AND binds tighter than OR. Text that is not a query is read as
// words, so that nobody who types a title is refused.
import { most } from "../../../shared/limits.ts";
import { Refusal } from "../../../shared/refusal.ts";
import { BrokenQuery, type Token, tokensOfQuery } from "./lexer.ts";
import { type Clause, EXISTS, type LuceneQuery } from "./query.ts";

export type ParsedQuery = {
  /** Null: nothing was asked. */
  readonly query: LuceneQuery | null;
  /** `words`: the text is not a query, and its words are alternatives. */
  readonly mode: "lucene" | "words";
};

/** Total: any text up to the limits is read. Throws invalid for a longer one, and for one with more patterns. */
export function parseLucene(text: string, name = "q"): ParsedQuery {
  if (text.length > most("luceneCharacters")) {
    throw new Refusal("invalid", `${name} may have ${most("luceneCharacters")} characters at most`);
  }
  if (text.trim() === "") return { query: null, mode: "lucene" };
  try {
    return { query: new QueryParser(tokensOfQuery(withoutQuestionMark(text)), name).query(), mode: "lucene" };
  } catch (error) {
    if (!(error instanceof BrokenQuery)) throw error;
    return asWords(text);
  }
}

/** Of a question in words; anywhere else the mark is any one letter. */
function withoutQuestionMark(text: string): string {
  const question = text.trimEnd();
  const end = question.search(/\?{1,3}$/);
  if (end < 0 || IN_SYNTAX.test(question.slice(0, end))) return text;
  return question.slice(0, end).trim().split(/\s+/u, QUESTION_WORDS).length < QUESTION_WORDS
    ? text
    : question.slice(0, end);
}
const QUESTION_WORDS = 3;
/** What no question has that is words alone. */
const IN_SYNTAX = /[*?"()[\]{}~^:\\]|&&|\|\||(?:^|\s)(?:[-+!/]|AND\s|OR\s|NOT\s)/;

/** The words of a text, of which one must be there. */
export function asWords(text: string): ParsedQuery {
  const words = new Set(text.split(/\s+/u, most("lucenePartsRead")).filter((word) => word !== ""));
  const clauses = [...words].slice(0, most("luceneParts")).map(wordClause);
  return { query: { kind: "group", clauses }, mode: "words" };
}

const wordClause = (text: string): Clause => ({ occur: "should", of: { kind: "word", text } });

/** A clause as it was written: whether OR was next to it decides what a NOT means. */
type SourceClause = { readonly isPlus: boolean; readonly isNot: boolean; readonly of: LuceneQuery };

class QueryParser {
  readonly #tokens: readonly Token[];
  readonly #name: string;
  #at = 0;
  #parts = 0;

  constructor(tokens: readonly Token[], name: string) {
    this.#tokens = tokens;
    this.#name = name;
  }

  /** @throws BrokenQuery, and Refusal `invalid` for too many patterns. */
  query(): LuceneQuery {
    const query = this.#clauses(0);
    if (this.#at < this.#tokens.length) this.#broken(") has no beginning");
    checkPatterns(this.#tokens, this.#name);
    return query;
  }

  #kindHere(): Token["kind"] | undefined {
    return this.#tokens[this.#at]?.kind;
  }

  #broken(what: string): never {
    throw new BrokenQuery(what);
  }

  /** Clauses up to the end, or to the parenthesis that closes a group. */
  #clauses(depth: number): LuceneQuery {
    if (depth > most("luceneDepth")) this.#broken("groups are nested too deeply");
    const written: Clause[] = [];
    let isAfterOr = false;
    while (this.#at < this.#tokens.length && this.#kindHere() !== ")") {
      const { isPlus, isNot, of } = this.#chain(depth);
      const isBeforeOr = this.#kindHere() === "or";
      if (isBeforeOr) this.#at += 1;
      if (isNot) written.push(isAfterOr || isBeforeOr ? should({ kind: "not", of }) : { occur: "not", of });
      else written.push(isPlus ? { occur: "must", of } : should(of));
      isAfterOr = isBeforeOr;
    }
    if (isAfterOr || written.length === 0) this.#broken("something is missing");
    return grouped(written);
  }

  /** Operands with AND between them. */
  #chain(depth: number): SourceClause {
    const first = this.#modified(depth);
    if (this.#kindHere() !== "and") return first;
    const all = [first];
    while (this.#kindHere() === "and") {
      this.#at += 1;
      all.push(this.#modified(depth));
    }
    const of = all.map(({ isNot, of: each }): LuceneQuery => (isNot ? { kind: "not", of: each } : each));
    return { isPlus: false, isNot: false, of: { kind: "and", of } };
  }

  /** `+`, `-`, `!`, NOT before an operand; two of "not" are none. */
  #modified(depth: number): SourceClause {
    let isPlus = false;
    let isNot = false;
    for (; ; this.#at += 1) {
      const kind = this.#kindHere();
      if (kind === "+") isPlus = true;
      else if (kind === "-" || kind === "not") isNot = !isNot;
      else break;
    }
    return { isPlus, isNot, of: this.#boosted(depth) };
  }

  #boosted(depth: number): LuceneQuery {
    const of = this.#primary(depth);
    const token = this.#tokens[this.#at];
    if (token?.kind !== "^") return of;
    this.#at += 1;
    return { kind: "boost", by: token.number ?? 1, of };
  }

  #primary(depth: number): LuceneQuery {
    const token = this.#tokens[this.#at] ?? this.#broken("something is missing");
    this.#at += 1;
    this.#parts += 1;
    if (this.#parts > most("luceneParts")) this.#broken("there are too many parts");
    switch (token.kind) {
      case "(": {
        const group = this.#clauses(depth + 1);
        if (this.#kindHere() !== ")") this.#broken(") is missing");
        this.#at += 1;
        return group;
      }
      case "field":
        return this.#inField(token.path, depth + 1);
      case "word":
        return this.#fuzzyOr({ kind: "word", text: token.text });
      case "pattern": {
        if (!isPattern(token)) return { kind: "all" };
        const characters = token.parts.reduce((sum, part) => sum + (part.kind === "letters" ? part.text.length : 1), 0);
        if (characters > most("patternCharacters")) this.#broken("the pattern is too long");
        return { kind: "pattern", parts: token.parts };
      }
      case "phrase":
        return this.#withSlop(token.text);
      case "regex":
        return { kind: "regex", source: token.source };
      case "range":
        return { kind: "range", from: token.from, to: token.to };
      default:
        return this.#broken(`${token.kind} has nothing it belongs to`);
    }
  }

  #inField(path: string, depth: number): LuceneQuery {
    if (depth > most("luceneDepth")) this.#broken("fields are nested too deeply");
    const of = this.#primary(depth);
    if (path === "*" && of.kind === "all") return of;
    if (path !== EXISTS) return { kind: "field", path, of };
    if (of.kind !== "word" && of.kind !== "phrase") return this.#broken("what should exist has no name");
    return { kind: "exists", path: of.text };
  }

  #fuzzyOr(word: LuceneQuery & { readonly kind: "word" }): LuceneQuery {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "~") return word;
    this.#at += 1;
    // Older texts write how alike words must be, from 0 to 1.
    const edits = token.number === null || !Number.isInteger(token.number) ? null : Math.min(token.number, MOST_EDITS);
    return { kind: "fuzzy", text: word.text, edits };
  }

  #withSlop(text: string): LuceneQuery {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "~") return { kind: "phrase", text, slop: null };
    this.#at += 1;
    return { kind: "phrase", text, slop: Math.floor(token.number ?? 0) };
  }
}

/**
 * Each pattern is compared with words of the index: few are allowed, and a title that somebody typed does not have
 * more.
 */
function checkPatterns(tokens: readonly Token[], name: string): void {
  const patterns = tokens.filter(
    (token, at) =>
      token.kind === "regex" || isPattern(token) || (token.kind === "~" && tokens[at - 1]?.kind === "word"),
  ).length;
  if (patterns <= most("lucenePatterns")) return;
  const message = `${name} has ${patterns} patterns (* ? ~ /…/), ${most("lucenePatterns")} at most are allowed`;
  throw new Refusal("invalid", message, { detail: { errors: [{ field: name, messages: [message] }] } });
}

/** A `*` alone is everything. */
const isPattern = (token: Token): boolean =>
  token.kind === "pattern" && !(token.parts.length === 1 && token.parts[0]?.kind === "many");

/** Of an engine that knows more, two words would be alike by chance. */
const MOST_EDITS = 2;

const should = (of: LuceneQuery): Clause => ({ occur: "should", of });

/** One clause needs no wrapper. */
function grouped(clauses: readonly Clause[]): LuceneQuery {
  const [only] = clauses;
  if (only === undefined || clauses.length > 1) return { kind: "group", clauses };
  return only.occur === "not" ? { kind: "not", of: only.of } : only.of;
}
