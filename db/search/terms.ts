// The terms of the full text table (R27): every token and every key of a document is one term, a code of its field and
// then the token, so that one column without positions holds them all. SQLite's `ascii` tokenizer is configured to cut
// at spaces only; it would still fold A to Z to a to z, and a text ends for it at a NUL: such characters are escaped,
// so that tokens are compared byte by byte.
import type { IndexSchema, Key, SearchDocument } from "../../src/repository/search/document/document.ts";

/**
 * One character a code; behind `~` another one follows. No code begins another, so that all tokens of a field are those
 * that begin with its code.
 */
const CODES = "abcdefghijklmnopqrstuvwxyz0123456789!#$%&()*+,-./:;<=>?@[]^_`{|}";
const MORE_CODES = "~";
/** No text has this character: it precedes an escaped one. */
const ESCAPE = "\u{10ffff}";
/** Also the first half of other characters of the last plane, which nobody has. */
const MAYBE_WRITTEN_OTHERWISE = /[A-Z\0\udbff]/;
/** Begins a term that is not a token: the field has some token. */
const PRESENT = ESCAPE;
/** What a tokenizer of SQLite sees of a token. */
const MAX_TERM_LENGTH = 8_000;

/** Everything but the space and NUL is part of a token. */
export function tokenizerSetting(): string {
  const characters = Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1))
    .join("")
    .replace(" ", "");
  const setting = `ascii tokenchars '${characters.replaceAll("'", "''")}'`;
  return `"${setting.replaceAll('"', '""')}"`;
}

export type Terms = {
  /**
   * The term of a token, or of the beginning of one. Null: no document can have it.
   * @throws TypeError for a field that is not in the schema.
   */
  ofToken(field: string, token: string): string | null;
  /** The term of every document that has a token in the field. */
  ofAnyToken(field: string): string;
  /** The token of a term of this field. */
  tokenOf(field: string, term: string): string;
  ofKey(field: string, key: Key): string | null;
  /** What all terms of keys of this field begin with. */
  codeOfKeys(field: string): string;
  /** All terms of a document, with a space between two of them. */
  ofDocument(document: SearchDocument): string;
};

export function termsOf(schema: IndexSchema): Terms {
  const texts = new Map(schema.texts.map((name, index) => [name, codeOf(index)]));
  const keys = new Map(schema.keys.map((name, index) => [name, codeOf(schema.texts.length + index)]));
  const code = (fields: ReadonlyMap<string, string>, field: string): string => {
    const found = fields.get(field);
    if (found === undefined) throw new TypeError(`Cannot look into "${field}": the index has no such field`);
    return found;
  };
  return {
    ofToken: (field, token) => termOf(code(texts, field), token),
    tokenOf: (field, term) => unescaped(term.slice(code(texts, field).length)),
    ofAnyToken: (field) => PRESENT + code(texts, field),
    ofKey: (field, key) => (key === "" ? null : termOf(code(keys, field), key)),
    codeOfKeys: (field) => code(keys, field),
    ofDocument(document) {
      const parts: string[] = [];
      for (const [field, code] of texts) {
        const text = document.texts[field];
        const words = text === undefined || text === "" ? "" : withCode(code, text);
        if (words !== "") parts.push(words, PRESENT + code);
      }
      for (const [field, code] of keys) {
        const held = document.keys[field];
        if (held !== undefined) for (const key of held) parts.push(code + escaped(key));
      }
      return parts.join(" ");
    },
  };
}

function codeOf(index: number): string {
  return MORE_CODES.repeat(Math.floor(index / CODES.length)) + CODES.charAt(index % CODES.length);
}

function termOf(code: string, token: string): string | null {
  if (token.includes(" ") || token.length > MAX_TERM_LENGTH || !token.isWellFormed()) return null;
  return code + escaped(token);
}

function withCode(code: string, text: string): string {
  const even =
    text.startsWith(" ") || text.endsWith(" ") || text.includes("  ")
      ? text
          .split(" ")
          .filter((token) => token !== "")
          .join(" ")
      : text;
  return even === "" ? "" : code + escaped(even).replaceAll(" ", ` ${code}`);
}

function escaped(text: string): string {
  if (!MAYBE_WRITTEN_OTHERWISE.test(text)) return text;
  return text
    .replaceAll(ESCAPE, ESCAPE + ESCAPE)
    .replaceAll("\0", `${ESCAPE}0`)
    .replace(/[A-Z]/g, (letter) => ESCAPE + letter.toLowerCase());
}

function unescaped(term: string): string {
  if (!term.includes(ESCAPE)) return term;
  return term.replace(WRITTEN_OTHERWISE, (_all, written: string) =>
    written === ESCAPE ? ESCAPE : written === "0" ? "\0" : written.toUpperCase(),
  );
}
const WRITTEN_OTHERWISE = new RegExp(`${ESCAPE}(${ESCAPE}|[0a-z])`, "gu");

/** A term as the language of full text queries has it, whatever is in it. */
export function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}
