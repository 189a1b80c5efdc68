// The words and signs of a query in Lucene's manner (R27; reference 2.6): text to tokens, one character after the
// other, so that any text takes time in proportion to its length.
import { type Bound, type PatternPart, SCHEMES } from "./query.ts";

export type Token =
  | { readonly kind: "(" | ")" | "and" | "or" | "not" | "+" | "-" }
  /** The word before a colon. */
  | { readonly kind: "field"; readonly path: string }
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "pattern"; readonly parts: readonly PatternPart[] }
  | { readonly kind: "phrase"; readonly text: string }
  | { readonly kind: "regex"; readonly source: string }
  | { readonly kind: "range"; readonly from: Bound; readonly to: Bound }
  /** After a word or a phrase; a number or nothing follows. */
  | { readonly kind: "~" | "^"; readonly number: number | null };

/** The text is not a query: it is read as words. */
export class BrokenQuery extends Error {
  override readonly name = "BrokenQuery";
}

const isBlank = (character: string): boolean => character.trim() === "";
/** A word ends at one of these, or at a blank. */
const ENDS_WORD: ReadonlySet<string> = new Set(["(", ")", '"', "[", "]", "{", "}", "^", "~", ":"]);
/** Numbers are short, and so are the names of what is written with a colon inside. */
const NUMBER_CHARACTERS = 12;
const NUMBER_DIGITS = 4;
/** None is longer: a long word is not read again for each of its colons. */
const SCHEME_LETTERS = 10;

export const tokensOfQuery = (text: string): readonly Token[] => new QueryLexer(text).tokens();

class QueryLexer {
  readonly #text: string;
  readonly #tokens: Token[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  tokens(): readonly Token[] {
    while (this.#at < this.#text.length) {
      const character = this.#here();
      if (isBlank(character)) this.#at += 1;
      else if (character === "(" || character === ")") this.#push({ kind: character }, 1);
      else if (character === '"') {
        this.#at += 1;
        this.#tokens.push({ kind: "phrase", text: this.#upTo('"', false) });
      } else if (character === "[" || character === "{") this.#tokens.push(this.#range());
      else if (this.#isAfterField() && (character === ">" || character === "<")) this.#tokens.push(this.#comparison());
      else if (character === "/") {
        this.#at += 1;
        this.#tokens.push({ kind: "regex", source: this.#upTo("/", true) });
      } else if (character === "~" || character === "^") this.#tokens.push(this.#suffix(character));
      else if (!this.#readOperator(character)) this.#readWord();
    }
    return this.#tokens;
  }

  #push(token: Token, characters: number): void {
    this.#tokens.push(token);
    this.#at += characters;
  }

