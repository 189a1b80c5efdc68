// The order in which a viewer's tree is written, made without recursion from indexes in any order (R24, R2e): numbers
// only, so that a tree of 100,000 indexes is planned in a few megabytes and its texts can be read a page at a time.
import type { IndexOutline } from "../../model/indexes/index-node.ts";
import type { IndexId } from "../../shared/ids.ts";

type TreeView = {
  /** Whether the index itself admits the viewer; asked of each index once. */
  readonly admits: (index: IndexOutline) => boolean;
  /** Roots of subtrees that are visible whatever the settings of their nodes and ancestors. */
  readonly own: ReadonlySet<IndexId>;
};

export type TreePlan = {
  /** Ids of the indexes that are shown, parents before their children, children by position, then id. */
  readonly ids: readonly IndexId[];
  /** Shown ancestors of each, from 0. An own subtree below hidden indexes hangs below the nearest shown one. */
  readonly depths: readonly number[];
  /** The ids of all ancestors of the entry, outermost first, joined by `/`; "" below the root. */
  readonly pathOf: (entry: number) => string;
};

const HIDDEN = 0;
const SHOWN = 1;
const OWN = 2;
type Visibility = typeof HIDDEN | typeof SHOWN | typeof OWN;

/** Takes indexes page by page. `top`: the parent of those that come first; their own path to the root is `basePath`. */
export function treePlanner(view: TreeView) {
  const ids: IndexId[] = [];
  const parents: IndexId[] = [];
  const positions: number[] = [];
  const seen: Visibility[] = [];

  return {
    add(outlines: readonly IndexOutline[]): void {
      for (const outline of outlines) {
        ids.push(outline.id);
        parents.push(outline.parent);
        positions.push(outline.position);
        seen.push(view.own.has(outline.id) ? OWN : view.admits(outline) ? SHOWN : HIDDEN);
      }
    },
    /** The indexes below `top` that can be reached from it, and are shown when all above them, from `top` down, are. */
    plan: (top: IndexId, basePath = ""): TreePlan =>
      walk({ ids, parents, positions, seen }, top, basePath, view.own.size > 0),
  };
}

type Columns = {
  readonly ids: readonly IndexId[];
  readonly parents: readonly IndexId[];
  readonly positions: readonly number[];
  readonly seen: readonly Visibility[];
};

/** For each row its first child and its next sibling as row numbers, -1 for none; and the first child of `top`. */
function linked({ ids, parents, positions }: Columns, top: IndexId) {
  const rowOf = new Map<number, number>();
  for (let row = 0; row < ids.length; row += 1) rowOf.set(at(ids, row), row);
  const order = Array.from(ids, (_, row) => row);
  // Last sibling first, as each is put in front of those already there.
  order.sort((a, b) => at(positions, b) - at(positions, a) || at(ids, b) - at(ids, a));
  const parentRow = new Int32Array(ids.length).fill(-1);
  const firstChild = new Int32Array(ids.length).fill(-1);
  const nextSibling = new Int32Array(ids.length).fill(-1);
  let first = -1;
  for (const row of order) {
    const parent = at(parents, row);
    if (parent === top) {
      nextSibling[row] = first;
      first = row;
      continue;
    }
    const above = rowOf.get(parent);
    // A parent that is not there: the row cannot be reached.
    if (above === undefined) continue;
    parentRow[row] = above;
    nextSibling[row] = at(firstChild, above);
    firstChild[above] = row;
  }
  return { parentRow, firstChild, nextSibling, first };
}

function walk(columns: Columns, top: IndexId, basePath: string, ownBelow: boolean): TreePlan {
  const { parentRow, firstChild, nextSibling, first } = linked(columns, top);
  const { ids, seen } = columns;
  const rows: number[] = [];
  const depths: number[] = [];
  // What each row on the way down passes on: what it shows, and how many shown ones lie above its children.
  const passed = new Uint8Array(ids.length);
  const below = new Int32Array(ids.length);
  let row = first;
  while (row >= 0) {
    const above = at(parentRow, row);
    const given = above < 0 ? SHOWN : at(passed, above);
    const depth = above < 0 ? 0 : at(below, above);
    const own = at(seen, row);
    const state = given === OWN || own === OWN ? OWN : given === HIDDEN ? HIDDEN : own;
    passed[row] = state;
    below[row] = depth + (state === HIDDEN ? 0 : 1);
    if (state !== HIDDEN) {
      rows.push(row);
      depths.push(depth);
    }
    const down = state !== HIDDEN || ownBelow ? at(firstChild, row) : -1;
    row = down >= 0 ? down : onwards(row, nextSibling, parentRow);
  }
  return { ids: rows.map((each) => at(ids, each)), depths, pathOf: pathsOf(rows, columns, parentRow, basePath) };
}

/** The next sibling of the row or of the nearest ancestor that has one. */
function onwards(from: number, nextSibling: Int32Array, parentRow: Int32Array): number {
  let row = from;
  while (row >= 0 && at(nextSibling, row) < 0) row = at(parentRow, row);
  return row < 0 ? -1 : at(nextSibling, row);
}

/** Paths are asked for in order: that of the last parent is mostly the next one's too. */
function pathsOf(rows: readonly number[], { ids }: Columns, parentRow: Int32Array, basePath: string) {
  let known = { parent: -1, path: basePath };
  return (entry: number): string => {
    const parent = at(parentRow, at(rows, entry));
    if (parent !== known.parent) {
      const above: IndexId[] = [];
      for (let row = parent; row >= 0; row = at(parentRow, row)) above.push(at(ids, row));
      const own = above.reverse().join("/");
      known = { parent, path: basePath === "" || own === "" ? basePath + own : `${basePath}/${own}` };
    }
    return known.path;
  };
}

/** A number that is there by construction. */
function at(list: ArrayLike<number>, index: number): number {
  const value = list[index];
  if (value === undefined) throw new RangeError(`No entry ${index} in the plan of the tree`);
  return value;
}
