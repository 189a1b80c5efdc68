// The tree of an XML document as readers and writers of this program see it: names with their namespaces, text with
// entities resolved.

export type XmlAttribute = { readonly namespace: string; readonly name: string; readonly value: string };

/**
 * `namespace` is "" for a name without one; `name` is the local part. Namespace declarations are not among the
 * attributes.
 */
export type XmlElement = {
  readonly namespace: string;
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlNode[];
};
export type XmlNode = XmlElement | string;

export const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";
export const XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/";

/** All text inside an element, that of its descendants too, in the order of the document. */
export function textOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");
}
