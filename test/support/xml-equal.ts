// Two XML documents are equal here when they have the same content: comments, processing instructions, white space
// between elements, the choice of prefixes, the order of attributes and xsi:schemaLocation do not count. White space
// inside an element that holds text counts.

import type { XmlElement } from "../../src/shared/xml/element.ts";
import { parseXml } from "../../src/shared/xml/parse.ts";

const XSI = "http://www.w3.org/2001/XMLSchema-instance";

/** The document in one canonical form, a line to an element, so that a difference is seen as a line. */
export function canonicalXml(document: string | Uint8Array): string {
  const lines: string[] = [];
  put(parseXml(document), "", lines);
  return lines.join("\n");
}

function put(element: XmlElement, indent: string, lines: string[]): void {
  const attributes = element.attributes
    .filter(({ namespace }) => namespace !== XSI)
    .map(({ namespace, name, value }) => `{${namespace}}${name}=${JSON.stringify(value)}`)
    .toSorted();
  const start = `${indent}{${element.namespace}}${element.name} ${attributes.join(" ")}`.trimEnd();
  const hasElements = element.children.some((child) => typeof child !== "string");
  const texts = element.children
    .filter((child) => typeof child === "string")
    .filter((text) => !hasElements || text.trim() !== "");
  lines.push(texts.length === 0 ? start : `${start} = ${JSON.stringify(texts.join(""))}`);
  for (const child of element.children) if (typeof child !== "string") put(child, `${indent}  `, lines);
}
