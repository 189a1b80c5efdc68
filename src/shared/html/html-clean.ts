// HTML that strangers send, made harmless (R37): a short list of elements stays, without attributes but the address of
// a link; every other tag goes and its words stay; what is not text for people (scripts, styles, comments) is removed
// completely. One pass over the text; what comes out is closed properly and stays the same when it is cleaned again.

/** Elements that stay. */
const KEPT: ReadonlySet<string> = new Set(
  ["p", "br", "b", "i", "em", "strong", "a", "ul", "ol", "li", "code", "pre", "blockquote"], //
);
/** Elements that also stay in longer texts: descriptions of records. */
export const DESCRIPTION_ELEMENTS: ReadonlySet<string> = new Set([
  ...KEPT,
  ...["h1", "h2", "h3", "h4", "h5", "h6", "div", "span", "sub", "sup", "u", "s", "abbr", "hr"],
  ...["dl", "dt", "dd", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"],
]);
/** Elements that hold nothing. */
const EMPTY: ReadonlySet<string> = new Set(["br", "hr"]);
/** Elements whose content is not text of the document. */
const UNREAD: ReadonlySet<string> = new Set(
  ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript", "template", "plaintext"], //
);
/** Elements that begin a new paragraph end the open one. */
const BLOCKS: ReadonlySet<string> = new Set(
  ["p", "ul", "ol", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "div", "dl", "table", "hr"], //
);
/** Behind these an open paragraph is another one. */
const HOLDERS: ReadonlySet<string> = new Set(["li", "blockquote", "div", "dd", "td", "th"]);
/** Elements inside each other that are kept; deeper ones are let go of, and their words stay. */
const DEEPEST = 32;

const NAME = /[a-z][^\s/>]*/iy;
const REFERENCE = /&(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[\da-f]{1,6});/iy;
/** The scheme must be literal: one that is spelled by references, or with what browsers leave out, is none. */
const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:)[^\s"'<>`\\]+$/i;
/** Characters that mean nothing or turn the direction of what follows, beyond the comment itself. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const UNSEEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g;

type Tag = { readonly name: string; readonly href: string | null; readonly end: number };

/**
 * Cleaned HTML: nothing in it runs, loads, or looks like part of the page around it. `kept`: the elements that stay.
 */
export function cleanHtml(html: string, kept: ReadonlySet<string> = KEPT): string {
  const text = html.replace(UNSEEN, "").toWellFormed();
  const written = writer(kept);
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("<", at);
    written.text(text, at, open < 0 ? text.length : open);
    if (open < 0) break;
    at = markup(text, open, written);
  }
  return written.end();
}

/** Reads what begins at a `<`; returns where it ends. */
function markup(text: string, open: number, written: Writer): number {
  const next = text[open + 1] ?? "";
  if (/[a-z]/i.test(next)) {
    const tag = tagAt(text, open + 1);
    if (tag === null) return text.length;
    if (UNREAD.has(tag.name)) return behind(text, tag);
    written.start(tag);
    return tag.end;
  }
  if (next === "/" && /[a-z]/i.test(text[open + 2] ?? "")) {
    const tag = tagAt(text, open + 2);
    if (tag === null) return text.length;
    written.close(tag.name);
    return tag.end;
  }
  if (next === "!" || next === "?" || next === "/") {
    const mark = text.startsWith("<!--", open) ? "-->" : ">";
    // `<!-->` is a whole comment.
    const end = text.indexOf(mark, mark === ">" ? open + 1 : open + 2);
    return end < 0 ? text.length : end + mark.length;
  }
  written.text(text, open, open + 1);
  return open + 1;
}

/** A tag whose name begins here; null: it never ends. */
function tagAt(text: string, start: number): Tag | null {
  NAME.lastIndex = start;
  const name = NAME.exec(text)?.[0] ?? "";
  let href: string | null = null;
  let at = start + name.length;
  for (;;) {
    while (at < text.length && /[\s/]/.test(text[at] ?? "")) at += 1;
    if (at >= text.length) return null;
    if (text[at] === ">") return { name: name.toLowerCase(), href, end: at + 1 };
    const attribute = attributeAt(text, at);
    if (attribute === null) return null;
    if (attribute.name === "href" && href === null) href = attribute.value;
    at = attribute.end;
  }
}

