// Plain text of a description that holds markup (R3: `html`), for formats that know no markup. Nothing here makes
// markup safe to show.
import { own } from "../objects.ts";

const BREAKS = new Set([
  "br",
  "p",
  "div",
  "li",
  "ul",
  "ol",
  "tr",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "blockquote",
  "pre",
]);
const SILENT = new Set(["script", "style"]);
/** References to characters that most texts have, by name. */
export const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u{A0}",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
};

/**
 * The words of an HTML fragment: tags become nothing or a line break, references become characters, scripts and styles
 * disappear.
 */
export function htmlToText(html: string): string {
  const pieces: string[] = [];
  // Behind the last ">" no tag ends, so that nothing is searched there.
  const lastEnd = html.lastIndexOf(">");
  let at = 0;
  let silentUntil: string | null = null;
  while (at < html.length) {
    const open = at > lastEnd ? -1 : html.indexOf("<", at);
    if (silentUntil === null) pieces.push(html.slice(at, open === -1 ? undefined : open));
    if (open === -1) break;
    const name = /^<(\/?)([A-Za-z][A-Za-z0-9]*)/.exec(html.slice(open, open + 32));
    // A "<" that begins no tag is a character.
    if (open > lastEnd || (name === null && !html.startsWith("<!", open))) {
      if (silentUntil === null) pieces.push("<");
      at = open + 1;
      continue;
    }
    const tag = name?.[2]?.toLowerCase() ?? "";
    if (silentUntil !== null) silentUntil = name?.[1] === "/" && tag === silentUntil ? null : silentUntil;
    else if (SILENT.has(tag) && name?.[1] === "") silentUntil = tag;
    else if (BREAKS.has(tag)) pieces.push("\n");
    at = html.indexOf(">", open) + 1;
  }
  return pieces
    .join("")
    .replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));/g, reference)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}

function reference(all: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return own(NAMED, name) ?? all;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number.parseInt(decimal, 10);
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || code === 0 ? "\u{FFFD}" : String.fromCodePoint(code);
}
