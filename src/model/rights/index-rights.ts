// Who may change an index (R2e, R25; specification 2, "Authentication" 6). Decides by role, never by scope: the
// interfaces check that. Who may see one: ../access/visibility.ts.

import { isAdministrator, ROLES, type Viewer } from "../../auth/account.ts";
import type { IndexId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import { isOwn, ownRoots } from "../access/visibility.ts";
import { type IndexOutline, ROOT_INDEX } from "../indexes/index-node.ts";

/** An index and its ancestors, nearest first, as far as their ids go. */
export type OwnLineage = readonly Pick<IndexOutline, "id">[];

/** Administrators of the repository or of a community. */
export function mayManageIndexes(viewer: Viewer): boolean {
  return isAdministrator(viewer) || viewer.roles.includes(ROLES.communityAdministrator);
}

/** Everybody else is refused before any lookup. */
export function requireTreeRole(viewer: Viewer): void {
  if (mayManageIndexes(viewer)) return;
  throw new Refusal("forbidden", "Permission denied: your role does not manage indexes");
}

export function mayWriteIndex(viewer: Viewer, lineage: OwnLineage): boolean {
  return isAdministrator(viewer) || (mayManageIndexes(viewer) && isOwn(lineage, viewer));
}

/** @throws Refusal `forbidden` unless the viewer may change this index. */
export function requireWrite(id: IndexId, lineage: OwnLineage, viewer: Viewer): void {
  if (!mayWriteIndex(viewer, lineage)) throw deniedIndex(id);
}

/**
 * Whether the viewer may put an index below this one; empty is the root, where administrators of a community put none.
 */
export function mayPutBelow(viewer: Viewer, lineage: OwnLineage): boolean {
  return mayWriteIndex(viewer, lineage);
}

/**
 * @throws Refusal `forbidden` unless the viewer may put an index below this one, or take one from there: it never
 * leaves a community's subtree.
 */
export function requireParent(parent: IndexId, lineage: OwnLineage, viewer: Viewer): void {
  if (mayPutBelow(viewer, lineage)) return;
  if (parent === ROOT_INDEX) {
    const text = "Permission denied: Community Administrators cannot access root index.";
    throw new Refusal("forbidden", text);
  }
  throw deniedIndex(parent);
}

/**
 * Roots of communities, the own one too, are for administrators of the repository to delete (R2e: "inside own
 * subtrees").
 */
export function mayDeleteIndex(viewer: Viewer, lineage: OwnLineage, roots: readonly IndexId[]): boolean {
  if (isAdministrator(viewer)) return true;
  const [index] = lineage;
  const isRoot = index === undefined || ownRoots(viewer).has(index.id);
  return !isRoot && roots.length === 0 && mayWriteIndex(viewer, lineage);
}

export const deniedIndex = (id: IndexId): Refusal =>
  new Refusal("forbidden", `Permission denied: Cannot access index ${id}.`);

/**
 * Whatever decides what a viewer's tree looks like, as one text: two viewers with the same one see the same tree (R24,
 * ETag).
 */
export function viewOf(viewer: Viewer, today: Day): string {
  if (isAdministrator(viewer)) return "all";
  const numbers = (list: Iterable<number>): string => [...new Set(list)].sort((a, b) => a - b).join();
  return `${numbers(viewer.roles)}/${numbers(viewer.groups)}/${numbers(ownRoots(viewer))}/${today}`;
}
