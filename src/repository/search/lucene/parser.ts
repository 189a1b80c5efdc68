// Queries in Lucene's manner (R27; specification 3, search_records; reference 2.6): tokens to what they say. Words are alternatives, operators are
// written in capitals, AND binds tighter than OR. Whatever is no query is taken as words, so that nobody who types a title is refused.
import { most } from "../../../shared/limits.ts";
import { Refusal } from "../../../shared/refusal.ts";
import { BrokenQuery, type Token, tokensOfQuery } from "./lexer.ts";
import { type Clause, EXISTS, type LuceneQuery } from "./query.ts";

export type ParsedQuery = {
  /** Null: nothing was asked. */
  readonly query: LuceneQuery | null;
  /** `words`: the text is no query, and its words are alternatives. */
  readonly mode: "lucene" | "words";
};

/** Total: any text up to the limits is read. Throws invalid for a longer one, and for one with more patterns. */
export function parseLucene(text: string, name = "q"): ParsedQuery {
  if (text.length > most("luceneCharacters")) {
    throw new Refusal("invalid", `${name} may have ${most("luceneCharacters")} characters at most`);
  }
  if (text.trim() === "") return { query: null, mode: "lucene" };
  try {
    return { query: parsed(tokensOfQuery(text), name), mode: "lucene" };
  } catch (error) {
    if (!(error instanceof BrokenQuery)) throw error;
    return asWords(text);
  }
}

/** The words of a text, of which one must be there. */
export function asWords(text: string): ParsedQuery {
  const words = new Set(text.split(/\s+/u, most("lucenePartsRead")).filter((word) => word !== ""));
  const clauses = [...words].slice(0, most("luceneParts")).map(wordClause);
  return { query: { kind: "group", clauses }, mode: "words" };
}

const wordClause = (text: string): Clause => ({ occur: "should", of: { kind: "word", text } });

/** A clause as it was written: whether OR stood beside it decides what a NOT means. */
type Written = { readonly isPlus: boolean; readonly isNot: boolean; readonly of: LuceneQuery };

/** @throws BrokenQuery, and Refusal `invalid` for too many patterns. */
function parsed(tokens: readonly Token[], name: string): LuceneQuery {
  let at = 0;
  let parts = 0;
  const kindHere = (): Token["kind"] | undefined => tokens[at]?.kind;
  const broken = (what: string): never => {
    throw new BrokenQuery(what);
  };

  /** Clauses up to the end, or to the parenthesis that closes a group. */
  function clauses(depth: number): LuceneQuery {
    if (depth > most("luceneDepth")) broken("groups are nested too deeply");
    const written: Clause[] = [];
    let isAfterOr = false;
    while (at < tokens.length && kindHere() !== ")") {
      const { isPlus, isNot, of } = chain(depth);
      const isBeforeOr = kindHere() === "or";
      if (isBeforeOr) at += 1;
      if (isNot) written.push(isAfterOr || isBeforeOr ? should({ kind: "not", of }) : { occur: "not", of });
      else written.push(isPlus ? { occur: "must", of } : should(of));
      isAfterOr = isBeforeOr;
    }
    if (isAfterOr || written.length === 0) broken("something is missing");
    return grouped(written);
  }

  /** Operands with AND between them. */
  function chain(depth: number): Written {
    const first = modified(depth);
    if (kindHere() !== "and") return first;
    const all = [first];
    while (kindHere() === "and") {
      at += 1;
      all.push(modified(depth));
    }
    const of = all.map(({ isNot, of: each }): LuceneQuery => (isNot ? { kind: "not", of: each } : each));
    return { isPlus: false, isNot: false, of: { kind: "and", of } };
  }

  /** `+`, `-`, `!`, NOT before an operand; two of "not" are none. */
  function modified(depth: number): Written {
    let isPlus = false;
    let isNot = false;
    for (; ; at += 1) {
      const kind = kindHere();
      if (kind === "+") isPlus = true;
      else if (kind === "-" || kind === "not") isNot = !isNot;
      else break;
    }
    return { isPlus, isNot, of: boosted(depth) };
  }

  function boosted(depth: number): LuceneQuery {
    const of = primary(depth);
    const token = tokens[at];
    if (token?.kind !== "^") return of;
    at += 1;
    return { kind: "boost", by: token.number ?? 1, of };
  }

  function primary(depth: number): LuceneQuery {
    const token = tokens[at] ?? broken("something is missing");
    at += 1;
    parts += 1;
    if (parts > most("luceneParts")) broken("there are too many parts");
    switch (token.kind) {
      case "(": {
        const group = clauses(depth + 1);
        if (kindHere() !== ")") broken(") is missing");
        at += 1;
        return group;
      }
      case "field":
        return inField(token.path, depth + 1);
      case "word":
        return fuzzyOr({ kind: "word", text: token.text });
      case "pattern": {
        if (!isPattern(token)) return { kind: "all" };
        const characters = token.parts.reduce((sum, part) => sum + (part.kind === "letters" ? part.text.length : 1), 0);
        if (characters > most("patternCharacters")) broken("the pattern is too long");
        return { kind: "pattern", parts: token.parts };
      }
      case "phrase":
        return withSlop(token.text);
      case "regex":
        return { kind: "regex", source: token.source };
      case "range":
        return { kind: "range", from: token.from, to: token.to };
      default:
        return broken(`${token.kind} has nothing it belongs to`);
    }
  }

  function inField(path: string, depth: number): LuceneQuery {
    if (depth > most("luceneDepth")) broken("fields are nested too deeply");
    const of = primary(depth);
    if (path === "*" && of.kind === "all") return of;
    if (path !== EXISTS) return { kind: "field", path, of };
    if (of.kind !== "word" && of.kind !== "phrase") return broken("what should exist has no name");
    return { kind: "exists", path: of.text };
  }

  function fuzzyOr(word: LuceneQuery & { readonly kind: "word" }): LuceneQuery {
    const token = tokens[at];
    if (token?.kind !== "~") return word;
    at += 1;
    // Older texts write how alike words must be, from 0 to 1.
    const edits = token.number === null || !Number.isInteger(token.number) ? null : Math.min(token.number, MOST_EDITS);
    return { kind: "fuzzy", text: word.text, edits };
  }

  function withSlop(text: string): LuceneQuery {
    const token = tokens[at];
    if (token?.kind !== "~") return { kind: "phrase", text, slop: null };
    at += 1;
    return { kind: "phrase", text, slop: Math.floor(token.number ?? 0) };
  }

  const query = clauses(0);
  if (at < tokens.length) broken(") has no beginning");
  checkPatterns(tokens, name);
  return query;
}

/** Each pattern is compared with words of the index: few are allowed, and more are no title that somebody typed. */
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

/** One clause is what it says. */
function grouped(clauses: readonly Clause[]): LuceneQuery {
  const [only] = clauses;
  if (only === undefined || clauses.length > 1) return { kind: "group", clauses };
  return only.occur === "not" ? { kind: "not", of: only.of } : only.of;
}
