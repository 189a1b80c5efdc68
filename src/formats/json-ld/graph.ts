// A JSON-LD graph as packages carry it (specification "Package content rules"; RO-Crate 1.1): entities by @id, followed
// link by link. Nothing is expanded, copied or fetched: contexts are read for prefixes only, so cycles and long chains
// cost nothing.

import { DocumentError } from "../../shared/document-error.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { own } from "../../shared/objects.ts";

/**
 * Namespaces whose terms are known, by the prefix they have in mappings. Schema.org is the vocabulary of terms without
 * prefix.
 */
const NAMESPACES: readonly (readonly [prefix: string, uris: readonly string[]])[] = [
  ["", ["http://schema.org/", "https://schema.org/"]],
  ["dc", ["http://purl.org/dc/elements/1.1/"]],
  ["dcterms", ["http://purl.org/dc/terms/"]],
  [
    "jpcoar",
    ["https://github.com/JPCOAR/schema/blob/master/2.0/", "https://github.com/JPCOAR/schema/blob/master/1.0/"],
  ],
];
/** Prefixes that mean the same: the flags are written with either (R14). */
const PREFIX_ALIASES: Readonly<Record<string, string>> = { wk: "svc", schema: "", sdo: "" };

export type Graph = {
  readonly entities: ReadonlyMap<string, JsonObject>;
  /**
   * The values of a term, each link that the graph knows followed, and marks the term as read. A missing term has no
   * values.
   */
  values(of: Json, term: string): readonly Json[];
  /** As values(), without marking: for looking ahead. */
  peek(of: Json, term: string): readonly Json[];
  /** Names of the entity's types, without the prefix of schema.org. */
  typesOf(entity: Json): readonly string[];
  /** Whether values() was called for this term. */
  isRead(of: JsonObject, term: string): boolean;
  /** Marks a term as understood without reading it. */
  markRead(of: JsonObject, term: string): void;
  /** Marks a term and everything its values link to, except this object itself. */
  markBelow(of: JsonObject, term: string): void;
  /** Marks a whole entity as understood. */
  markWhole(entity: JsonObject): void;
  /** Whether anybody read from this object. */
  wasVisited(entity: JsonObject): boolean;
  /** Terms of the object that were not read, with their values as written. */
  unread(of: JsonObject): readonly (readonly [term: string, value: Json])[];
  /** Objects that the read terms of this object lead to, with the term and the position among its values. */
  readLinks(of: JsonObject): readonly { readonly term: string; readonly index: number; readonly object: JsonObject }[];
};

/** Opens a document that has an `@graph`. Errors call it `name`; its length `bytes` limits how much links may add. */
export function openGraph(document: JsonObject, name: string, bytes: number = most("documentBytes")): Graph {
  const listed = document["@graph"];
  if (listed === undefined) throw new DocumentError(`Cannot read ${name}: it has no @graph`);
  if (!isJsonArray(listed)) throw new DocumentError(`Cannot read ${name}: @graph is not an array`);
  const entities = new Map<string, JsonObject>();
  listed.forEach((entity, index) => {
    if (!isJsonObject(entity)) throw new DocumentError(`Cannot read ${name}: @graph[${index}] is not an object`);
    const id = entity["@id"];
    if (id !== undefined && typeof id !== "string") {
      throw new DocumentError(`Cannot read ${name}: the @id of @graph[${index}] is not text`);
    }
    const key = id ?? `_:unnamed-${index}`;
    if (entities.has(key)) {
      throw new DocumentError(
        `Cannot read ${name}: two entities of @graph have the @id ${JSON.stringify(key.slice(0, 200))}`,
      );
    }
    entities.set(key, entity);
  });
  return graphOf(entities, document["@context"], bytes);
}

/** A document without `@graph`: one entity with everything nested in it. */
export function openSingle(document: JsonObject, bytes: number = most("documentBytes")): Graph {
  const id = document["@id"];
  return graphOf(new Map([[typeof id === "string" ? id : "./", document]]), document["@context"], bytes);
}

