// Elements of feeds: namespaces, and short ways to make an element of words.
import { XML_NAMESPACE, type XmlElement } from "../../shared/xml/element.ts";
import { printXml } from "../../shared/xml/print.ts";

export const NAMESPACES = {
  atom: "http://www.w3.org/2005/Atom",
  rss: "http://purl.org/rss/1.0/",
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  dc: "http://purl.org/dc/elements/1.1/",
  prism: "http://prismstandard.org/namespaces/basic/2.0/",
  opensearch: "http://a9.com/-/spec/opensearch/1.1/",
  xsi: "http://www.w3.org/2001/XMLSchema-instance",
  xml: XML_NAMESPACE,
  /** Elements without a namespace. */
  none: "",
} as const;
type Prefix = keyof typeof NAMESPACES;

/** `element("dc:title", { "xml:lang": "ja" }, ["…"])`; attributes without a prefix have no namespace. */
export function element(
  name: `${Prefix}:${string}`,
  attributes: Readonly<Record<string, string>>,
  children: XmlElement["children"],
): XmlElement {
  const given = Object.entries(attributes).map(([key, value]) => {
    const [prefix, local] = key.includes(":") ? split(key) : (["none", key] as const);
    return { namespace: NAMESPACES[prefix], name: local, value };
  });
  const [prefix, local] = split(name);
  return {
    namespace: NAMESPACES[prefix],
    name: local,
    attributes: given,
    children: children.filter((each) => each !== ""),
  };
}

function split(name: string): readonly [Prefix, string] {
  const colon = name.indexOf(":");
  return [name.slice(0, colon) as Prefix, name.slice(colon + 1)]; // names are written in this folder only
}

export const words = (name: `${Prefix}:${string}`, text: string): XmlElement => element(name, {}, [text]);

export const each = (name: `${Prefix}:${string}`, texts: readonly string[]): readonly XmlElement[] =>
  texts.map((text) => words(name, text));

/** The number of hits, which of them the page has, and the search that may be meant. */
export const counters = (feed: {
  readonly total: number;
  readonly startIndex: number;
  readonly itemsPerPage: number;
  readonly correction: string | null;
}): readonly XmlElement[] => [
  words("opensearch:totalResults", String(feed.total)),
  words("opensearch:startIndex", String(feed.startIndex)),
  words("opensearch:itemsPerPage", String(feed.itemsPerPage)),
  ...(feed.correction === null
    ? []
    : [element("opensearch:Query", { role: "correction", searchTerms: feed.correction }, [])]),
];

/** Prefixes by namespace, for the printer; the default one has none. */
export const prefixes = (names: readonly Prefix[], standard: Prefix | null = null): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [NAMESPACES[name], name === standard ? "" : name]));

type Prefixes = Readonly<Record<string, string>>;

/** The beginning of a document whose root, with all it has so far, stays open. */
export function opened(root: XmlElement, declared: Prefixes): string {
  const text = printXml(root, { prefixes: declared, declaration: true });
  return text.slice(0, text.lastIndexOf("</"));
}

/** An element of a document whose root declares the prefixes. */
export const printed = (part: XmlElement, declared: Prefixes): string =>
  printXml(part, { prefixes: declared, within: true });
