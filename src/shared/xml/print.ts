// A tree to XML text. Whatever the strings hold, the result is well-formed: markup is escaped, line ends and tabs in
// attributes are written as references, and characters that XML 1.0 cannot hold become U+FFFD.
import { XML_NAMESPACE, type XmlElement, type XmlNode } from "./element.ts";

type XmlStyle = {
  /** Prefix of each namespace the tree uses, "" for the default one (elements only); all are declared at the root. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Begin with an XML declaration (UTF-8). */
  readonly declaration?: boolean;
  /** The tree is a part of a document whose root declares the prefixes. */
  readonly within?: true;
  /** Schema location pairs for the root. */
  readonly schemaLocation?: string;
  /**
   * Sentences for people, each a comment; the first things inside a root that holds elements, before any other root.
   */
  readonly comments?: readonly string[];
};

const XSI = "http://www.w3.org/2001/XMLSchema-instance";
const UNPRINTABLE = /[^\t\n\r -\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]|\p{Noncharacter_Code_Point}/gu;

/**
 * The text with U+FFFD for every character XML 1.0 cannot hold or discourages: controls, noncharacters such as U+FDD0,
 * lone surrogates.
 */
export function xmlText(text: string): string {
  return !NEEDS_CARE.test(text) ? text : text.replace(UNPRINTABLE, "\u{FFFD}");
}

/**
 * Prints the tree, two spaces to a level; elements with text are kept on one line as they are. Throws RangeError for a
 * namespace without a prefix.
 */
export function printXml(root: XmlElement, style: XmlStyle): string {
  const declared = style.within === true ? [] : Object.entries(style.prefixes);
  const declarations = declared.map(
    ([namespace, prefix]) => ` xmlns${prefix === "" ? "" : `:${prefix}`}="${attributeText(namespace)}"`,
  );
  if (style.schemaLocation !== undefined) {
    declarations.push(` xmlns:xsi="${XSI}" xsi:schemaLocation="${attributeText(style.schemaLocation)}"`);
  }
  const lines: string[] = style.declaration === true ? ['<?xml version="1.0" encoding="UTF-8"?>\n'] : [];
  const first = lines.length;
  printElement(root, style.prefixes, "", declarations.join(""), lines);
  const comments = (style.comments ?? []).map((text) => `  <!-- ${commentText(text)} -->\n`);
  const holdsElements = root.children.length > 0 && root.children.every((child) => typeof child !== "string");
  lines.splice(holdsElements ? first + 1 : first, 0, ...comments);
  return lines.join("");
}

/** Two hyphens would end a comment: they are set apart. */
const commentText = (text: string): string => xmlText(text).replace(/-(?=-)/g, "- ");

function printElement(
  element: XmlElement,
  prefixes: Readonly<Record<string, string>>,
  indent: string,
  declarations: string,
  out: string[],
): void {
  const name = qualified(element.namespace, element.name, prefixes);
  const attributes = element.attributes.map(
    (each) => ` ${qualified(each.namespace, each.name, prefixes, true)}="${attributeText(each.value)}"`,
  );
  const start = `${indent}<${name}${declarations}${attributes.join("")}`;
  if (element.children.length === 0) out.push(`${start}/>\n`);
  else if (element.children.some((child) => typeof child === "string")) {
    out.push(`${start}>${element.children.map((child) => inline(child, prefixes)).join("")}</${name}>\n`);
  } else {
    out.push(`${start}>\n`);
    for (const child of element.children) {
      if (typeof child !== "string") printElement(child, prefixes, `${indent}  `, "", out);
    }
    out.push(`${indent}</${name}>\n`);
  }
}

/** Inside an element that holds text nothing may be indented. */
function inline(node: XmlNode, prefixes: Readonly<Record<string, string>>): string {
  if (typeof node === "string") return escapeText(node);
  const name = qualified(node.namespace, node.name, prefixes);
  const attributes = node.attributes.map(
    (each) => ` ${qualified(each.namespace, each.name, prefixes, true)}="${attributeText(each.value)}"`,
  );
  return `<${name}${attributes.join("")}>${node.children.map((child) => inline(child, prefixes)).join("")}</${name}>`;
}

function qualified(
  namespace: string,
  name: string,
  prefixes: Readonly<Record<string, string>>,
  isAttribute = false,
): string {
  if (namespace === "") return name;
  if (namespace === XML_NAMESPACE) return `xml:${name}`;
  const prefix = prefixes[namespace];
  if (prefix === undefined || (prefix === "" && isAttribute)) throw new RangeError(`No prefix for "${namespace}"`);
  return prefix === "" ? name : `${prefix}:${name}`;
}

/** Most texts need no change, which one test finds. Halves of surrogate pairs are checked in detail. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const NEEDS_CARE = /[&<>"\u0000-\u001F\uD800-\uDFFF\uFDD0-\uFDEF\uFFFE\uFFFF]/;

/** A text as it is written between tags. */
export function escapeText(text: string): string {
  if (!NEEDS_CARE.test(text)) return text;
  return xmlText(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/\r/g, "&#13;");
}

/** A text as it is written in an attribute. */
export function attributeText(text: string): string {
  if (!NEEDS_CARE.test(text)) return text;
  return escapeText(text).replace(/"/g, "&quot;").replace(/\t/g, "&#9;").replace(/\n/g, "&#10;");
}
