// A JPCOAR document with every name under the prefix the schema's table knows it by, and the small questions the reader
// asks of it.

import type { Text } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import { own } from "../../shared/objects.ts";
import { textOf, XML_NAMESPACE, type XmlElement } from "../../shared/xml/element.ts";
import { xmlText } from "../../shared/xml/print.ts";
import { ELEMENTS, PREFIXES } from "./schema.ts";

export type Node = {
  /** `dc:title`; `{namespace}name` for a namespace outside JPCOAR. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
  /** What the node was made from. */
  readonly element: XmlElement;
  /** Text directly in the element, without white space at its ends. */
  readonly ownText: string;
};

const XSI = "http://www.w3.org/2001/XMLSchema-instance";
const KNOWN: Readonly<Record<string, string>> = {
  ...PREFIXES,
  [XML_NAMESPACE]: "xml",
  "http://www.rioxx.net/schema/v2.0/rioxxterms/": "rioxxterms",
};
/** Names of JPCOAR 1.0 for what 2.0 calls otherwise. */
const FORMER: Readonly<Record<string, string>> = {
  "oaire:versiontype": "oaire:version",
  "datacite:funderIdentifier": "jpcoar:funderIdentifier",
  "datacite:awardNumber": "jpcoar:awardNumber",
};

/** Each version of the schema has its own namespace; what a version adds to 2.0 is reported and kept in `extra`. */
export function isJpcoarNamespace(namespace: string): boolean {
  return /^https:\/\/github\.com\/JPCOAR\/schema\/blob\/master\/\d\.\d\/$/.test(namespace);
}

export function toNode(element: XmlElement): Node {
  const attributes: Record<string, string> = {};
  for (const { namespace, name, value } of element.attributes) {
    if (namespace !== XSI) attributes[namespace === "" ? name : qualifiedName(namespace, name)] = value;
  }
  const name = qualifiedName(element.namespace, element.name);
  return {
    name: own(FORMER, name) ?? name,
    attributes,
    children: element.children.filter((child) => typeof child !== "string").map(toNode),
    element,
    ownText: element.children
      .filter((child) => typeof child === "string")
      .join("")
      .trim(),
  };
}

function qualifiedName(namespace: string, name: string): string {
  const prefix = isJpcoarNamespace(namespace) ? "jpcoar" : own(KNOWN, namespace);
  return prefix === undefined ? `{${namespace}}${name}` : `${prefix}:${name}`;
}

export function all(node: Node | undefined, name: string): readonly Node[] {
  return node?.children.filter((child) => child.name === name) ?? [];
}

export function one(node: Node | undefined, name: string): Node | undefined {
  return node?.children.find((child) => child.name === name);
}

/**
 * Words as written; white space at an end is dropped when it holds a line break, because then it only lays the document
 * out.
 */
export function words(node: Node | undefined): string {
  if (node === undefined) return "";
  const text = textOf(node.element);
  const start = text.length - text.trimStart().length;
  if (start === text.length) return "";
  const end = text.trimEnd().length;
  return text.slice(text.slice(0, start).includes("\n") ? start : 0, text.slice(end).includes("\n") ? end : undefined);
}

/** A code, number, date or address: without white space at its ends. */
export function token(node: Node | undefined): string {
  return node === undefined ? "" : textOf(node.element).trim();
}

/** A member that is left out when its value is empty. */
export function maybe<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  // The type has one computed key; the compiler widens it to string.
  return value === undefined || value === "" ? {} : ({ [key]: value } as Partial<Record<K, string>>);
}

export function toText(node: Node): Text {
  return { value: words(node), ...maybe("lang", node.attributes["xml:lang"]?.trim()) };
}

/** The non-empty texts of all children of a name. */
export function texts(node: Node | undefined, name: string): Text[] {
  return all(node, name)
    .map(toText)
    .filter((text) => text.value !== "");
}

/** The non-empty codes of all children of a name. */
export function tokens(node: Node | undefined, name: string): string[] {
  return all(node, name)
    .map(token)
    .filter((text) => text !== "");
}

/** Something in a document that is not in the schema; `value` null when it is stored elsewhere and only reported. */
export type Stranger = { readonly path: string; readonly problem: string; readonly value: Json };

/**
 * Everything in a document that the schema has no place for, in document order. Order and missing parts are not
 * checked.
 */
export function strangers(root: Node): Stranger[] {
  const found: Stranger[] = [];
  look(root, root.name, found);
  return found;
}

function look(node: Node, path: string, found: Stranger[]): void {
  const rule = own(ELEMENTS, node.name);
  for (const [name, value] of Object.entries(node.attributes)) {
    const choice = rule === undefined ? undefined : own(rule.attributes, name);
    if (choice === undefined)
      found.push({ path: `${path}/@${name}`, problem: "is not an attribute of JPCOAR 2.0", value });
    else if (!choice(value.trim())) {
      found.push({
        path: `${path}/@${name}`,
        problem: `"${shown(value)}" is not what JPCOAR 2.0 allows there`,
        value: null,
      });
    }
  }
  if (rule?.children === undefined) {
    if (node.children.length > 0) found.push({ path, problem: "holds elements where text was expected", value: null });
    const text = rule?.text === undefined ? "" : token(node);
    if (text !== "" && rule?.text?.(text) === false) {
      found.push({ path, problem: `"${shown(text)}" is not what JPCOAR 2.0 allows there`, value: null });
    }
    return;
  }
  if (node.ownText !== "") {
    found.push({ path: `${path}/text()`, problem: "is text between elements", value: node.ownText });
  }
  const counts = new Map<string, number>();
  for (const child of node.children) {
    const count = (counts.get(child.name) ?? 0) + 1;
    counts.set(child.name, count);
    const place = `${path}/${child.name}[${count}]`;
    const known = rule.children.find(([name]) => name === child.name);
    if (known === undefined && child.name !== "rioxxterms:apc") {
      found.push({ path: place, problem: "is not an element of JPCOAR 2.0", value: toJson(child) });
    } else if (known !== undefined && known[2] !== null && count > known[2]) {
      found.push({ path: place, problem: "may appear only once; the first one counts", value: toJson(child) });
    } else if (known !== undefined) look(child, place, found);
  }
}

function toJson(node: Node): Json {
  return {
    name: node.name,
    ...(Object.keys(node.attributes).length === 0 ? {} : { attributes: node.attributes }),
    ...(node.children.length === 0 ? { text: token(node) } : { children: node.children.map(toJson) }),
  };
}

/** A value as a message shows it. */
export function shown(text: string): string {
  const line = xmlText(text).trim().replace(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
