// Well-formedness of an XML document (XML 1.0, fifth edition), which the parser package does not check: it takes what
// it gets and guesses. Every document is walked here first; what comes out is the same document in the plainest form
// (no declaration, comments, processing instructions or CDATA sections, single spaces between attributes), so that the
// parser sees only what it reads right.
import { DocumentError } from "../document-error.ts";
import { most } from "../limits.ts";

export type XmlLimits = {
  readonly maxCharacters: number;
  readonly maxDepth: number;
  readonly maxElements: number;
  readonly maxAttributes: number;
};

/** What a metadata document may hold at most. The parser is recursive and ends at about 8,000 levels. */
export const XML_LIMITS: XmlLimits = {
  maxCharacters: most("documentBytes"),
  maxDepth: most("xmlDepth"),
  maxElements: most("xmlElements"),
  maxAttributes: most("xmlAttributes"),
};

const START =
  "A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}";
const START_FAR = "\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}";
const NC_NAME = `[${START}${START_FAR}][${START}${START_FAR}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*`;
const NAME = new RegExp(`${NC_NAME}(?::${NC_NAME})?`, "uy");
/** What follows distinguishes an unfinished value from a value that contains `<`. */
const ATTRIBUTE = new RegExp(
  `[ \\t\\n]+(${NC_NAME}(?::${NC_NAME})?)[ \\t\\n]*=[ \\t\\n]*(?:"([^"<]*)"|'([^'<]*)')`,
  "uy",
);
const TAG_END = /[ \t\n]*(\/?)>/y;
const CLOSE_END = /[ \t\n]*>/y;
const DECLARATION =
  /<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.\d+"|'1\.\d+')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"[\w.-]+"|'[\w.-]+'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/y;
