// The grammar of BibTeX: entries with fields, values in braces, quotes, numbers and macros joined by "#", texts of TeX
// as Unicode. One pass.
import { DocumentError } from "../../shared/document-error.ts";
import { most } from "../../shared/limits.ts";
import { own } from "../../shared/objects.ts";
import { normalForm } from "../../shared/text/text.ts";

export type BibtexEntry = {
  readonly type: string;
  readonly key: string;
  /** By name in lower case, as written. */
  readonly fields: ReadonlyMap<string, string>;
  readonly line: number;
};

const ENTRIES_MAX = 1_000;
const FIELDS_MAX = 200;
/** Braces inside each other. */
const DEPTH_MAX = 100;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Every entry of a file, without comments and preambles. @throws DocumentError naming the line. */
export const readBibtex = (text: string): readonly BibtexEntry[] => new BibtexReader(text).entries();

class BibtexReader {
  readonly #text: string;
  readonly #entries: BibtexEntry[] = [];
  readonly #macros = new Map(MONTHS.map((month, index) => [month, String(index + 1)]));
  #at = 0;
  /** Characters that macros have put into values so far: each may name the one before it twice. */
  #expanded = 0;
  /** The line of a character. */
  readonly #lines: (at: number) => number;

  constructor(text: string) {
    this.#text = text;
    this.#lines = lineCounter(this.#text);
  }

  entries(): readonly BibtexEntry[] {
    for (let open = this.#text.indexOf("@", this.#at); open !== -1; open = this.#text.indexOf("@", this.#at)) {
      // A comment of one line, as exports write before an entry.
      const between = this.#text.slice(this.#at, open);
      const comment = between.lastIndexOf("%");
      if (comment !== -1 && !between.includes("\n", comment)) {
        const next = this.#text.indexOf("\n", open);
        this.#at = next === -1 ? this.#text.length : next;
      } else this.#entry(open);
    }
    return this.#entries;
  }

