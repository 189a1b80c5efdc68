// Data as a tree of lines that fold (Q.87): the nodes that are shown, and how many are not.
import { cutText } from "./shown-text.ts";

export type DataNode = {
  /** A key, the number of an entry, or the name of an element. */
  readonly label: string;
  readonly kind: "object" | "list" | "text" | "number" | "word" | "element" | "comment";
  /** Of a value, as it is written; of an element, its attributes. */
  readonly value: string;
  readonly children: readonly DataNode[];
  /** Children that are not shown. */
  readonly left: number;
};

/** Limits of what is shown; what is read is limited by the file. */
export const TREE = {
  nodes: 5_000,
  children: 200,
  depth: 40,
  characters: 2_000,
  labelCharacters: 200,
  allCharacters: 300_000,
} as const;
/** Characters of a value where there are many. */
const SHORT = 40;
/** Nesting of a file that is read. */
export const DEPTH_READ = 1_000;

export type OpenNode = Omit<DataNode, "children" | "left"> & { readonly children: DataNode[]; left: number };

/** Builds the tree while a file is read from its beginning to its end: what is not shown is counted. */
export class TreeBuilder {
  readonly root: OpenNode;
  /** Open nodes, from the root; null: one that is not shown. */
  readonly #open: (OpenNode | null)[];
  #nodes = 0;
  #characters = 0;

  constructor(root: Omit<DataNode, "children" | "left">) {
    this.root = { ...root, children: [], left: 0 };
    this.#open = [this.root];
  }

  get depth(): number {
    return this.#open.length;
  }

  get top(): OpenNode | null {
    return this.#open.at(-1) ?? null;
  }

  /** Adds a node to the open one; null: it is not shown. */
  add(node: Omit<DataNode, "children" | "left">): OpenNode | null {
    const { top } = this;
    if (top === null) return null;
    const isShown = top.children.length < TREE.children && this.#nodes < TREE.nodes && this.depth <= TREE.depth;
    if (!isShown) {
      top.left += 1;
      return null;
    }
    this.#nodes += 1;
    // What is long is shortened once there is much of it.
    const { text, left } = cutText(node.value, this.#characters > TREE.allCharacters ? SHORT : TREE.characters);
    const value = left === 0 ? text : `${text}…`;
    this.#characters += node.label.length + value.length;
    const label = cutText(node.label, TREE.labelCharacters).text;
    const added: OpenNode = { ...node, label, value, children: [], left: 0 };
    top.children.push(added);
    return added;
  }

  /** Adds a node and opens it. */
  enter(node: Omit<DataNode, "children" | "left">): void {
    this.#open.push(this.add(node));
  }

  leave(): void {
    this.#open.pop();
  }
}