const REFERENCE = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/y;
const ILLEGAL = /[^\t\n\r -\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Whether XML 1.0 can hold the character at all, even as a reference. */
function isXmlCharacter(codePoint: number): boolean {
  return codePoint <= 0x10ffff && !ILLEGAL.test(String.fromCodePoint(codePoint));
}

type OpenElement = { readonly name: string; readonly at: number };
/** Where the walk is: the text, how far it has come, what is open, and the plain document so far. */
type Walk = {
  readonly text: string;
  readonly limits: XmlLimits;
  at: number;
  readonly open: OpenElement[];
  rootSeen: boolean;
  elements: number;
  readonly plain: string[];
};

/**
 * The document in its plainest form. Throws DocumentError naming line and column for whatever is not well-formed or
 * beyond a limit.
 */
export function checkXml(source: string, limits: XmlLimits = XML_LIMITS): string {
  if (source.length > limits.maxCharacters) {
    throw new DocumentError(
      `The XML document has ${source.length} characters; at most ${limits.maxCharacters} are read`,
    );
  }
  const text = (source.startsWith("\u{FEFF}") ? source.slice(1) : source).replace(/\r\n?/g, "\n");
  const illegal = ILLEGAL.exec(text);
  if (illegal !== null) {
    const code = illegal[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    throw wrong(text, illegal.index, `the character U+${code} is not allowed in XML`);
  }
  const walk: Walk = { text, limits, at: 0, open: [], rootSeen: false, elements: 0, plain: [] };
  DECLARATION.lastIndex = 0;
  if (DECLARATION.test(text)) walk.at = DECLARATION.lastIndex;
  while (walk.at < text.length) {
    takeText(walk);
    if (walk.at < text.length) takeMarkup(walk);
  }
  const unclosed = walk.open.at(-1);
  if (unclosed !== undefined) throw wrong(text, unclosed.at, `the element "${unclosed.name}" is never closed`);
  if (!walk.rootSeen) throw new DocumentError("The XML document has no root element");
  return walk.plain.join("");
}

function takeText(walk: Walk): void {
  const next = walk.text.indexOf("<", walk.at);
  const end = next === -1 ? walk.text.length : next;
  const piece = walk.text.slice(walk.at, end);
  if (walk.open.length === 0) {
    const stray = /[^ \t\n]/.exec(piece);
    if (stray !== null) throw wrong(walk.text, walk.at + stray.index, "there is text outside the root element");
  } else {
    const bracket = piece.indexOf("]]>");
    if (bracket !== -1) throw wrong(walk.text, walk.at + bracket, 'text holds "]]>"');
    checkReferences(walk.text, piece, walk.at);
    walk.plain.push(piece);
  }
  walk.at = end;
}

function takeMarkup(walk: Walk): void {
  const { text, at } = walk;
  if (text.startsWith("</", at)) closeElement(walk);
  else if (text.startsWith("<!--", at)) skipComment(walk);
  else if (text.startsWith("<![CDATA[", at)) takeCdata(walk);
  else if (text.startsWith("<!", at)) {
    const what = /^<!DOCTYPE/i.test(text.slice(at, at + 9))
      ? "a DOCTYPE is not accepted"
      : "this declaration is not accepted";
    throw wrong(text, at, what);
  } else if (text.startsWith("<?", at)) skipInstruction(walk);
  else openElement(walk);
}

function skipComment(walk: Walk): void {
  const end = walk.text.indexOf("--", walk.at + 4);
  if (end === -1) throw wrong(walk.text, walk.at, "this comment never ends");
  if (walk.text[end + 2] !== ">") throw wrong(walk.text, end, 'a comment holds "--"');
  walk.at = end + 3;
}

function skipInstruction(walk: Walk): void {
  const target = nameAt(walk.text, walk.at + 2);
  if (
    target === "" ||
    target.includes(":") ||
    !/^(?:[ \t\n]|\?>)/.test(walk.text.slice(walk.at + 2 + target.length, walk.at + 4 + target.length))
  ) {
    throw wrong(walk.text, walk.at, "this processing instruction has no proper name");
  }
  if (target.toLowerCase() === "xml")
    throw wrong(walk.text, walk.at, "this XML declaration is malformed or not at the start");
  const end = walk.text.indexOf("?>", walk.at);
  if (end === -1) throw wrong(walk.text, walk.at, "this processing instruction never ends");
  walk.at = end + 2;
}

function takeCdata(walk: Walk): void {
  if (walk.open.length === 0) throw wrong(walk.text, walk.at, "there is text outside the root element");
  const end = walk.text.indexOf("]]>", walk.at + 9);
  if (end === -1) throw wrong(walk.text, walk.at, "this CDATA section never ends");
  const content = walk.text.slice(walk.at + 9, end);
  walk.plain.push(content.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;"));
  walk.at = end + 3;
}

function closeElement(walk: Walk): void {
  const name = nameAt(walk.text, walk.at + 2);
  const open = walk.open.pop();
  if (open === undefined) throw wrong(walk.text, walk.at, `"</${name}" closes nothing`);
  if (open.name !== name) throw wrong(walk.text, walk.at, `"</${name}" where "</${open.name}>" was expected`);
  CLOSE_END.lastIndex = walk.at + 2 + name.length;
  if (!CLOSE_END.test(walk.text)) throw wrong(walk.text, walk.at, `the closing tag "</${name}" is malformed`);
  walk.plain.push(`</${name}>`);
  walk.at = CLOSE_END.lastIndex;
}

function openElement(walk: Walk): void {
  const { text, at, limits } = walk;
  const name = nameAt(text, at + 1);
  if (name === "") throw wrong(text, at, '"<" does not begin a tag');
  if (name === "script" || name === "style") throw wrong(text, at, `elements named "${name}" are not read`);
  if (walk.open.length === 0 && walk.rootSeen) throw wrong(text, at, `there is a second root element "${name}"`);
  if (walk.open.length >= limits.maxDepth) throw wrong(text, at, `elements lie deeper than ${limits.maxDepth} levels`);
  if (++walk.elements > limits.maxElements) throw wrong(text, at, `there are more than ${limits.maxElements} elements`);
  walk.rootSeen = true;
  walk.at = at + 1 + name.length;
  const attributes = takeAttributes(walk, name);
  TAG_END.lastIndex = walk.at;
  const end = TAG_END.exec(text);
  if (end === null) throw wrong(text, walk.at, `the tag "<${name}" is malformed`);
  walk.at = TAG_END.lastIndex;
  walk.plain.push(`<${name}${attributes}${end[1]}>`);
  if (end[1] === "") walk.open.push({ name, at });
}

function takeAttributes(walk: Walk, element: string): string {
  const seen = new Set<string>();
  let plain = "";
  for (;;) {
    ATTRIBUTE.lastIndex = walk.at;
    const found = ATTRIBUTE.exec(walk.text);
    if (found === null) return plain;
    const [all, name = "", double, single = ""] = found;
    if (seen.has(name)) throw wrong(walk.text, walk.at, `the attribute "${name}" of "${element}" appears twice`);
    // The parser package passes over any other beginning.
    if (!/^[A-Za-z]/.test(name)) throw wrong(walk.text, walk.at, `the attribute name "${name}" is not read`);
    seen.add(name);
    if (seen.size > walk.limits.maxAttributes) {
      throw wrong(walk.text, walk.at, `"${element}" has more than ${walk.limits.maxAttributes} attributes`);
    }
    const value = double ?? single;
    checkReferences(walk.text, value, walk.at + all.length - value.length - 1);
    plain += ` ${name}="${value.replace(/[\t\n]/g, " ").replace(/"/g, "&quot;")}"`;
    walk.at += all.length;
  }
}

/** Every `&` begins a reference to one of the five named characters or to a character that XML allows. */
function checkReferences(text: string, piece: string, offset: number): void {
  for (let at = piece.indexOf("&"); at !== -1; at = piece.indexOf("&", at + 1)) {
    REFERENCE.lastIndex = at;
    const found = REFERENCE.exec(piece);
    const shown = /^&[^;\s<]{0,20};?/.exec(piece.slice(at, at + 22))?.[0] ?? "&";
    if (found === null) throw wrong(text, offset + at, `"${shown}" is not an entity that XML defines`);
    const [, named, decimal, hexadecimal] = found;
    if (named !== undefined) continue;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number.parseInt(decimal, 10);
    if (!isXmlCharacter(code))
      throw wrong(text, offset + at, `"${shown}" names a character that is not allowed in XML`);
  }
}

function nameAt(text: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(text)?.[0] ?? "";
}

function wrong(text: string, at: number, what: string): DocumentError {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const column = at - (before.lastIndexOf("\n") + 1) + 1;
  return refusedAt(`line ${line}, column ${column}`, what);
}

/** Names may be as long as the document; a message is not. */
const SHOWN_CHARACTERS = 200;

/** The refusal of a document, with the path and the reason cut to a readable length. */
export function refusedAt(path: string, what: string): DocumentError {
  const cut = (text: string): string => (text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
  return new DocumentError(`The XML document is refused at ${cut(path)}: ${cut(what)}`);
}
