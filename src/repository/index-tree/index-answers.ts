// How an index is answered (specification 2, "Index resource" and "Index tree endpoints"; R24): the echo of a change,
// and the tree as JSON text written node by node, so that a tree of any size and depth is sent without being held.

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { IN_TREE, IN_TREE_NAMES, INDEX_FIELDS, type IndexField } from "../../model/indexes/index-fields.ts";
import { type IndexAttributes, type IndexNode, ROOT_INDEX } from "../../model/indexes/index-node.ts";
import { fieldsOf, sentName, shownFrom } from "../../shared/declared.ts";
import { MomentShape } from "../../shared/shapes.ts";

type Schemas = { readonly [name: string]: TSchema };
const settings: Schemas = Object.fromEntries(
  Object.entries(fieldsOf(INDEX_FIELDS)).map(([name, { schema }]) => [name, schema]),
);
/** An index as answers to changes have it. */
const IndexShape = Type.Object(
  {
    id: Type.Integer(),
    parent: Type.Integer({ description: "Id of the parent, 0: directly under the root" }),
    position: Type.Integer({ description: "Place among the siblings, from 0" }),
    ...settings,
    created: MomentShape,
    updated: MomentShape,
  },
  { $id: "Index" },
);
export const IndexAnswer = Type.Object({ index: IndexShape }, { $id: "IndexAnswer" });

const { publicState, ...IN_TREE_BELOW } = IN_TREE;
/** Settings that the tree shows of indexes and not of the root. */
const shownBelow: Schemas = Object.fromEntries(
  Object.entries(IN_TREE_BELOW).map(([name, schema]) => {
    const declared: { readonly [name: string]: IndexField<unknown> } = INDEX_FIELDS;
    return [sentName(name, declared[name]), Type.Optional(schema)];
  }),
);
/** An index in the tree, or the root, which has the first members alone. */
export const IndexNodeShape = Type.Object(
  {
    cid: Type.Integer({ description: "Index id" }),
    id: Type.String({ description: "Index id as text" }),
    name: Type.String({ description: "Japanese name; also index_name and value" }),
    value: Type.String(),
    index_name: Type.String(),
    index_name_english: Type.String({ description: "English name; also value_english" }),
    value_english: Type.String(),
    index_link_name_english: Type.String(),
    public_state: publicState,
    children: Type.Array(Type.Unsafe<object>({ $ref: "#/components/schemas/IndexNode" }), {
      description: "The indexes below, by position, then id",
    }),
    pid: Type.Optional(Type.Integer({ description: "Parent id; not of the root" })),
    position: Type.Optional(Type.Integer()),
    parent: Type.Optional(Type.String({ description: "Ids of all ancestors, outermost first; not of top indexes" })),
    link_name: Type.Optional(Type.String()),
    ...shownBelow,
    is_deleted: Type.Optional(Type.Boolean()),
    emitLoadNextLevel: Type.Optional(Type.Boolean()),
    settings: Type.Optional(Type.Object({ checked: Type.Boolean(), isCollapsedOnInit: Type.Boolean() })),
  },
  { $id: "IndexNode" },
);
export const TreeShape = Type.Object({ index: IndexNodeShape }, { $id: "IndexTree" });

export function echoOf(node: IndexNode): Static<typeof IndexShape> {
  const { id, parent, position, createdAt: created, updatedAt: updated } = node;
  return { id, parent, position, ...shownFrom(INDEX_FIELDS, node), created, updated };
}

const texts = new WeakMap<readonly number[], string>();

/** Lists of ids are shared by many indexes: each is written once. */
function idText(ids: readonly number[]): string {
  const known = texts.get(ids);
  if (known !== undefined) return known;
  const text = ids.join();
  texts.set(ids, text);
  return text;
}

type Member = { readonly name: string; readonly valueIn: (node: IndexAttributes, path: string) => unknown };
const member = (name: string, valueIn: Member["valueIn"]): Member => ({ name, valueIn });