  #isAfterField(): boolean {
    return this.#tokens.at(-1)?.kind === "field";
  }

  /** `~2`, `^1.5` after a word or a phrase. */
  #suffix(character: "~" | "^"): Token {
    const before = this.#text.charAt(this.#at - 1);
    this.#at += 1;
    if (this.#at === 1 || isBlank(before) || before === "(") this.#broken(`${character} has nothing before it`);
    const number = this.#numberAfter();
    if (character === "^" && number === null) this.#broken("a boost has no number");
    return { kind: character, number };
  }

  /** `&&`, `||`, `+`, `-`, `!`; false: something else follows. */
  #readOperator(character: string): boolean {
    const next = this.#text.charAt(this.#at + 1);
    if ((character === "&" || character === "|") && next === character) {
      this.#push({ kind: character === "&" ? "and" : "or" }, 2);
      return true;
    }
    if (character !== "+" && character !== "-" && character !== "!") return false;
    this.#at += 1;
    // Alone it is punctuation, as a dash in a title is.
    if (next !== "" && !isBlank(next)) this.#tokens.push({ kind: character === "!" ? "not" : character });
    return true;
  }

  /** A word, or the name of a field before its colon. */
  #readWord(): void {
    const character = this.#here();
    if (character === "]" || character === "}" || character === ":") this.#broken(`${character} is not expected here`);
    const token = this.#word();
    if (this.#here() === ":") this.#push({ kind: "field", path: this.#fieldName(token) }, 1);
    else this.#tokens.push(token);
  }

  #here(): string {
    return this.#text.charAt(this.#at);
  }

  #broken(what: string): never {
    throw new BrokenQuery(what);
  }

  /** The text up to an end sign, which is consumed; a backslash means the next character as it is. */
  #upTo(end: string, keepsEscapes: boolean): string {
    let from = this.#at;
    let read = "";
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#here();
      if (character === "\\" && this.#at + 1 < this.#text.length) {
        if (!keepsEscapes) {
          read += this.#text.slice(from, this.#at);
          from = this.#at + 1;
        }
        this.#at += 1;
      } else if (character === end) {
        read += this.#text.slice(from, this.#at);
        this.#at += 1;
        return read;
      }
    }
    return this.#broken(`${end} is missing`);
  }

  #numberAfter(): number | null {
    let end = this.#at;
    while (end < this.#text.length && end - this.#at < NUMBER_CHARACTERS && /[\d.]/.test(this.#text.charAt(end)))
      end += 1;
    if (end === this.#at) return null;
    const number = Number(this.#text.slice(this.#at, end));
    if (!Number.isFinite(number)) this.#broken("a number cannot be read");
    this.#at = end;
    return Number(number.toFixed(NUMBER_DIGITS));
  }

  #skipBlanks(): void {
    while (this.#at < this.#text.length && isBlank(this.#here())) this.#at += 1;
  }

  /** One end of a range: in quotes, or up to a blank or the bracket. */
  #boundText(): string | null {
    this.#skipBlanks();
    if (this.#here() === '"') {
      this.#at += 1;
      return this.#upTo('"', false);
    }
    let read = "";
    for (
      ;
      this.#at < this.#text.length && !isBlank(this.#here()) && this.#here() !== "]" && this.#here() !== "}";
      this.#at += 1
    ) {
      if (this.#here() === "\\" && this.#at + 1 < this.#text.length) this.#at += 1;
      read += this.#here();
    }
    if (read === "") this.#broken("a range has no end");
    return read === "*" ? null : read;
  }

  #range(): Token {
    const isFromIncluded = this.#here() === "[";
    this.#at += 1;
    const from = this.#boundText();
    this.#skipBlanks();
    if (this.#text.slice(this.#at, this.#at + 2) !== "TO" || !isBlank(this.#text.charAt(this.#at + 2)))
      this.#broken("a range has no TO");
    this.#at += 2;
    const to = this.#boundText();
    this.#skipBlanks();
    const close = this.#here();
    if (close !== "]" && close !== "}") this.#broken("a range is not closed");
    this.#at += 1;
    return {
      kind: "range",
      from: { value: from, included: isFromIncluded },
      to: { value: to, included: close === "]" },
    };
  }

  /** `>2017`, `<=3` after a colon. */
  #comparison(): Token {
    const isUpper = this.#here() === "<";
    this.#at += 1;
    const included = this.#here() === "=";
    if (included) this.#at += 1;
    const value = this.#boundText();
    const open = { value: null, included: true };
    const bound = { value, included };
    return { kind: "range", from: isUpper ? open : bound, to: isUpper ? bound : open };
  }

  #word(): Token {
    const parts: PatternPart[] = [];
    let letters = "";
    let isEscaped = false;
    let hasColon = false;
    const isAfterField = this.#isAfterField();
    const take = (): void => {
      if (letters !== "") parts.push({ kind: "letters", text: letters });
      letters = "";
    };
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#here();
      if (character === "\\") {
        if (this.#at + 1 >= this.#text.length) this.#broken("nothing follows a backslash");
        this.#at += 1;
        letters += this.#here();
        isEscaped = true;
      } else if (character === ":" && !isEscaped && parts.length === 0 && this.#isScheme(letters)) {
        // What follows belongs to the address.
        letters += character;
        hasColon = true;
      } else if (character === ":" && (isAfterField || hasColon) && !this.#isAddressEnd()) {
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

  #isScheme(letters: string): boolean {
    return letters.length <= SCHEME_LETTERS && SCHEMES.has(letters.toLowerCase()) && !this.#isAddressEnd();
  }

  /** After the colon there is a blank, a phrase or a group: then it was the colon of a field. */
  #isAddressEnd(): boolean {
    const next = this.#text.charAt(this.#at + 1);
    return next === "" || isBlank(next) || ENDS_WORD.has(next);
  }

  /** `*` before a colon is every field. */
  #fieldName(token: Token): string {
    if (token.kind === "word") return token.text;
    if (token.kind === "pattern" && token.parts.length === 1 && token.parts[0]?.kind === "many") return "*";
    return this.#broken("a field has no name");
  }
}

function operator(text: string): Token | null {
  if (text === "AND") return { kind: "and" };
  if (text === "OR") return { kind: "or" };
  return text === "NOT" ? { kind: "not" } : null;
}
