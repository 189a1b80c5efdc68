// The character sets of item tables: UTF-8 with and without a byte order mark, Windows-31J (cp932) as Japanese spreadsheets write it, and
// UTF-16 where a byte order mark says so (R13a).
import { DocumentError } from "../../shared/document-error.ts";

const CHARSETS = ["utf-8", "utf-8-bom", "cp932"] as const;
export type Charset = (typeof CHARSETS)[number];

/**
 * The text of a table, and the character set it was in (UTF-16 is written back as UTF-8). Octets that are no UTF-8 are read as Windows-31J;
 * throws DocumentError when they are none either. A byte order mark is dropped.
 */
export function decodeTable(bytes: Uint8Array): { readonly text: string; readonly charset: Charset } {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return { text: decoded(bytes, "utf-16le"), charset: "utf-8" };
  if (first === 0xfe && second === 0xff) return { text: decoded(bytes, "utf-16be"), charset: "utf-8" };
  const hasMark = first === 0xef && second === 0xbb && third === 0xbf;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, charset: hasMark ? "utf-8-bom" : "utf-8" };
  } catch {
    return { text: decoded(bytes, "shift_jis"), charset: "cp932" };
  }
}

function decoded(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    throw new DocumentError(
      label === "shift_jis"
        ? "The table is neither UTF-8 nor Windows-31J"
        : "The table has a byte order mark and is not UTF-16",
    );
  }
}

/** The octets of a text. Throws DocumentError for a character that Windows-31J does not have, naming it and its line. */
export function encodeTable(text: string, charset: Charset): Uint8Array<ArrayBuffer> {
  if (charset === "cp932") return encodeCp932(text);
  return new TextEncoder().encode(charset === "utf-8-bom" ? `\uFEFF${text}` : text);
}

let reverse: ReadonlyMap<string, number> | null = null;

function encodeCp932(text: string): Uint8Array<ArrayBuffer> {
  reverse ??= reverseTable();
  const bytes = new Uint8Array(text.length * 2);
  let at = 0;
  let line = 1;
  for (const character of text) {
    if (character === "\n") line++;
    const code = reverse.get(character);
    if (code === undefined) {
      const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
      throw new DocumentError(`Line ${line}: "${character}" (${name}) cannot be written in Windows-31J`);
    }
    if (code > 0xff) bytes[at++] = code >> 8;
    bytes[at++] = code & 0xff;
  }
  return bytes.slice(0, at);
}

/**
 * Code of each character, from what the decoder reads. Where two codes stand for one character the lower one is written, but for the rows
 * 0xED and 0xEE, which repeat characters of 0xFA to 0xFC and are not written any more.
 */
function reverseTable(): ReadonlyMap<string, number> {
  const decoder = new TextDecoder("shift_jis", { fatal: true });
  const table = new Map<string, number>();
  const add = (code: number, ...bytes: readonly number[]): void => {
    try {
      const character = decoder.decode(new Uint8Array(bytes));
      if ([...character].length === 1 && !table.has(character)) table.set(character, code);
    } catch {
      // A code that stands for nothing.
    }
  };
  for (let single = 0; single < 0x80; single++) add(single, single);
  for (let kana = 0xa1; kana < 0xe0; kana++) add(kana, kana);
  for (let lead = 0x81; lead <= 0xfc; lead++) {
    if ((lead >= 0xa0 && lead < 0xe0) || lead === 0xed || lead === 0xee) continue;
    for (let trail = 0x40; trail <= 0xfc; trail++) if (trail !== 0x7f) add((lead << 8) | trail, lead, trail);
  }
  return table;
}
