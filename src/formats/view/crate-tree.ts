// An RO-Crate as a tree (Q.108): the root data set with its parts, and what they refer to, from the flattened JSON-LD of
// ro-crate-metadata.json. Nothing is fetched; every entity is shown once, and at most a fixed number of each.
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";

/** Entities, members of one, and values of a member that are shown; how deep parts nest; characters of a text. */
const CRATE_LIMITS = { entities: 1_000, members: 30, values: 20, depth: 20, characters: 500 } as const;

/** `id`: another entity of the crate, or an address; null for a text. */
export type CrateValue = { readonly text: string; readonly id: string | null };
type CrateMember = { readonly name: string; readonly values: readonly CrateValue[]; readonly left: number };

export type CrateEntity = {
  readonly id: string;
  readonly name: string;
  readonly types: readonly string[];
  readonly members: readonly CrateMember[];
};
export type CrateNode = CrateEntity & { readonly parts: readonly CrateNode[] };

export type CrateTree = {
  readonly root: CrateNode;
  /** What is not a part of the root: people, organizations, actions … */
  readonly others: readonly CrateEntity[];
  /** All of them, and those that are not shown. */
  readonly count: number;
  readonly left: number;
};

/** Names of the metadata document by version of RO-Crate. */
const DESCRIPTORS: readonly string[] = ["ro-crate-metadata.json", "ro-crate-metadata.jsonld"];

export const isCrateName = (name: string): boolean => DESCRIPTORS.includes(name.split("/").at(-1) ?? "");

/** Null where it is not the metadata of a crate: no `@graph`, no descriptor, no root. */
export function crateTree(document: Json): CrateTree | null {
  const graph = isJsonObject(document) ? document["@graph"] : undefined;
  if (!Array.isArray(graph)) return null;
  const byId = new Map<string, JsonObject>();
  for (const each of graph) {
    const id = isJsonObject(each) ? each["@id"] : undefined;
    if (typeof id === "string" && isJsonObject(each) && !byId.has(id)) byId.set(id, each);
  }
  const descriptor = DESCRIPTORS.map((name) => byId.get(name) ?? byId.get(`./${name}`)).find(
    (each) => each !== undefined,
  );
  const rootId = descriptor === undefined ? undefined : idsOf(descriptor.about)[0];
  const root = rootId === undefined ? undefined : byId.get(rootId);
  if (descriptor === undefined || rootId === undefined || root === undefined) return null;
  const tree = new Tree(byId);
  tree.seen.add(String(descriptor["@id"]));
  const top = tree.node(rootId, root, 0);
  const others = [...byId].filter(([id]) => !tree.seen.has(id));
  const room = Math.max(0, CRATE_LIMITS.entities - tree.shown);
  const shown = others.slice(0, room).map(([id, each]) => tree.entity(id, each));
  const count = byId.size - 1;
  return { root: top, others: shown, count, left: count - tree.shown - shown.length };
}

class Tree {
  readonly seen = new Set<string>();
  shown = 0;

  constructor(readonly byId: ReadonlyMap<string, JsonObject>) {}

  /** A part that is named twice, or by itself, is where it is named first. */
  node(id: string, from: JsonObject, depth: number): CrateNode {
    this.seen.add(id);
    this.shown += 1;
    const parts: CrateNode[] = [];
    for (const part of depth < CRATE_LIMITS.depth ? idsOf(from.hasPart) : []) {
      if (this.shown >= CRATE_LIMITS.entities) break;
      const entity = this.byId.get(part);
      if (entity !== undefined && !this.seen.has(part)) parts.push(this.node(part, entity, depth + 1));
    }
    return { ...this.entity(id, from), parts };
  }

  entity(id: string, from: JsonObject): CrateEntity {
    const names = Object.keys(from).filter((name) => !["@id", "@type", "@context", "name", "hasPart"].includes(name));
    return {
      id: cut(id),
      name: this.nameOf(id, from),
      types: textsOf(from["@type"]).slice(0, CRATE_LIMITS.values).map(cut),
      members: names.slice(0, CRATE_LIMITS.members).map((name) => this.#member(name, from[name])),
    };
  }

  nameOf(id: string, from: JsonObject): string {
    return cut(textsOf(from.name)[0] ?? id);
  }

  #member(name: string, value: Json | undefined): CrateMember {
    const all = Array.isArray(value) ? value : [value];
    const values = all.slice(0, CRATE_LIMITS.values).map((each) => this.#value(each));
    return { name: cut(name), values, left: all.length - values.length };
  }

  #value(value: Json | undefined): CrateValue {
    if (!isJsonObject(value)) return { text: cut(typeof value === "string" ? value : plain(value)), id: null };
    const id = value["@id"];
    if (typeof id !== "string") return { text: cut(plain(value["@value"] ?? value)), id: null };
    const other = this.byId.get(id);
    return { text: other === undefined ? cut(id) : this.nameOf(id, other), id };
  }
}

/** JSON of what is neither text nor reference; of what nests, only that it does. */
function plain(value: Json | undefined): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "[…]" : "{…}";
  return String(value);
}

function idsOf(value: Json | undefined): readonly string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((each) => {
    const id = isJsonObject(each) ? each["@id"] : undefined;
    return typeof id === "string" ? [id] : [];
  });
}

const textsOf = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((each) => (typeof each === "string" ? [each] : []));

const cut = (text: string): string =>
  text.length <= CRATE_LIMITS.characters ? text : `${text.slice(0, CRATE_LIMITS.characters)}…`;
