// XML to a tree with namespaces (XML 1.0, Namespaces in XML 1.0), over the parser package. Documents with a DOCTYPE are
// refused, so no entity is ever defined, fetched or multiplied; depth, size and counts are bounded before anything is
// built.

import { parse, type TNode } from "txml/txml";
import { DocumentError } from "../document-error.ts";
import { most } from "../limits.ts";
import { checkXml, refusedAt, XML_LIMITS, type XmlLimits } from "./check.ts";
import { XML_NAMESPACE, XMLNS_NAMESPACE, type XmlAttribute, type XmlElement } from "./element.ts";

/** Prefixes in scope; "" is the default namespace. */
type Scope = ReadonlyMap<string, string>;

/**
 * The root element of a document. Bytes are UTF-8 or UTF-16 with a byte order mark. Comments and processing
 * instructions are left out, CDATA and entities are plain text. Throws DocumentError for every document that is not
 * well-formed or beyond a limit; nothing is validated.
 */
export function parseXml(document: string | Uint8Array, limits: XmlLimits = XML_LIMITS): XmlElement {
  if (typeof document !== "string" && document.length > limits.maxCharacters * 4) {
    throw new DocumentError(
      `The XML document has ${document.length} bytes; at most ${limits.maxCharacters} characters are read`,
    );
  }
  const plain = checkXml(typeof document === "string" ? document : decodeXml(document), limits);
  const [root] = parse(plain, { decodeEntities: true, keepWhitespace: true, selfClosingTags: [] });
  if (root === undefined || typeof root === "string") throw new DocumentError("The XML document has no root element");
  return resolve(root, new Map([["xml", XML_NAMESPACE]]), root.tagName);
}

function resolve(node: TNode, outer: Scope, path: string): XmlElement {
  const scope = declared(node, outer, path);
  const own = split(node.tagName);
  const attributes = attributesOf(node, scope, path);
  const counts = new Map<string, number>();
  const children = node.children.map((child) => {
    if (typeof child === "string") return child;
    const count = (counts.get(child.tagName) ?? 0) + 1;
    counts.set(child.tagName, count);
    if (count > most("xmlChildren")) {
      throw refusedAt(path, `there are more than ${most("xmlChildren")} elements "${child.tagName}"`);
    }
    return resolve(child, scope, `${path}/${child.tagName}[${count}]`);
  });
  return { namespace: namespaceOf(own.prefix, scope, path), name: own.local, attributes, children };
}

function split(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(":");
  return colon === -1 ? { prefix: "", local: name } : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
}

function namespaceOf(prefix: string, scope: Scope, path: string): string {
  const namespace = scope.get(prefix);
  if (namespace === undefined && prefix !== "") throw refusedAt(path, `the prefix "${prefix}" is not declared`);
  return namespace ?? "";
}

function declared(node: TNode, outer: Scope, path: string): Scope {
  let scope: Map<string, string> | null = null;
  for (const [name, value] of Object.entries(node.attributes)) {
    const { prefix, local } = split(name);
    if (name !== "xmlns" && prefix !== "xmlns") continue;
    const bound = name === "xmlns" ? "" : local;
    const namespace = value ?? "";
    const isXml = namespace === XML_NAMESPACE;
    if (bound === "xmlns" || namespace === XMLNS_NAMESPACE || isXml !== (bound === "xml")) {
      throw refusedAt(path, `"${name}" declares what is reserved`);
    }
    if (bound !== "" && namespace === "") throw refusedAt(path, `"${name}" declares no namespace`);
    // Every element and attribute with the prefix carries it.
    if (namespace.length > most("namespaceCharacters")) {
      throw refusedAt(
        path,
        `the namespace "${namespace.slice(0, 40)}…" of "${name.slice(0, 40)}" is longer than ${most("namespaceCharacters")} characters`,
      );
    }
    scope ??= new Map(outer);
    scope.set(bound, namespace);
    // Each declaration of a prefix copies those around it: many prefixes and many declarations would multiply.
    if (scope.size > most("xmlNamespaces")) {
      throw refusedAt(path, `more than ${most("xmlNamespaces")} prefixes are declared`);
    }
  }
  return scope ?? outer;
}

