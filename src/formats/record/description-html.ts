// HTML that strangers write, reduced to what is safe to show (descriptions of records, comments): elements and attributes of a list, everything else
// becomes its text. One pass; what comes out, cleaned again, is the same.
import { own } from "../../shared/own-entry.ts";
import { isWebUrl } from "../../shared/web-url.ts";

/** Elements that may stay, each with its attributes. */
export type AllowedHtml = Readonly<Record<string, readonly string[]>>;

/** What comments hold. */
export const COMMENT_HTML: AllowedHtml = {
  a: ["href", "title"],
  b: [],
  blockquote: [],
  br: [],
  code: [],
  em: [],
  i: [],
  li: [],
  ol: [],
  p: [],
  pre: [],
  strong: [],
  ul: [],
};

/** What descriptions of records hold. */
export const DESCRIPTION_HTML: AllowedHtml = {
  ...COMMENT_HTML,
  abbr: ["title"],
  acronym: ["title"],
  caption: [],
  dd: [],
  div: [],
  dl: [],
  dt: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  hr: [],
  s: [],
  span: [],
  strike: [],
  sub: [],
  sup: [],
  table: [],
  tbody: [],
  td: ["colspan", "rowspan"],
  tfoot: [],
  th: ["colspan", "rowspan"],
  thead: [],
  tr: [],
  u: [],
};

const EMPTY: ReadonlySet<string> = new Set(["br", "hr"]);
/** Their text is no text for people. */
const SILENT: ReadonlySet<string> = new Set([
  "script",
  "style",
  "template",
  "iframe",
  "noscript",
  "svg",
  "math",
  "textarea",
  "title",
]);
/** Elements inside each other; what lies deeper keeps its text only. */
const DEEPEST = 50;
const TAG = /^<(\/?)([a-zA-Z][a-zA-Z0-9]{0,19})(?=[\s/>])/;
const ATTRIBUTE = /([a-zA-Z][a-zA-Z-]{0,29})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

/** Text as HTML writes it; references that are there stay. */
const escaped = (text: string): string =>
  text
    .replace(/&(?!(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
const attributeText = (text: string): string => escaped(text).replaceAll('"', "&quot;");

/** Plain text as HTML that shows it. */
export const htmlOfText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Where a tag ends, behind its bracket; 0 where it does not. A bracket inside of quotes ends nothing. */
function tagEnd(html: string, from: number, unquoted: Set<string>): number {
  let at = from;
  for (;;) {
    const character = html[at];
    if (character === undefined) return 0;
    if (character === ">") return at + 1;
    if ((character === '"' || character === "'") && !unquoted.has(character)) {
      const close = html.indexOf(character, at + 1);
      // From here on no such quote closes, which is looked for once.
      if (close === -1) unquoted.add(character);
      else at = close;
    }
    at++;
  }
}

const isSafeLink = (address: string): boolean => isWebUrl(address) || /^mailto:[^\s<>"']+$/i.test(address);

function attributes(tag: string, allowed: readonly string[]): string {
  const kept = new Map<string, string>();
  for (const [, name = "", double, single, bare] of tag.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    const value = (double ?? single ?? bare ?? "").trim();
    if (!allowed.includes(key) || kept.has(key)) continue;
    // A reference in an address could spell what is refused.
    if (key === "href" && !isSafeLink(value.replaceAll("&amp;", "&"))) continue;
    if (key.endsWith("span") && !/^\d{1,3}$/.test(value)) continue;
    kept.set(key, value);
  }
  return [...kept].map(([name, value]) => ` ${name}="${attributeText(value)}"`).join("");
}

/** The HTML without what may not stay. */
export function cleanHtml(html: string, allowed: AllowedHtml): string {
  const pieces: string[] = [];
  const open: string[] = [];
  const unquoted = new Set<string>();
  let silent: string | null = null;
  const text = (part: string): void => {
    if (silent === null && part !== "") pieces.push(escaped(part));
  };
  const close = (name: string): void => {
    if (!open.includes(name)) return;
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      pieces.push(`</${last}>`);
      if (last === name) return;
    }
  };
  const lastEnd = html.lastIndexOf(">");
  let at = 0;
  while (at < html.length) {
    const start = at > lastEnd ? -1 : html.indexOf("<", at);
    text(html.slice(at, start === -1 ? undefined : start));
    if (start === -1) break;
    const [, slash, written = ""] = TAG.exec(html.slice(start, start + 24)) ?? [];
    const isOther = written === "" && /^<[!?/]/.test(html.slice(start, start + 2));
    const comment = html.startsWith("<!--", start) ? html.indexOf("-->", start) : -1;
    const end =
      comment !== -1
        ? comment + 3
        : written === "" && !isOther
          ? 0
          : isOther
            ? html.indexOf(">", start) + 1
            : tagEnd(html, start + 1, unquoted);
    if (end === 0) {
      text("<");
      at = start + 1;
      continue;
    }
    at = end;
    const name = written.toLowerCase();
    if (silent !== null) {
      if (slash === "/" && name === silent) silent = null;
      continue;
    }
    const rule = own(allowed, name);
    if (SILENT.has(name) && rule === undefined) {
      if (slash === "") silent = name;
    } else if (rule === undefined || name === "") continue;
    else if (slash === "/") close(name);
    else if (EMPTY.has(name)) pieces.push(`<${name}>`);
    else if (open.length < DEEPEST) {
      open.push(name);
      pieces.push(`<${name}${attributes(html.slice(start, end), rule)}>`);
    }
  }
  while (open.length > 0) pieces.push(`</${open.pop()}>`);
  return pieces.join("").trim();
}

/** Whether a text has anything that HTML reads as more than text. */
export const hasMarkup = (text: string): boolean => /[<&>]/.test(text);
