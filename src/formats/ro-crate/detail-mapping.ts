// What an item type says of its RO-Crate form for search and detail (specification 3, "RO-Crate object"; R29): a tree of tabs, sections and
// subsections, each with the keys it shows and the fields their values come from. Read and checked here, applied in detail.ts.
//
//   {"entity_types": ["root", "tab", "section", "subsection"],
//    "tree_structure": {"name", "name_i18n": {LANG: NAME}, "map": {KEY: SOURCE}, "children": [NODE, …]},
//    "file": {"map": {KEY: SOURCE}}}
//   SOURCE = PATH | [PATH, …] | {"value": PATH, "lang": PATH} | {"static_value": TEXT or [TEXT, …]}
//   PATH   = property path without indices, `item_1617186331708.subitem_1551255647225`
import type { CrateMapping } from "../../repository/model/item-types/definition.ts";
import type { Json } from "../../shared/json/json.ts";
import { Refusal } from "../../shared/refusal.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";

const MAX_DETAIL_NODES = 1_000;
const MAX_DETAIL_KEYS = 5_000;

export type DetailSource =
  | { readonly kind: "paths"; readonly paths: readonly string[] }
  /** One value: in the language asked for, else English, else the first. */
  | { readonly kind: "by-language"; readonly value: string; readonly lang: string }
  | { readonly kind: "static"; readonly values: readonly string[] };

export type DetailMap = ReadonlyMap<string, DetailSource>;

export type DetailNode = {
  readonly name: string;
  readonly nameByLanguage: Readonly<Record<string, string>>;
  readonly map: DetailMap;
  readonly children: readonly DetailNode[];
};

export type DetailMapping = {
  /** `additionalType` by depth, the root's first. */
  readonly entityTypes: readonly string[];
  readonly root: DetailNode;
  readonly file: DetailMap;
};

const ENTITY_TYPES = ["root", "tab", "section", "subsection"];

/** Reads a mapping tree. Throws Refusal (invalid) naming the path and the value. */
export function readDetailMapping(json: Json): DetailMapping {
  if (!isJsonObject(json)) throw refusal("", "it is no object");
  const types = json.entity_types === undefined ? ENTITY_TYPES : texts(json.entity_types, "entity_types");
  const counts = { nodes: 0, keys: 0 };
  const root = readNode(json.tree_structure, "tree_structure", types.length - 1, counts);
  const file = isJsonObject(json.file) ? readMap(json.file.map, "file.map", counts) : new Map<string, DetailSource>();
  return { entityTypes: types, root, file };
}

/** The mapping of an item type that has no tree: every key on the root. */
export function flatDetailMapping(mapping: CrateMapping): DetailMapping {
  const mapOf = (sources: CrateMapping["root"]): DetailMap =>
    new Map(
      Object.entries(sources).map(([key, { value, lang }]): [string, DetailSource] => [
        key,
        lang === undefined ? { kind: "paths", paths: [value] } : { kind: "by-language", value, lang },
      ]),
    );
  return {
    entityTypes: ENTITY_TYPES,
    root: { name: "root", nameByLanguage: {}, map: mapOf(mapping.root), children: [] },
    file: mapOf(mapping.file),
  };
}

type Counts = { nodes: number; keys: number };

function readNode(json: Json | undefined, path: string, levels: number, counts: Counts): DetailNode {
  if (!isJsonObject(json)) throw refusal(path, "it is no object");
  if (++counts.nodes > MAX_DETAIL_NODES) throw refusal(path, `more than ${MAX_DETAIL_NODES} entities`);
  const { name = "root", name_i18n: names = {}, children = [] } = json;
  if (typeof name !== "string" || name === "" || name.includes("/")) {
    throw refusal(`${path}.name`, `${JSON.stringify(name)} is no text without a slash`);
  }
  if (!isJsonArray(children)) throw refusal(`${path}.children`, "it is no array");
  if (children.length > 0 && levels === 0)
    throw refusal(`${path}.children`, "entity_types names no type for this depth");
  const nodes = children.map((child, index) => readNode(child, `${path}.children[${index}]`, levels - 1, counts));
  const twice = nodes.find((node, index) => nodes.findIndex((each) => each.name === node.name) !== index);
  if (twice !== undefined) throw refusal(`${path}.children`, `${JSON.stringify(twice.name)} stands there twice`);
  return {
    name,
    nameByLanguage: readNames(names, `${path}.name_i18n`),
    map: readMap(json.map, `${path}.map`, counts),
    children: nodes,
  };
}

function readNames(json: Json, path: string): Readonly<Record<string, string>> {
  if (!isJsonObject(json)) throw refusal(path, "it is no object");
  return Object.fromEntries(
    Object.entries(json).map(([lang, name]) => {
      if (typeof name !== "string") throw refusal(`${path}.${lang}`, `${JSON.stringify(name)} is no text`);
      return [lang, name];
    }),
  );
}

/** Keys the form itself gives to entities. */
const OWN_KEYS = new Set(["@id", "@type", "additionalType", "hasPart", "mainEntity", "conformsTo", "about"]);

function readMap(json: Json | undefined, path: string, counts: Counts): DetailMap {
  if (json === undefined) return new Map();
  if (!isJsonObject(json)) throw refusal(path, "it is no object");
  return new Map(
    Object.entries(json).map(([key, source]): [string, DetailSource] => {
      if (OWN_KEYS.has(key)) throw refusal(path, `${key} is given by the form itself`);
      if (++counts.keys > MAX_DETAIL_KEYS) throw refusal(path, `more than ${MAX_DETAIL_KEYS} keys`);
      return [key, readSource(source, `${path}.${key}`)];
    }),
  );
}

function readSource(json: Json, path: string): DetailSource {
  if (!isJsonObject(json)) return { kind: "paths", paths: texts(json, path) };
  if (json.static_value !== undefined) return { kind: "static", values: texts(json.static_value, path) };
  return readLanguageSource(json, path);
}

function readLanguageSource({ value, lang }: JsonObject, path: string): DetailSource {
  if (typeof value !== "string") throw refusal(path, `${JSON.stringify(value ?? null)} is no path`);
  if (lang === undefined) return { kind: "paths", paths: [value] };
  if (typeof lang !== "string") throw refusal(path, `${JSON.stringify(lang)} is no path`);
  return { kind: "by-language", value, lang };
}

function texts(json: Json, path: string): readonly string[] {
  const list = isJsonArray(json) ? json : [json];
  return list.map((each) => {
    if (typeof each !== "string" || each === "") throw refusal(path, `${JSON.stringify(each)} is no text`);
    return each;
  });
}

function refusal(path: string, message: string): Refusal {
  const where = path === "" ? "" : `${path}: `;
  return new Refusal("invalid", `Cannot use this RO-Crate mapping: ${where}${message}`);
}
