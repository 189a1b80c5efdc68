// The words and signs of a query in Lucene's manner (R27; reference 2.6): text to tokens, one character after the other, so that any text takes time
// in proportion to its length.
import { type Bound, type PatternPart, SCHEMES } from "./query.ts";

export type Token =
  | { readonly kind: "(" | ")" | "and" | "or" | "not" | "+" | "-" }
  /** What stands before a colon. */
  | { readonly kind: "field"; readonly path: string }
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "pattern"; readonly parts: readonly PatternPart[] }
  | { readonly kind: "phrase"; readonly text: string }
  | { readonly kind: "regex"; readonly source: string }
  | { readonly kind: "range"; readonly from: Bound; readonly to: Bound }
  /** Behind a word or a phrase, a number or none behind them. */
  | { readonly kind: "~" | "^"; readonly number: number | null };

/** The text is no query: it is taken as words. */
export class BrokenQuery extends Error {
  override readonly name = "BrokenQuery";
}

const isBlank = (character: string): boolean => character.trim() === "";
/** A word goes on to one of these, or to a blank. */
const ENDS_WORD: ReadonlySet<string> = new Set(["(", ")", '"', "[", "]", "{", "}", "^", "~", ":"]);
/** Numbers are short, and so are the names of what is written with a colon inside. */
const NUMBER_CHARACTERS = 12;
const NUMBER_DIGITS = 4;
/** None is longer: a long word is not looked at once more for each of its colons. */
const SCHEME_LETTERS = 10;

