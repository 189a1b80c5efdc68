// What tests ask of an XML element.
import type { XmlElement } from "../../src/shared/xml/element.ts";

export const childElements = ({ children }: XmlElement): XmlElement[] =>
  children.filter((child) => typeof child !== "string");

/** The value of an attribute; attributes without a prefix have no namespace. */
export const attributeOf = ({ attributes }: XmlElement, name: string, namespace = ""): string | undefined =>
  attributes.find((each) => each.name === name && each.namespace === namespace)?.value;
