// The RO-Crate form of an item type for search, detail and lists (specification 3, "RO-Crate object"; R4, R29): a tree
// of tabs, sections and subsections, each with the keys it shows and the fields their values come from. Read and
// checked here, applied in src/formats/ro-crate/detail.ts.
//
//   {"entity_types": ["root", "tab", "section", "subsection"],
//    "tree_structure": {"name", "name_i18n": {LANG: NAME}, "map": {KEY: SOURCE}, "children": [NODE, …]},
//    "file": {"map": {KEY: SOURCE}}}
//   SOURCE = PART | [PART, …]   the values of all parts, in their order
//   PART   = PATH | {"value": PATH, "lang": PATH, "where": {PATH: TEXT or [TEXT, …]}} | {"static_value": TEXT or [TEXT, …]}
//   PATH   = property path of a field of the type, `item_1617186331708.subitem_1551255647225`
//
// or flat, every key on the root: {"root": {KEY: SOURCE}, "file": {KEY: SOURCE}}. `lang` names the field that holds the
// language of a value, `where` a neighbouring field that must hold one of these texts.
import { FieldFault, quoted } from "../../shared/field-faults.ts";
import { anyListOf, objectOf, words } from "../../shared/fields.ts";
import { pathWithoutIndices } from "./metadata-path.ts";

/** Limits of one mapping. */
const MAPPING_LIMITS = { nodes: 1_000, keys: 5_000, values: 1_000, text: 2_000 } as const;

export type CrateSource =
  | { readonly kind: "static"; readonly values: readonly string[] }
  /** Property paths without indices. */
  | {
      readonly kind: "field";
      readonly path: string;
      /** Values in the requested language, else in English, else in that of the first one. */
      readonly lang: string | null;
      readonly where: { readonly path: string; readonly is: readonly string[] } | null;
    };

export type CrateMap = ReadonlyMap<string, readonly CrateSource[]>;

export type CrateNode = {
  /** Its @id: the names from the tab down to it. */
  readonly id: string;
  /** Its `additionalType`, by its depth. */
  readonly type: string;
  readonly name: string;
  readonly nameByLanguage: Readonly<Record<string, string>>;
  readonly map: CrateMap;
  readonly children: readonly CrateNode[];
};

export type CrateMapping = {
  readonly root: CrateMap;
  /** What lies directly below the root. */
  readonly tabs: readonly CrateNode[];
  readonly file: CrateMap;
};

const ENTITY_TYPES = ["root", "tab", "section", "subsection"];

/** Keys that the form itself gives to the root, to entities below it, to files. */
const OWN_KEYS = {
  root: ["@id", "@type", "hasPart", "mainEntity"],
  node: ["@id", "@type", "hasPart", "additionalType", "name"],
  file: ["@id", "@type"],
} as const;
type Entity = keyof typeof OWN_KEYS;

type Reading = {
  readonly paths: ReadonlySet<string>;
  types: readonly string[];
  sources: Map<string, CrateSource>;
  nodes: number;
  keys: number;
};

/**
 * Reads a mapping. `paths`: of all fields of the item type that hold a value, without indices.
 *
 * @throws FieldFault.
 */
export function readCrateMapping(json: unknown, paths: Iterable<string>): CrateMapping {
  const member = objectOf(json, AT);
  const types = member.entity_types === undefined ? ENTITY_TYPES : texts(member.entity_types, `${AT}.entity_types`);
  const reading: Reading = {
    paths: new Set([...paths].map(pathWithoutIndices)),
    types,
    sources: new Map(),
    nodes: 0,
    keys: 0,
  };
  for (const name of Object.keys(member)) {
    if (!["entity_types", "tree_structure", "file", "root"].includes(name)) throw wrong(`${AT}.${name}`, "is unknown");
  }
  if (member.tree_structure === undefined) {
    const [root, file] = (["root", "file"] as const).map((name) =>
      readMap(member[name], `${AT}.${name}`, name, reading),
    );
    return { root: root ?? new Map(), tabs: [], file: file ?? new Map() };
  }
  if (member.root !== undefined) throw wrong(`${AT}.root`, "is not allowed next to tree_structure, which has its own");
  const at = `${AT}.tree_structure`;
  const tree = objectOf(member.tree_structure, at);
  const file = member.file === undefined ? {} : objectOf(member.file, `${AT}.file`);
  return {
    root: readMap(tree.map, `${at}.map`, "root", reading),
    tabs: readNodes(tree.children, `${at}.children`, { id: "", depth: 1 }, reading),
    file: readMap(file.map, `${AT}.file.map`, "file", reading),
  };
}

const AT = "roCrate";

/** Where nodes lie: below the entity with this @id, so deep. */
type Place = { readonly id: string; readonly depth: number };