function graphOf(entities: ReadonlyMap<string, JsonObject>, context: Json | undefined, bytes: number): Graph {
  const normal = withCache(termNormaliser(context));
  const NO_MARKS: Marks = { term: null, before: null, next: new Map() };
  const renamed = new WeakMap<object, ReadonlyMap<string, readonly Json[]> | null>();
  const read = new Map<object, Marks>();
  const whole = new Set<object>();

  /**
   * Values by normal term of an object that writes some term in another way; null for the many that write every term as
   * it is known.
   */
  const renamedOf = (of: JsonObject): ReadonlyMap<string, readonly Json[]> | null => {
    const known = renamed.get(of);
    if (known !== undefined) return known;
    const isPlain = Object.keys(of).every((key) => normal(key) === key);
    const terms = isPlain ? null : valuesByTerm(of, normal);
    renamed.set(of, terms);
    return terms;
  };
  const termsOf = (of: JsonObject): Iterable<string> => renamedOf(of)?.keys() ?? Object.keys(of);
  const listOf = (of: JsonObject, term: string): readonly Json[] => {
    const terms = renamedOf(of);
    if (terms !== null) return terms.get(term) ?? [];
    return Object.hasOwn(of, term) ? asList(of[term]) : [];
  };
  const mark = (of: object, term: string): void => void read.set(of, withMark(read.get(of) ?? NO_MARKS, term));
  const follow = (value: Json): Json => {
    if (!isJsonObject(value)) return value;
    const id = value["@id"];
    if (typeof id !== "string" || Object.keys(value).length !== 1) return value;
    return entities.get(id) ?? value;
  };
  const counted = reading(bytes);
  const peek = (of: Json, term: string): readonly Json[] =>
    isJsonObject(of) ? counted(listOf(of, term)).map(follow) : [];

  return {
    entities,
    peek,
    values(of, term) {
      if (isJsonObject(of)) mark(of, term);
      return peek(of, term);
    },
    typesOf: (entity) =>
      isJsonObject(entity)
        ? counted(asList(entity["@type"])).flatMap((type) => (typeof type === "string" ? [normal(type)] : []))
        : [],
    isRead: (of, term) => hasMark(read.get(of), term),
    markRead: mark,
    markBelow(of, term) {
      mark(of, term);
      const waiting = [...peek(of, term)];
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
        if (!isJsonObject(at) || at === of || whole.has(at)) continue;
        whole.add(at);
        for (const term of termsOf(at)) {
          for (const each of peek(at, term)) waiting.push(each);
        }
      }
    },
    markWhole: (entity) => void whole.add(entity),
    wasVisited: (entity) => read.has(entity) || whole.has(entity),
    unread(of) {
      if (whole.has(of)) return [];
      const known = new Set(markedTerms(read.get(of)));
      return [...termsOf(of)].flatMap((term): [string, Json][] => {
        if (term.startsWith("@") || known.has(term)) return [];
        const values = listOf(of, term);
        const [only] = values;
        return [[term, values.length === 1 && only !== undefined ? only : values]];
      });
    },
    readLinks(of) {
      return markedTerms(read.get(of)).flatMap((term) =>
        peek(of, term).flatMap((object, index) => (isJsonObject(object) ? [{ term, index, object }] : [])),
      );
    },
  };
}

/** What every document may expand to, however short it is. */
const FREE_READS = 100_000;
const FREE_CHARACTERS = 1_048_576;
/** The characters of a value are read for each of the terms it may be. */
const CHARACTERS_PER_BYTE = 8;

/**
 * Counts what is read of a graph of `bytes` bytes: an entity that many others link to is read once for each of them, so
 * that a short document could expand to any number of values.
 *
 * @throws DocumentError when links make more of it than such a document holds.
 */
function reading(bytes: number): (list: readonly Json[]) => readonly Json[] {
  const mostValues = Math.min(most("graphReads"), FREE_READS + bytes);
  const mostCharacters = Math.min(most("graphCharacters"), FREE_CHARACTERS + CHARACTERS_PER_BYTE * bytes);
  let values = 0;
  let characters = 0;
  return (list) => {
    values += list.length;
    for (const each of list) if (typeof each === "string") characters += each.length;
    if (values > mostValues || characters > mostCharacters) {
      throw new DocumentError("Cannot read the graph: entities that many others link to expand it to too many values");
    }
    return list;
  };
}

