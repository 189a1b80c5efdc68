// The grammar of BibTeX: entries with fields, values in braces, quotes, numbers and macros joined by "#", texts of TeX as Unicode. One pass.
import { DocumentError } from "../../shared/document-error.ts";
import { most } from "../../shared/limits.ts";
import { normalForm } from "../../shared/normal-form.ts";
import { own } from "../../shared/own-entry.ts";

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

/** Every entry of a file, comments and preambles aside. @throws DocumentError naming the line. */
export function readBibtex(text: string): readonly BibtexEntry[] {
  const entries: BibtexEntry[] = [];
  const macros = new Map(MONTHS.map((month, index) => [month, String(index + 1)]));
  let at = 0;
  /** Characters that macros have put into values so far: each may name the one before it twice. */
  let expanded = 0;
  const lines = lineCounter(text);
  const fault = (why: string): DocumentError => new DocumentError(`Line ${lines(at)}: ${why}`);
  const space = (): void => {
    while (at < text.length && /\s/.test(text[at] ?? "")) at++;
  };
  const word = (): string => {
    const start = at;
    while (at < text.length && /[^\s,={}()"#%'\\]/.test(text[at] ?? "")) at++;
    return text.slice(start, at);
  };

  /** The inside of braces, the first of which stands here. */
  const braced = (): string => {
    const start = at + 1;
    let depth = 0;
    for (; at < text.length; at++) {
      const character = text[at];
      if (character === "\\") at++;
      else if (character === "{") {
        if (++depth > DEPTH_MAX) throw fault(`braces lie more than ${DEPTH_MAX} deep`);
      } else if (character === "}" && --depth === 0) return text.slice(start, at++);
    }
    throw fault("a brace is never closed");
  };

  const quoted = (): string => {
    const start = ++at;
    let depth = 0;
    for (; at < text.length; at++) {
      const character = text[at];
      if (character === "\\") at++;
      else if (character === "{") depth++;
      else if (character === "}") depth--;
      else if (character === '"' && depth <= 0) return text.slice(start, at++);
    }
    throw fault("a quote is never closed");
  };

  /** What a macro stands for, or the word itself; counted before it is joined. */
  const expansionOf = (word: string, field: string): string => {
    const expansion = macros.get(word.toLowerCase());
    if (expansion === undefined) return word;
    expanded += expansion.length;
    if (expanded <= most("macroCharacters")) return expansion;
    const where = `the field "${field.slice(0, 40)}" with the macro "${word.slice(0, 40)}"`;
    throw fault(`${where} makes more than ${most("macroCharacters")} characters of the macros of the file`);
  };

  const value = (field: string): string => {
    const parts: string[] = [];
    for (;;) {
      space();
      const character = text[at];
      if (character === "{") parts.push(braced());
      else if (character === '"') parts.push(quoted());
      else {
        const name = word();
        if (name === "") throw fault("a field has no value");
        parts.push(expansionOf(name, field));
      }
      space();
      if (text[at] !== "#") return parts.join("");
      at++;
    }
  };

  const fields = (end: string): ReadonlyMap<string, string> => {
    const found = new Map<string, string>();
    for (;;) {
      space();
      if (text[at] === ",") at++;
      else if (text[at] === end) {
        at++;
        return found;
      } else {
        const name = word().toLowerCase();
        if (name === "")
          throw fault(at >= text.length ? "the entry never ends" : `"${text[at]}" is no name of a field`);
        space();
        if (text[at] !== "=") throw fault(`the field "${name.slice(0, 40)}" has no value`);
        at++;
        const read = value(name);
        if (!found.has(name)) found.set(name, read);
        if (found.size > FIELDS_MAX) throw fault(`an entry has more than ${FIELDS_MAX} fields`);
      }
    }
  };

  for (let open = text.indexOf("@", at); open !== -1; open = text.indexOf("@", at)) {
    // A comment of one line, as exports write before an entry.
    const between = text.slice(at, open);
    const comment = between.lastIndexOf("%");
    if (comment !== -1 && !between.includes("\n", comment)) {
      const next = text.indexOf("\n", open);
      at = next === -1 ? text.length : next;
      continue;
    }
    at = open + 1;
    const line = lines(open);
    const type = word().toLowerCase();
    space();
    const bracket = text[at];
    if (bracket !== "{" && bracket !== "(") continue;
    const end = bracket === "{" ? "}" : ")";
    if (type === "comment" || type === "preamble") {
      if (bracket === "{") braced();
      continue;
    }
    at++;
    space();
    if (type === "string") {
      for (const [name, written] of fields(end)) macros.set(name, written);
      continue;
    }
    const start = at;
    while (at < text.length && text[at] !== "," && text[at] !== end) at++;
    const key = text.slice(start, at).trim();
    entries.push({ type, key, fields: fields(end), line });
    if (entries.length > ENTRIES_MAX) throw fault(`there are more than ${ENTRIES_MAX} entries`);
  }
  return entries;
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

/** Text of TeX in Unicode; braces go, what is not known stays without its backslash. */
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
        // White space behind a command only ends it.
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