function readNodes(json: unknown, at: string, place: Place, reading: Reading): readonly CrateNode[] {
  if (json === undefined) return [];
  const names = new Set<string>();
  return anyListOf(json, at).map((child, index) => {
    const node = readNode(child, `${at}[${index}]`, place, reading);
    if (names.has(node.name)) throw wrong(at, "appears there twice", node.name);
    names.add(node.name);
    return node;
  });
}

function readNode(json: unknown, at: string, { id: above, depth }: Place, reading: Reading): CrateNode {
  const member = objectOf(json, at);
  if (++reading.nodes > MAPPING_LIMITS.nodes) throw wrong(at, `is one entity more than ${MAPPING_LIMITS.nodes}`);
  const type = reading.types[depth];
  if (type === undefined) throw wrong(at, "is nested deeper than entity_types has types");
  const name = nameOf(member.name, `${at}.name`);
  const id = `${above}${pathPart(name)}/`;
  return {
    id,
    type,
    name,
    nameByLanguage: readNames(member.name_i18n, `${at}.name_i18n`),
    map: readMap(member.map, `${at}.map`, "node", reading),
    children: readNodes(member.children, `${at}.children`, { id, depth: depth + 1 }, reading),
  };
}

/**
 * A part of an address of an entity: letters of all languages stay as they are (RO-Crate 1.1, "Core metadata for Data
 * Entities").
 */
function pathPart(name: string): string {
  return name.replace(/[^\p{L}\p{N}\p{M}._~-]/gu, encodeURIComponent);
}

/** A name becomes a part of an address. */
function nameOf(json: unknown, at: string): string {
  const name = text.read(json, at);
  if (name.includes("/") || name === "." || name === "..") throw wrong(at, "must be a name without slash", name);
  return name;
}

function readNames(json: unknown, at: string): Readonly<Record<string, string>> {
  if (json === undefined) return {};
  return Object.fromEntries(
    Object.entries(objectOf(json, at)).map(([lang, name]) => [lang.toLowerCase(), text.read(name, `${at}.${lang}`)]),
  );
}

function readMap(json: unknown, at: string, entity: Entity, reading: Reading): CrateMap {
  if (json === undefined) return new Map();
  const own: readonly string[] = OWN_KEYS[entity];
  const map = new Map<string, readonly CrateSource[]>();
  for (const [key, source] of Object.entries(objectOf(json, at))) {
    const here = `${at}.${text.read(key, at)}`;
    if (own.includes(key)) throw wrong(here, "is given by the form itself");
    if (++reading.keys > MAPPING_LIMITS.keys) throw wrong(here, `is one key more than ${MAPPING_LIMITS.keys}`);
    const parts = Array.isArray(source) ? listOf(source, here) : [source];
    map.set(
      key,
      parts.map((part) => knownSource(part, here, reading)),
    );
  }
  return map;
}

/** Sources that are written alike share one object: their values in an item are found once. */
function knownSource(json: unknown, at: string, reading: Reading): CrateSource {
  const written = JSON.stringify(json);
  const source = reading.sources.get(written) ?? readSource(json, at, reading);
  reading.sources.set(written, source);
  return source;
}

function readSource(json: unknown, at: string, reading: Reading): CrateSource {
  const path = (written: unknown, here: string): string => {
    const plain = pathWithoutIndices(text.read(written, here));
    if (!reading.paths.has(plain)) throw wrong(here, "is not a field of this item type", written);
    return plain;
  };
  if (typeof json === "string") return { kind: "field", path: path(json, at), lang: null, where: null };
  const { value, lang, where, static_value: fixed, ...others } = objectOf(json, at);
  const [stray] = Object.keys(others);
  if (stray !== undefined) throw wrong(`${at}.${stray}`, "is unknown");
  if (fixed !== undefined) return { kind: "static", values: texts(fixed, `${at}.static_value`) };
  return {
    kind: "field",
    path: path(value, `${at}.value`),
    lang: lang === undefined ? null : path(lang, `${at}.lang`),
    where: where === undefined ? null : readWhere(where, `${at}.where`, path),
  };
}

function readWhere(json: unknown, at: string, path: (written: unknown, here: string) => string) {
  const [only, another] = Object.entries(objectOf(json, at));
  if (only === undefined || another !== undefined) throw wrong(at, "must name one field");
  return { path: path(only[0], at), is: texts(only[1], `${at}.${only[0]}`) };
}

function texts(json: unknown, at: string): readonly string[] {
  return (typeof json === "string" ? [json] : listOf(json, at)).map((each) => text.read(each, at));
}

function listOf(json: unknown, at: string): readonly unknown[] {
  const list = anyListOf(json, at);
  if (list.length > 0 && list.length <= MAPPING_LIMITS.values) return list;
  throw wrong(at, `must have 1 to ${MAPPING_LIMITS.values} members`);
}

const text = words(MAPPING_LIMITS.text, {}, true);

function wrong(at: string, what: string, value?: unknown): FieldFault {
  return new FieldFault(at, what, value === undefined ? null : quoted(value));
}
