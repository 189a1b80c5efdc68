// Reading the tree as one viewer sees it (R2e, R24): planned from numbers, then written page by page while it is sent.

import { isAdministrator, type Viewer } from "../../auth/account.ts";
import { admitsBrowsing, isOwn, mayBrowse, ownRoots } from "../../model/access/visibility.ts";
import { type IndexNode, type IndexOutline, ROOT_INDEX } from "../../model/indexes/index-node.ts";
import { viewOf } from "../../model/rights/index-rights.ts";
import type { IndexId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import type { IndexReader } from "../store/indexes.ts";
import { treeText } from "./index-answers.ts";
import { type TreePlan, treePlanner } from "./tree-order.ts";

export type TreeReading = {
  /** Changes with the tree and with what the viewer may see of it. Weak: pretty and compact text share it. */
  readonly etag: string;
  /** The JSON text in pieces; nothing is read before the first is asked for. */
  /** `bare`: the indexes as a list, without the root around them. */
  readonly text: (pretty: boolean, bare?: boolean) => AsyncGenerator<string, void, undefined>;
};

type TreeReadingNeeds = {
  readonly store: { readonly indexes: IndexReader };
  readonly today: () => Day;
  /**
   * Gives memory that nothing uses any more back to the runtime; asked for now and then while a long text is written.
   */
  readonly collect?: () => void;
};

/** Indexes written between two garbage collections: reading and writing leave several times their size as garbage. */
const COLLECT_EVERY = 10_000;
/**
 * Indexes planned from, and written from, one answer of the database: few, so that what is read is garbage before there
 * is much of it.
 */
const OUTLINE_PAGE = 2_000;
const NODE_PAGE = 200;
/** Characters gathered before a piece is handed on. */
const PIECE = 65_536;

/**
 * @throws Refusal `not_found` for an index that is unknown or deleted, `forbidden` for one the viewer may not browse
 */
export async function openTree(needs: TreeReadingNeeds, viewer: Viewer, id: IndexId): Promise<TreeReading> {
  const { indexes } = needs.store;
  const today = needs.today();
  // Before anything else: whatever changes from now on changes the next ETag.
  const revision = await indexes.treeRevision();
  const lineage = id === ROOT_INDEX ? [] : await indexes.lineage(id);
  if (id !== ROOT_INDEX) {
    if (lineage.length === 0) throw new Refusal("not_found", `Index not found: ${id}.`);
    if (!mayBrowse(lineage, viewer, today)) {
      throw new Refusal("forbidden", `Permission denied: Cannot access index ${id}.`);
    }
  }
  const own = new Set(isAdministrator(viewer) ? [] : ownRoots(viewer));
  // Below one's own root everything is one's own.
  if (own.size > 0 && isOwn(lineage, viewer)) own.add(id);
  const admits = isAdministrator(viewer) ? () => true : (index: IndexOutline) => admitsBrowsing(index, viewer, today);
  const [top, ...above] = lineage;
  const basePath = above
    .map((each) => each.id)
    .reverse()
    .join("/");
  const plan = async (): Promise<TreePlan> => {
    const planner = treePlanner({ admits, own });
    if (id === ROOT_INDEX) {
      for (let after = 0; ; ) {
        const page = await indexes.outlineAfter(after, OUTLINE_PAGE);
        planner.add(page);
        const last = page.at(-1);
        if (last === undefined || page.length < OUTLINE_PAGE) return planner.plan(ROOT_INDEX);
        after = last.id;
      }
    }
    planner.add(await indexes.outlineFrom(id));
    return planner.plan(top?.parent ?? ROOT_INDEX, basePath);
  };
  return {
    etag: `W/"${revision}-${id}-${digest(viewOf(viewer, today))}"`,
    text: (pretty, bare = false) =>
      textOf(needs, plan, top === undefined ? null : { node: top, path: basePath }, treeText(pretty, bare)),
  };
}

async function* textOf(
  { store: { indexes }, collect }: TreeReadingNeeds,
  planned: () => Promise<TreePlan>,
  top: { readonly node: IndexNode; readonly path: string } | null,
  writer: ReturnType<typeof treeText>,
): AsyncGenerator<string, void, undefined> {
  const { ids, depths, pathOf } = await planned();
  // The index asked for is written as it was found, should it be deleted meanwhile.
  let piece = top === null ? writer.start() : writer.node(top.node, 0, top.path);
  /** Deeper than this belongs to an index that was deleted while the answer was being written. */
  let skipBelow = Number.POSITIVE_INFINITY;
  for (let from = top === null ? 0 : 1; from < ids.length; from += NODE_PAGE) {
    const page = ids.slice(from, from + NODE_PAGE);
    if (Math.floor(from / COLLECT_EVERY) < Math.floor((from + page.length) / COLLECT_EVERY)) collect?.();
    const nodes = new Map((await indexes.shownIndexes(page)).map((node) => [node.id, node]));
    for (const [i, id] of page.entries()) {
      const depth = depths[from + i] ?? 0;
      if (depth > skipBelow) continue;
      const node = nodes.get(id);
      skipBelow = node === undefined ? depth : Number.POSITIVE_INFINITY;
      if (node === undefined) continue;
      piece += writer.node(node, depth, pathOf(from + i));
      if (piece.length < PIECE) continue;
      yield piece;
      piece = "";
    }
  }
  yield piece + writer.end();
}

/** 53 bits of a text (cyrb53): tells apart what one viewer sees from what another one does, and protects nothing. */
function digest(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
