// XML by its text (Q.87), for viewers: one tag, text or comment after the other, without a tree and without what a
// document type declares. Entities that a document defines itself are never expanded.

export type XmlEvent =
  | { readonly kind: "open"; readonly name: string; readonly rest: string; readonly isEmpty: boolean }
  | { readonly kind: "close"; readonly name: string }
  /** `isPlain`: of a section, where nothing is a reference. */
  | { readonly kind: "text"; readonly text: string; readonly isPlain: boolean }
  | { readonly kind: "comment" | "instruction" | "doctype"; readonly text: string };

/** Where the text is not XML. */
export class NotXml extends SyntaxError {
  override readonly name = "NotXml";
}

const NAME = /[A-Za-z_:\u0080-\uFFFF][\w.:\-\u0080-\uFFFF]*/y;

/** The events of a text. A text that breaks off inside of a tag ends before it. @throws NotXml */
export function* xmlEvents(source: string): Generator<XmlEvent, void> {
  for (let at = source.startsWith("\uFEFF") ? 1 : 0; at < source.length; ) {
    const open = source.indexOf("<", at);
    const end = open === -1 ? source.length : open;
    if (end > at) yield { kind: "text", text: source.slice(at, end), isPlain: false };
    if (open === -1) return;
    const { event, next } = eventAt(source, open);
    if (event === null) return;
    yield event;
    at = next;
  }
}

type Found = { readonly event: XmlEvent | null; readonly next: number };
const BROKEN_OFF: Found = { event: null, next: 0 };

function eventAt(source: string, open: number): Found {
  if (source[open + 1] !== "!" && source[open + 1] !== "?") return tagAt(source, open);
  if (source.startsWith("<!--", open)) return delimited(source, open + 4, "-->", "comment");
  if (source.startsWith("<![CDATA[", open)) return delimited(source, open + 9, "]]>", "text");
  if (source.startsWith("<?", open)) return delimited(source, open + 2, "?>", "instruction");
  return doctype(source, open);
}

function delimited(source: string, from: number, close: string, kind: "comment" | "text" | "instruction"): Found {
  const end = source.indexOf(close, from);
  if (end === -1) return BROKEN_OFF;
  const text = source.slice(from, end);
  return { event: kind === "text" ? { kind, text, isPlain: true } : { kind, text }, next: end + close.length };
}

/** A document type with what it declares in brackets, which is not read. */
function doctype(source: string, open: number): Found {
  const end = endOfTag(source, open);
  if (end === -1) return BROKEN_OFF;
  const bracket = open + source.slice(open, end).indexOf("[");
  if (bracket < open) {
    return { event: { kind: "doctype", text: source.slice(open + 2, end) }, next: end + 1 };
  }
  const close = /\][ \t\r\n]{0,100}>/g;
  close.lastIndex = bracket;
  const found = close.exec(source);
  if (found === null) return BROKEN_OFF;
  return { event: { kind: "doctype", text: `${source.slice(open + 2, bracket)}[…]` }, next: close.lastIndex };
}

function tagAt(source: string, open: number): Found {
  const isClosing = source[open + 1] === "/";
  NAME.lastIndex = open + (isClosing ? 2 : 1);
  const name = NAME.exec(source)?.[0];
  if (name === undefined) throw new NotXml(`No name at ${open}`);
  const end = endOfTag(source, open);
  if (end === -1) return BROKEN_OFF;
  if (isClosing) return { event: { kind: "close", name }, next: end + 1 };
  const isEmpty = source[end - 1] === "/";
  const rest = source.slice(open + 1 + name.length, isEmpty ? end - 1 : end);
  return { event: { kind: "open", name, rest, isEmpty }, next: end + 1 };
}

const [QUOTE, APOSTROPHE, LESS, GREATER] = [0x22, 0x27, 0x3c, 0x3e];

/** The ">" outside of quotes; -1 where the text ends before it. */
function endOfTag(source: string, open: number): number {
  let quote = 0;
  for (let at = open + 1; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (quote !== 0) quote = code === quote ? 0 : quote;
    else if (code === GREATER) return at;
    else if (code === QUOTE || code === APOSTROPHE) quote = code;
    else if (code === LESS && source[open + 1] !== "!") throw new NotXml(`A tag inside of a tag at ${at}`);
  }
  return -1;
}

const ATTRIBUTES_MOST = 1_000;

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

export type XmlAttributeText = { readonly name: string; readonly value: string };

/** The attributes of a tag, in their order. @throws NotXml */
export function attributesOf(rest: string): readonly XmlAttributeText[] {
  const found: XmlAttributeText[] = [];
  for (let at = 0; at < rest.length && found.length < ATTRIBUTES_MOST; ) {
    const equals = rest.indexOf("=", at);
    const name = rest.slice(at, equals === -1 ? rest.length : equals).trim();
    if (name === "") return found;
    let quoteAt = equals + 1;
    while (isBlank(rest.charCodeAt(quoteAt))) quoteAt += 1;
    const quote = rest[quoteAt];
    const end = equals === -1 || (quote !== '"' && quote !== "'") ? -1 : rest.indexOf(quote, quoteAt + 1);
    if (end === -1 || /\s/.test(name)) throw new NotXml(`No value of the attribute ${name.slice(0, 100)}`);
    found.push({ name, value: withReferences(rest.slice(quoteAt + 1, end)) });
    at = end + 1;
  }
  return found;
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Characters that XML writes by name or number; every other entity stays as it is written. */
export function withReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number.parseInt(decimal, 10);
    return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? whole : String.fromCodePoint(code);
  });
}