export function tokensOfQuery(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;

  const here = (): string => text.charAt(at);
  const broken = (what: string): never => {
    throw new BrokenQuery(what);
  };

  /** The text up to an end sign, which is left behind; a backslash means the next character as it is. */
  function upTo(end: string, keepsEscapes: boolean): string {
    let from = at;
    let read = "";
    for (; at < text.length; at += 1) {
      const character = here();
      if (character === "\\" && at + 1 < text.length) {
        if (!keepsEscapes) {
          read += text.slice(from, at);
          from = at + 1;
        }
        at += 1;
      } else if (character === end) {
        read += text.slice(from, at);
        at += 1;
        return read;
      }
    }
    return broken(`${end} is missing`);
  }

  function numberBehind(): number | null {
    let end = at;
    while (end < text.length && end - at < NUMBER_CHARACTERS && /[\d.]/.test(text.charAt(end))) end += 1;
    if (end === at) return null;
    const number = Number(text.slice(at, end));
    if (!Number.isFinite(number)) broken("a number cannot be read");
    at = end;
    return Number(number.toFixed(NUMBER_DIGITS));
  }

  function skipBlanks(): void {
    while (at < text.length && isBlank(here())) at += 1;
  }

  /** One end of a range: in quotes, or up to a blank or the bracket. */
  function boundText(): string | null {
    skipBlanks();
    if (here() === '"') {
      at += 1;
      return upTo('"', false);
    }
    let read = "";
    for (; at < text.length && !isBlank(here()) && here() !== "]" && here() !== "}"; at += 1) {
      if (here() === "\\" && at + 1 < text.length) at += 1;
      read += here();
    }
    if (read === "") broken("a range has no end");
    return read === "*" ? null : read;
  }

  function range(): Token {
    const isFromIncluded = here() === "[";
    at += 1;
    const from = boundText();
    skipBlanks();
    if (text.slice(at, at + 2) !== "TO" || !isBlank(text.charAt(at + 2))) broken("a range has no TO");
    at += 2;
    const to = boundText();
    skipBlanks();
    const close = here();
    if (close !== "]" && close !== "}") broken("a range is not closed");
    at += 1;
    return {
      kind: "range",
      from: { value: from, included: isFromIncluded },
      to: { value: to, included: close === "]" },
    };
  }

  /** `>2017`, `<=3` behind a colon. */
  function comparison(): Token {
    const isUpper = here() === "<";
    at += 1;
    const included = here() === "=";
    if (included) at += 1;
    const value = boundText();
    const open = { value: null, included: true };
    const bound = { value, included };
    return { kind: "range", from: isUpper ? open : bound, to: isUpper ? bound : open };
  }

  function word(): Token {
    const parts: PatternPart[] = [];
    let letters = "";
    let isEscaped = false;
    let hasColon = false;
    const isAfterField = tokens.at(-1)?.kind === "field";
    const take = (): void => {
      if (letters !== "") parts.push({ kind: "letters", text: letters });
      letters = "";
    };
    for (; at < text.length; at += 1) {
      const character = here();
      if (character === "\\") {
        if (at + 1 >= text.length) broken("nothing stands behind a backslash");
        at += 1;
        letters += here();
        isEscaped = true;
      } else if (character === ":" && !isEscaped && parts.length === 0 && isScheme(letters)) {
        // What follows belongs to the address.
        letters += character;
        hasColon = true;
      } else if (character === ":" && (isAfterField || hasColon) && !isAddressEnd()) {
        // A second colon is part of a value.
        letters += character;
      } else if (isBlank(character) || ENDS_WORD.has(character)) break;
      else if (character === "*" || character === "?") {
        take();
        if (parts.at(-1)?.kind !== "many" || character === "?") {
          parts.push({ kind: character === "*" ? "many" : "one" });
        }
      } else letters += character;
    }
    take();
    const [only] = parts;
    if (parts.length === 1 && only?.kind === "letters") {
      return isEscaped ? { kind: "word", text: only.text } : (operator(only.text) ?? { kind: "word", text: only.text });
    }
    return { kind: "pattern", parts };
  }

  const isScheme = (letters: string): boolean =>
    letters.length <= SCHEME_LETTERS && SCHEMES.has(letters.toLowerCase()) && !isAddressEnd();
  /** Behind the colon stands a blank, a phrase, a group: then it was a field's. */
  const isAddressEnd = (): boolean => {
    const next = text.charAt(at + 1);
    return next === "" || isBlank(next) || ENDS_WORD.has(next);
  };

  /** `*` before a colon is every field. */
  function fieldName(token: Token): string {
    if (token.kind === "word") return token.text;
    if (token.kind === "pattern" && token.parts.length === 1 && token.parts[0]?.kind === "many") return "*";
    return broken("a field has no name");
  }

  while (at < text.length) {
    const character = here();
    const next = text.charAt(at + 1);
    const isAfterField = tokens.at(-1)?.kind === "field";
    if (isBlank(character)) at += 1;
    else if (character === "(" || character === ")") {
      tokens.push({ kind: character });
      at += 1;
    } else if (character === '"') {
      at += 1;
      tokens.push({ kind: "phrase", text: upTo('"', false) });
    } else if (character === "[" || character === "{") tokens.push(range());
    else if (isAfterField && (character === ">" || character === "<")) tokens.push(comparison());
    else if (character === "/") {
      at += 1;
      tokens.push({ kind: "regex", source: upTo("/", true) });
    } else if (character === "~" || character === "^") {
      const before = text.charAt(at - 1);
      at += 1;
      if (at === 1 || isBlank(before) || before === "(") broken(`${character} stands alone`);
      const number = numberBehind();
      if (character === "^" && number === null) broken("a boost has no number");
      tokens.push({ kind: character, number });
    } else if ((character === "&" && next === "&") || (character === "|" && next === "|")) {
      tokens.push({ kind: character === "&" ? "and" : "or" });
      at += 2;
    } else if (character === "+" || character === "-" || character === "!") {
      at += 1;
      // Alone it is punctuation, as a dash in a title is.
      if (next !== "" && !isBlank(next)) tokens.push({ kind: character === "!" ? "not" : character });
    } else if (character === "]" || character === "}" || character === ":") broken(`${character} stands alone`);
    else {
      const token = word();
      if (here() === ":") {
        at += 1;
        tokens.push({ kind: "field", path: fieldName(token) });
      } else tokens.push(token);
    }
  }
  return tokens;
}

function operator(text: string): Token | null {
  if (text === "AND") return { kind: "and" };
  if (text === "OR") return { kind: "or" };
  return text === "NOT" ? { kind: "not" } : null;
}