const SETTINGS_IN_TREE = IN_TREE_NAMES.map((name): Member => {
  const declared: IndexField<unknown> = INDEX_FIELDS[name];
  const { kept, show } = declared;
  const shownAs = (value: unknown): unknown => (Array.isArray(value) ? idText(value) : (show?.(value) ?? value ?? ""));
  const isPlain = kept === "flag" || kept === "number";
  return member(sentName(name, declared), isPlain ? (node) => node[name] : (node) => shownAs(node[name]));
});
const CLOSED = { isCollapsedOnInit: false, checked: false };

/** The members of a node in answers, in addition to its children. */
const MEMBERS: readonly Member[] = [
  member("pid", (node) => node.parent),
  member("cid", (node) => node.id),
  member("position", (node) => node.position),
  member("name", (node) => node.indexName),
  member("link_name", (node) => node.indexLinkName),
  ...SETTINGS_IN_TREE,
  member("is_deleted", (node) => node.deletedAt !== null),
  member("id", (node) => String(node.id)),
  member("value", (node) => node.indexName),
  member("emitLoadNextLevel", () => false),
  member("settings", () => CLOSED),
  member("parent", (_, path) => (path === "" ? undefined : path)),
  member("index_name", (node) => node.indexName),
  member("index_name_english", (node) => node.indexNameEnglish),
  member("index_link_name_english", (node) => node.indexLinkNameEnglish),
  member("value_english", (node) => node.indexNameEnglish),
];

function shown(node: IndexAttributes, path: string): object {
  const object: Record<string, unknown> = {};
  // Neither spread nor built from entries: a tree may have 100,000 nodes. JSON leaves undefined members out.
  for (const { name, valueIn } of MEMBERS) object[name] = valueIn(node, path);
  return object;
}

const ROOT_NAME = "Root-index";
/** The root, which is not an index. */
const ROOT = {
  cid: ROOT_INDEX,
  name: ROOT_NAME,
  id: String(ROOT_INDEX),
  public_state: true,
  value: ROOT_NAME,
  index_name: ROOT_NAME,
  index_name_english: ROOT_NAME,
  index_link_name_english: "",
  value_english: ROOT_NAME,
};

const INDENT = 4;
const newLine = (level: number): string => `\n${" ".repeat(INDENT * level)}`;
const noLine = (): string => "";

/** An object without its last brace, to which members are added; `level` is its depth. */
function unclosed(object: object, pretty: boolean, level: number): string {
  if (!pretty) return `${JSON.stringify(object).slice(0, -1)},`;
  return `${JSON.stringify(object, null, INDENT).slice(0, -2).replaceAll("\n", newLine(level))},`;
}

/**
 * Writes `{"index": {…, "children": […]}}` piece by piece: `start` for the whole tree, then every node with its depth,
 * then `end`. Without `start` the first node, of depth 0, is itself the `index`. Depths may grow by one only. `bare`:
 * `[{…, "children": […]}]`, the indexes below the root and nothing around them.
 */
export function treeText(pretty: boolean, bare = false) {
  const line = pretty ? newLine : noLine;
  const colon = pretty ? ": " : ":";
  /** Objects that are open below the wrapper, and whether the innermost has children yet. */
  let open = 0;
  let filled = false;
  /** Objects above the nodes of depth 0. */
  let top = 0;

  const opened = (object: object): string => {
    const level = 2 * open + 1;
    open += 1;
    filled = false;
    return `${unclosed(object, pretty, level)}${line(level + 1)}"children"${colon}[`;
  };
  const close = (): string => {
    open -= 1;
    const level = 2 * open + 1;
    const text = `${filled ? line(level + 1) : ""}]${line(level)}}`;
    filled = true;
    return text;
  };
  const wrapper = (): string => `{${line(1)}"index"${colon}`;

  return {
    start(): string {
      if (bare) return "[";
      top = 1;
      return wrapper() + opened(ROOT);
    },
    node(node: IndexAttributes, depth: number, path: string): string {
      let text = "";
      while (open > depth + top) text += close();
      if (open === 0 && !bare) text += wrapper();
      else text += `${filled ? "," : ""}${line(2 * open + 1)}`;
      return text + opened(shown(node, path));
    },
    end(): string {
      let text = "";
      while (open > 0) text += close();
      const last = bare ? `${filled ? line(0) : ""}]` : `${line(0)}}`;
      return `${text}${last}${pretty ? "\n" : ""}`;
    },
  };
}
