// What a file of a package is, told by its first bytes (R13a): the first cell of a table, the root element of an XML file.
// Nothing is validated here; the readers of the formats do that.
import type { RootElement } from "../domain/deposit/detection.ts";

/** As many bytes as a probe wants to see; a root element behind more of a preamble is not found. */
export const PROBE_BYTES = 64 * 1024;

/** Text of the beginning of a file: UTF-8 or, by its mark, UTF-16. A character cut off at the end becomes U+FFFD. */
function textOf(head: Uint8Array): string {
  const isBig = head[0] === 0xfe && head[1] === 0xff;
  const isLittle = head[0] === 0xff && head[1] === 0xfe;
  return new TextDecoder(isBig ? "utf-16be" : isLittle ? "utf-16le" : "utf-8").decode(head);
}

/** The first cell of a TSV or CSV file, quotes undone. Null when the file is empty. */
export function firstCell(head: Uint8Array): string | null {
  const text = textOf(head);
  if (text === "") return null;
  const quoted = /^"((?:[^"]|"")*)"/.exec(text)?.[1];
  return quoted === undefined ? (/^[^\t,\r\n]*/.exec(text)?.[0] ?? "") : quoted.replaceAll('""', '"');
}

const NAME = "[A-Za-z_\\u0080-\\uffff][\\w.\\-\\u0080-\\uffff]*";
const START_TAG = new RegExp(`^<((?:${NAME}:)?${NAME})((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>`);

/** The root element of an XML file with its namespace. Null when there is none among these bytes. */
export function rootElement(head: Uint8Array): RootElement | null {
  const rest = withoutPreamble(textOf(head));
  const [, name, attributes] = START_TAG.exec(rest) ?? [];
  if (name === undefined || attributes === undefined) return null;
  const colon = name.indexOf(":");
  const declared = colon < 0 ? "xmlns" : `xmlns:${name.slice(0, colon)}`;
  for (const [, attribute, double, single] of attributes.matchAll(/([^\s="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (attribute === declared) return { name, namespace: double ?? single ?? "" };
  }
  return { name, namespace: null };
}

/** Skips blanks, comments, processing instructions and a document type, which the reader refuses later. */
function withoutPreamble(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const end = preambleEnd(rest);
    if (end === null) return rest;
    if (end < 0) return "";
    rest = rest.slice(end).trimStart();
  }
}

/** Where the piece of preamble ends that the text begins with; -1: not among these bytes; null: it begins with none. */
function preambleEnd(text: string): number | null {
  for (const [start, end] of [
    ["<?", "?>"],
    ["<!--", "-->"],
  ] as const) {
    if (!text.startsWith(start)) continue;
    const at = text.indexOf(end, start.length);
    return at < 0 ? -1 : at + end.length;
  }
  if (!text.startsWith("<!DOCTYPE")) return null;
  const subset = /^[^>[]*\[[^\]]*\]\s*>/.exec(text)?.[0] ?? /^[^>[]*>/.exec(text)?.[0];
  return subset?.length ?? -1;
}