/**
 * The terms that were read of an object: its own term and those before it. Objects of one kind are read in one way, so
 * they share what is noted of them. The list is as long as the terms a mapping reads, so walking it costs less than a
 * separate set for each object.
 */
type Marks = { readonly term: string | null; readonly before: Marks | null; readonly next: Map<string, Marks> };

function hasMark(marks: Marks | undefined, term: string): boolean {
  for (let at: Marks | null = marks ?? null; at !== null; at = at.before) if (at.term === term) return true;
  return false;
}

function withMark(marks: Marks, term: string): Marks {
  const known = marks.next.get(term);
  if (known !== undefined) return known;
  if (hasMark(marks, term)) return marks;
  const made: Marks = { term, before: marks, next: new Map() };
  marks.next.set(term, made);
  return made;
}

/** In the order in which they were read. */
function markedTerms(marks: Marks | undefined): readonly string[] {
  const terms: string[] = [];
  for (let at: Marks | null = marks ?? null; at !== null; at = at.before) if (at.term !== null) terms.push(at.term);
  return terms.reverse();
}

function valuesByTerm(of: JsonObject, normal: (key: string) => string): ReadonlyMap<string, readonly Json[]> {
  const terms = new Map<string, Json[]>();
  for (const [key, value] of Object.entries(of)) {
    const term = normal(key);
    const values = terms.get(term) ?? [];
    for (const each of asList(value)) values.push(each);
    terms.set(term, values);
  }
  return terms;
}

/** The values of a term as a list: JSON-LD writes one value with or without an array around it. */
export function asList(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return isJsonArray(value) ? value.filter((each) => each !== null) : [value];
}

/**
 * Writes a term as mappings know it: without schema.org's prefix, `svc:` for `wk:`, prefixes of the document by their
 * namespace.
 */
function termNormaliser(context: Json | undefined): (key: string) => string {
  const prefixes = new Map<string, string>();
  for (const each of asList(context)) {
    if (!isJsonObject(each)) continue;
    for (const [prefix, meaning] of Object.entries(each)) {
      const uri = isJsonObject(meaning) ? meaning["@id"] : meaning;
      if (typeof uri !== "string") continue;
      // Every term with the prefix is written with it.
      if (uri.length > most("namespaceCharacters")) {
        const entry = `${JSON.stringify(prefix.slice(0, 40))}: "${uri.slice(0, 40)}…"`;
        const longest = `namespaces have at most ${most("namespaceCharacters")} characters`;
        throw new DocumentError(`Cannot read the @context: ${entry} has ${uri.length} characters, ${longest}`);
      }
      prefixes.set(prefix, uri);
    }
  }
  const byUri = (uri: string): string | null => {
    for (const [prefix, uris] of NAMESPACES) {
      const namespace = uris.find((each) => uri.startsWith(each));
      if (namespace !== undefined) return joinName(prefix, uri.slice(namespace.length));
    }
    return null;
  };
  return (key) => {
    if (key.startsWith("@")) return key;
    const colon = key.indexOf(":");
    if (colon < 0) return byUri(prefixes.get(key) ?? "") ?? key;
    const prefix = key.slice(0, colon);
    const local = key.slice(colon + 1);
    const uri = prefixes.get(prefix);
    const known = byUri(key) ?? (uri === undefined ? null : byUri(uri + local));
    return known ?? joinName(own(PREFIX_ALIASES, prefix) ?? prefix, local);
  };
}

function withCache(normal: (key: string) => string): (key: string) => string {
  const known = new Map<string, string>();
  return (key) => {
    const term = known.get(key) ?? normal(key);
    known.set(key, term);
    return term;
  };
}

function joinName(prefix: string, local: string): string {
  return prefix === "" ? local : `${prefix}:${local}`;
}