  /** An entry, a macro, or what is skipped: a comment or a preamble. `open`: where its "@" is. */
  #entry(open: number): void {
    this.#at = open + 1;
    const line = this.#lines(open);
    const type = this.#word().toLowerCase();
    this.#space();
    const bracket = this.#text[this.#at];
    if (bracket !== "{" && bracket !== "(") return;
    const end = bracket === "{" ? "}" : ")";
    if (type === "comment" || type === "preamble") {
      if (bracket === "{") this.#braced();
      return;
    }
    this.#at++;
    this.#space();
    if (type === "string") {
      for (const [name, written] of this.#fields(end)) this.#macros.set(name, written);
      return;
    }
    const start = this.#at;
    while (this.#at < this.#text.length && this.#text[this.#at] !== "," && this.#text[this.#at] !== end) this.#at++;
    const key = this.#text.slice(start, this.#at).trim();
    this.#entries.push({ type, key, fields: this.#fields(end), line });
    if (this.#entries.length > ENTRIES_MAX) throw this.#fault(`there are more than ${ENTRIES_MAX} entries`);
  }

  #fault(why: string): DocumentError {
    return new DocumentError(`Line ${this.#lines(this.#at)}: ${why}`);
  }

  #space(): void {
    while (this.#at < this.#text.length && /\s/.test(this.#text[this.#at] ?? "")) this.#at++;
  }

  #word(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && /[^\s,={}()"#%'\\]/.test(this.#text[this.#at] ?? "")) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  /** The text inside braces; the reader is at the opening one. */
  #braced(): string {
    const start = this.#at + 1;
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at];
      if (character === "\\") this.#at++;
      else if (character === "{") {
        if (++depth > DEPTH_MAX) throw this.#fault(`braces are nested more than ${DEPTH_MAX} deep`);
      } else if (character === "}" && --depth === 0) return this.#text.slice(start, this.#at++);
    }
    throw this.#fault("a brace is never closed");
  }

  #quoted(): string {
    const start = ++this.#at;
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at];
      if (character === "\\") this.#at++;
      else if (character === "{") depth++;
      else if (character === "}") depth--;
      else if (character === '"' && depth <= 0) return this.#text.slice(start, this.#at++);
    }
    throw this.#fault("a quote is never closed");
  }

  /** The value of a macro, or the word itself; counted before it is joined. */
  #expansionOf(word: string, field: string): string {
    const expansion = this.#macros.get(word.toLowerCase());
    if (expansion === undefined) return word;
    this.#expanded += expansion.length;
    if (this.#expanded <= most("macroCharacters")) return expansion;
    const where = `the field "${field.slice(0, 40)}" with the macro "${word.slice(0, 40)}"`;
    throw this.#fault(`${where} expands the macros of the file to more than ${most("macroCharacters")} characters`);
  }

  #value(field: string): string {
    const parts: string[] = [];
    for (;;) {
      this.#space();
      const character = this.#text[this.#at];
      if (character === "{") parts.push(this.#braced());
      else if (character === '"') parts.push(this.#quoted());
      else {
        const name = this.#word();
        if (name === "") throw this.#fault("a field has no value");
        parts.push(this.#expansionOf(name, field));
      }
      this.#space();
      if (this.#text[this.#at] !== "#") return parts.join("");
      this.#at++;
    }
  }

  #fields(end: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (;;) {
      this.#space();
      if (this.#text[this.#at] === ",") this.#at++;
      else if (this.#text[this.#at] === end) {
        this.#at++;
        return found;
      } else {
        const name = this.#word().toLowerCase();
        if (name === "")
          throw this.#fault(
            this.#at >= this.#text.length
              ? "the entry never ends"
              : `"${this.#text[this.#at]}" is not the name of a field`,
          );
        this.#space();
        if (this.#text[this.#at] !== "=") throw this.#fault(`the field "${name.slice(0, 40)}" has no value`);
        this.#at++;
        const read = this.#value(name);
        if (!found.has(name)) found.set(name, read);
        if (found.size > FIELDS_MAX) throw this.#fault(`an entry has more than ${FIELDS_MAX} fields`);
      }
    }
  }
}

/** Lines of growing places, counted once. */
function lineCounter(text: string): (at: number) => number {
  let [line, counted] = [1, 0];
  return (at) => {
    for (; counted < at && counted < text.length; counted++) if (text[counted] === "\n") line++;
    return line;
  };
}

/** Accents of TeX as combining characters. */
const ACCENTS: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "'": "\u0301",
  "^": "\u0302",
  "~": "\u0303",
  "=": "\u0304",
  u: "\u0306",
  ".": "\u0307",
  '"': "\u0308",
  r: "\u030a",
  H: "\u030b",
  v: "\u030c",
  c: "\u0327",
  k: "\u0328",
  d: "\u0323",
  b: "\u0331",
};
const LETTERS: Readonly<Record<string, string>> = {
  ss: "ß",
  ae: "æ",
  AE: "Æ",
  oe: "œ",
  OE: "Œ",
  aa: "å",
  AA: "Å",
  o: "ø",
  O: "Ø",
  l: "ł",
  L: "Ł",
  i: "i",
  j: "j",
  textasciitilde: "~",
  textasciicircum: "^",
  textbackslash: "\\",
  ldots: "…",
  dots: "…",
  textendash: "–",
  textemdash: "—",
  textquoteright: "’",
  textquoteleft: "‘",
};

/** Text of TeX in Unicode; braces are removed, unknown commands stay without their backslash. */
export function texWords(tex: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < tex.length; at++) {
    const character = tex[at] ?? "";
    if (character === "{" || character === "}") continue;
    if (character === "~") pieces.push(" ");
    else if (character !== "\\") pieces.push(character);
    else {
      const command = /^[a-zA-Z]{1,40}/.exec(tex.slice(at + 1, at + 41))?.[0] ?? tex[at + 1] ?? "";
      at += command.length;
      const accent = own(ACCENTS, command);
      const letter = own(LETTERS, command);
      if (letter !== undefined) {
        pieces.push(letter);
        // White space after a command only ends it.
        if (tex[at + 1] === " ") at++;
      } else if (accent !== undefined && (/[^a-zA-Z]/.test(command) || /^[\s{\\]/.test(tex[at + 1] ?? ""))) {
        const base = /^\s?\{?\\?([\p{L}])/u.exec(tex.slice(at + 1, at + 6));
        if (base?.[1] === undefined) continue;
        pieces.push(normalForm(base[1] + accent, "NFC"));
        at += base[0].length;
      } else if (!/[a-zA-Z]/.test(command)) pieces.push(command);
    }
  }
  return pieces.join("").replace(/\s+/g, " ").trim();
}
