// XML to a tree with namespaces (XML 1.0, Namespaces in XML 1.0), over the parser package. Documents with a DOCTYPE are refused, so no entity is
// ever defined, fetched or multiplied; depth, size and counts are bounded before anything is built.
import { parse, type TNode } from "txml/txml";
import { DocumentError } from "../document-error.ts";
import { most } from "../limits.ts";
import { checkXml, refusedAt, XML_LIMITS, type XmlLimits } from "./check.ts";
import { decodeXml } from "./decode.ts";
import { XML_NAMESPACE, XMLNS_NAMESPACE, type XmlAttribute, type XmlElement } from "./element.ts";

/** Prefixes in scope; "" is the default namespace. */
type Scope = ReadonlyMap<string, string>;

/**
 * The root element of a document. Bytes are UTF-8 or UTF-16 with a byte order mark. Comments and processing instructions are left out, CDATA and
 * entities are plain text. Throws DocumentError for every document that is not well-formed or beyond a limit; nothing is validated.
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
