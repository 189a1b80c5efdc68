// The words of XML and HTML (R35), taken out in one walk without building a tree: nothing is validated, and a document
// that breaks off gives what came before. Entities that a document defines itself are never expanded, so that none
// multiplies.
import { NAMED as COMMON } from "../../shared/html/html-text.ts";
import { own } from "../../shared/objects.ts";

export type MarkupRules = {
  /** Elements whose text counts; null: all. By local name, in lower case for HTML. */
  readonly within: ReadonlySet<string> | null;
  /** Elements whose text is ignored. */
  readonly silent: ReadonlySet<string>;
  /** Elements that become a line end (both their tags), or a space. */
  readonly lines: ReadonlySet<string> | "all";
  readonly spaces: ReadonlySet<string>;
  readonly isHtml: boolean;
};

export type Tag = {
  readonly name: string;
  readonly isEnd: boolean;
  readonly isEmpty: boolean;
  /** As written in the document, after the name. */
  readonly rest: string;
};

const NONE: ReadonlySet<string> = new Set();

const HTML_LINES = `address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3
  h4 h5 h6 head header hr legend li main nav ol option p pre section select summary table tbody td textarea tfoot th thead title tr ul`;

/** Ruby text (`rt`) is left out: it would split the word it belongs to. */
export const HTML_RULES: MarkupRules = {
  within: null,
  silent: new Set(["script", "style", "template", "noscript", "svg", "math", "rt", "rp"]),
  lines: new Set(HTML_LINES.split(/\s+/)),
  spaces: NONE,
  isHtml: true,
};

/** The elements of an unknown vocabulary have no known meaning: each becomes a line. */
export const XML_RULES: MarkupRules = { within: null, silent: NONE, lines: "all", spaces: NONE, isHtml: false };

/** The longest tag that is read; longer ones are skipped. */
const TAG_MOST = 64 * 1024;
/** After this many unclosed quotes, quotes are ignored: each costs a scan as long as a tag may be. */
const OPEN_QUOTES_MOST = 100;
const NAME = /^[A-Za-z_\u0080-\uFFFF][\w.:\-\u0080-\uFFFF]*/;
/** Elements of HTML whose content is not markup. */
const RAW: readonly string[] = ["script", "style", "textarea", "title"];
type MarkupVisitor = { readonly text: (piece: string) => void; readonly tag: (tag: Tag) => boolean };

/** Walks through a document; `tag` returns whether to continue. */
export function walkMarkup(source: string, isHtml: boolean, visitor: MarkupVisitor): void {
  // Nothing ends after the last ">", so nothing is searched there.
  const lastEnd = source.lastIndexOf(">");
  let openQuotes = 0;
  for (let at = 0; at < source.length; ) {
    const open = at > lastEnd ? -1 : source.indexOf("<", at);
    if (open !== at) visitor.text(source.slice(at, open === -1 ? undefined : open));
    if (open === -1 || open > lastEnd) return;
    const passed = endOfNonTag(source, open, visitor.text);
    if (passed !== null) {
      at = passed;
      continue;
    }
    const first = source.indexOf(">", open);
    const quoted = openQuotes < OPEN_QUOTES_MOST ? quotedEnd(source, open, first) : first;
    if (quoted === null) openQuotes += 1;
    const end = quoted ?? first;
    const tag = tagOf(source.slice(open + 1, Math.min(end, open + TAG_MOST)), isHtml);
    at = end + 1;
    if (tag === null) {
      visitor.text("<");
      at = open + 1;
      continue;
    }
    if (!visitor.tag(tag)) return;
    if (isHtml && !tag.isEnd && !tag.isEmpty && RAW.includes(tag.name)) at = takeRaw(source, at, tag.name, visitor);
  }
}

/** Where a comment, a section, an instruction or a declaration ends that begins here; null for a tag. */
function endOfNonTag(source: string, open: number, text: (piece: string) => void): number | null {
  const endAfter = (close: string, from: number): number => {
    const end = source.indexOf(close, from);
    return end === -1 ? source.length : end + close.length;
  };
  if (source.startsWith("<!--", open)) return endAfter("-->", open + 4);
  if (source.startsWith("<![CDATA[", open)) {
    const end = endAfter("]]>", open + 9);
    text(
      source
        .slice(open + 9, end)
        .replace(/\]\]>$/, "")
        .replaceAll("&", "&amp;"),
    );
    return end;
  }
  if (source.startsWith("<?", open)) return endAfter(">", open + 2);
  if (!source.startsWith("<!", open)) return null;
  const end = endAfter(">", open + 2);
  const subset = source.slice(open, end).indexOf("[");
  return subset === -1 ? end : endAfter(">", Math.max(end, endAfter("]", open + subset)) - 1);
}