function attributesOf(node: TNode, scope: Scope, path: string): XmlAttribute[] {
  const attributes: XmlAttribute[] = [];
  // By namespace first: no namespace is copied for each attribute that has it.
  const seen = new Map<string, Set<string>>();
  for (const [key, value] of Object.entries(node.attributes)) {
    const { prefix, local: name } = split(key);
    if (key === "xmlns" || prefix === "xmlns") continue;
    const namespace = prefix === "" ? "" : namespaceOf(prefix, scope, path);
    const names = seen.get(namespace) ?? new Set();
    if (names.has(name)) throw refusedAt(path, `the attribute "${name}" appears twice`);
    seen.set(namespace, names.add(name));
    attributes.push({ namespace, name, value: value ?? "" });
  }
  return attributes;
}

// Bytes of an XML document to its text (XML 1.0, appendix F). UTF-8 and UTF-16 with a byte order mark are read, which
// is what every XML processor must read; any other encoding is refused by name.

const DECLARED = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.-]*)["']/;
/** In how many bytes an XML declaration is searched. */
const DECLARATION_BYTES = 256;

/**
 * The text of a document. A byte order mark is not part of it. Throws DocumentError for invalid UTF-8 or UTF-16 and for
 * other encodings.
 */
function decodeXml(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return decode(bytes, "utf-16le", "UTF-16");
  if (first === 0xfe && second === 0xff) return decode(bytes, "utf-16be", "UTF-16");
  if ((first === 0x3c && second === 0) || (first === 0 && second === 0x3c)) {
    throw new DocumentError("The XML document looks like UTF-16 or UTF-32 and has no UTF-16 byte order mark");
  }
  const start = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  const head = String.fromCharCode(...bytes.subarray(start, start + DECLARATION_BYTES));
  const declared = DECLARED.exec(head)?.[1];
  if (declared !== undefined && !/^(?:utf-?8|us-ascii|ascii)$/i.test(declared)) {
    throw new DocumentError(`The XML document declares the encoding "${declared}"; UTF-8 and UTF-16 are read`);
  }
  return decode(bytes, "utf-8", "UTF-8");
}

function decode(bytes: Uint8Array, encoding: "utf-8" | "utf-16le" | "utf-16be", name: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new DocumentError(`The XML document is not valid ${name}`);
  }
}

// The root of an XML document, read from its beginning alone: deposits may carry XML files of any size that are
// nobody's metadata (R13a).

export type RootName = { readonly namespace: string; readonly name: string };

/** How much of a document is read: room for comments before the root and for many namespace declarations. */
export const PEEK_BYTES = 64 * 1024;

const OPENING = /^<([^\s/>:]+:)?([^\s/>:]+)((?:\s+[^\s=>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/;
const DECLARATIONS = /\sxmlns(?::([^\s=]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Namespace and local name of the root element as the first PEEK_BYTES show it; null when no root is seen there. A
 * DOCTYPE is passed over here, so that a document with one is refused by name when it is read and not taken for
 * something else. Nothing is checked and nothing thrown.
 */
export function peekRoot(beginning: Uint8Array): RootName | null {
  const bytes = beginning.subarray(0, PEEK_BYTES);
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  let rest = new TextDecoder(encoding).decode(bytes);
  for (;;) {
    rest = rest.trimStart();
    const end = prologEnd(rest);
    if (end === 0) break;
    if (end === -1) return null;
    rest = rest.slice(end);
  }
  const found = OPENING.exec(rest);
  if (found === null) return null;
  const [, prefix = "", name = "", attributes = ""] = found;
  for (const [, declared = "", double, single] of attributes.matchAll(DECLARATIONS)) {
    if (declared === prefix.slice(0, -1)) return { namespace: double ?? single ?? "", name };
  }
  return prefix === "" ? { namespace: "", name } : null;
}

/**
 * Where a declaration, comment, instruction or DOCTYPE at the start ends; 0 when there is none, -1 when its end is not
 * seen.
 */
function prologEnd(text: string): number {
  const after = (mark: string): number => {
    const at = text.indexOf(mark);
    return at === -1 ? -1 : at + mark.length;
  };
  if (text.startsWith("<!--")) return after("-->");
  if (text.startsWith("<?")) return after("?>");
  if (!text.startsWith("<!")) return 0;
  const bracket = text.indexOf("[");
  const close = text.indexOf(">");
  if (bracket === -1 || close < bracket) return close + 1 || -1;
  const end = /\]\s*>/.exec(text);
  return end === null ? -1 : end.index + end[0].length;
}
