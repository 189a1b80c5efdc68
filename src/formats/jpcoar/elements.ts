// What the writer of JPCOAR builds with: elements by their prefixed names, choices of the schema's lists, and notes of
// what does not fit.

import type { Ident, Text } from "../../model/metadata/metadata.ts";
import { own } from "../../shared/objects.ts";
import { XML_NAMESPACE, type XmlAttribute, type XmlElement } from "../../shared/xml/element.ts";
import { xmlText } from "../../shared/xml/print.ts";
import { shown } from "./nodes.ts";
import { PREFIXES } from "./schema.ts";
import { isLanguage, isUri } from "./text-rules.ts";

/** Sentences about what could not be carried, each once, in the order they came up. */
export type Notes = { readonly add: (sentence: string) => void; readonly list: () => string[] };

export function notesKeeper(): Notes {
  const sentences = new Set<string>();
  return { add: (sentence) => sentences.add(sentence), list: () => [...sentences] };
}

const NAMESPACES = new Map(Object.entries(PREFIXES).map(([namespace, prefix]) => [prefix, namespace]));

function split(name: string): { namespace: string; name: string } {
  const colon = name.indexOf(":");
  if (colon === -1) return { namespace: "", name };
  const prefix = name.slice(0, colon);
  const namespace = prefix === "xml" ? XML_NAMESPACE : NAMESPACES.get(prefix);
  if (namespace === undefined) throw new RangeError(`No namespace for "${name}"`);
  return { namespace, name: name.slice(colon + 1) };
}

/** An element; attributes without a value and children that are null are left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  children: readonly (XmlElement | string | null)[],
): XmlElement {
  const given: XmlAttribute[] = [];
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) given.push({ ...split(key), value });
  }
  const parts = children.filter((child) => child !== null && child !== "");
  return { ...split(name), attributes: given, children: parts.filter((child) => child !== null) };
}

/** An element that holds words, with their language when it has the form of one. */
export function textElement(
  name: string,
  text: Text,
  notes: Notes,
  attributes: Readonly<Record<string, string | undefined>> = {},
): XmlElement {
  return element(name, { "xml:lang": language(text.lang, notes), ...attributes }, [clean(text.value, notes)]);
}

export function textElements(name: string, texts: readonly Text[], notes: Notes): XmlElement[] {
  return texts.filter(({ value }) => value !== "").map((text) => textElement(name, text, notes));
}

function language(lang: string | undefined, notes: Notes): string | undefined {
  if (lang === undefined || lang === "") return undefined;
  if (isLanguage(lang)) return lang;
  notes.add(`"${shown(lang)}" does not have the form of a language and is left out`);
  return undefined;
}

export function clean(text: string, notes: Notes): string {
  const legal = xmlText(text);
  if (legal !== text) notes.add("Characters that XML cannot hold are replaced by U+FFFD");
  return legal;
}

const flat = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Other spellings, flattened, of schemes and types of the schema's lists. */
const ALIASES: Readonly<Record<string, string>> = {
  erad: "eradresearcher",
  eradresearchers: "eradresearcher",
  handle: "hdl",
  url: "uri",
  crossreffunderid: "crossreffunder",
  kakenhiresearcher: "nrid",
};

/** The entry of a list for a value, whatever its case, hyphens and spaces; null when no entry matches. */
export function choose<T extends string>(list: readonly T[], value: string | undefined): T | null {
  if (value === undefined) return null;
  const wanted = flat(value);
  const alias = own(ALIASES, wanted) ?? wanted;
  return (
    list.find((each) => each === value) ?? list.find((each) => flat(each) === wanted || flat(each) === alias) ?? null
  );
}

/** A value of a list for an attribute that may be missing; a value outside the list is noted. */
export function optional<T extends string>(
  list: readonly T[],
  value: string | undefined,
  what: string,
  notes: Notes,
): T | undefined {
  if (value === undefined || value === "") return undefined;
  const chosen = choose(list, value);
  if (chosen === null) notes.add(`The ${what} "${shown(value)}" is not in JPCOAR 2.0 and is left out`);
  return chosen ?? undefined;
}

/** The value as an address that the schema accepts, other characters percent-encoded; null where that fails. */
export function uriText(value: string): string | null {
  const text = xmlText(value.trim());
  if (isUri(text)) return text;
  const once = text.replace(/[\s"<>\\^`{|}\p{Cc}]|%(?![0-9A-Fa-f]{2})/gu, encodeURIComponent);
  if (isUri(once)) return once;
  const hash = once.indexOf("#") + 1 || once.length;
  const twice = (once.slice(0, hash) + once.slice(hash).replace(/#/g, "%23")).replace(/[[\]]/g, encodeURIComponent);
  return isUri(twice) ? twice : null;
}

/** An address for an attribute that may be missing. */
export function optionalUri(value: string | undefined, what: string, notes: Notes): string | undefined {
  if (value === undefined || value === "") return undefined;
  const uri = uriText(value);
  if (uri === null) notes.add(`The ${what} "${shown(value)}" is not an address and is left out`);
  return uri ?? undefined;
}

/** A DOI or handle as an address, as the guidelines require; other identifiers unchanged. */
export function resolvable(type: string, value: string): string {
  const bare = value.trim().replace(/^(?:doi|hdl|info:doi\/|info:hdl\/):?\s*/i, "");
  if (type === "DOI" && /^10\./.test(bare)) return `https://doi.org/${bare}`;
  if (type === "HDL" && /^[\w.]+\/\S/.test(bare)) return `https://hdl.handle.net/${bare}`;
  return value;
}

/** How a note names an identifier. */
export function named(ident: Ident): string {
  return `"${shown(ident.value === "" ? (ident.uri ?? "") : ident.value)}"${ident.scheme === "" ? "" : ` (${shown(ident.scheme)})`}`;
}