/** The ">" that ends a tag: the first outside a quoted value. Null where a quote is never closed. */
function quotedEnd(source: string, open: number, first: number): number | null {
  if (!/["']/.test(source.slice(open, Math.min(first, open + TAG_MOST)))) return first;
  let quote = "";
  const most = Math.min(source.length, open + TAG_MOST);
  for (let at = open; at < most; at++) {
    const character = source[at] ?? "";
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at;
  }
  return null;
}

function tagOf(inside: string, isHtml: boolean): Tag | null {
  const isEnd = inside.startsWith("/");
  const body = isEnd ? inside.slice(1) : inside;
  const name = NAME.exec(body)?.[0];
  if (name === undefined) return null;
  const local = name.slice(name.indexOf(":") + 1);
  return {
    name: isHtml ? local.toLowerCase() : local,
    isEnd,
    isEmpty: body.endsWith("/"),
    rest: body.slice(name.length),
  };
}

function takeRaw(source: string, from: number, name: string, visitor: MarkupVisitor): number {
  const close = new RegExp(`</${name}[\\s>/]`, "ig");
  close.lastIndex = from;
  const end = close.exec(source)?.index ?? source.length;
  visitor.text(source.slice(from, end));
  return end;
}

const ATTRIBUTES_MOST = 4_096;

/** The value of an attribute of a tag; null where it has none. */
export function attributeOf({ rest }: Tag, name: string): string | null {
  const pairs = rest.slice(0, ATTRIBUTES_MOST).matchAll(/([^\s=/"'<>]{1,64})\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  for (const [, key = "", double, single] of pairs) {
    if (key.slice(key.indexOf(":") + 1).toLowerCase() === name) return withReferences(double ?? single ?? "");
  }
  return null;
}

/** The words of a document; at least `most` characters of them where there are as many, and not many more. */
export function markupText(source: string, rules: MarkupRules, most: number): string {
  const pieces: string[] = [];
  let [length, inside, silent] = [0, 0, 0];
  let raw = "";
  const put = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  walkMarkup(source, rules.isHtml, {
    text(piece) {
      if (silent === 0 && (rules.within === null || inside > 0)) put(withReferences(piece));
    },
    tag({ name, isEnd, isEmpty }) {
      const step = isEmpty ? 0 : isEnd ? -1 : 1;
      if (rules.silent.has(name)) {
        // Elements of HTML that are never closed must not swallow the rest: only one of them is open at a time.
        if (!rules.isHtml) silent = Math.max(0, silent + step);
        else if (step === 1 && raw === "") [raw, silent] = [name, 1];
        else if (step === -1 && raw === name) [raw, silent] = ["", 0];
        return true;
      }
      if (silent > 0) return true;
      if (rules.within?.has(name) === true) inside = Math.max(0, inside + step);
      if (rules.lines === "all" || rules.lines.has(name)) put("\n");
      else if (rules.spaces.has(name)) put(" ");
      return length < most;
    },
  });
  return pieces.join("");
}

/** By number from U+00A0 on, as HTML names them. */
const LATIN = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil
  sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH
  Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil
  egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`;
const NAMED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LATIN.split(/\s+/).map((name, at) => [name, String.fromCharCode(0xa0 + at)])),
  ...COMMON,
  ensp: " ",
  emsp: " ",
  thinsp: " ",
  zwnj: "\u200C",
  zwj: "\u200D",
  bull: "•",
  euro: "€",
  OElig: "Œ",
  oelig: "œ",
  Scaron: "Š",
  scaron: "š",
  Yuml: "Ÿ",
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  mu: "μ",
};

/** References to characters become characters; an unknown one becomes a space. */
function withReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{0,31}));/g, reference);
}

function reference(_all: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return own(NAMED, name) ?? " ";
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number.parseInt(decimal, 10);
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\u{FFFD}" : String.fromCodePoint(code);
}

const XML_ENCODING = /^\s*<\?xml\s[^>]{0,200}?\bencoding\s*=\s*["']([\w.-]{1,40})["']/;
const HTML_ENCODING = /<meta\s[^>]{0,200}?\bcharset\s*=\s*["']?([\w.-]{1,40})/i;

/** The encoding that a document names in its head. */
export function declaredEncoding(bytes: Uint8Array): string | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 2048));
  return XML_ENCODING.exec(head)?.[1] ?? HTML_ENCODING.exec(head)?.[1] ?? null;
}

/** True for a document that defines entities. */
export function definesEntities(source: string): boolean {
  return /<!ENTITY\s/.test(source.slice(0, 64 * 1024));
}
