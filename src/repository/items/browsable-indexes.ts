// Which indexes a viewer may browse (R2d). The outline of the tree is read again when the tree has changed; viewers
// with the same view share an answer.

import type { Viewer } from "../../auth/account.ts";
import { mayBrowseIndex } from "../../model/access/visibility.ts";
import type { IndexOutline } from "../../model/indexes/index-node.ts";
import { viewOf } from "../../model/rights/index-rights.ts";
import type { IndexId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import type { RepositoryReader } from "../store/store.ts";

/** Indexes of one read while the tree is loaded. */
const PAGE_INDEXES = 10_000;
/** Answers that are kept for one state of the tree. */
const CACHED_VIEWS = 50;

type Tree = {
  readonly revision: number;
  readonly nodes: ReadonlyMap<number, IndexOutline>;
  /** Ids of the browsable indexes, by view. */
  readonly views: Map<string, readonly number[]>;
};

export class BrowsableIndexes {
  readonly #reader: RepositoryReader["indexes"];
  #tree: Tree | null = null;

  constructor(reader: RepositoryReader["indexes"]) {
    this.#reader = reader;
  }

  /** Ids of the indexes that the viewer may browse on a day. */
  async idsFor(viewer: Viewer, day: Day): Promise<readonly number[]> {
    const { nodes, views } = await this.#currentTree();
    const view = viewOf(viewer, day);
    const known = views.get(view);
    if (known !== undefined) return known;
    const ids: IndexId[] = [];
    for (const node of nodes.values()) if (mayBrowseIndex(viewer, lineageIn(nodes, node), day)) ids.push(node.id);
    if (views.size >= CACHED_VIEWS) views.clear();
    views.set(view, ids);
    return ids;
  }

  /** All live indexes. */
  async #currentTree(): Promise<Tree> {
    const revision = await this.#reader.treeRevision();
    if (this.#tree?.revision === revision) return this.#tree;
    const nodes = new Map<number, IndexOutline>();
    for (let after = Number.MIN_SAFE_INTEGER; ; ) {
      const page = await this.#reader.outlineAfter(after, PAGE_INDEXES);
      for (const node of page) nodes.set(node.id, node);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_INDEXES) break;
      after = last.id;
    }
    this.#tree = { revision, nodes, views: new Map() };
    return this.#tree;
  }
}

/** An index and those above it, from the index up. A circle ends after as many steps as there are indexes. */
function lineageIn(nodes: ReadonlyMap<number, IndexOutline>, node: IndexOutline): readonly IndexOutline[] {
  const lineage: IndexOutline[] = [];
  let at: IndexOutline | undefined = node;
  for (; at !== undefined && lineage.length <= nodes.size; at = nodes.get(at.parent)) lineage.push(at);
  return lineage;
}