function attributeAt(text: string, start: number): { name: string; value: string; end: number } | null {
  let at = start + 1;
  while (at < text.length && !/[\s/>=]/.test(text[at] ?? "")) at += 1;
  const name = text.slice(start, at).toLowerCase();
  while (at < text.length && /\s/.test(text[at] ?? "")) at += 1;
  if (text[at] !== "=") return { name, value: "", end: at };
  at += 1;
  while (at < text.length && /\s/.test(text[at] ?? "")) at += 1;
  const quote = text[at];
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, at + 1);
    return end < 0 ? null : { name, value: text.slice(at + 1, end), end: end + 1 };
  }
  const from = at;
  while (at < text.length && !/[\s>]/.test(text[at] ?? "")) at += 1;
  return { name, value: text.slice(from, at), end: at };
}

/** Behind the end of an element that is left out whole; the end of the text where it has none. */
function behind(text: string, { name, end }: Tag): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  closing.lastIndex = end;
  const found = closing.exec(text) === null ? -1 : text.indexOf(">", closing.lastIndex);
  return found < 0 ? text.length : found + 1;
}

type Writer = {
  readonly text: (source: string, from: number, to: number) => void;
  readonly start: (tag: Tag) => void;
  readonly close: (name: string) => void;
  readonly end: () => string;
};

function writer(kept: ReadonlySet<string>): Writer {
  const pieces: string[] = [];
  const open: string[] = [];
  /** Starts that were let go of, by name: as many ends go with them. */
  const dropped = new Map<string, number>();
  const drop = (name: string, more: number) => dropped.set(name, (dropped.get(name) ?? 0) + more);
  const leave = (depth: number): void => {
    while (open.length > depth) pieces.push(`</${open.pop()}>`);
  };

  /** Ends the paragraph that is open here, or the link that is. */
  const leaveUnfit = (name: string): void => {
    const ends = name === "a" ? "a" : name === "li" ? "li" : BLOCKS.has(name) ? "p" : null;
    if (ends === null) return;
    for (let depth = open.length - 1; depth >= 0; depth -= 1) {
      const each = open[depth] ?? "";
      if (each === ends) leave(depth);
      if (each === ends) return;
      if (HOLDERS.has(each) || (ends === "li" && (each === "ul" || each === "ol"))) return;
    }
  };

  return {
    text(source, from, to) {
      for (let at = from; at < to; ) {
        const next = nextSpecial(source, at, to);
        if (next > at) pieces.push(source.slice(at, next));
        if (next >= to) return;
        const piece = specialAt(source, next, to);
        pieces.push(piece.written);
        at = piece.end;
      }
    },
    start({ name, href }) {
      if (!kept.has(name)) return;
      if (EMPTY.has(name)) {
        leaveUnfit(name);
        pieces.push(`<${name}>`);
        return;
      }
      const address = name === "a" && href !== null ? safeAddress(href) : null;
      leaveUnfit(name);
      if (open.length >= DEEPEST || (name === "a" && address === null)) {
        drop(name, 1);
        return;
      }
      pieces.push(address === null ? `<${name}>` : `<a href="${address}">`);
      open.push(name);
    },
    close(name) {
      if (!kept.has(name) || EMPTY.has(name)) return;
      if ((dropped.get(name) ?? 0) > 0) {
        drop(name, -1);
        return;
      }
      const depth = open.lastIndexOf(name);
      if (depth >= 0) leave(depth);
    },
    end() {
      leave(0);
      return pieces.join("").trim();
    },
  };
}

const SPECIAL: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };

function nextSpecial(source: string, from: number, to: number): number {
  for (let at = from; at < to; at += 1) {
    const code = source.charCodeAt(at);
    if (code === 0x26 || code === 0x3c || code === 0x3e) return at;
  }
  return to;
}

/** A `<`, `>` or `&` as it is written; a reference stays one. */
function specialAt(source: string, at: number, to: number): { written: string; end: number } {
  if (source[at] === "&") {
    REFERENCE.lastIndex = at;
    const [reference = ""] = REFERENCE.exec(source) ?? [];
    if (reference !== "" && at + reference.length <= to) return { written: reference, end: at + reference.length };
  }
  return { written: SPECIAL[source[at] ?? ""] ?? "", end: at + 1 };
}

/** The address of a link as an attribute holds it; null: nobody is led there. */
function safeAddress(href: string): string | null {
  const trimmed = href.trim();
  if (!SAFE_ADDRESS.test(trimmed)) return null;
  let written = "";
  for (let at = 0; at < trimmed.length; ) {
    const next = nextSpecial(trimmed, at, trimmed.length);
    written += trimmed.slice(at, next);
    if (next >= trimmed.length) break;
    const piece = specialAt(trimmed, next, trimmed.length);
    written += piece.written;
    at = piece.end;
  }
  return written;
}
